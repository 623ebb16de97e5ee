"""The author's own pages: linked folders, what they say, and finding it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import Action, authorize, authorize_management
from inklings_desktop.domain.access.clients import WORLD_ACTIONS
from inklings_desktop.domain.background.tasks import RunState, TaskRun, TaskState, world_of
from inklings_desktop.domain.errors import (
    EmbeddingUnavailableError,
    InvalidValueError,
    NotFoundError,
    StorageError,
)
from inklings_desktop.domain.log.events import EventKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import checked_name, name_key
from inklings_desktop.domain.world.axes import axes_of, marks_of
from inklings_desktop.domain.world.finding import MAX_WORLD_HITS, WorldAnswer
from inklings_desktop.domain.world.pages import FolderRules, WorldFolder
from inklings_desktop.usecases.background.background_work import BUSY, STEP
from inklings_desktop.usecases.background.tasks import TaskSituation
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.ports.world import PageMeaning
from inklings_desktop.usecases.steps.recording import record_room
from inklings_desktop.usecases.steps.sources import folder_called
from inklings_desktop.usecases.world.deciding import answer_edited
from inklings_desktop.usecases.world.looking import LEAST_SECONDS, Look
from inklings_desktop.usecases.world.radar import notice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.world.axes import Axes
    from inklings_desktop.domain.world.finding import WorldQuery
    from inklings_desktop.domain.world.pages import (
        Block,
        FolderKind,
        FolderLook,
        Page,
        PageChange,
        WholePage,
    )
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import UnitOfWork
    from inklings_desktop.usecases.ports.world import WorldIndex

PASSAGES_AT_ONCE = 4
"""What a model is given in one call: whoever stops the work waits for half a second at most."""
MODES = ("hybrid", "keyword", "semantic")
MOST_NAMED = 10
"""Paths that are named where a title means several pages."""


def _unheard(_done: int, _total: int) -> None:
    """Nobody listens."""


def _always() -> bool:
    return True


class World(Asked):
    """Pages of a workspace; ``folder`` is the id or name of a linked one.

    Whoever reads needs ``world:read`` in the workspace, which a person has.
    """

    def link(
        self, workspace_id: str, path: Path, *, name: str = "", kind: FolderKind | None = None
    ) -> WorldFolder:
        """Links a folder, which is then only read; without a name it has its own.

        One that came with an import under this name is taken for this one.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: It is no folder that may be linked, the name is none, or it holds,
                is or lies in a folder that is linked already (``linked``, with that one's name).
            ConflictError: The name is taken.
        """
        self.require_person("world.link", Tier.WORKSPACE, workspace_id)
        place = Path(path).expanduser().absolute()
        found = self.adapters.world_files.kind_of(place)
        self._refuse_linked(place)
        name = checked_name(name or place.resolve().name)
        for one in self._linked(workspace_id):
            if not one.path and name_key(one.name) == name_key(name):
                return self.relocate(workspace_id, one.id, place)
        folder = WorldFolder(
            self.new_id(),
            name,
            kind or found,
            str(place),
            self._installation(),
            FolderRules(),
            False,
            self.clock(),
        )
        with self.writing(workspace_id) as unit:
            unit.world.save_folder(folder)
            self._record(unit, EventKind.WORLD_LINKED, workspace_id)
        return folder

    def unlink(self, workspace_id: str, folder: str) -> None:
        """Forgets a folder; its files are untouched, and memories that come from it stay.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such folder.
        """
        self.require_person("world.unlink", Tier.WORKSPACE, workspace_id)
        gone = self._folder(workspace_id, folder)
        with self.writing(workspace_id) as unit:
            unit.world.remove_folder(gone.id)
            self._record(unit, EventKind.WORLD_UNLINKED, workspace_id)
        with suppress(StorageError):  # then the next look finds what is left of it
            left = self._ids(workspace_id)
            index = self._index(workspace_id)
            index.keep_folders(left) if left else index.drop()

    def relocate(self, workspace_id: str, folder: str, path: Path) -> WorldFolder:
        """Says where a folder lies now; raises as ``link`` and ``unlink`` do."""
        self.require_person("world.link", Tier.WORKSPACE, workspace_id)
        before = self._folder(workspace_id, folder)
        place = Path(path).expanduser().absolute()
        self.adapters.world_files.kind_of(place)
        self._refuse_linked(place, but=before.id)
        changed = replace(before, path=str(place), installation=self._installation())
        return self._saved(workspace_id, changed)

    def set_rules(self, workspace_id: str, folder: str, rules: FolderRules) -> WorldFolder:
        """Says what is ignored in a folder and what the author's words mean.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such folder.
        """
        self.require_person("world.link", Tier.WORKSPACE, workspace_id)
        return self._saved(workspace_id, replace(self._folder(workspace_id, folder), rules=rules))

    def take_proposals(self, workspace_id: str, folder: str, *, allowed: bool) -> WorldFolder:
        """Says whether agents may propose changes of its pages; raises as ``set_rules`` does."""
        self.require_person("world.link", Tier.WORKSPACE, workspace_id)
        before = self._folder(workspace_id, folder)
        return self._saved(workspace_id, replace(before, takes_proposals=allowed))

    def folders(self, workspace_id: str) -> tuple[FolderLook, ...]:
        """Linked folders by name, and how each was last looked at."""
        self._require_reading(workspace_id)
        linked = self._linked(workspace_id)
        return self._index(workspace_id).looks(linked) if linked else ()

    def has_pages(self, workspace_id: str) -> bool:
        """Whether a folder is linked, and the caller has any right to pages there."""
        scope = ScopeKey.workspace(workspace_id)
        may = any(self.caller.may(one, scope) for one in WORLD_ACTIONS)
        return may and bool(self._linked(workspace_id))

    def look(
        self,
        workspace_id: str,
        folder: str = "",
        *,
        report: Callable[[int, int], None] = _unheard,
        goes_on: Callable[[], bool] = _always,
    ) -> tuple[PageChange, ...]:
        """Reads what changed in one folder, or in all, and what that means for memories.

        Args:
            workspace_id: The workspace.
            folder: Empty for all.
            report: Hears how many of how many changed files are read.
            goes_on: Asked between files; False ends it, and what was read stays.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such folder.
            AlreadyRunningError: Another process reads just now.
        """
        authorize_management(self.caller)
        wanted = self._wanted(workspace_id, folder)
        return self._look_at(workspace_id, wanted, report, goes_on)

    def when_to_look(self, workspace_id: str) -> TaskSituation | None:
        """When the folders were looked at last, and how often that is due; None without any.

        Raises:
            ScopeDeniedError: The caller is an agent.
            NotFoundError: There is no such workspace.
        """
        authorize_management(self.caller)
        linked = self._linked(workspace_id)
        if not linked:
            return None
        first = min(self._next_looks(workspace_id, linked), key=lambda one: one[0] + one[1])
        looked_at, every, _ = first
        met = min(one.added_at for one in linked)
        state = TaskState(met, None if looked_at == met else looked_at)
        return TaskSituation(world_of(workspace_id), state, every=every, folders=linked)

    def tend(
        self,
        workspace_id: str,
        *,
        trigger: str,
        is_quiet: Callable[[], bool] = _always,
        progress: Progress = UNHEARD,
    ) -> TaskRun:
        """Looks at folders that are due, then computes missing vectors while nobody is busy.

        Args:
            workspace_id: The workspace.
            trigger: Why it runs, a stable word; only the interval leaves folders for later.
            is_quiet: Asked before every step of fifty passages; False leaves the rest for later.
            progress: Hears ``read`` and ``embed``, and says when to stop.

        Raises:
            ScopeDeniedError: The caller is an agent.
            AlreadyRunningError: Another process reads just now.
            StoppedError: The person stopped it; what was done stays.
        """
        target = world_of(workspace_id)
        run = TaskRun(self.new_id(), target, trigger, RunState.FINISHED, self.clock())
        authorize_management(self.caller)
        linked = self._linked(workspace_id)
        now = self.clock()
        due = [
            folder
            for looked_at, every, folder in self._next_looks(workspace_id, linked)
            if trigger != "interval" or not looked_at <= now < looked_at + every
        ]
        changes = self._look_at(
            workspace_id,
            due,
            lambda done, total: progress.report("read", done, total),
            lambda: not progress.is_cancelled(),
        )
        progress.require_wanted()
        n_made, problem = 0, ""
        try:
            n_made, problem = self._embed(workspace_id, is_quiet, progress)
        except EmbeddingUnavailableError as error:  # pages are looked at all the same
            problem = type(error).__name__
        counts = {"pages": len(changes), "embedded": n_made}
        state = RunState.STOPPED if problem == BUSY else RunState.FINISHED
        return replace(run, state=state, ended_at=self.clock(), counts=counts, problem=problem)

    def rebuild(
        self,
        workspace_id: str,
        *,
        report: Callable[[int, int], None] = _unheard,
        goes_on: Callable[[], bool] = _always,
    ) -> None:
        """Drops the index and reads every page anew; raises as ``look`` does."""
        authorize_management(self.caller)
        self._index(workspace_id).drop()
        self.look(workspace_id, report=report, goes_on=goes_on)

    def search(self, workspace_id: str, query: WorldQuery) -> WorldAnswer:
        """Finds passages of pages; memories are never among them.

        Raises:
            ScopeDeniedError: Pages are closed to the caller.
            NotFoundError: There is no such folder.
            InvalidValueError: The limit is not from 1 to 50, or the mode is none.
        """
        self._require_reading(workspace_id)
        if not 1 <= query.limit <= MAX_WORLD_HITS:
            raise InvalidValueError("limit", "range", MAX_WORLD_HITS)
        if query.mode not in MODES:
            raise InvalidValueError("mode", "unknown", ", ".join(MODES))
        folders = self._wanted(workspace_id, query.folder)
        if not folders:
            return WorldAnswer((), 0.0, is_stale=False)
        pending = self.parts.query_vectors.begin(query.text)
        meaning = PageMeaning(pending.model_id, pending.calibration, lambda: pending.wait().vector)
        return self._index(workspace_id).search(query, folders, meaning)

    def outline(
        self,
        workspace_id: str,
        *,
        folder: str = "",
        under: str = "",
        limit: int = 500,
        after: str = "",
    ) -> tuple[Page, ...]:
        """Pages by their path, of one folder or of all.

        Args:
            workspace_id: The workspace.
            folder: Empty for all.
            under: Only pages below this path.
            limit: Most pages.
            after: Path to go on from.

        Raises:
            ScopeDeniedError: Pages are closed to the caller.
            NotFoundError: There is no such folder.
        """
        self._require_reading(workspace_id)
        folder_id = self._folder(workspace_id, folder).id if folder else ""
        if (index := self.pages_of(workspace_id)) is None:
            return ()
        return index.pages(folder_id=folder_id, under=under, limit=limit, after=after)

    def page(self, workspace_id: str, key: str) -> WholePage:
        """A page by id, path, title, alias or file name.

        Raises:
            ScopeDeniedError: Pages are closed to the caller.
            NotFoundError: There is none.
            InvalidValueError: Several are meant: ``ambiguous``, with their paths.
        """
        self._require_reading(workspace_id)
        linked = set(self._ids(workspace_id))
        index = self.pages_of(workspace_id)
        found = index.named(key) if index is not None else ()
        found = tuple(one for one in found if one.folder_id in linked)
        if index is None or not found:
            raise NotFoundError("page", key)
        if len(found) > 1:
            paths = ", ".join(one.path for one in found[:MOST_NAMED])
            raise InvalidValueError("page", "ambiguous", paths)
        return index.page(found[0].id)

    def changes(
        self, workspace_id: str, since: int = 0, limit: int = 200
    ) -> tuple[PageChange, ...]:
        """What was noticed of pages after a number, oldest first.

        Raises:
            ScopeDeniedError: Pages are closed to the caller.
        """
        self._require_reading(workspace_id)
        index = self.pages_of(workspace_id)
        return () if index is None else index.changes(since, limit)

    def axes(self, workspace_id: str, page: Page, blocks: Sequence[Block] = ()) -> Axes:
        """Origin, lifecycle, weight and standing of a page, or of some blocks of it.

        Raises:
            ScopeDeniedError: Pages are closed to the caller.
        """
        self._require_reading(workspace_id)
        rules = {one.id: one.rules for one in self._linked(workspace_id)}
        marks = [mark for block in blocks for mark in marks_of(block.text)]
        return axes_of(
            page.front,
            page.tags,
            marks,
            rules.get(page.folder_id, FolderRules()),
            path=page.path,
            front_lines=page.front_lines,
        )

    def read_here(self, workspace_id: str, page_id: str | None) -> None:
        """Notes which page the author reads; None for none.

        Raises:
            ScopeDeniedError: The caller is not the person.
        """
        self.require_person("world.read", Tier.WORKSPACE, workspace_id)
        self._index(workspace_id).note_reading(page_id or "")

    def active_page(self, workspace_id: str) -> Page | None:
        """The page that the author reads; None while there is none.

        Raises:
            ScopeDeniedError: Pages are closed to the caller.
        """
        self._require_reading(workspace_id)
        linked = self._ids(workspace_id)
        page = self._index(workspace_id).page_read() if linked else None
        return page if page is not None and page.folder_id in linked else None

    def _look_at(
        self,
        workspace_id: str,
        folders: Sequence[WorldFolder],
        report: Callable[[int, int], None],
        goes_on: Callable[[], bool],
    ) -> tuple[PageChange, ...]:
        found: list[PageChange] = []
        index = self._index(workspace_id)
        notes = index.look_notes().values() if folders else ()
        is_fresh = any(one.every_seconds < LEAST_SECONDS for one in notes)
        if folders:
            index.keep_folders(self._ids(workspace_id))
        with Look(self, workspace_id, report, goes_on) as look:
            for one in folders:
                found += look.at(one)
        answer_edited(self, workspace_id)
        if found or is_fresh:  # what was too fresh then has settled by now
            notice(self, workspace_id, found)
        return tuple(found)

    def _next_looks(
        self, workspace_id: str, folders: Sequence[WorldFolder]
    ) -> list[tuple[datetime, timedelta, WorldFolder]]:
        """When each was looked at last, and how often that is due; never: since it was linked."""
        notes = self._index(workspace_id).look_notes()
        found = []
        for one in folders:
            note = notes.get(one.id)
            looked_at = one.added_at if note is None else note.looked_at or one.added_at
            every = LEAST_SECONDS if note is None else note.every_seconds
            found.append((looked_at, timedelta(seconds=every), one))
        return found

    def _embed(
        self, workspace_id: str, is_quiet: Callable[[], bool], progress: Progress
    ) -> tuple[int, str]:
        """How many vectors were made, and why it ended before all of them, or nothing."""
        model, index = self.parts.embedder.pinned(), self._index(workspace_id)
        n_made = 0
        while model.is_available and (missing := index.without_vector(model.model_id, STEP)):
            if not is_quiet():
                return n_made, BUSY
            in_order = sorted(missing, key=lambda one: len(one[1]))
            made: list[tuple[str, FloatVector]] = []
            for start in range(0, len(in_order), PASSAGES_AT_ONCE):
                if progress.is_cancelled():
                    break
                batch = in_order[start : start + PASSAGES_AT_ONCE]
                vectors = model.embed([text for _, text in batch])
                made += zip((id_ for id_, _ in batch), vectors, strict=True)
            index.put_vectors(model.model_id, made)
            n_made += len(made)
            progress.report("embed", *index.vector_counts(model.model_id))
            progress.require_wanted()
        return n_made, ""

    def _refuse_linked(self, place: Path, but: str = "") -> None:
        """Return only for a folder that has nothing to do with one that is linked anywhere."""
        real = place.resolve()
        for workspace in self.parts.directory.workspaces():
            for one in self._linked(workspace.id):
                other = Path(one.path).resolve()
                if (
                    one.path
                    and one.id != but
                    and (real.is_relative_to(other) or other.is_relative_to(real))
                ):
                    raise InvalidValueError("path", "linked", one.name)

    def _installation(self) -> str:
        """A name for this machine's data root, which says nothing of either."""
        return blake2b(self.adapters.key(), digest_size=16, person=b"world folder").hexdigest()

    def _saved(self, workspace_id: str, folder: WorldFolder) -> WorldFolder:
        with self.writing(workspace_id) as unit:
            unit.world.save_folder(folder)
            unit.commit()
        return folder

    def _record(self, unit: UnitOfWork, kind: EventKind, workspace_id: str) -> None:
        record_room(unit, self.caller, kind, ScopeKey.workspace(workspace_id), self.clock())
        unit.commit()

    def _require_reading(self, workspace_id: str) -> None:
        authorize(self.caller, Action.WORLD_READ, ScopeKey.workspace(workspace_id))

    def _index(self, workspace_id: str) -> WorldIndex:
        return self.adapters.world_indexes.of(workspace_id)

    def _linked(self, workspace_id: str) -> tuple[WorldFolder, ...]:
        with self.store.read(workspace_id) as view:
            return view.world.folders()

    def _ids(self, workspace_id: str) -> list[str]:
        return [one.id for one in self._linked(workspace_id)]

    def _wanted(self, workspace_id: str, folder: str) -> tuple[WorldFolder, ...]:
        return (self._folder(workspace_id, folder),) if folder else self._linked(workspace_id)

    def _folder(self, workspace_id: str, key: str) -> WorldFolder:
        return folder_called(self._linked(workspace_id), key)
