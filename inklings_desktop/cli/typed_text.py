"""Text that a person types elsewhere: on standard input or in an editor."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.cli.messages import refused, wrong_usage
from inklings_desktop.domain.access.secrets import SecretKind, secrets_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO

STDIN = "-"
UTF_8 = "utf-8-sig"
"""As programs write it: some put a mark before a text that is no part of it."""
MOST_BYTES = 4 * 1024 * 1024
"""Far more than any text may have; how much is too much is for its use case to say."""
_SECRETS = {
    SecretKind.PRIVATE_KEY: "a private key",
    SecretKind.ACCESS_TOKEN: "an access token",
    SecretKind.API_KEY: "an API key",
    SecretKind.PASSWORD: "a password",
    SecretKind.CARD_NUMBER: "the number of a payment card",
    SecretKind.BANK_ACCOUNT: "the number of a bank account",
}
_EDITORS = ("sensible-editor", "nano", "vi", "notepad")


def secret_notes(*texts: str) -> list[str]:
    """What to know of texts just stored that look like a key or a password; kept as typed."""
    names = ", ".join(_SECRETS[kind] for kind in secrets_in(*texts))
    if not names:
        return []
    return [f"Kept as typed, but it looks like {names}: agents that may read it will."]


def secret_reasons(kinds: Sequence[SecretKind]) -> list[str]:
    """Why a proposal waits, where that is because of what its text looks like."""
    names = ", ".join(_SECRETS[kind] for kind in kinds)
    return [f"Careful: it looks like {names}, and waits for you because of that."] * bool(names)


def given_text(argument: str) -> str:
    """The argument, or standard input for ``-``, without the line feed a shell adds."""
    if argument != STDIN:
        return argument
    try:
        text = _bounded(sys.stdin.buffer).decode(UTF_8)
    except UnicodeDecodeError:
        raise refused(
            "encoding", "Standard input is not UTF-8 text. Nothing was changed."
        ) from None
    return text.removesuffix("\n").removesuffix("\r")


def file_text(source: str) -> str:
    """All of a file, or of standard input for ``-``, exactly as it is."""
    if source == STDIN:
        data = _bounded(sys.stdin.buffer)
    else:
        with Path(source).open("rb") as file:
            data = _bounded(file)
    try:
        return data.decode(UTF_8)
    except UnicodeDecodeError:
        raise refused("encoding", "The text is not UTF-8. Nothing was changed.") from None


def _bounded(source: BinaryIO) -> bytes:
    """All of a source that ends; a device or another program may write for ever."""
    data = source.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise refused(
            "too_long", "The text is longer than anything here can be. Nothing was changed."
        )
    return data


def new_draft(text: str) -> Path:
    """A private file that holds the text while it is edited."""
    handle, name = tempfile.mkstemp(prefix="inklings-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return Path(name)


def edited(draft: Path, before: str) -> str:
    """What the draft holds after the person's editor has closed.

    Editors end a file with a line feed; one that was not there before is taken off again.
    """
    try:
        status = subprocess.run([*_editor(), str(draft)], check=False).returncode  # noqa: S603 the person's own choice
    except OSError as error:
        raise refused(
            "editor", f"The editor cannot be started: {error.strerror}. Nothing was changed."
        ) from None
    if status:
        raise refused("editor", f"The editor ended with status {status}. Nothing was changed.")
    try:
        text = draft.read_bytes().decode(UTF_8)
    except UnicodeDecodeError:
        raise refused("encoding", "The edited text is not UTF-8. Nothing was changed.") from None
    except FileNotFoundError:
        raise refused("editor", "The editor removed the text. Nothing was changed.") from None
    return text if before.endswith("\n") else text.removesuffix("\n")


def _editor() -> list[str]:
    """The command of the person's editor."""
    chosen = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if chosen:
        try:
            return shlex.split(chosen, posix=os.name != "nt")
        except ValueError:
            raise wrong_usage("$EDITOR is no command. Nothing was changed.") from None
    found = next(filter(None, map(shutil.which, _EDITORS)), None)
    if found is None or not sys.stdin.isatty():
        raise wrong_usage(
            "Say what to change, for example with --content, or set $EDITOR to edit the text."
        )
    return [found]
