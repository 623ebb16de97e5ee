"""How a text is spelt, in the language that it is written in."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import authorize_management
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.words.prose_words import ProseWord, prose_words
from inklings_desktop.usecases.parts import Asked

if TYPE_CHECKING:
    from collections.abc import Mapping


MOST_CHARACTERS = 400_000
MOST_TRIED = 6
"""So many dictionaries are tried on a text: each costs some megabytes once it is read."""
SURELY, LEAST = 0.8, 0.5
"""A language that knows this share of a text is its language; below the other share none is."""
_JUDGED = 200
"""Words, the most used ones, by which the language of a text is told."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a checker has to say of a text.

    Attributes:
        language: What it is written in, as ``de_DE``; empty where no dictionary fits.
        misspelt: The words that are not known, in order.
    """

    language: str = ""
    misspelt: tuple[ProseWord, ...] = ()


class Spelling(Asked):
    """Checking, suggesting and learning words."""

    def check(self, text: str, prefers: tuple[str, ...] = ()) -> Checked:
        """The words of a text that no dictionary and no author knows.

        Args:
            text: Markdown.
            prefers: Languages that are tried first, as ``de_AT`` or ``de``.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(self.caller)
        words = tuple(prose_words(text[:MOST_CHARACTERS]))
        used = Counter(one.text for one in words)
        language = self._language_of(used, prefers) if words else ""
        if not language:
            return Checked()
        adapters = self.parts.adapters()
        right = adapters.speller.known(language, used.keys()) | adapters.own_words.read()
        return Checked(language, tuple(one for one in words if one.text not in right))

    def suggest(self, word: str, language: str) -> tuple[str, ...]:
        """What may be meant by a word, the likeliest first; may take a third of a second.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(self.caller)
        return self.parts.adapters().speller.suggestions(language, word)

    def learn(self, word: str) -> None:
        """Keeps a word that is right although no dictionary has it.

        Raises:
            ScopeDeniedError: The caller is an agent.
            InklingsError: It cannot be stored.
        """
        authorize_management(self.caller)
        self.parts.adapters().own_words.add(word)

    def _language_of(self, used: Mapping[str, int], prefers: tuple[str, ...]) -> str:
        """The first that surely fits, else the one that fits best if it does at all."""
        judged = frozenset(sorted(used, key=lambda one: -used[one])[:_JUDGED])
        speller, shares = self.parts.adapters().speller, list[tuple[float, str]]()
        for language in _in_order(speller.languages(), prefers)[:MOST_TRIED]:
            share = len(speller.known(language, judged)) / len(judged)
            if share >= SURELY:
                return language
            shares.append((share, language))
        best, language = max(shares, key=lambda one: one[0], default=(0.0, ""))
        return language if best >= LEAST else ""


def _in_order(languages: tuple[str, ...], prefers: tuple[str, ...]) -> list[str]:
    """The preferred ones first, by whole name and then by language alone; English after them."""
    wanted = [one.replace("-", "_") for one in prefers]
    tongues = [one.partition("_")[0] for one in (*wanted, "en")]

    def rank(language: str) -> tuple[int, int]:
        tongue = language.partition("_")[0]
        whole = wanted.index(language) if language in wanted else len(wanted)
        return (tongues.index(tongue) if tongue in tongues else len(tongues), whole)

    return sorted(languages, key=rank)
