"""The Conversation page over a real store, with an agent that does what it is told."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast
from uuid import uuid4

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QAccessible, QAction, QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QWidget
from shiboken6 import isValid

from inklings_desktop.acp_wire import words
from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.rows import AskBlock, Choice, Touched, text_of_turn
from inklings_desktop.domain.memories.memory_typing import MESSAGE
from inklings_desktop.domain.memory import MemoryRef, ScopeKey
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.domain.rooms.messages import MessageRole
from inklings_desktop.storage.runs.run_state import SqliteRunState
from inklings_desktop.ui.conversation import hosting, writing
from inklings_desktop.ui.conversation.composer import LONG_PASTE, AttachmentChip
from inklings_desktop.ui.conversation.drawing.turn_layout import state_words
from inklings_desktop.ui.conversation.facts import Draft
from inklings_desktop.ui.conversation.page import ConversationPage
from inklings_desktop.ui.conversation.popovers import AttachPopover, DaysPopover
from inklings_desktop.ui.conversation.thread.cards import AskCard
from inklings_desktop.ui.conversation.thread.rows import DayRow, TurnRow
from inklings_desktop.ui.conversation.words import (
    BEGIN_FROM,
    GRANT,
    RESTART,
    TALK_AGAIN,
    notice_words,
)
from inklings_desktop.ui.kit.controls.toggles import CheckBox
from inklings_desktop.ui.kit.dialogs.field_dialogs import NameDialog
from inklings_desktop.ui.kit.look.text_layout import plain_copy
from inklings_desktop.ui.kit.look.theme import SchemeChoice
from inklings_desktop.ui.kit.ops.places import _look_around
from inklings_desktop.ui.kit.page.destinations import (
    ToConversation,
    ToMemoryBeside,
    ToNewMemory,
    ToRoom,
)
from inklings_desktop.ui.kit.words.memory_facts import exact_time
from inklings_desktop.ui.markdown.writing_text_edit import MOST_MARKUP
from tests.support.builders import a_message
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.talk_bench import (
    TITLE,
    TURN,
    TalkBench,
    a_conversation,
    a_question,
    a_talk,
    say,
    silent_agent,
    talk,
)

pytestmark = pytest.mark.usefixtures("qapp")


@scene(talk)
async def test_what_is_said_is_answered_and_stands_there(bench: TalkBench, /) -> None:
    assert bench.view.start.isVisible()
    await bench.say("say the harbour bell rings")
    assert bench.view.composer.text() == ""
    await bench.until(lambda: bool(bench.turns()))
    assert bench.turns()[0].role == rows.USER
    await bench.answered()
    assert bench.last_words().strip() == "the harbour bell rings"
    assert bench.view.thread_view.isVisible()
    assert bench.view.thread_view.live.isHidden()


@scene(talk, launch=silent_agent)
async def test_what_is_sent_is_stored_before_an_agent_answers(bench: TalkBench, /) -> None:
    inklings, world = bench.bench.inklings, bench.bench.workspace.id
    here = bench.page.conversation_id
    kept = ScopeKey.conversation(world, here)

    def typed() -> str:
        found = inklings.drafts.find_typing(MemoryRef(kept, MESSAGE))
        return "" if found is None else found.content

    await bench.say("remember the bell")
    await bench.until(lambda: bool(inklings.messages.list(world, here)[0]))
    (said,) = inklings.messages.list(world, here)[0]
    assert said.role is MessageRole.USER
    await bench.until(lambda: not typed())
    await bench.say("and the gate")  # it waits for the turn, as a draft does for the next start
    await bench.until(lambda: "and the gate" in typed())
    assert bench.view.composer.text() == ""


def test_stored_turns_are_shown_and_count_as_read(tmp_path: Path) -> None:
    async def act(bench: TalkBench) -> None:
        assert [one.id for one in bench.turns()] == [TURN, TURN]
        heads = bench.bench.inklings.messages.heads
        await bench.until(
            lambda: all(one.n_unread == 0 for one in heads(bench.bench.workspace.id).values())
        )
        assert bench.view.header.title.text() == TITLE

    talk(tmp_path, act, a_talk, silent_agent)


def test_earlier_turns_come_a_page_at_a_time_and_what_is_read_stays_put(tmp_path: Path) -> None:
    def many(bench: Bench) -> None:
        made = a_conversation(bench)
        for number in range(120):
            part = {"kind": "text", "text": f"Word {number}."}
            role = MessageRole.ASSISTANT if number % 2 else MessageRole.USER
            say(bench, made, role, [part], f"t{number // 2}-0a0a0a0a")

    async def act(bench: TalkBench) -> None:
        thread = bench.view.thread_view
        assert len(bench.turns()) == 50
        assert bench.last_words() == "Word 119."
        bar = thread.verticalScrollBar()
        assert bar.value() == bar.maximum()
        bar.setValue(40)
        first = bench.turns()[0]
        await bench.until(lambda: len(bench.turns()) == 100)
        seen = thread.rows[thread.rowAt(30)]
        assert first.id in seen.key
        bar.setValue(0)
        await bench.until(lambda: len(bench.turns()) == 120)

    talk(tmp_path, act, many, silent_agent)


def a_long_talk(n: int) -> Callable[[Bench], None]:
    """A conversation of so many messages, 100 a day; the last of them today."""

    def fill(bench: Bench) -> None:
        made, world = a_conversation(bench), bench.workspace.id
        now = datetime.now(UTC)
        store = bench.inklings.messages.store  # a commit each takes long
        with store.write(world, initiator="test") as unit:
            for number in range(n):
                role = MessageRole.ASSISTANT if number % 2 else MessageRole.USER
                at = now - timedelta(days=(n - 1 - number) // 100)
                said = a_message(made.id, f"Word {number}.", role=role.value, created_at=at)
                turn = f"t{number // 2}-0a0a0a0a"
                unit.messages.append(replace(said, id=str(uuid4()), turn=turn))
            unit.commit()

    return fill


def test_a_rule_between_days_opens_their_list_and_a_day_is_gone_to(tmp_path: Path) -> None:
    async def act(bench: TalkBench) -> None:
        thread = bench.view.thread_view
        assert not any(isinstance(one, DayRow) for one in thread.rows)
        await bench.until(lambda: bench.page.content is not None)
        await bench.page.paging.read_more()
        await bench.page.paging.read_more()
        *_, place = [n for n, one in enumerate(thread.rows) if isinstance(one, DayRow)]
        rule = thread.model().index(place, 0)
        assert rule.data(Qt.ItemDataRole.AccessibleTextRole) == "Today"
        told = rule.data(Qt.ItemDataRole.AccessibleDescriptionRole)
        assert told == "opens the list of days"
        thread.setFocus(Qt.FocusReason.TabFocusReason)
        thread.setCurrentIndex(thread.model().index(place + 1, 0))
        QTest.keyClick(thread, Qt.Key.Key_K)
        assert thread.currentIndex() == rule
        QTest.keyClick(thread, Qt.Key.Key_Return)
        await bench.until(lambda: bool(shown_days(bench)))
        (popover,) = shown_days(bench)
        days = popover.list
        assert days.count() == 6
        assert days.item(5).text().startswith("Today")
        days.setCurrentRow(1)
        QTest.keyClick(days, Qt.Key.Key_Return)
        await bench.until(lambda: len(bench.turns()) >= 500)
        await bench.until(lambda: "Word 100." in words_at(bench, thread.currentIndex().row() + 1))
        assert thread.rowAt(4) == thread.currentIndex().row()
        assert thread.window().focusWidget() is thread

    talk(tmp_path, act, a_long_talk(600), silent_agent)


def test_a_short_talk_has_no_list_of_days(tmp_path: Path) -> None:
    async def act(bench: TalkBench) -> None:
        thread = bench.view.thread_view
        await bench.page.paging.read_more()
        await bench.page.paging.read_more()
        *_, rule = [one for one in thread.rows if isinstance(one, DayRow)]
        assert not rule.opens
        thread.setFocus(Qt.FocusReason.TabFocusReason)
        place = thread.rows.index(rule)
        thread.setCurrentIndex(thread.model().index(place + 1, 0))
        QTest.keyClick(thread, Qt.Key.Key_K)
        assert thread.currentIndex().row() == place - 1

    talk(tmp_path, act, a_long_talk(140), silent_agent)


def test_what_is_added_to_a_long_thread_touches_no_other_row_of_it(tmp_path: Path) -> None:
    async def act(bench: TalkBench) -> None:
        thread, said = bench.view.thread_view, bench.page.said
        await bench.page.paging.read_more(1)
        assert len(bench.turns()) == 2000
        said.begin([{"kind": "text", "text": "Tell."}])
        bench.page.draw()
        before = thread.rows
        laid_out: list[int] = []
        header = thread.verticalHeader()
        header.sectionResized.connect(lambda place, *_: laid_out.append(place))
        update = {
            "sessionUpdate": words.AGENT_CHUNK,
            "content": {"type": "text", "text": "One more paragraph.\n\n" * 9},
        }
        said.apply(update)
        bench.page.draw()
        assert all(one is other for one, other in zip(thread.rows[:-1], before, strict=False))
        assert set(laid_out) == {len(thread.rows) - 1}
        bar = thread.verticalScrollBar()
        assert bar.value() == bar.maximum()

    talk(tmp_path, act, a_long_talk(2000), silent_agent)


def shown_days(bench: TalkBench) -> list[DaysPopover]:
    return [one for one in bench.view.findChildren(DaysPopover) if one.isVisible()]


def words_at(bench: TalkBench, place: int) -> str:
    row = bench.view.thread_view.rows[place]
    return text_of_turn(row.turn) if isinstance(row, TurnRow) else ""


@scene(talk)
async def test_a_question_is_answered_on_its_card_and_never_by_typing(bench: TalkBench, /) -> None:
    await bench.say("forget the harbour")
    await bench.until(lambda: bool(bench.page.said.open_questions))
    await bench.until(lambda: bool(bench.view.thread_view.live.cards()))
    (card,) = bench.view.thread_view.live.cards()
    assert isinstance(card, AskCard)
    QTest.keyClicks(bench.view.composer.edit, "y")
    assert bench.page.said.open_questions
    bench.view.focus_card()
    QTest.keyClick(card.buttons["once"], Qt.Key.Key_Y)
    await bench.answered()
    assert "You chose once." in bench.last_words()
    outcomes = [one.outcome for one in bench.turns()[-1].blocks if isinstance(one, AskBlock)]
    assert outcomes == ["allowed_once"]
    assert (bench.page.conversation_id, "waiting") in [
        (name, mark.state) for name, mark in bench.said.marks
    ]


SEVERAL = (
    "The bell is cracked.",
    "It rings at noon.\n\u2192 It rings at dusk & dawn.",
    f"The bell {'rings ' * 60}.",
)


async def card_of_several(bench: TalkBench) -> tuple[AskCard, list[CheckBox]]:
    """The card that asks about three memories, with the keyboard in it, and their boxes."""
    choices = tuple(Choice(str(number), text) for number, text in enumerate(SEVERAL))
    a_question(bench.page, choices=choices)
    await bench.until(lambda: bool(bench.view.thread_view.live.cards()))
    (card,) = bench.view.thread_view.live.cards()
    assert isinstance(card, AskCard)
    assert card.choices is not None
    bench.view.focus_card()
    return card, list(card.choices.boxes.values())


def chosen_on(card: AskCard) -> list[str]:
    """Ids of what is checked on it."""
    assert card.choices is not None
    return list(card.choices.chosen)


def press(*keys: Qt.Key) -> None:
    """Press keys, one after the other, where the keyboard is."""
    for key in keys:
        QTest.keyClick(cast("QWidget", QApplication.focusWidget()), key)


@scene(talk)
async def test_several_are_a_list_of_which_those_that_are_checked_are_allowed(
    bench: TalkBench, /
) -> None:
    await bench.say("forget each Bell Harbour Tower")
    await bench.until(lambda: bool(bench.view.thread_view.live.cards()))
    bench.view.focus_card()
    press(Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_Y)
    await bench.answered()
    assert "You chose once of bell tower." in bench.last_words()


@scene(talk, launch=silent_agent)
async def test_a_list_of_several_is_checked_by_key_and_by_mouse(bench: TalkBench, /) -> None:
    card, boxes = await card_of_several(bench)
    assert chosen_on(card) == ["0", "1", "2"]
    press(Qt.Key.Key_Space)
    assert chosen_on(card) == ["1", "2"]
    press(Qt.Key.Key_J, Qt.Key.Key_Down, Qt.Key.Key_K, Qt.Key.Key_Up, Qt.Key.Key_Down)
    assert boxes[1].hasFocus()
    press(Qt.Key.Key_Down, Qt.Key.Key_Space)
    assert chosen_on(card) == ["1"]
    assert card.buttons["once"].isEnabled()
    words = next(one for one in card.findChildren(QLabel) if one.text() == SEVERAL[1])
    for widget, left in ((boxes[1], []), (words, ["1"]), (words, [])):
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=QPoint(8, 12))
        assert chosen_on(card) == left
    allowing = [card.buttons[one].isEnabled() for one in ("once", "always", "deny")]
    assert allowing == [False, False, True]
    press(Qt.Key.Key_Y)
    assert bench.page.said.open_questions
    press(Qt.Key.Key_Space)
    assert card.buttons["once"].isEnabled()


@scene(talk, launch=silent_agent)
async def test_what_was_left_out_of_several_stays_so_while_the_card_is_drawn_anew(
    bench: TalkBench, /
) -> None:
    before, _ = await card_of_several(bench)
    press(Qt.Key.Key_Space)
    live = bench.view.thread_view.live
    for scheme in (SchemeChoice.DARK, SchemeChoice.LIGHT):
        bench.page.context.theme.set_choice(scheme)
        await bench.until(lambda: bool(live.cards()) and live.cards()[0] is not before)
        (card,) = live.cards()
        assert isinstance(card, AskCard)
        assert chosen_on(card) == ["1", "2"]


@scene(talk, launch=silent_agent)
async def test_a_list_of_several_shows_and_tells_every_word(bench: TalkBench, /) -> None:
    card, boxes = await card_of_several(bench)
    assert card.accessibleName() == "Forget these memories?"
    told = [QAccessible.queryAccessibleInterface(one) for one in boxes]
    assert [one.text(QAccessible.Text.Name) for one in told] == list(SEVERAL)
    press(Qt.Key.Key_Space)
    assert [one.state().checked for one in told] == [0, 1, 1]
    rows = [one for one in card.findChildren(QLabel) if one.text() in SEVERAL]
    assert [one.text() for one in rows] == list(SEVERAL)
    assert all(one.height() >= one.heightForWidth(one.width()) for one in rows)
    assert rows[2].height() > 3 * boxes[0].height()


def test_what_is_always_allowed_stands_in_the_menu_and_is_taken_back(tmp_path: Path) -> None:
    def allowing(bench: Bench) -> None:
        made, world = a_conversation(bench), bench.workspace.id
        with closing(SqliteRunState(tmp_path, world)) as runs:
            runs.put_rule(made.id, "memory_forget", "", "allow")

    async def act(bench: TalkBench) -> None:
        allowed = bench.view.allowed
        assert allowed.menuAction().isVisible()
        (row,) = allowed.actions()
        assert row.text() == "Ask first: Forget memories"
        row.trigger()
        await bench.until(lambda: not allowed.menuAction().isVisible())
        world, talk_id = bench.bench.workspace.id, bench.page.conversation_id
        assert bench.bench.inklings.messages.allowances(world, talk_id) == ()

    talk(tmp_path, act, allowing, silent_agent)


@scene(talk, launch=silent_agent)
async def test_what_was_just_allowed_stands_in_the_menu_at_once(
    bench: TalkBench, /, tmp_path: Path
) -> None:
    a_question(bench.page)
    await bench.until(lambda: bool(bench.view.thread_view.live.cards()))
    world, talk_id = bench.bench.workspace.id, bench.page.conversation_id
    with closing(SqliteRunState(tmp_path, world)) as runs:
        runs.put_rule(talk_id, "memory_forget", "", "allow")
    (card,) = bench.view.thread_view.live.cards()
    card.buttons["always"].click()
    await bench.until(lambda: bench.view.allowed.menuAction().isVisible())


def test_enter_makes_a_line_where_ctrl_and_enter_send(tmp_path: Path) -> None:
    def chosen(bench: Bench) -> None:
        a_conversation(bench)
        bench.inklings.preferences.save({"appearance.send_key": "ctrl_enter"})

    async def act(bench: TalkBench) -> None:
        await bench.say("say the bell rings")
        composer = bench.view.composer
        assert composer.text() == "say the bell rings\n"
        assert "Ctrl Enter" in composer.send.toolTip()
        assert "Ctrl+Enter" in composer.edit.accessibleDescription()
        assert bench.page.key_hints()[0].keys == ("Ctrl Enter",)
        QTest.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await bench.answered()
        assert composer.text() == ""
        assert bench.last_words().strip() == "the bell rings"

    talk(tmp_path, act, chosen)


def turn_menu(bench: TalkBench, at: int = -1) -> dict[str, QAction]:
    """What is offered for a turn."""
    bench.view.thread_view.menu_wanted.emit(bench.turns()[at], QPoint(0, 0))
    menu = bench.view.findChildren(QMenu)[-1]
    return {one.text(): one for one in menu.actions()}


def test_an_answer_is_copied_as_it_reads_or_as_it_is_written(tmp_path: Path) -> None:
    async def act(bench: TalkBench) -> None:
        clipboard = QGuiApplication.clipboard()
        turn_menu(bench)["Copy text"].trigger()
        assert clipboard.text() == "You have noted that it is glass, or so."
        turn_menu(bench)["Copy as Markdown"].trigger()
        assert clipboard.text().startswith("*You have noted* that [it is glass](memory:")
        assert "Copy as Markdown" not in turn_menu(bench, 0)

    talk(tmp_path, act, a_talk, silent_agent)


@scene(talk, launch=silent_agent)
async def test_right_at_the_end_writes_the_rest_of_a_command(bench: TalkBench, /) -> None:
    composer = bench.view.composer
    composer.show_text("remember")
    composer.edit.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClick(composer.edit, Qt.Key.Key_Right)
    assert composer.text() == "remember that "
    QTest.keyClick(composer.edit, Qt.Key.Key_Right)
    assert composer.text() == "remember that "
    composer.edit.moveCursor(QTextCursor.MoveOperation.Start)
    QTest.keyClick(composer.edit, Qt.Key.Key_Right)
    assert composer.edit.textCursor().position() == 1
    composer.show_text("The toll")
    QTest.keyClick(composer.edit, Qt.Key.Key_Right)
    assert composer.text() == "The toll"


@scene(talk, launch=silent_agent)
async def test_a_role_is_begun_where_the_agent_takes_one_and_stands_in_the_head(
    bench: TalkBench, /
) -> None:
    page, composer = bench.page, bench.view.composer
    before = page.takes_role
    offered = [{"name": "as", "description": "Have one message answered in a role"}]
    page.said.apply({"sessionUpdate": words.COMMANDS, "availableCommands": offered})
    assert (before, page.takes_role) == (False, True)
    composer.show_text("How many barrels?")
    page.take_role()
    QTest.keyClicks(composer.edit, "a clerk")
    assert composer.text() == "/as a clerk: How many barrels?"
    blocks = (rows.TextBlock(composer.text()),)
    said = rows.Turn("t1", rows.USER, "person", None, rows.COMPLETE, blocks)
    assert state_words(said) == "in a role: a clerk"
    assert state_words(replace(said, blocks=(rows.TextBlock("As a clerk: no"),))) == ""


def test_the_time_of_a_turn_tells_its_day(tmp_path: Path) -> None:
    async def act(bench: TalkBench) -> None:
        thread = bench.view.thread_view
        (row, _) = [one for one in thread.rows if isinstance(one, TurnRow)]
        (tip,) = [one for one in thread.layout_of(row).parts() if one.act[0] == "tip"]
        assert row.turn.at is not None
        assert tip.tip == exact_time(row.turn.at)
        assert tip.name == ""

    talk(tmp_path, act, a_talk, silent_agent)


def test_a_memory_is_written_from_what_was_said(tmp_path: Path) -> None:
    async def act(bench: TalkBench) -> None:
        acts = turn_menu(bench)
        acts["Write a memory from this"].trigger()
        assert bench.said.ways == [
            ToNewMemory("*You have noted* that it is glass, or so."),
        ]

    talk(tmp_path, act, a_talk, silent_agent)


@scene(talk)
async def test_why_is_asked_of_the_last_answer_where_an_agent_can_tell(bench: TalkBench, /) -> None:
    await bench.say("say the harbour bell rings")
    await bench.answered()
    turn_menu(bench)["Why this answer"].trigger()
    await bench.until(lambda: len(bench.turns()) > 2)
    assert text_of_turn(bench.turns()[2]) == "/why"
    await bench.answered()
    assert "Why this answer" not in turn_menu(bench, 1)


def test_a_question_is_asked_again_in_a_conversation_that_begins_with_what_was_before(
    tmp_path: Path,
) -> None:
    def two_turns(bench: Bench) -> None:
        a_talk(bench)
        (made,) = bench.inklings.places.conversations(bench.workspace.id)
        asked = [
            {"kind": "text", "text": "And the bell?"},
            {"kind": "attachment", "uri": "inklings://text/1", "title": "Pasted", "text": "Ding."},
        ]
        say(bench, made, MessageRole.USER, asked, "t2-0b0b0b0b")

    async def act(bench: TalkBench) -> None:
        inklings, world, first = bench.bench.inklings, bench.bench.workspace.id, bench.page
        source = first.conversation_id

        def said_there() -> list[tuple[int, str, str]]:
            found, _ = inklings.messages.list(world, source)
            return [(one.number, one.id, one.parts_json) for one in found]

        before = said_there()
        turn_menu(bench)["Ask again from here"].trigger()
        await bench.until(lambda: bool(bench.said.ways))
        (where,) = bench.said.ways
        assert isinstance(where, ToConversation)
        *talk, bookmark = said_there()
        assert talk == before
        assert '"word":"bookmark"' in bookmark[-1]
        bench.page.arrive(where)
        await bench.until(lambda: len(bench.turns()) == 3)
        assert [one.role for one in bench.turns()] == ["user", "assistant", "notice"]
        assert "You have noted" in text_of_turn(bench.turns()[1])
        assert not any(one.undo for one in bench.turns()[1].touched)
        assert bench.view.composer.text() == "And the bell?"
        (attached,) = bench.view.composer.attachments()
        assert attached.text == "Ding."

    talk(tmp_path, act, two_turns, silent_agent)


def test_what_was_written_comes_back_to_a_page_that_was_asked_for_before_its_world(
    tmp_path: Path,
) -> None:
    async def act(bench: TalkBench) -> None:
        page, composer, world = bench.page, bench.view.composer, bench.bench.workspace.id
        talk_id = page.conversation_id
        composer.show_text("Not sent yet")
        page.writing.keep(talk_id, page.writing.draft())
        await page.writing.settled()
        page.writing._drafts.clear()
        page.writing._worlds.clear()
        page.workspace_id = page.conversation_id = ""
        page.arrive(ToConversation(talk_id))
        await page.settled()
        assert (composer.text(), bench.said.messages) == ("", [])
        await page.open(world)
        await bench.until(lambda: composer.text().startswith("Not sent yet"))

    talk(tmp_path, act, a_talk, silent_agent)


def test_a_bookmark_is_named_and_stays_in_the_thread(tmp_path: Path) -> None:
    async def act(bench: TalkBench) -> None:
        turn_menu(bench)["Bookmark this place\u2026"].trigger()
        await bench.until(lambda: isinstance(QApplication.activeModalWidget(), NameDialog))
        dialog = cast("NameDialog", QApplication.activeModalWidget())
        dialog.field.setText("The toll")
        dialog.confirm.click()
        await bench.until(lambda: len(bench.turns()) == 3)
        (notice,) = bench.turns()[-1].blocks
        assert isinstance(notice, rows.NoticeBlock)
        assert notice_words(notice) == "Bookmark: The toll"

    talk(tmp_path, act, a_talk, silent_agent)


def test_an_ended_conversation_says_so_and_is_talked_in_again(tmp_path: Path) -> None:
    async def act(bench: TalkBench) -> None:
        composer, world = bench.view.composer, bench.bench.workspace.id
        assert composer.isVisible()
        bench.bench.inklings.conversations.idle(world, bench.page.conversation_id)
        bench.page.read_again()
        await bench.until(lambda: bench.view.notice is not None)
        assert not composer.isVisible()
        assert bench.view.notice is not None
        bench.view.notice.buttons[TALK_AGAIN].click()
        await bench.until(composer.isVisible)
        found = bench.bench.inklings.conversations.get(world, bench.page.conversation_id)
        assert found.state is ConversationState.ACTIVE

    talk(tmp_path, act, a_talk, silent_agent)


def test_an_archived_conversation_is_where_another_begins(tmp_path: Path) -> None:
    ids = []

    def archived(bench: Bench) -> None:
        a_talk(bench)
        (made,) = bench.inklings.places.conversations(bench.workspace.id)
        ids.append(made.id)
        bench.inklings.conversations.archive(bench.workspace.id, made.id, force=True)

    async def act(bench: TalkBench) -> None:
        bench.page.arrive(ToConversation(ids[0]))
        await bench.until(lambda: bench.view.notice is not None)
        assert bench.view.notice is not None
        bench.view.notice.buttons[BEGIN_FROM].click()
        await bench.until(lambda: bool(bench.said.ways))
        (where,) = bench.said.ways
        assert isinstance(where, ToConversation)
        found, _ = bench.bench.inklings.messages.list(
            bench.bench.workspace.id, where.conversation_id
        )
        assert [one.role.value for one in found] == ["user", "assistant", "notice"]

    talk(tmp_path, act, archived, silent_agent)


def test_what_was_done_is_read_out_once_when_the_answer_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(hosting, "announce", lambda _source, text, **_: told.append(text))

    async def act(bench: TalkBench) -> None:
        said, session = bench.page.said, bench.page.conversation_id
        said.begin([{"kind": "text", "text": "Tell."}])
        own = {"tool": "memory_read", "touched": [{"id": "m", "tier": "workspace", "how": "read"}]}
        call = {"sessionUpdate": words.TOOL_CALL, "toolCallId": "c1", "title": "memory_read"}
        said.apply(call | {"status": "completed", "_meta": {words.OWN: own}})
        bench.page.host.due.emit(session)
        assert told == []
        text = {"type": "text", "text": "It is glass."}
        for _ in range(2):
            said.apply({"sessionUpdate": words.AGENT_CHUNK, "content": text})
            bench.page.host.due.emit(session)
        (done,) = told
        assert done.startswith("Read 1 memory")

    talk(tmp_path, act, launch=silent_agent)


@scene(talk)
async def test_stop_ends_the_turn_and_what_was_written_stays(bench: TalkBench, /) -> None:
    await bench.say("wait for me")
    await bench.until(lambda: "thinking" in bench.last_words())
    bench.view.composer.stop.click()
    await bench.answered()
    assert bench.turns()[-1].state == rows.STOPPED
    assert "thinking" in bench.last_words()


@scene(talk)
async def test_what_is_sent_while_it_answers_waits_and_can_be_taken_back(
    bench: TalkBench, /
) -> None:
    await bench.say("wait for me")
    await bench.until(lambda: "thinking" in bench.last_words())
    await bench.say("say more")
    await bench.until(lambda: bench.turns()[-1].id == "queued")
    QTest.keyClick(bench.view.composer.edit, Qt.Key.Key_Up)
    assert bench.view.composer.text() == "say more"
    await bench.until(lambda: bench.turns()[-1].id != "queued")
    bench.page.stop()
    await bench.answered()


@scene(talk)
async def test_what_waits_comes_before_what_was_written_since(bench: TalkBench, /) -> None:
    await bench.say("wait for me")
    await bench.until(lambda: "thinking" in bench.last_words())
    await bench.say("say more")
    bench.view.composer.show_text("and half of")
    bench.page.stop()
    await bench.until(lambda: bench.view.composer.text() == "say more\n\nand half of")
    assert bench.page.said.queued == ()


@scene(talk)
async def test_what_waits_stays_written_when_another_workspace_is_opened(
    bench: TalkBench, /
) -> None:
    page, said, inklings = bench.page, bench.said, bench.bench.inklings
    await bench.say("wait for me")
    await bench.until(lambda: "thinking" in bench.last_words())
    await bench.say("say more")
    first, here = page.conversation_id, said.here
    other = inklings.workspaces.create("Other")
    said.here = _look_around(inklings, other.id)
    await page.open(other.id)
    said.here = here
    await page.open(bench.bench.workspace.id)
    await bench.until(lambda: page.conversation_id == first and page.content is not None)
    assert bench.view.composer.text() == "say more"


@scene(talk, launch=silent_agent)
async def test_a_long_paste_takes_the_place_of_none_that_was_attached(bench: TalkBench, /) -> None:
    composer = bench.view.composer

    def paste(letter: str) -> None:
        source = QMimeData()
        source.setText(letter * 5_000)
        composer.edit.insertFromMimeData(source)

    paste("a")
    paste("b")
    chip, *_ = composer.findChildren(AttachmentChip)
    QTest.keyClick(chip, Qt.Key.Key_Delete)
    paste("c")
    assert [one.text[0] for one in composer.attachments()] == ["b", "c"]


@scene(talk, launch=silent_agent)
async def test_a_long_page_is_attached_and_one_that_is_too_long_is_told(
    bench: TalkBench, /
) -> None:
    composer = bench.view.composer

    def paste(n_paragraphs: int) -> None:
        source = QMimeData()
        source.setHtml("<p>Tide.</p>" * n_paragraphs)
        composer.edit.insertFromMimeData(source)

    paste(LONG_PASTE)
    (one,) = composer.attachments()
    assert one.text.startswith("Tide.\n\nTide.")
    paste(MOST_MARKUP // 10)
    (told,) = bench.said.messages
    assert told.title.startswith("Not pasted")
    assert composer.attachments() == (one,)
    assert composer.text() == ""


@scene(talk)
async def test_an_agent_that_dies_leaves_everything_and_starts_again(bench: TalkBench, /) -> None:
    await bench.say("wait for me")
    await bench.until(lambda: "thinking" in bench.last_words())
    assert bench.page.host.now is not None
    os.kill(bench.page.host.now.pid, signal.SIGKILL)
    await bench.until(lambda: bench.turns()[-1].state == rows.INTERRUPTED)
    await bench.until(lambda: bool(bench.view.thread_view.live.cards()))
    assert "thinking" in bench.last_words()
    (card,) = bench.view.thread_view.live.cards()
    card.buttons[RESTART].click()
    talking = bench.page.host.now
    await bench.until(lambda: talking.is_ready)
    await bench.until(
        lambda: any("continue" in one.buttons for one in bench.view.thread_view.live.cards())
    )
    (card,) = bench.view.thread_view.live.cards()
    card.buttons["continue"].click()
    await bench.answered()
    assert bench.turns()[-1].state == rows.COMPLETE


def test_without_the_agent_the_page_says_how_to_get_it_and_shows_the_rest(tmp_path: Path) -> None:
    async def act(bench: TalkBench) -> None:
        notice = bench.view.notice
        assert notice is not None
        assert "pip install" in notice.accessibleDescription()
        assert len(bench.turns()) == 2
        assert bench.view.composer.edit.isReadOnly()

    talk(tmp_path, act, a_talk, lambda *_: None)


def test_the_world_agent_is_let_in_with_one_click(tmp_path: Path) -> None:
    def unknown(bench: Bench) -> None:
        bench.inklings.conversations.start(bench.workspace.id, title=TITLE)

    async def act(bench: TalkBench) -> None:
        notice = bench.view.notice
        assert notice is not None
        await bench.say("say something")
        assert bench.view.composer.text() == "say something"
        notice.buttons[GRANT].click()
        await bench.until(lambda: bench.view.notice is None)
        names = {one.client.name for one in bench.bench.inklings.clients.list()}
        assert words.WORLD_AGENT in names
        await bench.say("say something")
        await bench.answered()
        assert bench.last_words().strip() == "something"

    talk(tmp_path, act, unknown)


def test_a_draft_stays_with_its_conversation(tmp_path: Path) -> None:
    def two(bench: Bench) -> None:
        a_conversation(bench)
        bench.inklings.conversations.start(bench.workspace.id, title="Another")

    async def act(bench: TalkBench) -> None:
        first = bench.page.conversation_id
        here = bench.said.here
        assert here is not None
        other = next(one.id for one in here.conversations if one.id != first)
        bench.view.composer.show_text("half a word")
        bench.page.arrive(ToConversation(other))
        assert bench.view.composer.text() == ""
        bench.page.arrive(ToConversation(first))
        assert bench.view.composer.text() == "half a word"

    talk(tmp_path, act, two, silent_agent)


def test_who_asks_about_a_text_brings_it_along(tmp_path: Path) -> None:
    async def act(bench: TalkBench) -> None:
        bench.view.composer.show_text("Why?")
        for _ in range(2):
            bench.page.arrive(ToConversation("", ("b9", "Nerys", "She has no left.")))
        (brought,) = bench.view.composer.attachments()
        assert (brought.title, brought.text) == ("Nerys", "She has no left.")
        assert not brought.tier
        assert bench.view.composer.text() == "Why?"
        bench.page.arrive(ToConversation("", text="Mend the skill."))
        assert bench.view.composer.text() == "Mend the skill.\n\nWhy?"
        assert bench.view.composer.attachments() == (brought,)

    talk(tmp_path, act, a_conversation, silent_agent)


def test_what_is_written_outlasts_the_program_until_it_is_sent(tmp_path: Path) -> None:
    async def act(bench: TalkBench) -> None:
        page, inklings, world = bench.page, bench.bench.inklings, bench.bench.workspace.id
        where = MemoryRef(ScopeKey.conversation(world, page.conversation_id), MESSAGE)
        bench.view.composer.show_text("Who keeps the toll")
        page.writing._on_pasted_long("A letter.")
        find = inklings.drafts.find_typing

        def written() -> str:
            kept = find(where)
            return "" if kept is None else kept.content

        await bench.until(lambda: "letter" in written())
        await bench.until(lambda: not page.asks_before_closing)
        assert inklings.drafts.find_typings(world) == (), "it is offered as no memory"
        later = ConversationPage(page.context, bench.view.window())  # as the next start makes it
        try:
            await later.open(world)
            composer = later.view.composer
            await bench.until(lambda: composer.text() == "Who keeps the toll")
            assert [one.text for one in composer.attachments()] == ["A letter."]
            later.writing.show(Draft())
            await bench.until(lambda: find(where) is None)
        finally:
            later.close()

    talk(tmp_path, act, a_talk, silent_agent)


def test_what_is_found_for_a_closed_popover_is_shown_in_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, is_over = threading.Event(), threading.Event()

    def slow(*_: object) -> tuple[()]:
        asked.set()
        is_over.wait(5.0)
        return ()

    monkeypatch.setattr(writing, "found_memories", slow)

    async def act(bench: TalkBench) -> None:
        bench.page.writing.attach()
        await bench.until(asked.is_set)
        popover = QApplication.activePopupWidget()
        assert isinstance(popover, AttachPopover)
        popover.close()
        is_over.set()
        await bench.until(lambda: not isValid(popover))
        # What comes too late would raise, in the loop, and fail the test.
        assert not bench.page.writing._seeking.is_running

    talk(tmp_path, act, launch=silent_agent)


def test_what_may_be_attached_is_listed_beside_the_composer_not_over_it(tmp_path: Path) -> None:
    async def act(bench: TalkBench) -> None:
        composer = bench.view.composer
        bench.page.writing.attach()
        (popover,) = composer.findChildren(AttachPopover)
        corner = composer.mapToGlobal(QPoint(0, 0)).y()
        air = popover._shadow  # around the card that is seen
        card = popover.geometry().adjusted(air, air // 2, -air, -air)
        assert card.bottom() <= corner or card.top() >= corner + composer.height()
        popover.close()

    talk(tmp_path, act, a_talk, silent_agent)


@scene(talk, launch=silent_agent)
async def test_a_long_paste_becomes_an_attachment(bench: TalkBench, /) -> None:
    edit = bench.view.composer.edit
    edit.insertFromMimeData(plain_copy("x" * (LONG_PASTE + 1)))
    assert bench.view.composer.text() == ""
    (one,) = bench.view.composer.attachments()
    assert one.text == "x" * (LONG_PASTE + 1)
    edit.insertFromMimeData(plain_copy("short"))
    assert bench.view.composer.text() == "short"


def test_links_and_chips_lead_to_their_memories_and_unknown_ones_nowhere(tmp_path: Path) -> None:
    async def act(bench: TalkBench) -> None:
        thread = bench.view.thread_view
        row = thread.rows[-1]
        assert isinstance(row, TurnRow)
        parts = list(thread.layout_of(row).parts())
        links = [one for one in parts if one.act[0] == "memory"]
        (unknown,) = [one for one in parts if one.act[0] == "gone"]
        assert unknown.tip == "No such memory"
        assert unknown.name == ""
        thread.activated_part.emit(links[0], bench.turns()[-1])
        (where,) = [one for one in bench.said.ways if isinstance(one, ToMemoryBeside)]
        assert where.id == bench.turns()[-1].touched[0].id
        assert where.label == "Read for this turn, 1 of 2"
        assert "You have noted" in where.said
        bench.page.touched.step(1)
        assert bench.page.touched.steps() == (True, False)
        bench.view.header.memories.click()
        assert ToRoom(bench.page.conversation_id) in bench.said.ways

    talk(tmp_path, act, a_talk, silent_agent)


def test_what_another_program_said_meanwhile_is_shown(tmp_path: Path) -> None:
    async def act(bench: TalkBench) -> None:
        (made,) = bench.bench.inklings.places.conversations(bench.bench.workspace.id)
        part = {"kind": "text", "text": "From the terminal."}
        say(bench.bench, made, MessageRole.ASSISTANT, [part], "t9-0f0f0f0f")
        await bench.until(lambda: bench.last_words() == "From the terminal.")

    talk(tmp_path, act, a_talk, silent_agent)


@scene(talk, launch=silent_agent)
async def test_nothing_moves_under_who_reads_above(bench: TalkBench, /) -> None:
    thread = bench.view.thread_view
    bench.page.said.begin([{"kind": "text", "text": "Tell."}])
    for number in range(60):
        update = {
            "sessionUpdate": words.AGENT_CHUNK,
            "content": {"type": "text", "text": f"Paragraph {number}.\n\n"},
        }
        bench.page.said.apply(update)
        bench.page.draw()
        bar = thread.verticalScrollBar()
        if number < 30:
            assert bar.value() == bar.maximum()
        elif number == 30:
            bar.setValue(bar.maximum() // 2)
            held = bar.value()
        else:
            assert bar.value() == held
            assert bench.view.new_below.isVisible()
    bench.view.new_below.click()
    assert bar.value() == bar.maximum()
    assert not bench.view.new_below.isVisible()


@scene(talk, launch=silent_agent)
async def test_a_question_that_names_a_memory_alone_shows_its_text(bench: TalkBench, /) -> None:
    entry = bench.bench.put("The toll is paid in glass.")
    touched = (Touched(entry.id, entry.scope.tier.value, "", None, "read"),)
    a_question(bench.page, before=None, touched=touched)
    bench.page.host.asking.emit(bench.page.conversation_id)

    def shows_it() -> bool:
        cards = bench.view.thread_view.live.cards()
        labels = [one.text() for card in cards for one in card.findChildren(QLabel)]
        return entry.content in labels

    await bench.until(shows_it)


@scene(talk, launch=silent_agent)
async def test_a_card_is_as_high_as_what_lies_in_it_in_either_theme(bench: TalkBench, /) -> None:
    a_question(bench.page, after="The toll is paid in glass and in salt.")
    live = bench.view.thread_view.live
    await bench.until(lambda: bool(live.cards()))

    def fits() -> bool:
        (card,) = live.cards()
        layout = card.layout()
        return layout is not None and card.height() <= layout.heightForWidth(card.width()) + 2

    await bench.until(fits)
    theme = bench.page.context.theme
    theme.set_choice(SchemeChoice.DARK)
    await bench.until(lambda: bool(live.cards()) and fits())


@scene(talk, launch=silent_agent)
async def test_a_question_of_a_foreign_title_is_asked_in_our_words(bench: TalkBench, /) -> None:
    a_question(bench.page)
    (card,) = bench.view.thread_view.live.cards()
    assert card.accessibleName() == "Forget this memory?"
