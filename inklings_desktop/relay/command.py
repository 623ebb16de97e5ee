"""``inklings mcp serve``, as far as it needs no command line library: the usual way of a client."""

from __future__ import annotations

import os
import signal
import sys
from functools import partial

from inklings_desktop.relay.link import Hello, RefusedError, linked
from inklings_desktop.relay.refusal import refuse, unusable
from inklings_desktop.relay.relaying import Relay

TYPE_CHECKING = False  # the module that has it takes as long to import as all of this
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from inklings_desktop.relay.link import HostUnavailableError

LINGER_SECONDS = 300.0
"""How long a host stays after its last client, unless it is told otherwise."""
ENVIRONMENT = 3
_WORDS = ("mcp", "serve")
_OPTIONS = ("--client", "--data-dir", "--workspace", "--linger")


def plain_hello(arguments: Sequence[str]) -> Hello | None:
    """What a call says that serves over standard input and output; None for any other call.

    What is unusual or wrong is left to the command line itself, which says what is wrong.
    """
    rest, words = list(arguments), list(_WORDS)
    found: dict[str, str] = {}
    while rest:
        argument = rest.pop(0)
        if words and argument == words[0]:
            words.pop(0)
        elif argument in _OPTIONS and rest and rest[0] and not rest[0].startswith("-"):
            found[argument] = rest.pop(0)
        else:
            return None
    if words or "--client" not in found:
        return None
    try:
        linger = float(found.get("--linger", LINGER_SECONDS))
        for one in found.values():
            one.encode()
    except ValueError:  # no number; no text is one, too
        return None
    root = _root(found.get("--data-dir"))
    return Hello(root, found["--client"], found.get("--workspace"), linger)


def relay(hello: Hello) -> int:
    """Serve the client of this process through the host; the exit status.

    Raises:
        HostUnavailableError: There is no way to a host.
    """
    if (reason := unusable(hello.root)) is not None:
        refuse(reason)
        return ENVIRONMENT
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: leave(0))
    try:
        carrying = Relay(
            partial(linked, hello), sys.stdin.buffer, sys.stdout.buffer, partial(leave, 0)
        )
    except RefusedError as error:
        refuse(error.sentence)
        return error.status
    return carrying.run()


def say_alone(error: HostUnavailableError) -> None:
    """Tell whoever reads standard error that this client has no host, and why."""
    sys.stderr.write(f"inklings: this client is served alone; there is no host: {error}\n")


def leave(status: int) -> NoReturn:
    """End the process at once: nothing wakes a thread that waits for a line."""
    os._exit(status)


def _root(named: str | None) -> str:
    from inklings_desktop.data_root import default_data_dir, named_folder

    return str(named_folder(named) if named else default_data_dir())
