"""The tab of facts: what its rows say; how one is found, changed, superseded and settled."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.knowledge.facts import (
    Ending,
    FactState,
    Observation,
    Policy,
    PolicyDetails,
    StoryInterval,
)
from inklings_desktop.domain.memory import MemoryKind
from inklings_desktop.ui.kit.dialogs.fact_dialog import FactDialog
from inklings_desktop.ui.kit.ops.page_spec import KNOWLEDGE_PAGE
from inklings_desktop.ui.kit.page.destinations import ToKnowledge
from inklings_desktop.ui.knowledge.facts_state import FactRow, sure_word
from inklings_desktop.usecases.knowledge.values import FactSort, PolicyView
from tests.support.builders import a_memory
from tests.support.stopwatch import until
from tests.ui.knowledge.knowledge_double import NOW, KnowledgeBench, a_view, play, superseded

BEGINS = a_view(3, "The story begins eleven years after the flood.", n_replaced=1)
EARLIER = superseded(
    a_view(2, "The story begins nine years after the flood.", confidence=0.8), "fact-3"
)
LEFT = a_view(
    4,
    "Nerys is left-handed.",
    "people",
    "Nerys/hand",
    0.45,
    state=FactState.DISAGREES,
    disagrees_with=("fact-5",),
)
RIGHT = a_view(5, "Nerys is right-handed.", "people", "Nerys/hand", 0.6)
VIEWS = (BEGINS, LEFT, RIGHT, EARLIER)
ENDED = replace(EARLIER, ending=Ending(NOW - timedelta(days=2), "Loom", "Chapter 1 was rewritten"))
CHAINS = {"fact-3": [ENDED, BEGINS]}


def row(bench: KnowledgeBench, fact_id: str) -> FactRow:
    """One row of the list."""
    found = next(one for one in bench.rows.rows if one.id == fact_id)
    assert isinstance(found, FactRow)
    return found


async def a_dialog(bench: KnowledgeBench) -> FactDialog:
    """The dialog that is open, once it is."""
    window = bench.view.window()
    await until(lambda: any(one.isVisible() for one in window.findChildren(FactDialog)))
    return next(one for one in window.findChildren(FactDialog) if one.isVisible())


async def asked(bench: KnowledgeBench, verb: str) -> tuple[Any, ...]:
    """What the store was asked by this verb, once it was."""
    await until(lambda: any(one[0] == verb for one in bench.facts.asked))
    return next(one for one in bench.facts.asked if one[0] == verb)


def on_show(bench: KnowledgeBench, word: str) -> list[QAbstractButton]:
    """The buttons of this word that are on show."""
    buttons = bench.view.findChildren(QAbstractButton)
    return [one for one in buttons if one.text() == word and one.isVisible()]


def press(bench: KnowledgeBench, word: str) -> None:
    """Press the button of this word that is on show."""
    on_show(bench, word)[0].click()


@pytest.mark.usefixtures("qapp")
class TestRows:
    def test_are_grouped_by_domain_and_say_how_sure_they_are(self, tmp_path: Path) -> None:
        async def scene(bench: KnowledgeBench) -> None:
            heads = ["timeline", BEGINS.fact.memory.content, "people"]
            assert bench.texts() == [*heads, "Nerys is left-handed.", "Nerys is right-handed."]
            assert row(bench, "fact-3").replaced == "replaces 1"
            left = row(bench, "fact-4")
            assert left.warning == "disagrees with another"
            assert left.spoken.startswith("people, Nerys/hand, confidence 0.45 a guess")

        play(tmp_path, scene, VIEWS, CHAINS)

    def test_tell_words_by_figures(self) -> None:
        figures = (1.0, 0.8, 0.79, 0.5, 0.49, 0.0)
        words = ["settled", "settled", "likely", "likely", "a guess", "a guess"]
        assert [sure_word(one) for one in figures] == words

    def test_superseded_ones_come_when_they_are_wanted(self, tmp_path: Path) -> None:
        async def scene(bench: KnowledgeBench) -> None:
            bench.named("factSuperseded").click()
            await until(lambda: EARLIER.fact.memory.content in bench.texts())
            assert row(bench, "fact-2").superseded == "superseded 2 d ago"

        play(tmp_path, scene, VIEWS, CHAINS)

    def test_a_domain_a_state_an_order_and_words_choose_what_is_shown(self, tmp_path: Path) -> None:
        async def scene(bench: KnowledgeBench) -> None:
            domains = bench.named("factDomains")
            domains.setFocus()
            QTest.keyClick(domains, Qt.Key.Key_End)
            await until(lambda: "timeline" not in bench.texts())
            QTest.keyClick(domains, Qt.Key.Key_Home)
            await until(lambda: "timeline" in bench.texts())
            bench.tab.want(states=frozenset({FactState.DISAGREES}))
            await until(lambda: bench.texts() == ["people", "Nerys is left-handed."])
            bench.tab.want(states=frozenset(), sort=FactSort.CONFIDENCE)
            await until(lambda: bench.texts()[0] == "By confidence")
            assert row(bench, "fact-5").topic == "people, Nerys/hand"
            bench.named("factFind").set_text("right")
            await until(lambda: bench.texts() == ["Best match first", "Nerys is right-handed."])

        play(tmp_path, scene, VIEWS, CHAINS)

    def test_a_row_is_as_high_as_its_words_need(self, tmp_path: Path) -> None:
        long = a_view(9, "Nobody has seen the drowned bell since the flood. " * 4)

        async def scene(bench: KnowledgeBench) -> None:
            rows = range(1, len(bench.rows.rows))
            heights = [bench.rows.rowHeight(one) for one in rows]
            assert heights[1] > heights[0]

        play(tmp_path, scene, (BEGINS, long))


@pytest.mark.usefixtures("qapp")
class TestActs:
    def test_a_new_fact_goes_into_a_domain_that_is_made_for_it(self, tmp_path: Path) -> None:
        async def scene(bench: KnowledgeBench) -> None:
            assert bench.named("nothingFacts").isVisible()
            bench.facts.refusals.append(InvalidValueError("topic", "type"))
            bench.named("newFact").click()

            def is_gone(dialog: FactDialog) -> bool:
                return dialog not in _shown(bench)

            for _ in range(2):
                dialog = await a_dialog(bench)
                assert dialog.confirm.isEnabled() is bool(dialog.topic.text())
                dialog.content.setPlainText("Pell speaks without articles.")
                dialog.topic.setText("Pell")
                dialog.sources.setText("Pell#Voice, Letters")
                dialog.confirm.click()
                await until(partial(is_gone, dialog))
            await until(lambda: "Pell speaks without articles." in bench.texts())
            _, draft = bench.facts.asked[[one[0] for one in bench.facts.asked].index("put")]
            assert (draft.domain, draft.topic, draft.confidence) == ("Canon", "Pell", 1.0)
            assert draft.sources == ("Pell#Voice", "Letters")
            assert bench.steps[0].text == "Wrote 1 fact"

        play(tmp_path, scene)

    def test_s_supersedes_with_a_reason_and_undo_takes_it_back(self, tmp_path: Path) -> None:
        async def scene(bench: KnowledgeBench) -> None:
            bench.rows.setFocus()
            QTest.keyClick(bench.rows, Qt.Key.Key_S)
            dialog = await a_dialog(bench)
            assert dialog.typed.content == BEGINS.fact.memory.content
            assert not dialog.confirm.isEnabled()
            dialog.content.setPlainText("The story begins twelve years after the flood.")
            dialog.reason.setText("Chapter 1 was rewritten")
            QTest.keyClicks(dialog.chapters.first, "9")
            dialog.confirm.click()
            said = await asked(bench, "supersede")
            assert said[1:4] == ("fact-3", dialog_text(), "Chapter 1 was rewritten")
            assert said[4] == StoryInterval(9)
            await until(lambda: dialog_text() in bench.texts())
            assert bench.tab.current == "fact-91"
            step: Any = bench.steps[0]
            step.take_back(bench.bench.inklings)
            assert bench.facts.asked[-1] == ("take back", "fact-91")

        play(tmp_path, scene, VIEWS, CHAINS)

    def test_another_figure_is_saved_alone_and_undone(self, tmp_path: Path) -> None:
        async def scene(bench: KnowledgeBench) -> None:
            bench.rows.setFocus()
            QTest.keyClick(bench.rows, Qt.Key.Key_BracketLeft)
            assert bench.page.has_unsaved
            bench.named("saveFact").click()
            _, fact_id, patch, version = await asked(bench, "edit")
            assert (fact_id, patch.confidence, version) == ("fact-3", 0.9, 1)
            await until(lambda: bool(bench.steps))
            await until(lambda: row(bench, "fact-3").confidence == 0.9)
            await until(lambda: not bench.page.has_unsaved)
            bench.steps[0].take_back(bench.bench.inklings)
            assert bench.facts.asked[-1][2].confidence == 0.95

        play(tmp_path, scene, VIEWS, CHAINS)

    def test_topic_and_chapters_are_saved_and_undone(self, tmp_path: Path) -> None:
        async def scene(bench: KnowledgeBench) -> None:
            topic, first, until = map(bench.named, ("topicField", "chapterFrom", "chapterUntil"))
            topic.setFocus()
            topic.selectAll()
            QTest.keyClicks(topic, "the flood")
            QTest.keyClicks(first, "8")
            QTest.keyClicks(until, "3")
            assert bench.page.has_unsaved
            assert not bench.named("saveFact").isEnabled()
            until.setText("")
            QTest.keyClicks(until, "12")
            bench.named("saveFact").click()
            _, fact_id, patch, _ = await asked(bench, "edit")
            assert (fact_id, patch.topic, patch.story) == (
                "fact-3",
                "the flood",
                StoryInterval(8, 12),
            )
            await until_read(bench)
            assert row(bench, "fact-3").topic == "the flood"
            assert (first.text(), until.text()) == ("8", "12")
            bench.steps[0].take_back(bench.bench.inklings)
            again = bench.facts.asked[-1][2]
            assert (again.topic, again.story) == ("flood", StoryInterval())

        play(tmp_path, scene, VIEWS, CHAINS)

    def test_another_text_asks_to_supersede(self, tmp_path: Path) -> None:
        async def scene(bench: KnowledgeBench) -> None:
            bench.named("factContent").setPlainText("The story begins late.")
            bench.named("saveFact").click()
            dialog = await a_dialog(bench)
            assert dialog.typed.content == "The story begins late."
            dialog.reject()
            await until(lambda: not _shown(bench))
            press(bench, "Revert")
            assert not bench.page.has_unsaved

        play(tmp_path, scene, VIEWS, CHAINS)

    def test_of_two_that_disagree_one_holds_or_both_stay_open(self, tmp_path: Path) -> None:
        async def scene(bench: KnowledgeBench) -> None:
            bench.tab.go_to("fact-4")
            banner = bench.named("factDispute")
            await until(banner.isVisible)
            press(bench, "Open both")
            await until(lambda: len(bench.texts()) == 3)
            press(bench, "Leave it open")
            await until(lambda: not banner.isVisible())
            bench.tab.left_open.clear()
            bench.tab.say_again()
            press(bench, "This one is right")
            assert await asked(bench, "settle") == ("settle", "fact-4", "fact-5")

        play(tmp_path, scene, VIEWS, CHAINS)

    def test_take_back_brings_the_one_before_it_back(self, tmp_path: Path) -> None:
        async def scene(bench: KnowledgeBench) -> None:
            await bench.tab._take_back()
            assert await asked(bench, "take back") == ("take back", "fact-3")
            assert bench.steps[0].text == "Withdrew 1 fact"

        play(tmp_path, scene, VIEWS, CHAINS)


@pytest.mark.usefixtures("qapp")
class TestPage:
    def test_the_rail_says_how_much_disagrees(self, tmp_path: Path) -> None:
        async def scene(bench: KnowledgeBench) -> None:
            await until(lambda: bool(bench.said.marks))
            page_id, mark = bench.said.marks[-1]
            assert (page_id, mark.count, mark.short_hint) == (KNOWLEDGE_PAGE, 3, "1")
            assert mark.told == "3 facts, 1 disagrees"

        play(tmp_path, scene, VIEWS, CHAINS)

    def test_the_chain_stands_beside_the_list_the_newest_first(self, tmp_path: Path) -> None:
        async def scene(bench: KnowledgeBench) -> None:
            bench.page.arrive(ToKnowledge("fact-3"))
            await until(lambda: bench.tab.known is not None and len(bench.tab.known.chain) == 2)
            assert bench.tab.known is not None
            said = [one.fact.memory.id for one in bench.tab.known.chain]
            assert said == ["fact-3", "fact-2"]
            told = {one.text() for one in bench.view.findChildren(QLabel)}
            assert "Superseded 2 d ago by Loom: Chapter 1 was rewritten" in told
            await until(lambda: bool(on_show(bench, "Say this again\u2026")))
            press(bench, "Say this again\u2026")
            dialog = await a_dialog(bench)
            assert dialog.typed.content == EARLIER.fact.memory.content
            dialog.reject()
            await until(lambda: not _shown(bench))

        play(tmp_path, scene, VIEWS, CHAINS)

    def test_house_rules_that_rest_on_a_fact_are_named(self, tmp_path: Path) -> None:
        memory = replace(a_memory("Ages are counted from the flood."), kind=MemoryKind.POLICY)
        policy = Policy(memory, PolicyDetails(), "timeline")
        rule = PolicyView(policy, (Observation("fact-3"),))
        other = PolicyView(policy, (Observation("fact-4"),))

        async def scene(bench: KnowledgeBench) -> None:
            await until(lambda: bench.tab.known is not None and bench.tab.known.rules == (rule,))
            said = {one.text() for one in bench.view.findChildren(QLabel)}
            assert "One house rule rests on it" in said
            await until(lambda: bool(on_show(bench, "Ages are counted from the flood.")))
            press(bench, "Ages are counted from the flood.")
            assert bench.said.ways == [ToKnowledge(tab="grants")]

        play(tmp_path, scene, VIEWS, CHAINS, rules=(rule, other))

    def test_a_narrow_page_shows_list_or_fact(self, tmp_path: Path) -> None:
        async def scene(bench: KnowledgeBench) -> None:
            detail = bench.named("factsDetail")
            assert not detail.isVisible()
            bench.rows.setFocus()
            QTest.keyClick(bench.rows, Qt.Key.Key_Return)
            await until(detail.isVisible)
            assert not bench.rows.isVisible()
            press(bench, "All facts")
            await until(bench.rows.isVisible)

        play(tmp_path, scene, VIEWS, CHAINS, width=796)

    def test_nothing_of_another_world_stays(self, tmp_path: Path) -> None:
        async def scene(bench: KnowledgeBench) -> None:
            bench.tab.find("nobody says this")
            await until(lambda: not bench.texts())
            other = bench.bench.inklings.workspaces.create("Elsewhere")
            await bench.page.open(other.id)
            await until(lambda: bool(bench.texts()))
            assert bench.tab.wanted.text == ""

        play(tmp_path, scene, tuple(replace(one) for one in VIEWS), CHAINS)


async def until_read(bench: KnowledgeBench) -> None:
    """Return once what was saved is read again."""
    await until(lambda: bool(bench.steps))
    await until(lambda: not bench.page.has_unsaved and not bench.tab.is_deciding)
    await bench.tab.settled()


def dialog_text() -> str:
    """What the fact says that takes the place of the first one."""
    return "The story begins twelve years after the flood."


def _shown(bench: KnowledgeBench) -> list[QWidget]:
    return [one for one in bench.view.window().findChildren(FactDialog) if one.isVisible()]
