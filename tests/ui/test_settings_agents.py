"""The group about agents and models: asked of the agent once it is on show, set at once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QPushButton, QWidget

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_settings import WIRES
from inklings_desktop.ui.kit.controls.segmented import SegmentedSwitch
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import TextDialog
from inklings_desktop.ui.kit.ops.page_spec import SETTINGS_PAGE
from inklings_desktop.ui.kit.page.destinations import AgentQuestion, ToAgent, ToSettings, ToTab
from inklings_desktop.ui.kit.panes.scope_picker import RoomPopup
from inklings_desktop.ui.kit.words.money import money
from inklings_desktop.ui.settings.agents_words import (
    ProviderFacts,
    Tried,
    model_choices,
    spent_on,
    state_of,
    way_in,
)
from inklings_desktop.ui.settings.groups import AGENTS
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.support.told_agent import told_agent
from tests.ui.settings_bench import chosen, found, read, settings_page
from tests.ui.talk_bench import without_agent
from tests.ui.window_bench import drive

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ui.settings_bench import Settled
    from tests.ui.window_bench import WindowBench

pytestmark = pytest.mark.usefixtures("qapp")

FACTS: dict[str, Any] = {
    "address": "https://there.example/v1", "key": "", "ends": "", "needs_key": True,
    "signs_in": False, "is_local": False, "is_own": False,
}  # fmt: skip
THERE = FACTS | {"id": "there", "title": "There"}
WITH_KEY = THERE | {"key": "keyring", "ends": "4f2a"}
SIGNS_IN = FACTS | {"id": "gate", "title": "Gate", "signs_in": True}
LOCAL = FACTS | {
    "id": "here", "title": "Here", "address": "http://127.0.0.1:11434/v1", "needs_key": False,
    "is_local": True,
}  # fmt: skip


def asked(settled: Settled) -> list[AgentQuestion]:
    """What the agent was asked and has not answered yet."""
    return [one.question for one in settled.said.ways if isinstance(one, ToAgent) and one.question]


async def taken(settled: Settled, method: str) -> AgentQuestion:
    """The next question of this kind; it is the test's to answer."""
    await until(lambda: any(one.method == method for one in asked(settled)))
    question = next(one for one in asked(settled) if one.method == method)
    settled.said.ways.remove(ToAgent(question))
    return question


async def answer(settled: Settled, method: str, told: dict[str, Any]) -> AgentQuestion:
    question = await taken(settled, method)
    question.on_answer(told)
    return question


async def shown(settled: Settled, *providers: dict[str, Any], keyring: bool = True) -> Any:
    """The group, once it knows these providers, each of which has answered."""
    group = await settled.group(AGENTS)
    await answer(settled, wire.PROVIDER_LIST, {"keyring": keyring, "providers": list(providers)})
    await answer(settled, wire.ROUTE_LIST, {"usage": []})
    for one in providers:
        if one["key"] or not one["needs_key"]:
            models = [{"id": "large"}, {"id": "small"}]
            await answer(settled, wire.PROVIDER_TEST, {"models": models, "ms": 600})
    return group


async def dialog(*, refused: bool = False) -> TextDialog:
    """The dialog that is open, after it was refused or before."""

    def opened() -> list[TextDialog]:
        every = QApplication.topLevelWidgets()
        dialogs = [one for one in every if isinstance(one, TextDialog) and one.isVisible()]
        return [one for one in dialogs if one._error.isVisible() is refused]

    await until(lambda: bool(opened()))
    return opened()[0]


def texts(group: Any) -> list[str]:
    return [one.text() for one in group.view.findChildren(QPushButton) if one.isVisible()]


@scene(settings_page)
async def test_nobody_is_asked_before_the_group_is_on_show(settled: Settled, /) -> None:
    await settled.group("appearance")
    assert asked(settled) == []
    await settled.group(AGENTS)
    await until(lambda: bool(asked(settled)))
    assert [one.method for one in asked(settled)] == [wire.PROVIDER_LIST]


