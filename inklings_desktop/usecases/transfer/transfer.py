"""Memory out of the data root and into it."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.access.access import (
    Action,
    authorize_management,
    authorize_person,
)
from inklings_desktop.domain.background.golden import GoldenCause
from inklings_desktop.domain.errors import (
    ConflictError,
    DatabaseFullError,
    DatabaseReadOnlyError,
    InklingsError,
    InvalidValueError,
    NotFoundError,
    StorageError,
)
from inklings_desktop.domain.log.backup import BackupReason
from inklings_desktop.domain.memory import (
    MemoryEntry,
    MemoryRef,
    ScopeKey,
    Tier,
)
from inklings_desktop.domain.rooms.conversation import (
    DEFAULT_CHANNEL,
    Channel,
)
from inklings_desktop.domain.rooms.workspace import Workspace
from inklings_desktop.domain.scrub.manifest import ChosenScope
from inklings_desktop.domain.transfer.document import (
    ExportNote,
)
from inklings_desktop.domain.transfer.foreign.formats import (
    NO_WISHES,
    Wishes,
)
from inklings_desktop.domain.transfer.import_plan import (
    Decision,
    ImportPreview,
    ImportRun,
    decided,
    refuse_overfull,
)
from inklings_desktop.usecases.background.tasks import Tasks
from inklings_desktop.usecases.consolidation.golden_watch import GoldenWatch, Watched
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.ports.progress import UNHEARD
from inklings_desktop.usecases.transfer.exporting import (
    Exported,
    ExportRequest,
    Writing,
    note_export,
    parts_of,
)
from inklings_desktop.usecases.transfer.import_outcome import Imported
from inklings_desktop.usecases.transfer.import_writing import FileImport, ImportWriting
from inklings_desktop.usecases.transfer.importing import Planner, destination_of, document_of
from inklings_desktop.usecases.transfer.markdown_export import MarkdownExported, pages, scopes_of
from inklings_desktop.usecases.transfer.sample_agents import (
    write_clients,
    write_proposals,
    write_questions,
)
from inklings_desktop.usecases.transfer.sample_entries import write_entries
from inklings_desktop.usecases.transfer.sample_knowledge import SampleKnowledge
from inklings_desktop.usecases.transfer.sample_pages import SamplePages
from inklings_desktop.usecases.transfer.sample_talk import write_events, write_talk
from inklings_desktop.usecases.transfer.sample_world import (
    SampleWorld,
    SampleWorldLoaded,
    instant_of,
)
from inklings_desktop.usecases.transfer.withdraw_import import Withdrawn, take_back

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from inklings_desktop.domain.memory import MemoryEntry, MemoryRef
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.ports.progress import Progress

MIN_ID_PREFIX = 4


class Transfer(Asked):
    """Exports and imports."""

    def export(self, request: ExportRequest, path: Path, progress: Progress = UNHEARD) -> Exported:
        """Writes memory into a file, whole or not at all; a file of that name is replaced.

        Args:
            request: What goes into it.
            path: Where to.
            progress: Hears ``write``, one unit per memory.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace.
            InvalidValueError: The file would lie in the data root, or replace a database.
            StorageError: The file cannot be written, or a database not read.
            StoppedError: The person stopped it; nothing is left.
        """
        authorize_person(self.caller, Action.READ, Tier.ACCOUNT)
        now = self.clock()
        going = parts_of(request, self.parts.directory)
        writing = Writing(self, request, going, now, progress)
        n_bytes = self.adapters.export_files.write(path, writing.text())
        is_noted = False
        with suppress(StorageError):
            note_export(self.store, self.caller, request.label, path, now, writing)
            is_noted = True
        return Exported(
            path,
            n_bytes,
            sum(writing.n_memories.values()),
            writing.n_entries,
            len([one for one in going if one.workspace_id is not None]),
            is_noted,
            writing.n_unreadable,
        )

    def export_markdown(
        self,
        workspace_id: str,
        path: Path,
        *,
        scopes: Sequence[ScopeKey] = (),
        refs: Sequence[MemoryRef] = (),
    ) -> MarkdownExported:
        """Writes a workspace, room by room, or less, as Markdown for people to read.

        Named entries and active memories go; a file of that name is replaced.

        Args:
            workspace_id: The workspace; its name heads the page.
            path: Where to.
            scopes: These scope keys alone, with the named entries of their tiers.
            refs: These memories alone, forgotten or not, of the workspace or the account.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such workspace.
            InvalidValueError: The file would lie in the data root, or replace a database.
            StorageError: The file cannot be written, or a database not read.
        """
        reaches_account = any(one.tier is Tier.ACCOUNT for one in (*scopes, *scopes_of(refs)))
        authorize_person(
            self.caller, Action.READ, Tier.ACCOUNT if reaches_account else Tier.WORKSPACE
        )
        workspace = self.parts.directory.get(workspace_id)
        request = ExportRequest(scopes=tuple(scopes), refs=tuple(refs))
        now = self.clock()
        counts: dict[str | None, int] = {}
        text = pages(self.store, workspace, request, now, counts)
        n_bytes = self.adapters.export_files.write(path, text)
        for file, n_memories in counts.items():
            with (
                suppress(DatabaseReadOnlyError, DatabaseFullError),
                self.writing(file) as unit,
            ):
                note = ExportNote(str(path.absolute()), now, request.label, n_memories)
                unit.transfers.note_export(note)
                unit.commit()
        return MarkdownExported(path, n_bytes, sum(counts.values()))

    def list_exports(self, scope: ScopeKey) -> tuple[ExportNote, ...]:
        """Lists files that are known to hold what one scope holds or held, the latest first.

        Nobody knows whether they are still there.

        Raises:
            ScopeDeniedError: The caller is not the person.
        """
        authorize_person(self.caller, Action.READ, scope.tier)
        with self.store.read(scope.workspace_id) as view:
            notes = view.transfers.exports()
        found: dict[str, ExportNote] = {}
        for note in notes:
            is_any = isinstance(scope, ChosenScope)  # they may be of any tier of the file
            if note.n_memories and (is_any or note.may_hold(scope)):
                found.setdefault(note.path, note)
        return tuple(found.values())

    def preview_import(
        self,
        *paths: Path,
        into: str | None = None,
        place: ScopeKey | None = None,
        wishes: Wishes = NO_WISHES,
        progress: Progress = UNHEARD,
    ) -> ImportPreview:
        """Says of every row of the files what would become of it; nothing is changed to find out.

        Args:
            paths: The files; a folder stands for those in it that can be read.
            into: Name or id of the workspace that a file of one workspace goes to; None takes
                the one the file names.
            place: Where the memories of a foreign file go; None takes the only workspace.
            wishes: How foreign files are to be read.
            progress: Hears ``read`` and ``compare``.

        Raises:
            ScopeDeniedError: The caller is not the person.
            ImportRefusedError: A file is none that can be read, or is not sound.
            NotFoundError: The workspace or channel that was named is not there.
            StorageError: A file or a database cannot be read.
            StoppedError: The person stopped it.
        """
        caller = self.caller
        authorize_person(caller, Action.READ, Tier.ACCOUNT)
        planner = Planner(self.parts)
        document = document_of(self.parts, paths, into, place, wishes, progress)
        if document.foreign is None:
            place = None
            restores = into is None and planner.may_restore(document)
        else:  # it was made for the place it goes to
            into, place, restores = None, destination_of(self.parts, into, place).scope, False
        plans = []
        first = 1
        targets = planner.targets(document.sections, into)
        for section, target in zip(document.sections, targets, strict=True):
            if target.is_new:
                plan = planner.plan(
                    caller, None, section, target, first=first, restores=restores, progress=progress
                )
            else:
                with self.store.read(target.id) as view:
                    plan = planner.plan(
                        caller,
                        view,
                        section,
                        target,
                        first=first,
                        restores=restores,
                        progress=progress,
                    )
            plans.append(plan)
            first += len(section.memories) + len(section.entries)
        return ImportPreview(document, tuple(plans), into, self.parts.settings().cap, place)

    def apply_import(
        self,
        preview: ImportPreview,
        decisions: Mapping[int, Decision],
        progress: Progress = UNHEARD,
    ) -> Imported:
        """Writes what was decided: a copy of each database first, then one transaction for each.

        Args:
            preview: What was looked at.
            decisions: By row number; a row that is not among them has its default.
            progress: Hears ``copy``, ``verify`` and ``write``.

        Raises:
            ScopeDeniedError: The caller is not the person.
            ImportRefusedError: Memory changed since the preview, a decision is not possible, a
                scope has no room for so many, or more than nine tenths of a database would be
                replaced; nothing was changed.
            StorageError: A database cannot be written to; nothing was changed.
            StoppedError: The person stopped it; nothing was changed.
        """
        caller = self.caller
        authorize_person(caller, Action.WRITE, Tier.ACCOUNT)
        planner = Planner(self.parts)
        chosen = decided(preview.rows, decisions)
        refuse_overfull(preview, chosen)
        wanted = [
            plan
            for plan in preview.plans
            if any(chosen[row.number] is not Decision.KEEP for row in plan.rows)
            or (plan.is_restore and plan.section.channels)
        ]
        backups = [
            self.adapters.keeper.create(plan.target.id, progress, BackupReason.BEFORE_IMPORT)
            for plan in wanted
            if not plan.target.is_new
        ]
        run_id, now = self.new_id(), self.clock()
        digest = preview.document.digest
        cap = self.parts.settings().cap
        writing = ImportWriting(caller, run_id, now, self.new_id, cap, progress, digest)
        done: list[FileImport] = []
        created: list[Workspace] = []
        # A workspace that is made by this holds no question yet.
        places = [Watched(plan.target.id) for plan in wanted if not plan.target.is_new]
        with GoldenWatch(self.parts, caller).around(
            places, GoldenCause.IMPORT, progress
        ) as watching:
            watching.run_id = run_id
            # The account comes last: what fails on the way has touched no one's preferences.
            for plan in sorted(wanted, key=lambda one: one.target.id is None):
                try:
                    if plan.target.is_new and plan.section.workspace is not None:
                        planner.create(plan.section.workspace)
                        created.append(plan.section.workspace)
                    done.append(planner.written(plan, preview, chosen, writing))
                except InklingsError:
                    made = {one.id for one in created}
                    for earlier in done:
                        if earlier.target_id not in made:
                            take_back(self.store, caller, earlier.target_id, run_id, now)
                    for workspace_id in made:
                        self.parts.directory.discard(workspace_id)
                    raise
        return Imported(
            run_id,
            sum(one.n_added for one in done),
            sum(one.n_taken for one in done),
            sum(one.n_entries for one in done),
            sum(one is Decision.KEEP for one in chosen.values()),
            preview.is_restore,
            tuple(backups),
            tuple(one.name for one in created),
            len(watching.broken),
        )

    def withdraw_import(self, run_id: str) -> Withdrawn:
        """Takes an import back in every database that it wrote to; by the beginning of its id.

        What it added is forgotten and can be restored one by one; what anybody changed since stays.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: There is no such import.
            InvalidValueError: Several ids begin so, or fewer than four characters were given.
            ConflictError: It was taken back before.
            StorageError: A database cannot be written to; nothing was changed in it.
        """
        caller = self.caller
        authorize_person(caller, Action.WRITE, Tier.ACCOUNT)
        if len(run_id) < MIN_ID_PREFIX:
            raise InvalidValueError("run", "too_short", MIN_ID_PREFIX)
        found: dict[str, list[tuple[str | None, ImportRun]]] = {}
        for file in (None, *(one.id for one in self.parts.directory.workspaces())):
            with self.store.read(file) as view:
                for run in view.transfers.imports():
                    if run.id.startswith(run_id):
                        found.setdefault(run.id, []).append((file, run))
        if not found:
            raise NotFoundError("import", run_id)
        if len(found) > 1:
            raise InvalidValueError("run", "ambiguous")
        ((whole_id, places),) = found.items()
        if all(run.is_withdrawn for _file, run in places):
            raise ConflictError("run", whole_id)
        now = self.clock()
        open_files = [file for file, run in places if not run.is_withdrawn]
        watched = [Watched(file) for file in open_files]
        with GoldenWatch(self.parts, caller).around(watched, GoldenCause.WITHDRAWAL) as watching:
            watching.run_id = whole_id
            done = [take_back(self.store, caller, file, whole_id, now) for file in open_files]
        return Withdrawn(
            whole_id,
            sum(one.n_removed for one in done),
            sum(one.n_returned for one in done),
            sum(one.n_left for one in done),
        )

    def list_imports(self, workspace_id: str | None) -> tuple[ImportRun, ...]:
        """Lists the imports into a workspace and the account, the latest first.

        Raises:
            ScopeDeniedError: The caller is not the person.
        """
        authorize_person(self.caller, Action.READ, Tier.ACCOUNT)
        with self.store.read(workspace_id) as view:
            return view.transfers.imports()

    def load_sample_world(self, document: Mapping[str, Any]) -> SampleWorldLoaded:
        """Writes the invented sample world, its times shifted so that it looks freshly used.

        Args:
            document: The parsed ``sample_world.json``.

        Raises:
            ConflictError: This data root already holds workspaces.
        """
        caller = self.caller
        authorize_management(caller)
        if self.parts.directory.workspaces():
            raise ConflictError("workspace", document["workspaces"][0]["name"])
        world = SampleWorld(document, self.clock() - instant_of(document["as_of"]), self.new_id)
        for workspace in world.workspaces.values():
            self.parts.directory.create(workspace)
        main = next(iter(world.workspaces.values()))
        entries: dict[str | None, list[MemoryEntry]] = defaultdict(list)
        for entry in world.memories():
            entries[entry.scope.workspace_id].append(entry)
        for workspace in world.workspaces.values():
            with self.writing(workspace.id) as unit:
                if workspace is main:
                    for channel in world.channels.values():
                        unit.conversations.add_channel(channel)
                    agent = document["clients"][0]["name"]
                    for conversation in world.conversations.values():
                        unit.conversations.add(conversation, [agent])
                    for note in world.notes():
                        unit.notes.write(note)
                    unit.memories.add(entries[main.id])
                    unit.memories.add_history(list(world.history(main.id)))
                    write_entries(unit, caller, document, main.id, world.instant)
                    by_id = {one.id: one for one in entries[main.id]}
                    write_proposals(unit, document, by_id, world.instant)
                    write_questions(unit, document, world.scope, world.instant)
                    talks, when = world.conversations, world.instant
                    write_talk(unit, caller, document, by_id, talks, when)
                    write_events(unit, caller, agent, entries[main.id], talks.values())
                else:
                    unit.conversations.add_channel(
                        Channel(self.new_id(), DEFAULT_CHANNEL, "", workspace.created_at)
                    )
                unit.commit()
        with self.writing(None) as unit:
            unit.memories.add(entries[None])
            unit.memories.add_history(list(world.history(None)))
            write_entries(unit, caller, document, None, world.instant)
            channels = {key: one.id for key, one in world.channels.items()}
            write_clients(unit, document, main.id, channels, world.instant)
            unit.commit()
        tasks = Tasks(self.parts, caller)
        n_embedded = sum(
            tasks.embed(file, ids=world.embedded_ids(file), limit=len(entries[file]))
            for file in (main.id, None)
        )
        return SampleWorldLoaded(main, sum(map(len, entries.values())), n_embedded)

    def load_sample_knowledge(self, document: Mapping[str, Any], workspace_id: str) -> None:
        """Writes what is settled in the sample world, whose memories are there.

        Args:
            document: The parsed ``sample_world.json``.
            workspace_id: Its workspace.
        """
        authorize_management(self.caller)
        shift = self.clock() - instant_of(document["as_of"])
        knowledge = SampleKnowledge(document, workspace_id, lambda at: instant_of(at) + shift)
        with self.writing(workspace_id) as unit:
            knowledge.write(unit)
            unit.commit()
        with self.writing(None) as unit:
            knowledge.assign(unit)
            unit.commit()
        Tasks(self.parts, self.caller).embed(
            workspace_id, limit=len(document["memories"]), ids=knowledge.ids
        )

    def load_sample_pages(self, document: Mapping[str, Any], workspace_id: str) -> None:
        """Writes what the sample world knows of its pages, whose folder was looked at.

        Args:
            document: The parsed ``sample_world.json``.
            workspace_id: Its workspace.
        """
        authorize_management(self.caller)
        shift = self.clock() - instant_of(document["as_of"])
        index, writer = self.adapters.world_indexes.of(workspace_id), self.adapters.page_writer
        with self.writing(workspace_id) as unit:
            pages = SamplePages(unit, index, writer, self.new_id)
            pages.write_sources((one["id"], one["derivations"]) for one in document["memories"])
            settled = document["knowledge"]
            pages.write_sources(
                (one["id"], one["sources"]) for one in settled["facts"] + settled["policies"]
            )
            for one in document["pages"]["proposals"]:
                pages.propose(one, workspace_id, instant_of(one["created_at"]) + shift)
            unit.commit()
