"""A conversation led line by line: one turn after the other, told as it comes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from inklings_desktop.acp_wire import parts, words
from inklings_desktop.agent_client.launching import Starts
from inklings_desktop.agent_client.link import AgentLink
from inklings_desktop.agent_client.permissions import rejecting
from inklings_desktop.agent_client.rows import (
    ASSISTANT,
    USER,
    AskBlock,
    Block,
    NoticeBlock,
    PlanBlock,
    ProblemBlock,
    StepBlock,
    TextBlock,
    Turn,
)
from inklings_desktop.agent_client.session import Problem
from inklings_desktop.agent_client.talk import Talk, new_turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inklings_desktop.agent_client.plain_process import PlainProcess
    from inklings_desktop.agent_client.session import AgentFacts, Guest, Keep
    from inklings_desktop.agent_client.thread_state import ThreadState

WAIT_SECONDS: Final = 0.05
BUDGET_SECONDS: Final = 0.02
Picked = str | tuple[str, tuple[str, ...]]


class Terminal(Protocol):
    """Who sits at the other end."""

    def write(self, text: str) -> None:
        """Text of the answer, as it comes."""

    def show(self, block: Block) -> None:
        """Something else of the answer, once it is as it stays."""

    def ask(self, ask: AskBlock) -> Picked | None:
        """The option that the person picks, or it and its choices; None if nobody can be asked."""

    def is_stopped(self) -> bool:
        """Whether the person wants the turn to stop."""


class AgentProblemError(Exception):
    """The conversation cannot go on.

    Attributes:
        last_lines: What the agent said last on standard error.
    """

    def __init__(self, problem: Problem, last_lines: tuple[str, ...] = ()) -> None:
        super().__init__(problem.word)
        self.problem = problem
        self.last_lines = last_lines


class TerminalChat:
    """Leads one conversation with an agent in a plain process.

    Attributes:
        session: The conversation's id; empty before `open`.
    """

    def __init__(
        self,
        start: Callable[[], PlainProcess],
        terminal: Terminal,
        starts: Starts | None = None,
        keep: Keep | None = None,
        guest: Guest | None = None,
        record: Callable[[Turn], None] | None = None,
    ) -> None:
        """Lead one; nothing is started before `open`.

        Args:
            start: Starts the agent's process.
            terminal: Who sits at the other end.
            starts: How often it may be started.
            keep: Stores what is said before the agent hears of it.
            guest: Another's agent; None for the World Agent.
            record: Stores what an agent said that does not store it itself.
        """
        self.session = ""
        self._guest = guest
        self._record = record
        self._start = start
        self._terminal = terminal
        self._starts = starts or Starts()
        self._process: PlainProcess | None = None
        self._talk: Talk | None = None
        self._link: AgentLink | None = None
        self._problem: Problem | None = None
        self._is_over = False
        self._keep = keep
        self._kept_in = ""
        self._asked: list[str] = []
        self._teller = _Teller(terminal)

    @property
    def thread(self) -> ThreadState:
        """What was said."""
        assert self._talk is not None
        return self._talk.thread(self.session)

    def keep_first(self, conversation: str, text: str) -> None:
        """Store what will be said first, before any agent is started.

        Raises:
            AgentProblemError: It cannot be kept.
        """
        if self._keep is not None:
            self._kept_in = new_turn(1)
            said = [{"kind": parts.TEXT, "text": text}]
            self._keep(conversation, self._kept_in, said, self._require_kept)

    def open(self, conversation: str | None = None, channel: str | None = None) -> None:
        """Start the agent, and begin a conversation or go on with this one.

        Raises:
            AgentProblemError: It cannot be opened.
        """
        link = self._started()
        self._talk = Talk(link, self, keep=self._keep, guest=self._guest)
        self._talk.begin()
        if conversation is None:
            self._talk.new_session(channel, self._named)
        else:
            self.session = conversation
            self._talk.resume_session(conversation)
        self._until_over()

    def say(self, text: str, turn: str = "") -> Turn:
        """Say this and tell the answer; the answer's row.

        An agent that died meanwhile is started again first.

        Args:
            text: What is said.
            turn: The turn in which that was kept by others; empty where it is to be kept here.

        Raises:
            AgentProblemError: There is no agent to answer it.
        """
        assert self._talk is not None
        if self._talk.problem is not None:
            self._talk.reconnect(self._started())
            self._until_over()
            self._teller.know(self.thread.turns)
        kept_in, self._kept_in = turn or self._kept_in, ""
        self._talk.prompt(self.session, [{"kind": parts.TEXT, "text": text}], kept_in)
        is_stopping = False
        while not self._is_over:
            self._step()
            self._teller.tell(self.thread.turns)
            for id_ in self._asked:
                self._answer(id_)
            self._asked = []
            if self._terminal.is_stopped() and not is_stopping:
                is_stopping = True
                self._talk.cancel(self.session)
        self._is_over, self._problem = False, None
        self._teller.tell(self.thread.turns)
        answer = next(turn for turn in reversed(self.thread.turns) if turn.role == ASSISTANT)
        if self._record is not None and self._guest is not None and answer.is_named:
            self._record(answer)
        return answer

    def close(self) -> None:
        """Let go of the conversation; that ends nothing."""
        if self._process is not None:
            self._process.leave()

    def begun(self, facts: AgentFacts) -> None:
        """The agent is there."""

    def opened(self, session: str) -> None:
        """The conversation can be talked in."""
        self._is_over = session == self.session

    def changed(self, session: str) -> None:
        """It is looked at after each step anyway."""

    def asked(self, _session: str, permission_id: str) -> None:
        """Ask once this step is done."""
        self._asked.append(permission_id)

    def ended(self, _session: str) -> None:
        """The turn is over."""
        self._is_over = True

    def failed(self, _session: str | None, problem: Problem) -> None:
        """What was asked for did not work."""
        self._problem = problem
        self._is_over = True

    def lost(self, problem: Problem) -> None:
        """The agent is gone."""
        self._problem = problem
        self._is_over = True

    def _require_kept(self, problem: Problem | None) -> None:
        if problem is not None:
            raise AgentProblemError(problem)

    def _named(self, session: str) -> None:
        self.session = session

    def _started(self) -> AgentLink:
        if self._process is not None:
            self._process.leave()
        if not self._starts.take():
            raise AgentProblemError(Problem(words.AGENT_FAILED_TO_START), self._last_lines())
        try:
            self._process = self._start()
        except OSError as error:
            problem = Problem(words.AGENT_FAILED_TO_START, error.strerror or "")
            raise AgentProblemError(problem) from error
        self._link = AgentLink(self._process.send)
        return self._link

    def _until_over(self) -> None:
        while not self._is_over:
            self._step()
        self._is_over = False
        if self._problem is not None:
            problem, self._problem = self._problem, None
            raise AgentProblemError(problem, self._last_lines())

    def _step(self) -> None:
        """Read what came, and work through some of it."""
        assert self._process is not None
        assert self._link is not None
        assert self._talk is not None
        more = self._link.pump(BUDGET_SECONDS)
        if self._is_over:
            return
        data = self._process.read(0.002 if more else WAIT_SECONDS)
        if data:
            self._link.feed(data)
        elif data is not None:
            while self._link.pump(BUDGET_SECONDS):
                pass
            self._talk.lost(self._end())

    def _end(self) -> Problem | None:
        """How another's process ended; None for our own, of which the talk knows what to say."""
        assert self._process is not None
        if self._guest is None:
            return None
        return self._process.end(is_ready=self._talk is not None and self._talk.is_ready)

    def _answer(self, id_: str) -> None:
        assert self._talk is not None
        ask = next((one for one in self.thread.open_questions if one.id == id_), None)
        if ask is None:
            return
        picked = self._terminal.ask(ask)
        option, chosen = picked if isinstance(picked, tuple) else (picked, None)
        if option is None and (fallback := rejecting(ask)) is not None:
            option = fallback.id
        self._talk.answer(id_, option, chosen)

    def _last_lines(self) -> tuple[str, ...]:
        return tuple(self._process.last_lines) if self._process is not None else ()


