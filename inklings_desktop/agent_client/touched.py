"""The memories that a turn touched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.acp_wire.shapes import line_of, list_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAX_EXCERPT: Final = 250
MAX_TOUCHED: Final = 500
READ: Final = "read"


@dataclass(frozen=True, slots=True)
class Touched:
    """A memory that a turn read or changed.

    Attributes:
        id: The memory's, whole.
        tier: Its tier's word.
        scope: Its scope, as the agent's door tells it.
        version: Which body of it; as told, None for unknown.
        how: ``read``, ``written``, ``forgotten``, ``proposed`` or ``restored``; or another word.
        undo: Whether the turn's change of it can be undone.
        excerpt: Its beginning, at most 250 characters.
        why: Why it was found; empty for not told.
        undone: Whether the turn's change of it was undone.
    """

    id: str
    tier: str
    scope: str = ""
    version: str | int | None = None
    how: str = READ
    undo: bool = False
    excerpt: str = ""
    why: str = ""
    undone: bool = False


def touched_of(told: object) -> tuple[Touched, ...]:
    """What an update lists as touched; what has no id is left out."""
    found = (_one(item) for item in list_of(told)[:MAX_TOUCHED] if isinstance(item, dict))
    return tuple(item for item in found if item.id)


def union(so_far: Iterable[Touched], more: Iterable[Touched]) -> tuple[Touched, ...]:
    """Both, each memory once per way of touching it; the later word about it counts."""
    by_key = {(item.tier, item.id, item.how): item for item in so_far}
    by_key.update(((item.tier, item.id, item.how), item) for item in more)
    return tuple(by_key.values())[:MAX_TOUCHED]


def _one(item: Mapping[str, Any]) -> Touched:
    version = item.get("version")
    return Touched(
        line_of(item.get("id"), 100),
        line_of(item.get("tier"), 40),
        line_of(item.get("scope"), 200),
        version if isinstance(version, str | int) else None,
        line_of(item.get("how"), 40) or READ,
        item.get("undo") is True,
        text_of(item.get("excerpt"), MAX_EXCERPT),
        text_of(item.get("why"), MAX_EXCERPT),
    )
