"""Which embedder answers: the wanted model's, or the null one with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import EmbeddingUnavailableError
from inklings_desktop.embeddings.models import BUILT_IN_MODEL_ID, find_model
from inklings_desktop.embeddings.null_embedder import NullEmbedder
from inklings_desktop.embeddings.onnx_embedder import OnnxEmbedder, always
from inklings_desktop.logs import topic

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inklings_desktop.usecases.ports.store import Embedder

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
