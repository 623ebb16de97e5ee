from __future__ import annotations

from pathlib import Path

import pytest

from inklings_desktop.embeddings.following_embedder import NullEmbedder, select_embedder
from inklings_desktop.embeddings.models import BUILT_IN_MODEL_ID
from inklings_desktop.embeddings.onnx_embedder import OnnxEmbedder


def test_built_in_model_is_the_default_and_is_available() -> None:
    embedder = select_embedder()
    assert isinstance(embedder, OnnxEmbedder)
    assert embedder.model_id == BUILT_IN_MODEL_ID
    assert embedder.dimension == 384
    assert embedder.is_available


def test_installed_model_is_selected_by_its_id(model_folder: Path) -> None:
    embedder = select_embedder("tiny", models_dir=model_folder.parent)
    assert isinstance(embedder, OnnxEmbedder)
    assert (embedder.model_id, embedder.dimension) == ("tiny", 4)


def test_missing_model_gives_the_null_embedder_and_a_line_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    embedder = select_embedder("nowhere", models_dir=tmp_path)
    assert isinstance(embedder, NullEmbedder)
    assert (embedder.model_id, embedder.reason) == ("nowhere", "missing")
    assert "nowhere" in caplog.text


def test_damaged_model_gives_the_null_embedder_with_that_reason(model_folder: Path) -> None:
    (model_folder / "model.onnx").write_bytes(b"")
    embedder = select_embedder("tiny", models_dir=model_folder.parent)
    assert isinstance(embedder, NullEmbedder)
    assert embedder.reason == "damaged"
