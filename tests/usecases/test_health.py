from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

import pytest

from inklings_desktop.domain.access.access import Caller, CallerKind, Door
from inklings_desktop.domain.errors import InvalidValueError, ScopeDeniedError
from inklings_desktop.domain.log.backup import (
    Backup,
    BackupReason,
    FileCheck,
    Finding,
    FindingKind,
    Rebuilt,
    Restoration,
    WorkspaceDeletion,
    deletion_phrase,
)
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.usecases.ports.progress import Progress
from tests.support.asking import asked_by
from tests.support.builders import NOON, WORKSPACE_ID, a_person, an_agent
from tests.usecases.world import World

ACCOUNT_BACKUP = Backup("account/1.db", None, NOON, 10)
BACKUP = Backup(f"{WORKSPACE_ID}/2.db", WORKSPACE_ID, NOON, 20)
CLOCK_TASK = Caller(CallerKind.CLOCK, "consolidation", Door.CLOCK)


@dataclass
class FakeKeeper:
    """Keeps two backups and remembers what it was asked."""

    drafts: list[EventDraft] = field(default_factory=list)
    reasons: list[BackupReason] = field(default_factory=list)

    def create(
        self,
        workspace_id: str | None,
        progress: Progress,
        reason: BackupReason = BackupReason.BY_HAND,
    ) -> Backup:
        self.reasons.append(reason)
        progress.report("copy", 0, 0)
        return ACCOUNT_BACKUP if workspace_id is None else BACKUP

    def kept(self) -> tuple[Backup, ...]:
        return ACCOUNT_BACKUP, BACKUP

    def kept_of(self, workspace_id: str | None) -> tuple[Backup, ...]:
        return tuple(one for one in self.kept() if one.workspace_id == workspace_id)

    def find(self, name: str) -> Backup:
        return next(one for one in self.kept() if one.name == name)

    def restore(
        self,
        name: str,
        draft: EventDraft,
        at: datetime,
        progress: Progress,
        *,
        accept_log: bool = False,
    ) -> Restoration:
        self.drafts.append(draft)
        return Restoration(self.find(name), None, None, 3, 0, 7)


@dataclass
class FakeInspector:
    """Finds what it is told to until it has mended."""

    found: dict[str | None, list[Finding]]
    mended: list[str | None] = field(default_factory=list)
    rebuilt: list[str | None] = field(default_factory=list)
    drafts: list[EventDraft] = field(default_factory=list)

    def files(self) -> tuple[str | None, ...]:
        return None, WORKSPACE_ID

    def look(self, workspace_id: str | None) -> FileCheck:
        return FileCheck(2, 5, tuple(self.found.get(workspace_id, ())))

    def mend(self, workspace_id: str | None, draft: EventDraft, at: datetime) -> Mapping[str, int]:
        self.mended.append(workspace_id)
        self.drafts.append(draft)
        left = [one for one in self.found[workspace_id] if one.is_damage]
        self.found[workspace_id] = left
        return {}

    def rebuild(self, workspace_id: str | None, draft: EventDraft, at: datetime) -> Rebuilt:
        self.rebuilt.append(workspace_id)
        self.drafts.append(draft)
        self.found[workspace_id] = []
        return Rebuilt("kept.damaged", 2, 1, 6)

    def backup_names(self) -> tuple[str, ...]:
        return (BACKUP.name,)

    def look_at_backup(self, name: str) -> Finding | None:
        return None

    def left_over(self, *, remove: bool) -> tuple[Finding, ...]:
        return ()

    def loosened(self, *, tighten: bool) -> tuple[Finding, ...]:
        return ()


@dataclass
class FakeEraser:
    """Removes workspaces from a fake directory."""

    erased: list[str] = field(default_factory=list)

    def measure(self, workspace: Workspace) -> WorkspaceDeletion:
        phrase = deletion_phrase(workspace.name)
        return WorkspaceDeletion(workspace.id, workspace.name, phrase, 1, 1, 0, 2, 0)

    def erase(self, workspace: Workspace, draft: EventDraft, at: datetime) -> WorkspaceDeletion:
        assert draft.kind is EventKind.WORKSPACE_DELETED
        self.erased.append(workspace.id)
        return self.measure(workspace)


