"""Golden questions: what must be found, or must not, whatever the clock tidies up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.text_rules import says_nothing

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memory import ScopeKey

MAX_QUESTION_CHARACTERS = 500
MAX_EXPECTED = 32
DEPTH = 10
"""How many hits count as found."""


@dataclass(frozen=True, slots=True)
class GoldenQuestion:
    """A question with memories that its answer must hold, or must not.

    Attributes:
        id: Random UUID.
        scope: Where it is asked.
        question: What is asked, 1 to 500 characters.
        must: Ids that must be among the first ten hits.
        must_not: Ids that must not be.
        created_at: When it was saved.

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
        """Check and tidy every value."""
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
        question: The question.
        missing: Ids that must be found and are not.
        unwanted: Ids that must not be found and are.
    """

    question: GoldenQuestion
    missing: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()

    @property
    def is_right(self) -> bool:
        """Whether the answer is as it must be."""
        return not self.missing and not self.unwanted


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
    top = set(list(found)[:DEPTH])
    return GoldenAnswer(
        question,
        tuple(id_ for id_ in question.must if successor.get(id_, id_) not in top),
        tuple(id_ for id_ in question.must_not if successor.get(id_, id_) in top),
    )
