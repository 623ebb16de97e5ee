"""The contract of memories, asked of facts: a fact is a memory with more columns."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.domain.memory import Lifetime, MemoryKind, Tier
from tests.contracts import test_memory_repository_contract as contract
from tests.support.builders import a_memory

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryEntry

NOT_OF_FACTS = {
    "test_the_least_relevant_are_what_the_cap_may_forget": "no fact leaves by the cap",
    "test_the_latest_written_to_come_first_whatever_became_of_them": "asked behind other walls",
    "test_what_may_say_the_same_is_found_by_its_text": "no fact is merged with another",
}
"""What the contract says of notes alone, and why."""
CONTRACT = {name: test for name, test in vars(contract).items() if name.startswith("test_")}


def a_fact(*values: Any, **named: Any) -> MemoryEntry:
    """The same memory as a fact, unless it is of another tier or of one agent alone."""
    entry = a_memory(*values, **named)
    if entry.scope.tier is not Tier.WORKSPACE or entry.agent_id is not None:
        return entry
    return replace(
        entry,
        kind=MemoryKind.FACT,
        domain_id="d1",
        topic="Nerys/hand",
        lifetime=Lifetime.LONG_TERM,
    )


@pytest.fixture(autouse=True)
def _facts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contract, "a_memory", a_fact)


globals().update({name: test for name, test in CONTRACT.items() if name not in NOT_OF_FACTS})


def test_what_is_not_asked_of_facts_is_in_the_contract() -> None:
    assert CONTRACT.keys() >= NOT_OF_FACTS.keys()
