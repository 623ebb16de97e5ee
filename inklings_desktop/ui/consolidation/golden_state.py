"""What the golden questions dialog shows at any moment; no widgets, no calls."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.background.golden import GoldenQuestion, GoldenRecord
    from inklings_desktop.domain.errors import InvalidValueError
    from inklings_desktop.domain.memory import ScopeKey, Tier
    from inklings_desktop.ui.kit.words.consolidation_words import ReviewNotice


NEW = "new"
"""Key of a question that is not kept yet."""


@dataclass(frozen=True, slots=True)
class GoldenPlace:
    """Where a question can be asked."""

    scope: ScopeKey
    name: str

    @property
    def tier(self) -> Tier:
        """The tier of its scope key."""
        return self.scope.tier


@dataclass(frozen=True, slots=True)
class Expected:
    """One memory that an answer must hold, or must not.

    Attributes:
        id: The memory.
        text: What it says; its short id when it is gone.
        must: Whether it must be found.
    """

    id: str
    text: str
    must: bool


@dataclass(frozen=True, slots=True)
class GoldenDraft:
    """A question as it stands in the fields.

    Attributes:
        key: Id of the kept question; ``new`` for one that is not kept yet.
        scope: Where it is asked.
        text: What is asked.
        expected: What its answer must hold, and must not.
    """

    key: str
    scope: ScopeKey
    text: str = ""
    expected: tuple[Expected, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether it says and expects something."""
        return bool(self.text.strip()) and bool(self.expected)

    def ids(self, *, must: bool) -> tuple[str, ...]:
        """The memories of one kind."""
        return tuple(one.id for one in self.expected if one.must is must)


@dataclass(frozen=True, slots=True)
class GoldenState:
    """Everything on show.

    Attributes:
        is_read: Whether the questions have been read.
        places: Where questions can be asked.
        questions: All that are kept, those of the workspace first.
        records: How each fared when it was last asked, by id.
        is_asking: Whether they are being asked.
        draft: The question in the fields; None for none.
        kept: The same as it is kept; None for a new one.
        found: What the draft finds, or what was looked for: id and text.
        looked_for: What was looked for beside the question itself.
        problem: Why the draft could not be kept.
        notice: What else has to be said.
    """

    is_read: bool = False
    places: tuple[GoldenPlace, ...] = ()
    questions: tuple[GoldenQuestion, ...] = ()
    records: Mapping[str, GoldenRecord] = field(default_factory=dict)
    is_asking: bool = False
    draft: GoldenDraft | None = None
    kept: GoldenDraft | None = None
    found: tuple[tuple[str, str], ...] = ()
    looked_for: str = ""
    problem: InvalidValueError | None = None
    notice: ReviewNotice | None = None

    @property
    def is_unsaved(self) -> bool:
        """Whether something would be lost by showing another question."""
        draft = self.draft
        if draft is None:
            return False
        if self.kept is None:
            return bool(draft.text.strip()) or bool(draft.expected)
        return draft != self.kept

    @property
    def can_save(self) -> bool:
        """Whether keeping the draft makes sense."""
        return self.is_unsaved and self.draft is not None and self.draft.is_complete

    @property
    def n_wrong(self) -> int:
        """Questions that are not answered as they must be."""
        return len(self.wrong)

    @property
    def wrong(self) -> frozenset[str]:
        """Their ids."""
        return frozenset(id_ for id_, one in self.records.items() if not one.is_right)

    @property
    def record(self) -> GoldenRecord | None:
        """How the question in the fields fared last; None while it is new or changed."""
        if self.draft is None or self.is_unsaved:
            return None
        return self.records.get(self.draft.key)

    def place_of(self, scope: ScopeKey) -> str:
        """What the person calls a scope key."""
        return next((one.name for one in self.places if one.scope == scope), "")

    def offered(self) -> tuple[tuple[str, str], ...]:
        """Found memories that nothing is said of yet."""
        taken = {one.id for one in self.draft.expected} if self.draft is not None else set()
        return tuple(one for one in self.found if one[0] not in taken)


def with_expected(draft: GoldenDraft, memory_id: str, text: str, *, must: bool) -> GoldenDraft:
    """The draft after a word on one memory."""
    one = Expected(memory_id, text, must)
    if any(other.id == memory_id for other in draft.expected):
        expected = tuple(one if other.id == memory_id else other for other in draft.expected)
    else:
        expected = (*draft.expected, one)
    return replace(draft, expected=expected)


def without(draft: GoldenDraft, memory_id: str) -> GoldenDraft:
    """The draft without a memory."""
    return replace(draft, expected=tuple(one for one in draft.expected if one.id != memory_id))
