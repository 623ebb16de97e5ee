"""Text to vectors on the processor: one for a text, and one for each of its telling words.

The tokenizer file that comes with the built-in model pads every text to 128 tokens and cuts it
there. Both are switched off: texts are cut at the model's own limit and padded only as far as the
longest text of their batch, which is several times faster for memories of usual length.
"""

from __future__ import annotations

import hashlib
import os
import threading
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import DimensionMismatchError, EmbeddingUnavailableError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.search.late_interaction import (
    DIMENSION,
    FORMAT,
    MOST_OF_A_TEXT,
    asked_words,
    kept_words,
)
from inklings_desktop.domain.words.function_words import STOP_WORDS
from inklings_desktop.logs import topic
from inklings_desktop.usecases.ports.tokens import Read

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

    from inklings_desktop.domain.likeness.calibration import Calibration
    from inklings_desktop.domain.memories.vectors import FloatMatrix, FloatVector
    from inklings_desktop.embeddings.models import ModelFolder

    TokenMatrix = npt.NDArray[np.int64]

ROTATION_FILE = "rotation.f16"
"""Little-endian float16, row after row, shape (dimension, 64)."""

_CONTINUES = "##"
_SHORT_FORMS = frozenset(["d", "ll", "m", "re", "s", "t", "ve"])
_N_BYTES = 2
_DIGITS_OF_NAME = 12


@dataclass(frozen=True, slots=True)
class Rotation:
    """What brings a word's vector to 64 numbers.

    Attributes:
        data: As the file holds it.
    """

    data: bytes

    def space(self, model_id: str) -> str:
        """Name of the space of this model's words; as short as it goes, for every row holds it."""
        named = f"{model_id} {FORMAT} ".encode() + self.data
        return hashlib.sha256(named).hexdigest()[:_DIGITS_OF_NAME]

    def matrix(self) -> FloatMatrix:
        """float32, shape (dimension, 64)."""
        import numpy as np

        return np.frombuffer(self.data, "<f2").reshape(-1, DIMENSION).astype(np.float32)


def rotation_of(folder: Path, dimension: int) -> Rotation | None:
    """The rotation of the model in this folder; None where there is none of this size."""
    try:
        data = (folder / ROTATION_FILE).read_bytes()
    except OSError:
        return None
    if len(data) != dimension * DIMENSION * _N_BYTES:
        return None
    return Rotation(data)


class WordReader:
    """Picks and turns the telling words of a model's vocabulary."""

    def __init__(self, vocabulary: Mapping[str, int], rotation: FloatMatrix) -> None:
        """Read words of this model.

        Args:
            vocabulary: Number of each piece.
            rotation: float32, shape (dimension, 64).
        """
        self._tells = telling(vocabulary)
        self._rotation = rotation

    def words(self, hidden: FloatMatrix, ids: Sequence[int]) -> FloatMatrix:
        """The telling words of one text, from its beginning.

        Args:
            hidden: float32, shape (at least n_tokens, dimension): the model's last layer.
            ids: Of its tokens.

        Returns:
            float32, shape (n_words, 64); every row of length 1.
        """
        import numpy as np

        places = np.flatnonzero(self._tells[ids])[:MOST_OF_A_TEXT]
        turned = hidden[places] @ self._rotation
        lengths = np.linalg.norm(turned, axis=1, keepdims=True)
        words: FloatMatrix = turned / np.maximum(lengths, np.float32(1e-12))
        return words


def telling(vocabulary: Mapping[str, int]) -> npt.NDArray[np.bool_]:
    """Whether each piece of a vocabulary tells something, by its number."""
    import numpy as np

    tells = np.zeros(1 + max(vocabulary.values()), np.bool_)
    for piece, number in vocabulary.items():
        letters = piece.removeprefix(_CONTINUES)
        tells[number] = (
            any(one.isalnum() for one in letters)
            and not letters.startswith("[")
            and piece not in STOP_WORDS
            and piece not in _SHORT_FORMS
        )
    return tells


