"""The tabs that decide, in the real window: what they did is undone by its key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel

from inklings_desktop.domain.errors import ConflictError, InvalidValueError
from inklings_desktop.domain.memory import Derivation, MemoryDraft, ScopeKey
from inklings_desktop.ui.kit.ops.page_spec import WORLD_PAGE
from inklings_desktop.ui.kit.page.destinations import ToWorld
from inklings_desktop.ui.kit.words.messages import message_of
from tests.support.stopwatch import until
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive
from tests.ui.world.tab_bench import save

pytestmark = pytest.mark.usefixtures("qapp")


def test_a_change_accepted_in_the_world_is_undone_by_the_window(tmp_path: Path) -> None:
    page = tmp_path / "pages" / "gate.md"
    old, new = "# Gate\n\nIt is shut.\n", "# Gate\n\nIt is open.\n"

    def prepare(bench: Bench) -> None:
        save(page, old)
        bench.inklings.world.link(bench.workspace.id, page.parent)
        bench.inklings.world.look(bench.workspace.id)
        bench.inklings.page_proposals.propose(
            bench.workspace.id, page="gate.md", text=new, reason="It was opened."
        )

    async def act(bench: WindowBench) -> None:
        opened = bench.window.opened
        assert opened is not None
        opened.context.go(ToWorld(tab="proposed"))
        assert bench.window.pages.current_id == WORLD_PAGE
        world: Any = opened.pages.page(WORLD_PAGE)
        tab = world.tabs["proposed"]
        await until(lambda: tab.content is not None and bool(tab.content.asked))
        tab.focus_list()
        tab._press("Y")
        await until(lambda: page.read_text(encoding="utf-8") == new)
        undo = bench.memory.undo
        await until(lambda: undo.stack.canUndo() and tab.toast.isVisible())
        tab.toast.undo_requested.emit()
        await until(lambda: page.read_text(encoding="utf-8") == old)
        await until(lambda: bool(tab.content.asked))

    drive(tmp_path / "root", prepare, act)


def test_the_inspector_says_how_a_source_stands_and_opens_its_page(tmp_path: Path) -> None:
    page, refs = tmp_path / "pages" / "gate.md", []

    def prepare(bench: Bench) -> None:
        start = "---\nstatus: canon\n---\n# Gate\n\nThe gate of the harbour is"
        save(page, f"{start} shut at every hour of the night.\n")
        here = bench.workspace.id
        bench.inklings.world.link(here, page.parent)
        bench.inklings.world.look(here)
        draft = MemoryDraft(
            ScopeKey.workspace(here), "It is shut.", derived_from=(Derivation("Gate#Gate"),)
        )
        refs.append(bench.inklings.memories.put(draft).ref)
        save(page, f"{start} open at every hour of the night.\n")
        bench.inklings.world.look(here)

    async def act(bench: WindowBench) -> None:
        await bench.memory.subject.open_memory(refs[0])
        cards = bench.window.inspector.body.sources
        await until(lambda: cards.findChild(QAbstractButton, "openSourcePage") is not None)
        labels = cards.findChildren(QLabel)
        said = [one.text() for one in labels]
        assert {"changed since", "Lifecycle", "canon", "author", "settled"} <= set(said)
        assert "canon \u2013 status: canon, line 2 of gate.md" in said
        canon = next(one for one in labels if one.text() == "canon")
        assert "line 2 of gate.md" in canon.toolTip()
        opens = cards.findChild(QAbstractButton, "openSourcePage")
        assert isinstance(opens, QAbstractButton)
        opens.click()
        assert bench.window.pages.current_id == WORLD_PAGE
        assert bench.window.opened is not None
        world: Any = bench.window.opened.pages.page(WORLD_PAGE)
        shown = world.pages_tab
        await until(lambda: shown.shown is not None and shown.shown.whole.page.title == "Gate")

    drive(tmp_path / "root", prepare, act)


def test_what_is_wrong_with_a_page_is_said() -> None:
    assert message_of(InvalidValueError("path", "suffix")).title == (
        "A page ends in .md, .markdown or .txt."
    )
    assert message_of(ConflictError("page_text", "gate.md")).text == (
        "gate.md stays as it is. Compare again, then decide."
    )
    assert message_of(ConflictError("retcon", "r")).title == "This was already answered."
    assert message_of(ConflictError("page", "gate.md")).text == "gate.md stays as it is."
