"""A conversation in a store, and the page that shows it, with no agent or one that says nothing."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from inklings_desktop.acp_wire import words
from inklings_desktop.agent_client.rows import AskBlock, Option, text_of_turn
from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
from inklings_desktop.domain.rooms.messages import MessageDraft, MessageRole, ProducedBy
from inklings_desktop.ui.conversation.facts import let_agent_in
from inklings_desktop.ui.conversation.page import ConversationPage
from inklings_desktop.ui.conversation.thread.rows import TurnRow
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.ops.places import _look_around
from tests.support.stopwatch import until
from tests.ui.entries_bench import a_window
from tests.ui.keyboard_hands import thirty
from tests.ui.page_bench import a_context
from tests.ui.presenter_bench import a_bench

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from inklings_desktop.agent_client.rows import Turn
    from inklings_desktop.domain.rooms.conversation import Conversation
    from tests.ui.keyboard_hands import Hands
    from tests.ui.page_bench import SaidToWindow
    from tests.ui.presenter_bench import Bench

TITLE = "The toll at Wend Gate"
TURN = "t1-0a0a0a0a"


def silent_agent(*_about: object) -> list[str]:
    """Hears and says nothing, until its input ends."""
    return [sys.executable, "-c", "import sys; sys.stdin.read()"]


@contextmanager
def without_agent(launch: Any = silent_agent) -> Iterator[None]:
    """Let pages made meanwhile start this in place of the agent; None for not installed."""
    before = ConversationPage.launch
    ConversationPage.launch = staticmethod(launch)
    try:
        yield
    finally:
        ConversationPage.launch = before


def a_talk(bench: Bench) -> None:
    """Thirty memories, and a conversation in which one was read; the World Agent may come in."""
    thirty(bench)
    talk = a_conversation(bench)
    entries = bench.inklings.listing.browse([bench.scope]).entries[:2]
    say(bench, talk, MessageRole.USER, [{"kind": "text", "text": "What is known of the toll?"}])
    say(bench, talk, MessageRole.ASSISTANT, an_answer(entries))


def a_conversation(bench: Bench) -> Conversation:
    """An empty one, into which the World Agent is let."""
    inklings, world = bench.inklings, bench.workspace
    let_agent_in(inklings, world.id)
    return inklings.conversations.start(world.id, title=TITLE)


def an_answer(entries: Sequence[MemoryEntry]) -> list[dict[str, Any]]:
    """What an agent says that read these memories."""
    touched = [told(one, "read") for one in entries]
    first = entries[0]
    link = f"memory:{first.scope.tier.value}/{first.id}"
    return [
        {
            "kind": "tool",
            "id": "c1",
            "title": "memory_read",
            "tool": "memory_read",
            "tool_kind": "search",
            "status": "completed",
            "input": {"query": "toll"},
            "outcome": "",
            "touched": touched,
            "ms": 400,
        },
        {
            "kind": "text",
            "text": f"*You have noted* that [it is glass]({link}), or [so](memory:account/x).",
            "quotes": [{"id": first.id, "tier": first.scope.tier.value}],
        },
        {"kind": "touched", "touched": touched},
    ]


def told(entry: MemoryEntry, how: str, *, undo: bool = False) -> dict[str, Any]:
    """A memory as something that a turn touched."""
    return {
        "id": entry.id,
        "tier": entry.scope.tier.value,
        "scope": entry.scope.key,
        "version": 1,
        "how": how,
        "undo": undo,
        "excerpt": entry.content[:250],
        "why": "keyword",
    }


def say(
    bench: Bench,
    talk: Conversation,
    role: MessageRole,
    parts: Sequence[dict[str, Any]],
    turn: str = TURN,
) -> None:
    """Store a message."""
    draft = MessageDraft(role, json.dumps(parts), turn, produced_by=ProducedBy.MECHANICAL)
    bench.inklings.messages.append(bench.workspace.id, talk.id, draft)


async def shown_page(hands: Hands) -> ConversationPage:
    """The page, shown by its key, once it shows the conversation."""
    hands.press("Alt+9")
    opened = hands.window.opened
    assert opened is not None
    await hands.until(lambda: opened.conversation is not None)
    page = opened.conversation
    assert page is not None
    await hands.until(lambda: page.content is not None and bool(page.view.thread_view.rows))
    await hands.until(lambda: hands.is_at(page.view.composer.edit))
    return page


def a_question(page: ConversationPage, **values: Any) -> None:
    """Let the agent ask whether it may forget something; values are those of the ``AskBlock``."""
    options = (
        (words.OPTION_ONCE, words.ALLOW_ONCE),
        (words.OPTION_ALWAYS, words.ALLOW_ALWAYS),
        (words.OPTION_DENY, words.REJECT_ONCE),
        (words.OPTION_LATER, words.REJECT_ONCE),
    )
    ask = AskBlock(
        "ask",
        "Forget: the toll",
        "d1",
        "A memory would be forgotten.",
        "The toll is paid in glass.",
        options=tuple(Option(id_, id_, kind) for id_, kind in options),
        tool_name="memory_forget",
        kind="delete",
    )
    if not page.said.is_running:
        page.said.begin([{"kind": "text", "text": "Forget the toll."}])
    page.said.ask(replace(ask, **values))
    page.draw()


def scope_of(bench: Bench, talk: Conversation) -> ScopeKey:
    """The conversation's own tier."""
    return ScopeKey.conversation(bench.workspace.id, talk.id)


