"""The use cases over their adapters: one constructor call each.

What a use case needs stands in its constructor; what it is given stands here. Doors that use cases
play themselves, as the rehearsal of a connection does, are handed in by ``bootstrap``.
"""

from __future__ import annotations

import getpass
import sys
import uuid
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.embeddings.catalogue import SettingsChoice
    from inklings_desktop.settings import Settings
    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.storage.keeping.backup_keeper import SqliteBackupKeeper
    from inklings_desktop.storage.salvage.inspection import SqliteInspector
    from inklings_desktop.storage.scrubbing.erasure import SqliteEraser
    from inklings_desktop.storage.unit_of_work import SqliteStore
    from inklings_desktop.storage.workspaces.workspace_directory import SqliteWorkspaceDirectory
    from inklings_desktop.storage.workspaces.workspace_eraser import SqliteWorkspaceEraser
    from inklings_desktop.usecases.access.canary import Drill
    from inklings_desktop.usecases.access.connections import Rehearsal
    from inklings_desktop.usecases.access.view_as import SeeAs
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.first_use_cases import FirstUseCases
    from inklings_desktop.usecases.ports.keeping import Salvager
    from inklings_desktop.usecases.ports.log import LogAudit
    from inklings_desktop.usecases.ports.models import ModelCatalogue
    from inklings_desktop.usecases.ports.scrub import KeySource
    from inklings_desktop.usecases.ports.store import Clock, Embedder
    from inklings_desktop.usecases.ports.transfer import TransferStore
    from inklings_desktop.usecases.search.query_vectors import QueryVectors
    from inklings_desktop.usecases.steps.change_feed import ChangeFeed


@dataclass(frozen=True, slots=True)
class FirstParts:
    """The adapters that the first use cases are made of."""

    settings: Settings
    clock: Clock
    feed: ChangeFeed
    embedder: Embedder
    store: TransferStore
    directory: SqliteWorkspaceDirectory


@dataclass(frozen=True, slots=True)
class Parts:
    """All adapters.

    Attributes:
        basis: Those of the first use cases, too.
    """

    basis: FirstParts
    query_vectors: QueryVectors
    eraser: SqliteEraser
    key: KeySource
    audit: LogAudit
    keeper: SqliteBackupKeeper
    inspector: SqliteInspector
    workspace_eraser: SqliteWorkspaceEraser
    salvager: Salvager
    catalogue: ModelCatalogue
    rehearsal: Rehearsal
    drill: Drill


def all_parts(
    basis: FirstParts,
    vectors: QueryVectors,
    databases: Databases,
    choice: SettingsChoice,
    rehearsal: Rehearsal,
    drill: Drill,
) -> Parts:
    """The adapters over the databases of one data root.

    Args:
        basis: Those of the first use cases.
        vectors: Embeds what is searched for.
        databases: The files.
        choice: The selected model.
        rehearsal: Plays a client against the server.
        drill: Asks everything as a client.
    """
    from inklings_desktop.embeddings.catalogue import FolderCatalogue
    from inklings_desktop.storage.keeping.backup_keeper import SqliteBackupKeeper
    from inklings_desktop.storage.keeping.log_audit import SqliteLogAudit
    from inklings_desktop.storage.salvage.inspection import SqliteInspector
    from inklings_desktop.storage.salvage.salvage import SqliteSalvager
    from inklings_desktop.storage.scrubbing.erasure import SqliteEraser
    from inklings_desktop.storage.unit_of_work import SqliteStore

    return Parts(
        basis,
        vectors,
        SqliteEraser(databases),
        databases.key,
        SqliteLogAudit(databases),
        SqliteBackupKeeper(databases, basis.feed, basis.clock),
        SqliteInspector(databases, basis.feed),
        workspace_eraser(databases, SqliteStore(databases, basis.feed), basis.directory),
        SqliteSalvager(databases, basis.clock),
        FolderCatalogue(databases.root, choice),
        rehearsal,
        drill,
    )


