"""The tools that a model is offered: those that the memory server lists, with its own words.

What the program itself sets is not offered: which conversation this is, which part of the agent
writes, and the key that keeps a write from being carried out twice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.planning import is_skill
from inklings_desktop.agent.policy import DICTATED
from inklings_desktop.domain.likeness.grounding import grounding_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from inklings_desktop.agent.planning import Situation, Tool

INFERRED = "inference"
"""The source of a memory whose words are not the person's."""
BLOCK_CHARACTERS = 2_500
"""Of a page at once: with what is told of the page these blocks fit in one shown result."""
OWN_FIELDS = frozenset({"request_key", "check", "detail", "source", "conversation"})
GATHERED = frozenset({"memory_orient", "memory_recent", "conversation_list", "memory_restore"})
"""Not offered: every turn begins with what these tell, and what is undone is undone by a person."""
_OF_CONVERSATION = frozenset({
    "note_write", "note_read", "note_list", "note_clear", "conversation_rename",
})  # fmt: skip


def specs(offers: Iterable[Tool]) -> tuple[Tool, ...]:
    """What is offered of these."""
    return tuple(
        one if is_skill(one.name) else replace(one, schema=_without_own(one.schema))
        for one in offers
        if one.name not in GATHERED
    )


def completed(tool: str, arguments: Mapping[str, Any], situation: Situation) -> dict[str, Any]:
    """The arguments of a call, with what the program sets: no model chooses it."""
    if is_skill(tool):  # what it takes is its own
        return dict(arguments)
    whole = wanted(arguments)
    if tool in _OF_CONVERSATION:
        whole["conversation"] = situation.conversation
    if whole.get("tier") == "conversation":
        whole["scope"] = situation.conversation
    elif whole.get("tier") == "channel":
        whole.setdefault("scope", situation.channel)
    elif "tier" in whole:
        whole.pop("scope", None)
    if tool == "world_read":  # blocks that are shown whole; more of them by their offset
        whole["limit"] = BLOCK_CHARACTERS
    if tool == "memory_put":
        is_said = grounding_of(str(whole.get("content") or ""), situation.said).holds
        whole["source"] = DICTATED if is_said else INFERRED
        if whole.get("tier") != "account":
            whole["conversation"] = situation.conversation
    return whole


def wanted(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Of the arguments of a call those that a model may choose."""
    return {key: one for key, one in arguments.items() if key not in OWN_FIELDS}


def _without_own(schema: Mapping[str, Any]) -> dict[str, Any]:
    fields = schema.get("properties") or {}
    kept = dict(schema)
    kept["properties"] = {name: one for name, one in fields.items() if name not in OWN_FIELDS}
    kept["required"] = [one for one in schema.get("required") or () if one not in OWN_FIELDS]
    return kept
