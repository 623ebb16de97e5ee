"""The keyboard map in the real window: Conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QMenu

from inklings_desktop.agent_client import rows
from inklings_desktop.ui.conversation.popovers import AttachPopover
from inklings_desktop.ui.kit.dialogs.field_dialogs import NameDialog
from inklings_desktop.ui.kit.ops.commands import Where
from inklings_desktop.ui.kit.ops.page_spec import CONVERSATION_PAGE, MEMORY_PAGE
from tests.ui.keyboard_hands import MapRow, on
from tests.ui.talk_bench import a_question, a_talk, shown_page, without_agent

if TYPE_CHECKING:
    from tests.ui.keyboard_hands import Hands

TALK = Where.CONVERSATION


async def go_there(hands: Hands) -> None:
    with without_agent():
        page = await shown_page(hands)
        assert hands.window.pages.current_id == CONVERSATION_PAGE
        assert hands.is_at(page.view.composer.edit)
        hands.press("Alt+1")
        assert hands.window.pages.current_id == MEMORY_PAGE


async def begin_one(hands: Hands) -> None:
    with without_agent():
        page = await shown_page(hands)
        before = page.conversation_id
        hands.press("Ctrl+T")
        await hands.until(lambda: page.conversation_id not in {"", before})
        await hands.until(lambda: page.content is not None and page.view.start.isVisible())


async def turns(hands: Hands) -> None:
    with without_agent():
        page = await shown_page(hands)
        thread = page.view.thread_view
        hands.press("Esc")
        assert hands.is_at(thread)
        last = thread.currentIndex().row()
        hands.press("K")
        assert thread.currentIndex().row() == last - 1
        hands.press("J")
        assert thread.currentIndex().row() == last
        tall = thread.rowHeight(last)
        hands.press("Right")
        assert thread.rowHeight(last) > tall
        hands.press("Left")
        assert thread.rowHeight(last) == tall
        hands.press("Return")
        await hands.until(lambda: hands.window.pages.is_lent)
        assert hands.window.inspector.isVisible()
        hands.press("Esc")
        assert hands.is_at(page.view.composer.edit)


async def write(hands: Hands) -> None:
    with without_agent():
        page = await shown_page(hands)
        edit = page.view.composer.edit
        hands.press("A", "Shift+Return", "B")
        assert page.view.composer.text() == "a\nb"
        hands.press("Return")
        assert page.view.composer.text() == ""
        assert page.said.is_running
        assert hands.is_at(edit)
        hands.press("Ctrl+.")
        # Nobody answers that: it is over once time is.
        assert page.said.turns[-1].role == rows.ASSISTANT


async def attach(hands: Hands) -> None:
    with without_agent():
        await shown_page(hands)
        hands.press("Ctrl+Shift+A")
        popover = QApplication.activePopupWidget()
        assert isinstance(popover, AttachPopover)
        popover.close()


async def rename(hands: Hands) -> None:
    with without_agent():
        await shown_page(hands)
        hands.press("F2")
        (await hands.shown(NameDialog)).reject()


async def answer(hands: Hands) -> None:
    with without_agent():
        page = await shown_page(hands)
        outcomes = []
        for letter in ("Y", "A", "N", "L"):
            answered: list[str] = []
            page.view.thread_view.live.answered.connect(
                lambda _id, option, _chosen, to=answered: to.append(option)
            )
            a_question(page)
            hands.press("F6")
            while not hands.is_at(page.view.thread_view.live.cards()[0].focusWidget()):
                hands.press("F6")
            hands.press(letter)
            outcomes += answered
            page.said.answered("ask", "denied")
            page.draw()
        assert outcomes == ["once", "always", "deny", "later"]
        assert not QApplication.activePopupWidget() or not isinstance(
            QApplication.activePopupWidget(), QMenu
        )


MAP = (
    MapRow("Alt+9", "anywhere", "last conversation", go_there, on(Where.WINDOW, "Alt+9"), a_talk),
    MapRow(
        "Ctrl+T",
        "anywhere",
        "new conversation",
        begin_one,
        on(Where.WINDOW, "Ctrl+T"),
        a_talk,
        is_alone=True,
    ),
    MapRow(
        "J, K, Right, Left, Enter, Esc",
        "thread",
        "turns, unfold, open, leave",
        turns,
        on(TALK, "J", "K", "Right", "Left", "Enter", "Esc"),
        a_talk,
    ),
    MapRow(
        "Enter, Shift+Enter, Ctrl+.",
        "composer",
        "send, a line, stop",
        write,
        on(TALK, "Enter", "Shift+Enter", "Ctrl+."),
        a_talk,
    ),
    MapRow("Ctrl+Shift+A", "composer", "attach", attach, on(TALK, "Ctrl+Shift+A"), a_talk),
    MapRow("F2", "conversation", "rename", rename, on(TALK, "F2"), a_talk),
    MapRow("Y, A, N, L", "question", "answer", answer, on(TALK, "Y", "A", "N", "L"), a_talk),
)
