"""Models on the Conversation page: what they cost, which are offered, what goes wrong with them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from inklings_desktop.acp_wire import words
from inklings_desktop.agent.acp_door.updates import Choice, ModelChoice, config_options
from inklings_desktop.agent_client.link import AgentLink
from inklings_desktop.agent_client.rows import NoticeBlock
from inklings_desktop.ui.conversation.picker import AgentPopover
from inklings_desktop.ui.conversation.spending import TURN as TURN_CEILING
from inklings_desktop.ui.conversation.spending import BudgetPopover
from inklings_desktop.ui.conversation.thread.cards import ProblemCard
from inklings_desktop.ui.conversation.words import CHANGE_KEY, RAISE, WITHOUT, notice_words
from inklings_desktop.ui.kit.page.destinations import ToSettings
from tests.agent_client.talking import BEGIN
from tests.support.fake_acp_peer import FakeAcpPeer
from tests.support.scenes import scene
from tests.ui.talk_bench import TURN, TalkBench, silent_agent, talk

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.usefixtures("qapp")


def paid(talk_micro: int, turn_micro: int, turn: str = TURN) -> dict[str, Any]:
    """What the agent tells of a call that cost something."""
    own = {"turn": turn, "seq": 1, "provider": "openrouter", "model": "large", "local": False}
    own |= {"turn_micro": turn_micro, "day_micro": 1_200_000}
    cost = {"amount": talk_micro / 1_000_000, "currency": "USD"}
    told = {"sessionUpdate": words.USAGE, "used": 9, "size": 99, "cost": cost}
    return told | {"_meta": {words.OWN: own}}


@scene(talk, launch=silent_agent)
async def test_what_is_spent_stands_by_its_ceiling_which_can_be_changed(
    bench: TalkBench, /
) -> None:
    page, composer = bench.page, bench.view.composer
    page.draw()
    assert (composer.who.text(), composer.remark.text()) == ("No model", "free")
    assert composer.cost.isHidden()
    page.said.offer([{"id": words.MODEL, "type": "select", "currentValue": "openrouter/large"}])
    page.said.begin([{"kind": "text", "text": "Which bell?"}])
    page.said.apply(paid(60_000, 60_000))
    page.draw()
    assert (composer.cost.text(), composer.bar.width()) == ("about $0.06 of $0.50", 56)
    assert composer.bar.share == pytest.approx(0.12)
    bench.view.window().resize(1024, 768)
    await bench.until(lambda: composer.cost.text() == "about $0.06")
    assert "about $0.06 of $0.50" in composer.cost.toolTip()
    composer.cost.click()
    popover = bench.view.findChild(BudgetPopover)
    assert popover is not None
    told = [one.text() for one in popover.findChildren(QLabel)]
    assert {"about $0.06", "about $1.20", "This turn", "Today"} <= set(told)
    field = popover.fields[TURN_CEILING]
    field.setText("0.25")
    field.setModified(True)
    popover.close()
    await bench.until(lambda: composer.bar.share == pytest.approx(0.24))
    assert bench.bench.inklings.settings.agent.turn_cost == 0.25


def options(now: str) -> list[dict[str, Any]]:
    """What the World Agent lets one set, with this model."""
    models = (
        ModelChoice("openrouter/large", turn_micro=20_000),
        ModelChoice("openrouter/small", stands_in=True),
        ModelChoice("ollama/tiny", is_local=True),
    )
    return config_options("decide", Choice(now, models))


def answers(method: str, **result: Any) -> str:
    """Lines of a peer that waits for a call, and answers it with this."""
    told = {"jsonrpc": "2.0", "id": f"${method}", "result": result}
    return f"-> {method}\n{json.dumps(told)}\n"


class Played:
    """The World Agent of a page, played by lines once it is greeted and the talk opened."""

    def __init__(self, bench: TalkBench, lines: str) -> None:
        own = {words.OWN: {words.COSTS: {"talk_micro": 60_000, "currency": "USD", "turns": {}}}}
        opened = answers(words.RESUME, configOptions=options("openrouter/large"), _meta=own)
        self.peer, self._bench = FakeAcpPeer(BEGIN + opened + lines), bench
        self.link = AgentLink(self.peer.send)
        talk = bench.page.talking.talk
        bench.page.talking.want(bench.page.conversation_id)
        talk._link = self.link
        talk._take(self.link)
        talk.begin()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Play on until something holds."""

        def holds() -> bool:
            self.peer.play(self.link)
            return condition()

        await self._bench.until(holds)

    def failed(self, word: str, detail: str, **values: Any) -> ProblemCard:
        """The card of a turn that ended with this problem."""
        page = self._bench.page
        page.said.begin([{"kind": "text", "text": "Which bell?"}])
        page.said.fail(word, detail, values=values)
        page.draw()
        (card,) = page.view.thread_view.live.cards()
        assert isinstance(card, ProblemCard)
        return card


