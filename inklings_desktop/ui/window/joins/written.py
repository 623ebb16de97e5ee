"""Forgets what one client wrote: counts it, asks, and does it in steps that can be stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence

from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.ui.access.words import question, what_follows, why_nothing
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.dialogs.process_dialog import ProgressDialog
from inklings_desktop.ui.kit.look.translation import grouped, tr
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.memory.acts.chosen import chosen_of
from inklings_desktop.ui.memory.acts.road import FORGOTTEN_AT_ONCE
from inklings_desktop.ui.memory.acts.table import MemoryAct

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.memory.acting import Acting
    from inklings_desktop.usecases.memories.values import Written


class ForgettingWritten(QObject):
    """One step of the session's undo for everything that a client wrote."""

    def __init__(self, context: Context, *, acts: Acting, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._acts = context, acts
        self._theme, self._window = context.theme, context.window
        self._is_asking = False

    def ask(self, name: str, workspace_id: str) -> None:
        """Count what a client wrote in a workspace and the account, and ask whether it goes."""
        if not self._is_asking:
            self._is_asking = True
            asking = self._context.background.spawn(self._forget(name, workspace_id))
            self._acts.undo.wait_for(asking)
            held_keys(self._window).until_asked(asking)

    async def _forget(self, name: str, workspace_id: str) -> None:
        try:
            written = await self._context.background.read(
                self._context.inklings.memories.find_written, name, workspace_id
            )
            if not written.free:
                self._context.tell(why_nothing(name, written))
            elif await self._is_sure(name, written):
                await self._carry_out(name, written)
        except InklingsError as error:
            self._context.refuse(error)
        finally:
            self._is_asking = False

    async def _is_sure(self, name: str, written: Written) -> bool:
        return await ask(
            self._window,
            question(name, len(written.free)),
            what_follows(name, written),
            yes=tr("Forget {count}").format(count=grouped(len(written.free))),
            no=tr("Keep them"),
            is_destructive=True,
        )

    async def _carry_out(self, name: str, written: Written) -> None:
        chosen = tuple(chosen_of(self._context.inklings, written.free).values())
        progress = ProgressDialog(
            self._theme,
            tr("Forgetting what {name} wrote").format(name=name),
            len(chosen),
            self._window,
        )
        try:
            is_done = await self._acts.do(
                MemoryAct.FORGET,
                chosen,
                tr("all that {name} wrote").format(name=name),
                progress.goes_on if len(chosen) > FORGOTTEN_AT_ONCE else None,
            )
        finally:
            progress.finish()
        if is_done:
            keys = QKeySequence(QKeySequence.StandardKey.Undo)
            self._context.tell(
                tr("{what}. {keys} takes that back.").format(
                    what=self._acts.undo.stack.undoText(),
                    keys=keys.toString(QKeySequence.SequenceFormat.NativeText),
                )
            )
