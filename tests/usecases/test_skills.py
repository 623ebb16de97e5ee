"""Skills over a real store: who may do what, which counts, what is kept and taken back.

Tests 55 and 56 of the agent's design are here.
"""

from __future__ import annotations

import json
import shutil
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.access.access import Action, Grant
from inklings_desktop.domain.entries.proposals import ProposalState
from inklings_desktop.domain.errors import (
    ConflictError,
    InvalidValueError,
    NotFoundError,
    ScopeDeniedError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.skills.folder import together
from inklings_desktop.domain.skills.skill import MAX_SKILLS, Origin
from inklings_desktop.domain.skills.traces import MAX_TRACES, TraceOutcome
from inklings_desktop.usecases.skills.runs import RunReport
from inklings_desktop.worldfiles.skill_folders import SHIPPED, LocalSkillFolders
from tests.support.builders import WORKSPACE_ID, an_agent

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.usecases.bundle import Inklings
    from tests.usecases.world import World

HERE = WORKSPACE_ID


def files(name: str = "tide-tables", body: str = "Read {{day}}.", **more: str) -> dict[str, str]:
    head = (
        f"---\nname: {name}\ndescription: Reads tides.\nmetadata:\n  inklings:\n"
        "    tags: [sea]\n    artifacts: {assets/ask.md: prompt_template}\n"
        "    assertions:\n      - {check: max_length, value: 12}\n---\n"
    )
    return {"SKILL.md": head + body, "assets/ask.md": "When is ebb on {{day}}?"} | more


@pytest.fixture
def mine(world: World) -> Inklings:
    world.adapters = SimpleNamespace(skill_folders=LocalSkillFolders(), key=world.databases.key)
    return world.person


def agent(world: World, *actions: Action, name: str = "bot") -> Inklings:
    grant = Grant(Tier.WORKSPACE, HERE, frozenset(actions or (Action.READ,)))
    return world.asked_by(an_agent(name, grants=(grant,)))


def names(inklings: Inklings) -> list[tuple[str, str]]:
    return [(one.name, one.level) for one in inklings.skills.list(HERE)]


def test_a_skill_is_made_changed_and_its_version_before_brought_back(
    world: World, mine: Inklings
) -> None:
    first = mine.skills.save(HERE, files())
    second = mine.skills.save(HERE, files(body="Look."), name="tide-tables", expected_version=1)
    assert (first.version, second.version, second.id) == (1, 2, first.id)
    assert mine.skills.save(HERE, files(body="Look."), name="tide-tables") == second
    with pytest.raises(ConflictError):
        mine.skills.save(HERE, files(body="Late."), name="tide-tables", expected_version=1)
    (earlier,) = mine.skills.versions(HERE, "tide-tables")
    assert (earlier.version, dict(earlier.files)) == (1, files())
    third = mine.skills.revert(HERE, "tide-tables", 1)
    assert (third.version, dict(third.contents.files)) == (3, files())
    assert mine.skills.show(HERE, "tide-tables") == third
    with pytest.raises(NotFoundError):
        mine.skills.revert(HERE, "tide-tables", 9)
    with pytest.raises(ConflictError):
        mine.skills.save(HERE, files())
    assert world.kinds()[-3:] == [EventKind.SKILL_SAVED] * 3
    assert world.events()[-1].ids == (first.id,)


def test_the_workspace_stands_above_the_account_also_when_it_is_off(mine: Inklings) -> None:
    mine.skills.save(None, files(body="The account's."))
    mine.skills.save(HERE, files(body="The workspace's."))
    assert names(mine)[:2] == [("tide-tables", "workspace"), ("tide-tables", "account")]
    assert mine.skills.show(HERE, "tide-tables").level == "workspace"
    assert mine.skills.show(None, "tide-tables").level == "account"
    assert mine.skills.show(HERE, "tide-tables", "account").workspace_id is None
    mine.skills.enable(HERE, "tide-tables", on=False)
    assert "tide-tables" not in {one.name for _, one in mine.skills.search(HERE, "tides")}
    assert mine.skills.show(HERE, "tide-tables").level == "workspace"


def test_a_skill_of_the_program_is_looked_at_switched_and_copied(mine: Inklings) -> None:
    name = SHIPPED[0]
    found = mine.skills.show(HERE, name)
    assert (found.level, found.is_read_only, found.enabled) == ("program", True, True)
    for refused in (
        lambda: mine.skills.save(None, found.contents.files, name=name),
        lambda: mine.skills.delete(None, name),
    ):
        with pytest.raises(NotFoundError):
            refused()
    mine.skills.enable(HERE, name, on=False)
    assert not mine.skills.show(HERE, name).enabled
    copy = mine.skills.fork(HERE, name, HERE)
    assert (copy.origin, copy.forked_from, copy.enabled) == (Origin.USER, f"{name}@1", True)
    assert copy.contents.files == found.contents.files
    other = mine.skills.fork(HERE, name, HERE, "another-check")
    assert other.name == other.contents.front_matter["name"] == "another-check"
    with pytest.raises(ConflictError):
        mine.skills.fork(HERE, name, HERE)
    mine.skills.fork(HERE, name, None, level="program")  # takes the place of its switch
    mine.skills.delete(None, name)
    assert mine.skills.show(HERE, name, "program").enabled


def test_what_is_deleted_comes_back_whole(world: World, mine: Inklings) -> None:
    mine.skills.save(HERE, files())
    mine.skills.save(HERE, files(body="Look."), name="tide-tables")
    before = mine.skills.show(HERE, "tide-tables")
    kept = mine.skills.delete(HERE, "tide-tables")
    with pytest.raises(NotFoundError):
        mine.skills.show(HERE, "tide-tables")
    assert mine.skills.restore(kept) == before == mine.skills.show(HERE, "tide-tables")
    assert [one.version for one in mine.skills.versions(HERE, "tide-tables")] == [1]
    with pytest.raises(ConflictError):
        mine.skills.restore(kept)
    assert world.kinds()[-2:] == [EventKind.SKILL_DELETED, EventKind.SKILL_SAVED]


def lay_out(folder: Path, of: dict[str, str]) -> Path:
    for path, text in of.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())
    return folder


