"""Tools for activities: what the World Agent is asked at its time; the author makes each one."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from inklings_desktop.domain.background.activities import ActivityDraft, ActivityView, budget_of
from inklings_desktop.domain.background.schedules import schedule_of, stored_schedule
from inklings_desktop.domain.entries.proposals import HeldReason
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_rows import time_text
from inklings_desktop.mcp_server.session import Tools
from inklings_desktop.mcp_server.words.answers import held_answer
from inklings_desktop.mcp_server.words.shapes import Held
from inklings_desktop.usecases.bundle import Inklings

_FORMS = (
    'When: {"every_minutes": 15 or more}, {"daily": "HH:MM"}, {"weekly": [1 to 7], "at": "HH:MM"}, '
    '{"monthly": day, "at": "HH:MM"}, {"once": "YYYY-MM-DDTHH:MM"} or {"after_new": n}.'
)


class When(BaseModel):
    """One form of a schedule."""

    model_config = ConfigDict(extra="forbid")

    every_minutes: int | None = None
    daily: str | None = None
    weekly: list[int] | None = None
    monthly: int | None = None
    once: str | None = None
    after_new: int | None = None
    at: str | None = None


class Most(BaseModel):
    """What each run may take."""

    model_config = ConfigDict(extra="forbid")

    tool_calls: int | None = None
    seconds: int | None = None
    cost_micro: int | None = None


class ActivityTold(TypedDict, total=False):
    """An activity."""

    name: str
    when: dict[str, Any]
    is_on: bool
    next: str
    last_outcome: str


class ActivitiesTold(TypedDict):
    """Activities, by name."""

    activities: list[ActivityTold]


class ActivityTools(Tools):
    """Activities of one workspace."""

    def activity_list(self) -> ActivitiesTold:
        """What you are asked at its time: when, when next, and how the last run went."""

        def listed(mine: Inklings) -> tuple[ActivitiesTold, int]:
            found = mine.activities.list(self._session.workspace_id)
            told = self._session.room.fitting([_told(one) for one in found])
            return {"activities": told}, len(told)

        return self._session.call("activity_list", listed, tier=Tier.WORKSPACE)

    def activity_propose(
        self,
        *,
        name: Annotated[str, Field(description="A short name.")],
        prompt: Annotated[str, Field(description="What you want to be asked, at most 8 KiB.")],
        schedule: Annotated[When, Field(description=_FORMS)],
        channel: Annotated[str, Field(description="Name of the channel to answer in.")],
        reason: Annotated[str, Field(description="Why, for the author to read.")],
        budget: Annotated[
            Most | None,
            Field(description="Most of tool_calls (60), seconds (300), cost_micro for each run."),
        ] = None,
    ) -> Held:
        """Propose to be asked something at its time; the author decides."""

        def propose(mine: Inklings) -> tuple[Held, int]:
            when, most = (
                {} if one is None else one.model_dump(exclude_none=True)
                for one in (schedule, budget)
            )
            draft = ActivityDraft(name, prompt, channel, schedule_of(when), budget_of(most))
            proposal = mine.activities.propose(self._session.workspace_id, draft, reason)
            return held_answer(HeldReason.ACTIVITY.value, [proposal.id]), 1

        return self._session.call("activity_propose", propose, tier=Tier.WORKSPACE, is_write=True)


def _told(view: ActivityView) -> ActivityTold:
    activity = view.activity
    told: ActivityTold = {
        "name": activity.name,
        "when": stored_schedule(activity.schedule),
        "is_on": activity.enabled,
    }
    if activity.next_due_at is not None:
        told["next"] = time_text(activity.next_due_at)
    if activity.last_outcome:
        told["last_outcome"] = activity.last_outcome.value
    return told
