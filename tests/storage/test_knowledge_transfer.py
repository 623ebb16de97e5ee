"""What is settled goes with an export: whole by a restore, and granting nothing elsewhere."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from inklings_desktop.domain.knowledge.facts import FactDetails, StoryInterval
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.transfer.import_plan import tight_scopes
from inklings_desktop.storage.salvage.salvage import SqliteSalvager
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.cli.test_published_schema import faults
from tests.storage.test_transfer_identity import SCHEMA, document
from tests.support.builders import WORKSPACE_ID
from tests.support.settled_rows import CANON, IDS
from tests.support.settled_rows import settle as settle_in
from tests.support.sqlite_store import integrity_faults, raw
from tests.support.transfers import TransferBench, fill, transfer_bench

TABLES = ("memories", "memory_versions", "facts", "policies", "domains", "roles", "role_grants")


def settle(bench: TransferBench) -> None:
    with bench.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        settle_in(unit)
        unit.commit()


def test_a_restore_brings_all_of_it_back_as_it_was(tmp_path: Path) -> None:
    file, again = tmp_path / "x.json", tmp_path / "again.json"
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 3)
        settle(source)
        source.export(file)
        wanted = source.dumps()[WORKSPACE_ID]
    assert document(file)["schema_version"] == 2
    assert faults(document(file), json.loads(SCHEMA.read_text(encoding="utf-8"))) == []
    with transfer_bench(tmp_path / "b", workspace_ids=()) as empty:
        assert empty.bring_in(file).is_restore
        found = empty.dumps()[WORKSPACE_ID]
        for table in (*TABLES, "agent_working_memory"):
            assert found[table] == wanted[table] != [], table
        assert integrity_faults(empty.world.path()) == []
        empty.export(again)
    assert document(again) == document(file)


def test_elsewhere_it_grants_nothing_switches_nothing_on_and_is_no_surer_than_an_agent(
    tmp_path: Path,
) -> None:
    file = tmp_path / "x.json"
    with transfer_bench(tmp_path / "a") as source:
        settle(source)
        source.export(file)
    with transfer_bench(tmp_path / "b") as other:
        fill(other, 5)
        preview = other.preview(file)
        assert preview.document.unknown == ()
        assert tight_scopes(replace(preview, cap=0)) == ()
        assert not other.bring_in(file).is_restore
        with other.world.store.read(WORKSPACE_ID) as view:
            known = view.knowledge
            [domain] = known.domains()
            assert (domain.name, domain.is_closed) == ("Canon", True)
            [rule] = known.policies()
            assert rule.paused
            [(_, details)] = known.facts_of(IDS).items()
            assert details == FactDetails(0.7, StoryInterval(9))
            assert dict(known.grants()) == {}
            assert known.working_memories() == ()
            assert [one.name for one in known.roles()] == ["world-agent", "external"]


def test_a_tier_takes_the_domains_of_its_facts_and_no_role(tmp_path: Path) -> None:
    file = tmp_path / "tier.json"
    with transfer_bench(tmp_path / "a") as source:
        settle(source)
        source.export(file, ExportRequest(scopes=(ScopeKey.workspace(WORKSPACE_ID),)))
    [workspace] = document(file)["workspaces"]
    assert [one["name"] for one in workspace["domains"]] == ["Canon"]
    assert {"roles", "role_grants", "working_memories"}.isdisjoint(workspace)


def test_what_is_settled_is_taken_out_of_a_damaged_file(tmp_path: Path) -> None:
    root = tmp_path / "a"
    with transfer_bench(root) as source:
        fill(source, 3)
        settle(source)
        databases = source.world.databases
        with SqliteSalvager(databases, source.world.clock).readable(WORKSPACE_ID) as salvage:
            view = salvage.store.read(WORKSPACE_ID)
            with view as found:
                assert [one.name for one in found.knowledge.domains()] == ["Canon"]
                assert set(found.knowledge.facts_of(IDS)) == set(IDS[:2])
            assert salvage.n_missing == 0


def test_a_domain_that_is_lost_is_made_closed_so_that_its_facts_are_not(tmp_path: Path) -> None:
    with transfer_bench(tmp_path / "a") as source:
        settle(source)
        with raw(source.world.path()) as connection:
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute("DELETE FROM domains")
        salvager = SqliteSalvager(source.world.databases, source.world.clock)
        with salvager.readable(WORKSPACE_ID) as salvage, salvage.store.read(WORKSPACE_ID) as found:
            [domain] = found.knowledge.domains()
            assert (domain.id, domain.is_closed) == (CANON.id, True)
