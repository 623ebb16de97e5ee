from __future__ import annotations

import pytest

from inklings_desktop.domain.errors import EmbeddingUnavailableError
from inklings_desktop.embeddings.following_embedder import NullEmbedder


def test_null_embedder_is_never_available_and_says_why() -> None:
    embedder = NullEmbedder("absent-model", "damaged", "model.onnx")
    assert not embedder.is_available
    assert embedder.model_id == "absent-model"
    assert embedder.dimension == 0
    with pytest.raises(EmbeddingUnavailableError) as caught:
        embedder.embed(["a text"])
    assert (caught.value.reason, caught.value.detail) == ("damaged", "model.onnx")


def test_null_embedder_refuses_even_an_empty_batch() -> None:
    with pytest.raises(EmbeddingUnavailableError):
        NullEmbedder("absent-model").embed([])
