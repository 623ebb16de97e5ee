"""Parts of a stored message, and the updates that tell them again when a conversation is loaded.

A message is told as a mapping, as the memory's door answers with it: ``turn``, ``role``, ``state``,
``parts`` (a list, or its JSON text), ``client``, ``produced_by``, ``id``, ``at`` (ISO 8601).
"""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.acp_wire import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

TEXT: Final = "text"
ATTACHMENT: Final = "attachment"
PLAN: Final = "plan"
TOOL: Final = "tool"
PERMISSION: Final = "permission"
TOUCHED: Final = "touched"
PROBLEM: Final = "problem"
STOPPED: Final = "stopped"
NOTICE: Final = "notice"
SCRUBBED: Final = "scrubbed"

USER: Final = "user"
ASSISTANT: Final = "assistant"
PERSON: Final = "person"

REFUSED: Final = "refused"
"""Status of a tool that the protocol does not have: told as ``failed``, with ours in ``_meta``."""

ASKED: Final = ":asked"
"""What a question's id adds to that of the call it is about, where the agent names it not."""

CHUNK_CHARACTERS: Final = 4096
"""Of a text that is told again at once: at most 16 KiB, and 48 KiB as it is escaped on a line."""

Update = dict[str, Any]


def replay(messages: Iterable[Mapping[str, Any]]) -> Iterator[Update]:
    """The updates that tell these messages, oldest first, each the ``update`` of a notification.

    They carry no ``seq``: what goes on in an unfinished turn counts its own from 1.
    """
    asked_at: dict[str, datetime] = {}
    for message in messages:
        turn, at = str(message.get("turn", "")), instant(message.get("at"))
        own: dict[str, Any] = {words.TURN: turn, words.ROLE: str(message.get("role", ""))}
        if at is not None:
            own[words.AT] = at.isoformat()
        parts = parts_of(message)
        if message.get("role") == USER:
            if at is not None:
                asked_at[turn] = at
            yield from _said(parts, own | {words.SPEAKER: PERSON}, message)
            continue
        own[words.SPEAKER] = str(message.get("client", ""))
        told = own | {words.PRODUCED_BY: str(message.get("produced_by", ""))}
        for part in parts:
            yield from _answered(part, told, message)
        if message.get("role") == ASSISTANT:
            ended: dict[str, Any] = {words.STATE: str(message.get("state", "complete"))}
            if at is not None and turn in asked_at:
                ended[words.MS] = round((at - asked_at[turn]).total_seconds() * 1000)
            yield info(own | {words.ENDED: ended})


