"""The server of the agent's door: one client, one workspace, over stdio or loopback HTTP."""

from __future__ import annotations

import inspect
import json
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from types import MethodType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from anyio import create_memory_object_stream, create_task_group, to_thread
from mcp.server.lowlevel import NotificationOptions
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts import Prompt
from mcp.server.mcpserver.tools import Tool
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import PromptsListChanged, ResourcesListChanged, ToolsListChanged
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp.types import (
    INVALID_PARAMS,
    CallToolResult,
    NotificationParams,
    TextContent,
    ToolAnnotations,
    jsonrpc_message_adapter,
)
from mcp.types import Resource as ListedResource
from pydantic import ValidationError, validate_call

import inklings_desktop
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import WORLD_ACTIONS
from inklings_desktop.domain.errors import (
    InklingsError,
    InvalidValueError,
    NotLetInError,
    ScopeDeniedError,
)
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.domain.words.hidden_text import holds_codes, spelled_out
from inklings_desktop.domain.words.text_rules import stored_bytes
from inklings_desktop.mcp_server.announcing import Announcements
from inklings_desktop.mcp_server.prompts import URIS, Prompts, Resources
from inklings_desktop.mcp_server.session import RequestFailedError
from inklings_desktop.mcp_server.tools.activity_tools import ActivityTools
from inklings_desktop.mcp_server.tools.conversation_tools import ChannelTools, ConversationTools
from inklings_desktop.mcp_server.tools.entry_tools import EntryTools, ProposalTools
from inklings_desktop.mcp_server.tools.finding_tools import FindingTools
from inklings_desktop.mcp_server.tools.knowledge_tools import KnowledgeTools
from inklings_desktop.mcp_server.tools.memory_tools import MemoryTools
from inklings_desktop.mcp_server.tools.page_tools import PageTools
from inklings_desktop.mcp_server.tools.past_tools import PastTools
from inklings_desktop.mcp_server.tools.scrub_tools import ScrubTools
from inklings_desktop.mcp_server.tools.skill_tools import (
    SkillTools,
    choose,
    chosen_tools,
    has_own_skills,
)
from inklings_desktop.mcp_server.tools.talk_tools import TalkTools
from inklings_desktop.mcp_server.tools.world_tools import WorldTools
from inklings_desktop.mcp_server.words.answers import CODES_ARE_NO_TEXT, NO_TEXT, texts_in
from inklings_desktop.mcp_server.words.policy import INSTRUCTIONS
from inklings_desktop.mcp_server.words.spoken import spoken

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence

    from mcp.shared._stream_protocols import ReadStream, WriteStream
    from mcp.types import GetPromptResult, InputRequiredResult
    from mcp.types import Prompt as ListedPrompt
    from mcp.types import ResourceTemplate as ListedTemplate
    from mcp.types import Tool as ListedTool
    from pydantic_core import ErrorDetails

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.knowledge.domains import Domain
    from inklings_desktop.mcp_server.announcing import Lists
    from inklings_desktop.mcp_server.session import ClientSession

    Heard = SessionMessage | Exception

NAME = "inklings"
LOOPBACK = "127.0.0.1"
_LONGEST_NAME = 40
THREADS = 6
"""Four requests at work, and the two that read and write a client's lines."""

_ROOMS = (Tier.CONVERSATION, Tier.CHANNEL)
_EVERYWHERE = (*_ROOMS, Tier.WORKSPACE, Tier.ACCOUNT)
_NAMED = (Tier.WORKSPACE, Tier.ACCOUNT)


def _any_of(tiers: Iterable[Tier], *actions: Action) -> frozenset[tuple[Tier, Action]]:
    return frozenset((tier, action) for tier in tiers for action in actions)


@dataclass(frozen=True, slots=True)
class _Listing:
    """What a tool is called, what it needs to be listed, and what it does to the store.

    Attributes:
        rights: Any one of these lists it.
        reads: Whether it changes nothing that the author wrote.
        is_talk: Whether it keeps what was said, which may tell what a reader was told.
        destroys: Whether it takes something away.
        repeats: Whether calling it again changes nothing more.
        is_own: Whether it is for the World Agent's program alone; others are not told of it.
        also: Any one of these is needed besides; none where it is empty.
        in_domains: Whether it is for a client that may read a domain: what is listed costs a model
            at each call.
        of_kept: Whether it is also for one that keeps something between its runs.
        of_skills: Whether it is only for a client that may choose a skill.
    """

    title: str
    rights: frozenset[tuple[Tier, Action]]
    reads: bool = False
    is_talk: bool = False
    destroys: bool = False
    repeats: bool = False
    is_own: bool = False
    also: frozenset[tuple[Tier, Action]] = frozenset()
    in_domains: bool = False
    of_kept: bool = False
    of_skills: bool = False

    @property
    def refuses_codes(self) -> bool:
        """Whether the codes of characters that do not show are no text here."""
        return not (self.reads or self.is_talk)


