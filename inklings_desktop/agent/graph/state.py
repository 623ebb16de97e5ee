"""What a turn knows: the channels of the graph, how what nodes write is merged, and for how long.

Everything in it is JSON. A node returns the channels that it changes; a channel with a reducer is
merged with what it held, unless the node returns ``replaced(value)`` for it. ``history``,
``compact`` and ``state_version`` live as long as the thread, all others as long as the turn.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, TypeAlias, TypedDict

Object: TypeAlias = dict[str, Any]
Objects: TypeAlias = list[dict[str, Any]]

STATE_VERSION = 1
"""Goes up whenever what a channel holds changes its form; ``migrations`` knows the way."""
MAX_SCRATCH_BYTES = 64 * 1024
MAX_HISTORY_BYTES = 16 * 1024
"""Of what was said before, as far as the state carries it along: it is in every checkpoint, and the
messages are kept whole elsewhere."""

_LISTS: Final = ("history", "plan", "calls", "results", "tasks", "touched")
_TOUCHED: Final = ("id", "how")
_OBJECTS: Final = ("turn", "compact", "context", "gate", "answer")
Step: TypeAlias = Callable[[Object], Object]


def replaced(value: object) -> Object:
    """An update that takes the place of what a channel with a reducer holds."""
    return {"__overwrite__": value}  # the graph's own word for it, in the form that is JSON


def add_history(held: Objects, said: Objects) -> Objects:
    """Append what was said, with its length; the oldest goes where the room is short."""
    kept: Objects = []
    room = MAX_HISTORY_BYTES
    for one in reversed([*held, *map(_measured, said)]):
        room -= one["bytes"]
        if room < 0:
            break
        kept.append(one)
    return kept[::-1]


def _measured(said: Object) -> Object:
    n_bytes = _size(said)
    if n_bytes <= MAX_HISTORY_BYTES:
        return said | {"bytes": n_bytes}
    return said | {"bytes": 0, "parts": [], "is_cut": True}


def add_results(held: Objects, new: Objects) -> Objects:
    """Append the results of calls."""
    return [*held, *new]


def fits_scratch(held: Object, update: Object) -> bool:
    """Whether there is room for this in the scratchpad."""
    return _size(held | update) <= MAX_SCRATCH_BYTES


def merge_scratch(held: Object, update: Object) -> Object:
    """Set these keys; one for which there is no room stays as it was."""
    merged = held
    for key, value in update.items():
        if fits_scratch(merged, {key: value}):
            merged = merged | {key: value}
    return merged


def merge_tasks(held: Objects, new: Objects) -> Objects:
    """Tasks by their ids, in the order in which they came up."""
    merged = {one["id"]: one for one in held}
    for one in new:
        merged[one["id"]] = merged.get(one["id"], {}) | one
    return list(merged.values())


def add_spent(held: Object, more: Object) -> Object:
    """Add up what was used."""
    return held | {key: held.get(key, 0) + n for key, n in more.items()}


def unite_touched(held: Objects, new: Objects) -> Objects:
    """Memories and what was done to them: each once, as it was last."""
    merged = {(one["id"], one["how"]): one for one in held}
    for one in new:
        merged[one["id"], one["how"]] = merged.get((one["id"], one["how"]), {}) | one
    return list(merged.values())


class TurnState(TypedDict, total=False):
    """The channels; what a thread never wrote is not there.

    Attributes:
        turn: ``{id, prompt, attachments, started_at}``.
        history: ``{role, parts, tokens, message, bytes}`` each; ``bytes`` is added here.
        compact: ``{intents, decisions, commitments, open, names, quotes, memory_ids}``.
        context: ``{standing, slices, skills, workspace, dropped}``.
        gate: ``{verdict, drop, add, by}``.
        plan: ``{text, priority, status}`` each.
        calls: ``{id, name, args, process, why}`` each, not carried out yet.
        results: ``{call, outcome, digest, note_key?}`` each.
        scratch: What parts of the turn note down.
        tasks: ``{id, process, brief, state, finding?}`` each.
        spent: ``{steps, tool_calls, spawned, input, output, cost_micro, ms}``, numbers.
        answer: ``{text, quotes, produced_by, stop}``.
        touched: ``{id, tier, version, how, …}`` each.
        state_version: The form of all this.
    """

    turn: Object | None
    history: Annotated[Objects, add_history]
    compact: Object | None
    context: Object | None
    gate: Object | None
    plan: Objects
    calls: Objects
    results: Annotated[Objects, add_results]
    scratch: Annotated[Object, merge_scratch]
    tasks: Annotated[Objects, merge_tasks]
    spent: Annotated[Object, add_spent]
    answer: Object | None
    touched: Annotated[Objects, unite_touched]
    state_version: int


def cleared() -> Object:
    """The update that ends a turn: nothing of it stays but what was said."""
    empty: Object = dict.fromkeys(("turn", "context", "gate", "answer"))
    empty |= {"plan": [], "calls": [], "scratch": replaced({}), "spent": replaced({})}
    return empty | {name: replaced([]) for name in ("results", "tasks", "touched")}


def begun(turn: Object) -> Object:
    """The input that begins a turn, whatever became of the one before.

    Args:
        turn: ``{id, prompt, attachments, started_at}``.
    """
    return cleared() | {"turn": turn, "state_version": STATE_VERSION}


def is_sound(values: Object) -> bool:
    """Whether what a checkpoint holds can be the state of a turn: a file may say anything."""
    spent = values.get("spent", {})
    return (
        all(
            isinstance(listed := values.get(name, []), list)
            and all(isinstance(one, dict) for one in listed)
            for name in _LISTS
        )
        and all(isinstance(values.get(name), dict | None) for name in _OBJECTS)
        and isinstance(values.get("scratch", {}), dict)
        and isinstance(spent, dict)
        and all(isinstance(n, int | float) for n in spent.values())
        and all(type(one.get("bytes")) is int for one in values.get("history", []))
        and all(isinstance(one.get("id"), str) for one in values.get("tasks", []))
        and all(
            isinstance(one.get(key), str) for one in values.get("touched", []) for key in _TOUCHED
        )
    )


def _size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True)
class StateMigrations:
    """Which states a graph understands.

    Attributes:
        version: The form in use.
        steps: From each version to the next: the channels before and after. What it is handed is
            its own to change.
    """

    version: int = STATE_VERSION
    steps: Mapping[int, Step] = field(default_factory=dict)

    def migrated(self, values: Object, version: int) -> Object | None:
        """The channels in the form in use; None where no way leads there."""
        while version != self.version:
            step = self.steps.get(version)
            if step is None:
                return None
            version += 1
            values = step(values) | {"state_version": version}
        return values


CURRENT = StateMigrations()
