"""The Conversation page in the real window: the rail, the inspector beside it, the start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu

from inklings_desktop.domain.memories.memory_typing import MESSAGE
from inklings_desktop.domain.memory import MemoryRef, ScopeKey
from inklings_desktop.domain.rooms.messages import MessageRole
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.ops.page_spec import CONVERSATION_PAGE, MEMORY_PAGE
from inklings_desktop.ui.rail.model import RailRole
from tests.support.scenes import scene
from tests.ui.keyboard_hands import Hands
from tests.ui.presenter_bench import Bench
from tests.ui.talk_bench import a_conversation, a_talk, an_answer, say, shown_page, without_agent
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


@scene(drive, a_talk)
async def test_the_inspector_is_lent_to_the_thread_and_comes_back(bench: WindowBench, /) -> None:
    with without_agent():
        hands = Hands(bench)
        page = await shown_page(hands)
        window, turn = bench.window, page.said.turns[-1]
        turn_in = page.conversation_id
        bar = page.view.allowed.menuAction().associatedObjects()
        assert window.menus["talk:rename"].associatedObjects() == bar
        page.touched.open(turn.touched[0], turn)
        await bench.until(lambda: window.pages.is_lent and window.inspector.isVisible())
        assert page.view.panes.indexOf(window.inspector) == 1
        assert window.inspector.body.turn.isVisible()
        assert bench.memory.subject.current_ref is not None
        first = bench.memory.subject.current_ref.id
        window.menus["next"].trigger()
        await bench.until(
            lambda: (
                bench.memory.subject.current_ref is not None
                and bench.memory.subject.current_ref.id != first
            )
        )
        assert window.pages.current_id == CONVERSATION_PAGE
        window.inspector.header.close_beside.click()
        assert not window.pages.is_lent
        page.touched.open(turn.touched[0], turn)
        await bench.until(lambda: window.pages.is_lent)
        page._stand_at("")  # as asking again from here leaves the conversation
        assert not window.pages.is_lent, "what a turn of the other one touched goes with it"
        page._stand_at(turn_in)
        await bench.until(lambda: bool(page.said.turns))
        page.touched.open(turn.touched[0], turn)
        await bench.until(lambda: window.pages.is_lent)
        window.show_page(MEMORY_PAGE)
        assert not window.pages.is_lent
        assert window.inspector.isVisible()
        assert not window.inspector.body.turn.isVisible()


@scene(drive, a_talk)
async def test_the_inspector_is_a_sheet_where_the_window_is_narrow(bench: WindowBench, /) -> None:
    with without_agent():
        hands = Hands(bench)
        page = await shown_page(hands)
        bench.window.resize(1024, 700)
        turn = page.said.turns[-1]
        page.touched.open(turn.touched[0], turn)
        await bench.until(lambda: bench.window.pages.is_lent)
        assert page.view.panes.count() == 1
        assert bench.window.inspector.isVisible()
        bench.window.inspector.leave_requested.emit()
        await bench.until(lambda: not bench.window.pages.is_lent)


def test_a_conversation_chosen_in_the_rail_opens_the_page_and_is_read_then(tmp_path: Path) -> None:
    def unread(bench: Bench) -> None:
        entries = [bench.put("The toll is paid in glass.")]
        talk = a_conversation(bench)
        say(bench, talk, MessageRole.ASSISTANT, an_answer(entries))

    async def act(bench: WindowBench) -> None:
        with without_agent():
            opened = bench.window.opened
            assert opened is not None
            here = bench.memory.shell.surroundings
            assert here is not None
            (talk,) = here.conversations
            assert here.unread == {talk.id}
            assert here.has_unread(talk.channel_id)
            opened.rail.show_row(talk.id)
            assert bench.window.pages.current_id == CONVERSATION_PAGE
            await bench.until(lambda: opened.conversation is not None)
            page = opened.conversation
            assert page is not None
            await bench.until(lambda: page.conversation_id == talk.id)

            def is_read() -> bool:
                now = bench.memory.shell.surroundings
                return now is not None and not now.unread

            await bench.until(is_read)

    drive(tmp_path, unread, act)


@scene(drive, a_talk)
async def test_the_rail_marks_the_conversation_that_is_on_show_however_it_was_reached(
    bench: WindowBench, /
) -> None:
    with without_agent():
        opened = bench.window.opened
        assert opened is not None
        tree = bench.window.rail.tree
        here = opened.context.here()
        assert here is not None
        (talk,) = (one.id for one in here.conversations)

        def marked() -> str:
            return str(tree.currentIndex().data(RailRole.ID))

        assert marked() == MEMORY_PAGE
        bench.window.show_page(CONVERSATION_PAGE)  # as Alt+9 does
        await bench.until(lambda: marked() == talk)
        bench.window.show_page(MEMORY_PAGE)
        assert marked() == MEMORY_PAGE
        bench.window.rail.row_chosen.emit(talk)
        await bench.until(lambda: marked() == talk)
        bench.window.show_page(MEMORY_PAGE)
        assert marked() == MEMORY_PAGE, "its memories, where its row leads to its words"


def test_the_window_knows_nothing_of_agents_before_the_page_is_shown() -> None:
    script = (
        "import sys, inklings_desktop.ui.window.main_window, inklings_desktop.ui.app.application\n"
        "print([one for one in sys.modules if 'agent_client' in one or 'acp' in one])"
    )
    told = subprocess.run(
        [sys.executable, "-c", script], check=True, timeout=60, capture_output=True, text=True
    )
    assert told.stdout == "[]\n"


@scene(drive, a_talk)
async def test_a_branch_is_shown_with_the_rail_at_it(bench: WindowBench, /) -> None:
    with without_agent():
        hands = Hands(bench)
        page = await shown_page(hands)
        shell = bench.memory.shell
        first = page.conversation_id
        thread, turn = page.view.thread_view, page.said.turns[-1]
        thread.menu_wanted.emit(turn, QPoint(0, 0))
        menu = page.view.findChildren(QMenu)[-1]
        (again,) = [one for one in menu.actions() if one.text() == "Ask again from here"]
        again.trigger()
        await bench.until(lambda: page.conversation_id not in {"", first})
        await bench.until(lambda: shell.place.room == page.conversation_id)
        assert page.view.composer.text() == "What is known of the toll?"
        await bench.until(lambda: page.view.header.title.text().endswith(", again"))


@scene(drive, a_talk)
async def test_the_menu_of_a_turn_opens_by_key_for_the_turn_that_is_current(
    bench: WindowBench, /
) -> None:
    with without_agent():
        hands = Hands(bench)
        page = await shown_page(hands)
        thread = page.view.thread_view
        asked = []
        thread.menu_wanted.connect(lambda turn, _at: asked.append(turn))
        for place in (0, 1):
            thread.setCurrentIndex(thread.model().index(place, 0))
            reason = QContextMenuEvent.Reason.Keyboard
            at = QPoint(9, 9)
            event = QContextMenuEvent(reason, at, thread.viewport().mapToGlobal(at))
            QApplication.sendEvent(thread.viewport(), event)
        assert [one.role for one in asked] == ["user", "assistant"]


@scene(drive, a_talk)
async def test_a_message_that_is_not_sent_is_kept_before_the_window_closes(
    bench: WindowBench, /
) -> None:
    with without_agent():
        hands = Hands(bench)
        page = await shown_page(hands)
        closed = bench.window.closing.closed
        hands.press("A")
        bench.window.close()  # it is on the disk before the window goes
        await bench.until(closed.is_set)
        assert not page.writing.unkept
        where = MemoryRef(
            ScopeKey.conversation(bench.bench.workspace.id, page.conversation_id), MESSAGE
        )
        kept = bench.bench.inklings.drafts.find_typing(where)
        assert kept is not None
        assert '"text": "a"' in kept.content


@scene(drive, a_talk)
async def test_a_message_that_waits_is_asked_about_before_the_window_closes(
    bench: WindowBench, /
) -> None:
    with without_agent():
        hands = Hands(bench)
        page = await shown_page(hands)
        hands.press("A", "Return", "B", "Return")
        assert page.said.queued
        assert not page.writing.unkept
        bench.window.close()
        (await hands.shown(ConfirmDialog)).keep.click()
        await bench.until(lambda: not bench.window.closing._is_asking)
        assert not bench.window.closing.closed.is_set()
