"""What moves in the window, that it ends, and that nothing does where movement is not welcome."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractAnimation, QPoint
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QStyle, QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.settings import Appearance, load_settings
from inklings_desktop.settings_file import appearance_values, save_values
from inklings_desktop.ui.kit.lists.row_table import RowTable
from inklings_desktop.ui.kit.look.motion import blended, collapse, fade_in, slide
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.marks.toast import Toast
from inklings_desktop.ui.memory.list.row_motion import RowMotion
from inklings_desktop.ui.memory.list.table.delegate import MemoryDelegate
from inklings_desktop.ui.memory.list.table.table import MemoryListModel
from tests.ui.models.rows import a_memory

MOTIONS = ("moving", "still")


@pytest.fixture(params=MOTIONS)
def moves(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "moving")


@pytest.fixture
def look(qapp: QApplication, *, moves: bool) -> Theme:
    theme = Theme(SchemeChoice.LIGHT, reduced_motion=not moves)
    theme.setParent(qapp)
    return theme


def running(widget: QWidget) -> list[QAbstractAnimation]:
    return [
        one
        for one in widget.findChildren(QAbstractAnimation)
        if one.state() is QAbstractAnimation.State.Running
    ]


@pytest.fixture
def paper(qtbot: QtBot) -> Iterator[QWidget]:
    paper = QWidget()
    qtbot.addWidget(paper)
    paper.resize(600, 400)
    paper.show()
    yield paper
    assert running(paper) == []


def test_a_toast_rises_into_its_place(
    look: Theme, paper: QWidget, qtbot: QtBot, *, moves: bool
) -> None:
    toast = Toast(look, paper)
    toast.show_message("Forgot 1 memory", undo_label="Undo")
    assert bool(running(toast)) is moves
    place = paper.height() - toast.height() - 24
    qtbot.waitUntil(lambda: not running(toast) and toast.y() == place)
    assert toast.seconds_left() == 10  # the countdown stays, with and without movement
    toast.close_note()


def test_a_widget_slides_fades_and_folds(
    look: Theme, paper: QWidget, qtbot: QtBot, *, moves: bool
) -> None:
    label = QLabel("x", paper)
    label.setGeometry(10, 50, 100, 40)
    label.show()
    slide(label, look, QPoint(0, 30))
    qtbot.waitUntil(lambda: not running(label))
    assert label.pos() == QPoint(10, 50)

    fade_in(paper, look)
    can_fade = QGuiApplication.platformName() == "xcb"
    assert bool(running(paper)) is (moves and can_fade)
    qtbot.waitUntil(lambda: not running(paper))
    assert paper.windowOpacity() == pytest.approx(1.0)

    gone: list[object] = []
    label.destroyed.connect(lambda: gone.append(True))
    collapse(label, look)
    qtbot.waitUntil(lambda: bool(gone))


@pytest.fixture
def list_of_three(look: Theme, qtbot: QtBot) -> tuple[RowTable, MemoryListModel, MemoryDelegate]:
    model = MemoryListModel()
    delegate = MemoryDelegate(look)
    table = RowTable(delegate)
    qtbot.addWidget(table)
    model.setParent(table)
    table.setModel(model)
    table.resize(700, 400)
    table.show()
    model.replace_rows([a_memory(number) for number in (1, 2, 3)])
    return table, model, delegate


def test_a_saved_row_glows_once(
    look: Theme,
    list_of_three: tuple[RowTable, MemoryListModel, MemoryDelegate],
    qtbot: QtBot,
    *,
    moves: bool,
) -> None:
    table, model, delegate = list_of_three
    motion = RowMotion(
        look, table, index_of=model.index_of, id_at=lambda row: getattr(model.rows[row], "id", None)
    )
    delegate.glow_of = motion.strength_of
    (first, *_) = [row.id for row in model.rows if hasattr(row, "id")]
    rest = table.viewport().grab().toImage()

    motion.glow(first)

    assert (motion.strength_of(first) == 1.0) is moves
    assert motion.strength_of("another") == 0.0
    assert (table.viewport().grab().toImage() != rest) is moves
    qtbot.waitUntil(lambda: not motion.strength_of(first))
    assert table.viewport().grab().toImage() == rest


def test_a_forgotten_row_folds_and_leaves_nothing_behind(
    look: Theme,
    list_of_three: tuple[RowTable, MemoryListModel, MemoryDelegate],
    qtbot: QtBot,
    *,
    moves: bool,
) -> None:
    table, model, _ = list_of_three
    motion = RowMotion(
        look, table, index_of=model.index_of, id_at=lambda row: getattr(model.rows[row], "id", None)
    )
    rows = list(model.rows)
    victim = rows[1]
    motion.expect_leaving([victim.id])

    model.replace_rows([row for row in rows if row is not victim])

    ghosts = table.viewport().findChildren(QLabel)
    assert bool(ghosts) is moves
    qtbot.waitUntil(lambda: not table.viewport().findChildren(QLabel))
    # Nobody asked for the next one to fold: a filter, say, takes rows away at once.
    model.replace_rows(model.rows[:1])
    assert table.viewport().findChildren(QLabel) == []


def test_colours_between_two_are_between_them(look: Theme) -> None:
    one, other = look.color("accentSoft"), look.color("surface")
    assert blended(one, other, 1.0).name() == one.name()
    assert blended(one, other, 0.0).name() == other.name()
    middle = blended(one, other, 0.5)
    assert min(one.red(), other.red()) < middle.red() < max(one.red(), other.red())


def test_the_platform_is_asked_and_the_setting_has_the_last_word(
    qapp: QApplication, tmp_path: Path
) -> None:
    hint = QStyle.StyleHint.SH_Widget_Animation_Duration
    assert Theme().reduced_motion is (qapp.style().styleHint(hint) <= 0)
    assert Theme(reduced_motion=True).duration("gentle") == 0
    assert Theme(reduced_motion=True).duration("undoToast") == 10_000
    assert not load_settings(tmp_path).appearance.reduce_motion
    save_values(tmp_path, appearance_values(Appearance()))
    path = tmp_path / "settings.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("reduce_motion = false", "reduce_motion = true"), encoding="utf-8")
    assert load_settings(tmp_path).appearance.reduce_motion
