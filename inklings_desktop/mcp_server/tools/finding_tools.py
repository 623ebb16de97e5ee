"""Tools that look everywhere at once: a search of every open tier, and what others changed."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.search.search_operators import NotUnderstood
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.mcp_server.session import ClientSession
from inklings_desktop.mcp_server.tools.memory_tools import BY_WORDS_ALONE, Detail, limit_field
from inklings_desktop.mcp_server.words.answers import (
    UNTRUSTED,
    UNTRUSTED_SHORT,
    hit_answer,
    news_answer,
    placed_answer,
    short_hit_answer,
)
from inklings_desktop.mcp_server.words.shapes import News, Searched
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.search.read_memories import MAX_READ

_NOTHING_FOUND = "Nothing open to this client matches."


class FindingTools:
    """Plain functions over one session; the names are the names of the tools."""

    def __init__(self, session: ClientSession) -> None:
        """Serve this client."""
        self._session = session

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
        next: Annotated[  # noqa: A002 - the name of the argument is part of the interface
            str, Field(description="The word next of the page before; empty for the first page.")
        ] = "",
        detail: Detail = "compact",
    ) -> Searched:
        """Search every tier, channel and conversation open to this client at once, best first.

        Call it when you do not know where something was kept; not when one tier is enough: that is
        memory_read. Each hit counts as one read. Operators alone list the latest first.
        """

        def search(mine: Inklings) -> tuple[Searched, int]:
            inklings = self._session.inklings
            found = mine.search.find_open(
                self._session.workspace_id,
                query,
                mode=self._session.mode(SearchMode(mode)),
                limit=limit,
                n_before=_n_before(next),
            )
            is_full, now = detail == "full", inklings.clock()
            hits = [
                placed_answer(
                    hit_answer(mine.caller, one)
                    if is_full
                    else short_hit_answer(mine.caller, one, now),
                    one.entry.scope,
                    found.places,
                )
                for one in found.memories
            ]
            answer: Searched = {
                "mode": found.mode.value,
                "note": UNTRUSTED if is_full else UNTRUSTED_SHORT,
                "hits": hits,
                "next": None if found.n_next is None else str(found.n_next),
            }
            notices = [_taken_for_words(found.not_understood)] if found.not_understood else []
            if self._session.warmth.is_warming:
                notices.append(BY_WORDS_ALONE)
            if not hits:
                notices.append(_NOTHING_FOUND)
            if notices:
                answer["notice"] = " ".join(notices)
            return answer, len(hits)

        return self._session.call("memory_search", search)

    def memory_recent(
        self,
        since: Annotated[
            str,
            Field(
                description="A time such as 2026-03-14T10:00Z, or a date; empty for this client's"
                " last turn (its last memory_orient with a conversation)."
            ),
        ] = "",
        limit: Annotated[int, limit_field("Most memories named; the counts are of all.")] = 20,
    ) -> News:
        """What others added, edited, restored or forgot in all that is open to this client.

        Call it when you come back after a while; not in a turn that memory_orient has just begun
        in a conversation: that tells it. Nothing counts as read.
        """

        def recent(mine: Inklings) -> tuple[News, int]:
            if not 1 <= limit <= MAX_READ:
                raise InvalidValueError("limit", "range", MAX_READ)
            news = mine.search.recent_changes(
                self._session.workspace_id, _instant(since) if since else None
            )
            return news_answer(news, limit=limit), len(news.memories)

        return self._session.call("memory_recent", recent)


def _n_before(page: str) -> int:
    """How many hits came before this page."""
    if not page:
        return 0
    if not (page.isascii() and page.isdigit() and len(page) <= len(str(MAX_READ)) + 1):
        raise InvalidValueError("page", "unknown")
    return int(page)


def _instant(text: str) -> datetime:
    """The instant that is meant; without an offset, by the clock of this machine."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        raise InvalidValueError("since", "time") from None


def _taken_for_words(wrong: Sequence[NotUnderstood]) -> str:
    names = ", ".join(dict.fromkeys(f"{one.operator.value}:" for one in wrong))
    return f"Taken for words, as what follows could not be understood: {names}."
