"""What an import would do with each section of a file, ours or foreign, and the writing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import ConflictError, NotFoundError
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.transfer.document import (
    MAX_FILE_BYTES,
    ImportRefusedError,
    MemoryRecord,
    Section,
)
from inklings_desktop.domain.transfer.foreign.formats import (
    FOLDER_SUFFIXES,
    FormatId,
    Wishes,
)
from inklings_desktop.domain.transfer.foreign.found import LeftOut
from inklings_desktop.domain.transfer.foreign.making import Destination, Reading
from inklings_desktop.domain.transfer.import_plan import (
    Decision,
    ImportPlan,
    ImportPreview,
    ImportRow,
    ImportTarget,
)
from inklings_desktop.domain.transfer.transfer_plan import (
    Here,
    entry_row,
    memory_row,
    restored_entry_row,
    restored_row,
)
from inklings_desktop.domain.transfer.transfer_reading import is_ours, read_document
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.steps.caps import note_counts
from inklings_desktop.usecases.steps.putting import put_away
from inklings_desktop.usecases.transfer.import_rooms import Rooms, room_key, room_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.domain.transfer.document import (
        RefusedMemory,
        StoredVector,
        TransferDocument,
    )
    from inklings_desktop.usecases.parts import Parts
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.transfer import TransferView
    from inklings_desktop.usecases.transfer.import_writing import FileImport, ImportWriting

ROWS_BETWEEN_LOOKS = 200
ROWS_AT_ONCE = 500


class Planner:
    """Says what an import would do, before it and again inside its transactions."""

    def __init__(self, parts: Parts) -> None:
        self._store, self._directory, self._embedder = parts.store, parts.directory, parts.embedder

    def targets(self, sections: Sequence[Section], into: str | None) -> tuple[ImportTarget, ...]:
        """Where each section goes.

        By its id, else by its name; what is neither here becomes a workspace of its own.

        Raises:
            ImportRefusedError: One workspace was named, and the file holds several.
            NotFoundError: The workspace that was named is not there.
        """
        if into is not None and sum(one.workspace is not None for one in sections) > 1:
            raise ImportRefusedError("into")
        return tuple(
            ImportTarget(None) if one.workspace is None else self._target(one.workspace, into)
            for one in sections
        )

    def _target(self, workspace: Workspace, into: str | None) -> ImportTarget:
        known = {one.id for one in self._directory.workspaces()}
        try:
            found = self._directory.get(into or workspace.id)
        except NotFoundError:
            if into is not None:
                raise
            try:
                found = self._directory.get(workspace.name)
            except NotFoundError:
                return ImportTarget(workspace.id, workspace.name, is_new=True)
        is_copy = found.id != workspace.id and workspace.id in known
        return ImportTarget(found.id, found.name, is_copy=is_copy)

    def may_restore(self, document: TransferDocument) -> bool:
        """Whether nothing is under this data root but what a restore of this file, cut off, left.

        Each database is restored whole or not at all, so those that are empty still are restored.
        """
        for file in (None, *(one.id for one in self._directory.workspaces())):
            with self._store.read(file) as view:
                found = view.transfers
                if not (found.is_empty() or found.restored_last() == document.digest):
                    return False
        return True

    def plan(
        self,
        caller: Caller,
        view: TransferView | None,
        section: Section,
        target: ImportTarget,
        *,
        first: int,
        restores: bool,
        progress: Progress = UNHEARD,
    ) -> ImportPlan:
        """What would become of one section.

        Args:
            caller: The person.
            view: On the database it goes to; None while that is still to be made.
            section: Of the file.
            target: Where it goes.
            first: Number of its first row.
            restores: Whether a database that is empty gets everything as it was.
            progress: Hears ``compare``.
        """
        names = room_names(section)
        if restores and (view is None or view.transfers.is_empty()):
            rooms = Rooms(view, section, target)
            rows = [
                restored_row(
                    number, one, names.get(room_key(one), ""), rooms.scope_of(*room_key(one))
                )
                for number, one in enumerate(section.memories, start=first)
            ]
            rows += [
                restored_entry_row(number, one)
                for number, one in enumerate(section.entries, start=first + len(rows))
            ]
            return ImportPlan(section, target, True, tuple(rows))
        model = self._embedder.pinned()
        mark = model.calibration.folded
        alike_above = {} if mark is None else {model.model_id: mark}
        comparing = _Comparing(caller, view, section, target, names, alike_above)
        return ImportPlan(
            section,
            target,
            False,
            tuple(comparing.rows(first, progress)),
            comparing.n_forgotten,
            {} if view is None else note_counts(view),
        )

    def create(self, workspace: Workspace) -> None:
        """Make a workspace that the preview did not find.

        Raises:
            ImportRefusedError: Another import made it meanwhile.
        """
        try:
            self._directory.create(workspace)
        except ConflictError as error:
            if error.key != workspace.id:
                raise
            raise ImportRefusedError("changed") from error

    def written(
        self,
        plan: ImportPlan,
        preview: ImportPreview,
        chosen: Mapping[int, Decision],
        writing: ImportWriting,
    ) -> FileImport:
        """Write one section into its database, if that still is what the preview saw."""
        first = _first_number(preview, plan)
        with self._store.write(plan.target.id, initiator=writing.caller.name) as unit:
            was_empty = plan.is_restore or plan.target.is_new
            if was_empty and not unit.transfers.is_empty():
                raise ImportRefusedError("changed")
            # A new workspace was planned for while nothing of it was there; now its template is.
            current = self.plan(
                writing.caller,
                None if plan.target.is_new else unit,
                plan.section,
                plan.target,
                first=first,
                restores=plan.is_restore,
            )
            if current.marks != plan.marks:
                raise ImportRefusedError("changed")
            written = writing.write(unit, plan, chosen, first)
            unit.commit()
        return written


class _Comparing:
    """One section beside the database it goes to."""

    def __init__(
        self,
        caller: Caller,
        view: TransferView | None,
        section: Section,
        target: ImportTarget,
        names: Mapping[tuple[Tier, str], str],
        alike_above: Mapping[str, float],
    ) -> None:
        self._caller = caller
        self._alike_above = alike_above
        self._gone: dict[ScopeKey, Mapping[str, MemoryEntry]] = {}
        self._view = view
        self._section = section
        self._target = target
        self._names = names
        self._here: dict[ScopeKey, Here] = {}
        self.n_forgotten = 0

    def rows(self, first: int, progress: Progress) -> list[ImportRow]:
        memories = self._section.memories
        rooms = Rooms(self._view, self._section, self._target)
        by_id = self._by_id()
        found = []
        for number, record in enumerate(memories, start=first):
            done = number - first
            if done % ROWS_BETWEEN_LOOKS == 0:
                progress.require_wanted()
                progress.report("compare", done, len(memories))
                self._compare(memories[done : done + ROWS_BETWEEN_LOOKS], rooms)
            if isinstance(record, MemoryRecord) and record.entry.is_forgotten:
                self.n_forgotten += 1
                continue
            place = self._names.get(room_key(record), "")
            target = rooms.scope_of(*room_key(record))
            here = self._standing_in(target)
            gone = self._gone.get(target, {})
            found.append(memory_row(number, record, place, target, by_id, here, gone=gone))
        for number, entry in enumerate(self._section.entries, start=first + len(memories)):
            # A template that was shipped says nothing of anybody's.
            if not (entry.entry.is_deleted or entry.entry.is_template):
                found.append(entry_row(number, entry, self._entry_called(entry.entry.name)))
        return found

    def _compare(self, some: Sequence[MemoryRecord | RefusedMemory], rooms: Rooms) -> None:
        """Compare some rows with what is, and what the person forgot, where each would go."""
        vectors: dict[ScopeKey, list[StoredVector]] = {}
        texts: dict[ScopeKey, list[str]] = {}
        for record in some:
            if isinstance(record, MemoryRecord):
                scope = rooms.scope_of(*room_key(record))
                texts.setdefault(scope, []).append(record.entry.content)
                if record.vector is not None:
                    vectors.setdefault(scope, []).append(record.vector)
        if self._view is not None:
            for scope, said in texts.items():
                self._gone[scope] = put_away(self._view, self._caller, scope, said)
        for scope, found in vectors.items():
            self._standing_in(scope).compare(found)

    def _by_id(self) -> dict[str, MemoryEntry]:
        if self._view is None:
            return {}
        ids = [one.entry.id for one in self._section.memories if isinstance(one, MemoryRecord)]
        found: dict[str, MemoryEntry] = {}
        for start in range(0, len(ids), ROWS_AT_ONCE):
            found |= self._view.memories.get_many(ids[start : start + ROWS_AT_ONCE])
        return found

    def _standing_in(self, scope: ScopeKey) -> Here:
        known = self._here.get(scope)
        if known is None:
            records: list[MemoryRecord] = []
            after = 0
            while self._view is not None:
                some = self._view.transfers.memories(
                    scopes=[scope], ids=None, forgotten=False, after=after, limit=ROWS_AT_ONCE
                )
                if not some:
                    break
                records += some
                after = some[-1].entry.sequence
            known = self._here[scope] = Here(records, self._alike_above)
        return known

    def _entry_called(self, name: str) -> NamedEntry | None:
        if self._view is None:
            return None
        try:
            return self._view.entries.find(name)
        except NotFoundError:
            return None


def _first_number(preview: ImportPreview, plan: ImportPlan) -> int:
    first = 1
    for one in preview.plans:
        if one is plan:
            break
        first += len(one.section.memories) + len(one.section.entries)
    return first


def document_of(
    parts: Parts,
    paths: Sequence[Path],
    into: str | None,
    place: ScopeKey | None,
    wishes: Wishes,
    progress: Progress,
) -> TransferDocument:
    """What stands in the files, as one document."""
    files = parts.adapters().export_files
    found, others = files.found(paths, FOLDER_SUFFIXES)

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
        data = files.read(file.path, left)
        left -= len(data)
        if file.is_inside:
            reading.read_inside(file.name, data)
        elif is_ours_wanted or (wishes.format is None and is_ours(data)):
            if len(found) > 1:
                raise ImportRefusedError("several", file.name)
            return read_document(data, on_row)
        else:
            reading.read(file.name, data)
    destination = destination_of(parts, into, place)
    return reading.document(destination, parts.clock(), parts.new_id)


def destination_of(parts: Parts, into: str | None, place: ScopeKey | None) -> Destination:
    """Where the memories of a file that names no place go.

    Raises:
        ImportRefusedError: Nobody said so, and there is not one workspace alone.
        NotFoundError: The workspace or channel is not there.
    """
    directory = parts.directory
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
    with parts.store.read(workspace.id) as view:
        return Destination(workspace, view.conversations.get_channel(place.key))
