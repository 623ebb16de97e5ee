"""What a client is offered beside tools: prompts, picked by name, and resources, by address."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS
from pydantic import Field

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.knowledge.told import fact_line, rule_line
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.domain.world.derivations import NO_SOURCES
from inklings_desktop.mcp_server.session import RequestFailedError, Tools
from inklings_desktop.mcp_server.tools.memory_tools import MemoryTools
from inklings_desktop.mcp_server.words.answers import entry_answer, memory_answer
from inklings_desktop.mcp_server.words.knowledge_answers import FACTS_NOTE
from inklings_desktop.mcp_server.words.policy import (
    KNOWN,
    NOTHING_KNOWN,
    REMEMBER,
    TIERS,
    WRAP_UP,
    WRITING,
)
from inklings_desktop.usecases.knowledge.values import FactQuery
from inklings_desktop.usecases.search.search_memories import SearchRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.domain.search.explanation import RankedHit
    from inklings_desktop.domain.world.derivations import ToldSources
    from inklings_desktop.usecases.bundle import Inklings

MAX_KNOWN_PER_TIER = 5

URIS = {
    "named_entry": "inklings://named/{tier}/{name}",
    "orientation": "inklings://orientation/{conversation}",
    "facts": "inklings://facts/{domain}",
    "policies": "inklings://policies",
}
_MISSING = frozenset({"not_found", "scope_denied"})


class Prompts(Tools):
    """Plain functions over one session."""

    def begin_turn(
        self,
        message: Annotated[str, Field(description="What the turn is about.")] = "",
        conversation: Annotated[
            str, Field(description="Conversation of the turn; id or ref code.")
        ] = "",
        role: Annotated[str, Field(description="One of your roles.")] = "",
    ) -> str:
        """Begin a turn with all that holds in it: entries, house rules, facts, memories."""
        tools = MemoryTools(self._session)
        told = _told(lambda: tools.memory_orient(conversation, message, role=role))
        return str(told["markdown"])

    def orient(
        self,
        message: Annotated[str, Field(description="What the turn is about.")],
        conversation: Annotated[
            str, Field(description="Conversation of the turn; id or ref code.")
        ] = "",
    ) -> list[str]:
        """Begin a turn: the author's named entries and what memory holds about the message."""
        tools = MemoryTools(self._session)
        told = _told(lambda: tools.memory_orient(conversation, message))
        return [told["markdown"], message]

    def remember(
        self, what: Annotated[str, Field(description="What may be worth keeping.")]
    ) -> str:
        """Decide whether something belongs in memory and where, beside what is known about it."""

        def remember(mine: Inklings) -> tuple[dict[str, Any], int]:
            hits = self._hits(mine, what)
            told = mine.derivations.told_of([one.entry for one in hits])
            lines = [
                _line(mine.caller, one.entry, told.get(one.entry.id, NO_SOURCES)) for one in hits
            ]
            known = "\n".join((KNOWN, *lines)) if lines else NOTHING_KNOWN
            return {"text": REMEMBER.format(what=what, known=known)}, len(hits)

        return str(_told(lambda: self._session.call("prompt:remember", remember))["text"])

    def wrap_up(
        self,
        conversation: Annotated[str, Field(description="Its id or ref code.")] = "",
    ) -> str:
        """End a conversation: note where the work stands, keep what was decided, close it."""
        name = f"the conversation {conversation}" if conversation else "this conversation"
        text = WRAP_UP.format(conversation=name, writing=WRITING, tiers=TIERS)

        def wrap_up(_mine: Inklings) -> tuple[dict[str, Any], int]:
            return {"text": text}, 0

        return str(_told(lambda: self._session.call("prompt:wrap_up", wrap_up))["text"])

    def _hits(self, mine: Inklings, text: str) -> list[RankedHit]:
        """What is known about a text where this client reads; each hit counts as one read."""
        caller, workspace_id = mine.caller, self._session.workspace_id
        reads_here = caller.may_read_in(workspace_id)
        channels = mine.places.channels(workspace_id) if reads_here else ()
        places = (
            [ScopeKey.channel(workspace_id, one.id) for one in channels],
            [ScopeKey.workspace(workspace_id)],
            [ScopeKey.account()],
        )
        mode = self._session.mode(SearchMode.HYBRID)
        request = SearchRequest(text, mode, MAX_KNOWN_PER_TIER, found_only=True)
        return [
            hit
            for scopes in places
            if scopes and all(caller.may(Action.READ, one) for one in scopes)
            for hit in mine.search.find(scopes, request).hits
        ]


