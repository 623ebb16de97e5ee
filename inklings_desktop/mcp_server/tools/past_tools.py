"""Tools for what was: the versions of a memory, and what happened in a workspace.

They are the World Agent's own: whom it sends to find out how something has changed has a source.
"""

from typing import Annotated, Required

from pydantic import Field

from inklings_desktop.mcp_server.session import Tools
from inklings_desktop.mcp_server.tools.finding_tools import instant_of
from inklings_desktop.mcp_server.tools.memory_tools import NextPage
from inklings_desktop.mcp_server.words.answers import time_text
from inklings_desktop.mcp_server.words.shapes import Told
from inklings_desktop.mcp_server.words.sizes import number_of
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.search.past import MAX_PAST_EVENTS, PastMemory

PAST_NOTE = "What it said before. It was changed since: quote it as what was, not as what is."
_MOST_IDS = 20


class PastVersion(Told):
    """What a memory said until it was changed, and how that was done."""

    version: int
    content: str | None
    importance: float
    tags: list[str]
    until: str
    action: str
    changed_by: str


class Versions(Told):
    """A memory as it is, and what it said before, the latest first."""

    note: str
    id: str
    tier: str
    content: str
    version: int
    created_at: str
    versions: list[PastVersion]


class Event(Told):
    """Something that happened: never what somebody wrote, but the ids that it is about."""

    kind: str
    at: str
    by: str
    tier: str
    ids: list[str]


class Happened(Told, total=False):
    """What happened, the latest first."""

    events: Required[list[Event]]
    next: Required[str | None]


class PastTools(Tools):
    """What was, and when it changed."""

    def memory_history(
        self,
        id: Annotated[str, Field(description="Id, or its first 8 characters.")],  # noqa: A002
    ) -> Versions:
        """Read what a memory said before it was changed, each version with when and by whom."""

        def read(mine: Inklings) -> tuple[Versions, int]:
            found = mine.past.versions(self._session.workspace_id, id)
            entry = found.entry
            answer: Versions = {
                "note": PAST_NOTE,
                "id": entry.id,
                "tier": entry.scope.tier.value,
                "content": entry.content,
                "version": entry.version,
                "created_at": time_text(entry.created_at) or "",
                "versions": self._session.room.fitting(_versions(mine, found)),
            }
            return answer, len(answer["versions"])

        return self._session.call("memory_history", read)

    def event_list(
        self,
        since: Annotated[
            str, Field(description="A time, a date, yesterday, or 3 days ago; empty: all.")
        ] = "",
        about: Annotated[
            str, Field(description="Words of the kind, the actor or an id: memory.edited.")
        ] = "",
        limit: Annotated[
            int,
            Field(
                description="Most events.",
                json_schema_extra={"minimum": 1, "maximum": MAX_PAST_EVENTS},
            ),
        ] = 50,
        next: NextPage = "",  # noqa: A002 - the name of the argument is part of the interface
    ) -> Happened:
        """See what happened to memories here, the latest first; it tells no texts."""

        def listed(mine: Inklings) -> tuple[Happened, int]:
            now = self._session.inklings.clock()
            begin = number_of(next)
            found = mine.past.events(
                self._session.workspace_id,
                since=instant_of(since, now) if since else None,
                text=about,
                limit=limit,
                n_before=begin,
            )
            every: list[Event] = [
                {
                    "kind": one.event.kind.value,
                    "at": time_text(one.event.at) or "",
                    "by": mine.caller.known_name(one.event.actor),
                    "tier": one.event.tier or "",
                    "ids": list(one.ids[:_MOST_IDS]),
                }
                for one in found
            ]
            told = self._session.room.fitting(every)
            is_more = len(told) < len(every) or len(every) == limit
            ahead = str(begin + len(told)) if told and is_more else None
            return {"events": told, "next": ahead}, len(told)

        return self._session.call("event_list", listed)


def _versions(mine: Inklings, found: PastMemory) -> list[PastVersion]:
    return [
        {
            "version": one.version,
            "content": one.content,
            "importance": one.importance,
            "tags": list(one.tags),
            "until": time_text(one.changed_at) or "",
            "action": one.action.value,
            "changed_by": mine.caller.known_name(one.changed_by),
        }
        for one in found.versions
    ]
