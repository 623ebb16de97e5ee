"""The clients of the sample world, what they ask for, and the questions that watch over it."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Client, ClientCall, ClientKind, Right
from inklings_desktop.domain.background.golden import GoldenQuestion
from inklings_desktop.domain.entries.proposals import Proposal, ProposalKind, ProposalState
from inklings_desktop.domain.memory import Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

    from inklings_desktop.domain.memory import MemoryEntry, ScopeKey
    from inklings_desktop.usecases.ports.store import UnitOfWork

    Told = Mapping[str, Any]
    InstantOf = Callable[[str], datetime]

_BUILT_IN = "built in"
_TAKING_PART = "only if taking part"
_NONE = "none"
_IN_CHANNEL = re.compile(r"^(?P<actions>[\w, ]+?)(?: \(#(?P<channel>[\w-]+)\))?$")


def write_clients(
    unit: UnitOfWork,
    document: Told,
    workspace_id: str,
    channels: Mapping[str, str],
    instant_of: InstantOf,
) -> None:
    """Write the clients with their rights, and what each of them asked for last.

    Args:
        unit: On the account's file.
        document: The parsed sample world.
        workspace_id: Where they come in.
        channels: Ids of the channels by key.
        instant_of: Shifts a time of the document.
    """
    met_at = instant_of(document["workspaces"][0]["created"])
    for place, one in enumerate(document["clients"]):
        kind = ClientKind.WORLD_AGENT if one["kind"] == _BUILT_IN else ClientKind.EXTERNAL
        rights = frozenset(_rights(one, workspace_id, channels))
        came_at = met_at + timedelta(days=place)
        unit.clients.save(Client(one["name"], kind, came_at, rights))
    for one in document["client_calls"]:
        unit.clients.note_call(
            ClientCall(
                one["client"],
                instant_of(one["at"]),
                one["tool"],
                Tier(one["tier"]),
                workspace_id,
                one["answer"],
                one["n_entries"],
                one["error"],
            )
        )


def _rights(one: Told, workspace_id: str, channels: Mapping[str, str]) -> Iterator[Right]:
    for tier in Tier:
        told = one[tier.value]
        if told == _NONE:
            continue
        found = _IN_CHANNEL.match("read" if told == _TAKING_PART else told)
        assert found is not None
        channel = found["channel"]
        file = None if tier is Tier.ACCOUNT else workspace_id
        for action in found["actions"].split(", "):
            yield Right(tier, file, Action(action), channels[channel] if channel else None)
        if one["kind"] == _BUILT_IN:
            yield Right(tier, file, Action.PROPOSE)
            if tier is Tier.WORKSPACE:
                yield Right(tier, file, Action.WORLD_READ)
                yield Right(tier, file, Action.WORLD_PROPOSE)


def write_proposals(
    unit: UnitOfWork, document: Told, entries: Mapping[str, MemoryEntry], instant_of: InstantOf
) -> None:
    """Write what waits for the author's word.

    Args:
        unit: On the file of the workspace, with everything that is asked about.
        document: The parsed sample world.
        entries: Its memories by id.
        instant_of: Shifts a time of the document.
    """
    named = {one["id"]: one["name"] for one in document["named_entries"]}
    for one in document["proposals"]:
        kind, reason, name = ProposalKind(one["kind"]), one["reason"], named.get(one["target"], "")
        target = unit.entries.find(name) if name else entries[one["target"]]
        match kind:
            case ProposalKind.NAMED_BODY:
                payload = {"body": reworded(one, unit.entries.find(name).body)}
            case ProposalKind.MEMORY_EDIT:
                payload = {"content": reworded(one, entries[one["target"]].content)}
            case _:
                payload, reason = {"reason": reason}, ""
        unit.proposals.add(
            Proposal(
                id=one["id"],
                kind=kind,
                workspace_id=target.scope.workspace_id,
                tier=target.scope.tier,
                scope_key=target.scope.key,
                target_id=target.id,
                target_name=name,
                base_version=target.version,
                payload=payload,
                reason=reason,
                client=one["client"],
                state=ProposalState.PENDING,
                note="",
                created_at=instant_of(one["created_at"]),
            )
        )


def reworded(one: Told, text: str) -> str:
    """A text with what a proposal of the document puts in place of something."""
    return text.replace(one["replace"]["old"], one["replace"]["new"])


def write_questions(
    unit: UnitOfWork, document: Told, scope_of: Callable[[Told], ScopeKey], instant_of: InstantOf
) -> None:
    """Write the golden questions.

    Args:
        unit: On the file of the workspace.
        document: The parsed sample world.
        scope_of: Where a memory or a question of the document belongs.
        instant_of: Shifts a time of the document.
    """
    for one in document["golden_questions"]:
        unit.golden.add(
            GoldenQuestion(
                one["id"],
                scope_of(one),
                one["question"],
                tuple(one["must"]),
                tuple(one["must_not"]),
                instant_of(one["created_at"]),
            )
        )
