"""The Help menu: texts to read, files to open, versions to copy."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton

from inklings_desktop import __version__
from inklings_desktop.ui.kit.dialogs.ask_dialog import MessageDialog
from inklings_desktop.ui.window.help import ReadingDialog
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def nothing(_bench: Bench) -> None:
    """The world as it is made."""


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the desktop was asked to open."""
    asked: list[str] = []

    def open_url(url: QUrl) -> bool:
        asked.append(url.toLocalFile())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    return asked


@pytest.mark.parametrize(
    ("name", "words"), [("guide", "Named entries"), ("changelog", "The first release")]
)
@scene(drive, nothing)
async def test_guide_and_changelog_are_read_in_the_window(
    at: WindowBench, /, name: str, words: str
) -> None:
    at.window.menus[name].trigger()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ReadingDialog)
    assert words in dialog.text.toPlainText()
    assert dialog.focusWidget() is dialog.text
    dialog.reject()
    assert QApplication.activeModalWidget() is None


def test_log_folder_and_settings_file_are_opened_where_they_are(
    tmp_path: Path, opened: list[str]
) -> None:
    async def ask(at: WindowBench) -> None:
        at.window.menus["log"].trigger()
        at.window.menus["settings_file"].trigger()
        said = QApplication.activeModalWidget()
        assert isinstance(said, MessageDialog)  # none was written yet
        (where,) = said.findChildren(QPlainTextEdit)
        assert str(tmp_path / "settings.toml") in where.toPlainText()
        said.reject()
        (tmp_path / "settings.toml").write_text("", "utf-8")
        at.window.menus["settings_file"].trigger()

    drive(tmp_path, nothing, ask)
    assert opened == [str(tmp_path / "logs"), str(tmp_path / "settings.toml")]


def test_about_names_licences_and_copies_the_versions(tmp_path: Path) -> None:
    async def ask(at: WindowBench) -> None:
        at.window.menus["about"].trigger()
        about = QApplication.activeModalWidget()
        assert isinstance(about, MessageDialog)
        assert "Apache License 2.0" in about.words.text()
        assert "Lesser General Public License" in about.words.text()
        (copy,) = [one for one in about.findChildren(QPushButton) if "Copy" in one.text()]
        copy.click()
        about.reject()

    drive(tmp_path, nothing, ask)
    copied = QGuiApplication.clipboard().text()
    assert f"Inklings Desktop {__version__}" in copied
    assert "Qt 6" in copied
