from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inklings_desktop.agent_client.rows import AskBlock, ProblemBlock, StepBlock, text_of_turn
from inklings_desktop.agent_client.session import Problem
from tests.agent_client.talking import BEGIN, OPEN, SESSION, Table

TALK = Path(__file__).parents[1] / "data" / "acp" / "world_agent.lines"
CHUNK = (
    '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"c-1","update":'
    '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Hi"}}}}\n'
)
END_TURN = '{"jsonrpc":"2.0","id":"$session/prompt","result":{"stopReason":"end_turn"}}\n'
PROMPT = "-> session/prompt\n"


def failing(code: int, **data: Any) -> str:
    error = {"code": code, "message": "it says", "data": data}
    return json.dumps({"jsonrpc": "2.0", "id": "$session/prompt", "error": error}) + "\n"


def test_a_whole_talk_in_the_words_of_the_protocol() -> None:
    table = Table(TALK.read_text()).opened()
    thread = table.talk.thread(SESSION)
    assert thread.ref_code == "K7"
    assert thread.commands == (("continue", "Go on"),)
    assert table.peer.said("session/new")[0]["_meta"] == {"inklings": {"channel": "general"}}
    attached = {"kind": "attachment", "uri": "inklings://memory/workspace/m1", "title": "Glass"}
    table.talk.prompt(SESSION, [{"kind": "text", "text": "Forget it"}, attached])
    table.play()

    (ask,) = thread.open_questions
    assert table.heard.questions == [ask.id] == ["t1-a:1:asked"]
    assert (ask.effect, ask.before, ask.why) == (
        "One memory is put away.", "The harbour hums", "forget",
    )  # fmt: skip
    assert table.turns[-1].state == "running"
    table.talk.answer(ask.id, "once")
    table.play()

    said, answer = table.turns
    assert {said.id, answer.id} == {"t1-a"}
    step, asked, text = answer.blocks
    assert isinstance(step, StepBlock)
    assert step.status == "completed"
    assert asked == AskBlock(ask.id, "One memory is put away.", "t1-a:1", outcome="allowed_once")
    assert (text_of_turn(answer), answer.state, answer.ms) == ("It is forgotten.", "complete", 41)
    assert [one.undo for one in answer.touched] == [True]
    assert text is answer.blocks[-1]

    table.talk.undo(SESSION, "t1-a", "m1")
    table.play()
    assert [one.undo for one in table.turns[-1].touched] == [False]
    table.talk.set_option(SESSION, "write_policy", "ask")
    table.play()
    assert thread.config_options[0]["currentValue"] == "ask"

    table.say("Wait")
    table.talk.cancel(SESSION)
    table.play()
    assert table.turns[-1].state == "stopped"
    assert text_of_turn(table.turns[-1]) == "Let me "
    table.talk.end(SESSION)
    table.play()
    table.talk.let_go(SESSION)
    table.play()
    assert table.peer.is_done
    assert table.link.n_noise == 1
    assert table.heard.problems == []
    assert table.heard.ends == [SESSION, SESSION]


def test_what_is_asked_before_the_agent_is_there_waits() -> None:
    table = Table(OPEN + PROMPT + CHUNK + END_TURN)
    table.talk.new_session(then=lambda session: table.talk.prompt(session, [
        {"kind": "text", "text": "Early"}]))  # fmt: skip
    assert table.peer.got[-1]["method"] == "initialize"
    table.play()
    assert table.talk.is_ready
    assert [text_of_turn(turn) for turn in table.turns] == ["Early", "Hi"]


RESUME = "-> session/resume\n"


def test_what_is_said_while_a_conversation_is_opened_waits_for_it() -> None:
    opened = '{"jsonrpc":"2.0","id":"$session/resume","result":{}}\n'
    table = Table(BEGIN + RESUME + opened + PROMPT + CHUNK + END_TURN)
    table.talk.resume_session(SESSION)
    table.talk.prompt(SESSION, [{"kind": "text", "text": "Early"}])
    table.play()
    met = [one["method"] for one in table.peer.got]
    assert met == ["initialize", "session/resume", "session/prompt"]
    assert [text_of_turn(turn) for turn in table.turns] == ["Early", "Hi"]


@pytest.mark.parametrize("turn", ["t2-b", "t1-a"])
def test_what_waits_to_be_said_is_no_turn_that_stopped(turn: str) -> None:
    own = {"inklings": {"unfinished": {"turn": turn, "node": "plan"}}}
    opened = json.dumps({"id": "$session/resume", "result": {"_meta": own}}) + "\n"
    table = Table(BEGIN + RESUME + opened)
    table.talk.resume_session(SESSION)
    table.talk.prompt(SESSION, [{"kind": "text", "text": "Early"}], turn="t2-b")
    table.play()
    states = [one.state for one in table.turns]
    assert states == ["complete", "running", *(["interrupted"] if turn == "t1-a" else [])]