@scene(settings_page)
async def test_providers_stand_with_their_way_in_and_what_the_test_said(
    settled: Settled, /
) -> None:
    group = await shown(settled, WITH_KEY, SIGNS_IN, LOCAL)
    await until(lambda: "answered in 0.6 s" in read(group))
    seen = read(group)
    for one in ("There", "there.example", "key ends in 4f2a, in the keyring", "not signed in",
                "reaches most other models", "this machine", "no key needed",
                "2 models"):  # fmt: skip
        assert one in seen, one
    assert texts(group).count("Sign in…") == 1
    assert "Add key…" not in texts(group)
    assert chosen(group, "more:there") == ["Test", "Models…", "Change key…"]
    assert chosen(group, "more:gate") == ["Sign in…", "Add key…"]
    assert chosen(group, "more:here") == ["Test", "Models…"]
    assert not found(group, "noProvider").isVisible()
    assert not found(group, "noKeyring").isVisible()


@scene(settings_page)
async def test_without_a_provider_and_a_keyring_both_are_said(settled: Settled, /) -> None:
    group = await settled.group(AGENTS)
    told = {"keyring": False, "providers": [THERE, LOCAL]}
    await answer(settled, wire.PROVIDER_LIST, told)
    (await taken(settled, wire.PROVIDER_TEST)).on_error(wire.PROVIDER_UNREACHABLE, "here")
    await until(found(group, "noKeyring").isVisible)
    await until(lambda: "No provider yet. Everything but conversation works." in read(group))
    assert "not running" in read(group)


@scene(settings_page)
async def test_without_the_agent_it_is_said_how_to_get_it(settled: Settled, /) -> None:
    group = await settled.group(AGENTS)
    question = await taken(settled, wire.PROVIDER_LIST)
    question.on_error(wire.AGENT_NOT_INSTALLED, "")
    await until(found(group, "noProvider").isVisible)
    assert "pip install" in found(group, "noProvider").text()
    question.on_error(wire.AGENT_GONE, "")  # a second answer is dropped


@scene(settings_page)
async def test_an_agent_that_does_not_start_is_said_as_well(settled: Settled, /) -> None:
    group = await settled.group(AGENTS)
    (await taken(settled, wire.PROVIDER_LIST)).on_error(wire.AGENT_FAILED_TO_START, "")
    await until(found(group, "noProvider").isVisible)
    assert found(group, "noProvider").text().startswith("The World Agent could not be started")


@scene(settings_page)
async def test_tab_reaches_what_came_late_where_it_is_read(settled: Settled, /) -> None:
    group = await shown(settled, WITH_KEY, SIGNS_IN)
    await until(lambda: "answered in 0.6 s" in read(group))
    stop, last, names = found(group, "addProvider"), found(group, "dailyCost"), []
    while stop is not last:
        stop = stop.nextInFocusChain()
        if stop.focusPolicy() & Qt.FocusPolicy.TabFocus:
            names.append(stop.objectName())
    assert names == ["more:there", "signIn:gate", "more:gate", "dailyCost"]


@scene(settings_page)
async def test_a_key_is_typed_unseen_and_asked_for_again_where_it_is_refused(
    settled: Settled, /
) -> None:
    group = await shown(settled, THERE)
    await until(lambda: "Add key…" in texts(group))
    found(group, "key:there").click()
    first = await dialog()
    assert isinstance(first.field, QLineEdit)
    assert first.field.echoMode() is QLineEdit.EchoMode.Password
    QTest.keyClicks(first.field, "sk-wrong")
    first.confirm.click()
    question = await taken(settled, wire.PROVIDER_SET)
    assert question.params == {"id": "there", "key": "sk-wrong"}
    question.on_error(wire.KEY_REFUSED, "there 401")
    second = await dialog(refused=True)
    assert second._error.text() == "Not kept: key refused."
    QTest.keyClicks(second.field, "sk-right-4f2a")
    second.confirm.click()
    await answer(settled, wire.PROVIDER_SET, {"key": "keyring", "ends": "4f2a"})
    await answer(settled, wire.PROVIDER_LIST, {"keyring": True, "providers": [WITH_KEY]})
    await answer(settled, wire.PROVIDER_TEST, {"models": [{"id": "large"}], "ms": 900})
    await until(lambda: "answered in 0.9 s" in read(group))
    assert "key ends in 4f2a, in the keyring" in read(group)
    assert not any("sk-right" in one for one in read(group))


