"""What the composer tries out before it proposes: checked and run dry, and nothing is written."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.agent.graph.composed import composed
from inklings_desktop.agent.graph.nodes import composing
from inklings_desktop.agent.memory_door.briefs import Brief
from inklings_desktop.agent.memory_door.call import MemoryDoor, Outcome
from inklings_desktop.agent.memory_door.filters import COMPOSER, DRY_RUN_SKILL, VALIDATE_SKILL
from inklings_desktop.agent.model_planner.skill_drafts import composer_tools, with_draft
from inklings_desktop.agent.model_planner.structured import Aside
from inklings_desktop.agent.planning import Call, Result, Tool
from inklings_desktop.domain.skills.folder import apart
from inklings_desktop.worldfiles.skill_folders import LocalSkillFolders
from tests.support.interpreters import looped
from tests.support.scripted_chat import ScriptedModels

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.agent.scripts.executor import Interpreter

HEAD = """::: file SKILL.md
---
name: ship-names
description: Counts the ships of a text.
metadata:
  inklings:
    input: {type: object, properties: {text: {type: string}}}
    assertions:
      - {check: required_keys, value: [n], on: scripts/count.py}
      - {check: max_length, value: 5}
---
Count the ships of {{text}}.
::: file scripts/count.py
"""
DRAFT = HEAD + "def main(inputs):\n    return {'n': inputs['text'].count('ship')}\n"


class Skills:
    """A memory server with the files of at most one skill; notes what it is asked."""

    def __init__(self, files: Mapping[str, str] | None = None, **told: Any) -> None:
        self.files = files or {}
        self.told = {"name": "ship-names", "level": "workspace", "origin": "user", "version": 3}
        self.told |= told
        self.called: list[str] = []

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Outcome:
        self.called.append(tool)
        if tool == "memory_list":
            return Outcome({"memories": [{"content": "a ship"}]})
        if tool != "skill_read" or not self.files:
            return Outcome({"word": "not_found", "message": "There is none."}, is_error=True)
        path = arguments.get("file")
        files = [{"path": one} for one in self.files]
        if path:
            files = [{"path": path, "text": self.files[path]}]
        return Outcome({"skill": self.told, "files": files})


async def tried(
    tool: str, server: Skills, interpreter: Interpreter | None = None, **arguments: Any
) -> Outcome:
    """What came of a tool of the composer's."""

    async def noted(_sent: object) -> None:
        """What it costs is not looked at here."""

    judge = ScriptedModels(({"process": "judge", "text": '{"why": "So.", "holds": false}'},))
    brief = Brief("t1.1", COMPOSER, "c1", "Word a skill")
    turn: Any = SimpleNamespace(
        memory=MemoryDoor(server, brief=brief),  # type: ignore[arg-type]  # as much as it needs
        process=COMPOSER, skill_head=LocalSkillFolders().head,
        scripts=None if interpreter is None else lambda: interpreter,
        aside=lambda _node: Aside(judge, "7", noted),
    )  # fmt: skip
    return await composing.composing_outcome(turn, Call("1", tool, arguments))


def checked(text: str, server: Skills) -> Mapping[str, Any]:
    outcome = asyncio.run(tried(VALIDATE_SKILL, server, files=text))
    assert not outcome.is_error
    return outcome.answer


def test_a_draft_is_compared_with_the_skill_that_is_there() -> None:
    new = checked(DRAFT, Skills())
    assert (new["is_skill"], "base_version" in new) == (True, False)
    assert new["changes"] == {"SKILL.md": "new", "scripts/count.py": "new"}
    assert new["files"] == {"SKILL.md": "approach", "scripts/count.py": "code_template"}
    assert new["assertions"] == {"SKILL.md": 1, "scripts/count.py": 1}
    main = DRAFT.partition("\n")[2].partition("::: file")[0]
    server = Skills({"SKILL.md": main, "scripts/count.py": "x = 1\n", "gone.md": "Gone."})
    found = checked(DRAFT, server)
    assert found["base_version"] == 3
    assert found["changes"] == {
        "SKILL.md": "same", "gone.md": "gone", "scripts/count.py": "changed",
    }  # fmt: skip
    assert set(server.called) == {"skill_read"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "There is no SKILL.md in it."),
        ("::: file SKILL.md\nSteps.\n", "The head of SKILL.md cannot be read at line 1."),
        (DRAFT.replace("ship-names", "Ship names"), "A skill is named by 1 to 64 small letters"),
        (DRAFT.replace("on: scripts/count.py", "on: gone.py"), "An assertion is about gone.py"),
        (DRAFT.replace("max_length", "longest"), "Nobody knows how to check assertion number 2."),
        (DRAFT.replace("{{text}}", "{{tide}}"), "SKILL.md leaves {{tide}} open"),
        (DRAFT.replace("::: file scripts/", "::: file ../"), "can't be the name of a file"),
        (f"{HEAD}\ud800", "scripts/count.py is not text in UTF-8."),
        (f"{HEAD}{'x' * 70_000}", "scripts/count.py is longer than 64 KiB."),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(text: str, said: str) -> None:
    found = checked(text, Skills())
    assert found["is_skill"] is False
    (problem,) = found["problems"]
    assert said in problem


