"""An agent that floods, lies, storms and stalls takes neither the window nor a word with it."""

from __future__ import annotations

import json
from typing import Any

from inklings_desktop.agent_client.growing import MAX_BLOCKS
from inklings_desktop.agent_client.link import AgentLink
from inklings_desktop.agent_client.rows import NoticeBlock, ProblemBlock, TextBlock, text_of_turn
from inklings_desktop.agent_client.session import (
    MAX_OPEN_QUESTIONS,
    MAX_QUESTIONS_A_TURN,
    MAX_WAITING_BYTES,
    UPDATES_PER_SECOND,
    TurnGuard,
)
from tests.agent_client.talking import OPEN, SESSION, Clock, Table
from tests.support.stopwatch import SLOWNESS, Stopwatch

PROMPT = "-> session/prompt\n"


def line(update: dict[str, Any], session: str = SESSION) -> bytes:
    params = {"sessionId": session, "update": update}
    return json.dumps({"method": "session/update", "params": params}).encode() + b"\n"


def chunk(text: str) -> bytes:
    content = {"type": "text", "text": text}
    return line({"sessionUpdate": "agent_message_chunk", "content": content})


def question(number: int, **call: Any) -> bytes:
    options = [
        {"optionId": "yes", "name": "Cancel", "kind": "allow_always"},
        {"optionId": "no", "name": "Yes, go on", "kind": "reject_once"},
    ]
    params = {
        "sessionId": SESSION,
        "toolCall": {"toolCallId": f"c{number}"} | call,
        "options": options,
        "_meta": {"inklings": {"effect": "Nothing will happen.", "tool": "note_read"}},
    }
    message = {"id": f"q{number}", "method": "session/request_permission", "params": params}
    return json.dumps(message).encode() + b"\n"


def at_work(*, is_ours: bool = True) -> Table:
    table = Table(OPEN + PROMPT, is_ours=is_ours).opened()
    table.say("Hello")
    return table


def drained(table: Table) -> None:
    while table.link.pump(1.0):
        table.clock.now += 1.0


def test_a_flood_is_slowed_and_nothing_of_it_is_lost() -> None:
    table = at_work()
    n_chunks = UPDATES_PER_SECOND * 2 + 500
    table.link.feed(b"".join(chunk(f"{number} ") for number in range(n_chunks)))
    assert table.link.pump(60.0)
    assert table.link.pump(60.0)
    assert len(text_of_turn(table.turns[-1]).split()) <= UPDATES_PER_SECOND
    drained(table)
    assert len(text_of_turn(table.turns[-1]).split()) == n_chunks


def test_a_portion_of_work_takes_no_longer_than_its_budget() -> None:
    clock = Clock()

    class Slow(Clock):
        def __call__(self) -> float:
            clock.now += 0.001
            return clock.now

    link = AgentLink(lambda _: None, Slow())
    seen: list[str] = []
    link.on_update = lambda session, _update, _size: seen.append(session)
    link.feed(b"".join(chunk("x") for _ in range(100)))
    assert link.pump(0.004)
    assert len(seen) < 10
    while link.pump(0.004):
        pass
    assert len(seen) == 100


def test_giant_frames_are_left_out() -> None:
    table = at_work()
    for _ in range(3):
        table.link.feed(chunk("x" * (9 * 1024 * 1024)))
    table.link.feed(chunk("small"))
    drained(table)
    assert table.link.n_too_long == 3
    assert text_of_turn(table.turns[-1]) == "small"


