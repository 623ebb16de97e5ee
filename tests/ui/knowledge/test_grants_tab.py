"""House rules and grants in the real window: each act is done on the store, and undone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from inklings_desktop.domain.knowledge.domains import Permission
from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import NameDialog
from inklings_desktop.ui.kit.ops.page_spec import KNOWLEDGE_PAGE
from inklings_desktop.ui.kit.page.destinations import ToKnowledge
from inklings_desktop.ui.knowledge.grant_dialogs import DomainDialog
from inklings_desktop.ui.knowledge.grant_grid import GrantGrid
from inklings_desktop.ui.knowledge.grant_popover import GrantPopover
from inklings_desktop.ui.knowledge.kept_card import KeptDialog
from inklings_desktop.usecases.knowledge.values import PolicyDraft
from tests.support.builders import NOON
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")
W = TypeVar("W", bound=QWidget)
RULE = "Ages are counted from the flood."


def prepare(bench: Bench) -> None:
    """A domain with a rule, and what an agent keeps."""
    here = bench.workspace.id
    bench.inklings.domains.create(here, "Canon")
    bench.inklings.policies.put(here, PolicyDraft("Canon", RULE))
    with bench.inklings.parts.store.write(here, initiator="scribe") as unit:
        unit.knowledge.save_working_memory(WorkingMemory("scribe", "", "Kept.", 1, NOON))
        unit.commit()


async def the_tab(bench: WindowBench) -> Any:
    """The tab, once it shows the rule."""
    opened = bench.window.opened
    assert opened is not None
    opened.context.go(ToKnowledge(tab="grants"))
    page: Any = opened.pages.page(KNOWLEDGE_PAGE)
    tab = page.tabs["grants"]
    await until(lambda: tab.content is not None and bool(tab.content.rules))
    return tab


async def undone(bench: WindowBench, tab: Any, is_so: Callable[[], bool]) -> None:
    """Undo the step by the toast, and wait for what it brings back."""
    undo = bench.memory.undo
    await until(lambda: undo.stack.canUndo() and tab.toast.isVisible())
    tab.toast.undo_requested.emit()
    await until(is_so)


def given(bench: WindowBench) -> tuple[Permission, bool]:
    """What is stored for others in the first domain, and whether somebody said so."""
    matrix = bench.bench.inklings.domains.matrix(bench.bench.workspace.id)
    cell = matrix.cells["external", matrix.domains[0].id]
    return cell.permission, cell.is_own


def the_grid(tab: Any) -> GrantGrid:
    """The grid, with the cell of others in the first domain current."""
    grid = tab.view.findChild(GrantGrid)
    assert isinstance(grid, GrantGrid)
    grid.setFocus()
    QTest.keyClick(grid, Qt.Key.Key_Down)
    return grid


async def shown(bench: WindowBench, kind: type[W]) -> W:
    """The dialog or card of a kind that is open, once it is."""

    def found() -> list[W]:
        return [one for one in bench.window.findChildren(kind) if one.isVisible()]

    await until(lambda: bool(found()))
    return found()[0]


def press(above: QWidget, name: str) -> None:
    """Press a button of this name."""
    # One that has just been taken away is still there, before the one in its place.
    above.findChildren(QAbstractButton, name)[-1].click()


@scene(drive, prepare)
async def test_a_key_says_what_a_role_may_do_and_that_is_undone(bench: WindowBench, /) -> None:
    tab = await the_tab(bench)
    QTest.keyClick(the_grid(tab), Qt.Key.Key_W)
    await until(lambda: given(bench) == (Permission.WRITE, True))
    await undone(bench, tab, lambda: given(bench) == (Permission.READ, False))


@scene(drive, prepare)
async def test_enter_asks_below_the_cell_with_one_sentence_of_effect(bench: WindowBench, /) -> None:
    tab = await the_tab(bench)
    QTest.keyClick(the_grid(tab), Qt.Key.Key_Return)
    card = await shown(bench, GrantPopover)
    assert [one.isChecked() for one in card.plates] == [False, True, False]
    QTest.keyClick(card.plates[1], Qt.Key.Key_Up)
    assert given(bench) == (Permission.READ, False)  # arrows only look
    assert card.effect.text() == "Never learns that this domain exists."
    QTest.keyClick(card.plates[0], Qt.Key.Key_Return)
    await until(lambda: given(bench) == (Permission.NONE, True))
    await until(lambda: tab.content.grid.rows[1].cells[0].is_own)
    QTest.keyClick(the_grid(tab), Qt.Key.Key_Return)
    card = await shown(bench, GrantPopover)
    stack = bench.memory.undo.stack
    n_before = stack.count()
    press(card, "grantDefault")
    await until(lambda: given(bench) == (Permission.READ, False))
    await until(lambda: stack.count() > n_before)  # the toast of the first may still be there
    await undone(bench, tab, lambda: given(bench) == (Permission.NONE, True))


@scene(drive, prepare)
async def test_a_domain_is_made_with_who_may_write_at_first(bench: WindowBench, /) -> None:
    tab = await the_tab(bench)
    domains, here = bench.bench.inklings.domains, bench.bench.workspace.id
    press(tab.view, "newDomain")
    dialog = await shown(bench, DomainDialog)
    assert not dialog.confirm.isEnabled()
    dialog.name.setText("canon")  # taken
    dialog.confirm.click()
    await until(lambda: not dialog.isVisible())
    dialog = await shown(bench, DomainDialog)
    assert dialog.name.text() == "canon"
    dialog.name.setText("Secrets")
    press(dialog, "writes:world-agent")
    press(dialog, "domainClosed")
    dialog.confirm.click()
    await until(lambda: len(domains.matrix(here).domains) == 2)
    await until(lambda: bool(tab.toast.isVisible()))
    matrix = domains.matrix(here)
    [made] = [one for one in matrix.domains if one.name == "Secrets"]
    assert matrix.cells["world-agent", made.id].permission is Permission.WRITE
    assert matrix.cells["external", made.id].permission is Permission.NONE
    await undone(
        bench, tab, lambda: [one.name for one in domains.matrix(here).domains] == ["Canon"]
    )


@scene(drive, prepare)
async def test_what_a_domain_offers_is_done_and_undone(bench: WindowBench, /) -> None:
    tab = await the_tab(bench)
    domains, here = bench.bench.inklings.domains, bench.bench.workspace.id

    def stored() -> tuple[str, bool, bool]:
        [one] = domains.matrix(here).domains
        return one.name, one.is_closed, one.archived_at is not None

    def is_stored(wanted: tuple[str, bool, bool]) -> bool:
        return stored() == wanted

    before = ("Canon", False, False)
    for word, after in (
        ("Hide Canon by default", ("Canon", True, False)),
        ("Archive Canon", ("Canon", False, True)),
    ):
        dict(tab.grants.offers_for_current())[word]()
        await until(partial(is_stored, after))
        await undone(bench, tab, partial(is_stored, before))
        await until(lambda: not tab.content.grid.columns[0].under)
    dict(tab.grants.offers_for_current())["Rename Canon\u2026"]()
    dialog = await shown(bench, NameDialog)
    dialog.field.setText("Canon law")
    dialog.confirm.click()
    await until(lambda: stored() == ("Canon law", False, False))
    await undone(bench, tab, lambda: stored() == before)


@scene(drive, prepare)
async def test_a_role_is_made_once_and_undone(bench: WindowBench, /) -> None:
    tab = await the_tab(bench)
    domains, here = bench.bench.inklings.domains, bench.bench.workspace.id

    def is_gone(dialog: NameDialog) -> bool:
        return not dialog.isVisible()

    for name in ("external", "editor"):  # the first is there already, and is asked for again
        if name == "external":
            press(tab.view, "newRole")
        dialog = await shown(bench, NameDialog)
        dialog.field.setText(name)
        dialog.confirm.click()
        await until(partial(is_gone, dialog))
    await until(lambda: "editor" in {one.name for one in domains.roles(here)})
    await undone(bench, tab, lambda: len(domains.roles(here)) == 2)


@scene(drive, prepare)
async def test_what_an_agent_keeps_is_cleared_after_a_question_and_undone(
    bench: WindowBench, /
) -> None:
    tab = await the_tab(bench)
    inklings, here = bench.bench.inklings, bench.bench.workspace.id

    def kept() -> list[str]:
        return [
            f"{one.agent}/{one.part} {one.body}" for one in inklings.working_memories.list(here)
        ]

    press(tab.view, "clearOne")
    dialog = await shown(bench, ConfirmDialog)
    assert dialog.heading.text() == "Clear what scribe keeps?"
    dialog.keep.click()
    await until(lambda: not tab.is_deciding and not dialog.isVisible())
    assert kept() == ["scribe/ Kept."]
    press(tab.view, "clearOne")
    (await shown(bench, ConfirmDialog)).confirm.click()
    await until(lambda: kept() == [])
    await undone(bench, tab, lambda: kept() == ["scribe/ Kept."])


def several(bench: Bench) -> None:
    """The same, and what a part of the agent kept, twice, a hundred days ago."""
    prepare(bench)
    long_ago = bench.inklings.clock() - timedelta(days=100)
    with bench.inklings.parts.store.write(bench.workspace.id, initiator="scribe") as unit:
        for number, text in enumerate(("First.", "Second."), start=1):
            made = WorkingMemory("scribe", "researcher", text, number, long_ago)
            unit.knowledge.save_working_memory(made)
        unit.commit()


@scene(drive, several)
async def test_texts_of_before_are_read_and_old_ones_are_marked(bench: WindowBench, /) -> None:
    tab = await the_tab(bench)
    assert [name for name, _ in tab.kept.offers()] == ["scribe", "scribe (researcher)"]
    read = [one.text() for one in tab.view.findChildren(QLabel) if not one.isHidden()]
    assert "not changed for 90 days" in read
    assert "7 characters, 1 earlier text" in read
    press(tab.view, "read:scribe:researcher")
    dialog = await shown(bench, KeptDialog)
    assert dialog.text.toPlainText() == "Second."
    dialog.versions.setCurrentIndex(1)
    assert dialog.text.toPlainText() == "First."
    assert dialog.text.isReadOnly()
    press(dialog, "keptClose")
    dict(tab.kept.offers())["scribe (researcher)"]()
    (await shown(bench, ConfirmDialog)).confirm.click()
    memories, here = bench.bench.inklings.working_memories, bench.bench.workspace.id
    await until(lambda: [one.part for one in memories.list(here)] == [""])


@pytest.mark.parametrize(("width", "is_beside"), [(1440, True), (1279, False), (1000, False)])
def test_working_memories_go_below_where_there_is_little_room(
    tmp_path: Path, *, width: int, is_beside: bool
) -> None:
    async def act(bench: WindowBench) -> None:
        bench.window.resize(width, 760)
        tab = await the_tab(bench)
        grid, clear = tab.view.findChild(GrantGrid), tab.view.findChild(QAbstractButton, "clearOne")

        def stands_beside() -> bool:
            right = grid.mapTo(tab.view, grid.rect().topRight()).x()
            return bool(clear.mapTo(tab.view, clear.rect().topLeft()).x() > right)

        await until(lambda: stands_beside() is is_beside)

    drive(tmp_path / "root", prepare, act)
