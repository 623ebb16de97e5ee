"""Why a search found what it found and missed what it missed, in the real window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from inklings_desktop.domain.memory import MemoryPatch, MemoryRef
from inklings_desktop.ui.memory.explain.explaining import Explanations
from inklings_desktop.ui.memory.explain.missing_popover import MissingPopover
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

LONG = "The harbour of Wend is to be felt before it is seen."
REPEAT = LONG.upper()


def harbours(bench: Bench) -> None:
    """Two texts that hold the word, and a weaker repeat of one; one without it, one forgotten."""
    bench.put("Smell before sight in every harbour paragraph.", importance=0.9)
    bench.put(LONG, importance=0.7)
    repeat = bench.put("What the quay smells of.", importance=0.1)
    bench.inklings.memories.update(  # said once more by a correction; a second put adds nothing
        repeat.ref, MemoryPatch(content=REPEAT), expected_version=1
    )
    bench.put("Gulls keep accounts.")
    gone = bench.put("An old harbour law.")
    bench.inklings.memories.forget([gone.ref])


async def searched(bench: WindowBench, text: str, n_hits: int) -> Explanations:
    bench.window.page.header.search.set_text(text)
    await bench.until(lambda: bench.memory.list.request.text == text)
    await bench.until(lambda: len(bench.memory.list.found_ids) == n_hits)
    return bench.memory.why


async def chosen(bench: WindowBench, place: int) -> str:
    page = bench.window.page
    page.list_cursor.select_first()
    for _ in range(place):
        page.list_cursor.select_next()
    key = page.list_cursor.current_id()
    assert key is not None
    await bench.until(lambda: bench.memory.subject.current_ref is not None)
    await bench.until(
        lambda: (ref := bench.memory.subject.current_ref) is not None and ref.id == key
    )
    return key


async def asked(bench: WindowBench, why: Explanations) -> MissingPopover:
    bench.window.page.foot.missing.click()
    await bench.until(lambda: why.popover is not None and why.popover.list.count() > 0)
    assert why.popover is not None
    return why.popover


def offered(popover: MissingPopover) -> list[str]:
    return [popover.list.item(row).text() for row in range(popover.list.count())]


@scene(drive, harbours)
async def test_a_hit_says_how_it_was_found_and_browsing_says_nothing(bench: WindowBench, /) -> None:
    section = bench.window.inspector.body.why
    await bench.until(lambda: len(bench.texts()) == 4)
    assert not section.isVisible()
    assert not bench.window.page.foot.isVisible()
    await searched(bench, "harbour", 2)
    key = await chosen(bench, 0)
    assert section.isVisible()
    assert section.accessibleName() == "Why \u201charbour\u201d found this, 1st of 2"
    part = section.part
    assert part.sentence.text() == "Found by the word \u201charbour\u201d."
    assert not part.found.isVisible()
    part.more.click()
    assert part.found.isVisible()
    labels = [label.text() for label in part.found.findChildren(QLabel)]
    assert "Words  \u201charbour\u201d" in labels
    assert "not compared" in labels
    assert [bar.name for bar in part.order.bars.bars][:2] == ["Words", "Meaning"]
    part.more.click()
    assert not part.found.isVisible()
    inklings = bench.bench.inklings
    stored = inklings.listing.show(MemoryRef(bench.bench.scope, key)).entry
    assert (stored.access_count, stored.accessed_at) == (0, None)
    bench.window.page.header.search.set_text("")
    await bench.until(lambda: not section.isVisible())


@scene(drive, harbours)
async def test_what_says_the_same_can_be_seen_and_opened(bench: WindowBench, /) -> None:
    await searched(bench, "harbour", 2)
    section = bench.window.inspector.body.why
    await chosen(bench, bench.texts().index(LONG))
    assert section.show_folded.text() == "Show it"
    section.show_folded.click()
    await bench.until(lambda: len(section.links) == 1)
    (link,) = section.links
    link.click()
    await bench.until(lambda: bench.window.inspector.editor.toPlainText() == REPEAT)
    assert not section.isVisible()


@scene(drive, harbours)
async def test_what_is_missing_is_followed_to_where_it_fell_out(bench: WindowBench, /) -> None:
    why = await searched(bench, "harbour", 2)
    popover = await asked(bench, why)
    assert "Gulls keep accounts." in offered(popover)
    assert "An old harbour law.   (forgotten)" in offered(popover)
    assert len(offered(popover)) == 3
    assert popover.list.accessibleName() == "Memories that the search did not find"
    popover.list.setCurrentRow(offered(popover).index("Gulls keep accounts."))
    await bench.until(lambda: popover.title.text() == "The search does not match it.")
    names = [line.accessibleName() for line in popover.step_labels]
    assert names[3] == "Matched by a word or by meaning: fell out here"
    assert names[2].endswith(": passed")
    popover.list.setCurrentRow(offered(popover).index("An old harbour law.   (forgotten)"))
    await bench.until(lambda: popover.title.text() == "It is forgotten, so no search finds it.")
    popover.open.click()
    await bench.until(lambda: bench.window.inspector.editor.toPlainText() == "An old harbour law.")
    assert why.popover is None


@scene(drive, harbours)
async def test_one_that_is_folded_leads_to_the_better_hit(bench: WindowBench, /) -> None:
    why = await searched(bench, "harbour", 2)
    popover = await asked(bench, why)
    popover.field.setText("wend")
    await bench.until(lambda: offered(popover) == [REPEAT])
    popover.list.setCurrentRow(0)
    await bench.until(lambda: popover.title.text() == "It is a duplicate of a better hit.")
    assert popover.better.isVisible()
    popover.better.click()
    await bench.until(lambda: bench.window.inspector.editor.toPlainText() == LONG)
    assert bench.window.page.list_cursor.current_id() in bench.memory.list.found_ids


@scene(drive, harbours)
async def test_an_id_can_be_pasted_and_words_narrow_the_list(bench: WindowBench, /) -> None:
    why = await searched(bench, "harbour", 2)
    popover = await asked(bench, why)
    popover.field.setText("gulls")
    await bench.until(lambda: offered(popover) == ["Gulls keep accounts."])
    QTest.keyClick(popover.field, Qt.Key.Key_Down)
    await bench.until(lambda: popover.title.text() == "The search does not match it.")
    nobody = "00000000-0000-4000-8000-000000000000"
    popover.field.setText(f"  {nobody} ")
    await bench.until(lambda: nobody in offered(popover)[0])
    QTest.keyClick(popover.field, Qt.Key.Key_Return)
    await bench.until(lambda: popover.title.text() == "It is not in the place you searched.")
    assert not popover.open.isEnabled()
    popover.field.setText("kraken")
    await bench.until(popover.nothing.isVisible)


@scene(drive, harbours)
async def test_a_search_without_hits_offers_the_same_question(bench: WindowBench, /) -> None:
    bench.window.page.header.search.set_text("kraken")
    await bench.until(bench.window.page.empty.isVisible)
    assert bench.window.page.foot.missing.isVisible()
    popover = await asked(bench, bench.memory.why)
    assert len(offered(popover)) == 5