@scene(settings_page)
async def test_an_empty_key_deletes_the_one_that_is_kept(settled: Settled, /) -> None:
    group = await shown(settled, WITH_KEY)
    await until(lambda: "answered in 0.6 s" in read(group))
    chosen(group, "more:there", "Change key…")
    (await dialog()).confirm.click()
    question = await answer(settled, wire.PROVIDER_FORGET, {})
    assert question.params == {"id": "there"}
    await answer(settled, wire.PROVIDER_LIST, {"keyring": True, "providers": [THERE]})
    await until(lambda: "no key" in read(group))


@scene(settings_page)
async def test_signing_in_waits_for_the_browser_and_can_be_given_up(
    settled: Settled, /, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(
        "inklings_desktop.ui.settings.agents_providers.QDesktopServices.openUrl",
        lambda url: opened.append(url.toString()),
    )
    group = await shown(settled, SIGNS_IN)
    await until(lambda: "Sign in…" in texts(group))
    found(group, "signIn:gate").click()
    await answer(settled, wire.PROVIDER_SIGN_IN, {"url": "https://gate.example/auth?x=1"})
    waiting = await taken(settled, wire.PROVIDER_SIGN_IN)
    assert opened == ["https://gate.example/auth?x=1"]
    assert waiting.params == {"id": "gate", "wait": True}
    assert "waiting for the browser" in read(group)
    found(group, "cancel:gate").click()
    given_up = await answer(settled, wire.PROVIDER_SIGN_IN, {})
    assert given_up.params == {"id": "gate", "cancel": True}
    waiting.on_error(wire.SIGN_IN_FAILED, "")
    await until(lambda: "not signed in" in read(group))


@scene(settings_page)
async def test_a_model_is_chosen_for_a_class_and_work_follows(settled: Settled, /) -> None:
    group = await shown(settled, WITH_KEY)
    await until(lambda: "answered in 0.6 s" in read(group))
    picker = found(group, "class:frontier")
    assert picker.text() == "None"
    popup: Any = picker.popup()
    QTest.keyClicks(popup.field, "small")
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    inklings = settled.bench.inklings
    await until(lambda: inklings.settings.agent.classes.frontier == "there/small")
    await until(lambda: picker.text() == "small")
    assert "there/small, as no cheap one is set" in read(group)
    assert chosen(group, "route:gate", "Off") == ["Frontier", "Fast", "Cheap", "Off"]
    await until(lambda: inklings.settings.agent.routing.gate == "off")
    await until(lambda: found(group, "route:gate").text() == "Off")


@scene(settings_page)
async def test_a_model_of_a_provider_is_put_to_a_class(settled: Settled, /) -> None:
    group = await shown(settled, WITH_KEY)
    await until(lambda: "answered in 0.6 s" in read(group))
    chosen(group, "more:there", "Models…")
    popup = found(group, "more:there").findChild(RoomPopup)
    assert [popup.list.item(row).text() for row in range(popup.list.count())] == ["large", "small"]
    QTest.keyClicks(popup.field, "large")
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    menu = found(group, "more:there").findChildren(QMenu)[-1]
    next(one for one in menu.actions() if "Cheap" in one.text()).trigger()
    menu.close()
    inklings = settled.bench.inklings
    await until(lambda: inklings.settings.agent.classes.cheap == "there/large")
    await until(lambda: found(group, "class:cheap").text() == "large")


@scene(settings_page)
async def test_cards_lie_side_by_side_where_there_is_room(settled: Settled, /) -> None:
    group = await shown(settled, THERE)
    add, routing = found(group, "addProvider"), found(group, "route:gate")

    def top(widget: QWidget) -> int:
        return widget.mapTo(group.view, QPoint(0, 0)).y()

    beside = top(add)
    assert group.view.width() >= 780
    settled.window.resize(760, 840)
    await until(lambda: top(add) > beside + 100)
    assert top(routing) > top(add)
    settled.window.resize(1220, 840)
    await until(lambda: top(add) == beside)


@scene(settings_page)
async def test_where_words_go_is_said_under_privacy(settled: Settled, /) -> None:
    group = await settled.group("privacy")
    await until(lambda: "Inklings sends nothing." in read(group))
    models = {"agent.classes.frontier": "there/large", "agent.classes.cheap": "here/small"}
    settled.bench.inklings.preferences.save(models)
    told = "What you say to the World Agent goes to: there, here."
    await until(lambda: told in read(group))


@scene(settings_page)
async def test_what_it_may_cost_and_write_is_set(settled: Settled, /) -> None:
    group = await shown(settled, THERE)
    inklings = settled.bench.inklings
    field = found(group, "dailyCost")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "2.5")
    QTest.keyClick(field, Qt.Key.Key_Return)
    await until(lambda: inklings.settings.agent.daily_cost == 2.5)
    found(group, "writePolicy").choose("ask")
    await until(lambda: inklings.settings.agent.write_policy == "ask")
    for one in group.view.findChildren(QPushButton):
        if one.text() == "Open Access":
            one.click()
    assert settled.said.ways[-1] == ToTab("access")


