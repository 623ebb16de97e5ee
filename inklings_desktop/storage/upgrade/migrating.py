"""Brings a file of an earlier schema up to date step by step, or leaves it exactly as it is.

A verified backup comes first. Then the file is held alone, so that no program of the version
before writes to it, and each step is one transaction: its statements, its event in the file's log,
the new version number, and the fingerprint that the result must have.
"""

from __future__ import annotations

from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.errors import (
    DatabaseCorruptError,
    DatabaseInUseError,
    DatabaseTooOldError,
    MigrationFailedError,
)
from inklings_desktop.domain.log.backup import BackupReason
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import ACCOUNT_KEY, Tier
from inklings_desktop.storage.backups.backup_making import (
    make_backup,
    only_one_keeper,
    require_room,
    size_with_wal,
    verify_database,
)
from inklings_desktop.storage.backups.backups import backups_of
from inklings_desktop.storage.checks.identity import check_identity, described, read_counters
from inklings_desktop.storage.checks.soundness import state_of
from inklings_desktop.storage.engine.connecting import (
    BUSY_TIMEOUT_MS,
    connect_in_place,
    connect_raw,
    held_alone,
    hold_alone,
)
from inklings_desktop.storage.engine.driver import sqlite_module, storage_error, translated
from inklings_desktop.storage.engine.maintenance import (
    UPKEEP_PRAGMAS,
    bare,
    take_triggers_off,
    upkeep_transaction,
)
from inklings_desktop.storage.migrations.lineage import EARLY, Migration, renewing_statements
from inklings_desktop.storage.schema.marks import (
    NOTE_SEARCH_TEXT,
    SCHEMA_VERSION,
    SEARCH_TEXT,
    SEARCH_TEXT_VERSION,
    fingerprint,
)
from inklings_desktop.storage.schema.schema_rules import kind_of
from inklings_desktop.storage.search.full_text_upkeep import put_rows, wrong_rows
from inklings_desktop.storage.upgrade.log_adoption import append_bare, receive_log
from inklings_desktop.usecases.ports.progress import Upgrade, upgrade_unheard

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from inklings_desktop.storage.backups.backups import BackupFile
    from inklings_desktop.storage.checks.soundness import FileState
    from inklings_desktop.storage.log.event_chain import Head
    from inklings_desktop.storage.log.log_heads import LogHeads
    from inklings_desktop.storage.migrations.lineage import Lineage
    from inklings_desktop.storage.schema.marks import FileKind
    from inklings_desktop.usecases.ports.progress import UpgradeReport
    from inklings_desktop.usecases.ports.store import Clock


def connected_alone(
    path: Path, connect: Callable[[Path], sqlite3.Connection] = connect_raw
) -> sqlite3.Connection:
    """A connection on which steps can run.

    Args:
        path: A file that nobody else writes to.
        connect: Makes the bare connection.
    """
    # A table that is renamed to make room for its new self takes no reference along.
    return connect_in_place(path, (*UPKEEP_PRAGMAS, "legacy_alter_table=ON"), connect)


@contextmanager
def step_taken(
    connection: sqlite3.Connection,
    path: Path,
    kind: FileKind,
    step: Migration,
    lineage: Lineage,
    kept: str,
) -> Iterator[None]:
    """Take one step in one transaction; what is done inside belongs to it.

    Whoever closes the connection of a step that failed has undone it.

    Args:
        connection: From ``connected_alone``; a transaction that has begun is used.
        path: The file, for messages.
        step: What to do.
        lineage: The versions and the steps between them.
        kept: Name of the backup that shows the file as it was.

    Raises:
        MigrationFailedError: The step does not fit this file.
    """
    versions = (step.to_version - 1, step.to_version)
    try:
        if not connection.in_transaction:
            connection.execute("BEGIN IMMEDIATE")
        _run(connection, step.statements[kind])
        # By these numbers a side file is told to be of other contents.
        connection.execute(
            "UPDATE meta SET change_seq = change_seq + 1, reload_seq = reload_seq + 1"
        )
        connection.execute(f"PRAGMA user_version = {step.to_version}")
        if not lineage.is_expected(kind, step.to_version, fingerprint(connection)):
            raise MigrationFailedError(path, "another schema", *versions, kept)
        yield
        connection.execute("COMMIT")
    except sqlite_module().Error as error:
        if storage_error(error, path) is not None:
            raise
        raise MigrationFailedError(path, str(error), *versions, kept) from error


