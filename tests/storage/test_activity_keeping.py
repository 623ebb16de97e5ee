"""Activities go out and come back switched off, and a restore of a backup catches up nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.background.activities import (
    WORLD_AGENT,
    Activity,
    ActivityDraft,
    Budget,
    Outcome,
)
from inklings_desktop.domain.background.schedules import schedule_of
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.runs.run_rows import run_id_of
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.cli.test_published_schema import faults
from tests.storage.test_transfer_identity import SCHEMA, document
from tests.support.builders import NOON, WORKSPACE_ID, a_channel, a_conversation, a_message
from tests.support.sqlite_store import integrity_faults
from tests.support.transfers import TransferBench, fill, transfer_bench

ROOM = "5b0f4c1e-6a1d-4f0a-9c63-0d6e1c1f7a06"
WEEKLY = schedule_of({"weekly": [2, 5], "at": "10:30", "missed": ["08:00", "20:00"]}, "UTC")


def keep(bench: TransferBench) -> Activity:
    with bench.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
        unit.conversations.add_channel(a_channel("continuity", channel_id=ROOM))
        made = Activity(
            "5b0f4c1e-6a1d-4f0a-9c63-0d6e1c1f7a05",
            "Weekly continuity",
            "Report contradictions.",
            ROOM,
            WEEKLY,
            Budget(20, 120, 500_000),
            "Ada",
            NOON,
            next_due_at=NOON + timedelta(days=3),
            last_started_at=NOON,
            last_outcome=Outcome.DONE,
        )
        unit.activities.put(made)
        unit.commit()
    return made


def activities(bench: TransferBench) -> tuple[Activity, ...]:
    with bench.world.store.read(WORKSPACE_ID) as view:
        return view.activities.all()


def test_an_export_brings_it_back_switched_off(tmp_path: Path) -> None:
    file, again = tmp_path / "x.json", tmp_path / "again.json"
    with transfer_bench(tmp_path / "a") as source:
        fill(source, 3)
        made = keep(source)
        source.export(file)
        tier = tmp_path / "tier.json"
        source.export(tier, ExportRequest(scopes=(ScopeKey.workspace(WORKSPACE_ID),)))
    assert faults(document(file), json.loads(SCHEMA.read_text(encoding="utf-8"))) == []
    assert "activities" not in document(tier)["workspaces"][0]
    with transfer_bench(tmp_path / "b", workspace_ids=()) as empty:
        assert empty.bring_in(file).is_restore
        wanted = replace(
            made, enabled=False, next_due_at=None, last_started_at=None, last_outcome=Outcome.NONE
        )
        assert activities(empty) == (wanted,)
        assert integrity_faults(empty.world.path()) == []
        empty.export(again)
    assert document(again) == document(file)


def test_beside_what_is_there_it_stays_out_and_is_counted(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    with transfer_bench(tmp_path / "a") as source:
        keep(source)
        source.export(file)
    with transfer_bench(tmp_path / "b") as other:
        fill(other, 5)
        preview = other.preview(file)
        assert (preview.n_beside, preview.document.unknown) == (1, ())
        other.bring_in(file)
        assert activities(other) == ()


def test_a_restored_backup_catches_up_nothing(tmp_path: Path) -> None:
    now = [datetime(2026, 3, 10, 8, 0, tzinfo=UTC)]
    opening = open_inklings(
        tmp_path / "root", embedder=NullEmbedder("none"), embed_writes=False, clock=lambda: now[0]
    )
    with opening as inklings:
        here = inklings.workspaces.create("Saltglass").id
        daily = schedule_of({"daily": "10:30"}, "UTC")
        draft = ActivityDraft("Digest", "What is new?", "general", daily)
        made = inklings.activities.make(here, draft)
        with inklings.parts.store.write(here, initiator="test") as unit:  # as a kill leaves it
            unit.activities.put(replace(made, last_outcome=Outcome.RUNNING))
            unit.commit()
        backup = inklings.keeping.create_backup(here)
        now[0] += timedelta(days=7)
        inklings.keeping.restore_backup(backup.name)
        (view,) = inklings.activities.list(here)
    assert view.activity.enabled
    assert view.activity.next_due_at == datetime(2026, 3, 17, 10, 30, tzinfo=UTC)
    assert view.activity.last_outcome is Outcome.STOPPED


def test_the_beginning_of_a_long_answer_says_that_there_is_more(tmp_path: Path) -> None:
    with transfer_bench(tmp_path) as bench:
        made = keep(bench)
        with bench.world.store.write(WORKSPACE_ID, initiator="Ada") as unit:
            for text in ("word " * 100, "All is well."):
                room = a_conversation(ROOM)
                unit.conversations.add(replace(room, ref_code=room.id[:11]), [WORLD_AGENT])
                unit.messages.append(a_message(room.id, text, role="assistant"))
                unit.activities.begin_run(made.id, run_id_of(room.id, "t1"), room.id, NOON)
            unit.commit()
        with bench.world.store.read(WORKSPACE_ID) as view:
            told = {one.said for one in view.activities.runs(made.id, 5)}
    assert told == {f"{'word ' * 59}word\u2026", "All is well."}
