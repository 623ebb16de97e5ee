"""Tools for the author's pages: search, read, list, hear of changes.

Memories are never among what these find, and pages never among what memory tools find.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.world.finding import MAX_WORLD_HITS, WorldQuery
from inklings_desktop.domain.world.pages import Block, BlockKind, LinkKind, PageChange
from inklings_desktop.mcp_server.session import Tools
from inklings_desktop.mcp_server.tools.finding_tools import FIRST_LOOK, instant_of
from inklings_desktop.mcp_server.tools.memory_tools import NextPage
from inklings_desktop.mcp_server.words.derivation_answers import axes_answer, explained
from inklings_desktop.mcp_server.words.sizes import number_of, size_of
from inklings_desktop.mcp_server.words.world_answers import (
    PAGES_NOTE,
    Looks,
    heading_answers,
    title_of,
    told_blocks,
)
from inklings_desktop.mcp_server.words.world_shapes import (
    Outlined,
    PagesChanged,
    PageText,
    Passages,
)
from inklings_desktop.usecases.bundle import Inklings

MAX_READ_CHARACTERS = 32 * 1024
MAX_LISTED = 500
MAX_CHANGES = 200
_MOST_LINKS = 40

PageKey = Annotated[str, Field(description="Id, path or title of the page.")]
FolderKey = Annotated[str, Field(description="Name of one folder; empty for all.")]


def _limit(what: str, most: int) -> Any:
    """A limit; the bounds stand in the schema alone: our own sentence says what is wrong."""
    return Field(description=what, json_schema_extra={"minimum": 1, "maximum": most})


def looks_of(mine: Inklings, workspace_id: str) -> Looks:
    """The folders of a workspace as they were last looked at."""
    return Looks(mine.world.folders(workspace_id))


class WorldTools(Tools):
    """The author's pages."""

    def world_search(
        self,
        query: Annotated[str, Field(description="What to look for.")],
        folder: FolderKey = "",
        limit: Annotated[int, _limit("Most places.", MAX_WORLD_HITS)] = 10,
        mode: Annotated[
            Literal["hybrid", "keyword", "semantic"],
            Field(description="By words and meaning, or by one of them alone."),
        ] = "hybrid",
        lifecycle: Annotated[
            str, Field(description="Only pages that are this, such as canon; retired ones hide.")
        ] = "",
        tags: Annotated[
            list[str] | None, Field(description="Only pages with all of these.")
        ] = None,
    ) -> Passages:
        """Search the author's pages: what the world is. Memories are never among these.

        Use it before you rely on a memory about the world, and read the place with world_read.
        """

        def search(mine: Inklings) -> tuple[Passages, int]:
            _check(limit, MAX_WORLD_HITS)
            here = self._session.workspace_id
            looks = looks_of(mine, here)
            wanted = WorldQuery(query, folder, limit, mode, lifecycle, tuple(tags or ()))
            found = mine.world.search(here, wanted)
            every = [looks.passage(one) for one in found.hits]
            told = self._session.room.fitting(every)
            answer: Passages = {
                "note": PAGES_NOTE,
                "compared": round(found.share_compared, 2),
                "passages": told,
            }
            looks.dated(answer, folder)["stale"] |= found.is_stale
            if len(told) < len(every):
                answer["left_out"] = len(every) - len(told)
            return answer, len(told)

        return self._session.call("world_search", search)

    def world_read(
        self,
        page: PageKey,
        heading: Annotated[str, Field(description="Only what is below this heading.")] = "",
        block: Annotated[str, Field(description="Only the block of this id.")] = "",
        offset: Annotated[int, Field(description="The figure next of the answer before.")] = 0,
        limit: Annotated[int, _limit("Most characters.", MAX_READ_CHARACTERS)] = 8_000,
    ) -> PageText:
        """Read a page of the author's block by block, with what it is: canon, draft, retired.

        Use the block ids in derived_from of a memory that rests on them.
        """

        def read(mine: Inklings) -> tuple[PageText, int]:
            _check(limit, MAX_READ_CHARACTERS)
            if offset < 0:
                raise InvalidValueError("page", "unknown")
            here = self._session.workspace_id
            looks = looks_of(mine, here)
            whole = mine.world.page(here, page)
            blocks = _chosen(whole.blocks, heading, block)
            axes = mine.world.axes(here, whole.page, blocks if block else ())
            answer: PageText = {
                "note": PAGES_NOTE,
                "page": looks.named(whole.page),
                "tags": list(whole.page.tags[:_MOST_LINKS]),
                "axes": axes_answer(axes),
                "explain": explained(axes),
                "blocks": [],
            }
            looks.dated(answer, whole.page.folder_id)
            if not (heading or block or offset):
                links = [one.target for one in whole.links if one.kind is not LinkKind.TAG]
                answer["links"] = list(dict.fromkeys(links))[:_MOST_LINKS]
                answer["linked_from"] = [one.path for one in whole.linked_from[:_MOST_LINKS]]

            def standing_of(one: Block) -> str:
                return mine.world.axes(here, whole.page, [one]).standing.value

            answer["blocks"], answer["next"] = told_blocks(
                blocks, offset, self._session.room.narrowed(limit, size_of(answer)), standing_of
            )
            return answer, len(answer["blocks"])

        return self._session.call("world_read", read)

    def world_outline(
        self,
        folder: FolderKey = "",
        under: Annotated[str, Field(description="Only pages below this path.")] = "",
        page: Annotated[str, Field(description="A page, for its headings instead.")] = "",
        limit: Annotated[int, _limit("Most pages or headings.", MAX_LISTED)] = 100,
        next: NextPage = "",  # noqa: A002 - the name of the argument is part of the interface
    ) -> Outlined:
        """List the author's pages by path, or the headings of one page. Nothing of their text."""

        def outline(mine: Inklings) -> tuple[Outlined, int]:
            _check(limit, MAX_LISTED)
            here, room = self._session.workspace_id, self._session.room
            looks = looks_of(mine, here)
            if page:
                whole = mine.world.page(here, page)
                begin = number_of(next)
                every = heading_answers(whole.blocks)
                some = room.fitting(every[begin : begin + limit])
                ahead = begin + len(some)
                one: Outlined = {
                    "pages": [looks.named(whole.page)],
                    "headings": some,
                    "next": str(ahead) if ahead < len(every) else None,
                }
                return looks.dated(one, whole.page.folder_id), len(some)
            found = mine.world.outline(here, folder=folder, under=under, limit=limit, after=next)
            told = room.fitting([looks.named(one) for one in found])
            is_more = len(told) < len(found) or len(found) == limit
            answer: Outlined = {
                "pages": told,
                "next": told[-1]["path"] if told and is_more else None,
            }
            return looks.dated(answer, folder), len(told)

        return self._session.call("world_outline", outline)

    def world_changes(
        self,
        since: Annotated[
            str,
            Field(description="A time, a date, yesterday, or 3 days ago; empty: the last 7 days."),
        ] = "",
        limit: Annotated[int, _limit("Most changes.", MAX_CHANGES)] = 50,
        next: NextPage = "",  # noqa: A002 - the name of the argument is part of the interface
    ) -> PagesChanged:
        """See which of the author's pages were added, edited, moved or removed, oldest first."""

        def changes(mine: Inklings) -> tuple[PagesChanged, int]:
            _check(limit, MAX_CHANGES)
            looks = looks_of(mine, self._session.workspace_id)
            now = self._session.inklings.clock()
            instant = instant_of(since, now) if since else now - FIRST_LOOK
            found = self._changed(mine, number_of(next), instant, limit + 1)
            told = self._session.room.fitting([looks.change(one) for one in found[:limit]])
            is_more = len(told) < len(found)
            answer: PagesChanged = {
                "changes": told,
                "next": str(found[len(told) - 1].number) if told and is_more else None,
            }
            return looks.dated(answer), len(told)

        return self._session.call("world_changes", changes)

    def _changed(
        self, mine: Inklings, after: int, instant: datetime, limit: int
    ) -> list[PageChange]:
        """The first changes after a number that were noticed from an instant on."""
        found: list[PageChange] = []
        while len(found) < limit:
            part = mine.world.changes(self._session.workspace_id, after, MAX_CHANGES)
            found += [one for one in part if one.at >= instant]
            if len(part) < MAX_CHANGES:
                break
            after = part[-1].number
        return found[:limit]


def _chosen(blocks: Sequence[Block], heading: str, block: str) -> Sequence[Block]:
    """The blocks that are asked for; all of them where nothing is named."""
    if block:
        own = block.removeprefix("^")
        found = [one for one in blocks if block == one.id or (own and own == one.own_id)]
        if not found:
            raise NotFoundError("block", block)
        return found
    if not heading:
        return blocks
    wanted = heading.strip("# ").casefold()

    def is_meant(one: Block) -> bool:
        names = one.heading
        if one.kind is BlockKind.HEADING:
            names = f"{names}/{title_of(one)}"
        return f"/{wanted}/" in f"/{names}/".casefold()

    found = [one for one in blocks if is_meant(one)]
    if not found:
        raise NotFoundError("heading", heading)
    return found


def _check(limit: int, most: int) -> None:
    if not 1 <= limit <= most:
        raise InvalidValueError("places", "range", most)
