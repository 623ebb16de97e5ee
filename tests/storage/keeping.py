"""A data root with some memories, its keeper of backups, and what tests do to both."""

from __future__ import annotations

import uuid
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.storage.keeping.backup_keeper import SqliteBackupKeeper
from inklings_desktop.storage.places import DATABASE_NAME
from tests.support.builders import NOON, OTHER_WORKSPACE_ID, WORKSPACE_ID, a_memory
from tests.support.sqlite_store import raw, sqlite_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inklings_desktop.domain.log.backup import Backup, Restoration
    from inklings_desktop.storage.databases import Databases
    from tests.support.sqlite_store import SqliteWorld

DRAFT = EventDraft(EventKind.BACKUP_RESTORED, "Ada", "person", "cli")
N_MEMORIES = 12


@dataclass(frozen=True, slots=True)
class Keeping:
    """The data root, its adapters and the keeper."""

    world: SqliteWorld
    keeper: SqliteBackupKeeper

    @property
    def databases(self) -> Databases:
        return self.world.databases

    @property
    def path(self) -> Path:
        """The workspace's file, wherever it stands at the moment."""
        return self.databases.workspace_folder(WORKSPACE_ID) / DATABASE_NAME

    def write(self, *texts: str, workspace_id: str | None = WORKSPACE_ID) -> None:
        """Memories in one conversation's neighbourhood, and an event."""
        with self.world.store.write(workspace_id, initiator="Ada") as unit:
            # Several programs write to one file in these tests, so ids must differ between runs.
            unit.memories.add(
                [
                    a_memory(text, memory_id=str(uuid.uuid4()), source_conversation="c1")
                    for text in texts
                ]
            )
            unit.events.append(EventDraft(EventKind.MEMORY_CREATED, "Ada", "person", "cli"), NOON)
            unit.commit()

    def create(self) -> Backup:
        return self.keeper.create(WORKSPACE_ID)

    def restore(self, backup: Backup) -> Restoration:
        return self.keeper.restore(backup.name, DRAFT, NOON)

    def file_of(self, backup: Backup) -> Path:
        return self.world.root / "backups" / backup.name


@contextmanager
def keeping(root: Path) -> Iterator[Keeping]:
    """A data root with two workspaces; the first one holds memories."""
    with sqlite_world(root, workspace_ids=(WORKSPACE_ID, OTHER_WORKSPACE_ID)) as world:
        kept = Keeping(world, SqliteBackupKeeper(world.databases, world.publisher, world.clock))
        with world.store.read(WORKSPACE_ID) as view:
            is_filled = bool(view.memories.active_counts())
        if not is_filled:
            kept.write(*(f"saltglass {n} hums at low tide" for n in range(N_MEMORIES)))
        world.publisher.published.clear()
        yield kept


@contextmanager
def keeping_as_it_is(root: Path) -> Iterator[Keeping]:
    """A data root of an earlier run; nothing is made in it."""
    with sqlite_world(root, workspace_ids=()) as world:
        yield Keeping(world, SqliteBackupKeeper(world.databases, world.publisher, world.clock))


def open_purge(path: Path) -> None:
    """Mark the file as one whose scrub removed rows and has not searched for their text yet."""
    with raw(path) as connection:
        connection.execute(
            "INSERT INTO purges SELECT 1, 'removing', 'workspace', ?, 'full', 0, 1, x'', x'',"
            " '[]', '[]'",
            (WORKSPACE_ID,),
        )
        connection.execute("UPDATE purges SET state = 'removed'")


def runs_under_way(kept: Keeping) -> None:
    """Two turns of an agent, one of them under way."""
    with raw(kept.path) as connection:
        for number, state in enumerate(("running", "finished")):
            connection.execute(
                "INSERT INTO runs VALUES (?, 'talk', NULL, 'orchestrator', NULL, ?, 'act', 1, NULL,"
                " NULL, NULL, 0, 0, 0, NULL, NULL, 0, '')",
                (f"run-{number}", state),
            )


def runs(kept: Keeping) -> list[tuple[str, str]]:
    """How they stand, and why."""
    with raw(kept.path) as connection:
        return connection.execute("SELECT state, problem FROM runs ORDER BY id").fetchall()
