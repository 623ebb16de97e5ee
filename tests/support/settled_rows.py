"""Every kind of row that what is settled has, written into a workspace."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.knowledge.domains import Domain, Permission, Role
from inklings_desktop.domain.knowledge.facts import (
    SUPERSEDED,
    FactDetails,
    PolicyDetails,
    StoryInterval,
)
from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
from inklings_desktop.domain.memory import Lifetime, MemoryAction, MemoryKind
from tests.support.builders import NOON, a_memory

if TYPE_CHECKING:
    from inklings_desktop.storage.unit_of_work import SqliteUnitOfWork

CANON = Domain(
    "00000000-0000-4000-8000-0000000000d1", "Canon", "What holds.", True, "Ada", "person", NOON
)
IDS = [f"00000000-0000-4000-8000-0000000000f{n}" for n in range(3)]
"""Of a fact, of the one that took its place, and of a rule."""


def settle(unit: SqliteUnitOfWork, mark: str = "") -> None:
    """A fact that another one replaced, a rule that is on, a role, and what an agent keeps.

    Args:
        unit: Of a workspace; the caller commits.
        mark: A word that each of its texts says besides.
    """
    said = f" {mark}" if mark else ""
    fact = replace(
        a_memory(f"Nerys is left-handed{said}.", memory_id=IDS[0], lifetime=Lifetime.LONG_TERM),
        kind=MemoryKind.FACT,
        domain_id=CANON.id,
        topic="Nerys/hand",
    )
    later = replace(fact, id=IDS[1], content=f"Nerys is right-handed{said}.")
    rule = replace(
        fact, id=IDS[2], content=f"Never show magic{said}.", kind=MemoryKind.POLICY, topic=""
    )
    unit.knowledge.save_domain(CANON)
    unit.knowledge.save_role(Role("editor", NOON))
    unit.knowledge.put_grant("editor", CANON.id, Permission.WRITE)
    old, *_ = unit.memories.add([fact, later, rule])
    unit.knowledge.put_details(IDS[0], FactDetails(0.8, StoryInterval(1, 9)))
    unit.knowledge.put_details(IDS[1], FactDetails(0.95, StoryInterval(9)))
    unit.knowledge.put_details(IDS[2], PolicyDetails("editor", always=True))
    unit.memories.save(
        replace(old, forgotten_at=NOON, forgotten_reason=SUPERSEDED, successor_id=IDS[1]),
        expected_version=1,
        action=MemoryAction.FORGOTTEN,
        changed_by="Ada",
        door="window",
        changed_at=NOON,
        extra='{"confidence": 0.7}',
    )
    unit.knowledge.save_working_memory(WorkingMemory("scribe", "", f"Kept{said}.", 1, NOON))
