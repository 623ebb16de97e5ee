"""What an export holds beside memories: talk, golden questions, saved filters, proposals.

They come back by a restore alone. Elsewhere a question would ask for memories that have other ids,
and a proposal speaks for an agent that may not be known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.background.golden import GoldenQuestion
from inklings_desktop.domain.entries.proposals import (
    ABOUT_PAGES,
    UNDECIDED,
    Proposal,
    ProposalKind,
    ProposalState,
)
from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memories.decay import AttentionKind
from inklings_desktop.domain.memories.listing import MemoryFilter, MemorySort, MemoryState
from inklings_desktop.domain.memories.saved_filters import FilterWords, SavedFilter
from inklings_desktop.domain.memory import ACCOUNT_KEY, Curator, Lifetime, MemoryKind, Tier
from inklings_desktop.domain.rooms.messages import (
    Message,
    MessageDraft,
    MessageRole,
    MessageState,
    ProducedBy,
)
from inklings_desktop.domain.transfer.document import is_id, memory_scope
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.domain.world.page_proposal import wish_of

if TYPE_CHECKING:
    from collections.abc import Collection
    from enum import StrEnum
    from typing import TypeVar

    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.transfer.transfer_fields import Fields

    WordT = TypeVar("WordT", bound=StrEnum)


def message_of(fields: Fields, conversation_ids: Collection[str], unknown: set[str]) -> Message:
    """A message as this program writes them.

    Args:
        conversation_ids: Of the conversations in its section.
        unknown: Takes the names of fields that nobody knows.

    Raises:
        ImportRefusedError: This program does not write such a row.
    """
    conversation_id = fields.id("conversation_id")
    if conversation_id not in conversation_ids:
        raise fields.wrong("conversation_id", "foreign")
    draft = MessageDraft(
        fields.word("role", MessageRole),
        fields.text("parts_json"),
        fields.text("turn"),
        fields.word("state", MessageState),
        fields.word("produced_by", ProducedBy),
        fields.text_or_none("model"),
    )
    try:
        draft = draft.checked()
    except InvalidValueError as error:
        raise fields.wrong(error.field, error.rule) from None
    message = Message(
        fields.id(),
        conversation_id,
        fields.count("number", least=1),
        draft.turn,
        draft.role,
        draft.state,
        draft.parts_json,
        fields.text("client", limit=200),
        draft.produced_by,
        fields.time("created_at"),
        draft.model,
        fields.time_or_none("read_at"),
    )
    unknown |= fields.unknown("message")
    return message


_ROOMS = frozenset({Tier.CHANNEL, Tier.CONVERSATION})
_NEW = frozenset(
    {
        ProposalKind.NAMED_NEW,
        ProposalKind.MEMORY_NEW,
        ProposalKind.PAGE_NEW,
        ProposalKind.ACTIVITY,
    }
)


class Beside:
    """Reads the rows of one section.

    Each method raises ``ImportRefusedError`` for a row that this program does not write.
    """

    def __init__(
        self, workspace_id: str | None, rooms: Collection[tuple[Tier, str]], unknown: set[str]
    ) -> None:
        """Read for a section.

        Args:
            workspace_id: Its workspace in the file; None for the account.
            rooms: Its channels and conversations.
            unknown: Takes the names of fields that nobody knows.
        """
        self._workspace_id = workspace_id
        self._rooms = rooms
        self._unknown = unknown

    def golden(self, fields: Fields) -> GoldenQuestion:
        """A golden question."""
        scope = self._scope(fields)
        must, must_not = self._ids(fields, "must"), self._ids(fields, "must_not")
        text, id_, at = fields.text("question"), fields.id(), fields.time("created_at")
        self._unknown |= fields.unknown("golden_question")
        try:
            return GoldenQuestion(id_, scope, text, must, must_not, at)
        except InvalidValueError as error:
            raise fields.wrong(error.field, error.rule) from None

    def filter(self, fields: Fields) -> SavedFilter:
        """A saved filter."""
        tier = self._tier(fields)
        room = fields.text_or_none("room")
        if room is not None and (tier, room) not in self._rooms:
            raise fields.wrong("room", "foreign")
        try:
            words = FilterWords(
                _filter_of(fields.object_or_none("where"), self._unknown),
                fields.text("query", ""),
                fields.word("mode", SearchMode, SearchMode.HYBRID),
                fields.word("sort", MemorySort, MemorySort.NEWEST),
            )
            found = SavedFilter(
                fields.id(),
                self._workspace_id,
                tier,
                room,
                fields.text("name"),
                words,
                fields.time("created_at"),
            )
        except InvalidValueError as error:
            raise fields.wrong(error.field, error.rule) from None
        self._unknown |= fields.unknown("saved_filter")
        return found

    def proposal(self, fields: Fields) -> Proposal:
        """What an agent proposes, decided or not."""
        kind, state = fields.word("kind", ProposalKind), fields.word("state", ProposalState)
        target, decided_at = fields.text("target_id", ""), fields.time_or_none("decided_at")
        is_of_page = kind in ABOUT_PAGES  # then the target is a path
        if (kind in _NEW) != (target == "") or not (is_of_page or target == "" or is_id(target)):
            raise fields.wrong("target_id", "id")
        if (state in UNDECIDED) != (decided_at is None):
            raise fields.wrong("decided_at", "foreign")
        payload = fields.raw("payload")
        if not isinstance(payload, dict):
            raise fields.wrong("payload")
        scope = self._scope(fields)
        version = None if fields.raw("base_version") is None else fields.count("base_version")
        found = Proposal(
            fields.id(),
            kind,
            self._workspace_id,
            scope.tier,
            scope.key,
            target,
            fields.text("target_name", "", limit=200),
            version,
            payload,
            fields.text("reason", "", limit=2_000),
            fields.text("client", limit=200),
            state,
            fields.text("note", "", limit=2_000),
            fields.time("created_at"),
            decided_at,
        )
        if is_of_page:
            try:
                wish_of(found)
            except ValueError:
                raise fields.wrong("payload") from None
        self._unknown |= fields.unknown("proposal")
        return found

    def _tier(self, fields: Fields) -> Tier:
        tier = fields.word("tier", Tier)
        if (tier is Tier.ACCOUNT) != (self._workspace_id is None):
            raise fields.wrong("tier", "foreign")
        return tier

    def _scope(self, fields: Fields) -> ScopeKey:
        tier, key = self._tier(fields), fields.text("scope_key")
        only = {Tier.ACCOUNT: ACCOUNT_KEY, Tier.WORKSPACE: self._workspace_id}
        if (tier, key) not in self._rooms if tier in _ROOMS else key != only[tier]:
            raise fields.wrong("scope_key", "foreign")
        return memory_scope(tier, self._workspace_id, key)

    def _ids(self, fields: Fields, name: str) -> tuple[str, ...]:
        found = fields.texts(name)
        if not all(map(is_id, found)):
            raise fields.wrong(name, "id")
        return tuple(found)


def _filter_of(where: Fields | None, unknown: set[str]) -> MemoryFilter:
    if where is None:
        return MemoryFilter()

    def words(name: str, kind: type[WordT]) -> frozenset[WordT]:
        try:
            return frozenset(map(kind, where.texts(name)))
        except ValueError:
            raise where.wrong(name, "word") from None

    attention = where.raw("attention")
    found = MemoryFilter(
        sources=frozenset(where.texts("sources")),
        curators=words("curators", Curator),
        writers=frozenset(where.texts("writers")),
        lifetimes=words("lifetimes", Lifetime),
        tags=frozenset(where.texts("tags")),
        importance_min=where.number("importance_min", 0.0),
        importance_max=where.number("importance_max", 1.0),
        written_since=where.time_or_none("written_since"),
        written_before=where.time_or_none("written_before"),
        phrases=frozenset(where.texts("phrases")),
        state=where.word("state", MemoryState, MemoryState.ACTIVE),
        without_embedding=where.flag("without_embedding"),
        attention=None if attention is None else where.word("attention", AttentionKind),
        kinds=words("kinds", MemoryKind),
    )
    unknown |= where.unknown("where")
    return found
