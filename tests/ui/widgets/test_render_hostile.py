from __future__ import annotations

import select
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QColor, QImage, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.markdown.preview import MarkdownPreview
from tests.support.stopwatch import SLOWNESS, Stopwatch
from tests.ui.widgets.hostile_documents import hostile_documents

MOST_SECONDS = 0.2 * SLOWNESS
N_LEAST = 60
SECRET = "the harbour has a second gate"  # noqa: S105  words that must not appear
SIGNAL_COLOUR = QColor("#ff00ff")


@pytest.fixture
def port() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


@pytest.fixture
def documents(tmp_path: Path, port: socket.socket) -> dict[str, str]:
    picture, secret = tmp_path / "picture.png", tmp_path / "secret.txt"
    image = QImage(40, 40, QImage.Format.Format_RGB32)
    image.fill(SIGNAL_COLOUR)
    assert image.save(str(picture))
    secret.write_text(SECRET, "utf-8")
    return hostile_documents(picture, secret, port.getsockname()[1])


@pytest.fixture
def preview(theme: Theme, qtbot: QtBot) -> MarkdownPreview:
    preview = MarkdownPreview(theme)
    qtbot.addWidget(preview)
    preview.resize(420, 600)
    preview.show()
    return preview


def seconds_to_show(preview: MarkdownPreview, text: str, app: QApplication) -> float:
    watch = Stopwatch()
    preview.show_markdown(text)
    preview.grab()
    app.processEvents()
    return watch.seconds


def shows_the_picture(preview: MarkdownPreview) -> bool:
    image = preview.grab().toImage()
    return any(
        image.pixelColor(x, y) == SIGNAL_COLOUR
        for x in range(0, image.width(), 8)
        for y in range(0, image.height(), 8)
    )


def test_a_table_of_200_columns_is_shown_as_it_is_written(
    preview: MarkdownPreview, qapp: QApplication
) -> None:
    rows = ["|".join(f"{word}{n}" for n in range(200)) for word in "abcdef"]
    text = "\n".join([rows[0], "|".join(["---"] * 200), *rows[1:]])
    began = time.process_time()
    preview.show_markdown(text)
    preview.grab()
    qapp.processEvents()
    assert time.process_time() - began < 0.1 * SLOWNESS
    shown = preview.toPlainText()
    assert all(f"{word}199" in shown for word in "abcdef")


def test_nothing_is_fetched_read_or_opened(
    documents: dict[str, str],
    preview: MarkdownPreview,
    port: socket.socket,
    qapp: QApplication,
) -> None:
    assert len(documents) >= N_LEAST
    for name, text in documents.items():
        preview.show_markdown(text)
        shown = preview.toPlainText()
        for x in range(30, 400, 60):
            spot = QPoint(x, 24)
            QTest.mouseMove(preview.viewport(), spot)
            QTest.mouseClick(preview.viewport(), Qt.MouseButton.LeftButton, pos=spot)
        QTest.keyClick(preview, Qt.Key.Key_Tab)
        QTest.keyClick(preview, Qt.Key.Key_Return)
        qapp.processEvents()
        assert preview.toPlainText() == shown, name
        assert SECRET not in shown, name
        assert not shows_the_picture(preview), name
        assert preview.source().isEmpty(), name
    reached, _, _ = select.select([port], [], [], 0)
    assert reached == []


def test_whoever_asks_for_a_resource_gets_nothing(preview: MarkdownPreview, tmp_path: Path) -> None:
    file = tmp_path / "secret.txt"
    file.write_text(SECRET, "utf-8")
    preview.show_markdown("word")
    for kind in QTextDocument.ResourceType:
        for name in (QUrl.fromLocalFile(str(file)), QUrl(str(file)), QUrl("data:,x")):
            assert preview.document().resource(kind.value, name) is None
            asked: Callable[[int, QUrl], object] = preview.loadResource
            assert asked(kind.value, name) is None


def test_no_document_holds_the_window_up(
    documents: dict[str, str], preview: MarkdownPreview, qapp: QApplication
) -> None:
    taken = {name: seconds_to_show(preview, text, qapp) for name, text in documents.items()}
    assert {name: round(took, 3) for name, took in taken.items() if took > MOST_SECONDS} == {}
