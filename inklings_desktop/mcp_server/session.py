"""One client on one workspace: who it is at every request, and what becomes of the request.

Tools are plain functions that several threads may call at once. The caller is asked for anew at
every request, so that a grant or its loss holds from the next one on.
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
import time
from collections import deque
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar, cast

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from inklings_desktop.acp_wire.words import WORLD_AGENT
from inklings_desktop.domain.access.access import (
    Action,
    KeptRequest,
    RequestMark,
    checked_request_key,
)
from inklings_desktop.domain.access.clients import (
    ARRIVED,
    WRITES_COUNTED_FOR,
    Client,
    ClientCall,
    ClientKind,
    Participation,
    caller_of,
    preset_rights,
)
from inklings_desktop.domain.errors import (
    ConflictError,
    DatabaseBusyError,
    HeldForReviewError,
    InklingsError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
    StorageError,
)
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.scrub.scrub_request import NoWindowError
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.mcp_server.words.answers import (
    held_answer,
    hit_answer,
    placed_answer,
    readable,
    sentence_of,
    short_hit_answer,
    word_of,
)
from inklings_desktop.mcp_server.words.sizes import FOR_MODELS, FOR_PROGRAM, Room
from inklings_desktop.usecases.access.known_clients import gates_for
from inklings_desktop.usecases.steps.reading_on import read_on

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.mcp_server.words.shapes import Hit
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.search.read_memories import ReadMemory

RequestKey = Annotated[
    str | None, Field(description="Your name for this call; sent again, it does nothing more.")
]
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Repeatable(Generic[Answer]):
    """A call that may be sent again.

    Attributes:
        key: What the client calls it; None for one that it will not send again.
        arguments: The others; JSON.
        again: The answer where it was carried out before; None carries it out once more, which
            then does nothing new.
    """

    key: str | None
    arguments: Mapping[str, Any]
    again: Callable[[Inklings, KeptRequest], Answer | None]

    def mark(self, tool: str) -> RequestMark | None:
        """What is kept of it with what it does; None without a key.

        Raises:
            InvalidValueError: No key can look like this.
        """
        if self.key is None:
            return None
        text = json.dumps(self.arguments, sort_keys=True, ensure_ascii=False)
        digest = hashlib.sha256(text.encode()).hexdigest()
        return RequestMark(checked_request_key(self.key), tool, digest)


MAX_REFUSALS_PER_MINUTE = 120
"""After so many within a minute every request of this client is turned away for a while."""

_log = logging.getLogger("inklings.mcp")


class RequestFailedError(ToolError):
    """A request was refused or failed; the sentence says why.

    Attributes:
        word: The same as a stable word, such as ``not_found``.
        may_pass: Whether the same may work a moment later.
    """

    def __init__(self, sentence: str, word: str, *, may_pass: bool = False) -> None:
        super().__init__(sentence)
        self.word = word
        self.may_pass = may_pass


@dataclass(slots=True)
class Warmth:
    """What every session in this process knows of the model.

    Attributes:
        is_warming: Whether it is still being loaded; searches go by words alone until it is.
    """

    is_warming: bool = False


class ClientSession:
    """Opens the data root when it is first needed; the protocol answers before that.

    Attributes:
        is_program: Whether it has the name of the World Agent's own program, which alone is shown
            the tools that keep a talk.
    """

    def __init__(
        self,
        client: str,
        opener: Callable[[], AbstractContextManager[Inklings]],
        warmth: Warmth | None = None,
    ) -> None:
        """Know who asks; nothing is opened yet.

        Args:
            client: Name of the client, as it is configured.
            opener: Opens the data root bound to one workspace.
            warmth: Shared with the other sessions of this process; None where there are none.
        """
        self.client = client
        self.is_program = client == WORLD_AGENT
        self.warmth = warmth or Warmth()
        self._opener = opener
        self._lock = threading.Lock()
        self._refusals = _Refusals()
        self._has_arrived = self.is_program  # whoever started that knows
        self._is_closed = False
        self._stack = ExitStack()
        self._inklings: Inklings | None = None

    @property
    def inklings(self) -> Inklings:
        """The use cases, opened at the first use.

        Raises:
            InklingsError: The data root cannot be opened, or the session is over.
        """
        with self._lock:
            if self._is_closed:
                raise StorageError(detail="closed")
            if self._inklings is None:
                self._inklings = self._stack.enter_context(self._opener())
            return self._inklings

    @property
    def room(self) -> Room:
        """How much an answer to this client holds."""
        return FOR_PROGRAM if self.is_program else FOR_MODELS

    @property
    def workspace_id(self) -> str:
        workspace = self.inklings.workspace
        if workspace is None:
            raise InvalidValueError("workspace", "missing")
        return workspace.id

    def close(self) -> None:
        """Let go of the data root, for good; a request that comes later opens nothing."""
        with self._lock:
            self._is_closed = True
            self._inklings = None
            self._stack.close()

    def mode(self, wanted: SearchMode) -> SearchMode:
        """How a search is answered now: nobody waits for the model to load."""
        return SearchMode.KEYWORD if self.warmth.is_warming else wanted

    def told(
        self,
        caller: Caller,
        found: Sequence[ReadMemory],
        *,
        in_full: bool,
        places: Mapping[ScopeKey, str] | None = None,
    ) -> list[Hit]:
        """Hits as this client is told of them, as many as an answer has room for."""
        now = self.inklings.clock()
        hits: list[Hit] = []
        for one in found:
            hit = hit_answer(caller, one) if in_full else short_hit_answer(caller, one, now)
            if places is not None:
                placed_answer(hit, one.entry.scope, places)
            hits.append(self.room.shortened(hit))
        return self.room.fitting(hits)

    def caller(self) -> Caller:
        """Who this client is now."""
        return self.inklings.clients.admit(self.client, self.workspace_id)

    def note_arrival(self) -> None:
        """Note, once, that the client opened its memory: who hosts it waits to see that.

        Raises:
            InklingsError: It is not let in, or the store cannot be read.
        """
        if not self._has_arrived:
            self.caller()
            self._has_arrived = True
            self._note(ARRIVED, None, "done", 0, "", 0, is_write=False)

    def caller_if_let_in(self) -> Caller:
        """Who this client would be once the author lets it in; only good for lists of tools."""
        workspace_id = self.workspace_id
        kind = ClientKind.EXTERNAL
        rights = preset_rights(kind, workspace_id)
        client = Client(self.client, kind, self.inklings.clock(), rights)
        gates = gates_for(self.inklings.parts.store, client, workspace_id)
        return caller_of(client, workspace_id, Participation(), gates)

    def scope(
        self, mine: Inklings, tier: Tier, scope: str | None, action: Action = Action.READ
    ) -> ScopeKey:
        """The scope key that a tier and a name mean to this caller.

        Args:
            scope: Id or name of the room; None for the tiers that have one scope only.
            action: What is to be done there: the right to that opens the room.

        Raises:
            ScopeDeniedError: The room is closed to it, or not there.
            InvalidValueError: A room has to be named, or must not be.
        """
        workspace_id = self.workspace_id
        if tier in {Tier.WORKSPACE, Tier.ACCOUNT}:
            own = ScopeKey.account() if tier is Tier.ACCOUNT else ScopeKey.workspace(workspace_id)
            if scope not in {None, "", own.key}:
                raise InvalidValueError("scope", "not_wanted")
            return own
        if not scope:
            raise InvalidValueError("scope", "missing")
        if tier is Tier.CHANNEL:
            channel = mine.channels.get(workspace_id, scope, action)
            return ScopeKey.channel(workspace_id, channel.id)
        room = mine.conversations.hear(workspace_id, scope, action)
        return ScopeKey.conversation(workspace_id, room.id)

    def call(
        self,
        tool: str,
        body: Callable[[Inklings], tuple[Answer, int]],
        *,
        tier: Tier | None = None,
        is_write: bool = False,
        done: str = "",
        repeatable: Repeatable[Answer] | None = None,
    ) -> Answer:
        """Carry out one request and note what became of it; what does not show is spelled out.

        Args:
            body: Does it with the caller's use cases; hands back the answer and how many entries
                it holds.
            tier: The tier that was asked about.
            is_write: Whether it counts against the limit of writes.
            done: Word for the author when it is done; empty for the usual one.
            repeatable: Where the client may send it again.

        Raises:
            RequestFailedError: It was refused or failed; the sentence says why.
        """
        began = time.monotonic()
        caller: Caller | None = None
        document: Answer | None = None
        answer, n_entries, error = done or ("stored" if is_write else "entries"), 0, ""
        try:
            self._refusals.require_few(began)
            caller = asker = read_on(self.caller)
            if is_write:
                self.inklings.clients.require_allowance(self.client)
            mark = repeatable.mark(tool) if repeatable else None
            mine = self.inklings.as_caller(replace(asker, request=mark))
            document = self._repeated(mine, mark, repeatable)
            if document is None:
                try:
                    document, n_entries = read_on(lambda: body(mine))
                except ConflictError as other:
                    # The same call was sent twice at once, and the other one was quicker.
                    if other.kind != "request":
                        raise
                    document = self._repeated(mine, mark, repeatable)
                    if document is None:
                        raise
        except HeldForReviewError as held:
            answer, n_entries = "held", len(held.proposal_ids)
            document = cast("Answer", held_answer(held.reason, held.proposal_ids))
        except InklingsError as failure:
            is_refusal = isinstance(failure, ScopeDeniedError | NoWindowError)
            answer = "refused" if is_refusal else "failed"
            error = word_of(failure)
            if is_refusal:
                self._refusals.note(began)
            if caller is not None and isinstance(failure, ScopeDeniedError):
                self.inklings.as_caller(caller).clients.note_refusal(
                    _verb(tool), self.workspace_id, failure
                )
            is_busy = isinstance(failure, DatabaseBusyError)
            said = spelled_out(sentence_of(failure))
            raise RequestFailedError(said, error, may_pass=is_busy) from None
        except Exception:
            answer, error = "failed", "failed"
            raise
        finally:
            self._note(
                tool, tier, answer, n_entries, error, time.monotonic() - began, is_write=is_write
            )
        return cast("Answer", readable(document))

    def _repeated(
        self, mine: Inklings, mark: RequestMark | None, repeatable: Repeatable[Answer] | None
    ) -> Answer | None:
        """The answer to a request that was carried out before; None for any other.

        Raises:
            InvalidValueError: Another request had this key.
        """
        if mark is None or repeatable is None:
            return None
        kept = mine.messages.kept(self.workspace_id, mark.key)
        if kept is None:
            return None
        if kept.mark != mark:
            raise InvalidValueError("request_key", "reused")
        answer = repeatable.again(mine, kept)
        if answer is None:
            return None
        return cast("Answer", {**cast("dict[str, Any]", answer), "repeated": True})

    def _note(
        self,
        tool: str,
        tier: Tier | None,
        answer: str,
        n_entries: int,
        error: str,
        seconds: float,
        *,
        is_write: bool,
    ) -> None:
        try:
            inklings = self.inklings
            inklings.clients.note_call(
                ClientCall(
                    self.client,
                    inklings.clock(),
                    tool,
                    tier,
                    self.workspace_id,
                    answer,
                    n_entries,
                    error,
                    round(seconds * 1_000),
                    is_write=is_write and answer in {"stored", "held"},
                )
            )
        except InklingsError as failure:
            # The request itself is done; that it cannot be listed must not undo it.
            _log.warning("request not noted: %s", type(failure).__name__)


class Tools:
    """Plain functions over one session; the names are the names of the tools."""

    def __init__(self, session: ClientSession) -> None:
        self._session = session

    def _write(
        self,
        tool: str,
        body: Callable[[Inklings], tuple[Answer, int]],
        tier: Tier,
        repeatable: Repeatable[Answer],
    ) -> Answer:
        return self._session.call(tool, body, tier=tier, is_write=True, repeatable=repeatable)


class _Refusals:
    """Holds a client to a limit of refusals a minute: each of them stays in the log for ever."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at: deque[float] = deque(maxlen=MAX_REFUSALS_PER_MINUTE)

    def note(self, now: float) -> None:
        """One more, at a reading of the monotonic clock in seconds."""
        with self._lock:
            self._at.append(now)

    def require_few(self, now: float) -> None:
        """Return only while there were not too many within the last minute.

        Raises:
            InvalidValueError: There were.
        """
        with self._lock:
            is_full = len(self._at) == MAX_REFUSALS_PER_MINUTE
            if is_full and now - self._at[0] < WRITES_COUNTED_FOR.total_seconds():
                raise InvalidValueError("refusals", "too_many", MAX_REFUSALS_PER_MINUTE)


