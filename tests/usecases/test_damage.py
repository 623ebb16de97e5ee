"""How a database is, what hinders reading it, and who may ask."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.access import Caller, CallerKind, Door
from inklings_desktop.domain.backup import BackupFault, Finding, FindingKind
from inklings_desktop.domain.errors import ScopeDeniedError
from inklings_desktop.usecases.damage import ExaminePlace, StampPlace
from tests.support.builders import OTHER_WORKSPACE_ID, WORKSPACE_ID, a_person, an_agent
from tests.usecases.test_health import BACKUP, FakeInspector, FakeKeeper
from tests.usecases.world import World

if TYPE_CHECKING:
    from inklings_desktop.domain.backup import Backup

STAMP = (1, 2)
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
    findings: list[Finding], copies: tuple[Backup, ...] = (), broken: frozenset[str] = frozenset()
) -> ExaminePlace:
    inspector = Inspector({WORKSPACE_ID: findings}, broken=set(broken))
    return ExaminePlace(inspector, FakeWatch(), Copies(of_workspace=copies), World().directory)


@pytest.mark.parametrize("caller", [an_agent("researcher"), CLOCK_TASK])
def test_damage_is_the_persons_to_look_at(caller: Caller) -> None:
    with pytest.raises(ScopeDeniedError):
        examined([])(caller, WORKSPACE_ID)
    with pytest.raises(ScopeDeniedError):
        StampPlace(FakeWatch())(caller, WORKSPACE_ID)


@pytest.mark.parametrize(
    ("kind", "detail", "is_damaged"),
    [
        (FindingKind.PAGES, "", True),
        (FindingKind.UNREADABLE, "damaged", True),
        (FindingKind.UNREADABLE, "newer", False),
        (FindingKind.UNREADABLE, "foreign", False),
        (FindingKind.TEXT, "", True),
        (FindingKind.FULL_TEXT, "", True),
        (FindingKind.COUNTS, "", False),
        (FindingKind.EVENT_ANCHOR, "", False),
    ],
)
def test_only_what_hinders_reading_is_damage(
    kind: FindingKind, detail: str, *, is_damaged: bool
) -> None:
    health = examined([Finding(kind, WORKSPACE_ID, 1, detail)])(a_person(), WORKSPACE_ID)
    assert health is not None
    assert health.is_damaged is is_damaged
    assert health.stamp == STAMP == StampPlace(FakeWatch())(a_person(), WORKSPACE_ID)


def test_the_last_good_copy_is_the_latest_that_is_whole() -> None:
    first, second, third, fourth = (
        replace(BACKUP, name=f"{WORKSPACE_ID}/{n}.db") for n in range(1, 5)
    )
    copies = (first, second, third, replace(fourth, fault=BackupFault.DAMAGED))
    damage = [Finding(FindingKind.PAGES, WORKSPACE_ID, 1)]

    health = examined(damage, copies, frozenset({third.name}))(a_person(), WORKSPACE_ID)

    assert health is not None
    assert health.copy == second
    none = examined(damage)(a_person(), WORKSPACE_ID)
    assert none is not None
    assert none.copy is None


def test_a_workspace_that_is_gone_is_not_damaged() -> None:
    damage = [Finding(FindingKind.PAGES, OTHER_WORKSPACE_ID, 1)]
    assert examined(damage)(a_person(), "deleted") is None
