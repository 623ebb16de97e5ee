"""What stands around the turns, in words, without a window."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.rows import (
    AskBlock,
    NoticeBlock,
    ProblemBlock,
    StepBlock,
    Touched,
)
from inklings_desktop.agent_client.session import Problem
from inklings_desktop.agent_client.thread_state import ThreadState
from inklings_desktop.agent_settings import AgentSettings
from inklings_desktop.domain.rooms.conversation import (
    MAX_NAME_CHARACTERS,
    Conversation,
    ConversationState,
    checked_title,
)
from inklings_desktop.ui.conversation.drawing.pieces import HeadPiece, Ink
from inklings_desktop.ui.conversation.drawing.steps import step_rows
from inklings_desktop.ui.conversation.drawing.traces import TouchedPiece
from inklings_desktop.ui.conversation.drawing.turn_layout import (
    Setting,
    TurnLayout,
    state_words,
)
from inklings_desktop.ui.conversation.facts import ConversationContent
from inklings_desktop.ui.conversation.page_words import notice_of
from inklings_desktop.ui.conversation.spending import is_free, spending_of
from inklings_desktop.ui.conversation.start import StartPane
from inklings_desktop.ui.conversation.thread import live_turn
from inklings_desktop.ui.conversation.words import (
    BEGIN_FROM,
    CHANGE_KEY,
    COPY,
    OTHER_MODEL,
    RAISE,
    RETRY,
    TALK_AGAIN,
    WITHOUT,
    ProblemWords,
    ask_effect,
    ask_title,
    notice_words,
    problem_words,
    speaker_of,
    title_again,
)
from inklings_desktop.ui.kit.look.theme import Theme

TURN = "t1-0a0a0a0a"
NOW = datetime(2026, 3, 14, 12, tzinfo=UTC)
ARCHIVED = ConversationContent(
    Conversation("c", "R8VX4ip1wNx", "room", "The toll", ConversationState.ARCHIVED, NOW)
)


def noticed(
    content: ConversationContent | None = None,
    problem: Problem | None = None,
    *,
    last_line: str = "",
    is_only_look: bool = False,
) -> ProblemWords | None:
    return notice_of(
        content,
        problem,
        None,
        last_line=last_line,
        is_installed=True,
        is_only_look=is_only_look,
    )


def test_a_new_one_begins_from_an_archived_one_only_where_something_can_be_stored() -> None:
    found, looked_at = noticed(ARCHIVED), noticed(ARCHIVED, is_only_look=True)
    assert found is not None
    assert looked_at is not None
    assert found.acts == (BEGIN_FROM,)
    assert looked_at.acts == ()
    assert looked_at.title == found.title


def test_an_agent_that_could_not_be_started_is_quoted_with_its_last_words() -> None:
    problem = Problem(wire.AGENT_FAILED_TO_START, "1")
    found, silent = noticed(None, problem, last_line="No module named x"), noticed(None, problem)
    assert found is not None
    assert silent is not None
    assert "No module named x" in found.text
    assert "said last" not in silent.text


@pytest.mark.parametrize(
    ("detail", "begins"),
    [("agent", "The agent is older"), ("window", "Inklings is older"), ("", "Update the")],
)
def test_which_of_two_versions_is_the_older_is_named(detail: str, begins: str) -> None:
    assert problem_words(ProblemBlock(wire.AGENT_SPEAKS_OTHERWISE, detail)).text.startswith(begins)


@pytest.mark.parametrize(("detail", "is_named"), [("1", True), ("-9", True), ("", False)])
def test_the_code_that_an_agent_ended_with_is_named(detail: str, *, is_named: bool) -> None:
    text = problem_words(ProblemBlock(wire.AGENT_GONE, detail)).text
    assert text.startswith(f"Code {detail}. ") is is_named
    assert text.endswith("what it wrote stays.")


def test_a_step_card_counts_what_was_done_and_says_it_of_each_memory() -> None:
    seen = Touched("seen", "workspace", excerpt="seen")
    new, old, asked = (
        Touched(name, "workspace", how=how, excerpt=name)
        for name, how in (("new", "written"), ("old", "forgotten"), ("asked", "proposed"))
    )
    put = StepBlock("c1", "", tool="memory_put", status="completed", touched=(new, old))
    held = StepBlock("c2", "", tool="memory_put", status="completed", touched=(asked,))
    read = StepBlock("c0", "", tool="memory_read", status="completed", touched=(seen,))
    (row,) = step_rows((read, replace(read, id="c9"), put, held))
    assert row.done == "Read 1 memory, kept 1 memory, forgot 1 memory, proposed 1 change"
    assert [one.spoken for one in row.details] == [
        "Read: seen",
        "Kept: new",
        "Forgot: old",
        "Proposed: asked",
    ]
    (nothing,) = step_rows((StepBlock("c3", "", tool="memory_put", status="completed"),))
    assert nothing.done == "Kept nothing new"


def test_an_undone_turn_says_so_in_one_word(theme: Theme) -> None:
    touched = [Touched("a", "workspace", how="written", excerpt="a", undone=True)]
    whole = TouchedPiece(Ink(theme), touched, is_narrow=False)
    whole.lay(652)
    assert whole.spoken() == "undone"
    assert not whole.parts(), "there is nothing left to open or to undo"
    read = Touched("b", "workspace", excerpt="b")
    part = TouchedPiece(Ink(theme), [*touched, read], is_narrow=False)
    assert part.spoken() == "read 1 memory, undone"


def test_an_ended_conversation_offers_to_talk_again() -> None:
    assert ARCHIVED.talk is not None
    ended = replace(ARCHIVED.talk, state=ConversationState.IDLE, ended_at=NOW)
    silent = replace(ARCHIVED.talk, state=ConversationState.IDLE)
    found = noticed(ConversationContent(ended))
    assert found is not None
    assert found.acts == (TALK_AGAIN,)
    looked_at = noticed(ConversationContent(ended), is_only_look=True)
    assert looked_at is not None
    assert looked_at.acts == ()
    assert noticed(ConversationContent(silent)) is None


def test_a_branch_says_by_name_what_it_continues() -> None:
    branched = NoticeBlock("branched", {"from": "R8VX4ip1wNx", "title": "The toll"})
    assert notice_words(branched) == "Continued from The toll"
    assert "R8VX4ip1wNx" not in notice_words(NoticeBlock("branched", {"from": "R8VX4ip1wNx"}))


def test_a_branch_of_a_long_name_can_be_named() -> None:
    assert title_again("The toll") == "The toll, again"
    assert title_again("") == ""
    assert len(checked_title(title_again("x" * MAX_NAME_CHARACTERS))) <= MAX_NAME_CHARACTERS


def test_what_a_conversation_cost_is_told_as_far_as_it_is_known() -> None:
    thread = ThreadState(lambda: datetime(2026, 3, 14, tzinfo=UTC))
    option, known = {"id": "model"}, [thread.has_model]
    for now in ("mechanical", "there/large"):
        thread.offer([option | {"currentValue": now}])
        known.append(thread.has_model)
    assert known == [None, False, True]
    settings = AgentSettings()
    assert spending_of(thread, settings) is None
    thread.usage = {"cost": {"amount": 0.304, "currency": "USD"}, "local": False}
    alone = spending_of(thread, settings)
    assert alone is not None
    assert (alone.words(), alone.share) == ("about $0.30", None)
    thread.usage |= {"turn_micro": 60_000, "day_micro": 1_200_000}
    turn = spending_of(thread, settings)
    assert turn is not None
    assert turn.words() == "about $0.06 of $0.50"
    assert turn.words(narrow=True) == "about $0.06"
    assert turn.share == pytest.approx(0.12)
    day = replace(turn, turn_ceiling=0)
    assert day.told() == "Today: about $1.20 of $5.00"
    thread.usage = {"cost": None, "local": True}
    assert is_free(thread)
    assert spending_of(thread, settings) is None


def head_of(layout: TurnLayout) -> str:
    """How far a turn is, as its head says."""
    head = layout.placed[0][1]
    assert isinstance(head, HeadPiece)
    return head._state


def test_how_long_nothing_has_come_is_said_where_a_model_answers(
    theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(live_turn, "time", SimpleNamespace(monotonic=lambda: now))
    thread = ThreadState(lambda: NOW)
    thread.begin([{"kind": "text", "text": "Which bell?"}])
    window = QWidget()
    live = live_turn.LiveTurn(Ink(theme), window)
    window.show()
    live.show()

    def told(seconds: float) -> str:
        """What its head says once so long has passed since it was drawn."""
        nonlocal now
        live.show_turn(thread.turns[-1], 652, Setting("Ottoline"))
        now += seconds
        live._on_look()
        assert live.layout_of_turn is not None
        return head_of(live.layout_of_turn)

    assert told(live_turn.SILENT_SECONDS - 0.5) == "getting ready"
    assert told(2.5) == "waiting for the model (7 s)"
    assert told(0) == "waiting for the model (7 s)"  # drawn anew for another reason
    chunk = {"sessionUpdate": wire.THOUGHT_CHUNK, "content": {"type": "text", "text": "Hm."}}
    thread.apply(chunk | {"_meta": {wire.OWN: {"turn": TURN, "seq": 1}}})
    assert told(0) == "getting ready"
    step = {"sessionUpdate": wire.TOOL_CALL, "toolCallId": "1", "title": "Look", "kind": "search"}
    thread.apply(step | {"_meta": {wire.OWN: {"turn": TURN, "seq": 2}}})
    assert "waiting" not in told(60)  # memory is looked through, no model
    thread.finish(wire.END_TURN, TURN, 6_200)
    assert "waiting" not in told(60)
    window.close()


def test_a_turn_without_a_model_waits_for_none(theme: Theme) -> None:
    thread = ThreadState(lambda: NOW)
    thread.begin([{"kind": "text", "text": "Which bell?"}])
    setting = Setting("Ottoline", has_model=False, waited=60)
    assert head_of(TurnLayout(Ink(theme), thread.turns[-1], 652, setting)) == "getting ready"


def test_the_head_of_a_turn_says_what_it_cost(theme: Theme) -> None:
    thread = ThreadState(lambda: NOW)
    thread.begin([{"kind": "text", "text": "Which bell?"}])
    own = {"turn": TURN, "seq": 1, "turn_micro": 20_000, "provider": "openai", "model": "large"}
    cost = {"amount": 0.3, "currency": "USD"}
    usage = {"sessionUpdate": wire.USAGE, "used": 1, "size": 9, "cost": cost}
    thread.apply(usage | {"_meta": {wire.OWN: own}})
    thread.finish(wire.END_TURN, TURN, 6_200)
    turn = thread.turns[-1]
    assert state_words(turn) == "6.2 s, about $0.02"
    head = TurnLayout(Ink(theme), turn, 652, Setting("Ottoline")).placed[0][1]
    assert [one.tip.splitlines()[1] for one in head.parts()] == ["large, OpenAI"]
    stopped = replace(turn, state=rows.STOPPED)
    assert state_words(stopped) == "stopped after 6.2 s, about $0.02"
    assert state_words(replace(turn, cost_micro=0)) == "6.2 s"
    thread.begin_again()
    thread.replay([{"turn": TURN, "role": "assistant", "parts": [], "client": wire.WORLD_AGENT}])
    thread.told_again()
    assert thread.turns[-1].cost_micro == 20_000
    thread.pay({"turns": {TURN: 30_000, "t9-0b0b0b0b": 1}, "talk_micro": 31_000})
    assert [one.cost_micro for one in thread.turns if one.role == rows.ASSISTANT] == [30_000]
    assert thread.usage["cost"] == cost


def test_a_turn_without_a_model_is_said_by_the_program() -> None:
    turn = rows.Turn(TURN, rows.ASSISTANT, wire.WORLD_AGENT, NOW, rows.COMPLETE)
    said = speaker_of(replace(turn, produced_by="mechanical"), "Ottoline", {})
    assert (said.icon, said.name) == ("gear-fine", "Inklings, without a model")
    assert speaker_of(replace(turn, produced_by="model"), "Ottoline", {}).name == "World Agent"


def test_a_question_about_money_says_how_much_more_and_of_what() -> None:
    told = {"of": "turn", "spent": 470_000, "next": 100_000, "ceiling": 500_000, "currency": "USD"}
    ask = AskBlock("a", "Spend more?", "t1:spend", effect="in English", input=told)
    assert ask_title(ask, wire.SPEND_TOOL) == "Spend about $0.10 more?"
    assert ask_effect(ask, wire.SPEND_TOOL) == "$0.47 of $0.50 in this turn."
    of_day = replace(ask, input=told | {"of": "day", "currency": "EUR"})
    assert ask_effect(of_day, wire.SPEND_TOOL) == "0.47 EUR of 0.50 EUR today."


@pytest.mark.parametrize(
    ("word", "detail", "title", "acts"),
    [
        (wire.PROVIDER_BUSY, "anthropic 529", "Anthropic did not answer.", (RETRY, WITHOUT, COPY)),
        (wire.KEY_REFUSED, "openai 401", "The key for OpenAI was refused.", (CHANGE_KEY, WITHOUT)),
        (wire.NO_CREDIT, "mine 402", "The credit at mine is used up.", (WITHOUT, COPY)),
        (wire.MODEL_UNKNOWN, "xai", "xAI does not have this model.", (OTHER_MODEL, WITHOUT)),
    ],
)
def test_a_provider_that_fails_is_named(
    word: str, detail: str, title: str, acts: tuple[str, ...]
) -> None:
    words = problem_words(ProblemBlock(word, detail))
    assert (words.kind, words.title, words.acts) == ("madder", title, acts)
    assert "Your message is kept." in words.text


def test_what_is_too_long_and_what_went_wrong_are_told_in_figures() -> None:
    told = problem_words(ProblemBlock(wire.CONTEXT_TOO_SMALL, "openai 9100 8000")).text
    assert told == "It takes about 9,100 tokens; 8,000 fit. Nothing was cut."
    assert problem_words(ProblemBlock(wire.CONTEXT_TOO_SMALL, "openai 413")).text.startswith("No")
    failed = problem_words(ProblemBlock(wire.PROVIDER_FAILED, "xai 500")).text
    assert failed.startswith("It answered with error 500. ")


def test_a_turn_that_stopped_at_a_ceiling_offers_to_double_it() -> None:
    told = {"of": "turn", "spent": 480_000, "ceiling": 500_000, "currency": "USD"}
    words = problem_words(ProblemBlock(wire.BUDGET_SPENT, "0.48 / 0.50 USD", told))
    assert (words.kind, words.acts, words.amount) == ("ochre", (RAISE,), "$1.00")
    assert words.text.startswith("About $0.48 of $0.50. ")
    assert problem_words(ProblemBlock(wire.BUDGET_SPENT, "0.48 / 0.50 USD")).acts == ()
    thread = ThreadState(lambda: NOW)
    thread.begin([{"kind": "text", "text": "Which bell?"}])
    own = {"turn": TURN, "seq": 1, "problem": {"word": wire.BUDGET_SPENT, "values": told}}
    thread.apply({"sessionUpdate": wire.SESSION_INFO, "_meta": {wire.OWN: own}})
    thread.finish(wire.MAX_TURN_REQUESTS, TURN)
    (problem,) = thread.turns[-1].blocks
    assert problem == ProblemBlock(wire.BUDGET_SPENT, values=told)


def test_an_empty_conversation_says_where_words_go(theme: Theme) -> None:
    window = QWidget()
    start = StartPane(theme, window)
    seen = [one.text() for one in start.findChildren(QLabel)]
    assert any(one.endswith("Nothing leaves this machine.") for one in seen)
    start.show_model(has_model=True)
    seen = [one.text() for one in start.findChildren(QLabel)]
    assert any(one.endswith("goes to the model that you chose.") for one in seen)
    assert not any("leaves this machine" in one for one in seen)
