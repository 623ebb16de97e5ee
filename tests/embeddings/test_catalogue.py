from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from inklings_desktop.domain.errors import (
    ConflictError,
    EmbeddingUnavailableError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.embeddings.catalogue import FolderCatalogue
from inklings_desktop.embeddings.following_embedder import FollowingEmbedder
from inklings_desktop.embeddings.models import BUILT_IN_MODEL_ID, SettingsChoice
from tests.support.tiny_model import make_tiny_model


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


@pytest.fixture
def catalogue(root: Path) -> FolderCatalogue:
    return FolderCatalogue(root, SettingsChoice(root))


def names(catalogue: FolderCatalogue) -> list[tuple[str, bool]]:
    return [(one.id, one.is_selected) for one in catalogue.models()]


def test_a_model_of_768_numbers_is_installed_selected_and_removed(
    tmp_path: Path, root: Path, catalogue: FolderCatalogue
) -> None:
    installed = catalogue.install(make_tiny_model(tmp_path / "download"))
    assert (installed.id, installed.dimension, installed.is_selected) == ("tiny-768", 768, False)
    assert names(catalogue) == [(BUILT_IN_MODEL_ID, True), ("tiny-768", False)]
    embedder = FollowingEmbedder(SettingsChoice(root), root / "models")
    before = embedder.pinned()
    assert catalogue.select("tiny-768").is_selected
    assert (before.model_id, embedder.model_id) == (BUILT_IN_MODEL_ID, "tiny-768")
    vectors = embedder.embed(["the queen fears the sea", "gull", "the queen fears the sea"])
    assert vectors.shape == (3, 768)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    np.testing.assert_allclose(vectors[0], vectors[2], atol=1e-5)
    assert float(vectors[0] @ vectors[1]) < 0.9
    with pytest.raises(InvalidValueError) as caught:
        catalogue.remove("tiny-768")
    assert caught.value.rule == "in_use"
    catalogue.select(BUILT_IN_MODEL_ID)
    catalogue.remove("tiny-768")
    assert names(catalogue) == [(BUILT_IN_MODEL_ID, True)]


def test_a_model_may_take_its_vector_from_the_first_token(
    tmp_path: Path, root: Path, catalogue: FolderCatalogue
) -> None:
    catalogue.install(make_tiny_model(tmp_path / "download", pooling="cls"))
    catalogue.select("tiny-768")
    embedder = FollowingEmbedder(SettingsChoice(root), root / "models")
    same_start = embedder.embed(["queen fears", "queen harbour bell"])
    np.testing.assert_allclose(same_start[0], same_start[1], atol=1e-6)


def test_a_second_model_of_the_same_name_is_refused(
    tmp_path: Path, catalogue: FolderCatalogue
) -> None:
    catalogue.install(make_tiny_model(tmp_path / "one"))
    with pytest.raises(ConflictError):
        catalogue.install(make_tiny_model(tmp_path / "two", dimension=4))
    assert catalogue.models()[1].dimension == 768


@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        ("no folder", "no_folder"),
        ("no network", "file_missing"),
        ("broken manifest", "manifest"),
        ("bad id", "id"),
        ("built-in id", "id"),
    ],
)
def test_what_is_no_model_folder_is_refused_and_leaves_nothing(
    tmp_path: Path, root: Path, catalogue: FolderCatalogue, damage: str, expected: str
) -> None:
    folder = make_tiny_model(tmp_path / "download")
    manifest = json.loads((folder / "model.json").read_text())
    if damage == "no folder":
        folder = tmp_path / "nowhere"
    elif damage == "no network":
        (folder / "model.onnx").unlink()
    elif damage == "broken manifest":
        (folder / "model.json").write_text("{")
    else:
        manifest["id"] = "../escape" if damage == "bad id" else BUILT_IN_MODEL_ID
        (folder / "model.json").write_text(json.dumps(manifest))
    with pytest.raises(InvalidValueError) as caught:
        catalogue.install(folder)
    assert caught.value.rule == expected
    assert not (root / "models").exists() or list((root / "models").iterdir()) == []


@pytest.mark.parametrize("damage", ["network", "dimension", "hash"])
def test_a_model_that_does_not_run_is_not_installed(
    tmp_path: Path, root: Path, catalogue: FolderCatalogue, damage: str
) -> None:
    folder = make_tiny_model(tmp_path / "download")
    manifest = json.loads((folder / "model.json").read_text())
    if damage == "network":
        (folder / "model.onnx").write_bytes(b"not a network")
    elif damage == "dimension":
        manifest["dimension"] = 384
    else:
        pin = {"bytes": 1, "sha256": "0" * 64}
        manifest["files"] = {"model.onnx": pin, "tokenizer.json": pin}
    (folder / "model.json").write_text(json.dumps(manifest))
    with pytest.raises(EmbeddingUnavailableError):
        catalogue.install(folder)
    assert list((root / "models").iterdir()) == []


def test_an_unknown_model_is_neither_selected_nor_removed(catalogue: FolderCatalogue) -> None:
    for verb in (catalogue.select, catalogue.remove):
        with pytest.raises(NotFoundError):
            verb("nothing")
        with pytest.raises(NotFoundError):
            verb("../..")


def test_another_programs_choice_is_followed_and_a_vanished_model_leaves_words(
    tmp_path: Path, root: Path, catalogue: FolderCatalogue
) -> None:
    embedder = FollowingEmbedder(SettingsChoice(root), root / "models")
    assert embedder.model_id == BUILT_IN_MODEL_ID
    elsewhere = FolderCatalogue(root, SettingsChoice(root))
    elsewhere.install(make_tiny_model(tmp_path / "download"))
    elsewhere.select("tiny-768")
    assert (embedder.model_id, embedder.dimension) == ("tiny-768", 768)
    (root / "models" / "tiny-768" / "model.onnx").unlink()
    again = FollowingEmbedder(SettingsChoice(root), root / "models")
    assert (again.model_id, again.is_available) == ("tiny-768", False)


def test_a_model_that_was_missing_is_used_once_it_is_there(
    tmp_path: Path, root: Path, catalogue: FolderCatalogue
) -> None:
    embedder = FollowingEmbedder(lambda: "tiny-768", root / "models")
    missing = embedder.pinned()
    assert not missing.is_available
    assert embedder.pinned() is missing
    catalogue.install(make_tiny_model(tmp_path / "download"))
    assert (embedder.is_available, embedder.dimension) == (True, 768)
