"""Finding memories, reading them and looking over what there is; each imported when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.parts import Asked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memories.overview import Attention, TierOverview
    from inklings_desktop.domain.memories.saved_filters import FilterWords, SavedFilter
    from inklings_desktop.domain.memory import MemoryRef, ScopeKey, Tier
    from inklings_desktop.domain.rooms.news import News
    from inklings_desktop.usecases.search.explain_missing import Missing
    from inklings_desktop.usecases.search.overview import LikelyDuplicate
    from inklings_desktop.usecases.search.read_memories import ReadMemory, ReadResult
    from inklings_desktop.usecases.search.search_memories import SearchRequest, SearchResult
    from inklings_desktop.usecases.search.search_open import OpenHits
    from inklings_desktop.usecases.search.search_set_aside import SetAside


def _all_fit(page: Sequence[ReadMemory], _places: Mapping[ScopeKey, str]) -> int:
    return len(page)


class Search(Asked):
    """Searching, reading, and looking over what there is."""

    def find(self, scopes: Sequence[ScopeKey], request: SearchRequest) -> SearchResult:
        """Finds memories by words and by meaning; a text without any word finds nothing.

        A search by an agent counts as a read of every match, exactly once; a person's never does.

        Raises:
            ScopeDeniedError: A scope is closed to the caller.
            InvalidValueError: The scopes are of several tiers or files.
        """
        from inklings_desktop.usecases.search.search_memories import found

        return found(self, scopes, request)

    def look(self, scopes: Sequence[ScopeKey], request: SearchRequest) -> SearchResult:
        """Finds as ``find`` does, without counting a read: for whoever decides later what is told.

        Raises:
            ScopeDeniedError: A scope is closed to the caller.
            InvalidValueError: The scopes are of several tiers or files.
        """
        from inklings_desktop.usecases.search.search_memories import looked

        return looked(self, scopes, request)

    def find_set_aside(self, scopes: Sequence[ScopeKey], request: SearchRequest) -> SetAside:
        """Finds among what is paused or forgotten, and so is found by no search.

        No index holds these memories, on purpose: what an agent is handed comes from the indexes.
        So they are compared one by one, by the rule that marks words in a found text.

        Raises:
            ScopeDeniedError: The caller is an agent: for it they do not exist.
            InvalidValueError: The scopes are of several tiers or files.
        """
        from inklings_desktop.usecases.search.search_set_aside import set_aside

        return set_aside(self, scopes, request)

    def find_open(
        self,
        workspace_id: str,
        query: str,
        *,
        mode: SearchMode = SearchMode.HYBRID,
        limit: int = 10,
        n_before: int = 0,
        found_only: bool = False,
        fitting: Callable[[Sequence[ReadMemory], Mapping[ScopeKey, str]], int] = _all_fit,
    ) -> OpenHits:
        """Searches all that is open to the caller, in the syntax of the search field; one page.

        Each tier is ranked by itself; the scores put their hits in one order. A match that is
        handed over counts as one read, which never makes a hit fall behind: pages do not overlap
        for it. ``fitting`` tells how many of these hits the answer has room for; the others do not
        count. With ``found_only`` only what a person would be shown as found.

        Raises:
            ScopeDeniedError: Nothing is open to the caller.
            InvalidValueError: The query is empty, the limit is not from 1 to 100, or the page lies
                further than a search goes.
        """
        from inklings_desktop.usecases.search.search_open import found_open

        return found_open(
            self,
            workspace_id,
            query,
            mode=mode,
            limit=limit,
            n_before=n_before,
            found_only=found_only,
            fitting=fitting,
        )

    def get(
        self,
        workspace_id: str,
        ids: Sequence[str],
        hand_over: Callable[[Sequence[ReadMemory]], Sequence[ReadMemory]] = tuple,
    ) -> tuple[ReadMemory, ...]:
        """Hands over memories by id, from every scope that is open to the caller, each as one read.

        What is closed to the caller, private to another or set aside is left out like what was
        never there.

        Args:
            workspace_id: In which world.
            ids: Which.
            hand_over: Gives which of them are handed over, and so count.

        What is closed to the caller, private to another or set aside is left out like what was
        never there.

        Raises:
            NotFoundError: None of them is there for this caller.
            InvalidValueError: An id is shorter than 8 characters or means several memories, or
                there are more than 50.
        """
        from inklings_desktop.usecases.search.read_memories import gotten

        return gotten(self, workspace_id, ids, hand_over)

    def name(self, scope: ScopeKey, beginning: str, *, also_forgotten: bool = False) -> MemoryRef:
        """Names the memory of one scope that the first characters of an id mean.

        Raises:
            NotFoundError: No memory of this scope that the caller can know of begins so.
            InvalidValueError: Several do, or it is shorter than 8 characters.
        """
        from inklings_desktop.usecases.search.read_memories import named

        return named(self, scope, beginning, also_forgotten=also_forgotten)

    def read(
        self,
        scope: ScopeKey,
        *,
        query: str = "",
        mode: SearchMode = SearchMode.HYBRID,
        limit: int = 10,
        found_only: bool = False,
        n_before: int = 0,
        fitting: Callable[[Sequence[ReadMemory]], int] = len,
    ) -> ReadResult:
        """Reads one scope: the hits of a query; without one, or without hits, what matters most.

        Every match counts as a read of an agent's, and so does what was read without a query; what
        is only near, or is handed over because nothing is near, does not: nobody asked for it.

        Args:
            scope: Where.
            query: What to look for.
            mode: By words and meaning, or by words alone.
            limit: Most hits on the page.
            found_only: Whether to hand over what a person would be shown as found, and nothing
                where nothing matches.
            n_before: How many hits the pages before had.
            fitting: Tells how many of these hits the answer has room for; the others do not count.

        Raises:
            ScopeDeniedError: The scope is closed to the caller.
            InvalidValueError: The limit is not from 1 to 1,000, or the page lies further than a
                search goes.
        """
        from inklings_desktop.usecases.search.read_memories import read

        return read(
            self,
            scope,
            query=query,
            mode=mode,
            limit=limit,
            found_only=found_only,
            n_before=n_before,
            fitting=fitting,
        )

    def recent_changes(self, workspace_id: str, since: datetime | None = None) -> News:
        """Tells an agent what others changed lately; it is told anew in its next turn.

        Only the beginning of a memory is told, so that nothing counts as read.

        Args:
            workspace_id: The world that it works in.
            since: None for the client's last turn in any of its conversations.

        Raises:
            ScopeDeniedError: Nothing is open to the caller.
            InvalidValueError: It had no turn yet, and names no instant.
        """
        from inklings_desktop.usecases.search.overview import recent_changes

        return recent_changes(self, workspace_id, since)

    def explain_missing(
        self, scopes: Sequence[ScopeKey], request: SearchRequest, memory_id: str
    ) -> Missing:
        """Says at which stage a memory fell out of a search; counts as no read, whoever asks.

        Raises:
            ScopeDeniedError: A scope is closed to the caller.
            InvalidValueError: The scopes are of several tiers or files.
        """
        from inklings_desktop.usecases.search.explain_missing import missing

        return missing(self, scopes, request, memory_id)

    def likely_duplicates(self, scopes: Sequence[ScopeKey]) -> tuple[LikelyDuplicate, ...]:
        """Lists what is alike and waits for a person's word, the most alike first in each scope.

        Those of which a person keeps both are left out.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: The scopes are of several tiers or files.
        """
        from inklings_desktop.usecases.search.overview import likely_duplicates

        return likely_duplicates(self, scopes)

    def tiers(self, workspace_id: str) -> tuple[TierOverview, ...]:
        """Counts what each tier holds, from the conversations outwards to the account.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
        """
        from inklings_desktop.usecases.search.overview import tiers

        return tiers(self, workspace_id)

    def worth_a_look(self, workspace_id: str) -> tuple[Attention, ...]:
        """Counts what deserves a person's attention, by kind; lists that are empty are left out.

        Only open rooms count: a list that is opened shows exactly as many memories.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
        """
        from inklings_desktop.usecases.search.overview import worth_a_look

        return worth_a_look(self, workspace_id)

    def save_filter(
        self,
        workspace_id: str,
        tier: Tier,
        name: str,
        words: FilterWords,
        *,
        room: str | None = None,
    ) -> SavedFilter:
        """Keeps what a list is asked to show under a name.

        Args:
            workspace_id: The open workspace; a filter of the account tier is kept beside its
                memories, in the account's file, and serves every workspace.
            tier: The tier that it is for.
            name: What it is called.
            words: What it asks for; the ids of a list worth a look are not kept, only its kind.
            room: A channel or conversation; None for all of the tier.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: The name is empty, too long or taken, nothing is asked for, or
                there are too many already.
        """
        from inklings_desktop.usecases.search.saved_filters import save_filter

        return save_filter(self, workspace_id, tier, name, words, room=room)

    def filters(self, workspace_id: str) -> tuple[SavedFilter, ...]:
        """Lists the filters of a workspace and of the account, by name.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        from inklings_desktop.usecases.search.saved_filters import saved_filters

        return saved_filters(self, workspace_id)

    def rename_filter(self, saved: SavedFilter, name: str) -> SavedFilter:
        """Calls a saved filter something else.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: The name is empty, too long or taken.
            NotFoundError: The filter is gone.
        """
        from inklings_desktop.usecases.search.saved_filters import rename_filter

        return rename_filter(self, saved, name)

    def delete_filter(self, saved: SavedFilter) -> None:
        """Removes a saved filter; the memories that it showed stay.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: It is gone already.
        """
        from inklings_desktop.usecases.search.saved_filters import delete_filter

        return delete_filter(self, saved)
