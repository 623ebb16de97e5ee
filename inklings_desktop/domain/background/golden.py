"""Golden questions: what must be found, or must not, whatever the clock tidies up."""

from __future__ import annotations

from dataclasses import field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_rules import says_nothing

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memory import ScopeKey

MAX_QUESTION_CHARACTERS = 500
MAX_EXPECTED = 32
DEPTH = 10
"""How many hits count as found."""
MAX_INSTEAD = 3
"""How many other hits are named where something expected is missing."""


@dataclass(frozen=True, slots=True)
class GoldenQuestion:
    """A question with memories that its answer must hold, or must not.

    Attributes:
        id: Random UUID.
        question: What is asked, 1 to 500 characters.
        must: Ids that must be among the first ten hits.
        must_not: Ids that must not be.

    Raises:
        InvalidValueError: The question says nothing or is too long, nothing is expected of the
            answer, or one id is wanted and unwanted.
    """

    id: str
    scope: ScopeKey
    question: str
    must: tuple[str, ...]
    must_not: tuple[str, ...]
    created_at: datetime

    def __post_init__(self) -> None:
        text = self.question.strip()
        if "\x00" in text or says_nothing(text):
            raise InvalidValueError("question", "empty")
        if len(text) > MAX_QUESTION_CHARACTERS:
            raise InvalidValueError("question", "too_long", MAX_QUESTION_CHARACTERS)
        must, must_not = dict.fromkeys(self.must), dict.fromkeys(self.must_not)
        if not must and not must_not:
            raise InvalidValueError("question", "expects_nothing")
        if len(must) + len(must_not) > MAX_EXPECTED:
            raise InvalidValueError("question", "expects_too_much", MAX_EXPECTED)
        if must.keys() & must_not.keys():
            raise InvalidValueError("question", "contradicts_itself")
        put = object.__setattr__
        put(self, "question", text)
        put(self, "must", tuple(must))
        put(self, "must_not", tuple(must_not))


@dataclass(frozen=True, slots=True)
class GoldenAnswer:
    """How one question fares.

    Attributes:
        missing: Ids that must be found and are not.
        unwanted: Ids that must not be found and are.
        ranks: Places from 1 of those expected ids that were found, wanted or not.
        hits: Ids of the first ten hits, best first.
    """

    question: GoldenQuestion
    missing: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    ranks: Mapping[str, int] = field(default_factory=dict)
    hits: tuple[str, ...] = ()

    @property
    def is_right(self) -> bool:
        """Whether the answer is as it must be."""
        return not self.missing and not self.unwanted

    @property
    def instead(self) -> tuple[str, ...]:
        """What was found first and is not expected, where something expected is missing."""
        if not self.missing:
            return ()
        others = [id_ for id_ in self.hits if self.ranks.get(id_) is None]
        return tuple(others[:MAX_INSTEAD])


class GoldenCause(StrEnum):
    """After what a question was asked."""

    REQUEST = "request"
    CONSOLIDATION = "consolidation"
    UNDO = "undo"
    IMPORT = "import"
    WITHDRAWAL = "withdrawal"
    DECAY = "decay"
    MODEL = "model"
    MEANWHILE = "meanwhile"
    """Before the next of these: whatever happened since the last."""


@dataclass(frozen=True, slots=True)
class GoldenBasis:
    """What an answer depends on beside the memories.

    Attributes:
        rate: Share of relevance left after an hour in the question's tier.
        model_id: Model of the vectors that were compared; empty without one.
    """

    rate: float
    model_id: str


@dataclass(frozen=True, slots=True)
class GoldenRecord:
    """How a question fared when it was last asked, and since when it fares so.

    Attributes:
        cause: After what.
        basis: With which rate and model.
        since: When it was first found right, or wrong, without a break since.
        since_cause: After what that was.
        run_id: The run or import after which it was; empty where there was none.
    """

    answer: GoldenAnswer
    asked_at: datetime
    cause: GoldenCause
    basis: GoldenBasis
    since: datetime
    since_cause: GoldenCause
    run_id: str = ""

    @property
    def is_right(self) -> bool:
        """Whether the answer was as it must be."""
        return self.answer.is_right

    def followed_by(self, later: GoldenRecord) -> GoldenRecord:
        """What is kept of a later asking: a state that lasts keeps its beginning."""
        if later.is_right is not self.is_right:
            return later
        return replace(later, since=self.since, since_cause=self.since_cause, run_id=self.run_id)


@dataclass(frozen=True, slots=True)
class GoldenComparison:
    """How the questions fare before and after a change.

    Attributes:
        before: Answers as things are.
        after: Answers as they would be, in the same order.
    """

    before: tuple[GoldenAnswer, ...] = field(default=())
    after: tuple[GoldenAnswer, ...] = field(default=())

    @property
    def would_break(self) -> tuple[GoldenAnswer, ...]:
        """Answers that are right before and wrong after."""
        return tuple(
            after
            for before, after in zip(self.before, self.after, strict=True)
            if before.is_right and not after.is_right
        )


def judged(
    question: GoldenQuestion,
    hits: Sequence[str],
    *,
    gone: Collection[str] = (),
    lives_on_in: Mapping[str, str] | None = None,
) -> GoldenAnswer:
    """The answer that a list of hits gives.

    Args:
        question: What was asked.
        hits: Ids, best first; longer than ten where some of them are gone.
        gone: Ids that are no longer found.
        lives_on_in: Merged memory by the id of each of its sources; takes the place of the best.
    """
    successor = lives_on_in or {}
    found: dict[str, None] = {}
    for id_ in hits:
        if id_ in successor:
            found.setdefault(successor[id_])
        elif id_ not in gone:
            found.setdefault(id_)
    top = {id_: rank for rank, id_ in enumerate(list(found)[:DEPTH], start=1)}
    places = {
        id_: top[successor.get(id_, id_)]
        for id_ in (*question.must, *question.must_not)
        if successor.get(id_, id_) in top
    }
    return GoldenAnswer(
        question,
        tuple(id_ for id_ in question.must if id_ not in places),
        tuple(id_ for id_ in question.must_not if id_ in places),
        places,
        tuple(top),
    )
