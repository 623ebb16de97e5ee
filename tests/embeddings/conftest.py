from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.embeddings.models import find_built_in_model
from inklings_desktop.embeddings.onnx_embedder import OnnxEmbedder

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def embedder() -> OnnxEmbedder:
    """The built-in model, loaded once for the whole run."""
    return OnnxEmbedder(find_built_in_model())


@pytest.fixture
def model_folder(tmp_path: Path) -> Path:
    """A complete folder of an installed model whose two files are no model at all."""
    folder = tmp_path / "models" / "tiny"
    folder.mkdir(parents=True)
    content = {"model.onnx": b"not a network", "tokenizer.json": b"{}"}
    for name, data in content.items():
        (folder / name).write_bytes(data)
    manifest = {
        "id": "tiny",
        "dimension": 4,
        "max_tokens": 16,
        "pooling": "mean",
        "files": {
            name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in content.items()
        },
    }
    (folder / "model.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder
