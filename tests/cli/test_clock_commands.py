"""``inklings backfill``, ``consolidate`` and ``model`` on a real data root."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.bootstrap import make_sample_world, open_inklings, run_window, serve_agent
from inklings_desktop.cli.program import Program
from inklings_desktop.domain.memory import Lifetime, MemoryAction, ScopeKey
from inklings_desktop.usecases.bundle import Inklings
from tests.cli.console import Console
from tests.support.builders import FixedClock, prune_unasked
from tests.support.fake_embedder import FakeEmbedder
from tests.support.model_server import MODEL_ID, model_server
from tests.support.tiny_model import make_tiny_model

SEA = "The queen fears the sea and tells nobody about it at court"
SEA_TOO = SEA.replace("at court", "at the court")


@dataclass
class Bench:
    """A console whose clock and model are in the test's hands; nothing is embedded by itself."""

    console: Console
    clock: FixedClock
    embedder: FakeEmbedder = field(default_factory=lambda: FakeEmbedder(dimension=256))

    def add(self, text: str, *more: str) -> str:
        document = self.console.document("memory", "add", text, "--tier", "workspace", *more)
        memory_id: str = document["memory"]["id"]
        return memory_id

    def texts(self) -> list[str]:
        listed = self.console.document("memory", "list", "--tier", "workspace")
        return [one["content"] for one in listed["memories"]]