def test_whose_name_is_taken_is_said() -> None:
    theirs = checked(DRAFT, Skills({"SKILL.md": "x"}, origin="community"))
    assert "was brought in" in theirs["problems"][0]
    above = checked(DRAFT, Skills({"SKILL.md": "x"}, level="program", origin="system"))
    assert (above["is_skill"], "yours would count" in above["note"]) == (True, True)
    assert "base_version" not in above


def test_a_text_is_filled_and_only_an_answer_to_it_is_checked() -> None:
    asked: dict[str, Any] = {"files": DRAFT, "inputs": {"text": "a log"}}
    told = asyncio.run(tried(DRY_RUN_SKILL, Skills(), **asked)).answer
    assert told["output"] == "Count the ships of a log.\n"
    assert "findings" not in told
    told = asyncio.run(tried(DRY_RUN_SKILL, Skills(), answer="far too many", **asked)).answer
    assert [(one["holds"], one["got"]) for one in told["findings"]] == [(False, "12")]
    meant = DRAFT.replace("{check: max_length, value: 5}", "{check: judge, value: Is it kind?}")
    told = asyncio.run(
        tried(DRY_RUN_SKILL, Skills(), answer="1", **asked | {"files": meant})
    ).answer
    assert [(one["value"], one["holds"]) for one in told["findings"]] == [("Is it kind?", False)]
    missing = asyncio.run(tried(DRY_RUN_SKILL, Skills(), files=DRAFT, file="gone.py"))
    assert (missing.word, missing.is_error) == ("skill_invalid", True)
    nothing = asyncio.run(tried(DRY_RUN_SKILL, Skills(), files=""))
    assert nothing.answer["message"] == "Check a draft with validate_skill first."
    broken = asyncio.run(tried(DRY_RUN_SKILL, Skills(), files="::: file SKILL.md\nx"))
    assert (broken.word, "cannot be read" in broken.answer["message"]) == ("skill_invalid", True)


@looped
async def test_code_runs_in_the_sandbox_and_what_it_returns_is_checked(
    interpreter: Interpreter,
) -> None:
    server = Skills()
    asked: dict[str, Any] = {"files": DRAFT, "file": "scripts/count.py"}
    ran = await tried(DRY_RUN_SKILL, server, interpreter, inputs={"text": "ship, ship"}, **asked)
    assert ran.answer["output"] == {"n": 2}
    assert [one["holds"] for one in ran.answer["findings"]] == [True]
    assert ran.answer["fuel"] > 0
    wrong = await tried(DRY_RUN_SKILL, server, interpreter, inputs={}, **asked)
    assert (wrong.word, "KeyError" in wrong.answer["message"]) == ("script_error", True)
    assert server.called == []
    assert (await tried(DRY_RUN_SKILL, server, **asked)).word == "scripts_not_installed"


@looped
async def test_code_that_is_run_dry_reads_and_writes_nothing(interpreter: Interpreter) -> None:
    script = (
        "import inklings\ndef main(inputs):\n"
        " said = []\n"
        " for write in (lambda: inklings.note_write('k', 1),\n"
        "   lambda: inklings.call('ask', tool='memory_put', arguments={'content': 'x'})):\n"
        "  try: write()\n  except inklings.RefusedError as error: said.append(str(error))\n"
        " return {'n': len(inklings.memory_list()[0]), 'said': said}"
    )
    server = Skills()
    asked = {"files": HEAD + script, "file": "scripts/count.py"}
    ran = await tried(DRY_RUN_SKILL, server, interpreter, **asked)
    assert ran.answer["output"]["n"] == 1
    assert len(ran.answer["output"]["said"]) == 2
    assert server.called == ["memory_list"]