_READING = _any_of(_EVERYWHERE, Action.READ)
# Who may only propose to the account still asks for every change of it.
_WRITING = _any_of(_EVERYWHERE, Action.WRITE) | _any_of((Tier.ACCOUNT,), Action.PROPOSE)
_NAMES = _any_of(_NAMED, Action.READ)
_PROPOSING = _any_of(_NAMED, Action.PROPOSE)
# What it once proposed is a client's own, whatever it may do now.
_ANY_RIGHT = _any_of(_EVERYWHERE, *Action)
_IN_CHANNELS = _any_of((Tier.CHANNEL,), *Action)
_TALKING = _any_of((Tier.CONVERSATION,), Action.READ)
_COUNTING = _any_of(_EVERYWHERE, Action.SCRUB_PREVIEW)
_SCRUBBING = _any_of(_EVERYWHERE, Action.SCRUB_KEEP_NAMED, Action.SCRUB_FULL)
_PURGING = _any_of((Tier.CONVERSATION,), Action.SCRUB_PREVIEW)
_PAGES = _any_of((Tier.WORKSPACE,), Action.WORLD_READ)
_IN_WORKSPACE = _any_of((*_ROOMS, Tier.WORKSPACE), Action.WRITE)
_TO_PAGES = _any_of((Tier.WORKSPACE,), Action.WORLD_PROPOSE)
_SETTLED = _any_of((Tier.WORKSPACE,), Action.READ)
_RULING = _any_of((Tier.WORKSPACE,), Action.PROPOSE)
_SETTLING = _any_of((Tier.WORKSPACE,), Action.WRITE)
# A channel is reached through a conversation; by itself it orients nobody.
_ORIENTING = _READING - _any_of((Tier.CHANNEL,), Action.READ)
_LISTINGS = {
    "memory_read": _Listing("Find memories", _READING, reads=True),
    "memory_list": _Listing("List memories", _READING, reads=True),
    "memory_get": _Listing("Get memories", _READING, reads=True),
    "memory_search": _Listing("Search everywhere", _READING, reads=True),
    "memory_recent": _Listing("What others changed", _READING, reads=True),
    "memory_put": _Listing("Remember", _WRITING),
    "memory_put_many": _Listing("Remember several things", _WRITING),
    "memory_update": _Listing("Change a memory", _WRITING, repeats=True),
    "memory_forget": _Listing("Forget a memory", _WRITING, destroys=True, repeats=True),
    "memory_orient": _Listing("Orient a turn", _ORIENTING, reads=True),
    "named_entry_list": _Listing("List named entries", _NAMES, reads=True),
    "named_entry_read": _Listing("Read a named entry", _NAMES, reads=True),
    "named_entry_propose": _Listing("Propose a named entry", _PROPOSING),
    "proposal_list": _Listing("List proposals", _ANY_RIGHT, reads=True),
    "channel_list": _Listing("List channels", _IN_CHANNELS, reads=True),
    "conversation_start": _Listing("Start a conversation", _any_of((Tier.CHANNEL,), Action.READ)),
    "conversation_get": _Listing("Get a conversation", _TALKING, reads=True, is_own=True),
    "conversation_list": _Listing("List conversations", _TALKING, reads=True),
    "conversation_end": _Listing("End a conversation", _TALKING),
    "conversation_archive": _Listing("Archive a conversation", _TALKING, repeats=True, is_own=True),
    "note_write": _Listing("Write a working note", _TALKING, repeats=True),
    "note_read": _Listing("Read a working note", _TALKING, reads=True),
    "note_list": _Listing("List working notes", _TALKING, reads=True, is_own=True),
    "note_clear": _Listing(
        "Clear working notes", _TALKING, destroys=True, repeats=True, is_own=True
    ),
    "conversation_resume": _Listing("Continue a conversation", _TALKING, repeats=True, is_own=True),
    "conversation_rename": _Listing("Rename a conversation", _TALKING, repeats=True, is_own=True),
    "message_append": _Listing("Keep what was said", _TALKING, is_talk=True, is_own=True),
    "message_list": _Listing("Read what was said", _TALKING, reads=True, is_own=True),
    "memory_restore": _Listing("Restore a memory", _WRITING, repeats=True, is_own=True),
    "workspace_overview": _Listing("Look at the workspace", _READING, reads=True, is_own=True),
    "memory_history": _Listing("How a memory changed", _READING, reads=True, is_own=True),
    "event_list": _Listing("What happened", _SETTLED, reads=True, is_own=True),
    "scrub_preview": _Listing("Count a scrub", _COUNTING, reads=True),
    "scrub_execute": _Listing("Ask the author to scrub", _SCRUBBING, destroys=True, repeats=True),
    "run_state_purge": _Listing(
        "Ask the author to purge run state", _PURGING, destroys=True, repeats=True, is_own=True
    ),
    "world_search": _Listing("Search the pages", _PAGES, reads=True),
    "world_read": _Listing("Read a page", _PAGES, reads=True),
    "world_outline": _Listing("List the pages", _PAGES, reads=True),
    "world_changes": _Listing("What changed in the pages", _PAGES, reads=True),
    "world_propose": _Listing("Propose a page", _TO_PAGES),
    "retcon_list": _Listing("Pages that changed under memories", _PAGES, reads=True),
    "fact_search": _Listing("Find facts", _SETTLED, reads=True, in_domains=True),
    "fact_put": _Listing("State a fact", _SETTLING, in_domains=True),
    "fact_supersede": _Listing("Replace a fact", _SETTLING, in_domains=True),
    "fact_history": _Listing("How a fact came to be", _SETTLED, reads=True, in_domains=True),
    "policy_list": _Listing("List house rules", _SETTLED, reads=True, in_domains=True),
    "policy_propose": _Listing("Ask for a house rule", _RULING, in_domains=True),
    "working_memory_read": _Listing(
        "Read what you keep", _SETTLED, reads=True, in_domains=True, of_kept=True
    ),
    "working_memory_write": _Listing(
        "Keep notes for the next run", _SETTLED, in_domains=True, of_kept=True
    ),
    "domain_list": _Listing("List domains", _SETTLED, reads=True, in_domains=True),
    "domain_create": _Listing("Make a domain", _SETTLING),
    "activity_list": _Listing("List activities", _SETTLED, reads=True, is_own=True),
    "activity_propose": _Listing("Propose an activity", _RULING, is_own=True),
    "skill_search": _Listing("Find a skill", _SETTLED, reads=True, of_skills=True),
    "skill_read": _Listing("Read a skill", _SETTLED, reads=True, of_skills=True),
    "skill_propose": _Listing("Propose a skill", _RULING, of_skills=True),
    "skill_trace_append": _Listing("Report on a skill", _SETTLED, is_talk=True, of_skills=True),
    "retcon_keep": _Listing("Say that a memory is still true", _PAGES, also=_IN_WORKSPACE),
}
REPEATABLE = frozenset(
    name for name, listing in _LISTINGS.items() if listing.reads or listing.repeats
) | {"memory_put"}
"""Tools that may be called again when it is not known whether they were: no more comes of it.

What is put twice is there once, and the second answer says which it is.
"""
_RESOURCES = {
    "named_entry": _Listing("Named entry", _NAMES, reads=True),
    "orientation": _Listing("Orientation", _TALKING, reads=True),
    "facts": _Listing("Facts of a domain", _SETTLED, reads=True, in_domains=True),
    "policies": _Listing("House rules", _SETTLED, reads=True, in_domains=True),
}
_PROMPTS = {
    "begin_turn": _Listing("Begin a turn", _ORIENTING),
    "orient": _Listing("Orient this turn", _ORIENTING),
    "remember": _Listing("Remember this", _WRITING),
    "wrap-up": _Listing("Wrap up this conversation", _TALKING),
}