def workspace_eraser(
    databases: Databases, store: SqliteStore, directory: SqliteWorkspaceDirectory
) -> SqliteWorkspaceEraser:
    """Removes workspaces for good; imported where one is to be removed."""
    from inklings_desktop.storage.workspaces.workspace_eraser import SqliteWorkspaceEraser

    return SqliteWorkspaceEraser(databases, store, directory)


def first_wired(
    root: Path, workspace: Workspace | None, caller: Caller, parts: FirstParts
) -> FirstUseCases:
    """The use cases of the first page of a list, which waits for all that they import.

    Args:
        root: The data root.
        workspace: The one that was asked for, or the only one there is; else None.
        caller: Who asks by default.
        parts: The adapters.
    """
    from inklings_desktop.usecases.first_use_cases import FirstUseCases
    from inklings_desktop.usecases.memories import show_memories
    from inklings_desktop.usecases.rooms import list_places
    from inklings_desktop.usecases.search import browse_memories

    store, clock, embedder = parts.store, parts.clock, parts.embedder
    decay = parts.settings.decay
    return FirstUseCases(
        data_dir=root,
        workspace=workspace,
        settings=parts.settings,
        caller=caller,
        clock=clock,
        feed=parts.feed,
        embedder=embedder,
        list_workspaces=list_places.ListWorkspaces(parts.directory),
        list_channels=list_places.ListChannels(store),
        list_conversations=list_places.ListConversations(store),
        browse_memories=browse_memories.BrowseMemories(store, clock, decay, embedder),
        show_memory=browse_memories.ShowMemory(store),
        show_memories=show_memories.ShowMemories(store),
        locate_memory=browse_memories.LocateMemory(store),
        count_memories=browse_memories.CountMemories(store),
        list_facets=browse_memories.ListFacets(store),
    )


