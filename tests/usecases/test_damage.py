"""How a database is, what hinders reading it, and who may ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import pytest

from inklings_desktop.domain.access.access import Caller, CallerKind, Door
from inklings_desktop.domain.errors import DatabaseCorruptError, ScopeDeniedError
from inklings_desktop.domain.log.backup import (
    Backup,
    BackupFault,
    Finding,
    FindingKind,
    PlaceHealth,
    PlaceRepair,
)
from inklings_desktop.domain.rooms.workspace import Workspace
from tests.support.asking import asked_by
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID, a_person, an_agent
from tests.usecases.test_health import BACKUP, FakeInspector, FakeKeeper

STAMP = (1, 2)
PLACES = SimpleNamespace(
    directory=SimpleNamespace(workspaces=lambda: (Workspace(WORKSPACE_ID, "Saltglass", NOON),))
)
CLOCK_TASK = Caller(CallerKind.CLOCK, "consolidation", Door.CLOCK)


class FakeWatch:
    """Every file stays as it is."""

    def stamp(self, workspace_id: str | None) -> tuple[int, ...]:
        return STAMP


@dataclass
class Copies(FakeKeeper):
    """Backups as a test wants them, the oldest first."""

    of_workspace: tuple[Backup, ...] = ()

    def kept_of(self, workspace_id: str | None) -> tuple[Backup, ...]:
        return self.of_workspace


@dataclass
class Inspector(FakeInspector):
    """Finds some backups broken inside."""

    broken: set[str] = field(default_factory=set)

    def look_at_backup(self, name: str) -> Finding | None:
        return Finding(FindingKind.BACKUP, WORKSPACE_ID, 1) if name in self.broken else None


def examined(
    findings: list[Finding],
    copies: tuple[Backup, ...] = (),
    broken: frozenset[str] = frozenset(),
    *,
    caller: Caller | None = None,
    workspace_id: str | None = WORKSPACE_ID,
) -> PlaceHealth | None:
    inspector = Inspector({WORKSPACE_ID: findings}, broken=set(broken))
    keeper = Copies(of_workspace=copies)
    asked = asked_by(
        caller or a_person(), PLACES, inspector=inspector, file_watch=FakeWatch(), keeper=keeper
    )
    return asked.keeping.examine_place(workspace_id)


@pytest.mark.parametrize("caller", [an_agent("researcher"), CLOCK_TASK])
def test_damage_is_the_persons_to_look_at(caller: Caller) -> None:
    with pytest.raises(ScopeDeniedError):
        examined([], caller=caller)
    with pytest.raises(ScopeDeniedError):
        asked_by(caller, file_watch=FakeWatch()).keeping.stamp_place(WORKSPACE_ID)
    with pytest.raises(ScopeDeniedError):
        repairing(FindingKind.INDEX_PAGES, caller=caller)[0](WORKSPACE_ID)


@pytest.mark.parametrize(
    ("kind", "detail", "is_damaged"),
    [
        (FindingKind.PAGES, "", True),
        (FindingKind.INDEX_PAGES, "", True),
        (FindingKind.UNREADABLE, "damaged", True),
        (FindingKind.UNREADABLE, "newer", False),
        (FindingKind.UNREADABLE, "foreign", False),
        (FindingKind.TEXT, "", False),
        (FindingKind.FULL_TEXT, "", True),
        (FindingKind.COUNTS, "", False),
        (FindingKind.EVENT_ANCHOR, "", False),
    ],
)
def test_only_what_hinders_reading_is_damage(
    kind: FindingKind, detail: str, *, is_damaged: bool
) -> None:
    health = examined([Finding(kind, WORKSPACE_ID, 1, detail)])
    assert health is not None
    assert health.is_damaged is is_damaged
    assert (
        health.stamp
        == STAMP
        == asked_by(a_person(), file_watch=FakeWatch()).keeping.stamp_place(WORKSPACE_ID)
    )


@pytest.mark.parametrize(
    ("kinds", "is_repairable"),
    [
        ([FindingKind.INDEX_PAGES], True),
        ([FindingKind.FULL_TEXT, FindingKind.SEARCH_ROWS], True),
        ([FindingKind.FULL_TEXT, FindingKind.EVENT_ANCHOR], True),
        ([FindingKind.FULL_TEXT, FindingKind.TEXT], True),
        ([FindingKind.FULL_TEXT, FindingKind.REFERENCES], False),
        ([FindingKind.PAGES], False),
        ([FindingKind.REFERENCES], False),
        ([FindingKind.COUNTS], False),
    ],
)
def test_only_what_follows_from_the_rest_can_be_repaired(
    kinds: list[FindingKind], *, is_repairable: bool
) -> None:
    health = examined([Finding(kind, WORKSPACE_ID, 1) for kind in kinds])
    assert health is not None
    assert health.is_repairable is is_repairable


def repairing(
    *kinds: FindingKind, caller: Caller | None = None
) -> tuple[Callable[[str], PlaceRepair], Inspector]:
    inspector = Inspector({WORKSPACE_ID: [Finding(kind, WORKSPACE_ID, 1) for kind in kinds]})
    asked = asked_by(caller or a_person(), inspector=inspector, keeper=FakeKeeper())
    return asked.keeping.repair_place, inspector


def test_a_damaged_index_is_made_again_with_the_whole_file() -> None:
    repair, inspector = repairing(FindingKind.INDEX_PAGES)
    done = repair(WORKSPACE_ID)
    assert (done.kept, done.is_whole_file, done.n_to_embed) == ("kept.damaged", True, 1)
    assert (inspector.rebuilt, inspector.mended) == ([WORKSPACE_ID], [])


def test_a_search_index_that_drifted_is_made_again_after_a_backup() -> None:
    repair, inspector = repairing(FindingKind.FULL_TEXT)
    done = repair(WORKSPACE_ID)
    assert (done.kept, done.is_whole_file) == (BACKUP.name, False)
    assert (inspector.rebuilt, inspector.mended) == ([], [WORKSPACE_ID])


def test_damage_to_what_was_written_is_never_repaired() -> None:
    repair, inspector = repairing(FindingKind.FULL_TEXT, FindingKind.REFERENCES)
    with pytest.raises(DatabaseCorruptError):
        repair(WORKSPACE_ID)
    assert (inspector.rebuilt, inspector.mended) == ([], [])


def test_where_nothing_is_wrong_any_more_nothing_is_kept() -> None:
    repair, inspector = repairing()
    assert repair(WORKSPACE_ID).kept == ""
    assert (inspector.rebuilt, inspector.mended) == ([], [])


def test_the_last_good_copy_is_the_latest_that_is_whole() -> None:
    first, second, third, fourth = (
        replace(BACKUP, name=f"{WORKSPACE_ID}/{n}.db") for n in range(1, 5)
    )
    copies = (first, second, third, replace(fourth, fault=BackupFault.DAMAGED))
    damage = [Finding(FindingKind.PAGES, WORKSPACE_ID, 1)]

    health = examined(damage, copies, frozenset({third.name}))

    assert health is not None
    assert health.copy == second
    none = examined(damage)
    assert none is not None
    assert none.copy is None


def test_a_workspace_that_is_gone_is_not_damaged() -> None:
    damage = [Finding(FindingKind.PAGES, OTHER_WORKSPACE_ID, 1)]
    assert examined(damage, workspace_id="deleted") is None