@pytest.fixture
def bench(
    data_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Bench:
    clock, embedder = FixedClock(), FakeEmbedder(dimension=256)

    @contextmanager
    def opened(
        data_dir: Path | None, *, workspace: str | None, require_account: bool = True
    ) -> Iterator[Inklings]:
        with open_inklings(
            data_dir,
            workspace=workspace,
            clock=clock,
            embedder=embedder,
            embed_writes=False,
            require_account=require_account,
        ) as inklings:
            yield inklings

    program = Program(opened, run_window, make_sample_world, serve_agent)
    bench = Bench(Console(program, data_dir, capsys, monkeypatch), clock, embedder)
    bench.console.document("workspace", "create", "Field notes")
    return bench


def of_agents(bench: Bench, *texts: str) -> list[str]:
    """Memories that an import brought: a person's own are never merged unasked."""
    from inklings_desktop.domain.memory import Curator, ScopeKey
    from tests.support.builders import a_memory

    with open_inklings(bench.console.data_dir, embedder=bench.embedder,
                       embed_writes=False) as inklings:  # fmt: skip
        assert inklings.workspace is not None
        scope = ScopeKey.workspace(inklings.workspace.id)
        with inklings.parts.store.write(inklings.workspace.id, initiator="test") as unit:
            stored = unit.memories.add(
                [
                    a_memory(text, scope=scope, curator=Curator.AGENT, created_at=bench.clock())
                    for text in texts
                ]
            )
            unit.commit()
    return [one.id for one in stored]


def run_of(document: dict[str, Any], tier: str) -> dict[str, Any]:
    (found,) = [one for one in document["runs"] if one["tier"] == tier]
    return dict(found)


def test_backfill_embeds_what_is_missing_and_says_how_much(bench: Bench) -> None:
    for n in range(60):
        bench.add(f"text {n}")
    said = bench.console("backfill", "--progress")
    assert (said.status, said.out) == (0, "Embedded 60 memories.\n")
    assert said.err.splitlines() == ["Embedding: 50 of 60", "Embedding: 60 of 60"]
    assert bench.console("backfill", "--all").out == "Every memory has its vector.\n"
    bench.embedder.is_available = False
    assert "no search model" in bench.console("backfill").out


def test_golden_questions_say_how_they_fare_and_what_broke_them(bench: Bench) -> None:
    prune_unasked(bench.console.data_dir)
    assert "no golden question yet" in bench.console("golden", "list").out
    (gull,) = of_agents(bench, "A grey gull keeps the accounts of the tower")
    with open_inklings(bench.console.data_dir, embedder=bench.embedder, clock=bench.clock,
                       embed_writes=False) as inklings:  # fmt: skip
        assert inklings.workspace is not None
        scope = ScopeKey.workspace(inklings.workspace.id)
        with inklings.parts.store.write(inklings.workspace.id, initiator="test") as unit:
            entry = replace(unit.memories.get_many([gull])[gull], lifetime=Lifetime.SHORT_TERM)
            unit.memories.save(
                entry, expected_version=1, action=MemoryAction.RELABELLED, changed_by="Ada",
                door="cli", changed_at=bench.clock(),
            )  # fmt: skip
            unit.commit()
        inklings.golden.save(scope, "Who keeps the accounts?", must=[gull])
    assert "not asked yet" in bench.console("golden", "list").out
    asked = bench.console("golden", "ask")
    assert (asked.status, asked.out.splitlines()[-1]) == (
        0, "1 golden question, nothing is wrong.",
    )  # fmt: skip
    bench.clock.advance(days=60)
    said = bench.console("consolidate", "--tier", "workspace")
    assert "1 golden question broke" in said.out
    assert "inklings golden list" in said.err
    listed = bench.console("golden", "list")
    assert listed.status == 0
    assert "not answered since" in listed.out
    assert "after a consolidation" in listed.out
    assert f"not found: {gull[:8]}" in listed.out
    (question,) = bench.console.document("golden", "list")["questions"]
    assert question["last"]["is_right"] is False
    assert question["last"]["missing"] == [gull]
    assert bench.console("golden", "ask").status == 1


def test_a_golden_question_is_saved_and_deleted(bench: Bench) -> None:
    gull, queen = bench.add("A grey gull keeps accounts"), bench.add("The queen fears the sea")
    console = bench.console
    saved = console.document("golden", "save", "Who keeps accounts?", "--must", gull[:8],
                             "--must-not", queen)["question"]  # fmt: skip
    assert (saved["must"], saved["must_not"], saved["last"]["is_right"]) == ([gull], [queen], True)
    wrong = console("golden", "save", "Who fears the sea?", "--must-not", queen)
    assert "not answered as it must be" in wrong.out
    assert console("golden", "save", "Who?").status == 2
    assert console("golden", "save", "Who?", "--must", gull, "--must-not", gull).status == 1
    nothing = console("golden", "save", "  ", "--must", gull)
    assert (nothing.status, "at least one word" in nothing.err) == (1, True)
    assert console("golden", "save", "Who?", "--must", "ffffffff").status == 1
    elsewhere = console.document("memory", "add", "Metres are never used", "--tier", "account")
    mixed = console("golden", "save", "Who?", "--must", gull, "--must", elsewhere["memory"]["id"])
    assert (mixed.status, "in one place" in mixed.err) == (2, True)
    there = console.document("golden", "save", "Accounts?", "--must", gull, "--tier", "workspace")
    assert there["question"]["tier"] == "workspace"
    away = console("golden", "save", "Accounts?", "--must", gull, "--tier", "account")
    assert (away.status, "in another place" in away.err) == (2, True)
    vague = console("golden", "save", "Accounts?", "--must", gull, "--channel", "general")
    assert (vague.status, "--channel belongs to --tier channel" in vague.err) == (2, True)
    console.document("golden", "delete", there["question"]["id"])
    assert console.document("golden", "delete", saved["id"][:8]) == {"deleted": saved["id"]}
    gone = console("golden", "delete", saved["id"])
    assert (gone.status, "See inklings golden list" in gone.err) == (1, True)
    assert len(console.document("golden", "list")["questions"]) == 1


def test_progress_is_one_json_line_per_step(bench: Bench) -> None:
    bench.add("text")
    said = bench.console("backfill", "--json", "--progress")
    assert said.document["embedded"] == 1
    assert said.err == '{"step": "embed", "done": 1, "total": 1}\n'


def test_a_preview_changes_nothing_and_a_run_can_be_taken_back(bench: Bench) -> None:
    of_agents(bench, SEA, SEA_TOO)
    bench.console.document("backfill")
    said = bench.console("consolidate", "--tier", "workspace", "--preview")
    assert "merge 2 that are duplicates:" in said.out
    assert len(bench.texts()) == 2
    plan = bench.console.document("consolidate", "--preview")["plans"]
    assert [one["tier"] for one in plan] == ["channel", "workspace", "account"]
    run = run_of(bench.console.document("consolidate"), "workspace")
    assert run["counts"] == {"merged": 1, "parent": 2}
    assert bench.texts() == [SEA_TOO]
    said = bench.console("consolidate", "--undo", run["id"][:8])
    assert said.out == (
        f"Took run {run['id'][:8]} back: 2 memories restored, 0 memories short-term again.\n"
    )
    assert len(bench.texts()) == 2
    again = bench.console("consolidate", "--undo", run["id"])
    assert (again.status, again.err) == (
        1, "This run was already undone. Nothing was changed.\n",
    )  # fmt: skip


def test_pairs_that_are_alike_are_shown_and_kept_or_merged_on_request(bench: Bench) -> None:
    ruled = (
        "Orsa ruled the northern isles with her council for {} long years until a storm broke "
        "every ship she owned upon Wend rocks"
    )
    tolls = (
        "Nobody who crosses at dawn has ever paid {} silver marks to the old Provost, because his "
        "toll book stays locked under three keys till noon"
    )
    of_agents(bench, *(text.format(n) for text in (ruled, tolls) for n in ("five", "six")), "Old")
    bench.console.document("backfill")
    said = bench.console("consolidate", "--tier", "workspace")
    assert "they differ:" in said.out
    assert "--keep-both PAIR (or all)" in said.out
    assert len(bench.texts()) == 5
    (waiting,) = bench.console.document("consolidate", "--tier", "workspace")["waiting"]
    first, second = (one["key"] for one in waiting["review"])
    kept = bench.console("consolidate", "--keep-both", first[:8])
    assert kept.out == "Kept both of 1 pair: not asked about again.\n"
    assert first[:8] not in bench.console("consolidate", "--preview").out
    bench.clock.advance(days=60)  # something faded, and an answer does not touch it
    merged = bench.console("consolidate", "--tier", "workspace", "--merge", second[:8])
    assert (merged.out, len(bench.texts())) == ("Merged 1 pair.\n", 4)
    assert "stays until you forget it (faded)" in bench.console("consolidate", "--preview").out
    again = bench.console("consolidate", "--keep-both", first[:8])
    assert (again.status, "No pair that waits begins with" in again.err) == (1, True)
    assert bench.console.document("consolidate", "--keep-both", "all")["kept"] == 0


def test_a_large_run_is_refused_until_it_is_allowed(bench: Bench) -> None:
    prune_unasked(bench.console.data_dir)
    of_agents(bench, *(f"old {n}" for n in range(20)))
    bench.clock.advance(days=60)
    said = bench.console("consolidate", "--tier", "workspace")
    assert said.status == 1
    assert "this would forget 20 of 20 memories. Nothing was changed there." in said.err
    assert len(bench.texts()) == 20
    allowed = bench.console("consolidate", "--tier", "workspace", "--allow-large")
    assert (allowed.status, bench.texts()) == (0, [])


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("--undo", "abcd1234"), 1),
        (("--undo", "ab"), 1),
        (("--undo", "abcd", "--preview"), 2),
        (("--undo", "abcd", "--merge", "abcd"), 2),
        (("--keep-both", "all", "--preview"), 2),
        (("--merge", "abcd"), 1),
        (("--channel", "general"), 2),
        (("--tier", "conversation"), 2),
    ],
)
def test_what_cannot_be_done_is_said(bench: Bench, arguments: tuple[str, ...], status: int) -> None:
    said = bench.console("consolidate", *arguments)
    assert said.status == status
    assert said.err.strip()


