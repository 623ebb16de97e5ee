"""``inklings hook``: real processes that get what each program documents on standard input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from tests.cli.console import Console
from tests.cli.test_processes import inklings
from tests.support.wide import mostly_wide

GULL = "A grey gull keeps the accounts of the tower"
SAID = f"- {GULL}\n- The queen never sails at new moon\n"
STARTS: dict[str, dict[str, Any]] = {
    "claude-code": {
        "session_id": "00893aaf-19fa-41d2-8238-13269b9b3ca0",
        "transcript_path": "~/.claude/projects/world/00893aaf.jsonl",
        "cwd": "world",
        "permission_mode": "default",
        "hook_event_name": "SessionStart",
        "source": "startup",
        "model": "claude-sonnet-4-5",
    },
    "gemini-cli": {
        "session_id": "7c7a3d2e",
        "transcript_path": "session-7c7a3d2e.jsonl",
        "cwd": "world",
        "hook_event_name": "SessionStart",
        "timestamp": "2026-03-14T09:00:00.000Z",
        "source": "startup",
    },
    "codex": {
        "session_id": "019d036d-c7fa-72d2-b6fd-78878bfe34e4",
        "transcript_path": None,
        "cwd": "world",
        "hook_event_name": "SessionStart",
        "model": "gpt-5",
        "permission_mode": "default",
        "source": "startup",
    },
}
ENDS: dict[str, list[dict[str, Any]]] = {
    "claude-code": [
        {"type": "user", "uuid": "a", "message": {"role": "user", "content": "Who keeps them?"}},
        {
            "type": "user",
            "uuid": "b",
            "isCompactSummary": True,
            "message": {
                "role": "user",
                "content": "This session is being continued from a previous conversation that ran "
                f"out of context.\n\nSummary:\n{SAID}",
            },
        },
    ],
    "gemini-cli": [
        {"sessionId": "7c7a3d2e", "projectHash": "p", "startTime": "t", "lastUpdated": "t"},
        {"id": "m", "type": "user", "content": "Who keeps them?"},
        {"$set": {"summary": SAID}},
    ],
    "codex": [
        {"timestamp": "t", "type": "session_meta", "payload": {"id": "019d036d"}},
        {"timestamp": "t", "type": "compacted", "payload": {"message": SAID}},
    ],
}


@pytest.fixture
def loom(world: Console) -> Console:
    """A world with a memory, and loom let in as the author's own agent."""
    world.document("memory", "add", "The harbour glass hums", "--tier", "workspace")
    world.document("mcp", "grant", "loom", "--as", "world-agent")
    return world


def call(program: str, transcript: Path | None = None, **changes: Any) -> bytes:
    """What a program writes to a hook."""
    path = {} if transcript is None else {"transcript_path": str(transcript)}
    return json.dumps(STARTS[program] | path | changes).encode()


def ended(program: str, folder: Path, *, records: list[Any] | None = None) -> bytes:
    """What a program writes at the end of a session, its transcript beside it."""
    transcript = folder / f"{program}.jsonl"
    text = "".join(f"{json.dumps(one)}\n" for one in records or ENDS[program])
    transcript.write_text(text, encoding="utf-8")
    return call(program, transcript, hook_event_name="SessionEnd", reason="other")


def end(world: Console, payload: bytes, *arguments: str) -> Any:
    """The session-end hook of loom, in this process."""
    said = world("hook", "session-end", "--client", "loom", *arguments, stdin=payload)
    assert (said.status, said.err) == (0, "")
    return said.document


def kept(world: Console, *arguments: str) -> list[str]:
    where = arguments or ("--channel", "general")
    listed = world.document("memory", "list", "--tier", "channel", *where)["memories"]
    return sorted(one["content"] for one in listed)


@pytest.mark.parametrize(
    "program", mostly_wide(STARTS, every_day=lambda one: one == next(iter(STARTS)))
)
def test_a_session_begins_with_the_orientation(program: str, loom: Console) -> None:
    said = inklings(loom.data_dir, "hook", "session-start", "--client", "loom", stdin=call(program))
    assert (said.returncode, said.stderr) == (0, b"")
    (printed,) = said.stdout.splitlines()
    answer = json.loads(printed)
    assert set(answer) == {"hookSpecificOutput"}
    output = answer["hookSpecificOutput"]
    assert output["hookEventName"] == "SessionStart"
    assert "The harbour glass hums" in output["additionalContext"]
    assert "candidate" in output["additionalContext"]
    assert loom.document("conversation", "list", "--archived")["conversations"] == []


def test_a_session_begins_without_characters_that_do_not_show(loom: Console) -> None:
    loom.document("memory", "add", "Keep the \u202egate\U000e0041 shut", "--tier", "workspace")
    said = loom("hook", "session-start", "--client", "loom", stdin=call("claude-code"))
    context = said.document["hookSpecificOutput"]["additionalContext"]
    assert "Keep the \u2039U+202E\u203agate\u2039U+E0041\u203a shut" in context


