"""Everything the inspector shows at one moment, as finished texts and figures."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.memories.memory_history import MemoryMark
    from inklings_desktop.domain.memory import Derivation, Lifetime, MemoryRef, Tier
    from inklings_desktop.domain.words.text_diff import TextDiff
    from inklings_desktop.domain.world.derivations import SourceStanding
    from inklings_desktop.ui.kit.lists.memory_row_layout import CuratorName, CurveNumbers


class InspectorMode(Enum):
    """What kind of thing is shown."""

    NOTHING = "nothing"
    MEMORY = "memory"
    NEW = "new"
    NOTE = "note"


class ConflictKind(Enum):
    """What happened to a memory while a person was editing it."""

    CHANGED = "changed"
    FORGOTTEN = "forgotten"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class DraftValues:
    """The values a person can change, as they stand in the fields."""

    content: str
    importance: float
    lifetime: Lifetime
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MemoryEdit:
    """What a person just changed in the view; None leaves a value as it is."""

    content: str | None = None
    importance: float | None = None
    lifetime: Lifetime | None = None
    tags: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class FieldErrors:
    """Sentences to stand beside the fields; empty where a value is right."""

    content: str = ""
    importance: str = ""
    tags: str = ""


@dataclass(frozen=True, slots=True)
class ChartFacts:
    """The relevance chart.

    Attributes:
        curve: With the importance that stands in the field.
        saved_curve: With the stored importance, while that differs.
        base_at: The instant from which hours count.
        base_label: What happened then, as the axis says it: ``last read``, ``written``, ...
        figure: Relevance now, with the importance that stands in the field.
        can_be_promoted: Whether the line at 0.7 matters to this memory.
    """

    curve: CurveNumbers
    saved_curve: CurveNumbers | None
    base_at: datetime
    base_label: str
    figure: str
    can_be_promoted: bool


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One step in the life of a memory.

    Attributes:
        title: What happened.
        by: Who did it; may be empty.
        detail: From which value to which, where that can be said in a line.
        age: How long ago.
        exact: When exactly, and through which door.
        version: The version that the step led to; None where it is not known.
        is_edit: Whether the step changed the text.
        differs: Whether the text reads otherwise now than after the step.
        can_restore: Whether bringing the version back would change anything.
    """

    title: str
    by: str
    detail: str
    age: str
    exact: str
    version: int | None = None
    is_edit: bool = False
    differs: bool = False
    can_restore: bool = False

    @property
    def opens(self) -> bool:
        """Whether there is more to show of it than this line."""
        return self.version is not None and (self.is_edit or self.differs or self.can_restore)


@dataclass(frozen=True, slots=True)
class VersionLook:
    """What of a version is to be looked at.

    Attributes:
        version: Its number.
        since: Whether what was changed since is wanted; else what the step to it changed.
    """

    version: int
    since: bool


@dataclass(frozen=True, slots=True)
class VersionDifference:
    """How two versions of a text differ, and what was asked."""

    look: VersionLook
    diff: TextDiff


@dataclass(frozen=True, slots=True)
class ProvenanceFacts:
    """Where a memory came from and what has happened to it; reading matter.

    Attributes:
        curator: For the mark.
        curator_label: Who vouches for it.
        source: Through what it was written.
        agent_id: The agent it is private to, or None.
        scope_label: ``Channel`` or ``Conversation``; empty in the other tiers.
        scope_name: Its name.
        created: When it was written.
        last_read: When an agent last read it.
        reads: How often; empty when never.
        confirmed: When a person last said it is still true; empty if never.
        imported: When it came in through an import; empty if it did not.
        embedding: What kind of vector it has.
        has_embedding: Whether it has one.
    """

    curator: CuratorName
    curator_label: str
    source: str
    agent_id: str | None
    scope_label: str
    scope_name: str
    created: str
    last_read: str
    reads: str
    confirmed: str
    imported: str
    embedding: str
    has_embedding: bool


