"""Which rows a scrub is about, what they say, and how they go: in the file and in its backups.

The statements run on any connection inside a transaction. Neighbours that lend each other context
in the index share tier and scope key, so no row that stays holds text of one that goes.
"""

# ruff: noqa: S608  the statements are put together from names of ours, never from values

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Protocol, Self

from sqlalchemy import LargeBinary, Text

from inklings_desktop.domain.entries.named_entry import BUILT_IN_OF_TIER
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.storage.engine.lossy_text import LossyText
from inklings_desktop.storage.repositories.scrub_talk import ScrubTalk
from inklings_desktop.storage.schema.client_schema import WORDLESS_COLUMNS
from inklings_desktop.storage.schema.entry_schema import insert_built_in
from inklings_desktop.storage.schema.purge_schema import purges
from inklings_desktop.storage.schema.tables import metadata
from inklings_desktop.storage.search.token_index import DROP_UNUSED_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.storage.schema.schema_rules import TemplateSource

_FETCHED_AT_ONCE = 500

_MEMORIES = "FROM memories WHERE tier = :tier AND scope_key = :key"
_SEQUENCES = f"(SELECT sequence {_MEMORIES})"
_IDS = f"(SELECT id {_MEMORIES})"
_PROPOSALS = (
    "FROM proposals WHERE tier = :tier AND scope_key = :key"
    " AND (kind NOT IN ('named_body', 'named_new') OR :is_full)"
)
_TYPINGS = "FROM memory_drafts WHERE tier = :tier AND scope_key = :key"
_QUESTIONS = "FROM golden_questions WHERE tier = :tier AND scope_key = :key"
# A filter for every room of the tier may quote any of them.
_FILTERS = "FROM saved_filters WHERE tier = :tier AND scope_key IN (:key, '')"
_PAIRS = "FROM duplicate_pairs WHERE tier = :tier AND scope_key = :key"
_NOTES = "FROM notes WHERE conversation_id = :key"
_AMONG = "IN (SELECT value FROM json_each(:entries))"
# A built-in entry as it was shipped is what a scrub would leave in its place.
_ENTRIES = (
    "FROM named_entries WHERE tier = :tier AND :is_full AND NOT (is_built_in = 1"
    " AND is_template = 1 AND version = 1 AND id NOT IN (SELECT entry_id FROM drafts))"
)

_TEXTS = (
    f"SELECT content, tags, source, forgotten_reason, derived_from {_MEMORIES}",
    # Its context is lent by neighbours, which go as well and say it themselves.
    f"SELECT body, subject FROM memory_search WHERE id IN {_SEQUENCES}",
    f"SELECT vector FROM memory_vectors WHERE sequence IN {_SEQUENCES}",
    f"SELECT data FROM memory_tokens WHERE sequence IN {_SEQUENCES}",
    (
        "SELECT tag_tokens.tag, data FROM tag_tokens WHERE tag IN"
        " (SELECT value FROM memories, json_each(tags) WHERE tier = :tier AND scope_key = :key)"
    ),
    f"SELECT vector FROM coming_vectors WHERE sequence IN {_SEQUENCES}",
    f"SELECT content, tags FROM memory_versions WHERE memory_id IN {_IDS}",
    f"SELECT content, tags {_TYPINGS}",
    f"SELECT payload, reason, note {_PROPOSALS}",
    f"SELECT question {_QUESTIONS}",
    f"SELECT name, query, asks {_FILTERS}",
    f"SELECT body FROM named_entries WHERE id {_AMONG}",
    f"SELECT body FROM named_entry_revisions WHERE entry_id {_AMONG}",
    f"SELECT body FROM drafts WHERE entry_id {_AMONG}",
)
_NOTE_TEXTS = f"SELECT key, value_json {_NOTES}"

_DELETIONS = (
    f"DELETE FROM memory_search WHERE id IN {_SEQUENCES}",
    f"DELETE FROM memory_vectors WHERE sequence IN {_SEQUENCES}",
    f"DELETE FROM memory_tokens WHERE sequence IN {_SEQUENCES}",
    f"DELETE FROM coming_vectors WHERE sequence IN {_SEQUENCES}",
    f"DELETE FROM memory_versions WHERE memory_id IN {_IDS}",
    f"DELETE {_MEMORIES}",
    DROP_UNUSED_TAGS,
    "DELETE FROM scope_counts WHERE tier = :tier AND scope_key = :key",
    f"DELETE {_TYPINGS}",
    f"DELETE {_PROPOSALS}",
    f"DELETE {_QUESTIONS}",
    f"DELETE {_FILTERS}",
    f"DELETE {_PAIRS}",
    f"DELETE FROM drafts WHERE entry_id {_AMONG}",
    # A revision may go only after its entry; the reference is checked at the end.
    f"DELETE FROM named_entries WHERE id {_AMONG}",
    f"DELETE FROM named_entry_revisions WHERE entry_id {_AMONG}",
)
_NOTE_DELETION = f"DELETE {_NOTES}"
_HELD = (
    f"SELECT EXISTS (SELECT 1 {_MEMORIES}) OR EXISTS (SELECT 1 {_PROPOSALS})"
    f" OR EXISTS (SELECT 1 {_QUESTIONS}) OR EXISTS (SELECT 1 {_FILTERS})"
    f" OR EXISTS (SELECT 1 {_ENTRIES})"
    f" OR EXISTS (SELECT 1 {_TYPINGS})"
)
_NOTES_HELD = f"SELECT EXISTS (SELECT 1 {_NOTES})"