def test_a_program_that_was_never_let_in_is_told_how(world: Console) -> None:
    said = world("hook", "session-start", "--client", "weaver", stdin=call("claude-code"))
    assert (said.status, said.out) == (0, "")
    assert said.err == (
        "You have not let weaver in yet. Let it in with: inklings mcp grant weaver --as external.\n"
    )


@pytest.mark.requirement("workspace-no-leak")
def test_a_session_is_told_of_its_own_workspace_and_of_what_its_client_may_read(
    loom: Console,
) -> None:
    loom.document("workspace", "create", "Tides")
    add = ("memory", "add", "--workspace")
    loom.document(*add, "Tides", "The tide is late", "--tier", "workspace")
    loom.document(*add, "Field notes", "Ravel knows it", "--tier", "workspace", "--agent", "ravel")
    loom.document(*add, "Field notes", "Metres are never used", "--tier", "account")
    loom.document("mcp", "revoke", "loom", "--tier", "account", "--allow", "read")
    start = ("hook", "session-start", "--client", "loom", "--workspace")
    own = loom(*start, "Field notes", stdin=call("codex"))
    assert "The harbour glass hums" in own.out
    for hidden in ("The tide is late", "Ravel knows it", "Metres are never used"):
        assert hidden not in own.out
    other = loom(*start, "Tides", stdin=call("codex"))
    assert (other.status, other.out) == (0, "")
    assert other.err.startswith("loom may not read")


@pytest.mark.parametrize(
    "program", mostly_wide(ENDS, every_day=lambda one: one == next(iter(ENDS)))
)
def test_a_session_ends_and_its_own_summary_is_kept(
    program: str, loom: Console, tmp_path: Path
) -> None:
    payload = ended(program, tmp_path)
    said = inklings(loom.data_dir, "hook", "session-end", "--client", "loom", stdin=payload)
    assert (said.returncode, said.stderr) == (0, b"")
    assert json.loads(said.stdout) == {
        "systemMessage": "Inklings keeps 2 lines of this session's summary."
    }
    assert kept(loom) == [GULL, "The queen never sails at new moon"]
    (memory, _) = loom.document("memory", "list", "--tier", "channel")["memories"]
    assert (memory["source"], memory["curator"]) == ("summary", "agent")
    (room,) = loom.document("conversation", "list")["conversations"]
    assert (room["state"], room["title"].startswith("Session of ")) == ("idle", True)


def test_the_next_session_begins_with_what_was_kept_of_the_last(
    loom: Console, tmp_path: Path
) -> None:
    loom.document("channel", "create", "tower")
    end(loom, ended("codex", tmp_path), "--channel", "tower")
    said = loom("hook", "session-start", "--client", "loom", stdin=call("codex"))
    assert GULL in said.document["hookSpecificOutput"]["additionalContext"]
    loom.document("mcp", "grant", "ravel", "--tier", "workspace", "--allow", "read")
    other = loom("hook", "session-start", "--client", "ravel", stdin=call("codex"))
    assert other.err == ""
    assert GULL not in other.out
    assert "The harbour glass hums" in other.out


def test_a_session_is_told_nothing_of_one_that_goes_on_beside_it(loom: Console) -> None:
    with open_inklings(loom.data_dir, embedder=NullEmbedder("none")) as inklings:
        assert inklings.workspace is not None
        world = inklings.workspace.id
        room = inklings.as_caller(inklings.clients.admit("loom", world)).conversations.start(world)
        scope = ScopeKey.conversation(world, room.id)
        inklings.as_caller(inklings.clients.admit("loom", world)).memories.put(
            MemoryDraft(scope, GULL)
        )
    said = loom("hook", "session-start", "--client", "loom", stdin=call("codex"))
    assert GULL not in said.out
    assert "The harbour glass hums" in said.out


def test_a_summary_is_kept_once_however_often_the_session_ends(
    loom: Console, tmp_path: Path
) -> None:
    first = ended("claude-code", tmp_path)
    assert "systemMessage" in end(loom, first)
    assert end(loom, first) == {}
    later = call("claude-code", hook_event_name="PostCompact", compact_summary=SAID)
    assert end(loom, later) == {}, "the same summary by another way"
    assert len(kept(loom)) == 2
    more = call("claude-code", compact_summary="Wend has no bell any more")
    assert "1 line of" in end(loom, more)["systemMessage"]
    assert len(kept(loom)) == 3
    assert len(loom.document("conversation", "list")["conversations"]) == 2


def test_of_a_compact_summary_only_what_it_says_is_kept_and_nothing_twice(loom: Console) -> None:
    compact = (
        "<analysis>\nThe user asked about bells and tides.\n</analysis>\n<summary>\n"
        "1. Primary Request and Intent:\n   The gull keeps the accounts of the tower.\n"
        "2. Files and Code Sections:\n   - tide.py\n"
        "     ```python\n     ring = bell(3, 4)\n     ```\n"
        "     `ring = bell(3, 4)`\n     ring = bell(3, 4)\n"
        "6. All user messages:\n   - The queen never sails at new moon\n</summary>"
    )
    assert "2 lines" in end(loom, call("claude-code", compact_summary=compact))["systemMessage"]
    assert kept(loom) == [
        "The gull keeps the accounts of the tower.",
        "The queen never sails at new moon",
    ]
    later = compact.replace("</summary>", "7. Pending Tasks:\n   - Wend has no bell\n</summary>")
    assert "1 line " in end(loom, call("claude-code", compact_summary=later))["systemMessage"]
    assert len(kept(loom)) == 3
    rephrased = later.replace("Pending", "Open")
    assert end(loom, call("claude-code", compact_summary=rephrased)) == {}
    assert len(kept(loom)) == 3


