"""What stands around the turns: how one that was cut off goes on, what is to be known, the keys."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.rows import NoticeBlock, ProblemBlock, TextBlock
from inklings_desktop.ui.conversation.guest_words import card_words, first_use_of, not_started
from inklings_desktop.ui.conversation.words import (
    ENDED,
    GRANT,
    INTERRUPTED,
    ProblemWords,
)
from inklings_desktop.ui.kit.look.translation import quoted, tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint

if TYPE_CHECKING:
    from collections.abc import Container
    from datetime import datetime

    from inklings_desktop.agent_client.rows import Block, Turn
    from inklings_desktop.agent_client.session import Problem
    from inklings_desktop.agent_client.thread_state import ThreadState
    from inklings_desktop.ui.conversation.facts import ConversationContent, Draft

QUEUED = "queued"
"""Id of the turn that is not said yet."""
_MOST_LINE = 200
_GONE = {wire.AGENT_GONE, wire.AGENT_FAILED_TO_START, wire.AGENT_TOO_LOUD}


def with_way_on(
    turns: tuple[Turn, ...], *, left: Container[str], is_there: bool
) -> tuple[Turn, ...]:
    """The turns; where the last one was cut off and can go on, it says so.

    Args:
        turns: What is said, oldest first.
        left: Ids of turns that are to be left as they are.
        is_there: Whether there is an agent.
    """
    last = turns[-1] if turns else None
    if last is None or last.state != rows.INTERRUPTED:
        return turns
    problems = [one for one in last.blocks if isinstance(one, ProblemBlock)]
    if problems and not (is_there and problems[-1].word in _GONE):
        return turns
    rest = tuple(one for one in last.blocks if one not in problems)
    if last.id in left:
        return (*turns[:-1], replace(last, blocks=rest, state=rows.STOPPED))
    word = INTERRUPTED if is_there else wire.AGENT_GONE
    return (*turns[:-1], replace(last, blocks=(*rest, ProblemBlock(word))))


def queued_turn(draft: Draft, at: datetime) -> tuple[Turn, ...]:
    """The message that waits for the running turn to end, as a turn of the author."""
    if draft.is_empty:
        return ()
    blocks: tuple[Block, ...] = (
        TextBlock(draft.text),
        *(rows.AttachmentBlock(one.uri, one.title, one.text) for one in draft.attachments),
        NoticeBlock(QUEUED),
    )
    return (rows.Turn(QUEUED, rows.USER, "person", at, rows.COMPLETE, blocks),)


def composer_hint(said: ThreadState, agent: str) -> str:
    """What stands where nothing is written yet; ``agent`` is another's title, or empty."""
    if said.open_questions:
        return tr("Or say what to do instead")
    if said.is_running:
        return tr("Write the next message; it is sent when this turn ends")
    if agent:
        return tr("Write to {agent}").format(agent=agent)
    return tr("Write to the World Agent") if said.turns else tr("Try: Remember that \u2026")


def notice_of(
    content: ConversationContent | None,
    problem: Problem | None,
    refused: ProblemBlock | None,
    *,
    last_line: str,
    is_installed: bool,
    is_only_look: bool,
) -> ProblemWords | None:
    """What is to be known before one writes.

    Args:
        content: The conversation as it is stored.
        problem: Why there is no agent, where the last turn does not say so itself.
        refused: What did not work of what was asked for outside a turn.
        last_line: What the agent's process said last on standard error; empty for nothing.
        is_installed: Whether there is an agent to start.
        is_only_look: Whether nothing can be changed just now.
    """
    if content is not None and content.is_archived:
        words = card_words(ProblemBlock(wire.CONVERSATION_ARCHIVED))
        return replace(words, acts=()) if is_only_look else words
    if content is not None and content.is_ended:
        words = card_words(ProblemBlock(ENDED))
        return replace(words, acts=()) if is_only_look else words
    if is_only_look:
        return None
    agent = None if content is None else content.agent
    if agent is not None and (agent.is_refused or not agent.program):
        return not_started(agent)
    if not is_installed and agent is None:
        return card_words(ProblemBlock(wire.AGENT_NOT_INSTALLED))
    if content is not None and not content.is_granted:
        return _first_use() if agent is None else first_use_of(agent)
    if problem is not None:
        told = ProblemBlock(problem.word, problem.detail, problem.values or {})
        words = card_words(told)
        if problem.word != wire.AGENT_FAILED_TO_START or not last_line:
            return words
        last = tr("Its last words: {line}").format(line=quoted(last_line[:_MOST_LINE]))
        return replace(words, text=f"{words.text} {last}")
    return None if refused is None else card_words(refused)


def _first_use() -> ProblemWords:
    return ProblemWords(
        "lapis",
        "planet",
        tr("Let the World Agent in?"),
        tr(
            "It reads this world and what is known about you. It keeps what you tell it to; "
            "you see each change under its answer and can undo it there. About you it only "
            "makes proposals."
        ),
        (GRANT,),
    )


def key_hints(said: ThreadState | None, *, is_sent_with_ctrl: bool) -> tuple[KeyHint, ...]:
    """What can be done by key just now; None: there is no conversation."""
    next_pane = KeyHint(("F6",), tr("next pane"))
    if said is None:
        return (KeyHint(("Ctrl T",), tr("new conversation")), next_pane)
    if said.open_questions:
        return (
            KeyHint(("F6",), tr("to the question")),
            KeyHint(("Y",), tr("allow once")),
            KeyHint(("A",), tr("always here")),
            KeyHint(("N",), tr("deny")),
            KeyHint(("Esc",), tr("back to writing")),
        )
    send = "Ctrl Enter" if is_sent_with_ctrl else "Enter"
    if said.is_running and said.n_at_work:
        return (
            KeyHint((send,), tr("queue")),
            KeyHint(("Ctrl .",), tr("stop all")),
            KeyHint(("Del",), tr("stop this run")),
            KeyHint(("Enter",), tr("open the run")),
            next_pane,
        )
    if said.is_running:
        return (
            KeyHint((send,), tr("queue")),
            KeyHint(("Ctrl .",), tr("stop")),
            KeyHint(("J", "K"), tr("turns")),
            next_pane,
        )
    return (
        KeyHint((send,), tr("send")),
        KeyHint(("J", "K"), tr("turns")),
        KeyHint(("Ctrl T",), tr("new conversation")),
        next_pane,
    )
