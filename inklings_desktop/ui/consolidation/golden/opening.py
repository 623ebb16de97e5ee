"""Joins the golden questions dialog with its presenter, and opens it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.ui.consolidation.golden.dialog import GoldenDialog
from inklings_desktop.ui.consolidation.golden.presenter import GoldenPresenter
from inklings_desktop.ui.consolidation.golden.state import NEW
from inklings_desktop.ui.kit.dialogs.ask import ask

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.consolidation.golden.state import GoldenState, GoldenWish
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.usecases.bundle import Inklings


class GoldenDesk(QObject):
    """Opens the dialog, one at a time, and asks before a draft is dropped.

    Signals:
        fared_otherwise: Other questions may be answered than when the dialog opened; told when it
            closes, or when what it stored last is stored.
    """

    fared_otherwise = Signal()

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
        self._theme = theme
        self._window = window
        self._wrong_before: frozenset[str] | None = None
        self.dialog: GoldenDialog | None = None
        self.presenter = GoldenPresenter(background, inklings, self)
        self.presenter.state_changed.connect(self._on_state_changed)

    def open(self, workspace_id: str, wish: GoldenWish | None = None) -> None:
        """Show the questions, or begin a new one; nothing while they are on show."""
        if self.dialog is not None:
            return
        presenter = self.presenter
        self._wrong_before = None
        dialog = self.dialog = GoldenDialog(self._theme, self._window)
        dialog.leave_requested.connect(self._on_leave_requested)
        dialog.looked_at.connect(self._on_looked_at)
        dialog.new_requested.connect(self._on_new_requested)
        dialog.ask_requested.connect(presenter.ask)
        dialog.save_requested.connect(self._on_save_requested)
        dialog.delete_requested.connect(self._on_delete_requested)
        dialog.form.written.connect(presenter.write)
        dialog.form.place_chosen.connect(presenter.choose_place)
        dialog.form.looked_for.connect(presenter.look_for)
        dialog.form.expected.connect(self._on_expected)
        dialog.form.removed.connect(presenter.expect_nothing_of)
        self._background.spawn(presenter.open(workspace_id, wish))
        dialog.show_state(presenter.state)
        dialog.show_over_window()

    def _then(self, action: Callable[[], None]) -> None:
        """Do something that drops the draft, if the person lets go of it."""
        self._background.spawn(self._asked(action))

    async def _asked(self, action: Callable[[], None]) -> None:
        dialog = self.dialog
        if dialog is None:
            return
        if self.presenter.state.is_unsaved and not await ask(
            dialog,
            self.tr("Drop your changes to this question?"),
            self.tr("It has not been kept. Every other question stays as it is."),
            yes=self.tr("Drop the changes"),
            no=self.tr("Stay"),
        ):
            dialog.show_state(self.presenter.state)
            return
        action()

    def _close(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.let_go()
        if self._wrong_before not in {None, self.presenter.state.wrong}:
            self.fared_otherwise.emit()
        self.presenter.close()

    async def _delete(self) -> None:
        dialog, draft = self.dialog, self.presenter.state.draft
        if dialog is None or draft is None:
            return
        if draft.key != NEW and not await ask(
            dialog,
            self.tr("Delete this question?"),
            self.tr("The memories stay. It is not asked any more before consolidations."),
            yes=self.tr("Delete question"),
            no=self.tr("Keep it"),
            is_destructive=True,
        ):
            return
        await self.presenter.delete()
        self._note_late(dialog)

    async def _save(self) -> None:
        dialog = self.dialog
        await self.presenter.save()
        self._note_late(dialog)

    def _note_late(self, dialog: GoldenDialog | None) -> None:
        """Tell of a change that was still being stored when the dialog was closed."""
        if self.dialog is not dialog:
            self.fared_otherwise.emit()

    @Slot(object)
    def _on_state_changed(self, state: GoldenState) -> None:
        if state.is_read and self._wrong_before is None:
            self._wrong_before = state.wrong
        if self.dialog is not None:
            self.dialog.show_state(state)

    @Slot(str)
    def _on_looked_at(self, question_id: str) -> None:
        if question_id != NEW:
            self._then(partial(self.presenter.look_at, question_id))

    @Slot()
    def _on_new_requested(self) -> None:
        self._then(self.presenter.start_new)

    @Slot(str, bool)
    def _on_expected(self, memory_id: str, must: bool) -> None:  # noqa: FBT001 - a signal's payload
        self.presenter.expect(memory_id, must=must)

    @Slot()
    def _on_save_requested(self) -> None:
        self._background.spawn(self._save())

    @Slot()
    def _on_delete_requested(self) -> None:
        self._background.spawn(self._delete())

    @Slot()
    def _on_leave_requested(self) -> None:
        self._then(self._close)
