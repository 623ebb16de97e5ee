"""House rules and grants in the real window: each act is done on the store, and undone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget

from inklings_desktop.domain.knowledge.domains import Permission
from inklings_desktop.domain.knowledge.working_memory import WorkingMemory
from inklings_desktop.ui.kit.ops.page_spec import KNOWLEDGE_PAGE
from inklings_desktop.ui.kit.page.destinations import ToKnowledge
from inklings_desktop.usecases.knowledge.values import PolicyDraft
from tests.support.builders import NOON
from tests.support.stopwatch import until
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")
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


def test_a_rule_is_switched_and_that_is_undone(tmp_path: Path) -> None:
    async def act(bench: WindowBench) -> None:
        tab = await the_tab(bench)
        inklings, here = bench.bench.inklings, bench.bench.workspace.id

        def is_on() -> bool:
            return inklings.policies.list(here)[0].policy.is_active

        id_ = tab.content.rules[0].policy.memory.id
        tab.view.findChild(QAbstractButton, f"rule:{id_}").click()
        await until(lambda: not is_on())
        await undone(bench, tab, is_on)

    drive(tmp_path / "root", prepare, act)


def test_a_key_says_what_a_role_may_do_and_that_is_undone(tmp_path: Path) -> None:
    async def act(bench: WindowBench) -> None:
        tab = await the_tab(bench)
        inklings, here = bench.bench.inklings, bench.bench.workspace.id

        def given() -> tuple[Permission, bool]:
            matrix = inklings.domains.matrix(here)
            cell = matrix.cells["external", matrix.domains[0].id]
            return cell.permission, cell.is_own

        domain = tab.content.matrix.domains[0]
        cell = tab.view.findChild(QWidget, f"cell:external:{domain.id}")
        cell.setFocus()
        QTest.keyClick(cell, Qt.Key.Key_W)
        await until(lambda: given() == (Permission.WRITE, True))
        await undone(bench, tab, lambda: given() == (Permission.READ, False))

    drive(tmp_path / "root", prepare, act)


def test_what_an_agent_keeps_is_cleared_and_brought_back(tmp_path: Path) -> None:
    async def act(bench: WindowBench) -> None:
        tab = await the_tab(bench)
        inklings, here = bench.bench.inklings, bench.bench.workspace.id
        tab.view.findChild(QAbstractButton, "clear:scribe:").click()
        await until(lambda: inklings.working_memories.list(here) == ())
        await undone(bench, tab, lambda: bool(inklings.working_memories.list(here)))

    drive(tmp_path / "root", prepare, act)


def test_what_a_rule_offers_is_done(tmp_path: Path) -> None:
    async def act(bench: WindowBench) -> None:
        tab = await the_tab(bench)
        inklings, here = bench.bench.inklings, bench.bench.workspace.id
        offers = dict(tab._offers_for_rule(tab.content.rules[0]))
        offers["At every turn"]()
        await until(lambda: inklings.policies.list(here)[0].policy.details.always)
        await until(lambda: tab.content.rules[0].policy.details.always)
        await undone(bench, tab, lambda: not inklings.policies.list(here)[0].policy.details.always)
        dict(tab._offers_for_rule(tab.content.rules[0]))["Forget it"]()
        await until(lambda: inklings.policies.list(here) == ())
        await undone(bench, tab, lambda: len(inklings.policies.list(here)) == 1)

    drive(tmp_path / "root", prepare, act)
