"""What another's agent said, as a message that is kept: it stores none itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import parts, words
from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.rows import (
    AskBlock,
    Block,
    PlanBlock,
    ProblemBlock,
    StepBlock,
    TextBlock,
)
from inklings_desktop.domain.rooms.messages import (
    MAX_PARTS_BYTES,
    MessageDraft,
    MessageRole,
    MessageState,
    ProducedBy,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inklings_desktop.agent_client.rows import Turn
    from inklings_desktop.domain.rooms.messages import Message

_STATES = {rows.COMPLETE: MessageState.COMPLETE, rows.STOPPED: MessageState.STOPPED}
_SHORT = 1_000


def answer_of(turn: Turn) -> MessageDraft:
    """An answer as it is kept; thoughts are not, and of what is too long only the beginning."""
    told = list(_parts_of(turn))
    if turn.state == rows.STOPPED:
        told.append({"kind": parts.STOPPED, "ms": turn.ms or 0})
    state = _STATES.get(turn.state, MessageState.FAILED)
    return MessageDraft(MessageRole.ASSISTANT, _fitted(told), turn.id, state, ProducedBy.MODEL)


def handed_over(turn: str, client: str, title: str, model: str = "") -> MessageDraft:
    """The notice that an agent answers from here on, or with ``model`` that its model does."""
    values = {"client": client, "agent": title} | ({"model": model} if model else {})
    told = [{"kind": parts.NOTICE, "word": words.FROM_HERE, "values": values}]
    return MessageDraft(MessageRole.NOTICE, json.dumps(told, ensure_ascii=False), turn)


def answering(messages: Sequence[Message]) -> str:
    """The client that answers after these messages, oldest first; empty where none says so."""
    for message in reversed(messages):
        if message.role is MessageRole.ASSISTANT:
            return message.client
        for part in parts.parts_of({"parts": message.parts_json}):
            if part.get("kind") == parts.NOTICE and part.get("word") == words.FROM_HERE:
                return message.client
    return ""


def _parts_of(turn: Turn) -> Iterator[dict[str, Any]]:
    for number, block in enumerate(turn.blocks):
        if isinstance(block, TextBlock):
            if block.begins:
                rest = _rest_of_text(turn.blocks[number + 1 :])
                yield {"kind": parts.TEXT, "text": block.text + rest}
        elif isinstance(block, StepBlock):
            yield {
                "kind": parts.TOOL, "id": block.id, "title": block.title, "tool_kind": block.kind,
                "status": block.status, "input": block.input, "outcome": block.outcome,
            }  # fmt: skip
        elif isinstance(block, PlanBlock):
            entries = [
                {"content": one.content, "priority": one.priority, "status": one.status}
                for one in block.entries
            ]
            yield {"kind": parts.PLAN, "entries": entries}
        elif isinstance(block, AskBlock):
            yield {
                "kind": parts.PERMISSION, "id": block.id, "title": block.title, "tool": block.tool,
                "outcome": block.outcome,
            }  # fmt: skip
        elif isinstance(block, ProblemBlock):
            values = dict(block.values)
            yield {
                "kind": parts.PROBLEM, "word": block.word, "detail": block.detail, "values": values,
            }  # fmt: skip


def _rest_of_text(after: tuple[Block, ...]) -> str:
    """What goes on with the text before."""
    rest = ""
    for block in after:
        if not isinstance(block, TextBlock) or block.begins:
            break
        rest += block.text
    return rest


def _fitted(told: list[dict[str, Any]]) -> str:
    """The parts as JSON that can be kept: shorter where they are too long."""
    text = json.dumps(told, ensure_ascii=False)
    if len(text.encode()) > MAX_PARTS_BYTES:
        told = [
            one | {"input": {}, "outcome": ""} if one["kind"] == parts.TOOL else one for one in told
        ]
    while len((text := json.dumps(told, ensure_ascii=False)).encode()) > MAX_PARTS_BYTES:
        longest = max(told, key=lambda one: len(str(one.get("text", ""))))
        said = str(longest.get("text", ""))
        if len(said) > _SHORT:
            longest["text"] = said[: len(said) // 2]
        else:
            told = told[: len(told) * 3 // 4]
    return text
