"""The roads from a memory to a page: it derives from one, or is proposed as text of one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.ui.kit.ops.commands import Where
from inklings_desktop.ui.kit.ops.page_spec import WORLD_PAGE
from inklings_desktop.ui.kit.page.destinations import ToWorld
from inklings_desktop.ui.memory.acts.menus import Actable, offer
from inklings_desktop.ui.memory.acts.page_dialogs import PromoteDialog, SourceDialog
from inklings_desktop.ui.memory.acts.table import ACTS, MemoryAct
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive
from tests.ui.world.tab_bench import save

pytestmark = pytest.mark.usefixtures("qapp")

TEXT = "---\nstatus: canon\n---\n# Gate\n\n## Hours\n\nThe gate of the harbour is shut at night.\n"
BELL = "The bell is rung twice."


def one_memory(bench: Bench) -> None:
    """A memory in the list."""
    bench.inklings.memories.put(MemoryDraft(ScopeKey.workspace(bench.workspace.id), BELL))


async def stand_at_it(bench: WindowBench) -> None:
    """Bring the keyboard to the memory."""
    await bench.until(lambda: BELL in bench.texts())
    bench.window.page.focus_list()
    await bench.until(lambda: bench.memory.subject.current_entry is not None)


def played(root: Path, act: Callable[[WindowBench], Awaitable[None]]) -> None:
    """The stage: one memory in the list, and a folder with one page."""
    pages = root / "pages"

    def prepare(bench: Bench) -> None:
        one_memory(bench)
        save(pages / "gate.md", TEXT)
        bench.inklings.world.link(bench.workspace.id, pages)
        bench.inklings.world.look(bench.workspace.id)

    async def scene_of(bench: WindowBench) -> None:
        await bench.until(lambda: bench.window.page.table.actions_of.has_pages)
        await stand_at_it(bench)
        await act(bench)

    drive(root / "root", prepare, scene_of)


@scene(played)
async def test_a_memory_is_led_to_the_page_that_it_derives_from(bench: WindowBench, /) -> None:
    listed = bench.window.menus.commands.with_keys(Where.LIST)
    assert {"D", "P"} <= {key for one in listed for key in one.keys}
    QTest.keyClicks(bench.window.page.table, "d")
    found = await shown(bench, SourceDialog)
    assert isinstance(found, SourceDialog)
    assert not found.confirm.isEnabled()
    QTest.keyClicks(found.field.edit, "harbour")
    await bench.until(lambda: found.chosen is not None)
    rows = [(one.text, getattr(one, "meta", "")) for one in found.list.rows]
    assert ("The gate of the harbour is shut at night.", "Gate \u203a Hours") in rows
    assert rows[-1] == ("Gate", "gate.md")
    found.list.setFocus()
    QTest.keyClick(found.list, Qt.Key.Key_Return)
    toast = bench.window.page.toast
    await bench.until(lambda: toast.accessibleName() == "Linked 1 memory to Gate")
    subject = bench.memory.subject
    await bench.until(lambda: bool(subject.state.standings))
    (standing,) = subject.state.standings
    assert standing.axes is not None
    assert (standing.page_title, standing.axes.lifecycle.value) == ("Gate", "canon")


@scene(played)
async def test_a_closed_dialog_looks_for_nothing(bench: WindowBench, /) -> None:
    QTest.keyClicks(bench.window.page.table, "d")
    found = await shown(bench, SourceDialog)
    assert isinstance(found, SourceDialog)
    found.field.query_changed.emit("harbour")
    assert found._searching.is_running
    found.reject()
    found.field.query_changed.emit("gate")
    assert not found._searching.is_running


@scene(played)
async def test_a_memory_is_proposed_as_text_of_a_page(bench: WindowBench, /) -> None:
    bench.memory.acts.act(MemoryAct.PROMOTE)
    asked = await shown(bench, PromoteDialog)
    assert isinstance(asked, PromoteDialog)
    assert not asked.confirm.isEnabled()
    asked.path.setText("bells/tower")
    assert asked.target.path == "bells/tower.md"
    asked.path.setText("gate")
    asked.section.setText("## Hours")
    assert "added to gate.md" in asked.outcome.text()
    asked.confirm.click()
    said = ACTS[MemoryAct.PROMOTE].unchanged
    assert said is not None
    assert said(asked.target) == "Proposed for gate.md: it waits under World"
    inklings, here, opened = bench.bench.inklings, bench.bench.workspace.id, bench.window.opened
    assert opened is not None
    await bench.until(lambda: len(inklings.proposals.list(here)) == 1)
    opened.context.go(ToWorld(tab="proposed"))
    world: Any = opened.pages.page(WORLD_PAGE)
    tab = world.tabs["proposed"]
    await bench.until(lambda: tab.content is not None and len(tab.content.asked) == 1)
    (waiting,) = tab.content.asked
    assert waiting.page.new_text == f"{TEXT}\n{BELL}\n"
    assert (waiting.memory.content, waiting.badge) == (BELL, "+2")
    reason = world.view.findChild(QWidget, "proposedReason")
    assert reason.isHidden(), "nobody wrote one"


def test_without_a_folder_neither_is_offered(tmp_path: Path) -> None:
    async def act(bench: WindowBench) -> None:
        await stand_at_it(bench)
        commands, told = bench.window.menus.commands, []
        bench.window.page.tell = lambda text, _icon="": told.append(text)  # type: ignore[assignment]
        commands.about_to_show.emit()
        names = {ACTS[act].name() for act in (MemoryAct.DERIVE, MemoryAct.PROMOTE)}
        assert not names & {one.name for one in commands.all() if one.can_run}
        assert not names & {one.name for one in commands.with_keys(Where.LIST)}
        menu = QMenu()
        offer(menu, lambda _act: None, Actable(), *ACTS)
        assert not names & {one.text() for one in menu.actions()}

    drive(tmp_path, one_memory, act)


async def shown(bench: WindowBench, kind: type) -> object:
    """The dialog of this kind once it is open."""
    await bench.until(lambda: isinstance(QApplication.activeModalWidget(), kind))
    return QApplication.activeModalWidget()