class Run(Protocol):
    """Executes a statement of ours on one connection."""

    def __call__(self, statement: str, parameters: Any = (), /) -> Any:
        """A cursor over its rows."""
        ...


@dataclass(frozen=True, slots=True)
class ScrubRows:
    """The rows of one scrub in one file.

    Attributes:
        tier: The tier.
        key: The scope key.
        is_full: Whether named entries go as well.
        is_of_runs: Whether only the state of a conversation's runs goes.
    """

    tier: str
    key: str
    is_full: bool
    is_of_runs: bool = False

    @classmethod
    def of(cls, scope: ScopeKey, mode: ScrubMode) -> Self:
        """The rows of a scope."""
        return cls.of_place(scope.tier.value, scope.key, mode)

    @classmethod
    def of_place(cls, tier: str, key: str, mode: ScrubMode) -> Self:
        """The rows under a key; only workspace and account hold named entries."""
        holds_entries = Tier(tier) in BUILT_IN_OF_TIER
        is_of_runs = mode is ScrubMode.RUN_STATE
        return cls(tier, key, holds_entries and mode is ScrubMode.FULL, is_of_runs)

    @property
    def has_notes(self) -> bool:
        """Whether working notes belong to it."""
        return self.tier == Tier.CONVERSATION.value and not self.is_of_runs

    @property
    def talk(self) -> ScrubTalk:
        """What was said of it."""
        return ScrubTalk(self.tier, self.key, self.is_of_runs)

    def entry_ids(self, run: Run) -> list[str]:
        """Ids of the named entries that go."""
        return [row[0] for row in run(f"SELECT id {_ENTRIES}", self._parameters())]

    def are_held(self, run: Run) -> bool:
        """Whether a file holds any of them."""
        if self.is_of_runs or self.talk.are_held(run):
            return self.talk.are_held(run)
        if run(_HELD, self._parameters()).fetchone()[0]:
            return True
        return self.has_notes and bool(run(_NOTES_HELD, {"key": self.key}).fetchone()[0])

    def texts(self, run: Run) -> Iterator[bytes]:
        """Everything they say, in the bytes in which it is stored, vectors included."""
        parameters = self._parameters(self.entry_ids(run))
        for statement in () if self.is_of_runs else _TEXTS:
            yield from _values(run(statement, parameters))
        if self.has_notes:
            yield from _values(run(_NOTE_TEXTS, parameters))
        yield from self.talk.texts(run)

    def delete(
        self, run: Run, template_of: TemplateSource, created_at: int, changed_seq: int
    ) -> None:
        """Delete them; a built-in named entry among them begins anew as its template.

        Args:
            run: Inside a transaction in which a purge is ``removing``.
            template_of: Body of a built-in entry.
            created_at: Milliseconds since 1970, UTC, for the built-in entry.
            changed_seq: Change number of the transaction.
        """
        parameters = self._parameters(self.entry_ids(run))
        self.talk.delete(run, changed_seq)  # while the memories tell which it is
        for statement in () if self.is_of_runs else _DELETIONS:
            run(statement, parameters)
        if self.has_notes:
            run(_NOTE_DELETION, parameters)
        name = BUILT_IN_OF_TIER.get(Tier(self.tier))
        if self.is_full and name is not None:
            (is_there,) = run(
                "SELECT EXISTS (SELECT 1 FROM named_entries WHERE is_built_in = 1)"
            ).fetchone()
            if not is_there:
                body = template_of(name)
                insert_built_in(run, self.tier, name, body, created_at, changed_seq=changed_seq)

    def _parameters(self, entries: Iterable[str] = ()) -> dict[str, object]:
        return {
            "tier": self.tier,
            "key": self.key,
            "is_full": int(self.is_full),
            "entries": json.dumps(list(entries)),
        }


def stored_texts(run: Run) -> Iterator[bytes]:
    """Every text and vector in a file, and the words of its schema.

    Columns that hold words of the program alone are left out: were there anything else in them,
    it would be no reason to take a found piece of a removed text for one that stays.
    """
    yield from _values(run("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"))
    there = {row[0] for row in run("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    for table in metadata.tables.values():
        if table is purges or table.name not in there:
            continue
        names = [
            one.name
            for one in table.c
            if isinstance(one.type, Text | LargeBinary) and one not in WORDLESS_COLUMNS
        ]
        if names:
            yield from _values(run(f"SELECT {', '.join(names)} FROM {table.name}"))


def _values(cursor: Any) -> Iterator[bytes]:
    while rows := cursor.fetchmany(_FETCHED_AT_ONCE):
        for row in rows:
            for value in row:
                if isinstance(value, LossyText):
                    yield value.stored
                elif value:
                    yield value.encode() if isinstance(value, str) else bytes(value)
