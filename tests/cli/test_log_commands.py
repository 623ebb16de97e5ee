from __future__ import annotations

import json
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.cli.keeping.keeping_documents import lost_words
from inklings_desktop.cli.log import log_commands
from inklings_desktop.cli.log.event_lines import verdict_line, what_happened
from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.domain.log.events import (
    DescribedEvent,
    Event,
    EventKind,
    EventPlace,
    EventThing,
    LogFault,
    LogVerdict,
    LostWrites,
)
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from tests.architecture.contract_report import REPOSITORY
from tests.cli.console import Console
from tests.support.builders import NOON, a_draft, an_agent
from tests.support.kept_roots import copied_or_made
from tests.support.sqlite_store import raw

EVENT_KEYS = {
    "number", "at", "kind", "actor", "actor_kind", "door", "tier", "scope_key", "ids", "counts",
    "marks", "chain_hash", "permanent", "place", "things",
}  # fmt: skip


@pytest.fixture
def lived(console: Console, kept_roots: Path) -> Console:
    """A workspace in which three things happened."""

    def live() -> None:
        console.document("workspace", "create", "Field notes")
        console.document("conversation", "start", "--title", "Glass and tide")
        console.document("entry", "new", "PRINCIPLES", "--tier", "workspace")
        ids = [
            console.document("memory", "add", text, "--tier", "workspace")["memory"]["id"]
            for text in ("The glass hums", "Mira fears the bell tower")
        ]
        console.document("memory", "forget", *ids)

    copied_or_made(kept_roots / "lived", console.data_dir, live)
    return console


def numbers(world: Console, *arguments: str) -> list[int]:
    return [one["number"] for one in world.document("log", *arguments)["events"]]


def test_the_newest_comes_first_and_ids_are_named(lived: Console) -> None:
    lines = lived("log").out.splitlines()
    assert len(lines) == 3
    assert "memory.forgotten" in lines[0]
    assert lines[0].endswith("Field notes, 2 memories")
    assert "PRINCIPLES, version 1" in lines[1]
    assert lines[2].endswith("Glass and tide")

    document = lived.document("log")
    assert set(document) == {"workspace_id", "events", "before"}
    newest = document["events"][0]
    assert set(newest) == EVENT_KEYS
    assert (newest["number"], newest["counts"], newest["permanent"]) == (3, {"memories": 2}, False)
    assert {one["name"] for one in newest["things"]} == {
        "The glass hums",
        "Mira fears the bell tower",
    }
    assert {one["active"] for one in newest["things"]} == {False}
    assert newest["place"] == {"kind": "workspace", "name": "Field notes", "ref_code": None}


def test_a_name_is_looked_up_when_shown(lived: Console) -> None:
    lived.document("workspace", "rename", "Field notes", "Tide tables")
    assert "Tide tables, 2 memories" in lived("log").out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--limit", "2"), [3, 2]),
        (("--before", "3"), [2, 1]),
        (("--kind", "conversation.started"), [1]),
        (("--kind", "conversation.started", "--kind", "memory.forgotten"), [3, 1]),
        (("--tier", "workspace"), [3, 2]),
        (("--tier", "account"), []),
        (("--actor", "nobody"), []),
        (("--find", "principles"), []),
        (("--find", "NAMED saved"), [2]),
        (("--find", "#3"), [3]),
        (("--since", "1h"), [3, 2, 1]),
        (("--since", "2 w"), [3, 2, 1]),
        (("--since", "2001-01-01"), [3, 2, 1]),
        (("--since", "2999-01-01T10:00"), []),
        (("--account",), []),
    ],
)
def test_a_log_is_narrowed_down(
    arguments: tuple[str, ...], expected: list[int], lived: Console
) -> None:
    assert numbers(lived, *arguments) == expected


def test_pages_are_gone_through(lived: Console) -> None:
    first = lived.document("log", "--limit", "2")
    assert first["before"] == 2
    rest = lived.document("log", "--limit", "2", "--before", "2")
    assert [one["number"] for one in rest["events"]] == [1]
    assert rest["before"] is None


def test_an_empty_log_says_so(world: Console) -> None:
    assert world("log").out == "Nothing has happened yet.\n"
    assert world("log", "--find", "anything").out == "No events like that.\n"


