"""``inklings agent`` about models: who provides them, keys, and which work goes where."""

from __future__ import annotations

import getpass
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.acp_wire import words
from inklings_desktop.cli.messages import ENVIRONMENT, REFUSED, WRONG_USAGE
from tests.support.told_agent import told_agent

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.console import Console

KEY = "sk-needle-0123456789wxyz"
FACTS = {
    "title": "Mine", "address": "https://mine.example/v1", "needs_key": True, "signs_in": False,
    "is_local": False, "is_own": False,
}  # fmt: skip
MINE = FACTS | {"id": "mine", "key": "keyring", "ends": "wxyz"}
BARE = FACTS | {"id": "bare", "title": "Bare", "key": "", "ends": ""}
HERE = BARE | {"id": "here", "title": "Here", "needs_key": False, "address": "http://127.0.0.1:1"}
MODELS = [
    {"id": "large", "title": "Large", "window": 64_000, "input_price": 3_000_000,
     "output_price": 15_000_000, "has_tools": True},
    {"id": "small", "title": "Small", "window": None, "input_price": None, "output_price": None,
     "has_tools": None},
]  # fmt: skip


def failing(word: str) -> dict[str, Any]:
    data = {"word": word, "retry": False, "detail": "mine 401"}
    return {"error": {"code": words.AGENT_PROBLEM, "message": "no", "data": data}}


class Table:
    """A command line whose agent answers what a test says."""

    def __init__(self, console: Console, log: Path) -> None:
        self.log = log
        self.answers: dict[str, dict[str, Any]] = {}
        self.listing(MINE, BARE, HERE)

        def command(_data_dir: Path, _workspace: str) -> list[str]:
            return told_agent(self.answers, log)

        program = replace(console.program, agent_command=command)
        self.say = replace(console, program=program)

    def listing(self, *providers: dict[str, Any], keyring: bool = True) -> None:
        told = {"keyring": keyring, "providers": list(providers)}
        self.answers[words.PROVIDER_LIST] = {"result": told}

    @property
    def asked(self) -> list[Any]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@pytest.fixture
def table(world: Console, tmp_path: Path) -> Table:
    return Table(world, tmp_path / "asked")


def test_providers_are_listed_and_not_asked(table: Table) -> None:
    said = table.say("agent", "providers")
    assert said.status == 0
    assert [" ".join(line.split()) for line in said.out.splitlines()] == [
        "mine Mine key ends in wxyz",
        "bare Bare no key",
        "here Here no key needed, http://127.0.0.1:1",
    ]
    assert table.asked == [[words.PROVIDER_LIST, {}]]


def test_settings_that_cannot_be_used_are_named_with_the_providers(table: Table) -> None:
    row = '[[agent.providers]]\nid = "gull"\nwire = "smoke"\nbase_url = "https://gull.example"\n'
    settings = table.say.data_dir / "settings.toml"
    settings.write_text(f"[agent.classes]\nfrontier = 3\n{row}", encoding="utf-8")
    first, second = table.say("agent", "providers").err.splitlines()
    assert first.startswith("settings.toml line 2, agent.classes.frontier: this setting cannot be")
    assert second == (
        "settings.toml line 3, agent.providers: an entry cannot be used, and is left out."
    )


def test_only_those_that_may_answer_are_tested(table: Table) -> None:
    table.answers[words.PROVIDER_TEST] = failing(words.KEY_REFUSED)
    lines = table.say("agent", "providers", "--test").out.splitlines()
    assert [line.split()[-1] for line in lines] == ["key_refused", "used", "key_refused"]
    table.answers[words.PROVIDER_TEST] = {"result": {"models": MODELS, "ms": 5}}
    found = table.say.document("agent", "providers", "--test")["providers"]
    assert [one["test"] for one in found] == [{"models": 2, "ms": 5}, None, {"models": 2, "ms": 5}]


def test_models_are_listed_with_what_the_provider_tells(table: Table) -> None:
    table.answers[words.PROVIDER_MODELS] = {"result": {"models": MODELS, "ms": 5}}
    lines = table.say("agent", "models", "mine").out.splitlines()
    assert [line.split() for line in lines] == [
        ["mine/large", "Large", "64,000", "tokens,", "3.00", "/", "15.00", "a", "million"],
        ["mine/small", "Small"],
    ]
    table.answers[words.PROVIDER_MODELS] = failing(words.NO_KEY)
    refused = table.say("agent", "models", "bare")
    assert (refused.status, refused.out) == (REFUSED, "")
    assert "asks for a key" in refused.err


