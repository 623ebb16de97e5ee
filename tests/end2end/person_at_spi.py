"""A person with assistive technology: finds controls by role and name, presses them, reads them.

Runs under the system's Python, which has pyatspi; obeys one JSON object a line on standard input
and answers each with one line on standard output:

- ``{"do": "wait", "role": R, "name": N}``: whether such a control shows within the deadline.
- ``{"do": "press", "role": R, "name": N}``: whether it could be pressed.
- ``{"do": "focus", "role": R, "name": N}``: whether it took the keyboard.
- ``{"do": "enabled", "role": R, "name": N}``: whether it can be pressed now.
- ``{"do": "nameless"}``: controls that take the keyboard and have no name, and where.
- ``{"do": "names", "role": R}``: the names on show of that role.
"""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

import pyatspi

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM = "Inklings"
DEADLINE_SECONDS = 30.0
LOOK_AGAIN_SECONDS = 0.2


def shown(node: Any) -> Iterator[Any]:
    """Every control on show below a node, the node first."""
    try:
        children = list(node)
        showing = node.getState().contains(pyatspi.STATE_SHOWING)
    except Exception:  # noqa: BLE001 - gone between two calls; the bus says so in many ways
        return
    if showing:
        yield node
    for child in children:
        if child is not None:
            yield from shown(child)


def controls() -> Iterator[Any]:
    """Every control of the program on show."""
    for program in pyatspi.Registry.getDesktop(0):
        if program is not None and program.name == PROGRAM:
            yield from shown(program)


def found(role: str, name: str) -> Any | None:
    """The first control with that role whose name begins so, waiting for it."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while time.monotonic() < deadline:
        for control in controls():
            if control.getRoleName() == role and control.name.startswith(name):
                return control
        time.sleep(LOOK_AGAIN_SECONDS)
    return None


def nameless() -> list[str]:
    """Controls a screen reader could not name."""
    return [
        f"{control.getRoleName()} at {tuple(control.queryComponent().getExtents(0))}"
        for control in controls()
        if control.getState().contains(pyatspi.STATE_FOCUSABLE) and not control.name
    ]


def answer(wish: dict[str, str]) -> object:
    """What one wish came to."""
    if wish["do"] == "nameless":
        return nameless()
    if wish["do"] == "names":
        return [one.name for one in controls() if one.getRoleName() == wish["role"]]
    control = found(wish["role"], wish["name"])
    if control is None or wish["do"] == "wait":
        return control is not None
    if wish["do"] == "enabled":
        return bool(control.getState().contains(pyatspi.STATE_ENABLED))
    if wish["do"] == "focus":
        return bool(control.queryComponent().grabFocus())
    return bool(control.queryAction().doAction(0))


for line in sys.stdin:
    sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
    sys.stdout.flush()
