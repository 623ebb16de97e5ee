"""What the use cases of knowledge take and hand out."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.knowledge.facts import ALWAYS, StoryInterval
from inklings_desktop.domain.memory import DEFAULT_IMPORTANCE
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.query_text import SearchMode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.knowledge.domains import Domain, Permission, Role
    from inklings_desktop.domain.knowledge.facts import (
        Fact,
        FactState,
        FactView,
        Observation,
        Policy,
    )
    from inklings_desktop.domain.search.explanation import Explanation


@dataclass(frozen=True, slots=True)
class FactDraft:
    """What somebody states.

    Attributes:
        domain: Name or id.
        confidence: How sure, 0 to 1; None means 1 for the author and 0.7 for an agent.
        sources: Ids of memories, references to pages, or the ref code of a conversation.
        story: In which chapters it holds.
    """

    domain: str
    topic: str
    content: str
    confidence: float | None = None
    sources: tuple[str, ...] = ()
    importance: float = DEFAULT_IMPORTANCE
    tags: tuple[str, ...] = ()
    story: StoryInterval = ALWAYS


@dataclass(frozen=True, slots=True)
class FactPut:
    """What became of it.

    Attributes:
        was_known: Whether the topic said it already.
        conflicts: Facts of the topic that say otherwise.
    """

    fact: Fact
    was_known: bool = False
    conflicts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class FactPatch:
    """A change of a fact besides its text; None leaves a value as it is."""

    confidence: float | None = None
    topic: str | None = None
    story: StoryInterval | None = None
    tags: tuple[str, ...] | None = None
    importance: float | None = None


class FactSort(StrEnum):
    """Orders of a list of facts."""

    DOMAIN = "domain"
    CONFIDENCE = "confidence"
    NEWEST = "newest"


@dataclass(frozen=True, slots=True)
class FactQuery:
    """Which facts a list holds; what is empty does not filter.

    Attributes:
        topic: This topic, and those below it.
        with_superseded: Also those whose place a later one took.
        at_story: Only what holds in this chapter.
    """

    domain: str = ""
    topic: str = ""
    with_superseded: bool = False
    states: frozenset[FactState] = frozenset()
    at_story: int | None = None
    sort: FactSort = FactSort.DOMAIN
    limit: int = 200
    offset: int = 0


@dataclass(frozen=True, slots=True)
class FactList:
    """One page of a list, and how many there are in all."""

    facts: tuple[FactView, ...]
    total: int


@dataclass(frozen=True, slots=True)
class FactSearch:
    """What is looked for among facts.

    Attributes:
        history: Also superseded ones, after those that hold.
    """

    query: str
    domain: str = ""
    topic: str = ""
    history: bool = False
    at_story: int | None = None
    limit: int = 20
    mode: SearchMode = SearchMode.HYBRID


@dataclass(frozen=True, slots=True)
class FactHit:
    """A fact that was found, and why."""

    view: FactView
    score: float
    explanation: Explanation


@dataclass(frozen=True, slots=True)
class PolicyDraft:
    """A rule that somebody wants.

    Attributes:
        domain: Name or id.
        sources: Ids of facts, usually.
        reason: Why, where an agent asks for it.
    """

    domain: str
    rule: str
    sources: tuple[str, ...] = ()
    required_role: str = ""
    always: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PolicyView:
    """A rule with what it rests on."""

    policy: Policy
    observations: tuple[Observation, ...] = ()
    rests_on_superseded: bool = False


@dataclass(frozen=True, slots=True)
class DomainView:
    """A domain with what is in it, and what the caller may do there."""

    domain: Domain
    n_facts: int
    n_policies: int
    permission: Permission


@dataclass(frozen=True, slots=True)
class GrantCell:
    """What one role may do in one domain.

    Attributes:
        is_own: Whether somebody said so; else the domain's default holds.
        is_barred: Whether a rule lets only other roles write there.
        n_refused: Writes there in the last 30 days that were refused to its clients.
    """

    permission: Permission
    is_own: bool
    is_barred: bool
    n_refused: int = 0


@dataclass(frozen=True, slots=True)
class GrantMatrix:
    """Roles and domains of a workspace.

    Attributes:
        clients: By role, the clients that act under it.
        cells: By role and id of the domain.
        required: By id of the domain, the roles that rules name; while they are on, only these
            write there.
    """

    roles: tuple[Role, ...]
    domains: tuple[Domain, ...]
    clients: Mapping[str, tuple[str, ...]]
    cells: Mapping[tuple[str, str], GrantCell]
    required: Mapping[str, frozenset[str]] = field(default_factory=dict)
