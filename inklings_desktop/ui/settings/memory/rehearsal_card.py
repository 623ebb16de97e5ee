"""What other rates would change, on the author's own memories and golden questions."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMargins

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.parts import (
    across,
    below,
    choice,
    hairline,
    link,
    mark,
    plate,
    wide,
    words,
)
from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.settings.memory.state import (
    LineFacts,
    band_words,
    golden_lines,
    golden_words,
    move_line,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.background.golden import GoldenComparison
    from inklings_desktop.domain.rooms.rehearsal import Rehearsal
    from inklings_desktop.ui.kit.page.declared import Part

_FIRST = 3
_MOST = 60
_BADGE = 86
_SIDE = 18


class Shown(StrEnum):
    """What the card lists."""

    ORIENTATION = "orientation"
    GOLDEN = "golden"


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What is known of other rates.

    Attributes:
        is_changed: Whether other rates than those that hold are tried.
        found: What would enter and leave; None until it is found out.
        golden: How golden questions would fare; None until they were asked.
        shown: What is listed.
        shows_all: Whether all of it is.
    """

    is_changed: bool = False
    found: Rehearsal | None = None
    golden: GoldenComparison | None = None
    shown: Shown = Shown.ORIENTATION
    shows_all: bool = False

    @property
    def lines(self) -> list[LineFacts]:
        """What can be listed."""
        if self.shown is Shown.GOLDEN:
            return golden_lines(self.golden) if self.golden is not None else []
        return [move_line(one) for one in self.found.moves] if self.found is not None else []

    @property
    def lacks_golden(self) -> bool:
        """Whether golden questions are listed, and there are none."""
        golden = self.golden
        return self.shown is Shown.GOLDEN and golden is not None and not golden.after


def rehearsal_card(
    now: Rehearsed, listed: Callable[[str], object], more_wanted: Callable[[], object], **said: Any
) -> Part:
    """Rows of what enters and leaves; a foot that says how much changes, and the light."""
    lines = now.lines
    rows = (
        one
        for line in lines[: _MOST if now.shows_all else _FIRST]
        for one in (_line(line), hairline())
    )
    state = _state_words(now, has_lines=bool(lines))
    more = tr("Show fewer") if now.shows_all else tr("See all {n}")
    more = tr("Golden questions\u2026") if now.lacks_golden else more
    bands = tr("Nothing is saved by a rehearsal.")
    if now.found is not None:
        bands = tr("Nothing is saved yet. {bands}").format(bands=band_words(now.found))
    light = golden_words(now.golden) if now.golden is not None else ("", "inkSoft", "")
    is_inked, has_light = light[1] != "inkSoft", now.golden is not None
    return plate(
        across(
            words(tr("Rehearsal"), "tab", way="plain"),
            STRETCH,
            choice(
                tr("What is rehearsed"),
                Segment(Shown.ORIENTATION, tr("Orientation")),
                Segment(Shown.GOLDEN, tr("Golden questions")),
                name="rehearsed",
                now=now.shown,
                wanted=listed,
            ),
            margins=(_SIDE, 12, _SIDE, 10),
        ),
        hairline(),
        words(state, visible=bool(state), contentsMargins=QMargins(_SIDE, 14, _SIDE, 14)),
        below(*rows, spacing=0),
        STRETCH,
        hairline(),
        across(
            below(
                words(bands, "metaInk", way="plain"),
                mark(*light, inked=is_inked, wraps=True, name="light", visible=has_light),
                spacing=4,
                place=(1,),
            ),
            link(
                more.format(n=len(lines)),
                more_wanted,
                name="more",
                visible=len(lines) > _FIRST or now.lacks_golden,
            ),
            margins=(_SIDE, 10, _SIDE, 12),
        ),
        box=vbox,
        kind="card",
        spacing=0,
        name="rehearsal",
        spoken=tr("Rehearsal"),
        **said,
    )


def _state_words(now: Rehearsed, *, has_lines: bool) -> str:
    if not now.is_changed:
        return tr("Move a rate to see what an agent would gain or lose.")
    if now.shown is Shown.ORIENTATION:
        if now.found is None:
            return tr("Rehearsing\u2026")
        return "" if has_lines else tr("Nothing enters or leaves.")
    if now.golden is None:
        return tr("Asking the golden questions\u2026")
    return "" if has_lines else tr("No golden questions yet. Keep one, and it is asked here.")


def _line(line: LineFacts) -> Part:
    """A badge at the left; a text, and what follows from it below."""
    told = words(line.text, "begins", way="elided"), words(line.told, way="elided")
    return plate(
        mark(line.icon, line.role, line.badge, dress=wide(_BADGE)),
        below(*told, spacing=2, place=(1,)),
        margins=(_SIDE, 8, _SIDE, 8),
        spacing=8,
        spoken=f"{line.badge}: {line.text}, {line.told}",
    )
