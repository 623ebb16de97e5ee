"""The memories that a turn was given: beside its message, by its attachments, and by tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from inklings_desktop.agent.context.assembling import Assembled
    from inklings_desktop.agent.planning import Result, Situation

_ATTACHED = "inklings://memory/"


@dataclass(frozen=True, slots=True)
class Given:
    """One of them; its text as far as it came along."""

    tier: str
    text: str = ""


def given_in(
    situation: Situation, results: Sequence[Result], context: Assembled
) -> dict[str, Given]:
    """Each of them by its id."""
    found = {one.id: Given(one.tier, one.text) for one in context.candidates}
    for one in situation.attachments:
        tier, _, id_ = one.uri.removeprefix(_ATTACHED).partition("/")
        if one.uri.startswith(_ATTACHED) and id_:
            found[id_.lower()] = Given(tier, one.text)
    for result in results:
        tier = str(result.call.arguments.get("tier") or "")
        for memory in _memories(result.outcome):
            found[str(memory["id"])] = Given(
                str(memory.get("tier") or tier), str(memory.get("content") or "")
            )
    return {id_: one for id_, one in found.items() if one.tier}


def _memories(outcome: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    every: list[object] = [outcome.get("memory")]
    for key in ("hits", "memories"):
        listed = outcome.get(key)
        every += listed if isinstance(listed, list) else []
    for one in every:
        if isinstance(one, dict) and one.get("id"):
            yield one
