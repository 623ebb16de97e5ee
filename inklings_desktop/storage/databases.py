"""Which file serves the account and which each workspace; opens them once, closes them all."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import (
    DatabaseBusyError,
    DatabaseFullError,
    DatabaseReadOnlyError,
    DatabaseTooOldError,
    NotFoundError,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.storage.checks.identity import check_identity, create_database
from inklings_desktop.storage.engine.connecting import (
    BUSY_TIMEOUT_MS,
    KEY_FILE,
    install_key,
    node_of,
    remove_spare_database,
    require_writable,
)
from inklings_desktop.storage.engine.held_bytes import HeldBytes
from inklings_desktop.storage.engine.maintenance import upkeep_connection
from inklings_desktop.storage.engine.ways_in import StoreEngines, open_engines, open_sealed_engines
from inklings_desktop.storage.log.log_heads import LogHeads
from inklings_desktop.storage.log.witness import Witness
from inklings_desktop.storage.migrations.lineage import LINEAGE
from inklings_desktop.storage.places import (
    DATABASE_NAME,
    WORLD_ASIDE,
    WORLD_NAME,
    workspace_folder,
)
from inklings_desktop.storage.rows.memories import to_ms
from inklings_desktop.storage.schema.marks import SEARCH_TEXT_VERSION, FileKind
from inklings_desktop.storage.schema.schema_rules import no_template
from inklings_desktop.storage.search.kept_selection import KeptSelection
from inklings_desktop.storage.search.resident import ResidentCache
from inklings_desktop.storage.search.side_file.side_file import SideFile
from inklings_desktop.storage.search.word_arrays import WordArrays
from inklings_desktop.storage.settling import settle
from inklings_desktop.storage.upgrade.log_adoption import receive_log
from inklings_desktop.usecases.ports.progress import upgrade_unheard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from inklings_desktop.storage.checks.identity import Counters
    from inklings_desktop.storage.migrations.lineage import Lineage
    from inklings_desktop.storage.schema.schema_rules import TemplateSource
    from inklings_desktop.storage.search.figures import Figures
    from inklings_desktop.storage.search.overview_index import Census
    from inklings_desktop.storage.search.vector_snapshot import VectorSnapshot
    from inklings_desktop.storage.world.world_index import SqliteWorldIndexes
    from inklings_desktop.usecases.ports.progress import UpgradeReport
    from inklings_desktop.usecases.ports.store import Clock

WRITE_LANE_TIMEOUT_SECONDS = 30.0
FILES_AT_HAND = 3
"""Files asked for last, the account's among them, that keep their connections and pages."""
REST_AFTER_SECONDS = 20.0
"""Any other keeps them that long after it was asked for; to connect again costs some 2 ms."""

READERS_TIMEOUT_SECONDS = 5.0
_BETWEEN_LOOKS_SECONDS = 0.005


