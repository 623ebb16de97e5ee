# ruff: noqa: INP001 - a package named like this folder would hide the library of that name
"""Makes the rotation that brings a model's vectors of words from full length to 64 numbers.

    python packaging/word_rotation.py

Learnt from this repository's own texts alone: the sample world, the guide and the documentation
pages. It keeps the 64 directions in which the telling words of these texts differ most: the
eigenvectors of their second moments with the largest eigenvalues. Those are turned by a Hadamard
matrix, so that every number holds a like share of what tells words apart: each is kept with as few
bits as the next.

Writes ``resources/models/<built-in model>/rotation.f16``. A changed rotation makes another space,
by which every program notices that what it has kept of words has to be made again; so it is made
anew only when the model or the format changes, not when a text does.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from inklings_desktop.domain.search.late_interaction import DIMENSION
from inklings_desktop.embeddings.models import BUILT_IN_MODEL_ID, find_built_in_model
from inklings_desktop.embeddings.onnx_embedder import ROTATION_FILE, telling

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inklings_desktop.domain.memories.vectors import FloatMatrix
    from inklings_desktop.embeddings.models import ModelFolder

ROOT = Path(__file__).resolve().parent.parent
_SHORTEST = 20


def texts() -> Iterator[str]:
    """Sentences and paragraphs of ours."""
    world = json.loads((ROOT / "resources" / "sample_world.json").read_text(encoding="utf-8"))
    yield from _strings(world)
    pages = [*ROOT.glob("docs/**/*.md"), *ROOT.glob("resources/**/*.md"), ROOT / "README.md"]
    for page in sorted(pages):
        for part in re.split(r"\n\s*\n", page.read_text(encoding="utf-8")):
            if len(part) > _SHORTEST and not part.startswith(("```", "|")):
                yield part


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        if len(value) > _SHORTEST and " " in value:
            yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


def words_of(model: ModelFolder, read: Iterable[str]) -> FloatMatrix:
    """What the model's last layer says of each telling word; float32, shape (n, dimension)."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read when the library is imported
    import onnxruntime
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(model.tokenizer.path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=model.max_tokens)
    tells = telling(tokenizer.get_vocab())
    session = onnxruntime.InferenceSession(str(model.onnx.path), providers=["CPUExecutionProvider"])
    found = []
    for text in read:
        ids = np.array([tokenizer.encode(text).ids], np.int64)
        feed = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        (hidden,) = session.run(None, feed)
        found.append(hidden[0][tells[ids[0]]])
    every: FloatMatrix = np.concatenate(found)
    return every


def rotation(words: FloatMatrix) -> FloatMatrix:
    """The directions that tell these words apart, evened out.

    Args:
        words: float32, shape (n, dimension).

    Returns:
        float32, shape (dimension, 64).
    """
    unit = words / np.linalg.norm(words, axis=1, keepdims=True)
    _, directions = np.linalg.eigh(unit.T.astype(np.float64) @ unit.astype(np.float64))
    hadamard = np.ones((1, 1))
    while len(hadamard) < DIMENSION:
        hadamard = np.kron([[1, 1], [1, -1]], hadamard)
    turned = directions[:, ::-1][:, :DIMENSION] @ hadamard / np.sqrt(DIMENSION)
    even: FloatMatrix = turned.astype(np.float32)
    return even


def main() -> None:
    """Make and write it."""
    words = words_of(find_built_in_model(), texts())
    path = ROOT / "resources" / "models" / BUILT_IN_MODEL_ID / ROTATION_FILE
    path.write_bytes(rotation(words).astype("<f2").tobytes())
    sys.stdout.write(f"{path.relative_to(ROOT)}: learnt from {len(words):,} words\n")


if __name__ == "__main__":
    main()