def test_a_summary_goes_to_the_channel_that_was_named(loom: Console, tmp_path: Path) -> None:
    loom.document("channel", "create", "tower")
    end(loom, ended("codex", tmp_path), "--channel", "tower")
    assert GULL in kept(loom, "--channel", "tower")
    assert kept(loom) == []


def test_what_looks_like_a_key_waits_for_the_author(loom: Console) -> None:
    secret = (
        f"{SAID}- The key is AKIAIOSFODNN7EXAMPLE today\n"
        "- My password for the wiki is hunter2-Correct!Horse\n- Pay from DE89370400440532013000\n"
    )
    said = end(loom, call("claude-code", compact_summary=secret))["systemMessage"]
    assert said == (
        "Inklings keeps 2 lines of this session's summary. 3 lines of it must be decided by the "
        "author."
    )
    assert len(kept(loom)) == 2
    assert len(loom.document("entry", "proposals")["proposals"]) == 3


@pytest.mark.parametrize(
    "records",
    [
        [{"type": "user", "uuid": "a", "message": {"content": GULL}}],
        [{"type": "summary", "leafUuid": "elsewhere", "summary": GULL}],
        [{"timestamp": "t", "type": "compacted", "payload": {"message": "Two words"}}],
    ],
)
def test_without_a_summary_nothing_is_written(
    records: list[Any], loom: Console, tmp_path: Path
) -> None:
    before = loom.document("mcp", "clients")
    assert end(loom, ended("claude-code", tmp_path, records=records)) == {}
    assert end(loom, call("claude-code", tmp_path / "gone.jsonl")) == {}
    assert end(loom, call("claude-code", tmp_path)) == {}
    assert end(loom, call("codex")) == {}
    assert loom.document("mcp", "clients") == before
    assert loom.document("conversation", "list", "--archived")["conversations"] == []


def test_the_author_sees_what_a_hook_asked_for(loom: Console, tmp_path: Path) -> None:
    loom("hook", "session-start", "--client", "loom", stdin=call("codex"))
    end(loom, ended("codex", tmp_path))
    (client,) = loom.document("mcp", "clients")["clients"]
    assert [(one["tool"], one["answer"]) for one in client["calls"]] == [
        ("session_end", "stored"),
        ("session_start", "entries"),
    ]


@pytest.mark.parametrize("verb", ["session-start", "session-end"])
def test_a_client_that_may_not_is_refused_and_its_session_goes_on(
    verb: str, loom: Console, tmp_path: Path
) -> None:
    loom.document("mcp", "revoke", "loom")
    said = loom("hook", verb, "--client", "loom", stdin=ended("codex", tmp_path))
    assert (said.status, said.out) == (0, "")
    assert said.err.startswith("loom may not ")
    (client,) = loom.document("mcp", "clients")["clients"]
    assert client["last_error"] == "scope_denied"
    assert loom.document("log", "--account", "--kind", "access.denied")["events"]
    assert loom.document("conversation", "list", "--archived")["conversations"] == []


@pytest.mark.parametrize(
    ("arguments", "stdin", "sentence"),
    [
        (("session-start", "--client", "loom"), b"", "is not a JSON object"),
        (("session-end", "--client", "loom"), b"[]", "is not a JSON object"),
        (("session-end", "--client", "loom"), b"\xff", "not UTF-8"),
        (("session-end", "--client", "loom"), b'{"transcript_path":"~no-such-user/x"}', "home"),
        (("session-start",), b"{}", "--client"),
        (
            ("session-start", "--client", "loom", "--budget", "0"),
            b"{}",
            "The budget is a number from",
        ),
        (("session-start", "--client", "loom", "--workspace", "nowhere"), b"{}", "no workspace"),
        (("session-start", "--client", "loom", "--json"), b"", "is not a JSON object"),
        (("session-middle",), b"", "No such command"),
    ],
)
def test_a_session_never_ends_for_our_sake(
    arguments: tuple[str, ...], stdin: bytes, sentence: str, loom: Console
) -> None:
    said = loom("hook", *arguments, stdin=stdin)
    assert (said.status, said.out, sentence in said.err) == (0, "", True), said.err
    assert len(said.err.splitlines()) == 1


def test_a_data_root_that_cannot_be_opened_lets_the_session_go_on(loom: Console) -> None:
    (loom.data_dir / "agents.db").write_bytes(b"no database")
    said = loom("hook", "session-start", "--client", "loom", stdin=call("codex"))
    assert (said.status, said.out) == (0, "")
    assert said.err
