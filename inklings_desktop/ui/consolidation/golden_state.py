"""What the golden questions dialog shows and says at any moment; no widgets, no calls."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.golden import MAX_EXPECTED, MAX_QUESTION_CHARACTERS
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.consolidation.review_rows import expected_line
from inklings_desktop.ui.kit.lists.badge_list import BadgeRow
from inklings_desktop.ui.kit.look.translation import counted, grouped, tr
from inklings_desktop.ui.kit.words.consolidation_words import (
    ReviewNotice,
    record_lines,
    since_words,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.background.golden import GoldenQuestion, GoldenRecord
    from inklings_desktop.domain.errors import InvalidValueError
    from inklings_desktop.domain.memory import ScopeKey, Tier


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


def golden_rows(state: GoldenState) -> tuple[BadgeRow, ...]:
    """The questions of the list, an unsaved new one at its head."""
    rows = []
    draft = state.draft
    if draft is not None and draft.key == NEW:
        rows.append(
            BadgeRow(
                NEW,
                draft.text.strip() or tr("New question"),
                state.place_of(draft.scope),
                tr("not kept yet"),
                "graphite",
                is_remembered=False,
            )
        )
    for one in state.questions:
        record = state.records.get(one.id)
        badge, role = ("", "graphite")
        place = state.place_of(one.scope)
        parts = (place, expected_line(len(one.must), len(one.must_not)))
        if record is not None and record.is_right:
            badge, role = tr("answered"), "accent"
        elif record is not None:
            badge, role = tr("not answered"), "ochre"
            parts = (place, since_words(record))
        rows.append(
            BadgeRow(
                one.id,
                one.question,
                ", ".join(part for part in parts if part),
                badge,
                role,
                is_remembered=False,
            )
        )
    return tuple(rows)


def summary(state: GoldenState) -> str:
    """How all of them fare, for the line under the title."""
    n = len(state.questions)
    if not n:
        return tr("What must be found, whatever is tidied up")
    if state.is_asking and not state.records:
        return counted(n, "Asking 1 question", "Asking {n} questions")
    if state.n_wrong:
        return counted(
            state.n_wrong,
            "1 of {m} is not answered as it must be",
            "{n} of {m} are not answered correctly",
        ).format(m=grouped(n))
    return counted(n, "It is answered as it must be", "All {n} are answered")


def expected_state(state: GoldenState, one: Expected) -> tuple[bool, str]:
    """Whether a memory is where it must be, and that in words; as of the last asking."""
    record = state.record
    if record is not None:
        rank = record.answer.ranks.get(one.id, 0)
    elif not state.looked_for:
        ids = [id_ for id_, _ in state.found]
        rank = ids.index(one.id) + 1 if one.id in ids else 0
    else:
        return True, ""
    said = tr("found, no. {n}").format(n=rank) if rank else tr("not found now")
    return bool(rank) is one.must, said


def fared_note(state: GoldenState) -> ReviewNotice | None:
    """How the question in the fields fares since when; None while nobody knows."""
    record = state.record
    if record is None:
        return None
    place = state.place_of(record.answer.question.scope)
    said, asked = record_lines(record, place)
    texts = dict(state.found)
    instead = [texts[id_] for id_ in record.answer.instead if id_ in texts]
    if instead:
        asked = tr("{asked} Found first instead: {text}").format(asked=asked, text=instead[0])
    return ReviewNotice("lapis" if record.is_right else "ochre", said, asked)


def found_title(state: GoldenState) -> str:
    """What the list of found memories is called."""
    if state.looked_for:
        return tr("Found for \u201c{text}\u201d").format(text=state.looked_for)
    return tr("What it finds now")


def found_nothing(state: GoldenState) -> str:
    """What to say while nothing is found."""
    draft = state.draft
    if draft is None or not (state.looked_for or draft.text.strip()):
        return tr("Write the question, and what it finds appears here.")
    if state.found:
        return tr("Everything that it finds is expected above.")
    return tr("Nothing is found. Look for the memory by its own words.")


def problem_text(error: InvalidValueError) -> str:
    """Why a question cannot be kept."""
    return {
        "empty": tr("A question needs at least one word."),
        "too_long": tr("A question has at most {n} characters.").format(n=MAX_QUESTION_CHARACTERS),
        "expects_nothing": tr("Choose at least one memory that should be found, or should not."),
        "expects_too_much": tr("A question expects at most {n} memories.").format(n=MAX_EXPECTED),
    }.get(error.rule, tr("This question cannot be saved."))


def saved_notice() -> ReviewNotice:
    """The question was kept."""
    return ReviewNotice(
        "lapis",
        tr("Kept."),
        tr(
            "It is asked before and after every consolidation and import, and after "
            "changes to search."
        ),
    )