class TalkBench:
    """The page alone over a real store, talking with a scripted agent or a silent one."""

    def __init__(self, page: ConversationPage, said: SaidToWindow, bench: Bench) -> None:
        self.page, self.view = page, page.view
        self.said, self.bench = said, bench

    def turns(self) -> list[Turn]:
        """What is shown, oldest first."""
        return [row.turn for row in self.view.thread_view.rows if isinstance(row, TurnRow)]

    def last_words(self) -> str:
        """What the agent said last."""
        turns = self.turns()
        return text_of_turn(turns[-1]) if turns else ""

    async def say(self, text: str) -> None:
        """Write something and send it by Enter."""
        edit = self.view.composer.edit
        edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.view.composer.show_text(text)
        QTest.keyClick(edit, Qt.Key.Key_Return)

    async def until(self, condition: Callable[[], bool]) -> float:
        """Wait until something holds."""
        return await until(condition, told=lambda: [one.blocks for one in self.turns()])

    async def answered(self) -> None:
        """Wait until nothing runs any more."""
        await self.until(lambda: not self.page.said.is_running)
        self.page.draw()


def talk(
    root: Path,
    action: Callable[[TalkBench], Awaitable[None]],
    prepare: Callable[[Bench], object] = a_conversation,
    launch: Callable[..., Sequence[str] | None] | None = None,
) -> None:
    """Open the page over a store that holds a conversation, let the test act, close everything.

    Args:
        root: The data root.
        action: The test.
        prepare: Fills the store.
        launch: What starts the agent; without it the scripted one.
    """
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme = Theme(SchemeChoice.LIGHT, reduced_motion=True)
    theme.apply(app)
    bugs: list[BaseException] = []

    async def acted(bench: Bench) -> None:
        background = Background(bugs.append)
        with a_window() as window, without_agent(launch or partial(scripted_agent, root)):
            context, said, leave = a_context(background, bench.inklings, theme, window)
            said.here = _look_around(bench.inklings, bench.workspace.id)
            page = ConversationPage(context, window)
            window.setCentralWidget(page.view)
            window.resize(1200, 800)
            window.show()
            try:
                await page.open(bench.workspace.id)
                await until(lambda: page.content is not None)
                await action(TalkBench(page, said, bench))
            finally:
                page.close()
                leave()
                await background.close()
        await asyncio.sleep(0)

    with a_bench(root) as bench:
        prepare(bench)
        with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
            runner.run(acted(bench))
    assert not bugs, bugs


def scripted_agent(root: Path, *_about: object) -> list[str]:
    """Does what it is told; its turns are kept beside the data."""
    program = Path(__file__).parents[1] / "support" / "scripted_agent.py"
    return [sys.executable, str(program), str(root / "scripted.json")]
