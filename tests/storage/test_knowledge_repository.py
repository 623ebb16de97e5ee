"""Domains, roles, facts' own columns and what agents keep, as one file holds them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError

from inklings_desktop.domain.access.clients import Client, ClientKind
from inklings_desktop.domain.errors import ConflictError, NotFoundError
from inklings_desktop.domain.knowledge.domains import ClientRole, Domain, Permission, Role
from inklings_desktop.domain.knowledge.facts import (
    SUPERSEDED,
    FactDetails,
    PolicyDetails,
    StoryInterval,
)
from inklings_desktop.domain.knowledge.working_memory import MAX_VERSIONS, WorkingMemory
from inklings_desktop.domain.memory import (
    Lifetime,
    MemoryAction,
    MemoryEntry,
    MemoryKind,
    ScopeKey,
    Tier,
)
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.unit_of_work import SqliteUnitOfWork
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.sqlite_store import SqliteWorld, sqlite_world

CANON = Domain("d-canon", "Canon", "", False, "Ada", "person", NOON)
SECRETS = Domain("d-secrets", "Secrets", "", True, "Ada", "person", NOON)


def a_fact(memory_id: str, content: str, topic: str = "Nerys/hand") -> MemoryEntry:
    entry = a_memory(content, memory_id=memory_id, lifetime=Lifetime.LONG_TERM)
    return replace(entry, kind=MemoryKind.FACT, domain_id=CANON.id, topic=topic)


def supersede(unit: SqliteUnitOfWork, old: MemoryEntry, new_id: str) -> MemoryEntry:
    return unit.memories.save(
        replace(old, forgotten_at=NOON, forgotten_reason=SUPERSEDED, successor_id=new_id),
        expected_version=old.version,
        action=MemoryAction.FORGOTTEN,
        changed_by="Ada",
        door="window",
        changed_at=NOON,
    )


@pytest.fixture
def world(tmp_path: Path) -> Iterator[SqliteWorld]:
    with sqlite_world(tmp_path) as made:
        yield made


def test_a_domain_is_found_by_name_in_any_case_and_no_other_takes_its_name(
    world: SqliteWorld,
) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.knowledge.save_domain(CANON)
        unit.commit()
    with world.store.read(WORKSPACE_ID) as view:
        assert view.knowledge.domain("canon") == view.knowledge.domain(CANON.id) == CANON
        with pytest.raises(NotFoundError):
            view.knowledge.domain("secrets")
    with (
        world.store.write(WORKSPACE_ID, initiator="Ada") as unit,
        pytest.raises(ConflictError),
    ):
        unit.knowledge.save_domain(replace(SECRETS, name="CANON"))


def test_a_role_has_what_was_granted_and_else_the_default_of_the_domain(
    world: SqliteWorld,
) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        assert unit.knowledge.gates(["external"]) == {}
        unit.knowledge.save_domain(CANON)
        unit.knowledge.save_domain(SECRETS)
        unit.knowledge.save_role(Role("editor", NOON))
        unit.knowledge.put_grant("editor", SECRETS.id, Permission.WRITE)
        unit.commit()
    with world.store.read(WORKSPACE_ID) as view:
        gates = view.knowledge.gates(["editor", "external"])
        assert [one.name for one in view.knowledge.roles()] == ["world-agent", "external", "editor"]
    assert gates["editor"].permission(SECRETS.id) is Permission.WRITE
    assert gates["external"].permission(SECRETS.id) is Permission.NONE
    assert gates["external"].readable == {CANON.id}
    assert gates["external"].walls == {"/d-canon"}
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.knowledge.put_grant("editor", SECRETS.id, None)
        assert unit.knowledge.gates(["editor"])["editor"].readable == {CANON.id}


def test_while_a_rule_names_a_role_no_other_writes_in_its_domain(world: SqliteWorld) -> None:
    rule = replace(a_fact("r1", "Depths in hands.", ""), kind=MemoryKind.POLICY)
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.knowledge.save_domain(CANON)
        for role in ("editor", "researcher"):
            unit.knowledge.put_grant(role, CANON.id, Permission.WRITE)
        [stored] = unit.memories.add([rule])
        unit.knowledge.put_details(stored.id, PolicyDetails("editor", always=True))
        gates = unit.knowledge.gates(["editor", "researcher"])
        assert gates["editor"].permission(CANON.id) is Permission.WRITE
        assert gates["researcher"].permission(CANON.id) is Permission.READ
        assert unit.knowledge.policies_of([rule.id]) == {
            rule.id: PolicyDetails("editor", always=True)
        }
        unit.memories.save(
            replace(stored, paused=True),
            expected_version=stored.version,
            action=MemoryAction.PAUSED,
            changed_by="Ada",
            door="window",
            changed_at=NOON,
        )
        assert unit.knowledge.gates(["researcher"])["researcher"].permission(CANON.id) is (
            Permission.WRITE
        )


def test_a_chain_is_told_from_any_of_its_facts_and_its_head_is_the_one_that_holds(
    world: SqliteWorld,
) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.knowledge.save_domain(CANON)
        texts = ("About ten years.", "Nine years.", "Eleven years.")
        made = unit.memories.add([a_fact(f"f{n}", text) for n, text in enumerate(texts)])
        for old, new in pairwise(made):
            supersede(unit, old, new.id)
        for one in made:
            assert [fact.id for fact in unit.knowledge.chain(one.id)] == ["f0", "f1", "f2"]
        assert unit.knowledge.replaced_by(["f2", "f0"]) == {"f2": 2}
        with pytest.raises(NotFoundError):
            unit.knowledge.chain("unknown")


def test_a_chain_only_goes_forward_and_stays_in_its_domain(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.knowledge.save_domain(CANON)
        unit.knowledge.save_domain(SECRETS)
        elsewhere = replace(a_fact("f3", "Nine."), domain_id=SECRETS.id)
        first, second, other = unit.memories.add(
            [a_fact("f1", "Ten years."), a_fact("f2", "Nine years."), elsewhere]
        )
        [note] = unit.memories.add([a_memory("A note.", memory_id="n1")])
        unit.commit()
    for old, new in ((second, first), (first, first), (first, other), (first, note)):
        with (
            world.store.write(WORKSPACE_ID, initiator="Ada") as unit,
            pytest.raises(IntegrityError, match="a later fact of the same domain"),
        ):
            supersede(unit, old, new.id)


def test_several_facts_of_one_topic_make_it_crowded(world: SqliteWorld) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.knowledge.save_domain(CANON)
        made = unit.memories.add(
            [
                a_fact("f1", "Nerys is left-handed.", "Nerys/Hand"),
                a_fact("f2", "Nerys is right-handed.", "nerys/hand"),
                a_fact("f3", "Pell is tall.", "Pell"),
            ]
        )
        details = FactDetails(0.9, StoryInterval(1, 8))
        for one in made:
            unit.knowledge.put_details(one.id, details)
        assert unit.knowledge.facts_of(["f1", "unknown"]) == {"f1": details}
        assert [one.id for one in unit.knowledge.of_topic(CANON.id, "NERYS/hand")] == ["f1", "f2"]
        assert unit.knowledge.crowded_topics() == ((CANON.id, "nerys/hand"),)
        assert unit.knowledge.counts() == {(CANON.id, MemoryKind.FACT): 3}


def test_what_an_agent_keeps_is_replaced_whole_and_ten_texts_back_are_kept(
    world: SqliteWorld,
) -> None:
    with world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        for version in range(1, MAX_VERSIONS + 4):
            kept = WorkingMemory("scribe", "", f"text {version}", version, NOON)
            unit.knowledge.save_working_memory(kept)
        with pytest.raises(ConflictError):
            unit.knowledge.save_working_memory(kept)
        assert unit.knowledge.working_memories() == (kept,)
        assert unit.knowledge.working_memory("scribe", "researcher") is None
        versions = unit.knowledge.working_memory_versions("scribe", "")
        assert [one.version for one in versions] == list(range(MAX_VERSIONS + 2, 2, -1))


def test_roles_of_a_client_lie_in_the_accounts_file(world: SqliteWorld) -> None:
    acting = ClientRole("scribe", WORKSPACE_ID, "editor", is_default=True)
    with world.store.write(None, initiator="Ada") as unit:
        unit.clients.save(Client("scribe", ClientKind.EXTERNAL, NOON))
        unit.knowledge.put_client_roles("scribe", WORKSPACE_ID, [acting])
        assert unit.knowledge.client_roles(WORKSPACE_ID) == (acting,)
        assert unit.knowledge.client_roles("other") == ()
        unit.knowledge.put_client_roles("scribe", WORKSPACE_ID, [])
        assert unit.knowledge.client_roles() == ()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda one: replace(one, scope=ScopeKey(Tier.CHANNEL, WORKSPACE_ID, "c1")),
        lambda one: replace(one, agent_id="scribe"),
        lambda one: replace(one, topic=""),
        lambda one: replace(one, domain_id=None),
    ],
    ids=["elsewhere", "private", "without a topic", "without a domain"],
)
def test_kinds_are_only_in_the_workspace_tier(
    world: SqliteWorld, wrong: Callable[[MemoryEntry], MemoryEntry]
) -> None:
    with (
        world.store.write(WORKSPACE_ID, initiator="Ada") as unit,
        pytest.raises(sqlite_module().IntegrityError),
    ):
        unit.memories.add([wrong(a_fact("f1", "Ten."))])


def test_the_accounts_file_refuses_kinds(world: SqliteWorld) -> None:
    with (
        world.store.write(None, initiator="Ada") as unit,
        pytest.raises(sqlite_module().IntegrityError),
    ):
        unit.memories.add([replace(a_fact("f1", "Ten."), scope=ScopeKey.account())])
