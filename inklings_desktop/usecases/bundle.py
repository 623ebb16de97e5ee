"""Every use case of one opened data root, wired and ready to call."""

from __future__ import annotations

import threading
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from inklings_desktop.usecases.first_use_cases import FirstUseCases

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.access.canary import RunCanaryDrill
    from inklings_desktop.usecases.access.client_files import ApplyAddition, PreviewAddition
    from inklings_desktop.usecases.access.client_tokens import (
        FindTokenOwner,
        RemoveClientToken,
        ShowClientToken,
    )
    from inklings_desktop.usecases.access.clients import (
        AdmitClient,
        GrantRights,
        LetClientIn,
        ListClients,
        NoteCall,
        NoteRefusal,
        RequireAllowance,
        RevokeRights,
        ShowClient,
    )
    from inklings_desktop.usecases.access.connections import DescribeConnection, RehearseConnection
    from inklings_desktop.usecases.background.backfill_embeddings import (
        BackfillEmbeddings,
        RunBackfill,
    )
    from inklings_desktop.usecases.background.background_work import BackgroundWork
    from inklings_desktop.usecases.background.look_at_tasks import LookAtTasks
    from inklings_desktop.usecases.background.models import (
        InstallModel,
        RemoveModel,
        SelectModel,
        ShowModels,
    )
    from inklings_desktop.usecases.consolidation.consolidate import RunConsolidation
    from inklings_desktop.usecases.consolidation.consolidation_plans import PreviewConsolidation
    from inklings_desktop.usecases.consolidation.golden_questions import (
        AskGoldenQuestions,
        DeleteGoldenQuestion,
        ListGoldenQuestions,
        SaveGoldenQuestion,
    )
    from inklings_desktop.usecases.consolidation.golden_watch import WatchGoldenQuestions
    from inklings_desktop.usecases.consolidation.lineage import ShowLineage
    from inklings_desktop.usecases.consolidation.run_details import ListConsolidations, ShowRun
    from inklings_desktop.usecases.consolidation.undo_consolidation import (
        FindRun,
        ListRuns,
        ShowFamily,
        UndoConsolidation,
    )
    from inklings_desktop.usecases.entries.decide_proposals import AcceptProposal, RejectProposal
    from inklings_desktop.usecases.entries.edit_entries import (
        CreateEntry,
        DeleteEntry,
        RestoreRevision,
        SaveEntry,
        UndeleteEntry,
    )
    from inklings_desktop.usecases.entries.entry_drafts import DropDraft, FindDrafts, KeepDraft
    from inklings_desktop.usecases.entries.named_entries import (
        FindEntry,
        ListDeletedEntries,
        ListEntries,
        ShowEntry,
        ShowRevision,
        StandingSlice,
    )
    from inklings_desktop.usecases.entries.proposals import (
        ListProposals,
        ProposeEntry,
        ShowProposal,
    )
    from inklings_desktop.usecases.keeping.damage import (
        ExaminePlace,
        ExportReadable,
        RepairPlace,
        StampPlace,
    )
    from inklings_desktop.usecases.keeping.event_history import (
        AcceptLostWrites,
        AnchorLogs,
        DescribeEvents,
        FindLostWrites,
        ListEventFacets,
        ListEvents,
        ShowEvent,
        VerifyLogs,
    )
    from inklings_desktop.usecases.keeping.health import (
        CheckData,
        CreateBackup,
        ListBackups,
        MeasureDisk,
        RestoreBackup,
    )
    from inklings_desktop.usecases.memories.copy_memory import CopyMemory
    from inklings_desktop.usecases.memories.edit_each import EditEach
    from inklings_desktop.usecases.memories.edit_memories import (
        ChangeMemories,
        ConfirmMemories,
        ForgetMemories,
        RestoreMemories,
        UpdateMemory,
    )
    from inklings_desktop.usecases.memories.find_written import FindWritten
    from inklings_desktop.usecases.memories.mark_memories import MarkMemories
    from inklings_desktop.usecases.memories.memory_drafts import DropTyping, FindTypings, KeepTyping
    from inklings_desktop.usecases.memories.put_memory import PutMemory
    from inklings_desktop.usecases.memories.replace_text import PreviewReplacement
    from inklings_desktop.usecases.memories.restore_version import RestoreVersion
    from inklings_desktop.usecases.memories.revert_memories import RevertMemories
    from inklings_desktop.usecases.rooms.channels import (
        ArchiveChannel,
        CreateChannel,
        GetChannel,
        RenameChannel,
        UnarchiveChannel,
    )
    from inklings_desktop.usecases.rooms.close_conversations import ForgetClosedConversations
    from inklings_desktop.usecases.rooms.conversations import (
        ArchiveConversation,
        GetConversation,
        IdleConversation,
        RenameConversation,
        StartConversation,
    )
    from inklings_desktop.usecases.rooms.list_places import ListOpenChannels
    from inklings_desktop.usecases.rooms.orient import Orient, PreviewOrientation
    from inklings_desktop.usecases.rooms.silent_conversations import (
        HearConversation,
        ListSilentConversations,
        SettleSilentConversation,
    )
    from inklings_desktop.usecases.rooms.working_notes import (
        ClearNotes,
        ListNotes,
        ReadNote,
        WriteNote,
    )
    from inklings_desktop.usecases.rooms.workspaces import (
        AdoptWorkspace,
        CreateWorkspace,
        DeleteWorkspace,
        FindWorkspace,
        PreviewWorkspaceDeletion,
        RenameWorkspace,
        SurveyWorkspaces,
    )
    from inklings_desktop.usecases.scrubbing.scrub import (
        ExecuteScrub,
        PendingScrubs,
        PreviewScrub,
        ResumeScrubs,
    )
    from inklings_desktop.usecases.scrubbing.scrub_asking import (
        AskForScrub,
        CountScrub,
        FollowScrubRequest,
    )
    from inklings_desktop.usecases.scrubbing.scrub_requests import (
        AttendScrubs,
        CheckScrubRequest,
        ConfirmScrub,
        DeclineScrub,
        ListScrubRequests,
    )
    from inklings_desktop.usecases.search.explain_missing import ExplainMissing
    from inklings_desktop.usecases.search.get_memories import GetMemories, NameMemory
    from inklings_desktop.usecases.search.likely_duplicates import ListLikelyDuplicates
    from inklings_desktop.usecases.search.overview import OverlookTiers, WorthALook
    from inklings_desktop.usecases.search.read_memories import ReadMemories
    from inklings_desktop.usecases.search.recent_changes import RecentChanges
    from inklings_desktop.usecases.search.saved_filters import (
        DeleteFilter,
        ListSavedFilters,
        RenameFilter,
        SaveFilter,
    )
    from inklings_desktop.usecases.search.search_memories import SearchMemories
    from inklings_desktop.usecases.search.search_open import SearchOpen
    from inklings_desktop.usecases.search.search_set_aside import SearchSetAside
    from inklings_desktop.usecases.transfer.exporting import ExportMemory, ListExports
    from inklings_desktop.usecases.transfer.importing import ApplyImport, PreviewImport
    from inklings_desktop.usecases.transfer.markdown_export import ExportMarkdown
    from inklings_desktop.usecases.transfer.sample_world import LoadSampleWorld
    from inklings_desktop.usecases.transfer.withdraw_import import ListImports, WithdrawImport