@dataclass(frozen=True, slots=True)
class ConflictFacts:
    """Two versions of one memory, between which a person chooses.

    Attributes:
        kind: What happened meanwhile.
        title: The same in a sentence.
        mine: The text in the editor.
        theirs: The stored text; None when nothing is stored any more.
        their_figures: Importance, lifetime and tags where theirs differ; may be empty.
    """

    kind: ConflictKind
    title: str
    mine: str
    theirs: str | None
    their_figures: str


@dataclass(frozen=True, slots=True)
class OfferFacts:
    """What an earlier run had not saved, to be gone on with or let go of.

    Attributes:
        title: Since when it waits, in a sentence.
        stored: The text as it is stored; empty for a new memory.
        typed: The text as it was typed.
    """

    title: str
    stored: str
    typed: str


@dataclass(frozen=True, slots=True)
class ForgottenFacts:
    """Since when a memory is forgotten, and why.

    Attributes:
        title: ``Forgotten 3 d ago``.
        reason: A phrase; may be empty.
        exact: When exactly.
    """

    title: str
    reason: str
    exact: str


@dataclass(frozen=True, slots=True)
class NoteFacts:
    """A working note; reading matter.

    Attributes:
        key: Its name.
        json: Its value over several lines.
        conversation: Title of its conversation, or the ref code of one without a title.
        ref_code: May be empty when the conversation is unknown.
        written: Last written.
        started: First written.
        memory_text: What a memory made from it would say.
    """

    key: str
    json: str
    conversation: str
    ref_code: str
    written: str
    started: str
    memory_text: str


@dataclass(frozen=True, slots=True)
class InspectorState:
    """Everything the inspector shows.

    Attributes:
        mode: What kind of thing is shown; the fields below that do not fit it are empty.
        title: Above everything.
        tier: Whose mark stands beside the title.
        ref: The memory shown.
        place: Where a new memory will be kept.
        draft: What stands in the fields.
        is_editable: Whether the fields take changes.
        is_looking: Whether somebody only looks: nothing is offered that would change anything.
        is_read_only: Whether nothing can be stored at all.
        offers_lifetime: Whether the tier leaves a choice of lifetime.
        is_unsaved: Whether something would be lost if the inspector showed something else.
        is_saving: Whether a save is under way.
        can_save: Whether saving makes sense now.
        can_revert: Whether there is something to take back.
        field_errors: What is wrong with the values.
        chart: None for a new memory.
        provenance: None for a new memory.
        derivations: What the memory was derived from.
        standings: How the pages among them stand.
        history: Newest first.
        caution: What to know of a text that was just saved; empty if nothing.
        conflict: Set while a person has to choose between two versions.
        offer: Set while typing of an earlier run waits for a decision.
        is_disk_full: Whether the last save found no room on the disk.
        forgotten: Set while the memory is forgotten.
        is_unreadable: Whether damage left part of it unreadable.
        marks: What a person set on the memory; None for anything that is no stored memory.
        note: The working note shown.
    """

    mode: InspectorMode = InspectorMode.NOTHING
    title: str = ""
    tier: Tier | None = None
    ref: MemoryRef | None = None
    place: str = ""
    draft: DraftValues | None = None
    is_editable: bool = False
    is_looking: bool = False
    is_read_only: bool = False
    offers_lifetime: bool = False
    is_unsaved: bool = False
    is_saving: bool = False
    can_save: bool = False
    can_revert: bool = False
    field_errors: FieldErrors = FieldErrors()
    chart: ChartFacts | None = None
    provenance: ProvenanceFacts | None = None
    derivations: tuple[Derivation, ...] = ()
    standings: tuple[SourceStanding, ...] = ()
    history: tuple[HistoryLine, ...] = ()
    caution: str = ""
    conflict: ConflictFacts | None = None
    offer: OfferFacts | None = None
    is_disk_full: bool = False
    forgotten: ForgottenFacts | None = None
    is_unreadable: bool = False
    marks: frozenset[MemoryMark] | None = None
    note: NoteFacts | None = None
