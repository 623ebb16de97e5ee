"""One agent's process under the window's event loop: its bytes in small portions, never at once."""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal, Slot

from inklings_desktop.agent_client.launching import clean_environment
from inklings_desktop.agent_client.link import AgentLink

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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
        self._unsent: list[bytes] = []
        self._pump = QTimer(self)
        self._pump.setSingleShot(True)
        self._pump.setInterval(PAUSE_MS)
        self._pump.timeout.connect(self._on_pump_due)
        self._overdue = QTimer(self)
        self._overdue.setInterval(_OVERDUE_MS)
        self._overdue.timeout.connect(self._on_pump_due)

    @property
    def is_running(self) -> bool:
        """Whether there is a process, or one is being started."""
        return self._process is not None

    @property
    def pid(self) -> int:
        """Its number; 0 for none."""
        return 0 if self._process is None else self._process.processId()

    def start(self, command: Sequence[str], extra: Mapping[str, str] | None = None) -> None:
        """Start a process; what was sent before goes to it first."""
        assert self._process is None
        if self.link.is_closed:
            self.link = AgentLink(self._send)
            self._unsent = []
        self.last_lines.clear()
        process = self._process = QProcess(self)
        kept = QProcessEnvironment()
        for name, value in (clean_environment(os.environ) | dict(extra or {})).items():
            kept.insert(name, value)
        process.setProcessEnvironment(kept)
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
        process.deleteLater()

    def _send(self, data: bytes) -> None:
        process = self._process
        if process is None or process.state() != QProcess.ProcessState.Running:
            self._unsent.append(data)
        else:
            process.write(data)

    @Slot()
    def _on_started(self) -> None:
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
            process.deleteLater()
            self.gone.emit(code)
