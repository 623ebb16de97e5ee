"""Which model does which work, what a conversation chooses of it, and what is asked about money."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.agent.providers.accounts import MICRO, Accounts
from inklings_desktop.agent.providers.port import Message, Request
from inklings_desktop.agent.providers.routing import MECHANICAL, ChosenModels, RoutedModels
from inklings_desktop.agent_settings import AgentSettings, Classes, Provider, Routing
from inklings_desktop.domain.runs.run_rows import Spent
from tests.support.scripted_chat import ScriptedChat

if TYPE_CHECKING:
    from inklings_desktop.agent.providers.port import ChatModel

SET = AgentSettings(
    classes=Classes(frontier="there/large", fast="here/a/b"), routing=Routing(title="off")
)


class Shop:
    """Settings that a test changes, and models by their names."""

    def __init__(self, settings: AgentSettings = SET) -> None:
        self.settings = settings
        self.made: list[tuple[str, str]] = []
        self.routed = RoutedModels(lambda: self.settings, self.make)

    def make(self, provider: str, model: str) -> ChatModel:
        self.made.append((provider, model))
        made = ScriptedChat([])
        made.provider, made.model = provider, model
        return made


def name_of(model: ChatModel | None) -> str:
    return "" if model is None else f"{model.provider}/{model.model}"


def test_each_work_gets_the_model_of_its_class() -> None:
    routed = Shop().routed
    assert name_of(routed.model_for("orchestrator")) == "there/large"
    assert name_of(routed.model_for("gate")) == "here/a/b"  # no cheap one is set
    assert routed.model_for("title") is None
    assert routed.is_any_set
    assert not Shop(AgentSettings()).routed.is_any_set
    assert Shop(AgentSettings()).routed.model_for("orchestrator") is None


def test_a_choice_holds_from_the_next_call_on_and_a_model_is_made_once() -> None:
    shop = Shop()
    first = shop.routed.model_for("gate")
    assert shop.routed.model_for("merge") is first
    shop.settings = replace(SET, classes=Classes(cheap="there/small"))
    assert name_of(shop.routed.model_for("gate")) == "there/small"
    assert shop.routed.model_for("orchestrator") is None
    shop.settings = SET
    assert shop.routed.model_for("gate") is first
    assert shop.made == [("here", "a/b"), ("there", "small")]


@pytest.mark.parametrize("what", ["key", "address"])
def test_another_key_or_address_makes_it_anew(what: str) -> None:
    shop = Shop()
    first = shop.routed.model_for("gate")
    if what == "key":
        shop.routed.forget()
    else:
        added = Provider("here", "openai_chat", "http://127.0.0.1:1/v1")
        shop.settings = replace(SET, providers=(added,))
    second = shop.routed.model_for("gate")
    assert second is not first
    assert shop.routed.model_for("gate") is second


def test_a_conversation_may_choose_what_answers_in_it() -> None:
    routed = Shop().routed
    chosen = ChosenModels(routed, routed.named, "else/where")
    assert name_of(chosen.model_for("orchestrator")) == "else/where"
    assert name_of(chosen.model_for("gate")) == "here/a/b"
    as_set = ChosenModels(routed, routed.named)
    assert name_of(as_set.model_for("orchestrator")) == "there/large"
    without = ChosenModels(routed, routed.named, MECHANICAL, "high")
    assert [without.model_for(one) for one in ("orchestrator", "gate")] == [None, None]


def test_a_conversation_may_choose_how_much_is_thought() -> None:
    shop = Shop()
    model = ChosenModels(shop.routed, shop.routed.named, effort="high").model_for("orchestrator")
    plain = shop.routed.model_for("orchestrator")
    assert model is not None
    assert isinstance(plain, ScriptedChat)
    assert (name_of(model), model.window, model.is_local) == ("there/large", plain.window, True)

    async def asked(request: Request) -> None:
        async for _ in model.stream(request):
            pass

    request = Request("large", (Message("user", "Who keeps the lamp?"),))
    asyncio.run(asked(request))
    asyncio.run(asked(replace(request, effort="low")))
    assert [one.effort for one in plain.asked] == ["high", "low"]


# -- money ----------------------------------------------------------------------------------------


class Till:
    """What was spent elsewhere, and the time."""

    def __init__(self, *, turn: float = 0.5, day: float = 5.0, elsewhere: float = 0.0) -> None:
        self.elsewhere = elsewhere
        self.now = datetime(2026, 3, 14, 12, tzinfo=UTC).timestamp()
        self.asked: list[int] = []
        settings = AgentSettings(turn_cost=turn, daily_cost=day)
        self.accounts = Accounts(lambda: settings, self.sum, lambda: self.now)

    def sum(self, since: int) -> int:
        self.asked.append(since)
        return round(self.elsewhere * MICRO)

    def due(self, spent: float, n_calls: int, grants: int = 0) -> str:
        turn = Spent(cost_micro=round(spent * MICRO) if spent else None, currency="USD")
        due = self.accounts.due(turn, n_calls, grants)
        return "" if due is None else due.of


@pytest.mark.parametrize(
    ("spent", "n_calls", "grants", "due"),
    [
        (0, 0, 0, ""),
        (0.2, 1, 0, ""),
        (0.25, 1, 0, ""),
        (0.26, 1, 0, "turn"),
        (0.45, 9, 0, ""),
        (0.46, 9, 0, "turn"),
        (0.9, 2, 1, "turn"),
        (0.8, 9, 1, ""),
    ],
)
def test_a_turn_asks_before_its_next_call_would_pass_the_ceiling(
    spent: float, n_calls: int, grants: int, due: str
) -> None:
    assert Till().due(spent, n_calls, grants) == due


def test_no_ceiling_and_no_price_ask_nothing() -> None:
    assert Till(turn=0, day=0, elsewhere=99).due(50, 2) == ""
    assert Till().due(0, 24) == ""


def test_a_day_asks_before_it_would_be_passed_and_once_a_turn() -> None:
    till = Till(turn=0, elsewhere=4.99)
    assert till.due(0, 0) == ""
    assert till.due(0.02, 1) == "day"
    assert till.due(0.02, 1, grants=1) == ""
    assert Till(elsewhere=5.01).due(0, 0) == "day"


def test_what_a_call_costs_counts_to_the_day_at_once_and_is_summed_up_again_later() -> None:
    till = Till(elsewhere=1)
    assert till.accounts.today() == MICRO
    till.accounts.note(MICRO // 2)
    till.accounts.note(None)
    assert till.accounts.today() == 1_500_000
    till.elsewhere = 3
    till.now += 61
    assert till.accounts.today() == 3 * MICRO
    till.now += timedelta(days=1).total_seconds()
    till.accounts.today()
    first, *_, last = till.asked
    assert last - first == timedelta(days=1).total_seconds() * 1000


def test_the_question_says_what_is_spent_and_of_what() -> None:
    due = Till().accounts.due(Spent(cost_micro=400_000, currency="EUR"), 2)
    assert due is not None
    question = due.question()
    assert due.detail == "0.40 / 0.50 EUR"
    assert question["effect"] == "Spent this turn: 0.40 / 0.50 EUR. The next step would pass that."
    assert question["input"] == {
        "of": "turn", "currency": "EUR", "spent": 400_000, "next": 200_000, "ceiling": 500_000,
    }  # fmt: skip