class OtherUseCases:
    """All use cases of a data root, made by the first who asks for one that is not there yet.

    They take some sixty modules, as much as the first page itself.
    """

    def __init__(self, make: Callable[[], Inklings]) -> None:
        """Know how to make them.

        Args:
            make: Makes all of them; called once, on the thread of whoever asks first.
        """
        self._make = make
        self._lock = threading.Lock()
        self._made: Inklings | None = None

    def made(self) -> Inklings:
        """All of them; from any thread."""
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Inklings(FirstUseCases):
    """An opened data root: what the window, the command line and scripts hold.

    It may begin with the first use cases alone. Whoever asks for another one then has all of them
    made, and waits for that.

    Attributes:
        view_as: The use cases as a client would call them in one workspace, over a store that
            cannot be written to; it wants caller, client and workspace id, and raises what
            ``SeeAs`` raises.
    """

    survey_workspaces: SurveyWorkspaces
    find_workspace: FindWorkspace
    create_workspace: CreateWorkspace
    adopt_workspace: AdoptWorkspace
    rename_workspace: RenameWorkspace
    preview_workspace_deletion: PreviewWorkspaceDeletion
    delete_workspace: DeleteWorkspace

    create_backup: CreateBackup
    measure_disk: MeasureDisk
    list_backups: ListBackups
    restore_backup: RestoreBackup
    check_data: CheckData
    examine_place: ExaminePlace
    stamp_place: StampPlace
    repair_place: RepairPlace
    export_readable: ExportReadable

    get_channel: GetChannel
    list_open_channels: ListOpenChannels
    create_channel: CreateChannel
    rename_channel: RenameChannel
    archive_channel: ArchiveChannel
    unarchive_channel: UnarchiveChannel

    start_conversation: StartConversation
    get_conversation: GetConversation
    hear_conversation: HearConversation
    list_silent_conversations: ListSilentConversations
    settle_silent_conversation: SettleSilentConversation
    rename_conversation: RenameConversation
    idle_conversation: IdleConversation
    archive_conversation: ArchiveConversation

    write_note: WriteNote
    read_note: ReadNote
    list_notes: ListNotes
    clear_notes: ClearNotes

    put_memory: PutMemory
    update_memory: UpdateMemory
    change_memories: ChangeMemories
    find_written: FindWritten
    forget_memories: ForgetMemories
    restore_memories: RestoreMemories
    confirm_memories: ConfirmMemories
    mark_memories: MarkMemories
    edit_each: EditEach
    revert_memories: RevertMemories
    restore_version: RestoreVersion
    copy_memory: CopyMemory
    preview_replacement: PreviewReplacement

    search_memories: SearchMemories
    search_set_aside: SearchSetAside
    get_memories: GetMemories
    name_memory: NameMemory
    read_memories: ReadMemories
    search_open: SearchOpen
    recent_changes: RecentChanges
    orient: Orient
    preview_orientation: PreviewOrientation
    tier_overview: OverlookTiers
    worth_a_look: WorthALook
    explain_missing: ExplainMissing

    list_entries: ListEntries
    show_entry: ShowEntry
    show_revision: ShowRevision
    find_entry: FindEntry
    standing_slice: StandingSlice
    create_entry: CreateEntry
    save_entry: SaveEntry
    restore_revision: RestoreRevision
    delete_entry: DeleteEntry
    undelete_entry: UndeleteEntry
    list_deleted_entries: ListDeletedEntries
    keep_draft: KeepDraft
    find_drafts: FindDrafts
    drop_draft: DropDraft
    keep_typing: KeepTyping
    find_typings: FindTypings
    drop_typing: DropTyping

    propose_entry: ProposeEntry
    list_proposals: ListProposals
    show_proposal: ShowProposal
    accept_proposal: AcceptProposal
    reject_proposal: RejectProposal

    list_events: ListEvents
    event_facets: ListEventFacets
    show_event: ShowEvent
    describe_events: DescribeEvents
    verify_logs: VerifyLogs
    find_lost_writes: FindLostWrites
    accept_lost_writes: AcceptLostWrites
    anchor_logs: AnchorLogs

    preview_scrub: PreviewScrub
    execute_scrub: ExecuteScrub
    pending_scrubs: PendingScrubs
    resume_scrubs: ResumeScrubs
    count_scrub: CountScrub
    ask_for_scrub: AskForScrub
    follow_scrub_request: FollowScrubRequest
    list_scrub_requests: ListScrubRequests
    check_scrub_request: CheckScrubRequest
    confirm_scrub: ConfirmScrub
    decline_scrub: DeclineScrub
    attend_scrubs: AttendScrubs

    export_memory: ExportMemory
    export_markdown: ExportMarkdown
    list_exports: ListExports
    preview_import: PreviewImport
    apply_import: ApplyImport
    withdraw_import: WithdrawImport
    list_imports: ListImports

    list_clients: ListClients
    show_client: ShowClient
    grant_rights: GrantRights
    revoke_rights: RevokeRights
    let_client_in: LetClientIn
    admit_client: AdmitClient
    note_call: NoteCall
    note_refusal: NoteRefusal
    require_allowance: RequireAllowance
    show_client_token: ShowClientToken
    remove_client_token: RemoveClientToken
    find_token_owner: FindTokenOwner
    describe_connection: DescribeConnection
    preview_addition: PreviewAddition
    apply_addition: ApplyAddition
    rehearse_connection: RehearseConnection
    run_canary_drill: RunCanaryDrill
    view_as: Callable[[Caller, str, str], Inklings]

    backfill_embeddings: BackfillEmbeddings
    run_backfill: RunBackfill
    look_at_tasks: LookAtTasks
    close_conversations: ForgetClosedConversations

    preview_consolidation: PreviewConsolidation
    run_consolidation: RunConsolidation
    undo_consolidation: UndoConsolidation
    show_family: ShowFamily
    show_lineage: ShowLineage
    show_run: ShowRun
    list_consolidations: ListConsolidations
    list_likely_duplicates: ListLikelyDuplicates
    list_runs: ListRuns
    find_run: FindRun

    save_golden_question: SaveGoldenQuestion
    list_golden_questions: ListGoldenQuestions
    delete_golden_question: DeleteGoldenQuestion
    ask_golden_questions: AskGoldenQuestions
    save_filter: SaveFilter
    list_saved_filters: ListSavedFilters
    rename_filter: RenameFilter
    delete_filter: DeleteFilter
    watch_golden_questions: WatchGoldenQuestions

    show_models: ShowModels
    install_model: InstallModel
    select_model: SelectModel
    remove_model: RemoveModel

    load_sample_world: LoadSampleWorld

    @classmethod
    def begun(cls, first: FirstUseCases, others: OtherUseCases) -> Inklings:
        """The first use cases, all others made when one of them is asked for."""
        inklings = object.__new__(cls)
        for name in _FIRST:
            object.__setattr__(inklings, name, getattr(first, name))
        object.__setattr__(inklings, "_others", others)
        return inklings

    def complete(self) -> None:
        """Make what is not made yet, off the UI thread: it takes a tenth of a second or more."""
        if (others := self._to_be_made) is None:
            return
        made = others.made()
        for name in _OTHERS:
            object.__setattr__(self, name, getattr(made, name))

    def with_background(self, background: BackgroundWork) -> Inklings:
        """The same with a clock at work, nothing made for it."""
        return self._with(background=background)

    def bound_to(self, workspace: Workspace) -> Inklings:
        """The same for whoever works in this workspace, nothing made or opened for it."""
        return self._with(workspace=workspace)

    def _with(self, **changed: object) -> Inklings:
        if (others := self._to_be_made) is None:
            return replace(self, **changed)  # type: ignore[arg-type]  # fields of its own
        first = {name: getattr(self, name) for name in _FIRST}
        return self.begun(FirstUseCases(**first | changed), others)

    @property
    def _to_be_made(self) -> OtherUseCases | None:
        """What makes the others; None where all were there from the beginning."""
        others = getattr(self, "_others", None)
        return others if isinstance(others, OtherUseCases) else None

    if not TYPE_CHECKING:  # it would take any name for a use case

        def __getattr__(self, name: str) -> object:
            """A use case that is not made yet."""
            if name not in _OTHERS or self._to_be_made is None:
                raise AttributeError(name, name=name, obj=self)
            self.complete()
            return object.__getattribute__(self, name)


_FIRST = frozenset(one.name for one in fields(FirstUseCases))
_OTHERS = frozenset(one.name for one in fields(Inklings)) - _FIRST
