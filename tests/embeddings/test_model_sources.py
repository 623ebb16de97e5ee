"""Zip files that mean no good, and models that packages bring."""

from __future__ import annotations

import io
import stat
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import (
    ConflictError,
    EmbeddingUnavailableError,
    InvalidValueError,
    NotFoundError,
)
from inklings_desktop.embeddings import model_sources
from inklings_desktop.embeddings.catalogue import FolderCatalogue
from inklings_desktop.embeddings.models import BUILT_IN_MODEL_ID, SettingsChoice
from inklings_desktop.usecases.ports.models import OfferedModel
from tests.support.tiny_model import make_tiny_model

FILES = ("model.json", "tokenizer.json", "model.onnx")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


@pytest.fixture
def catalogue(root: Path) -> FolderCatalogue:
    return FolderCatalogue(root, SettingsChoice(root))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_tiny_model(tmp_path / "download")


def zipped(
    folder: Path, *, under: str = "", more: Callable[[zipfile.ZipFile], None] | None = None
) -> Path:
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in FILES:
            archive.write(folder / name, f"{under}{name}")
        if more is not None:
            more(archive)
    return path


def everything_below(folder: Path) -> list[str]:
    return sorted(str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file())


@pytest.mark.parametrize("under", ["", "tiny-768/", "some/where/deep/"])
def test_a_zip_file_is_installed_wherever_in_it_the_files_lie(
    root: Path, catalogue: FolderCatalogue, folder: Path, under: str
) -> None:
    path = zipped(folder, under=under, more=lambda one: one.writestr("README.md", "Hello"))
    installed = catalogue.install(path)
    assert (installed.id, installed.dimension, installed.problem) == ("tiny-768", 768, "")
    assert everything_below(root / "models") == sorted(f"tiny-768/{name}" for name in FILES)
    with pytest.raises(ConflictError):
        catalogue.install(path)


def _link(archive: zipfile.ZipFile) -> None:
    member = zipfile.ZipInfo("other/model.json")
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    archive.writestr(member, "/etc/passwd")


def _crowd(archive: zipfile.ZipFile) -> None:
    for number in range(model_sources.MAX_MEMBERS):
        archive.writestr(f"f{number}", "")


HOSTILE: dict[str, tuple[Callable[[zipfile.ZipFile], None], str]] = {
    "climbs": (lambda one: one.writestr("../../outside.txt", "x"), "zip_path"),
    "climbs in the middle": (lambda one: one.writestr("a/../../model.json", "{}"), "zip_path"),
    "absolute": (lambda one: one.writestr("/outside.txt", "x"), "zip_path"),
    "backslashes": (lambda one: one.writestr("..\\outside.txt", "x"), "zip_path"),
    "link": (_link, "zip_path"),
    "twice": (lambda one: one.writestr("again/model.json", "{}"), "zip"),
    "too many": (_crowd, "zip_members"),
}


@pytest.mark.parametrize("trick", HOSTILE)
def test_a_hostile_zip_file_is_refused_and_leaves_nothing(
    tmp_path: Path, root: Path, catalogue: FolderCatalogue, folder: Path, trick: str
) -> None:
    make, rule = HOSTILE[trick]
    path = zipped(folder, more=make)
    before = everything_below(tmp_path)
    with pytest.raises(InvalidValueError) as caught:
        catalogue.install(path)
    assert (caught.value.field, caught.value.rule) == ("model", rule)
    assert everything_below(tmp_path) == before
    assert list((root / "models").iterdir()) == []


