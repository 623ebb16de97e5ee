"""The line to one agent's process: bytes in, bytes out, calls and answers in order.

It reads nothing and waits for nothing by itself. Who drives it hands it what was read (`feed`) and
lets it work through that in small portions (`pump`): when bytes came, while `pump` says that more
waits, and about once a second while `is_waiting`, so that an answer which never comes is noticed.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.acp_wire import calls, words
from inklings_desktop.acp_wire.calls import LineSplitter
from inklings_desktop.acp_wire.shapes import line_of
from inklings_desktop.agent_client.session import (
    MAX_WAITING_BYTES,
    NO_ANSWER,
    Problem,
    UpdateRate,
    problem_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PUMP_SECONDS: Final = 0.004


class Reply:
    """How a request of the agent's is answered; only the first answer is sent."""

    def __init__(self, id_: calls.CallId, send: Callable[[bytes], None]) -> None:
        self._id = id_
        self._send: Callable[[bytes], None] | None = send

    def answer(self, result: Mapping[str, Any]) -> None:
        """Carry it out."""
        self._once(calls.answer(self._id, result))

    def refuse(self, code: int, message: str) -> None:
        """Say that it is not carried out."""
        self._once(calls.refusal(self._id, code, message))

    def _once(self, line: bytes) -> None:
        if self._send is not None:
            send, self._send = self._send, None
            send(line)


@dataclass(frozen=True, slots=True)
class _Waiting:
    on_answer: Callable[[dict[str, Any]], None]
    on_error: Callable[[Problem], None]
    ends_at: float | None


class AgentLink:
    """The calls of one process.

    Attributes:
        on_update: Told of each update: the conversation's id, the update, and its size in bytes.
        on_request: Told of each request of the agent's: its method, what it says, how to answer.
        on_idle: Told each time that everything that came has been worked through.
        n_noise: Lines that were no calls.
        is_closed: Whether nothing is sent or read any more.
    """

    def __init__(
        self, send: Callable[[bytes], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.on_update: Callable[[str, dict[str, Any], int], None] = lambda *_: None
        self.on_request: Callable[[str, dict[str, Any], Reply], None] = _refuse
        self.on_idle: Callable[[], None] = lambda: None
        self.on_too_loud: Callable[[], None] = lambda: None
        self.n_noise = 0
        self.is_closed = False
        self._send = send
        self._clock = clock
        self._lines = LineSplitter()
        self._rate = UpdateRate(clock)
        self._waiting: calls.Waiting[_Waiting] = calls.Waiting()
        self._theirs: dict[str, str] = {}
        self._reminders: list[tuple[float, Callable[[], None]]] = []

    @property
    def n_too_long(self) -> int:
        """Frames that were over the limit and left out."""
        return self._lines.n_too_long

    @property
    def is_waiting(self) -> bool:
        """Whether something is awaited that time may end: `pump` about once a second."""
        return len(self._waiting) > 0 or bool(self._reminders)

    def name(self, session: str, theirs: str) -> None:
        """Call a conversation by this id of the agent's from now on, in both directions."""
        self._theirs[session] = theirs

    def request(
        self,
        method: str,
        params: Mapping[str, Any],
        on_answer: Callable[[dict[str, Any]], None] = lambda _: None,
        on_error: Callable[[Problem], None] = lambda _: None,
        *,
        seconds: float | None = None,
    ) -> None:
        """Ask the agent; exactly one of the two is called, at the latest when the link closes.

        Without an answer in ``seconds`` the problem is ``no_answer``; None waits for ever.
        """
        if self.is_closed:
            on_error(Problem(words.AGENT_GONE))
            return
        ends_at = None if seconds is None else self._clock() + seconds
        id_ = self._waiting.add(_Waiting(on_answer, on_error, ends_at))
        self._send(calls.request(id_, method, self._outward(params)))

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        if not self.is_closed:
            self._send(calls.notification(method, self._outward(params)))

    def remind(self, of: Callable[[], None], *, seconds: float) -> None:
        """Call this from `pump` once so much time is over."""
        self._reminders.append((self._clock() + seconds, of))

    def feed(self, data: bytes) -> None:
        """Take what was read from the process; nothing is worked through before `pump`."""
        if self.is_closed:
            return
        self._lines.feed(data)
        if self._lines.n_waiting > MAX_WAITING_BYTES:
            self.on_too_loud()

    def pump(self, budget_seconds: float = PUMP_SECONDS) -> bool:
        """Work through what came, for about so long; whether more is waiting."""
        ends_at = self._clock() + budget_seconds
        while not self.is_closed and self._lines.has_lines:
            if not self._rate.may_go_on():
                self._miss_answers()
                return True
            line = self._lines.next()
            assert line is not None
            self._read(line)
            if self._clock() >= ends_at:
                break
        self._miss_answers()
        more = not self.is_closed and self._lines.has_lines
        if not more:
            self.on_idle()
        return more

    def close(self, problem: Problem | None = None) -> None:
        """Nothing comes any more: calls that wait end with this, else with ``agent_gone``."""
        if self.is_closed:
            return
        self.is_closed = True
        for call in self._waiting.take_all():
            call.on_error(problem or Problem(words.AGENT_GONE))

    def _read(self, line: bytes) -> None:
        match calls.read(line):
            case None:
                self.n_noise += 1
            case calls.Told(words.UPDATE, params):
                self._rate.count()
                session, update = self._ours(params.get("sessionId")), params.get("update")
                if isinstance(session, str) and isinstance(update, dict):
                    self.on_update(session, update, len(line))
            case calls.Told():
                pass  # what we do not know is told to nobody
            case calls.Asked(id_, method, params):
                self._rate.count()
                if self._theirs:
                    params = params | {"sessionId": self._ours(params.get("sessionId"))}
                self.on_request(method, params, Reply(id_, self._reply))
            case calls.Answered(id_, result, error):
                self._answered(id_, result, error)

    def _answered(self, id_: calls.CallId, result: Any, error: dict[str, Any] | None) -> None:
        call = self._waiting.take(id_)
        if call is None:
            self.n_noise += 1
        elif error is not None:
            call.on_error(problem_of(error))
        else:
            call.on_answer(result if isinstance(result, dict) else {})

    def _outward(self, params: Mapping[str, Any]) -> Mapping[str, Any]:
        theirs = self._theirs.get(params.get("sessionId", ""))
        return params if theirs is None else {**params, "sessionId": theirs}

    def _ours(self, theirs: object) -> object:
        """Our id of a conversation that the agent names; its own where it never got another."""
        if not self._theirs:
            return theirs
        return next((ours for ours, one in self._theirs.items() if one == theirs), None)

    def _miss_answers(self) -> None:
        now = self._clock()
        for id_, call in self._waiting.items():
            if call.ends_at is not None and now >= call.ends_at and self._waiting.take(id_):
                call.on_error(Problem(NO_ANSWER))
        due = [of for at, of in self._reminders if now >= at]
        self._reminders = [one for one in self._reminders if now < one[0]]
        for of in due:
            of()

    def _reply(self, line: bytes) -> None:
        if not self.is_closed:
            self._send(line)


def _refuse(method: str, _params: dict[str, Any], reply: Reply) -> None:
    reply.refuse(words.METHOD_NOT_FOUND, f"Not offered: {line_of(method, 60)}")
