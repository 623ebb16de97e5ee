"""The tab of what changed under memory, over real pages that another program saved."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from inklings_desktop.domain.memory import Derivation, MemoryDraft, MemoryRef, ScopeKey
from inklings_desktop.domain.words.text_diff import RowKind, TextDiff
from inklings_desktop.domain.world.derivations import RetconCase
from inklings_desktop.ui.kit.lists.badge_list import BadgeHeading
from inklings_desktop.ui.kit.page.destinations import ToWorld
from inklings_desktop.ui.world.changed_state import (
    MOST_TOGETHER,
    ChangedContent,
    Doubt,
    changed_rows,
)
from inklings_desktop.ui.world.changed_tab import ChangedTab
from tests.support.builders import a_memory
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.presenter_bench import Bench
from tests.ui.world.tab_bench import TabBench, play, save

pytestmark = pytest.mark.usefixtures("qapp")

NOW = datetime(2026, 3, 14, 9, tzinfo=UTC)
YEAR = "Year nine: Nerys is hired by the Guild and the long book begins."
GULLS = "The gulls of the harbour keep accounts of every debt that is owed."
STORY, SURE, COUNT = "Nerys is hired in year nine.", "Nobody sails before noon.", "Gulls count."


class ChangedBench(TabBench):
    """The tab, while a test drives it.

    Attributes:
        ids: Of the memories, by the texts with which they were written.
    """

    ids: dict[str, str]

    def waiting(self) -> list[str]:
        content = self.tab.content
        return [one.memory.content for one in content.doubts] if content is not None else []

    def case_of(self, text: str) -> RetconCase:
        """The retcon by which a memory waits."""
        assert self.tab.content is not None
        found: RetconCase = next(
            one.case for one in self.tab.content.doubts if one.memory.content == text
        )
        return found

    def choose(self, text: str) -> None:
        assert self.tab.content is not None
        key = next(one.key for one in self.tab.content.doubts if one.memory.content == text)
        self.named("changedList").row_chosen.emit(key)

    def memory(self, text: str) -> Any:
        """The memory that was written with this text, as it is now."""
        id_ = self.ids[text]
        ref = MemoryRef(ScopeKey.workspace(self.here), id_)
        return self.inklings.listing.show(ref).entry


def staged(
    root: Path,
    action: Callable[[ChangedBench], Awaitable[None]],
    year: str,
    count_from: tuple[str, ...] = ("Harbour",),
    **options: Any,
) -> None:
    """The tab over three memories of two blocks; ``year`` and nothing of gulls is said since."""

    def prepare(bench: Bench, pages: Path) -> Callable[[TabBench], Awaitable[None]]:
        page, here = pages / "Timeline.md", bench.workspace.id
        world, scope = bench.inklings.world, ScopeKey.workspace(here)
        save(page, f"# Timeline\n\n{YEAR}\n\n# Harbour\n\n{GULLS}\n")
        world.link(here, page.parent)
        world.look(here)
        ids = {}
        timeline = ("Timeline",)
        for text, places in ((STORY, timeline), (SURE, timeline), (COUNT, count_from)):
            sources = tuple(Derivation(f"Timeline#{place}") for place in places)
            draft = MemoryDraft(scope, text, derived_from=sources)
            ids[text] = bench.inklings.memories.put(draft).id
        save(page, f"# Timeline\n\n{year}\n\n# Harbour\n")
        world.look(here)

        async def scene(driven: TabBench) -> None:
            told = ChangedBench(driven.tab, driven.said, bench)
            told.ids = ids
            await action(told)

        return scene

    play(root, ChangedTab, prepare, **options)


def changed(root: Path, action: Callable[[ChangedBench], Awaitable[None]]) -> None:
    """The stage: nine is eleven now, and the gulls are gone."""
    staged(root, action, YEAR.replace("nine", "eleven"))


def narrow(root: Path, action: Callable[[ChangedBench], Awaitable[None]]) -> None:
    """The same where list and detail have no room beside each other."""
    staged(root, action, YEAR.replace("nine", "eleven"), width=900)


@scene(changed)
async def test_each_memory_waits_beside_what_its_page_says(bench: ChangedBench, /) -> None:
    assert sorted(bench.waiting()) == sorted((STORY, SURE, COUNT))
    assert ChangedTab.read_count(bench.tab.context, bench.here) == 3
    bench.choose(STORY)
    diff = bench.named("changedDiff")
    assert diff.isVisible()
    assert [diff.change_text(one) for one in range(diff.n_changes())] != []
    assert bench.named("newWording").text() == "Nerys is hired in year eleven."
    assert bench.named("changedSource").text() == "Timeline"
    assert not bench.named("sourceGone").isVisible()
    bench.choose(SURE)
    assert bench.named("newWording").text() == SURE
    assert bench.named("prefilledHow").text() == "Nothing was put in for you."
    assert not bench.named("updateMemory").isEnabled()
    bench.choose(COUNT)
    assert bench.named("sourceGone").text() == "The page no longer says this."
    texts = [one.text() for one in bench.view.findChildren(QLabel) if one.isVisible()]
    assert "What is remembered" in texts


@scene(changed)
async def test_an_update_leads_on_and_is_taken_back(bench: ChangedBench, /) -> None:
    bench.choose(STORY)
    QTest.keyClick(bench.named("changedList"), Qt.Key.Key_U)
    await until(lambda: STORY not in bench.waiting() and len(bench.done) == 1)
    assert bench.memory(STORY).content == "Nerys is hired in year eleven."
    assert sorted(bench.waiting()) == sorted((SURE, COUNT))
    assert bench.tab.toast.isVisible()
    assert bench.done[0].text == "Updated 1 memory"
    assert ("Answered today", "1") in bench.rows
    assert ("Nerys is hired in year eleven.", "updated") in bench.rows
    await bench.tab.change(bench.done[0].take_back, bench.inklings)
    await until(lambda: len(bench.waiting()) == 3)
    assert bench.memory(STORY).content == STORY


@scene(changed)
async def test_what_is_kept_and_what_is_forgotten_wait_no_more(bench: ChangedBench, /) -> None:
    bench.choose(SURE)
    QTest.keyClick(bench.named("changedList"), Qt.Key.Key_S)
    await until(lambda: SURE not in bench.waiting())
    bench.choose(COUNT)
    QTest.keyClick(bench.named("changedList"), Qt.Key.Key_Delete)
    await until(lambda: bench.waiting() == [STORY])
    assert bench.memory(COUNT).is_forgotten
    assert not bench.memory(SURE).is_forgotten
    assert sorted(one.text for one in bench.done) == ["Forgot 1 memory", "Kept 1 memory"]
    QTest.keyClick(bench.named("changedList"), Qt.Key.Key_S)
    await until(lambda: bench.waiting() == [])
    assert {row[1] for row in bench.rows[1:]} == {"kept", "forgotten"}


@scene(changed)
async def test_a_wording_is_kept_while_another_is_looked_at(bench: ChangedBench, /) -> None:
    bench.choose(SURE)
    bench.named("newWording").setPlainText("Nobody sails before noon, in any year.")
    assert bench.tab.has_unsaved
    bench.choose(STORY)
    bench.choose(SURE)
    assert bench.named("newWording").text() == "Nobody sails before noon, in any year."
    bench.named("updateMemory").click()
    await until(lambda: SURE not in bench.waiting() and not bench.tab.has_unsaved)
    assert bench.memory(SURE).content == "Nobody sails before noon, in any year."


@scene(changed)
async def test_what_was_changed_elsewhere_is_refused_and_read_again(bench: ChangedBench, /) -> None:
    bench.choose(STORY)
    case = bench.case_of(STORY)
    bench.inklings.derivations.keep(bench.here, case.retcon.id, [bench.ids[STORY]])
    bench.named("keepTrue").click()
    await until(lambda: STORY not in bench.waiting())
    assert not bench.done


@scene(changed)
async def test_the_page_is_opened_at_its_block(bench: ChangedBench, /) -> None:
    bench.choose(STORY)
    QTest.keyClick(bench.named("changedList"), Qt.Key.Key_O)
    case = bench.case_of(STORY)
    assert bench.said.ways == [ToWorld(case.page_id, case.retcon.block_id)]


@scene(changed)
async def test_several_are_checked_and_answered_together(bench: ChangedBench, /) -> None:
    rows = bench.named("changedList")
    assert not bench.named("changedTogether").isVisible()
    for text in (STORY, COUNT):
        bench.choose(text)
        QTest.keyClick(rows, Qt.Key.Key_Space)
    assert [one.is_checked for one in rows.rows[1:]].count(True) == 2
    assert bench.named("keepChecked").text() == "Keep 2, still true"
    assert bench.named("forgetChecked").text() == "Forget 2"
    assert not bench.named("updateMemory").isEnabled()
    assert [hint.keys[0] for hint in bench.tab.key_hints()] == ["J", "Space", "S", "Del", "Esc"]
    QTest.keyClick(rows, Qt.Key.Key_U)  # no word for several
    assert not bench.tab.is_deciding
    QTest.keyClick(rows, Qt.Key.Key_Delete)
    await until(lambda: bench.waiting() == [SURE])
    assert [bench.memory(one).is_forgotten for one in (STORY, SURE, COUNT)] == [True, False, True]
    assert bench.done[0].text == "Forgot 2 memories"
    assert not bench.tab.checked
    await bench.tab.change(bench.done[0].take_back, bench.inklings)
    await until(lambda: len(bench.waiting()) == 3)
    assert not bench.memory(STORY).is_forgotten


@scene(changed)
async def test_checks_are_taken_back_by_escape_and_by_a_second_click(
    bench: ChangedBench, /
) -> None:
    rows = bench.named("changedList")
    place = rows.visualRect(rows.model().index(1, 0)).center()
    QTest.mouseClick(
        rows.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, place
    )
    assert len(bench.tab.checked) == 1
    place.setX(30)
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not bench.tab.checked
    QTest.keyClick(rows, Qt.Key.Key_Space)
    assert len(bench.tab.checked) == 1
    bench.tab.go_back()
    assert not bench.tab.checked


@scene(changed)
async def test_one_that_was_answered_elsewhere_keeps_all_that_are_checked_waiting(
    bench: ChangedBench, /
) -> None:
    for text in (STORY, COUNT):
        bench.choose(text)
        QTest.keyClick(bench.named("changedList"), Qt.Key.Key_Space)
    last = [one for one in bench.waiting() if one != SURE][-1]
    case = bench.case_of(last)
    bench.inklings.derivations.keep(bench.here, case.retcon.id, [bench.ids[last]])
    bench.named("forgetChecked").click()
    await until(lambda: last not in bench.waiting())
    assert not bench.done
    assert not any(bench.memory(one).is_forgotten for one in (STORY, SURE, COUNT))


@scene(changed)
async def test_an_answer_is_taken_back_without_another_to_the_same_change(
    bench: ChangedBench, /
) -> None:
    bench.choose(STORY)
    QTest.keyClick(bench.named("changedList"), Qt.Key.Key_S)
    await until(lambda: STORY not in bench.waiting())
    bench.choose(SURE)
    QTest.keyClick(bench.named("changedList"), Qt.Key.Key_S)
    await until(lambda: bench.waiting() == [COUNT] and len(bench.done) == 2)
    await bench.tab.change(bench.done[1].take_back, bench.inklings)
    await until(lambda: sorted(bench.waiting()) == sorted((SURE, COUNT)))


@scene(changed)
async def test_a_change_stands_between_the_lines_around_it(bench: ChangedBench, /) -> None:
    bench.choose(STORY)
    diff = bench.tab.content.one(bench.tab.current).diff
    assert [one.text for one in diff.rows if one.kind is RowKind.SAME] == [
        "# Timeline",
        "# Harbour",
    ]
    row = next(one for one in bench.named("changedList").rows if one.text == STORY)
    assert (row.meta, row.glyph, row.rings) == ("Timeline", "file-text", (3, "tierWorkspace"))


def test_a_memory_of_two_changed_blocks_is_forgotten_once(tmp_path: Path) -> None:
    async def forgotten(bench: ChangedBench, /) -> None:
        doubts = [one for one in bench.tab.content.doubts if one.memory.content == COUNT]
        assert len(doubts) == 2
        for one in doubts:
            bench.named("changedList").row_chosen.emit(one.key)
            QTest.keyClick(bench.named("changedList"), Qt.Key.Key_Space)
        bench.named("forgetChecked").click()
        await until(lambda: sorted(bench.waiting()) == sorted((STORY, SURE)))
        assert bench.memory(COUNT).is_forgotten
        assert bench.done[0].text == "Forgot 1 memory"
        await bench.tab.change(bench.done[0].take_back, bench.inklings)
        await until(lambda: bench.waiting().count(COUNT) == 2)

    year = YEAR.replace("nine", "eleven")
    staged(tmp_path, forgotten, year, ("Timeline", "Harbour"))


def test_many_changes_are_grouped_by_their_pages() -> None:
    page = SimpleNamespace(what="changed", found_at=NOW, id="retcon")
    cases = [
        SimpleNamespace(page_title=title, heading="", retcon=page) for title in ("Gate", "Tides")
    ]
    doubts: Any = [
        Doubt(
            cast("Any", cases[n // 11]),
            a_memory(content=f"The tide of day {n}."),
            None,
            TextDiff((), 0, 0),
        )
        for n in range(MOST_TOGETHER + 2)
    ]
    rows = changed_rows(ChangedContent(tuple(doubts), (), (), 2, None, NOW))
    headings = [(one.text, one.detail) for one in rows if isinstance(one, BadgeHeading)]
    assert headings == [("Gate", "11"), ("Tides", "11")]
    rows = changed_rows(ChangedContent(tuple(doubts[:2]), (), (), 2, None, NOW))
    assert rows[0].text == "Source changed since it was written"


@scene(narrow)
async def test_list_and_detail_are_two_steps_where_it_is_narrow(bench: ChangedBench, /) -> None:
    assert bench.named("changedList").isVisible()
    assert not bench.named("changedDetail").isVisible()
    bench.tab.focus_detail()
    assert bench.named("changedDetail").isVisible()
    assert not bench.named("changedList").isVisible()
    bench.tab.focus_list()
    assert bench.named("changedList").isVisible()
    assert [hint.keys[0] for hint in bench.tab.key_hints()] == ["J", "Space", "S", "U", "Del", "O"]


def test_nothing_has_changed(tmp_path: Path) -> None:
    async def looked(bench: ChangedBench, /) -> None:
        assert bench.waiting() == [COUNT]
        bench.inklings.memories.forget(
            [MemoryRef(ScopeKey.workspace(bench.here), bench.ids[COUNT])]
        )
        await until(lambda: bench.waiting() == [])
        assert bench.named("nothingChanged").isVisible()

    staged(tmp_path, looked, YEAR)
