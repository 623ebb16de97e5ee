"""The ``Embedder`` port without a model: texts that share words point the same way."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from inklings_desktop.domain.errors import EmbeddingUnavailableError
from inklings_desktop.domain.likeness.calibration import Calibration
from inklings_desktop.domain.words.query_text import folded, words_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.memories.vectors import FloatMatrix, FloatVector


MINILM = Calibration(shown=0.25, folded=0.9, merged=0.95)
"""The scale of the built-in model."""


@dataclass(slots=True)
class FakeEmbedder:
    """Adds up one axis per word; ``same`` maps words to the word they mean the same as."""

    model_id: str = "fake"
    dimension: int = 64
    is_available: bool = True
    fails: bool = False
    same: Mapping[str, str] = field(default_factory=dict)
    calibration: Calibration = MINILM
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def pinned(self) -> FakeEmbedder:
        """This model, whatever is selected meanwhile."""
        return self

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """One vector of length 1 per text."""
        self.asked.append(tuple(texts))
        if self.fails or not self.is_available:
            raise EmbeddingUnavailableError("failed")
        matrix = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(matrix, texts, strict=True):
            row[0] = 0.1
            for word in words_of(folded(text)):
                row[zlib.crc32(self.same.get(word, word).encode()) % self.dimension] += 1.0
        norms = np.linalg.norm(matrix, axis=1, keepdims=True)
        normalised: FloatMatrix = (matrix / norms).astype(np.float32)
        return normalised

    def embed_question(self, text: str) -> FloatVector:
        """The same as of a memory."""
        vector: FloatVector = self.embed([text])[0]
        return vector
