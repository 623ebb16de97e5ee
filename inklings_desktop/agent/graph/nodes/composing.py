"""What the composer of skills tries out: whether files are a skill, and what one of them comes to.

Nothing is written by either, and no trace is kept. A script that is run dry reads what one may that
a person runs, and no more; the composer's own tools stay what they are.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire.skill_rules import skill_sentence
from inklings_desktop.agent.graph.nodes.scripting import NO_SCRIPTS
from inklings_desktop.agent.graph.nodes.skilled import as_text
from inklings_desktop.agent.memory_door.call import Outcome
from inklings_desktop.agent.memory_door.filters import ANALYSIS, VALIDATE_SKILL
from inklings_desktop.agent.model_planner.judging import judged_by_model
from inklings_desktop.agent.scripts.memory_module import memory_module, over_memory
from inklings_desktop.domain.errors import AgentError, InvalidValueError
from inklings_desktop.domain.skills.assertions import findings_of, questions_in
from inklings_desktop.domain.skills.folder import apart, checked_files, contents_of
from inklings_desktop.domain.skills.skill import (
    MAIN_FILE,
    ArtifactKind,
    Origin,
    changed_paths,
    filled,
    slots_in,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent.graph.turn import Turn
    from inklings_desktop.agent.planning import Call
    from inklings_desktop.domain.skills.skill import Artifact, Contents

SILENCE_SECONDS = 2.0
"""How long a script that is run dry may compute between two calls of ours."""
NO_SKILL = "skill_invalid"
_THEIRS = "A skill of this name was brought in: the author cannot change it. Take another name."
_ABOVE = "A {level} skill has this name already. In this workspace yours would count."
_OPEN = "{path} leaves {{{{{slot}}}}} open: the head's input names no {slot}."
_UNCHECKED = "Check a draft with validate_skill first."
_UNANSWERED = "Answer the filled text yourself, and hand that over as answer to check it."


async def composing_outcome(turn: Turn, call: Call) -> Outcome:
    """What came of a tool that is the composer's alone."""
    text = str(call.arguments.get("files") or "")
    if not text and call.tool != VALIDATE_SKILL:
        return _failed(NO_SKILL, _UNCHECKED)
    try:
        contents = _understood(turn, text)
    except InvalidValueError as error:
        said = skill_sentence(error)
        if call.tool == VALIDATE_SKILL:
            return Outcome({"is_skill": False, "problems": [said]})
        return _failed(NO_SKILL, said)
    if call.tool == VALIDATE_SKILL:
        return Outcome(await _validated(turn, contents))
    path = str(call.arguments.get("file") or MAIN_FILE)
    artifact = contents.artifact(path)
    if artifact is None:
        return _failed(NO_SKILL, f"The skill has no file {path}.")
    inputs = call.arguments.get("inputs")
    given = inputs if isinstance(inputs, dict) else {}
    if artifact.kind is ArtifactKind.CODE_TEMPLATE:
        return await _code_run(turn, artifact, given)
    return await _filled(turn, artifact, given, call.arguments.get("answer"))


def _understood(turn: Turn, text: str) -> Contents:
    told = apart(text)  # of half a sign it becomes no text, which is said as of any file
    files = checked_files(
        {one: body.encode("utf-8", "surrogatepass") for one, body in told.items()}
    )
    assert turn.skill_head is not None
    return contents_of(files, turn.skill_head(files[MAIN_FILE]))


async def _validated(turn: Turn, of: Contents) -> dict[str, Any]:
    """What the files are, and what they would change of the skill that is there."""
    problems = list(_open_slots(of))
    answer: dict[str, Any] = {"name": of.name, "title": of.title, "description": of.description}
    found = await turn.memory.call(turn.process, "skill_read", {"name": of.name})
    before: dict[str, str] = {}
    there = {} if found.is_error else found.answer.get("skill") or {}
    if there.get("level") != "workspace":
        if there:
            answer["note"] = _ABOVE.format(level=there.get("level"))
    elif there.get("origin") != Origin.USER:
        problems.append(_THEIRS)
    else:
        answer["base_version"] = there["version"]
        for one in found.answer.get("files") or ():
            asked = {"name": of.name, "file": one["path"]}
            read = await turn.memory.call(turn.process, "skill_read", asked)
            if not read.is_error:
                before[one["path"]] = str(read.answer["files"][0]["text"])
    return answer | {
        "is_skill": not problems,
        "problems": problems,
        "changes": dict(changed_paths(before, of.files)),
        "files": {one.path: one.kind.value for one in of.artifacts},
        "assertions": {one.path: len(one.assertions) for one in of.artifacts if one.assertions},
    }


def _open_slots(of: Contents) -> list[str]:
    """Slots of its templates that nothing it is given could fill."""
    schema = of.input_schema or {"properties": {"task": {}}}
    known = schema.get("properties")
    known = known if isinstance(known, dict) else {}
    templates = [one for one in of.artifacts if _is_filled(one)]
    return [
        _OPEN.format(path=one.path, slot=slot)
        for one in templates
        for slot in slots_in(one.said)
        if slot not in known
    ]


def _is_filled(one: Artifact) -> bool:
    return one.kind in {ArtifactKind.APPROACH, ArtifactKind.PROMPT_TEMPLATE}


async def _filled(
    turn: Turn, artifact: Artifact, given: Mapping[str, Any], answer: object
) -> Outcome:
    """A text as whoever works by it gets it; only an answer to it can be checked."""
    text = filled(artifact.said, given) if _is_filled(artifact) else artifact.said
    told: dict[str, Any] = {"file": artifact.path, "output": text, "ms": 0}
    if left := slots_in(text):
        told["open"] = list(left)
    if answer is None:
        return Outcome(told | {"note": _UNANSWERED if artifact.assertions else ""})
    return Outcome(told | {"findings": await _findings(turn, artifact, answer, given)})


async def _code_run(turn: Turn, artifact: Artifact, given: Mapping[str, Any]) -> Outcome:
    """What a script of the skill returns for this input."""
    if turn.scripts is None:
        return _failed(NO_SCRIPTS, "No script can be run here.")
    door = replace(turn.memory, brief=None)

    async def ask(tool: str, arguments: Mapping[str, Any]) -> Outcome:
        return await door.call(ANALYSIS, tool, arguments)

    module = memory_module(ask, lambda _text, _share: None)
    executor = over_memory(module).silence_limit(SILENCE_SECONDS).build(turn.scripts())
    began = time.monotonic()
    try:
        ran = await executor.execute(artifact.body, given)
    except AgentError as error:
        if error.word != NO_SCRIPTS:
            raise
        return _failed(NO_SCRIPTS, "The parts that run scripts are not installed.")
    told = {"file": artifact.path, "fuel": ran.fuel, "ms": round((time.monotonic() - began) * 1000)}
    if ran.outcome != "ok":
        return Outcome(told | {"word": ran.outcome, "message": ran.sentence}, is_error=True)
    found = await _findings(turn, artifact, ran.result, given)
    return Outcome(told | {"output": ran.result, "findings": found})


async def _findings(
    turn: Turn, artifact: Artifact, output: object, given: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """What holds of it; what a rule cannot tell another model is asked."""
    asked, aside = as_text(dict(given)), turn.aside("act")
    text = output if isinstance(output, str) else as_text(output)
    questions = questions_in(artifact.assertions)
    judged = [await judged_by_model(aside, one, asked, text) for one in questions]
    return [one.payload() for one in findings_of(artifact.assertions, output, asked, judged)]


def _failed(word: str, message: str) -> Outcome:
    return Outcome({"word": word, "message": message}, is_error=True)
