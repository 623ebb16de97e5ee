"""States of the Skills page: one that is shipped, one that an agent made better, a folder."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from unittest import mock

from inklings_desktop.agent_client.script_run import Report
from inklings_desktop.domain.access.access import Action, Grant
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.ops.page_spec import SKILLS_PAGE
from inklings_desktop.ui.kit.page.destinations import ToSkillReview
from inklings_desktop.ui.skills import dry_run
from inklings_desktop.ui.skills.state import key_of
from inklings_desktop.ui.tour.tour import Stop, settle, until
from inklings_desktop.usecases.skills.runs import RunReport
from tests.pictures.steps import as_it_is
from tests.support.builders import an_agent

if TYPE_CHECKING:
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.skills.page import SkillsPage
    from inklings_desktop.ui.window.main_window import MainWindow
    from inklings_desktop.usecases.bundle import Inklings

SHOWN = "continuity-check"
NARROW = (1024, 768)
OWN = "left-and-right"
GIVEN = {
    "lines": [
        "The rope is on the left of the rail.",
        "\u201cGate is on right of me,\u201d said Pell.",
        "He turned left, then left again.",
    ],
    "words": ["left", "right"],
}
HEAD = """---
name: left-and-right
description: Lists every left and right in a draft.
metadata:
  inklings:
    title: Left and right audit
    artifacts: {assets/ask.md: prompt_template}
    assertions:
      - {check: required_keys, value: [found, lines], on: scripts/find.py}
      - {check: max_length, value: 40, on: scripts/find.py}
---
1. Read the draft.
2. List every left and right.
3. Mark which are deliberate.
"""
CODE = """def main(inputs):
    hits = []
    for number, line in enumerate(inputs["lines"], 1):
        for word in inputs["words"]:
            hits += [number] * line.count(word)
    return {"found": len(hits), "lines": hits}
"""
BEFORE = {
    "SKILL.md": HEAD,
    "assets/ask.md": "Is this {{hand}} deliberate? Answer yes or no.\n",
    "scripts/find.py": CODE,
}
BETTER = BEFORE | {
    "assets/ask.md": "Is this {{hand}} deliberate, seen from the boat? Answer yes or no.\n",
    "assets/chapter-6.md": "Chapter 6: seven found, three kept.\n",
    "scripts/find.py": CODE.replace(
        "        for word in",
        '        if line.startswith("\u201c"):\n            continue\n        for word in',
    ),
}
FOLDER = Path("/", "media", "ottoline", "skills")
"""Stands in the picture in place of the folder of whoever draws it."""


async def show_skills(_memory: MemoryPage, window: MainWindow) -> None:
    """What a skill is used for, what it is made of, and a dry run of it beside."""
    page = await shown_page(window)
    await until(lambda: page.content is not None and bool(page.content.skills))
    assert page.content is not None
    (skill,) = [one for one in page.content.skills if one.name == SHOWN]
    page.choose(key_of(skill))
    await until(lambda: page.current == key_of(skill))
    await settle()


async def shown_page(window: MainWindow) -> SkillsPage:
    """The Skills page, on show."""
    opened = window.opened
    assert opened is not None
    window.show_page(SKILLS_PAGE)
    await until(lambda: opened.pages.page(SKILLS_PAGE) is not None)
    return cast("SkillsPage", opened.pages.page(SKILLS_PAGE))


def add_skills(inklings: Inklings, workspace_id: str, scratch: Path) -> None:
    """A skill of the author's that was used once, a better one, and a folder with three."""
    inklings.skills.save(workspace_id, BEFORE)
    given = json.dumps(GIVEN, ensure_ascii=False)
    report = RunReport(artifact="scripts/find.py", given=given, output={"found": 4}, ms=140)
    inklings.skill_runs.note(workspace_id, OWN, report)
    rights = frozenset({Action.READ, Action.PROPOSE})
    agent = an_agent("skill_composer", grants=(Grant(Tier.WORKSPACE, workspace_id, rights),))
    propose = inklings.as_caller(agent).skill_proposals.propose
    propose(workspace_id, BETTER, "What Pell says is not to be marked.", 1)
    for name, title in (("tide-tables", "Tide tables"), ("timeline-weaver", "Timeline weaver")):
        head = (
            f"---\nname: {name}\ndescription: {title}, from dated blocks.\nlicense: MIT\n---\n1.\n"
        )
        _lay(scratch / "skills" / name, {"SKILL.md": head})
    _lay(scratch / "skills" / OWN, BETTER)
    inklings.skill_transfer.bring_in(workspace_id, scratch / "skills" / "tide-tables")
    (scratch / "skills" / "tide-tables" / "hours.md").write_text("Six and a half.\n")


def _lay(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def _carried_out(_command: object, _variables: object, asked: bytes, **_how: object) -> Report:
    """What a script comes to, without the sandbox: the picture is of the window alone."""
    said, names = json.loads(asked), dict[str, Any]()
    exec(said["script"], names)  # noqa: S102 - it is written above
    result = names["main"](said["inputs"])
    document = {"result": result, "outcome": "ok"}
    return Report(True, json.dumps(result), (), 0, "", document)


async def show_skill_review(_memory: MemoryPage, window: MainWindow) -> None:
    """A skill that an agent made better, both versions tried on the input of the last run."""
    page = await shown_page(window)
    await until(lambda: page.content is not None and bool(page.content.proposals))
    assert page.content is not None
    page.choose(f"workspace {OWN}")
    at_hand = mock.patch.object(dry_run, "world_agent_command", return_value=["agent"])
    with at_hand, mock.patch.object(dry_run, "carried_out", _carried_out):
        page.arrive(ToSkillReview(page.content.proposals[0].ref))
        await until(lambda: page.review.state is not None and page.review.state.trial is not None)
    await settle()


async def show_skill_folder(scratch: Path, _memory: MemoryPage, window: MainWindow) -> None:
    """A folder of skills beside what is there."""
    page = await shown_page(window)
    page.review.close()
    page.catalogue.open(page.workspace_id, scratch / "skills")
    catalogue = page.catalogue
    await until(lambda: catalogue.state is not None and catalogue.state.found is not None)
    catalogue.change(place=FOLDER)
    await settle()


async def show_skill_tried(_memory: MemoryPage, window: MainWindow) -> None:
    """Where there is little room, a dry run is a tab of the detail."""
    page = await shown_page(window)
    page.catalogue.close()
    page.focus_detail()
    page.given = json.dumps(GIVEN, ensure_ascii=False)
    at_hand = mock.patch.object(dry_run, "world_agent_command", return_value=["agent"])
    with at_hand, mock.patch.object(dry_run, "carried_out", _carried_out):
        page.is_trying = True
        await page.run_dry()
    assert page.came_out is not None
    assert page.came_out.code is not None
    page.came_out = replace(page.came_out, code=replace(page.came_out.code, seconds=0.14))
    page.say_again()
    await settle()


def skill_stops(scratch: Path) -> tuple[Stop, ...]:
    """What lies over the page, and the page where there is little room."""
    return (
        Stop("16b-skill-review", show_skill_review),
        Stop("16b-skill-review-narrow", as_it_is, size=NARROW),
        Stop("16b-skill-folder", partial(show_skill_folder, scratch)),
        Stop("16a-skills-tried-narrow", show_skill_tried, size=NARROW),
    )
