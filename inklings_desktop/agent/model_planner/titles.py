"""What a call does, as its card says it: the words of the planner without a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.mechanical.speech import LANGUAGES, speech
from inklings_desktop.agent.mechanical.turn import TITLE_CHARACTERS, shortened
from inklings_desktop.agent.planning import SKILL, is_skill

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent.model_planner.given import Given


def title_of(
    tool: str, arguments: Mapping[str, Any], given: Mapping[str, Given], language: str
) -> str:
    """The title of a card.

    Args:
        given: The memories that the turn was given, by id: of one that goes, a call has the id.
    """
    table = speech(language if language in LANGUAGES else LANGUAGES[0]).table
    if is_skill(tool):
        arguments, tool = {"name": tool.removeprefix(SKILL).replace("_", " ")}, "skill"
    elif arguments.get("skill") and arguments.get("file"):
        arguments, tool = {"name": f"{arguments['skill']}/{arguments['file']}"}, "run_skill"
    told = table["model"]["titles"].get(tool) or table["titles"].get(tool)
    if told is None:
        return tool.replace("_", " ")
    tier = str(arguments.get("tier") or "")
    text = shortened(_text(arguments, given), TITLE_CHARACTERS)
    return str(told.format(text=text, tier=table["words"].get(tier, tier)).rstrip(" :"))


def _text(arguments: Mapping[str, Any], given: Mapping[str, Given]) -> str:
    patch = arguments.get("patch")
    if isinstance(patch, dict) and patch.get("content"):
        return str(patch["content"])
    for key in ("content", "query", "goal", "key", "name", "title"):
        if arguments.get(key):
            return str(arguments[key])
    meant = given.get(str(arguments.get("id")))
    return meant.text if meant else ""