def test_what_an_agent_was_refused_is_in_the_accounts_log(lived: Console) -> None:
    with open_inklings(lived.data_dir, embedder=NullEmbedder("none")) as inklings:
        with pytest.raises(ScopeDeniedError):
            inklings.as_caller(an_agent("gossip", grants=())).memories.put(a_draft("I was here"))
        assert inklings.workspace is not None
    said = lived("log", "--account", "--actor", "gossip")
    assert "access.denied" in said.out
    assert "memory.put refused, workspace tier" in said.out
    assert "I was here" not in said.out


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (("--limit", "0"), 1, "The limit is a number from 1 to 1,000."),
        (("--limit", "1001"), 1, "The limit is a number from 1 to 1,000."),
        (("--since", "yesterday"), 2, "--since takes a date such as"),
        (("--since", "999999w"), 2, "--since takes a date such as"),
        (("--since", "0001-01-01"), 2, "--since takes a date such as"),
        (("--kind", "memory.eaten"), 2, "is not one of"),
        (("--follow", "--before", "3"), 2, "--follow and --before exclude each other."),
        (("--follow", "--verify"), 2, "--verify and --anchor work on whole logs"),
        (("--verify", "--limit", "3"), 2, "--verify and --anchor work on whole logs"),
        (("--verify", "--tier", "account"), 2, "--verify and --anchor work on whole logs"),
        (("--anchor", "--account"), 2, "--verify and --anchor work on whole logs"),
        (("--account", "--workspace", "Field notes"), 2, "Choose between"),
        (("--workspace", "nowhere"), 1, "There is no workspace"),
    ],
)
def test_what_cannot_be_asked_is_said(
    arguments: tuple[str, ...], status: int, sentence: str, lived: Console
) -> None:
    said = lived("log", *arguments)
    assert said.status == status
    assert sentence in said.err
    assert said.out == ""


def test_whole_logs_are_called_whole(lived: Console) -> None:
    said = lived("log", "--verify")
    assert said.status == 0
    assert said.out == "Account: 0 events, whole.\nField notes: 3 events, whole.\n"
    document = lived.document("log", "--verify")
    assert document["whole"] is True
    assert [one["events"] for one in document["logs"]] == [0, 3]
    assert set(document["logs"][0]) == {
        "workspace_id", "name", "events", "segments", "whole", "reason", "first_broken",
        "lost_writes",
    }  # fmt: skip
    assert lived("log", "--verify", "--account").out == "Account: 0 events, whole.\n"
    only = lived("log", "--verify", "--workspace", "Field notes").out
    assert only == "Field notes: 3 events, whole.\n"


def test_a_log_that_is_not_whole_is_named_with_the_event_and_the_reason(lived: Console) -> None:
    heads = lived.data_dir / "log_heads.json"
    kept = heads.read_bytes()
    lived.document("conversation", "start")
    longer = heads.read_bytes()
    assert longer != kept
    heads.write_bytes(kept)
    assert lived("log", "--verify").status == 0, "a killed program leaves an older head"

    heads.unlink()
    said = lived("log", "--verify", "--json")
    assert said.status == 1
    assert said.document["whole"] is False
    assert {one["reason"] for one in said.document["logs"]} == {"head_missing"}
    assert said.err.startswith("At least one event log could not be verified.\n")
    assert "inklings log --anchor" in said.err

    heads.write_bytes(longer)
    assert lived("log", "--verify").status == 0
    (folder,) = (lived.data_dir / "workspaces").glob("*-*")
    (folder / "agents.db").rename(lived.data_dir.parent / "away.db")
    said = lived("log", "--verify")
    assert said.status == 1
    assert said.out.splitlines()[1] == f"{folder.name}: 0 events: the file of this log is gone."


@pytest.mark.parametrize("is_account", [False, True])
def test_an_event_that_was_changed_behind_dropped_triggers_is_named(
    lived: Console, *, is_account: bool
) -> None:
    for client in ("gossip", "loom"):
        lived.document("mcp", "grant", client, "--as", "external")
    (path,) = lived.data_dir.glob("agents.db" if is_account else "workspaces/*/agents.db")
    with raw(path) as connection:
        connection.execute("DROP TRIGGER events_are_not_edited")
        connection.execute("UPDATE events SET actor = 'Eve' WHERE seq = 1")
    said = lived("log", "--verify")
    assert said.status == 1
    log = "Account: 2 events" if is_account else "Field notes: 3 events"
    assert f"{log}, event 1: this event is not what was written." in said.out
    logs = lived("log", "--verify", "--json").document["logs"]
    assert [one["first_broken"] for one in logs if not one["whole"]] == [1]


def test_a_dropped_trigger_alone_is_told_beside_whole_events(lived: Console) -> None:
    (path,) = lived.data_dir.glob("workspaces/*/agents.db")
    with raw(path) as connection:
        connection.execute("DROP TRIGGER events_are_not_edited")
    said = lived("log", "--verify")
    assert said.status == 1
    assert "Field notes: 3 events: every event is what was written, but" in said.out


