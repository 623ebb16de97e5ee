"""Whether a text that a model worded says what its sources say, as far as words tell.

Words are no meaning: what is found wrong here is wrong, what is not found wrong may be. So whoever
rewords keeps the texts it was made from.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inklings_desktop.domain.likeness.grounding import (
    content_words,
    grounding_of,
    negates,
    sentences_of,
    share_said,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

NUMBER, NAME, NEGATION, INVENTED, LOST = "number", "name", "negation", "invented", "lost"
LEAST_SHARE = 0.6
"""Share of a source's content words that come along; a text that dropped a statement has less."""

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")


def fault_of(text: str, parents: Sequence[str]) -> str:
    """What is wrong with a text made from others; empty where nothing was found.

    Args:
        text: What a model made of them.
        parents: What it was made from.

    Returns:
        ``number`` or ``name``: one is missing, or is in none of them. ``negation``: it says no
        where they say yes, or the reverse. ``invented``: much of it is in none of them. ``lost``:
        much of one of them is not in it.
    """
    whole = "\n".join(parents)
    if numbers_in(text) != numbers_in(whole):
        return NUMBER
    if not names_in(whole) <= content_words(text) or not names_in(text) <= content_words(whole):
        return NAME
    grounding = grounding_of(text, parents)
    is_turned = any(grounding_of(one, [text]).is_denied for one in parents)
    if grounding.is_denied or is_turned or _denies(text) != _denies(whole):
        return NEGATION
    if not grounding.holds:
        return INVENTED
    return LOST if any(share_said(one, text) < LEAST_SHARE for one in parents) else ""


def repeats(one: str, other: str) -> bool:
    """Whether two texts may say one thing twice: the same numbers, names, and yes or no."""
    return (
        numbers_in(one) == numbers_in(other)
        and names_in(one) <= content_words(other)
        and names_in(other) <= content_words(one)
        and _denies(one) == _denies(other)
    )


def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text, as they are written."""
    return frozenset(_NUMBER.findall(text))


def names_in(text: str) -> frozenset[str]:
    """The stems of the words that may be names: with a capital, and no function words."""
    capital = [one for one in _WORD.findall(text) if one != one.lower()]
    return frozenset().union(*map(content_words, capital))


def _denies(text: str) -> bool:
    return any(negates(one) for one in sentences_of(text))
