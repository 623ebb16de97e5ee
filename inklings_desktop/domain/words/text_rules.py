"""Which characters a text may hold, and when it says anything at all."""

from __future__ import annotations

import re
import unicodedata

from inklings_desktop.domain.errors import InvalidValueError

ZERO_WIDTH_JOINERS = "\u200c\u200d"
"""Part of words in several scripts and of joined emoji; the other format characters only hide."""

_OWN_NAME = re.compile(r"[A-Za-z0-9._:-]+")
_REFUSED_IN_LABELS = frozenset({"Cc", "Cs", "Zl", "Zp"})
_NEVER_SEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"})

# Letters, marks and signs by their category, blank by their design.
_BLANK = frozenset(
    [
        *"\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2065\u2800\u3164\uffa0",
        *map(chr, range(0xFE00, 0xFE10)),
        *map(chr, range(0xFFF0, 0xFFF9)),
    ]
)
_FIRST_TAG, _LAST_TAG = "\U000e0000", "\U000e0fff"
_FIRST_NONCHARACTER, _LAST_NONCHARACTER = "\ufdd0", "\ufdef"
_END_OF_PLANE = 0xFFFE  # the last two code points of every plane are none


def is_visible(character: str) -> bool:
    """Whether a reader would see this character.

    Unassigned ones count as visible: the newest emoji are younger than Python's tables.
    """
    if unicodedata.category(character) in _NEVER_SEEN or character in _BLANK:
        return False
    return not (_is_noncharacter(character) or _FIRST_TAG <= character <= _LAST_TAG)


def says_nothing(text: str) -> bool:
    """Whether a text is empty but for blanks and invisible characters."""
    return not any(is_visible(character) for character in text)


def checked_label(text: str, field: str, max_characters: int) -> str:
    """One line of text without blanks at its ends.

    Raises:
        InvalidValueError: Nothing visible in it, too long, or with control characters.
    """
    label = text.strip()
    if says_nothing(label):
        raise InvalidValueError(field, "empty")
    if len(label) > max_characters:
        raise InvalidValueError(field, "too_long", max_characters)
    if has_controls(label):
        raise InvalidValueError(field, "control_characters")
    return label


def is_own_name(text: str, most: int) -> bool:
    """Whether a client may call something of its own so: letters, digits and ``._:-``."""
    return len(text) <= most and _OWN_NAME.fullmatch(text) is not None


def stored_bytes(text: str, field: str) -> int:
    """How long a text is in UTF-8; every door asks here what is text at all.

    Raises:
        InvalidValueError: It holds NUL, or half of a character (a lone surrogate).
    """
    if "\x00" in text:
        raise InvalidValueError(field, "nul")
    try:
        return len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise InvalidValueError(field, "encoding") from None


def whole_characters(text: str) -> str:
    """The text with a mark in place of each half of a character, which no file can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def has_controls(text: str) -> bool:
    """Whether control characters, line breaks or halves of characters stand in it."""
    return any(unicodedata.category(character) in _REFUSED_IN_LABELS for character in text)


def hides_characters(text: str) -> bool:
    """Whether format characters stand in it that could make two names look alike.

    The joiners that scripts and emoji need do not count.
    """
    return any(
        unicodedata.category(character) == "Cf" and character not in ZERO_WIDTH_JOINERS
        for character in text
    )


def _is_noncharacter(character: str) -> bool:
    ends_plane = ord(character) & _END_OF_PLANE == _END_OF_PLANE
    return ends_plane or _FIRST_NONCHARACTER <= character <= _LAST_NONCHARACTER
