"""An agent as a process that answers each request by its method, and notes what it was asked."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_AGENT = """
import json, sys
answers, log = json.loads(sys.argv[1]), open(sys.argv[2], "a")
for line in sys.stdin:
    asked = json.loads(line)
    log.write(json.dumps([asked["method"], asked["params"]]) + "\\n")
    log.flush()
    said = {"jsonrpc": "2.0", "id": asked.get("id")} | answers.get(asked["method"], {"result": {}})
    sys.stdout.write(json.dumps(said) + "\\n")
    sys.stdout.flush()
"""


def told_agent(answers: Mapping[str, Mapping[str, Any]], log: Path) -> list[str]:
    """The command that starts one.

    Args:
        answers: ``result`` or ``error`` by the method; an empty result to every other.
        log: Gets a line for each request: its method and parameters, as JSON.
    """
    return [sys.executable, "-I", "-S", "-c", _AGENT, json.dumps(answers), str(log)]
