"""What a person typed into a search field, as terms to look for.

Any text is legal. The terms are joined by OR, never by AND: measured on public questions, AND
finds almost nothing. Adjacent content words also count as a phrase.
Source: the retrieval recipe of the evaluation notes.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

MAX_TERMS = 32
MAX_QUERY_CHARACTERS = 2_000
STEM_MIN_CHARACTERS = 4

STOP_WORDS = frozenset(
    [
        "a",
        "about",
        "am",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "being",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "doing",
        "for",
        "from",
        "had",
        "has",
        "have",
        "having",
        "he",
        "her",
        "here",
        "hers",
        "him",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "just",
        "me",
        "my",
        "of",
        "on",
        "or",
        "our",
        "ours",
        "she",
        "should",
        "so",
        "some",
        "than",
        "that",
        "the",
        "their",
        "theirs",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "to",
        "too",
        "us",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "while",
        "who",
        "whom",
        "whose",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
        "yours",
    ]
)

_ZERO_WIDTH = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"))
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_SUFFIXES = ("ingly", "edly", "ing", "ies", "ied", "es", "ed", "ly", "s", "e", "y")


class SearchMode(StrEnum):
    """By words and meaning, or by words alone."""

    HYBRID = "hybrid"
    KEYWORD = "keyword"


@dataclass(frozen=True, slots=True)
class KeywordQuery:
    """A query for the full-text index.

    Attributes:
        words: Content words as typed, in order, folded; all words when every one is a stop word.
        phrases: Pairs of words that stood side by side.
        prefix: The last word when it may still be unfinished, else None.
    """

    words: tuple[str, ...]
    phrases: tuple[tuple[str, str], ...] = ()
    prefix: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing searchable was typed."""
        return not self.words


def keyword_query(text: str, *, last_word_is_open: bool = False) -> KeywordQuery:
    """The terms of any text a person or agent may type.

    Args:
        text: Anything; NUL, lone surrogates and what lies beyond 2,000 characters are dropped.
        last_word_is_open: Also look for words that begin with the last one (search as you type).
    """
    tidy = folded(text[:MAX_QUERY_CHARACTERS])
    words = words_of(tidy)[:MAX_TERMS]
    content = [word for word in words if word not in STOP_WORDS] or words
    content = list(dict.fromkeys(content))
    kept = set(content)
    phrases = tuple(
        (first, second)
        for first, second in itertools.pairwise(words)
        if first in kept and second in kept
    )
    is_open = last_word_is_open and bool(words) and not tidy[-1:].isspace()
    return KeywordQuery(tuple(content), phrases, words[-1] if is_open else None)


def folded(text: str) -> str:
    """Text as it is compared: NFKC, case folded, without zero-width characters or surrogates."""
    legal = text.encode("utf-8", "ignore").decode("utf-8").replace("\x00", " ")
    return unicodedata.normalize("NFKC", legal).translate(_ZERO_WIDTH).casefold()


def words_of(text: str) -> list[str]:
    """Words and lone symbols (emoji) of folded text, in order."""
    words: list[str] = []
    position = 0
    for match in _WORD.finditer(text):
        words.extend(_symbols(text[position : match.start()]))
        words.append(match.group())
        position = match.end()
    words.extend(_symbols(text[position:]))
    return words


def match_spans(text: str, query: KeywordQuery) -> tuple[tuple[int, int], ...]:
    """Where a query's words stand in a text, for marking them; (start, length) in order.

    Inflected forms match as the index's stemmer would take them, approximately: it marks, it
    does not decide what is found.
    """
    stems = {_stem(_bare(word)) for word in query.words}
    prefix = _bare(query.prefix) if query.prefix else None
    spans = []
    for match in _WORD.finditer(text):
        word = _bare(folded(match.group()))
        if _stem(word) in stems or (prefix and word.startswith(prefix)):
            spans.append((match.start(), match.end() - match.start()))
        elif _has_no_spaces(word):
            spans.extend(_inner_spans(match.group(), match.start(), query.words))
    for symbol in query.words:
        if not _WORD.match(symbol):
            spans.extend(_inner_spans(text, 0, (symbol,)))
    return tuple(sorted(set(spans)))


def _inner_spans(text: str, offset: int, words: tuple[str, ...]) -> list[tuple[int, int]]:
    lowered = text.casefold()
    if len(lowered) != len(text):
        return []
    return [
        (offset + found.start(), len(word))
        for word in words
        for found in re.finditer(re.escape(word), lowered)
    ]


def _symbols(text: str) -> list[str]:
    return [c for c in text if unicodedata.category(c) == "So"]


def _bare(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def _stem(word: str) -> str:
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= STEM_MIN_CHARACTERS - 1:
            return word[: -len(suffix)]
    return word


def _has_no_spaces(word: str) -> bool:
    return any(is_cjk(character) for character in word)


def is_cjk(character: str) -> bool:
    """Whether a character belongs to a script written without spaces between words."""
    return (
        "\u3040" <= character <= "\u30ff"
        or "\u3400" <= character <= "\u4dbf"
        or "\u4e00" <= character <= "\u9fff"
        or "\uac00" <= character <= "\ud7af"
        or "\uf900" <= character <= "\ufaff"
        or "\U00020000" <= character <= "\U0003fffd"
        or "\u0e00" <= character <= "\u0e7f"
    )
