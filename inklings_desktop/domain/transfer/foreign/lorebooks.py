"""Lorebooks: SillyTavern's World Info, the book inside a character card, and NovelAI's.

Fields after SillyTavern's documentation of World Info and the published specification of character
cards (versions 2 and 3, with ``lorebook_v3``), and NovelAI's ``.lorebook`` files (1 to 6). A
lorebook is written by its author, so all of it is meant to stay; its title and keywords become
tags. How an entry is put into a prompt (order, position, depth, probability) has no place here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.transfer.foreign.found import Finds, Found, about, as_text
from inklings_desktop.domain.transfer.foreign.rows import Shape, take
from inklings_desktop.domain.transfer.foreign.source import objects_in, objects_of

if TYPE_CHECKING:
    from inklings_desktop.domain.transfer.foreign.source import SourceFile

_TAVERN = Shape(
    {
        "content": "content",
        "comment": "title",
        "name": "title",
        **dict.fromkeys(("key", "keys", "keysecondary", "secondary_keys"), "tags"),
        "constant": "always",
        "disable": "off",
        "enabled": "on",
    },
    keeps_rest=False,
)
_NOVEL = Shape(
    {
        "text": "content",
        "displayname": "title",
        "keys": "tags",
        "forceactivation": "always",
        "enabled": "on",
        "lastupdatedat": "edited_at",
    },
    keeps_rest=False,
)
_WORLD_OF_CARD = ("description", "personality", "scenario")
"""What a character card says of its character; the rest tells a model how to play it."""


def is_tavern(value: Any) -> bool:
    """Whether this is World Info, a character's book, or a card."""
    entries = objects_in(_book(value).get("entries"))
    is_book = any("content" in one and {"key", "keys"} & one.keys() for one in entries)
    return is_book or _card(value) is not None


def is_novel(value: Any) -> bool:
    """Whether this is a lorebook of NovelAI."""
    return isinstance(value, dict) and "lorebookVersion" in value and "entries" in value


def read_tavern(source: SourceFile, finds: Finds) -> None:
    """Take the entries of World Info, and what a card says of its character."""
    value = source.value_of(is_tavern)
    book, card = _book(value), _card(value)
    if value is not book and value is not card:
        finds.drop_rest(value, {"data"}, source.name)
    if card is not None:
        name = as_text(card.get("name"))
        for field, one in card.items():
            if field in _WORLD_OF_CARD and as_text(one):
                tags = tuple(filter(None, (name, field)))
                finds.add(Found(about([name], as_text(one)), 0, source.name, tags))
            elif field not in {"character_book", "name"} or (field == "name" and not name):
                finds.drop(f"card.{field}", one, source.name)
    finds.drop_rest(book, {"entries", "originalData"}, source.name)
    for entry in objects_of(finds, book.get("entries"), source.name):
        take(finds, _TAVERN, list(entry.items()), source.name)


def read_novel(source: SourceFile, finds: Finds) -> None:
    """Take the entries of a lorebook of NovelAI."""
    value = source.value_of(is_novel)
    finds.drop_rest(value, {"entries", "categories", "lorebookVersion"}, source.name)
    categories = {str(one.get("id")): one for one in objects_in(value.get("categories"))}
    for entry in objects_of(finds, value["entries"], source.name):
        category = categories.get(str(entry.get("category") or ""), {})
        row = [(field, one) for field, one in entry.items() if field not in {"id", "category"}]
        is_off = category.get("enabled") is False
        take(finds, _NOVEL, row, source.name, tag=as_text(category.get("name")), is_paused=is_off)


def _card(value: Any) -> dict[str, Any] | None:
    """What a character card says, of any version; None where this is none."""
    inside = value.get("data") if isinstance(value, dict) else None
    for one in (inside, value):
        if isinstance(one, dict) and isinstance(one.get("name"), str) and "entries" not in one:
            is_card = {"first_mes", "personality", "character_book"} & one.keys()
            if is_card and ("description" in one or "character_book" in one):
                return one
    return None


def _book(value: Any) -> dict[str, Any]:
    """The book of a file: itself, the one inside its ``data``, or that of a character card."""
    card = _card(value)
    if card is not None:
        book = card.get("character_book")
        return book if isinstance(book, dict) else {}
    inside = value.get("data") if isinstance(value, dict) else None
    if isinstance(inside, dict) and "entries" in inside:
        return inside
    return value if isinstance(value, dict) else {}