def test_what_was_said_to_a_conversation_that_does_not_open_has_failed() -> None:
    data = {"word": "unknown_session"}
    error = {"code": -32001, "message": "it says", "data": data}
    refused = json.dumps({"jsonrpc": "2.0", "id": "$session/resume", "error": error}) + "\n"
    table = Table(BEGIN + RESUME + refused)
    table.talk.resume_session(SESSION)
    table.talk.prompt(SESSION, [{"kind": "text", "text": "Early"}])
    table.play()
    assert text_of_turn(table.turns[0]) == "Early"
    assert table.turns[-1].state == "failed"
    assert table.turns[-1].blocks[-1] == ProblemBlock("unknown_session")
    assert table.heard.ends == [SESSION]


@pytest.mark.parametrize(
    ("answer", "older"),
    [
        ({"protocolVersion": 2}, "window"),
        ({"protocolVersion": 0}, "agent"),
        ({"protocolVersion": 1, "_meta": {"inklings": {"version": "1.0.0"}}}, "window"),
        ({}, "agent"),
    ],
)
def test_an_agent_that_speaks_otherwise_is_left(answer: dict[str, Any], older: str) -> None:
    line = json.dumps({"jsonrpc": "2.0", "id": "$initialize", "result": answer})
    table = Table("-> initialize\n" + line)
    table.talk.new_session()
    table.play()
    assert table.heard.losses == [Problem("agent_speaks_otherwise", older)]
    assert table.link.is_closed
    assert [one["method"] for one in table.peer.got] == ["initialize"]


def test_another_minor_version_works_and_can_be_said() -> None:
    table = Table(BEGIN.replace('"version":"0.1.0"', '"version":"0.7.2"'))
    table.play()
    (facts,) = table.heard.begun_with
    assert facts.is_of_another_minor
    assert table.talk.is_ready


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (failing(-32001, word="busy_elsewhere", retry=True, detail="other"), "busy_elsewhere"),
        (failing(-32000), "sign_in_needed"),
        (failing(-32601), "agent_cannot"),
        (failing(-32603), "agent_failed"),
    ],
)
def test_a_turn_that_fails_says_why(error: str, word: str) -> None:
    table = Table(OPEN + PROMPT + error).opened()
    table.say("Hello")
    assert table.turns[-1].state == "failed"
    (problem,) = table.turns[-1].blocks
    assert isinstance(problem, ProblemBlock)
    assert problem.word == word
    assert problem.detail in {"other", "it says"}
    assert not table.talk.thread(SESSION).is_running


def test_a_message_waits_for_the_turn_that_runs() -> None:
    table = Table(OPEN + PROMPT + CHUNK).opened()
    table.say("One")
    table.talk.prompt(SESSION, [{"kind": "text", "text": "Two"}])
    assert table.talk.thread(SESSION).queued == ({"kind": "text", "text": "Two"},)
    assert len(table.peer.said("session/prompt")) == 1
    id_ = next(one["id"] for one in table.peer.got if one.get("method") == "session/prompt")
    table.link.feed(json.dumps({"id": id_, "result": {"stopReason": "end_turn"}}).encode() + b"\n")
    table.link.pump()
    assert [one["prompt"][0]["text"] for one in table.peer.said("session/prompt")] == ["One", "Two"]
    assert table.talk.thread(SESSION).queued == ()


def test_a_message_that_waits_can_be_taken_back_and_a_stop_does_not_send_it() -> None:
    stop = '-> session/cancel\n{"id":"$session/prompt","result":{"stopReason":"cancelled"}}'
    table = Table(OPEN + PROMPT + CHUNK + stop).opened()
    table.say("One")
    table.talk.prompt(SESSION, [{"kind": "text", "text": "Two"}])
    table.talk.cancel(SESSION)
    table.play()
    assert table.turns[-1].state == "stopped"
    assert table.talk.unqueue(SESSION) == ({"kind": "text", "text": "Two"},)
    assert table.talk.unqueue(SESSION) == ()
    assert len(table.peer.said("session/prompt")) == 1


def test_a_stop_answers_every_open_question() -> None:
    table = Table(TALK.read_text().split("-> q1")[0]).opened()
    table.say("Forget it")
    table.talk.cancel(SESSION)
    assert table.peer.answered("q1")["result"] == {"outcome": {"outcome": "cancelled"}}
    assert table.talk.thread(SESSION).open_questions == ()
    table.talk.answer("t1-a:1:asked", "once")
    assert len([one for one in table.peer.got if one.get("id") == "q1"]) == 1


