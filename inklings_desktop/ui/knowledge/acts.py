"""What a person does to facts and house rules, each with what undoes it; runs on a writer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.knowledge.facts import SUPERSEDED, WITHDRAWN
from inklings_desktop.domain.memories.memory_history import NOT_WRITTEN
from inklings_desktop.domain.memory import ForgottenAs
from inklings_desktop.usecases.knowledge.values import FactDraft, FactPatch, PolicyDraft
from inklings_desktop.usecases.memories.values import Reversion

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.knowledge.domains import Permission
    from inklings_desktop.domain.knowledge.facts import Fact, FactView
    from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.ui.kit.dialogs.fact_dialog import TypedFact
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.knowledge.values import FactPut, PolicyView

    Undoing = Callable[[Inklings], object]


def put_fact(inklings: Inklings, here: str, typed: TypedFact) -> FactPut:
    """Keep a fact; its domain is made if it is not there."""
    place = inklings.domains.named(here, typed.domain)
    draft = FactDraft(*(place, typed.topic, typed.content, typed.confidence), typed.references)
    return inklings.facts.put(here, draft)


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
    )


def be_as_sure(inklings: Inklings, fact: Fact, confidence: float) -> Undoing:
    """Keep how sure a fact is."""
    memory, before = fact.memory, fact.details.confidence
    edit, patch = inklings.facts.edit, FactPatch(confidence=confidence)
    version = edit(memory.ref, patch, expected_version=memory.version).memory.version
    again = FactPatch(confidence=before)
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


def switch_rule(inklings: Inklings, view: PolicyView, *, on: bool) -> Undoing:
    """Switch a house rule."""
    ref = view.policy.memory.ref
    inklings.policies.switch(ref, on=on)
    return lambda later: later.policies.switch(ref, on=not on)


def add_rule(inklings: Inklings, here: str, domain: str, text: str) -> Undoing:
    """Make a house rule."""
    ref = inklings.policies.put(here, PolicyDraft(domain, text)).memory.ref
    return lambda later: later.memories.forget([ref])


def change_rule(inklings: Inklings, view: PolicyView, **values: Any) -> Undoing:
    """Change a house rule; undoing it writes over nothing that somebody changed since."""
    memory = view.policy.memory
    whole: dict[str, Any] = {"rule": memory.content, "always": view.policy.details.always}
    earlier = {name: whole[name] for name in values}
    edit = partial(inklings.policies.edit, memory.ref)
    version = edit(expected_version=memory.version, **values).memory.version
    return lambda later: later.policies.edit(memory.ref, expected_version=version, **earlier)


def forget_rule(inklings: Inklings, view: PolicyView) -> Undoing:
    """Forget a house rule."""
    ref = view.policy.memory.ref
    inklings.memories.forget([ref])
    return lambda later: later.memories.restore([ref])


def grant(
    inklings: Inklings, here: str, cell: tuple[str, str], before: Permission | None, now: Permission
) -> Undoing:
    """Say what a role may do in a domain; ``before`` is None where nothing was said."""
    inklings.domains.grant(here, *cell, now)
    return lambda later: later.domains.grant(here, *cell, before)


def make_domain(inklings: Inklings, here: str, name: str) -> Undoing:
    """Make a domain."""
    made = inklings.domains.create(here, name)
    return lambda later: later.domains.archive(here, made.id)


def clear(inklings: Inklings, here: str, kept: WorkingMemory) -> Undoing:
    """Clear what an agent keeps; what it kept in that moment can be given back."""
    agent, of = kept.agent, kept.part
    version = inklings.working_memories.clear(here, agent, of).version
    return lambda later: later.working_memories.restore(here, agent, of, version)