def steps_before(
    connection: sqlite3.Connection, kind: FileKind, lineage: Lineage
) -> tuple[Migration, ...]:
    """The steps that a file has before it, as it is now."""
    found = fingerprint(connection)
    if found in EARLY[kind]:
        statements = {kind: renewing_statements(connection, kind)}
        name = f"tables of {EARLY[kind][found]}"
        renewal = Migration(SCHEMA_VERSION, name, {kind: found}, statements)
        return (renewal, *lineage.after(SCHEMA_VERSION))
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return lineage.after(version)


def migrate_copy(path: Path, kind: FileKind, lineage: Lineage, kept: str) -> None:
    """Bring a copy that nobody else knows up to date; its log stays as it is.

    Args:
        path: The copy.
        lineage: The versions and the steps between them.
        kept: Name of the backup that it is a copy of.

    Raises:
        MigrationFailedError: A step does not fit it.
        StorageError: What the driver says about the environment.
    """
    with translated(path), closing(connected_alone(path)) as connection:
        for step in steps_before(connection, kind, lineage):
            with step_taken(connection, path, kind, step, lineage, kept):
                pass


def _run(connection: sqlite3.Connection, statements: Iterable[str]) -> None:
    """Run the statements of a step without triggers, and put back those that it did not make."""
    before = _triggers(connection)
    take_triggers_off(connection)
    for statement in statements:
        connection.execute(statement)
    made = _triggers(connection)
    for name, statement in before.items():
        if name not in made:
            connection.execute(statement)


def _triggers(connection: sqlite3.Connection) -> dict[str, str]:
    return dict(
        connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    )


def renew_search_text(path: Path, at: int, *, busy_timeout_ms: int) -> None:
    """Bring the rows of the index of a file up to date, and note that they are.

    Args:
        path: A database of ours whose identity has been checked.
        at: Milliseconds since 1970, UTC.
        busy_timeout_ms: How long another program's write is waited for, in milliseconds.
    """
    with upkeep_transaction(path, busy_timeout_ms=busy_timeout_ms) as connection:
        raw = bare(connection)
        if read_counters(raw).search_text == SEARCH_TEXT_VERSION:
            return  # another process was first
        rows, surplus = wrong_rows(connection)
        put_rows(connection, rows, surplus)
        raw.execute(NOTE_SEARCH_TEXT, (SEARCH_TEXT, at, SEARCH_TEXT_VERSION))
        if rows or surplus:
            raw.execute("UPDATE meta SET reload_seq = reload_seq + 1")
        connection.commit()


MIGRATOR = "Inklings"
_ROOM_IN_FILES = 2
"""The new rows in the WAL, and again in the file; the backup asks for its own room."""


class Place(NamedTuple):
    """Where a file that is opened belongs, and what is noted beside it.

    Attributes:
        clock: For the backup's name and the events.
        upgrading: Hears how far the file has come.
    """

    root: Path
    clock: Clock
    heads: LogHeads
    key: bytes
    upgrading: UpgradeReport = upgrade_unheard


