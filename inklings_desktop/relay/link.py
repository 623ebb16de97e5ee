"""One connection of a relay to the host, which the first relay starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client

from inklings_desktop.relay.meeting_point import MeetingPoint

TYPE_CHECKING = False  # the module that has it takes as long to import as all of this
if TYPE_CHECKING:
    from multiprocessing.connection import Connection

HOST_WORD = "mcp-host"
"""First argument of the process that is the host."""
START_SECONDS = 60.0
"""Longest wait for a host; a machine that is very busy needs its time."""
_POLL_SECONDS = 0.02
_LOST = (OSError, EOFError, AuthenticationError)
MAX_REASON = 400


class HostUnavailableError(Exception):
    """There is no host, and none can be started; the argument says why."""


class RefusedError(Exception):
    """The host does not serve this client.

    Attributes:
        sentence: Why, for the person.
        status: Exit status that says the same.
    """

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status


class Hello:
    """What a relay says of itself.

    Attributes:
        root: The data root.
        client: Name of the client.
        workspace: Name or id of the workspace; None for the one that is granted.
        linger: How long a host that it starts stays after its last client, in seconds.
    """

    __slots__ = ("client", "linger", "root", "workspace")

    def __init__(self, root: str, client: str, workspace: str | None, linger: float) -> None:
        self.root = root
        self.client = client
        self.workspace = workspace
        self.linger = linger


class Link:
    """A connection on which the host has said that it serves this client.

    Attributes:
        connection: Carries one line per message; an empty one is the orderly end.
        repeatable: Tools that may be called again when it is not known whether they were.
    """

    __slots__ = ("connection", "repeatable")

    def __init__(self, connection: Connection, repeatable: frozenset[str]) -> None:
        self.connection = connection
        self.repeatable = repeatable


def linked(hello: Hello) -> Link:
    """A connection to the host, which is started where there is none.

    Raises:
        RefusedError: The host says why it does not serve this client.
        HostUnavailableError: There is no way to a host.
    """
    try:
        place = MeetingPoint(hello.root)
    except OSError as error:
        raise HostUnavailableError(str(error)) from error
    deadline = time.monotonic() + START_SECONDS
    while True:
        link = _greeted(place, hello)
        if link is None:
            # One relay at a time starts a host; the others see it come, or see that relay end.
            with place.locked("starting") as is_mine:
                if is_mine and (link := _greeted(place, hello)) is None:
                    link = _started(place, hello, deadline)
        if link is not None:
            return link
        if time.monotonic() > deadline:
            raise HostUnavailableError("no answer")
        time.sleep(_POLL_SECONDS)


def _started(place: MeetingPoint, hello: Hello, deadline: float) -> Link | None:
    process = _host_process(place, hello)
    while time.monotonic() < deadline:
        if (link := _greeted(place, hello)) is not None:
            return link
        if process.poll() is not None:
            if process.returncode == 0:
                return None  # another one is the host, or has just ended
            raise HostUnavailableError(_reason(place))
        time.sleep(_POLL_SECONDS)
    raise HostUnavailableError("no answer")


def _greeted(place: MeetingPoint, hello: Hello) -> Link | None:
    """The connection, once the host has taken it; None where nobody answers."""
    try:
        connection = Client(place.address, place.family, place.key)
    except _LOST:
        return None
    said = {"client": hello.client, "workspace": hello.workspace}
    try:
        connection.send_bytes(json.dumps(said).encode())
        answer = json.loads(connection.recv_bytes())
    except _LOST:  # it was just about to end
        connection.close()
        return None
    if "refused" in answer:
        connection.close()
        raise RefusedError(answer["refused"], answer["status"])
    return Link(connection, frozenset(answer["repeatable"]))


def _host_process(place: MeetingPoint, hello: Hello) -> subprocess.Popen[bytes]:
    """A host in the background: it outlives this process, its terminal and its client.

    Raises:
        HostUnavailableError: No process can be started.
    """
    before = [] if getattr(sys, "frozen", False) else ["-m", "inklings_desktop.cli"]
    command = [sys.executable, *before, HOST_WORD, hello.root, str(hello.linger)]
    try:
        trouble = os.open(place.trouble, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            return subprocess.Popen(  # noqa: S603 - our own program
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=trouble,
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0)
                | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        finally:
            os.close(trouble)
    except OSError as error:
        raise HostUnavailableError(str(error)) from error


def _reason(place: MeetingPoint) -> str:
    """The last line that a host left behind."""
    with suppress(OSError), open(place.trouble, encoding="utf-8", errors="replace") as file:
        lines = file.read().strip().splitlines()
        return lines[-1][:MAX_REASON] if lines else "it ended at once"
    return "it ended at once"