@dataclass(frozen=True, slots=True)
class _Client:
    """Who asks what there is for it.

    Attributes:
        reads_domains: Whether a domain is open to it.
        keeps: Whether it keeps something between its runs, where none is.
        has_skills: Whether a skill may be chosen here that does not come with the program.
    """

    caller: Caller
    reads_domains: bool
    keeps: bool
    has_skills: bool


class InklingsServer(MCPServer[Any]):
    """Lists what is granted at the moment, and repeats nobody's text in an error."""

    def __init__(self, session: ClientSession) -> None:
        groups = (
            MemoryTools(session),
            FindingTools(session),
            EntryTools(session),
            ProposalTools(session),
            ChannelTools(session),
            ConversationTools(session),
            TalkTools(session),
            PastTools(session),
            ScrubTools(session),
            WorldTools(session),
            PageTools(session),
            KnowledgeTools(session),
            ActivityTools(session),
            SkillTools(session),
        )
        self._offered = {
            name: _tool(
                next(getattr(group, name) for group in groups if hasattr(group, name)), name
            )
            for name, listing in _LISTINGS.items()
            if session.is_program or not listing.is_own
        }
        self._session = session
        self._announcements = Announcements(session, self._lists)
        super().__init__(
            NAME,
            title="Inklings",
            instructions=INSTRUCTIONS,
            version=inklings_desktop.__version__,
            log_level="WARNING",
            lifespan=self._serving,
            tools=list(self._offered.values()),
            subscriptions=self._announcements,
        )
        lowlevel = self._lowlevel_server
        every = NotificationOptions(
            prompts_changed=True, resources_changed=True, tools_changed=True
        )
        # Every transport asks this for what it says to a client that shakes hands.
        lowlevel.create_initialization_options = partial(  # type: ignore[method-assign]
            lowlevel.create_initialization_options, every
        )
        lowlevel.add_notification_handler(
            "notifications/initialized", NotificationParams, self._announcements.tell_connection
        )
        resources = Resources(session)
        for name, listing in _RESOURCES.items():
            offered = self.resource(
                URIS[name], name=name, title=listing.title, mime_type="text/markdown"
            )
            offered(getattr(resources, name))
        prompts = Prompts(session)
        for name in _PROMPTS:
            self.add_prompt(_prompt(getattr(prompts, name.replace("-", "_")), name))

    async def list_tools(self) -> list[ListedTool]:
        """The tools that this client may use at all, in a steady order.

        One that is not let in yet is shown what it would be given: it need not look again later.
        """
        every = await super().list_tools()
        client = await _in_thread(self._arriving)
        listed = [tool for tool in every if _is_granted(client, _LISTINGS[tool.name])]
        has_skills = any(tool.name == "skill_read" for tool in listed)
        return listed + (
            await to_thread.run_sync(chosen_tools, self._session) if has_skills else []
        )

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult:
        """Carry out a tool: its answer as it is, and its words once more as text.

        Wrong arguments are named, never repeated, and none is dropped.

        What was read with the codes of characters that do not show is not written back with them.

        Raises:
            ToolError: The sentence says what to do.
        """
        tool = self._offered.get(name)
        if tool is None and name.startswith("skill_"):
            return await to_thread.run_sync(self._chosen, name, arguments)
        if tool is None:
            raise ToolError(f"There is no such tool. There are: {', '.join(self._offered)}.")
        known = tool.parameters["properties"]
        if unknown := [one for one in arguments if one not in known]:
            raise ToolError(_unknown_arguments(name, unknown, known))
        if broken := [one for one, value in arguments.items() if not _is_text(value)]:
            raise ToolError(NO_TEXT.format(names=", ".join(broken)))
        if _LISTINGS[name].refuses_codes and any(map(holds_codes, texts_in(arguments))):
            raise ToolError(CODES_ARE_NO_TEXT)
        try:
            answer = await tool.run(arguments, context or Context(mcp_server=self))
        except ToolError as error:
            match error.__cause__:
                case ValidationError() as wrong:
                    raise ToolError(_wrong_arguments(wrong, tool)) from None
                case RequestFailedError() as failed:
                    return _failure(failed)
            raise
        text = TextContent(type="text", text=spoken(answer))
        return CallToolResult(content=[text], structured_content=answer)

    def _chosen(self, name: str, arguments: dict[str, Any]) -> CallToolResult:
        """What a skill tells, which was called by its own name."""
        try:
            answer = choose(self._session, name, arguments)
        except RequestFailedError as failed:
            return _failure(failed)
        text = TextContent(type="text", text=spoken(answer))
        return CallToolResult(content=[text], structured_content=dict(answer))

    async def list_resources(self) -> list[ListedResource]:
        """The named entries that this client may read, and the orientations of its conversations.

        Of these those that are under way; an older one is read by its address all the same.
        """
        try:
            return await to_thread.run_sync(self._resources)
        except InklingsError:
            return []

    async def list_resource_templates(self) -> list[ListedTemplate]:
        """The resources that this client may read at all."""
        every = await super().list_resource_templates()
        client = await _in_thread(self._caller)
        return [one for one in every if _is_granted(client, _RESOURCES[one.name])]

    async def list_prompts(self) -> list[ListedPrompt]:
        """The prompts whose tools this client may use at all."""
        every = await super().list_prompts()
        client = await _in_thread(self._caller)
        return [one for one in every if _is_granted(client, _PROMPTS[one.name])]

    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        context: Context[Any, Any] | None = None,
    ) -> GetPromptResult | InputRequiredResult:
        """The messages of a prompt; one that is not listed is not there.

        Raises:
            MCPError: It is not listed, or the sentence says what to do.
        """
        prompt = {one.name: one for one in await self.list_prompts()}.get(name)
        if prompt is None:
            raise MCPError(INVALID_PARAMS, "There is no such prompt for this client.")
        given = arguments or {}
        takes = {one.name: one.required for one in prompt.arguments or ()}
        if given.keys() - takes or any(need and one not in given for one, need in takes.items()):
            told = ", ".join(f"{one} (needed)" if need else one for one, need in takes.items())
            raise MCPError(INVALID_PARAMS, f"The prompt {name} takes: {told or 'nothing'}.")
        if broken := [one for one, value in given.items() if not _is_text(value)]:
            raise MCPError(INVALID_PARAMS, NO_TEXT.format(names=", ".join(broken)))
        return await super().get_prompt(name, arguments, context)

    async def serve(
        self,
        incoming: ReadStream[SessionMessage | Exception],
        outgoing: WriteStream[SessionMessage],
    ) -> None:
        """Serve one client over these streams until the incoming one ends; both are closed then."""
        lowlevel = self._lowlevel_server
        options = lowlevel.create_initialization_options()
        sending, heard = create_memory_object_stream[SessionMessage | Exception]()
        async with create_task_group() as group:
            group.start_soon(pass_on, incoming, sending)
            await lowlevel.run(heard, outgoing, options)
            group.cancel_scope.cancel()

    async def run_stdio_async(self) -> None:
        """Serve one client over standard input and output."""
        async with stdio_server() as (incoming, outgoing):
            await self.serve(incoming, outgoing)

    @asynccontextmanager
    async def _serving(self, _server: MCPServer[Any]) -> AsyncIterator[None]:
        """Requests wait for their turn here, not half done: more threads only keep each other up.

        Each that has begun reads one state of the files; the longer it takes, the older that is.
        """
        to_thread.current_default_thread_limiter().total_tokens = THREADS
        async with self._announcements.watching():
            yield

    def _resources(self) -> list[ListedResource]:
        try:
            mine = self._session.inklings.as_caller(self._session.caller())
        except NotLetInError:
            return []
        workspace_id = self._session.workspace_id
        found = []
        with suppress(ScopeDeniedError):
            found += [
                ListedResource(
                    uri=URIS["named_entry"].format(tier=one.tier.value, name=one.name),
                    name=one.name,
                    mime_type="text/markdown",
                )
                for one in mine.entries.list(workspace_id)
            ]
        with suppress(ScopeDeniedError):
            found += [
                ListedResource(
                    uri=URIS["orientation"].format(conversation=one.ref_code),
                    name=one.ref_code,
                    title=f"Orientation: {spelled_out(one.title) or one.ref_code}",
                    mime_type="text/markdown",
                )
                for one in mine.places.conversations(workspace_id)
                if one.state is ConversationState.ACTIVE
            ]
        with suppress(ScopeDeniedError):
            found += _of_domains([one.domain for one in mine.domains.list(workspace_id)])
        return found

    def _lists(self) -> Lists:
        """What is listed for this client now; a client never seen is not taken for one that asked.

        Raises:
            InklingsError: It was never seen, or the store cannot be read.
        """
        session = self._session
        session.inklings.clients.show(session.client, calls=0)
        client = self._admitted()

        def granted(listings: Mapping[str, _Listing]) -> list[str]:
            return [name for name, listing in listings.items() if _is_granted(client, listing)]

        return {
            ToolsListChanged(): (
                granted(_LISTINGS),
                [one.name for one in chosen_tools(session)] if client.has_skills else [],
            ),
            PromptsListChanged(): granted(_PROMPTS),
            ResourcesListChanged(): (granted(_RESOURCES), self._resources()),
        }

    def _admitted(self) -> _Client:
        """This client, as if it were let in where that is not decided yet.

        Where no pages are linked it has no right to any: what is listed costs a model at each call.
        """
        session = self._session
        try:
            caller = session.caller()
        except NotLetInError:
            caller = session.caller_if_let_in()
        mine, here = session.inklings.as_caller(caller), session.workspace_id
        reads_domains = bool(caller.gate.readable)
        keeps = not reads_domains and mine.working_memories.keeps(here)
        shown = caller if mine.world.has_pages(here) else caller.without(WORLD_ACTIONS)
        has_skills = caller.is_own or has_own_skills(mine, here)
        return _Client(shown, reads_domains=reads_domains, keeps=keeps, has_skills=has_skills)

    def _arriving(self) -> _Client | None:
        """Who asks which tools there are; where that is let in, its coming is noted."""
        with suppress(InklingsError):
            self._session.note_arrival()
        return self._caller()

    def _caller(self) -> _Client | None:
        try:
            return self._admitted()
        except InklingsError:
            return None


