"""What readers found, as the document that every import is planned and written from."""

from __future__ import annotations

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
    Tier,
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
from inklings_desktop.domain.transfer.foreign.formats import format_of, named_format
from inklings_desktop.domain.transfer.foreign.found import Finds, LeftOut
from inklings_desktop.domain.transfer.foreign.source import SourceFile
from inklings_desktop.domain.transfer.transfer_memories import SHOWN_OF_REFUSED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.rooms.conversation import Channel
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.domain.transfer.foreign.formats import Format, FormatId
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

    Attributes:
        finds: What was found so far.
    """

    def __init__(self, hear: Callable[[int], None] = lambda _n: None) -> None:
        """Begin with nothing; ``hear`` is told how many memories were found and may stop it."""
        self.finds = Finds(hear)
        self._formats: dict[FormatId, None] = {}
        self._sources: list[str] = []
        self._digest = sha256()
        self._n_files = 0

    def read(self, name: str, data: bytes, wanted: FormatId | None = None) -> None:
        """Take what stands in a file.

        Args:
            name: As a person would name it.
            data: Its bytes.
            wanted: What it is to be read as; None looks.

        Raises:
            ImportRefusedError: It is empty, none that can be read, or not sound.
        """
        source = SourceFile(name, data)
        found: Format = format_of(source) if wanted is None else named_format(wanted)
        begin = len(self.finds.memories)
        found.read(source, self.finds)
        whose = found.source or name
        self._sources += [whose] * (len(self.finds.memories) - begin)
        self._formats[found.id] = None
        self._digest.update(data)
        self.finds.is_guessed |= source.is_guessed
        self._n_files += 1

    def document(
        self, destination: Destination, now: datetime, new_id: Callable[[], str]
    ) -> TransferDocument:
        """Everything that was read, as it would come in.

        Args:
            destination: Where it goes.
            now: When a memory was written of which nobody says.
            new_id: Ids for the memories.

        Raises:
            ImportRefusedError: There is no memory in any of the files.
        """
        finds = self.finds
        if not finds.memories:
            raise ImportRefusedError("no_memory")
        records: list[MemoryRecord | RefusedMemory] = []
        seen: set[bytes] = set()
        making = _Making(destination.scope, now, finds)
        for found, whose in zip(finds.memories, self._sources, strict=True):
            if found.fault is None:
                key = key_of(found.content)
                if key in seen:
                    finds.leave(LeftOut.REPEATED)
                    continue
                seen.add(key)
            origin = Origin(found.file if self._n_files > 1 else "", found.line)
            records.append(making.record(found, origin, whose, new_id()))
        channel = destination.channel
        section = Section(
            destination.workspace,
            tuple(records),
            () if channel is None else (ChannelRecord(channel, 1),),
        )
        foreign = Foreign(
            tuple(one.value for one in self._formats),
            self._n_files,
            {one.value: finds.left_out[one] for one in LeftOut if finds.left_out[one]},
            finds.is_guessed,
        )
        unknown = tuple(sorted(_plain(one) for one in finds.unknown))
        return TransferDocument(
            SCHEMA_VERSION,
            now,
            "",
            None,
            (section,),
            unknown,
            self._digest.hexdigest(),
            foreign,
        )


@dataclass(frozen=True, slots=True)
class _Making:
    """Makes records for one scope, at one instant."""

    scope: ScopeKey
    now: datetime
    finds: Finds

    def record(
        self, found: Found, origin: Origin, whose: str, id_: str
    ) -> MemoryRecord | RefusedMemory:
        """A memory as it would come in, or why it cannot."""
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
            return RefusedMemory(
                self.scope.tier, self.scope.key, shown, importance, (fault,), origin
            )
        entry = MemoryEntry(
            id=id_,
            sequence=0,
            version=1,
            scope=self.scope,
            content=found.content,
            lifetime=_lifetime(found, self.scope.tier),
            source=_source(found.source) or _source(whose) or "import",
            curator=Curator.IMPORT,
            importance=importance,
            tags=_tags(found.tags, self.finds),
            created_at=min(found.created_at or self.now, self.now),
            edited_at=None if found.edited_at is None else min(found.edited_at, self.now),
            paused=found.is_paused,
        )
        return MemoryRecord(entry, origin=origin)


def _lifetime(found: Found, tier: Tier) -> Lifetime:
    """What a person wrote is meant to stay; what a program gathered, where an agent's would."""
    if found.lifetime is not None:
        return found.lifetime
    return Lifetime.LONG_TERM if found.is_own else own_lifetime(tier, Curator.AGENT)


def _source(name: str) -> str:
    """A name as a source: one line, not too long; empty where nothing is left of it."""
    plain = " ".join(name.split())[:MAX_SOURCE_CHARACTERS].strip()
    try:
        return checked_source(plain)
    except InvalidValueError:
        return ""


def _tags(words: Sequence[str], finds: Finds) -> tuple[str, ...]:
    """The words that can be tags; the others are counted."""
    tidy: dict[str, None] = {}
    for word in words:
        is_pattern = word.startswith("/") and word.count("/") > 1
        try:
            (tag,) = checked_tags([" ".join(word.split())])
        except InvalidValueError:
            finds.leave(LeftOut.KEYWORD, bool(word.strip()))
            continue
        if is_pattern or (len(tidy) >= MAX_TAGS and tag not in tidy):
            finds.leave(LeftOut.KEYWORD)
        else:
            tidy[tag] = None
    return tuple(tidy)


def _plain(name: str) -> str:
    """The name of a field for a list of names: one line, not endless."""
    return " ".join(name.split())[:40] or "?"
