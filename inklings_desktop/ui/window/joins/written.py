"""Forgets what one client wrote: counts it, asks, and does it in steps that can be stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QKeySequence

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.access.written_words import question, what_follows, why_nothing
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.dialogs.progress_dialog import ProgressDialog
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.kit.words.entry_facts import grouped
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.memory.acts.memory_actions import FORGOTTEN_AT_ONCE

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.memory.acting import ActionDesk
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.memories.find_written import Written


class WrittenDesk(QObject):
    """One step of the session's undo for everything that a client wrote.

    Signals:
        message_raised: A ``Message`` for the person.
        said: A sentence for a passing note.
    """

    message_raised = Signal(object)
    said = Signal(str)

    def __init__(
        self,
        background: Background,
        inklings: Inklings,
        *,
        acts: ActionDesk,
        theme: Theme,
        window: QWidget,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._background, self._inklings = background, inklings
        self._acts, self._theme, self._window = acts, theme, window
        self._is_asking = False

    @Slot(str, str)
    def ask(self, name: str, workspace_id: str) -> None:
        """Count what a client wrote in a workspace and the account, and ask whether it goes."""
        if not self._is_asking:
            self._is_asking = True
            held_keys(self._window).until_asked(
                self._acts.undo.begin(self._forget(name, workspace_id))
            )

    async def _forget(self, name: str, workspace_id: str) -> None:
        try:
            async with self._acts.undo.order:
                written = await self._background.read(
                    self._inklings.find_written, self._inklings.caller, name, workspace_id
                )
                if not written.free:
                    self.said.emit(why_nothing(name, written))
                elif await self._is_sure(name, written):
                    await self._carry_out(name, written)
        except InklingsError as error:
            self.message_raised.emit(message_of(error))
        finally:
            self._is_asking = False

    async def _is_sure(self, name: str, written: Written) -> bool:
        return await ask(
            self._window,
            question(name, len(written.free)),
            what_follows(name, written),
            yes=self.tr("Forget {count}").format(count=grouped(len(written.free))),
            no=self.tr("Keep them"),
            is_destructive=True,
        )

    async def _carry_out(self, name: str, written: Written) -> None:
        chosen = tuple(self._acts.selection.all_of(written.free).values())
        progress = ProgressDialog(
            self._theme,
            self.tr("Forgetting what {name} wrote").format(name=name),
            len(chosen),
            self._window,
        )
        try:
            is_done = await self._acts.asked.forget_agreed(
                chosen,
                self.tr("all that {name} wrote").format(name=name),
                progress.goes_on if len(chosen) > FORGOTTEN_AT_ONCE else None,
            )
        finally:
            progress.finish()
        if is_done:
            keys = QKeySequence(QKeySequence.StandardKey.Undo)
            self.said.emit(
                self.tr("{what}. {keys} takes that back.").format(
                    what=self._acts.undo.stack.undoText(),
                    keys=keys.toString(QKeySequence.SequenceFormat.NativeText),
                )
            )
