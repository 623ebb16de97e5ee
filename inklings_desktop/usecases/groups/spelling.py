"""How words are spelt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.usecases.writing import spelling

if TYPE_CHECKING:
    from inklings_desktop.usecases.parts import By, Parts


class Spelling:
    """Checking, suggesting and learning words."""

    def __init__(self, parts: Parts, by: By) -> None:
        adapters = parts.adapters()
        self.check = by(spelling.CheckSpelling(adapters.speller, adapters.own_words))
        self.suggest = by(spelling.SuggestSpellings(adapters.speller))
        self.learn = by(spelling.LearnWord(adapters.own_words))
