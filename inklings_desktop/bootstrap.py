"""The composition root: settings, adapters, use cases, doors, and their orderly close.

Alone in knowing two adapters at once. Everything heavy is imported when it is needed: the
window paints before SQL, arrays or models are loaded.
"""

from __future__ import annotations

import getpass
import json
import os
import shutil
import sys
import tempfile
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.access import Caller, Door
from inklings_desktop.domain.errors import (
    DatabaseCorruptError,
    DatabaseTooNewError,
    NotFoundError,
)
from inklings_desktop.logs import file_log
from inklings_desktop.settings import default_data_dir, load_settings, sample_data_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from inklings_desktop.domain.canary import DrillReport
    from inklings_desktop.domain.clients import Client, ClientKind, Right
    from inklings_desktop.domain.workspace import Workspace
    from inklings_desktop.settings import Settings
    from inklings_desktop.storage.backup_keeper import SqliteBackupKeeper
    from inklings_desktop.storage.erasure import SqliteEraser
    from inklings_desktop.storage.inspection import SqliteInspector
    from inklings_desktop.storage.workspace_directory import SqliteWorkspaceDirectory
    from inklings_desktop.storage.workspace_eraser import SqliteWorkspaceEraser
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.change_feed import ChangeFeed
    from inklings_desktop.usecases.connections import RehearsedStep
    from inklings_desktop.usecases.model_ports import ModelCatalogue
    from inklings_desktop.usecases.ports import Clock, Embedder, LogAudit
    from inklings_desktop.usecases.progress import Progress
    from inklings_desktop.usecases.query_vectors import QueryVectors
    from inklings_desktop.usecases.sample_world import SampleWorldLoaded
    from inklings_desktop.usecases.scrub_ports import KeySource
    from inklings_desktop.usecases.transfer_ports import TransferStore
    from inklings_desktop.usecases.view_as import SeeAs

# One thread for scans: a second one only spins while other programs work. Read when numpy loads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

SAMPLE_WORLD = "sample_world.json"
FIRST_WORKSPACE = "My world"
QUERIES_AT_ONCE = 2
SCRIPT_DRAIN_SECONDS = 20.0
WINDOW_DRAIN_SECONDS = 0.5
TOUR_FOLDER = "inklings-tour"
EXIT_ENVIRONMENT = 3


@dataclass(frozen=True, slots=True)
class _Parts:
    """The adapters that the use cases are made of."""

    settings: Settings
    clock: Clock
    feed: ChangeFeed
    embedder: Embedder
    query_vectors: QueryVectors
    store: TransferStore
    directory: SqliteWorkspaceDirectory
    eraser: SqliteEraser
    key: KeySource
    audit: LogAudit
    keeper: SqliteBackupKeeper
    inspector: SqliteInspector
    workspace_eraser: SqliteWorkspaceEraser
    catalogue: ModelCatalogue


