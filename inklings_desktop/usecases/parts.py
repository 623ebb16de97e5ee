"""What the use cases of one data root are made of, and how they learn who asks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from inklings_desktop.domain.access.access import Action, CallerKind, authorize_person
from inklings_desktop.domain.errors import StorageError
from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    from inklings_desktop.domain.access.access import Caller
    from inklings_desktop.domain.memories.decay import DecayConfig
    from inklings_desktop.domain.memory import MemoryEntry, Tier
    from inklings_desktop.domain.world.derivations import ToldSources
    from inklings_desktop.usecases.ports.activities import ActivityRunner
    from inklings_desktop.usecases.ports.connections import (
        ClientFiles,
        ClientTokens,
        Drill,
        Rehearsal,
        ServerProgram,
    )
    from inklings_desktop.usecases.ports.keeping import (
        BackupShelf,
        DiskProbe,
        FileWatch,
        Inspector,
        Salvager,
        WorkspaceEraser,
    )
    from inklings_desktop.usecases.ports.log import LogAudit
    from inklings_desktop.usecases.ports.models import ModelCatalogue
    from inklings_desktop.usecases.ports.scrub import Eraser, KeySource, OperatorName
    from inklings_desktop.usecases.ports.skills import SkillFolders
    from inklings_desktop.usecases.ports.spelling import OwnWords, Speller
    from inklings_desktop.usecases.ports.store import (
        Clock,
        Embedder,
        IdSource,
        SettingsFile,
        WorkspaceDirectory,
    )
    from inklings_desktop.usecases.ports.tasks import Wording
    from inklings_desktop.usecases.ports.transfer import ExportFiles, TransferStore, TransferUnit
    from inklings_desktop.usecases.ports.world import (
        PageWriter,
        WorldFiles,
        WorldIndex,
        WorldIndexes,
    )
    from inklings_desktop.usecases.steps.change_feed import ChangeFeed
    from inklings_desktop.usecases.steps.query_vectors import QueryVectors
    from inklings_desktop.usecases.steps.recording import ReadCounter


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapters:
    """What only some use cases need; made by the first of them.

    Attributes:
        rehearsal: Plays a client against the server.
        drill: Asks everything as a client.
        version: Of this program, for exports.
    """

    eraser: Eraser
    key: KeySource
    audit: LogAudit
    keeper: BackupShelf
    inspector: Inspector
    file_watch: FileWatch
    workspace_eraser: WorkspaceEraser
    salvager: Salvager
    catalogue: ModelCatalogue
    rehearsal: Rehearsal
    drill: Drill
    disk: DiskProbe
    export_files: ExportFiles
    client_files: ClientFiles
    client_tokens: ClientTokens
    speller: Speller
    own_words: OwnWords
    program: ServerProgram
    wording: Wording
    activities: ActivityRunner
    page_writer: PageWriter
    operator: OperatorName
    version: str
    world_files: WorldFiles
    skill_folders: SkillFolders
    world_indexes: WorldIndexes


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What every use case of one data root is made of, shared by all who ask.

    Attributes:
        root: The data root.
        settings: Says what is set, asked at every call, and keeps it.
        clock: Tells the time.
        feed: Says what changed, in this process or another.
        embedder: The model in use, or the null embedder.
        query_vectors: Embeds what is searched for.
        count_reads: Counts what agents were handed.
        adapters: The rest, made when it is first asked for.
        is_sealed: Whether the disk takes no write.
    """

    root: Path
    settings: SettingsFile
    clock: Clock
    feed: ChangeFeed
    embedder: Embedder
    store: TransferStore
    directory: WorkspaceDirectory
    new_id: IdSource
    query_vectors: QueryVectors
    count_reads: ReadCounter
    adapters: Callable[[], Adapters]
    is_sealed: bool = False

    def under(self, decay: DecayConfig) -> Parts:
        """The same with other rates of decay than those that are set."""
        now = self.settings
        return replace(self, settings=cast("SettingsFile", lambda: replace(now(), decay=decay)))


def signing(caller: Caller, parts: Parts) -> Caller:
    """The caller; a person under the name that is set just then."""
    name = parts.settings().display_name if caller.kind is CallerKind.PERSON else ""
    return replace(caller, name=name) if name else caller


class Asked:
    """What can be asked of one noun, as one caller asks it: its methods are the verbs.

    Attributes:
        parts: What the use cases are made of.
    """

    def __init__(self, parts: Parts, caller: Caller) -> None:
        self.parts = parts
        self._caller = caller
        self.store, self.clock, self.new_id = parts.store, parts.clock, parts.new_id

    @property
    def caller(self) -> Caller:
        """Who asks; a person signs with the name that is set just then."""
        return signing(self._caller, self.parts)

    @property
    def adapters(self) -> Adapters:
        """What only some verbs need; made by the first of them."""
        return self.parts.adapters()

    def pages_of(self, workspace_id: str | None) -> WorldIndex | None:
        """The index of a workspace's pages; None for the account, and while no folder is linked."""
        if workspace_id is None:
            return None
        with self.store.read(workspace_id) as view:
            is_linked = bool(view.world.folders())
        return self.adapters.world_indexes.of(workspace_id) if is_linked else None

    def told_sources(
        self, workspace_id: str | None, entries: Iterable[MemoryEntry]
    ) -> Mapping[str, ToldSources]:
        """For each memory that comes from pages what the caller is told of them."""
        from inklings_desktop.usecases.steps.standings import Standings, told_sources

        derived = {one.id: one for one in entries if one.derived_from}
        if workspace_id is None or not derived:
            return {}
        with self.store.read(workspace_id) as view:
            rows = view.world.derivations_of(derived)
            folders = view.world.folders()
        index = self.adapters.world_indexes.of(workspace_id) if folders and rows else None
        try:
            stand = Standings(index, folders, rows, derived)
        except StorageError:  # what memory says does not wait for pages
            stand = Standings(None, folders, rows, derived)
        return told_sources(self.caller, workspace_id, stand, rows)

    def writing(
        self, file: str | None, *, durable: bool = True
    ) -> AbstractContextManager[TransferUnit]:
        """One write transaction on a file, in the caller's name."""
        return self.store.write(file, initiator=self.caller.name, durable=durable)

    def attempt(
        self, name: str, tier: Tier, workspace_id: str | None, ids: tuple[str, ...] = ()
    ) -> AbstractContextManager[None]:
        """Records the refusal of an act that is not allowed."""
        from inklings_desktop.usecases.steps.refusals import Attempt, refusals_recorded

        wish = Attempt(name, tier, workspace_id, ids)
        return refusals_recorded(self.store, self.clock, self.caller, wish)

    def require_person(
        self, name: str, tier: Tier, workspace_id: str | None, ids: tuple[str, ...] = ()
    ) -> None:
        """Returns only for the person; anybody else's attempt becomes an event.

        Raises:
            ScopeDeniedError: The caller is an agent or the clock.
        """
        with self.attempt(name, tier, workspace_id, ids):
            authorize_person(self.caller, Action.WRITE, tier)
