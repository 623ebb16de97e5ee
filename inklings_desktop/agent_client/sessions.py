"""The conversations with one agent: begun, opened, heard from, and opened again when it died."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.acp_wire import parts, words
from inklings_desktop.acp_wire.shapes import bounded, dict_of, line_of
from inklings_desktop.agent_client.permissions import Questions, cancelled
from inklings_desktop.agent_client.session import (
    NO_ANSWER,
    OURS,
    SIGN_IN_NEEDED,
    AgentFacts,
    Problem,
    Session,
    facts_of,
    misunderstanding,
    opening,
)
from inklings_desktop.agent_client.thread_state import ThreadState

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inklings_desktop.agent_client.link import AgentLink, Reply
    from inklings_desktop.agent_client.session import Guest, Keep, Listener

BEGIN_SECONDS: Final = 120.0
"""A foreign agent on a busy machine needed 18 s for its first answer."""
OPEN_SECONDS: Final = 120.0
MAX_THREADS_UNASKED: Final = 20


class Sessions:
    """Every conversation with one agent.

    Attributes:
        facts: What the agent says of itself; None until it is there.
        problem: Why there is no agent; None while there is one or it is awaited.
    """

    def __init__(
        self,
        link: AgentLink,
        listener: Listener,
        *,
        guest: Guest | None = None,
        clock: Callable[[], datetime] | None = None,
        keep: Keep | None = None,
    ) -> None:
        """Talk over this link; `begin` sends the first words.

        Args:
            guest: Another's agent; None for the World Agent that came with this program, whose own
                words for what it does may be believed.
            clock: What rows take their time from; without one the system's.
            keep: Stores what is said before the agent hears of it; without one that is left to it.
        """
        self.facts: AgentFacts | None = None
        self.problem: Problem | None = None
        self._listener = listener
        self._is_ours = guest is None
        self._guest = guest or OURS
        self._keep = keep
        self._clock = clock or (lambda: datetime.now(UTC))
        self._sessions: dict[str, Session] = {}
        self._theirs: dict[str, str] = {}
        self._questions = Questions(is_ours=self._is_ours)
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
        params: dict[str, Any] = self._guest.place()
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
        """Let the agent open its memory before a conversation needs it.

        Nobody hears the answer: what went wrong is said where a conversation needs it.
        """
        self._once_begun(lambda: self._link.request(words.LIST, {}, seconds=OPEN_SECONDS))

    def resume_session(self, session: str) -> None:
        """Go on with a conversation whose rows are there already, from what is stored."""
        self._once_begun(lambda: self._reopen(session, told_again=False))

    def load_session(self, session: str) -> None:
        """Open a conversation; the agent tells everything that was said in it again."""
        self._once_begun(lambda: self._reopen(session, told_again=True))

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
        problem = self._named(problem)
        running = [(session, one) for session, one in sessions if one.thread.is_running]
        for _, one in sessions:
            one.is_open = False
            one.until_open = None
            one.number += 1
        self._link.close(problem)
        self._questions.withdraw()
        for session, one in running:
            self._cut_off(one, problem)
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

    def _session(self, session: str) -> Session:
        if session not in self._sessions:
            self._sessions[session] = Session(ThreadState(self._clock, self._guest.client))
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
        told_again = self._is_ours and (told_again or (facts is not None and not facts.can_resume))
        if facts is not None and told_again and not facts.can_load:
            self._listener.failed(session, Problem(words.UNKNOWN_SESSION))
            return
        if told_again:
            one.thread.begin_again()
        method, params = self._way_to(session, told_again=told_again)
        one.until_open = one.until_open or []

        def reopened(answer: dict[str, Any]) -> None:
            if not self._is_known_by(session, answer):
                not_reopened(Problem(words.AGENT_FAILED))
                return
            self._open(session, answer)
            waiting, one.until_open = one.until_open or [], None
            if told_again:
                one.thread.told_again()
            unfinished = dict_of(self._own_of(answer).get(words.UNFINISHED))
            # What was just said is stored and not answered yet, as that of a turn that stopped is.
            is_waiting = bool(waiting) and unfinished.get(words.TURN) == one.said_as
            if unfinished and not is_waiting:
                one.thread.left_unfinished(unfinished)
            self._listener.opened(session)
            self._listener.changed(session)
            for send in waiting:
                send()

        def not_reopened(problem: Problem) -> None:
            if self._theirs.pop(session, None) and method == words.RESUME:
                self._reopen(session, told_again=False)  # it lost that one, and begins another
                return
            problem = self._named(problem)
            waiting, one.until_open = one.until_open, None
            if told_again:
                one.thread.told_again(whole=False)
            if waiting:
                one.thread.fail(problem.word, problem.detail, one.turn, problem.values)
                self._over(session)
            self._listener.failed(session, problem)
            self._listener.changed(session)

        self._link.request(method, params, reopened, not_reopened, seconds=OPEN_SECONDS)

    def _way_to(self, session: str, *, told_again: bool) -> tuple[str, dict[str, Any]]:
        """How a conversation is opened: a guest goes on with its own of before, if it can."""
        place, theirs = self._guest.place(), self._theirs.get(session)
        can_resume = self.facts is not None and self.facts.can_resume
        if self._is_ours:
            return words.LOAD if told_again else words.RESUME, {"sessionId": session, **place}
        if theirs is None or not can_resume:
            return words.NEW, place
        self._link.name(session, theirs)
        return words.RESUME, {"sessionId": session, **place}

    def _is_known_by(self, session: str, answer: Mapping[str, Any]) -> bool:
        """Whether the agent has an id for one of our conversations, which is noted."""
        theirs = answer.get("sessionId") or self._theirs.get(session)
        if not self._is_ours and isinstance(theirs, str):
            self._theirs[session] = theirs
            self._link.name(session, theirs)
        return self._is_ours or isinstance(theirs, str)

    def _own_of(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """What only our own agent may say of a conversation."""
        return parts.own_of(answer) if self._is_ours else {}

    def _open(self, session: str, answer: Mapping[str, Any]) -> None:
        one = self._session(session)
        one.is_open = True
        one.thread.offer(answer.get("configOptions"))
        one.thread.modes = bounded(answer.get("modes"))
        own = self._own_of(answer)
        one.thread.pay(dict_of(own.get(words.COSTS)))
        one.thread.ref_code = line_of(own.get(words.REF_CODE), 60) or one.thread.ref_code

    def _cut_off(self, one: Session, problem: Problem) -> None:
        """End the turn that runs, with the agent: ours alone goes on in the middle of one."""
        if self._is_ours:
            one.thread.interrupt(problem.word, problem.detail)
        else:
            one.thread.fail(problem.word, problem.detail, one.turn, problem.values)

    def _named(self, problem: Problem) -> Problem:
        """The same with what its sentence names, where the agent is another's."""
        if self._is_ours:
            return problem
        told = {"agent": self._guest.title} | dict(problem.values or {})
        if problem.word == SIGN_IN_NEEDED and self.facts is not None:
            told["ways"] = list(self.facts.sign_in)
        return replace(problem, values=told)

    def _over(self, session: str) -> None:
        one = self._session(session)
        one.is_stopping = False
        one.number += 1
        self._questions.withdraw(session)
        self._listener.changed(session)
        self._listener.ended(session)

    def _updated(self, session: str, update: dict[str, Any], n_bytes: int) -> None:
        one = self._sessions.get(session)
        if one is None:
            # An agent may tell of a conversation before it answers that it began it.
            if self._n_opening == 0 or len(self._sessions) >= MAX_THREADS_UNASKED:
                return
            one = self._session(session)
        is_persons = update.get("sessionUpdate") == words.USER_CHUNK
        if one.is_ignored or (is_persons and not self._is_ours):
            return  # nobody else puts words into the person's mouth
        if one.thread.is_running and not one.guard.takes(n_bytes):
            self._link.notify(words.CANCEL, {"sessionId": session})
            one.thread.fail(words.AGENT_TOO_LOUD, turn=one.turn)
            self._over(session)
            one.is_ignored = True
            return
        if not self._is_ours:
            update = {key: value for key, value in update.items() if key != "_meta"}
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
