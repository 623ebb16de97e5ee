"""What to say of a text that looks like a key or a password; it is never changed for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.access.secrets import SecretKind, secrets_in

if TYPE_CHECKING:
    from collections.abc import Sequence


def secret_names(kinds: Sequence[SecretKind]) -> str:
    """Kinds of secrets in words: ``an API key, a password``."""
    words = {
        SecretKind.PRIVATE_KEY: _tr("a private key"),
        SecretKind.ACCESS_TOKEN: _tr("an access token"),
        SecretKind.API_KEY: _tr("an API key"),
        SecretKind.PASSWORD: _tr("a password"),
    }
    return ", ".join(words[kind] for kind in kinds)


def author_caution(text: str) -> str:
    """What the author should know of a text just saved; empty for ordinary prose.

    Takes a tenth of a second for the longest texts: call it off the UI thread.
    """
    kinds = secrets_in(text)
    if not kinds:
        return ""
    return _tr(
        "Saved as you typed it. It looks like {kinds}: every agent that may read here reads it."
    ).format(kinds=secret_names(kinds))


def _tr(text: str) -> str:
    return QCoreApplication.translate("secrets", text)
