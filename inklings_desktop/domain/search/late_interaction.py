"""How near the words of a question come to words of a memory, each where it stands.

Late interaction (Khattab and Zaharia 2020): for each telling word of the question the best cosine
among the words of the memory and of its tags, averaged. Words are vectors of 64 small whole
numbers. Their products are whole numbers that single precision holds exactly, so a figure depends
neither on the order of the rows nor on the machine.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.memories.vectors import FloatMatrix

DIMENSION = 64
MOST_OF_A_TEXT = 128
"""Words of a text that are kept, from its beginning."""
MOST_OF_A_QUESTION = 32
ENOUGH = 0.8
"""Share of the candidates that must have words before words weigh."""

_UNIT = 254.0
"""Length of a vector in whole numbers: what goes beyond 127 is rare, and cut."""
_DECIMALS = 9


def packed(words: FloatMatrix) -> bytes:
    """Vectors of words as they are stored.

    Args:
        words: float32, shape (n, 64); every row of length 1.

    Returns:
        int8, row after row; 64 bytes a word.
    """
    import numpy as np

    return np.clip(np.round(words * _UNIT), -127, 127).astype(np.int8).tobytes()


def nearness(
    question: bytes, words: Mapping[str, bytes], about: Mapping[str, Sequence[bytes]]
) -> dict[str, float]:
    """How near the question's words come to each candidate's, about 0 to 1.

    Args:
        question: As ``packed`` gives them.
        words: Of the candidates that have some.
        about: Of each candidate, the words of its tags.

    Returns:
        By candidate; one without words gets the mean of the rest. Empty when too few have words.
    """
    if not question or not words or len(words) < ENOUGH * len(about):
        return {}
    import numpy as np

    places: dict[bytes, int] = {}
    texts_of: dict[str, list[int]] = {}
    for key, own in words.items():
        texts = [places.setdefault(text, len(places)) for text in (own, *about[key]) if text]
        if texts:
            texts_of[key] = texts
    if not texts_of:
        return {}
    asked = np.frombuffer(question, np.int8).reshape(-1, DIMENSION).astype(np.float32)
    every = np.frombuffer(b"".join(places), np.int8).reshape(-1, DIMENSION).astype(np.float32)
    ends = np.cumsum([len(text) // DIMENSION for text in places])
    best_of_text = np.maximum.reduceat(every @ asked.T, np.r_[0, ends[:-1]])
    most = max(map(len, texts_of.values()))
    of_each = [texts + texts[:1] * (most - len(texts)) for texts in texts_of.values()]
    totals = best_of_text[np.array(of_each)].max(axis=1).sum(axis=1, dtype=np.float64)
    near = np.round(np.maximum(totals / (len(asked) * _UNIT * _UNIT), 0.0), _DECIMALS)
    found: dict[str, float] = dict(zip(texts_of, near.tolist(), strict=True))
    # Not a plain sum, whose last digits depend on the order.
    mean = round(math.fsum(found.values()) / len(found), _DECIMALS)
    return {key: found.get(key, mean) for key in about}
