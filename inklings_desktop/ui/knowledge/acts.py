"""What a person does to facts and house rules, each with what undoes it; runs on a writer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.knowledge.facts import SUPERSEDED, WITHDRAWN
from inklings_desktop.domain.memories.memory_history import NOT_WRITTEN
from inklings_desktop.domain.memory import ForgottenAs
from inklings_desktop.usecases.knowledge.values import FactDraft, FactPatch
from inklings_desktop.usecases.memories.values import Reversion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.knowledge.facts import Fact, FactView
    from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.kit.dialogs.fact_dialog import TypedFact
    from inklings_desktop.ui.knowledge.facts_state import FactValues
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.knowledge.values import FactPut

    Undoing = Callable[[Inklings], object]


def put_fact(inklings: Inklings, here: str, typed: TypedFact) -> FactPut:
    """Keep a fact; its domain is made if it is not there."""
    place = inklings.domains.named(here, typed.domain)
    draft = FactDraft(
        *(place, typed.topic, typed.content, typed.confidence), typed.references, story=typed.story
    )
    return inklings.facts.put(here, draft)


def make_first(inklings: Inklings, here: str, names: Sequence[str]) -> Undoing:
    """Make the domains that a world begins with."""
    made = [inklings.domains.create(here, name).id for name in names]

    def undo(later: Inklings) -> None:
        for one in reversed(made):
            later.domains.unmake(here, one)

    return undo


def unwriting(memory: MemoryEntry) -> Undoing:
    """What undoes a new fact."""
    wanted = [Reversion(memory.ref, memory.version, NOT_WRITTEN)]
    return lambda inklings: inklings.memories.revert(wanted)


def supersede(inklings: Inklings, memory: MemoryEntry, typed: TypedFact) -> Fact:
    """Let what was typed take the place of a fact."""
    return inklings.facts.supersede(
        memory.ref,
        typed.content,
        reason=typed.reason,
        expected_version=memory.version,
        confidence=typed.confidence,
        topic=typed.topic,
        story=typed.story,
    )


def refile(inklings: Inklings, fact: Fact, typed: FactValues) -> Undoing:
    """Keep how sure a fact is, its topic and its chapters."""
    memory, edit = fact.memory, inklings.facts.edit
    patch = FactPatch(typed.confidence, typed.topic.strip(), typed.story)
    version = edit(memory.ref, patch, expected_version=memory.version).memory.version
    again = FactPatch(fact.details.confidence, memory.topic, fact.details.story)
    return lambda later: later.facts.edit(memory.ref, again, expected_version=version)


def withdraw(inklings: Inklings, view: FactView) -> tuple[str, Undoing]:
    """Forget a fact, and let the one stand again that it replaced; whose id is told."""
    memory = view.fact.memory
    if not view.n_replaced:
        inklings.memories.forget([memory.ref], reason=WITHDRAWN)
        return memory.id, lambda later: later.memories.restore([memory.ref])
    old = inklings.facts.take_back(memory.ref).memory
    wanted = [
        Reversion(memory.ref, memory.version + 1, memory.version),
        Reversion(old.ref, old.version, old.version - 1, ForgottenAs(SUPERSEDED, memory.id)),
    ]
    return old.id, lambda later: later.memories.revert(wanted)


def settle(inklings: Inklings, right: Fact, wrong: Fact) -> tuple[str, Undoing]:
    """Let one of two facts take the place of the other; the id of the one that stands is told."""
    kept, lost = right.memory.ref, wrong.memory.ref
    stands = inklings.facts.settle(kept, lost).memory
    if stands.ref == kept:
        return stands.id, lambda later: later.memories.restore([lost])
    return stands.id, lambda later: later.facts.take_back(stands.ref)


def clear(inklings: Inklings, here: str, kept: WorkingMemory) -> Undoing:
    """Clear what an agent keeps; what it kept in that moment can be given back."""
    agent, of = kept.agent, kept.part
    version = inklings.working_memories.clear(here, agent, of).version
    return lambda later: later.working_memories.restore(here, agent, of, version)
