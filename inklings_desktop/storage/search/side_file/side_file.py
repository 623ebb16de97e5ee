"""Keeps one base beside a database: opened when it fits, made anew in the background when not.

The database stays the truth. Without a base, because none is made yet, a disk refuses it or what
lies there is damaged, the full-text index and the stored vectors answer, and to the same ranks.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.logs import topic
from inklings_desktop.storage.engine.connecting import node_of
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.rows.snapshot import View
from inklings_desktop.storage.schema.marks import TOKENIZE
from inklings_desktop.storage.search.side_file.folders import numbered

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inklings_desktop.storage.engine.ways_in import BareReaders
    from inklings_desktop.storage.rows.snapshot import Snapshot
    from inklings_desktop.storage.search.side_file.base import Base

FEWEST_ROWS = 2_000
"""Below that the index itself is fast enough."""
MOST_LATER = 0.05
"""Share of rows that changed since with which a base is made anew."""
OLDEST_SECONDS = 86_400.0
"""So long at most a base holds what was forgotten since."""
NONSENSE = (IndexError, ValueError, OverflowError)
"""What arrays raise that are not what was written."""

_N_CHANGED = "SELECT count(*) FROM memories WHERE changed_seq > ?"

_log = topic("storage")


class SideFile:
    """The base of one database; safe to use from any thread."""

    def __init__(
        self,
        database: Path,
        readers: BareReaders,
        renewed: Callable[[], None],
        *,
        is_sealed: bool = False,
        fewest_rows: int = FEWEST_ROWS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Open and make nothing yet.

        Args:
            database: The database file.
            readers: Ways to read it in the background.
            renewed: Called once a new base was made: what was made from the rows can go.
            is_sealed: Whether nothing can be written beside it.
            fewest_rows: Smaller files get no base.
            clock: Seconds since 1970.
        """
        self._database = database
        self._readers = readers
        self._renewed = renewed
        self._is_sealed = is_sealed
        self._fewest_rows = fewest_rows
        self._clock = clock
        self._lock = threading.RLock()
        self._base: Base | None = None
        self._opened: tuple[Path, dict[str, Any]] | None = None
        self._was_looked_for = False
        self._is_checked = False
        self._is_disk_unfit = False
        self._trouble: str | None = None
        self._small_at: int | None = None
        self._working: threading.Thread | None = None
        self._n_clears = 0
        self._is_closed = False
        self.model_id: str | None = None
        """The model whose vectors are asked for."""

    @property
    def trouble(self) -> str | None:
        """Why the latest base could not be written or was refused; None if nothing is wrong."""
        return self._trouble

    def base(self, snapshot: Snapshot) -> Base | None:
        """What is held of this state of the file or an earlier one; None if nothing is."""
        change_seq, reload_seq = snapshot.counters()
        with self._lock:
            if self._base is None and not self._was_looked_for and not self._is_closed:
                self._was_looked_for = True
                self._open_newest(snapshot)
            base = self._base
            if base is None:
                return None
            if base.reload_seq < reload_seq:
                self._let_go()  # what was removed for good stays in no array
                self._was_looked_for = False  # whoever removed it may have made another
                return None
            if base.reload_seq > reload_seq or base.change_seq > change_seq:
                return None  # a view from before it was made
            return base

    def refuse(self, why: str = "damaged") -> None:
        """Take what lies there away: it is not what was written."""
        import shutil

        with self._lock:
            if self._opened is not None:
                self._say(why)
                shutil.rmtree(self._opened[0], ignore_errors=True)
            self._let_go()

    def make_later(self, change_seq: int) -> None:
        """Make a base of what is committed, in the background, unless that is not worth it."""
        with self._lock:
            if self._is_closed or self._is_sealed or self._is_disk_unfit:
                return
            if self._small_at is not None and change_seq < self._small_at + self._fewest_rows // 4:
                return
            self._has_started(self._make_quietly)

    def check_later(self) -> None:
        """Compare what was opened with its digest, in the background and once."""
        with self._lock:
            if self._opened is None or self._is_checked or self._is_closed:
                return
            self._is_checked = self._has_started(self._check)  # or by the next search

    def look_after(self) -> None:
        """Make a base that is a day old anew, if anything changed since; called now and then."""
        with self._lock:
            opened = self._opened
            if opened is not None and self._clock() >= opened[1]["made_at"] + OLDEST_SECONDS:
                self._has_started(self._renew)

    def make(self) -> None:
        """Make a base of what is committed now, unless the file is small or it is let go of.

        Raises:
            StorageError, OSError: The disk refuses it.
            TimeoutError: Another process is at it.
        """
        if self._is_made():
            self._renewed()

    def clear(self) -> None:
        """Let go of what is held, and of what is being made."""
        with self._lock:
            self._n_clears += 1
            self._let_go()
            self._was_looked_for = False
            self._is_disk_unfit = False
            self._small_at = None

    def close(self) -> None:
        """The same for good, and wait until nothing is read for it any more."""
        self._is_closed = True
        self.clear()
        self.settle()

    def settle(self) -> None:
        """Wait until nothing is made or compared in the background."""
        working = self._working
        if working is not None and working is not threading.current_thread():
            working.join()

    def _is_made(self) -> bool:
        """Make or find a base; whether there is another one now."""
        from inklings_desktop.storage.search.side_file import array_folder
        from inklings_desktop.storage.search.side_file.base import read_base
        from inklings_desktop.storage.search.tokens import Tokenizer

        with self._lock:
            n_clears = self._n_clears

        def require_wanted() -> None:
            if self._n_clears != n_clears:
                raise _LetGoError

        with self._readers.connection() as connection:
            view = View(connection, None)
            change_seq, _ = view.counters()
            ((n_rows,),) = view.rows("SELECT count(*) FROM memory_search")
            if n_rows < self._fewest_rows:
                self._small_at = change_seq
                return False
        with array_folder.only_one_maker(self._database):
            # Only now: whoever scrubs the file takes all bases away while nobody makes one.
            with self._readers.connection() as connection:
                view = View(connection, None)
                if self._has_adopted(view, n_rows):
                    return True
                head, arrays = read_base(view, Tokenizer(), self.model_id, require_wanted)
                marks = self._marks(view)
                connection.execute("PRAGMA shrink_memory")  # it read the whole file
            require_wanted()
            folder = array_folder.write(
                self._database, {**marks, **head, "made_at": self._clock()}, arrays
            )
            with self._lock:
                if self._n_clears != n_clears:
                    return False
                self._open(folder, marks)
                # It was written from what was read a moment ago.
                self._is_checked = True
            array_folder.remove_older(self._database, folder)
        del arrays
        _give_back()
        return True

    def _has_started(self, work: Callable[[], object]) -> bool:
        """Begin it in the background; False while something else is at work there."""
        if self._working is not None and self._working.is_alive():
            return False
        self._working = threading.Thread(target=work, name="find base", daemon=True)
        self._working.start()
        return True

    def _make_quietly(self) -> None:
        from inklings_desktop.storage.search.side_file.base import UnfitFileError

        try:
            self.make()
        except (StorageError, OSError, UnfitFileError) as error:
            if not isinstance(error, TimeoutError):
                self._is_disk_unfit = True
                self._say(type(error).__name__)
        except (sqlite_module().Error, _LetGoError):
            pass  # whatever is wrong with the file, the searches themselves will say so

    def _renew(self) -> None:
        base, opened = self._base, self._opened
        if base is None or opened is None:
            return
        with suppress(sqlite_module().Error), self._readers.connection() as connection:
            change_seq, _ = View(connection, None).counters()
            if change_seq == base.change_seq:
                opened[1]["made_at"] = self._clock()  # nothing is in it that is not in the file
                return
        self._make_quietly()

    def _check(self) -> None:
        from inklings_desktop.storage.search.side_file.array_folder import is_whole

        opened = self._opened
        if opened is None:
            return
        with suppress(OSError):  # gone since: a newer one took its place
            if not is_whole(*opened) and self._opened is opened:
                self.refuse()
                self._renewed()

    def _has_adopted(self, view: View, n_rows: int) -> bool:
        """Whether another process has made a base meanwhile that will do."""
        with self._lock:
            before = self._opened
            newest = next((folder for _, folder in numbered(self._database)), None)
            if newest is None or (before is not None and before[0] == newest):
                return False
            self._open_newest(view)
            base = self._base
        if base is None or base.reload_seq != view.counters()[1]:
            return False
        ((n_changed,),) = view.rows(_N_CHANGED, (base.change_seq,))
        return bool(n_changed <= MOST_LATER * n_rows)

    def _open_newest(self, snapshot: Snapshot) -> None:
        from inklings_desktop.storage.search.side_file.array_folder import UnfitFolderError

        for _, folder in numbered(self._database):
            try:
                self._open(folder, self._marks(snapshot))
            except UnfitFolderError:
                self._say("unfit")
            except (OSError, ValueError, KeyError, TypeError) as error:
                self._say(type(error).__name__)
            else:
                return

    def _open(self, folder: Path, marks: dict[str, Any]) -> None:
        from inklings_desktop.storage.search.side_file.array_folder import (
            UnfitFolderError,
            mapped,
            read_head,
        )
        from inklings_desktop.storage.search.side_file.base import base_of

        head = read_head(folder)
        if any(head.get(name) != value for name, value in marks.items()):
            raise UnfitFolderError("of another file")
        self._base = base_of(head, mapped(folder, head))
        self._opened = folder, head
        self._is_checked = False
        self._trouble = None

    def _marks(self, view: Snapshot) -> dict[str, Any]:
        """What a base has to be of: this file, these words."""
        ((kind, workspace_id, created_at),) = view.rows(
            "SELECT kind, workspace_id, created_at FROM meta"
        )
        node = node_of(self._database)
        return {
            "file": [kind, workspace_id, created_at, None if node is None else node[1]],
            "tokenize": TOKENIZE,
            "sqlite": sqlite_module().sqlite_version,
        }

    def _let_go(self) -> None:
        self._base = self._opened = None

    def _say(self, why: str) -> None:
        self._trouble = why
        _log.warning("no side file for searches (%s): the database answers", why)


class _LetGoError(Exception):
    """Nobody wants any more what is being made."""


def _give_back() -> None:
    """Give back to the system what was let go of; some C libraries keep it (measured: 50 MB)."""
    import ctypes

    with suppress(OSError, AttributeError, TypeError):  # there is no such library, or call
        ctypes.CDLL(None).malloc_trim(0)
