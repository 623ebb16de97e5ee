"""What a person has set; asked for while the window starts, so it brings nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.usecases.keeping import preferences

if TYPE_CHECKING:
    from inklings_desktop.usecases.parts import By, Parts


class Preferences:
    """What a person has set."""

    def __init__(self, parts: Parts, by: By) -> None:
        self.save = by(preferences.SaveSettings(parts.settings, parts.feed))
        self.notice = by(preferences.NoticeSettings(parts.settings, parts.feed))
        self.problems = by(preferences.ListProblems(parts.settings))
