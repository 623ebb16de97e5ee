"""Text that somebody once wrote down, as a model is shown it: between marks, masked, and short.

The tag of the marks is new in every turn, so no text can hold the end of its own quotation.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from inklings_desktop.domain.access.secrets import secrets_in
from inklings_desktop.domain.entries.named_entry import CHARACTERS_PER_TOKEN

RESULT_TOKENS = 1_000
"""Of one tool's answer, as a model is shown it."""
MASK = "[looks like a key or a password: not shown]"
_CUT = " […] "
_LISTS = (
    "hits", "memories", "notes", "entries", "conversations", "proposals", "links",
    "linked_from", "passages", "blocks", "pages", "headings", "changes", "retcons",
)  # fmt: skip
_NO_USE = frozenset({
    "note", "mode", "relevance", "scope", "source", "written_by", "accessed_at", "importance",
    "locked", "also",
})  # fmt: skip
"""Fields of an answer that say nothing to a model that its rules or the others do not say."""


def framed(mark: str, kind: str, text: str) -> str:
    """A text between marks.

    Args:
        mark: The tag of the turn.
        kind: What it is, in one word.
    """
    return f"[[{mark} {kind}]]\n{text.strip()}\n[[/{mark}]]"


@lru_cache(maxsize=128)
def masked(text: str) -> str:
    """A text without the lines that look like keys; what is spread over lines goes whole.

    Turn after turn is sent much the same, and to look for keys takes a millisecond for a page.
    """
    if not secrets_in(text):
        return text
    shown = "\n".join(MASK if secrets_in(line) else line for line in text.split("\n"))
    return MASK if secrets_in(shown) else shown


def told_result(outcome: Mapping[str, Any], tokens: int = RESULT_TOKENS) -> str:
    """An answer of a tool as a model is shown it: masked, its lists cut, long texts in part."""
    room = tokens * CHARACTERS_PER_TOKEN
    kept = _shown(outcome)
    text = _text(kept)
    for key in _LISTS:
        one = kept.get(key)
        left = 0
        while isinstance(one, list) and len(one) > 1 and len(text) > room:
            one, left = one[:-1], left + 1
            kept |= {key: one, "left_out": left}
            text = _text(kept)
    return text if len(text) <= room else head_and_tail(text, room)


def head_and_tail(text: str, room: int) -> str:
    """A text of at most so many characters: its beginning and its end."""
    if len(text) <= room:
        return text
    tail = (room - len(_CUT)) // 4
    return text[: room - len(_CUT) - tail] + _CUT + text[len(text) - tail :]


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, Mapping):
        return {key: _shown(one) for key, one in value.items() if _is_of_use(key, one)}
    if isinstance(value, Sequence):
        return [_without_empty(_shown(one)) for one in value]
    return value


def _without_empty(one: Any) -> Any:
    """One of a list without what it has nothing to say about."""
    if not isinstance(one, dict):
        return one
    return {key: each for key, each in one.items() if each not in ("", [], {}, None, False)}


def _is_of_use(key: str, value: Any) -> bool:
    return key not in _NO_USE or isinstance(value, Mapping)  # a working note is no remark


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
