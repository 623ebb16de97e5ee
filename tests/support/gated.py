"""Agents under a role, with the gate that the file has for it now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.knowledge.domains import OTHER_ROLE, Gate
from tests.support.builders import WORKSPACE_ID, an_agent

if TYPE_CHECKING:
    from inklings_desktop.domain.access.access import Caller
    from tests.usecases.world import World

ALL = frozenset({Action.READ, Action.WRITE, Action.PROPOSE})


def gated(
    world: World,
    role: str = OTHER_ROLE,
    name: str = "researcher",
    actions: frozenset[Action] = ALL,
) -> Caller:
    """An agent with these rights in every tier, acting under a role."""
    with world.store.read(WORKSPACE_ID) as view:
        gate = view.knowledge.gates({role}).get(role, Gate(role, {}, {}))
    return replace(an_agent(name, actions=actions), gate=gate)