@contextmanager
def open_inklings(  # noqa: PLR0913 - whatever opens a data root has its say here
    data_dir: Path | None = None,
    *,
    workspace: str | None = None,
    caller: Caller | None = None,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    embed_writes: bool = True,
    drain_seconds: float = SCRIPT_DRAIN_SECONDS,
    require_account: bool = True,
    may_only_read: bool = False,
) -> Iterator[Inklings]:
    """Open a data root and hand out its use cases, ready to call from any thread.

    Args:
        data_dir: The data root; None means this user's usual one.
        workspace: Name or id of the workspace to work in; None takes the only one there is.
        caller: Who asks; None means the person at the command line.
        clock: Tells the time, in UTC; None means the system's.
        embedder: Turns texts into vectors; None means the installed model.
        embed_writes: Whether what is written here is embedded right after, in the background.
        drain_seconds: Longest wait at the end for memories that are still to be embedded.
        require_account: Whether a damaged account file is refused; a check or the restore of a
            backup goes on without it.
        may_only_read: Whether a data root on a disk that cannot be written to is opened for
            reading; every write is refused then, and ``is_read_only`` says so.

    Raises:
        NotFoundError: There is no such workspace.
        StorageError: The account's file cannot be opened, or must not be.
    """
    from inklings_desktop.embeddings.catalogue import FolderCatalogue, SettingsChoice
    from inklings_desktop.embeddings.following_embedder import FollowingEmbedder
    from inklings_desktop.scheduler.finish_scrubs import FinishScrubs
    from inklings_desktop.scheduler.hosting import writes_embedded
    from inklings_desktop.storage.backup_keeper import SqliteBackupKeeper
    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.storage.erasure import SqliteEraser
    from inklings_desktop.storage.files import is_writable
    from inklings_desktop.storage.foreign_changes import ForeignChanges
    from inklings_desktop.storage.inspection import SqliteInspector
    from inklings_desktop.storage.log_audit import SqliteLogAudit
    from inklings_desktop.storage.unit_of_work import SqliteStore
    from inklings_desktop.storage.workspace_directory import SqliteWorkspaceDirectory
    from inklings_desktop.storage.workspace_eraser import SqliteWorkspaceEraser
    from inklings_desktop.usecases.change_feed import ChangeFeed
    from inklings_desktop.usecases.query_vectors import QueryVectors

    root = data_dir or default_data_dir()
    settings = load_settings(root)
    choice = SettingsChoice(root)
    now: Clock = clock or _utc_now
    feed = ChangeFeed()
    is_sealed = may_only_read and root.is_dir() and not is_writable(root)
    databases = Databases(root, now, template_of=_template_of, is_sealed=is_sealed)
    with ExitStack() as closing:
        closing.callback(databases.close)
        # The account's file is checked before anything else happens.
        with suppress(*(() if require_account else (DatabaseCorruptError, DatabaseTooNewError))):
            databases.file(None)
        closing.enter_context(file_log(root))
        directory = SqliteWorkspaceDirectory(databases)
        store = SqliteStore(databases, feed)
        workspace_eraser = SqliteWorkspaceEraser(databases, store, directory)
        if not is_sealed:
            workspace_eraser.finish_all()
        model = embedder or FollowingEmbedder(choice, root / "models")
        searching = ThreadPoolExecutor(QUERIES_AT_ONCE, thread_name_prefix="query")
        closing.callback(searching.shutdown)
        inklings = _wired(
            root,
            _chosen(directory, workspace),
            caller or Caller.person(settings.person_name, Door.CLI),
            _Parts(
                settings,
                now,
                feed,
                model,
                QueryVectors(model, searching),
                store,
                directory,
                SqliteEraser(databases),
                databases.key,
                SqliteLogAudit(databases),
                SqliteBackupKeeper(databases, feed, now),
                SqliteInspector(databases, feed),
                workspace_eraser,
                FolderCatalogue(root, choice),
            ),
        )
        if is_sealed:  # nothing is made, and nobody else can change anything
            yield replace(inklings, is_read_only=True)
            return
        if embed_writes:
            closing.enter_context(writes_embedded(inklings, drain_seconds))
        finishing = FinishScrubs(inklings.resume_scrubs)
        closing.callback(finishing.close, drain_seconds=drain_seconds)
        closing.callback(feed.subscribe(finishing.on_changes))
        finishing.start()
        watching = ForeignChanges(databases, feed)
        watching.start()
        closing.callback(watching.stop)
        yield inklings


def make_sample_world(data_dir: Path) -> SampleWorldLoaded:
    """Write the sample world into a data root that holds no workspace yet.

    A new data root is made beside its place and moved there when it is whole, so that a kill
    leaves no half of it.

    Raises:
        ConflictError: The data root already holds workspaces.
        StorageError: It cannot be written to.
    """
    if data_dir.exists() and any(data_dir.iterdir()):
        return _load_sample_world(data_dir)
    making = data_dir.with_name(f".{data_dir.name}-{_new_id()}")
    try:
        loaded = _load_sample_world(making)
        making.replace(data_dir)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return loaded


