"""Golden questions around imports, other rates, another model and a scrub, on real files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.background.golden import GoldenCause, GoldenRecord
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Curator, Lifetime, MemoryDraft, ScopeKey
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.settings import FILE_NAME
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.support.builders import FixedClock, a_memory, prune_unasked
from tests.support.fake_embedder import FakeEmbedder
from tests.support.tiny_model import make_tiny_model

GULL = "A grey gull keeps the accounts of the harbour tower"
QUESTION = "Who keeps the accounts of the harbour tower?"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


@pytest.fixture
def inklings(root: Path) -> Iterator[Inklings]:
    prune_unasked(root)
    with open_inklings(
        root, embedder=FakeEmbedder(dimension=256), clock=FixedClock(), embed_writes=False
    ) as opened:
        opened.workspaces.create("Saltglass")
        yield opened


def the_scope(inklings: Inklings) -> ScopeKey:
    (world,) = inklings.places.workspaces()
    return ScopeKey.workspace(world.id)


def with_question(inklings: Inklings) -> str:
    """A question that its memory answers; the memory's id."""
    scope = the_scope(inklings)
    draft = a_memory(
        GULL, scope=scope, lifetime=Lifetime.SHORT_TERM, curator=Curator.AGENT,
        created_at=inklings.clock(),
    )  # fmt: skip
    with inklings.parts.store.write(scope.workspace_id, initiator="test") as unit:
        (gull,) = unit.memories.add([draft])
        unit.commit()
    inklings.golden.save(scope, QUESTION, must=[gull.id])
    return gull.id


def the_record(inklings: Inklings) -> GoldenRecord:
    (record,) = inklings.golden.records(the_scope(inklings).workspace_id).values()
    return record


def n_breaks(inklings: Inklings) -> int:
    events = inklings.log.list(the_scope(inklings).workspace_id, limit=50)
    return sum(one.kind is EventKind.GOLDEN_BROKEN for one in events)


def test_an_import_that_drowns_an_answer_says_so_and_its_withdrawal_mends_it(
    inklings: Inklings, tmp_path: Path
) -> None:
    with_question(inklings)
    with open_inklings(tmp_path / "other", embed_writes=False) as other:
        world = other.workspaces.create("Saltglass")
        for n in range(12):
            text = f"Number {n} keeps the accounts of the harbour tower: {QUESTION}"
            other.memories.put(MemoryDraft(ScopeKey.workspace(world.id), text))
        other.transfer.export(ExportRequest(), tmp_path / "file.inklings.json")
    preview = inklings.transfer.preview_import(tmp_path / "file.inklings.json", into="Saltglass")
    done = inklings.transfer.apply_import(preview, {})
    assert (done.n_added, done.n_broken) == (12, 1)
    record = the_record(inklings)
    assert (record.since_cause, record.run_id) == (GoldenCause.IMPORT, done.run_id)
    assert len(record.answer.instead) == 3
    assert n_breaks(inklings) == 1
    inklings.transfer.withdraw_import(done.run_id)
    assert the_record(inklings).is_right
    assert the_record(inklings).since_cause is GoldenCause.WITHDRAWAL
    assert n_breaks(inklings) == 1


def test_a_run_that_forgets_an_answer_says_so_and_undo_mends_it(inklings: Inklings) -> None:
    with_question(inklings)
    clock = inklings.clock
    assert isinstance(clock, FixedClock)
    clock.advance(days=60)
    run = inklings.consolidation.run(the_scope(inklings))
    assert run.counts == {"pruned": 1, "broken": 1}
    workspace_id = the_scope(inklings).workspace_id
    (kept,) = inklings.consolidation.list_runs(workspace_id)
    assert kept.counts == run.counts
    assert the_record(inklings).since_cause is GoldenCause.CONSOLIDATION
    assert n_breaks(inklings) == 1
    inklings.consolidation.undo(workspace_id, run.id)
    assert the_record(inklings).is_right


def test_other_rates_are_noticed_when_the_program_opens_with_them(
    inklings: Inklings, root: Path
) -> None:
    with_question(inklings)
    inklings.golden.watch(the_scope(inklings).workspace_id)
    assert the_record(inklings).basis.rate == 0.995
    (root / FILE_NAME).write_text("[decay]\nworkspace = 0.9\n", encoding="utf-8")
    with open_inklings(
        root, embedder=FakeEmbedder(dimension=256), clock=inklings.clock, embed_writes=False
    ) as again:
        again.tasks.backfill(the_scope(again).workspace_id)
        record = the_record(again)
    assert (record.basis.rate, record.cause) == (0.9, GoldenCause.DECAY)


def test_another_model_is_asked_before_the_switch_and_after_the_last_vector(
    root: Path, tmp_path: Path
) -> None:
    with open_inklings(root, embed_writes=False) as inklings:
        inklings.workspaces.create("Saltglass")
        with_question(inklings)
        workspace_id = the_scope(inklings).workspace_id
        inklings.tasks.backfill(workspace_id)
        inklings.models.install(make_tiny_model(tmp_path / "download"))
        inklings.models.select("tiny-768")
        before = the_record(inklings)
        assert (before.cause, before.basis.model_id) == (
            GoldenCause.MEANWHILE, "all-MiniLM-L6-v2-int8",
        )  # fmt: skip
        inklings.tasks.backfill(workspace_id)
        after = the_record(inklings)
    assert (after.cause, after.basis.model_id) == (GoldenCause.MODEL, "tiny-768")


def test_a_scrub_leaves_no_record_of_an_answer(inklings: Inklings, root: Path) -> None:
    gull = with_question(inklings)
    scope = the_scope(inklings)
    inklings.golden.watch(scope.workspace_id)
    mode = ScrubMode.KEEP_NAMED
    manifest = inklings.scrub.preview(scope, mode)
    inklings.scrub.execute(scope, mode, token=manifest.token, phrase=manifest.phrase)
    assert inklings.golden.records(scope.workspace_id) == {}
    for path in root.rglob("agents.db*"):
        assert gull.encode() not in path.read_bytes()
