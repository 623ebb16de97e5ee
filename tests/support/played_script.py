"""An agent's process that answers whoever has a script run with the lines that a test gives it."""

from __future__ import annotations

import json
import sys
from typing import Any

WAIT = "wait"
"""Instead of a line: wait until nobody asks any more."""


def command(*lines: dict[str, Any] | str) -> list[str]:
    """What starts it; ``"ASKED"`` and ``"SCRIPT"`` in a line stand for what it was given."""
    return [sys.executable, "-m", "tests.support.played_script", json.dumps(lines)]


def ran(result: Any = None, outcome: str = "ok", **more: Any) -> dict[str, Any]:
    """The last line."""
    told = {"outcome": outcome, "result": result, "printed": "", "said": "", "calls": 1}
    return {"ran": told | more}


def _play() -> None:
    asked = json.loads(sys.stdin.readline())
    for line in json.loads(sys.argv[1]):
        if line == WAIT:
            sys.stdin.read()
            return
        text = json.dumps(line).replace('"ASKED"', json.dumps(asked["inputs"]))
        sys.stdout.write(text.replace('"SCRIPT"', json.dumps(asked["script"])) + "\n")
        sys.stdout.flush()
    sys.stderr.write(f"{sys.argv[2:]}\n")


if __name__ == "__main__":
    _play()
