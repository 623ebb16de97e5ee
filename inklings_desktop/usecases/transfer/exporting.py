"""Export: a tier, a selection, a workspace or everything, into one file of the person's own."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.entries.proposals import ProposalState
from inklings_desktop.domain.errors import (
    InvalidValueError,
)
from inklings_desktop.domain.knowledge.facts import (
    AGENTS_CONFIDENCE,
    FactDetails,
    PolicyDetails,
)
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import ACCOUNT_KEY, MemoryKind, MemoryRef, ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.document import (
    MAX_FILE_BYTES,
    EntryRecord,
    ExportNote,
    GrantRecord,
    MemoryRecord,
    SourceRecord,
)
from inklings_desktop.domain.transfer.transfer_skills import skill_row
from inklings_desktop.domain.transfer.transfer_writing import (
    activity_row,
    channel_row,
    conversation_row,
    domain_row,
    entry_row,
    filter_row,
    folder_row,
    golden_row,
    grant_row,
    head_document,
    kept_row,
    memory_row,
    message_row,
    note_row,
    proposal_row,
    role_row,
    workspace_head,
)
from inklings_desktop.domain.world.derivations import DerivationKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.rooms.messages import Message
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import WorkspaceDirectory
    from inklings_desktop.usecases.ports.transfer import (
        TransferStore,
        TransferView,
    )

ROWS_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What goes into a file, and how much of it.

    Attributes:
        scopes: Scope keys whose memories go; named entries and notes of their tiers go with them.
        refs: Single memories instead; nothing goes with them but the rooms they belong to.
        workspaces: Whole workspaces by id; None among them is the account. With neither of the
            three, everything goes.
        with_vectors: Whether vectors go; without them a restore has to compute them again.
        with_forgotten: Whether forgotten memories and deleted companions go.
        with_history: Whether earlier states go.
        with_talk: Whether what was said in conversations goes.
    """

    scopes: tuple[ScopeKey, ...] = ()
    refs: tuple[MemoryRef, ...] = ()
    workspaces: tuple[str | None, ...] = ()
    with_vectors: bool = True
    with_forgotten: bool = True
    with_history: bool = True
    with_talk: bool = True

    def __post_init__(self) -> None:
        """Refuse a request of two kinds.

        Raises:
            InvalidValueError: Scopes, single memories and whole workspaces are mixed.
        """
        if sum(map(bool, (self.scopes, self.refs, self.workspaces))) > 1:
            raise InvalidValueError("export", "one_kind")

    @property
    def label(self) -> str:
        """How far it reaches, for the list of exports."""
        if self.refs:
            return "selection"
        if not self.scopes:
            return "all"
        first = self.scopes[0]
        alone = len(self.scopes) == 1 and first.tier in {Tier.CHANNEL, Tier.CONVERSATION}
        return f"{first.tier.value}/{first.key}" if alone else first.tier.value


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written.

    Attributes:
        path: The file.
        n_bytes: Its size.
        n_memories: Memories in it.
        n_named_entries: Named entries in it.
        n_workspaces: Workspaces in it.
        is_noted: Whether the store remembers it; not on a disk that takes no write.
        n_unreadable: Memories of them that cannot be read; U+FFFD stands for what is no text.
    """

    path: Path
    n_bytes: int
    n_memories: int
    n_named_entries: int
    n_workspaces: int
    is_noted: bool
    n_unreadable: int = 0

    @property
    def comes_back(self) -> bool:
        """Whether this program would read the file again: it reads none above a size."""
        return self.n_bytes <= MAX_FILE_BYTES


@dataclass(frozen=True, slots=True)
class Part:
    """What goes of one database; None for scopes and ids takes everything."""

    workspace_id: str | None
    scopes: tuple[ScopeKey, ...] | None = None
    ids: tuple[str, ...] | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all of the database goes."""
        return self.scopes is None and self.ids is None

    def has_tier(self, *tiers: Tier) -> bool:
        """Whether what belongs to one of these tiers beside memories goes as well."""
        return self.is_whole or any(one.tier in tiers for one in self.scopes or ())


def parts_of(request: ExportRequest, directory: WorkspaceDirectory) -> tuple[Part, ...]:
    """What goes of each database."""
    if request.scopes:
        files = dict.fromkeys(one.workspace_id for one in request.scopes)
        return tuple(
            Part(file, tuple(one for one in request.scopes if one.workspace_id == file))
            for file in files
        )
    if request.refs:
        files = dict.fromkeys(one.scope.workspace_id for one in request.refs)
        return tuple(
            Part(file, ids=tuple(one.id for one in request.refs if one.scope.workspace_id == file))
            for file in files
        )
    if request.workspaces:
        return tuple(map(Part, dict.fromkeys(request.workspaces)))
    return (Part(None), *(Part(one.id) for one in directory.workspaces()))


