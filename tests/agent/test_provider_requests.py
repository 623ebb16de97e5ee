"""What the agent is asked about providers, and a turn with one: used, told, and held to a limit."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.acp_wire import parts, words
from inklings_desktop.agent.acp_door.providers_door import ProvidersDoor
from inklings_desktop.agent.acp_door.world_agent import chosen_in
from inklings_desktop.agent.providers import sign_in
from inklings_desktop.agent.providers.catalogue import CHAT, Catalogue, Provider
from inklings_desktop.agent.providers.keys import Keys
from inklings_desktop.agent.providers.routing import RoutedModels
from inklings_desktop.agent_client.recording import handed_over
from inklings_desktop.agent_settings import AgentSettings, Classes
from inklings_desktop.agent_settings import Provider as Added
from inklings_desktop.domain.errors import AgentError
from inklings_desktop.domain.memory import MemoryDraft
from inklings_desktop.domain.runs.run_rows import Spent, SpentOn
from inklings_desktop.settings_file import put_row, save_values
from tests.agent.test_keys import Ring
from tests.support.stopwatch import HANG_SECONDS
from tests.support.wire_servers import Refused, Said, wire_server

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator

    from tests.agent.conftest import World
    from tests.support.wire_servers import WireServer

OLD, NEW = "sk-old-0123456789abcd", "sk-new-0123456789wxyz"
NAMES: dict[str, Any] = {
    "object": "list",
    "data": [
        {"id": "large", "context_length": 64_000},
        {"id": "small"},
    ],
}


class Runs:
    """What was spent in one workspace."""

    def spent_on(self, since: int) -> tuple[SpentOn, ...]:
        assert since > 0
        return (SpentOn("gate", "mine", "small", 3, Spent(30, 6, 0, 1_200, "USD")),)


class Desk:
    """A door over a provider at a server of ours, whose key is in a keyring of ours."""

    def __init__(self, served: WireServer, ring: Any = None) -> None:
        self.ring = ring
        self.keys = Keys(lambda: self.ring, {})
        mine = Provider("mine", "Mine", CHAT, served.address, "MINE_API_KEY")
        self.catalogue = Catalogue(self.keys, lambda: (mine,))
        self.settings = AgentSettings(
            classes=Classes(frontier="mine/large", fast="mine/small"),
            providers=(Added("mine", CHAT, served.address),),
        )
        self.models = RoutedModels(lambda: self.settings, self.catalogue.model)
        self.door = ProvidersDoor(
            lambda: (self.catalogue, self.keys),
            self.models,
            lambda: self.settings,
            lambda _id: Runs(),  # type: ignore[arg-type, return-value]  # it is asked for this alone
        )

    def row(self) -> dict[str, Any]:
        told = asyncio.run(self.door.list({}))
        return next(one for one in told["providers"] if one["id"] == "mine")


def failure(asked: Coroutine[Any, Any, Any]) -> str:
    with pytest.raises(AgentError) as caught:
        asyncio.run(asked)
    return caught.value.word


def test_providers_are_listed_without_asking_them_and_no_key_is_told() -> None:
    with wire_server(Said()) as served:
        desk = Desk(served, Ring())
        desk.keys.set("mine", OLD)
        told = asyncio.run(desk.door.list({}))
        assert served.asked == []
    assert told["keyring"] is True
    assert [one["id"] for one in told["providers"]][-1] == "mine"
    assert told["providers"][-1] == {
        "id": "mine", "title": "Mine", "address": served.address, "key": "keyring", "ends": "abcd",
        "needs_key": True, "signs_in": False, "is_local": True, "is_own": True,
    }  # fmt: skip
    assert OLD not in str(told)


def test_a_key_is_kept_once_it_was_accepted() -> None:
    with wire_server(Said()) as served:
        served.listings["/v1/models"] = NAMES
        desk = Desk(served, Ring())
        before = desk.models.model_for("orchestrator")
        kept = asyncio.run(desk.door.set({"id": "mine", "key": f" {NEW}\n"}))
        assert served.headers[-1]["authorization"] == f"Bearer {NEW}"
    assert kept == {"key": "keyring", "ends": "wxyz"}
    assert desk.keys.find("mine") == NEW
    assert desk.models.model_for("orchestrator") is not before


@pytest.mark.parametrize(
    ("key", "status", "word"),
    [(NEW, 401, "key_refused"), (NEW, 402, "no_credit"), ("two words", 200, "invalid_value")],
)
def test_a_key_that_is_refused_changes_nothing(key: str, status: int, word: str) -> None:
    with wire_server(Said()) as served:
        served.listings["/v1/models"] = Refused(status)
        desk = Desk(served, Ring())
        desk.keys.set("mine", OLD)
        assert failure(desk.door.set({"id": "mine", "key": key})) == word
    assert desk.keys.find("mine") == OLD
    assert desk.row()["ends"] == "abcd"


def test_without_a_keyring_a_key_is_kept_for_this_process() -> None:
    with wire_server(Said()) as served:
        served.listings["/v1/models"] = NAMES
        desk = Desk(served)
        assert asyncio.run(desk.door.list({}))["keyring"] is False
        kept = asyncio.run(desk.door.set({"id": "mine", "key": NEW}))
        assert kept["key"] == desk.row()["key"] == "process"
        asyncio.run(desk.door.forget({"id": "mine"}))
        assert desk.row()["key"] == ""


def test_the_models_of_a_provider_are_listed_and_known_from_then_on() -> None:
    with wire_server(Said()) as served:
        served.listings["/v1/models"] = NAMES
        desk = Desk(served, Ring())
        assert failure(desk.door.test({"id": "mine"})) == "no_key"
        desk.keys.set("mine", OLD)
        told = asyncio.run(desk.door.test({"id": "mine"}))
    assert [(one["id"], one["window"]) for one in told["models"]] == [
        ("large", 64_000),
        ("small", None),
    ]
    assert told["ms"] >= 0
    assert [one.name for one in desk.door.offers["mine"]] == ["large", "small"]


def test_nobody_is_asked_on_this_machine_where_nobody_listens() -> None:
    with wire_server(Said()) as served:
        desk = Desk(served, Ring())
    assert failure(desk.door.list_models({"id": "mine"})) == "provider_unreachable"
    assert failure(desk.door.list_models({"id": "unheard"})) == "model_unknown"


def test_routes_say_what_stands_in_for_what_and_what_it_cost() -> None:
    with wire_server(Said()) as served:
        told = asyncio.run(Desk(served).door.routes({"workspace": "w"}))
    assert told["classes"] == {"cheap": "", "fast": "mine/small", "frontier": "mine/large"}
    assert [one for one in told["routes"] if one["process"] in {"orchestrator", "gate"}] == [
        {"process": "orchestrator", "wanted": "frontier", "given": "frontier",
         "model": "mine/large"},
        {"process": "gate", "wanted": "cheap", "given": "fast", "model": "mine/small"},
    ]  # fmt: skip
    assert told["usage"] == [
        {"process": "gate", "provider": "mine", "model": "small", "calls": 3, "input_tokens": 30,
         "output_tokens": 6, "cost_micro": 1_200, "currency": "USD"},
    ]  # fmt: skip


def test_signing_in_is_begun_waited_for_and_given_up() -> None:
    async def scene(desk: Desk) -> None:
        begun = await desk.door.sign_in({"id": sign_in.PROVIDER})
        assert begun["url"].startswith(sign_in.PAGE)
        waiting = asyncio.create_task(desk.door.sign_in({"id": sign_in.PROVIDER, "wait": True}))
        await asyncio.sleep(0)
        again = await desk.door.sign_in({"id": sign_in.PROVIDER})
        assert again["url"] != begun["url"]
        with pytest.raises(AgentError) as caught:
            await waiting
        assert caught.value.word == "sign_in_failed"
        assert await desk.door.sign_in({"id": sign_in.PROVIDER, "cancel": True}) == {}
        with pytest.raises(AgentError):
            await desk.door.sign_in({"id": sign_in.PROVIDER, "wait": True})
        desk.door.leave()

    with wire_server(Said()) as served:
        asyncio.run(scene(Desk(served)))


def test_signing_in_fails_at_once_where_nobody_can_listen(monkeypatch: pytest.MonkeyPatch) -> None:
    async def no_port(*_: object) -> None:
        raise OSError(98, "no port is free")

    monkeypatch.setattr(sign_in.SignIn, "listen", no_port)
    with wire_server(Said()) as served, pytest.raises(OSError, match="no port"):
        asyncio.run(Desk(served).door.sign_in({"id": sign_in.PROVIDER}))


# -- the agent's own process ------------------------------------------------------------------


ANSWER = Said(("The lamp is ", "kept by Ottoline."), used=(1_000, 20, 0), cost=0.3)


def set_up(world: World, served: WireServer, **values: Any) -> None:
    """Let a provider that asks for no key do all the work."""
    row = {"id": "mine", "wire": CHAT, "base_url": served.address}
    put_row(world.root, "agent.providers", row)
    one = {"agent.classes.frontier": "mine/large", "agent.routing.gate": "off"}
    off = {f"agent.routing.{name}": "off" for name in ("title", "summary", "compact")}
    save_values(world.root, one | off | {f"agent.{name}": value for name, value in values.items()})


def told(client: Any, kind: str) -> list[dict[str, Any]]:
    return [one for one in client.updates if one["sessionUpdate"] == kind]


def test_a_turn_is_answered_by_the_model_that_is_set_and_its_cost_is_told(
    lone_world: World,
) -> None:
    with wire_server(ANSWER) as served, lone_world.agent() as agent:
        client = agent.client
        session = client.new()
        assert client.say(session, "Who keeps the lamp?")["stopReason"] == "end_turn"
        assert served.asked == []
        set_up(lone_world, served)
        assert client.say(session, "Who keeps the lamp at Wend Gate?")["stopReason"] == "end_turn"
        assert served.asked[-1][1]["model"] == "large"
        (options,) = told(client, words.CONFIG_OPTIONS)
        assert options["configOptions"][0]["currentValue"] == "mine/large"
        (usage,) = told(client, words.USAGE)
        assert (usage["used"], usage["cost"]) == (1_020, {"amount": 0.3, "currency": "USD"})
        assert usage["_meta"]["inklings"]["provider"] == "mine"
        assert usage["_meta"]["inklings"]["turn_micro"] == 300_000
        client.say(session, "/model")
        said = "".join(one["content"]["text"] for one in told(client, words.AGENT_CHUNK))
        assert said.endswith("large answers here. It comes from mine.")
        routes = client.ask(words.ROUTE_LIST, {"workspace": lone_world.workspace})
    assert [(one["process"], one["calls"], one["cost_micro"]) for one in routes["usage"]] == [
        ("orchestrator", 1, 300_000)
    ]


def test_smaller_work_counts_to_the_cost_and_not_to_how_full_the_conversation_is(
    lone_world: World,
) -> None:
    verdict = Said(('{"verdict": "accept", "drop": [], "queries": []}',), cost=0.1)
    with wire_server(verdict, ANSWER) as served:
        set_up(lone_world, served)
        save_values(lone_world.root, {"agent.routing.gate": "frontier"})
        with lone_world.inklings() as opened:
            opened.memories.put(MemoryDraft(lone_world.scope, "Ottoline keeps the lamp."))
        with lone_world.agent() as agent:
            client = agent.client
            client.say(client.new(), "Who keeps the lamp at Wend Gate?")
            (usage,) = told(client, words.USAGE)
    assert len(served.asked) == 2
    assert (usage["used"], usage["cost"]["amount"]) == (1_020, 0.4)


def test_a_conversation_chooses_its_own_model_or_none(lone_world: World) -> None:
    with wire_server(ANSWER) as served:
        mute = {"id": "mute", "supported_parameters": ["temperature"]}
        served.listings["/v1/models"] = NAMES | {"data": [*NAMES["data"], mute]}
        set_up(lone_world, served, write_policy="never")
        with lone_world.agent() as agent:
            client = agent.client
            client.ask(words.PROVIDER_MODELS, {"id": "mine"})
            session = client.new()
            set_option = {"sessionId": session, "configId": "model", "value": "mine/small"}
            options = client.ask(words.SET_CONFIG_OPTION, set_option)["configOptions"]
            groups = {one["name"]: one["options"] for one in options[0]["options"]}
            assert [one["value"] for one in groups["Inklings"]] == ["mechanical"]
            assert [one["value"] for one in groups["mine"]] == ["mine/large", "mine/small"]
            assert {one["description"] for one in groups["mine"]} == {"On this machine, free"}
            assert (options[0]["currentValue"], options[-1]["currentValue"]) == (
                "mine/small",
                "never",
            )
            client.say(session, "Who keeps the lamp?")
            assert served.asked[-1][1]["model"] == "small"
            client.ask(words.SET_CONFIG_OPTION, set_option | {"value": "mechanical"})
            n_asked = len(served.asked)
            client.say(session, "Who keeps the lamp?")
            assert len(served.asked) == n_asked
            refused = client.ask(words.SET_CONFIG_OPTION, set_option | {"value": "else/where"})
            assert refused["error"]["data"]["word"] == "unknown_option"


def test_what_was_chosen_and_spent_is_known_to_the_next_process(lone_world: World) -> None:
    chosen = handed_over("t9-0a0a0a0a", words.WORLD_AGENT, "small", "mine/small")
    with wire_server(ANSWER) as served:
        set_up(lone_world, served)
        with lone_world.agent() as agent:
            session = agent.client.new()
            agent.client.say(session, "Who keeps the lamp?")
        with lone_world.inklings() as inklings:
            keep = inklings.messages.keep_answer
            keep(lone_world.workspace, session, words.WORLD_AGENT, chosen)
        with lone_world.agent() as agent:
            opened = agent.client.load(session)
    assert opened["configOptions"][0]["currentValue"] == "mine/small"
    costs = opened["_meta"]["inklings"][words.COSTS]
    assert (costs["talk_micro"], costs["day_micro"], costs["currency"]) == (300_000, 300_000, "USD")
    assert list(costs["turns"].values()) == [300_000]


def test_no_other_program_chooses_the_model() -> None:
    def told(client: str, model: str) -> dict[str, Any]:
        draft = handed_over("t9-0a0a0a0a", words.WORLD_AGENT, "small", model)
        return {"client": client, "parts": draft.parts_json}

    ours, theirs = told(words.WORLD_AGENT, "mine/small"), told("claude-code", "far/away")
    assert chosen_in([ours, told(words.WORLD_AGENT, ""), theirs]) == "mine/small"
    assert chosen_in([theirs]) == ""


LOOKS = Said(calls=(("c1", "memory_read", ('{"tier": "workspace", "query": "lamp"}',)),),
             stop="tools", cost=0.3)  # fmt: skip


@pytest.mark.parametrize("option", ["once", "deny"])
def test_a_turn_asks_before_it_would_pass_its_ceiling(lone_world: World, option: str) -> None:
    with wire_server(LOOKS, ANSWER) as served:
        set_up(lone_world, served)
        with lone_world.agent() as agent:
            client = agent.client
            client.answer_with = lambda _: option
            session = client.new()
            ended = client.say(session, "Who keeps the lamp?")
            (asked,) = client.asked
    assert [one["optionId"] for one in asked["options"]] == ["once", "deny"]
    assert asked["_meta"]["inklings"]["tool"] == words.SPEND_TOOL
    assert asked["toolCall"]["rawInput"]["spent"] == 300_000
    is_paid = option == "once"
    assert len(served.asked) == (2 if is_paid else 1)
    assert ended["stopReason"] == ("end_turn" if is_paid else "max_turn_requests")
    assert lone_world.said(session)[-1][1] == ("complete" if is_paid else "stopped")
    owns = (parts.own_of(one) for one in told(client, words.SESSION_INFO))
    problems = [own[words.PROBLEM] for own in owns if words.PROBLEM in own]
    figures = {"of": "turn", "currency": "USD"} | dict.fromkeys(("spent", "next"), 300_000)
    assert [one["values"] for one in problems] == [figures | {"ceiling": 500_000}] * (not is_paid)


def test_a_day_is_asked_about_in_the_next_turn(lone_world: World) -> None:
    with wire_server(ANSWER) as served:
        set_up(lone_world, served, daily_cost=0.5)
        with lone_world.agent() as agent:
            client = agent.client
            client.answer_with = lambda _: "deny"
            session = client.new()
            assert client.say(session, "Who keeps the lamp?")["stopReason"] == "end_turn"
            assert client.say(session, "And the gate?")["stopReason"] == "end_turn"
            assert client.say(session, "And the mill?")["stopReason"] == "max_turn_requests"
    (asked,) = client.asked
    assert asked["toolCall"]["rawInput"]["of"] == "day"
    assert len(served.asked) == 2


def test_with_nobody_to_ask_a_turn_stops_at_its_ceiling(lone_world: World, tmp_path: Path) -> None:
    prompt = tmp_path / "prompt"
    prompt.write_text("Who keeps the lamp?", encoding="utf-8")
    with wire_server(LOOKS, ANSWER) as served:
        set_up(lone_world, served)
        command = [sys.executable, "-m", "inklings_desktop.agent_program", "--headless"]
        command += ["--data-dir", str(lone_world.root), "--workspace", lone_world.workspace]
        command += ["--prompt-file", str(prompt)]
        done = subprocess.run(command, capture_output=True, check=False, timeout=HANG_SECONDS)
    assert done.returncode == 1
    assert len(served.asked) == 1


NO_KEYRING = (("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring"),)
NEEDLE = "sk-needle-5b1f0c7d9a3e4f62"


def test_a_key_is_nowhere_but_at_its_provider(lone_world: World) -> None:
    """keys_nowhere: no file, log, argument, variable, update or answer holds it."""
    refusal = Refused(401, {"message": f"Incorrect API key provided: {NEEDLE}."})
    with wire_server(LOOKS, ANSWER, refusal) as served:
        served.listings["/v1/models"] = NAMES
        set_up(lone_world, served, turn_cost=0)
        with lone_world.agent(environment=NO_KEYRING) as agent:
            client = agent.client
            kept = client.ask(words.PROVIDER_SET, {"id": "mine", "key": NEEDLE})
            session = client.new()
            answered = client.say(session, "Who keeps the lamp?")
            refused = client.say(session, "And the gate?")
            listed = client.ask(words.PROVIDER_LIST, {})
            told_of = [kept, answered, refused, listed, *client.updates, *client.asked]
            processes = list(variables_and_arguments())
    assert served.headers[-1]["authorization"] == f"Bearer {NEEDLE}"
    assert kept == {"key": "process", "ends": NEEDLE[-4:]}
    assert NEEDLE not in json.dumps(told_of)
    needle = NEEDLE.encode()
    files = [one for one in lone_world.root.rglob("*") if one.is_file()]
    assert any(one.suffix == ".log" for one in files)
    assert [one for one in files if needle in one.read_bytes()] == []
    assert not any(needle in one for one in processes)


def variables_and_arguments() -> Iterator[bytes]:
    """What every process of this user that can be looked at was started with."""
    for place in Path("/proc").glob("[0-9]*"):
        for name in ("cmdline", "environ"):
            with suppress(OSError):
                yield (place / name).read_bytes()
