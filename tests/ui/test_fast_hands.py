"""What a hurried person does to many memories: wrong tags, moving rows, a change of mind."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memories.listing import EVERYTHING
from inklings_desktop.domain.memory import MemoryEntry, MemoryPatch, ScopeKey, Tier
from inklings_desktop.ui.kit.ops.page_spec import PREVIEW_PAGE
from inklings_desktop.ui.markdown.writing_text_edit import GrowingTextEdit
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.ui.memory.list.search_words import (
    Since,
    begin_of,
    by_agents_since,
    written_text,
)
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

CONTROL = Qt.KeyboardModifier.ControlModifier
FULL = tuple(f"tag {number}" for number in range(31))


def three_memories(bench: Bench) -> None:
    for number in range(3):
        bench.put(f"Memory {number}.", tags=FULL if not number else ("sea",))


def tagged(bench: Bench) -> None:
    for number in range(3):
        bench.put(f"Memory {number}.", tags=("sea",))


@scene(drive, tagged)
async def test_what_is_forgotten_to_the_last_is_still_to_be_found(bench: WindowBench, /) -> None:
    await all_checked(bench)
    page = bench.window.page
    QTest.keyClick(page.table, Qt.Key.Key_Delete)
    await bench.until(page.empty.isVisible)
    assert page.empty.title() == "Everything here is forgotten"
    first = next(iter(page.empty.cards()))
    assert first.accessibleName() == "Show what is forgotten"
    first.click()
    await bench.until(lambda: len(bench.texts()) == 3)
    assert page.filters.forgotten.isVisible()
    page.clear_filters_requested.emit()
    await bench.until(page.empty.isVisible)


async def all_checked(bench: WindowBench) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    bench.window.page.focus_list()
    QTest.keyClick(bench.window.page.table, Qt.Key.Key_A, CONTROL)
    await bench.until(lambda: len(bench.memory.acts.selection) == 3)
    await bench.until(bench.window.inspector.many.isVisible)


def stored(bench: WindowBench) -> list[MemoryEntry]:
    inklings = bench.bench.inklings
    page = inklings.listing.browse([bench.bench.scope])
    return sorted(page.entries, key=lambda entry: entry.content)


@scene(drive, tagged)
async def test_what_cannot_be_a_tag_stays_in_the_field_and_the_others_wait(
    bench: WindowBench, /
) -> None:
    await all_checked(bench)
    many = bench.window.inspector.many
    many.field.edit.setText(f"#brim, {'x' * 65}, cafe\u0301, caf\u00e9")
    QTest.keyClick(many.field.edit, Qt.Key.Key_Return)
    assert many.effect.text() == "A tag has at most 64 characters."
    assert many.field.edit.text() == "x" * 65
    QTest.mouseClick(many.apply, Qt.MouseButton.LeftButton)
    assert many.effect.text() == "A tag has at most 64 characters."
    assert all("brim" not in one.tags for one in stored(bench))
    chip = next(one for one in many.field.chips() if "brim" in one.accessibleName())
    chip.setFocus()
    QTest.keyClick(chip, Qt.Key.Key_Delete)
    assert QApplication.focusWidget() is many.field.edit
    many.field.edit.setText("brim, tide")
    many.apply.click()
    wanted = {"sea", "brim", "caf\u00e9", "tide"}
    await bench.until(lambda: all(set(one.tags) == wanted for one in stored(bench)))


@scene(drive, three_memories)
async def test_too_many_tags_are_said_before_anything_is_applied(bench: WindowBench, /) -> None:
    await all_checked(bench)
    many = bench.window.inspector.many
    for tag in ("brim", "tide"):
        many.field.edit.setText(tag)
        QTest.keyClick(many.field.edit, Qt.Key.Key_Return)
    assert many.effect.text() == "One would have more than 32 tags."
    assert not many.apply.isEnabled()
    many.field.left.emit("tide")
    assert many.effect.text() == 'Adds <span style="font-weight:600">brim</span> to 3.'
    many.field.edit.setText("")
    many.apply.click()
    await bench.until(lambda: all("brim" in one.tags for one in stored(bench)))
    await bench.until(lambda: not many.field.chips())


@scene(drive, tagged)
async def test_applying_is_offered_where_it_changes_something(bench: WindowBench, /) -> None:
    await all_checked(bench)
    many = bench.window.inspector.many
    assert not many.apply.isEnabled()
    QTest.keyClicks(many.field.edit, "sea")
    assert many.apply.isEnabled()  # a click takes what was typed, Enter or not
    QTest.keyClick(many.field.edit, Qt.Key.Key_Return)
    assert many.effect.text() == 'Adds <span style="font-weight:600">sea</span> to 0.'
    assert not many.apply.isEnabled()
    many.reset.click()
    QTest.keyClicks(many.field.edit, "brim")
    many.apply.click()
    await bench.until(lambda: all(one.tags == ("sea", "brim") for one in stored(bench)))


@scene(drive, three_memories)
async def test_a_menu_acts_on_the_row_it_was_opened_on(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    page = bench.window.page
    page.focus_list()
    row = page.table.current_row()
    assert row is not None
    menu = page.table._menu_of(row)
    forget = next(one for one in menu.actions() if one.text() == "Forget")
    QTest.keyClick(page.table, Qt.Key.Key_Down)  # another is current by the time of the click
    forget.trigger()
    await bench.until(lambda: len(stored(bench)) == 2)
    assert row.id not in {one.id for one in stored(bench)}


def editor_of(bench: WindowBench) -> GrowingTextEdit:
    return bench.window.inspector.body.content


async def begin_typing(bench: WindowBench) -> MemoryEntry:
    """Something unsaved in the first memory of the list."""
    await bench.until(lambda: len(bench.texts()) == 3)
    page = bench.window.page
    page.focus_list()
    await bench.until(lambda: bench.memory.subject.current_entry is not None)
    QTest.keyClick(page.table, Qt.Key.Key_E)
    QTest.keyClicks(editor_of(bench), "Mine. ")
    await bench.until(lambda: bench.memory.subject.has_unsaved)
    entry = bench.memory.subject.current_entry
    assert entry is not None
    return entry


@scene(drive, three_memories)
async def test_nobody_is_asked_to_leave_a_memory_that_somebody_else_forgot(
    bench: WindowBench, /
) -> None:
    inklings, conflict = bench.bench.inklings, bench.window.inspector.body.conflict
    entry = await begin_typing(bench)
    inklings.memories.forget([entry.ref], reason="agent")
    await bench.until(lambda: len(bench.texts()) == 2)
    await bench.until(conflict.isVisible)
    await bench.memory.list.settled()
    assert QApplication.activeModalWidget() is None
    assert "Mine. " in editor_of(bench).toPlainText()
    conflict.keep.click()
    undo = bench.window.menus["undo"]
    await bench.until(lambda: undo.text() == "Undo: Restored and edited 1 memory")
    await bench.until(lambda: len(bench.texts()) == 3)
    assert "Mine. " in inklings.listing.show(entry.ref).entry.content
    bench.window.page.table.setFocus()
    undo.trigger()
    await bench.until(bench.window.menus["redo"].isEnabled)
    back = inklings.listing.show(entry.ref).entry
    assert (back.content, back.forgotten_reason) == (entry.content, "agent")
    bench.window.menus["redo"].trigger()
    await bench.until(lambda: len(stored(bench)) == 3)


@scene(drive, three_memories)
async def test_the_row_that_stands_there_instead_opens_with_a_click(bench: WindowBench, /) -> None:
    inklings, page = bench.bench.inklings, bench.window.page
    entry = await begin_typing(bench)
    inklings.memories.forget([entry.ref])
    await bench.until(bench.window.inspector.body.conflict.isVisible)
    await bench.until(lambda: len(bench.texts()) == 2)
    bench.window.inspector.body.conflict.take.click()
    await bench.until(lambda: not bench.memory.subject.has_unsaved)
    row = page.table.current_row()
    assert row is not None
    place = page.table.visualRect(page.table.currentIndex()).center()
    QTest.mouseClick(
        page.table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place
    )
    await bench.until(
        lambda: (
            bench.memory.subject.current_ref is not None
            and bench.memory.subject.current_ref.id == row.id
        )
    )


@scene(drive, three_memories)
async def test_saving_in_a_conflict_says_what_to_do_first(bench: WindowBench, /) -> None:
    inklings = bench.bench.inklings
    entry = await begin_typing(bench)
    inklings.memories.update(entry.ref, MemoryPatch(content="Theirs."), expected_version=1)
    await bench.until(bench.window.inspector.body.conflict.isVisible)
    heard = bench.messages()
    bench.window.menus["save"].trigger()
    await bench.until(lambda: bool(heard))
    assert heard[-1].title == "Not saved: first choose which text stays."
    assert stored(bench)[-1].content == "Theirs."


ACTS = set(MemoryAct) - {
    *(MemoryAct.EDIT, MemoryAct.COPY_TEXT, MemoryAct.RESTORE, MemoryAct.COPY_TO, MemoryAct.SCRUB),
}


@scene(drive, three_memories)
async def test_an_act_that_can_change_nothing_says_why(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    page, acts = bench.window.page, bench.memory.acts
    page.focus_list()
    refused = bench.messages()

    async def told(one: MemoryAct) -> str:
        page.toast.close_note()
        acts.act(one)
        await bench.until(page.toast.isVisible)
        return page.toast.accessibleName()

    acts.act(MemoryAct.FORGET)
    await bench.until(lambda: len(bench.texts()) == 2)
    assert await told(MemoryAct.RESTORE) == "Nothing to restore: this is not forgotten"
    assert await told(MemoryAct.LOCK) == "That is so already"
    assert await told(MemoryAct.COPY_TEXT) == "Copied the text"
    page.filters.forgotten.click()
    await bench.until(lambda: len(bench.texts()) == 1)
    page.list_cursor.select_first()
    for one in ACTS:
        is_forgetting = one in {MemoryAct.FORGET, MemoryAct.FORGET_BECAUSE}
        reason = "Restore it first"
        assert await told(one) == ("Forgotten already" if is_forgetting else reason), one
    assert await told(MemoryAct.RESTORE) == "Restored 1 memory"
    await bench.until(lambda: not bench.texts())
    bench.memory.subject.show_nothing()
    assert await told(MemoryAct.PIN) == "Choose a memory in the list first"
    assert await told(MemoryAct.FORGET) == "Choose a memory in the list first"
    assert refused == []


def test_hiding_both_kinds_says_that_both_are_hidden(tmp_path: Path) -> None:
    def a_talk(bench: Bench) -> None:
        inklings, here = bench.inklings, bench.workspace.id
        talk = inklings.conversations.start(here, title="Tide tables")
        bench.put("The toll is paid in salt.", scope=ScopeKey.conversation(here, talk.id))

    async def hide(bench: WindowBench) -> None:
        page = bench.window.page
        page.header.tier_chosen.emit(Tier.CONVERSATION)
        await bench.until(lambda: len(bench.texts()) == 1)
        page.filters.learned.click()
        await bench.until(lambda: page.empty._title.text() == "The agent has no notes open")
        page.filters.notes.click()
        await bench.until(lambda: page.empty._title.text() == "Nothing fits these filters")

    drive(tmp_path, a_talk, hide)


def test_a_span_of_hours_is_told_from_a_day() -> None:
    now = datetime.now().astimezone().replace(hour=15, minute=20)
    hour, day = (
        written_text(by_agents_since(EVERYTHING, begin_of(since, now)))
        for since in (Since.HOUR, Since.TODAY)
    )
    assert hour == f"since {now:%Y-%m-%d} 14:20"
    assert day == f"since {now:%Y-%m-%d}"


def test_a_search_that_found_more_than_it_shows_does_not_call_that_all(tmp_path: Path) -> None:
    def many(bench: Bench) -> None:
        for number in range(203):
            bench.put(f"The harbour light {number}{' at dusk' if number < 3 else ''}.")

    async def search(bench: WindowBench) -> None:
        field = bench.window.page.header.search
        await bench.until(lambda: len(bench.texts()) > 100)
        field.edit.setText("harbour")
        await bench.until(lambda: field._count.text() == "Best 200 by words")
        assert field.edit.accessibleDescription() == "By words, Best 200 by words"
        field.edit.setText("dusk")
        await bench.until(lambda: field._count.text() == "3 found by words")

    drive(tmp_path, many, search)


@scene(drive, tagged)
async def test_keys_faster_than_the_disk_reach_the_memory_that_is_current(
    bench: WindowBench, /
) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    page, subject = bench.window.page, bench.memory.subject
    page.focus_list()
    await bench.until(lambda: subject.current_ref is not None)
    for key, focused in (
        (Qt.Key.Key_E, editor_of(bench)),
        (Qt.Key.Key_T, bench.window.inspector.body.details.tags.edit),
    ):
        subject.revert()
        page.table.setFocus()
        QTest.keyClick(page.table, Qt.Key.Key_J)
        QTest.keyClick(page.table, key)
        assert QApplication.focusWidget() is focused
        QTest.keyClicks(focused, "Mine")
        assert subject.current_ref is not None
        assert subject.current_ref.id == page.list_cursor.current_id()
    await bench.until(lambda: bool(subject.state.history))


@scene(drive, tagged)
async def test_a_mode_that_cannot_be_had_says_so(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    toast = bench.window.page.toast
    bench.window.menus["search_mode"].trigger()
    expected = "Searching by words only: no search model is in use"
    await bench.until(lambda: toast.accessibleName() == expected)


@scene(drive, three_memories)
async def test_the_words_of_a_conflict_fit_the_inspector(bench: WindowBench, /) -> None:
    inklings, body = bench.bench.inklings, bench.window.inspector.body
    entry = await begin_typing(bench)
    inklings.memories.forget([entry.ref])
    await bench.until(body.conflict.isVisible)
    await bench.until(lambda: body.column.width() == body.viewport().width())
    for button in (body.conflict.compare, body.conflict.keep, body.conflict.take):
        right = button.mapTo(body.column, button.rect().topRight()).x()
        assert right < body.column.width(), button.text()


@scene(drive, tagged)
async def test_a_scrub_by_another_program_leaves_nothing_to_undo(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    bench.window.page.focus_list()
    QTest.keyClick(bench.window.page.table, Qt.Key.Key_Delete)
    undo = bench.window.menus["undo"]
    await bench.until(undo.isEnabled)
    here = bench.bench.workspace.id
    bench.memory.on_changes(MemoryChanges(here, events=True, own=False))
    assert undo.isEnabled()
    bench.memory.on_changes(MemoryChanges(here, scrubbed=True, own=False))
    assert not undo.isEnabled()
    assert bench.window.page.toast.isHidden()


@scene(drive, tagged)
async def test_a_heading_holds_the_beginning_of_a_long_search(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    page = bench.window.page
    page.header.search.edit.setText("zz" * 900)
    await bench.until(page.empty.isVisible)
    assert page.empty._title.text() == f"Nothing matches \u201c{'z' * 59}\u2026\u201d"


@scene(drive, tagged)
async def test_what_is_taken_back_from_another_page_is_said_there(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    window = bench.window
    window.page.focus_list()
    QTest.keyClick(window.page.table, Qt.Key.Key_Delete)
    await bench.until(window.menus["undo"].isEnabled)
    window.show_page(PREVIEW_PAGE)
    await bench.until(lambda: window.pages.current_id == PREVIEW_PAGE)
    window.menus["undo"].trigger()
    said = "Undone: Forgot 1 memory"
    await bench.until(lambda: window.statusBar().currentMessage() == said)


@scene(drive, tagged)
async def test_the_keyboard_goes_back_to_the_list_with_the_bar(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    page = bench.window.page
    page.focus_list()
    QTest.keyClick(page.table, Qt.Key.Key_Space)
    await bench.until(page.bulk.isVisible)
    page.bulk.forget.setFocus()
    QTest.keyClick(page.bulk.forget, Qt.Key.Key_Space)
    await bench.until(lambda: len(bench.texts()) == 2)
    await bench.until(page.bulk.isHidden)
    assert QApplication.focusWidget() is page.table
