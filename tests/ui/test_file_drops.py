"""Files that are dropped on the window, and the way to one that was exported."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

SAMPLES = Path(__file__).parents[1] / "data" / "imports"
BUTTON, NO_KEYS = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
MOVE = Qt.DropAction.MoveAction


def data_of(*urls: QUrl) -> QMimeData:
    data = QMimeData()
    data.setUrls(list(urls))
    return data


def drop(on: QWidget, data: QMimeData) -> bool:
    """Whether a drag was let in; it is dropped then."""
    enter = QDragEnterEvent(QPoint(300, 300), MOVE, data, BUTTON, NO_KEYS)
    QApplication.sendEvent(on, enter)
    if enter.isAccepted():
        QApplication.sendEvent(on, QDropEvent(QPointF(300, 300), MOVE, data, BUTTON, NO_KEYS))
    return enter.isAccepted()


def test_files_dropped_on_the_window_open_the_preview(tmp_path: Path) -> None:
    async def scene(bench: WindowBench) -> None:
        window = bench.window
        names = ("harbour.md", "notes")
        files = data_of(*(QUrl.fromLocalFile(str(SAMPLES / name)) for name in names))
        assert drop(window, files)
        assert "preview importing 2 files" in window.status.currentMessage()
        assert window.opened is not None
        transfer = window.opened.transfer
        await bench.until(lambda: transfer.dialog is not None)
        assert transfer.state is not None
        assert transfer.state.preview.document.foreign is not None
        assert transfer.state.preview.document.foreign.n_files == 3

    drive(tmp_path / "root", lambda _bench: None, scene)


def test_only_files_of_this_machine_are_taken_and_only_where_importing_is_possible(
    tmp_path: Path,
) -> None:
    async def scene(bench: WindowBench) -> None:
        window = bench.window
        here = QUrl.fromLocalFile(str(SAMPLES / "harbour.md"))
        text = QMimeData()
        text.setText("words")
        assert not drop(window, text)
        assert not drop(window, data_of(here, QUrl("https://example.org/x.md")))
        window.menus["import_file"].setEnabled(False)
        assert not drop(window, data_of(here))

    drive(tmp_path / "root", lambda _bench: None, scene)


def test_an_exported_file_is_shown_where_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Path] = []
    answers = [True, False]

    def show(path: Path) -> bool:
        shown.append(path)
        return answers.pop(0)

    monkeypatch.setattr("inklings_desktop.ui.transfer.exports.show_in_folder", show)
    file = tmp_path / "x.inklings.json"

    async def scene(bench: WindowBench) -> None:
        window = bench.window
        assert window.opened is not None
        window.menus["show_export"].trigger()
        assert shown == [], "nothing was exported yet"
        said = bench.messages(shown=False)
        await window.opened.transfer.exports.write(ExportRequest(), file)
        toast = window.page.toast
        assert toast.isVisible()
        assert "Show in folder" in toast.undo.text()
        toast.undo.click()
        window.menus["show_export"].trigger()
        assert shown == [file, file]
        assert said[0].details == (("File", str(file)),)

    drive(tmp_path / "root", lambda _bench: None, scene)
