"""How near the words of a question come to words of a memory, each where it stands.

Late interaction (Khattab and Zaharia 2020): for each telling word of the question the best cosine
among the words of the memory and of its tags, averaged. A word is a vector of 64 numbers. Those of
a question are small whole numbers; of those that are kept each is one of four, which take 16 bytes
a word. Their products are whole numbers that single precision holds exactly, so a figure depends
neither on the order of the rows nor on the machine.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import numpy.typing as npt

    from inklings_desktop.domain.memories.vectors import FloatMatrix

DIMENSION = 64
BYTES_OF_A_WORD = 16
"""Of one that is kept; one of a question takes 64."""
FORMAT = "2 bits"
"""Of what is kept: part of the name of a space, so that another format is never misread."""
MOST_OF_A_TEXT = 128
"""Words of a text that are kept, from its beginning."""
MOST_OF_A_QUESTION = 32
ENOUGH = 0.8
"""Share of the candidates that must have words before words weigh."""

_UNIT = 254.0
"""Length of a question's vector in whole numbers: what goes beyond 127 is rare, and cut."""
_LEVELS = (-10, -3, 3, 10)
"""What a kept number becomes. Turned as the rotation leaves them, the numbers of a word are spread
as a bell: the four levels and the cut between them are those that lose least of it (Max 1960)."""
_CUT = 0.9816 / math.sqrt(DIMENSION)
_UNIT_KEPT = 47.0
"""What the products with kept vectors are measured by: a word beside itself is 1 in the mean."""
_WHOLE = 64
"""Bytes that the table of words counts in."""
_COLUMNS = 8
_AT_ONCE = 1_024
"""Words that are taken apart at once: of more the numbers do not stay near the processor."""
_DECIMALS = 9


def asked_words(words: FloatMatrix) -> bytes:
    """Vectors of the words of a question.

    Args:
        words: float32, shape (n, 64); every row of length 1.

    Returns:
        int8, row after row; 64 bytes a word.
    """
    import numpy as np

    return np.clip(np.round(words * _UNIT), -127, 127).astype(np.int8).tobytes()


def kept_words(words: FloatMatrix) -> bytes:
    """Vectors of the words of a memory or tag as they are stored.

    Args:
        words: float32, shape (n, 64); every row of length 1.

    Returns:
        Row after row, four numbers a byte and 16 bytes a word; the last one again until there are
        whole 64 bytes, which changes no best.
    """
    import numpy as np

    words = np.pad(words, ((0, -len(words) % (_WHOLE // BYTES_OF_A_WORD)), (0, 0)), "edge")
    levels = np.digitize(words, (-_CUT, 0.0, _CUT)).reshape(-1, BYTES_OF_A_WORD, 4)
    packed: bytes = (levels << (0, 2, 4, 6)).sum(axis=2).astype(np.uint8).tobytes()
    return packed


@cache
def _four_of_each_byte() -> FloatMatrix:
    """float32, shape (256, 4): the numbers that a byte stands for."""
    import numpy as np

    numbers: FloatMatrix = np.array(_LEVELS, np.float32)[
        np.arange(256)[:, None] >> (0, 2, 4, 6) & 3
    ]
    return numbers


def _products(kept: npt.NDArray[np.uint8], asked: FloatMatrix) -> FloatMatrix:
    """Every kept word with every word of the question.

    Args:
        kept: Bytes, shape (16 * n_words,).
        asked: float32, shape (64, n_asked).

    Returns:
        float32, shape (n_words, n_asked).
    """
    import numpy as np

    four, n_words = _four_of_each_byte(), len(kept) // BYTES_OF_A_WORD
    products = np.empty((n_words, asked.shape[1]), np.float32)
    numbers = np.empty((min(n_words, _AT_ONCE) * BYTES_OF_A_WORD, 4), np.float32)
    for begin in range(0, n_words, _AT_ONCE):
        part = kept[begin * BYTES_OF_A_WORD : (begin + _AT_ONCE) * BYTES_OF_A_WORD]
        some = four.take(part, axis=0, out=numbers[: len(part)], mode="clip")
        np.matmul(some.reshape(-1, DIMENSION), asked, out=products[begin : begin + _AT_ONCE])
    return products


def nearness(
    question: bytes, words: Mapping[str, bytes], about: Mapping[str, bytes]
) -> dict[str, float]:
    """How near the question's words come to each candidate's, about 0 to 1.

    Args:
        question: As ``asked_words`` gives them.
        words: Of the candidates that have some, as ``kept_words`` gives them.
        about: Of each candidate, the words of all its tags.

    Returns:
        By candidate; one without words gets the mean of the rest. Empty when too few have words.
    """
    if not question or not words or len(words) < ENOUGH * len(about):
        return {}
    import numpy as np

    # Never empty: what has words of one kind alone is compared with those twice.
    pairs = {key: (own or about[key], about[key] or own) for key, own in words.items()}
    pairs = {key: texts for key, texts in pairs.items() if texts[0]}
    if not pairs:
        return {}
    places: dict[bytes, int] = {}
    own = [places.setdefault(text, len(places)) for text, _ in pairs.values()]
    named = [places.setdefault(text, len(places)) for _, text in pairs.values()]
    ends = accumulate([len(text) // BYTES_OF_A_WORD for text in places], initial=0)
    begins = list(ends)[:-1]
    n_asked = len(question) // DIMENSION
    # A product is a third faster by whole registers of columns; those of zeros add nothing.
    asked = np.zeros((DIMENSION, n_asked + -n_asked % _COLUMNS), np.float32)
    asked[:, :n_asked] = np.frombuffer(question, np.int8).reshape(-1, DIMENSION).T
    kept = np.frombuffer(b"".join(places), np.uint8)
    best_of_text = np.maximum.reduceat(_products(kept, asked), begins)
    best = np.maximum(best_of_text[own], best_of_text[named])
    totals = best.sum(axis=1, dtype=np.float64)
    near = np.round(np.maximum(totals / (n_asked * _UNIT * _UNIT_KEPT), 0.0), _DECIMALS)
    found: dict[str, float] = dict(zip(pairs, near.tolist(), strict=True))
    # Not a plain sum, whose last digits depend on the order.
    mean = round(math.fsum(found.values()) / len(found), _DECIMALS)
    return {key: found.get(key, mean) for key in about}
