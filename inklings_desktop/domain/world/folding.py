"""A text by its words alone, so that a change of layout, case or punctuation is none.

What looks like punctuation and says something stays, as it does for memories that say the same:
what is in or before a number, a question mark, a percent sign.
"""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b

from inklings_desktop.domain.likeness.sameness import tidied

DIGEST_BYTES = 16

_BLOCK_MARK = re.compile(r"\s\^[A-Za-z0-9-]+\s*\Z")
_DASHES = "\u2010\u2011\u2012\u2013\u2212"
_SAYS_SOMETHING = "\u2030\u00a7"
# A word is whatever no blank and no mark of ASCII parts: letters, their vowel signs, emoji.
_LETTER = r"[^\s!-/:-@\[-`{-\x7f]"
_WORD = re.compile(rf"[-+]?\d+(?:[.,:/'-]\d+)*{_LETTER}*|{_LETTER}+(?:'{_LETTER}+)*|[?%&@$]")


def folded(text: str) -> str:
    """The words, numbers and signs of a text with a blank between them; in small letters.

    An Obsidian block mark at the end (``^oath``) is no part of it. A text without any words is
    returned as it is, without blanks at its ends.
    """
    return " ".join(folded_words(text)) or text.strip()


def folded_words(text: str) -> list[str]:
    """The same as a list; empty for a text without words."""
    plain = _BLOCK_MARK.sub("", text) if "^" in text else text
    if not plain.isascii():
        plain = tidied(plain)
        others = {ord(sign): _in_ascii(sign) for sign in set(plain) if not sign.isascii()}
        plain = plain.translate(others)
    return _WORD.findall(plain.casefold())


def digest_of(text: str) -> bytes:
    """BLAKE2b of 16 bytes over the folded text: equal where two texts differ in no word."""
    plain = folded(text).encode("utf-8", "surrogatepass")
    return blake2b(plain, digest_size=DIGEST_BYTES).digest()


def _in_ascii(sign: str) -> str:
    """A sign beyond ASCII as words are found by it: a blank where it only parts them."""
    if sign in _DASHES:
        return "-"
    if sign == "\u061f":
        return "?"
    parts = unicodedata.category(sign)[0] in "PZC" and sign not in _SAYS_SOMETHING
    return " " if parts else sign
