"""The composer's own tools as its model is offered them, and the draft that they have in common.

A model hands its files over once, to be checked. What is run dry and what is proposed is what was
checked last: it cannot propose anything else.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.memory_door.filters import DRY_RUN_SKILL, VALIDATE_SKILL
from inklings_desktop.agent.planning import Tool
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.skills.folder import apart, together

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inklings_desktop.agent.planning import Result

PROPOSE = "skill_propose"
_TEXT = {"type": "string"}
_OF_DRAFT = ("files", "base_version")
COMPOSER_TOOLS = (
    Tool(
        VALIDATE_SKILL,
        "Check a draft: whether its files are a skill, what is wrong in sentences, and which of"
        " them are new, changed or the same beside the skill that is there. Nothing is written."
        " The draft that you check last is the one that is run dry and proposed.",
        {
            "type": "object",
            "properties": {
                "files": _TEXT
                | {"description": "Its files: each begins with a line '::: file SKILL.md'."},
                "keep": {
                    "type": "array",
                    "items": _TEXT,
                    "description": "Files that you read by skill_read and that stay as they are.",
                },
            },
            "required": ["files"],
        },
    ),
    Tool(
        DRY_RUN_SKILL,
        "Try one file of the draft that you checked in a step before: code is run in the sandbox,"
        " at most 2 s between two calls of inklings; a text is filled. Its assertions are checked"
        " on what the code returns, or on the answer that you would give to the filled text."
        " Nothing is written.",
        {
            "type": "object",
            "properties": {
                "file": _TEXT | {"description": "SKILL.md where none is named."},
                "inputs": {"type": "object", "description": "What the skill is given."},
                "answer": {"description": "Of a text: what you would answer to it, text or JSON."},
            },
        },
    ),
)


def composer_tools(offers: Iterable[Tool]) -> tuple[Tool, ...]:
    """What a composer is offered; of a proposal it says no files: they are the draft's."""
    return (*(_without_draft(one) if one.name == PROPOSE else one for one in offers),)


def with_draft(
    tool: str, arguments: Mapping[str, Any], results: Sequence[Result]
) -> dict[str, Any]:
    """The arguments of a call with the draft that was checked last, where the call is about it.

    A draft that is to be checked gets the files that stay, byte for byte: a model may have been
    shown a part of them.
    """
    if tool == VALIDATE_SKILL:
        return dict(arguments) | {"files": _with_kept(arguments, results)}
    if tool not in {DRY_RUN_SKILL, PROPOSE}:
        return dict(arguments)
    kept = {name: one for name, one in arguments.items() if name not in _OF_DRAFT}
    for one in reversed(results):
        if one.call.tool == VALIDATE_SKILL and not one.is_error:
            kept["files"] = one.call.arguments.get("files")
            version = one.outcome.get("base_version")
            return kept | ({"base_version": version} if version and tool == PROPOSE else {})
    return kept | {"files": ""}


def _with_kept(arguments: Mapping[str, Any], results: Sequence[Result]) -> str:
    draft, wanted = str(arguments.get("files") or ""), arguments.get("keep")
    read = {
        file["path"]: str(file["text"])
        for one in results
        if one.call.tool == "skill_read"
        for file in one.outcome.get("files") or ()
        if "text" in file
    }
    keep = set(map(str, wanted)) if isinstance(wanted, list) else set()
    kept = {path: text for path, text in read.items() if path in keep}
    if not kept:
        return draft
    with suppress(InvalidValueError):  # one that no draft can hold is missed when it is checked
        draft = together(kept | apart(draft))
    return draft


def _without_draft(tool: Tool) -> Tool:
    schema = dict(tool.schema)
    fields = schema.get("properties") or {}
    schema["properties"] = {name: one for name, one in fields.items() if name not in _OF_DRAFT}
    schema["required"] = [one for one in schema.get("required") or () if one not in _OF_DRAFT]
    return replace(tool, schema=schema)
