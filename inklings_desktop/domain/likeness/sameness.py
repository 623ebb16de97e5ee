"""When two texts say the same: the one rule for merging, folding and storing a thing twice.

They do when they differ in nothing but case, blanks, punctuation, quotation marks, Unicode form
or articles. Every other word, number, sign and letter counts, in any script; where words stand
without blanks between them, every sign does. Vectors have no say: a sentence and its negation, or
the same sentence of two people, are .97 alike.

What looks like punctuation and carries meaning stays: a question mark, what stands inside or
before a number, an apostrophe inside a word, signs such as % and &. An article may be there or
not; it is never another one: German, French, Spanish and Italian tell people, things and cases
apart by it ("die See" is no "der See"). Of no other language is any word left out.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KEY_BYTES = 8
_LONGEST_KNOWN = 32
"""Longer passages without blanks are rare, and not worth keeping in memory."""

_APOSTROPHES = re.compile("[\u2018\u2019\u02bc\uff07\u0060\u00b4](?=\\w)")
# Blank by design, beside or inside letters: joiners, direction marks, soft hyphens, stretches of
# Arabic letters and the variants of a sign.
_UNSEEN = dict.fromkeys(
    map(ord, "\u00ad\u0640\u061c\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff")
)
_OTHER_CHARACTERS = ("<super>", "<sub>", "<fraction>", "<circle>", "<square>")
"""Compatibility forms that say something else: a square is no 2, a half no 12."""

_DASHES = "-\u2010\u2011\u2012\u2013\u2212"
_IN_NUMBERS = f".,:/'{_DASHES}"
_SAYS_SOMETHING = "?\u061f%\u2030&@\u00a7/#"
_QUOTES_BY_CATEGORY = "`\u00b4"
_SENTENCE_ENDS = ".!?:;\u2026\u3002"

_ARTICLES = {
    "en": frozenset(["the", "a", "an"]),
    "de": frozenset(["der", "die", "das"]),
    "fr": frozenset(["le", "la", "les", "l'"]),
    "es": frozenset(["el", "la", "los", "las"]),
    "it": frozenset(["il", "lo", "la", "i", "gli", "le", "l'"]),
}
_ANYWHERE = ("en",)
"""Elsewhere an article is left out only where a sentence begins: inside it, the same word may be
a pronoun ("il la tue") or tell who does what to whom ("den Bruder verriet der Vater")."""
# By what a language is known; what stands in several lists tells them from the others.
_KNOWN_BY = {
    "en": "the of and is are were has have had not never with his their they she he it by who "
    "this to for at that its be been from would must",
    "de": "der das den dem des und ist sind nicht nie kein keine mit von vom zu zum zur auf sich "
    "sein seine seinen seinem ihr ihre ihren wird werden eine einen einem einer hatte er wurde",
    "fr": "le la les de des du est et une dans pas ne sur qui que au aux sont avec jamais elle "
    "ses leur pour par cette ce chez \u00e0",
    "es": "el la los las de del es y una por con su sus que nunca ella est\u00e1 fue para al muy",
    "it": "il lo la gli le della del di che una non per con suo sua mai nel nella sono \u00e8 "
    "dei delle alla",
}
_LETTERS_OF = {
    "de": "\u00e4\u00f6\u00fc\u00df",
    "es": "\u00f1\u00bf\u00a1",
    "fr": "\u00ea\u00e7\u0153\u00e2\u00ee\u00f4\u00fb",
    "it": "\u00ec\u00f2",
}
_LANGUAGES_OF = {
    word: tuple(one for one, words in _KNOWN_BY.items() if word in words.split())
    for words in _KNOWN_BY.values()
    for word in words.split()
}
_LANGUAGE_OF_LETTER = {
    letter: language for language, letters in _LETTERS_OF.items() for letter in letters
}
# "A few" are some, "few" are hardly any; "a second" is another one.
_QUANTITIES = frozenset([
    "few", "little", "lot", "bit", "number", "couple", "dozen", "hundred", "thousand", "million",
    "half", "third", "quarter", "one", "two", "three", "four", "five", "six", "seven", "eight",
    "nine", "ten", "first", "second", "last", "many", "most", "more", "less", "only", "other",
])  # fmt: skip


class _Said(NamedTuple):
    """What a text says.

    Attributes:
        words: Its words, numbers and signs in order, as they are written.
        articles: Shape (n_words + 1,): what was left out before each word and after the last.
    """

    words: Sequence[str]
    articles: Sequence[tuple[str, ...]]


def says_the_same(one: str, other: str) -> bool:
    """Whether two texts differ in nothing that says anything."""
    if one == other:
        return True
    left, right = _said(one), _said(other)
    if not left.words or len(left.words) != len(right.words):
        return False
    return all(map(_is_same_word, left.words, right.words)) and all(
        not mine or not theirs or mine == theirs
        for mine, theirs in zip(left.articles, right.articles, strict=True)
    )


@lru_cache(maxsize=4)  # whoever stores a text has asked just before whether it is known
def key_of(text: str) -> bytes:
    """Eight bytes that texts which say the same have in common; others very rarely do.

    To find what may say the same: ``says_the_same`` decides.
    """
    words = _said(text).words
    plain = _coarse("\n".join(words)) if words else text
    return blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest()


def _said(text: str) -> _Said:
    every, firsts = _words(tidied(text))
    lower = _lower("\n".join(every)).split("\n")
    languages = languages_of(lower)
    if not languages:
        return _Said(every, [()] * (len(every) + 1))
    droppable = frozenset.intersection(*(_ARTICLES[one] for one in languages))
    is_loud = text.isupper()
    words: list[str] = []
    articles: list[tuple[str, ...]] = []
    left_out: tuple[str, ...] = ()
    for place, (word, plain) in enumerate(zip(every, lower, strict=True)):
        is_first = place in firsts
        written = word
        if plain in droppable:
            following = lower[place + 1] if place + 1 < len(lower) else ""
            if (
                (is_first or languages == _ANYWHERE)
                and (is_first or is_loud or word == plain)  # "plan A", "the band The Who"
                and following
                and following not in _QUANTITIES
                and not following[0].isdigit()
            ):
                left_out = (*left_out, "a" if plain == "an" else plain)
                continue
        elif is_first and plain.startswith("l'") and "l'" in droppable:
            left_out = (*left_out, "l'")
            written = word[2:]
        articles.append(left_out)
        left_out = ()
        words.append(written)
    return _Said(words, [*articles, left_out])


def tidied(text: str) -> str:
    """One Unicode form, one sign for every apostrophe, nothing that is not seen."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFC", text.translate(_UNSEEN))
    if not unicodedata.is_normalized("NFKC", plain):
        plain = "".join(
            sign
            if unicodedata.decomposition(sign).startswith(_OTHER_CHARACTERS)
            else unicodedata.normalize("NFKC", sign)
            for sign in plain
        )
    return _APOSTROPHES.sub("'", unicodedata.normalize("NFC", plain))


