from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from inklings_desktop.domain.search.late_interaction import (
    BYTES_OF_A_WORD,
    DIMENSION,
    MOST_OF_A_TEXT,
    nearness,
)
from inklings_desktop.embeddings.following_embedder import FollowingEmbedder
from inklings_desktop.embeddings.models import BUILT_IN_MODEL_ID, find_built_in_model
from inklings_desktop.embeddings.onnx_embedder import (
    ROTATION_FILE,
    OnnxEmbedder,
    Rotation,
    rotation_of,
    telling,
)
from inklings_desktop.usecases.ports.tokens import word_embedder

MODEL = find_built_in_model()
FOLDER = MODEL.tokenizer.path.parent
FORMER_SPACE = "all-MiniLM-L6-v2-int8/a8178bef821c"
"""Of words with 64 bytes each."""


def shipped() -> Rotation:
    found = rotation_of(FOLDER, MODEL.dimension)
    assert found is not None
    return found


def n_words(embedder: OnnxEmbedder, text: str) -> int:
    return len(embedder.read_question(text).words[0]) // DIMENSION


def test_the_rotation_that_ships_keeps_lengths_and_angles() -> None:
    matrix = shipped().matrix()

    assert matrix.shape == (384, DIMENSION)
    np.testing.assert_allclose(matrix.T @ matrix, np.eye(DIMENSION), atol=2e-3)


def test_vectors_are_the_same_with_words_and_without(embedder: OnnxEmbedder) -> None:
    texts = ["The harbour of Vael drowns.", "", "Ink", "The old lighthouse keeper sleeps. " * 9]
    read = embedder.read(texts)

    assert read.vectors.tobytes() == embedder.embed(texts).tobytes()
    # Vael is two pieces of the vocabulary: 5, 0, 1 and 36 words, in fours.
    assert [len(one) // BYTES_OF_A_WORD for one in read.words] == [8, 0, 4, 36]


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("Where is the harbour?", 1),
        ("the of and", 0),
        ("It's 12 o'clock, isn't it?", 4),  # 12, o, clock, isn
        ("龍の島", 3),
        ("🐉", 0),
    ],
)
def test_only_telling_words_have_vectors(embedder: OnnxEmbedder, text: str, n: int) -> None:
    assert n_words(embedder, text) == n


def test_company_in_a_batch_hardly_changes_a_word(embedder: OnnxEmbedder) -> None:
    texts = ["The harbour drowns.", "Ysolde keeps the only key to the archive of the old town."]
    for together, text in zip(embedder.read(texts).words, texts, strict=True):
        alone = embedder.read_question(text).words[0]
        assert nearness(alone, {"it": together}, {"it": b""})["it"] == pytest.approx(1.0, abs=0.05)


def test_words_of_a_long_text_are_kept_to_some_length(embedder: OnnxEmbedder) -> None:
    assert n_words(embedder, "river " * 300) == MOST_OF_A_TEXT


def test_a_word_is_nearer_to_what_means_the_same_than_to_another(embedder: OnnxEmbedder) -> None:
    texts = ["The ship sank near the pier", "Bread is baked on Mondays"]
    question = embedder.read_question("Which vessel went under?").words[0]
    words = dict(zip("ab", embedder.read(texts).words, strict=True))

    near = nearness(question, words, dict.fromkeys(words, b""))

    assert near["a"] > near["b"] + 0.1


def test_the_space_is_named_by_model_format_and_rotation(tmp_path: Path) -> None:
    space = OnnxEmbedder(MODEL).token_space
    assert space == shipped().space(MODEL.model_id)
    assert len({space, shipped().space("another"), FORMER_SPACE}) == 3
    shutil.copy(MODEL.tokenizer.path, tmp_path)
    moved = replace(MODEL, tokenizer=replace(MODEL.tokenizer, path=tmp_path / "tokenizer.json"))
    (tmp_path / ROTATION_FILE).write_bytes(shipped().data[::-1])

    assert OnnxEmbedder(moved).token_space not in {"", space}


@pytest.mark.parametrize("data", [None, b"", b"\0" * 100])
def test_without_a_rotation_of_its_size_a_model_gives_no_words(
    tmp_path: Path, data: bytes | None
) -> None:
    if data is not None:
        (tmp_path / ROTATION_FILE).write_bytes(data)
    shutil.copy(MODEL.tokenizer.path, tmp_path)
    bare = OnnxEmbedder(
        replace(MODEL, tokenizer=replace(MODEL.tokenizer, path=tmp_path / "tokenizer.json"))
    )

    assert bare.token_space == ""
    assert word_embedder(bare) is None
    assert bare.read(["The harbour"]).words == [b""]


def test_the_switch_holds_from_the_next_text_on(tmp_path: Path) -> None:
    switch = {"on": True}
    embedder = FollowingEmbedder(lambda: BUILT_IN_MODEL_ID, tmp_path, lambda: switch["on"])
    assert word_embedder(embedder.pinned()) is not None

    switch["on"] = False

    assert word_embedder(embedder.pinned()) is None


def test_marks_and_function_words_tell_nothing() -> None:
    pieces = {"[CLS]": 0, "the": 1, "harbour": 2, "##s": 3, ",": 4, "12": 5, "s": 6, "島": 7}

    assert telling(pieces).tolist() == [False, False, True, True, False, True, False, True]
