"""How well a few typed letters name something; pure functions."""

from __future__ import annotations

from inklings_desktop.domain.plain_data import dataclass

_LONGEST = 40
_LETTER, _NEXT, _WORD, _FIRST = 1.0, 1.0, 2.0, 1.0
_GAP = 1.5
_LENGTH = 0.01
_TURNED = 0.5
"""What words in another order than that of the name count less."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How a text matches what was typed.

    Attributes:
        score: More is better; comparable between texts for one typed word.
        spans: Start and length of the letters that were found, from the left.
    """

    score: float
    spans: tuple[tuple[int, int], ...] = ()


def likeness(typed: str, text: str) -> Likeness | None:
    """How well the typed letters name a text; None when they do not.

    The letters must come in order, or those of each word: ``dark theme`` names ``Theme: Dark`` as
    well, if not as well as ``theme dark``. Those that begin a word or follow the letter before
    count most, and letters scattered inside words count so little that they are no match in the
    end.

    Args:
        typed: Anything; blanks and case do not matter.
        text: A name.
    """
    whole = _in_order(typed, text)
    words = typed.split()
    if whole is not None or len(words) == 1:
        return whole
    each = [found for word in words if (found := _in_order(word, text)) is not None]
    if len(each) < len(words):
        return None
    spans = tuple(sorted({span for found in each for span in found.spans}))
    return Likeness(sum(found.score for found in each) / len(each) - _TURNED, spans)


def _in_order(typed: str, text: str) -> Likeness | None:
    wanted = [one for one in typed.casefold()[:_LONGEST] if not one.isspace()]
    if not wanted:
        return Likeness(0.0)
    letters = [one.casefold()[:1] for one in text]
    starts = [place for place, one in enumerate(letters) if one == wanted[0]]
    tries = (found for start in starts if (found := _from(wanted, letters, start)) is not None)
    best = max(tries, key=lambda found: found[0], default=None)
    if best is None or best[0] < len(wanted) * _LETTER:
        return None
    score, places = best
    return Likeness(score / len(wanted) - len(text) * _LENGTH, _spans(places))


def _from(wanted: list[str], letters: list[str], start: int) -> tuple[float, list[int]] | None:
    """Score and places when the first letter stands here."""
    places = [start]
    score = _LETTER + (_WORD if _begins_word(letters, start) else 0.0)
    score += _FIRST if start == 0 else 0.0
    if not _begins_word(letters, start):
        # In the middle of a word only letters that stand together are meant.
        is_whole = letters[start : start + len(wanted)] == wanted
        end = start + len(wanted)
        return (score + 2 * _LETTER * (len(wanted) - 1), [*range(start, end)]) if is_whole else None
    for number, letter in enumerate(wanted[1:], start=1):
        here = places[-1] + 1
        if here < len(letters) and letters[here] == letter:
            places.append(here)
            score += _LETTER + _NEXT
            continue
        later = [at for at in range(here, len(letters)) if letters[at] == letter]
        at = next((one for one in later if _begins_word(letters, one)), None)
        if at is None or not _holds(wanted[number + 1 :], letters, at + 1):
            at = later[0] if later else None
        if at is None:
            return None
        places.append(at)
        score += _LETTER + (_WORD - _NEXT if _begins_word(letters, at) else -_GAP)
    return score, places


def _holds(wanted: list[str], letters: list[str], start: int) -> bool:
    """Whether the letters follow in order."""
    rest = iter(letters[start:])
    return all(letter in rest for letter in wanted)


def _begins_word(letters: list[str], at: int) -> bool:
    return at == 0 or not letters[at - 1].isalnum()


def _spans(places: list[int]) -> tuple[tuple[int, int], ...]:
    spans: list[tuple[int, int]] = []
    for place in places:
        if spans and spans[-1][0] + spans[-1][1] == place:
            spans[-1] = (spans[-1][0], spans[-1][1] + 1)
        else:
            spans.append((place, 1))
    return tuple(spans)