def test_while_it_runs_elsewhere_nothing_is_done(bench: Bench) -> None:
    (id_,) = of_agents(bench, SEA)
    with open_inklings(
        bench.console.data_dir, embedder=bench.embedder, clock=bench.clock
    ) as inklings:
        assert inklings.workspace is not None
        target = inklings.tasks.look(inklings.workspace.id)[2].target
        store = inklings.parts.store
        with store.write(inklings.workspace.id, initiator="test") as unit:
            until = bench.clock() + timedelta(seconds=60)
            unit.tasks.hold(target.name, "another program", bench.clock(), 60.0)
            unit.commit()
        said = bench.console("consolidate", "--tier", "workspace")
    assert (said.status, "Another program is doing this" in said.err) == (1, True)
    bench.clock.now = until
    assert bench.console("consolidate", "--tier", "workspace").status == 0
    assert id_


def test_a_listed_model_is_fetched_only_with_a_yes(
    world: Console, data_dir: Path, tmp_path: Path
) -> None:
    with model_server(tmp_path / "served") as server:
        server.catalogue(data_dir)
        found = world.document("model", "status")
        assert found["models"][0]["languages"] == ["en"]
        (offer,) = found["offered"]
        assert (offer["id"], offer["licence"], offer["hosts"]) == (
            MODEL_ID, "Apache-2.0", ["127.0.0.1"],
        )  # fmt: skip
        assert "MB from 127.0.0.1, licence Apache-2.0" in world("model", "status").out
        asked = world("model", "install", MODEL_ID)
        assert (asked.status, "To agree, add --yes" in asked.err) == (1, True)
        assert server.asked == []
        whole = server.files["/model.onnx"]
        server.files["/model.onnx"] = whole[::-1]
        wrong = world("model", "install", MODEL_ID, "--yes")
        assert (
            wrong.status,
            "another hash than the list of models says. Nothing was installed" in wrong.err,
        ) == (1, True)
        server.files["/model.onnx"] = whole
        fetched = world("model", "install", MODEL_ID, "--yes", "--progress")
        assert "Installed tiny-768, 768 numbers per vector." in fetched.out
        assert "fetching, in bytes" in fetched.err
        assert world.document("model", "status")["offered"] == []


