"""A display of its own with a window manager, an accessibility bus and the program on it."""

from __future__ import annotations

import ctypes.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.processes import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

# pyatspi is no package of the registries: Debian puts it beside its own Python.
SYSTEM_PYTHON = "/usr/bin/python3"
BUS_LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
TOOLS = ("Xvfb", "openbox", "xdotool", "dbus-daemon", SYSTEM_PYTHON, BUS_LAUNCHER)
LIBRARIES = ("xcb-cursor", "xcb-icccm", "xcb-keysyms", "xcb-shape", "xkbcommon-x11")
DEADLINE_SECONDS = 60.0
END_SECONDS = 60.0
LOOK_AGAIN_SECONDS = 0.2


def missing_tools() -> list[str]:
    """What this machine lacks for a window on a real display; empty when all is there."""
    tools = [tool for tool in TOOLS if shutil.which(tool) is None]
    libraries = [one for one in LIBRARIES if ctypes.util.find_library(one) is None]
    if tools:
        return tools + libraries
    asked = subprocess.run(
        [SYSTEM_PYTHON, "-c", "import pyatspi"], capture_output=True, check=False
    )
    return libraries + ([] if asked.returncode == 0 else ["python3-pyatspi"])


@dataclass(frozen=True, slots=True)
class RealDisplay:
    """A person before the program's window.

    Attributes:
        program: The program's process.
        person: The process that looks through the accessibility bus.
        variables: The environment of that display.
        data_dir: The data root on show.
    """

    program: subprocess.Popen[bytes]
    person: subprocess.Popen[str]
    variables: Mapping[str, str]
    data_dir: Path

    def keys(self, *names: str) -> None:
        """Press keys, as X11 names them, in whatever has the keyboard."""
        self._xdotool("key", "--clearmodifiers", "--delay", "60", *names)

    def types(self, text: str) -> None:
        """Type letters into whatever has the keyboard."""
        self._xdotool("type", "--clearmodifiers", "--delay", "25", text)

    def activates(self, title: str) -> None:
        """Wait for a window with that in its title, and give it the keyboard."""
        deadline = time.monotonic() + DEADLINE_SECONDS
        while True:
            try:
                self._xdotool(
                    "search", "--sync", "--onlyvisible", "--name", title, "windowactivate", "--sync"
                )
            except subprocess.CalledProcessError:  # the window manager is not there yet
                if time.monotonic() > deadline:
                    raise
                time.sleep(LOOK_AGAIN_SECONDS)
            else:
                return

    def sees(self, role: str, name: str, state: str = "") -> None:
        """Wait until a control shows, by its role, the beginning of its name and its state."""
        self._gets(do="wait", role=role, name=name, state=state)

    def sees_no_more(self, role: str, name: str) -> None:
        """Wait until no such control shows."""
        self._gets(do="gone", role=role, name=name)

    def presses(self, role: str, name: str) -> None:
        """Press a control, once it can be pressed."""
        self._gets(do="press", role=role, name=name)

    def focuses(self, role: str, name: str) -> None:
        """Give a control the keyboard."""
        self._gets(do="focus", role=role, name=name)

    def can_press(self, role: str, name: str) -> bool:
        """Whether a control on show can be pressed now."""
        return self._asked(do="enabled", role=role, name=name) is True

    def nameless(self) -> list[str]:
        """The controls on show that take the keyboard and have no name."""
        said = self._asked(do="nameless")
        assert isinstance(said, list)
        return said

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds that is seen from outside."""
        deadline = time.monotonic() + DEADLINE_SECONDS
        while not condition():
            assert time.monotonic() < deadline, self.shown()
            time.sleep(LOOK_AGAIN_SECONDS)

    def shown(self) -> str:
        """What is on show, for whoever looks into a failure."""
        if self.program.poll() is not None:
            return f"the program has ended with {self.program.returncode}"
        said = self._asked(do="shown")
        assert isinstance(said, list)
        return "on show:\n" + "\n".join(said)

    def kept(self, *arguments: str) -> list[str]:
        """The texts that the command line lists, from another process."""
        said = subprocess.run(
            [
                *(sys.executable, "-m", "inklings_desktop.cli", "memory", "list", "--json"),
                *("--tier", "workspace", "--data-dir", str(self.data_dir), *arguments),
            ],
            capture_output=True,
            text=True,
            check=True,
            cwd=REPOSITORY,
            timeout=DEADLINE_SECONDS,
        )
        return [one["content"] for one in json.loads(said.stdout)["memories"]]

    def ended(self) -> int:
        """The program's exit status, once it has ended."""
        return self.program.wait(timeout=END_SECONDS)

    def _gets(self, **wish: str) -> None:
        assert self._asked(**wish) is True, f"{wish}; {self.shown()}"

    def _asked(self, **wish: str) -> object:
        assert self.person.stdin is not None
        assert self.person.stdout is not None
        self.person.stdin.write(json.dumps(wish) + "\n")
        self.person.stdin.flush()
        return json.loads(self.person.stdout.readline())

    def _xdotool(self, *arguments: str) -> None:
        subprocess.run(
            ["xdotool", *arguments],
            check=True,
            env=self.variables,
            timeout=DEADLINE_SECONDS,
            capture_output=True,
        )


@contextmanager
def a_real_display(data_dir: Path) -> Iterator[RealDisplay]:
    """The program on a display of its own; everything started here ends here."""
    with ExitStack() as stack:
        display = _display(stack)
        variables = {
            **os.environ,
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
            "DBUS_SESSION_BUS_ADDRESS": _session_bus(stack),
            "PYTHONPATH": str(REPOSITORY),
            "LC_ALL": "C.UTF-8",
        }
        _started(stack, ["openbox"], variables)
        _started(
            stack,
            [BUS_LAUNCHER, "--launch-immediately", "--a11y=1", "--screen-reader=1"],
            variables,
        )
        person = stack.enter_context(
            subprocess.Popen(
                [SYSTEM_PYTHON, str(Path(__file__).with_name("person_at_spi.py"))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env=variables,
            )
        )
        stack.callback(_end, person)
        program = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-m", "inklings_desktop", "--data-dir", str(data_dir)],
                env=variables,
                cwd=REPOSITORY,
            )
        )
        stack.callback(_end, program)
        yield RealDisplay(program, person, variables, data_dir)


def _display(stack: ExitStack) -> str:
    """A display whose number the server chooses itself, so that two runs never meet."""
    reading, writing = os.pipe()
    server = stack.enter_context(
        subprocess.Popen(
            [
                "Xvfb",
                "-displayfd",
                str(writing),
                "-screen",
                "0",
                "1600x1000x24",
                "-nolisten",
                "tcp",
            ],
            pass_fds=(writing,),
            stderr=subprocess.DEVNULL,
        )
    )
    stack.callback(_end, server)
    os.close(writing)
    with os.fdopen(reading) as number:
        told = number.readline().strip()
    assert told, "Xvfb has not started"
    return f":{told}"


def _session_bus(stack: ExitStack) -> str:
    """The address of a session bus of its own."""
    bus = stack.enter_context(
        subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
    )
    stack.callback(_end, bus)
    assert bus.stdout is not None
    return bus.stdout.readline().strip()


def _started(stack: ExitStack, command: list[str], variables: Mapping[str, str]) -> None:
    process = stack.enter_context(
        subprocess.Popen(
            command, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    )
    stack.callback(_end, process)


def _end(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    """Ask it to end, and insist."""
    process.send_signal(signal.SIGTERM)
    deadline = time.monotonic() + END_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(LOOK_AGAIN_SECONDS)
    if process.poll() is None:
        process.kill()