def test_what_is_brought_in_waits_until_it_was_looked_at(mine: Inklings, tmp_path: Path) -> None:
    place = lay_out(tmp_path / "tide-tables", files())
    preview = mine.skill_transfer.preview(HERE, place)
    assert (preview.state, preview.name) == ("new", "tide-tables")
    came = mine.skill_transfer.bring_in(HERE, place)
    assert (came.origin, came.enabled, came.is_waiting) == (Origin.COMMUNITY, False, True)
    with pytest.raises(InvalidValueError, match="not_seen"):
        mine.skills.enable(HERE, "tide-tables")
    assert mine.skills.look_at(HERE, "tide-tables").seen_at is not None
    assert mine.skills.enable(HERE, "tide-tables").enabled
    with pytest.raises(InvalidValueError, match="read_only"):
        mine.skills.save(HERE, files(body="Mine."), name="tide-tables")
    assert mine.skill_transfer.bring_in(HERE, place).enabled  # the same changes nothing
    assert mine.skill_transfer.preview(HERE, place).state == "same"

    lay_out(place, {"assets/ask.md": "And now?", "references/new.md": "New."})
    preview = mine.skill_transfer.preview(HERE, place)
    assert (preview.state, dict(preview.changes)) == (
        "update",
        {"SKILL.md": "same", "assets/ask.md": "changed", "references/new.md": "new"},
    )
    again = mine.skill_transfer.bring_in(HERE, place)
    assert (again.version, again.enabled, again.is_waiting) == (2, False, True)
    assert [one.version for one in mine.skills.versions(HERE, "tide-tables")] == [1]
    out = mine.skill_transfer.export(HERE, "tide-tables", tmp_path, packed=True)
    assert mine.skill_transfer.preview(HERE, out).state == "same"


def test_what_was_brought_in_stays_when_its_folder_is_gone(mine: Inklings, tmp_path: Path) -> None:
    place = lay_out(tmp_path / "tide-tables", files())
    mine.skill_transfer.bring_in(HERE, place)
    shutil.rmtree(tmp_path / "tide-tables")
    assert dict(mine.skills.show(HERE, "tide-tables").contents.files) == files()


