"""Tools that look everywhere at once: a search of every open tier, and what others changed."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.search.search_operators import NotUnderstood
from inklings_desktop.domain.wall_clock import midnight, on_the_wall
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.mcp_server.session import Tools
from inklings_desktop.mcp_server.tools.memory_tools import (
    Detail,
    FoundOnly,
    NextPage,
    limit_field,
    tell_misses,
)
from inklings_desktop.mcp_server.words.answers import (
    UNTRUSTED,
    UNTRUSTED_SHORT,
    news_answer,
)
from inklings_desktop.mcp_server.words.shapes import Found, Hit, News
from inklings_desktop.mcp_server.words.sizes import number_of
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.search.read_memories import MAX_READ, ReadMemory

FIRST_LOOK = timedelta(days=7)
FIRST_TURN = "This client has had no turn in a conversation yet: these are the last 7 days."
_DAYS_AGO = {"today": 0, "yesterday": 1}
_UNITS = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}
_AGO = re.compile(rf"(\d{{1,4}}) ({'|'.join(_UNITS)})s?(?: ago)?")


class FindingTools(Tools):
    """What looks everywhere at once."""

    def memory_search(
        self,
        query: Annotated[
            str,
            Field(
                description="Words, and operators: tag:salt, source:researcher, curator:author,"
                ' before:2026-03, after:2026-03-14, importance:>0.5, "exact words".'
            ),
        ],
        limit: Annotated[int, limit_field("Most hits on a page.")] = 10,
        mode: Annotated[
            Literal["hybrid", "keyword"], Field(description="By words and meaning, or words alone.")
        ] = "hybrid",
        found_only: FoundOnly = False,  # noqa: FBT002 - the arguments are the interface
        next: NextPage = "",  # noqa: A002 - the name of the argument is part of the interface
        detail: Detail = "compact",
    ) -> Found:
        """Search every tier, channel and conversation that is open to you, best first.

        Use it when you do not know where something is; for one tier use memory_read. Each match
        counts as read. Operators alone list the latest first.
        """

        def search(mine: Inklings) -> tuple[Found, int]:
            session, hits = self._session, list[Hit]()

            def fitting(read: Sequence[ReadMemory], places: Mapping[ScopeKey, str]) -> int:
                hits[:] = session.told(mine.caller, read, in_full=detail == "full", places=places)
                return len(hits)

            found = mine.search.find_open(
                session.workspace_id,
                query,
                mode=session.mode(SearchMode(mode)),
                limit=limit,
                found_only=found_only,
                n_before=number_of(next),
                fitting=fitting,
            )
            answer: Found = {
                "mode": found.mode.value,
                "note": UNTRUSTED if detail == "full" else UNTRUSTED_SHORT,
                "hits": hits,
                "next": None if found.n_next is None else str(found.n_next),
            }
            if found.not_understood:
                answer["notice"] = _taken_for_words(found.not_understood)
            is_warming = session.warmth.is_warming
            tell_misses(answer, found, by_words=is_warming)
            return answer, len(hits)

        return self._session.call("memory_search", search)

    def memory_recent(
        self,
        since: Annotated[
            str,
            Field(
                description="A time, a date, yesterday, or 3 days ago; empty: since your last turn"
                " (memory_orient with a conversation)."
            ),
        ] = "",
        limit: Annotated[int, limit_field("Most memories named; the counts are complete.")] = 20,
    ) -> News:
        """See what others added, edited, restored or forgot in all that is open to you.

        Use it when you come back after a while; memory_orient with a conversation says it too.
        Nothing counts as read.
        """

        def recent(mine: Inklings) -> tuple[News, int]:
            if not 1 <= limit <= MAX_READ:
                raise InvalidValueError("limit", "range", MAX_READ)
            now, here = self._session.inklings.clock(), self._session.workspace_id
            first = None
            try:
                news = mine.search.recent_changes(here, instant_of(since, now) if since else None)
            except InvalidValueError as error:
                if (error.field, error.rule) != ("since", "missing"):
                    raise
                news, first = mine.search.recent_changes(here, now - FIRST_LOOK), FIRST_TURN
            answer = news_answer(news, limit=limit)
            if first:
                answer["notice"] = first
            return answer, len(news.memories)

        return self._session.call("memory_recent", recent)


def instant_of(text: str, now: datetime) -> datetime:
    """The instant that is meant; without an offset, by the clock of this machine.

    Raises:
        InvalidValueError: It is none.
    """
    said = text.strip().lower()
    try:
        if said in _DAYS_AGO:
            day = on_the_wall(now).date() - timedelta(days=_DAYS_AGO[said])
            return midnight(day.year, day.month, day.day)
        if ago := _AGO.fullmatch(said):
            return now - int(ago[1]) * _UNITS[ago[2]]
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        raise InvalidValueError("since", "time") from None


def _taken_for_words(wrong: Sequence[NotUnderstood]) -> str:
    names = ", ".join(dict.fromkeys(f"{one.operator.value}:" for one in wrong))
    return f"Taken for words, as what follows could not be understood: {names}."
