"""What an agent is told of what is settled at the start of a turn: role, rules, own text, facts.

Each part has a share of what the standing slice leaves; what one does not use passes on. A rule
stands under its heading only because the author switched it on; a fact is quoted with how sure it
is. Nothing here depends on anything but its arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.ages import age
from inklings_desktop.domain.knowledge.facts import GUESS_BELOW
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.hidden_text import spelled_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.knowledge.facts import Fact, FactView, Policy
    from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
    from inklings_desktop.domain.memory import MemoryEntry

SHARE_OF_RULES = 0.10
SHARE_OF_KEPT = 0.05
SHARE_OF_FACTS = 0.15

_RULES = "\n## House rules\n"
_KEPT = "\n## Your working memory\n"
_FACTS = "\n## Facts\n"
_SHORTENED = "  > (the beginning is left out; working_memory_read tells it)\n"

AS_RULE = "House rule, by the author:"
AS_FACT = "Recorded as fact:"
AS_GUESS = "A working guess, not settled:"


@dataclass(frozen=True, slots=True)
class ActsAs:
    """Under which role an agent acts, and the names of the domains that it may read and write."""

    role: str
    readable: tuple[str, ...]
    writable: tuple[str, ...]

    def markdown(self) -> str:
        """One line; domains are quoted, for an agent may have named them."""
        if not self.readable:
            return ""
        reads = ", ".join(f"\u201c{one}\u201d" for one in self.readable)
        writes = ", ".join(f"\u201c{one}\u201d" for one in self.writable)
        line = f"You act as {self.role}: you may read {reads}"
        return spelled_out(f"\n{line}, and write {writes}.\n" if writes else f"\n{line}.\n")


@dataclass(frozen=True, slots=True)
class Settled:
    """What is offered of it, before the budget is known.

    Attributes:
        acts_as: The role; None outside every domain.
        rules: Rules that are on and bear on the turn, the most important first.
        kept: What the agent keeps between its runs.
        facts: The best first.
        found: Ids of the facts that a question found.
    """

    acts_as: ActsAs | None = None
    rules: tuple[Policy, ...] = ()
    kept: WorkingMemory | None = None
    facts: tuple[FactView, ...] = ()
    found: frozenset[str] = frozenset()


NOTHING_SETTLED = Settled()


@dataclass(frozen=True, slots=True)
class ToldSettled:
    """What is told of it.

    Attributes:
        rules: Those that had room.
        n_rules_left_out: Those that had none.
        facts: Those that had room.
        found: Memories of those of them that a question found: they count as read.
        role: As what the agent acts, in a line; empty where nothing is said of it.
        kept: What of the agent's own text is told, quoted; empty for nothing.
        markdown: The whole text; empty where there is nothing.
    """

    rules: tuple[Policy, ...] = ()
    n_rules_left_out: int = 0
    facts: tuple[FactView, ...] = ()
    found: tuple[MemoryEntry, ...] = ()
    role: str = ""
    kept: str = ""
    markdown: str = ""


NOTHING_TOLD = ToldSettled()


def told_settled(offer: Settled, rest: int, as_of: datetime) -> ToldSettled:
    """The sections, within their shares of what the standing slice leaves.

    Args:
        offer: What there is.
        rest: Characters that the standing slice leaves.
        as_of: Now.
    """
    if offer is NOTHING_SETTLED:
        return NOTHING_TOLD
    role = "" if offer.acts_as is None else offer.acts_as.markdown()
    share = int(rest * SHARE_OF_RULES)
    rules, rules_told = _rules(offer.rules, share)
    share += int(rest * SHARE_OF_KEPT) - len(rules_told)
    kept = _kept(offer.kept, share)
    share += int(rest * SHARE_OF_FACTS) - len(kept)
    facts, facts_told = _facts(offer.facts, share, as_of)
    text = role if len(role) <= rest else ""
    return ToldSettled(
        rules,
        len(offer.rules) - len(rules),
        facts,
        tuple(one.fact.memory for one in facts if one.fact.memory.id in offer.found),
        text.strip(),
        kept.removeprefix(_KEPT).strip("\n"),
        f"{text}{rules_told}{kept}{facts_told}",
    )


def framing_of(fact: Fact) -> str:
    """How a fact is introduced to an agent."""
    return AS_GUESS if fact.details.confidence < GUESS_BELOW else AS_FACT


def _rules(rules: Sequence[Policy], share: int) -> tuple[tuple[Policy, ...], str]:
    """Whole rules as far as there is room; of the rest only how many there are is said."""
    told: list[Policy] = []
    text = _RULES
    for number, one in enumerate(rules):
        line = rule_line(one)
        left = len(rules) - number - 1
        if len(text) + len(line) + len(_left_out(left)) > share:
            break
        text += line
        told.append(one)
    left_out = _left_out(len(rules) - len(told))
    if not told:
        return (), (_RULES + left_out if left_out and len(_RULES + left_out) <= share else "")
    return tuple(told), text + left_out


def _left_out(n: int) -> str:
    if not n:
        return ""
    rules = "house rule has" if n == 1 else "house rules have"
    return f"\n{n} more {rules} no room here; policy_list tells all.\n"


def rule_line(rule: Policy) -> str:
    """A rule that the author switched on: the only text that stands as an instruction."""
    head = f"\n- *{AS_RULE}* (\u201c{rule.domain}\u201d, id {rule.memory.id})\n"
    return spelled_out(head) + _quoted(rule.memory.content)


def _kept(kept: WorkingMemory | None, share: int) -> str:
    """The agent's own text; of one that is too long its end."""
    if kept is None or not kept.body.strip():
        return ""
    whole = f"{_KEPT}\n{_quoted(kept.body)}"
    if len(whole) <= share:
        return whole
    lines = kept.body.splitlines()
    room = share - len(_KEPT) - len(_SHORTENED) - 1
    end = ""
    while lines and len(more := _quoted(lines[-1])) + len(end) <= room:
        end = more + end
        lines.pop()
    return f"{_KEPT}\n{_SHORTENED}{end}" if end else ""


