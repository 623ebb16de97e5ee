"""States of the Conversation page: what was said at Wend Gate, and what an agent does there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.rows import AskBlock, Option
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.rooms.messages import MessageDraft, MessageRole, ProducedBy
from inklings_desktop.ui.conversation.facts import let_agent_in
from inklings_desktop.ui.conversation.thread.rows import LIVE
from inklings_desktop.ui.kit.page.destinations import ToConversation
from inklings_desktop.ui.tour.tour import Stop, settle, until

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.rooms.conversation import Conversation
    from inklings_desktop.ui.conversation.page import ConversationPage
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow
    from inklings_desktop.usecases.bundle import Inklings

NARROW = (1024, 700)
NO_MODEL_START = "12c-conversation-no-model"
TITLE = "The toll at Wend Gate"
FIRST, SECOND = "t1-0a0a0a0a", "t2-0b0b0b0b"
ASKED = (
    "What does Nerys notice first when the keeper tilts the plate? One version, and say what "
    "it risks."
)
ANSWERED = (
    "The cold, before the shape of it.\n\n> The keeper tipped the plate and the cold came off it "
    "first, like breath off a cellar stair. Nerys knew there was a road in it before she knew "
    "which way the road ran.\n\nThe risk is \u201cwhich way\u201d: it brings left and right near "
    "the surface. *You have noted* that [nobody explains it before chapter 20](memory:{0}); here "
    "nobody speaks, so I read it as safe. It may not be."
)
KEEP = "Keep it. Check the three earlier tolls for the same cold, then put it in the chapter."
CHECKED = (
    "Chapter 5 has it already: \u201cthe coin was cold as a held breath\u201d. Chapters 2 and 8 do "
    "not touch it. I would keep yours and let chapter 5 stand: three chapters lie between."
)
STEPS = (
    "Compare the tolls in chapters 2, 5 and 8",
    "Say which cold is already spent",
    "Keep the paragraph for chapter 12",
)


def the_talk(inklings: Inklings, title: str = TITLE) -> tuple[str, Conversation]:
    """The workspace of the sample world, and its conversation of this title."""
    workspace = inklings.places.workspaces()[0]
    talks = inklings.places.conversations(workspace.id)
    return workspace.id, next(one for one in talks if one.title == title)


def add_talk(inklings: Inklings) -> None:
    """Let the World Agent in, and let something be said with it already."""
    workspace_id, talk = the_talk(inklings)
    let_agent_in(inklings, workspace_id)
    inklings.conversations.invite(workspace_id, talk.id, words.WORLD_AGENT)
    read, written = _sample(inklings)
    spine = next(one for one in read if "left and right" in one.content)
    _say(inklings, FIRST, MessageRole.USER, [{"kind": "text", "text": ASKED}])
    answer = ANSWERED.format(f"{spine.scope.tier.value}/{spine.id}")
    quotes = [{"id": spine.id, "tier": spine.scope.tier.value}]
    _say(
        inklings,
        FIRST,
        MessageRole.ASSISTANT,
        [
            _tool("c1", "memory_read", 400, read, query="Wend Gate"),
            _tool("c2", "named_entry_read", 20, (), name="VOICE"),
            {"kind": "text", "text": answer, "quotes": quotes},
            {"kind": "touched", "touched": [*_told(read, "read"), *_told(written, "written")]},
        ],
    )
    _say(inklings, SECOND, MessageRole.USER, [{"kind": "text", "text": KEEP}])


def conversation_stops() -> tuple[Stop, ...]:
    """The states, in the order in which one leads to the next."""
    return (
        Stop("12a-conversation", show_writing),
        Stop("12d-conversation-narrow", show_narrow, size=NARROW),
        Stop("12a-conversation-permission", show_permission),
        Stop("12a-conversation-error", show_error),
        Stop("12e-conversation-steps", show_steps),
        Stop("12e-conversation-queued", show_queued),
    )


async def show_conversation_start(_memory: MemoryPage, window: MainWindow) -> None:
    """The first words of a conversation, before the agent was let in."""
    await shown(window)


async def show_writing(memory: MemoryPage, window: MainWindow) -> None:
    """The second answer is being written; what the first one leans on is open beside it."""
    page = await shown(window)
    _begin_second(page)
    tell(page, _chunk(f"{CHECKED}\n\n"))
    turn = next(one for one in page.said.turns if one.id == FIRST and one.role == rows.ASSISTANT)
    spine = next(one for one in turn.touched if "left and right" in one.excerpt)
    page.touched.open(spine, turn)
    await until(lambda: memory.is_beside and memory.subject.current_ref is not None)
    await settle()
    page.view.focus_composer()


async def show_narrow(_memory: MemoryPage, window: MainWindow) -> None:
    """The same in a narrow window, the memory put away."""
    window.pages.take_inspector_back()
    await settle()


async def show_permission(memory: MemoryPage, window: MainWindow) -> None:
    """The agent asks before it changes a memory."""
    del memory
    page = await shown(window)
    tell(page, _plan("completed", "completed", "in_progress"))
    tell(page, _call("d2", "memory_update", "in_progress", {}, SECOND))
    read, _ = _sample(page.inklings)
    before = read[0].content
    ask = AskBlock(
        "ask",
        "memory_update",
        "d2",
        "The text before is kept in its history; you can take the change back.",
        before,
        f"{before} Chapter 12 keeps the cold.",
        tuple(
            Option(id_, id_, kind)
            for id_, kind in (
                (words.OPTION_ONCE, words.ALLOW_ONCE),
                (words.OPTION_ALWAYS, words.ALLOW_ALWAYS),
                (words.OPTION_DENY, words.REJECT_ONCE),
                (words.OPTION_LATER, words.REJECT_ONCE),
            )
        ),
        tool_name="memory_update",
        kind="edit",
    )
    page.said.ask(ask, SECOND)
    page.draw()
    await settle()


async def show_error(_memory: MemoryPage, window: MainWindow) -> None:
    """The memory could not be opened for the agent."""
    page = await shown(window)
    page.said.answered("ask", "denied")
    page.said.fail(words.MEMORY_UNREACHABLE, turn=SECOND)
    page.draw()
    await settle()


async def show_steps(_memory: MemoryPage, window: MainWindow) -> None:
    """Steps in every state, one unfolded."""
    page = await shown(window)
    read, _ = _sample(page.inklings)
    page.said.begin([{"kind": "text", "text": "Say what is known of the toll-keeper."}])
    turn = "t3-0c0c0c0c"
    for call, status, more in (
        ("e1", "completed", {"touched": _told(read[:3], "read"), "ms": 200}),
        ("e2", "failed", {"status": "refused", "outcome": "account tier, not granted"}),
        ("e3", "in_progress", {"ms": 2100}),
    ):
        tool = "memory_put" if call == "e2" else "memory_read"
        tell(page, _call(call, tool, status, more, turn))
    thread = page.view.thread_view
    thread.unfold(LIVE, "e1")
    thread.go_to_foot()
    await settle()


async def show_queued(_memory: MemoryPage, window: MainWindow) -> None:
    """The next message waits, and another is being written with something attached."""
    page = await shown(window)
    page.said.queued = ({"kind": "text", "text": "And tell me if any toll was ever refused."},)
    read, _ = _sample(page.inklings)
    page.writing.attach_entries(read[:2])
    page.view.composer.show_text("Keep it, then check chapter 5.")
    page.draw()
    page.view.thread_view.go_to_foot()
    await settle()


async def shown(window: MainWindow, title: str = TITLE) -> ConversationPage:
    """The page, showing the conversation of this title."""
    opened = window.opened
    assert opened is not None
    _, talk = the_talk(opened.context.inklings, title)
    if opened.conversation is None or not opened.conversation.view.isVisible():
        opened.rail.show_row(talk.id)
    await until(lambda: opened.conversation is not None)
    page = opened.conversation
    assert page is not None
    if page.conversation_id != talk.id:
        page.arrive(ToConversation(talk.id))
    await until(lambda: page.content is not None)
    await page.settled()
    await settle()
    return page


def tell(page: ConversationPage, update: dict[str, Any]) -> None:
    """Let the agent say something."""
    page.said.apply(update)
    page.draw()


def _begin_second(page: ConversationPage) -> None:
    read, _ = _sample(page.inklings)
    tell(page, _plan("completed", "in_progress", "pending"))
    about = {"touched": _told(read[:3], "read"), "ms": 1100}
    tell(page, _call("d1", "memory_read", "completed", about, SECOND, query="cold, toll"))


def _plan(*states: str) -> dict[str, Any]:
    entries = [
        {"content": step, "priority": "medium", "status": state}
        for step, state in zip(STEPS, states, strict=True)
    ]
    own = {"turn": SECOND, "speaker": words.WORLD_AGENT, "produced_by": "model"}
    return {"sessionUpdate": words.PLAN, "entries": entries, "_meta": {words.OWN: own}}


def _chunk(text: str) -> dict[str, Any]:
    own = {"turn": SECOND, "produced_by": "model"}
    content = {"type": "text", "text": text}
    return {"sessionUpdate": words.AGENT_CHUNK, "content": content, "_meta": {words.OWN: own}}


def _call(
    id_: str, tool: str, status: str, more: dict[str, Any], turn: str, **about: str
) -> dict[str, Any]:
    return {
        "sessionUpdate": words.TOOL_CALL,
        "toolCallId": id_,
        "title": tool,
        "kind": "search" if tool == "memory_read" else "edit",
        "status": status,
        "rawInput": about,
        "_meta": {words.OWN: {"turn": turn, "tool": tool, **more}},
    }


def _say(inklings: Inklings, turn: str, role: MessageRole, parts: Sequence[dict[str, Any]]) -> None:
    workspace_id, talk = the_talk(inklings)
    draft = MessageDraft(role, json.dumps(parts), turn, produced_by=ProducedBy.MODEL)
    if role is MessageRole.ASSISTANT:
        inklings = inklings.as_caller(inklings.clients.admit(words.WORLD_AGENT, workspace_id))
    inklings.messages.append(workspace_id, talk.id, draft)


def _sample(inklings: Inklings) -> tuple[list[MemoryEntry], list[MemoryEntry]]:
    """What a turn read in the sample world, and what it wrote."""
    workspace_id, talk = the_talk(inklings)
    of_world = inklings.listing.browse((ScopeKey.workspace(workspace_id),)).entries
    spine = [one for one in of_world if "left and right" in one.content]
    rest = [one for one in of_world if one not in spine]
    own = inklings.listing.browse((ScopeKey.conversation(workspace_id, talk.id),)).entries
    written = [one for one in own if one.content.isascii()][:1]
    return [*rest[:2], *spine[:1], *rest[2:5]], written


def _tool(
    id_: str, tool: str, ms: int, touched: Iterable[MemoryEntry], **about: str
) -> dict[str, Any]:
    return {
        "kind": "tool",
        "id": id_,
        "title": tool,
        "tool": tool,
        "tool_kind": "search",
        "status": "completed",
        "input": about,
        "outcome": "",
        "touched": _told(touched, "read"),
        "ms": ms,
    }


def _told(entries: Iterable[MemoryEntry], how: str) -> list[dict[str, Any]]:
    return [
        {
            "id": one.id,
            "tier": one.scope.tier.value,
            "scope": one.scope.key,
            "version": 1,
            "how": how,
            "undo": how != "read",
            "excerpt": one.content[:250],
            "why": "keyword",
        }
        for one in entries
    ]
