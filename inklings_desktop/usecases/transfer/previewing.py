"""What importing would do: an export of ours, or files of other programs and of one's own hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Caller, authorize_person
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.document import MAX_FILE_BYTES, ImportRefusedError
from inklings_desktop.domain.transfer.foreign.formats import (
    FOLDER_SUFFIXES,
    NO_WISHES,
    FormatId,
    Wishes,
)
from inklings_desktop.domain.transfer.foreign.found import LeftOut
from inklings_desktop.domain.transfer.foreign.making import Destination, Reading
from inklings_desktop.domain.transfer.import_plan import ImportPreview
from inklings_desktop.domain.transfer.transfer_reading import is_ours, read_document
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.transfer.importing import ROWS_BETWEEN_LOOKS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from inklings_desktop.domain.transfer.document import TransferDocument
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import Clock, IdSource, SettingsSource
    from inklings_desktop.usecases.ports.transfer import ExportFiles
    from inklings_desktop.usecases.transfer.importing import Planner


@dataclass(frozen=True, slots=True)
class PreviewImport:
    """What importing would do; nothing is changed to find out."""

    planner: Planner
    files: ExportFiles
    settings: SettingsSource
    clock: Clock
    new_id: IdSource

    def __call__(
        self,
        caller: Caller,
        *paths: Path,
        into: str | None = None,
        place: ScopeKey | None = None,
        wishes: Wishes = NO_WISHES,
        progress: Progress = UNHEARD,
    ) -> ImportPreview:
        """Every row of the files with what would become of it.

        Args:
            caller: The person.
            paths: The files; a folder stands for those in it that can be read.
            into: Name or id of the workspace that a file of one workspace goes to; None takes
                the one the file names.
            place: Where the memories of a foreign file go; None takes the only workspace.
            wishes: How foreign files are to be read.
            progress: Hears ``read`` and ``compare``.

        Raises:
            ScopeDeniedError: The caller is not the person.
            ImportRefusedError: A file is none that can be read, or is not sound.
            NotFoundError: The workspace or channel that was named is not there.
            StorageError: A file or a database cannot be read.
            StoppedError: The person stopped it.
        """
        authorize_person(caller, Action.READ, Tier.ACCOUNT)
        document = self._document(paths, into, place, wishes, progress)
        if document.foreign is None:
            place = None
            restores = into is None and self.planner.may_restore(document)
        else:  # it was made for the place it goes to
            into, place, restores = None, self._destination(into, place).scope, False
        plans = []
        first = 1
        targets = self.planner.targets(document.sections, into)
        for section, target in zip(document.sections, targets, strict=True):
            if target.is_new:
                plan = self.planner.plan(
                    caller, None, section, target, first=first, restores=restores, progress=progress
                )
            else:
                with self.planner.store.read(target.id) as view:
                    plan = self.planner.plan(
                        caller,
                        view,
                        section,
                        target,
                        first=first,
                        restores=restores,
                        progress=progress,
                    )
            plans.append(plan)
            first += len(section.memories) + len(section.entries)
        return ImportPreview(document, tuple(plans), into, self.settings().cap, place)

    def _document(
        self,
        paths: Sequence[Path],
        into: str | None,
        place: ScopeKey | None,
        wishes: Wishes,
        progress: Progress,
    ) -> TransferDocument:
        found, others = self.files.found(paths, FOLDER_SUFFIXES)

        def on_row(done: int, total: int) -> None:
            if done % ROWS_BETWEEN_LOOKS == 0:
                progress.require_wanted()
                progress.report("read", done, total)

        reading = Reading(lambda n: on_row(n, n), wishes)
        for name in others:
            reading.finds.leave(LeftOut.OTHER_FILE, name)
        left = MAX_FILE_BYTES
        is_ours_wanted = wishes.format is FormatId.INKLINGS
        for file in found:
            progress.require_wanted()
            data = self.files.read(file.path, left)
            left -= len(data)
            if file.is_inside:
                reading.read_inside(file.name, data)
            elif is_ours_wanted or (wishes.format is None and is_ours(data)):
                if len(found) > 1:
                    raise ImportRefusedError("several", file.name)
                return read_document(data, on_row)
            else:
                reading.read(file.name, data)
        destination = self._destination(into, place)
        return reading.document(destination, self.clock(), self.new_id)

    def _destination(self, into: str | None, place: ScopeKey | None) -> Destination:
        """Where the memories of a file that names no place go.

        Raises:
            ImportRefusedError: Nobody said so, and there is not one workspace alone.
            NotFoundError: The workspace or channel is not there.
        """
        directory = self.planner.directory
        if into is not None:
            return Destination(directory.get(into))
        if place is None:
            known = directory.workspaces()
            if len(known) != 1:
                raise ImportRefusedError("nowhere")
            return Destination(known[0])
        if place.workspace_id is None:
            return Destination(None)
        workspace = directory.get(place.workspace_id)
        if place.tier is not Tier.CHANNEL:
            return Destination(workspace)
        with self.planner.store.read(workspace.id) as view:
            return Destination(workspace, view.conversations.get_channel(place.key))
