"""The tab of what agents would change of pages, over real files."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QTextEdit

from inklings_desktop.domain.errors import OutsideFileError
from inklings_desktop.domain.memory import MemoryDraft, MemoryRef, ScopeKey
from inklings_desktop.ui.kit.panes.banner import Banner
from inklings_desktop.ui.world.proposed_tab import ProposedTab, _Badge
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.presenter_bench import Bench
from tests.ui.world.tab_bench import TabBench, play, save

pytestmark = pytest.mark.usefixtures("qapp")

OLD, NEW = "# Gate\n\nThe gate is shut.\n", "# Gate\n\nThe gate stands open.\n"
BELL = "The bell is rung twice."


class ProposedBench(TabBench):
    """The tab, while a test drives it."""

    pages: Path
    memory: MemoryRef

    def choose(self, badge: str) -> None:
        """Choose what waits by its badge."""
        content = self.tab.content
        self.named("proposedList").row_chosen.emit(
            next(one.key for one in content.asked if one.badge == badge)
        )

    def badges(self) -> list[str]:
        """What waits."""
        return sorted(one.badge for one in self.tab.content.asked)

    def gate(self) -> str:
        """What the page says."""
        return (self.pages / "gate.md").read_text(encoding="utf-8")

    @property
    def banner(self) -> Any:
        """What is shown above the difference."""
        found = self.named("proposedBanner")
        assert isinstance(found, Banner)
        return found.content

    async def dialog(self) -> QDialog:
        """The dialog over the window, once it is there."""
        window = self.view.window()
        await until(lambda: any(one.isVisible() for one in window.findChildren(QDialog)))
        found: QDialog = next(one for one in window.findChildren(QDialog) if one.isVisible())
        return found


def asked(root: Path, action: Callable[[ProposedBench], Awaitable[None]], **options: Any) -> None:
    """The stage: another text of a page, another path for it, and a page from a memory."""

    def prepare(bench: Bench, pages: Path) -> Callable[[TabBench], Awaitable[None]]:
        here, world, proposals = bench.workspace.id, bench.inklings.world, bench.inklings
        save(pages / "gate.md", OLD)
        folder = world.link(here, pages)
        world.look(here)
        memory = bench.inklings.memories.put(MemoryDraft(ScopeKey.workspace(here), BELL))
        propose = proposals.page_proposals.propose
        propose(here, page="gate.md", text=NEW, reason="It was opened.")
        propose(here, page="gate.md", to="harbour/gate.md", reason="It is there.")
        proposals.page_proposals.promote(
            memory.ref, folder=folder.id, path="bell.md", reason="It is settled."
        )

        async def scene(driven: TabBench) -> None:
            told = ProposedBench(driven.tab, driven.said, bench)
            told.pages, told.memory = pages, memory.ref
            await action(told)

        return scene

    play(root, ProposedTab, prepare, **options)


@scene(asked)
async def test_a_change_is_compared_accepted_and_taken_back(bench: ProposedBench, /) -> None:
    assert bench.badges() == ["+1, \u22121", "new page", "rename"]
    assert ProposedTab.read_count(bench.tab.context, bench.here) == 3
    bench.choose("+1, \u22121")
    assert bench.named("proposedTitle").text() == "Gate"
    assert bench.named("proposedDiff").n_changes() == 1
    assert bench.banner is None
    bench.tab.set_mode("whole")
    assert bench.named("proposedWhole").text() == NEW
    QTest.keyClick(bench.named("proposedList"), Qt.Key.Key_Y)
    await until(lambda: len(bench.done) == 1 and len(bench.badges()) == 2)
    assert bench.gate() == NEW
    assert bench.done[0].text == "Changed Gate"
    assert bench.tab.toast.isVisible()
    assert ("Decided", "1") in bench.rows
    await bench.tab.change(bench.done[0].take_back, bench.inklings)
    await until(lambda: len(bench.badges()) == 3)
    assert bench.gate() == OLD


@scene(asked)
async def test_a_page_that_changed_meanwhile_is_compared_again(bench: ProposedBench, /) -> None:
    save(bench.pages / "gate.md", OLD.replace("shut", "barred"))
    bench.tab.read_again()
    await bench.tab.settled()
    bench.choose("+1, \u22121")
    assert bench.banner.title == "The page changed after this was written."
    assert not bench.named("acceptPage").isEnabled()
    bench.named("proposedBanner").action_requested.emit("compare")
    await until(lambda: bench.named("acceptPage").isEnabled())
    assert bench.banner is None
    bench.named("acceptPage").click()
    await until(lambda: bench.gate() == NEW)


@scene(asked)
async def test_the_author_writes_it_otherwise(bench: ProposedBench, /) -> None:
    bench.choose("+1, \u22121")
    QTest.keyClick(bench.named("proposedList"), Qt.Key.Key_E)
    field = bench.named("pageWording")
    assert isinstance(field, QTextEdit)
    assert field.hasFocus()
    field.setPlainText("# Gate\n\nNobody knows.\n")
    assert bench.tab.has_unsaved
    bench.named("acceptPage").click()
    await until(lambda: len(bench.done) == 1)
    assert bench.gate() == "# Gate\n\nNobody knows.\n"
    await until(lambda: not bench.tab.has_unsaved)


@scene(asked)
async def test_a_rejected_change_leaves_the_page_alone(bench: ProposedBench, /) -> None:
    bench.choose("rename")
    assert not bench.named("editPage").isVisible()
    bench.named("rejectPage").click()
    dialog = await bench.dialog()
    confirm = dialog.findChild(QAbstractButton, "rejectConfirm")
    assert isinstance(confirm, QAbstractButton)
    confirm.click()
    await until(lambda: bench.badges() == ["+1, \u22121", "new page"])
    assert bench.gate() == OLD
    assert not bench.done
    assert any(meta.startswith("rejected") for _, meta in bench.rows)


@scene(asked)
async def test_a_memory_that_became_a_page_may_be_forgotten(bench: ProposedBench, /) -> None:
    bench.choose("new page")
    assert bench.named("leansOn").isVisible()
    bench.named("acceptPage").click()
    dialog = await bench.dialog()
    forget = next(one for one in dialog.findChildren(QAbstractButton) if one.text() == "Forget it")
    assert BELL in (bench.pages / "bell.md").read_text(encoding="utf-8")
    forget.click()
    shown = bench.inklings.listing.show
    await until(lambda: shown(bench.memory).entry.is_forgotten)
    assert shown(bench.memory).entry.forgotten_reason == "promoted"


@scene(asked)
async def test_what_the_disk_refuses_is_kept_and_copied(
    bench: ProposedBench, /, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OutsideFileError(bench.pages / "gate.md", is_reading=False)

    monkeypatch.setattr(type(bench.inklings.page_proposals), "accept", refused)
    bench.choose("+1, \u22121")
    bench.named("acceptPage").click()
    await until(lambda: bench.banner is not None)
    assert bench.banner.title == "Could not write to gate.md."
    bench.named("proposedBanner").action_requested.emit("copy")
    assert QApplication.clipboard().text() == NEW
    assert len(bench.badges()) == 3


def test_list_and_detail_are_two_steps_where_it_is_narrow(tmp_path: Path) -> None:
    async def looked(bench: ProposedBench, /) -> None:
        assert not bench.named("proposedDetail").isVisible()
        bench.tab.focus_detail()
        assert bench.named("proposedDetail").isVisible()
        assert not bench.named("proposedList").isVisible()
        assert bench.tab.key_hints()[1].keys == ("Y",)

    asked(tmp_path, looked, width=900)


def test_nothing_is_proposed(tmp_path: Path) -> None:
    async def looked(bench: TabBench, /) -> None:
        assert bench.named("nothingProposed").isVisible()

    play(tmp_path, ProposedTab, lambda *_: looked)


@scene(asked)
async def test_a_section_more_is_called_so_and_no_figure_is_nought(bench: ProposedBench, /) -> None:
    propose = bench.inklings.page_proposals.propose
    propose(bench.here, page="gate.md", text=f"{OLD}\n## Bells\n\nTwo.\n", reason="New.")
    propose(bench.here, page="gate.md", text=f"{OLD}\nA bell hangs there.\n", reason="Longer.")
    bench.tab.read_again()
    await bench.tab.settled()
    assert {"new section", "+2", "+1, \u22121"} <= set(bench.badges())
    bench.choose("+1, \u22121")

    def shown() -> list[str]:
        return [one.text.text() for one in bench.view.findChildren(_Badge) if one.isVisible()]

    await until(lambda: shown() == ["+1", "\u22121"])
