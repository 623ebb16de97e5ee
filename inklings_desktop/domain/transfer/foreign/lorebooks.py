"""Lorebooks: SillyTavern's World Info, the book inside a character card, and NovelAI's.

Fields after SillyTavern's documentation of World Info and the published specification of character
cards (versions 2 and 3), and NovelAI's ``.lorebook`` files of versions 1 to 6. A lorebook is
written by its author, so all of it is meant to stay; its title and keywords become tags. How an
entry is put into a prompt (order, position, depth, probability) has no place here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.memory import DEFAULT_IMPORTANCE
from inklings_desktop.domain.transfer.foreign.found import (
    IMPORTANCE_OF_A_RULE,
    Finds,
    Found,
    LeftOut,
)
from inklings_desktop.domain.transfer.foreign.json_shapes import fits, objects_in, texts_in
from inklings_desktop.domain.transfer.foreign.source import time_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inklings_desktop.domain.transfer.foreign.source import SourceFile

_TAVERN_PLACED = {"content", "comment", "name", "key", "keys", "keysecondary", "secondary_keys"}
_TAVERN_PLACED |= {"constant", "disable", "enabled", "uid", "id"}
_NOVEL_PLACED = {"text", "displayName", "keys", "enabled", "forceActivation", "category", "id"}
_NOVEL_PLACED |= {"lastUpdatedAt"}


def is_tavern(value: Any) -> bool:
    """Whether this is World Info, a character's book, or a card with one in it."""
    entries = objects_in(_book(value).get("entries"))
    return any("content" in one and {"key", "keys"} & one.keys() for one in entries)


def is_novel(value: Any) -> bool:
    """Whether this is a lorebook of NovelAI."""
    return isinstance(value, dict) and "lorebookVersion" in value and "entries" in value


def read_tavern(source: SourceFile, finds: Finds) -> None:
    """Take the entries of World Info.

    Raises:
        ImportRefusedError: The file is none.
    """
    value = source.value()
    fits(is_tavern(value))
    book = _book(value)
    if book is not value:
        card = value.get("data")
        finds.drop(f"card.{one}" for one in (card if isinstance(card, dict) else {}))
        finds.unknown.discard("card.character_book")
    finds.drop(set(book) - {"entries", "name", "originalData"})
    for entry in objects_in(book["entries"]):
        finds.drop(set(entry) - _TAVERN_PLACED)
        title = entry.get("comment") or entry.get("name")
        keys = [*texts_in(entry.get("key", entry.get("keys")))]
        keys += texts_in(entry.get("keysecondary", entry.get("secondary_keys")))
        is_off = entry.get("disable") is True or entry.get("enabled") is False
        _take(
            finds,
            source,
            entry.get("content"),
            (title, *keys),
            entry.get("constant"),
            is_off=is_off,
        )


def read_novel(source: SourceFile, finds: Finds) -> None:
    """Take the entries of a lorebook of NovelAI.

    Raises:
        ImportRefusedError: The file is none.
    """
    value = source.value()
    fits(is_novel(value))
    finds.drop(set(value) - {"entries", "categories", "lorebookVersion"})
    named, off = {}, set()
    for one in objects_in(value.get("categories")):
        named[str(one.get("id"))] = one.get("name")
        if one.get("enabled") is False:
            off.add(str(one.get("id")))
    for entry in objects_in(value["entries"]):
        finds.drop(set(entry) - _NOVEL_PLACED)
        category = str(entry.get("category") or "")
        words = (entry.get("displayName"), named.get(category), *texts_in(entry.get("keys")))
        is_off = entry.get("enabled") is False or category in off
        _take(
            finds,
            source,
            entry.get("text"),
            words,
            entry.get("forceActivation"),
            is_off=is_off,
            changed_at=entry.get("lastUpdatedAt"),
        )


def _book(value: Any) -> dict[str, Any]:
    """The book of a file: itself, or the one inside a character card."""
    if not isinstance(value, dict):
        return {}
    card = value.get("data")
    inside = (card if isinstance(card, dict) else value).get("character_book")
    return inside if isinstance(inside, dict) else value


def _take(
    finds: Finds,
    source: SourceFile,
    content: object,
    words: Iterable[object],
    always: object,
    *,
    is_off: bool,
    changed_at: object = None,
) -> None:
    if not isinstance(content, str) or not content.strip():
        finds.leave(LeftOut.EMPTY)
        return
    tags = tuple(one for one in words if isinstance(one, str))
    importance = IMPORTANCE_OF_A_RULE if always is True else DEFAULT_IMPORTANCE
    at = time_in(changed_at)
    finds.add(
        Found(
            content,
            file=source.name,
            tags=tags,
            importance=importance,
            created_at=at,
            edited_at=at,
            is_paused=is_off,
        )
    )
