"""A real embedding model of any dimension, made by the test: one vector per word, averaged.

The network is a single look-up in a table, written out in the format's own bytes, because the
library that writes such files is not needed for anything else.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np
from tokenizers import Tokenizer, models, pre_tokenizers

if TYPE_CHECKING:
    from pathlib import Path

WORDS = "[UNK] the queen fears sea gull tide harbour bell rope salt tower winter".split()  # noqa: SIM905 - a list of one word a line helps nobody
_FLOAT, _INT64 = 1, 7
_VARINT, _BYTES = 0, 2


def make_tiny_model(
    folder: Path, model_id: str = "tiny-768", dimension: int = 768, *, pooling: str = "mean"
) -> Path:
    """A complete model folder whose manifest leaves sizes and hashes to the installer."""
    folder.mkdir(parents=True)
    table = np.random.default_rng(3).standard_normal((len(WORDS), dimension)).astype("<f4")
    (folder / "model.onnx").write_bytes(_network(table))
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    manifest = {"id": model_id, "dimension": dimension, "max_tokens": 64, "pooling": pooling}
    (folder / "model.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def seal_manifest(folder: Path) -> dict[str, Any]:
    """The manifest, with sizes and hashes written into it as an installer would."""
    path = folder / "model.json"
    manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    manifest["files"] = {
        name: {
            "bytes": (folder / name).stat().st_size,
            "sha256": hashlib.sha256((folder / name).read_bytes()).hexdigest(),
        }
        for name in ("model.onnx", "tokenizer.json")
    }
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return manifest


def _network(table: np.ndarray) -> bytes:
    """``hidden = table[input_ids]``; the mask is an input that nothing reads."""
    n_words, dimension = table.shape
    node = _text(1, "table") + _text(1, "input_ids") + _text(2, "hidden") + _text(4, "Gather")
    weights = (
        _number(1, n_words) + _number(1, dimension) + _number(2, _FLOAT)
        + _text(8, "table") + _block(9, table.tobytes())
    )  # fmt: skip
    graph = (
        _block(1, node)
        + _text(2, "tiny")
        + _block(5, weights)
        + _block(11, _value("input_ids", _INT64, ["texts", "tokens"]))
        + _block(11, _value("attention_mask", _INT64, ["texts", "tokens"]))
        + _block(12, _value("hidden", _FLOAT, ["texts", "tokens", dimension]))
    )
    return _number(1, 8) + _block(8, _text(1, "") + _number(2, 13)) + _block(7, graph)


def _value(name: str, kind: int, shape: list[str | int]) -> bytes:
    dims = b"".join(
        _block(1, _number(1, one) if isinstance(one, int) else _text(2, one)) for one in shape
    )
    return _text(1, name) + _block(2, _block(1, _number(1, kind) + _block(2, dims)))


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def _number(field: int, number: int) -> bytes:
    return _varint(field << 3 | _VARINT) + _varint(number)


def _block(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | _BYTES) + _varint(len(content)) + content


def _text(field: int, text: str) -> bytes:
    return _block(field, text.encode())