BATCH_SIZE = 8

_log = topic("embedding")


@dataclass(frozen=True, slots=True)
class _LoadedModel:
    session: InferenceSession
    tokenizer: Tokenizer
    wants_token_types: bool
    words: WordReader | None


def always() -> bool:
    """Whatever is set."""
    return True


class OnnxEmbedder:
    """Vectors of one model, computed on this machine.

    Loads on the first text, which takes tenths of a second: call it off the UI thread. Any number
    of threads may call it at once; one waits for the load, the rest run side by side, each call
    on its own thread.
    """

    def __init__(self, model: ModelFolder, words_wanted: Callable[[], bool] = always) -> None:
        """Make vectors of this model; nothing is loaded yet.

        Args:
            model: Its files.
            words_wanted: Whether the vectors of words are wanted as well; asked often.
        """
        self._model = model
        self._words_wanted = words_wanted
        self._rotation = rotation_of(model.tokenizer.path.parent, model.dimension)
        self._load_lock = threading.Lock()
        self._loaded: _LoadedModel | None = None
        self._failure: EmbeddingUnavailableError | None = None

    @property
    def model_id(self) -> str:
        """Name stored beside every vector."""
        return self._model.model_id

    @property
    def dimension(self) -> int:
        """Numbers per vector."""
        return self._model.dimension

    @property
    def is_available(self) -> bool:
        """Whether a text can be embedded as far as is known; never loads the model."""
        return self._failure is None

    @property
    def token_space(self) -> str:
        """Name of the space of its words; empty where there is none, or none is wanted."""
        if self._rotation is None or not self._words_wanted():
            return ""
        return self._rotation.space(self.model_id)

    @property
    def calibration(self) -> Calibration:
        return self._model.calibration

    def pinned(self) -> OnnxEmbedder:
        """This model, whatever is selected meanwhile."""
        return self

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """One vector per text of a memory, in the order given.

        Args:
            texts: Any text; what lies beyond the model's token limit does not count.

        Returns:
            float32, shape (n_texts, dimension); each row has length 1.

        Raises:
            EmbeddingUnavailableError: The files are ``missing`` or ``damaged``, or the model
                ``failed`` to load. Asking again repeats the answer without trying again.
        """
        return self._made(self._model.memory_prefix, texts, None).vectors

    def read(self, texts: Sequence[str]) -> Read:
        """Vector and telling words of each text, in one go. Raises like ``embed``."""
        return self._made(self._model.memory_prefix, texts, kept_words)

    def embed_question(self, text: str) -> FloatVector:
        """The vector of what is looked for.

        Returns:
            float32, shape (dimension,), of length 1.

        Raises:
            EmbeddingUnavailableError: As for ``embed``.
        """
        vector: FloatVector = self._made(self._model.question_prefix, [text], None).vectors[0]
        return vector

    def read_question(self, text: str) -> Read:
        """Vector and telling words of what is looked for: of one text. Raises like ``embed``."""
        return self._made(self._model.question_prefix, [text], asked_words)

    def _made(
        self, prefix: str, texts: Sequence[str], packed: Callable[[FloatMatrix], bytes] | None
    ) -> Read:
        import numpy as np

        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        words = [b""] * len(texts)
        if not texts:
            return Read(vectors, words)
        loaded = self._load_once()
        tokens = [_token_ids(loaded.tokenizer, prefix + text) for text in texts]
        by_length = sorted(range(len(texts)), key=lambda row: len(tokens[row]))
        for start in range(0, len(by_length), BATCH_SIZE):
            rows = by_length[start : start + BATCH_SIZE]
            vectors[rows], hidden = self._run(loaded, [tokens[row] for row in rows])
            if packed is not None and loaded.words is not None:
                for row, of_text in zip(rows, hidden, strict=True):
                    words[row] = packed(loaded.words.words(of_text, tokens[row]))
        return Read(vectors, words)

    def _run(self, loaded: _LoadedModel, batch: list[list[int]]) -> tuple[FloatMatrix, FloatMatrix]:
        """Vectors of some texts, and what the last layer says of each of their tokens."""
        import numpy as np

        longest = max(len(ids) for ids in batch)
        input_ids = np.zeros((len(batch), longest), dtype=np.int64)
        attention_mask = np.zeros_like(input_ids)
        for row, ids in enumerate(batch):
            input_ids[row, : len(ids)] = ids
            attention_mask[row, : len(ids)] = 1
        feed: dict[str, TokenMatrix] = {"input_ids": input_ids, "attention_mask": attention_mask}
        if loaded.wants_token_types:
            feed["token_type_ids"] = np.zeros_like(input_ids)
        hidden = loaded.session.run(None, feed)[0]
        if hidden.shape[-1] != self.dimension:
            raise DimensionMismatchError(self.dimension, hidden.shape[-1])
        if self._model.pooling == "cls":
            return _of_unit_length(hidden[:, 0, :]), hidden
        return _of_unit_length(_mean(hidden, attention_mask)), hidden

    def _load_once(self) -> _LoadedModel:
        with self._load_lock:
            if self._failure is not None:
                raise EmbeddingUnavailableError(self._failure.reason, self._failure.detail)
            if self._loaded is None:
                try:
                    self._model.verify()
                    self._loaded = _load(self._model, self._rotation)
                except EmbeddingUnavailableError as error:
                    self._failure = error
                    _log.warning(
                        "the embedding model %s did not load: %s %s",
                        self.model_id,
                        error.reason,
                        error.detail,
                    )
                    raise
            return self._loaded


