"""Models on the Conversation page: what they cost, which are offered, what goes wrong with them."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QLabel

from inklings_desktop.acp_wire import words
from inklings_desktop.ui.conversation.spending import TURN as TURN_CEILING
from inklings_desktop.ui.conversation.spending import BudgetPopover
from tests.support.scenes import scene
from tests.ui.talk_bench import TURN, TalkBench, silent_agent, talk

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
    QApplication.processEvents()
    assert composer.cost.text() == "about $0.06"
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
