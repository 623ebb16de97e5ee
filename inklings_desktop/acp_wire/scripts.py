"""Lines of JSON between whoever has a script run and the agent's process that runs it.

The one who asks writes one line, ``{"script": text, "inputs": {...}}``, and keeps the stream open:
closing it ends the script. The answers are lines with one key each, `RAN` or `PROBLEM` the last.
"""

from __future__ import annotations

from typing import Final

SCRIPT_MODE: Final = "--script"
"""The option that has the agent's process run one script over memory."""
SCRIPT: Final = "script"
INPUTS: Final = "inputs"

COMPILING: Final = "compiling"
"""True: the interpreter is made ready, once on this machine, which takes some ten seconds."""
PROGRESS: Final = "progress"
"""``text``, and ``share``: 0 to 1, or None where it cannot be said."""
RAN: Final = "ran"
"""``outcome``, ``result``, ``printed``, ``said`` and ``calls``: as the sandbox told them."""
PROBLEM: Final = "problem"
"""``word`` and ``message``: it could not begin, or memory was out of reach."""

OK: Final = "ok"
OUT_OF_FUEL: Final = "out_of_fuel"
TIME_LIMIT: Final = "time_limit"
OUT_OF_MEMORY: Final = "out_of_memory"
SCRIPT_ERROR: Final = "script_error"
HOST_LIMIT: Final = "host_limit"
OUTCOMES: Final = {
    OK: "The script has ended.",
    OUT_OF_FUEL: "The script was stopped: it computed more than it may.",
    TIME_LIMIT: "The script was stopped: it took too long.",
    OUT_OF_MEMORY: "The script was stopped: it needed more memory than it may have.",
    SCRIPT_ERROR: "The script has a mistake, and gave no result.",
    HOST_LIMIT: "The script was stopped: it asked for more, or gave back more, than it may.",
}
"""What is said of each outcome."""
