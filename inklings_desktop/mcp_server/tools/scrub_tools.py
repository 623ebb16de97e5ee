"""Tools for scrub: count, ask the author, and hear what became of it. Nothing here removes."""

from typing import Annotated, Literal

from pydantic import Field

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.mcp_server.session import Tools
from inklings_desktop.mcp_server.tools.conversation_tools import ConversationKey
from inklings_desktop.mcp_server.tools.memory_tools import Scope, TierName
from inklings_desktop.mcp_server.words.scrub_answers import (
    figures_answer,
    purge_answer,
    request_answer,
    runs_answer,
)
from inklings_desktop.mcp_server.words.shapes import Asked, Counted, Purge
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.scrubbing.scrub_asking import ScrubPlace

Mode = Annotated[
    Literal["keep_named", "full"],
    Field(description="keep_named spares the author's named entries; full spares nothing."),
]


class ScrubTools(Tools):
    """Asking for a scrub."""

    def scrub_preview(
        self, tier: TierName, scope: Scope = None, mode: Mode = "keep_named"
    ) -> Counted:
        """Count what a scrub would delete for good. Changes nothing; the token lasts 5 minutes."""

        def preview(mine: Inklings) -> tuple[Counted, int]:
            figures = mine.scrub.count(self._place(tier, scope), ScrubMode(mode))
            return figures_answer(figures), figures.n_removed

        return self._session.call("scrub_preview", preview, tier=Tier(tier), done="done")

    def scrub_execute(
        self,
        *,
        tier: TierName,
        scope: Scope = None,
        mode: Mode = "keep_named",
        token: Annotated[str, Field(description="The token that scrub_preview gave.")] = "",
        confirm: Annotated[str, Field(description="The phrase that scrub_preview gave.")] = "",
        request: Annotated[
            str, Field(description="Id of a request that waits: says what became of it.")
        ] = "",
    ) -> Asked:
        """Ask the author to scrub what you previewed, or ask what became of a request.

        The author confirms in the window of Inklings; until then the answer is "waiting". Ask
        again with the id of the request, every few seconds at most.
        """
        asks = not request

        def execute(mine: Inklings) -> tuple[Asked, int]:
            if request:
                return request_answer(mine.scrub.follow(request)), 0
            if not token or not confirm:
                raise InvalidValueError("token" if not token else "confirm", "missing")
            asked = mine.scrub.ask(
                self._place(tier, scope), ScrubMode(mode), token=token, phrase=confirm
            )
            return request_answer(asked), 1

        return self._session.call(
            "scrub_execute",
            execute,
            tier=Tier(tier),
            is_write=asks,
            done="held" if asks else "done",
        )

    def run_state_purge(
        self,
        conversation: ConversationKey,
        token: Annotated[str, Field(description="The token that this tool gave.")] = "",
        confirm: Annotated[str, Field(description="The phrase that it gave.")] = "",
        request_id: Annotated[
            str, Field(description="Id of a request that waits: says what became of it.")
        ] = "",
    ) -> Purge:
        """Count what an agent's runs left of a conversation, or ask the author to purge that.

        Without a token this counts and changes nothing. What was said and remembered stays.
        """

        def purge(mine: Inklings) -> tuple[Purge, int]:
            if request_id:
                return purge_answer(mine.scrub.follow(request_id)), 0
            place = self._place(Tier.CONVERSATION, conversation)
            if not token:
                figures = mine.scrub.count(place, ScrubMode.RUN_STATE)
                return runs_answer(figures), figures.n_removed
            if not confirm:
                raise InvalidValueError("confirm", "missing")
            asked = mine.scrub.ask(place, ScrubMode.RUN_STATE, token=token, phrase=confirm)
            return purge_answer(asked), 1

        asks = bool(token) and not request_id
        return self._session.call(
            "run_state_purge",
            purge,
            tier=Tier.CONVERSATION,
            is_write=asks,
            done="held" if asks else "done",
        )

    def _place(self, tier: str, scope: str | None) -> ScrubPlace:
        return ScrubPlace(self._session.workspace_id, Tier(tier), scope or None)
