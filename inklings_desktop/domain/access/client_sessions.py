"""What programs with hooks say of their sessions: the call of a hook, and their own summary.

Sources: the documents of Claude Code (https://code.claude.com/docs/en/hooks), Gemini CLI
(https://geminicli.com/docs/hooks/reference) and Codex (https://developers.openai.com/codex/hooks).
All of them hand a hook one JSON object with the same names. A summary is what the program's own
model wrote when it shortened the session; nothing here makes one.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SESSION_START = "SessionStart"

# What stands around a summary for the model that reads it; no part of what happened.
_FRAMES = (
    "This session is being continued from a previous conversation",
    "Another language model started to solve this problem",
    "Please continue the conversation from where",
    "Continue the conversation from where",
    "If you need specific details from before compaction",
)
_TAGGED = re.compile(r"<summary>(.*?)(?:</summary>|\Z)", re.DOTALL)
_HEADED = re.compile(r"^Summary:[ \t]*$(.*)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class HookCall:
    """What a program tells a hook.

    Attributes:
        session: Id of the program's session; may be empty.
        transcript: Path of the file that the program keeps of it; empty for none.
        summary: The summary that the program sent along; empty for none.
    """

    event: str
    session: str
    transcript: str
    summary: str


def hook_call(text: str) -> HookCall:
    """The call that a program wrote to the hook's standard input.

    Raises:
        InvalidValueError: It is no JSON object.
    """
    call = _object(text)
    if call is None:
        raise InvalidValueError("hook_call", "json")
    names = ("hook_event_name", "session_id", "transcript_path", "compact_summary")
    return HookCall(*(_text(call.get(name)) for name in names))


def started_answer(event: str, context: str) -> dict[str, Any]:
    """What a hook prints so that the program puts a text before its model."""
    return {
        "hookSpecificOutput": {
            "hookEventName": event or SESSION_START,
            "additionalContext": context,
        }
    }


def summary_in(transcript: Iterable[str]) -> str:
    """The latest summary of a session that its transcript holds; empty where there is none.

    Args:
        transcript: The lines of the file: one JSON object each, or all of them together one.
    """
    found, ids = "", {""}
    titles: dict[str, str] = {}
    for record in _records(transcript):
        ids.add(_text(record.get("uuid")))
        found = _summary_of(record) or found
        if record.get("type") == "summary":
            titles[_text(record.get("leafUuid"))] = _text(record.get("summary"))
    if found:
        return found
    # Claude Code puts the titles of other sessions of a project into a file, too.
    own = [title for leaf, title in titles.items() if leaf in ids]
    return own[-1] if own else ""


def told(summary: str) -> str:
    """What a summary says of the session, without what is said around it to the next model."""
    for part in (_TAGGED, _HEADED):
        if found := part.search(summary):
            summary = found[1]
    lines = summary.splitlines()
    return "\n".join(one for one in lines if not one.lstrip().startswith(_FRAMES)).strip()


def _summary_of(record: dict[str, Any]) -> str:
    """The summary that one entry of a transcript is or sets."""
    if record.get("isCompactSummary") is True and not record.get("isSidechain"):  # Claude Code
        message = record.get("message")
        return _spoken(message.get("content")) if isinstance(message, dict) else ""
    payload = record.get("payload")
    if record.get("type") == "compacted" and isinstance(payload, dict):  # Codex
        return _text(payload.get("message"))
    metadata = record.get("$set", record if "projectHash" in record else None)  # Gemini CLI
    return _text(metadata.get("summary")) if isinstance(metadata, dict) else ""


def _spoken(content: object) -> str:
    """The text of a message, which stands alone or in blocks."""
    if not isinstance(content, list):
        return _text(content)
    return "\n".join(_text(one.get("text")) for one in content if isinstance(one, dict))


def _records(transcript: Iterable[str]) -> Iterator[dict[str, Any]]:
    lines = iter(transcript)
    for line in lines:
        if not line.strip():
            continue
        record = _object(line)
        if record is None:  # one object over many lines
            record = _object(line + "".join(lines))
        if record is not None:
            yield record
        break
    # A line that is cut short is what a program that was killed leaves.
    yield from (record for record in map(_object, lines) if record is not None)


def _object(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