def bring_up_to_date(
    path: Path,
    workspace_id: str | None,
    place: Place,
    lineage: Lineage,
    *,
    connect: Callable[[Path], sqlite3.Connection] = connect_raw,
) -> None:
    """Make a file of an earlier version one of the current version; each step whole or not at all.

    Args:
        path: An existing database of ours that nobody here has open.
        workspace_id: Whose it is; None for the account's.
        place: Where it belongs.
        lineage: The versions and the steps between them.
        connect: Makes the bare connection on which the steps run.

    Raises:
        DatabaseInUseError: Another program has the file open.
        DatabaseBusyError: Another program makes or restores backups and does not end.
        DatabaseFullError: There is no room for the backup or the steps.
        MigrationFailedError: A step does not fit this file; it was left as it is.
        StorageError: The file is not ours, damaged, newer, or out of reach.
    """
    kind = kind_of(workspace_id)
    with only_one_keeper(place.root):
        try:
            check_identity(path, kind, workspace_id or "", lineage=lineage)
        except DatabaseTooOldError as error:
            found = error.found
        else:
            return  # another program did it while this one waited
        with held_alone(path):
            pass  # before a backup is made for nothing
        # A log of another installation is adopted first: its events are not ours to go on with.
        now = place.clock()
        receive_log(
            path, workspace_id, place.heads, place.key, now=now, busy_timeout_ms=BUSY_TIMEOUT_MS
        )
        require_room(path.parent, _ROOM_IN_FILES * size_with_wal(path))
        with translated(path), closing(connect_raw(path, read_only=True)) as connection:
            n_steps = len(steps_before(connection, kind, lineage))
        with _told(path, workspace_id, n_steps, place) as tell:
            kept = _kept_before(path, workspace_id, found, place, lineage)
            with translated(path), closing(connected_alone(path, connect)) as connection:
                hold_alone(connection, path)
                if state_of(connection) != _state_in(kept):
                    raise DatabaseInUseError(path, "written to since the backup")
                steps = steps_before(connection, kind, lineage)
                for number, step in enumerate(steps, start=1):
                    tell(number)
                    with step_taken(connection, path, kind, step, lineage, kept.name):
                        head = _record(connection, workspace_id, step, kept, place)
                    place.heads.advance(
                        workspace_id, head, first=head.number, digest_at=_digests(connection)
                    )


@contextmanager
def _told(
    path: Path, workspace_id: str | None, n_steps: int, place: Place
) -> Iterator[Callable[[int], None]]:
    """Tell that the safe copy is being made, of each step by its number, and of the end."""
    name = None if workspace_id is None else described(path.parent).name

    def tell(step: int) -> None:
        place.upgrading(Upgrade(name, step, n_steps))

    try:
        tell(0)
        yield tell
    finally:
        place.upgrading(None)


def _record(
    connection: sqlite3.Connection,
    workspace_id: str | None,
    step: Migration,
    kept: BackupFile,
    place: Place,
) -> Head:
    tier = Tier.ACCOUNT if workspace_id is None else Tier.WORKSPACE
    draft = EventDraft(
        EventKind.SCHEMA_MIGRATED,
        MIGRATOR,
        "clock",
        "clock",
        tier.value,
        workspace_id or ACCOUNT_KEY,
        counts={"from": step.to_version - 1, "to": step.to_version},
        marks={"migration": step.name, "kept": kept.path.stem},
    )
    return append_bare(connection, draft, place.key, place.clock())


def _kept_before(
    path: Path, workspace_id: str | None, version: int, place: Place, lineage: Lineage
) -> BackupFile:
    """A backup of the file as it is: the one that a try before this made, or else a new one."""
    with translated(path), closing(connect_raw(path, read_only=True)) as connection:
        connection.execute("BEGIN")
        state = state_of(connection)
    for one in backups_of(place.root, workspace_id)[-1:]:
        if one.schema_version == version:
            with suppress(DatabaseCorruptError):
                verify_database(one.path, workspace_id, lineage)
                if _state_in(one) == state:
                    return one
    return make_backup(
        place.root,
        path,
        workspace_id,
        place.clock,
        reason=BackupReason.BEFORE_UPDATE,
        lineage=lineage,
    )


def _state_in(backup: BackupFile) -> FileState:
    path = backup.path
    with (
        translated(path),
        closing(connect_raw(path, read_only=True, immutable=True)) as connection,
    ):
        return state_of(connection)


def _digests(connection: sqlite3.Connection) -> Callable[[int], str | None]:
    def digest_at(number: int) -> str | None:
        row = connection.execute(
            "SELECT chain_hash FROM events WHERE seq = ?", (number,)
        ).fetchone()
        return None if row is None else str(row[0])

    return digest_at
