"""A host that starts the agent, sets it to talk without end, and reads not a word of it."""

from __future__ import annotations

import json
import subprocess
import sys
import time

FLOOD = "memory " * 40_000


def main() -> None:
    """Start the agent, say which process it is, flood both pipes, wait to be killed."""
    root, workspace = sys.argv[1:]
    agent = subprocess.Popen(
        [sys.executable, "-m", "inklings_desktop.agent_program", "--data-dir", root,
         "--workspace", workspace],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    assert agent.stdin is not None
    assert agent.stdout is not None

    def ask(number: int, method: str, params: dict[str, object]) -> None:
        asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        agent.stdin.write(json.dumps(asked).encode() + b"\n")  # type: ignore[union-attr]
        agent.stdin.flush()  # type: ignore[union-attr]

    ask(1, "initialize", {"protocolVersion": 1})
    agent.stdout.readline()
    ask(2, "session/new", {"cwd": "/", "mcpServers": []})
    session = ""
    while not session:
        answer = json.loads(agent.stdout.readline())
        session = answer.get("result", {}).get("sessionId", "")
    block = {"type": "text", "text": FLOOD}
    for number in range(3, 9):
        # Each is answered at length, or that one is busy; nobody reads any of it.
        ask(number, "session/prompt", {"sessionId": session, "prompt": [block]})
        ask(number + 10, f"_inklings/{'x' * 60_000}", {})
    sys.stdout.write(f"{agent.pid}\n")
    sys.stdout.flush()
    time.sleep(600)


if __name__ == "__main__":
    main()