def _load_sample_world(data_dir: Path) -> SampleWorldLoaded:
    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.usecases.sample_entries import account_age

    document = json.loads(_resource(SAMPLE_WORLD).read_text(encoding="utf-8"))
    # The account's file, and SOUL in it, is as old as the sample says.
    begun = _utc_now() - account_age(document)
    with closing(Databases(data_dir, lambda: begun, template_of=_template_of)) as databases:
        databases.file(None)
    with open_inklings(data_dir, embed_writes=False) as inklings:
        return inklings.load_sample_world(inklings.caller, document)


def run_window(
    data_dir: Path | None = None,
    *,
    demo: bool = False,
    tour: Path | None = None,
    smoke_test: bool = False,
) -> int:
    """Show the window until it is closed; the exit status of the process.

    Without a display every page is drawn into PNG files instead, and that is said.

    Args:
        data_dir: The data root; with ``demo`` the one of the sample world.
        demo: Open the sample world, made on first use.
        tour: Draw every page into this folder and leave.
        smoke_test: Try everything once in a temporary folder and leave.
    """
    from inklings_desktop.ui.display import APT_LINE, DNF_LINE, has_display, missing_libraries

    if smoke_test:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    elif tour is None and not has_display():
        tour = Path.cwd() / TOUR_FOLDER
        _say(f"There is no display here, so every page is drawn into {tour} instead.")
    if tour is not None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    if missing := missing_libraries():
        _say(
            f"The window needs system libraries that are not installed: {', '.join(missing)}.\n"
            f"On Debian or Ubuntu: {APT_LINE}\nOn Fedora: {DNF_LINE}"
        )
        return EXIT_ENVIRONMENT
    if smoke_test:
        return _smoke_test()
    root = data_dir or default_data_dir()
    if demo and data_dir is None:
        root = sample_data_dir(root)
    return _window(root, demo=demo, tour=tour)


def serve_agent(
    data_dir: Path | None,
    workspace: str | None,
    client: str,
    *,
    port: int | None,
    say: Callable[[str, str], None],
) -> None:
    """Serve one client of the agent's door until it leaves.

    Args:
        data_dir: The data root; None means this user's usual one.
        workspace: Name or id of the workspace it is bound to; None takes the only one there is.
        client: Name of the client.
        port: TCP port on the loopback, 0 for a free one; None serves over stdio.
        say: Hears address and bearer token of the loopback server.
    """
    from inklings_desktop.mcp_server.serving import serve_http, serve_stdio

    opener = partial(
        open_inklings, data_dir, workspace=workspace, drain_seconds=WINDOW_DRAIN_SECONDS
    )
    if port is None:
        serve_stdio(client, opener)
    else:
        serve_http(client, opener, port=port, say=say)


def _window(root: Path, *, demo: bool, tour: Path | None) -> int:
    from inklings_desktop.ui.app import WindowOptions, run

    while True:
        wanted_root = root
        status = run(
            WindowOptions(
                root, load_settings(root), _opener(root, demo=demo, run_clock=tour is None), tour
            )
        )
        if status.open_sample:
            root, demo = sample_data_dir(wanted_root), True
            continue
        if status.folder is not None:
            root, demo = status.folder, False
            continue
        if status.reopen:
            continue
        return status.code


def _opener(
    root: Path, *, demo: bool, run_clock: bool
) -> Callable[[], AbstractContextManager[Inklings]]:
    """Opens the data root for the window; a fresh one gets its first workspace."""

    @contextmanager
    def opened() -> Iterator[Inklings]:
        from inklings_desktop.scheduler.hosting import clock_running  # off the UI thread

        settings = load_settings(root)
        if demo and not _has_workspaces(root):
            make_sample_world(root)
        person = Caller.person(settings.person_name, Door.WINDOW)
        with open_inklings(
            root,
            caller=person,
            embed_writes=not run_clock,
            drain_seconds=WINDOW_DRAIN_SECONDS,
            may_only_read=True,
        ) as inklings:
            if inklings.is_read_only:
                yield inklings
                return
            if not inklings.list_workspaces(person):
                inklings.create_workspace(person, FIRST_WORKSPACE)
            if not run_clock:
                yield inklings
                return
            with clock_running(inklings, WINDOW_DRAIN_SECONDS) as running:
                yield running

    return opened


