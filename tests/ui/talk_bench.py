"""A conversation in a store, and the page that shows it, with no agent or one that says nothing."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.agent_client.rows import AskBlock, Option
from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
from inklings_desktop.domain.rooms.messages import MessageDraft, MessageRole, ProducedBy
from inklings_desktop.ui.conversation.facts import let_agent_in
from inklings_desktop.ui.conversation.page import ConversationPage
from tests.ui.keyboard_hands import thirty

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inklings_desktop.domain.rooms.conversation import Conversation
    from tests.ui.keyboard_hands import Hands
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


def a_question(page: ConversationPage) -> None:
    """Let the agent ask whether it may forget something."""
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
    page.said.ask(ask)
    page.draw()


def scope_of(bench: Bench, talk: Conversation) -> ScopeKey:
    """The conversation's own tier."""
    return ScopeKey.conversation(bench.workspace.id, talk.id)
