"""What stands in when there is no model: search goes on with text alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import EmbeddingUnavailableError
from inklings_desktop.domain.likeness.calibration import UNMEASURED
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.likeness.calibration import Calibration
    from inklings_desktop.domain.memories.vectors import FloatMatrix, FloatVector


@dataclass(frozen=True, slots=True)
class NullEmbedder:
    """An embedder without a model; remembers why, so that a person can be told.

    Attributes:
        model_id: The model that was wanted.
        reason: Stable word of ``EmbeddingUnavailableError``.
        detail: For logs.
    """

    model_id: str
    reason: str = "missing"
    detail: str = ""

    @property
    def dimension(self) -> int:
        """Numbers per vector: none."""
        return 0

    @property
    def is_available(self) -> bool:
        """Never."""
        return False

    @property
    def calibration(self) -> Calibration:
        """There is nothing to be measured."""
        return UNMEASURED

    def pinned(self) -> NullEmbedder:
        """This model, whatever is selected meanwhile."""
        return self

    def embed(self, texts: Sequence[str]) -> FloatMatrix:  # noqa: ARG002 - the port's signature
        """No vectors, whatever the texts.

        Raises:
            EmbeddingUnavailableError: Always, with the reason given at construction.
        """
        raise EmbeddingUnavailableError(self.reason, self.detail)

    def embed_question(self, text: str) -> FloatVector:  # noqa: ARG002 - the port's signature
        """No vector, whatever the text.

        Raises:
            EmbeddingUnavailableError: Always, with the reason given at construction.
        """
        raise EmbeddingUnavailableError(self.reason, self.detail)