def _has_workspaces(root: Path) -> bool:
    folder = root / "workspaces"
    return folder.is_dir() and any(folder.iterdir())


def _smoke_test() -> int:
    """Store, search and draw once in a temporary folder; 0 when all of it worked."""
    from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
    from inklings_desktop.usecases.search_memories import SearchRequest

    folder = Path(tempfile.mkdtemp(prefix="inklings-smoke-"))
    try:
        with open_inklings(folder) as inklings:
            world = inklings.create_workspace(inklings.caller, "Smoke test")
            scope = ScopeKey.workspace(world.id)
            written = inklings.put_memory(
                inklings.caller, MemoryDraft(scope, "The lighthouse keeper counts the tides.")
            )
            found = inklings.search_memories(
                inklings.caller, [scope], SearchRequest("lighthouse tide")
            )
        if [hit.entry.id for hit in found.hits] != [written.id]:
            _say("The search did not find what was written.")
            return 1
        pictures = folder / "pictures"
        status = _window(folder, demo=False, tour=pictures)
        if status != 0 or not list(pictures.glob("*.png")):
            _say("The window was not drawn.")
            return status or 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    _say("Everything works: written, found, drawn.")
    return 0


def _wired(root: Path, workspace: Workspace | None, caller: Caller, parts: _Parts) -> Inklings:
    from inklings_desktop import __version__
    from inklings_desktop.domain.consolidation import ConsolidationPolicy
    from inklings_desktop.storage.export_files import LocalExportFiles
    from inklings_desktop.usecases import (
        browse_memories,
        canary,
        clients,
        close_conversations,
        connections,
        consolidate,
        consolidation_plans,
        conversations,
        copy_memory,
        decide_proposals,
        edit_each,
        edit_entries,
        edit_memories,
        entry_drafts,
        event_history,
        golden_questions,
        golden_watch,
        health,
        importing,
        likely_duplicates,
        lineage,
        look_at_tasks,
        mark_memories,
        markdown_export,
        memory_drafts,
        models,
        named_entries,
        orient,
        overview,
        proposals,
        read_memories,
        replace_text,
        restore_version,
        run_details,
        saved_filters,
        scrub,
        scrub_requests,
        search_memories,
        transfer,
        undo_consolidation,
        view_as,
        withdraw_import,
        working_notes,
        workspaces,
    )
    from inklings_desktop.usecases.backfill_embeddings import BackfillEmbeddings, RunBackfill
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.explain_missing import ExplainMissing
    from inklings_desktop.usecases.retrieval import Retrieval
    from inklings_desktop.usecases.sample_world import LoadSampleWorld

    store, directory, clock, embedder = parts.store, parts.directory, parts.clock, parts.embedder
    decay, cap = parts.settings.decay, parts.settings.cap
    background = parts.settings.background
    policy = ConsolidationPolicy(decay, cap, background.prune)
    backfill = BackfillEmbeddings(store, embedder)
    retrieval = Retrieval(store, parts.query_vectors, clock, decay)
    search = search_memories.SearchMemories(retrieval, store, clock)
    put = edit_memories.PutMemory(store, clock, _new_id, decay, cap)
    orienting = orient.Orient(store, search, clock, decay)
    asking = golden_questions.AskGoldenQuestions(store, search)
    golden = golden_watch.WatchGoldenQuestions(store, asking, embedder, clock, decay)
    files, planner = LocalExportFiles(), importing.Planner(store, directory)
    manifests = scrub.Manifests(store, directory, parts.eraser, clock, decay, parts.key)
    return Inklings(
        data_dir=root,
        workspace=workspace,
        settings=parts.settings,
        caller=caller,
        clock=clock,
        feed=parts.feed,
        embedder=embedder,
        list_workspaces=workspaces.ListWorkspaces(directory),
        survey_workspaces=workspaces.SurveyWorkspaces(directory, store),
        find_workspace=workspaces.FindWorkspace(directory),
        create_workspace=workspaces.CreateWorkspace(directory, store, clock, _new_id),
        rename_workspace=workspaces.RenameWorkspace(directory),
        preview_workspace_deletion=workspaces.PreviewWorkspaceDeletion(
            directory, parts.workspace_eraser
        ),
        delete_workspace=workspaces.DeleteWorkspace(directory, parts.workspace_eraser, clock),
        create_backup=health.CreateBackup(parts.keeper),
        list_backups=health.ListBackups(parts.keeper),
        restore_backup=health.RestoreBackup(parts.keeper, clock),
        check_data=health.CheckData(parts.inspector, clock),
        get_channel=conversations.GetChannel(store),
        list_channels=conversations.ListChannels(store),
        create_channel=conversations.CreateChannel(store, clock, _new_id),
        rename_channel=conversations.RenameChannel(store, clock),
        archive_channel=conversations.ArchiveChannel(store, clock),
        unarchive_channel=conversations.UnarchiveChannel(store, clock),
        rename_conversation=conversations.RenameConversation(store, clock),
        start_conversation=conversations.StartConversation(store, clock, _new_id),
        list_conversations=conversations.ListConversations(store),
        get_conversation=conversations.GetConversation(store),
        idle_conversation=conversations.IdleConversation(store, clock, _new_id, decay, cap),
        archive_conversation=conversations.ArchiveConversation(store, clock),
        write_note=working_notes.WriteNote(store, clock),
        read_note=working_notes.ReadNote(store),
        list_notes=working_notes.ListNotes(store),
        clear_notes=working_notes.ClearNotes(store, clock),
        put_memory=put,
        update_memory=edit_memories.UpdateMemory(store, clock, _new_id),
        change_memories=edit_memories.ChangeMemories(store, clock, _new_id),
        forget_memories=edit_memories.ForgetMemories(store, clock, _new_id),
        restore_memories=edit_memories.RestoreMemories(store, clock, cap),
        confirm_memories=edit_memories.ConfirmMemories(store, clock),
        mark_memories=mark_memories.MarkMemories(store, clock),
        edit_each=edit_each.EditEach(store, clock),
        restore_version=restore_version.RestoreVersion(store, clock),
        copy_memory=copy_memory.CopyMemory(put),
        preview_replacement=replace_text.PreviewReplacement(store),
        browse_memories=browse_memories.BrowseMemories(store, clock, decay, embedder),
        show_memory=browse_memories.ShowMemory(store),
        locate_memory=browse_memories.LocateMemory(store),
        count_memories=browse_memories.CountMemories(store),
        list_facets=browse_memories.ListFacets(store),
        search_memories=search,
        read_memories=read_memories.ReadMemories(store, search, clock, decay),
        orient=orienting,
        preview_orientation=orient.PreviewOrientation(orienting),
        tier_overview=overview.OverlookTiers(store, embedder, clock, decay),
        worth_a_look=overview.WorthALook(store, embedder, clock, decay),
        explain_missing=ExplainMissing(retrieval, store),
        list_entries=named_entries.ListEntries(store),
        show_entry=named_entries.ShowEntry(store),
        show_revision=named_entries.ShowRevision(store, clock),
        find_entry=named_entries.FindEntry(store),
        standing_slice=named_entries.StandingSlice(store),
        create_entry=edit_entries.CreateEntry(store, clock, _new_id),
        save_entry=edit_entries.SaveEntry(store, clock),
        restore_revision=edit_entries.RestoreRevision(store, clock),
        delete_entry=edit_entries.DeleteEntry(store, clock),
        undelete_entry=edit_entries.UndeleteEntry(store, clock),
        list_deleted_entries=named_entries.ListDeletedEntries(store, clock),
        keep_draft=entry_drafts.KeepDraft(store, clock),
        find_drafts=entry_drafts.FindDrafts(store, clock),
        drop_draft=entry_drafts.DropDraft(store, clock),
        keep_typing=memory_drafts.KeepTyping(store, clock),
        find_typings=memory_drafts.FindTypings(store, clock),
        drop_typing=memory_drafts.DropTyping(store, clock),
        propose_entry=proposals.ProposeEntry(store, clock, _new_id),
        list_proposals=proposals.ListProposals(store),
        show_proposal=proposals.ShowProposal(store),
        accept_proposal=decide_proposals.AcceptProposal(store, clock, _new_id, decay, cap),
        reject_proposal=decide_proposals.RejectProposal(store, clock),
        list_events=event_history.ListEvents(store),
        event_facets=event_history.ListEventFacets(store),
        show_event=event_history.ShowEvent(store),
        describe_events=event_history.DescribeEvents(store, directory),
        preview_scrub=scrub.PreviewScrub(manifests),
        execute_scrub=scrub.ExecuteScrub(manifests, _system_user),
        pending_scrubs=scrub.PendingScrubs(manifests),
        resume_scrubs=scrub.ResumeScrubs(manifests),
        count_scrub=scrub_requests.CountScrub(manifests),
        ask_for_scrub=scrub_requests.AskForScrub(manifests, _new_id),
        follow_scrub_request=scrub_requests.FollowScrubRequest(manifests),
        list_scrub_requests=scrub_requests.ListScrubRequests(manifests),
        check_scrub_request=scrub_requests.CheckScrubRequest(manifests),
        confirm_scrub=scrub_requests.ConfirmScrub(
            manifests, scrub.ExecuteScrub(manifests, _system_user)
        ),
        decline_scrub=scrub_requests.DeclineScrub(manifests),
        attend_scrubs=scrub_requests.AttendScrubs(manifests),
        export_memory=transfer.ExportMemory(store, directory, files, clock, decay, __version__),
        export_markdown=markdown_export.ExportMarkdown(store, directory, files, clock),
        list_exports=transfer.ListExports(store),
        preview_import=importing.PreviewImport(planner, files),
        apply_import=importing.ApplyImport(planner, parts.keeper, clock, _new_id, cap, golden),
        withdraw_import=withdraw_import.WithdrawImport(store, directory, clock, golden),
        list_imports=withdraw_import.ListImports(store),
        verify_logs=event_history.VerifyLogs(parts.audit, directory),
        list_clients=clients.ListClients(store),
        show_client=clients.ShowClient(store),
        grant_rights=clients.GrantRights(store, clock),
        revoke_rights=clients.RevokeRights(store, clock),
        admit_client=clients.AdmitClient(store, clock),
        note_call=clients.NoteCall(store),
        note_refusal=clients.NoteRefusal(store, clock),
        require_allowance=clients.RequireAllowance(store, clock, parts.settings.writes_per_minute),
        describe_connection=connections.DescribeConnection(server_program, root),
        rehearse_connection=connections.RehearseConnection(store, _rehearsal),
        run_canary_drill=canary.RunCanaryDrill(store, partial(_drill, embedder)),
        view_as=partial(_seen, root, parts, view_as.SeeAs(store)),
        anchor_logs=event_history.AnchorLogs(store, parts.audit, directory, clock),
        backfill_embeddings=backfill,
        run_backfill=RunBackfill(backfill, clock, _new_id, background, golden),
        look_at_tasks=look_at_tasks.LookAtTasks(store, clock),
        close_conversations=close_conversations.ForgetClosedConversations(store, clock, _new_id),
        preview_consolidation=consolidation_plans.PreviewConsolidation(
            store, embedder, clock, policy
        ),
        run_consolidation=consolidate.RunConsolidation(
            store, embedder, clock, _new_id, policy, background, golden=golden
        ),
        undo_consolidation=undo_consolidation.UndoConsolidation(store, clock, _new_id, cap, golden),
        show_family=undo_consolidation.ShowFamily(store),
        show_lineage=lineage.ShowLineage(store),
        show_run=run_details.ShowRun(store),
        list_consolidations=run_details.ListConsolidations(store),
        list_likely_duplicates=likely_duplicates.ListLikelyDuplicates(store),
        keep_apart=likely_duplicates.KeepApart(store),
        save_golden_question=golden_questions.SaveGoldenQuestion(store, clock, _new_id),
        list_golden_questions=golden_questions.ListGoldenQuestions(store),
        delete_golden_question=golden_questions.DeleteGoldenQuestion(store),
        save_filter=saved_filters.SaveFilter(store, clock, _new_id),
        list_saved_filters=saved_filters.ListSavedFilters(store),
        rename_filter=saved_filters.RenameFilter(store),
        delete_filter=saved_filters.DeleteFilter(store),
        ask_golden_questions=asking,
        watch_golden_questions=golden,
        show_models=models.ShowModels(store, directory, embedder, parts.catalogue),
        install_model=models.InstallModel(parts.catalogue),
        select_model=models.SelectModel(store, directory, clock, embedder, parts.catalogue, golden),
        remove_model=models.RemoveModel(parts.catalogue),
        list_runs=undo_consolidation.ListRuns(store),
        find_run=undo_consolidation.FindRun(store),
        load_sample_world=LoadSampleWorld(store, directory, clock, _new_id, backfill),
    )


