from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.acp_wire import parts, words
from inklings_desktop.agent_client.growing import CUT_CHARACTERS, TextRun
from inklings_desktop.agent_client.rows import (
    AskBlock,
    AttachmentBlock,
    NoticeBlock,
    PlanBlock,
    PlanEntry,
    ProblemBlock,
    Quote,
    StepBlock,
    TextBlock,
    ThoughtBlock,
    Touched,
    UnknownBlock,
    text_of_turn,
)
from inklings_desktop.agent_client.thread_state import ThreadState, turns_of
from tests.support.spoken import MEMORY, MESSAGES, message

TURN = "t1-0a1b2c3d"


def update(what: str, seq: int | None = None, turn: str = TURN, **more: Any) -> dict[str, Any]:
    own = more.pop("own", {}) | {"turn": turn} | ({} if seq is None else {"seq": seq})
    return {"sessionUpdate": what, "_meta": {"inklings": own}} | more


def chunk(text: str, seq: int | None = None, **own: Any) -> dict[str, Any]:
    content = {"type": "text", "text": text}
    return update("agent_message_chunk", seq, content=content, own=own)


def said(text: str) -> list[dict[str, Any]]:
    return [{"kind": "text", "text": text}]


def test_stored_messages_become_rows() -> None:
    asked, answer, notice, again, stopped, scrubbed, failed = turns_of(MESSAGES)
    assert (asked.role, asked.speaker, asked.state) == ("user", "person", "complete")
    assert asked.blocks == (
        TextBlock("What hums at low tide?"),
        AttachmentBlock(f"inklings://memory/workspace/{MEMORY}", "Glass"),
        AttachmentBlock("inklings://text/1", "Pasted", "A lamp"),
    )
    assert (answer.id, answer.role, answer.speaker) == (TURN, "assistant", "world-agent")
    assert (answer.state, answer.ms, answer.produced_by) == ("complete", 2500, "mechanical")
    plan, read, refused, ask, text, unknown = answer.blocks
    assert plan == PlanBlock((PlanEntry("Look", "high", "completed"),))
    assert isinstance(read, StepBlock)
    assert (read.tool, read.kind, read.ms, read.process) == (
        "memory_read", "search", 12, "orchestrator",
    )  # fmt: skip
    assert isinstance(refused, StepBlock)
    assert (refused.status, refused.parent) == ("refused", read.id)
    assert ask == AskBlock(f"{TURN}:2:asked", "Forget this?", f"{TURN}:2", outcome="denied")
    assert isinstance(text, TextBlock)
    assert [quote.id for quote in text.quotes] == [MEMORY]
    assert unknown == UnknownBlock("hologram")
    assert [(one.how, one.undo) for one in answer.touched] == [("read", False), ("written", True)]
    assert notice.role == "notice"
    assert notice.blocks == (NoticeBlock("went_on", {"turn": "t1"}),)
    assert again.blocks == (TextBlock("Go on"),)
    assert (stopped.state, stopped.ms) == ("stopped", 4000)
    assert scrubbed.blocks == (NoticeBlock("scrubbed", {}),)
    assert (failed.state, failed.blocks) == ("failed", (ProblemBlock("memory_unreachable", "2"),))


def test_what_is_told_live_gives_the_rows_of_what_is_stored() -> None:
    question, stored = MESSAGES[0], MESSAGES[1]
    thread = ThreadState()
    thread.begin(parts.parts_of(question))
    told = list(parts.replay([stored]))[:-1]
    seq = 0
    for one in told:
        own = one["_meta"]["inklings"]
        pieces = [one]
        if one["sessionUpdate"] == "agent_message_chunk":
            text = one["content"]["text"]
            pieces = [chunk(text[at : at + 7]) for at in range(0, len(text), 7)]
            pieces[-1]["_meta"]["inklings"]["quotes"] = own["quotes"]
        for piece in pieces:
            seq += 1
            live = {"turn": TURN, "seq": seq, "produced_by": "mechanical"}
            mine = piece["_meta"]["inklings"]
            kept = {key: mine[key] for key in mine if key not in {"at", "role", "speaker", "whole"}}
            thread.apply(piece | {"_meta": {"inklings": kept | live}})
    thread.finish("end_turn", TURN, 2500)
    want_asked, want = turns_of([question, stored])
    asked, answer = thread.turns
    assert (asked.id, asked.blocks, asked.state) == (TURN, want_asked.blocks, "complete")
    for name in ("id", "role", "state", "blocks", "touched", "ms", "produced_by"):
        assert getattr(answer, name) == getattr(want, name), name


