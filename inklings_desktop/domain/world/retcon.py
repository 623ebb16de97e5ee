"""What a memory would say if it followed its page, where that is beyond doubt."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.words.text_diff import word_changes
from inklings_desktop.domain.world.folding import folded_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WORD = re.compile(r"\w+(?:['\u2019]\w+)*")
_AROUND = sorted(product(range(4), repeat=2), key=sum)
"""How many words before and after tell a changed word from the same word elsewhere."""


class _Change(NamedTuple):
    """Words in place of others, and the words around them that stayed."""

    before: Sequence[str]
    old: Sequence[str]
    after: Sequence[str]
    new: str


def updated_text(memory: str, base: str, now: str) -> str | None:
    """A memory with the words that changed in its page; None unless each has one place in it.

    Args:
        memory: What the memory says.
        base: What the page said when the memory was made.
        now: What the page says.
    """
    found: list[tuple[int, int, str]] = []
    for change in _changes(base, now):
        replaced = _replaced(change, base, memory)
        if replaced is None or any(
            replaced[0] < end and start < replaced[1] for start, end, _ in found
        ):
            return None
        found.append(replaced)
    text = memory
    for start, end, words in sorted(found, reverse=True):
        text = f"{text[:start]}{words}{text[end:]}"
    return text if found else None


def _changes(base: str, now: str) -> Iterator[_Change]:
    every = [
        (old, new)
        for old, new in word_changes(base, now)
        if folded_words(base[old]) != folded_words(now[new])
    ]
    for place, (old, new) in enumerate(every):
        begin = every[place - 1][0].stop if place else 0
        end = every[place + 1][0].start if place + 1 < len(every) else len(base)
        around = _WORD.findall(base[begin : old.start]), _WORD.findall(base[old.stop : end])
        yield _Change(around[0], _WORD.findall(base[old]), around[1], now[new].strip())


def _replaced(change: _Change, base: str, memory: str) -> tuple[int, int, str] | None:
    """Where the change belongs in a memory, and what comes there; None in doubt."""
    for n_before, n_after in _AROUND:
        if n_before > len(change.before) or n_after > len(change.after):
            continue
        if not (change.old or (n_before and n_after)):
            continue  # words come in between two others, or nobody knows where
        before = change.before[len(change.before) - n_before :]
        pattern = _pattern(before, change.old, change.after[:n_after])
        there = list(pattern.finditer(memory))
        if len(there) == 1 and len(pattern.findall(base)) == 1:
            return _put(change, there[0].span("old"), memory)
    return None


def _put(change: _Change, span: tuple[int, int], memory: str) -> tuple[int, int, str] | None:
    """What comes to this place of a memory, with its blank and its capital letter."""
    start, end = span
    if not change.old:
        return start, end, f" {change.new}"
    if not change.new:
        return start, end + len(memory[end:]) - len(memory[end:].lstrip()), ""
    is_loud, was_loud = memory[start].isupper(), change.old[0][0].isupper()
    if was_loud and not is_loud:
        return None  # a name, or a word that began a sentence
    capital = change.new[0].upper() if is_loud else change.new[0]
    return start, end, capital + change.new[1:]


def _pattern(before: Sequence[str], old: Sequence[str], after: Sequence[str]) -> re.Pattern[str]:
    """These words in a row, in any case and layout; those in the middle are the group ``old``."""
    head, core, tail = (r"\W+".join(map(re.escape, one)) for one in (before, old, after))
    gap = r"\W+" if head and core else ""
    last_gap = r"\W+" if tail and (core or head) else ""
    return re.compile(rf"(?<!\w){head}{gap}(?P<old>{core}){last_gap}{tail}(?!\w)", re.IGNORECASE)