def note_export(
    store: TransferStore,
    caller: Caller,
    label: str,
    path: Path,
    now: datetime,
    writing: Writing,
) -> None:
    """Keep in every database what was written of it."""
    for workspace_id, n_memories in writing.n_memories.items():
        is_account = workspace_id is None
        with store.write(workspace_id, initiator=caller.name) as unit:
            unit.transfers.note_export(ExportNote(str(path.absolute()), now, label, n_memories))
            draft = EventDraft(
                EventKind.EXPORTED,
                caller.name,
                caller.kind.value,
                caller.door.value,
                (Tier.ACCOUNT if is_account else Tier.WORKSPACE).value,
                ACCOUNT_KEY if is_account else workspace_id,
                (),
                {"memories": n_memories},
            )
            unit.events.append(draft, now)
            unit.commit()


class Writing:
    """Makes the text of one file, a row at a time."""

    def __init__(
        self,
        asked: Asked,
        request: ExportRequest,
        parts: Sequence[Part],
        now: datetime,
        progress: Progress,
    ) -> None:
        self._own = asked
        self._request = request
        self._parts = parts
        self._now = now
        self._progress = progress
        self._n_done = self._n_total = 0
        self.n_memories: dict[str | None, int] = {}
        self.n_entries = self.n_unreadable = 0

    def text(self) -> Iterator[str]:
        """The file, in pieces; one row is one line, so that two exports can be compared."""
        for part in self._parts:
            with self._own.store.read(part.workspace_id) as view:
                self._n_total += view.transfers.n_memories(
                    scopes=part.scopes, ids=part.ids, forgotten=self._request.with_forgotten
                )
        decay = self._own.parts.settings().decay
        head = head_document(self._now, self._own.adapters.version, decay)
        yield _json(head)[:-1]
        account = next((one for one in self._parts if one.workspace_id is None), None)
        yield ',\n"account": '
        if account is None:
            yield "null"
        else:
            yield "{"
            yield from self._section(account)
            yield "}"
        yield ',\n"workspaces": ['
        lead = "\n"
        for part in self._parts:
            if part.workspace_id is not None:
                workspace = self._own.parts.directory.get(part.workspace_id)
                yield f"{lead}{_json(workspace_head(workspace))[:-1]},\n"
                yield from self._section(part)
                yield "}"
                lead = ",\n"
        yield "]}\n"

    def _section(self, part: Part) -> Iterator[str]:
        with self._own.store.read(part.workspace_id) as view:
            talks: set[str] = set()
            rooms: set[str] = set()
            of: set[str] = set()
            yield '"memories": ['
            yield from self._memories(view, part, rooms, talks, of)
            yield "]"
            conversations = [
                one
                for one in view.transfers.conversations()
                if part.is_whole or one.conversation.id in talks
            ]
            rooms |= {one.conversation.channel_id for one in conversations}
            channels = [
                one for one in view.transfers.channels() if part.is_whole or one.channel.id in rooms
            ]
            notes = [
                one
                for one in view.transfers.notes()
                if part.has_tier(Tier.CONVERSATION)
                and (part.is_whole or one.note.conversation_id in talks)
            ]
            entries = (
                view.transfers.entries() if part.has_tier(Tier.ACCOUNT, Tier.WORKSPACE) else ()
            )
            kept = [
                one for one in entries if self._request.with_forgotten or not one.entry.is_deleted
            ]
            self.n_entries += len(kept)
            if part.workspace_id is not None:
                yield from _rows("channels", map(channel_row, channels))
                yield from _rows("conversations", map(conversation_row, conversations))
                yield from _rows("notes", map(note_row, notes))
                yield from _rows("messages", map(message_row, self._said(view, part)))
                if part.is_whole and (folders := view.world.folders()):
                    yield from _rows("world_folders", map(folder_row, folders))
                yield from _settled(view, of, is_whole=part.is_whole)
            yield from _rows("named_entries", (entry_row(self._kept(one)) for one in kept))
            if part.is_whole:
                here = {one.channel.id for one in channels}
                yield from _beside(view, here | {one.conversation.id for one in conversations})

    def _memories(
        self, view: TransferView, part: Part, rooms: set[str], talks: set[str], of: set[str]
    ) -> Iterator[str]:
        for scope in part.scopes or ():
            if scope.tier is Tier.CHANNEL:
                rooms.add(scope.key)
            elif scope.tier is Tier.CONVERSATION:
                talks.add(scope.key)
        n_memories = after = 0
        lead = "\n"
        while True:
            self._progress.require_wanted()
            self._progress.report("write", self._n_done, self._n_total)
            some = view.transfers.memories(
                scopes=part.scopes,
                ids=part.ids,
                forgotten=self._request.with_forgotten,
                after=after,
                limit=ROWS_AT_ONCE,
            )
            if not some:
                break
            histories = (
                view.transfers.histories([one.entry.id for one in some])
                if self._request.with_history
                else {}
            )
            has_pages = part.is_whole and part.workspace_id is not None
            sources = _sources(view, [one.entry.id for one in some]) if has_pages else {}
            ids = [one.entry.id for one in some if one.entry.kind is not MemoryKind.NOTE]
            details: dict[str, FactDetails | PolicyDetails] = {
                **view.knowledge.facts_of(ids),
                **view.knowledge.policies_of(ids),
            }
            for record in some:
                entry = record.entry
                if entry.domain_id is not None:
                    of.add(entry.domain_id)
                whole = MemoryRecord(
                    entry,
                    record.vector if self._request.with_vectors else None,
                    histories.get(entry.id, ()),
                    sources=sources.get(entry.id, ()),
                    details=details.get(entry.id, _LOST.get(entry.kind)),
                )
                if entry.source_conversation is not None:
                    talks.add(entry.source_conversation)
                if entry.scope.tier is Tier.CHANNEL:
                    rooms.add(entry.scope.key)
                elif entry.scope.tier is Tier.CONVERSATION:
                    talks.add(entry.scope.key)
                yield f"{lead}{_json(memory_row(whole))}"
                lead = ",\n"
            after = some[-1].entry.sequence
            n_memories += len(some)
            self.n_unreadable += sum(one.entry.is_unreadable for one in some)
            self._n_done += len(some)
        self.n_memories[part.workspace_id] = n_memories

    def _said(self, view: TransferView, part: Part) -> tuple[Message, ...]:
        """What was said goes with a whole workspace: a restore alone takes it in."""
        return view.transfers.messages() if part.is_whole and self._request.with_talk else ()

    def _kept(self, record: EntryRecord) -> EntryRecord:
        """The entry as it goes out; without history its body is its only revision."""
        if self._request.with_history:
            return record
        last = replace(record.revisions[-1], number=1)
        return EntryRecord(replace(record.entry, version=1), (last,))


