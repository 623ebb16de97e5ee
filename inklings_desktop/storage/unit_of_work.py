"""One transaction on one file: repositories in, changes out after commit."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from inklings_desktop.storage.finding import SqliteFindView
from inklings_desktop.storage.log.event_log import SqliteEventLog
from inklings_desktop.storage.repositories.conversation_repository import (
    SqliteConversationRepository,
)
from inklings_desktop.storage.repositories.memory_repository import SqliteMemoryRepository
from inklings_desktop.storage.rows.transaction import Transaction

if TYPE_CHECKING:
    from inklings_desktop.storage.databases import OpenFile
    from inklings_desktop.storage.log.log_heads import LogHeads
    from inklings_desktop.storage.log.witness import Witness
    from inklings_desktop.storage.repositories.activity_repository import SqliteActivityRepository
    from inklings_desktop.storage.repositories.client_repository import SqliteClientRepository
    from inklings_desktop.storage.repositories.draft_repository import SqliteDraftRepository
    from inklings_desktop.storage.repositories.filter_repository import SqliteFilterRepository
    from inklings_desktop.storage.repositories.golden_repository import SqliteGoldenRepository
    from inklings_desktop.storage.repositories.knowledge_repository import (
        SqliteKnowledgeRepository,
    )
    from inklings_desktop.storage.repositories.message_repository import (
        SqliteMessageRepository,
        SqliteRequestRepository,
    )
    from inklings_desktop.storage.repositories.named_entry_repository import (
        SqliteNamedEntryRepository,
    )
    from inklings_desktop.storage.repositories.note_repository import SqliteNoteRepository
    from inklings_desktop.storage.repositories.proposal_repository import SqliteProposalRepository
    from inklings_desktop.storage.repositories.scrub_repository import SqliteScrubRepository
    from inklings_desktop.storage.repositories.scrub_request_repository import (
        SqliteScrubRequestRepository,
    )
    from inklings_desktop.storage.repositories.skill_repository import SqliteSkillRepository
    from inklings_desktop.storage.repositories.task_repository import SqliteTaskRepository
    from inklings_desktop.storage.repositories.transfer_repository import SqliteTransferRepository
    from inklings_desktop.storage.repositories.upkeep_repository import SqliteTalkUpkeep
    from inklings_desktop.storage.repositories.world_repository import SqliteWorldRepository
    from inklings_desktop.storage.search.consolidation_index import SqliteConsolidationIndex
    from inklings_desktop.storage.search.overview_index import SqliteOverviewIndex
    from inklings_desktop.usecases.ports.store import ChangePublisher


class SqliteStoreView(SqliteFindView):
    """One consistent view of one file.

    What a list does without is imported when it is first asked for: the first page of a window
    would wait for it.
    """

    def __init__(self, file: OpenFile, transaction: Transaction, key: bytes) -> None:
        super().__init__(file, transaction)
        self._transaction = transaction
        self._key = key

    @cached_property
    def memories(self) -> SqliteMemoryRepository:
        return SqliteMemoryRepository(self._transaction, self._figures)

    @property
    def overview(self) -> SqliteOverviewIndex:
        from inklings_desktop.storage.search.overview_index import SqliteOverviewIndex

        return SqliteOverviewIndex(self._transaction, self.file.census)

    @cached_property
    def conversations(self) -> SqliteConversationRepository:
        return SqliteConversationRepository(self._transaction)

    @property
    def notes(self) -> SqliteNoteRepository:
        from inklings_desktop.storage.repositories.note_repository import SqliteNoteRepository

        return SqliteNoteRepository(self._transaction)

    @property
    def messages(self) -> SqliteMessageRepository:
        from inklings_desktop.storage.repositories.message_repository import (
            SqliteMessageRepository,
        )

        return SqliteMessageRepository(self._transaction)

    @property
    def requests(self) -> SqliteRequestRepository:
        from inklings_desktop.storage.repositories.message_repository import (
            SqliteRequestRepository,
        )

        return SqliteRequestRepository(self._transaction)

    @property
    def talk_upkeep(self) -> SqliteTalkUpkeep:
        from inklings_desktop.storage.repositories.upkeep_repository import SqliteTalkUpkeep

        return SqliteTalkUpkeep(
            self._transaction, is_account=self._transaction.workspace_id is None
        )

    @property
    def entries(self) -> SqliteNamedEntryRepository:
        from inklings_desktop.storage.repositories.named_entry_repository import (
            SqliteNamedEntryRepository,
        )

        return SqliteNamedEntryRepository(self._transaction)

    @property
    def drafts(self) -> SqliteDraftRepository:
        from inklings_desktop.storage.repositories.draft_repository import SqliteDraftRepository

        return SqliteDraftRepository(self._transaction)

    @property
    def proposals(self) -> SqliteProposalRepository:
        from inklings_desktop.storage.repositories.proposal_repository import (
            SqliteProposalRepository,
        )

        return SqliteProposalRepository(self._transaction)

    @property
    def scrubs(self) -> SqliteScrubRepository:
        from inklings_desktop.storage.repositories.scrub_repository import SqliteScrubRepository

        return SqliteScrubRepository(self._transaction, self._key, self.file.template_of)

    @property
    def clients(self) -> SqliteClientRepository:
        from inklings_desktop.storage.repositories.client_repository import SqliteClientRepository

        return SqliteClientRepository(self._transaction)

    @property
    def scrub_requests(self) -> SqliteScrubRequestRepository:
        from inklings_desktop.storage.repositories.scrub_request_repository import (
            SqliteScrubRequestRepository,
        )

        return SqliteScrubRequestRepository(self._transaction)

    @property
    def tasks(self) -> SqliteTaskRepository:
        from inklings_desktop.storage.repositories.task_repository import SqliteTaskRepository

        return SqliteTaskRepository(self._transaction)

    @property
    def golden(self) -> SqliteGoldenRepository:
        from inklings_desktop.storage.repositories.golden_repository import SqliteGoldenRepository

        return SqliteGoldenRepository(self._transaction)

    @property
    def filters(self) -> SqliteFilterRepository:
        from inklings_desktop.storage.repositories.filter_repository import SqliteFilterRepository

        return SqliteFilterRepository(self._transaction)

    @property
    def world(self) -> SqliteWorldRepository:
        from inklings_desktop.storage.repositories.world_repository import SqliteWorldRepository

        return SqliteWorldRepository(self._transaction)

    @property
    def knowledge(self) -> SqliteKnowledgeRepository:
        from inklings_desktop.storage.repositories.knowledge_repository import (
            SqliteKnowledgeRepository,
        )

        return SqliteKnowledgeRepository(self._transaction)

    @property
    def activities(self) -> SqliteActivityRepository:
        from inklings_desktop.storage.repositories.activity_repository import (
            SqliteActivityRepository,
        )

        return SqliteActivityRepository(self._transaction)

    @property
    def skills(self) -> SqliteSkillRepository:
        from inklings_desktop.storage.repositories.skill_repository import SqliteSkillRepository

        return SqliteSkillRepository(self._transaction)

    @property
    def consolidation(self) -> SqliteConsolidationIndex:
        from inklings_desktop.storage.search.consolidation_index import SqliteConsolidationIndex

        return SqliteConsolidationIndex(
            self._transaction, self.file.figures, self.file.vectors, self.file.side_file
        )

    @property
    def transfers(self) -> SqliteTransferRepository:
        """Its rows as export and restore need them."""
        from inklings_desktop.storage.repositories.transfer_repository import (
            SqliteTransferRepository,
        )

        return SqliteTransferRepository(self._transaction)

    @cached_property
    def events(self) -> SqliteEventLog:
        return SqliteEventLog(self._transaction, self._key)


class SqliteUnitOfWork(SqliteStoreView):
    """One write transaction; leaving it without ``commit`` rolls everything back."""

    def __init__(
        self,
        file: OpenFile,
        transaction: Transaction,
        key: bytes,
        heads: LogHeads,
        witness: Witness | None,
        publisher: ChangePublisher,
    ) -> None:
        """Set up the repositories, and who hears of the commit.

        Args:
            transaction: Begun on it, immediate.
            heads: Where the head of the event log is noted once it is durable.
            witness: Hears of the write once it is durable; None for one that may be lost.
            publisher: Hears what changed once it is durable.
        """
        super().__init__(file, transaction, key)
        self._heads = heads
        self._witness = witness
        self._publisher = publisher
        self._is_open = True

    def commit(self) -> None:
        """Make it durable, note that outside the file, then publish what changed.

        The file is free for the next writer by then, so a listener may write in its turn.

        Raises:
            StorageError: It could not be made durable; nothing is kept.
        """
        transaction = self._transaction
        number = transaction.change_seq if transaction.has_written else None
        if number is not None:
            self.file.own_changes.add(number)
        try:
            transaction.connection.commit()
        except BaseException:
            if number is not None:
                self.file.own_changes.discard(number)
            raise
        if number is not None and self._witness is not None:
            n_scrubs = self.events.n_scrubs if transaction.appends else 0
            self._witness.note(self.file.workspace_id, number, n_scrubs)
        if transaction.reloads:
            self.file.drop_resident()
        self.roll_back()
        if transaction.appends:
            self._note_head()
        changes = transaction.changes()
        if not changes.is_empty:
            self._publisher.publish(changes)

    def roll_back(self) -> None:
        """Undo whatever was not committed, and let the next writer in; once is enough."""
        if self._is_open:
            self._is_open = False
            try:
                self._transaction.connection.close()  # rolls back what is still open
            finally:
                self.file.write_lane.release()

    def _note_head(self) -> None:
        appended = self.events.appended
        known = {head.number: head.digest for head in appended}

        def digest_at(number: int) -> str | None:
            if number in known:
                return known[number]
            with self.file.engines.read.connect() as connection:
                view = Transaction(connection, self.file.workspace_id)
                return SqliteEventLog(view, b"").digest_at(number)

        self._heads.advance(
            self.file.workspace_id, appended[-1], first=appended[1].number, digest_at=digest_at
        )
