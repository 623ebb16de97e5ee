"""What several checked memories share, laid out where room is short."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRect
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.domain.memory import Curator, Tier
from inklings_desktop.ui.kit.controls.chips import FilterChip
from inklings_desktop.ui.kit.controls.tag_editor import KnownTagsModel
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.marks.labels import ElidedLabel
from inklings_desktop.ui.memory.acts.chosen import Shared
from inklings_desktop.ui.memory.inspector.many_pane import ManyPane


def shared_by_three_hands() -> Shared:
    curators = ((Curator.AUTHOR, 2600), (Curator.AGENT, 1400), (Curator.IMPORT, 300))
    return Shared(
        count=4300,
        tiers=frozenset({Tier.WORKSPACE}),
        lifetime=None,
        importance=None,
        importances=(0.1, 0.7, 0.98),
        curators=curators,
        relevance=(0.0, 3.87),
        tags=(("harbour", 2),),
        tag_sets={("harbour",): 2, (): 4298},
        pinned=0,
        paused=0,
        locked=26,
        is_forgotten=False,
    )


def a_pane(theme: Theme, qtbot: QtBot, width: int) -> ManyPane:
    theme.apply(QApplication.instance())  # type: ignore[arg-type]
    pane = ManyPane(theme, KnownTagsModel())
    qtbot.addWidget(pane)
    pane.resize(width, 900)
    pane.show()
    pane.show_shared(shared_by_three_hands())
    QApplication.processEvents()
    return pane


def test_every_curator_is_named_whole_on_as_many_lines_as_that_takes(
    theme: Theme, qtbot: QtBot
) -> None:
    for width in (340, 377, 560):
        pane = a_pane(theme, qtbot, width)
        box = pane.findChild(QWidget, "manyCurators")
        assert isinstance(box, QWidget)
        words = [one for one in box.findChildren(ElidedLabel) if one.isVisible()]
        assert [one.text() for one in words] == ["Author", "Agent", "Import"]
        assert [one.text() for one in words if one.is_elided()] == []
        name = next(
            one
            for one in pane.findChildren(QLabel)
            if one.text() == "Written by" and one.isVisible()
        )
        middles = [one.mapTo(pane.column, one.rect().center()).y() for one in (name, words[0])]
        assert abs(middles[0] - middles[1]) <= 1, "named beside the first line"
        for one in words:
            place = one.mapTo(box, one.rect().bottomRight())
            assert box.rect().contains(place), f"{one.text()} at {width}"


def test_a_tag_is_set_in_a_weight_that_the_face_has(theme: Theme, qtbot: QtBot) -> None:
    pane = a_pane(theme, qtbot, 377)
    pane.field.added.emit("atlas")
    words = QTextDocument()
    words.setDefaultFont(pane.effect.font())
    words.setHtml(pane.effect.text())
    assert words.toPlainText().startswith("Adds atlas to ")
    block = words.firstBlock().begin()
    weights = {}
    while not block.atEnd():
        piece = block.fragment()
        weights[piece.text()] = piece.charFormat().font().weight()
        block += 1
    assert weights["atlas"] == theme.font("meta", weight=600).weight()
    assert weights["Adds "] == theme.font("meta").weight()


def test_a_long_tag_leaves_the_pane_as_wide_as_it_is(theme: Theme, qtbot: QtBot) -> None:
    pane = a_pane(theme, qtbot, 377)
    long = "donaudampfschifffahrtsgesellschaftskapitaenswitwenrente-und-mehr"
    pane.show_shared(replace(shared_by_three_hands(), tags=((long, 12),), tag_sets={(long,): 12}))
    pane.field.added.emit(f"{long[:-1]}x")
    for _ in range(2):
        QApplication.processEvents()
    assert pane.column.width() == pane.viewport().width()
    (chip,) = (one for one in pane.findChildren(FilterChip) if one.isVisible())
    assert chip.width() < chip.sizeHint().width()
    right = chip.mapTo(pane.viewport(), chip.rect().bottomRight()).x()
    assert right < pane.viewport().width()
    end = QRect(chip.width() - 30, 0, 20, chip.height())
    before = chip.grab(end).toImage()
    chip.set_value("13")
    assert chip.grab(end).toImage() != before, "the count is to be seen"
