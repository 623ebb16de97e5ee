"""Hears from the system that something in a folder changed, and hands that on as a hint.

A hint says which folder is worth a look, and no more. What changed is found by looking, so that
an event too many costs a look, and one too few is made up for by the next one.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from watchdog import events
from watchdog.observers import Observer

from inklings_desktop.worldfiles.folders import identity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from watchdog.observers.api import BaseObserver, ObservedWatch

    from inklings_desktop.domain.world.pages import WorldFolder

QUIET_SECONDS = 0.5
MOST_SECONDS = 5.0
"""After so long a hint is given even where it is never quiet."""
LOST_SECONDS = 10.0
"""How often it is looked whether a folder is still the one that is watched."""

# No opening and no closing without a change: our own reading would be told as well.
_TOLD = [
    events.FileCreatedEvent,
    events.FileModifiedEvent,
    events.FileClosedEvent,
    events.FileDeletedEvent,
    events.FileMovedEvent,
    events.DirCreatedEvent,
    events.DirDeletedEvent,
    events.DirMovedEvent,
]


class Watching:
    """Watches folders until it is ended."""

    def __init__(self, folders: Sequence[WorldFolder], hint: Callable[[str], None]) -> None:
        self._hint = hint
        self._folders = {one.id: Path(os.path.realpath(one.path)) for one in folders}
        self._watched: dict[str, tuple[int, int] | None] = {}
        self._watches: dict[str, ObservedWatch] = {}
        self._changes: dict[str, tuple[float, float]] = {}
        self._is_ended = False
        self._news = threading.Condition()
        self._observer: BaseObserver = Observer()
        self._observer.start()
        for folder_id in self._folders:
            self._begin(folder_id)
        self._teller = threading.Thread(target=self._tell, name="world-hints", daemon=True)
        self._teller.start()

    @property
    def unwatched(self) -> frozenset[str]:
        """Ids of the folders that are not watched now: not there, or no watches left."""
        return frozenset(self._folders) - frozenset(self._watches)

    def end(self) -> None:
        """Stop, and wait for the threads."""
        with self._news:
            self._is_ended = True
            self._news.notify()
        if self._teller is not threading.current_thread():
            self._teller.join()  # first: it may be about to watch a folder anew
        self._observer.stop()
        self._observer.join()

    def noticed(self, folder_id: str, path: str) -> None:
        """Something at a path changed; hidden files and folders do not count."""
        root = self._folders[folder_id]
        with suppress(ValueError):
            if any(part.startswith(".") for part in Path(path).relative_to(root).parts):
                return
        now = monotonic()
        with self._news:
            first, _ = self._changes.get(folder_id, (now, now))
            self._changes[folder_id] = first, now
            self._news.notify()

    def _begin(self, folder_id: str) -> None:
        """Watch a folder as it is now."""
        root = self._folders[folder_id]
        self._watched[folder_id] = identity(root)
        watch = None
        try:
            watch = self._schedule(_Handler(self, folder_id), root, recursive=True)
            # The library passes over a folder inside that it cannot watch. Watches run out from
            # some folder on, so it is the last one that tells whether there were enough.
            if (last := _last_folder(root)) is not None:
                probe = self._schedule(events.FileSystemEventHandler(), last, recursive=False)
                self._observer.unschedule(probe)
        except OSError:
            if watch is not None:
                self._observer.unschedule(watch)
            return
        self._watches[folder_id] = watch

    def _schedule(
        self, handler: events.FileSystemEventHandler, path: Path, *, recursive: bool
    ) -> ObservedWatch:
        return self._observer.schedule(handler, str(path), recursive=recursive, event_filter=_TOLD)

    def _tell(self) -> None:
        """Give hints until the end."""
        looked = monotonic()
        while True:
            with self._news:
                if self._is_ended:
                    return
                times = [_due_at(one) - monotonic() for one in self._changes.values()]
                self._news.wait(max(0.0, min([LOST_SECONDS, *times])))
                now = monotonic()
                due = [one for one, times in self._changes.items() if _due_at(times) <= now]
                for one in due:
                    del self._changes[one]
            if now - looked >= LOST_SECONDS:
                looked = now
                due += [one for one in self._folders if self._is_another(one) and one not in due]
            for one in due:
                self._hint(one)

    def _is_another(self, folder_id: str) -> bool:
        """Whether the folder was moved away or came back since; it is watched anew then."""
        if identity(self._folders[folder_id]) == self._watched[folder_id]:
            return False
        if (watch := self._watches.pop(folder_id, None)) is not None:
            self._observer.unschedule(watch)
        self._begin(folder_id)
        return True


class _Handler(events.FileSystemEventHandler):
    """Hands on what the library tells of one folder."""

    def __init__(self, watching: Watching, folder_id: str) -> None:
        self._watching, self._folder_id = watching, folder_id

    def on_any_event(self, event: events.FileSystemEvent) -> None:
        for path in {event.src_path, event.dest_path}:
            if path:
                self._watching.noticed(self._folder_id, os.fsdecode(path))


def _due_at(times: tuple[float, float]) -> float:
    first, last = times
    return min(first + MOST_SECONDS, last + QUIET_SECONDS)


def _last_folder(root: Path) -> Path | None:
    """The last folder inside that the library comes to."""
    last = None
    for place, names, _files in os.walk(root):
        for name in names:
            path = Path(place, name)
            if not path.is_symlink():
                last = path
    return last