def test_lost_heads_are_noted_anew_and_the_loss_stays_on_record(lived: Console) -> None:
    (lived.data_dir / "log_heads.json").unlink()
    assert lived("log", "--verify").status == 1
    said = lived("log", "--anchor")
    assert (said.status, said.err) == (0, "")
    assert said.out == "Account: 1 event, whole.\nField notes: 4 events, whole.\n"
    assert lived("log", "--verify").status == 0
    newest = lived("log", "--limit", "1").out
    assert "what came after 3 events is anchored again, log_heads.json had been lost" in newest
    # Where nothing is lost, nothing is recorded.
    assert lived.document("log", "--anchor")["logs"][1]["events"] == 4


def test_lost_writes_are_told_by_every_check_until_they_are_accepted(lived: Console) -> None:
    (path,) = lived.data_dir.glob("workspaces/*/agents.db")
    older = path.read_bytes()
    for text in ("The tide turns", "The bell is mute"):
        lived.document("memory", "add", text, "--tier", "workspace")
    path.write_bytes(older)

    said = lived("log", "--verify")
    assert said.status == 1
    assert (
        "Field notes: 3 events: every event is what was written, but not every write is there. "
        "The file has lost 2 writes that it held, made between" in said.out
    )
    assert "No backup has any of them." in said.out
    assert said.err == (
        "Once you know what is missing, accept the loss with: inklings log --anchor\n"
    )
    checked = lived("check")
    assert checked.status == 3
    assert "Field notes: The file has lost 2 writes that it held, made between" in checked.out
    assert "accept the loss with: inklings log --anchor\n" in checked.out
    (found,) = lived("check", "--json").document["findings"]
    assert (found["kind"], found["count"], found["damage"]) == ("lost_writes", 2, True)
    of_world = lived("log", "--verify", "--json").document["logs"][1]
    assert (of_world["reason"], of_world["lost_writes"]) == ("writes_lost", found["lost_writes"])

    assert lived("log", "--anchor").status == 0
    assert (lived("log", "--verify").status, lived("check").status) == (0, 0)
    assert "the loss of 2 writes is accepted" in lived("log", "--limit", "1").out


def test_a_loss_names_the_backup_and_the_scrubs_it_undid() -> None:
    lost = LostWrites(15, NOON, NOON, 2, "w1/20260312T101500000Z.db", 14)
    assert lost_words(lost).endswith(
        "The backup w1/20260312T101500000Z.db has 14 of them. 2 scrubs came after this copy: "
        "what was scrubbed then may be back, and has to be scrubbed again"
    )


@pytest.mark.parametrize("reason", LogFault)
def test_every_fault_has_a_sentence(reason: LogFault) -> None:
    line = verdict_line(LogVerdict("id", "Tides", 1_204, 1_003, reason))
    assert line.startswith("Tides: 1,204 events, event 1,003: ")
    assert line.endswith(".")
    assert reason.value not in line


def test_segments_are_counted() -> None:
    assert verdict_line(LogVerdict(None, "", 1, n_segments=2)) == (
        "Account: 1 event in 2 segments, whole since this installation took it over. Whether it "
        "was before, cannot be verified here."
    )


def followed(
    world: Console, monkeypatch: pytest.MonkeyPatch, *arguments: str, rounds: int = 3
) -> list[str]:
    """What is said while a conversation is started in the second of several rounds."""
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 2:
            with open_inklings(world.data_dir, embedder=NullEmbedder("none")) as inklings:
                assert inklings.workspace is not None
                for title in ("First", "Second"):
                    inklings.conversations.start(inklings.workspace.id, title=title)
        if len(slept) == rounds:
            raise KeyboardInterrupt

    monkeypatch.setattr("inklings_desktop.cli.log.log_commands.time.sleep", sleep)
    said = world("log", "--follow", *arguments)
    assert said.status == 0
    assert said.err == ""
    return said.out.splitlines()


