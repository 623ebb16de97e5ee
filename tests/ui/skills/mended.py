"""A skill that an agent mended: what it was, and what it is to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, Grant
from inklings_desktop.domain.memory import Tier
from inklings_desktop.usecases.skills.runs import RunReport
from tests.support.builders import an_agent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.entries.proposals import Proposal
    from tests.ui.presenter_bench import Bench

NAME = "left-and-right"
GIVEN = '{"page": 12, "words": ["left", "right"]}'
_HEAD = (
    "---\nname: left-and-right\ndescription: Lists every left and right in a draft.\n"
    "metadata:\n  inklings:\n    title: Left and right audit\n"
    "    artifacts: {assets/ask.md: prompt_template}\n"
    "    assertions:\n"
    "      - {check: required_keys, value: [found, lines], on: scripts/find.py}\n"
    "      - {check: max_length, value: 40, on: scripts/find.py}\n"
    "---\n1. Read the page.\n2. List every left and right.\n3. Mark which are deliberate.\n"
)
_CODE = (
    "def main(inputs):\n"
    "    hits = []\n"
    '    for block in inklings.page(inputs["page"]).blocks:\n'
    '        for word in find(block.text, inputs["words"]):\n'
    "            hits.append((block.number, word.line))\n"
    '    return {"found": len(hits), "lines": hits}\n'
)


def before() -> dict[str, str]:
    """The skill as it is."""
    return {
        "SKILL.md": _HEAD,
        "assets/ask.md": "Which side is {{hand}}? Answer in one word.\n",
        "scripts/find.py": _CODE,
    }


def after() -> dict[str, str]:
    """The same as an agent would have it: two files are others, and one is new."""
    code = _CODE.replace(
        "        for word in find(block.text",
        '        spoken = {"Pell"} & block.speakers\n'
        "        for word in find(block.without(spoken)",
    )
    ask = "Which side is {{hand}}, seen from the boat? Answer in one word.\n"
    example = "Chapter 6: seven found, three kept.\n"
    return before() | {
        "assets/ask.md": ask, "scripts/find.py": code, "assets/chapter-6.md": example,
    }  # fmt: skip


def asked_for(
    bench: Bench, files: Mapping[str, str] | None = None, base: int | None = 1
) -> Proposal:
    """What an agent asks for; the whole mended skill where no files are said."""
    rights = frozenset({Action.READ, Action.PROPOSE})
    agent = an_agent("skill_composer", grants=(Grant(Tier.WORKSPACE, bench.workspace.id, rights),))
    propose = bench.inklings.as_caller(agent).skill_proposals.propose
    why = "Words that Pell says are not the author's to mark."
    return propose(bench.workspace.id, files or after(), why, base)


def with_mended(bench: Bench) -> None:
    """The skill, a run of it, and what an agent asks for."""
    here = bench.workspace.id
    bench.inklings.skills.save(here, before())
    report = RunReport(artifact="scripts/find.py", given=GIVEN, output={"found": 11}, ms=140)
    bench.inklings.skill_runs.note(here, NAME, report)
    asked_for(bench)


def with_new(bench: Bench) -> None:
    """A skill that there is not yet."""
    asked_for(bench, before(), None)