def _failure(failed: RequestFailedError) -> CallToolResult:
    """A request that was refused or failed: a sentence to read, and a stable word beside it."""
    said = TextContent(type="text", text=str(failed))
    own = {"word": failed.word} | ({"retry": True} if failed.may_pass else {})
    return CallToolResult(content=[said], is_error=True, _meta={NAME: own})


def _tool(method: MethodType, name: str) -> Tool:
    """A tool of one session."""
    return _listed(method.__func__, name).model_copy(update={"fn": method})


@cache
def _listed(function: Callable[..., Any], name: str) -> Tool:
    """A tool as it is listed: what nobody reads in its schema costs every session tokens.

    It is the same in every session, and making the models behind its schemas takes 5 ms.
    """
    listing = _LISTINGS[name]
    tool = Tool.from_function(
        MethodType(function, object()),  # of no session; only its signature is looked at
        name=name,
        title=listing.title,
        description=inspect.cleandoc(function.__doc__ or ""),
        annotations=ToolAnnotations(
            title=listing.title,
            read_only_hint=listing.reads,
            destructive_hint=listing.destroys,
            idempotent_hint=listing.repeats or listing.reads,
            open_world_hint=False,
        ),
        structured_output=True,
    )
    schema = _without(tool.parameters, "title")
    parts = schema.pop("$defs", {})
    schema = _in_place(schema, parts)  # common clients do not follow references
    tool.parameters = schema | {"additionalProperties": False}
    tool.fn_metadata.output_schema = _without(
        tool.fn_metadata.output_schema, "title", "description"
    )
    return tool


