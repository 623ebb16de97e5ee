"""Words that must stand side by side, as they were typed between quotation marks.

A phrase is found in every form that the index takes for the same: without accents, in other
inflections; a script without spaces is compared character by character.
"""

from __future__ import annotations

import itertools
import unicodedata

from inklings_desktop.domain.words.query_text import bare, folded, is_cjk
from inklings_desktop.domain.words.stemming import stem

MAX_PHRASE_CHARACTERS = 200
"""Longer ones are not looked for side by side; their words still count."""


def phrase_runs(phrase: str) -> tuple[tuple[str, bool], ...]:
    """A folded phrase cut where a script without spaces begins or ends; empty without words.

    Returns:
        Each run that holds a letter, digit or symbol, and whether its script has no spaces.
    """
    return tuple(
        (text, is_spaceless)
        for is_spaceless, run in itertools.groupby(folded(phrase), is_cjk)
        if _tokens(text := "".join(run).strip())
    )


def says(text: str, phrase: str) -> bool:
    """Whether every run of a phrase stands in a text; a phrase without words stands in any."""
    tidy = folded(text)
    tokens = [stem(token) for token in _tokens(tidy)]
    return all(
        run in tidy if is_spaceless else _side_by_side([stem(one) for one in _tokens(run)], tokens)
        for run, is_spaceless in phrase_runs(phrase)
    )


def _side_by_side(wanted: list[str], tokens: list[str]) -> bool:
    size = len(wanted)
    return any(tokens[at : at + size] == wanted for at in range(len(tokens) - size + 1))


def _tokens(tidy: str) -> list[str]:
    """Runs of letters and digits, and lone symbols, as the index cuts a text."""
    tokens: list[str] = []
    for is_word, run in itertools.groupby(tidy, _is_word):
        if is_word:
            tokens.append(bare("".join(run)))
        else:
            tokens.extend(one for one in run if unicodedata.category(one) == "So")
    return tokens


def _is_word(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNM"