def test_a_row_that_did_not_change_is_the_same_object() -> None:
    thread = ThreadState()
    thread.replay(MESSAGES)
    before = thread.turns
    assert all(one is two for one, two in zip(before, thread.turns, strict=True))
    thread.begin(said("More"))
    thread.apply(update("agent_message_chunk", 1, "t9-1", content={"type": "text", "text": "a"}))
    after = thread.turns
    assert all(one is two for one, two in zip(before, after, strict=False))
    assert [turn.id for turn in after[len(before) :]] == ["t9-1", "t9-1"]


def test_repeats_are_dropped_and_late_ones_are_put_in_order() -> None:
    numbers = list(range(1, 30))
    order = [*numbers, *numbers]
    random.Random(7).shuffle(order)  # noqa: S311 - an order that is the same in every run
    thread = ThreadState()
    thread.begin(said("count"))
    for number in order:
        thread.apply(chunk(f"{number} ", number))
    thread.settle()
    assert text_of_turn(thread.turns[1]) == "".join(f"{number} " for number in numbers)


def test_what_waits_for_an_update_that_never_comes_is_shown_at_the_end() -> None:
    thread = ThreadState()
    thread.begin(said("count"))
    thread.apply(chunk("one ", 1))
    thread.apply(chunk("three ", 3))
    assert text_of_turn(thread.turns[1]) == "one "
    thread.finish("end_turn")
    assert text_of_turn(thread.turns[1]) == "one three "
    thread.apply(chunk("three ", 3))
    assert text_of_turn(thread.turns[1]) == "one three "


def test_a_message_just_sent_takes_the_turns_name_once_it_is_told() -> None:
    thread = ThreadState()
    thread.begin(said("Hello"))
    assert [turn.id for turn in thread.turns] == ["local-1", "local-1"]
    assert thread.is_running
    thread.apply(chunk("Hi", 1))
    assert [(turn.id, turn.role) for turn in thread.turns] == [(TURN, "user"), (TURN, "assistant")]
    thread.finish("end_turn", TURN)
    assert not thread.is_running


def test_a_turn_without_any_update_takes_its_name_from_the_answer() -> None:
    thread = ThreadState()
    thread.begin(said("Hello"))
    thread.finish("end_turn", "t9-00000000", 3)
    assert {turn.id for turn in thread.turns} == {"t9-00000000"}


def test_only_the_end_of_a_running_turn_is_live() -> None:
    thread = ThreadState()
    thread.begin(said("Hello"))
    thread.apply(chunk("Let me look. "))
    thread.apply(update("tool_call", toolCallId="1", title="Read", status="pending"))
    thread.apply(chunk("There."))
    live = [b.is_live for b in thread.turns[1].blocks if isinstance(b, TextBlock)]
    assert live == [False, True]
    thread.finish("cancelled")
    live = [b.is_live for b in thread.turns[1].blocks if isinstance(b, TextBlock)]
    assert live == [False, False]
    assert thread.turns[1].state == "stopped"


def test_a_tool_call_keeps_what_a_later_update_does_not_tell() -> None:
    thread = ThreadState()
    thread.apply(
        update(
            "tool_call", toolCallId="1", title="Read", kind="read", status="pending",
            rawInput={"tier": "workspace"}, own={"tool": "memory_read", "process": "worker"},
        )
    )  # fmt: skip
    told = {"id": MEMORY, "tier": "workspace", "how": "read"}
    thread.apply(
        update("tool_call_update", toolCallId="1", status="completed", own={"touched": [told]})
    )
    (step,) = thread.turns[0].blocks
    assert step == StepBlock(
        "1", "Read", "memory_read", "read", "completed", {"tier": "workspace"},
        touched=(Touched(MEMORY, "workspace"),), process="worker",
    )  # fmt: skip
    assert thread.turns[0].touched == (Touched(MEMORY, "workspace"),)


def test_thoughts_are_one_line_with_how_long_they_took() -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    thread = ThreadState(lambda: now)
    thread.begin(said("Hello"))
    content = {"type": "text", "text": "getting "}
    thread.apply(update("agent_thought_chunk", content=content))
    now += timedelta(seconds=2)
    thread.apply(update("agent_thought_chunk", content={"type": "text", "text": "ready"}))
    assert thread.turns[1].blocks == (ThoughtBlock("getting ready", 2000),)


