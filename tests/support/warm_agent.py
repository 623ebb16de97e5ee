"""The agent's program without its start: its processes are forked from one that has it loaded.

``python -m tests.support.warm_agent ADDRESS`` is that one. In place of the agent a window or a
command line starts this file as a program, ``python -I -S FILE ADDRESS SCRIPT [arguments]``. It
hands its own input and output on, stays as long as the agent does, and whoever kills it kills the
agent.
"""

from __future__ import annotations

import json
import os
import socket
import sys

MESSAGE_BYTES = 1 << 20
_KEPT = ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2", "LANGGRAPH_STRICT_MSGPACK")


def stand_in(address: str, arguments: list[str]) -> None:
    """Let an agent be forked on this process' own input and output, and wait for its end."""
    with socket.socket(socket.AF_UNIX) as place:
        place.connect(address)
        told = json.dumps({"arguments": arguments, "environment": dict(os.environ)}).encode()
        socket.send_fds(place, [told], [0, 1, 2])
        for own in (0, 1, 2):  # the agent alone holds them now
            os.close(own)
        place.recv(1)


def serve(address: str) -> None:
    """Fork an agent for everybody who comes, until killed."""
    _load()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            place, _ = listener.accept()
            with place:
                if os.fork():
                    _reap()
                    continue
                listener.close()
                _be_agent(place)


def _load() -> None:
    from importlib import import_module

    from tests.support.agent_process import LOADED

    for name in LOADED:
        import_module(name)


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _be_agent(place: socket.socket) -> None:
    import threading
    from pathlib import Path

    from inklings_desktop import agent_program
    from tests.support.agent_process import no_socket_outside
    from tests.support.scripted_chat import ScriptedModels

    said, descriptors, _, _ = socket.recv_fds(place, MESSAGE_BYTES, 3)
    told = json.loads(said)
    for own, one in enumerate(descriptors):
        os.dup2(one, own)
        os.close(one)
    kept = {name: os.environ[name] for name in _KEPT}
    os.environ.clear()
    os.environ.update(told["environment"] | kept)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it stays to the end
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - likewise

    def die_with_stand_in() -> None:
        place.recv(1)
        os.kill(os.getpid(), 9)

    threading.Thread(target=die_with_stand_in, daemon=True).start()
    sys.addaudithook(no_socket_outside)
    script, *arguments = told["arguments"]
    lines = json.loads(Path(script).read_text(encoding="utf-8")) if script else None
    agent_program.main(arguments, models=None if lines is None else ScriptedModels(lines))


if __name__ == "__main__":
    if sys.flags.isolated:
        stand_in(sys.argv[1], sys.argv[2:])
    else:
        serve(sys.argv[1])