@looped
async def test_code_that_asks_for_nothing_is_ended_after_a_while(
    interpreter: Interpreter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(composing, "SILENCE_SECONDS", 0.2)
    monkeypatch.setattr("inklings_desktop.agent.scripts.executor.FUEL", 100_000_000_000)
    endless = HEAD + "def main(inputs):\n while True: pass"
    asked = {"files": endless, "file": "scripts/count.py"}
    ran = await tried(DRY_RUN_SKILL, Skills(), interpreter, **asked)
    assert ran.word == "time_limit"
    assert "took too long" in ran.answer["message"]


def made(
    tool: str, outcome: Mapping[str, Any], *, failed: bool = False, **more: Any
) -> dict[str, Any]:
    """A call of a composer, as the state of its graph keeps it."""
    call = {"tool": tool, "arguments": {"files": DRAFT} | more}
    return {"call": call, "outcome": outcome, "is_error": failed}


CHECKED = {
    "name": "ship-names", "changes": {"SKILL.md": "changed", "scripts/count.py": "new"},
    "assertions": {"SKILL.md": 1, "scripts/count.py": 2},
}  # fmt: skip
PROPOSED = made("skill_propose", {"status": "held_for_review", "proposals": ["p1"]})
HOLDS = {"check": "type", "value": "object", "holds": True, "got": "object"}


def test_the_report_tells_what_was_proposed_and_what_held_of_it() -> None:
    results = [
        made(VALIDATE_SKILL, {"name": "other"}, files="another draft"),
        made(VALIDATE_SKILL, CHECKED),
        made(DRY_RUN_SKILL, {"message": "Line 1."}, failed=True, file="scripts/count.py"),
        made(DRY_RUN_SKILL, {"findings": [HOLDS, HOLDS]}, file="scripts/count.py"),
        PROPOSED,
    ]
    told = composed(results, "en")
    assert (told["proposal"], told["skill"]) == ("p1", "ship-names")
    assert [(one["on"], one["holds"]) for one in told["assertions"]] == [
        ("SKILL.md", None), ("scripts/count.py", True), ("scripts/count.py", True),
    ]  # fmt: skip
    assert told["said"] == (
        "Proposed skill ship-names: 1 file changes, 1 file is new, 2 of 3 assertions hold,"
        " 1 was not checked."
    )
    broken = composed([*results[:3], PROPOSED], "en")
    assert "0 of 3 assertions hold, 1 was not checked" in broken["said"]
    assert composed(results[:-1], "de") == {"said": "Es wurde keine Fertigkeit vorgeschlagen."}


def test_what_is_proposed_is_what_was_checked_last() -> None:
    drafts = [
        Result(Call("1", VALIDATE_SKILL, {"files": "first"}), {"base_version": 2}),
        Result(Call("2", VALIDATE_SKILL, {"files": "second"}), {"base_version": 4}),
    ]
    asked = with_draft("skill_propose", {"reason": "Why", "files": "third"}, drafts)
    assert asked == {"reason": "Why", "files": "second", "base_version": 4}
    assert with_draft(DRY_RUN_SKILL, {"file": "a.py"}, drafts) == {
        "file": "a.py", "files": "second",
    }  # fmt: skip
    read = Result(Call("1", "skill_read", {}), {"files": [{"path": "a.md", "text": "Stays"}]})
    asked = {"files": "::: file b.md\nNew\n", "keep": ["a.md", "gone.md", {}]}
    kept = with_draft(VALIDATE_SKILL, asked, [read])
    assert apart(kept["files"]) == {"a.md": "Stays", "b.md": "New\n"}
    marked = Result(read.call, {"files": [{"path": "a.md", "text": "::: file c.md\n"}]})
    for none in ([], [marked]):
        assert with_draft(VALIDATE_SKILL, asked, none)["files"] == asked["files"]
    empty = [Result(Call("1", VALIDATE_SKILL, {}), {"is_skill": False})]
    for nothing in ([], empty):
        assert not with_draft("skill_propose", {"files": "third"}, nothing)["files"]
    assert with_draft("skill_read", {"name": "a"}, drafts) == {"name": "a"}
    fields: dict[str, Any] = {"files": {}, "reason": {}, "base_version": {}}
    schema = {"properties": fields, "required": ["files", "reason"]}
    (offered,) = composer_tools([Tool("skill_propose", "", schema)])
    assert (list(offered.schema["properties"]), offered.schema["required"]) == (["reason"],) * 2