@pytest.mark.parametrize(
    ("option", "outcome"),
    [("always", "allowed_always"), ("deny", "denied"), ("later", "later"), ("odd", "withdrawn")],
)
def test_each_answer_is_told_and_shown(option: str, outcome: str) -> None:
    table = Table(TALK.read_text().split("-> q1")[0]).opened()
    table.say("Forget it")
    table.talk.answer("t1-a:1:asked", option)
    said = table.peer.answered("q1")["result"]["outcome"]
    chosen = {"outcome": "selected", "optionId": option}
    assert said == ({"outcome": "cancelled"} if option == "odd" else chosen)
    (ask,) = [b for b in table.turns[-1].blocks if isinstance(b, AskBlock)]
    assert ask.outcome == outcome


def test_the_agents_death_is_survived() -> None:
    table = Table(TALK.read_text().split("-> q1")[0]).opened()
    table.say("Forget it")
    before = table.turns
    table.talk.lost()
    assert table.heard.losses == [Problem("agent_gone")]
    assert table.turns[0] is before[0]
    assert table.turns[-1].state == "interrupted"
    assert table.turns[-1].blocks[-1] == ProblemBlock("agent_gone")
    assert table.talk.thread(SESSION).open_questions == ()
    dead = table.peer
    n_before = len(dead.got)
    table.talk.new_session()
    table.talk.prompt(SESSION, [{"kind": "text", "text": "Still there?"}])
    assert len(dead.got) == n_before
    assert table.turns[-1].state == "interrupted"
    assert table.heard.problems == [(None, Problem("agent_gone"))]


def test_a_new_process_opens_every_conversation_again_and_goes_on() -> None:
    table = Table(TALK.read_text().split("-> q1")[0]).opened()
    table.say("Forget it")
    table.talk.lost()
    unfinished = {"turn": "t1-a", "node": "decide"}
    loaded = {"id": "$session/load", "result": {"_meta": {"inklings": {"unfinished": unfinished}}}}
    said = {
        "sessionUpdate": "user_message_chunk", "content": {"type": "text", "text": "Forget it"},
        "_meta": {"inklings": {"turn": "t1-a"}},
    }  # fmt: skip
    update = {"method": "session/update", "params": {"sessionId": SESSION, "update": said}}
    table.over_a_new_process(
        BEGIN + "-> session/load\n" + json.dumps(update) + "\n" + json.dumps(loaded) + "\n"
        + PROMPT + CHUNK + END_TURN
    )  # fmt: skip
    table.play()
    assert [turn.state for turn in table.turns] == ["complete", "interrupted"]
    assert table.talk.thread(SESSION).unfinished == unfinished
    assert table.talk.problem is None
    table.talk.continue_(SESSION)
    table.play()
    assert table.peer.said("session/prompt")[0]["prompt"] == [{"type": "text", "text": "/continue"}]
    assert [turn.state for turn in table.turns] == ["complete", "complete"]
    assert text_of_turn(table.turns[-1]) == "Hi"
    assert ProblemBlock("agent_gone") not in table.turns[-1].blocks


def test_an_agent_that_cannot_tell_a_conversation_again_says_so() -> None:
    table = Table(BEGIN.replace('"loadSession":true,"sessionCapabilities":{"resume":{}}', ""))
    table.talk.load_session(SESSION)
    table.play()
    assert table.heard.problems == [(SESSION, Problem("unknown_session"))]


def test_an_agent_that_never_answers_is_given_up() -> None:
    table = Table("-> initialize\n")
    table.talk.new_session()
    table.play()
    table.clock.now = 121.0
    table.link.pump()
    assert table.heard.losses == [Problem("agent_failed_to_start")]


def test_a_stop_that_nobody_answers_ends_the_turn_all_the_same() -> None:
    late = CHUNK + END_TURN
    table = Table(OPEN + PROMPT + CHUNK + "-> session/cancel\n-> late\n" + late).opened()
    table.say("One")
    table.talk.cancel(SESSION)
    table.play()
    assert table.turns[-1].state == "running"
    table.clock.now = 11.0
    table.link.pump()
    assert (table.turns[-1].state, text_of_turn(table.turns[-1])) == ("stopped", "Hi")
    before = table.turns
    table.link.feed(CHUNK.encode())
    table.link.pump()
    assert table.turns == before


def test_a_request_that_is_not_offered_is_refused() -> None:
    asks = "".join(
        json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": {}}) + "\n"
        for method in ("fs/read_text_file", "terminal/create", "elicitation/create", "odd")
    )
    table = Table(OPEN + asks).opened()
    table.play()
    for method in ("fs/read_text_file", "terminal/create", "elicitation/create", "odd"):
        assert table.peer.answered(method)["error"]["code"] == -32601