def test_what_this_version_does_not_know_is_named_once() -> None:
    thread = ThreadState()
    thread.begin(said("Hello"))
    for _ in range(3):
        thread.apply(update("hologram_update", beam=1))
        thread.apply({"sessionUpdate": None})
    thread.apply(update("agent_message_chunk", content={"type": "smell", "data": "x"}))
    thread.finish("enlightened")
    assert thread.turns[1].blocks == (
        UnknownBlock("hologram_update"),
        UnknownBlock(""),
        UnknownBlock("smell"),
        NoticeBlock("unknown_stop", {"reason": "enlightened"}),
    )


def test_an_agent_that_names_no_turns_is_understood() -> None:
    thread = ThreadState()
    for role, text in (("user", "One"), ("agent", "Two "), ("agent", "three"), ("user", "Four")):
        kind = f"{role}_message_chunk"
        thread.apply({"sessionUpdate": kind, "content": {"type": "text", "text": text}})
    assert [text_of_turn(turn) for turn in thread.turns] == ["One", "Two three", "Four"]


def test_an_interrupted_turn_goes_on_where_it_was() -> None:
    thread = ThreadState()
    thread.begin(said("Hello"))
    thread.apply(chunk("one ", 1))
    thread.interrupt()
    assert thread.turns[1].state == "interrupted"
    assert thread.turns[1].blocks[-1] == ProblemBlock("agent_gone")
    thread.begin((), goes_on=True)
    thread.apply(chunk("one ", 1))
    thread.apply(chunk("two", 2))
    thread.finish("end_turn", TURN)
    assert len(thread.turns) == 2
    assert (thread.turns[1].state, text_of_turn(thread.turns[1])) == ("complete", "one two")


@pytest.mark.parametrize(
    ("first", "text"), [(1, "ONE two"), (2, "one ONE two"), (9, "one three ONE two")]
)
def test_what_is_told_again_takes_the_place_of_what_was_told(first: int, text: str) -> None:
    thread = ThreadState()
    thread.begin(said("Hello"))
    thread.apply(chunk("one ", 1))
    thread.apply(update("tool_call", 2, toolCallId="1", title="Read", status="completed"))
    thread.apply(chunk("three ", 3))
    thread.interrupt()
    thread.begin((), goes_on=True)
    thread.apply(chunk("ONE ", first))
    thread.apply(chunk("two", first + 1))
    thread.finish("end_turn", TURN)
    answer = thread.turns[1]
    assert "".join(b.text for b in answer.blocks if isinstance(b, TextBlock)) == text
    n_steps = len([block for block in answer.blocks if isinstance(block, StepBlock)])
    assert n_steps == (first > 2)


def test_what_was_said_stays_although_the_agent_died_before_it_kept_it() -> None:
    thread = ThreadState()
    thread.replay(MESSAGES[:2])
    thread.begin(said("Lost?"))
    thread.interrupt()
    thread.begin_again()
    thread.replay(MESSAGES[:2])
    thread.told_again()
    assert [text_of_turn(turn)[:5] for turn in thread.turns][-2:] == ["Lost?", ""]
    assert thread.turns[-1].state == "interrupted"


def test_turn_that_cannot_go_on_is_not_offered_to() -> None:
    thread = ThreadState()
    thread.left_unfinished({"turn": "t4-0a1b2c3d", "problem": {"word": "run_damaged"}})
    assert thread.unfinished == {}
    assert [(one.id, one.state) for one in thread.turns] == [("t4-0a1b2c3d", "failed")]


def test_what_the_agent_kept_is_not_shown_twice() -> None:
    thread = ThreadState()
    thread.begin(said("Kept"))
    thread.interrupt()
    thread.begin_again()
    thread.replay([message("user", said("Kept"), turn="t4-0a1b2c3d")])
    thread.told_again()
    thread.left_unfinished({"turn": "t4-0a1b2c3d", "node": "plan"})
    kept = [(turn.id, turn.role, turn.state) for turn in thread.turns]
    assert kept == [
        ("t4-0a1b2c3d", "user", "complete"),
        ("t4-0a1b2c3d", "assistant", "interrupted"),
    ]


def test_rows_stay_when_they_cannot_be_told_again() -> None:
    thread = ThreadState()
    thread.replay(MESSAGES)
    before = thread.turns
    thread.begin_again()
    thread.replay(MESSAGES[:1])
    assert thread.turns == before
    thread.told_again(whole=False)
    assert thread.turns == before


