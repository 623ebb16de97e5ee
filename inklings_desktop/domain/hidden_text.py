"""Characters that a reader cannot see, yet an agent reads: found and named."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inklings_desktop.domain.text_rules import is_visible

if TYPE_CHECKING:
    from collections.abc import Sequence

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
_RIGHT_TO_LEFT = frozenset({"R", "AL"})
_JOINED_CATEGORIES = frozenset({"Lo", "Mn", "Mc", "So", "Sk"})
_EMOJI_SELECTORS = frozenset("\ufe0e\ufe0f")
_KEYCAP_BASES = frozenset("0123456789#*\u00a9\u00ae")
_SPECIAL_SELECTORS = ("\U000e0100", "\U000e01ef")


@dataclass(frozen=True, slots=True)
class HiddenCharacter:
    """Where an unseen character stands, counted in characters, and what Unicode calls it."""

    position: int
    name: str


def hidden_characters(text: str) -> tuple[HiddenCharacter, ...]:
    """Every character that does not show: direction overrides, tags, zero-width ones, controls.

    Blanks and line breaks show by the room they take. Joiners inside words of scripts that need
    them, the parts of joined emoji and of flags, and isolates that set apart a passage beside
    right-to-left script, are not hidden.
    """
    if not _SUSPECT.search(text):
        return ()
    flags = [match.span() for match in _TAG_FLAG.finditer(text)]
    isolates = _needed_isolates(text)
    return tuple(
        HiddenCharacter(match.start(), _name(match.group()))
        for match in _SUSPECT.finditer(text)
        if _hides(match.group())
        and not _is_needed(text, match.start())
        and not any(start < match.start() < stop for start, stop in flags)
        and match.start() not in isolates
    )


def spelled_out(text: str) -> str:
    """The text with the code of every character that does not show; for reading, never stored."""
    hidden = [one.position for one in hidden_characters(text)]
    return spelled_out_at(text, hidden) if hidden else text


def spelled_out_at(text: str, positions: Sequence[int]) -> str:
    """The text with the codes of the characters at these places, a run of them as one."""
    parts: list[str] = []
    at = 0
    for first, length in _runs(positions):
        times = f" \u00d7{length}" if length > 1 else ""
        parts += [text[at:first], f"\u2039U+{ord(text[first]):04X}{times}\u203a"]
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
        return _joins(before) and _joins(after)
    if character in _EMOJI_SELECTORS:
        return before in _KEYCAP_BASES or (bool(before) and unicodedata.category(before)[0] == "S")
    if _SPECIAL_SELECTORS[0] <= character <= _SPECIAL_SELECTORS[1]:
        return bool(before) and unicodedata.category(before) == "Lo" and is_visible(before)
    return False


def _needed_isolates(text: str) -> frozenset[int]:
    """Places of the marks that set passages apart, in a text that holds right-to-left script."""
    spans = [match.span() for match in _ISOLATE.finditer(text)]
    if not spans or not any(unicodedata.bidirectional(one) in _RIGHT_TO_LEFT for one in text):
        return frozenset()
    return frozenset(place for start, stop in spans for place in (start, stop - 1))


def _joins(character: str) -> bool:
    return bool(character) and unicodedata.category(character) in _JOINED_CATEGORIES


def _name(character: str) -> str:
    """The Unicode name in small letters, or the code point where it has none."""
    return unicodedata.name(character, "").lower() or f"U+{ord(character):04X}"
