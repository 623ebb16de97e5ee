"""What the inspector can be about: a stored memory, a new one, or a working note.

Each holds what a person is making of it; ``state_of`` turns it into what the view shows.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Door
from inklings_desktop.domain.memories.memory_history import MemoryMark, has_mark
from inklings_desktop.domain.memories.memory_typing import NEW_MEMORY, MemoryTyping
from inklings_desktop.domain.memory import MemoryDraft, MemoryPatch, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.text_layout import editor_text
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.words.memory_facts import kind_label, memory_title, new_memory_title
from inklings_desktop.ui.memory.subject.facts import (
    chart_facts,
    conflict_facts,
    forgotten_facts,
    history_lines,
    note_facts,
    offer_facts,
    provenance_facts,
    values_of,
)
from inklings_desktop.ui.memory.subject.state import (
    DraftValues,
    FieldErrors,
    InspectorMode,
    InspectorState,
)

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.domain.rooms.conversation import Conversation, WorkingNote
    from inklings_desktop.domain.world.derivations import SourceStanding
    from inklings_desktop.ui.memory.subject.state import HistoryLine
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.search.browse_memories import MemoryWithHistory


@dataclass(frozen=True, slots=True)
class FoundMemory:
    """A memory, ready to be shown.

    Attributes:
        memory: With its history.
        room: Name of its channel or conversation; may be empty.
        typing: What an earlier run had not saved of it.
        base: The memory in the version on which that typing began.
        standings: How the pages stand that it comes from.
    """

    memory: MemoryWithHistory
    room: str
    typing: MemoryTyping | None
    base: MemoryEntry | None
    standings: tuple[SourceStanding, ...] = ()


@dataclass(slots=True, eq=False)
class OpenMemory:
    """A stored memory and what a person is making of it.

    Attributes:
        entry: The version from which the draft began.
        lines: Its history as the view shows it.
        room: Name of its channel or conversation; may be empty.
        draft: What stands in the fields.
        newer: A version stored meanwhile by somebody else, while the draft is unsaved.
        by_agent: Whether an agent's tool stored ``newer``.
        is_gone: It was removed meanwhile, while the draft is unsaved.
        is_saving: A save is under way.
        is_stale: News came in during a save and is to be looked at after it.
        n_looks: Counts the reads, so that only the latest answer is taken.
        errors: What is wrong with the draft.
        caution: What to know of the text that was just saved.
        is_disk_full: Whether the last save found no room on the disk.
        offered: What an earlier run had not saved, while that is not decided on.
        offered_base: The memory as it was when that typing began.
        standings: How the pages stand that it comes from.
    """

    entry: MemoryEntry
    lines: tuple[HistoryLine, ...]
    room: str
    draft: DraftValues
    newer: MemoryEntry | None = None
    by_agent: bool = False
    is_gone: bool = False
    is_saving: bool = False
    is_stale: bool = False
    n_looks: int = 0
    errors: FieldErrors = field(default_factory=FieldErrors)
    caution: str = ""
    is_disk_full: bool = False
    offered: MemoryTyping | None = None
    offered_base: MemoryEntry | None = None
    standings: tuple[SourceStanding, ...] = ()

    @property
    def is_unsaved(self) -> bool:
        """Whether the fields differ from the version they began with."""
        return self.draft != values_of(self.entry)

    @property
    def in_conflict(self) -> bool:
        """Whether a person has to choose between two versions."""
        return self.newer is not None or self.is_gone

    @property
    def is_editable(self) -> bool:
        """Whether the fields take changes.

        A forgotten memory is reading matter, and typing from before is decided on first.
        """
        return not self.entry.is_forgotten and self.offered is None

    def take_typing(self, typing: MemoryTyping) -> None:
        """Go on with typing of an earlier run; what was stored meanwhile makes a conflict."""
        base = self.offered_base or self.entry
        self.offered, self.offered_base = None, None
        self.draft = _values_typed(typing)
        is_other = values_of(base) != values_of(self.entry) and self.draft != values_of(self.entry)
        if is_other or self.entry.is_forgotten:
            active = replace(base, forgotten_at=None, forgotten_reason=None, successor_id=None)
            self.entry, self.newer = active, self.entry

    def take_news(self, found: MemoryWithHistory) -> bool:
        """Take over what is stored, never over an unsaved draft; whether it was news."""
        if found.entry.version < self.entry.version:
            return False  # read before our own save
        base, stored = values_of(self.entry), values_of(found.entry)
        is_mine_at_stake = self.is_unsaved and self.draft != stored
        if is_mine_at_stake and (stored != base or found.entry.is_forgotten):
            self.newer = found.entry
            self.by_agent = bool(found.history) and found.history[0].door == Door.MCP.value
        else:
            self.entry, self.newer = found.entry, None
            if not is_mine_at_stake:
                self.draft = stored
        self.is_gone = False
        return True

    def patch(self) -> MemoryPatch:
        """What the person changed, and nothing else.

        Raises:
            InvalidValueError: A value cannot be stored.
        """
        mine, base = self.draft, values_of(self.entry)
        return MemoryPatch(
            content=mine.content if mine.content != base.content else None,
            importance=mine.importance if mine.importance != base.importance else None,
            lifetime=mine.lifetime if mine.lifetime is not base.lifetime else None,
            tags=mine.tags if mine.tags != base.tags else None,
        )


@dataclass(slots=True, eq=False)
class NewMemory:
    """A memory that is not stored yet.

    Attributes:
        scope: Where it will belong.
        draft: What stands in the fields.
        place: Name of that scope; may be empty.
        is_saving: A save is under way.
        errors: What is wrong with the draft.
        is_disk_full: Whether the last save found no room on the disk.
        offered: What an earlier run had not saved, while that is not decided on.
    """

    scope: ScopeKey
    draft: DraftValues
    place: str = ""
    is_saving: bool = False
    errors: FieldErrors = field(default_factory=FieldErrors)
    is_disk_full: bool = False
    offered: MemoryTyping | None = None

    @property
    def is_unsaved(self) -> bool:
        """Whether there is something to lose."""
        return self.offered is None and (self.has_text or bool(self.draft.tags))

    @property
    def has_text(self) -> bool:
        """Whether there is something to remember."""
        return bool(self.draft.content.strip())

    @property
    def is_editable(self) -> bool:
        """Whether the fields take changes: typing from before is decided on first."""
        return self.offered is None

    def take_typing(self, typing: MemoryTyping) -> None:
        """Go on with typing of an earlier run."""
        self.offered, self.draft = None, _values_typed(typing)

    def memory_draft(self) -> MemoryDraft:
        """What is to be remembered.

        Raises:
            InvalidValueError: A value cannot be stored.
        """
        mine = self.draft
        return MemoryDraft(
            self.scope, mine.content, mine.importance, lifetime=mine.lifetime, tags=mine.tags
        )


@dataclass(frozen=True, slots=True, eq=False)
class OpenNote:
    """A working note; reading matter."""

    note: WorkingNote
    conversation: Conversation | None


Subject = OpenMemory | NewMemory | OpenNote | None


def opened(found: FoundMemory, now: datetime) -> OpenMemory:
    """A stored memory as it is shown first."""
    entry, history = found.memory.entry, found.memory.history
    return OpenMemory(
        entry,
        history_lines(entry, history, now),
        found.room,
        values_of(entry),
        offered=found.typing,
        offered_base=found.base,
        standings=found.standings,
    )


def lies_in(subject: Subject, scopes: Collection[ScopeKey]) -> bool:
    """Whether a subject belongs to one of these scope keys; nothing belongs to any."""
    match subject:
        case OpenMemory():
            return subject.entry.scope in scopes
        case NewMemory():
            return subject.scope in scopes
        case OpenNote():
            return subject.note.conversation_id in {scope.key for scope in scopes}
        case None:
            return True


def typing_of(subject: Subject, now: datetime) -> MemoryTyping | None:
    """What stands in the fields; None where there are none."""
    if not isinstance(subject, OpenMemory | NewMemory):
        return None
    mine = subject.draft
    values = (mine.content, mine.importance, mine.lifetime, mine.tags, now)
    if isinstance(subject, NewMemory):
        return MemoryTyping(subject.scope, NEW_MEMORY, 0, *values)
    entry = subject.entry
    return MemoryTyping(entry.scope, entry.id, entry.version, *values)


def state_of(subject: Subject, inklings: Inklings) -> InspectorState:
    """What the view shows of a subject now."""
    match subject:
        case OpenMemory():
            return _memory_state(subject, inklings)
        case NewMemory():
            return _new_state(subject)
        case OpenNote():
            return InspectorState(
                mode=InspectorMode.NOTE,
                title=tr("Working Note"),
                tier=Tier.CONVERSATION,
                note=note_facts(subject.note, subject.conversation),
                is_looking=inklings.caller.is_agent,
            )
        case None:
            return InspectorState()


def carried_over(sent: DraftValues, now: DraftValues, stored: DraftValues) -> DraftValues:
    """The fields after a save: as stored, but for what was typed while it was under way."""
    return DraftValues(
        content=stored.content if now.content == sent.content else now.content,
        importance=stored.importance if now.importance == sent.importance else now.importance,
        lifetime=stored.lifetime if now.lifetime is sent.lifetime else now.lifetime,
        tags=stored.tags if now.tags == sent.tags else now.tags,
    )


def _memory_state(shown: OpenMemory, inklings: Inklings) -> InspectorState:
    entry, tier, now = shown.entry, shown.entry.scope.tier, inklings.clock()
    importance = shown.draft.importance
    return InspectorState(
        mode=InspectorMode.MEMORY,
        title=kind_label(entry.kind) or memory_title(tier),
        tier=tier,
        ref=entry.ref,
        draft=shown.draft,
        is_editable=(
            shown.is_editable and not inklings.caller.is_agent and not inklings.is_read_only
        ),
        is_looking=inklings.caller.is_agent,
        is_read_only=inklings.is_read_only,
        offers_lifetime=tier is not Tier.CONVERSATION,
        is_unsaved=shown.is_unsaved,
        is_saving=shown.is_saving,
        can_save=shown.is_unsaved and not shown.is_saving and not shown.in_conflict,
        can_revert=shown.is_unsaved and not shown.is_saving,
        field_errors=shown.errors,
        chart=chart_facts(entry, importance, inklings.settings.decay, now),
        provenance=provenance_facts(entry, shown.room, inklings.embedder),
        derivations=entry.derived_from,
        standings=shown.standings,
        history=_lines_to_show(shown, inklings),
        caution="" if shown.is_unsaved else shown.caution,
        conflict=(
            conflict_facts(shown.draft, shown.newer, by_agent=shown.by_agent)
            if shown.in_conflict
            else None
        ),
        is_disk_full=shown.is_disk_full and shown.is_unsaved,
        offer=(offer_facts(shown.offered, entry.content) if shown.offered is not None else None),
        forgotten=forgotten_facts(entry, now),
        is_unreadable=entry.is_unreadable,
        marks=frozenset(mark for mark in MemoryMark if has_mark(entry, mark)),
    )


def _new_state(shown: NewMemory) -> InspectorState:
    tier = shown.scope.tier
    return InspectorState(
        mode=InspectorMode.NEW,
        title=new_memory_title(tier),
        tier=tier,
        place=shown.place,
        draft=shown.draft,
        is_editable=shown.is_editable,
        offers_lifetime=tier is not Tier.CONVERSATION,
        is_unsaved=shown.is_unsaved,
        is_saving=shown.is_saving,
        can_save=shown.has_text and shown.is_editable and not shown.is_saving,
        can_revert=not shown.is_saving,
        field_errors=shown.errors,
        is_disk_full=shown.is_disk_full and shown.is_unsaved,
        offer=offer_facts(shown.offered, "") if shown.offered is not None else None,
    )


def _lines_to_show(shown: OpenMemory, inklings: Inklings) -> tuple[HistoryLine, ...]:
    """The history; nothing in it can be brought back by somebody who only reads."""
    if not (inklings.is_read_only or inklings.caller.is_agent):
        return shown.lines
    return tuple(replace(line, can_restore=False) for line in shown.lines)


def _values_typed(typing: MemoryTyping) -> DraftValues:
    return DraftValues(editor_text(typing.content), typing.importance, typing.lifetime, typing.tags)