def test_new_events_are_followed_in_their_order(
    lived: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = followed(lived, monkeypatch)
    assert [line.split()[0] for line in lines] == ["1", "2", "3", "4", "5"]
    assert lines[3].endswith("First")
    assert lines[4].endswith("Second")


def test_followed_events_are_json_lines_and_filtered(
    lived: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = followed(lived, monkeypatch, "--limit", "0", "--tier", "conversation", "--json")
    events: list[dict[str, Any]] = [json.loads(line) for line in lines]
    assert [one["number"] for one in events] == [4, 5]
    assert set(events[0]) == EVENT_KEYS


def test_nothing_new_says_nothing(lived: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    assert followed(lived, monkeypatch, "--limit", "0", rounds=1) == []
    assert followed(lived, monkeypatch, "--limit", "0", "--kind", "access.denied") == []


def test_ctrl_c_ends_following_well(lived: Console) -> None:
    program = [sys.executable, "-m", "inklings_desktop.cli", "--data-dir", str(lived.data_dir)]
    with subprocess.Popen(
        [*program, "log", "--follow", "--limit", "1", "--json"],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever started the tests in the background made them deaf to Ctrl+C; this program is not.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["number"] == 3
        lived.document("conversation", "start", "--title", "While it follows")
        assert json.loads(process.stdout.readline())["place"]["name"] == "While it follows"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (out, err, process.returncode) == ("", "", 0)


def an_event(kind: EventKind, **changes: Any) -> Event:
    return Event(kind, "Ada", "person", "window", number=1, at=NOON, **changes)


CHANNEL = EventPlace("channel", "c", "first-draft-ideas")
GONE = EventPlace("channel", "c", None)


@pytest.mark.parametrize(
    ("event", "place", "things", "words"),
    [
        (
            an_event(EventKind.MEMORY_CREATED, ids=("m",), counts={"memories": 1}),
            CHANNEL,
            (EventThing("memory", "m", "The glass hums", is_active=True),),
            "#first-draft-ideas, The glass hums",
        ),
        (
            an_event(EventKind.MEMORY_CREATED, ids=("m",), counts={"memories": 1}),
            GONE,
            (EventThing("memory", "m", None, is_active=False),),
            "a channel that is gone, a memory that is gone",
        ),
        (
            an_event(EventKind.SCRUB_EXECUTED, counts={"removed": 1_143}, marks={"mode": "full"}),
            CHANNEL,
            (),
            "#first-draft-ideas, full, 1,143 removed",
        ),
        (
            an_event(EventKind.SCRUB_VERIFIED, counts={"scrub": 7, "files": 1, "hits": 0}),
            CHANNEL,
            (),
            "scrub 7, 0 hits in 1 file",
        ),
        (
            an_event(EventKind.PROPOSAL_MADE, ids=("p",), counts={"named_body": 1, "pending": 1}),
            None,
            (EventThing("proposal", "p", "VOICE", is_active=True),),
            "another text for VOICE",
        ),
        (
            an_event(
                EventKind.PROPOSAL_DECIDED, ids=("p",), counts={"named_new": 1, "accepted": 1}
            ),
            None,
            (EventThing("proposal", "p", "RULES", is_active=False),),
            "a new named entry, RULES, accepted",
        ),
        (
            an_event(EventKind.PROPOSAL_DECIDED, counts={"memory_edit": 1, "rejected": 1}),
            None,
            (),
            "a change of a memory, rejected",
        ),
        (
            an_event(EventKind.CONVERSATION_IDLED, counts={"kept": 2, "forgotten": 1}),
            EventPlace("conversation", "c", "The toll", "R8VX4ip1wNx"),
            (),
            "R8VX4ip1wNx The toll, 2 memories kept, 1 memory forgotten",
        ),
        (
            an_event(EventKind.DENIED, tier="account", counts={"memory.forget": 1}),
            EventPlace("account", "account", ""),
            (),
            "memory.forget refused, account tier",
        ),
        (
            an_event(
                EventKind.SCHEMA_MIGRATED,
                counts={"from": 1, "to": 2},
                marks={"migration": "weather", "kept": "20260314T120000000Z"},
            ),
            None,
            (),
            "brought up to date from schema 1 to 2, kept as it was in backup 20260314T120000000Z",
        ),
        (
            an_event(EventKind.LOG_ADOPTED, counts={"events": 4}, marks={"previous": "f" * 64}),
            None,
            (),
            "4 events before this one come from another installation",
        ),
        (
            an_event(EventKind.UNKNOWN, counts={"rows": 5_000}, marks={"digest": "f" * 64}),
            EventPlace("account", "account", ""),
            (),
            f"account, digest {'f' * 12}\u2026, rows 5,000",
        ),
    ],
)
def test_events_are_worded_for_people(
    event: Event, place: EventPlace | None, things: tuple[EventThing, ...], words: str
) -> None:
    assert what_happened(DescribedEvent(event, place, things)) == words


@pytest.mark.parametrize("kind", EventKind)
def test_every_kind_can_be_worded_even_with_nothing_known(kind: EventKind) -> None:
    assert "None" not in what_happened(DescribedEvent(an_event(kind), None))


def test_an_age_counts_from_now() -> None:
    now = datetime(2026, 3, 14, tzinfo=UTC)
    assert log_commands._instant("36h", now) == now - timedelta(hours=36)
    assert log_commands._instant("2026-03-01T10:00Z", now) == datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert log_commands._instant("2026-03-01", now).astimezone().hour == 0
