"""Talking with one agent: its conversations, what is said in them, and what becomes of them.

A `Talk` outlives the agent's process: when that dies, running turns are marked as interrupted, and
`reconnect` opens every conversation again over a new one. Nothing new begins on a dead connection.
"""

from __future__ import annotations

import uuid
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.acp_wire import parts, words
from inklings_desktop.acp_wire.shapes import line_of, number_of
from inklings_desktop.agent_client.rows import text_of_turn
from inklings_desktop.agent_client.sessions import OPEN_SECONDS, Sessions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inklings_desktop.agent_client.session import Problem


GO_ON: Final = "Continue."
STOP_SECONDS: Final = 10.0
"""How long an agent that was told to stop may take until its turn is over for us."""


_NO_MESSAGES: Final = (
    [words.CONTINUE], [words.RETRY], [words.COMMAND_END], [words.COMMAND_UNDO], [words.COMMAND_WHY],
)  # fmt: skip


class Talk(Sessions):
    """Leads one agent: says things to it, stops it, answers what it asks."""

    def prompt(self, session: str, said: Sequence[Mapping[str, Any]], turn: str = "") -> None:
        """Say something: parts of kinds text and attachment.

        While a turn runs it is queued, and sent when that ends well. It is kept before the agent
        hears of it; with ``turn`` it was kept by now, in the turn of this name.
        """
        one = self._session(session)
        if one.thread.is_running:
            one.thread.queued = (*one.thread.queued, *said)
            self._listener.changed(session)
            return
        match _spoken(said) if self._is_ours else "":
            case "/continue":
                self.continue_(session)
            case "/retry":
                self.retry(session)
            case text if is_command(text):
                self._prompt(session, said, said)
            case _:
                n_said = sum(row.role == parts.USER for row in one.thread.turns)
                kept_in = turn or new_turn(n_said + 1)
                self._prompt(session, said, said, turn=kept_in, is_kept=bool(turn))

    def request(
        self,
        method: str,
        params: Mapping[str, Any],
        on_answer: Callable[[dict[str, Any]], None],
        on_error: Callable[[Problem], None],
        *,
        seconds: float,
    ) -> None:
        """Ask the agent what belongs to no conversation; exactly one of the two is called."""
        self._link.request(method, params, on_answer, on_error, seconds=seconds)

    @property
    def waiting(self) -> tuple[str, ...]:
        """Ids of the conversations in which something is queued."""
        return tuple(name for name, one in self._sessions.items() if one.thread.queued)

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
        """Go on with the turn that was interrupted; another's agent is asked to in words."""
        if not self._is_ours:
            self.prompt(session, [{"kind": parts.TEXT, "text": GO_ON}])
            return
        said = [{"kind": parts.TEXT, "text": f"/{words.CONTINUE}"}]
        self._prompt(session, (), said, goes_on=True)

    def retry(self, session: str) -> None:
        """Ask the last thing again."""
        if not self._is_ours:
            self._say_again(session)
            return
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

    def stop_run(self, session: str, run: str) -> None:
        """Stop one who was sent in the turn that runs, by the id of its card; the turn goes on."""
        if self._session(session).thread.is_running:
            self._ask(session, words.STOP_RUN, {"run": run}, lambda _answer: None)

    def answer(
        self, permission_id: str, option_id: str | None, chosen: Sequence[str] | None = None
    ) -> None:
        """Answer a question by one of its options, for some of its choices; None withdraws it."""
        session = self._questions.answer(permission_id, option_id, chosen)
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
        """Undo what a turn did to memory: to this one, or to all."""
        extra = {words.TURN: turn} | ({"memory": memory} if memory else {})

        def undone(_answer: dict[str, Any]) -> None:
            self._session(session).thread.undone(turn, memory)
            if then is not None:
                then()

        self._ask(session, words.UNDO, extra, undone)

    def set_option(
        self, session: str, option: str, value: str, then: Callable[[], object] | None = None
    ) -> None:
        """Set one of the options that the agent offers for a conversation."""

        def is_set(answer: dict[str, Any]) -> None:
            self._session(session).thread.offer(answer.get("configOptions"))
            if then is not None:
                then()

        self._ask(session, words.SET_CONFIG_OPTION, {"configId": option, "value": value}, is_set)

    def set_mode(self, session: str, mode: str) -> None:
        """Set one of the modes that the agent offers for a conversation."""

        def is_set(_answer: dict[str, Any]) -> None:
            thread = self._session(session).thread
            thread.modes = thread.modes | {"currentModeId": mode}

        self._ask(session, words.SET_MODE, {"modeId": mode}, is_set)

    def _say_again(self, session: str) -> None:
        """Hand another's agent the message that it did not answer; nothing is kept twice."""
        one = self._session(session)
        asked = next((row for row in reversed(one.thread.turns) if row.role == parts.USER), None)
        if asked is not None:
            said = [{"kind": parts.TEXT, "text": text_of_turn(asked)}]
            again = new_turn(len(one.thread.turns))
            self._prompt(session, (), said, turn=again, is_kept=True)

    def _prompt(
        self,
        session: str,
        shown: Sequence[Mapping[str, Any]],
        said: Sequence[Mapping[str, Any]],
        *,
        goes_on: bool = False,
        turn: str = "",
        is_kept: bool = False,
    ) -> None:
        one = self._session(session)
        if one.thread.is_running:
            return
        one.thread.begin(shown, goes_on=goes_on)
        one.guard.begin()
        one.is_stopping = one.is_ignored = False
        one.number += 1
        one.turn, one.said_as = "" if self._is_ours else turn, turn
        params: dict[str, Any] = {"sessionId": session, "prompt": parts.prompt_blocks(said)}
        if turn and self._is_ours:
            params["_meta"] = {words.OWN: {words.TURN: turn}}
        kept = partial(self._send, session, one.number, params)
        self._listener.changed(session)
        if turn and not is_kept and self._keep is not None:
            self._keep(session, turn, said, kept)
        else:
            kept()

    def _send(
        self,
        session: str,
        number: int,
        params: Mapping[str, Any],
        problem: Problem | None = None,
    ) -> None:
        """Hand the agent what was said, as soon as it can hear it; a problem ends the turn."""
        one = self._session(session)

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

        if one.number != number:
            return
        if problem is not None:
            one.turn = ""
            one.thread.fail(problem.word, problem.detail)
            self._over(session)
        elif self.problem is not None:
            self._cut_off(one, self._named(self.problem))
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
        if not self._is_ours:
            turn, ms = one.turn, None
        one.thread.finish(stop, turn, ms)
        self._over(session)
        if stop == words.END_TURN and one.thread.queued:
            self.send_queued(session)

    def _prompt_failed(self, session: str, number: int, problem: Problem) -> None:
        one = self._session(session)
        if one.number != number:
            return
        if one.is_stopping:
            one.thread.finish(words.CANCELLED, one.turn)
        else:
            problem = self._named(problem)
            one.thread.fail(problem.word, problem.detail, one.turn, problem.values)
        self._over(session)

    def _overdue(self, session: str, number: int) -> None:
        one = self._session(session)
        if one.number == number and one.is_stopping:
            one.is_ignored = True
            one.thread.finish(words.CANCELLED, one.turn)
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


def new_turn(number: int) -> str:
    """A name for a turn."""
    return f"t{number}-{uuid.uuid4().hex[:8]}"


def is_command(text: str) -> bool:
    """Whether it is a command, which is carried out and not kept."""
    return text.startswith("/") and text[1:].split(maxsplit=1)[:1] in _NO_MESSAGES


def _spoken(said: Sequence[Mapping[str, Any]]) -> str:
    return " ".join(str(part.get("text", "")) for part in said).strip()
