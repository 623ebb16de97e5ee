"""What an import writes into one database, inside the transaction that it is handed."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import field, replace
from typing import TYPE_CHECKING, TypeVar

from inklings_desktop.domain.entries.named_entry import EntryAction
from inklings_desktop.domain.entries.proposals import ProposalState
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import (
    ACCOUNT_KEY,
    Curator,
    MemoryAction,
    MemoryEntry,
    ScopeKey,
    Tier,
    change_action,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import DEFAULT_CHANNEL, Channel
from inklings_desktop.domain.transfer.document import (
    GUARDED_FROM,
    MAX_REPLACED_SHARE,
    RESTORED_FILE,
    ChannelRecord,
    ConversationRecord,
    EntryRecord,
    ImportRefusedError,
    MemoryRecord,
    NoteRecord,
    memory_scope,
)
from inklings_desktop.domain.transfer.import_plan import (
    Decision,
    ImportPlan,
    ImportReason,
    ImportRow,
    ImportRun,
    ImportStep,
    RowKind,
    StepKind,
)
from inklings_desktop.domain.transfer.transfer_plan import joined_tags
from inklings_desktop.usecases.steps.caps import note_counts
from inklings_desktop.usecases.transfer.import_rooms import (
    Rooms,
    add_details,
    brought_in,
    restore_details,
    restore_settled,
    room_key,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.entries.named_entry import NamedEntry
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import IdSource
    from inklings_desktop.usecases.ports.transfer import TransferUnit

RecordT = TypeVar("RecordT", ChannelRecord, ConversationRecord, NoteRecord)

ROWS_AT_ONCE = 200


@dataclass(slots=True)
class FileImport:
    """What was written to one database.

    Attributes:
        target_id: Its workspace; None for the account.
        n_added: Memories added.
        n_taken: Mine that the file's took the place of.
        n_entries: Named entries written.
        steps: Each thing that was done.
    """

    target_id: str | None
    n_added: int = 0
    n_taken: int = 0
    n_entries: int = 0
    steps: list[ImportStep] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ImportWriting:
    """One import by one caller, at one instant.

    Attributes:
        caller: The person.
        run_id: Stands in every database that it writes to.
        now: When.
        new_id: For rows whose id is taken.
        cap: Most active memories of a scope key.
        progress: Hears ``write``.
        digest: Of the file.
    """

    caller: Caller
    run_id: str
    now: datetime
    new_id: IdSource
    cap: int
    progress: Progress
    digest: str

    def write(
        self,
        unit: TransferUnit,
        plan: ImportPlan,
        chosen: Mapping[int, Decision],
        first: int,
    ) -> FileImport:
        """What was written; the caller commits.

        Args:
            unit: On the database it goes to.
            plan: Checked against this database.
            chosen: What happens with every row.
            first: Number of the section's first row.

        Raises:
            ImportRefusedError: Too much would be replaced, or a scope has no room for so many.
            StoppedError: The person stopped it.
        """
        section = plan.section
        held = note_counts(unit)
        things: dict[int, object] = dict(
            enumerate((*section.memories, *section.entries), start=first)
        )
        rows = [row for row in plan.rows if chosen[row.number] is not Decision.KEEP]
        memories = [
            (row, record) for row in rows if isinstance(record := things[row.number], MemoryRecord)
        ]
        entries = [
            (row, record) for row in rows if isinstance(record := things[row.number], EntryRecord)
        ]
        written = FileImport(plan.target.id)
        if plan.is_restore:
            self._restore(unit, plan, memories, entries, written)
        else:
            self._refuse_replacing(unit, plan, chosen)
            rooms = Rooms(unit, section, plan.target)
            for start in range(0, len(memories), ROWS_AT_ONCE):
                self._heard(start, len(memories))
                some = memories[start : start + ROWS_AT_ONCE]
                self._add(unit, rooms, [one for one in some if _adds(one[0], chosen)], written)
                for row, record in some:
                    if chosen[row.number] is Decision.TAKE:
                        self._take(unit, row, record, written)
            for row, record in entries:
                self._entry(unit, plan, row, record, written)
        if plan.target.id is not None:
            self._ensure_default_channel(unit)
        self._refuse_overfull(unit, held)
        unit.transfers.put_import(
            ImportRun(self.run_id, self.now, written.n_added + written.n_entries, written.n_taken),
            written.steps,
        )
        self._record(unit, plan, written)
        unit.transfers.reload()
        self.progress.require_wanted()
        return written

    def _restore(
        self,
        unit: TransferUnit,
        plan: ImportPlan,
        memories: Sequence[tuple[ImportRow, MemoryRecord]],
        entries: Sequence[tuple[ImportRow, EntryRecord]],
        written: FileImport,
    ) -> None:
        """Everything as it was: ids, order, curators, times, vectors, history."""
        section, target = plan.section, plan.target.id
        if target is not None:
            unit.transfers.restore_rooms(
                _numbered(section.channels), _numbered(section.conversations)
            )
        records = [_moved(record, target) for _row, record in memories]
        if not _has_order([one.entry.sequence for one in records]):
            records = [
                replace(one, entry=replace(one.entry, sequence=number))
                for number, one in enumerate(records, start=1)
            ]
        records.sort(key=lambda one: one.entry.sequence)
        for start in range(0, len(records), ROWS_AT_ONCE):
            self._heard(start, len(records))
            some = records[start : start + ROWS_AT_ONCE]
            unit.transfers.restore_memories(some)
            restore_details(unit, some)
            for one in some:
                if one.sources:
                    rows = [each.derivation for each in one.sources]
                    bases = {
                        row.base_digest: each.base
                        for row, each in zip(rows, one.sources, strict=True)
                    }
                    bases.pop(b"", None)  # of what means no block
                    unit.world.put_derivations(one.entry.id, rows, bases)
        written.steps += [
            ImportStep(StepKind.ADDED, one.entry.id, one.entry.version) for one in records
        ]
        written.n_added += len(records)
        if target is not None:
            unit.transfers.restore_notes(_numbered(section.notes))
            unit.transfers.restore_messages(section.messages)
            for folder in section.folders:
                unit.world.save_folder(folder)
        restore_settled(unit, section)
        for _row, record in entries:
            unit.transfers.restore_entry(
                replace(record, entry=replace(record.entry, workspace_id=target))
            )
            step = StepKind.ENTRY_RESTORED
            written.steps.append(ImportStep(step, record.entry.id, record.entry.version))
            written.n_entries += 1
        for question in section.golden:
            scope = _scope_moved(question.scope, target)
            unit.golden.add(replace(question, scope=scope))
        for saved in section.filters:
            unit.filters.put(replace(saved, workspace_id=target))
        for proposal in section.proposals:
            key = _scope_moved(proposal.scope, target).key
            _propose(unit, replace(proposal, workspace_id=target, scope_key=key))

    def _add(
        self,
        unit: TransferUnit,
        rooms: Rooms,
        some: Sequence[tuple[ImportRow, MemoryRecord]],
        written: FileImport,
    ) -> None:
        """Rows that come in beside what is here, as imported ones."""
        taken = unit.memories.get_many([record.entry.id for _row, record in some])
        fresh = []
        for _row, record in some:
            entry = brought_in(unit, rooms.section, record.entry, self.new_id)
            scope = rooms.made(unit, *room_key(record), self.new_id, written.steps)
            has_own_id = entry.id not in taken and not rooms.is_copy
            origin = entry.source_conversation
            here = None if origin is None else rooms.find(Tier.CONVERSATION, origin)
            fresh.append(
                MemoryEntry(
                    id=entry.id if has_own_id else self.new_id(),
                    sequence=0,
                    version=1,
                    scope=scope,
                    content=entry.content,
                    lifetime=entry.lifetime,
                    source=entry.source,
                    curator=Curator.IMPORT,
                    importance=entry.importance,
                    tags=entry.tags,
                    created_at=min(entry.created_at, self.now),
                    written_by=entry.written_by,
                    agent_id=entry.agent_id,
                    source_conversation=here,
                    derived_from=entry.derived_from,
                    edited_at=None if entry.edited_at is None else min(entry.edited_at, self.now),
                    imported_at=self.now,
                    imported_curator=entry.curator,
                    paused=entry.paused,
                    run_id=self.run_id,
                    kind=entry.kind,
                    domain_id=entry.domain_id,
                    topic=entry.topic,
                )
            )
        added = unit.memories.add(fresh)
        add_details(unit, added, [record for _row, record in some])
        for stored in added:
            written.steps.append(ImportStep(StepKind.ADDED, stored.id, stored.version))
            written.n_added += 1

    def _take(
        self, unit: TransferUnit, row: ImportRow, record: MemoryRecord, written: FileImport
    ) -> None:
        """The file's in the place of mine; mine stays in its history."""
        if row.mine is None:
            return
        (mine,) = unit.memories.get_many([row.mine.id]).values()
        theirs = record.entry
        tags = joined_tags(mine.tags, theirs.tags)
        is_joined = row.reason is ImportReason.MORE_TAGS
        after = (
            replace(mine, tags=tags, run_id=self.run_id)
            if is_joined
            else replace(
                mine,
                content=theirs.content,
                importance=theirs.importance,
                lifetime=theirs.lifetime,
                tags=theirs.tags,
                source=theirs.source,
                written_by=theirs.written_by,
                curator=Curator.IMPORT,
                imported_at=self.now,
                imported_curator=theirs.curator,
                run_id=self.run_id,
            )
        )
        saved = unit.memories.save(
            after,
            expected_version=row.mine.version,
            action=change_action(mine, after) or MemoryAction.EDITED,
            changed_by=self.caller.name,
            door=self.caller.door.value,
            changed_at=self.now,
        )
        marks = {
            "source": mine.source,
            "curator": mine.curator.value,
            "imported_at": None if mine.imported_at is None else mine.imported_at.isoformat(),
            "imported_curator": mine.imported_curator and mine.imported_curator.value,
            "run_id": mine.run_id,
        }
        before = json.dumps(marks, ensure_ascii=False)
        written.steps.append(ImportStep(StepKind.TAKEN, mine.id, saved.version, before))
        written.n_taken += 1

    def _entry(
        self,
        unit: TransferUnit,
        plan: ImportPlan,
        row: ImportRow,
        record: EntryRecord,
        written: FileImport,
    ) -> None:
        """A named entry that the person asked for; what was there stays as a revision."""
        theirs = record.entry
        mine = _entry_here(unit, row, theirs.name)
        if mine is None:
            id_ = self.new_id()
            stored = unit.entries.add(
                replace(
                    theirs,
                    id=id_,
                    workspace_id=plan.target.id,
                    curator=Curator.IMPORT,
                    edited_at=self.now,
                    version=1,
                ),
                action=EntryAction.CREATED,
                saved_by=self.caller.name,
                door=self.caller.door.value,
            )
            kind = StepKind.ENTRY_ADDED
        else:
            stored = unit.entries.save(
                replace(
                    mine,
                    body=theirs.body,
                    curator=Curator.IMPORT,
                    edited_at=self.now,
                    is_template=False,
                ),
                expected_version=mine.version if row.mine is None else row.mine.version,
                action=EntryAction.SAVED,
                saved_by=self.caller.name,
                door=self.caller.door.value,
                saved_at=self.now,
            )
            kind = StepKind.ENTRY_TAKEN
        written.steps.append(ImportStep(kind, stored.id, stored.version))
        written.n_entries += 1

    def _refuse_replacing(
        self, unit: TransferUnit, plan: ImportPlan, chosen: Mapping[int, Decision]
    ) -> None:
        """An import that leaves next to nothing of what was here is a mistake."""
        n_active = sum(unit.memories.active_counts().values())
        n_taken = sum(
            chosen[row.number] is Decision.TAKE
            and row.kind is RowKind.MEMORY
            and row.reason is not ImportReason.MORE_TAGS
            for row in plan.rows
        )
        if n_active >= GUARDED_FROM and n_taken > MAX_REPLACED_SHARE * n_active:
            raise ImportRefusedError("replaces_most", limit=n_taken)

    def _refuse_overfull(self, unit: TransferUnit, held: Mapping[ScopeKey, int]) -> None:
        """The preview was asked already; whoever wrote since then may have taken the room."""
        for scope, n_notes in note_counts(unit).items():
            if n_notes > max(self.cap, held.get(scope, 0)):
                raise ImportRefusedError("overfull", scope.tier.value, self.cap)

    def _ensure_default_channel(self, unit: TransferUnit) -> None:
        try:
            unit.conversations.get_channel(DEFAULT_CHANNEL)
        except NotFoundError:
            unit.conversations.add_channel(Channel(self.new_id(), DEFAULT_CHANNEL, "", self.now))

    def _record(self, unit: TransferUnit, plan: ImportPlan, written: FileImport) -> None:
        is_account = plan.target.id is None
        kinds = Counter(step.kind for step in written.steps)
        how = {"mode": "import"}
        if plan.is_restore:
            how = {"mode": "restore", RESTORED_FILE: self.digest}
        unit.events.append(
            EventDraft(
                EventKind.IMPORTED,
                self.caller.name,
                self.caller.kind.value,
                self.caller.door.value,
                (Tier.ACCOUNT if is_account else Tier.WORKSPACE).value,
                ACCOUNT_KEY if is_account else plan.target.id,
                (),
                {
                    "added": written.n_added,
                    "taken": written.n_taken,
                    "named_entries": written.n_entries,
                    "channels": kinds[StepKind.CHANNEL],
                    "conversations": kinds[StepKind.CONVERSATION],
                },
                {"run": self.run_id} | how,
            ),
            self.now,
        )

    def _heard(self, done: int, total: int) -> None:
        self.progress.require_wanted()
        self.progress.report("write", done, total)