class OwnChanges:
    """Change numbers that this process itself has committed, or is about to."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers: set[int] = set()

    def add(self, number: int) -> None:
        """Note a number before its commit, so that nobody takes the commit for a foreign one."""
        with self._lock:
            self._numbers.add(number)

    def discard(self, number: int) -> None:
        """Forget a number whose commit failed."""
        with self._lock:
            self._numbers.discard(number)

    def among(self, above: int, up_to: int) -> frozenset[int]:
        """Own numbers in (above, up_to]; lower ones are forgotten."""
        with self._lock:
            self._numbers = {one for one in self._numbers if one > above}
            return frozenset(one for one in self._numbers if one <= up_to)


@dataclass(frozen=True, slots=True)
class OpenFile:
    """One database file in use.

    Attributes:
        workspace_id: Whose it is; None for the account's.
        engines: The ways into it.
        node: Device and inode that were opened.
        seen_at_opening: How far the file had come before anybody here read it.
        vectors: Resident vectors per scope key.
        figures: Resident figures per scope key.
        census: Resident figures of the whole file.
        side_file: What a folder beside it holds of its words and vectors.
        words: Its words as arrays.
        selection: What the filter of its latest search by meaning let through.
        own_changes: What this process committed to it.
        write_lane: One writer at a time within this process.
        template_of: Body that its built-in named entry begins with.
        held_bytes: Its bytes beside SQLite, for the search after a scrub.
        is_sealed: Whether nothing can be written beside it.
    """

    path: Path
    workspace_id: str | None
    engines: StoreEngines
    node: tuple[int, int]
    seen_at_opening: Counters
    vectors: ResidentCache[VectorSnapshot] = field(default_factory=ResidentCache)
    figures: ResidentCache[Figures] = field(default_factory=ResidentCache)
    census: ResidentCache[Census] = field(default_factory=ResidentCache)
    side_file: SideFile = field(init=False)
    words: WordArrays = field(init=False)
    selection: KeptSelection = field(default_factory=KeptSelection)
    own_changes: OwnChanges = field(default_factory=OwnChanges)
    write_lane: threading.Lock = field(default_factory=threading.Lock)
    template_of: TemplateSource = no_template
    held_bytes: HeldBytes = field(default_factory=HeldBytes)
    is_sealed: bool = False

    def __post_init__(self) -> None:
        side_file = SideFile(
            self.path, self.engines.readers, self.vectors.clear, is_sealed=self.is_sealed
        )
        object.__setattr__(self, "side_file", side_file)
        object.__setattr__(self, "words", WordArrays(side_file))

    def close(self) -> None:
        """Let go of the file, connections first."""
        self.side_file.close()
        self.engines.dispose()
        self.held_bytes.close()

    def drop_resident(self) -> None:
        """Let go of every array made from its rows."""
        self.vectors.clear()
        self.figures.clear()
        self.words.clear()
        self.side_file.clear()
        self.selection.clear()

    @property
    def is_in_place(self) -> bool:
        """Whether the path still names the file that was opened; writes to another are lost."""
        return node_of(self.path) == self.node

    def enter_write_lane(self) -> None:
        """Wait for this process's other writers; whoever enters releases ``write_lane``.

        Raises:
            DatabaseBusyError: One of them does not end.
        """
        if not self.write_lane.acquire(timeout=WRITE_LANE_TIMEOUT_SECONDS):
            raise DatabaseBusyError(self.path, "write lane")


class Databases:
    """The database files under one data root; safe to use from any thread."""

    def __init__(
        self,
        root: Path,
        clock: Clock,
        *,
        busy_timeout_ms: int = BUSY_TIMEOUT_MS,
        template_of: TemplateSource = no_template,
        is_sealed: bool = False,
        lineage: Lineage = LINEAGE,
        upgrading: UpgradeReport = upgrade_unheard,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Know the root; nothing is opened or made yet.

        Args:
            clock: For the creation time of new files.
            busy_timeout_ms: How long a write waits for another program, in milliseconds.
            template_of: Body that VOICE or SOUL begins with in a new file.
            is_sealed: Whether nothing under the root can be written to: it is only read then.
            lineage: The schema versions that are understood, and the steps between them.
            upgrading: Hears how far a file of an earlier version has come, whenever one is opened.
            monotonic: Seconds since some moment, for how long a file has been left alone.
        """
        self.root = root
        self.is_sealed = is_sealed
        self.template_of = template_of
        self.lineage = lineage
        self._upgrading = upgrading
        self.clock = clock
        self._busy_timeout_ms = busy_timeout_ms
        self._lock = threading.Lock()
        self._freed = threading.Condition(self._lock)
        self._withheld: set[str | None] = set()
        self._open: dict[str | None, OpenFile] = {}
        self._monotonic = monotonic
        self._asked_at: dict[str | None, float] = {}
        self._held: tuple[bytes, LogHeads, Witness] | None = None

    def file(self, workspace_id: str | None) -> OpenFile:
        """The open file of a workspace, or of the account for None; checked when it is opened.

        A file that was replaced or removed since is let go, and the one in its place is checked
        like any other.

        Raises:
            NotFoundError: There is no such workspace.
            StorageError: The file is not ours, damaged, newer, or out of reach.
        """
        with self._lock:
            self._wait_while_withheld(workspace_id)
            self._asked_at[workspace_id] = self._monotonic()
            held = self._open.get(workspace_id)
            if held is not None:
                if held.is_in_place:
                    return held
                del self._open[workspace_id]
                held.close()
            opened = self._opened(workspace_id)
            self._open[workspace_id] = opened
            return opened

    def is_sealed_at(self, path: Path) -> bool:
        """Whether a file can only be looked at: nothing can be made beside it just now."""
        if self.is_sealed:
            return True
        try:
            with upkeep_connection(path) as connection:
                connection.execute("SELECT 1 FROM meta")
        except DatabaseFullError:
            return True
        return False

    def open_files(self) -> tuple[OpenFile, ...]:
        """Files in use at the moment."""
        with self._lock:
            return tuple(self._open.values())

    def installation(self) -> tuple[bytes, LogHeads, Witness]:
        """Key, heads and witness at once; raises like each of them."""
        with self._lock:
            return self._installation()

    def key(self) -> bytes:
        """The installation's key.

        Raises:
            StorageError: It can be neither read nor made.
        """
        with self._lock:
            return self._installation()[0]

    def log_heads(self) -> LogHeads:
        """The noted heads of the event logs.

        Raises:
            StorageError: The installation's key can be neither read nor made.
        """
        with self._lock:
            return self._installation()[1]

    def witness(self) -> Witness:
        """What every file has stored, noted outside it.

        Raises:
            StorageError: The installation's key can be neither read nor made.
        """
        with self._lock:
            return self._installation()[2]

    def now_ms(self) -> int:
        """The time, in milliseconds since 1970, UTC."""
        return to_ms(self.clock())

    def forget(self, workspace_id: str) -> None:
        """Drop what is noted of a workspace outside its file, because it is gone for good.

        Raises:
            StorageError: It cannot be read or written.
        """
        self.log_heads().drop(workspace_id)
        self.witness().drop(workspace_id)

    def workspace_folder(self, workspace_id: str) -> Path:
        """Where a workspace lives; no id leads out of the data root.

        Raises:
            NotFoundError: No workspace can have this id.
        """
        return workspace_folder(self.root, workspace_id)

    @cached_property
    def worlds(self) -> SqliteWorldIndexes:
        """The indexes of the author's pages, beside the files of the workspaces."""
        from inklings_desktop.storage.world.world_index import SqliteWorldIndexes

        return SqliteWorldIndexes(self.root, self.clock)

    def drop_world(self, workspace_id: str) -> None:
        """Remove the index of a workspace's pages; nothing of it is kept."""
        if "worlds" in vars(self):
            self.worlds.let_go(workspace_id)
        for name in (WORLD_NAME, WORLD_ASIDE):
            remove_spare_database(self.workspace_folder(workspace_id) / name)

    def let_go(self, workspace_id: str | None) -> None:
        """Close a file if it is in use; whoever asks for it again opens it anew."""
        with self._lock:
            held = self._open.pop(workspace_id, None)
        if held is not None:
            held.side_file.close()
            held.engines.dispose()

    @contextmanager
    def withheld(self, workspace_id: str | None) -> Iterator[None]:
        """Let go of a file, and let whoever asks for it wait until the block is left.

        A file can be replaced only while nobody has it open. Parts of this program that read on
        would open it anew each time, and never be through at once.
        """
        with self._lock:
            self._wait_while_withheld(workspace_id)
            self._withheld.add(workspace_id)
            held = self._open.pop(workspace_id, None)
        try:
            if held is not None:
                held.side_file.close()
                _wait_for_readers(held)
                held.engines.dispose()
            yield
        finally:
            with self._lock:
                self._withheld.discard(workspace_id)
                self._freed.notify_all()

    def let_rest(self) -> None:
        """Close the connections of files that nobody has asked for of late.

        A connection costs some 450 KiB even of a small file (measured), for the schema, its
        statements and pages, and there are up to seven to every workspace that was ever looked
        into. The files themselves stay open and watched, and what was made of their rows is kept.
        """
        earliest = self._monotonic() - REST_AFTER_SECONDS
        with self._lock:
            latest_first = sorted(
                self._open.values(), key=lambda one: -self._asked_at[one.workspace_id]
            )
            resting = [
                one
                for one in latest_first[FILES_AT_HAND:]
                if self._asked_at[one.workspace_id] < earliest
                and one.engines.n_idle
                and not one.engines.n_in_use
            ]
        for one in resting:
            one.engines.dispose()

    def let_go_of_replaced(self) -> None:
        """Close files that were replaced or removed, so that nobody keeps a ghost of them."""
        with self._lock:
            replaced = [one for one in self._open.values() if not one.is_in_place]
            for one in replaced:
                del self._open[one.workspace_id]
        for one in replaced:
            one.side_file.close()
            one.engines.dispose()

    def close(self) -> None:
        """Let go of every file."""
        with self._lock:
            files = list(self._open.values())
            self._open.clear()
        for file in files:
            file.close()
        if "worlds" in vars(self):
            self.worlds.close()

    def _wait_while_withheld(self, workspace_id: str | None) -> None:
        """Return once nobody replaces this file; the lock is held before and after."""
        while workspace_id in self._withheld:
            self._freed.wait()

    def _installation(self) -> tuple[bytes, LogHeads, Witness]:
        """The key and what is noted outside the files, made with the data root."""
        if self._held is None and self.is_sealed:
            key = install_key(self.root)
            self._held = key, LogHeads(self.root, key), Witness(self.root, key, self.clock)
        if self._held is None:
            settle(self.root)
            # Only a new data root has neither heads nor key; where one of them is gone later, the
            # check has to tell. The key is made before the database, so look in the other order.
            is_new = not (self.root / DATABASE_NAME).exists()
            had_key = (self.root / KEY_FILE).exists()
            key = install_key(self.root)
            heads = LogHeads(self.root, key)
            if is_new or not had_key:
                heads.begin(key_is_new=not is_new)
            self._held = key, heads, Witness(self.root, key, self.clock)
        return self._held

    def _opened(self, workspace_id: str | None) -> OpenFile:
        if self.is_sealed:
            return self._opened_sealed(workspace_id)
        if workspace_id is None:
            path = self.root / DATABASE_NAME
            if not path.exists():
                self._installation()
            if not path.exists():
                created_at = to_ms(self.clock())
                create_database(path, FileKind.ACCOUNT, "", created_at, self.template_of)
            require_writable(self.root)
            identity = FileKind.ACCOUNT, ""
        else:
            folder = self.workspace_folder(workspace_id)
            path = folder / DATABASE_NAME
            if not path.exists():
                raise NotFoundError("workspace", workspace_id)
            require_writable(folder)
            identity = FileKind.WORKSPACE, workspace_id
        _, _, witness = self._installation()
        witnessed = witness.newest(workspace_id)

        def counted() -> Counters:
            return check_identity(path, *identity, lineage=self.lineage)

        try:
            counters = counted()
        except DatabaseTooOldError:
            self._bring_up_to_date(path, workspace_id)
            counters = counted()
        if witnessed > counters.change_seq or witness.is_long(workspace_id):
            witness.compare(workspace_id, lambda: counted().change_seq)
        if self._receive_log(path, workspace_id):
            counters = counted()
        if counters.search_text != SEARCH_TEXT_VERSION:
            # Only the first opening by a version, which may be slower, needs this.
            from inklings_desktop.storage.upgrade.migrating import renew_search_text

            renew_search_text(path, self.now_ms(), busy_timeout_ms=self._busy_timeout_ms)
            counters = counted()
        node = node_of(path)
        if node is None:
            raise NotFoundError("workspace", workspace_id or "account")
        engines = open_engines(path, busy_timeout_ms=self._busy_timeout_ms)
        return OpenFile(path, workspace_id, engines, node, counters, template_of=self.template_of)

    def _opened_sealed(self, workspace_id: str | None) -> OpenFile:
        """A file that is only read, because nothing can be made beside it."""
        is_account = workspace_id is None
        folder = self.root if workspace_id is None else self.workspace_folder(workspace_id)
        path = folder / DATABASE_NAME
        node = node_of(path)
        if node is None:
            if is_account:
                raise DatabaseReadOnlyError(self.root, "folder")
            raise NotFoundError("workspace", str(workspace_id))
        kind = FileKind.ACCOUNT if is_account else FileKind.WORKSPACE
        counters = check_identity(path, kind, workspace_id or "", sealed=True, lineage=self.lineage)
        engines = open_sealed_engines(path)
        return OpenFile(
            path,
            workspace_id,
            engines,
            node,
            counters,
            template_of=self.template_of,
            is_sealed=True,
        )

    def _bring_up_to_date(self, path: Path, workspace_id: str | None) -> None:
        # Nearly every start finds nothing to do, and goes without what this needs.
        from inklings_desktop.storage.upgrade.migrating import Place, bring_up_to_date

        key, heads, _ = self._installation()
        place = Place(self.root, self.clock, heads, key, self._upgrading)
        bring_up_to_date(path, workspace_id, place, self.lineage)

    def _receive_log(self, path: Path, workspace_id: str | None) -> bool:
        key, heads, _ = self._installation()
        now, wait = self.clock(), self._busy_timeout_ms
        return receive_log(path, workspace_id, heads, key, now=now, busy_timeout_ms=wait)


def _wait_for_readers(file: OpenFile) -> None:
    """Return once no connection is in use: one that comes back to a pool that was closed stays."""
    deadline = time.monotonic() + READERS_TIMEOUT_SECONDS
    while file.engines.n_in_use and time.monotonic() < deadline:
        time.sleep(_BETWEEN_LOOKS_SECONDS)
