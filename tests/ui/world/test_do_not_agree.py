"""What does not agree, in the tab of what changed: two memories, and a memory and a page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inklings_desktop.domain.memory import MemoryDraft, MemoryRef, ScopeKey
from inklings_desktop.ui.kit.page.destinations import ToWorld
from inklings_desktop.ui.world.changed_tab import ChangedTab
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.presenter_bench import Bench
from tests.ui.world.tab_bench import TabBench, play, save

pytestmark = pytest.mark.usefixtures("qapp")

THREE = "Nerys has three brothers who sail the northern ships."
FOUR = "Nerys has four brothers who sail the northern ships."
EYES = "Oren Vael has green eyes and keeps three northern lamps. He never sleeps before the dawn."
PAGE = "The house is old. Oren Vael has green eyes and keeps four northern lamps. It is cold."


class ClashBench(TabBench):
    """The tab, while a test drives it."""

    def waiting(self) -> list[tuple[str, str]]:
        content = self.tab.content
        found = content.clashes if content is not None else ()
        return [(one.pair.first.content, one.pair.other_text) for one in found]

    def choose(self, text: str) -> None:
        key = next(o.key for o in self.tab.content.clashes if o.pair.first.content == text)
        self.named("changedList").row_chosen.emit(key)

    def is_forgotten(self, text: str) -> bool:
        refs: dict[str, MemoryRef] = self.tab.refs
        return self.inklings.listing.show(refs[text]).entry.is_forgotten

    def press(self, key: Qt.Key) -> None:
        QTest.keyClick(self.named("changedList"), key)


def clashing(root: Path, action: Callable[[ClashBench], Awaitable[None]]) -> None:
    """The tab over two memories that do not agree, and one that a page contradicts."""

    def prepare(bench: Bench, pages: Path) -> Callable[[TabBench], Awaitable[None]]:
        here = bench.workspace.id
        save(pages / "Lamps.md", f"# Lamps\n\n{PAGE}\n")
        bench.inklings.world.link(here, pages)
        bench.inklings.world.look(here)
        scope = ScopeKey.workspace(here)
        put = bench.inklings.memories.put
        refs = {text: put(MemoryDraft(scope, text)).ref for text in (THREE, FOUR, EYES)}

        async def scene(driven: TabBench) -> None:
            told = ClashBench(driven.tab, driven.said, bench)
            told.tab.refs = refs
            await action(told)

        return scene

    play(root, ChangedTab, prepare)


@scene(clashing)
async def test_both_texts_are_shown_with_what_differs(bench: ClashBench, /) -> None:
    assert bench.waiting() == [(THREE, FOUR), (EYES, PAGE)]
    assert ("Do not agree", "2") in bench.rows
    assert (THREE, "another memory") in bench.rows
    assert (EYES, "Lamps") in bench.rows
    bench.choose(THREE)
    assert ">three</span>" in bench.named("firstText").text()
    assert ">four</span>" in bench.named("secondText").text()
    assert bench.named("clashDifference").text() == "another number"
    assert [hint.keys for hint in bench.tab.key_hints()][1:] == [("1", "2"), ("B",), ("L",)]
    bench.choose(EYES)
    assert bench.named("clashPage").text() == "Lamps"
    assert ">four</span>" in bench.named("secondText").text()
    assert "The house is old. Oren Vael has" in bench.named("secondText").text()


@pytest.mark.parametrize(
    ("key", "right", "wrong"), [(Qt.Key.Key_1, THREE, FOUR), (Qt.Key.Key_2, FOUR, THREE)]
)
def test_one_is_right_and_the_other_is_forgotten(
    tmp_path: Path, key: Qt.Key, right: str, wrong: str
) -> None:
    async def answered(bench: ClashBench) -> None:
        bench.choose(THREE)
        bench.press(key)
        await until(lambda: bench.waiting() == [(EYES, PAGE)] and len(bench.done) == 1)
        assert (bench.is_forgotten(right), bench.is_forgotten(wrong)) == (False, True)
        assert bench.tab.toast.isVisible()
        assert bench.done[0].text == "Forgot 1 memory"
        assert bench.tab.content.one(bench.tab.current) is not None
        await bench.tab.change(bench.done[0].take_back, bench.inklings)
        await until(lambda: len(bench.waiting()) == 2)
        assert not bench.is_forgotten(wrong)

    clashing(tmp_path, answered)


@scene(clashing)
async def test_both_hold_or_it_is_asked_later(bench: ClashBench, /) -> None:
    bench.choose(THREE)
    bench.press(Qt.Key.Key_B)
    await until(lambda: bench.waiting() == [(EYES, PAGE)] and len(bench.done) == 1)
    bench.press(Qt.Key.Key_L)
    await until(lambda: bench.waiting() == [] and len(bench.done) == 2)
    assert [one.text for one in bench.done] == ["Both are right", "Asked again tomorrow"]
    assert not any(map(bench.is_forgotten, (THREE, FOUR, EYES)))
    assert bench.named("nothingChanged").isVisible()
    for step in reversed(bench.done):
        await bench.tab.change(step.take_back, bench.inklings)
    await until(lambda: len(bench.waiting()) == 2)


@scene(clashing)
async def test_a_page_is_right_or_is_opened_to_be_changed(bench: ClashBench, /) -> None:
    bench.choose(EYES)
    bench.press(Qt.Key.Key_1)
    bench.press(Qt.Key.Key_Space)
    assert (bench.done, bench.tab.checked) == ([], frozenset())
    bench.press(Qt.Key.Key_O)
    pair: Any = bench.tab.content.clashes[1].pair
    assert bench.said.ways == [ToWorld(pair.page.id, pair.block.id)]
    bench.tab.focus_detail()
    assert bench.named("bothHold").hasFocus()
    bench.press(Qt.Key.Key_2)
    await until(lambda: bench.waiting() == [(THREE, FOUR)])
    assert bench.is_forgotten(EYES)


@scene(clashing)
async def test_what_was_forgotten_elsewhere_is_refused(bench: ClashBench, /) -> None:
    bench.choose(THREE)
    bench.inklings.memories.forget([bench.tab.refs[FOUR]])
    bench.press(Qt.Key.Key_1)
    await until(lambda: bench.waiting() == [(EYES, PAGE)])
    assert bench.done == []
    assert not bench.is_forgotten(THREE)
