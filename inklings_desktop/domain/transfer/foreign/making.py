"""What readers found, as the document that every import is planned and written from."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.likeness.sameness import key_of
from inklings_desktop.domain.memory import (
    DEFAULT_IMPORTANCE,
    Curator,
    Lifetime,
    MemoryEntry,
    ScopeKey,
    own_lifetime,
)
from inklings_desktop.domain.memory_values import (
    MAX_SOURCE_CHARACTERS,
    MAX_TAGS,
    checked_content,
    checked_importance,
    checked_source,
    checked_tags,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.document import (
    MAX_FILE_BYTES,
    SCHEMA_VERSION,
    ChannelRecord,
    Fault,
    Foreign,
    ImportRefusedError,
    MemoryRecord,
    Origin,
    RefusedMemory,
    Section,
    TransferDocument,
)
from inklings_desktop.domain.transfer.foreign.formats import (
    FOLDER_SUFFIXES,
    NO_WISHES,
    FormatId,
    Wishes,
    format_of,
    named_format,
    refusal_of,
)
from inklings_desktop.domain.transfer.foreign.found import Finds, LeftOut
from inklings_desktop.domain.transfer.foreign.packed import (
    is_hidden,
    is_packed,
    members_of,
    read_docx,
)
from inklings_desktop.domain.transfer.foreign.source import SourceFile
from inklings_desktop.domain.transfer.transfer_memories import SHOWN_OF_REFUSED
from inklings_desktop.domain.transfer.transfer_plan import is_repeat, joined_tags
from inklings_desktop.domain.transfer.transfer_reading import is_ours

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.rooms.conversation import Channel
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.domain.transfer.foreign.found import Found


@dataclass(frozen=True, slots=True)
class Destination:
    """Where the memories of a file that names no place go.

    Attributes:
        workspace: Whose; None for the account.
        channel: The channel; None for the workspace itself.
    """

    workspace: Workspace | None
    channel: Channel | None = None

    @property
    def scope(self) -> ScopeKey:
        """Its scope key."""
        if self.workspace is None:
            return ScopeKey.account()
        if self.channel is None:
            return ScopeKey.workspace(self.workspace.id)
        return ScopeKey.channel(self.workspace.id, self.channel.id)


class Reading:
    """Reads files one after another into one document.

    ``hear`` is told how many memories were found so far, and may stop it.
    """

    def __init__(
        self, hear: Callable[[int], None] = lambda _n: None, wishes: Wishes = NO_WISHES
    ) -> None:
        self.finds = Finds(hear)
        self._wishes = wishes
        self._formats: dict[FormatId, None] = {}
        self._sources: list[str] = []
        self._digest = sha256()
        self._n_files = 0

    def read(self, name: str, data: bytes) -> None:
        """Take what a file says; an archive stands for the files in it.

        Raises:
            ImportRefusedError: It is empty, none that can be read, or not sound.
        """
        if not is_packed(data):
            self._read(name, data)
            return
        members = members_of(data, MAX_FILE_BYTES)
        if members is None:
            begin = len(self.finds.memories)
            read_docx(SourceFile(name, b"docx"), data, self.finds, self._wishes.by)
            self._took(FormatId.DOCX, name, name, data, begin)
            return
        n_before = self._n_files
        for inside, part in members:
            is_read = f".{inside.rpartition('.')[2].casefold()}" in FOLDER_SUFFIXES
            if is_read and not is_hidden(inside):
                self.read_inside(inside, part)
            elif not is_hidden(inside):
                self.finds.leave(LeftOut.OTHER_FILE, inside)
        if self._n_files == n_before:
            raise refusal_of(name, members=[inside for inside, _part in members])

    def read_inside(self, name: str, data: bytes) -> None:
        """Take one file of many; one that says nothing is named and left out."""
        try:
            if not is_ours(data):
                self.read(name, data)
                return
        except ImportRefusedError as error:
            if error.reason in {"too_many", "too_large"}:
                raise
        self.finds.leave(LeftOut.OTHER_FILE, name)

    def _read(self, name: str, data: bytes) -> None:
        wishes, finds = self._wishes, self.finds
        try:
            source = SourceFile(name, data, wishes.encoding)
        except ImportRefusedError as error:
            raise refusal_of(name, data) if error.reason == "unknown" else error from None
        found = format_of(source) if wishes.format is None else named_format(wishes.format)
        begin = len(finds.memories)
        found.read(source, finds, wishes)
        for line, stray in source.strays:
            finds.leave(LeftOut.STRAY, stray, name, line)
        if source.encoding:
            finds.encodings[source.encoding] = None
        self._took(found.id, found.source, name, data, begin)

    def _took(self, id_: FormatId, source: str, name: str, data: bytes, begin: int) -> None:
        self._sources += [source or name] * (len(self.finds.memories) - begin)
        self._formats[id_] = None
        self._digest.update(data)
        self._n_files += 1

    def document(
        self, destination: Destination, now: datetime, new_id: Callable[[], str]
    ) -> TransferDocument:
        """Everything that was read, as it would come in; what tells no time is of ``now``.

        Raises:
            ImportRefusedError: There is no memory in any of the files.
        """
        finds = self.finds
        if not finds.memories:
            raise ImportRefusedError("no_memory")
        records: list[MemoryRecord | RefusedMemory] = []
        seen: dict[bytes, list[int]] = {}
        for found, whose in zip(finds.memories, self._sources, strict=True):
            record = self._record(found, whose, destination.scope, now, new_id())
            if isinstance(record, MemoryRecord):
                places = seen.setdefault(key_of(found.content), [])
                if _joined(records, places, record):
                    finds.leave(LeftOut.REPEATED, found.content, found.file, found.line)
                    continue
                places.append(len(records))
            records.append(record)
        channel, counts = destination.channel, finds.left_out
        rooms = () if channel is None else (ChannelRecord(channel, 1),)
        section = Section(destination.workspace, tuple(records), rooms)
        foreign = Foreign(
            tuple(one.value for one in self._formats),
            self._n_files,
            {one.value: counts[one] for one in LeftOut if counts[one]},
            tuple(finds.left),
            tuple(finds.encodings),
            tuple(finds.columns),
        )
        # Each name in one line, and not endless.
        unknown = tuple(sorted({" ".join(one.split())[:40] or "?" for one in finds.unknown}))
        digest = self._digest.hexdigest()
        return TransferDocument(SCHEMA_VERSION, now, "", None, (section,), unknown, digest, foreign)

    def _record(
        self, found: Found, whose: str, scope: ScopeKey, now: datetime, id_: str
    ) -> MemoryRecord | RefusedMemory:
        """A memory as it would come in, or why it cannot."""
        origin = Origin(found.file if self._n_files > 1 else "", found.line)
        fault, importance = found.fault, DEFAULT_IMPORTANCE
        try:
            if fault is None:
                checked_content(found.content)
                importance = checked_importance(found.importance)
        except InvalidValueError as error:
            fault = Fault(error.field, error.rule)
            told = found.importance
            if isinstance(told, int | float) and not isinstance(told, bool):
                importance = float(told)
        if fault is not None:
            shown = found.content.replace("\x00", "")[:SHOWN_OF_REFUSED]
            shown = shown.encode("utf-8", "replace").decode()
            return RefusedMemory(scope.tier, scope.key, shown, importance, (fault,), origin)
        # What a person wrote is meant to stay; what a program gathered, where an agent's would.
        usual = Lifetime.LONG_TERM if found.is_own else own_lifetime(scope.tier, Curator.AGENT)
        entry = MemoryEntry(
            id=id_,
            sequence=0,
            version=1,
            scope=scope,
            content=found.content,
            lifetime=found.lifetime or usual,
            source=_source(found.source) or _source(whose) or "import",
            curator=Curator.IMPORT,
            importance=importance,
            tags=_tags(found, self.finds),
            created_at=min(found.created_at or now, now),
            edited_at=None if found.edited_at is None else min(found.edited_at, now),
            paused=found.is_paused,
        )
        return MemoryRecord(entry, origin=origin)


def _joined(
    records: list[MemoryRecord | RefusedMemory], places: Sequence[int], record: MemoryRecord
) -> bool:
    """Whether a row repeats an earlier one, which has the tags of both then."""
    for place in places:
        earlier = records[place]
        if isinstance(earlier, MemoryRecord) and is_repeat(earlier.entry, record.entry):
            tags = joined_tags(earlier.entry.tags, record.entry.tags)
            if len(tags) <= MAX_TAGS:
                records[place] = replace(earlier, entry=replace(earlier.entry, tags=tags))
                return True
    return False


def _source(name: str) -> str:
    """A name as a source: one line, not too long; empty where nothing is left of it."""
    plain = " ".join(name.split())[:MAX_SOURCE_CHARACTERS].strip()
    try:
        return checked_source(plain)
    except InvalidValueError:
        return ""


def _tags(found: Found, finds: Finds) -> tuple[str, ...]:
    """The words that can be tags; the others are named."""
    tidy: dict[str, None] = {}
    for word in filter(str.strip, found.tags):
        is_pattern = word.startswith("/") and word.count("/") > 1
        try:
            (tag,) = checked_tags([" ".join(word.split())])
            is_tag = not is_pattern and (len(tidy) < MAX_TAGS or tag in tidy)
        except InvalidValueError:
            is_tag = False
        if is_tag:
            tidy[tag] = None
        else:
            finds.leave(LeftOut.KEYWORD, word, found.file, found.line)
    return tuple(tidy)