def _verb(tool: str) -> str:
    """The word of the log for a tool: ``memory.read`` for ``memory_read``."""
    kind, _, action = tool.rpartition("_")
    return f"{kind}.{action}" if kind else tool.replace(":", ".")


def served_workspace(inklings: Inklings, client: str, wanted: str | None) -> Workspace:
    """The workspace that is named; else the only one, or the only one that the client may enter.

    Its file is opened, so that what is wrong with it is said before anything is served.

    Raises:
        NotFoundError: There is none of this name, or it has to be named.
        StorageError: It cannot be opened.
    """
    found = _found(inklings, client, wanted)
    inklings.places.channels(found.id)
    return found


def _found(inklings: Inklings, client: str, wanted: str | None) -> Workspace:
    every = inklings.places.workspaces()
    known = tuple(one.name for one in every)
    if wanted is not None:
        try:
            return inklings.workspaces.find(wanted)
        except NotFoundError:
            raise NotFoundError("workspace", wanted, known) from None
    if len(every) > 1:
        rights = {one.client.name: one.client.rights for one in inklings.clients.list()}
        entered = {right.workspace_id for right in rights.get(client, ())}
        every = tuple(one for one in every if one.id in entered)
    if len(every) != 1:
        raise NotFoundError("workspace", "", known)
    return every[0]
