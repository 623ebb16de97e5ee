"""The embedder that the person chose, followed when they choose another; the null one without."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import EmbeddingUnavailableError
from inklings_desktop.domain.likeness.calibration import UNMEASURED
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.embeddings.models import BUILT_IN_MODEL_ID, find_model, is_model_id
from inklings_desktop.embeddings.onnx_embedder import OnnxEmbedder, always
from inklings_desktop.logs import topic

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from inklings_desktop.domain.likeness.calibration import Calibration
    from inklings_desktop.domain.memories.vectors import FloatMatrix, FloatVector
    from inklings_desktop.usecases.ports.store import Embedder


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


_log = topic("embedding")


def select_embedder(
    model_id: str = BUILT_IN_MODEL_ID,
    *,
    models_dir: Path | None = None,
    words_wanted: Callable[[], bool] = always,
) -> Embedder:
    """The embedder of a model, not yet loaded; a missing model is not an error here.

    Args:
        model_id: Which model to use.
        models_dir: Folder of installed models; None means that only the built-in one is known.
        words_wanted: Whether the vectors of words are wanted as well; asked often.
    """
    try:
        return OnnxEmbedder(find_model(model_id, models_dir), words_wanted)
    except EmbeddingUnavailableError as error:
        _log.warning("no embedding model %s: %s %s", model_id, error.reason, error.detail)
        return NullEmbedder(model_id, error.reason, error.detail)


class FollowingEmbedder:
    """The embedder of whichever model is selected now.

    Whoever needs texts and model id to belong together asks ``pinned`` first.
    """

    def __init__(
        self,
        selected: Callable[[], str],
        models_dir: Path,
        words_wanted: Callable[[], bool] = always,
    ) -> None:
        """Follow a choice; nothing is loaded yet.

        Args:
            selected: The id of the selected model; asked often, so it must be cheap.
            models_dir: Folder of installed models.
            words_wanted: Whether the vectors of words are wanted as well; asked often, too.
        """
        self._selected = selected
        self._words_wanted = words_wanted
        self._models_dir = models_dir
        self._lock = threading.Lock()
        self._wanted: str | None = None
        self._was_there = False
        self._current: Embedder | None = None
        self._former: Embedder | None = None

    def pinned(self) -> Embedder:
        """The model in use, whatever is selected meanwhile."""
        wanted = self._selected()
        with self._lock:
            if self._current is None or self._wanted != wanted or self._has_come(wanted):
                self._was_there = self._is_there(wanted)
                self._current = select_embedder(
                    wanted, models_dir=self._models_dir, words_wanted=self._words_wanted
                )
                self._wanted = wanted
            return self._current

    def _has_come(self, wanted: str) -> bool:
        """Whether a model that was selected before it was installed is there by now."""
        is_missing = isinstance(self._current, NullEmbedder) and not self._was_there
        return is_missing and self._is_there(wanted)

    def _is_there(self, wanted: str) -> bool:
        return is_model_id(wanted) and (self._models_dir / wanted).is_dir()

    def former(self, model_id: str) -> Embedder:
        """Another model than the one in use, for vectors that it made; the latest one is kept."""
        with self._lock:
            if self._former is None or self._former.model_id != model_id:
                self._former = select_embedder(model_id, models_dir=self._models_dir)
            return self._former

    @property
    def model_id(self) -> str:
        """Name of the model in use."""
        return self.pinned().model_id

    @property
    def dimension(self) -> int:
        """Numbers per vector."""
        return self.pinned().dimension

    @property
    def is_available(self) -> bool:
        """Whether the model in use can embed, as far as is known."""
        return self.pinned().is_available

    @property
    def calibration(self) -> Calibration:
        """What the cosines of the model in use say."""
        return self.pinned().calibration

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """One vector per text, of the model in use.

        Raises:
            EmbeddingUnavailableError: No model, or it failed.
        """
        return self.pinned().embed(texts)

    def embed_question(self, text: str) -> FloatVector:
        """The vector of what is looked for, of the model in use.

        Raises:
            EmbeddingUnavailableError: No model, or it failed.
        """
        return self.pinned().embed_question(text)