def _propose(unit: TransferUnit, proposal: Proposal) -> None:
    """Store a proposal with what became of it; every one begins undecided."""
    pending = ProposalState.PENDING
    unit.proposals.add(replace(proposal, state=pending, note="", decided_at=None))
    if proposal.state is not pending:
        unit.proposals.decide(
            proposal.id, proposal.state, note=proposal.note, decided_at=proposal.decided_at
        )


def _has_order(sequences: Sequence[int]) -> bool:
    """Whether these can be the places of rows; a file of other hands may have none."""
    return len(set(sequences)) == len(sequences) and 0 not in sequences


def _numbered(records: Sequence[RecordT]) -> list[RecordT]:
    """The records with the places they had, else in the order of the file."""
    if _has_order([one.sequence for one in records]):
        return list(records)
    return [replace(one, sequence=number) for number, one in enumerate(records, start=1)]


def _adds(row: ImportRow, chosen: Mapping[int, Decision]) -> bool:
    return chosen[row.number] is Decision.BOTH


def _moved(record: MemoryRecord, target_id: str | None) -> MemoryRecord:
    """The record in the workspace it goes to, which may have the file's name and another id."""
    moved = _scope_moved(record.entry.scope, target_id)
    return replace(record, entry=replace(record.entry, scope=moved))


def _scope_moved(scope: ScopeKey, target_id: str | None) -> ScopeKey:
    """The same scope in the workspace that a file goes to."""
    key = scope.key if scope.tier is not Tier.WORKSPACE else ""
    return memory_scope(scope.tier, target_id, key)


def _entry_here(unit: TransferUnit, row: ImportRow, name: str) -> NamedEntry | None:
    """What the file's entry replaces: mine, or the template of a workspace made for it."""
    if row.mine is not None:
        return unit.entries.get(row.mine.id)
    try:
        return unit.entries.find(name)
    except NotFoundError:
        return None
