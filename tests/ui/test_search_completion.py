"""Operators complete themselves in the search field, by Tab, by arrows, by a click."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from inklings_desktop.domain.search.search_operators import Operator
from inklings_desktop.ui.kit.controls import completions
from inklings_desktop.ui.kit.controls.completions import Completions
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.memory.list.search_completion import completions_at
from tests.support.builders import NOON
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def songs(bench: Bench) -> None:
    bench.put("They sing of harbour glass.", tags=("song", "high tide"))
    bench.put("Gulls keep accounts.", tags=("song",))
    bench.put("Salt prices rose.", tags=("trade",))


async def typing(bench: WindowBench, text: str) -> tuple[QLineEdit, Completions]:
    await bench.until(lambda: len(bench.texts()) == 3)
    content = bench.memory.list.content
    assert content is not None
    await bench.until(lambda: not bench.memory.list.content.lacks_facets)  # type: ignore[union-attr]
    edit = bench.window.page.header.search.edit
    bench.window.activateWindow()
    edit.setFocus()
    QTest.keyClicks(edit, text)
    return edit, bench.memory.search.completions


def names(offered: Completions) -> list[str]:
    return [one.name for one in offered.model.rows] if offered.isVisible() else []


@scene(drive, songs)
async def test_a_name_leads_to_its_values_and_a_value_to_the_search(bench: WindowBench, /) -> None:
    edit, offered = await typing(bench, "sing t")
    assert names(offered) == [], "a letter alone is a word like any other"
    QTest.keyClicks(edit, "a")
    assert names(offered) == ["tag:"]
    QTest.keyClick(edit, Qt.Key.Key_Tab)
    assert edit.text() == "sing tag:"
    assert names(offered) == ["song", "high tide", "trade"], "most used first"
    QTest.keyClick(edit, Qt.Key.Key_Down)
    QTest.keyClick(edit, Qt.Key.Key_Down)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert edit.text() == 'sing tag:"high tide" '
    assert edit.hasFocus()
    assert names(offered) == []
    QTest.keyClick(edit, Qt.Key.Key_Return)
    await bench.until(lambda: bench.texts() == ["They sing of harbour glass."])
    assert bench.window.page.filters.tags.value == "high tide"


def test_what_stands_before_it_stays_though_qt_counts_it_twice(theme: Theme) -> None:
    field = QLineEdit()
    offered = Completions(theme, field, lambda text, at: completions_at(text, at, None, NOON))
    field.setText("\U0001f5dd\U0001f30a curator:ag and more")
    field.setCursorPosition(len("\U0001f5dd\U0001f30a curator:ag") + 2)
    offered.offer()
    (agent,) = offered.model.rows
    offered._take(agent)
    assert field.text() == f"\U0001f5dd\U0001f30a {agent.text} and more"


@scene(drive, songs)
async def test_escape_closes_it_and_nothing_else_and_enter_searches(bench: WindowBench, /) -> None:
    edit, offered = await typing(bench, "tag:s")
    assert names(offered) == ["song"]
    QTest.keyClick(edit, Qt.Key.Key_Escape)
    assert names(offered) == []
    assert edit.text() == "tag:s", "the search is still there"
    QTest.keyClicks(edit, "o")
    assert names(offered) == ["song"]
    QTest.keyClick(edit, Qt.Key.Key_Return)  # nothing was gone to: it is the field's own
    await bench.until(lambda: bench.memory.list.request.where.tags == {"so"})
    await bench.until(lambda: names(offered) == [])


@scene(drive, songs)
async def test_an_operator_that_is_being_typed_is_no_word_to_look_for(
    bench: WindowBench, /
) -> None:
    edit, offered = await typing(bench, "gulls before:so")
    await bench.until(lambda: bench.texts() == ["Gulls keep accounts."])
    QTest.keyClicks(edit, "on")
    QTest.keyClick(edit, Qt.Key.Key_Return)  # there is no such day: now it is one
    await bench.until(lambda: bench.memory.list.request.text == "gulls before:soon")
    edit.clear()
    QTest.keyClicks(edit, "tag:")
    await bench.until(lambda: len(bench.texts()) == 3)
    bench.window.resize(1000, 700)
    await bench.until(lambda: bench.window.width() == 1000)
    assert offered.isVisible()
    field = bench.window.page.header.search
    corner = field.mapTo(bench.window, field.rect().bottomLeft())
    assert offered.geometry().top() > corner.y()
    assert offered.geometry().left() <= corner.x() + edit.x()


@scene(drive, songs)
async def test_a_click_takes_and_undo_takes_back(bench: WindowBench, /) -> None:
    edit, offered = await typing(bench, "source:")
    place = offered.list.visualRect(offered.model.index(0, 0)).center()
    QTest.mouseClick(offered.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert edit.text() == "source:user "
    edit.undo()
    assert edit.text() == "source:"


def test_a_screen_reader_hears_what_there_is_and_what_is_gone_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(completions, "announce", lambda _source, text: told.append(text))

    async def listen(bench: WindowBench) -> None:
        edit, _ = await typing(bench, "tag:")
        QTest.keyClick(edit, Qt.Key.Key_Down)
        assert told[-2:] == ["3 to choose from, Tab takes song", "song, 2"]

    drive(tmp_path, songs, listen)


@pytest.mark.parametrize("operator", list(Operator))
def test_every_operator_is_offered_by_its_name(operator: Operator) -> None:
    offered = completions_at(operator.value[:2], 2, None, NOON)
    assert f"{operator.value}:" in [one.text for one in offered]


@pytest.mark.parametrize("operator", ["curator", "importance", "before", "after"])
def test_values_that_are_no_facets_are_offered_as_well(operator: str) -> None:
    offered = completions_at(f"{operator}:", len(operator) + 1, None, NOON)
    assert offered
    assert all(one.hint for one in offered)
