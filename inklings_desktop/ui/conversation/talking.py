"""Leads the agent's process for the page: started when it is needed, started again when it died.

Its bytes come in small portions under the window's event loop, never at once.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QElapsedTimer,
    QObject,
    QProcess,
    QProcessEnvironment,
    QTimer,
    Signal,
    Slot,
)

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client.launching import (
    Starts,
    clean_environment,
    end_session,
    own_environment,
)
from inklings_desktop.agent_client.link import AgentLink
from inklings_desktop.agent_client.session import Problem, ended
from inklings_desktop.agent_client.talk import Talk
from inklings_desktop.ui.kit.ops.timers import timer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from inklings_desktop.agent_client.session import AgentFacts, Guest, Keep
    from inklings_desktop.ui.kit.page.destinations import AgentQuestion

PUMP_SECONDS = 0.004
PAUSE_MS = 2
LAST_LINES = 40
LEAVE_MS = 1_500
_OVERDUE_MS = 1_000
_MOST_LINE = 500


class AgentProcess(QObject):
    """Starts a process and joins its standard input and output to a link.

    Attributes:
        link: What is said over it; another one for each process.
        last_lines: What it said last on standard error.

    Signals:
        gone: It ended: its exit code, or None where it could not be started.
    """

    gone = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.last_lines: deque[str] = deque(maxlen=LAST_LINES)
        self.link = AgentLink(self._send)
        self._process: QProcess | None = None
        self._has_session, self._leader = False, 0
        self._unsent: list[bytes] = []
        self._pump = timer(self, self._on_pump_due, PAUSE_MS)
        self._overdue = timer(self, self._on_pump_due, _OVERDUE_MS, again=True)

    @property
    def is_running(self) -> bool:
        """Whether there is a process, or one is being started."""
        return self._process is not None

    @property
    def pid(self) -> int:
        """Its number; 0 for none."""
        return 0 if self._process is None else self._process.processId()

    def start(
        self, command: Sequence[str], extra: Mapping[str, str] | None = None, folder: str = ""
    ) -> None:
        """Start a process; what was sent before goes to it first.

        Args:
            command: Its program and arguments.
            extra: Variables beside those that every agent gets.
            folder: Where it works; empty for where this process does.
        """
        assert self._process is None
        if self.link.is_closed:
            self.link = AgentLink(self._send)
            self._unsent = []
        self.last_lines.clear()
        process = self._process = QProcess(self)
        kept = QProcessEnvironment()
        is_ours = extra is None
        variables = own_environment(os.environ) if is_ours else clean_environment(os.environ)
        for name, value in (variables | dict(extra or {})).items():
            kept.insert(name, value)
        process.setProcessEnvironment(kept)
        if folder:
            process.setWorkingDirectory(folder)
            _begin_session(process)
        self._has_session = bool(folder)
        process.started.connect(self._on_started)
        process.readyReadStandardOutput.connect(self._on_output)
        process.readyReadStandardError.connect(self._on_error_output)
        process.errorOccurred.connect(self._on_error)
        process.finished.connect(self._on_finished)
        process.start(command[0], list(command[1:]))
        self._overdue.start()

    def renew(self) -> AgentLink:
        """Another link, for the next process."""
        self.link = AgentLink(self._send)
        self._unsent = []
        return self.link

    def drop(self) -> None:
        """Let it end at once: nothing is talked over any more with this one."""
        if self._process is not None:
            self._process.kill()

    def part(self, then: Callable[[], None]) -> None:
        """Let it end by itself while the window goes on; after a while it is ended.

        Args:
            then: Called once it is gone, or at once where there is none.
        """
        process = self._process
        if process is None:
            then()
            return
        self.gone.connect(then)
        process.closeWriteChannel()
        QTimer.singleShot(LEAVE_MS, process, process.kill)

    def leave(self) -> None:
        """End it for good, with the window: nobody is told any more."""
        process, self._process = self._process, None
        self._pump.stop()
        self._overdue.stop()
        if process is None:
            return
        process.blockSignals(True)
        process.closeWriteChannel()
        if not process.waitForFinished(LEAVE_MS):
            process.kill()
            process.waitForFinished(LEAVE_MS)
        self._end_session()
        process.deleteLater()

    def _end_session(self) -> None:
        """End what another's agent left behind."""
        leader, self._leader = self._leader, 0
        if leader:
            end_session(leader)

    def _send(self, data: bytes) -> None:
        process = self._process
        if process is None or process.state() != QProcess.ProcessState.Running:
            self._unsent.append(data)
        else:
            process.write(data)

    @Slot()
    def _on_started(self) -> None:
        self._leader = self.pid if self._has_session else 0
        unsent, self._unsent = self._unsent, []
        for data in unsent:
            self._send(data)

    @Slot()
    def _on_output(self) -> None:
        if self._process is not None:
            self.link.feed(bytes(self._process.readAllStandardOutput().data()))
            if not self._pump.isActive():
                self._pump.start(0)

    @Slot()
    def _on_error_output(self) -> None:
        if self._process is not None:
            told = bytes(self._process.readAllStandardError().data()).decode(errors="replace")
            self.last_lines.extend(line[:_MOST_LINE] for line in told.splitlines() if line.strip())

    @Slot()
    def _on_pump_due(self) -> None:
        if self.link.pump(PUMP_SECONDS):
            self._pump.start(PAUSE_MS)

    @Slot(QProcess.ProcessError)
    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self._end(None)

    @Slot(int)
    def _on_finished(self, code: int) -> None:
        self._on_output()
        self._on_error_output()
        with suppress(RuntimeError):
            while self.link.pump(PUMP_SECONDS):  # what it said last is heard before it is gone
                pass
        self._end(code)

    def _end(self, code: int | None) -> None:
        process, self._process = self._process, None
        self._pump.stop()
        self._overdue.stop()
        if process is not None:
            self._end_session()
            process.deleteLater()
            self.gone.emit(code)


