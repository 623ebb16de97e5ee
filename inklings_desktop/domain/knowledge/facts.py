"""Facts and house rules: memories that say something settled, in a domain under a topic.

Source: the knowledge part of the product's design; a fact is a memory with more columns, never a
row of a second store.
"""

from __future__ import annotations

import unicodedata
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import MemoryKind
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_rules import checked_label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.likeness.differences import Difference
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.world.derivations import SourceStanding

MAX_FACT_CHARACTERS = 4_000
MAX_POLICY_CHARACTERS = 2_000
MAX_TOPIC_CHARACTERS = 80
MAX_CHAPTER = 100_000

SUPERSEDED = "superseded"
"""Why a fact was forgotten whose place a later one took."""
WITHDRAWN = "withdrawn"
"""Why a fact was forgotten that was taken back."""

AGENTS_CONFIDENCE = 0.7
"""How sure an agent is that does not say it."""
MOST_OF_AN_AGENT = 0.95
AUTHORS_CONFIDENCE = 1.0
GUESS_BELOW = 0.3
"""Below this an agent is told that it is a working guess."""


class FactState(StrEnum):
    """How a fact stands; the first that holds."""

    SUPERSEDED = "superseded"
    FORGOTTEN = "forgotten"
    DISAGREES = "disagrees"
    """Another fact of its topic says otherwise."""
    SOURCE_CHANGED = "source_changed"
    UNSUPPORTED = "unsupported"
    """Nothing that it was concluded from is there any more."""
    CURRENT = "current"


@dataclass(frozen=True, slots=True, order=True)
class StoryInterval:
    """In which chapters something holds, the last one left out; None is open.

    Raises:
        InvalidValueError: A chapter is no whole number from 0, or the interval holds none.
    """

    first: int | None = None
    until: int | None = None

    def __post_init__(self) -> None:
        for chapter in (self.first, self.until):
            if chapter is None:
                continue
            if isinstance(chapter, bool) or not isinstance(chapter, int):
                raise InvalidValueError("story", "type")
            if not 0 <= chapter <= MAX_CHAPTER:
                raise InvalidValueError("story", "range")
        if self.first is not None and self.until is not None and self.first >= self.until:
            raise InvalidValueError("story", "empty")

    def holds_at(self, chapter: int) -> bool:
        """Whether it holds in this chapter."""
        return (self.first is None or self.first <= chapter) and (
            self.until is None or chapter < self.until
        )

    def meets(self, other: StoryInterval) -> bool:
        """Whether there is a chapter in which both hold."""
        return all(
            one.until is None or two.first is None or two.first < one.until
            for one, two in ((self, other), (other, self))
        )

    @property
    def is_open(self) -> bool:
        """Whether it says nothing about chapters."""
        return self.first is None and self.until is None


ALWAYS = StoryInterval()


@dataclass(frozen=True, slots=True)
class FactDetails:
    """What a fact has besides its memory.

    Attributes:
        confidence: How sure whoever stated it was, 0 to 1; never computed again.
        story: In which chapters it holds.
    """

    confidence: float
    story: StoryInterval = ALWAYS

    def __post_init__(self) -> None:
        object.__setattr__(self, "confidence", checked_confidence(self.confidence))


@dataclass(frozen=True, slots=True)
class PolicyDetails:
    """What a house rule has besides its memory.

    Attributes:
        required_role: While the rule is on, only this role writes in its domain; empty for any.
        always: Whether an agent is told it at every turn.
    """

    required_role: str = ""
    always: bool = False


def payload_of(details: FactDetails | PolicyDetails) -> dict[str, object]:
    """What is kept of it with a proposal until the author decides."""
    if isinstance(details, PolicyDetails):
        return {"required_role": details.required_role, "always": details.always}
    story = details.story
    return {
        "confidence": details.confidence,
        "story_from": story.first,
        "story_until": story.until,
    }


def details_of(kind: MemoryKind, payload: Mapping[str, object]) -> FactDetails | PolicyDetails:
    """The same back again; what cannot be understood is as if nobody had said it."""
    if kind is MemoryKind.POLICY:
        role = payload.get("required_role")
        return PolicyDetails(role if isinstance(role, str) else "", payload.get("always") is True)
    first, until, sure = (payload.get(one) for one in ("story_from", "story_until", "confidence"))
    story = StoryInterval(
        first if isinstance(first, int) else None, until if isinstance(until, int) else None
    )
    return FactDetails(sure if isinstance(sure, float | int) else AGENTS_CONFIDENCE, story)


@dataclass(frozen=True, slots=True)
class Fact:
    """One settled statement.

    Attributes:
        memory: The memory that it is; its topic and domain are there.
        domain: Name of its domain.
    """

    memory: MemoryEntry
    details: FactDetails
    domain: str

    @property
    def is_superseded(self) -> bool:
        """Whether a later one took its place."""
        return self.memory.forgotten_reason == SUPERSEDED and self.memory.is_forgotten


