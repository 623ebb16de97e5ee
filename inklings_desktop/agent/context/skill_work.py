"""Working by skills: which were chosen in a turn, what they leave to call, and what is left to do.

All of it follows from what came back in the turn, so that it holds again after a turn was cut off.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.memory_door.filters import NOTE_OUTCOME, RUN_SCRIPT
from inklings_desktop.agent.planning import is_skill

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from inklings_desktop.agent.planning import Call, Result

MAIN_FILE = "SKILL.md"
MOST_TRIES = 2
"""What breaks an assertion is done once again; then it has failed."""
_KEPT = 60_000
"""Characters of what a skill was given and what came of it, as they are noted."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A skill that was chosen in this turn.

    Attributes:
        files: What an answer by it is checked against: its SKILL.md and its templates.
        given: What it was given, as text.
    """

    name: str
    title: str
    files: tuple[str, ...]
    given: str


def chosen_in(results: Sequence[Result]) -> tuple[Chosen, ...]:
    """The skills that the turn is worked by, each as it was chosen last."""
    found = {}
    for one in _choices(results):
        skill = one.outcome.get("skill") or {}
        files = (MAIN_FILE, *(one.outcome.get("prompts") or {}))
        given = json.dumps(dict(one.call.arguments), ensure_ascii=False)
        name = str(skill.get("name") or "")
        found[name] = Chosen(name, str(skill.get("title") or name), files, given[:_KEPT])
    return tuple(found.values())


def left_by(results: Sequence[Result]) -> frozenset[str] | None:
    """The tools that all of them leave; None where none of them names any."""
    left: frozenset[str] | None = None
    for one in _choices(results):
        left = both(left, one.outcome.get("only_tools"))
    return left


def both(left: frozenset[str] | None, named: Sequence[str] | None) -> frozenset[str] | None:
    """What is left of some tools by a skill that names these; None stands for all there are."""
    if named is None:
        return left
    return frozenset(named) if left is None else left & frozenset(named)


def role_in(results: Sequence[Result]) -> str:
    """The role that the skill chosen last gives to whoever is sent for it; empty for none."""
    return next((str(one.outcome.get("role") or "") for one in reversed([*_choices(results)])), "")


def outcome_arguments(chosen: Chosen, said: str) -> dict[str, Any]:
    """What is noted of an answer that was worked out by a skill."""
    return {
        "skill": chosen.name, "title": chosen.title, "files": list(chosen.files),
        "input": chosen.given, "output": said[:_KEPT],
    }  # fmt: skip


def noted_last(results: Sequence[Result]) -> tuple[Result, ...]:
    """What was noted of the answer that the turn came to just now; none where it goes on."""
    if not results or results[-1].call.tool != NOTE_OUTCOME:
        return ()
    begins = max(number for number, one in enumerate(results) if one.said is not None)
    return tuple(results[begins:])


def is_failed(result: Result, results: Sequence[Result]) -> bool:
    """Whether an outcome breaks what its skill asserts, and no try is left."""
    tries = sum(_same(one.call, result.call) for one in results)
    return bool(result.outcome.get("broken")) and tries >= MOST_TRIES


def broken_before(call: Call, results: Sequence[Result]) -> int:
    """How often a file of a skill was run in vain by now."""
    return sum(_same(one.call, call) and bool(one.outcome.get("broken")) for one in results)


def told_broken(broken: Sequence[Mapping[str, Any]]) -> str:
    """Assertions that do not hold, as who has to mend it reads them."""
    return "; ".join(
        " ".join(f"{one.get('check')} {one.get('value', '')} ({one.get('got')})".split())
        for one in broken
    ).replace(" ()", "")


def _choices(results: Sequence[Result]) -> Iterator[Result]:
    return (one for one in results if is_skill(one.call.tool) and not one.is_error)


def _same(one: Call, other: Call) -> bool:
    keys = ("skill", "file")
    return (
        one.tool == other.tool
        and one.tool in {NOTE_OUTCOME, RUN_SCRIPT}
        and [one.arguments.get(key) for key in keys] == [other.arguments.get(key) for key in keys]
    )
