"""The World Agent as its clients see it: one method for each request of the protocol."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any

from acp.exceptions import RequestError

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.parts import ASSISTANT, own_of, parts_of, parts_of_prompt, replay
from inklings_desktop.acp_wire.shapes import dict_of
from inklings_desktop.agent.acp_door.extensions import Extensions
from inklings_desktop.agent.acp_door.prompting import (
    INTERRUPTED,
    LOOKED_BACK,
    Asked,
    Prompting,
    holder_of,
    unanswered,
    wish_of,
)
from inklings_desktop.agent.acp_door.providers_door import ProvidersDoor
from inklings_desktop.agent.acp_door.updates import (
    EFFORT,
    EFFORTS,
    MECHANICAL,
    POLICIES,
    WRITE_POLICY,
    Choice,
    ModelChoice,
    config_options,
)
from inklings_desktop.agent.memory_door.call import MemoryDoor
from inklings_desktop.agent.memory_door.filters import RECORDS
from inklings_desktop.agent.providers.accounts import Accounts
from inklings_desktop.agent.providers.routing import ChosenModels
from inklings_desktop.agent_settings import CLASSES, PROCESSES, route_of, stays_here
from inklings_desktop.domain.errors import AgentError, InvalidValueError
from inklings_desktop.domain.rooms.messages import MAX_PARTS_BYTES, MAX_TURN_CHARACTERS
from inklings_desktop.domain.words.text_rules import is_own_name, stored_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from acp.schema import (
        CancelNotification,
        CloseSessionRequest,
        DeleteSessionRequest,
        InitializeRequest,
        ListSessionsRequest,
        LoadSessionRequest,
        NewSessionRequest,
        PromptRequest,
        ResumeSessionRequest,
        SetSessionConfigOptionSelectRequest,
    )

    from inklings_desktop.agent.acp_door.prompting import Readiness
    from inklings_desktop.agent.acp_door.sessions import Session, Sessions, Workplace
    from inklings_desktop.agent.graph.turn import PlannerPort
    from inklings_desktop.agent.memory_door.call import MemoryPool
    from inklings_desktop.agent.planning import Judge
    from inklings_desktop.agent.providers.port import Models

PAGE = 50
"""Conversations on a page of the list."""

MESSAGES_AT_ONCE = 100
_NO_WORDS = frozenset({"image", "audio"})
_FLAWS = {
    "encoding": "The message contains half a character, which is not text. Nothing was kept.",
    "nul": "The message contains the character NUL. Nothing was kept.",
}


class WorldAgent:
    """Answers one client."""

    def __init__(
        self,
        *,
        workplace: Workplace,
        readiness: Readiness,
        sessions: Sessions,
        pool: MemoryPool,
        planner: PlannerPort,
        judge: Judge,
        holder: str,
        models: Models | None = None,
    ) -> None:
        place = self._workplace = workplace
        self.providers = ProvidersDoor(
            place.catalogue, place.models, place.settings, place.run_state
        )
        self._models = models or place.models
        accounts = self._accounts = Accounts(place.settings, place.spent_since)
        self._readiness = readiness
        self._sessions = sessions
        self._pool = pool
        self._prompting = Prompting(readiness, planner, self._chosen, judge, holder, accounts)
        self._prompting.limits = place.limits
        self._prompting.scripts = place.interpreter
        self._prompting.skill_head = place.skill_head
        self.extensions = Extensions(workplace.version, sessions, pool)
        self._said: set[asyncio.Task[None]] = set()

    async def initialize(self, _asked: InitializeRequest) -> dict[str, Any]:
        """Who we are and what we can; what takes long is loaded from now on."""
        asyncio.get_running_loop().call_soon(self._readiness.begin)
        own = {
            words.VERSION: self._workplace.version,
            words.RECORDS: True,
            words.MECHANICAL: not self.providers.models.is_any_set,
        }
        return {
            "protocolVersion": words.PROTOCOL_VERSION,
            "agentCapabilities": {
                "loadSession": True,
                "promptCapabilities": {"embeddedContext": True},
                "mcpCapabilities": {"http": False, "sse": False},
                "sessionCapabilities": {"list": {}, "resume": {}, "close": {}, "delete": {}},
            },
            "agentInfo": {
                "name": "inklings-agent",
                "title": "World Agent",
                "version": self._workplace.version,
            },
            "authMethods": [],
            "_meta": {words.OWN: own},
        }

    async def new_session(self, asked: NewSessionRequest) -> dict[str, Any]:
        """A new conversation."""
        require_place(asked)
        await self._readiness.memory()
        own = own_of({"_meta": asked.field_meta})
        channel = str(own.get(words.CHANNEL) or "")
        session = await self._sessions.begin(asked.mcp_servers, asked.cwd, channel)
        self._tell_commands(session)
        return {
            "sessionId": session.id,
            "configOptions": self._options(session),
            "_meta": {words.OWN: _facts(session) | unused(asked)},
        }

    async def load_session(self, asked: LoadSessionRequest) -> dict[str, Any]:
        """A conversation that there is, with everything that was said in it told again."""
        session = await self._attached(asked)
        async with session.ordered:
            messages = await messages_of(session)
            for update in replay(messages):
                await session.updates.send(update)
            count_turns(session, messages)
        return await self._opened(session, messages, unused(asked))

    async def resume_session(self, asked: ResumeSessionRequest) -> dict[str, Any]:
        """A conversation that there is, without what was said in it."""
        session = await self._attached(asked)
        async with session.ordered:
            page = {"conversation": session.id, "limit": LOOKED_BACK}
            found = await session.door().sure(RECORDS, "message_list", page)
            count_turns(session, found["messages"])
        return await self._opened(session, found["messages"], unused(asked))

    async def list_sessions(self, asked: ListSessionsRequest) -> dict[str, Any]:
        """The conversations that this client takes part in, newest first, a page at a time."""
        await self._readiness.memory()
        command = self._sessions.command(())
        server = self._pool.take(command)
        try:
            found = await MemoryDoor(server).sure(RECORDS, "conversation_list", {})
        finally:
            self._pool.give_back(command)
        cursor = asked.cursor or ""
        begins = int(cursor) if cursor.isdecimal() else 0
        rooms = [
            one
            for one in found["conversations"]
            if asked.cwd in {None, self._sessions.folder(one["id"])}
        ]
        answer: dict[str, Any] = {
            "sessions": [self._listed(one) for one in rooms[begins : begins + PAGE]]
        }
        if begins + PAGE < len(rooms):
            answer["nextCursor"] = str(begins + PAGE)
        return answer

    async def close_session(self, asked: CloseSessionRequest) -> dict[str, Any]:
        """Let go of a conversation; that ends nothing but a turn that is under way."""
        session = self._sessions.get(asked.session_id)
        await self._stopped(session)
        await self._sessions.close(session)
        return {}

    async def delete_session(self, asked: DeleteSessionRequest) -> dict[str, Any]:
        """Put a conversation away; nothing of it is destroyed."""
        try:
            session = await self._sessions.attach(asked.session_id, (), "")
        except AgentError as error:
            if error.word == words.CONVERSATION_ARCHIVED:
                return {}
            raise
        await self._stopped(session)
        archived = {"conversation": session.id, "force": True}
        await session.door().sure(RECORDS, "conversation_archive", archived)
        await self._sessions.close(session)
        return {}

    async def set_config_option(self, asked: SetSessionConfigOptionSelectRequest) -> dict[str, Any]:
        """Choose how a session goes on."""
        session = self._sessions.get(asked.session_id)
        models = (MECHANICAL, *(one.id for one in self._choice(session).models))
        known = {words.MODEL: models, EFFORT: tuple(EFFORTS), WRITE_POLICY: tuple(POLICIES)}
        if asked.value not in known.get(asked.config_id, ()):
            raise AgentError(words.UNKNOWN_OPTION, detail=asked.config_id[:40])
        async with session.ordered:
            match asked.config_id:
                case "write_policy":
                    session.write_policy = asked.value
                case "effort":
                    session.effort = "" if asked.value == "default" else asked.value
                case _:
                    session.model = asked.value
        return {"configOptions": self._options(session)}

    async def prompt(self, asked: PromptRequest) -> dict[str, Any]:
        """Carry out a turn."""
        session = self._sessions.get(asked.session_id)
        blocks = [
            one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in asked.prompt
        ]
        parts = parts_of_prompt(blocks)
        require_words(blocks, parts)
        wish = wish_of(parts)
        if session.stop is not None:
            raise AgentError(words.BUSY, retry=True)
        # One who has kept the message by now says in which turn.
        named = str(own_of({"_meta": asked.field_meta}).get(words.TURN) or "")
        kept_in = named if is_own_name(named, MAX_TURN_CHARACTERS) else ""
        wished = Asked(wish, (kept_in or session.next_turn()) if wish.begins_turn else "")
        if (before := session.options) != (options := self._options(session)) and before:
            told = {"sessionUpdate": words.CONFIG_OPTIONS, "configOptions": options}
            await session.updates.send(told)  # what is set is something else by now
        answer = await session.answered(wished.stop, self._in_order(session, wished))
        return wished.ended(words.CANCELLED) if answer is None else answer

    async def cancel(self, asked: CancelNotification) -> None:
        with suppress(AgentError):
            self._sessions.get(asked.session_id).cancel()

    async def leave(self) -> None:
        """Let go of everything, as far as there is time: the host is gone.

        A turn that is under way rests at its last step, and goes on from there.
        """
        sessions = self._sessions.every()
        works = [work for one in sessions for work in one.works]
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)
        await asyncio.gather(*map(self._sessions.close, sessions))
        self.providers.leave()
        await self._pool.close()

    def _chosen(self, session: Session) -> Models:
        """The models of one conversation."""
        named = self.providers.models.named
        return ChosenModels(self._models, named, session.model, session.effort)

    def _choice(self, session: Session) -> Choice:
        """Which models a conversation may choose from: those that are set, and those listed."""
        settings, offers = self._workplace.settings(), self.providers.offers
        route = route_of(settings, PROCESSES[0])
        listed = {f"{id_}/{one.name}": one for id_, those in offers.items() for one in those}
        able = [id_ for id_, one in listed.items() if one.has_tools is not False]  # to look up
        found = dict.fromkeys(filter(None, (route.model, *map(settings.classes.named, CLASSES))))
        found |= dict.fromkeys((*filter(_is_model, (session.model,)), *able))
        models = tuple(
            ModelChoice(
                one,
                stays_here(settings.providers, one),
                listed[one].turn_micro if one in listed else None,
                one == route.model and route.given != route.wanted,
            )
            for one in found
        )
        now = session.model or route.model or MECHANICAL
        thinks = now in listed and listed[now].has_effort
        return Choice(now, models, (session.effort or "default") if thinks else None)

    def _options(self, session: Session) -> list[dict[str, Any]]:
        session.options = config_options(session.write_policy, self._choice(session))
        return session.options

    async def _in_order(self, session: Session, asked: Asked) -> dict[str, Any]:
        async with session.ordered:
            match asked.wish.command:
                case words.CONTINUE:
                    return await self._prompting.go_on(session, asked)
                case words.RETRY:
                    return await self._prompting.retry(session, asked)
                case words.COMMAND_END | words.COMMAND_UNDO | words.COMMAND_WHY:
                    return await self.extensions.command(session, asked.wish, asked.stop)
            return await self._prompting.say(session, asked)

    async def _attached(self, asked: LoadSessionRequest | ResumeSessionRequest) -> Session:
        require_place(asked)
        await self._readiness.memory()
        servers = asked.mcp_servers or ()
        return await self._sessions.attach(asked.session_id, servers, asked.cwd)

    async def _opened(
        self, session: Session, messages: Sequence[Mapping[str, Any]], own: dict[str, Any]
    ) -> dict[str, Any]:
        self._tell_commands(session)
        session.model = session.model or chosen_in(messages)
        costs = await asyncio.to_thread(self._accounts.before, session.runs, session.id)
        own = _facts(session) | own | costs
        unfinished = await asyncio.to_thread(self._unfinished, session, unanswered(messages))
        if unfinished is not None:
            own[words.UNFINISHED] = unfinished
            if word := await self._prompting.hindrance(session):
                unfinished[words.PROBLEM] = {"word": word}
                about = {words.TURN: unfinished[words.TURN], words.ROLE: ASSISTANT}
                await session.updates.info(about | {words.PROBLEM: unfinished[words.PROBLEM]})
        return {
            "configOptions": self._options(session),
            "_meta": {words.OWN: own},
        }

    def _unfinished(
        self, session: Session, said: Mapping[str, Any] | None
    ) -> dict[str, Any] | None:
        """The turn that was cut off, or never begun: whoever carries one out holds a lease."""
        latest = session.runs.runs(session.id, 1)
        is_cut = bool(latest) and latest[0].state in INTERRUPTED
        if session.stop is not None or not (is_cut or said is not None):
            return None
        if holder_of(session.runs, session.id) is not None:
            return None
        if is_cut:
            return {words.TURN: latest[0].id.partition(":")[2], words.NODE: latest[0].node}
        return None if said is None else {words.TURN: str(said["turn"]), words.NODE: ""}

    def _listed(self, room: Mapping[str, Any]) -> dict[str, Any]:
        own = {
            words.REF_CODE: room["ref_code"],
            words.CHANNEL: room["channel"],
            words.STATE: room["state"],
        }
        return {
            "sessionId": room["id"],
            "cwd": self._sessions.folder(room["id"]),
            "title": room["title"],
            "updatedAt": room["ended_at"] or room["started_at"],
            "_meta": {words.OWN: own},
        }

    async def _stopped(self, session: Session) -> None:
        session.cancel()
        await session.settled()

    def _tell_commands(self, session: Session) -> None:
        """Tell them right after the answer to what is asked now."""
        task = asyncio.create_task(session.updates.commands())
        self._said.add(task)
        task.add_done_callback(self._said.discard)


def _is_model(chosen: str) -> bool:
    return "/" in chosen


def _facts(session: Session) -> dict[str, Any]:
    return {
        words.CONVERSATION: session.id,
        words.REF_CODE: session.ref_code,
        words.WORKSPACE: session.workspace_id,
        words.CHANNEL: session.channel,
        words.STATE: "idle" if session.is_resting else "active",
    }


def count_turns(session: Session, messages: list[dict[str, Any]]) -> None:
    """Number the next turn after those that there were."""
    for one in messages:
        number = str(one["turn"]).partition("-")[0].removeprefix("t")
        if number.isdigit():
            session.n_turns = max(session.n_turns, int(number))


def chosen_in(messages: Sequence[Mapping[str, Any]]) -> str:
    """The model that the person chose last in these messages; empty for none.

    What another program says of it is not heard: it would choose where words are sent.
    """
    ours = [one for one in messages if one.get("client") == words.WORLD_AGENT]
    found = (part for one in reversed(ours) for part in reversed(parts_of(one)))
    named = (dict_of(one.get("values")) for one in found if one.get("word") == words.FROM_HERE)
    return next((str(one[words.MODEL]) for one in named if one.get(words.MODEL)), "")


async def messages_of(session: Session) -> list[dict[str, Any]]:
    """Everything that was said, oldest first."""
    page: dict[str, Any] = {"conversation": session.id, "limit": MESSAGES_AT_ONCE}
    found: list[dict[str, Any]] = []
    while True:
        answer = await session.door().sure(RECORDS, "message_list", page)
        found = [*answer["messages"], *found]
        if not answer["more"] or not answer["messages"]:
            return found
        page["before"] = answer["messages"][0]["number"]


def require_words(blocks: Sequence[Mapping[str, Any]], parts: list[dict[str, Any]]) -> None:
    """Return only for a prompt that can be kept: words alone, and not too many.

    Raises:
        RequestError: It holds a picture or sound, which was never offered.
        AgentError: It cannot be stored.
    """
    if any(one.get("type") in _NO_WORDS for one in blocks):
        raise _refused(
            "prompt", "Pictures and sound cannot be kept here, so nothing was kept. Send words."
        )
    try:
        n_bytes = stored_bytes("".join(map(_text, parts)), "prompt")
    except InvalidValueError as error:
        raise AgentError(words.INVALID_VALUE, detail=error.rule, said=_FLAWS[error.rule]) from None
    if n_bytes > MAX_PARTS_BYTES:
        raise AgentError(words.MESSAGE_TOO_LONG, detail=str(n_bytes))


def require_place(asked: LoadSessionRequest | NewSessionRequest | ResumeSessionRequest) -> None:
    """Return only for what the protocol allows: an absolute folder, and servers over pipes.

    Raises:
        RequestError: It is something else.
    """
    if not (PurePosixPath(asked.cwd).is_absolute() or PureWindowsPath(asked.cwd).is_absolute()):
        raise _refused("cwd", "cwd must be an absolute path.")
    if any(not hasattr(one, "command") for one in asked.mcp_servers or ()):
        raise _refused("mcpServers", "Only MCP servers over stdio are offered, not HTTP or SSE.")


def unused(asked: LoadSessionRequest | NewSessionRequest | ResumeSessionRequest) -> dict[str, Any]:
    """What the client is told of servers that it named and that are not used: all but memory."""
    names = [one.name for one in asked.mcp_servers or () if one.name != words.MEMORY_SERVER]
    return {words.UNUSED_SERVERS: names} if names else {}


def _text(part: Mapping[str, Any]) -> str:
    """A part as it is kept, with a NUL as it is."""
    return json.dumps(part, ensure_ascii=False).replace("\\u0000", "\0")


def _refused(field: str, sentence: str) -> RequestError:
    return RequestError(words.INVALID_PARAMS, sentence, {"fields": [field]})
