from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QPixmap, QPixmapCache
from PySide6.QtWidgets import QApplication

from inklings_desktop.ui.kit.look import assets
from inklings_desktop.ui.kit.look.assets import IconArchive, IconLibrary, package_icons


def test_resources_are_found_in_the_checkout() -> None:
    assert assets.resource_path("tokens.json").is_file()
    assert assets.resource_path("styles", "00_base.qss").is_file()


def test_resources_of_a_frozen_program_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frozen = tmp_path / "resources"
    frozen.mkdir()
    (frozen / "tokens.json").write_text("{}")
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert assets.resource_root() == frozen


def test_missing_package_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="no_such_package"):
        assets.package_folder("no_such_package")


def test_both_families_are_registered(qapp: QApplication) -> None:
    families = assets.register_faces()
    assert "Source Sans Pro" in families
    assert "Source Serif Pro" in families


@pytest.mark.parametrize("weight", ["regular", "fill", "bold"])
def test_icons_are_read_from_the_package(weight: assets.IconWeight) -> None:
    svg = package_icons().svg("eraser", weight)
    assert svg.startswith(b"<svg")
    assert b"currentColor" in svg


def test_unknown_icon_is_an_error() -> None:
    with pytest.raises(LookupError, match="no-such-icon"):
        package_icons().svg("no-such-icon")


@pytest.mark.parametrize("weight", ["regular", "fill", "bold"])
@pytest.mark.parametrize("name", ["caret-down", "circle", "a-name-that-nobody-drew"])
def test_without_the_package_an_icon_of_our_own_is_drawn(
    qapp: QApplication, name: str, weight: assets.IconWeight
) -> None:
    drawn = IconLibrary(IconArchive(None)).pixmap(name, QColor("#a12a3a"), 24, weight=weight)
    image = drawn.toImage()
    places = [(x, y) for x in range(image.width()) for y in range(image.height())]
    assert any(image.pixelColor(x, y).alpha() for x, y in places)


def test_a_file_of_a_package_is_used_only_if_it_is_the_one_we_tried() -> None:
    (package, name), sha256 = next(iter(assets.FACES.items()))
    assert assets.pinned_file(package, name, sha256) is not None
    assert assets.pinned_file(package, name, sha256[::-1]) is None
    assert assets.pinned_file("no_such_package", name, sha256) is None


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_archive_agrees_with_the_standard_library(tmp_path: Path, method: int) -> None:
    path = tmp_path / "icons.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("regular/tag-simple.svg", b"<svg>long" + b"x" * 4000)
        archive.writestr("regular/tag.svg", b"<svg>short")
        archive.writestr("other/regular/tag.svg", b"<svg>decoy")
        archive.comment = b"a comment at the end"
    with zipfile.ZipFile(path) as archive:
        wanted = [archive.read(f"regular/{name}.svg") for name in ("tag-simple", "tag")]
    ours = IconArchive(path)
    assert [ours.svg("tag-simple"), ours.svg("tag")] == wanted


def test_icons_take_their_colour_and_are_drawn_once(qapp: QApplication) -> None:
    icons = IconLibrary()
    picture = icons.pixmap("circle", QColor("#a12a3a"), 16, weight="fill", ratio=2.0)
    assert picture.width() == 32
    assert picture.toImage().pixelColor(16, 16) == QColor("#a12a3a")
    assert icons.pixmap("circle", QColor("#a12a3a"), 16, weight="fill", ratio=2.0) is picture
    blue = icons.pixmap("circle", QColor("#2f55a0"), 16, weight="fill", ratio=2.0)
    assert blue.toImage().pixelColor(16, 16) == QColor("#2f55a0")


def test_pictures_of_a_look_go_with_it(qapp: QApplication) -> None:
    icons = IconLibrary()
    picture = icons.pixmap("circle", QColor("#a12a3a"), 16)
    QPixmapCache.insert("a copy", picture)
    icons.forget()
    assert not QPixmapCache.find("a copy", QPixmap())
    assert icons.pixmap("circle", QColor("#a12a3a"), 16) is not picture
