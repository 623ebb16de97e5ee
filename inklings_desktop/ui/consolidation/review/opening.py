"""Joins the review of a consolidation with its presenter, and opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.consolidation.review.calls import expected_texts
from inklings_desktop.ui.consolidation.review.dialog import ReviewDialog
from inklings_desktop.ui.consolidation.review.presenter import ReviewPresenter
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.words.consolidation_words import undo_question

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.ui.consolidation.review.state import ReviewState
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings


class ReviewDesk(QObject):
    """Opens the review, one at a time, and carries its wishes to the presenter.

    Signals:
        applied: A ``TaskRun``, once a run ended or was taken back.
        history_wanted: The ``ScopeKey`` whose runs are wanted.
    """

    applied = Signal(object)
    history_wanted = Signal(object)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        *,
        theme: Theme,
        window: QWidget,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._background = background
        self._inklings = inklings
        self._theme = theme
        self._window = window
        self._questions: tuple[str, ...] = ()
        self.dialog: ReviewDialog | None = None
        self.presenter = ReviewPresenter(background, inklings, self)
        self.presenter.state_changed.connect(self._on_state_changed)
        self.presenter.applied.connect(self.applied)

    @Slot(object)
    def open(self, scope: ScopeKey) -> None:
        """Plan a scope key and show what a run would do; nothing while one is open."""
        if self.dialog is not None:
            return
        settings = self._inklings.settings
        dialog = self.dialog = ReviewDialog(self._theme, settings.decay, settings.cap, self._window)
        dialog.leave_requested.connect(self._on_leave_requested)
        dialog.apply_requested.connect(self._on_apply_requested)
        dialog.stop_requested.connect(self._on_stop_requested)
        dialog.undo_requested.connect(self._on_undo_requested)
        dialog.history_requested.connect(self._on_history_requested)
        dialog.room_chosen.connect(self._on_room_chosen)
        dialog.plan.looked_at.connect(self.presenter.look_at)
        dialog.plan.choice_made.connect(self.presenter.decide)
        dialog.plan.text_written.connect(self.presenter.write)
        dialog.plan.agreed_changed.connect(self._on_agreed_changed)
        dialog.plan.unlisted_kept.connect(self._on_unlisted_kept)
        self._spawn(self.presenter.open(scope))
        dialog.show_state(self.presenter.state)
        dialog.show_over_window()

    def _spawn(self, action: Coroutine[Any, Any, object]) -> None:
        self._background.spawn(action)

    def _close(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.let_go()
        self._questions = ()
        self.presenter.close()

    async def _leave(self) -> None:
        """Close; a text that somebody typed is asked for first."""
        dialog = self.dialog
        if dialog is None or not self.presenter.may_close():
            return
        if self.presenter.state.has_typed and not await ask(
            dialog,
            self.tr("Leave the review?"),
            self.tr("The merged texts that you wrote are dropped. The memories stay as they are."),
            yes=self.tr("Leave, drop the texts"),
            no=self.tr("Stay"),
        ):
            return
        self._close()

    async def _undo(self) -> None:
        dialog, run = self.dialog, self.presenter.state.run
        if dialog is None or run is None:
            return
        question, text = undo_question(run)
        if await ask(dialog, question, text, yes=self.tr("Undo this run"), no=self.tr("Leave it")):
            await self.presenter.undo()

    async def _read_texts(self, ids: tuple[str, ...]) -> None:
        """What the memories say that golden questions expect."""
        scope = self.presenter.state.scope
        if scope is None:
            return
        try:
            texts = await self._background.read(expected_texts, self._inklings, scope, ids)
        except InklingsError:
            return  # the rows show ids instead
        if self.dialog is not None:
            self.dialog.plan.show_texts(texts)
            self.dialog.show_state(self.presenter.state)

    @Slot(object)
    def _on_state_changed(self, state: ReviewState) -> None:
        if self.dialog is None:
            return
        self.dialog.show_state(state)
        if state.golden is not None:
            answers = [one.question for one in state.golden.before]
            ids = tuple(id_ for one in answers for id_ in (*one.must, *one.must_not))
            if ids and ids != self._questions:
                self._questions = ids
                self._spawn(self._read_texts(ids))

    @Slot()
    def _on_leave_requested(self) -> None:
        self._spawn(self._leave())

    @Slot()
    def _on_apply_requested(self) -> None:
        self._spawn(self.presenter.apply())

    @Slot()
    def _on_stop_requested(self) -> None:
        is_planning = self.presenter.state.plan is None
        self.presenter.stop()
        if is_planning:
            self._close()

    @Slot()
    def _on_undo_requested(self) -> None:
        self._spawn(self._undo())

    @Slot()
    def _on_history_requested(self) -> None:
        scope = self.presenter.state.scope
        self._close()
        if scope is not None:
            self.history_wanted.emit(scope)

    @Slot(str)
    def _on_room_chosen(self, room: str) -> None:
        self.presenter.choose_room(room)

    @Slot(bool)
    def _on_agreed_changed(self, on: bool) -> None:  # noqa: FBT001 - a signal's payload
        self.presenter.agree(agreed=on)

    @Slot(bool)
    def _on_unlisted_kept(self, on: bool) -> None:  # noqa: FBT001 - a signal's payload
        self.presenter.keep_unlisted(kept=on)
