"""A ``WordEmbedder`` without a model: every word is a vector of its own."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from inklings_desktop.domain.search.late_interaction import DIMENSION, asked_words, kept_words
from inklings_desktop.domain.words.function_words import STOP_WORDS
from inklings_desktop.domain.words.query_text import folded, words_of
from inklings_desktop.usecases.ports.tokens import Read
from tests.support.fake_embedder import FakeEmbedder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memories.vectors import FloatMatrix


@dataclass(slots=True)
class FakeWordEmbedder(FakeEmbedder):
    """Words that ``same`` calls the same have the same vector, any others have little in common."""

    is_switched_on: bool = True

    @property
    def token_space(self) -> str:
        """Name of the space of its words."""
        return f"{self.model_id}/words" if self.is_switched_on else ""

    def read(self, texts: Sequence[str]) -> Read:
        """Vector and words of each text."""
        return Read(FakeEmbedder.embed(self, texts), [self.words(text) for text in texts])

    def read_question(self, text: str) -> Read:
        """Vector and words of what is looked for."""
        return Read(FakeEmbedder.embed(self, [text]), [self.asked_words(text)])

    def words(self, text: str) -> bytes:
        """The words of a text as they are kept."""
        return kept_words(self._rows(text))

    def asked_words(self, text: str) -> bytes:
        """The words of a question."""
        return asked_words(self._rows(text))

    def _rows(self, text: str) -> FloatMatrix:
        telling = [word for word in words_of(folded(text)) if word not in STOP_WORDS]
        rows = [word_vector(self.same.get(word, word)) for word in telling]
        return np.array(rows, np.float32).reshape(-1, DIMENSION)


def word_vector(word: str) -> FloatMatrix:
    """float32, shape (64,), length 1."""
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "little")
    row = np.random.default_rng(seed).standard_normal(DIMENSION)
    unit: FloatMatrix = (row / np.linalg.norm(row)).astype(np.float32)
    return unit
