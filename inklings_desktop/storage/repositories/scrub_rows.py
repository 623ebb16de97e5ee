"""Which rows a scrub is about, what they say, and how they go: in the file and in its backups.

The statements run on any connection inside a transaction. Neighbours that lend each other context
in the index share tier and scope key, so no row that stays holds text of one that goes; where
chosen memories go, those that stay lend it to each other anew.
"""

# ruff: noqa: S608  the statements are put together from names of ours, never from values

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Protocol, Self

from sqlalchemy import LargeBinary, Text

from inklings_desktop.domain.entries.named_entry import BUILT_IN_OF_TIER
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.scrub.manifest import ChosenScope, ScrubMode
from inklings_desktop.domain.scrub.scrub_contents import (
    DRAFT,
    FILTER,
    PAGE_VERSION,
    PROPOSAL,
    QUESTION,
)
from inklings_desktop.storage.engine.maintenance import LossyText
from inklings_desktop.storage.repositories.scrub_knowledge import (
    counted_beside,
    delete_known,
    known_texts,
)
from inklings_desktop.storage.repositories.scrub_skills import (
    delete_skills,
    skill_texts,
    skills_beside,
)
from inklings_desktop.storage.repositories.scrub_talk import (
    CHOSEN,
    OF_MEMORIES,
    ScrubTalk,
    chosen_in,
)
from inklings_desktop.storage.repositories.scrub_world import (
    delete_derived,
    derived_texts,
    kept_versions,
)
from inklings_desktop.storage.schema.client_schema import WORDLESS_COLUMNS
from inklings_desktop.storage.schema.entry_schema import insert_built_in
from inklings_desktop.storage.schema.purge_schema import purges
from inklings_desktop.storage.schema.tables import metadata
from inklings_desktop.storage.search.full_text_upkeep import lend_anew, rooms_of
from inklings_desktop.storage.search.token_index import DROP_UNUSED_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.domain.scrub.manifest import ScrubKind
    from inklings_desktop.storage.schema.schema_rules import TemplateSource

_FETCHED_AT_ONCE = 500

_SEQUENCES = f"(SELECT sequence {OF_MEMORIES})"
_IDS = f"(SELECT id {OF_MEMORIES})"
_PROPOSALS = (
    "FROM proposals WHERE (tier = :tier AND scope_key = :key"
    " AND (kind NOT IN ('named_body', 'named_new') OR :is_full)"
    f" OR target {CHOSEN} OR sequence IN (SELECT value FROM json_each(:proposals))"
    " OR (CASE WHEN json_valid(payload) THEN payload ->> '$.memory' END)"
    f" IN (SELECT id {OF_MEMORIES}))"
)
_TYPINGS = f"FROM memory_drafts WHERE (tier = :tier AND scope_key = :key OR memory_id {CHOSEN})"
_QUESTIONS = (
    "FROM golden_questions WHERE (tier = :tier AND scope_key = :key OR EXISTS (SELECT 1 FROM"
    f" (SELECT value FROM json_each(must) UNION ALL SELECT value FROM json_each(must_not))"
    f" WHERE value {CHOSEN}))"
)
# A filter for every room of the tier may quote any of them.
_FILTERS = "FROM saved_filters WHERE tier = :tier AND scope_key IN (:key, '')"
_PAIRS = (
    "FROM duplicate_pairs WHERE (tier = :tier AND scope_key = :key"
    f" OR first {CHOSEN} OR second {CHOSEN})"
)
_NOTES = (
    "FROM notes WHERE (conversation_id = :key OR sequence IN (SELECT value FROM json_each(:notes)))"
)
_AMONG = "IN (SELECT value FROM json_each(:entries))"
# A built-in entry as it was shipped is what a scrub would leave in its place.
_ENTRIES = (
    "FROM named_entries WHERE tier = :tier AND :is_full AND NOT (is_built_in = 1"
    " AND is_template = 1 AND version = 1 AND id NOT IN (SELECT entry_id FROM drafts))"
)

