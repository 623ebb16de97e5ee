from __future__ import annotations

import json
from typing import Any

import pytest

from inklings_desktop.domain.access.connections import (
    HookCall,
    hook_call,
    started_answer,
    summary_in,
    told,
)
from inklings_desktop.domain.errors import InvalidValueError

HARBOUR = "The harbour glass hums at low tide"
CLAUDE = {
    "type": "user",
    "uuid": "u-2",
    "isCompactSummary": True,
    "message": {"role": "user", "content": HARBOUR},
}
GEMINI = {"sessionId": "s", "projectHash": "p", "messages": [], "summary": HARBOUR}
CODEX = {"timestamp": "t", "type": "compacted", "payload": {"message": HARBOUR}}


def lines(*records: object) -> list[str]:
    return [f"{json.dumps(one)}\n" for one in records]


def test_a_call_is_read_by_the_names_that_all_programs_use() -> None:
    call = {
        "session_id": "s-1",
        "transcript_path": "session.jsonl",
        "cwd": "world",
        "hook_event_name": "SessionEnd",
        "reason": "exit",
    }
    assert hook_call(json.dumps(call)) == HookCall("SessionEnd", "s-1", "session.jsonl", "")
    without = hook_call('{"transcript_path": null, "session_id": 7, "compact_summary": "Yes"}')
    assert without == HookCall("", "", "", "Yes")


@pytest.mark.parametrize("text", ["", "null", "[]", '"x"', "{", "[" * 100_000])
def test_what_is_no_object_is_no_call(text: str) -> None:
    with pytest.raises(InvalidValueError):
        hook_call(text)


def test_the_answer_names_the_event_that_was_called() -> None:
    answer = started_answer("", "text")["hookSpecificOutput"]
    assert answer == {"hookEventName": "SessionStart", "additionalContext": "text"}
    assert started_answer("Other", "")["hookSpecificOutput"]["hookEventName"] == "Other"


@pytest.mark.parametrize(
    "record",
    [
        CLAUDE,
        CLAUDE | {"message": {"role": "user", "content": [{"type": "text", "text": HARBOUR}]}},
        {"type": "summary", "summary": HARBOUR, "leafUuid": "u-1"},
        {"type": "summary", "summary": HARBOUR},
        CODEX,
        GEMINI,
        {"$set": {"summary": HARBOUR}},
    ],
)
def test_the_summary_of_every_program_is_found(record: dict[str, Any]) -> None:
    said = {"type": "user", "uuid": "u-1", "message": {"content": "Remember the summary"}}
    assert summary_in(lines(said, record, {"type": "assistant", "uuid": "u-3"})) == HARBOUR
    assert summary_in(lines(record, said)) == HARBOUR


def test_a_transcript_of_one_object_over_many_lines_is_read() -> None:
    text = json.dumps(GEMINI, indent=2)
    assert summary_in(text.splitlines(keepends=True)) == HARBOUR


def test_the_latest_summary_counts_and_stands_above_a_title() -> None:
    later = CLAUDE | {"message": {"content": "The glass fell silent"}}
    title = {"type": "summary", "summary": "A title", "leafUuid": "u-2"}
    assert summary_in(lines(CLAUDE, later, title)) == "The glass fell silent"


@pytest.mark.parametrize(
    "record",
    [
        {"type": "user", "message": {"content": "summary"}, "summary": HARBOUR},
        {"type": "summary", "summary": HARBOUR, "leafUuid": "of another session"},
        {"type": "summary", "summary": 7},
        CLAUDE | {"isSidechain": True},
        CLAUDE | {"isCompactSummary": "true"},
        CLAUDE | {"message": None},
        CODEX | {"payload": {"message": "", "replacement_history": []}},
        CODEX | {"payload": None},
        GEMINI | {"summary": None},
        {"$set": [HARBOUR]},
        [CLAUDE],
        7,
    ],
)
def test_what_is_no_summary_of_this_session_is_none(record: object) -> None:
    assert summary_in(lines({"uuid": "u-1"}, record)) == ""


def test_a_transcript_that_was_cut_short_gives_what_it_holds() -> None:
    assert summary_in(["\n", *lines(CLAUDE), '{"type": "user", "mess']) == HARBOUR
    assert summary_in([]) == summary_in(["{", "never ends"]) == ""


@pytest.mark.parametrize(
    "summary",
    [
        HARBOUR,
        f"<analysis>\nI look back at all.\n</analysis>\n\n<summary>\n{HARBOUR}\n</summary>",
        f"<analysis>I look back.</analysis><summary>{HARBOUR}",
        (
            "This session is being continued from a previous conversation that ran out of context. "
            "The summary below covers the earlier portion of the conversation.\n\nAnalysis:\n"
            f"I look back at all.\n\nSummary:\n{HARBOUR}\n\nIf you need specific details from "
            "before compaction, read the full transcript.\nContinue the conversation from where it "
            "left off."
        ),
        (
            "Another language model started to solve this problem and produced a summary of its "
            f"thinking process.\n{HARBOUR}"
        ),
    ],
)
def test_only_what_happened_is_told(summary: str) -> None:
    assert told(summary) == HARBOUR
