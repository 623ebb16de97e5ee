"""Tools for what changes in the author's pages: propose it, and hear which memories it concerns.

None of them writes a page.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from inklings_desktop.domain.entries.proposals import HeldReason
from inklings_desktop.domain.errors import InvalidValueError, NotFoundError
from inklings_desktop.domain.world.derivations import RetconCase, RetconState
from inklings_desktop.mcp_server.session import Tools
from inklings_desktop.mcp_server.tools.world_tools import looks_of
from inklings_desktop.mcp_server.words.answers import held_answer
from inklings_desktop.mcp_server.words.shapes import Held
from inklings_desktop.mcp_server.words.world_answers import PAGES_NOTE, Looks
from inklings_desktop.mcp_server.words.world_shapes import Retcons, RetconTold
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.search.read_memories import ReadMemory

MAX_RETCONS = 50


class Replacement(BaseModel):
    """A block of a page, and what it is to say."""

    model_config = ConfigDict(extra="forbid")

    block: str
    text: str


class PageTools(Tools):
    """Changes of pages."""

    def world_propose(
        self,
        *,
        reason: Annotated[str, Field(description="Why, for the author to read.")],
        page: Annotated[str, Field(description="Page to change; empty for a new one.")] = "",
        folder: Annotated[str, Field(description="Of a new page: name of its folder.")] = "",
        path: Annotated[str, Field(description="Of a new page: below its folder.")] = "",
        text: Annotated[str | None, Field(description="All that the page is to say.")] = None,
        replace: Annotated[
            list[Replacement] | None,
            Field(description="Or for some blocks their ids and what they are to say."),
        ] = None,
        to: Annotated[str, Field(description="Or the path that the page is to move to.")] = "",
        from_memory: Annotated[str, Field(description="Id of the memory it comes from.")] = "",
    ) -> Held:
        """Propose a new page, another text for one, or another path; the author decides."""

        def propose(mine: Inklings) -> tuple[Held, int]:
            if sum(one is not None for one in (text, replace, to or None)) != 1:
                raise InvalidValueError("text", "one_of")
            blocks = None if replace is None else [(one.block, one.text) for one in replace]
            proposal = mine.page_proposals.propose(
                self._session.workspace_id,
                page=page,
                folder=folder,
                path=path,
                text=text if blocks is None else blocks,
                to=to,
                reason=reason,
                memory=self._memory(mine, from_memory) if from_memory else "",
            )
            return held_answer(HeldReason.PAGE, [proposal.id]), 1

        return self._session.call("world_propose", propose, is_write=True, done="held")

    def retcon_list(
        self,
        state: Annotated[
            Literal["open", "decided", "all"], Field(description="Only these.")
        ] = "open",
    ) -> Retcons:
        """See which pages changed under memories: what each said, what it says, who rests on it.

        Then memory_update or memory_forget what is wrong, or retcon_keep what still holds.
        """

        def listed(mine: Inklings) -> tuple[Retcons, int]:
            states = frozenset(RetconState) - {RetconState.IGNORED}
            is_open = frozenset({RetconState.OPEN})
            wanted = {"open": is_open, "decided": states - is_open, "all": states}[state]
            found = mine.derivations.retcons(self._session.workspace_id, states=wanted)
            looks = looks_of(mine, self._session.workspace_id)
            every = [self._retcon(mine, looks, one) for one in found[:MAX_RETCONS]]
            told = self._session.room.fitting(every)
            answer: Retcons = {"note": PAGES_NOTE, "retcons": told}
            if len(told) < len(found):
                answer["left_out"] = len(found) - len(told)
            return looks.dated(answer), len(told)

        return self._session.call("retcon_list", listed)

    def retcon_keep(
        self,
        id: Annotated[str, Field(description="Id of the change, from retcon_list.")],  # noqa: A002 - part of the interface
        memories: Annotated[
            list[str] | None,
            Field(description="Ids of memories that are still true; else all that you may change."),
        ] = None,
    ) -> Retcons:
        """Say that memories are still true although their page changed."""

        def keep(mine: Inklings) -> tuple[Retcons, int]:
            here = self._session.workspace_id
            waiting = [one.id for one in mine.derivations.retcon(here, id).memories]
            ids = [_meant(one, waiting) for one in memories or ()]
            case = mine.derivations.keep(here, id, ids)
            looks = looks_of(mine, self._session.workspace_id)
            answer: Retcons = {"retcons": [self._retcon(mine, looks, case)]}
            return looks.dated(answer), max(len(ids), 1)

        return self._session.call("retcon_keep", keep, is_write=True)

    def _retcon(self, mine: Inklings, looks: Looks, case: RetconCase) -> RetconTold:
        longest = self._session.room.text
        return looks.retcon(case, lambda one: mine.derivations.suggested(case, one), longest)

    def _memory(self, mine: Inklings, beginning: str) -> str:
        """Id of the memory that is meant; to name it is no read of it."""
        meant: list[str] = []

        def hand_over(found: Sequence[ReadMemory]) -> Sequence[ReadMemory]:
            meant.extend(one.entry.id for one in found)
            return ()

        mine.search.get(self._session.workspace_id, [beginning], hand_over)
        if not meant:
            raise NotFoundError("memory", beginning)
        return meant[0]


def _meant(beginning: str, ids: Sequence[str]) -> str:
    """The id that begins so; one that none does is left to be refused."""
    return next((one for one in ids if one.startswith(beginning.lower())), beginning)
