"""The vectors of the telling words of a text, from what the model's last layer says of each.

Which pieces of the vocabulary tell something is decided once: no marks, no endings of short forms,
no words that say nothing about what is looked for. A rotation that lies beside the model brings the
rest from its full length to 64 numbers; ``packaging/word_rotation.py`` makes it.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.search.late_interaction import DIMENSION, FORMAT, MOST_OF_A_TEXT
from inklings_desktop.domain.words.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    from inklings_desktop.domain.memories.vectors import FloatMatrix

ROTATION_FILE = "rotation.f16"
"""Little-endian float16, row after row, shape (dimension, 64)."""

_CONTINUES = "##"
_SHORT_FORMS = frozenset(["d", "ll", "m", "re", "s", "t", "ve"])
_N_BYTES = 2
_DIGITS_OF_NAME = 12


@dataclass(frozen=True, slots=True)
class Rotation:
    """What brings a word's vector to 64 numbers.

    Attributes:
        data: As the file holds it.
    """

    data: bytes

    def space(self, model_id: str) -> str:
        """Name of the space of this model's words; as short as it goes, for every row holds it."""
        named = f"{model_id} {FORMAT} ".encode() + self.data
        return hashlib.sha256(named).hexdigest()[:_DIGITS_OF_NAME]

    def matrix(self) -> FloatMatrix:
        """float32, shape (dimension, 64)."""
        import numpy as np

        return np.frombuffer(self.data, "<f2").reshape(-1, DIMENSION).astype(np.float32)


def rotation_of(folder: Path, dimension: int) -> Rotation | None:
    """The rotation of the model in this folder; None where there is none of this size."""
    try:
        data = (folder / ROTATION_FILE).read_bytes()
    except OSError:
        return None
    if len(data) != dimension * DIMENSION * _N_BYTES:
        return None
    return Rotation(data)


class WordReader:
    """Picks and turns the telling words of a model's vocabulary."""

    def __init__(self, vocabulary: Mapping[str, int], rotation: FloatMatrix) -> None:
        """Read words of this model.

        Args:
            vocabulary: Number of each piece.
            rotation: float32, shape (dimension, 64).
        """
        self._tells = telling(vocabulary)
        self._rotation = rotation

    def words(self, hidden: FloatMatrix, ids: Sequence[int]) -> FloatMatrix:
        """The telling words of one text, from its beginning.

        Args:
            hidden: float32, shape (at least n_tokens, dimension): the model's last layer.
            ids: Of its tokens.

        Returns:
            float32, shape (n_words, 64); every row of length 1.
        """
        import numpy as np

        places = np.flatnonzero(self._tells[ids])[:MOST_OF_A_TEXT]
        turned = hidden[places] @ self._rotation
        lengths = np.linalg.norm(turned, axis=1, keepdims=True)
        words: FloatMatrix = turned / np.maximum(lengths, np.float32(1e-12))
        return words


def telling(vocabulary: Mapping[str, int]) -> npt.NDArray[np.bool_]:
    """Whether each piece of a vocabulary tells something, by its number."""
    import numpy as np

    tells = np.zeros(1 + max(vocabulary.values()), np.bool_)
    for piece, number in vocabulary.items():
        letters = piece.removeprefix(_CONTINUES)
        tells[number] = (
            any(one.isalnum() for one in letters)
            and not letters.startswith("[")
            and piece not in STOP_WORDS
            and piece not in _SHORT_FORMS
        )
    return tells