@pytest.mark.parametrize("caller", [an_agent("researcher"), CLOCK_TASK])
def test_upkeep_is_the_persons_alone(world: World, caller: Caller) -> None:
    keeper, eraser = FakeKeeper(), FakeEraser()
    world.adapters.workspace_eraser = eraser
    inspector = FakeInspector({})
    attempts: list[Callable[[], object]] = [
        lambda: asked_by(caller, keeper=keeper).keeping.create_backup(WORKSPACE_ID),
        asked_by(caller, keeper=keeper).keeping.list_backups,
        lambda: asked_by(caller, keeper=keeper, clock=world.clock).keeping.restore_backup(
            BACKUP.name
        ),
        lambda: asked_by(caller, inspector=inspector, clock=world.clock).keeping.check_data(
            repair=True
        ),
        lambda: world.asked_by(caller).workspaces.preview_deletion(WORKSPACE_ID),
        lambda: world.asked_by(caller).workspaces.delete(WORKSPACE_ID, confirm="delete Saltglass"),
    ]

    for attempt in attempts:
        with pytest.raises(ScopeDeniedError):
            attempt()

    assert keeper.drafts == []
    assert inspector.mended == []
    assert eraser.erased == []


def test_all_backups_the_accounts_or_one_workspaces() -> None:
    listing = asked_by(a_person(), keeper=FakeKeeper()).keeping.list_backups

    assert listing() == (ACCOUNT_BACKUP, BACKUP)
    assert listing(None) == (ACCOUNT_BACKUP,)
    assert listing(WORKSPACE_ID) == (BACKUP,)


def test_a_restore_is_recorded_with_who_and_where() -> None:
    keeper = FakeKeeper()
    restore = asked_by(a_person(), keeper=keeper).keeping.restore_backup

    restore(ACCOUNT_BACKUP.name)
    restore(BACKUP.name)

    account, workspace = keeper.drafts
    assert (account.tier, account.scope_key) == ("account", "account")
    assert (workspace.tier, workspace.scope_key) == ("workspace", WORKSPACE_ID)
    assert {one.kind for one in keeper.drafts} == {EventKind.BACKUP_RESTORED}
    assert {one.actor_kind for one in keeper.drafts} == {"person"}


def test_a_check_sums_up_and_repairs_only_what_is_derived() -> None:
    damage = Finding(FindingKind.REFERENCES, None, 2)
    drift = Finding(FindingKind.COUNTS, WORKSPACE_ID, 1)
    inspector = FakeInspector({None: [damage], WORKSPACE_ID: [drift]})
    steps: list[str] = []
    progress = Progress(lambda step, _done, _total: steps.append(step))

    report = asked_by(a_person(), inspector=inspector).keeping.check_data(
        repair=True, progress=progress
    )

    assert inspector.mended == [WORKSPACE_ID]
    assert [one.kind for one in inspector.drafts] == [EventKind.INDEX_REPAIRED]
    assert (report.n_files, report.n_memories, report.n_events, report.n_backups) == (2, 4, 10, 1)
    assert [one.is_repaired for one in report.findings] == [False, True]
    assert report.is_damaged
    assert not report.is_clean
    assert steps == ["files", "files", "backups", "done"]


def test_damaged_indexes_are_made_again_into_a_new_file_and_the_old_one_is_named() -> None:
    inspector = FakeInspector({WORKSPACE_ID: [Finding(FindingKind.INDEX_PAGES, WORKSPACE_ID, 3)]})

    found = asked_by(a_person(), inspector=inspector).keeping.check_data()
    assert not found.is_damaged
    assert (inspector.rebuilt, inspector.mended) == ([], [])

    report = asked_by(a_person(), inspector=inspector).keeping.check_data(repair=True)
    assert (inspector.rebuilt, inspector.mended) == ([WORKSPACE_ID], [])
    assert [one.detail for one in report.findings] == ["kept.damaged"]
    assert report.is_clean


def test_a_check_without_repair_only_looks() -> None:
    inspector = FakeInspector({WORKSPACE_ID: [Finding(FindingKind.COUNTS, WORKSPACE_ID, 1)]})

    report = asked_by(a_person(), inspector=inspector).keeping.check_data()

    assert inspector.mended == []
    assert not report.is_clean
    assert not report.is_damaged


def test_a_workspace_is_deleted_by_its_exact_phrase(world: World) -> None:
    eraser = FakeEraser()
    world.adapters.workspace_eraser = eraser

    with pytest.raises(InvalidValueError):
        world.person.workspaces.delete("Saltglass", confirm="delete saltglass")
    assert eraser.erased == []
    world.person.workspaces.delete("Saltglass", confirm=" delete Saltglass ")

    assert eraser.erased == [WORKSPACE_ID]