def _prompt(method: Callable[..., Any], name: str) -> Prompt:
    """A prompt of one session."""
    assert isinstance(method, MethodType)
    asked, checked = _asked(method.__func__, name)
    return asked.model_copy(update={"fn": MethodType(checked, method.__self__)})


@cache
def _asked(function: Callable[..., Any], name: str) -> tuple[Prompt, Callable[..., Any]]:
    """A prompt as it is listed, and its function behind a check of what it is given."""
    of_no_session = MethodType(function, object())
    prompt = Prompt.from_function(of_no_session, name=name, title=_PROMPTS[name].title)
    return prompt, validate_call(function)


def _in_place(schema: Any, parts: dict[str, Any]) -> Any:
    """A schema with what it refers to where it refers to it."""
    if isinstance(schema, list):
        return [_in_place(one, parts) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _in_place(parts[schema["$ref"].rpartition("/")[2]], parts)
    # Who leaves it out says the same, and need not be told of an empty text, of no or of null.
    if schema.get("default") == "" or schema.get("default") is False:
        schema = {name: value for name, value in schema.items() if name != "default"}
    if schema.get("default", schema) is None:
        (one,) = (one for one in schema["anyOf"] if one != {"type": "null"})
        rest = {name: schema[name] for name in schema.keys() - {"anyOf", "default"}}
        return _in_place(one | rest, parts)
    return {name: _in_place(value, parts) for name, value in schema.items()}


def _without(schema: Any, *left_out: str) -> Any:
    """A schema without these keywords; a property may have such a name and stays."""
    if isinstance(schema, list):
        return [_without(one, *left_out) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: {key: _without(one, *left_out) for key, one in value.items()}
        if name in {"properties", "$defs"}
        else _without(value, *left_out)
        for name, value in schema.items()
        if name not in left_out
    }


def _is_text(value: Any) -> bool:
    try:
        return all(stored_bytes(text, "") >= 0 for text in texts_in(value))
    except InvalidValueError:
        return False


def _of_domains(domains: Sequence[Domain]) -> list[ListedResource]:
    """Addresses of what is settled, where a domain may be read."""
    found = [
        ListedResource(
            uri=URIS["facts"].format(domain=quote(one.name, safe="")),
            name=one.id,
            title=f"Facts: {spelled_out(one.name)}",
            mime_type="text/markdown",
        )
        for one in domains
    ]
    if found:
        uri, title = URIS["policies"], "House rules"
        found.append(
            ListedResource(uri=uri, name="policies", title=title, mime_type="text/markdown")
        )
    return found


async def _in_thread(function: Callable[[], _Client | None]) -> _Client | None:
    return await to_thread.run_sync(function)


def _is_granted(client: _Client | None, listing: _Listing) -> bool:
    if client is None or (listing.is_own and not client.caller.is_own):
        return False
    held = {(grant.tier, action) for grant in client.caller.grants for action in grant.actions}
    is_shown = client.reads_domains or (listing.of_kept and client.keeps)
    if listing.in_domains and not is_shown:
        return False
    if listing.of_skills and not client.has_skills:
        return False
    return bool(held & listing.rights) and (not listing.also or bool(held & listing.also))


def _unknown_arguments(tool: str, unknown: Sequence[str], known: Iterable[str]) -> str:
    """Which arguments there are instead; a name that was never one is cut, for it may be text."""
    names = ", ".join(one[:_LONGEST_NAME] for one in unknown)
    are = "is no argument" if len(unknown) == 1 else "are no arguments"
    there = ", ".join(known)
    return f"{names} {are} of {tool}. It takes: {there or 'none'}. Nothing was done."


def _wrong_arguments(error: ValidationError, tool: Tool) -> str:
    """Which arguments are wrong and why, without what stood in them."""
    parts = [
        f"{'.'.join(str(step) for step in one['loc'])[:_LONGEST_NAME]}: {_wrong_how(one, tool)}"
        for one in error.errors(include_input=False, include_url=False)
    ]
    return f"These arguments cannot be used: {'; '.join(parts)}."


_WRONG = {
    "missing": "it is needed",
    "too_short": "at least one is needed",
    "string_type": "a text is needed",
    "list_type": "a list is needed",
    "bool_type": "true or false is needed",
    "bool_parsing": "true or false is needed",
    "int_type": "a whole number is needed",
    "int_parsing": "a whole number is needed",
    "int_from_float": "a whole number is needed",
    "float_type": "a number is needed",
    "float_parsing": "a number is needed",
    "model_type": "an object is needed",
}


def _wrong_how(one: ErrorDetails, tool: Tool) -> str:
    """The words we allow where there is a choice; otherwise what is needed."""
    match one["type"]:
        case "literal_error":
            return f"one of {one['ctx']['expected']}"
        case "extra_forbidden":
            asked = tool.parameters["properties"][one["loc"][0]]
            fields = asked.get("items", asked)["properties"]
            return f"there is no such field; there are {', '.join(fields)}"
        case "too_long":
            return f"at most {one['ctx']['max_length']} are taken at once"
        case kind:
            return _WRONG.get(kind, kind.replace("_", " "))


async def pass_on(incoming: ReadStream[Heard], heard: WriteStream[Heard]) -> None:
    """Lose no request, so that each of them is answered; both streams are closed at the end.

    The library drops a line whose JSON holds half of a pair. Python reads it, and whoever carries
    the request out refuses the text.
    """
    async with incoming, heard:
        async for one in incoming:
            await heard.send(_read_again(one))


def _read_again(one: Heard) -> Heard:
    if isinstance(one, ValidationError):
        with suppress(ValueError, TypeError, RecursionError):
            (first, *_) = one.errors(include_url=False)
            said = json.loads(first["input"])
            return SessionMessage(jsonrpc_message_adapter.validate_python(said, by_name=False))
    return one
