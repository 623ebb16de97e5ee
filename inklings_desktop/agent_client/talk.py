"""Talking with one agent: its conversations, what is said in them, and what becomes of them.

A `Talk` outlives the agent's process: when that dies, running turns are marked as interrupted, and
`reconnect` opens every conversation again over a new one. Nothing new begins on a dead connection.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol

from inklings_desktop.acp_wire import parts, words
from inklings_desktop.acp_wire.shapes import dict_of, line_of, list_of, number_of
from inklings_desktop.agent_client.guards import TurnGuard
from inklings_desktop.agent_client.handshake import (
    AgentFacts,
    facts_of,
    misunderstanding,
    opening,
)
from inklings_desktop.agent_client.permissions import cancelled
from inklings_desktop.agent_client.problems import NO_ANSWER, Problem
from inklings_desktop.agent_client.questions import Questions
from inklings_desktop.agent_client.thread_state import ThreadState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inklings_desktop.agent_client.link import AgentLink, Reply

BEGIN_SECONDS: Final = 120.0
"""A foreign agent on a busy machine needed 18 s for its first answer."""
OPEN_SECONDS: Final = 120.0
STOP_SECONDS: Final = 10.0
"""How long an agent that was told to stop may take until its turn is over for us."""
MAX_THREADS_UNASKED: Final = 20


class Listener(Protocol):
    """Who is told what becomes of a talk. Every method is called from within `AgentLink.pump`."""

    def begun(self, facts: AgentFacts) -> None:
        """The agent is there, and we understand each other."""

    def opened(self, session: str) -> None:
        """A conversation was begun or opened: it can be talked in."""

    def changed(self, session: str) -> None:
        """What is shown of a conversation changed; called often, so note it and draw later."""

    def asked(self, session: str, permission_id: str) -> None:
        """The agent asks whether it may do something."""

    def ended(self, session: str) -> None:
        """A turn ended, however it did; its row says how."""

    def failed(self, session: str | None, problem: Problem) -> None:
        """What was asked for outside a turn did not work; None: it was about no conversation."""

    def lost(self, problem: Problem) -> None:
        """The agent is gone. Threads stay; `reconnect` over a new link goes on with them."""


@dataclass(slots=True)
class _Session:
    """A conversation as this talk leads it; ``number`` counts its prompts.

    What is said while it is being opened waits in ``until_open``: the agent knows it only then.
    """

    thread: ThreadState
    guard: TurnGuard = field(default_factory=TurnGuard)
    number: int = 0
    is_open: bool = False
    is_stopping: bool = False
    is_ignored: bool = False
    until_open: list[Callable[[], None]] | None = None


class Talk:
    """Leads one agent.

    Attributes:
        facts: What the agent says of itself; None until it is there.
        problem: Why there is no agent; None while there is one or it is awaited.
    """

    def __init__(
        self,
        link: AgentLink,
        listener: Listener,
        *,
        is_ours: bool = True,
        cwd: str = os.path.abspath(os.sep),  # noqa: PTH100 - a word of the protocol, no folder of ours
        servers: Sequence[Mapping[str, Any]] = (),
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        """Talk over this link; `begin` sends the first words.

        Args:
            link: To the agent's process.
            listener: Who is told.
            is_ours: Whether it is the World Agent that came with this program, whose own words for
                what it does may be believed.
            cwd: A folder that the protocol requires; our agent does not use it.
            servers: Memory servers to name to the agent; ours starts its own.
            clock: What rows take their time from; without one the system's.
        """
        self.facts: AgentFacts | None = None
        self.problem: Problem | None = None
        self._listener = listener
        self._is_ours = is_ours
        self._cwd = cwd
        self._servers = list(servers)
        self._clock = clock or (lambda: datetime.now(UTC))
        self._sessions: dict[str, _Session] = {}
        self._questions = Questions(is_ours=is_ours)
        self._n_opening = 0
        self._until_begun: list[Callable[[], None]] = []
        self._link = link
        self._take(link)

    @property
    def is_ready(self) -> bool:
        """Whether the agent has answered the first words and is still there."""
        return self.facts is not None and not self._link.is_closed

    def thread(self, session: str) -> ThreadState:
        """What is said in a conversation; it may be filled before any agent is there."""
        return self._session(session).thread

    def begin(self) -> None:
        """Say the first words; what is asked meanwhile waits for the answer."""
        self._link.request(
            words.INITIALIZE, opening(), self._begun, self._not_begun, seconds=BEGIN_SECONDS
        )

    def new_session(
        self, channel: str | None = None, then: Callable[[str], None] | None = None
    ) -> None:
        """Begin a conversation, in this channel; `then` is told its id, before `opened`."""
        params: dict[str, Any] = {"cwd": self._cwd, "mcpServers": self._servers}
        if channel:
            params["_meta"] = {words.OWN: {words.CHANNEL: channel}}

        def made(answer: dict[str, Any]) -> None:
            self._n_opening -= 1
            session = answer.get("sessionId")
            if not isinstance(session, str) or not session:
                self._listener.failed(None, Problem(words.AGENT_FAILED))
                return
            self._open(session, answer)
            if then is not None:
                then(session)
            self._listener.opened(session)

        def not_made(problem: Problem) -> None:
            self._n_opening -= 1
            self._listener.failed(None, problem)

        def send() -> None:
            self._n_opening += 1
            self._link.request(words.NEW, params, made, not_made, seconds=OPEN_SECONDS)

        self._once_begun(send)

    def warm_up(self) -> None:
        """Let the agent open its memory before a conversation needs it; nobody hears the answer."""

        def nothing(_answer: object) -> None:
            """What went wrong is said where a conversation needs it."""

        self._once_begun(
            lambda: self._link.request(words.LIST, {}, nothing, nothing, seconds=OPEN_SECONDS)
        )

    def resume_session(self, session: str) -> None:
        """Go on with a conversation whose rows are there already, from what is stored."""
        self._once_begun(lambda: self._reopen(session, told_again=False))

    def load_session(self, session: str) -> None:
        """Open a conversation; the agent tells everything that was said in it again."""
        self._once_begun(lambda: self._reopen(session, told_again=True))

    def prompt(self, session: str, said: Sequence[Mapping[str, Any]]) -> None:
        """Say something: parts of kinds text and attachment.

        While a turn runs it is queued, and sent when that ends well.
        """
        one = self._session(session)
        if one.thread.is_running:
            one.thread.queued = (*one.thread.queued, *said)
            self._listener.changed(session)
            return
        match _spoken(said):
            case "/continue":
                self.continue_(session)
            case "/retry":
                self.retry(session)
            case _:
                self._prompt(session, said, said)

    def unqueue(self, session: str) -> tuple[Mapping[str, Any], ...]:
        """Take back what is queued: its parts."""
        thread = self._session(session).thread
        queued, thread.queued = thread.queued, ()
        self._listener.changed(session)
        return queued

    def send_queued(self, session: str) -> None:
        """Say what is queued."""
        if said := self.unqueue(session):
            self.prompt(session, said)

    def continue_(self, session: str) -> None:
        """Go on with the turn that was interrupted."""
        said = [{"kind": parts.TEXT, "text": f"/{words.CONTINUE}"}]
        self._prompt(session, (), said, goes_on=True)

    def retry(self, session: str) -> None:
        """Ask the last thing again."""
        self._prompt(session, (), [{"kind": parts.TEXT, "text": f"/{words.RETRY}"}])

    def cancel(self, session: str) -> None:
        """Stop the turn that runs; what was written stays."""
        one = self._session(session)
        if not one.thread.is_running:
            return
        self._link.notify(words.CANCEL, {"sessionId": session})
        self._questions.withdraw(session)
        one.is_stopping = True
        overdue = partial(self._overdue, session, one.number)
        self._link.remind(overdue, seconds=STOP_SECONDS)
        self._listener.changed(session)

    def answer(self, permission_id: str, option_id: str | None) -> None:
        """Answer a question by one of its options; None withdraws it."""
        session = self._questions.answer(permission_id, option_id)
        if session is not None:
            self._listener.changed(session)

    def end(self, session: str, then: Callable[[], None] | None = None) -> None:
        """End a conversation: its own tier is forgotten, its summary goes to the channel."""
        self._ask(session, words.END, {}, lambda _: then() if then else None)

    def undo(
        self,
        session: str,
        turn: str,
        memory: str | None = None,
        then: Callable[[], None] | None = None,
    ) -> None:
        """Take back what a turn did to memory: to this one, or to all."""
        extra = {words.TURN: turn} | ({"memory": memory} if memory else {})

        def undone(answer: dict[str, Any]) -> None:
            told = list_of(parts.own_of(answer).get(words.TOUCHED) or answer.get(words.TOUCHED))
            self._session(session).thread.undone(turn, memory, told)
            if then is not None:
                then()

        self._ask(session, words.UNDO, extra, undone)

    def set_option(self, session: str, option: str, value: str) -> None:
        """Set one of the options that the agent offers for a conversation."""

        def is_set(answer: dict[str, Any]) -> None:
            self._session(session).thread.offer(answer.get("configOptions"))

        self._ask(session, words.SET_CONFIG_OPTION, {"configId": option, "value": value}, is_set)

    def let_go(self, session: str) -> None:
        """Close a conversation at this agent; ends nothing."""
        self._sessions.pop(session, None)
        if self.is_ready:
            self._link.request(words.CLOSE, {"sessionId": session})

    def lost(self, problem: Problem | None = None) -> None:
        """The process is gone, or is not to be talked with any more."""
        if self.problem is not None:
            return
        problem = problem or Problem(
            words.AGENT_GONE if self.facts is not None else words.AGENT_FAILED_TO_START
        )
        self.problem = problem
        self.facts = None
        self._until_begun = []
        sessions = list(self._sessions.items())
        running = [(session, one) for session, one in sessions if one.thread.is_running]
        for _, one in sessions:
            one.is_open = False
            one.until_open = None
            one.number += 1
        self._link.close(problem)
        self._questions.withdraw()
        for session, one in running:
            one.thread.interrupt(problem.word, problem.detail)
            self._listener.changed(session)
            self._listener.ended(session)
        self._listener.lost(problem)

    def reconnect(self, link: AgentLink) -> None:
        """Talk over a new process: its first words, then every conversation that is shown."""
        self.lost()
        self.problem = None
        self._n_opening = 0
        self._link = link
        self._take(link)
        self.begin()
        for session in self._sessions:
            self._once_begun(partial(self._reopen, session, told_again=True))

    def _take(self, link: AgentLink) -> None:
        link.on_update = self._updated
        link.on_request = self._requested
        link.on_idle = self._settle
        link.on_too_loud = lambda: self.lost(Problem(words.AGENT_TOO_LOUD))

    def _session(self, session: str) -> _Session:
        if session not in self._sessions:
            speaker = words.WORLD_AGENT if self._is_ours else ""
            self._sessions[session] = _Session(ThreadState(self._clock, speaker))
        return self._sessions[session]

    def _begun(self, answer: dict[str, Any]) -> None:
        problem = misunderstanding(answer)
        if problem is not None:
            self._not_begun(problem)
            return
        self.facts = facts_of(answer)
        waiting, self._until_begun = self._until_begun, []
        self._listener.begun(self.facts)
        for send in waiting:
            send()

    def _not_begun(self, problem: Problem) -> None:
        is_silent = problem.word == NO_ANSWER
        self.lost(Problem(words.AGENT_FAILED_TO_START) if is_silent else problem)

    def _once_begun(self, send: Callable[[], None]) -> None:
        if self.problem is not None:
            self._listener.failed(None, self.problem)
        elif self.facts is None:
            self._until_begun.append(send)
        else:
            send()

    def _reopen(self, session: str, *, told_again: bool) -> None:
        one = self._session(session)
        facts = self.facts
        told_again = told_again or (facts is not None and not facts.can_resume)
        if facts is not None and told_again and not facts.can_load:
            self._listener.failed(session, Problem(words.UNKNOWN_SESSION))
            return
        if told_again:
            one.thread.begin_again()
        params = {"sessionId": session, "cwd": self._cwd, "mcpServers": self._servers}

        one.until_open = one.until_open or []

        def reopened(answer: dict[str, Any]) -> None:
            self._open(session, answer)
            waiting, one.until_open = one.until_open or [], None
            if told_again:
                one.thread.told_again()
            if unfinished := dict_of(parts.own_of(answer).get(words.UNFINISHED)):
                one.thread.left_unfinished(unfinished)
            self._listener.opened(session)
            self._listener.changed(session)
            for send in waiting:
                send()

        def not_reopened(problem: Problem) -> None:
            waiting, one.until_open = one.until_open, None
            if told_again:
                one.thread.told_again(whole=False)
            if waiting:
                one.thread.fail(problem.word, problem.detail)
                self._over(session)
            self._listener.failed(session, problem)
            self._listener.changed(session)

        method = words.LOAD if told_again else words.RESUME
        self._link.request(method, params, reopened, not_reopened, seconds=OPEN_SECONDS)

    def _open(self, session: str, answer: Mapping[str, Any]) -> None:
        one = self._session(session)
        one.is_open = True
        one.thread.offer(answer.get("configOptions"))
        own = parts.own_of(answer)
        one.thread.ref_code = line_of(own.get(words.REF_CODE), 60) or one.thread.ref_code

    def _prompt(
        self,
        session: str,
        shown: Sequence[Mapping[str, Any]],
        said: Sequence[Mapping[str, Any]],
        *,
        goes_on: bool = False,
    ) -> None:
        one = self._session(session)
        if one.thread.is_running:
            return
        one.thread.begin(shown, goes_on=goes_on)
        one.guard.begin()
        one.is_stopping = one.is_ignored = False
        one.number += 1
        number = one.number
        params = {"sessionId": session, "prompt": parts.prompt_blocks(said)}

        def send() -> None:
            if one.number == number:
                self._link.request(
                    words.PROMPT,
                    params,
                    partial(self._prompt_ended, session, number),
                    partial(self._prompt_failed, session, number),
                )

        def send_once_open() -> None:
            if one.until_open is None:
                send()
            else:
                one.until_open.append(send)

        self._listener.changed(session)
        if self.problem is not None:
            one.thread.interrupt(self.problem.word, self.problem.detail)
            self._over(session)
        elif self.facts is None:
            self._until_begun.append(send_once_open)
        else:
            send_once_open()

    def _prompt_ended(self, session: str, number: int, answer: dict[str, Any]) -> None:
        one = self._session(session)
        if one.number != number:
            return
        own = parts.own_of(answer)
        stop = line_of(answer.get("stopReason"), 60)
        turn, ms = line_of(own.get(words.TURN), 64), number_of(own.get(words.MS))
        one.thread.finish(stop, turn, ms)
        self._over(session)
        if stop == words.END_TURN and one.thread.queued:
            self.send_queued(session)

    def _prompt_failed(self, session: str, number: int, problem: Problem) -> None:
        one = self._session(session)
        if one.number != number:
            return
        if one.is_stopping:
            one.thread.finish(words.CANCELLED)
        else:
            one.thread.fail(problem.word, problem.detail)
        self._over(session)

    def _over(self, session: str) -> None:
        one = self._session(session)
        one.is_stopping = False
        one.number += 1
        self._questions.withdraw(session)
        self._listener.changed(session)
        self._listener.ended(session)

    def _overdue(self, session: str, number: int) -> None:
        one = self._session(session)
        if one.number == number and one.is_stopping:
            one.is_ignored = True
            one.thread.finish(words.CANCELLED)
            self._over(session)

    def _ask(
        self,
        session: str,
        method: str,
        extra: Mapping[str, Any],
        on_answer: Callable[[dict[str, Any]], None],
    ) -> None:
        def done(answer: dict[str, Any]) -> None:
            on_answer(answer)
            self._listener.changed(session)

        params = {"sessionId": session, **extra}
        self._once_begun(
            lambda: self._link.request(
                method,
                params,
                done,
                lambda problem: self._listener.failed(session, problem),
                seconds=OPEN_SECONDS,
            )
        )

    def _updated(self, session: str, update: dict[str, Any], n_bytes: int) -> None:
        one = self._sessions.get(session)
        if one is None:
            # An agent may tell of a conversation before it answers that it began it.
            if self._n_opening == 0 or len(self._sessions) >= MAX_THREADS_UNASKED:
                return
            one = self._session(session)
        if one.is_ignored:
            return
        if one.thread.is_running and not one.guard.takes(n_bytes):
            self._link.notify(words.CANCEL, {"sessionId": session})
            one.thread.fail(words.AGENT_TOO_LOUD)
            self._over(session)
            one.is_ignored = True
            return
        one.thread.apply(update)
        self._listener.changed(session)

    def _requested(self, method: str, params: dict[str, Any], reply: Reply) -> None:
        session = params.get("sessionId")
        if method != words.REQUEST_PERMISSION:
            reply.refuse(words.METHOD_NOT_FOUND, f"Not offered: {line_of(method, 60)}")
        elif not isinstance(session, str) or session not in self._sessions:
            reply.refuse(words.INVALID_PARAMS, "No such session")
        else:
            self._questioned(session, params, reply)

    def _questioned(self, session: str, params: dict[str, Any], reply: Reply) -> None:
        one = self._sessions[session]
        n_open = len(one.thread.open_questions)
        if one.is_stopping or one.is_ignored or not one.guard.may_ask(n_open):
            reply.answer(cancelled())
            return
        ask = self._questions.take(session, one.thread, params, reply)
        if ask is None:
            reply.refuse(words.INVALID_PARAMS, "No options")
            return
        self._listener.changed(session)
        self._listener.asked(session, ask.id)

    def _settle(self) -> None:
        for session, one in list(self._sessions.items()):
            if one.thread.settle():
                self._listener.changed(session)


def _spoken(said: Sequence[Mapping[str, Any]]) -> str:
    return " ".join(str(part.get("text", "")) for part in said).strip()