def _line(caller: Caller, entry: MemoryEntry, sources: ToldSources) -> str:
    told = memory_answer(caller, entry, sources)
    wanted = {"id", "tier", "scope", "version", "content", "derived_from"}
    known = {name: value for name, value in told.items() if name in wanted}
    return json.dumps(known, ensure_ascii=False)


def _told(ask: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
    """The answer, or the error that a prompt has for it.

    Raises:
        MCPError: It was refused or failed; the sentence says why.
    """
    try:
        return ask()
    except RequestFailedError as error:
        raise MCPError(INVALID_PARAMS, str(error)) from None


class Resources(Tools):
    """Plain functions over one session; their arguments are the parts of the address."""

    def named_entry(self, tier: str, name: str) -> str:
        """A standing entry of the author, whole, in Markdown."""

        def found(mine: Inklings) -> tuple[dict[str, Any], int]:
            if tier not in {one.value for one in Tier}:
                raise NotFoundError("named_entry", name)
            workspace_id = self._session.workspace_id
            entry = mine.entries.find(workspace_id, name, Tier(tier))
            return {"text": entry_answer(entry, with_body=True).get("notice") or entry.body}, 1

        return _text(lambda: self._session.call("resource:named", found), "text")

    def orientation(self, conversation: str) -> str:
        """The document to begin a turn of this conversation with."""
        tools = MemoryTools(self._session)
        return _text(lambda: tools.memory_orient(conversation), "markdown")

    def facts(self, domain: str) -> str:
        """What is settled in a domain: each fact with how sure it is and where it comes from."""

        def listed(mine: Inklings) -> tuple[dict[str, Any], int]:
            found = mine.facts.list(self._session.workspace_id, FactQuery(domain))
            now = mine.clock()
            head = f"# Facts\n\n{FACTS_NOTE}\n"
            return self._page(head, [fact_line(one, now) for one in found.facts], found.total)

        return _text(lambda: self._session.call("resource:facts", listed), "text")

    def policies(self) -> str:
        """The house rules that hold; the author switched each of them on."""

        def listed(mine: Inklings) -> tuple[dict[str, Any], int]:
            found = [one.policy for one in mine.policies.list(self._session.workspace_id)]
            return self._page("# House rules\n", [rule_line(one) for one in found], len(found))

        return _text(lambda: self._session.call("resource:policies", listed), "text")

    def _page(self, text: str, lines: Sequence[str], total: int) -> tuple[dict[str, Any], int]:
        """As many of these as one answer holds, behind a heading, and how many are left."""
        told = self._session.room.fitting(lines)
        left = total - len(told)
        more = f"\n{left:,} more have no room here.\n" if left else ""
        return {"text": f"{text}{''.join(told)}{more}" if total else f"{text}\nNone.\n"}, len(told)


def _text(ask: Callable[[], Mapping[str, Any]], key: str) -> str:
    """The text of an answer, or the error that a resource has for it.

    Raises:
        ResourceNotFoundError: There is nothing at this address for this client.
        ResourceError: It could not be read; the sentence says why.
    """
    try:
        text: str = ask()[key]
    except RequestFailedError as error:
        kind = ResourceNotFoundError if error.word in _MISSING else ResourceError
        raise kind(str(error)) from None
    return text