def _seen(
    root: Path, parts: _Parts, see_as: SeeAs, caller: Caller, client: str, workspace_id: str
) -> Inklings:
    """The use cases of a client that only looks, over the same files."""
    from inklings_desktop.usecases.view_as import LookingStore

    eyes = see_as(caller, client, workspace_id)
    looking = replace(parts, store=LookingStore(parts.store))
    seen = _wired(root, parts.directory.get(workspace_id), eyes, looking)
    return replace(seen, search_memories=replace(seen.search_memories, counts_reads=False))


def _chosen(directory: SqliteWorkspaceDirectory, workspace: str | None) -> Workspace | None:
    if workspace is not None:
        return directory.get(workspace)
    every = directory.workspaces()
    return every[0] if len(every) == 1 else None


def _resource(name: str) -> Path:
    """A file of ``resources``: in the frozen program, in the wheel, or in the checkout."""
    package = Path(__file__).resolve().parent
    frozen = getattr(sys, "_MEIPASS", None)
    places = [Path(frozen) / "resources"] if frozen else []
    places += [package / "resources", package.parent / "resources"]
    for place in places:
        if (place / name).is_file():
            return place / name
    raise NotFoundError("resource", name)


def _template_of(name: str) -> str:
    """The body that VOICE or SOUL is made with, byte for byte."""
    return _resource(f"defaults/{name}.md").read_bytes().decode("utf-8")


