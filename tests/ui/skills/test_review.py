"""The review of a skill that an agent mended: what is on show, taken, left, used and undone."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtWidgets import QLabel

from inklings_desktop.acp_wire import words
from inklings_desktop.agent_client.script_run import Report, problem
from inklings_desktop.domain.entries.proposals import ProposalState
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.ui.kit.page.destinations import ToSkillReview
from inklings_desktop.ui.skills import dry_run
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.skills.mended import GIVEN, NAME, after, asked_for, before, with_mended, with_new
from tests.ui.skills.test_skills_page import SkillsBench, play

if TYPE_CHECKING:
    from inklings_desktop.ui.skills.review_state import ReviewState
    from tests.ui.presenter_bench import Bench

CODE, ASK, EXAMPLE = "scripts/find.py", "assets/ask.md", "assets/chapter-6.md"


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """A sandbox that finds eleven lines before and ten after; what it was asked for."""
    asked: list[bytes] = []

    def carried_out(_command: object, _variables: object, what: bytes, **_how: object) -> Report:
        asked.append(what)
        is_mended = b"Pell" in what
        found = {"found": 10 if is_mended else 11, "lines": [] if is_mended else [*range(11)]}
        return Report(True, json.dumps(found), (), 0, "", {"result": found, "outcome": "ok"})

    monkeypatch.setattr(dry_run, "world_agent_command", lambda *_: ["agent"])
    monkeypatch.setattr(dry_run, "carried_out", carried_out)
    return asked


async def opened(bench: SkillsBench) -> Any:
    """The dialog over what is asked for; whatever is to be tried was."""
    await until(lambda: bench.page.content is not None and bool(bench.page.content.proposals))
    assert bench.page.content is not None
    bench.page.arrive(ToSkillReview(bench.page.content.proposals[0].ref))
    await until(lambda: bench.page.review.dialog is not None)
    await settled(bench)
    return bench.page.review.dialog


async def settled(bench: SkillsBench) -> None:
    """Return once nothing is being tried."""
    await bench.page.review._trying.settled()


def shown(bench: SkillsBench) -> ReviewState:
    """What is on show."""
    state = bench.page.review.state
    assert state is not None
    return state


def sentences(dialog: Any) -> str:
    """Everything that the dialog says."""
    return "\n".join(one.text() for one in dialog.findChildren(QLabel) if one.isVisible())


@scene(play, with_mended)
async def test_it_says_what_changes_and_tries_both_on_the_last_input(
    bench: SkillsBench, /, qapp: object, runs: list[bytes]
) -> None:
    await bench.shows(f"workspace {NAME}")
    await bench.press(f"review:{NAME}")
    await until(lambda: bench.page.review.dialog is not None)
    await until(lambda: shown(bench).trial is not None)
    told = sentences(bench.page.review.dialog)
    assert bench.named("reviewHeadline").text() == (
        "2 artifacts change, 1 is new, 2 of 2 assertions pass"
    )
    assert "failed before" in told
    assert "Nothing is in use yet." in told
    assert "Words that Pell says" in told
    assert "The version before is kept" in told
    listed: Any = bench.named("reviewList")
    assert [(one.id, one.state) for one in listed.rows] == [
        (CODE, "changed"), (ASK, "changed"), (EXAMPLE, "new"), ("SKILL.md", "same"),
    ]  # fmt: skip
    assert '"found": 11' in bench.named("cameBefore").text()
    assert '"found": 10' in bench.named("cameAfter").text()
    assert len(runs) == 2
    assert all(json.loads(one)["inputs"] == json.loads(GIVEN) for one in runs)
    assert bench.named("reviewUse").text() == "Use the new version"
    assert bench.skills.show(bench.here, NAME).version == 1


@scene(play, with_mended)
async def test_it_is_used_and_one_step_brings_the_version_before_back(
    bench: SkillsBench, /, qapp: object, runs: list[bytes]
) -> None:
    await opened(bench)
    bench.named("reviewUse").click()
    await bench.stored(lambda: bench.skills.show(bench.here, NAME).version == 2)
    assert bench.skills.show(bench.here, NAME).contents.files == after()
    await until(lambda: bench.page.review.dialog is None)
    await bench.undo()
    assert bench.skills.show(bench.here, NAME).contents.files == before()
    proposals = bench.bench.inklings.proposals.list(bench.here)
    assert [one.is_undecided for one in proposals].count(True) == 1


@scene(play, with_mended)
async def test_what_is_left_stays_as_it_is_and_the_rest_is_tried_again(
    bench: SkillsBench, /, qapp: object, runs: list[bytes]
) -> None:
    dialog = await opened(bench)
    assert bench.named("reviewChoice").isVisible()
    bench.named("reviewChoice").choose("leave")
    await settled(bench)
    assert len(runs) == 4
    assert b"Pell" not in runs[-1]
    assert b"Pell" not in runs[-2]
    await until(lambda: not shown(bench).is_running)
    assert bench.named("reviewHeadline").text() == (
        "1 artifact changes, 1 is new, 1 of 2 assertions pass"
    )
    dialog.file_chosen.emit(EXAMPLE)
    bench.named("reviewChoice").choose("leave")
    await settled(bench)
    bench.named("reviewUse").click()
    await bench.stored(lambda: bench.skills.show(bench.here, NAME).version == 2)
    files = bench.skills.show(bench.here, NAME).contents.files
    assert files == before() | {ASK: after()[ASK]}


@scene(play, with_mended)
async def test_with_everything_left_there_is_nothing_to_use(
    bench: SkillsBench, /, qapp: object, runs: list[bytes]
) -> None:
    dialog = await opened(bench)
    for path in (CODE, ASK, EXAMPLE):
        dialog.file_chosen.emit(path)
        bench.named("reviewChoice").choose("leave")
        await settled(bench)
    assert not bench.named("reviewUse").isEnabled()
    bench.named("reviewChoice").choose("take")
    await settled(bench)
    assert bench.named("reviewUse").isEnabled()


@scene(play, with_mended)
async def test_it_is_discarded_and_asked_for_again(
    bench: SkillsBench, /, qapp: object, runs: list[bytes]
) -> None:
    await opened(bench)
    listed = partial(bench.bench.inklings.proposals.list, bench.here)
    bench.named("reviewDiscard").click()
    await bench.stored(lambda: [one.state for one in listed()] == [ProposalState.REJECTED])
    await bench.undo()
    assert [one.is_undecided for one in listed()].count(True) == 1
    assert bench.skills.show(bench.here, NAME).version == 1


@scene(play, with_mended)
async def test_an_assertion_that_breaks_is_used_anyway(
    bench: SkillsBench, /, qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dry_run, "world_agent_command", lambda *_: ["agent"])
    stopped = Report(False, "", (), 0, "", {"outcome": "out_of_fuel"})
    monkeypatch.setattr(dry_run, "carried_out", lambda *_, **__: stopped)
    dialog = await opened(bench)
    assert "0 of 2 assertions pass" in bench.named("reviewHeadline").text()
    assert "Nothing was written." in bench.named("cameAfter").text()
    assert bench.named("reviewUse").text() == "Use it anyway"
    assert "structure; not so" in sentences(dialog)


@scene(play, with_mended)
async def test_without_a_sandbox_it_says_that_nothing_was_run(
    bench: SkillsBench, /, qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dry_run, "world_agent_command", lambda *_: ["agent"])
    missing = problem(words.SCRIPTS_NOT_INSTALLED)
    monkeypatch.setattr(dry_run, "carried_out", lambda *_, **__: missing)
    dialog = await opened(bench)
    told = sentences(dialog)
    assert "The sandbox is not installed, so code is shown and not run." in told
    assert bench.named("reviewHeadline").text() == "2 artifacts change, 1 is new"
    assert "not tried: structure" in told
    assert bench.named("reviewUse").text() == "Use the new version"


@scene(play, with_new)
async def test_a_new_skill_without_an_input_is_tried_on_what_is_typed(
    bench: SkillsBench, /, qapp: object, runs: list[bytes]
) -> None:
    await bench.press(f"review:{NAME}")
    await until(lambda: bench.page.review.dialog is not None)
    told = sentences(bench.page.review.dialog)
    assert "3 artifacts are new" in told
    assert "Type an input below" in told
    assert runs == []
    bench.named("reviewInput").setText(GIVEN)
    bench.named("reviewInput").textEdited.emit(GIVEN)
    await bench.press("reviewRun")
    await settled(bench)
    assert len(runs) == 1
    assert bench.named("cameBefore").text() == "The version before has no such code."
    bench.page.review.dialog.file_chosen.emit("SKILL.md")  # type: ignore[union-attr]
    assert not bench.named("reviewChoice").isVisible()
    bench.page.review.dialog.file_chosen.emit(CODE)  # type: ignore[union-attr]
    bench.named("reviewChoice").choose("leave")
    await settled(bench)
    await until(
        lambda: "An assertion is about scripts/find.py" in sentences(bench.page.review.dialog)
    )
    assert not bench.named("reviewUse").isEnabled()
    bench.named("reviewChoice").choose("take")
    await settled(bench)
    bench.named("reviewUse").click()
    await bench.stored(lambda: bench.skills.show(bench.here, NAME).version == 1)
    await bench.undo()
    with pytest.raises(NotFoundError):
        bench.skills.show(bench.here, NAME)


def overtaken(bench: Bench) -> None:
    """The skill was changed after an agent mended it."""
    with_mended(bench)
    bench.inklings.skills.save(bench.workspace.id, before() | {ASK: "Which side?\n"}, name=NAME)


@scene(play, overtaken)
async def test_a_skill_that_was_changed_meanwhile_is_compared_as_it_is(
    bench: SkillsBench, /, qapp: object, runs: list[bytes]
) -> None:
    dialog = await opened(bench)
    assert "was changed after this was proposed" in sentences(dialog)
    bench.named("reviewUse").click()
    await bench.stored(lambda: bench.skills.show(bench.here, NAME).version == 3)
    await bench.undo()
    assert bench.skills.show(bench.here, NAME).contents.files[ASK] == "Which side?\n"


def goes(bench: Bench) -> None:
    """An agent asks for the skill without one of its files."""
    bench.inklings.skills.save(bench.workspace.id, before() | {EXAMPLE: "One case.\n"})
    asked_for(bench, before())


@scene(play, goes)
async def test_a_file_that_would_go_can_stay(
    bench: SkillsBench, /, qapp: object, runs: list[bytes]
) -> None:
    dialog = await opened(bench)
    assert bench.named("reviewHeadline").text() == "1 goes"
    assert shown(bench).current == EXAMPLE
    assert not bench.named("reviewText").isVisible()
    bench.named("reviewChoice").choose("leave")
    assert not bench.named("reviewUse").isEnabled()
    dialog.leave_requested.emit()
    await until(lambda: bench.page.review.dialog is None)
    assert bench.skills.show(bench.here, NAME).version == 1
