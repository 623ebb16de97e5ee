"""Leads the agent's process for the page: started when it is needed, started again when it died."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client.launching import Starts
from inklings_desktop.agent_client.problems import Problem
from inklings_desktop.agent_client.talk import Talk
from inklings_desktop.ui.conversation.agent_process import AgentProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from inklings_desktop.agent_client.handshake import AgentFacts

PAINT_MS = 33
"""Text is drawn at most thirty times a second, however it comes."""


class Talking(QObject):
    """One agent for one workspace; what becomes of it is told at most thirty times a second.

    Attributes:
        talk: Every conversation with it.
        problem: Why there is no agent; None while there is one or it is awaited.

    Signals:
        due: Ids of conversations that are to be drawn anew.
        asking: Id of a conversation in which the agent asks.
        turn_over: Id of a conversation in which a turn ended.
        state_changed: The agent came, or is gone.
        refused: Id of a conversation or None, and the ``Problem`` with what was asked for there.
    """

    due = Signal(set)
    asking = Signal(str)
    turn_over = Signal(str)
    state_changed = Signal()
    refused = Signal(object, object)

    def __init__(
        self,
        command: Sequence[str] | None,
        parent: QObject,
        *,
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        """Start nothing yet.

        Args:
            command: What starts the agent; None where it is not installed.
            parent: Owner.
            clock: What turns take their time from.
        """
        super().__init__(parent)
        self._command = command
        self._starts = Starts()
        self._process = AgentProcess(self)
        self._process.gone.connect(self._on_gone)
        self.talk = Talk(self._process.link, self, clock=clock)
        self.problem: Problem | None = None
        self._opened: set[str] = set()
        self._known: set[str] = set()
        self._due: set[str] = set()
        self._paint = QTimer(self)
        self._paint.setSingleShot(True)
        self._paint.setInterval(PAINT_MS)
        self._paint.timeout.connect(self._on_paint_due)

    @property
    def is_installed(self) -> bool:
        """Whether there is an agent to start."""
        return self._command is not None

    @property
    def is_ready(self) -> bool:
        """Whether the agent is there."""
        return self.talk.is_ready

    @property
    def last_lines(self) -> str:
        """What the process said last on standard error."""
        return "\n".join(self._process.last_lines)

    @property
    def pid(self) -> int:
        """Number of the process; 0 for none."""
        return self._process.pid

    def want(self, session: str) -> None:
        """Let an agent be there for a conversation, if one is installed and did not just fail."""
        if self._is_begun() and session not in self._opened:
            self._opened.add(session)
            self._known.add(session)
            self.talk.resume_session(session)

    def prestart(self) -> None:
        """Let an agent be there before any conversation, its memory with it."""
        if self._is_begun():
            self.talk.warm_up()

    def restart(self, session: str) -> None:
        """Start it again because the person asks for it."""
        self._starts.forget()
        self.problem = None
        self.want(session)

    def part(self) -> None:
        """Let the agent go while the window stays: nobody is told any more."""
        self.blockSignals(True)
        self._paint.stop()
        self._process.part(self.deleteLater)

    def close(self) -> None:
        """End the process with the window."""
        self._paint.stop()
        self._process.leave()

    # -- what the talk tells ------------------------------------------------------------------

    def begun(self, facts: AgentFacts) -> None:  # noqa: ARG002 - the page asks for them itself
        """The agent is there."""
        self.state_changed.emit()

    def opened(self, session: str) -> None:
        """A conversation can be talked in."""
        self._note(session)

    def changed(self, session: str) -> None:
        """What is shown of a conversation changed."""
        self._note(session)

    def asked(self, session: str, permission_id: str) -> None:  # noqa: ARG002 - its row says which
        """The agent asks whether it may do something."""
        self._note(session)
        self.asking.emit(session)

    def ended(self, session: str) -> None:
        """A turn ended."""
        self._note(session)
        self.turn_over.emit(session)

    def failed(self, session: str | None, problem: Problem) -> None:
        """What was asked for outside a turn did not work."""
        if session is not None and problem.word in {wire.UNKNOWN_SESSION, wire.NOT_GRANTED}:
            self._opened.discard(session)
        self.refused.emit(session, problem)

    def lost(self, problem: Problem) -> None:
        """The agent is gone."""
        self._opened.clear()
        self.problem = problem
        self._process.drop()
        self.state_changed.emit()

    # -- inside -------------------------------------------------------------------------------

    def _is_begun(self) -> bool:
        """Whether there is a process, which is started where there is none and may be one."""
        if self._command is None or self.problem is not None:
            return False
        if not self._process.is_running:
            if not self._starts.take():
                self._fail(Problem(wire.AGENT_FAILED_TO_START))
                return False
            self._start()
        return True

    def _start(self) -> None:
        assert self._command is not None
        if self._process.link.is_closed:
            link = self._process.renew()
            self._process.start(self._command)
            self.talk.reconnect(link)  # which opens what was open
            self._opened |= self._known
            self.problem = None
        else:
            self._process.start(self._command)
            self.talk.begin()
        self.state_changed.emit()

    def _fail(self, problem: Problem) -> None:
        self.problem = problem
        self.state_changed.emit()

    def _note(self, session: str) -> None:
        self._due.add(session)
        if not self._paint.isActive():
            self._paint.start()

    @Slot()
    def _on_paint_due(self) -> None:
        due, self._due = self._due, set()
        if due:
            self.due.emit(due)

    @Slot(object)
    def _on_gone(self, code: int | None) -> None:
        word = wire.AGENT_GONE if self.talk.is_ready else wire.AGENT_FAILED_TO_START
        self.talk.lost(Problem(word, "" if code is None else str(code)))