@scene(settings_page)
async def test_another_provider_is_added_by_a_safe_address_and_removed(settled: Settled, /) -> None:
    group = await shown(settled, THERE)
    inklings = settled.bench.inklings
    found(group, "addProvider").click()
    first = await dialog()
    QTest.keyClicks(first.field, "http://models.example/v1")
    first.confirm.click()
    second = await dialog(refused=True)
    assert second.typed == "http://models.example/v1"
    second.field.selectAll()
    QTest.keyClicks(second.field, "https://models.example/v1")
    second.confirm.click()
    await until(lambda: bool(inklings.settings.agent.providers))
    (added,) = inklings.settings.agent.providers
    assert (added.id, added.base_url) == ("models.example", "https://models.example/v1")
    assert added.wire == WIRES[0]
    own = FACTS | {"id": added.id, "title": added.id, "is_own": True}
    await answer(settled, wire.PROVIDER_LIST, {"keyring": True, "providers": [THERE, own]})
    await until(lambda: "models.example" in read(group))
    assert chosen(group, "more:models.example", "Remove…")[-2:] == ["Add key…", "Remove…"]
    await until(lambda: bool(settled.window.findChildren(ConfirmDialog)))
    settled.window.findChildren(ConfirmDialog)[0].confirm.click()
    await answer(settled, wire.PROVIDER_FORGET, {})
    await until(lambda: not inklings.settings.agent.providers)


@scene(settings_page)
async def test_a_provider_may_speak_as_the_other_wire_does(settled: Settled, /) -> None:
    group = await shown(settled, THERE)
    found(group, "addProvider").click()
    first: Any = await dialog()
    first.findChild(SegmentedSwitch, "addressWire").choose(WIRES[1])
    QTest.keyClicks(first.field, "ftp://models.example")
    first.confirm.click()
    second: Any = await dialog(refused=True)
    assert second.findChild(SegmentedSwitch, "addressWire").choice() == WIRES[1]
    second.field.selectAll()
    QTest.keyClicks(second.field, "http://127.0.0.1:4000")
    second.confirm.click()
    await until(lambda: bool(settled.bench.inklings.settings.agent.providers))
    (added,) = settled.bench.inklings.settings.agent.providers
    assert (added.id, added.wire) == ("127.0.0.1", WIRES[1])
    found(group, "addProvider").click()
    third = await dialog()
    QTest.keyClicks(third.field, "http://127.0.0.1:8080/v1")
    third.confirm.click()
    await until(lambda: len(settled.bench.inklings.settings.agent.providers) == 2)
    another = settled.bench.inklings.settings.agent.providers[1]
    assert (another.id, another.wire) == ("127.0.0.1-2", WIRES[0])


