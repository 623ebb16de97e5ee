"""What the files of a skill say, and which skill of a name counts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.skills.folder import apart, contents_of, together
from inklings_desktop.domain.skills.skill import (
    ArtifactKind,
    Contents,
    Origin,
    Skill,
    changed_paths,
    checked_skill_name,
    digest_of,
    filled,
    in_force,
    ranked,
    slots_in,
)
from inklings_desktop.domain.skills.traces import SkillTrace, TraceOutcome, training_lines
from inklings_desktop.domain.words.query_text import forms_of
from tests.support.builders import NOON

FILES = {
    "SKILL.md": "---\nname: x\n---\n\n# Steps\n\nDo {{task}}.\n",
    "assets/ask.md": "Ask about {{ place }}.",
    "assets/case.json": "{}",
    "references/more.md": "More.",
    "scripts/run.py": "def main(inputs): return inputs",
    "LICENSE.txt": "Free.",
}
OWN = {
    "title": "Tide tables",
    "tags": ["sea", "time"],
    "artifacts": {"assets/ask.md": "prompt_template"},
    "input": {"type": "object"},
    "assertions": [
        {"check": "max_length", "value": 9},
        {"check": "type", "value": "object", "on": "scripts/run.py"},
    ],
}

NO_TOOLS: dict[str, Any] = {"allowed-tools": []}


def contents(name: str = "tide-tables", **more: Any) -> Contents:
    head = {"name": name, "description": "Reads tides.", "metadata": {"inklings": OWN}} | more
    return contents_of(FILES, head)


def a_skill(of: Contents, workspace_id: str | None, origin: Origin, *, on: bool = True) -> Skill:
    return Skill(of.name, workspace_id, of, origin, 1, on, "Ada", NOON, NOON)


def test_each_file_is_for_something() -> None:
    of = contents()
    assert {one.path: one.kind for one in of.artifacts} == {
        "SKILL.md": ArtifactKind.APPROACH,
        "assets/ask.md": ArtifactKind.PROMPT_TEMPLATE,
        "assets/case.json": ArtifactKind.EXAMPLE,
        "references/more.md": ArtifactKind.DESCRIPTION,
        "scripts/run.py": ArtifactKind.CODE_TEMPLATE,
        "LICENSE.txt": ArtifactKind.DESCRIPTION,
    }
    assert (of.title, of.tags, of.input_schema) == ("Tide tables", ("sea", "time"), OWN["input"])
    first, script = of.artifacts[0], of.artifacts[4]
    assert (first.said, first.gist) == ("# Steps\n\nDo {{task}}.\n", "Steps")
    assert [len(one.assertions) for one in (first, script, of.artifacts[1])] == [1, 1, 0]


def test_allowed_tools_are_names_without_what_stands_in_brackets() -> None:
    assert contents().allowed_tools is None
    some = contents(**{"allowed-tools": "memory_read Bash(git:*) memory_wipe"})
    assert some.allowed_tools == frozenset({"memory_read", "Bash", "memory_wipe"})
    assert contents(**NO_TOOLS).allowed_tools == frozenset()


@pytest.mark.parametrize(
    ("head", "field"),
    [
        ({"name": "Tide"}, "skill_name"),
        ({"name": "tide--x"}, "skill_name"),
        ({"name": "x" * 65}, "skill_name"),
        ({"description": ""}, "skill_description"),
        ({"description": "x" * 1025}, "skill_description"),
        ({"metadata": {"inklings": {"artifacts": {"assets/ask.md": "spell"}}}}, "artifact_kind"),
        (
            {"metadata": {"inklings": {"assertions": [{"check": "no_new_names", "on": "gone"}]}}},
            "assertion",
        ),
    ],
)
def test_a_head_that_says_nothing_usable_is_refused(head: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        contents(**head)
    assert caught.value.field == field
    with pytest.raises(InvalidValueError):
        contents_of(FILES, {"name": "x", "description": "y"}, "another-folder")


def test_the_workspace_hides_the_account_and_both_hide_the_program() -> None:
    of = contents()
    program, account = a_skill(of, None, Origin.SYSTEM), a_skill(of, None, Origin.USER)
    workspace = a_skill(of, "w", Origin.COMMUNITY, on=False)
    for every in ((program, account, workspace), (workspace, account, program)):
        assert in_force(every) == {"tide-tables": workspace}  # also where it is off
    assert in_force((program, account)) == {"tide-tables": account}
    assert [one.level for one in (program, account, workspace)] == [
        "program", "account", "workspace",
    ]  # fmt: skip
    assert [one.is_read_only for one in (program, account, workspace)] == [True, False, True]


def test_slots_are_filled_once_and_nothing_in_them_is_carried_out() -> None:
    text = "{{a}} and {{ b }} and {{c}} {{1}}"
    assert slots_in(text) == ("a", "b", "c")
    assert filled(text, {"a": "{{b}}", "b": 2}) == "{{b}} and 2 and {{c}} {{1}}"


def test_a_word_in_the_name_counts_most() -> None:
    words = [forms_of("tides"), forms_of("sea")]
    named = a_skill(contents(), None, Origin.USER)
    said = contents_of({"SKILL.md": ""}, {"name": "letters", "description": "Of tides."})
    plain = contents_of({"SKILL.md": ""}, {"name": "maps", "description": "Draws maps."})
    every = [a_skill(one, None, Origin.USER) for one in (plain, said)]
    found = ranked([*every, named], words)
    assert [one.name for _, one in found] == ["tide-tables", "letters"]
    assert all(0 < score <= 1 for score, _ in found)


def test_digests_and_changes_tell_places_from_texts() -> None:
    assert digest_of({"a": "bc"}) != digest_of({"ab": "c"})
    assert digest_of({"a": "1", "b": "2"}) == digest_of({"b": "2", "a": "1"})
    assert changed_paths({"a": "1", "b": "2", "c": "3"}, {"a": "1", "b": "x", "d": "4"}) == {
        "a": "same", "b": "changed", "c": "gone", "d": "new",
    }  # fmt: skip
    with pytest.raises(InvalidValueError):
        checked_skill_name("")


@given(st.lists(st.text("ab:\r\n", max_size=12), min_size=1, max_size=4))
def test_files_as_one_text_come_apart_as_they_were(bodies: list[str]) -> None:
    files = {f"f{number}": body for number, body in enumerate(bodies)}
    assert apart(together(files)) == files


def test_a_file_that_would_cut_another_in_two_is_refused() -> None:
    with pytest.raises(InvalidValueError):
        together({"a": "x\n::: file b\n"})


def test_traces_become_examples_to_learn_from() -> None:
    def trace(given_: str, output: str, outcome: TraceOutcome) -> SkillTrace:
        return SkillTrace(
            id="t", skill="tide-tables", version=2, position=0, run_id="", outcome=outcome,
            assertions=({"check": "type", "holds": True},), ms=5, at=NOON, given=given_,
            output=output,
        )  # fmt: skip

    lines = [
        json.loads(line)
        for line in training_lines(
            [
                trace("When is ebb?", "At six.", TraceOutcome.PASSED),
                trace('{"day": 3}', '{"day": 4, "ebb": "six"}', TraceOutcome.FAILED),
            ]
        )
    ]
    assert [(one["inputs"], one["outputs"], one["score"]) for one in lines] == [
        ({"task": "When is ebb?"}, {"answer": "At six."}, 1.0),
        ({"day": 3}, {"day_out": 4, "ebb": "six"}, 0.0),
    ]
    assert lines[0]["assertions"] == [{"check": "type", "holds": True}]