def _begin_session(process: QProcess) -> None:
    """Let a process have a session of its own, with which it ends."""
    if sys.platform != "win32":
        told = process.unixProcessParameters()
        told.flags = QProcess.UnixProcessFlag.CreateNewSession
        process.setUnixProcessParameters(told)


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
        keep: Keep | None = None,
        guest: Guest | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        """Start nothing yet.

        Args:
            command: What starts the agent; None where it is not installed.
            parent: Owner.
            clock: What turns take their time from.
            keep: Stores what is said before the agent hears of it.
            guest: Another's agent; None for the World Agent.
            variables: What another's agent is given beside the cleaned environment.
        """
        super().__init__(parent)
        self._command = command
        self._guest, self._variables = guest, variables
        self._began = QElapsedTimer()
        self._starts = Starts()
        self._process = AgentProcess(self)
        self._process.gone.connect(self._on_gone)
        self.talk = Talk(self._process.link, self, clock=clock, keep=keep, guest=guest)
        self.problem: Problem | None = None
        self._opened: set[str] = set()
        self._known: set[str] = set()
        self._due: set[str] = set()
        self._paint = timer(self, self._on_paint_due, PAINT_MS)

    @property
    def is_installed(self) -> bool:
        """Whether there is an agent to start."""
        return self._command is not None

    @property
    def command(self) -> Sequence[str] | None:
        """What starts the agent; None where there is none to start."""
        return self._command

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

    def ask(self, question: AgentQuestion) -> None:
        """Let the agent be there, and answer what belongs to no conversation."""
        if self._is_begun():
            self.talk.request(
                question.method,
                question.params,
                question.on_answer,
                lambda problem: question.on_error(problem.word, problem.detail),
                seconds=question.seconds,
            )
        else:
            word = wire.AGENT_NOT_INSTALLED if self.problem is None else self.problem.word
            question.on_error(word, "")

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
            self._launch(self._command)
            self.talk.reconnect(link)  # which opens what was open
            self._opened |= self._known
            self.problem = None
        else:
            self._launch(self._command)
            self.talk.begin()
        self.state_changed.emit()

    def _launch(self, command: Sequence[str]) -> None:
        self._began.start()
        folder = "" if self._guest is None else self._guest.cwd
        self._process.start(command, self._variables, folder)

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
        seconds = self._began.elapsed() / 1_000
        self.talk.lost(ended(code, seconds, is_ready=self.talk.is_ready))
