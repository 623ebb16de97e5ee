"""Tokens of clients: kept, each its own, and nobody else's."""

from __future__ import annotations

from pathlib import Path

import pytest

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.storage.outside.client_tokens import CLIENT_TOKENS_FOLDER, FolderClientTokens

CLIENTS = ("loom", "Loom", "löom", "../loom", "織機", ".")


def test_each_client_keeps_its_own_token(tmp_path: Path) -> None:
    given = {client: FolderClientTokens(tmp_path).get(client) for client in CLIENTS}
    assert len(set(given.values())) == len(CLIENTS)
    again = FolderClientTokens(tmp_path)
    assert {client: again.get(client) for client in CLIENTS} == given
    assert [again.client_of(token) for token in given.values()] == list(CLIENTS)
    assert all(token.isascii() and len(token) > 43 for token in given.values())


def test_only_the_newest_token_is_good(tmp_path: Path) -> None:
    tokens = FolderClientTokens(tmp_path)
    first, other = tokens.get("loom"), tokens.get("stranger")
    second = tokens.renew("loom")
    assert [tokens.client_of(one) for one in (first, second)] == [None, "loom"]
    assert tokens.remove("loom")
    assert not tokens.remove("loom")
    assert tokens.client_of(second) is None
    assert tokens.client_of(other) == "stranger"
    assert tokens.get("loom") not in {first, second}


def test_what_was_never_given_is_nobodys(tmp_path: Path) -> None:
    tokens = FolderClientTokens(tmp_path)
    token = tokens.get("loom")
    name, _, secret = token.partition(".")
    other = tokens.get("stranger").partition(".")[0]
    (tmp_path / "outside").write_text(f'{{"client": "loom", "token": "{token}"}}', encoding="utf-8")
    guesses = (
        "",
        ".",
        name,
        f"{name}.",
        token[:-1],
        f"{token}x",
        token.upper(),
        f"{other}.{secret}",
    )
    strange = ("../outside.x", f"{'0' * 16}.{secret}", f"{name}\0.{secret}", "ä" * 20, "guess")
    assert {tokens.client_of(one) for one in (*guesses, *strange)} == {None}
    assert tokens.client_of(token) == "loom"


def test_only_the_owner_can_read_a_token(tmp_path: Path) -> None:
    FolderClientTokens(tmp_path).get("loom")
    folder = tmp_path / CLIENT_TOKENS_FOLDER
    (file,) = folder.iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", [b"", b"no json", b"[]", b'{"client": "loom"}', b"\xff"])
def test_a_damaged_file_lets_nobody_in_and_is_made_anew(tmp_path: Path, content: bytes) -> None:
    tokens = FolderClientTokens(tmp_path)
    token = tokens.get("loom")
    (file,) = (tmp_path / CLIENT_TOKENS_FOLDER).iterdir()
    file.write_bytes(content)
    assert tokens.client_of(token) is None
    fresh = tokens.get("loom")
    assert (fresh != token, tokens.client_of(fresh)) == (True, "loom")


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / CLIENT_TOKENS_FOLDER).write_bytes(b"a file in the place of the folder")
    tokens = FolderClientTokens(tmp_path)
    with pytest.raises(StorageError):
        tokens.get("loom")
    assert tokens.client_of(f"{'0' * 16}.secret") is None