def parts_of(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The parts of a message; what is no part is left out."""
    parts = message.get("parts", [])
    if isinstance(parts, str):
        try:
            parts = json.loads(parts)
        except ValueError:
            parts = []
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


def prompt_blocks(parts: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Parts of a person's message as content of a prompt."""
    return [_content(part) for part in parts if part.get("kind") in {TEXT, ATTACHMENT}]


MAX_ROLE = 600
"""Characters of a role that the person lays over one answer."""
_IN_A_ROLE = re.compile(rf"/{words.COMMAND_AS}\s+([^:\n]{{1,{MAX_ROLE}}}):\s*(\S.*)", re.DOTALL)


def role_and_words(text: str) -> tuple[str, str]:
    """The role that the person wants a message answered in, and the message; mostly no role.

    It is said as ``/as ROLE: MESSAGE``, and holds for this message alone.
    """
    found = _IN_A_ROLE.fullmatch(text.strip())
    return (" ".join(found[1].split()), found[2]) if found else ("", text)


def parts_of_prompt(blocks: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Content of a prompt as parts of a message; what is neither text nor resource is left out."""
    found = (part_of_content(block) for block in blocks)
    return [part for part in found if part is not None]


def part_of_content(block: Mapping[str, Any]) -> dict[str, Any] | None:
    """One block of content as a part; None for a kind that no part is made of."""
    match block.get("type"):
        case "text":
            return {"kind": TEXT, "text": str(block.get("text", ""))}
        case "resource_link":
            title = block["title"] if isinstance(block.get("title"), str) else block.get("name", "")
            return {"kind": ATTACHMENT, "uri": str(block.get("uri", "")), "title": str(title)}
        case "resource":
            resource = block.get("resource")
            resource = resource if isinstance(resource, dict) else {}
            own = own_of(block)
            part = {"kind": ATTACHMENT, "uri": str(resource.get("uri", ""))}
            part["title"] = str(own.get(words.TITLE, ""))
            if isinstance(resource.get("text"), str):
                part["text"] = resource["text"]
            return part
        case _:
            return None


def own_of(holder: Mapping[str, Any]) -> dict[str, Any]:
    """What we ourselves say in ``_meta`` of anything; empty without."""
    meta = holder.get("_meta")
    own = meta.get(words.OWN) if isinstance(meta, dict) else None
    return own if isinstance(own, dict) else {}


def tool_update(part: Mapping[str, Any], own: Mapping[str, Any], *, begins: bool) -> Update:
    """A tool's part as the update that begins it or changes it."""
    kinds = {"search", "read", "edit", "delete", "think"}
    status = str(part.get("status", "pending"))
    told = dict(own) | {
        key: part[key]
        for key in (
            words.TOOL,
            words.TOUCHED,
            words.PROCESS,
            words.PARENT,
            words.MS,
            words.OUTCOME,
            words.RUN,
        )
        if part.get(key) is not None
    }
    if status == REFUSED:
        told[words.STATUS] = REFUSED
    update: Update = {
        "sessionUpdate": words.TOOL_CALL if begins else words.TOOL_CALL_UPDATE,
        "toolCallId": str(part.get("id", "")),
        "title": str(part.get("title", "")),
        "kind": part.get("tool_kind") if part.get("tool_kind") in kinds else "other",
        "status": "failed" if status == REFUSED else status,
        "rawInput": part.get("input", {}),
        "_meta": {words.OWN: told},
    }
    if part.get("outcome"):
        content = {"type": "text", "text": str(part["outcome"])}
        update["content"] = [{"type": "content", "content": content}]
    return update


def permission_update(part: Mapping[str, Any], own: Mapping[str, Any]) -> Update:
    """How a question ended, told on the call that it was asked for."""
    told = {key: part[key] for key in ("id", "title", "outcome") if key in part}
    return {
        "sessionUpdate": words.TOOL_CALL_UPDATE,
        "toolCallId": str(part.get("tool", "")),
        "_meta": {words.OWN: dict(own) | {words.PERMISSION: told}},
    }


def instant(told: object) -> datetime | None:
    """A time as it is told, or None if it is none."""
    if isinstance(told, datetime):
        return told
    try:
        return datetime.fromisoformat(told) if isinstance(told, str) else None
    except ValueError:
        return None


def _said(
    parts: Iterable[Mapping[str, Any]], own: dict[str, Any], message: Mapping[str, Any]
) -> Iterator[Update]:
    for part in parts:
        if part.get("kind") in {TEXT, ATTACHMENT}:
            yield from _chunks(words.USER_CHUNK, part, own, message)
        else:
            yield from _answered(part, own, message)


def _answered(
    part: Mapping[str, Any], own: dict[str, Any], message: Mapping[str, Any]
) -> Iterator[Update]:
    match part.get("kind"):
        case "text":
            told = own | {words.QUOTES: part.get("quotes", [])}
            yield from _chunks(words.AGENT_CHUNK, part, told, message)
        case "plan":
            entries = part.get("entries", [])
            yield {"sessionUpdate": words.PLAN, "entries": entries, "_meta": {words.OWN: own}}
        case "tool":
            yield tool_update(part, own, begins=True)
        case "permission":
            yield permission_update(part, own)
        case "touched":
            yield info(own | {words.TOUCHED: part.get("touched", [])})
        case "problem":
            told = {key: part[key] for key in ("word", "detail", "values") if key in part}
            yield info(own | {words.PROBLEM: told})
        case "stopped":
            yield info(own | {words.STOPPED: part.get("ms", 0)})
        case "notice":
            told = {"word": part.get("word", ""), "values": part.get("values", {})}
            yield info(own | {words.NOTICE: told})
        case "scrubbed":
            yield info(own | {words.NOTICE: {"word": SCRUBBED, "values": {}}})
        case _:
            yield info(own | {words.PART: dict(part)})


def _content(part: Mapping[str, Any]) -> dict[str, Any]:
    if part.get("kind") == TEXT:
        return {"type": "text", "text": str(part.get("text", ""))}
    uri, title = str(part.get("uri", "")), str(part.get("title", ""))
    if not isinstance(part.get("text"), str):
        return {"type": "resource_link", "uri": uri, "name": title or uri, "title": title}
    resource = {"uri": uri, "text": part["text"], "mimeType": "text/markdown"}
    meta = {words.OWN: {words.TITLE: title}}
    return {"type": "resource", "resource": resource, "_meta": meta}


def _chunks(
    kind: str, part: Mapping[str, Any], own: dict[str, Any], message: Mapping[str, Any]
) -> Iterator[Update]:
    """A part, in as many updates as keep every line short; the first begins it."""
    whole = own | {words.WHOLE: True}
    text = str(part.get("text", ""))
    if part.get("kind") != TEXT or len(text) <= CHUNK_CHARACTERS:
        yield _chunk(kind, _content(part), whole, message)
        return
    rest = own | {words.QUOTES: []} if words.QUOTES in own else own
    for at in range(0, len(text), CHUNK_CHARACTERS):
        piece = {"kind": TEXT, "text": text[at : at + CHUNK_CHARACTERS]}
        yield _chunk(kind, _content(piece), rest if at else whole, message)


def _chunk(
    kind: str, content: dict[str, Any], own: dict[str, Any], message: Mapping[str, Any]
) -> Update:
    update: Update = {"sessionUpdate": kind, "content": content, "_meta": {words.OWN: own}}
    if isinstance(message.get("id"), str):
        update["messageId"] = message["id"]
    return update


def info(own: Mapping[str, Any], **fields: Any) -> Update:
    """Something about the session itself."""
    return {"sessionUpdate": words.SESSION_INFO, **fields, "_meta": {words.OWN: dict(own)}}
