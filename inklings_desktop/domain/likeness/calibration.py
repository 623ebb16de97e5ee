"""From which cosine on two texts have to do with each other: each model has a scale of its own.

What one model calls unrelated (.08) another places at .79, so no figure of one says anything of
another.
"""

from __future__ import annotations

from inklings_desktop.domain.plain_data import dataclass


@dataclass(frozen=True, slots=True)
class Calibration:
    """The marks on the scale of one model; None where nobody has measured it.

    Attributes:
        shown: From here on a memory that shares no word with the query is about the same.
        folded: Above it a memory of a file to import is alike to one that is here.
        merged: Above it two memories are put before the author as alike.
    """

    shown: float | None = None
    folded: float | None = None
    merged: float | None = None

    def is_about(self, cosine: float | None) -> bool:
        """Whether this likeness alone says that a memory has to do with the query."""
        return self.shown is not None and cosine is not None and cosine >= self.shown

    def above(self, cosine: float | None) -> float | None:
        """How far a likeness lies above ``shown``, as a share of what there is above it.

        None where the model's scale is unknown; -1 for a memory that could not be compared.
        """
        if self.shown is None:
            return None
        return -1.0 if cosine is None else (cosine - self.shown) / (1.0 - self.shown)


UNMEASURED = Calibration()
"""Of a model that says nothing of its scale: nothing is found, folded or alike by cosine alone."""