_LOST: Mapping[MemoryKind, FactDetails | PolicyDetails] = {
    MemoryKind.FACT: FactDetails(AGENTS_CONFIDENCE),
    MemoryKind.POLICY: PolicyDetails(),
}
"""What a fact or rule is said to have whose own row was lost to damage."""


def _settled(view: TransferView, domain_ids: Collection[str], *, is_whole: bool) -> Iterator[str]:
    """The domains of some facts and rules; of a whole workspace all of them, roles and the rest."""
    known = view.knowledge
    domains = [one for one in known.domains() if is_whole or one.id in domain_ids]
    if domains:
        yield from _rows("domains", map(domain_row, domains))
    if not is_whole:
        return
    grants = (GrantRecord(*place, given) for place, given in sorted(known.grants().items()))
    own = (one for one in known.roles() if one.created_at is not None)
    for name, rows in (
        ("roles", [*map(role_row, own)]),
        ("role_grants", [*map(grant_row, grants)]),
        ("working_memories", [*map(kept_row, known.working_memories())]),
        ("activities", [*map(activity_row, view.activities.all())]),
    ):
        if rows:
            yield from _rows(name, iter(rows))


def _sources(view: TransferView, ids: Collection[str]) -> Mapping[str, tuple[SourceRecord, ...]]:
    """What some memories of one database come from in the author's pages."""
    found: defaultdict[str, tuple[SourceRecord, ...]] = defaultdict(tuple)
    for one in view.world.derivations_of(ids):
        base = view.world.base(one.base_digest)
        if base or one.kind is not DerivationKind.BLOCK:  # damage took its text
            found[one.memory_id] += (SourceRecord(one, base),)
    return found


def _beside(view: TransferView, rooms: Collection[str]) -> Iterator[str]:
    """What its author keeps beside the memories of one database.

    What belongs to a room that is gone would make the file one that points to nothing.
    """

    def stands(tier: Tier, key: str | None) -> bool:
        return tier not in {Tier.CHANNEL, Tier.CONVERSATION} or key is None or key in rooms

    golden = [one for one in view.golden.questions() if stands(one.scope.tier, one.scope.key)]
    filters = [one for one in view.filters.all() if one.is_readable and stands(one.tier, one.room)]
    proposals = [
        one
        for one in reversed(view.proposals.proposals(states=set(ProposalState)))
        if stands(one.tier, one.scope_key)
    ]
    yield from _rows("golden_questions", map(golden_row, golden))
    yield from _rows("saved_filters", map(filter_row, filters))
    yield from _rows("proposals", map(proposal_row, proposals))
    if skills := view.skills.every():
        yield from _rows("skills", map(skill_row, skills))


def _rows(name: str, rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    yield f',\n"{name}": ['
    lead = "\n"
    for row in rows:
        yield f"{lead}{_json(row)}"
        lead = ",\n"
    yield "]"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