def _facts(
    facts: Sequence[FactView], share: int, as_of: datetime
) -> tuple[tuple[FactView, ...], str]:
    """Facts as far as there is room; those that disagree together or not at all."""
    by_id = {one.fact.memory.id: one for one in facts}
    told: list[FactView] = []
    text, seen = _FACTS, set[str]()
    for one in facts:
        group = [by_id[id_] for id_ in _group(one, by_id) if id_ not in seen]
        seen |= {each.fact.memory.id for each in group}
        is_whole = all(id_ in by_id for each in group for id_ in each.disagrees_with)
        lines = "".join(fact_line(each, as_of) for each in group)
        if is_whole and group and len(text) + len(lines) <= share:
            text += lines
            told += group
    return tuple(told), (text if told else "")


def _group(one: FactView, by_id: Mapping[str, FactView]) -> list[str]:
    """The fact and all that disagree with it, and so on; in the order in which they are met."""
    found, ahead = dict[str, None](), [one.fact.memory.id]
    while ahead:
        id_ = ahead.pop(0)
        if id_ in by_id and id_ not in found:
            found[id_] = None
            ahead += by_id[id_].disagrees_with
    return list(found)


def fact_line(view: FactView, as_of: datetime) -> str:
    """A fact, quoted, behind its domain, topic, confidence, writer, age and source."""
    fact, entry = view.fact, view.fact.memory
    said = [
        f"\u201c{fact.domain}\u201d, {entry.topic}",
        f"confidence {fact.details.confidence:.2f}",
        f"by {entry.by}",
        f"age {age(entry.created_at, as_of)}",
        *_story(fact),
        *_source(view),
        *(["another fact says otherwise"] if view.disagrees_with else []),
        f"id {entry.id}",
    ]
    head = spelled_out(f"\n- *{framing_of(fact)}* ({_one_line(', '.join(said))})\n")
    return head + _quoted(entry.content)


def _story(fact: Fact) -> list[str]:
    story = fact.details.story
    if story.is_open:
        return []
    if story.first is None:
        return [f"until chapter {story.until}"]
    until = "" if story.until is None else f" until {story.until}"
    return [f"from chapter {story.first}{until}"]


def _source(view: FactView) -> list[str]:
    standing = next((one.standing for one in view.observations if one.standing is not None), None)
    if standing is None:
        return []
    changed = "which changed since" if standing.has_changed else "unchanged"
    return [f"from {standing.page_title}, {changed}"]


def _quoted(text: str) -> str:
    lines = "\n".join(f"  > {line}".rstrip() for line in text.splitlines() or [""])
    return f"{spelled_out(lines)}\n"


def _one_line(text: str) -> str:
    return " ".join(text.split())
