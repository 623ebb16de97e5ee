from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from keyring.backends import fail, null

from inklings_desktop.acp_wire import words
from inklings_desktop.agent.providers.catalogue import BUILT_IN
from inklings_desktop.agent.providers.keys import SERVICE, Keys, KeyState, keeping, system_keyring
from inklings_desktop.agent_program import LocalWorkplace
from inklings_desktop.agent_settings import KEY_VARIABLES
from inklings_desktop.domain.errors import AgentError

KEY = "sk-or-needle-7f3a91"


class Ring:
    """A keyring that keeps a secret, unless it is locked."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.is_locked = False

    def get_password(self, service: str, user: str) -> str | None:
        self._open()
        return self.kept.get((service, user))

    def set_password(self, service: str, user: str, secret: str) -> None:
        self._open()
        self.kept[service, user] = secret

    def delete_password(self, service: str, user: str) -> None:
        self._open()
        del self.kept[service, user]

    def _open(self) -> None:
        if self.is_locked:
            raise RuntimeError


class PlaintextKeyring(Ring):
    """One that keeps it for everybody to read."""


def test_a_key_is_kept_in_the_keyring() -> None:
    ring = Ring()
    keys = Keys(lambda: ring, {})
    assert keys.set("openrouter", f" {KEY}\n") == KeyState("keyring", "3a91")
    assert ring.kept == {(SERVICE, "openrouter"): KEY}
    assert keys.find("openrouter") == KEY
    assert Keys(lambda: ring, {}).find("openrouter") == KEY
    keys.forget("openrouter")
    assert (ring.kept, keys.describe("openrouter")) == ({}, KeyState("nowhere"))


def test_without_a_keyring_it_is_kept_for_this_process_and_said() -> None:
    keys = Keys(lambda: None, {})
    assert not keys.is_lasting
    assert keys.set("xai", KEY) == KeyState("process", "3a91")
    assert keys.find("xai") == KEY
    assert Keys(lambda: None, {}).find("xai") == ""
    keys.forget("xai")
    assert keys.describe("xai") == KeyState("nowhere")


def test_a_keyring_that_is_locked_is_none() -> None:
    ring = Ring()
    keys = Keys(lambda: ring, {})
    ring.is_locked = True
    assert keys.set("xai", KEY) == KeyState("process", "3a91")
    assert keys.find("xai") == KEY


def test_the_environment_comes_last() -> None:
    keys = Keys(lambda: None, {"XAI_API_KEY": "from-the-environment"})
    assert keys.describe("xai", "XAI_API_KEY") == KeyState("environment", "ment")
    keys.set("xai", KEY)
    assert keys.find("xai", "XAI_API_KEY") == KEY


def test_the_environment_of_a_memory_server_holds_no_key(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert set(KEY_VARIABLES) == {one.variable for one in BUILT_IN} - {""}
    for name in KEY_VARIABLES:
        monkeypatch.setenv(name, KEY)
    monkeypatch.setenv("LANG", "C.UTF-8")
    given = dict(LocalWorkplace(tmp_path, None).memory_command().environment)
    assert given["LANG"] == "C.UTF-8"
    assert KEY not in given.values()


def test_a_short_key_shows_nothing() -> None:
    assert Keys(lambda: None, {}).set("xai", "sk-12345") == KeyState("process")


@pytest.mark.parametrize("key", ["", "  ", "two words", "sk\r\nX-Evil: 1", "schlüssel", "sk\0"])
def test_what_can_be_no_key_is_refused(key: str) -> None:
    ring = Ring()
    with pytest.raises(AgentError) as caught:
        Keys(lambda: ring, {}).set("xai", key)
    assert caught.value.word == words.INVALID_VALUE
    assert ring.kept == {}


@pytest.mark.parametrize("kind", [fail.Keyring, null.Keyring, PlaintextKeyring])
def test_a_keyring_that_keeps_no_secret_is_refused(kind: Any) -> None:
    ring = kind()
    assert keeping(ring) is None
    assert keeping(SimpleNamespace(backends=[ring, good := Ring()])) is good


def test_a_keyring_without_a_desktop_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    import keyring

    monkeypatch.setattr(keyring, "get_keyring", fail.Keyring)
    assert system_keyring() is None
    assert Keys(environ={}).set("xai", KEY).where == "process"
