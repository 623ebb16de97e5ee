"""Facts as they are shown: with their details, their sources as these stand, and their state."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from inklings_desktop.domain.knowledge.disagreement import disagreements_of
from inklings_desktop.domain.knowledge.facts import (
    AGENTS_CONFIDENCE,
    Fact,
    FactDetails,
    FactView,
    Observation,
    state_of,
)
from inklings_desktop.domain.world.derivations import NO_SOURCES, SourceState
from inklings_desktop.usecases.steps.sources import FROM_MEMORY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.knowledge.facts import Disagreement
    from inklings_desktop.domain.memory import Derivation, MemoryEntry
    from inklings_desktop.domain.world.derivations import ToldSources
    from inklings_desktop.usecases.parts import Asked
    from inklings_desktop.usecases.ports.store import StoreView

_UNKNOWN = FactDetails(AGENTS_CONFIDENCE)
"""Of a fact whose own row was lost to damage."""


def as_facts(view: StoreView, entries: Sequence[MemoryEntry]) -> tuple[Fact, ...]:
    """Memories that are facts, with what else they have, in the same order."""
    if not entries:
        return ()
    details = view.knowledge.facts_of([one.id for one in entries])
    names = {one.id: one.name for one in view.knowledge.domains()}
    return tuple(
        Fact(one, details.get(one.id, _UNKNOWN), names.get(one.domain_id or "", ""))
        for one in entries
    )


def disagreements(
    view: StoreView, caller: Caller, among: Sequence[str] | None = None
) -> tuple[Disagreement, ...]:
    """Every two facts of one topic that say something else, of those the caller may know of.

    Args:
        view: Of the workspace.
        caller: Who asks.
        among: Ids of facts, whose topics alone are looked at; None for all.
    """
    found: list[Disagreement] = []
    for domain_id, topic in view.knowledge.crowded_topics(among):
        entries = view.knowledge.of_topic(domain_id, topic)
        facts = as_facts(view, [one for one in entries if caller.may_know_of(one)])
        found += disagreements_of(facts)
    return tuple(found)


def fact_views(asked: Asked, workspace_id: str, facts: Sequence[Fact]) -> tuple[FactView, ...]:
    """The same facts with their sources and their state."""
    with asked.store.read(workspace_id) as view:
        return views_in(view, asked, workspace_id, facts)


def views_in(
    view: StoreView, asked: Asked, workspace_id: str, facts: Sequence[Fact]
) -> tuple[FactView, ...]:
    """The same in a view that is open already."""
    entries = [one.memory for one in facts]
    told = asked.told_sources(workspace_id, entries)
    against: defaultdict[str, list[str]] = defaultdict(list)
    for one in disagreements(view, asked.caller, [one.id for one in entries]):
        first, second = one.first.memory.id, one.second.memory.id
        against[first].append(second)
        against[second].append(first)
    replaced = view.knowledge.replaced_by([one.id for one in entries])
    observed = observations_of(view, asked.caller, entries, told)
    return tuple(
        FactView(
            one,
            state_of(
                one,
                observed[one.memory.id],
                disagrees=one.memory.id in against,
                has_changed=told.get(one.memory.id, NO_SOURCES).has_changed,
            ),
            observed[one.memory.id],
            tuple(against.get(one.memory.id, ())),
            replaced.get(one.memory.id, 0),
        )
        for one in facts
    )


def observations_of(
    view: StoreView,
    caller: Caller,
    entries: Sequence[MemoryEntry],
    told: Mapping[str, ToldSources],
) -> Mapping[str, tuple[Observation, ...]]:
    """For each memory what it was concluded from, in its order."""
    named = {one.target for entry in entries for one in entry.derived_from if _is_memory(one)}
    known = {
        id_: one
        for id_, one in view.memories.get_many(sorted(named)).items()
        if caller.may_know_of(one)
    }

    def observed(entry: MemoryEntry) -> tuple[Observation, ...]:
        standings = {one.derivation.place: one for one in told.get(entry.id, NO_SOURCES).standings}
        found = []
        for place, one in enumerate(entry.derived_from):
            if _is_memory(one):
                memory = known.get(one.target)
                is_gone = memory is None or memory.is_forgotten
                found.append(Observation(one.target, memory, is_gone=is_gone))
                continue
            standing = standings.get(place)
            is_gone = standing is not None and standing.derivation.state is SourceState.GONE
            label = f"{one.target}#{one.block}" if one.block else one.target
            found.append(Observation(label, standing=standing, is_gone=is_gone))
        return tuple(found)

    return {one.id: observed(one) for one in entries}


def _is_memory(reference: Derivation) -> bool:
    return reference.block == FROM_MEMORY