def test_a_key_comes_in_unseen_and_never_as_an_argument(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.answers[words.PROVIDER_SET] = {"result": {"key": "keyring", "ends": "wxyz"}}
    monkeypatch.setattr(getpass, "getpass", lambda *_: KEY)
    typed = table.say("agent", "key", "set", "mine", typed=True)
    piped = table.say("agent", "key", "set", "mine", stdin=f"{KEY}\n".encode())
    for said in (typed, piped):
        assert said.status == 0
        assert said.out == "The key works and is kept. It ends in wxyz.\n"
        assert KEY not in said.out + said.err
    assert table.asked[1::2] == [[words.PROVIDER_SET, {"id": "mine", "key": KEY}]] * 2
    given = table.say("agent", "key", "set", "mine", KEY)
    assert given.status == WRONG_USAGE


@pytest.mark.parametrize(
    ("provider", "stdin", "keyring", "status", "words_said"),
    [
        ("mine", b"\n", True, WRONG_USAGE, "at least one character"),
        ("unheard", b"k\n", True, WRONG_USAGE, "there is mine, bare, here"),
        ("mine", b"k\n", False, ENVIRONMENT, "no keyring"),
        ("mine", b"k\n", True, REFUSED, "refused the key"),
    ],
)
def test_a_key_that_cannot_be_kept_says_why(
    table: Table,
    provider: str,
    stdin: bytes,
    keyring: bool,  # noqa: FBT001 - a table of examples
    status: int,
    words_said: str,
) -> None:
    table.listing(MINE, BARE, HERE, keyring=keyring)
    table.answers[words.PROVIDER_SET] = failing(words.KEY_REFUSED)
    said = table.say("agent", "key", "set", provider, stdin=stdin)
    assert said.status == status
    assert words_said in said.err


def test_signing_in_prints_the_page_waits_and_keeps_the_key(table: Table) -> None:
    table.listing(MINE | {"signs_in": True})
    table.answers[words.PROVIDER_SIGN_IN] = {"result": {"url": "https://mine.example/auth?x=1"}}
    said = table.say("agent", "key", "sign-in", "mine")
    assert said.status == 0
    assert said.out == "You are signed in, and the key is kept. It ends in wxyz.\n"
    assert said.err.endswith("browser on this computer: https://mine.example/auth?x=1\n")
    assert table.asked == [
        [words.PROVIDER_LIST, {}],
        [words.PROVIDER_SIGN_IN, {"id": "mine"}],
        [words.PROVIDER_SIGN_IN, {"id": "mine", "wait": True}],
        [words.PROVIDER_LIST, {}],
    ]
    document = table.say.document("agent", "key", "sign-in", "mine")
    assert document == {"provider": "mine", "key": "keyring", "ends": "wxyz"}


@pytest.mark.parametrize(
    ("provider", "keyring", "status", "words_said"),
    [
        ("mine", True, WRONG_USAGE, "inklings agent key set mine"),
        ("unheard", True, WRONG_USAGE, "there is mine, gate"),
        ("gate", False, ENVIRONMENT, "no keyring"),
        ("gate", True, REFUSED, "You are not signed in."),
    ],
)
def test_a_sign_in_that_cannot_be_says_why(
    table: Table,
    provider: str,
    keyring: bool,  # noqa: FBT001 - a table of examples
    status: int,
    words_said: str,
) -> None:
    table.listing(MINE, BARE | {"id": "gate", "signs_in": True}, keyring=keyring)
    table.answers[words.PROVIDER_SIGN_IN] = failing(words.SIGN_IN_FAILED)
    said = table.say("agent", "key", "sign-in", provider)
    assert said.status == status
    assert words_said in said.err


def test_models_of_nobody_are_not_asked_for(table: Table) -> None:
    said = table.say("agent", "models", "nobody")
    assert said.status == WRONG_USAGE
    assert "There is no provider nobody" in said.err
    assert table.asked[-1][0] == words.PROVIDER_LIST


def test_a_key_is_forgotten(table: Table) -> None:
    table.answers[words.PROVIDER_FORGET] = {"result": {}}
    assert table.say("agent", "key", "forget", "mine").out == "The key is deleted.\n"
    assert table.asked[-1] == [words.PROVIDER_FORGET, {"id": "mine"}]


def test_the_agent_itself_lists_its_providers(world: Console) -> None:
    found = world.document("agent", "providers")["providers"]
    assert {"openrouter", "ollama"} <= {one["id"] for one in found}


def test_without_the_agent_it_is_said_how_to_get_it(table: Table) -> None:
    program = replace(table.say.program, agent_command=lambda _data_dir, _workspace: None)
    said = replace(table.say, program=program)("agent", "providers")
    assert said.status == ENVIRONMENT
    assert "pip install" in said.err


def test_work_goes_where_it_is_sent(world: Console) -> None:
    assert world("agent", "route").out.splitlines()[0].split() == ["frontier", "none"]
    world.document("agent", "route", "frontier", "xai/large")
    told = world.document("agent", "route", "merge", "off")
    assert told["classes"] == {"frontier": "xai/large", "fast": "", "cheap": ""}
    routes = {one["process"]: (one["given"], one["model"]) for one in told["routes"]}
    assert routes["gate"] == ("frontier", "xai/large")
    assert routes["merge"] == ("", "")
    lines = world("agent", "route").out.splitlines()
    assert "gate          cheap     xai/large (no cheap one is set)" in lines
    assert world.document("agent", "route", "frontier", "off")["classes"]["frontier"] == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["frontier"], "Say what it goes to"),
        (["frontier", "large"], "frontier goes to PROVIDER/MODEL"),
        (["frontier", "nobody/large"], "There is no provider nobody; there is anthropic"),
        (["gate", "mine/large"], "gate goes to frontier, fast, cheap, off"),
        (["everything", "off"], "there is frontier, fast, cheap, orchestrator"),
    ],
)
def test_what_cannot_be_meant_is_refused(world: Console, arguments: list[str], said: str) -> None:
    refused = world("agent", "route", *arguments)
    assert refused.status == WRONG_USAGE
    assert said in refused.err
