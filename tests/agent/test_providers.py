from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import traceback
from collections.abc import Coroutine
from typing import Any

import pytest

from inklings_desktop.acp_wire import words
from inklings_desktop.agent.providers.catalogue import (
    BUILT_IN,
    CHAT,
    MESSAGES,
    OLLAMA,
    Catalogue,
    Offer,
    Provider,
    is_running,
)
from inklings_desktop.agent.providers.connecting import checked_address, is_loopback
from inklings_desktop.agent.providers.keys import Keys
from inklings_desktop.agent.providers.port import Message, Request, TextDelta
from inklings_desktop.domain.errors import AgentError
from tests.support.wire_servers import Refused, Said, wire_server

KEY = "sk-needle-7f3a91"
ASKED = Request("gull-1", (Message("user", "What do gulls eat?"),))
WIRES = pytest.mark.parametrize("wire", [CHAT, MESSAGES])


def catalogue(address: str, wire: str = CHAT, key: str = KEY, id_: str = "mine") -> Catalogue:
    """One provider that was added at an address, with its key."""
    keys = Keys(lambda: None, {})
    if key:
        keys.set(id_, key)
    return Catalogue(keys, lambda: [Provider(id_, "Mine", wire, address)])


def failure(asked: Coroutine[Any, Any, Any]) -> AgentError:
    with pytest.raises(AgentError) as caught:
        asyncio.run(asked)
    return caught.value


async def said_by(one: Catalogue, provider: str = "mine") -> str:
    events = [event async for event in one.model(provider, "gull-1").stream(ASKED)]
    return "".join(event.text for event in events if isinstance(event, TextDelta))


@pytest.mark.parametrize(
    "address",
    [
        "http://api.invalid/v1",
        "http://192.168.0.7:11434",
        "http://127.0.0.1.evil.invalid",
        "http://localhost.evil.invalid",
        "https://user:secret@api.invalid/v1",
        "http://127.0.0.1@evil.invalid",
        "http://[::1",
        "ftp://127.0.0.1",
        "https://",
        "https://api.invalid:port",
        "api.invalid",
        "",
    ],
)
def test_an_address_elsewhere_must_be_https(address: str) -> None:
    with pytest.raises(AgentError) as caught:
        checked_address(address)
    assert (caught.value.word, caught.value.detail) == (words.ADDRESS_REFUSED, "")


@pytest.mark.parametrize("host", ["127.0.0.1:1", "127.9.9.9", "localhost:11434", "[::1]:8080"])
def test_an_address_of_this_machine_may_be_http(host: str) -> None:
    assert checked_address(f"http://{host}/v1/") == f"http://{host}/v1"
    assert is_loopback(f"http://{host}")
    assert not is_loopback("https://api.invalid/v1")


@WIRES
def test_no_redirect_is_followed(wire: str) -> None:
    with wire_server(Said(("Evil.",))) as other:
        there = {"location": other.address}
        with wire_server(Refused(302, headers=there)) as served:
            one = catalogue(served.address, wire)
            served.listings = {"/v1/models": Refused(307, headers=there)}
            assert failure(said_by(one)).word == words.PROVIDER_FAILED
            assert failure(one.offers("mine")).word in {words.PROVIDER_FAILED, words.MODEL_UNKNOWN}
        assert other.asked == []


