"""What a person typed into a search field, as terms to look for, by the language of a question.

Any text is legal. The terms are joined by OR, never by AND: measured on public questions, AND
finds almost nothing. Adjacent content words also count as a phrase.
Source: the retrieval recipe of the evaluation notes.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from enum import StrEnum
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.function_words import BY_LANGUAGE, STOP_WORDS
from inklings_desktop.domain.words.letters import (
    APOSTROPHES,
    LETTERS,
    in_one,
    in_parts,
    signs_apart,
    umlaut_forms,
)
from inklings_desktop.domain.words.stemming import stem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_LANGUAGES = ("de", "fr", "es", "pt", "it", "ru")
_ENGLISH_TOO = (
    "a al also art as au aux bald bin che chi com come comment como con cosa da dans das de del "
    "dem den der des di die do dos dove du e ein el elle em er era es est esta este eu fast foi "
    "gift ha han hat i im io la las le lei les lo los ma mais man me mit most na no non nos o on "
    "os par para per plus por pour rot sale sans se sem si sin son sous su sur tem ton tra um un "
    "una van vom von war y yo"
)
"""Words of other languages that are English, or parts of names in an English text (Los Angeles,
Des Moines, van der Berg): one alone says nothing of the language a question is in."""


def stop_words_for(words: Sequence[str], bare: Callable[[str], str]) -> frozenset[str]:
    """The words that say nothing in a question, as ``bare`` writes them.

    Args:
        words: Of the question, folded.
        bare: Takes away the accents that a person may leave out.

    Returns:
        Those of English, and those of another language that the question is in; of several where
        it may be in each.
    """
    plain = {bare(word) for word in words}
    most, meant = 1, list[frozenset[str]]()
    for known in _lists(bare):
        # What English and the other language both say, as "in", speaks for neither.
        n_english = len((plain & STOP_WORDS) - known)
        found = (plain & known) - STOP_WORDS
        weight = 2 * len(found) - len(found & _english_too())
        if weight > max(1, 4 * n_english) and weight >= most:
            meant = [*(meant if weight == most else ()), known]
            most = weight
    return STOP_WORDS.union(*meant)


@functools.cache
def _lists(bare: Callable[[str], str]) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(bare, BY_LANGUAGE[code])) for code in _LANGUAGES)


@functools.cache
def _english_too() -> frozenset[str]:
    return frozenset(_ENGLISH_TOO.split())


MAX_TERMS = 32
MAX_QUERY_CHARACTERS = 2_000

# Joiners, marks of direction and presentation, soft hyphens and the strokes that stretch an Arabic
# word shape it and are no part of it.
_ZERO_WIDTH = dict.fromkeys(
    [
        *map(ord, "\u00ad\u061c\u0640\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"),
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
        *range(0xFE00, 0xFE10),
    ]
)
_AT_FIRST = {
    **_ZERO_WIDTH,
    **dict.fromkeys(map(ord, "\u00a9\u00ae\u2120\u2122"), " "),  # signs of ownership
    0x20E3: " ",  # what makes a digit a key
    **dict.fromkeys(map(ord, APOSTROPHES), "'"),
}
_LETTERS = re.compile(r"[^\W_]+")
_GROUPED = re.compile(r"\d[.,'\s]\d\d\d")
_SHORT_FORMS = frozenset(["d", "ll", "m", "re", "ve"])
# Unicode's combining classes: vowel points of Hebrew, Arabic and Syriac, and what stands above or
# below a letter. Signs that make another syllable (kana, Indic, Thai) have other classes.
_POINTS = range(10, 37)
_FIRST_ACCENT = 200


class SearchMode(StrEnum):
    """By words and meaning, or by words alone."""

    HYBRID = "hybrid"
    KEYWORD = "keyword"


@dataclass(frozen=True, slots=True)
class KeywordQuery:
    """A query for the full-text index.

    Attributes:
        words: Content words in order, each once, folded, without a possessive ending; all words
            when every one is a stop word.
        phrases: Pairs of content words that stood side by side, as typed.
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
    """The terms of any text a person or agent may type; at most 32 words and as many pairs.

    Args:
        text: Anything; NUL, lone surrogates and what lies beyond 2,000 characters are dropped.
        last_word_is_open: Also look for words that begin with the last one (search as you type).
    """
    tidy = folded(text[:MAX_QUERY_CHARACTERS])
    typed = words_of(tidy)
    words = [_without_short_form(word) for word in typed]
    silent = stop_words_for(words, bare)
    content = [word for word in words if bare(word) not in silent] or typed
    kept = tuple(dict.fromkeys(content))[:MAX_TERMS]
    otherwise = [*_joined_forms(tidy), *(form for word in kept for form in umlaut_forms(word))]
    phrases = dict.fromkeys(
        (first, second)
        for (first, one), (second, two) in itertools.pairwise(zip(typed, words, strict=True))
        if one in kept and two in kept
    )
    is_open = last_word_is_open and bool(words) and not tidy[-1:].isspace()
    is_whole = len(text) <= MAX_QUERY_CHARACTERS
    return KeywordQuery(
        tuple(dict.fromkeys([*kept, *otherwise]))[:MAX_TERMS],
        tuple(phrases)[:MAX_TERMS],
        words[-1] if is_open and is_whole else None,
    )