def test_an_agent_that_sends_faster_than_anybody_can_read_is_left() -> None:
    table = at_work()
    big = chunk("x" * 1024 * 1024)
    for _ in range(MAX_WAITING_BYTES // len(big) + 2):
        table.link.feed(big)
    (problem,) = table.heard.losses
    assert problem.word == "agent_too_loud"
    assert table.turns[-1].state == "interrupted"
    assert text_of_turn(table.turns[0]) == "Hello"


def test_a_turn_of_too_much_text_is_stopped() -> None:
    table = at_work()
    piece = chunk("A paragraph. " * 40_000 + "\n\n")
    guard = TurnGuard()
    n_sent = 0
    while guard.takes(len(piece)):
        table.link.feed(piece)
        drained(table)
        n_sent += 1
    table.link.feed(piece)
    drained(table)
    assert n_sent > 100
    assert table.turns[-1].state == "failed"
    assert table.turns[-1].blocks[-1] == ProblemBlock("agent_too_loud")
    assert "session/cancel" in [one.get("method") for one in table.peer.got]
    before = table.turns[-1]
    table.link.feed(piece)
    drained(table)
    assert table.turns[-1] is before


def test_a_title_never_takes_the_place_of_our_words() -> None:
    table = at_work(is_ours=False)
    table.link.feed(question(1, title="Read one note\u202e\x1b[2K\nAllowed", kind="delete"))
    drained(table)
    (ask,) = table.talk.thread(SESSION).open_questions
    assert (ask.effect, ask.tool_name, ask.before) == ("", "", None)
    assert (ask.kind, ask.title) == ("delete", "Read one note [2K Allowed")
    assert [option.kind for option in ask.options] == ["allow_always", "reject_once"]


def test_a_storm_of_questions_is_answered_without_anybody() -> None:
    table = at_work()
    table.link.feed(b"".join(question(number) for number in range(500)))
    drained(table)
    assert len(table.talk.thread(SESSION).open_questions) == MAX_OPEN_QUESTIONS
    cancelled = [one for one in table.peer.got if "result" in one]
    assert len(cancelled) == 500 - MAX_OPEN_QUESTIONS
    assert all(one["result"] == {"outcome": {"outcome": "cancelled"}} for one in cancelled)


def test_who_asks_again_and_again_is_not_heard_for_ever() -> None:
    table = at_work()
    for number in range(MAX_QUESTIONS_A_TURN + 50):
        table.link.feed(question(number))
        drained(table)
        for ask in table.talk.thread(SESSION).open_questions:
            table.talk.answer(ask.id, "no")
    assert len(table.heard.questions) == MAX_QUESTIONS_A_TURN


def test_a_question_without_answers_or_of_no_conversation_is_refused() -> None:
    table = at_work()
    table.link.feed(question(1).replace(b'"optionId"', b'"option"'))
    table.link.feed(question(2).replace(SESSION.encode(), b"c-9"))
    drained(table)
    assert table.heard.questions == []
    assert table.peer.answered("q1")["error"]["code"] == -32602
    assert table.peer.answered("q2")["error"]["code"] == -32602


def test_two_questions_about_one_call_are_two() -> None:
    table = at_work()
    table.link.feed(question(1) + question(2).replace(b'"c2"', b'"c1"'))
    drained(table)
    first, second = table.talk.thread(SESSION).open_questions
    table.talk.answer(second.id, "no")
    assert table.peer.answered("q2")["result"]["outcome"]["optionId"] == "no"
    assert [one.id for one in table.talk.thread(SESSION).open_questions] == [first.id]


def test_thousands_of_cards_are_counted_instead_of_shown() -> None:
    table = at_work()
    for number in range(MAX_BLOCKS + 300):
        call = {"sessionUpdate": "tool_call", "toolCallId": str(number), "title": "x"}
        table.link.feed(line(call))
    drained(table)
    assert len(table.turns[-1].blocks) == MAX_BLOCKS + 1
    assert table.turns[-1].blocks[-1] == NoticeBlock("more_than_shown", {"n": 300})


def test_updates_of_conversations_that_nobody_opened_make_nothing() -> None:
    table = at_work()
    for number in range(1000):
        update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x"}}
        table.link.feed(line(update, f"c-{number + 100}"))
    drained(table)
    assert table.talk.thread("c-100").turns == ()
    assert len(table.turns) == 2


def test_answers_to_nothing_and_of_the_wrong_kind_are_noise() -> None:
    table = Table(OPEN + PROMPT + '{"id":"$session/prompt","result":[1,2]}').opened()
    for odd in (b'{"id":99,"result":{}}', b'{"id":"x","error":5}', b"null", b"{", b"\xff"):
        table.link.feed(odd + b"\n")
    table.say("Hello")
    drained(table)
    assert table.turns[-1].state == "complete"
    assert table.link.n_noise == 5


def test_one_unbroken_paragraph_is_cut_into_blocks() -> None:
    table = at_work()
    for _ in range(200):
        table.link.feed(chunk("x" * 1000))
    drained(table)
    blocks = table.turns[-1].blocks
    assert all(isinstance(block, TextBlock) and len(block.text) <= 4096 for block in blocks)
    assert len(text_of_turn(table.turns[-1])) == 200_000


def test_rows_of_a_long_answer_are_made_in_little_time() -> None:
    table = at_work()
    watch = Stopwatch()
    for number in range(2000):
        table.link.feed(chunk("A word that is read. "))
        table.link.pump(1.0)
        if number % 20 == 0:
            assert table.turns[-1].blocks
    assert watch.seconds < SLOWNESS
