"""Characters that a reader cannot see, yet an agent reads: found and named."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.text_rules import is_visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SEEN_BLANKS = frozenset({"Zs", "Zl", "Zp"})
_LINE_CONTROLS = frozenset("\t\n\r")
_JOINERS = frozenset("\u200c\u200d")
_SUSPECT = re.compile(r"[^\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u0400-\u0589\t\n\r]")
# A flag of a region is a black flag, its code in tags, and a last tag.
_TAG_FLAG = re.compile(
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f",
)
# An isolate that takes the direction of its own first letter, closed again on its line, keeps
# mixed directions in order and cannot turn a word around.
_ISOLATE = re.compile("\u2068[^\u2028\u2029\u202a-\u202e\u2066-\u2069\n\r]*\u2069")
_FORMAT = "\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f"
_LONE_MARK = re.compile(f"(?<![{_FORMAT}])[\u061c\u200e\u200f](?![{_FORMAT}])")
_RIGHT_TO_LEFT = frozenset({"R", "AL"})
_SCRIPT_CATEGORIES = frozenset({"Lo", "Mn", "Mc"})
_EMOJI_CATEGORIES = frozenset({"So", "Sk"})
_WORD_BREAK = "\u200b"
# Thai and Lao, Myanmar, Khmer: their words stand without blanks, and may break at this mark.
_WITHOUT_BLANKS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_EMOJI_SELECTORS = frozenset("\ufe0e\ufe0f")
_KEYCAP_BASES = frozenset("0123456789#*\u00a9\u00ae\u203c\u2049\u2139\u3030")
_SPECIAL_SELECTORS = ("\U000e0100", "\U000e01ef")
_CODE = re.compile(r"\u2039U\+[0-9A-F]{4,6}(?: \u00d7\d+)?\u203a")


@dataclass(frozen=True, slots=True)
class HiddenCharacter:
    """Where an unseen character stands, counted in characters, and what Unicode calls it."""

    position: int
    name: str


def hidden_characters(text: str) -> tuple[HiddenCharacter, ...]:
    """Every character that does not show: direction overrides, tags, zero-width ones, controls.

    Blanks and line breaks show by the room they take. Joiners and places for a line break inside
    words of scripts that need them, the parts of joined emoji and of flags, and single direction
    marks and closed isolates beside right-to-left script, are not hidden.
    """
    if not _SUSPECT.search(text):
        return ()
    needed = _needed_directions(text).union(
        place
        for match in _TAG_FLAG.finditer(text)
        for place in range(match.start() + 1, match.end())
    )
    return tuple(
        HiddenCharacter(match.start(), _name(match.group()))
        for match in _SUSPECT.finditer(text)
        if _hides(match.group())
        and not _is_needed(text, match.start())
        and match.start() not in needed
    )


def hidden_codes(texts: Iterable[str]) -> list[str]:
    """Which characters of these texts do not show and how often each: ``U+E0041 \u00d712``."""
    found = Counter(ord(text[one.position]) for text in texts for one in hidden_characters(text))
    return [_code(*one) for one in sorted(found.items())]


def holds_codes(text: str) -> bool:
    """Whether a text has codes in it such as ``spelled_out`` writes."""
    return _CODE.search(text) is not None


def without_codes(text: str) -> str:
    """The text without such codes."""
    return _CODE.sub("", text)


def spelled_out(text: str) -> str:
    """The text with the code of every character that does not show; for reading, never stored."""
    if not _SUSPECT.search(text):
        return text
    hidden = [one.position for one in hidden_characters(text)]
    return spelled_out_at(text, hidden) if hidden else text


def spelled_out_at(text: str, positions: Sequence[int]) -> str:
    """The text with the codes of the characters at these places, a run of them as one."""
    parts: list[str] = []
    at = 0
    for first, length in _runs(positions):
        parts += [text[at:first], f"\u2039{_code(ord(text[first]), length)}\u203a"]
        at = first + length
    return "".join([*parts, text[at:]])


def _runs(positions: Sequence[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for position in positions:
        if runs and position == sum(runs[-1]):
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((position, 1))
    return runs


@lru_cache(maxsize=1024)  # of a text all of such characters each is asked about 64,000 times
def _hides(character: str) -> bool:
    if unicodedata.category(character) in _SEEN_BLANKS or character in _LINE_CONTROLS:
        return False
    return not is_visible(character)


def _is_needed(text: str, position: int) -> bool:
    """Whether script or emoji beside it cannot be written without this character."""
    character = text[position]
    before = text[position - 1] if position else ""
    after = text[position + 1 : position + 2]
    if character in _JOINERS:
        if _is_of(before, _SCRIPT_CATEGORIES):
            return not after or not _hides(after)
        return _is_of(before, _EMOJI_CATEGORIES) and _is_of(after, _EMOJI_CATEGORIES)
    if character == _WORD_BREAK:
        return bool(_WITHOUT_BLANKS.match(before) and _WITHOUT_BLANKS.match(after))
    if character in _EMOJI_SELECTORS:
        return before in _KEYCAP_BASES or (bool(before) and unicodedata.category(before)[0] == "S")
    if _SPECIAL_SELECTORS[0] <= character <= _SPECIAL_SELECTORS[1]:
        return bool(before) and unicodedata.category(before) == "Lo" and is_visible(before)
    return False


def _needed_directions(text: str) -> frozenset[int]:
    """Places of marks that keep directions in order, in a text that holds right-to-left script.

    They set a passage apart, or stand alone between characters that show.
    """
    places = [match.start() for match in _LONE_MARK.finditer(text)]
    for match in _ISOLATE.finditer(text):
        places += [match.start(), match.end() - 1]
    if not places or not any(map(_reads_right_to_left, text)):
        return frozenset()
    return frozenset(places)


def _reads_right_to_left(character: str) -> bool:
    """Whether it is a letter of such a script; the marks have its direction too."""
    has_direction = unicodedata.bidirectional(character) in _RIGHT_TO_LEFT
    return has_direction and unicodedata.category(character) == "Lo"


def _is_of(character: str, categories: frozenset[str]) -> bool:
    return bool(character) and unicodedata.category(character) in categories


def _code(number: int, times: int) -> str:
    return f"U+{number:04X} \u00d7{times}" if times > 1 else f"U+{number:04X}"


@lru_cache(maxsize=1024)
def _name(character: str) -> str:
    """The Unicode name in small letters, or the code point where it has none."""
    return unicodedata.name(character, "").lower() or f"U+{ord(character):04X}"