def test_models_are_listed_installed_selected_and_removed(world: Console, tmp_path: Path) -> None:
    folder = make_tiny_model(tmp_path / "download")
    said = world("model", "install", str(folder))
    assert (said.status, said.out.splitlines()[0]) == (
        0, "Installed tiny-768, 768 numbers per vector.",
    )  # fmt: skip
    assert world("model", "install", str(folder)).status == 1
    assert world.document("model", "select", "tiny-768")["model"]["selected"]
    listed = world.document("model", "status")["models"]
    assert [(one["id"], one["selected"]) for one in listed] == [
        ("all-MiniLM-L6-v2-int8", False), ("tiny-768", True),
    ]  # fmt: skip
    in_use = world("model", "remove", "tiny-768")
    assert (in_use.status, "in use" in in_use.err) == (1, True)
    world.document("model", "select", "all-MiniLM-L6-v2-int8")
    assert world.document("model", "remove", "tiny-768") == {"removed": "tiny-768"}
    missing = world("model", "install", str(tmp_path / "nowhere"))
    assert (missing.status, "That folder or zip file doesn't exist" in missing.err) == (1, True)
    stranger = world("model", "install", "nobodys-model")
    assert stranger.status == 1
    assert "There are: all-MiniLM-L6-v2-int8 (built in)" in stranger.err
    assert "Nothing was installed" in stranger.err
    again = world("model", "install", "all-MiniLM-L6-v2-int8")
    assert (again.status, "There is already" in again.err) == (1, True)
    unknown = world("model", "select", "nothing")
    assert (unknown.status, "See inklings model status" in unknown.err) == (1, True)