def test_what_was_undone_says_so_and_cannot_be_undone_again() -> None:
    thread = ThreadState()
    thread.replay(MESSAGES[:2])
    could = [one.id for one in thread.turns[1].touched if one.undo]
    assert could
    thread.undone(TURN, None)
    assert not any(one.undo for one in thread.turns[1].touched)
    assert [one.id for one in thread.turns[1].touched if one.undone] == could


def test_earlier_pages_are_put_before() -> None:
    thread = ThreadState()
    thread.replay(MESSAGES[3:])
    thread.prepend(turns_of(MESSAGES[:3]))
    assert [(one.id, one.role) for one in thread.turns] == [
        (one.id, one.role) for one in turns_of(MESSAGES)
    ]


def test_what_is_told_of_the_conversation_is_kept_beside_its_rows() -> None:
    thread = ThreadState()
    thread.apply({"sessionUpdate": "session_info_update", "title": "Tides\n", "_meta": {
        "inklings": {"state": "idle", "compacted": {"up_to_message": 9}}}})  # fmt: skip
    commands = [{"name": "end", "description": "End it"}, 7]
    thread.apply({"sessionUpdate": "available_commands_update", "availableCommands": commands})
    thread.apply({"sessionUpdate": "usage_update", "used": 3, "size": 9})
    thread.apply({"sessionUpdate": "config_option_update", "configOptions": [{"id": "model"}, 1]})
    assert (thread.title, thread.state, thread.compacted) == ("Tides", "idle", {"up_to_message": 9})
    assert thread.commands == (("end", "End it"), ("", ""))
    assert (thread.usage["used"], thread.config_options) == (3, [{"id": "model"}])
    assert thread.turns == ()


def test_why_an_unfinished_turn_cannot_go_on_stands_there_once() -> None:
    thread = ThreadState()
    thread.begin(said("Keep it."))
    thread.interrupt(words.AGENT_GONE)
    turn = thread.turns[-1].id
    problem = {"word": words.RUN_DAMAGED}
    own = {"turn": turn, "role": "assistant", "problem": problem}
    thread.apply({"sessionUpdate": words.SESSION_INFO, "_meta": {words.OWN: own}})
    thread.left_unfinished({"turn": turn, "problem": problem})
    problems = [one for one in thread.turns[-1].blocks if isinstance(one, ProblemBlock)]
    assert [one.word for one in problems] == [words.RUN_DAMAGED]


def blocks_of(*chunks: str) -> list[TextBlock]:
    run = TextRun()
    for chunk in chunks:
        run.add(chunk)
    return run.blocks()


WORDS = st.sampled_from(["glass ", "lamp\n", "harbour\n\n", "x" * 700, "```py\n", "```\n", "~~~\n"])


@given(st.lists(WORDS, max_size=60), st.integers(1, 900))
def test_a_text_is_cut_the_same_in_whatever_chunks_it_comes(words: list[str], size: int) -> None:
    text = "".join(words)
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    found = blocks_of(*chunks)
    assert found == blocks_of(text)
    assert "".join(block.text for block in found) == text
    assert all(len(block.text) <= CUT_CHARACTERS for block in found)
    assert [block.is_live for block in found] == [False] * (len(found) - 1) + [True]
    assert [block.begins for block in found] == [True] + [False] * (len(found) - 1)


def test_a_block_ends_with_a_paragraph() -> None:
    paragraph = "The harbour glass hums at low tide. " * 20 + "\n\n"
    first, *_others = blocks_of(paragraph * 12)
    assert first.text.endswith("\n\n")


def test_a_code_block_goes_on_in_the_next_block() -> None:
    code = "```python\n" + "print('glass')\n" * 600 + "```\nAfterwards.\n"
    found = blocks_of(code)
    assert found[0].fence == ""
    assert [block.fence for block in found[1:]] == ["```python"] * (len(found) - 1)
    assert found[1].markdown.startswith("```python\nprint(")


def test_a_quote_stands_with_the_block_that_names_it() -> None:
    run = TextRun()
    run.add("[one](memory:workspace/m1) " + "x" * 5000, [Quote("m1", "workspace")])
    run.add(" end", [Quote("m2", "channel")])
    first, last = run.blocks()
    assert first.quotes == (Quote("m1", "workspace"),)
    assert last.quotes == (Quote("m2", "channel"),)