@scene(talk, launch=silent_agent)
async def test_one_goes_on_without_a_model_that_fails(bench: TalkBench, /) -> None:
    page, said = bench.page, bench.said
    ended = {"stopReason": words.END_TURN, "_meta": {words.OWN: {words.TURN: "t2-0a0a0a0a"}}}
    lines = answers(words.SET_CONFIG_OPTION, configOptions=options(words.MECHANICAL))
    played = Played(bench, lines + answers(words.PROMPT, **ended))
    await played.until(lambda: page.view.composer.who.text() == "World Agent, large")
    card = played.failed(words.KEY_REFUSED, "openai 401")
    card.buttons[CHANGE_KEY].click()
    assert said.ways[-1] == ToSettings("agents")
    card = played.failed(words.PROVIDER_BUSY, "anthropic 529")
    assert card.accessibleName() == "Anthropic did not answer."
    card.buttons[WITHOUT].click()
    await played.until(lambda: played.peer.is_done and not page.said.is_running)
    (set_to,), (asked,) = (played.peer.said(one) for one in (words.SET_CONFIG_OPTION, words.PROMPT))
    assert (set_to["configId"], set_to["value"]) == (words.MODEL, words.MECHANICAL)
    assert asked["prompt"][0]["text"] == "/retry"
    await bench.until(lambda: page.view.composer.who.text() == "No model")
    kept, _ = page.inklings.messages.list(page.workspace_id, page.conversation_id)
    assert words.MECHANICAL in kept[-1].parts_json


@scene(talk, launch=silent_agent)
async def test_a_ceiling_is_raised_and_the_turn_asked_again(bench: TalkBench, /) -> None:
    page = bench.page
    played = Played(bench, answers(words.PROMPT, stopReason=words.END_TURN))
    await played.until(lambda: page.view.composer.who.text() == "World Agent, large")
    card = played.failed(words.BUDGET_SPENT, "", of="day", spent=4_900_000, ceiling=5_000_000)
    assert card.buttons[RAISE].text() == "Raise to $10.00"
    card.buttons[RAISE].click()
    await played.until(lambda: played.peer.is_done and not page.said.is_running)
    assert page.inklings.settings.agent.daily_cost == 10
    assert page.inklings.settings.agent.turn_cost == 0.5


@scene(talk, launch=silent_agent)
async def test_models_are_offered_by_their_providers_with_what_they_cost(
    bench: TalkBench, /
) -> None:
    page = bench.page
    lines = answers(words.SET_CONFIG_OPTION, configOptions=options("ollama/tiny"))
    played = Played(bench, lines)
    await played.until(lambda: page.view.composer.who.text() == "World Agent, large")
    assert page.view.composer.cost.text() == "about $0.06"
    page.choosing.offer()
    popover = bench.view.findChild(AgentPopover)
    assert popover is not None
    assert popover.models is not None
    items = [popover.models.item(row) for row in range(popover.models.count())]
    assert [one.text() for one in items] == [
        "Inklings",
        "No model \u00b7 free",
        "OpenRouter",
        "large \u00b7 about $0.02 a turn",
        "small \u00b7 as no worse one is set",
        "Ollama",
        "tiny \u00b7 free",
    ]
    assert popover.models.currentItem() is items[3]
    spoken = [one.data(Qt.ItemDataRole.AccessibleDescriptionRole) for one in items]
    assert spoken[-3:] == ["", "", "on this machine"]
    popover.models.itemClicked.emit(items[2])
    assert popover.isVisible()
    popover.models.itemClicked.emit(items[-1])
    await played.until(lambda: played.peer.is_done and bool(bench.turns()))
    (line,) = bench.turns()[-1].blocks
    assert isinstance(line, NoticeBlock)
    assert notice_words(line) == "From here: tiny."
    page.said.begin([{"kind": "text", "text": "Which bell?"}])
    page.choosing._set(words.MODEL, words.MECHANICAL)
    assert "once this turn has ended" in bench.said.sentences[-1]
