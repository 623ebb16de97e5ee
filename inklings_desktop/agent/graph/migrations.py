"""From the form of an earlier state to the one in use: pure functions, one per version.

A version that no step leads away from cannot go on: also where a node was renamed or taken away,
since what comes next is written in a checkpoint by the name of its node. Its turn is parked then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from inklings_desktop.agent.graph.state import STATE_VERSION, Object

Step: TypeAlias = Callable[[Object], Object]


@dataclass(frozen=True, slots=True)
class StateMigrations:
    """Which states a graph understands.

    Attributes:
        version: The form in use.
        steps: From each version to the next: the channels before and after. What it is handed is
            its own to change.
    """

    version: int = STATE_VERSION
    steps: Mapping[int, Step] = field(default_factory=dict)

    def migrated(self, values: Object, version: int) -> Object | None:
        """The channels in the form in use; None where no way leads there."""
        while version != self.version:
            step = self.steps.get(version)
            if step is None:
                return None
            version += 1
            values = step(values) | {"state_version": version}
        return values


CURRENT = StateMigrations()