@dataclass(frozen=True, slots=True)
class Policy:
    """One house rule; it is on unless its memory is paused.

    Attributes:
        memory: The memory that it is.
        domain: Name of its domain.
    """

    memory: MemoryEntry
    details: PolicyDetails
    domain: str

    @property
    def is_active(self) -> bool:
        """Whether agents are told it."""
        return self.memory.is_retrievable


@dataclass(frozen=True, slots=True)
class Observation:
    """What a fact was concluded from.

    Attributes:
        reference: As it is kept: a memory's id, a page, or a conversation's ref code.
        memory: The memory, if it is one that is there and may be known of.
        standing: The page or block, if it is one.
        is_gone: Whether it is not there any more.
    """

    reference: str
    memory: MemoryEntry | None = None
    standing: SourceStanding | None = None
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two facts of one topic that say something else.

    Attributes:
        first: The earlier one.
        second: The later one.
        difference: In what they differ.
    """

    first: Fact
    second: Fact
    difference: Difference


@dataclass(frozen=True, slots=True)
class Ending:
    """When a fact ceased to hold, by whom, and why: empty where nobody said."""

    at: datetime
    by: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class FactView:
    """A fact with all that is said about it where it is shown.

    Attributes:
        observations: What it was concluded from, in order.
        disagrees_with: Ids of facts of its topic that say otherwise.
        n_replaced: How many facts it stands in the place of.
        ending: How it ceased to hold, where a whole chain is shown; None for one that holds.
    """

    fact: Fact
    state: FactState
    observations: tuple[Observation, ...] = ()
    disagrees_with: tuple[str, ...] = ()
    n_replaced: int = 0
    ending: Ending | None = None


def checked_topic(topic: object) -> str:
    """The topic without blanks at its ends.

    Raises:
        InvalidValueError: Not text, empty, over 80 characters, or with line breaks.
    """
    if not isinstance(topic, str):
        raise InvalidValueError("topic", "type")
    return checked_label(topic, "topic", MAX_TOPIC_CHARACTERS)


def checked_statement(text: str) -> str:
    """What a fact says.

    Raises:
        InvalidValueError: It is over 4,000 characters.
    """
    if len(text) > MAX_FACT_CHARACTERS:
        raise InvalidValueError("fact", "too_long", MAX_FACT_CHARACTERS)
    return text


def checked_rule(text: str) -> str:
    """What a house rule says.

    Raises:
        InvalidValueError: It is over 2,000 characters.
    """
    if len(text) > MAX_POLICY_CHARACTERS:
        raise InvalidValueError("rule", "too_long", MAX_POLICY_CHARACTERS)
    return text


def confidence_of(given: float | None, *, is_agent: bool) -> float:
    """How sure somebody is who may have said so; no agent is as sure as the author.

    Raises:
        InvalidValueError: It is no number from 0 to 1, or an agent's is over 0.95.
    """
    if given is None:
        return AGENTS_CONFIDENCE if is_agent else AUTHORS_CONFIDENCE
    sure = checked_confidence(given)
    if is_agent and sure > MOST_OF_AN_AGENT:
        raise InvalidValueError("confidence", "too_sure", str(MOST_OF_AN_AGENT))
    return sure


def weighed(score: float, confidence: float) -> float:
    """The score of a search as sure as the fact is: as gently as relevance is weighed."""
    return score * (0.9 + 0.1 * confidence)


def state_of(
    fact: Fact, observed: Sequence[Observation], *, disagrees: bool, has_changed: bool
) -> FactState:
    """How a fact stands: the first of its states that holds.

    Args:
        fact: The fact.
        observed: What it was concluded from.
        disagrees: Whether another fact of its topic says otherwise.
        has_changed: Whether a page that it comes from says something else now.
    """
    if fact.is_superseded:
        return FactState.SUPERSEDED
    if fact.memory.is_forgotten:
        return FactState.FORGOTTEN
    if disagrees:
        return FactState.DISAGREES
    if has_changed:
        return FactState.SOURCE_CHANGED
    if observed and all(one.is_gone for one in observed):
        return FactState.UNSUPPORTED
    return FactState.CURRENT


def topic_key(topic: str) -> str:
    """A topic as it is compared: without regard to case, accents as one sign, single blanks."""
    return " ".join(unicodedata.normalize("NFC", topic).casefold().split())


def checked_confidence(confidence: object) -> float:
    """The confidence as a plain float.

    Raises:
        InvalidValueError: Not a number (bool counts as none), not finite, or outside 0 to 1.
    """
    if isinstance(confidence, bool) or not isinstance(confidence, int | float):
        raise InvalidValueError("confidence", "type")
    if not 0.0 <= confidence <= 1.0:  # NaN fails this too
        raise InvalidValueError("confidence", "range")
    return float(confidence) + 0.0
