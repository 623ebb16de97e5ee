"""What the use cases need to check how words are spelt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection


class Speller(Protocol):
    """The dictionaries of this machine."""

    def languages(self) -> tuple[str, ...]:
        """Those with a dictionary, as ``de_DE``."""
        ...

    def known(self, language: str, words: Collection[str]) -> frozenset[str]:
        """Which of these words are right, or cannot be judged."""
        ...

    def suggestions(self, language: str, word: str) -> tuple[str, ...]:
        """What may be meant by a word that is not known, the likeliest first."""
        ...


class OwnWords(Protocol):
    """The words that the author knows to be right."""

    def read(self) -> frozenset[str]:
        """All of them; none where the file cannot be read."""
        ...

    def add(self, word: str) -> None:
        """Keep one more.

        Raises:
            InklingsError: It cannot be stored.
        """
        ...
