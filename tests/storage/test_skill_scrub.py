"""A scrub takes skills and activities with all of their tier, and what came of runs always."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.domain.skills.folder import contents_of
from inklings_desktop.domain.skills.skill import Origin, Skill
from inklings_desktop.domain.skills.traces import SkillTrace, TraceOutcome
from inklings_desktop.usecases.ports.skills import Switch
from tests.support.builders import NOON, WORKSPACE_ID, a_memory
from tests.support.scrub_world import CONVERSATIONS, ScrubWorld, scrub_world
from tests.support.sqlite_store import integrity_faults, raw

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.storage.unit_of_work import SqliteUnitOfWork

MARK = "zqvwkxjtbdfgh7"
WORLD, ACCOUNT = ScopeKey.workspace(WORKSPACE_ID), ScopeKey.account()
TABLES = ("skills", "skill_artifacts", "skill_versions", "skill_execution_traces")


def plant(scene: ScrubWorld, scope: ScopeKey, origin: Origin, mark: str = MARK) -> None:
    """A skill with two versions, what came of a run, and a switch of the program's."""

    def change(unit: SqliteUnitOfWork) -> None:
        for version in (1, 2):
            files = {"SKILL.md": f"{version}: {mark}", f"references/{mark}.md": mark}
            head = {"name": "tides", "description": mark, "metadata": {"mark": mark}}
            of = contents_of(files, head)
            unit.skills.save(
                Skill(
                    "s1", scope.workspace_id, of, origin, version, True, "Ada", NOON, NOON,
                    seen_at=NOON,
                )
            )  # fmt: skip
        unit.skills.add_trace(
            SkillTrace(
                id="t1", skill="tides", version=2, position=0, run_id="r",
                outcome=TraceOutcome.PASSED, assertions=(), ms=1, at=NOON, given=mark,
                output=f"About {mark}.",
            )
        )  # fmt: skip
        unit.skills.put_switch("letters", Switch(False, None), NOON + timedelta(days=1))

    scene.write(scope, change)


def rows(scene: ScrubWorld, workspace_id: str | None = WORKSPACE_ID) -> dict[str, int]:
    with raw(scene.world.path(workspace_id)) as connection:
        found = {
            one: connection.execute(f"SELECT count(*) FROM {one}").fetchone()[0]  # noqa: S608
            for one in TABLES
        }
    return {name: n for name, n in found.items() if n}


def files_with_mark(root: Path) -> list[Path]:
    files = (one for one in root.rglob("*") if one.is_file())
    return [one for one in files if MARK.encode() in one.read_bytes()]


@pytest.mark.parametrize("origin", [Origin.USER, Origin.COMMUNITY])
@pytest.mark.parametrize("scope", [WORLD, ACCOUNT])
def test_all_of_a_tier_takes_its_skills_along(
    tmp_path: Path, scope: ScopeKey, origin: Origin
) -> None:
    with scrub_world(tmp_path) as scene:
        plant(scene, scope, origin)
        manifest = scene.preview(scope, ScrubMode.FULL)
        assert dict(manifest.by_kind)["skill"] == 1
        assert scene.execute(manifest).is_finished
        assert rows(scene, scope.workspace_id) == {"skills": 1}  # the switch says nothing
        assert integrity_faults(scene.world.path(scope.workspace_id)) == []
    assert files_with_mark(tmp_path) == []


def test_where_named_entries_stay_skills_stay_and_runs_go(tmp_path: Path) -> None:
    with scrub_world(tmp_path) as scene:
        plant(scene, WORLD, Origin.USER)
        manifest = scene.preview(WORLD, ScrubMode.KEEP_NAMED)
        assert "skill" not in dict(manifest.by_kind)
        scene.execute(manifest)
        assert rows(scene) == {"skills": 2, "skill_artifacts": 2, "skill_versions": 1}


def test_one_conversation_takes_what_came_of_runs_along(tmp_path: Path) -> None:
    with scrub_world(tmp_path) as scene:
        plant(scene, WORLD, Origin.USER)
        scope = ScopeKey.conversation(WORKSPACE_ID, CONVERSATIONS[0])
        scene.fill(scope, "tidal words", n_memories=1)
        scene.execute(scene.preview(scope, ScrubMode.FULL))
        assert "skill_execution_traces" not in rows(scene)


@pytest.mark.parametrize(("mark", "left"), [(MARK, 0), ("nothing of it", 1)])
def test_what_quotes_the_accounts_memories_goes_with_them(
    tmp_path: Path, mark: str, left: int
) -> None:
    said = f"The author counts the herons of {MARK} at every ebb."
    with scrub_world(tmp_path) as scene:
        plant(scene, WORLD, Origin.USER, said if mark == MARK else mark)
        scene.write(ACCOUNT, lambda unit: unit.memories.add([a_memory(said, scope=ACCOUNT)]))
        scene.execute(scene.preview(ACCOUNT, ScrubMode.FULL))
        assert rows(scene).get("skill_execution_traces", 0) == left


def test_an_activity_goes_with_its_workspace_alone(tmp_path: Path) -> None:
    with scrub_world(tmp_path) as scene:
        with raw(scene.world.path()) as connection:
            connection.execute(
                "INSERT INTO scheduled_activities VALUES ('a1', ?1, ?1, ?1, (SELECT id FROM"
                " channels LIMIT 1), 'world-agent', '{}', 'UTC', 1, '{}', 'Ada', 1, NULL, NULL,"
                " '', 0, 1)",
                (MARK,),
            )
        assert "activity" not in dict(scene.preview(WORLD, ScrubMode.KEEP_NAMED).by_kind)
        manifest = scene.preview(WORLD, ScrubMode.FULL)
        assert dict(manifest.by_kind)["activity"] == 1
        scene.execute(manifest)
    assert files_with_mark(tmp_path) == []