def wired(first: FirstUseCases, parts: Parts) -> Inklings:
    """Every use case of one opened data root.

    Args:
        first: Those of the first page.
        parts: The adapters.
    """
    from inklings_desktop import __version__
    from inklings_desktop.domain.background.consolidation import ConsolidationPolicy
    from inklings_desktop.storage.outside.client_files import LocalClientFiles
    from inklings_desktop.storage.outside.client_tokens import FolderClientTokens
    from inklings_desktop.storage.outside.export_files import LocalExportFiles
    from inklings_desktop.storage.workspaces.disk_probe import FolderDiskProbe
    from inklings_desktop.usecases.access import (
        canary,
        client_files,
        client_tokens,
        clients,
        connections,
        view_as,
    )
    from inklings_desktop.usecases.background import look_at_tasks, models
    from inklings_desktop.usecases.background.backfill_embeddings import (
        BackfillEmbeddings,
        RunBackfill,
    )
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.consolidation import (
        consolidate,
        consolidation_plans,
        golden_questions,
        golden_watch,
        lineage,
        run_details,
        undo_consolidation,
    )
    from inklings_desktop.usecases.entries import (
        decide_proposals,
        edit_entries,
        entry_drafts,
        named_entries,
        proposals,
    )
    from inklings_desktop.usecases.keeping import damage, event_history, health
    from inklings_desktop.usecases.memories import (
        copy_memory,
        edit_each,
        edit_memories,
        find_written,
        mark_memories,
        memory_drafts,
        put_memory,
        replace_text,
        restore_version,
        revert_memories,
    )
    from inklings_desktop.usecases.rooms import (
        channels,
        close_conversations,
        conversations,
        list_places,
        orient,
        silent_conversations,
        working_notes,
        workspaces,
    )
    from inklings_desktop.usecases.scrubbing import scrub, scrub_asking, scrub_requests
    from inklings_desktop.usecases.search import (
        counting_reads,
        get_memories,
        likely_duplicates,
        overview,
        read_memories,
        recent_changes,
        saved_filters,
        search_memories,
        search_open,
        search_set_aside,
    )
    from inklings_desktop.usecases.search.explain_missing import ExplainMissing
    from inklings_desktop.usecases.search.retrieval import Retrieval
    from inklings_desktop.usecases.transfer import exporting as transfer
    from inklings_desktop.usecases.transfer import importing, markdown_export, withdraw_import
    from inklings_desktop.usecases.transfer.sample_world import LoadSampleWorld

    root, settings, basis = first.data_dir, first.settings, parts.basis
    store, directory, clock, embedder = basis.store, basis.directory, basis.clock, basis.embedder
    decay, cap, background = settings.decay, settings.cap, settings.background
    policy = ConsolidationPolicy(decay, cap, background.prune)
    backfill = BackfillEmbeddings(store, embedder)
    retrieval = Retrieval(store, parts.query_vectors, clock, decay)
    count_reads = counting_reads.CountReads(store)
    search = search_memories.SearchMemories(retrieval, clock, count_reads)
    put = put_memory.PutMemory(store, clock, new_id, decay, cap)
    orienting = orient.Orient(store, search, clock, decay, count_reads)
    asking = golden_questions.AskGoldenQuestions(store, search)
    golden = golden_watch.WatchGoldenQuestions(store, asking, embedder, clock, decay)
    files, planner = LocalExportFiles(root), importing.Planner(store, directory)
    tokens = FolderClientTokens(root)
    describe = connections.DescribeConnection(server_program, root)
    own_files = LocalClientFiles.of_this_user()
    manifests = scrub.Manifests(store, directory, parts.eraser, clock, decay, parts.key)
    export = transfer.ExportMemory(store, directory, files, clock, decay, __version__)
    return Inklings(
        data_dir=root,
        workspace=first.workspace,
        settings=settings,
        caller=first.caller,
        clock=clock,
        feed=first.feed,
        embedder=embedder,
        list_workspaces=first.list_workspaces,
        survey_workspaces=workspaces.SurveyWorkspaces(directory, store),
        find_workspace=workspaces.FindWorkspace(directory),
        create_workspace=workspaces.CreateWorkspace(directory, clock, new_id),
        adopt_workspace=workspaces.AdoptWorkspace(directory),
        rename_workspace=workspaces.RenameWorkspace(directory),
        preview_workspace_deletion=workspaces.PreviewWorkspaceDeletion(
            directory, parts.workspace_eraser
        ),
        delete_workspace=workspaces.DeleteWorkspace(directory, parts.workspace_eraser, clock),
        measure_disk=health.MeasureDisk(FolderDiskProbe(root)),
        create_backup=health.CreateBackup(parts.keeper),
        list_backups=health.ListBackups(parts.keeper),
        restore_backup=health.RestoreBackup(parts.keeper, clock),
        check_data=health.CheckData(parts.inspector, clock),
        examine_place=damage.ExaminePlace(
            parts.inspector, parts.inspector, parts.keeper, directory
        ),
        stamp_place=damage.StampPlace(parts.inspector),
        repair_place=damage.RepairPlace(parts.inspector, parts.keeper, clock),
        export_readable=damage.ExportReadable(parts.salvager, export),
        get_channel=channels.GetChannel(store),
        list_channels=first.list_channels,
        list_open_channels=list_places.ListOpenChannels(store),
        create_channel=channels.CreateChannel(store, clock, new_id),
        rename_channel=channels.RenameChannel(store, clock),
        archive_channel=channels.ArchiveChannel(store, clock),
        unarchive_channel=channels.UnarchiveChannel(store, clock),
        rename_conversation=conversations.RenameConversation(store, clock),
        start_conversation=conversations.StartConversation(store, clock, new_id),
        list_conversations=first.list_conversations,
        get_conversation=conversations.GetConversation(store),
        hear_conversation=silent_conversations.HearConversation(store, clock),
        list_silent_conversations=silent_conversations.ListSilentConversations(store),
        settle_silent_conversation=silent_conversations.SettleSilentConversation(store, clock),
        idle_conversation=conversations.IdleConversation(store, clock, new_id, decay, cap),
        archive_conversation=conversations.ArchiveConversation(store, clock),
        write_note=working_notes.WriteNote(store, clock),
        read_note=working_notes.ReadNote(store),
        list_notes=working_notes.ListNotes(store),
        clear_notes=working_notes.ClearNotes(store, clock),
        put_memory=put,
        update_memory=edit_memories.UpdateMemory(store, clock, new_id),
        change_memories=edit_memories.ChangeMemories(store, clock, new_id),
        find_written=find_written.FindWritten(store),
        forget_memories=edit_memories.ForgetMemories(store, clock, new_id),
        restore_memories=edit_memories.RestoreMemories(store, clock, cap),
        confirm_memories=edit_memories.ConfirmMemories(store, clock),
        mark_memories=mark_memories.MarkMemories(store, clock),
        edit_each=edit_each.EditEach(store, clock),
        revert_memories=revert_memories.RevertMemories(store, clock, cap),
        restore_version=restore_version.RestoreVersion(store, clock),
        copy_memory=copy_memory.CopyMemory(put),
        preview_replacement=replace_text.PreviewReplacement(store),
        browse_memories=first.browse_memories,
        show_memory=first.show_memory,
        show_memories=first.show_memories,
        locate_memory=first.locate_memory,
        count_memories=first.count_memories,
        list_facets=first.list_facets,
        search_memories=search,
        search_set_aside=search_set_aside.SearchSetAside(store),
        get_memories=get_memories.GetMemories(store, clock, decay, count_reads),
        name_memory=get_memories.NameMemory(store),
        read_memories=read_memories.ReadMemories(store, search, clock, decay, count_reads),
        search_open=search_open.SearchOpen(
            store, search, first.browse_memories, clock, decay, count_reads
        ),
        recent_changes=recent_changes.RecentChanges(store),
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
        create_entry=edit_entries.CreateEntry(store, clock, new_id),
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
        propose_entry=proposals.ProposeEntry(store, clock, new_id),
        list_proposals=proposals.ListProposals(store),
        show_proposal=proposals.ShowProposal(store),
        accept_proposal=decide_proposals.AcceptProposal(store, clock, new_id, decay, cap),
        reject_proposal=decide_proposals.RejectProposal(store, clock),
        list_events=event_history.ListEvents(store),
        event_facets=event_history.ListEventFacets(store),
        show_event=event_history.ShowEvent(store),
        describe_events=event_history.DescribeEvents(store, directory),
        preview_scrub=scrub.PreviewScrub(manifests),
        execute_scrub=scrub.ExecuteScrub(manifests, _system_user),
        pending_scrubs=scrub.PendingScrubs(manifests),
        resume_scrubs=scrub.ResumeScrubs(manifests),
        count_scrub=scrub_asking.CountScrub(manifests),
        ask_for_scrub=scrub_asking.AskForScrub(manifests, new_id),
        follow_scrub_request=scrub_asking.FollowScrubRequest(manifests),
        list_scrub_requests=scrub_requests.ListScrubRequests(manifests),
        check_scrub_request=scrub_requests.CheckScrubRequest(manifests),
        confirm_scrub=scrub_requests.ConfirmScrub(
            manifests, scrub.ExecuteScrub(manifests, _system_user)
        ),
        decline_scrub=scrub_requests.DeclineScrub(manifests),
        attend_scrubs=scrub_requests.AttendScrubs(manifests),
        export_memory=export,
        export_markdown=markdown_export.ExportMarkdown(store, directory, files, clock),
        list_exports=transfer.ListExports(store),
        preview_import=importing.PreviewImport(planner, files, cap),
        apply_import=importing.ApplyImport(planner, parts.keeper, clock, new_id, cap, golden),
        withdraw_import=withdraw_import.WithdrawImport(store, directory, clock, golden),
        list_imports=withdraw_import.ListImports(store),
        verify_logs=event_history.VerifyLogs(parts.audit, directory),
        list_clients=clients.ListClients(store),
        show_client=clients.ShowClient(store),
        grant_rights=clients.GrantRights(store, clock),
        revoke_rights=clients.RevokeRights(store, clock),
        let_client_in=clients.LetClientIn(store, clock),
        admit_client=clients.AdmitClient(store, clock),
        note_call=clients.NoteCall(store),
        note_refusal=clients.NoteRefusal(store, clock),
        require_allowance=clients.RequireAllowance(store, clock, settings.writes_per_minute),
        show_client_token=client_tokens.ShowClientToken(tokens),
        remove_client_token=client_tokens.RemoveClientToken(tokens),
        find_token_owner=client_tokens.FindTokenOwner(tokens),
        describe_connection=describe,
        preview_addition=client_files.PreviewAddition(describe, own_files),
        apply_addition=client_files.ApplyAddition(own_files),
        rehearse_connection=connections.RehearseConnection(store, parts.rehearsal),
        run_canary_drill=canary.RunCanaryDrill(store, parts.drill),
        view_as=partial(_seen, root, parts, view_as.SeeAs(store)),
        anchor_logs=event_history.AnchorLogs(store, parts.audit, directory, clock),
        find_lost_writes=event_history.FindLostWrites(parts.audit, directory),
        accept_lost_writes=event_history.AcceptLostWrites(store, parts.audit, directory, clock),
        backfill_embeddings=backfill,
        run_backfill=RunBackfill(backfill, clock, new_id, background, golden),
        look_at_tasks=look_at_tasks.LookAtTasks(store, clock),
        close_conversations=close_conversations.ForgetClosedConversations(
            store, clock, new_id, settings.background.silent_days
        ),
        preview_consolidation=consolidation_plans.PreviewConsolidation(
            store, embedder, clock, policy
        ),
        run_consolidation=consolidate.RunConsolidation(
            store, embedder, clock, new_id, policy, background, golden=golden
        ),
        undo_consolidation=undo_consolidation.UndoConsolidation(store, clock, new_id, cap, golden),
        show_family=undo_consolidation.ShowFamily(store),
        show_lineage=lineage.ShowLineage(store),
        show_run=run_details.ShowRun(store),
        list_consolidations=run_details.ListConsolidations(store),
        list_likely_duplicates=likely_duplicates.ListLikelyDuplicates(store),
        save_golden_question=golden_questions.SaveGoldenQuestion(store, clock, new_id),
        list_golden_questions=golden_questions.ListGoldenQuestions(store),
        delete_golden_question=golden_questions.DeleteGoldenQuestion(store),
        save_filter=saved_filters.SaveFilter(store, clock, new_id),
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
        load_sample_world=LoadSampleWorld(store, directory, clock, new_id, backfill),
    )


def _seen(
    root: Path, parts: Parts, see_as: SeeAs, caller: Caller, client: str, workspace_id: str
) -> Inklings:
    """The use cases of a client that only looks, over the same files."""
    from inklings_desktop.usecases.access.view_as import LookingStore

    eyes = see_as(caller, client, workspace_id)
    basis = replace(parts.basis, store=LookingStore(parts.basis.store))
    first = first_wired(root, basis.directory.get(workspace_id), eyes, basis)
    seen = wired(first, replace(parts, basis=basis))
    return replace(seen, search_memories=replace(seen.search_memories, count_reads=None))


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


def _system_user() -> str:
    """Who runs the program, as the system knows them; empty where it does not."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return ""


def new_id() -> str:
    """A random UUID."""
    return str(uuid.uuid4())