def test_a_catalogue_is_compared_and_the_authors_own_stays(mine: Inklings, tmp_path: Path) -> None:
    mine.skills.save(HERE, files("mine"))
    for name in ("mine", "theirs"):
        lay_out(tmp_path / "all" / name, files(name, body="Other."))
    lay_out(tmp_path / "all" / "wrong", files("another-name"))
    found = mine.skill_transfer.catalogue(HERE, tmp_path / "all")
    assert {one.name: one.state for one in found} == {
        "mine": "own", "theirs": "new", "wrong": "refused",
    }  # fmt: skip
    refusal = next(one.refusal for one in found if one.refusal)
    assert (refusal.field, refusal.rule) == ("skill_name", "folder")
    with pytest.raises(ConflictError):
        mine.skill_transfer.bring_in(HERE, tmp_path / "all" / "mine")
    mine.skill_transfer.bring_in(HERE, tmp_path / "all" / "theirs")
    states = {one.name: one.state for one in mine.skill_transfer.catalogue(HERE, tmp_path / "all")}
    assert states["theirs"] == "same"


def test_an_agent_sees_only_what_it_may_choose(
    world: World, mine: Inklings, tmp_path: Path
) -> None:
    mine.skills.save(HERE, files())
    mine.skill_transfer.bring_in(HERE, lay_out(tmp_path / "other", files("other")))
    bot = agent(world)
    assert {name for name, _ in names(bot)} == {"tide-tables", *SHIPPED}
    with pytest.raises(NotFoundError):
        bot.skills.show(HERE, "other")
    stranger = world.asked_by(an_agent("stranger", grants=()))
    with pytest.raises(ScopeDeniedError):
        stranger.skills.list(HERE)
    for refused in (
        lambda: bot.skills.save(HERE, files("x")),
        lambda: bot.skills.enable(HERE, "tide-tables", on=False),
        lambda: bot.skills.delete(HERE, "tide-tables"),
        lambda: bot.skills.fork(HERE, "tide-tables", None),
        lambda: bot.skills.versions(HERE, "tide-tables"),
        lambda: bot.skill_transfer.bring_in(HERE, tmp_path / "other"),
        lambda: bot.skill_transfer.export(HERE, "tide-tables", tmp_path),
        lambda: bot.skill_runs.traces(HERE, "tide-tables"),
    ):
        with pytest.raises(ScopeDeniedError):
            refused()


def test_the_last_used_comes_first_and_a_question_ranks(world: World, mine: Inklings) -> None:
    mine.skills.save(HERE, files())
    bot = agent(world)
    bot.skill_runs.choose(HERE, SHIPPED[1], {})
    world.clock.advance(hours=1)
    bot.skill_runs.choose(HERE, "tide-tables", {"day": "Monday"})
    found = [one.name for _, one in mine.skills.search(HERE, "", 2)]
    assert found == ["tide-tables", SHIPPED[1]]
    ((score, best), *_) = mine.skills.search(HERE, "which names collide?")
    assert (best.name, 0 < score <= 1) == ("name-collisions", True)
    assert mine.skills.search(HERE, "xylophone") == ()


def test_a_skill_tells_its_steps_and_fills_its_templates(mine: Inklings) -> None:
    more = {f"assets/case-{n}.md": f"Case {n}." for n in range(3)}
    more |= {"scripts/ebb.py": "x = 1", "references/why.md": "Why."}
    mine.skills.save(HERE, files(**more))
    told = mine.skill_runs.guidance(HERE, "tide-tables", {"day": "{{evil}}"})
    assert told.steps == "Read {{evil}}."
    assert told.prompts == {"assets/ask.md": "When is ebb on {{evil}}?"}
    assert list(told.examples) == ["assets/case-0.md", "assets/case-1.md"]
    assert told.code == ("scripts/ebb.py",)
    assert told.further == ("assets/case-2.md", "references/why.md")
    assert mine.skill_runs.guidance(HERE, "tide-tables", {}).open_slots == ("day",)


def test_traces_are_checked_here_kept_and_bounded(world: World, mine: Inklings) -> None:
    mine.skills.save(HERE, files())
    bot = agent(world)
    good = bot.skill_runs.note(
        HERE, "tide-tables", RunReport(given="Monday", output="At six.", run_id="t1", ms=7)
    )
    bad = bot.skill_runs.note(HERE, "tide-tables", RunReport(output="At six in the morning."))
    broken = bot.skill_runs.note(HERE, "tide-tables", RunReport(failed=True))
    assert [one.outcome for one in (good, bad, broken)] == [
        TraceOutcome.PASSED, TraceOutcome.FAILED, TraceOutcome.ERROR,
    ]  # fmt: skip
    assert bad.assertions[0]["got"] == "22"
    assert mine.skill_runs.uses(HERE) == {"tide-tables": 3}
    lines = [json.loads(one) for one in mine.skill_runs.training_set(HERE, "tide-tables")]
    assert sorted(one["score"] for one in lines) == [0.0, 0.0, 1.0]
    assert {"task": "Monday"} in [one["inputs"] for one in lines]
    with pytest.raises(InvalidValueError):
        bot.skill_runs.note(HERE, "tide-tables", RunReport(artifact="gone.md"))
    with pytest.raises(InvalidValueError):
        bot.skill_runs.note(HERE, "tide-tables", RunReport(output="x" * 65_537))
    world.clock.advance(hours=1)
    with mine.skills.writing(HERE) as unit:
        from dataclasses import replace

        for number in range(MAX_TRACES):
            unit.skills.add_trace(replace(good, id=f"t{number}", at=world.clock()))
        unit.commit()
    kept = mine.skill_runs.traces(HERE, "tide-tables")
    assert len(kept) == MAX_TRACES
    assert {one.id for one in kept} == {f"t{number}" for number in range(MAX_TRACES)}


