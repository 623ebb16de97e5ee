"""Comparing a backup with today, and setting back what is chosen of it."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot

from inklings_desktop.domain.errors import InklingsError, StoppedError
from inklings_desktop.domain.log.backup_comparison import Side
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.page.process import Process
from inklings_desktop.ui.kit.words.messages import Message, message_of
from inklings_desktop.ui.settings.backups.compare_dialog import ALL, LEAVE, CompareDialog
from inklings_desktop.ui.settings.backups.words import CompareState, scrub_id
from inklings_desktop.usecases.ports.progress import Progress

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from inklings_desktop.domain.log.backup import Backup
    from inklings_desktop.domain.log.backup_comparison import SetBackDone
    from inklings_desktop.ui.kit.page.context import Context


class CompareProcess(Process["CompareState | None", CompareDialog]):
    """Shows one comparison at a time.

    Signals:
        changed: Something was set back.
    """

    changed = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, None, parent)
        self._stop = threading.Event()

    def open(self, backup: Backup, whose: str) -> None:
        """Compare a backup; nothing while another one is on show.

        Args:
            backup: Which.
            whose: Name of the world, or of what belongs to the person.
        """
        if self.dialog is not None:
            return
        self._stop = threading.Event()
        self.state = CompareState(backup, whose, self.inklings.clock())
        dialog = CompareDialog(self.context.theme, self.context.window)
        dialog.row_chosen.connect(self._on_row_chosen)
        dialog.side_chosen.connect(self._on_side_chosen)
        dialog.choice_changed.connect(self._on_choice_changed)
        dialog.restore_wanted.connect(self.starts(self.restore))
        self.show_dialog(dialog)
        self.spawn(self._compare(backup.name))

    def ended(self) -> None:
        """Nobody looks any more: what is being compared is of no use."""
        self._stop.set()
        self.state = None

    def may_leave(self) -> bool:
        """Not while something is being set back: that is short, and ends by itself."""
        return self.state is None or not self.state.is_restoring

    async def _compare(self, name: str) -> None:
        progress = Progress(is_cancelled=self._stop.is_set)
        try:
            found = await self.background.read(self.inklings.keeping.compare_backup, name, progress)
        except StoppedError:
            return
        except asyncio.CancelledError:
            self._stop.set()  # the window closes
            raise
        except InklingsError as error:
            if self.state is not None:
                self.change(problem=message_of(error))
            return
        if self.state is not None and self.state.backup.name == name:
            ids = [one.id for one in found.differences]
            ids += [scrub_id(one) for one in found.scrubbed]
            self.change(comparison=found, current=next(iter(ids), ""))

    async def restore(self) -> None:
        """Set back what is chosen, and say what became of it."""
        state = self.state
        if state is None or state.is_restoring or not state.chosen:
            return
        self.change(is_restoring=True)
        try:
            done = await self.background.write(
                self.inklings.keeping.set_back, state.backup.name, state.chosen
            )
        finally:
            if self.state is not None:
                self.change(is_restoring=False)
        self.close()
        self.changed.emit()
        self._tell(done)

    def _tell(self, done: SetBackDone) -> None:
        n = done.n_gone + done.n_returned + done.n_changed
        said = counted(n, "One difference was restored.", "{n} differences were restored.")
        kept = tr("The state before is kept as a backup.")
        if not done.left:
            self.context.tell(f"{said} {kept}")
            return
        left = counted(len(done.left), "1 was left", "{n} were left")
        self.context.say(
            Message(
                said,
                tr(
                    "{left} kept: changed since, or no place to restore it to. {kept} "
                    "Compare again to see what still differs."
                ).format(left=left, kept=kept),
            )
        )

    @Slot(str)
    def _on_row_chosen(self, row_id: str) -> None:
        if self.state is not None and row_id != self.state.current:
            self.change(current=row_id)

    @Slot(str)
    def _on_side_chosen(self, choice: str) -> None:
        if self.state is None:
            return
        self.state = _on_side(self.state, None if choice == ALL else Side(choice))
        self.show(self.state)

    @Slot(str)
    def _on_choice_changed(self, choice: str) -> None:
        state = self.state
        if state is None or state.looked_at is None:
            return
        one = frozenset({state.current})
        self.change(left=state.left | one if choice == LEAVE else state.left - one)


def _on_side(state: CompareState, side: Side | None) -> CompareState:
    """The state with other rows on show, the first of them looked at."""
    shown = replace(state, side=side)
    ids = [one.id for one in shown.shown]
    return replace(shown, current=state.current if state.current in ids else next(iter(ids), ""))
