from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from inklings_desktop.domain.errors import EmbeddingUnavailableError
from inklings_desktop.domain.likeness.calibration import UNMEASURED, Calibration
from inklings_desktop.embeddings.models import (
    BUILT_IN_MODEL_ID,
    find_built_in_model,
    find_model,
    read_model_folder,
    resources_folder,
)
from inklings_desktop.embeddings.onnx_embedder import OnnxEmbedder
from tests.support.tiny_model import make_tiny_model, seal_manifest


def change_manifest(folder: Path, **changes: Any) -> None:
    path = folder / "model.json"
    fields = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(fields | changes), encoding="utf-8")


def test_built_in_model_is_complete_and_has_the_pinned_content() -> None:
    model = find_built_in_model()
    model.verify()
    assert model.model_id == BUILT_IN_MODEL_ID
    assert (model.dimension, model.max_tokens) == (384, 256)
    assert model.onnx.path.is_file()


def test_built_in_id_means_the_built_in_files_whatever_is_installed(model_folder: Path) -> None:
    impostor = model_folder.parent / BUILT_IN_MODEL_ID
    model_folder.rename(impostor)
    change_manifest(impostor, id=BUILT_IN_MODEL_ID)
    assert find_model(BUILT_IN_MODEL_ID, impostor.parent) == find_built_in_model()


def test_manifest_roles_and_cosines(tmp_path: Path) -> None:
    folder = make_tiny_model(tmp_path / "models" / "tiny-768")
    seal_manifest(folder)
    silent = read_model_folder(folder)
    assert (silent.question_prefix, silent.memory_prefix) == ("", "")
    # Nobody measured its scale: no likeness of meaning alone counts for anything.
    assert silent.calibration == UNMEASURED
    assert not silent.calibration.is_about(1.0)
    change_manifest(
        folder,
        roles={"question": "queen ", "memory": "harbour "},
        cosine_shown=0.8,
        cosine_folded=0.97,
        cosine_merged=0.985,
        languages=["de", "ja"],
    )
    model = read_model_folder(folder)
    assert model.calibration == Calibration(shown=0.8, folded=0.97, merged=0.985)
    assert model.languages == ("de", "ja")
    assert model.calibration.is_about(0.8)
    assert not model.calibration.is_about(0.79)
    telling, plain = OnnxEmbedder(model), OnnxEmbedder(silent)
    asked, kept = telling.embed_question("bell"), telling.embed(["bell"])
    np.testing.assert_array_equal(asked, plain.embed(["queen bell"])[0])
    np.testing.assert_array_equal(kept, plain.embed(["harbour bell"]))


def test_the_built_in_model_says_what_its_cosines_mean() -> None:
    model = find_built_in_model()
    assert model.calibration == Calibration(shown=0.25, folded=0.9, merged=0.95)
    assert (model.question_prefix, model.memory_prefix) == ("", "")
    assert model.languages == ("en",)


def test_resources_folder_holds_the_built_in_vocabulary() -> None:
    assert (resources_folder() / "models" / BUILT_IN_MODEL_ID / "tokenizer.json").is_file()


def test_installed_model_is_found_by_its_id(model_folder: Path) -> None:
    model = find_model("tiny", model_folder.parent)
    model.verify()
    assert (model.model_id, model.dimension, model.max_tokens) == ("tiny", 4, 16)
    assert model.onnx.path == model_folder / "model.onnx"


@pytest.mark.parametrize("model_id", ["nowhere", "../tiny", "", ".", "..", "a/b", "a\\b"])
def test_unknown_or_unsafe_id_is_missing(model_folder: Path, model_id: str) -> None:
    with pytest.raises(EmbeddingUnavailableError) as caught:
        find_model(model_id, model_folder.parent)
    assert caught.value.reason == "missing"


def test_without_a_folder_only_the_built_in_model_is_known() -> None:
    with pytest.raises(EmbeddingUnavailableError) as caught:
        find_model("tiny")
    assert caught.value.reason == "missing"


def test_folder_with_the_id_of_another_model_is_damaged(model_folder: Path) -> None:
    change_manifest(model_folder, id="other")
    with pytest.raises(EmbeddingUnavailableError) as caught:
        find_model("tiny", model_folder.parent)
    assert caught.value.reason == "damaged"


@pytest.mark.parametrize("name", ["model.json", "model.onnx", "tokenizer.json"])
def test_absent_file_is_named_as_missing(model_folder: Path, name: str) -> None:
    (model_folder / name).unlink()
    with pytest.raises(EmbeddingUnavailableError) as caught:
        read_model_folder(model_folder)
    assert caught.value.reason == "missing"
    assert name in caught.value.detail


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_cut_file_is_noticed_without_reading_it(model_folder: Path, name: str) -> None:
    (model_folder / name).write_bytes(b"x")
    with pytest.raises(EmbeddingUnavailableError) as caught:
        read_model_folder(model_folder)
    assert caught.value.reason == "damaged"
    assert name in caught.value.detail


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_changed_content_of_the_same_size_is_noticed_by_verify(
    model_folder: Path, name: str
) -> None:
    path = model_folder / name
    path.write_bytes(bytes(byte ^ 1 for byte in path.read_bytes()))
    model = read_model_folder(model_folder)
    with pytest.raises(EmbeddingUnavailableError) as caught:
        model.verify()
    assert caught.value.reason == "damaged"
    assert name in caught.value.detail


@pytest.mark.parametrize(
    "changes",
    [
        {"dimension": 0},
        {"dimension": "384"},
        {"max_tokens": True},
        {"files": {}},
        {"files": None},
        {"roles": "query: "},
        {"roles": {"question": 1}},
        {"cosine_shown": "0.8"},
        {"cosine_folded": 1.5},
        {"cosine_merged": True},
        {"languages": [1]},
    ],
)
def test_manifest_with_a_wrong_value_is_damaged(
    model_folder: Path, changes: dict[str, Any]
) -> None:
    change_manifest(model_folder, **changes)
    with pytest.raises(EmbeddingUnavailableError) as caught:
        read_model_folder(model_folder)
    assert caught.value.reason == "damaged"


@pytest.mark.parametrize("text", ["", "not json", "[]", "\udc80"])
def test_unreadable_manifest_is_damaged(model_folder: Path, text: str) -> None:
    (model_folder / "model.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(EmbeddingUnavailableError) as caught:
        read_model_folder(model_folder)
    assert caught.value.reason == "damaged"


def test_model_with_another_pooling_is_refused_rather_than_run_wrongly(model_folder: Path) -> None:
    change_manifest(model_folder, pooling="first")
    with pytest.raises(EmbeddingUnavailableError) as caught:
        read_model_folder(model_folder)
    assert caught.value.reason == "failed"
