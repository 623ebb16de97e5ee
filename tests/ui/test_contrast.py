"""Every text can be read: the colours as they are drawn, in both themes, as the tokens ask."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtGui import QImage, QPalette
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.domain.memory import Derivation, MemoryPatch
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.settings import Settings
from inklings_desktop.ui.kit.dialogs.ask_dialog import MessageDialog, UnsavedDialog
from inklings_desktop.ui.kit.lists.memory_row_layout import MemoryRow
from inklings_desktop.ui.kit.look.assets import resource_path
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.page_spec import (
    CONTROL_PAGE,
    ENTRIES_PAGE,
    MEMORY_PAGE,
    PREVIEW_PAGE,
)
from inklings_desktop.ui.kit.panes.banner import Banner, BannerAction, BannerContent
from inklings_desktop.ui.memory.inspector.view import InspectorView
from inklings_desktop.ui.memory.subject.facts import values_of
from inklings_desktop.ui.memory.subject.subject import OpenMemory, state_of
from inklings_desktop.ui.window.problem_page import ProblemPage
from inklings_desktop.usecases.bundle import Inklings
from tests.support.builders import NOON, a_memory, a_person
from tests.support.wide import mostly_wide
from tests.ui.contrast import TEXT, box_in, colours_in, ground_of, over, ratio, strongest
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")
GROUPS = (
    QPalette.ColorGroup.Active,
    QPalette.ColorGroup.Inactive,
    QPalette.ColorGroup.Disabled,
)
SCHEMES = (SchemeChoice.LIGHT, SchemeChoice.DARK)
TEXT_ROLES = ("ink", "inkSoft", "inkFaint", "lapis", "ochre", "madder", "tyrian", "graphite")
ANTIALIASING = 0.82
"""Thin strokes of small type do not reach the full colour of their pen at every size."""


def pairs() -> list[dict[str, Any]]:
    tokens = json.loads(resource_path("tokens.json").read_text("utf-8"))
    found: list[dict[str, Any]] = tokens["contrast"]["pairs"]
    return found


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda one: one.value)
def test_every_pair_of_the_tokens_is_as_strong_as_it_must_be(scheme: SchemeChoice) -> None:
    theme = Theme(scheme)
    weak = {}
    for pair in pairs():
        front, ground = theme.color(pair["foreground"]), theme.color(pair["background"])
        front = over(front, ground, pair.get("opacity", 1.0))
        found = ratio(front, ground)
        if found < pair["required"]:
            weak[pair["foreground"], pair["background"]] = round(found, 2)
        assert found == pytest.approx(pair[scheme.value], abs=0.06), pair
    assert weak == {}
    assert len(pairs()) > 100


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda one: one.value)
@pytest.mark.parametrize(
    "group",
    [QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive, QPalette.ColorGroup.Disabled],
)
def test_the_palette_keeps_text_readable(scheme: SchemeChoice, group: QPalette.ColorGroup) -> None:
    palette, role = Theme(scheme).palette(), QPalette.ColorRole
    weak = {}
    for front, ground in (
        (role.WindowText, role.Window),
        (role.Text, role.Base),
        (role.Text, role.AlternateBase),
        (role.ButtonText, role.Button),
        (role.PlaceholderText, role.Base),
        (role.HighlightedText, role.Highlight),
        (role.ToolTipText, role.ToolTipBase),
        (role.Link, role.Base),
    ):
        found = ratio(palette.color(group, front), palette.color(group, ground))
        if found < TEXT:
            weak[front.name, ground.name] = round(found, 2)
    assert weak == {}


def everything(bench: Bench) -> None:
    """Memories in many states, so that most marks are on show."""
    inklings = bench.inklings
    edited = bench.put("Gulls keep accounts.", tags=("birds",), importance=0.9)
    inklings.memories.update(
        edited.ref, MemoryPatch(content="Gulls keep books."), expected_version=1
    )
    bench.put("Tides are counted.", derived_from=(Derivation("Timeline", "Row 9"),))
    gone = bench.put("The harbour smells of rope.")
    inklings.memories.forget([gone.ref], reason="not true")
    channel = inklings.places.channels(bench.workspace.id)[0]
    inklings.conversations.start(bench.workspace.id, channel=channel.name)


def texts_of(window: QWidget) -> Iterator[tuple[QWidget, str]]:
    """Widgets on show that say something in letters."""
    labels = [one for one in window.findChildren(QLabel) if one.pixmap().isNull()]
    said = [
        *((one, one.text()) for one in labels),
        *((one, one.text()) for one in window.findChildren(QAbstractButton)),
        *((one, one.text() or one.placeholderText()) for one in window.findChildren(QLineEdit)),
    ]
    for widget, text in said:
        if text.strip() and widget.isVisible():
            yield widget, text


def weak_texts(window: QWidget, image: QImage) -> dict[str, float]:
    """Texts whose letters do not stand out from what lies behind them."""
    found = {}
    for widget, text in texts_of(window):
        box = box_in(widget, window)
        if box.width() < 8 or box.height() < 8:
            continue
        ground, front, strength = strongest(image, box)
        if strength < TEXT * ANTIALIASING:
            name = f"{type(widget).__name__} {text[:30]!r} {front.name()} on {ground.name()}"
            found[name] = round(strength, 2)
        if isinstance(widget, QLabel) and "<" not in text:
            pen = widget.palette().color(widget.foregroundRole())
            declared = ratio(pen, ground_of(image, box))
            if declared < TEXT:
                found[f"pen {pen.name()} of {text[:30]!r} on {ground.name()}"] = round(declared, 2)
    return found


def weak_rows(bench: WindowBench, image: QImage, theme: Theme) -> dict[str, float]:
    """Roles of text that a row of the list is painted with, too weak on its ground."""
    window, table = bench.window, bench.window.page.table
    roles = {theme.color(role).name(): role for role in (*TEXT_ROLES, "accent")}
    found = {}
    for place, row in enumerate(window.page.rows):
        box = table.visualRect(table.model().index(place, 0))
        box.translate(box_in(table.viewport(), window).topLeft())
        ground = ground_of(image, box)
        for colour, count in colours_in(image, box).items():
            role = roles.get(colour)
            if role is not None and count > 2 and colour != ground.name():
                strength = ratio(theme.color(role), ground)
                if strength < TEXT:
                    found[f"{role} on {ground.name()} in {type(row).__name__}"] = strength
    return found


@pytest.mark.parametrize(
    "scheme",
    mostly_wide(
        SCHEMES,
        every_day=lambda scheme: scheme is SchemeChoice.DARK,
        ids=lambda scheme: scheme.value,
    ),
)
def test_everything_on_every_page_can_be_read(tmp_path: Path, scheme: SchemeChoice) -> None:
    weak: dict[str, float] = {}
    n_texts: list[int] = []

    async def look(bench: WindowBench) -> None:
        window, theme = bench.window, bench.window.page.theme
        await bench.until(lambda: len(bench.texts()) == 2)
        assert theme.is_dark is (scheme is SchemeChoice.DARK)

        async def measure() -> QImage:
            await asyncio.sleep(0.15)
            QApplication.processEvents()
            image = window.grab().toImage()
            weak.update(weak_texts(window, image))
            n_texts.append(sum(1 for _ in texts_of(window)))
            return image

        window.page.list_cursor.select(
            next(row.id for row in window.page.rows if isinstance(row, MemoryRow))
        )
        await bench.until(lambda: bench.memory.subject.current_entry is not None)
        for toggle in window.inspector.findChildren(QAbstractButton, "historyToggle"):
            toggle.click()
        weak.update(weak_rows(bench, await measure(), theme))
        bench.memory.subject.edit(content="")
        await bench.memory.subject.save()
        await measure()
        bench.memory.subject.revert()
        bench.memory.new_memory()
        await measure()
        window.page.toast.show_message("Forgot 2 memories", undo_label="Undo", key_hint="Ctrl Z")
        await measure()
        window.page.toast.close_note()
        window.page.header.search.set_text("harbour glass")
        await bench.until(lambda: not bench.texts())
        await measure()
        for page in (ENTRIES_PAGE, PREVIEW_PAGE, CONTROL_PAGE, MEMORY_PAGE):
            window.show_page(page)
            await asyncio.sleep(0.6)
            await measure()

    drive(tmp_path, everything, look, scheme=scheme)
    assert weak == {}
    assert min(n_texts) > 15


def test_a_weak_text_is_noticed(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(300, 60)
    window.setStyleSheet("background: #ffffff")
    label = QLabel("Hardly to be seen", window)
    label.setStyleSheet("color: #c8c8c8; font-size: 15px")
    window.show()
    assert weak_texts(window, window.grab().toImage())
    label.setStyleSheet("color: #303030; font-size: 15px")
    assert weak_texts(window, window.grab().toImage()) == {}


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda one: one.value)
def test_banners_notices_and_dialogs_can_be_read(
    scheme: SchemeChoice, qapp: QApplication, qtbot: QtBot
) -> None:
    theme = Theme(scheme, reduced_motion=True)
    theme.apply(qapp)
    memory = replace(a_memory("as it was"), version=2)
    mine = replace(values_of(memory), content="mine")
    shown = OpenMemory(memory, (), "", mine, newer=replace(memory, content="theirs"))
    state = state_of(shown, cast("Inklings", _a_desk()))
    view = InspectorView(theme)
    view.show_state(replace(state, is_disk_full=True))
    view.resize(392, 900)
    problem = ProblemPage(theme)
    problem.show_problem(
        "Newer", "Nothing was changed.", (("File", "a.db"),), foot="No open anyway."
    )
    problem.resize(900, 600)
    parent = QWidget()
    windows: list[QWidget] = [
        view,
        problem,
        UnsavedDialog(parent),
        MessageDialog("Not saved", "Your text is still here.", "File: a.db", parent),
    ]
    for kind, text in (("madder", "Read-only."), ("ochre", "By keyword."), ("lapis", "Running.")):
        banner = Banner(theme)
        action = BannerAction("a", "Try again")
        banner.show_content(BannerContent(kind, text, "More of it.", (action,)))  # type: ignore[arg-type]
        banner.resize(700, 60)
        windows.append(banner)
    weak: dict[str, float] = {}
    for window in windows:
        qtbot.addWidget(window)
        window.show()
        weak |= weak_texts(window, window.grab().toImage())
        assert list(texts_of(window))
    assert weak == {}


def _a_desk() -> SimpleNamespace:
    return SimpleNamespace(
        clock=lambda: NOON,
        settings=Settings(),
        embedder=NullEmbedder("a-model"),
        caller=a_person(),
        is_read_only=False,
    )