_TEXTS = (
    f"SELECT content, tags, source, forgotten_reason, derived_from {OF_MEMORIES}",
    # Its context is lent by neighbours, which stay, or go as well and say it themselves.
    f"SELECT body, subject FROM memory_search WHERE id IN {_SEQUENCES}",
    f"SELECT vector FROM memory_vectors WHERE sequence IN {_SEQUENCES}",
    f"SELECT data FROM memory_tokens WHERE sequence IN {_SEQUENCES}",
    (
        "SELECT tag_tokens.tag, data FROM tag_tokens WHERE tag IN"
        f" (SELECT value FROM json_each(tags), (SELECT tags {OF_MEMORIES}))"
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
    f"DELETE {OF_MEMORIES}",
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
    f"SELECT EXISTS (SELECT 1 {OF_MEMORIES}) OR EXISTS (SELECT 1 {_PROPOSALS})"
    f" OR EXISTS (SELECT 1 {_QUESTIONS}) OR EXISTS (SELECT 1 {_FILTERS})"
    f" OR EXISTS (SELECT 1 {_ENTRIES})"
    f" OR EXISTS (SELECT 1 {_TYPINGS})"
)
_ALONGSIDE = (
    (PROPOSAL, f"SELECT id, changed_seq {_PROPOSALS}"),
    (DRAFT, f"SELECT entry_id, kept_at FROM drafts WHERE entry_id {_AMONG}"),
    (DRAFT, f"SELECT memory_id, kept_at {_TYPINGS}"),
    (QUESTION, f"SELECT id, 1 {_QUESTIONS}"),
    (FILTER, f"SELECT id, 1 {_FILTERS}"),
)
# What may say the same as a chosen memory without being about it.
_QUOTERS = {
    "proposals": "SELECT sequence, payload, reason, note FROM proposals",
    "notes": "SELECT sequence, value_json, key FROM notes",
}
_NOTED = f"""
SELECT key, substr(value_json, 1, 400), notes_seq, conversation_id
FROM (SELECT * {_NOTES}) JOIN conversations ON conversations.id = conversation_id
"""
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
        key: The scope key, or the ids of chosen memories as a JSON array.
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
        key = json.dumps(scope.ids) if isinstance(scope, ChosenScope) else scope.key
        return cls.of_place(scope.tier.value, key, mode)

    @classmethod
    def of_place(cls, tier: str, key: str, mode: ScrubMode) -> Self:
        """The rows under a key; only workspace and account hold named entries."""
        holds_entries = Tier(tier) in BUILT_IN_OF_TIER and chosen_in(key) != key
        is_of_runs = mode is ScrubMode.RUN_STATE
        return cls(tier, key, holds_entries and mode is ScrubMode.FULL, is_of_runs)

    @property
    def has_notes(self) -> bool:
        """Whether working notes belong to it."""
        is_chosen = self.tier == Tier.WORKSPACE.value and chosen_in(self.key) == self.key
        return is_chosen or (self.tier == Tier.CONVERSATION.value and not self.is_of_runs)

    @property
    def talk(self) -> ScrubTalk:
        """What was said of it."""
        return ScrubTalk(self.tier, self.key, self.is_of_runs)

    def entry_ids(self, run: Run) -> list[str]:
        """Ids of the named entries that go."""
        if not self.is_full:
            return []
        return [row[0] for row in run(f"SELECT id {_ENTRIES}", self._parameters(run))]

    def noted(self, run: Run) -> list[tuple[str, str, int, str]]:
        """Key, beginning, version and conversation of the working notes that go."""
        return run(_NOTED, self._parameters(run)).fetchall() if self.has_notes else []

    def beside(self, run: Run) -> list[tuple[ScrubKind, str, int, str]]:
        """Kind, id, version and beginning of domains, kept texts and skills that go as well."""
        if self.is_of_runs:
            return []
        parameters = self._parameters(run)
        return [*counted_beside(run, parameters), *skills_beside(run, parameters)]

    def alongside(self, run: Run, entry_ids: Iterable[str]) -> list[tuple[str, str, int]]:
        """Word, id and version of what goes without being counted."""
        parameters = self._parameters(run, entry_ids)
        found = [
            (word, id_, version)
            for word, statement in _ALONGSIDE
            for id_, version in run(statement, parameters).fetchall()
        ]
        return found + [(PAGE_VERSION, id_, 0) for id_ in kept_versions(run, parameters)]

    def are_held(self, run: Run) -> bool:
        """Whether a file holds any of them."""
        if self.is_of_runs or self.talk.are_held(run):
            return self.talk.are_held(run)
        if run(_HELD, self._parameters(run)).fetchone()[0]:
            return True
        if self.beside(run):
            return True
        return self.has_notes and bool(run(_NOTES_HELD, self._parameters(run)).fetchone()[0])

    def texts(self, run: Run) -> Iterator[bytes]:
        """Everything they say, in the bytes in which it is stored, vectors included."""
        parameters = self._parameters(run, self.entry_ids(run))
        for statement in () if self.is_of_runs else _TEXTS:
            yield from _values(run(statement, parameters))
        for found in () if self.is_of_runs else derived_texts(run, parameters):
            yield from _values(found)
        for found in () if self.is_of_runs else known_texts(run, parameters):
            yield from _values(found)
        for found in () if self.is_of_runs else skill_texts(run, parameters):
            yield from _values(found)
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
        parameters = self._parameters(run, self.entry_ids(run))
        rooms = rooms_of(run, parameters["chosen"])
        self.talk.delete(run, changed_seq)  # while the memories tell which it is
        if not self.is_of_runs:
            delete_derived(run, parameters)  # while the memories tell which it is
            delete_known(run, parameters)
            delete_skills(run, parameters)
        for statement in () if self.is_of_runs else _DELETIONS:
            run(statement, parameters)
        if self.has_notes:
            run(_NOTE_DELETION, parameters)
        lend_anew(run, rooms)
        name = BUILT_IN_OF_TIER.get(Tier(self.tier))
        if self.is_full and name is not None:
            (is_there,) = run(
                "SELECT EXISTS (SELECT 1 FROM named_entries WHERE is_built_in = 1)"
            ).fetchone()
            if not is_there:
                body = template_of(name)
                insert_built_in(run, self.tier, name, body, created_at, changed_seq=changed_seq)

    def _parameters(self, run: Run, entries: Iterable[str] = ()) -> dict[str, Any]:
        chosen, quoting = chosen_in(self.key), dict.fromkeys(_QUOTERS, "[]")
        if chosen == self.key:
            holds = self.talk.holding(run)
            for table in ("proposals", "notes") if self.has_notes else ("proposals",):
                found = run(_QUOTERS[table]).fetchall()
                quoters = (row[0] for row in found if holds([json.loads(row[1]), *row[2:]]))
                quoting[table] = json.dumps(list(quoters))
        return {
            "tier": self.tier,
            "key": self.key,
            "is_full": int(self.is_full),
            "entries": json.dumps(list(entries)),
            "chosen": chosen,
            **quoting,
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
