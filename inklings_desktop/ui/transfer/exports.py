"""Writes exports: asks what goes into the file and where it goes, and says what was done."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inklings_desktop.domain.memory import MemoryRef, ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import ChosenScope
from inklings_desktop.domain.transfer.document import FILE_SUFFIX
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.ui.kit.dialogs.ask import answered, begin_asking
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.ops.file_manager import show_in_folder
from inklings_desktop.ui.kit.words.import_refusals import return_sentences
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.ui.transfer.export_choices import about_selection, about_tier, about_workspace
from inklings_desktop.ui.transfer.export_dialog import ExportDialog, asked_export_path
from inklings_desktop.usecases.transfer.exporting import ExportRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from pathlib import Path
    from typing import Any

    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.ui.kit.dialogs.process_dialog import PaperDialog
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.transfer.export_choices import ExportQuestion
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.transfer.exporting import Exported

PATIENCE_SECONDS = 0.4
"""How long a file is read or written before that is said."""


class Exports(QObject):
    """Opens the export question and the file dialog, one at a time.

    Attributes:
        is_busy: Whether something is asked for or a file is looked at.
        last_path: The file that was written last; None before one was.

    Signals:
        written: What was written, in words; ``last_path`` is where.
    """

    written = Signal(str)

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._background, self._inklings = context.background, context.inklings
        self.is_busy = False
        self.last_path: Path | None = None

    # -- asking ---------------------------------------------------------------------------

    def ask(self) -> None:
        """Ask what to export and where to, then write it."""
        self.begin(lambda here: self._ask(here, about_workspace(here)))

    def ask_tier(self, tier: Tier) -> None:
        """Ask as what and where to, then write one tier of the open workspace."""
        self.begin(partial(self._ask_tier, tier))

    def ask_memories(self, refs: tuple[MemoryRef, ...]) -> None:
        """Ask as what and where to, then write these memories alone."""
        if refs:
            self.begin(lambda here: self._ask(here, about_selection(here, refs)))

    def begin(self, action: Callable[[Workspace], Coroutine[Any, Any, object]]) -> None:
        """Start what asks something about the open workspace, unless something is asked."""
        here = self._context.here()
        if here is not None and not self.is_busy:
            begin_asking(self._background, action(here.workspace), self._context.window)

    @contextmanager
    def busy(self) -> Iterator[None]:
        """While something is asked, nothing else is."""
        self.is_busy = True
        try:
            yield
        finally:
            self.is_busy = False

    async def asked_path(
        self, name: str, suffix: str, over: PaperDialog | None = None
    ) -> Path | None:
        """Where to, or None when the person changed their mind."""
        window = over or self._context.window
        return await asked_export_path(self._background, window, name, suffix)

    async def _ask(self, here: Workspace, question: ExportQuestion) -> None:
        with self.busy():
            dialog = ExportDialog(self._context.theme, question, self._context.window)
            if not await answered(dialog, leads_on=True):
                return
            choice, with_vectors = dialog.choice, dialog.vectors.isChecked()
            path = await self.asked_path(choice.file_name, choice.suffix)
            if path is None:
                return
            if choice.is_markdown:
                await self._write_page(here, choice.request, path)
            else:
                await self.write(replace(choice.request, with_vectors=with_vectors), path)

    async def _ask_tier(self, tier: Tier, here: Workspace) -> None:
        scopes = await self._background.read(_scopes_of_tier, self._inklings, here.id, tier)
        if not scopes:
            self._context.tell(tr("There is nothing in this tier to export"))
        elif not self.is_busy:
            await self._ask(here, about_tier(here, tier, scopes))

    # -- writing --------------------------------------------------------------------------

    async def write(self, request: ExportRequest, path: Path) -> None:
        """Write a file and say so.

        Raises:
            InklingsError: It could not be written.
        """
        done = await self._written(request, path)
        what = counted(done.n_memories, "1 memory", "{n} memories")
        said = tr("Exported {what} to {name}").format(what=what, name=path.name)
        if request.workspaces:  # the rail counts those of the account as well
            said = f"{said}. {tr('Memories of your account are not in it.')}"
        self._note(path, said)

    async def save_copy(self, scope: ScopeKey, over: PaperDialog) -> Exported | None:
        """Ask where a copy of one scope goes and write it; None when the person left that.

        Args:
            scope: What goes into it, forgotten memories and history included.
            over: The dialog that it is asked from.

        Raises:
            InklingsError: It could not be written.
        """
        here = self._context.here()
        if here is None:
            return None
        name = f"{here.workspace.name} {on_the_wall(self._inklings.clock()):%Y-%m-%d}"
        path = await self.asked_path(name, FILE_SUFFIX, over)
        asked = ExportRequest(scopes=(scope,))
        if isinstance(scope, ChosenScope):
            asked = ExportRequest(refs=tuple(MemoryRef(scope, one) for one in scope.ids))
        return None if path is None else await self._written(asked, path)

    async def _written(self, request: ExportRequest, path: Path) -> Exported:
        """Write a file, and say so if that takes long or it cannot come back."""
        writing = asyncio.ensure_future(
            self._background.write(self._inklings.transfer.export, request, path)
        )
        await asyncio.wait({writing}, timeout=PATIENCE_SECONDS)
        if not writing.done():
            self._context.tell(tr("Writing {name}\u2026").format(name=path.name))
        done: Exported = await writing
        if not done.comes_back:
            self._context.say(Message(*return_sentences()))
        return done

    async def _write_page(self, here: Workspace, request: ExportRequest, path: Path) -> None:
        await self._background.write(
            self._inklings.transfer.export_markdown,
            here.id,
            path,
            scopes=request.scopes,
            refs=request.refs,
        )
        self._note(path, tr("Wrote {name}").format(name=path.name))

    def _note(self, path: Path, sentence: str) -> None:
        self.last_path = path
        self.written.emit(sentence)

    def show_last(self) -> None:
        """Show the file that was written last where it lies."""
        if self.last_path is None:
            self._context.tell(tr("Nothing was exported since Inklings was opened"))
        elif not show_in_folder(self.last_path):
            self._context.say(
                Message(
                    tr("The folder could not be shown"),
                    tr("No file manager answered. The details say where the file is."),
                    details=((tr("File"), str(self.last_path)),),
                )
            )


def _scopes_of_tier(inklings: Inklings, workspace_id: str, tier: Tier) -> tuple[ScopeKey, ...]:
    """Every scope key of a tier, archived ones included."""
    match tier:
        case Tier.ACCOUNT:
            return (ScopeKey.account(),)
        case Tier.WORKSPACE:
            return (ScopeKey.workspace(workspace_id),)
        case Tier.CHANNEL:
            channels = inklings.places.channels(workspace_id, include_archived=True)
            return tuple(ScopeKey.channel(workspace_id, one.id) for one in channels)
        case Tier.CONVERSATION:
            talks = inklings.places.conversations(workspace_id, channel=None, include_archived=True)
            return tuple(ScopeKey.conversation(workspace_id, one.id) for one in talks)
