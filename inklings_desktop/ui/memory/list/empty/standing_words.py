"""What an agent reads before the first turn of a new workspace, in a line; pure functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.memory import Tier

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inklings_desktop.domain.entries.named_entry import NamedEntry


@dataclass(frozen=True, slots=True)
class StandingPart:
    """One built-in entry and how it stands.

    Attributes:
        entry_id: The entry.
        name: ``SOUL`` or ``VOICE``.
        words: How it stands.
        is_written: Whether an agent reads something of it.
    """

    entry_id: str
    name: str
    words: str
    is_written: bool


def standing_parts(entries: Iterable[NamedEntry]) -> tuple[StandingPart, ...]:
    """SOUL and VOICE, the account's first."""
    built_in = [one for one in entries if one.is_built_in]
    return tuple(
        StandingPart(one.id, one.name, _words(one), not one.is_template)
        for one in sorted(built_in, key=lambda one: one.tier is not Tier.ACCOUNT)
    )


def _words(entry: NamedEntry) -> str:
    if entry.is_template:
        return _tr("is an empty outline")
    if entry.tier is Tier.ACCOUNT:
        return _tr("carries over from your account")
    return _tr("is written")


def _tr(text: str) -> str:
    return QCoreApplication.translate("empty", text)