def _words(text: str) -> tuple[list[str], set[int]]:
    """The words, numbers and signs of a text, and the places where a sentence begins."""
    words: list[str] = []
    firsts: set[int] = set()
    for line in text.splitlines():
        firsts.add(len(words))
        for chunk in line.split():
            pieces, ends = _known_pieces(chunk) if len(chunk) <= _LONGEST_KNOWN else _pieces(chunk)
            words += pieces
            if ends:
                firsts.add(len(words))
    return words, firsts


def _pieces(chunk: str) -> tuple[tuple[str, ...], bool]:
    """The words, numbers and signs of a passage without blanks; whether a sentence ends there."""
    if chunk.isascii() and chunk.isalnum():
        return (chunk,), False
    ends = chunk.rstrip("\"')]}\u201c\u201d\u00bb*_")[-1:]
    return tuple(_cut(chunk)), bool(ends) and ends in _SENTENCE_ENDS


_known_pieces = lru_cache(maxsize=8_192)(_pieces)


def _cut(chunk: str) -> Iterator[str]:
    word = ""
    for place, sign in enumerate(chunk):
        before, after = chunk[place - 1 : place], chunk[place + 1 : place + 2]
        kind = unicodedata.category(sign)
        if _stands_alone(sign):
            if word:
                yield word
            word = ""
            yield sign
        elif (
            sign.isalnum()
            or kind[0] == "M"
            or (sign == "_" and word and after.isalnum())
            or (sign == "'" and before.isalpha() and after.isalpha())
        ):
            word += sign
        elif sign in _IN_NUMBERS and before.isdigit() and after.isdigit():
            word += "-" if sign in _DASHES else sign
        else:
            if word:
                yield word
            word = ""
            if sign in f"{_DASHES}." and after.isdigit() and not before.isalnum():
                word = "." if sign == "." else "-"
            elif sign in _SAYS_SOMETHING:
                if sign != "#" or after.isalnum():
                    yield "?" if sign == "\u061f" else sign
            elif kind[0] in "SC" and sign not in _QUOTES_BY_CATEGORY:
                yield sign
    if word:
        yield word


def _stands_alone(sign: str) -> bool:
    """Whether a sign belongs to a script that sets no blanks between words."""
    return (
        "\u3005" <= sign <= "\u3007"
        or "\u3040" <= sign <= "\u30ff"
        or "\u3400" <= sign <= "\u4dbf"
        or "\u4e00" <= sign <= "\u9fff"
        or "\uf900" <= sign <= "\ufaff"
        or "\U00020000" <= sign <= "\U0003fffd"
        or "\u0e00" <= sign <= "\u0eff"  # Thai, Lao
        or "\u1000" <= sign <= "\u109f"  # Burmese
        or "\u1780" <= sign <= "\u17ff"  # Khmer
    )


def languages_of(words: Sequence[str]) -> tuple[str, ...]:
    """The language whose words and letters are found most, several where they tie; none without."""
    found = dict.fromkeys(_KNOWN_BY, 0)
    for word in words:
        for language in _LANGUAGES_OF.get(word, ()):
            found[language] += 2
        if not word.isascii():
            for language in {
                _LANGUAGE_OF_LETTER[one] for one in word if one in _LANGUAGE_OF_LETTER
            }:
                found[language] += 1
    most = max(found.values())
    return tuple(one for one, times in found.items() if times == most) if most else ()


def _is_same_word(one: str, other: str) -> bool:
    if one == other or _lower(one) == _lower(other):
        return True
    if "\u0131" in one + other and _turkish(one) == _turkish(other):
        return True
    # Capitals write one sign for two: MASSE is Masse and Ma\u00dfe, KIZ is k\u0131z.
    return (one.isupper() or other.isupper()) and _coarse(one) == _coarse(other)


def _lower(word: str) -> str:
    return word.replace("\u0130", "i").lower()


def _turkish(word: str) -> str:
    return _lower(word.replace("I", "\u0131"))


def _coarse(word: str) -> str:
    return _lower(word).casefold().replace("\u0131", "i")
