"""A person with assistive technology: finds controls by role and name, presses them, reads them.

Runs under the system's Python, which has pyatspi; obeys one JSON object a line on standard input
and answers each with one line on standard output:

- ``{"do": "wait", "role": R, "name": N, "state": S}``: whether such a control shows within the
  deadline, in that state where one is asked for.
- ``{"do": "gone", "role": R, "name": N}``: whether no such control shows any more by then.
- ``{"do": "press", "role": R, "name": N}``: whether it could be pressed, once it can be.
- ``{"do": "focus", "role": R, "name": N}``: whether it took the keyboard.
- ``{"do": "enabled", "role": R, "name": N}``: whether it can be pressed now.
- ``{"do": "nameless"}``: controls that take the keyboard and have no name, and where.
- ``{"do": "shown"}``: every control on show that has a name, with its role and what it is now.
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
DEADLINE_SECONDS = 60.0
LOOK_AGAIN_SECONDS = 0.2
STATES = {
    "enabled": pyatspi.STATE_ENABLED,
    "focused": pyatspi.STATE_FOCUSED,
    "selected": pyatspi.STATE_SELECTED,
}


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


def on_show(role: str, name: str, state: str = "") -> Any | None:
    """The first control on show with that role whose name begins so, in that state if any."""
    for control in controls():
        if (
            control.getRoleName() == role
            and control.name.startswith(name)
            and (not state or control.getState().contains(STATES[state]))
        ):
            return control
    return None


def found(role: str, name: str, state: str = "", *, gone: bool = False) -> Any | None:
    """The same, waited for; or waited for until there is none."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while ((control := on_show(role, name, state)) is None) is not gone:
        if time.monotonic() > deadline:
            break
        time.sleep(LOOK_AGAIN_SECONDS)
    return control


def described() -> list[str]:
    """What is on show, as a person would tell it."""
    told = []
    for control in controls():
        if control.name:
            states = [one for one, state in STATES.items() if control.getState().contains(state)]
            told.append(f"{control.getRoleName()} {control.name!r} {', '.join(states)}".strip())
    return told


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
    if wish["do"] == "shown":
        return described()
    role, name = wish["role"], wish["name"]
    if wish["do"] == "gone":
        return found(role, name, gone=True) is None
    control = found(role, name, "enabled" if wish["do"] == "press" else wish.get("state", ""))
    if control is None or wish["do"] == "wait":
        return control is not None
    if wish["do"] == "enabled":
        return bool(control.getState().contains(pyatspi.STATE_ENABLED))
    if wish["do"] == "focus":
        return bool(control.queryComponent().grabFocus()) and (
            found(role, name, "focused") is not None
        )
    return bool(control.queryAction().doAction(0))


for line in sys.stdin:
    sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
    sys.stdout.flush()