def test_a_proposed_skill_is_there_once_the_author_accepts_it(world: World, mine: Inklings) -> None:
    bot = agent(world, Action.READ, Action.PROPOSE)
    asked = bot.skill_proposals.propose(HERE, files(), "It came up twice.")
    assert asked.text == together(files())
    with pytest.raises(NotFoundError):
        mine.skills.show(HERE, "tide-tables")
    done = mine.proposals.accept(asked.ref)
    made = mine.skills.show(HERE, "tide-tables")
    assert (done.state, done.target_id) == (ProposalState.ACCEPTED, made.id)
    assert (made.origin, dict(made.contents.files)) == (Origin.USER, files())

    change = bot.skill_proposals.propose(HERE, files(body="Look."), "Shorter.", base_version=1)
    mine.proposals.accept(change.ref, body=together(files(body="Mine.")))
    made = mine.skills.show(HERE, "tide-tables")
    assert (made.version, made.contents.artifacts[0].said) == (2, "Mine.")


def test_a_proposal_that_was_overtaken_waits(world: World, mine: Inklings) -> None:
    bot = agent(world, Action.READ, Action.PROPOSE)
    mine.skills.save(HERE, files())
    asked = bot.skill_proposals.propose(HERE, files(body="Look."), "Shorter.", base_version=1)
    mine.skills.save(HERE, files(body="Mine."), name="tide-tables")
    with pytest.raises(ConflictError):
        mine.proposals.accept(asked.ref)
    assert mine.proposals.show(asked.ref).state is ProposalState.OVERTAKEN
    mine.proposals.accept(asked.ref, expected_version=2)
    assert mine.skills.show(HERE, "tide-tables").version == 3


def test_what_an_agent_may_not_propose_is_refused(
    world: World, mine: Inklings, tmp_path: Path
) -> None:
    bot = agent(world, Action.READ, Action.PROPOSE)
    mine.skills.save(HERE, files())
    with pytest.raises(ConflictError):
        bot.skill_proposals.propose(HERE, files(body="New."), "A new one.")
    with pytest.raises(InvalidValueError, match="unchanged"):
        bot.skill_proposals.propose(HERE, files(), "The same.", base_version=1)
    with pytest.raises(InvalidValueError):
        bot.skill_proposals.propose(HERE, {"SKILL.md": "no head"}, "Wrong.")
    mine.skill_transfer.bring_in(HERE, lay_out(tmp_path / "other", files("other")))
    with pytest.raises(InvalidValueError, match="read_only"):
        bot.skill_proposals.propose(HERE, files("other", body="x"), "Mend.", base_version=1)
    with pytest.raises(ScopeDeniedError):
        agent(world).skill_proposals.propose(HERE, files("new"), "Only a reader.")
    with pytest.raises(ScopeDeniedError):
        mine.skill_proposals.propose(HERE, files("new"), "A person writes it.")


def test_there_are_not_more_than_anybody_can_look_through(world: World, mine: Inklings) -> None:
    first = mine.skills.save(HERE, files("first"))
    with mine.skills.writing(HERE) as unit:
        from dataclasses import replace

        for number in range(MAX_SKILLS - 1):
            of = replace(first.contents, name=f"s{number}", artifacts=first.contents.artifacts[:1])
            head = {**of.front_matter, "name": f"s{number}"}
            of = replace(of, front_matter=head)
            unit.skills.save(replace(first, id=f"s{number}", contents=of))
        unit.commit()
    with pytest.raises(InvalidValueError, match="too_many"):
        mine.skills.save(HERE, files("one-more"))
