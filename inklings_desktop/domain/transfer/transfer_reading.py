"""An export file as a document, checked field by field, named entries too; nothing is believed.

A field of the wrong type, an id that is none, a row of a room that is not in the file: the whole
file is refused. A value that only breaks a rule of its own row (no text, importance above 1)
refuses that row alone, and the preview says why.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.entries.named_entry import (
    BUILT_IN_NAMES,
    BUILT_IN_OF_TIER,
    EntryAction,
    EntryRevision,
    NamedEntry,
    checked_body,
    checked_entry_name,
)
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.likeness.look_alikes import looks_like
from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memory import Curator, Tier
from inklings_desktop.domain.rooms.conversation import (
    BASE62,
    REF_CODE_LENGTH,
    Channel,
    Conversation,
    ConversationState,
    WorkingNote,
    checked_name,
    checked_note_key,
    checked_title,
    name_key,
    note_json,
    parse_note_value,
)
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.domain.transfer.document import (
    FORMAT,
    SCHEMA_VERSION,
    ChannelRecord,
    ConversationRecord,
    EntryRecord,
    ImportRefusedError,
    MemoryRecord,
    NoteRecord,
    Section,
    TransferDocument,
)
from inklings_desktop.domain.transfer.transfer_beside import Beside, message_of
from inklings_desktop.domain.transfer.transfer_fields import MAX_UNKNOWN, Fields
from inklings_desktop.domain.transfer.transfer_knowledge import (
    activity_of,
    domain_of,
    grant_of,
    kept_of,
    role_of,
)
from inklings_desktop.domain.transfer.transfer_memories import memory_of
from inklings_desktop.domain.transfer.transfer_skills import skill_of
from inklings_desktop.domain.transfer.transfer_text import BOM, read_skeleton
from inklings_desktop.domain.transfer.transfer_world import folder_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from inklings_desktop.domain.rooms.messages import Message
    from inklings_desktop.domain.world.pages import WorldFolder


def entry_of(fields: Fields, workspace_id: str | None, unknown: set[str]) -> EntryRecord:
    """The named entry of a row.

    Raises:
        ImportRefusedError: It is not what this program writes.
    """
    tier = Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
    name = _name(fields, tier)
    is_built_in = name == BUILT_IN_OF_TIER[tier]
    if fields.flag("is_built_in") != is_built_in:
        raise fields.wrong("is_built_in", "foreign")
    deleted_at = fields.time_or_none("deleted_at")
    is_template = fields.flag("is_template")
    if (is_built_in and deleted_at is not None) or (is_template and not is_built_in):
        raise fields.wrong("deleted_at" if is_built_in else "is_template", "foreign")
    entry = NamedEntry(
        id=fields.id(),
        tier=tier,
        workspace_id=workspace_id,
        name=name,
        body=fields.checked("body", checked_body),
        curator=_curator(fields),
        is_built_in=is_built_in,
        version=fields.count("version", least=1),
        created_at=fields.time("created_at"),
        edited_at=fields.time_or_none("edited_at"),
        deleted_at=deleted_at,
        is_template=is_template,
    )
    revisions = tuple(_revision(one, entry.id, unknown) for one in fields.objects("revisions"))
    numbers = [one.number for one in revisions]
    # Counted by the revisions that are there: the version is a figure that anybody may have typed.
    is_whole = numbers == list(range(1, len(numbers) + 1)) and len(numbers) == entry.version
    if not is_whole or revisions[-1].body != entry.body:
        raise fields.wrong("revisions", "order")
    unknown |= fields.unknown("named_entry")
    return EntryRecord(entry, revisions)


def _revision(fields: Fields, entry_id: str, unknown: set[str]) -> EntryRevision:
    revision = EntryRevision(
        entry_id,
        fields.count("number", least=1),
        fields.checked("body", checked_body),
        fields.time("saved_at"),
        fields.text("saved_by", limit=200),
        fields.text("door", limit=20),
        _curator(fields),
        fields.word("action", EntryAction),
    )
    unknown |= fields.unknown("revision")
    return revision


def _name(fields: Fields, tier: Tier) -> str:
    told = fields.text("name")
    if told not in BUILT_IN_NAMES and any(looks_like(told, one) for one in BUILT_IN_NAMES):
        raise fields.wrong("name", "look_alike")
    try:
        name = checked_entry_name(told)
    except InvalidValueError:
        raise fields.wrong("name", "characters") from None
    if name in BUILT_IN_NAMES and name != BUILT_IN_OF_TIER[tier]:
        raise fields.wrong("name", "foreign")
    return name


def _curator(fields: Fields) -> Curator:
    curator = fields.word("curator", Curator)
    if curator is Curator.AGENT:
        raise fields.wrong("curator", "foreign")
    return curator


MAX_WORKSPACES = 1_000
MAX_DESCRIPTION = 1_000
MORE = "…"
_OURS = f'"{FORMAT}"'.encode()
_ROW_LISTS = (
    *("memories", "channels", "conversations", "notes", "named_entries"),
    *("messages", "golden_questions", "saved_filters", "proposals", "world_folders"),
    *("domains", "roles", "role_grants", "working_memories", "activities", "skills"),
)


def is_ours(data: bytes) -> bool:
    """Whether a file says that it is an export of ours; it may still be an unsound one."""
    return data.removeprefix(BOM).lstrip()[:1] == b"{" and _OURS in data


def read_document(
    data: bytes, on_row: Callable[[int, int], None] = lambda _done, _total: None
) -> TransferDocument:
    """The document of an export file.

    Args:
        data: The bytes of the file.
        on_row: Hears how many rows of how many are read; may raise to stop.

    Raises:
        ImportRefusedError: It is none, is newer than this program, or is not sound.
    """
    top = Fields(read_skeleton(data), "")
    if top.raw("format") != FORMAT:
        raise ImportRefusedError("not_ours")
    version = top.count("schema_version", least=1)
    if version > SCHEMA_VERSION:
        raise ImportRefusedError("newer", "schema_version", version)
    reading = _Reading(on_row)
    account = top.object_or_none("account")
    found = top.objects("workspaces")
    if len(found) > MAX_WORKSPACES:
        raise top.wrong("workspaces", "too_many")
    parts = [*([] if account is None else [account]), *found]
    reading.n_rows = sum(len(part.rows(name)) for part in parts for name in _ROW_LISTS)
    sections = [] if account is None else [reading.section(account, None)]
    sections += [reading.section(one, reading.workspace(one)) for one in found]
    _refuse_repeats(one.workspace.id for one in sections if one.workspace is not None)
    _refuse_repeats(name_key(one.workspace.name) for one in sections if one.workspace is not None)
    _refuse_repeats(
        one.entry.id
        for section in sections
        for one in section.memories
        if isinstance(one, MemoryRecord)
    )
    exported_at, app_version = top.time("exported_at"), top.text("app_version", "", limit=60)
    decay = reading.decay(top)
    names = sorted(reading.unknown | top.unknown("file"))
    if len(names) > MAX_UNKNOWN:
        names[MAX_UNKNOWN:] = [MORE]
    digest = hashlib.sha256(data).hexdigest()
    return TransferDocument(
        version, exported_at, app_version, decay, tuple(sections), tuple(names), digest
    )


class _Reading:
    """Reads one file: the unknown fields met so far, and how far it has come."""

    def __init__(self, on_row: Callable[[int, int], None]) -> None:
        self.unknown: set[str] = set()
        self.n_rows = 0
        self._n_done = 0
        self._on_row = on_row

    def workspace(self, part: Fields) -> Workspace:
        """Whose section it is."""
        name = part.checked("name", checked_name)
        return Workspace(part.id(), name, part.time("created_at"))

    def section(self, part: Fields, workspace: Workspace | None) -> Section:
        """One database's worth of rows."""
        workspace_id = None if workspace is None else workspace.id
        channels: tuple[ChannelRecord, ...] = ()
        conversations: tuple[ConversationRecord, ...] = ()
        notes: tuple[NoteRecord, ...] = ()
        messages: tuple[Message, ...] = ()
        folders: tuple[WorldFolder, ...] = ()
        settled = Section(workspace)
        if workspace is not None:
            settled = self._settled(part, settled)
            channels = tuple(map(self._channel, self._rows(part, "channels")))
            channel_ids = {one.channel.id for one in channels}
            activities = tuple(
                activity_of(one, channel_ids, self.unknown)
                for one in self._rows(part, "activities")
            )
            _refuse_repeats(one.id for one in activities)
            _refuse_repeats(name_key(one.name) for one in activities)
            settled = replace(settled, activities=activities)
            conversations = tuple(
                self._conversation(one, channel_ids) for one in self._rows(part, "conversations")
            )
            known = {one.conversation.id for one in conversations}
            notes = tuple(self._note(one, known) for one in self._rows(part, "notes"))
            messages = tuple(
                message_of(one, known, self.unknown) for one in self._rows(part, "messages")
            )
            folders = tuple(
                folder_of(one, self.unknown) for one in self._rows(part, "world_folders")
            )
            _refuse_repeats(one.id for one in folders)
            _refuse_repeats(name_key(one.name) for one in folders)
            _refuse_repeats(one.id for one in messages)
            _refuse_repeats(f"{one.conversation_id} {one.number}" for one in messages)
            _refuse_repeats(one.channel.id for one in channels)
            _refuse_repeats(name_key(one.channel.name) for one in channels)
            _refuse_repeats(one.conversation.id for one in conversations)
            _refuse_repeats(one.conversation.ref_code for one in conversations)
            _refuse_repeats(f"{one.note.conversation_id} {one.note.key}" for one in notes)
        domain_ids = {one.id for one in settled.domains}
        rooms = {(Tier.CHANNEL, one.channel.id) for one in channels}
        rooms |= {(Tier.CONVERSATION, one.conversation.id) for one in conversations}
        memories = tuple(
            memory_of(one, workspace_id, rooms, domain_ids, self.unknown)
            for one in self._rows(part, "memories")
        )
        entries = tuple(self._entries(self._rows(part, "named_entries"), workspace_id))
        _refuse_repeats(one.entry.id for one in entries)
        _refuse_repeats(one.entry.name for one in entries if not one.entry.is_deleted)
        beside = Beside(workspace_id, rooms, self.unknown)
        golden = tuple(map(beside.golden, self._rows(part, "golden_questions")))
        filters = tuple(map(beside.filter, self._rows(part, "saved_filters")))
        proposals = tuple(map(beside.proposal, self._rows(part, "proposals")))
        for some in (golden, filters, proposals):
            _refuse_repeats(one.id for one in some)
        _refuse_repeats(name_key(one.name) for one in filters)
        skills = tuple(
            skill_of(one, workspace_id, self.unknown) for one in self._rows(part, "skills")
        )
        _refuse_repeats(one.id for one in skills)
        _refuse_repeats(one.name for one in skills)
        self.unknown |= part.unknown("account" if workspace is None else "workspace")
        return Section(
            workspace,
            memories,
            channels,
            conversations,
            notes,
            entries,
            golden,
            filters,
            proposals,
            messages,
            folders,
            settled.domains,
            settled.roles,
            settled.grants,
            settled.kept,
            settled.activities,
            skills,
        )

    def _settled(self, part: Fields, section: Section) -> Section:
        """The section with its domains and roles, and what agents keep."""
        domains = tuple(domain_of(one, self.unknown) for one in self._rows(part, "domains"))
        ids = {one.id for one in domains}
        roles = tuple(role_of(one, self.unknown) for one in self._rows(part, "roles"))
        grants = tuple(grant_of(one, ids, self.unknown) for one in self._rows(part, "role_grants"))
        kept = tuple(kept_of(one, self.unknown) for one in self._rows(part, "working_memories"))
        _refuse_repeats(one.id for one in domains)
        _refuse_repeats(name_key(one.name) for one in domains)
        _refuse_repeats(one.name for one in roles)
        _refuse_repeats(f"{one.role} {one.domain_id}" for one in grants)
        _refuse_repeats(f"{one.agent} {one.part}" for one in kept)
        return replace(section, domains=domains, roles=roles, grants=grants, kept=kept)

    def decay(self, top: Fields) -> DecayConfig | None:
        """The rates that were in force; None when the file tells none."""
        settings = top.object_or_none("settings")
        rates = None if settings is None else settings.object_or_none("decay")
        if settings is None or rates is None:
            return None
        default = DecayConfig()
        try:
            found = DecayConfig(*(rates.number(one.value, default.rate(one)) for one in Tier))
        except InvalidValueError:
            raise settings.wrong("decay", "number") from None
        self.unknown |= rates.unknown("decay") | settings.unknown("settings")
        return found

    def _rows(self, part: Fields, name: str) -> Iterable[Fields]:
        for where, row in part.rows(name):
            self._on_row(self._n_done, self.n_rows)
            self._n_done += 1
            yield Fields(row.value(where), where)

    def _entries(self, rows: Iterable[Fields], workspace_id: str | None) -> Iterator[EntryRecord]:
        first: dict[str, int] = {}
        for number, fields in enumerate(rows, start=1):
            name = fields.text("name")
            if name in BUILT_IN_NAMES and first.setdefault(name, number) < number:
                where = fields.wrong("name").where
                raise ImportRefusedError(f"second_{name.lower()}", where, first[name])
            yield entry_of(fields, workspace_id, self.unknown)

    def _channel(self, fields: Fields) -> ChannelRecord:
        name = fields.checked("name", checked_name)
        record = ChannelRecord(
            Channel(
                fields.id(),
                name,
                fields.text("description", "", limit=MAX_DESCRIPTION),
                fields.time("created_at"),
                fields.time_or_none("archived_at"),
            ),
            fields.count("sequence", 0),
        )
        self.unknown |= fields.unknown("channel")
        return record

    def _conversation(self, fields: Fields, channel_ids: set[str]) -> ConversationRecord:
        channel_id = fields.id("channel_id")
        if channel_id not in channel_ids:
            raise fields.wrong("channel_id", "foreign")
        ref_code = fields.text("ref_code")
        if len(ref_code) != REF_CODE_LENGTH or not set(ref_code) <= set(BASE62):
            raise fields.wrong("ref_code", "characters")
        title = fields.checked("title", checked_title, "")
        participants = []
        for one in fields.objects("participants"):
            participants.append((one.text("client", limit=200), one.time("joined_at")))
            self.unknown |= one.unknown("participant")
        _refuse_repeats(client for client, _joined in participants)
        record = ConversationRecord(
            Conversation(
                fields.id(),
                ref_code,
                channel_id,
                title,
                fields.word("state", ConversationState),
                fields.time("started_at"),
                fields.time_or_none("ended_at"),
                fields.time_or_none("heard_at"),
            ),
            fields.count("sequence", 0),
            tuple(participants),
        )
        self.unknown |= fields.unknown("conversation")
        return record

    def _note(self, fields: Fields, conversation_ids: set[str]) -> NoteRecord:
        conversation_id = fields.id("conversation_id")
        if conversation_id not in conversation_ids:
            raise fields.wrong("conversation_id", "foreign")
        try:
            key = checked_note_key(fields.text("key"))
            value = note_json(parse_note_value(fields.text("value_json")))
        except InvalidValueError as error:
            raise fields.wrong(error.field, error.rule) from None
        note = WorkingNote(
            conversation_id, key, value, fields.time("created_at"), fields.time("updated_at")
        )
        record = NoteRecord(note, fields.count("sequence", 0))
        self.unknown |= fields.unknown("note")
        return record


def _refuse_repeats(keys: Iterable[str]) -> None:
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            raise ImportRefusedError("repeated")
        seen.add(key)
