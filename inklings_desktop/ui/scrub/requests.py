"""Joins scrubs that agents ask for to the band above every page; nothing hides it but an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication

from inklings_desktop.ui.kit.panes.banner import BannerAction, BannerContent
from inklings_desktop.ui.kit.panes.banner_slot import BannerCause, BannerSlot
from inklings_desktop.ui.scrub.requests_presenter import ScrubRequestsPresenter

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.scrub.requests_presenter import WaitingScrub
    from inklings_desktop.usecases.bundle import Inklings

LOOK = "lookAtScrub"
DECLINE = "declineScrub"


class ScrubRequestsDesk(QObject):
    """Requests of one opened data root, whichever page is on show.

    Signals:
        review_wanted: The ``ScrubRequest`` to open in the dialog.
        waiting_changed: What waits has changed.
        arrived: Title and text of a request that has just come in.
        message_raised: A ``Message`` for the person.
    """

    review_wanted = Signal(object)
    waiting_changed = Signal()
    arrived = Signal(str, str)
    message_raised = Signal(object)

    def __init__(
        self, background: Background, inklings: Inklings, *, banners: BannerSlot, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._banners = banners
        self.presenter = ScrubRequestsPresenter(background, inklings, self)
        self.presenter.waiting_changed.connect(self._on_waiting_changed)
        self.presenter.arrived.connect(self._on_arrived)
        self.presenter.message_raised.connect(self.message_raised)
        banners.acted.connect(self._on_acted)

    def close(self) -> None:
        """Show nothing any more."""
        self.presenter.close()
        self._banners.acted.disconnect(self._on_acted)
        self._banners.say(BannerCause.SCRUB_REQUEST, None)

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Take note of a commit, of this process or another."""
        self.presenter.on_changes(changes)

    @Slot(object)
    def _on_waiting_changed(self, waiting: tuple[WaitingScrub, ...]) -> None:
        content = None
        if waiting:
            # Its words come with all that a scrub is made of, and hardly ever does one wait.
            from inklings_desktop.ui.scrub.asking_words import asking_text, asking_title

            first = waiting[0]
            content = BannerContent(
                "ochre",
                asking_title(first.request),
                asking_text(first.request, first.place, len(waiting) - 1),
                (
                    BannerAction(LOOK, self.tr("Look at it\u2026")),
                    BannerAction(DECLINE, self.tr("Decline")),
                ),
                icon="eraser",
            )
        self._banners.say(BannerCause.SCRUB_REQUEST, content)
        self.waiting_changed.emit()

    @Slot(object)
    def _on_arrived(self, one: WaitingScrub) -> None:
        from inklings_desktop.ui.scrub.asking_words import asking_text, asking_title

        QApplication.alert(self._banners.banner.window())
        self.arrived.emit(asking_title(one.request), asking_text(one.request, one.place, 0))

    @Slot(object, str)
    def _on_acted(self, cause: BannerCause, key: str) -> None:
        waiting = self.presenter.waiting
        if cause is not BannerCause.SCRUB_REQUEST or not waiting:
            return
        if key == LOOK:
            self.review_wanted.emit(waiting[0].request)
        elif key == DECLINE:
            self._background.spawn(self.presenter.decline(waiting[0].request.id))
