"""What somebody who worded a skill hands back: the proposal, and what was asserted and held.

The program tells it of the calls that were made, whatever the model says of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.mechanical.speech import LANGUAGES, speech
from inklings_desktop.agent.memory_door.filters import DRY_RUN_SKILL, VALIDATE_SKILL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PROPOSE = "skill_propose"
_KINDS = ("changed", "new", "gone")


def composed(results: Sequence[Mapping[str, Any]], language: str) -> dict[str, Any]:
    """The last proposal among these results, told; a sentence alone where there is none.

    Args:
        results: As the state of its graph keeps them.
        language: The one that is spoken.

    Returns:
        ``said``: the sentence; of a proposal also ``proposal``: its id, ``skill``: the name,
        ``changes``: ``new``, ``changed``, ``same`` or ``gone`` by file, ``assertions``:
        ``{on, check, value, holds, got}`` each, ``holds`` None where nothing was run.
    """
    asked = [one for one in results if _is(one, PROPOSE) and one["outcome"].get("proposals")]
    if not asked:
        return {"said": table_of(language)["skills"]["nothing"]}
    text = _files(asked[-1])
    checked = [one for one in results if _is(one, VALIDATE_SKILL) and _files(one) == text]
    of = checked[-1]["outcome"] if checked else {}
    tried = [one for one in results if _is(one, DRY_RUN_SKILL) and _files(one) == text]
    told: dict[str, Any] = {
        "proposal": str(asked[-1]["outcome"]["proposals"][0]),
        "skill": str(of.get("name") or ""),
        "changes": dict(of.get("changes") or {}),
        "assertions": list(_assertions(of.get("assertions") or {}, tried)),
    }
    return told | {"said": _sentence(told, language)}


def table_of(language: str) -> Mapping[str, Any]:
    """What is said in a language, or in the first one."""
    return speech(language if language in LANGUAGES else LANGUAGES[0]).table


def _assertions(
    counts: Mapping[str, int], tried: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Every assertion with what came of it when its file was tried last."""
    last = {str(one["call"]["arguments"].get("file") or "SKILL.md"): one for one in tried}
    for path, n in counts.items():
        outcome = last[path]["outcome"] if path in last else {}
        found = outcome.get("findings") or []
        is_broken = path in last and bool(last[path].get("is_error"))
        unknown = {"holds": False if is_broken else None, "got": str(outcome.get("message") or "")}
        for number in range(n):
            yield {"on": path} | (found[number] if number < len(found) else unknown)


def _sentence(told: Mapping[str, Any], language: str) -> str:
    says = table_of(language)["skills"]
    words = list(told["changes"].values())
    counts = [(words.count(kind), says[kind]) for kind in _KINDS]
    holds = [one["holds"] for one in told["assertions"]]
    parts = [forms[n != 1].format(n=n) for n, forms in counts if n]
    if holds:
        parts.append(says["hold"].format(n=holds.count(True), all=len(holds)))
    if n := holds.count(None):
        parts.append(says["unchecked"][n != 1].format(n=n))
    return str(says["proposed"].format(name=told["skill"], what=", ".join(parts)))


def _is(result: Mapping[str, Any], tool: str) -> bool:
    is_done = not result.get("is_error") or tool == DRY_RUN_SKILL
    return bool(result["call"]["tool"] == tool and is_done)


def _files(result: Mapping[str, Any]) -> str:
    return str(result["call"]["arguments"].get("files") or "")