@WIRES
def test_what_stays_on_this_machine_goes_through_no_proxy(
    wire: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with wire_server(Said(("Fish.",))) as served:
        assert asyncio.run(said_by(catalogue(served.address, wire))) == "Fish."


def test_what_goes_elsewhere_goes_through_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []

    async def scene() -> None:
        async def note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            asked.append(await reader.readline())
            writer.close()

        proxy = await asyncio.start_server(note, "127.0.0.1", 0)
        port = proxy.sockets[0].getsockname()[1]
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{port}")
        with pytest.raises(AgentError) as caught:
            await catalogue("https://api.invalid/v1").offers("mine")
        assert caught.value.word == words.PROVIDER_UNREACHABLE
        proxy.close()

    asyncio.run(scene())
    assert asked == [b"CONNECT api.invalid:443 HTTP/1.1\r\n"]


def test_settings_of_the_libraries_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with wire_server(Said(("Evil.",))) as other, wire_server(Said(("Fish.",))) as served:
        for library in ("OPENAI", "ANTHROPIC"):
            monkeypatch.setenv(f"{library}_BASE_URL", other.address)
            monkeypatch.setenv(f"{library}_CUSTOM_HEADERS", "X-Evil: 1")
            monkeypatch.setenv(f"{library}_AUTH_TOKEN", "evil")
        monkeypatch.setenv("OPENAI_ORG_ID", "evil")
        for wire in (CHAT, MESSAGES):
            assert asyncio.run(said_by(catalogue(served.address, wire))) == "Fish."
        assert other.asked == []
        assert "evil" not in str(served.headers).lower()
        assert str(served.headers).count(KEY) == 2


def test_built_in_providers_have_safe_addresses() -> None:
    assert [one.id for one in BUILT_IN] == ["anthropic", "openai", "xai", "openrouter", OLLAMA]
    for one in BUILT_IN:
        assert checked_address(one.address) == one.address
        assert one.is_local is (one.id == OLLAMA)
        assert one.needs_key is (one.id != OLLAMA)


def test_a_model_that_ollama_passes_on_is_not_local() -> None:
    one = Catalogue(Keys(lambda: None, {}))
    assert one.model(OLLAMA, "gull:1b").is_local
    assert not one.model(OLLAMA, "gull:120b-cloud").is_local
    assert not one.model("xai", "gull").is_local


def test_what_is_added_never_gets_the_key_of_a_built_in_one() -> None:
    added = [
        Provider("openai", "Evil", CHAT, "https://evil.invalid"),
        Provider("a", "A", CHAT, "x"),
    ]
    one = Catalogue(Keys(lambda: None, {}), lambda: added)
    assert one.provider("openai").address == "https://api.openai.com/v1"
    assert [each.id for each in one.providers][5:] == ["a"]
    with pytest.raises(AgentError, match=words.MODEL_UNKNOWN):
        one.provider("nobody")
    with pytest.raises(AgentError, match=words.ADDRESS_REFUSED):
        one.model("a", "gull-1")


def test_without_its_key_a_provider_is_not_asked() -> None:
    found = failure(Catalogue(Keys(lambda: None, {})).offers("xai"))
    assert (found.word, found.detail) == (words.NO_KEY, "xai")


def test_models_are_listed_by_openrouter_with_prices() -> None:
    priced = {
        "id": "birds/gull-1",
        "name": "Gull One",
        "context_length": 200_000,
        "pricing": {"prompt": "0.000003", "completion": "0.000015"},
        "supported_parameters": ["tools", "max_tokens", "reasoning"],
    }
    auto = {"id": "auto", "pricing": {"prompt": "-1", "completion": "-1"}, "context_length": None}
    with wire_server() as served:
        served.listings = {"/v1/models": {"data": [priced, auto, {"object": "model"}]}}
        one = catalogue(served.address)
        made = one.model("mine", "birds/gull-1")
        assert made.window == 32_768
        assert asyncio.run(one.offers("mine")) == (
            Offer("birds/gull-1", "Gull One", 200_000, 3_000_000, 15_000_000, True, True),
            Offer("auto", "auto"),
        )
        prices = [one.turn_micro for one in asyncio.run(one.offers("mine"))]
        assert prices == [12_000 * 3 + 600 * 15, None]
        assert served.headers[0]["authorization"] == f"Bearer {KEY}"
    assert (made.window, one.model("mine", "birds/gull-1").window) == (200_000, 200_000)
    assert one.model("mine", "auto").window == 32_768


def test_models_are_listed_by_the_messages_wire() -> None:
    with wire_server() as served:
        row = {"id": "gull-1", "display_name": "Gull One", "max_input_tokens": 100_000}
        served.listings = {"/v1/models?limit=1000": {"data": [row], "has_more": False}}
        found = asyncio.run(catalogue(served.address, MESSAGES).offers("mine"))
    assert found == (Offer("gull-1", "Gull One", 100_000),)


def test_models_are_listed_by_ollama(monkeypatch: pytest.MonkeyPatch) -> None:
    with wire_server() as served:
        listing = {"models": [{"name": "gull:1b", "capabilities": ["completion"]}]}
        address = served.address.removesuffix("/v1")
        ollama = Provider(OLLAMA, "Ollama", CHAT, served.address)
        assert ollama.listing == f"{address}/api/tags"
        served.listings = {"/api/tags": listing}
        monkeypatch.setattr("inklings_desktop.agent.providers.catalogue.BUILT_IN", (ollama,))
        found = asyncio.run(Catalogue(Keys(lambda: None, {})).offers(OLLAMA))
    assert found == (Offer("gull:1b", "gull:1b", has_tools=False, has_effort=False),)


@pytest.mark.parametrize("told", [["gull"], {"data": ["gull"]}, {"data": 7}, "gull"])
def test_a_listing_of_another_form_is_a_failure(told: Any) -> None:
    with wire_server() as served:
        served.listings = {"/v1/models": told}
        found = failure(catalogue(served.address).offers("mine"))
    assert found.word == words.PROVIDER_FAILED


@pytest.mark.parametrize(
    ("told", "word"),
    [({"data": []}, ""), (Refused(401), words.KEY_REFUSED), (Refused(500), words.PROVIDER_FAILED)],
)
def test_a_test_asks_once(told: Any, word: str) -> None:
    with wire_server() as served:
        served.listings = {"/v1/models": told}
        one = catalogue(served.address)
        if word:
            assert failure(one.test("mine")).word == word
        else:
            asyncio.run(one.test("mine"))
        assert [path for path, _ in served.asked] == ["/v1/models"]


def test_a_provider_of_this_machine_is_found_by_its_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ollama = Provider(
            OLLAMA, "Ollama", CHAT, f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        )
        assert asyncio.run(is_running(ollama, 60))
    assert not asyncio.run(is_running(ollama, 60))


TELLING = """
import asyncio, logging, sys
logging.basicConfig(level=logging.DEBUG, stream=sys.stdout)
from inklings_desktop.agent.providers.anthropic_wire import AnthropicWire
from inklings_desktop.agent.providers.openai_wire import OpenAIWire
from inklings_desktop.agent.providers.port import Message, Request
async def ask(wire):
    model = wire("gull", "gull-1", address=sys.argv[1], key=lambda: sys.stdin.readline().strip())
    print(model, vars(model).keys())
    async for event in model.stream(Request("gull-1", (Message("user", "What do gulls eat?"),))):
        print(event)
for wire in (OpenAIWire, AnthropicWire):
    for _ in range(2):
        try:
            asyncio.run(ask(wire))
        except Exception:
            logging.exception("It failed")
"""


def test_no_log_and_no_error_tells_a_key() -> None:
    with wire_server(Refused(401, {"message": KEY}), Said(("Fish.",), form="cut")) as served:
        told = subprocess.run(
            [sys.executable, "-c", TELLING, served.address],
            input=f"{KEY}\n" * 4,
            env={"OPENAI_LOG": "debug", "ANTHROPIC_LOG": "debug"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert str(served.headers).count(KEY) == 4
    assert told.stdout.count("It failed") == 4
    assert words.KEY_REFUSED in told.stdout
    assert KEY not in told.stdout + told.stderr
    assert "gulls" not in told.stdout + told.stderr


@WIRES
def test_an_error_tells_nothing_of_the_answer(wire: str) -> None:
    with wire_server(Refused(400, {"message": f"{KEY} is bad"})) as served:
        found = failure(said_by(catalogue(served.address, wire)))
    assert KEY not in "".join(traceback.format_exception(found))
    assert found.detail == "mine 400"