def server_program() -> tuple[str, tuple[str, ...]]:
    """This program by absolute path, and what comes before its own arguments."""
    here = Path(sys.executable)
    for name in ("inklings", "inklings.exe"):
        # Beside the interpreter, or beside the window of the frozen program.
        if here.with_name(name).exists():
            return str(here.with_name(name)), ()
    if getattr(sys, "frozen", False):
        return sys.executable, ()
    return sys.executable, ("-m", "inklings_desktop.cli")


def _rehearsal(
    client: str,
    kind: ClientKind,
    rights: Callable[[str], frozenset[Right]],
    is_stopped: Callable[[], bool],
) -> tuple[RehearsedStep, ...]:
    """Play a client against the real server in a data root made for it."""
    from inklings_desktop.embeddings.null_embedder import NullEmbedder
    from inklings_desktop.mcp_server.rehearsal import StdioRehearsal

    opener = partial(open_inklings, embedder=NullEmbedder("none"), embed_writes=False)
    return StdioRehearsal(server_program, opener)(client, kind, rights, is_stopped)


def _drill(
    embedder: Embedder, client: Client, workspace_id: str, progress: Progress
) -> DrillReport:
    """Ask everything as a client in a data root full of markers, with the model in use."""
    from inklings_desktop.mcp_server.canary_drill import CanaryDrill

    def opened(root: Path, workspace: str | None) -> AbstractContextManager[Inklings]:
        return open_inklings(root, workspace=workspace, embedder=embedder, embed_writes=False)

    return CanaryDrill(opened)(client, workspace_id, progress)


def _say(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201 - the program's own words, before or without a window


def _system_user() -> str:
    """Who runs the program, as the system knows them; empty where it does not."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return ""


def _new_id() -> str:
    return str(uuid.uuid4())


def _utc_now() -> datetime:
    return datetime.now(UTC)