def folded(text: str) -> str:
    """Text as it is compared and indexed; folding it again changes nothing.

    NFKC, case folded, one letter for those that stand for one another, symbols as words of their
    own, without surrogates and zero-width characters, and without accents and vowel points that
    stand beside their letter.
    """
    legal = text.encode("utf-8", "ignore").decode("utf-8").replace("\x00", " ")
    if legal.isascii():
        return legal.lower()
    tidy = unicodedata.normalize("NFKC", signs_apart(legal.translate(_AT_FIRST))).casefold()
    plain = unicodedata.normalize("NFKC", _without_accents(signs_apart(tidy)))
    return plain.translate(LETTERS)


def with_joined_forms(tidy: str) -> str:
    """Folded text as the index holds it: behind it what may be written in one as well."""
    forms = " ".join(_joined_forms(tidy))
    return f"{tidy}\n{forms}" if forms else tidy


def words_of(text: str) -> list[str]:
    """Words and lone symbols (emoji) of folded text, in order."""
    words: list[str] = []
    position = 0
    for start, end in _word_spans(text):
        words.extend(_symbols(text[position:start]))
        words.append(text[start:end])
        position = end
    words.extend(_symbols(text[position:]))
    return words


def openings_of(query: KeywordQuery) -> frozenset[str]:
    """How words begin that a query may mean; a text that holds none of them says none of it.

    A quick look before ``match_spans``: inflections differ from their stem in its last letter at
    most, so every form of a word begins with the rest of it.
    """
    runs = [run for word in query.words for run in _runs(word)]
    found = {stem(bare(run))[:-1] or bare(run) for run, is_spaceless in runs if not is_spaceless}
    found |= {pair for run, is_spaceless in runs if is_spaceless for pair in _pairs(run)}
    found |= {symbol for word in query.words for symbol in _symbols(word)}
    return frozenset(found | ({bare(query.prefix)} if query.prefix else set()))


def holds_any(text: str, openings: frozenset[str]) -> bool:
    """Whether one of these stands anywhere in a text, as the index compares it."""
    tidy = with_joined_forms(folded(text))
    compared = tidy if tidy.isascii() else bare(tidy)
    return any(one in compared for one in openings)


def match_spans(text: str, query: KeywordQuery) -> tuple[tuple[int, int], ...]:
    """Where a query's words stand in a text, for marking them.

    A word is marked in every form that the index takes for the same; in scripts without spaces,
    the pairs of characters that the index looks for.

    Returns:
        (start, length) in order; none is empty and none overlaps another.
    """
    runs = [run for word in query.words for run in _runs(word)]
    stems = {stem(bare(run)) for run, is_spaceless in runs if not is_spaceless}
    openings = tuple(one[:-1] for one in stems)  # every form of a word begins so
    pairs = [pair for run, is_spaceless in runs if is_spaceless for pair in _pairs(run)]
    prefix = bare(query.prefix) if query.prefix else None
    spans: list[tuple[int, int]] = []
    for start, end in _word_spans(text):
        position = start
        for run, is_spaceless in _runs(text[start:end]):
            if is_spaceless:
                spans.extend(_found(pairs, _folded_in_place(run), position))
            elif _is_meant(run, stems, openings, prefix):
                spans.append((position, position + len(run)))
            position += len(run)
    spans.extend(_found([word for word in query.words if _symbols(word)], text, 0))
    for start, end in in_parts(text):
        if stem(bare(_joined(folded(text[start:end])))) in stems:
            spans.append((start, end))
    return tuple((start, end - start) for start, end in _united(spans))


def n_said(text: str, forms: Iterable[frozenset[str]]) -> int:
    """How many words stand in a text, each given by its ``forms_of``."""
    tidy = bare(with_joined_forms(folded(text)))
    words = frozenset(_LETTERS.findall(tidy))
    return sum(any(_stands(form, tidy, words) for form in one) for one in forms)


def _stands(form: str, tidy: str, words: frozenset[str]) -> bool:
    opening = form if is_cjk(form[0]) else form[:-1]
    if opening not in tidy or opening is form:
        return opening in tidy
    return form in words or any(stem(one) == form for one in words if one.startswith(opening))


