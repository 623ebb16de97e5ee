"""Installed models in their folders, and the choice among them in the settings."""

from __future__ import annotations

import hashlib
import json
import shutil
import uuid
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import (
    ConflictError,
    EmbeddingUnavailableError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.embeddings.fetching import FetchedSource
from inklings_desktop.embeddings.known_models import known_models
from inklings_desktop.embeddings.model_sources import brought_models, source_of
from inklings_desktop.embeddings.models import (
    BUILT_IN_MODEL_ID,
    MANIFEST_FILE,
    ONNX_FILE,
    TOKENIZER_FILE,
    find_built_in_model,
    find_model,
    is_model_id,
    read_model_folder,
)
from inklings_desktop.embeddings.onnx_embedder import OnnxEmbedder
from inklings_desktop.logs import topic
from inklings_desktop.settings_file import save_values
from inklings_desktop.usecases.ports.models import InstalledModel, OfferedModel
from inklings_desktop.usecases.ports.progress import UNHEARD

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.embeddings.known_models import KnownModel
    from inklings_desktop.embeddings.models import ModelFolder, SettingsChoice
    from inklings_desktop.usecases.ports.progress import Progress

MODELS_FOLDER = "models"
_log = topic("embedding")
_TRIAL = "The harbour glass hums at low tide."


class FolderCatalogue:
    """The ``ModelCatalogue`` over ``<data root>/models``."""

    def __init__(self, data_dir: Path, choice: SettingsChoice) -> None:
        """Look into this data root; nothing is made yet."""
        self._data_dir = data_dir
        self._folder = data_dir / MODELS_FOLDER
        self._choice = choice

    def models(self) -> tuple[InstalledModel, ...]:
        ids = sorted(
            folder.name
            for folder in (self._folder.iterdir() if self._folder.is_dir() else ())
            if folder.is_dir() and is_model_id(folder.name)
        )
        return tuple(self._shown(one) for one in (BUILT_IN_MODEL_ID, *ids))

    def offered(self) -> tuple[OfferedModel, ...]:
        """Models that packages bring or a list names, and that are not installed yet."""
        try:
            known = known_models(self._folder)
        except InvalidValueError as error:
            _log.warning("the list of models cannot be read: %s", error.rule)
            known = {}
        found = {one.id: one.offer for one in known.values() if one.can_be_fetched}
        found |= {one: OfferedModel(one) for one in brought_models()}
        return tuple(
            found[one]
            for one in sorted(found)
            if one != BUILT_IN_MODEL_ID and not self._is_installed(one)
        )

    def install(
        self,
        source: str | Path,
        *,
        agreed: OfferedModel | None = None,
        progress: Progress = UNHEARD,
    ) -> InstalledModel:
        if str(source) == BUILT_IN_MODEL_ID or self._is_installed(str(source)):
            raise ConflictError("model", str(source))
        known = known_models(self._folder)
        found = _fetched(known.get(str(source)), agreed, progress) or source_of(str(source))
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        making = self._folder / f".{uuid.uuid4().hex}"
        try:
            making.mkdir(mode=0o700)
            found.copy_to(making)
            manifest = _manifest_of(making)
            model_id = str(manifest["id"])
            if not is_model_id(model_id) or model_id == BUILT_IN_MODEL_ID:
                raise InvalidValueError("model", "id")
            if self._is_installed(model_id):
                raise ConflictError("model", model_id)
            (making / MANIFEST_FILE).write_text(json.dumps(manifest, indent=2), encoding="utf-8")
            model = read_model_folder(making)
            model.verify()
            _check_known(known.get(model_id), model)
            _tried(model)
            making.replace(self._folder / model_id)
        finally:
            shutil.rmtree(making, ignore_errors=True)
        return self._shown(model_id)

    def select(self, model_id: str) -> InstalledModel:
        """Use this model from now on, in every program that works on this data root.

        Raises:
            NotFoundError: It is not installed.
            EmbeddingUnavailableError: Its files are not what they should be.
            InvalidValueError: The settings file cannot be changed.
            OSError: The choice cannot be stored.
        """
        if model_id != BUILT_IN_MODEL_ID and not self._is_installed(model_id):
            raise NotFoundError("model", model_id)
        find_model(model_id, self._folder).verify()
        chosen = "" if model_id == BUILT_IN_MODEL_ID else model_id
        save_values(self._data_dir, {"embedding.model": chosen})
        return self._shown(model_id)

    def remove(self, model_id: str) -> None:
        if model_id == BUILT_IN_MODEL_ID:
            raise InvalidValueError("model", "built_in")
        if not self._is_installed(model_id):
            raise NotFoundError("model", model_id)
        if model_id == self._choice():
            raise InvalidValueError("model", "in_use")
        shutil.rmtree(self._folder / model_id)

    def _is_installed(self, model_id: str) -> bool:
        return is_model_id(model_id) and (self._folder / model_id).is_dir()

    def _shown(self, model_id: str) -> InstalledModel:
        is_built_in = model_id == BUILT_IN_MODEL_ID
        languages: tuple[str, ...] = ()
        dimension, problem = 0, ""
        try:
            found = find_built_in_model() if is_built_in else find_model(model_id, self._folder)
            dimension, languages = found.dimension, found.languages
        except EmbeddingUnavailableError as error:
            problem = error.reason
        is_selected = model_id == self._choice()
        return InstalledModel(model_id, dimension, is_built_in, is_selected, problem, languages)


def _manifest_of(folder: Path) -> dict[str, object]:
    """The manifest with the sizes and hashes of the two files filled in where it names none."""
    try:
        manifest = json.loads((folder / MANIFEST_FILE).read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise InvalidValueError("model", "manifest") from None
    if not isinstance(manifest, dict) or not isinstance(manifest.get("id"), str):
        raise InvalidValueError("model", "manifest")
    manifest.setdefault("pooling", "mean")
    manifest.setdefault(
        "files", {name: _pin(folder / name) for name in (ONNX_FILE, TOKENIZER_FILE)}
    )
    return manifest


def _pin(path: Path) -> dict[str, object]:
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return {"bytes": path.stat().st_size, "sha256": digest}


def _fetched(
    known: KnownModel | None, agreed: OfferedModel | None, progress: Progress
) -> FetchedSource | None:
    """Where the network has the model; None where it need not be asked.

    Raises:
        InvalidValueError: Nobody agreed to what would be fetched.
    """
    if known is None or not known.can_be_fetched or known.id in brought_models():
        return None
    if agreed != known.offer:
        raise InvalidValueError("model", "not_agreed", known.id)
    return FetchedSource(known, progress)


def _check_known(known: KnownModel | None, model: ModelFolder) -> None:
    """Refuse a model that bears a known name and is another.

    Raises:
        InvalidValueError: A file is not the one that the list names.
    """
    if known is None:
        return
    for name, file in ((ONNX_FILE, model.onnx), (TOKENIZER_FILE, model.tokenizer)):
        if file.sha256 != known.files[name].sha256:
            raise InvalidValueError("model", "hash", name)


def _tried(model: ModelFolder) -> None:
    """Embed one text; whatever is wrong with the model shows now and not at the first search.

    Raises:
        EmbeddingUnavailableError: It does not run, or its vectors have another length.
    """
    OnnxEmbedder(model).embed([_TRIAL])