def test_the_page_asks_the_agent_of_the_window_without_a_word_of_any_conversation(
    tmp_path: Path,
) -> None:
    log = tmp_path / "asked"
    answers: dict[str, dict[str, Any]] = {
        wire.INITIALIZE: {"result": {"protocolVersion": wire.PROTOCOL_VERSION}},
        wire.PROVIDER_LIST: {"result": {"keyring": True, "providers": [WITH_KEY]}},
        wire.PROVIDER_TEST: {"result": {"models": [{"id": "large"}], "ms": 700}},
        wire.ROUTE_LIST: {"result": {"usage": []}},
    }

    async def look(bench: WindowBench) -> None:
        window = bench.window
        window.go(ToSettings(AGENTS))
        pages = window.opened.pages if window.opened else None
        assert pages is not None

        def group() -> Any:
            page: Any = pages.page(SETTINGS_PAGE)
            return None if page is None else page.group(AGENTS)

        await bench.until(lambda: group() is not None)
        await bench.until(lambda: "answered in 0.7 s" in read(group()))
        assert window.pages.current_id == SETTINGS_PAGE

    with without_agent(lambda *_: told_agent(answers, log)):
        drive(tmp_path / "root", lambda _bench: None, look)
    methods = [json.loads(line)[0] for line in log.read_text().splitlines()]
    asked = {wire.PROVIDER_LIST, wire.ROUTE_LIST, wire.PROVIDER_TEST}
    assert methods[0] == wire.INITIALIZE
    assert set(methods[1:]) == asked


# -- words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("keyring", "key ends in 4f2a, in the keyring"),
        ("environment", "key from the environment, ends in 4f2a"),
        ("process", "key ends in 4f2a, until you close the window"),
    ],
)
def test_a_key_is_told_by_its_end_and_its_place(key: str, words: str) -> None:
    assert way_in(ProviderFacts(**(THERE | {"key": key, "ends": "4f2a"}))) == words


@pytest.mark.parametrize(
    ("facts", "tried", "state"),
    [
        (LOCAL, Tried(word=wire.PROVIDER_UNREACHABLE), ("", "", "not running")),
        (WITH_KEY, Tried(word=wire.PROVIDER_UNREACHABLE),
         ("warning-circle", "madder", "did not answer")),
        (WITH_KEY, Tried(word="some_new_word"), ("warning-circle", "madder", "did not work")),
        (WITH_KEY, Tried(("a",), 12), ("check-circle", "accent", "answered in 0.1 s")),
        (THERE, None, ("", "", "not used")),
    ],
)  # fmt: skip
def test_a_provider_is_in_a_state(
    facts: dict[str, Any], tried: Tried | None, state: tuple[str, str, str]
) -> None:
    assert state_of(ProviderFacts(**facts), tried, "") == state


def test_models_stand_below_their_providers_and_one_that_is_set_stays() -> None:
    providers = [ProviderFacts(**WITH_KEY), ProviderFacts(**LOCAL)]
    tried = {"there": Tried(("large",)), "here": Tried(("small",))}
    choices = model_choices(providers, tried, "gone/older")
    assert [(one.id, one.text, one.detail, one.is_title) for one in choices] == [
        ("", "None", "", False),
        ("gone/older", "older", "gone", False),
        (None, "There", "", True),
        ("there/large", "large", "", False),
        (None, "Here", "", True),
        ("here/small", "small", "on this machine", False),
    ]


def test_what_work_cost_is_added_up_over_its_models() -> None:
    usage = [
        {"process": "gate", "calls": 3, "cost_micro": 20_000, "currency": "USD"},
        {"process": "gate", "calls": 1, "cost_micro": None, "currency": None},
        {"process": "title", "calls": 1, "cost_micro": None, "currency": None},
    ]
    assert spent_on(usage, "gate") == "4 times, about $0.02"
    assert spent_on(usage, "title") == "once"
    assert spent_on(usage, "merge") == ""
    assert (money(1, "EUR"), money(1_250_000)) == ("0.01 EUR", "$1.25")