def forms_of(word: str) -> frozenset[str]:
    """A folded word in the forms by which two words are the same to the index."""
    runs = list(_runs(_without_short_form(bare(word))))
    plain = [part for run, is_spaceless in runs if not is_spaceless for part in run.split("'")]
    pairs = [pair for run, is_spaceless in runs if is_spaceless for pair in _pairs(run)]
    return frozenset([*map(stem, filter(None, (*plain, _joined(bare(word))))), *pairs])


def bare(word: str) -> str:
    """A folded word without the accents of its composed letters, as the index compares it."""
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", _without_accents(decomposed))


def is_cjk(character: str) -> bool:
    """Whether a character belongs to a script written without spaces between words."""
    return character >= "\u0e00" and (
        "\u3005" <= character <= "\u3007"
        or "\u3040" <= character <= "\u30ff"
        or "\u3400" <= character <= "\u4dbf"
        or "\u4e00" <= character <= "\u9fff"
        or "\uac00" <= character <= "\ud7af"
        or "\uf900" <= character <= "\ufaff"
        or "\uff66" <= character <= "\uff9f"
        or "\U00020000" <= character <= "\U0003fffd"
        or "\u0e00" <= character <= "\u0e7f"
    )


def _word_spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of every word: letters and digits with their marks, apostrophes inside."""
    word: tuple[int, int] | None = None
    for match in _LETTERS.finditer(text):
        start, end = match.start(), _end_of_marks(text, match.end())
        if word is None:
            word = (start, end)
        elif not (between := text[word[1] : start]) or (
            len(between) == 1 and between in APOSTROPHES
        ):
            word = (word[0], end)
        else:
            yield word
            word = (start, end)
    if word is not None:
        yield word


def _end_of_marks(text: str, position: int) -> int:
    while position < len(text) and (
        ord(text[position]) in _ZERO_WIDTH or unicodedata.category(text[position]) in {"Mn", "Mc"}
    ):
        position += 1
    return position


def _without_short_form(word: str) -> str:
    """A word without ``'s``, and "we" for "we'll": what remains is what the word is about."""
    plain = word.replace("\u2019", "'")
    base, _, ending = plain.rpartition("'")
    if ending == "s" and base:
        return base
    if ending in _SHORT_FORMS and base in STOP_WORDS:
        return base
    negated = base.removesuffix("n")
    return negated if ending == "t" and negated in STOP_WORDS else plain


def _joined_forms(tidy: str) -> list[str]:
    """Of folded text what may be written in one as well, each in one."""
    if not _GROUPED.search(tidy):  # quicker: most texts have few such words
        if "'" not in tidy:
            return []
        tidy = " ".join([one for one in tidy.split() if "'" in one])
    every = [(tidy[start:end], _joined(tidy[start:end])) for start, end in in_parts(tidy)]
    return [form for word, form in every if word not in STOP_WORDS and form not in word]


def _joined(word: str) -> str:
    """A folded word in one, without ``'s`` and its like."""
    return in_one(_without_short_form(word))


def _is_meant(word: str, stems: set[str], openings: tuple[str, ...], prefix: str | None) -> bool:
    plain = _without_short_form(bare(folded(word)))
    return any(
        (part.startswith(openings) and stem(part) in stems)
        or (prefix is not None and part.startswith(prefix))
        for part in {plain, *plain.split("'")}
        if part
    )


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    """The text cut where a script without spaces begins or ends."""
    if text and text.isascii():
        yield text, False
        return
    for is_spaceless, run in itertools.groupby(text, is_cjk):
        yield "".join(run), is_spaceless


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


def _folded_in_place(run: str) -> str:
    """Folded character by character, so that every position stays what it was."""
    return "".join(tidy if len(tidy := folded(character)) == 1 else character for character in run)


def _found(parts: Iterable[str], text: str, offset: int) -> Iterator[tuple[int, int]]:
    for part in parts:
        start = text.find(part)
        while start >= 0:
            yield offset + start, offset + start + len(part)
            start = text.find(part, start + 1)


def _united(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    united: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if united and start < united[-1][1]:
            united[-1] = (united[-1][0], max(united[-1][1], end))
        else:
            united.append((start, end))
    return united


def _symbols(text: str) -> list[str]:
    return [c for c in text if unicodedata.category(c) == "So"]


def _without_accents(text: str) -> str:
    return "".join(c for c in text if not _is_accent(unicodedata.combining(c)))


def _is_accent(combining_class: int) -> bool:
    return combining_class in _POINTS or combining_class >= _FIRST_ACCENT