def _load(model: ModelFolder, rotation: Rotation | None) -> _LoadedModel:
    # Asked for after the import, silence comes too late: by then the runtime has written a device
    # id and begun to report the process to its makers.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    try:
        import onnxruntime
        from tokenizers import Tokenizer

        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        # A second thread doubles the processor time of one text for little gain.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # The runtime's own store of memory keeps what the largest batch took for good, some 70 MiB.
        options.enable_cpu_mem_arena = False
        session = onnxruntime.InferenceSession(
            str(model.onnx.path), options, providers=["CPUExecutionProvider"]
        )
        tokenizer = Tokenizer.from_file(str(model.tokenizer.path))
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_length=model.max_tokens)
    except Exception as error:
        # Both libraries raise plain Exception, and a broken install raises ImportError or OSError:
        # whatever it is, text search goes on.
        raise EmbeddingUnavailableError("failed", repr(error)) from error
    input_names = {node.name for node in session.get_inputs()}
    words = None if rotation is None else WordReader(tokenizer.get_vocab(), rotation.matrix())
    return _LoadedModel(session, tokenizer, "token_type_ids" in input_names, words)


def _token_ids(tokenizer: Tokenizer, text: str) -> list[int]:
    # Half a surrogate pair, as clipboards can leave behind, is no text for the tokenizer.
    sound = text.encode("utf-8", "replace").decode("utf-8")
    return list(tokenizer.encode(sound).ids)


def _mean(hidden: FloatMatrix, attention_mask: TokenMatrix) -> FloatMatrix:
    """Average of each text's own tokens, padding left out.

    Args:
        hidden: float32, shape (n_texts, n_tokens, dimension).
        attention_mask: int64, shape (n_texts, n_tokens); 1 where a token is the text's own.
    """
    import numpy as np

    mask = attention_mask[:, :, None].astype(np.float32)
    mean: FloatMatrix = (hidden * mask).sum(axis=1) / mask.sum(axis=1)
    return mean


def _of_unit_length(rows: FloatMatrix) -> FloatMatrix:
    """The rows scaled to length 1."""
    import numpy as np

    length = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: FloatMatrix = (rows / np.maximum(length, np.float32(1e-12))).astype(np.float32)
    return unit
