"""A scrub takes facts, house rules, domains and what agents keep along, and counts them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from inklings_desktop.domain.knowledge.domains import Domain, Permission, Role
from inklings_desktop.domain.knowledge.facts import FactDetails, PolicyDetails
from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
from inklings_desktop.domain.memory import Lifetime, MemoryKind, ScopeKey
from inklings_desktop.domain.scrub.manifest import ChosenScope, ScrubMode
from inklings_desktop.storage.unit_of_work import SqliteUnitOfWork
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.scrub_world import ScrubWorld, scrub_world
from tests.support.sqlite_store import integrity_faults, raw

MARK = "zqvwkxjtbdfgh7"
WORLD = ScopeKey.workspace(WORKSPACE_ID)
TABLES = (
    "facts", "policies", "domains", "roles", "role_grants", "agent_working_memory",
    "agent_working_memory_versions",
)  # fmt: skip


def plant(scene: ScrubWorld) -> None:
    """Two facts and a rule of one domain, and a text that an agent keeps, all with the mark."""

    def change(unit: SqliteUnitOfWork) -> None:
        canon = Domain("d1", f"Canon {MARK}", f"of {MARK}", True, "Ada", "person", NOON)
        unit.knowledge.save_domain(canon)
        unit.knowledge.save_role(Role("editor", NOON))
        unit.knowledge.put_grant("editor", canon.id, Permission.WRITE)
        fact = replace(
            a_memory(f"Nerys is {MARK}.", memory_id="f1", lifetime=Lifetime.LONG_TERM),
            kind=MemoryKind.FACT,
            domain_id=canon.id,
            topic=f"Nerys {MARK}",
        )
        other = replace(fact, id="f2", content="Pell is tall.", topic="Pell")
        rule = replace(
            fact, id="r1", content=f"Never say {MARK}.", kind=MemoryKind.POLICY, topic=""
        )
        unit.memories.add([fact, other, rule])
        unit.knowledge.put_details("f1", FactDetails(0.9))
        unit.knowledge.put_details("f2", FactDetails(0.9))
        unit.knowledge.put_details("r1", PolicyDetails("editor"))
        for version in (1, 2):
            kept = WorkingMemory("scribe", "", f"{version}: {MARK}", version, NOON)
            unit.knowledge.save_working_memory(kept)

    scene.write(WORLD, change)


def rows(scene: ScrubWorld) -> dict[str, int]:
    with raw(scene.world.path()) as connection:
        found = {
            one: connection.execute(f"SELECT count(*) FROM {one}").fetchone()[0]  # noqa: S608
            for one in TABLES
        }
    return {name: n for name, n in found.items() if n}


def files_with_mark(root: Path) -> list[Path]:
    files = (one for one in root.rglob("*") if one.is_file())
    return [one for one in files if MARK.encode() in one.read_bytes()]


def test_the_tier_takes_all_of_it_along_and_counts_it_in_the_phrase(tmp_path: Path) -> None:
    with scrub_world(tmp_path) as scene:
        plant(scene)
        manifest = scene.preview(WORLD, ScrubMode.KEEP_NAMED)
        assert dict(manifest.by_kind) == {
            "fact": 2, "policy": 1, "domain": 1, "working_memory": 1,
        }  # fmt: skip
        assert manifest.phrase == "scrub workspace 5"
        outcome = scene.execute(manifest)
        assert outcome.is_finished
        assert rows(scene) == {}
        assert integrity_faults(scene.world.path()) == []
    assert files_with_mark(tmp_path) == []


def test_a_chosen_fact_leaves_its_domain_and_what_agents_keep(tmp_path: Path) -> None:
    with scrub_world(tmp_path) as scene:
        plant(scene)
        manifest = scene.preview(ChosenScope.of(WORKSPACE_ID, ["f2"]), ScrubMode.FULL)
        assert dict(manifest.by_kind) == {"fact": 1}
        scene.execute(manifest)
        assert rows(scene) == {
            "facts": 1, "policies": 1, "domains": 1, "roles": 1, "role_grants": 1,
            "agent_working_memory": 1, "agent_working_memory_versions": 1,
        }  # fmt: skip
        assert integrity_faults(scene.world.path()) == []