class _Teller:
    """Tells what is new in the rows of a turn."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._written: dict[tuple[int, int], str] = {}
        self._shown: set[tuple[int, int]] = set()

    def know(self, turns: tuple[Turn, ...]) -> None:
        """Take all of this as told."""
        self._written, self._shown = {}, set()
        for _ in self._new(turns):
            pass

    def tell(self, turns: tuple[Turn, ...]) -> None:
        """Write what was added since the last time."""
        for new in self._new(turns):
            if isinstance(new, str):
                self._terminal.write(new)
            else:
                self._terminal.show(new)

    def _new(self, turns: tuple[Turn, ...]) -> Iterator[str | Block]:
        for row, turn in enumerate(turns):
            if turn.role == USER:
                continue
            for place, block in enumerate(turn.blocks):
                key = row, place
                if isinstance(block, TextBlock):
                    done = self._written.get(key, "")
                    if done.startswith(block.text):
                        continue  # it is being told again
                    self._written[key] = block.text
                    is_same = block.text.startswith(done)
                    yield block.text[len(done) :] if is_same else f"\n{block.text}"
                elif key not in self._shown and _is_as_it_stays(block):
                    self._shown.add(key)
                    yield block


def _is_as_it_stays(block: object) -> bool:
    if isinstance(block, StepBlock):
        return not block.is_running
    if isinstance(block, AskBlock):
        return not block.is_open
    return isinstance(block, PlanBlock | NoticeBlock | ProblemBlock)
