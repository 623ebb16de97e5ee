"""The named entries of the sample world, with every revision whose body is told."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.access.access import Caller, Door
from inklings_desktop.domain.entries.named_entry import EntryAction, NamedEntry
from inklings_desktop.domain.memory import Curator, Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from inklings_desktop.usecases.ports.store import UnitOfWork


def account_age(document: Mapping[str, Any]) -> timedelta:
    """How long before its *as of* the account of the sample world began."""
    begun = [
        datetime.fromisoformat(one["created_at"])
        for one in document["named_entries"]
        if one["tier"] == Tier.ACCOUNT
    ]
    return datetime.fromisoformat(document["as_of"]) - min(begun)


def write_entries(
    unit: UnitOfWork,
    caller: Caller,
    document: Mapping[str, Any],
    workspace_id: str | None,
    instant_of: Callable[[str], datetime],
) -> None:
    """Write the named entries of one file; VOICE and SOUL stand in it as templates already.

    Args:
        unit: On the file.
        caller: The person, who counts as their author.
        document: The parsed sample world.
        workspace_id: Whose file it is; None for the account's.
        instant_of: Shifts a time of the document.
    """
    tier = Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
    for one in document["named_entries"]:
        if one["tier"] != tier:
            continue
        bodies = list(_bodies(one, instant_of))
        if one["shipped"]:
            entry = unit.entries.find(one["name"])
        else:
            first_body, first_at = bodies.pop(0)
            entry = unit.entries.add(
                NamedEntry(
                    id=one["id"],
                    tier=tier,
                    workspace_id=workspace_id,
                    name=one["name"],
                    body=first_body,
                    curator=Curator(one["curator"]),
                    is_built_in=False,
                    version=1,
                    created_at=instant_of(one["created_at"]),
                    edited_at=first_at,
                ),
                action=EntryAction.SAVED,
                saved_by=caller.name,
                door=Door.WINDOW.value,
            )
        for body, at in bodies:
            entry = unit.entries.save(
                replace(
                    entry,
                    body=body,
                    curator=Curator(one["curator"]),
                    edited_at=at,
                    is_template=False,
                ),
                expected_version=entry.version,
                action=EntryAction.SAVED,
                saved_by=caller.name,
                door=Door.WINDOW.value,
                saved_at=at,
            )


def _bodies(
    one: Mapping[str, Any], instant_of: Callable[[str], datetime]
) -> Iterator[tuple[str, datetime]]:
    """The bodies that are told, oldest first, each with the time it was saved."""
    instants = [instant_of(revision["at"]) for revision in one["revisions"]]
    if "previous_body" in one:
        yield one["previous_body"], instants[1]
    yield one["body"], instants[0]
