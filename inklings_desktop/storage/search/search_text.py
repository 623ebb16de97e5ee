"""Text as the full-text index holds it, and a query as it is asked.

Both sides are normalised here and nowhere else: folded by the domain's rule, and scripts that are
written without spaces cut into pairs of characters, because the tokenizer would take a whole
sentence of them for one word. Nothing a person types reaches the index unquoted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.words.phrases import phrase_runs
from inklings_desktop.domain.words.query_text import MAX_TERMS, folded, is_cjk, with_joined_forms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inklings_desktop.domain.words.query_text import KeywordQuery

CONTEXT_CHARACTERS = 1_000
"""Most characters that each neighbour lends to a memory's context."""


def indexed_text(text: str) -> str:
    """A memory's text in the form in which the index holds it."""
    tidy = with_joined_forms(folded(text))
    if tidy.isascii():
        return tidy
    return "".join(
        f" {' '.join((*_pairs(run), *run))} " if is_spaceless else run
        for run, is_spaceless in _runs(tidy)
    )


def indexed_subject(tags: Iterable[str]) -> str:
    """The tags as the index's subject column."""
    return " ".join(indexed_text(tag) for tag in tags)


def indexed_context(before: str | None, after: str | None, origin: Iterable[str]) -> str:
    """What stands around a memory, as the index's context column.

    Args:
        before: Its nearest neighbour's text; the end of it is lent.
        after: The same; the start of it is lent.
        origin: Names by which one may ask where the memory comes from.
    """
    parts = []
    if before:
        parts.append(indexed_text(before[-CONTEXT_CHARACTERS:]))
    if after:
        parts.append(indexed_text(after[:CONTEXT_CHARACTERS]))
    return "\n".join((*parts, *map(indexed_text, origin)))


def match_expression(query: KeywordQuery) -> str | None:
    """The query in the index's own language, or None when nothing can be looked for."""
    return joined_by_or(match_terms(query)) or None


def joined_by_or(terms: Iterable[str]) -> str:
    """Terms in the index's own language as one expression."""
    return " OR ".join(terms)


def match_terms(query: KeywordQuery) -> tuple[str, ...]:
    """The terms of a query in the index's own language; none when nothing can be looked for."""
    return tuple(
        f"{_quoted(text)} *" if is_open else _quoted(text) for text, is_open in terms_of(query)
    )


def terms_of(query: KeywordQuery) -> tuple[tuple[str, bool], ...]:
    """The terms of a query, folded, and which of them may be unfinished.

    Adjacent words count once more as a phrase; the open last word also as a prefix.
    """
    terms = [(text, False) for text in list(dict.fromkeys(_terms(query.words)))[:MAX_TERMS]]
    terms += [
        (f"{first} {second}", False)
        for first, second in query.phrases[:MAX_TERMS]
        if not any(map(is_cjk, first + second))
    ]
    if query.prefix and not any(map(is_cjk, query.prefix)):
        opening = _legal(query.prefix)
        if opening:
            terms.append((opening, True))
    return tuple(terms)


def phrase_expression(phrases: Iterable[str]) -> str:
    """Phrases in the index's own language, all of them to be said in a text or in its tags.

    Context is left out: it stands around a memory, and is no part of what it says.

    Args:
        phrases: Each with at least one word, and one of them at least.
    """
    runs = [run for phrase in phrases for run in phrase_runs(phrase)]
    terms = [
        _quoted(" ".join(_pairs(text)) if is_spaceless and len(text) > 1 else _legal(text))
        for text, is_spaceless in runs
    ]
    return f"{{body subject}} : ({' AND '.join(dict.fromkeys(terms))})"


def _terms(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        for run, is_spaceless in _runs(_legal(word)):
            if not is_spaceless or len(run) == 1:
                yield run
            else:
                yield from _pairs(run)


def _legal(text: str) -> str:
    return folded(text).strip()


def _quoted(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    """The text cut where a script without spaces begins or ends."""
    if text and text.isascii():
        yield text, False
        return
    start = 0
    for position in range(1, len(text) + 1):
        if position == len(text) or is_cjk(text[position]) != is_cjk(text[start]):
            yield text[start:position], is_cjk(text[start])
            start = position
