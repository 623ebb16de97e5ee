"""Make an activity inside a transaction of the author's: one of their own, or one they accept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from inklings_desktop.domain.background.activities import MAX_ACTIVITIES, Activity, draft_of
from inklings_desktop.domain.background.schedules import next_due
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.usecases.steps.recording import record_known

if TYPE_CHECKING:
    from datetime import datetime

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.background.activities import ActivityDraft
    from inklings_desktop.domain.entries.proposals import Proposal
    from inklings_desktop.domain.rooms.conversation import Channel
    from inklings_desktop.usecases.ports.store import IdSource, StoreView, UnitOfWork


def added(
    unit: UnitOfWork, caller: Caller, new_id: IdSource, draft: ActivityDraft, now: datetime
) -> Activity:
    """Stores a new activity.

    Raises:
        NotFoundError: There is no such channel.
        InvalidValueError: A value cannot be kept, the channel is archived, or there are too many.
        ConflictError: The name is taken.
    """
    checked = draft.checked()
    channel = open_channel(unit, checked.channel)
    if len(unit.activities.all()) >= MAX_ACTIVITIES:
        raise InvalidValueError("activities", "too_many", MAX_ACTIVITIES)
    made = Activity(
        new_id(),
        checked.name,
        checked.prompt,
        channel.id,
        checked.schedule,
        checked.budget,
        caller.signs_as,
        now,
        checked.agent,
        enabled=checked.enabled,
        next_due_at=next_due(checked.schedule, now) if checked.enabled else None,
    )
    unit.activities.put(made)
    return made


def accepted(
    unit: UnitOfWork,
    caller: Caller,
    new_id: IdSource,
    proposal: Proposal,
    prompt: str,
    now: datetime,
) -> str:
    """Makes what an agent proposed, perhaps in the author's words; its id.

    Raises:
        NotFoundError: Its channel is gone.
        InvalidValueError: It cannot be kept any more.
        ConflictError: The name was taken meanwhile.
    """
    draft = replace(draft_of(proposal.payload), prompt=prompt)
    made = added(unit, caller, new_id, draft, now)
    record_saved(unit, caller, proposal.workspace_id or "", made, now, "accepted")
    return made.id


def record_saved(
    unit: UnitOfWork, caller: Caller, workspace_id: str, activity: Activity, at: datetime, did: str
) -> None:
    """Append the event that an activity was made, changed, switched or taken away."""
    scope = ScopeKey.workspace(workspace_id)
    record_known(unit, caller, EventKind.ACTIVITY_SAVED, scope, [activity.id], at, did=did)


def open_channel(view: StoreView, key: str) -> Channel:
    """The channel with this id or name.

    Raises:
        NotFoundError: There is none.
        InvalidValueError: It is archived: nothing begins there.
    """
    channel = view.conversations.get_channel(key)
    if channel.archived_at is not None:
        raise InvalidValueError("channel", "archived")
    return channel