@pytest.mark.parametrize("lies", [False, True])
def test_a_file_that_unpacks_to_more_than_a_model_holds_is_refused(
    root: Path,
    catalogue: FolderCatalogue,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    lies: bool,  # noqa: FBT001 a parameter of the test
) -> None:
    bomb = b"0" * 3_000_000
    (folder / "tokenizer.json").write_bytes(bomb)
    path = zipped(folder)
    assert path.stat().st_size < len(bomb)
    monkeypatch.setitem(model_sources.MAX_BYTES, "tokenizer.json", 1_000_000)
    if lies:
        real = zipfile.ZipFile.infolist

        def smaller(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
            members = real(archive)
            for one in members:
                one.file_size = min(one.file_size, 1_000)
            return members

        monkeypatch.setattr(zipfile.ZipFile, "infolist", smaller)
    with pytest.raises(InvalidValueError) as caught:
        catalogue.install(path)
    assert caught.value.rule in ({"zip", "too_large"} if lies else {"too_large"})
    assert list((root / "models").iterdir()) == []


def test_a_folder_with_a_file_beyond_all_bounds_is_refused(
    catalogue: FolderCatalogue, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(model_sources.MAX_BYTES, "model.onnx", 100)
    with pytest.raises(InvalidValueError) as caught:
        catalogue.install(folder)
    assert (caught.value.rule, caught.value.limit) == ("too_large", "model.onnx")


def test_damaged_and_encrypted_zip_files_are_refused(
    tmp_path: Path, root: Path, catalogue: FolderCatalogue, folder: Path
) -> None:
    whole = zipped(folder).read_bytes()
    at = whole.index(b"tokenizer.json") + 200
    encrypted = bytearray(whole)
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        place = 0
        while (place := encrypted.find(mark, place)) >= 0:
            encrypted[place + (6 if mark == b"PK\x03\x04" else 8)] |= 1
            place += 4
    for number, content in enumerate(
        (whole[: len(whole) // 2], whole[:at] + b"####" + whole[at + 4 :], bytes(encrypted), b"PK")
    ):
        path = tmp_path / f"broken{number}.zip"
        path.write_bytes(content)
        with pytest.raises(InvalidValueError) as caught:
            catalogue.install(path)
        assert caught.value.rule == "zip"
    assert not (root / "models").exists() or list((root / "models").iterdir()) == []


def test_a_zip_file_without_all_three_files_side_by_side_is_refused(
    catalogue: FolderCatalogue, folder: Path, tmp_path: Path
) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.write(folder / "model.onnx", "one/model.onnx")
        archive.write(folder / "tokenizer.json", "two/tokenizer.json")
        archive.write(folder / "model.json", "two/model.json")
    path = tmp_path / "apart.zip"
    path.write_bytes(buffer.getvalue())
    with pytest.raises(InvalidValueError) as caught:
        catalogue.install(path)
    assert caught.value.rule == "file_missing"


def test_pinned_hashes_are_held_against_the_files(
    root: Path, catalogue: FolderCatalogue, folder: Path
) -> None:
    catalogue.install(folder)
    installed = root / "models" / "tiny-768"
    content = bytearray((installed / "model.onnx").read_bytes())
    content[-5] ^= 1
    (installed / "model.onnx").write_bytes(content)
    other = root / "models" / "copy"
    installed.rename(other)
    path = zipped(other)
    other.rename(root / "copy")
    with pytest.raises(EmbeddingUnavailableError) as caught:
        catalogue.install(path)
    assert caught.value.reason == "damaged"


def test_a_model_that_a_package_brings_is_offered_and_installed_by_its_id(
    tmp_path: Path, catalogue: FolderCatalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    make_tiny_model(site / "tiny_model_data")
    (site / "tiny_model_data" / "__init__.py").write_text("raise RuntimeError('imported')\n")
    info = site / "tiny_model_data-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-model-data\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[inklings_desktop.models]\ntiny-768 = tiny_model_data\n"
        "gone = no_such_package\n../bad = tiny_model_data\n"
    )
    monkeypatch.syspath_prepend(str(site))
    assert catalogue.offered() == (OfferedModel("tiny-768"),)
    assert catalogue.install("tiny-768").dimension == 768
    assert catalogue.offered() == ()
    assert "tiny_model_data" not in sys.modules
    for known in ("tiny-768", BUILT_IN_MODEL_ID):
        with pytest.raises(ConflictError):
            catalogue.install(known)
    for unknown in ("gone", "nobodys-model"):
        with pytest.raises(NotFoundError):
            catalogue.install(unknown)
    with pytest.raises(InvalidValueError):
        catalogue.install("no/such.zip")
