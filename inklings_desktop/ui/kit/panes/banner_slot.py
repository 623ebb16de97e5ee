"""The one place above the pages where a banner stands, and which of several things it says."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtWidgets import QBoxLayout

    from inklings_desktop.ui.kit.panes.banner import Banner, BannerContent


class BannerCause(IntEnum):
    """What a banner is about, the worst first.

    While the disk cannot be written to no copy can be brought back, so that goes before damage.
    An agent that asks for a scrub, or to be let in, waits for an answer, and only an answer helps
    it: it goes before what a person cannot change at once.
    """

    READ_ONLY = 1
    DAMAGE = 2
    LOST_WRITES = 3
    SCRUB_REQUEST = 4
    KNOCK = 5
    LOW_DISK = 6
    PURGE = 7
    SET_ASIDE = 8
    SILENCE = 9
    KEYWORD_ONLY = 10
    CATCH_UP = 11
    SAMPLE = 12


def worst_of(
    causes: Collection[BannerCause], put_away: Collection[BannerCause] = ()
) -> BannerCause | None:
    """The one to be shown; None for no banner.

    Args:
        causes: Everything there is to say.
        put_away: What the person has read and dismissed in this session.
    """
    return min((one for one in causes if one not in put_away), default=None)


class BannerSlot(QObject):
    """Keeps all there is to say and shows the worst of it, one at a time.

    Signals:
        acted: A ``BannerCause`` and the key of its button that was pressed.
        put_away: The ``BannerCause`` that the person has read and dismissed.
    """

    acted = Signal(object, str)
    put_away = Signal(object)

    def __init__(self, banner: Banner) -> None:
        super().__init__(banner)
        self.banner = banner
        self._contents: dict[BannerCause, BannerContent] = {}
        self._put_away: set[BannerCause] = set()
        banner.action_requested.connect(self._on_action_requested)
        banner.dismissed.connect(self._on_dismissed)

    @property
    def cause(self) -> BannerCause | None:
        """What the banner on show is about; None while there is none."""
        return worst_of(self._contents, self._put_away)

    def say(self, cause: BannerCause, content: BannerContent | None) -> None:
        """Say this for as long as it holds; None takes it back."""
        if content is None:
            self._contents.pop(cause, None)
        else:
            self._contents[cause] = content
        self._show()

    def expect_news(self, cause: BannerCause) -> None:
        """Say again what is said of this cause from now on: it is none of what was put away."""
        self._put_away.discard(cause)

    def move_to(self, column: QBoxLayout) -> None:
        """Stand first in this column from now on."""
        if column.indexOf(self.banner) < 0:
            column.insertWidget(0, self.banner)
            self.banner.setVisible(self.cause is not None)

    def _show(self) -> None:
        cause = self.cause
        self.banner.show_content(None if cause is None else self._contents[cause])

    @Slot(str)
    def _on_action_requested(self, key: str) -> None:
        cause = self.cause
        if cause is not None:
            self.acted.emit(cause, key)

    @Slot()
    def _on_dismissed(self) -> None:
        """Put away for the session: what comes back is known already."""
        cause = self.cause
        if cause is not None:
            self._put_away.add(cause)
            self._show()
            self.put_away.emit(cause)
