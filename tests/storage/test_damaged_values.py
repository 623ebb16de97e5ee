"""Whatever single value of a file is damaged, the rest is read, and the check names the row.

Damage is met value by value, in every column of text of every table of both kinds of file; the
usual run damages one value of each table at once.
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

import pytest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action, Caller, CallerKind, Door, Grant
from inklings_desktop.domain.errors import DatabaseCorruptError, ForeignDatabaseError
from inklings_desktop.domain.log.backup import FindingKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.usecases.rooms.orient import OrientationRequest
from inklings_desktop.usecases.search.search_memories import SearchRequest
from inklings_desktop.usecases.steps.reading_on import read_on
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.support.builders import NOON
from tests.support.damaging import NO_TEXT, spoil
from tests.support.full_world import AT, FILES, SOUND, FullWorld, make_full_world
from tests.support.sqlite_store import raw

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from inklings_desktop.domain.errors import StorageError
    from inklings_desktop.domain.memory import MemoryEntry
    from inklings_desktop.usecases.bundle import Inklings

    Looks = Mapping[str, Callable[[], Iterable[object]]]

BYTES = f"CAST(x'{NO_TEXT.hex()}' AS TEXT)"
WORD = "'Gulls'"
"""No word of the program's and no JSON."""
ANY_WORD = frozenset({
    "agent_id", "body", "changed_by", "channel_id", "client", "content", "context",
    "conversation_id", "description", "door", "entry_id", "first", "holder", "id", "import_id",
    "key", "memory_id", "model_id", "name_key", "note", "path", "problem", "question", "query",
    "reason", "run_id",
    "saved_by", "second", "since_run", "source", "subject", "target", "target_id", "target_name",
    "activity_id", "argument_digest", "channel", "checkpoint_id", "currency", "model", "node", "ns",
    "parent_id", "process", "provider", "source_digest", "task_id", "thread_id", "tool", "turn",
    "title", "trigger", "workspace_id", "written_by",
    "block_id", "decided_by", "folder_id", "heading", "installation", "now_text", "own_id",
    "proposal_id", "text", "agent", "part", "topic_key", "created_by",
    "skill_id", "forked_from", "source_hash", "input", "output", "prompt", "timezone",
})  # fmt: skip
"""Columns in which such a word may stand, so that nothing is wrong with it."""
ANY_WORD_OF = frozenset({
    "channels.name", "clients.name", "conversation_participants.client", "exports.scope",
    "leases.name", "memories.source_conversation", "memory_tokens.space", "proposals.scope_key",
    "run_steps.successor_id", "saved_filters.name", "saved_filters.scope_key",
    "scrub_requests.scope_key", "tag_tokens.space", "tag_tokens.tag", "task_states.scope_key",
    "world_folders.name", "domains.name", "role_grants.domain_id",
    "scheduled_activities.name",
})  # fmt: skip
DERIVED = {
    "memory_search": {FindingKind.SEARCH_ROWS, FindingKind.FULL_TEXT, FindingKind.TEXT},
    "scope_counts": {FindingKind.COUNTS, FindingKind.TEXT},
    "events": {FindingKind.EVENT_CHAIN},
}
"""What a check may say instead of tables that say themselves that something is wrong."""
BATCHES = 4
SEARCHED = "memory_search"


class Damage(NamedTuple):
    """One value of the first row of a table."""

    kind: str
    table: str
    column: str
    value: str

    @property
    def statement(self) -> str:
        first = f'(SELECT min(rowid) FROM "{self.table}")'  # noqa: S608 - names of the schema
        return f'UPDATE "{self.table}" SET "{self.column}" = {self.value} WHERE rowid = {first}'  # noqa: S608


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> FullWorld:
    return make_full_world(tmp_path_factory.mktemp("full") / "root")


def opened(world: FullWorld) -> AbstractContextManager[Inklings]:
    return open_inklings(
        world.root,
        embedder=NullEmbedder("none"),
        embed_writes=False,
        workspace=world.workspace_id,
    )


def copied(built: FullWorld, folder: Path) -> FullWorld:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(built.root, folder)
    return FullWorld(folder, built.workspace_id)


def damages(world: FullWorld) -> Iterator[Damage]:
    """Every value but those by which a file is known."""
    for kind in FILES:
        with raw(world.path(kind)) as connection:
            for table, column in _text_columns(connection):
                if table in {"meta", "purges"}:
                    continue
                yield Damage(kind, table, column, BYTES)
                if column not in ANY_WORD and f"{table}.{column}" not in ANY_WORD_OF:
                    yield Damage(kind, table, column, WORD)


def _text_columns(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    ask = connection.execute
    tables = ask(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE"
        " '\\' AND name NOT LIKE 'memory\\_fts%' ESCAPE '\\' ORDER BY name"
    ).fetchall()
    for (table,) in tables:
        for _, column, kind, *_ in ask(f'PRAGMA table_info("{table}")').fetchall():
            if kind == "TEXT":
                yield table, column


def one_of_each_table(found: Iterable[Damage]) -> list[tuple[Damage, ...]]:
    """Batches that damage every table at once, so that few of them hold all.

    The rows of the search are taken by themselves: to set a memory aside changes its row, and
    with two damages at once the index is at odds with it.
    """
    by_table = defaultdict(list)
    for one in found:
        by_table[one.kind, one.table].append(one)
    searched = [by_table.pop((kind, SEARCHED)) for kind in FILES]
    batches = [*zip_longest(*by_table.values()), *zip(*searched, strict=True)]
    return [tuple(one for one in batch if one is not None) for batch in batches]


def looks(inklings: Inklings, world: FullWorld, out: Path) -> Looks:
    """What a person or an agent asks, each as labels of what it gives."""
    me, place = inklings.caller, world.workspace_id
    reading = frozenset({Action.READ})
    grants = (
        Grant(Tier.WORKSPACE, place, reading),
        Grant(Tier.CHANNEL, place, reading),
        Grant(Tier.CONVERSATION, place, reading),
        Grant(Tier.ACCOUNT, None, reading),
    )
    agent = Caller(CallerKind.AGENT, "loom", Door.MCP, grants)
    ask = SearchRequest("keep")

    def channels() -> list[ScopeKey]:
        return [
            ScopeKey.channel(place, one.id) for one in inklings.as_caller(me).places.channels(place)
        ]

    def talks() -> list[ScopeKey]:
        found = inklings.as_caller(me).places.conversations(place)
        return [ScopeKey.conversation(place, one.id) for one in found]

    found: dict[str, Callable[[], Iterable[object]]] = {
        "rooms": lambda: [one.name for one in inklings.places.channels(place)],
        "talks": lambda: [one.title for one in inklings.places.conversations(place)],
        "notes": lambda: [one.key for one in inklings.notes.list(talks())],
        "in rooms": lambda: _contents(inklings.listing.browse(channels()).entries),
        "in talks": lambda: _contents(inklings.listing.browse(talks()).entries),
        "filters": lambda: [one.name for one in inklings.search.filters(place)],
        "standing": lambda: [
            one.name for one in inklings.as_caller(agent).entries.standing_slice(place)
        ],
        "orient": lambda: [
            inklings.as_caller(agent)
            .orientation.orient(OrientationRequest(place, query="keep"))
            .budget
        ],
        "admit": lambda: [inklings.clients.admit("loom", place).name],
        "clients": lambda: [one.client.name for one in inklings.clients.list()],
        "overview": lambda: [one.tier for one in inklings.search.tiers(place)],
        "worth a look": lambda: [type(inklings.search.worth_a_look(place))],
        "news": lambda: [type(inklings.search.recent_changes(place, NOON))],
        "silent": lambda: [type(inklings.conversations.list_silent(place))],
        "requests": lambda: [one.id for one in inklings.scrub.requests()],
        "purges": inklings.scrub.pending,
        "logs": lambda: [one.workspace_id for one in inklings.log.verify()],
        "survey": lambda: [type(one) for one in inklings.workspaces.survey()],
    }
    for file, scope in ((place, ScopeKey.workspace(place)), (None, ScopeKey.account())):
        found |= _looks_into(inklings, file, scope, agent, ask, out)
    return found


def _looks_into(
    inklings: Inklings,
    file: str | None,
    scope: ScopeKey,
    agent: Caller,
    ask: SearchRequest,
    out: Path,
) -> Looks:
    me, wanted = inklings.caller, ExportRequest(workspaces=(file,))

    def runs() -> list[object]:
        return [one.id for one in inklings.as_caller(me).consolidation.list(file)]

    def shown() -> list[object]:
        whole = [one for one in inklings.as_caller(me).entries.list(file) if not one.is_unreadable]
        return [
            (one.name, inklings.as_caller(me).entries.show_revision(one.ref, head.number).number)
            for one in whole
            for head in inklings.as_caller(me).entries.show(one.ref).revisions
        ]

    def whole_memories() -> list[object]:
        entries = inklings.as_caller(me).listing.browse([scope]).entries
        whole = [one for one in entries if not one.is_unreadable]
        assert all(inklings.as_caller(me).listing.show(one.ref).entry == one for one in whole)
        return _contents(whole)

    found: Looks = {
        "list": lambda: _contents(inklings.listing.browse([scope]).entries),
        "shown": whole_memories,
        "search": lambda: _hits(inklings, me, scope, ask),
        "agent's search": lambda: _hits(inklings, agent, scope, ask),
        "set aside": lambda: [type(inklings.search.find_set_aside([scope], ask))],
        "exports": lambda: [one.path for one in inklings.transfer.list_exports(scope)],
        "doubles": lambda: [type(inklings.search.likely_duplicates([scope]))],
        "scrub": lambda: [type(inklings.scrub.preview(scope, ScrubMode.FULL))],
        "plan": lambda: [type(inklings.consolidation.preview(scope))],
        "export": lambda: [type(inklings.transfer.export(wanted, out))],
        "events": lambda: [
            one.event.number for one in inklings.log.describe(file, inklings.log.list(file))
        ],
        "facets": lambda: [type(inklings.log.facets(file))],
        "entries": lambda: [one.name for one in inklings.entries.list(file)],
        "entry": shown,
        "drafts": lambda: [one.entry_id for one in inklings.drafts.find(file)],
        "typings": lambda: [one.memory_id for one in inklings.drafts.find_typings(file)],
        "proposals": lambda: [one.id for one in inklings.proposals.list(file)],
        "golden": lambda: [one.question for one in inklings.golden.list(file)],
        "asked": lambda: [type(inklings.golden.ask(file))],
        "runs": runs,
        "imports": lambda: [one.id for one in inklings.transfer.list_imports(file)],
        "tasks": lambda: [type(one) for one in inklings.tasks.look(file)],
        "backup": lambda: [type(inklings.keeping.create_backup(file))],
    }
    return {f"{scope.tier} {name}": look for name, look in found.items()}


def _contents(entries: Iterable[MemoryEntry]) -> list[object]:
    return [one.content for one in entries]


def _hits(inklings: Inklings, who: Caller, scope: ScopeKey, ask: SearchRequest) -> list[object]:
    hits = inklings.as_caller(who).search.find([scope], ask).hits
    assert not any(one.entry.is_unreadable for one in hits)
    return [one.entry.content for one in hits]


def answers(world: FullWorld, out: Path) -> dict[str, set[object]]:
    """What every look gives; none may fail."""
    with opened(world) as inklings:
        return {name: set(read_on(look)) for name, look in looks(inklings, world, out).items()}


def unnamed(world: FullWorld, batch: Sequence[Damage]) -> list[Damage]:
    """Damages of which a check says nothing."""
    with opened(world) as inklings:
        findings = read_on(inklings.keeping.check_data).findings
    texts = [one.detail.split() for one in findings if one.kind is FindingKind.TEXT]
    said = {one.kind for one in findings}
    return [
        one
        for one in batch
        if not any(line[0] == one.table and one.column in line[1:] for line in texts)
        and not DERIVED.get(one.table, set()) & said
    ]


@pytest.mark.endurance
def test_one_damaged_value_takes_nothing_else_with_it(
    built: FullWorld, tmp_path: Path, reduced_or_full: Callable[[int, int], int]
) -> None:
    every = list(damages(built))
    batches = one_of_each_table(every)
    few = batches[:: -(-len(batches) // BATCHES)]
    is_full = bool(reduced_or_full(0, 1))
    sound = answers(copied(built, tmp_path / "sound"), tmp_path / "sound.json")
    for batch in [(one,) for one in every] if is_full else few:
        world = copied(built, tmp_path / "damaged")
        for one in batch:
            spoil(world.path(one.kind), one.statement)
        found = answers(world, tmp_path / "damaged.json")
        for name, labels in sound.items():
            assert len(labels - found[name]) <= len(batch), (name, batch)
        for tier in FILES:
            for look in ("list", "shown", "search", "agent's search"):
                assert SOUND in found[f"{tier} {look}"], (look, batch)
        assert unnamed(world, batch) == []


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize(
    ("change", "refused"),
    [
        (f"kind = {WORD}", DatabaseCorruptError),
        (f"kind = {BYTES}", DatabaseCorruptError),
        (f"workspace_id = {BYTES}", DatabaseCorruptError),
        (f"workspace_id = {WORD}", ForeignDatabaseError),
    ],
)
def test_a_file_of_which_nobody_knows_whose_it_is_is_refused_by_name(
    built: FullWorld, tmp_path: Path, kind: str, change: str, refused: type[StorageError]
) -> None:
    world = copied(built, tmp_path / "damaged")
    spoil(world.path(kind), f"UPDATE meta SET {change}")  # noqa: S608 - constants
    if kind == "account":  # without which nothing opens
        with pytest.raises(refused) as caught:
            opened(world).__enter__()
    else:
        with opened(world) as inklings:
            scope = ScopeKey.workspace(world.workspace_id)
            with pytest.raises(refused) as caught:
                inklings.listing.browse([scope])
            found = inklings.keeping.check_data().findings
            account = inklings.listing.browse([ScopeKey.account()])
        assert FindingKind.UNREADABLE in {one.kind for one in found}
        assert SOUND in _contents(account.entries)
    assert caught.value.path == world.path(kind)


@pytest.mark.parametrize("column", ["state", "tier", "scope_key", "mode", "rewritten", "deleted"])
def test_a_purge_that_nobody_can_read_stays_open_and_is_named(
    built: FullWorld, tmp_path: Path, column: str
) -> None:
    world = copied(built, tmp_path / "damaged")
    place = world.workspace_id
    values = f"1, 'removed', 'workspace', '{place}', 'full', {AT}, 1, x'00', x'', '[]', '[]'"
    spoil(
        world.path("workspace"),
        f"INSERT INTO purges VALUES ({values})",  # noqa: S608 - constants
        f"UPDATE purges SET {column} = {BYTES}",  # noqa: S608 - constants
    )
    with opened(world) as inklings:
        inklings.scrub.pending()
        assert inklings.scrub.resume() == ()
        listed = read_on(lambda: inklings.listing.browse([ScopeKey.workspace(place)]))
        findings = inklings.keeping.check_data().findings
    assert SOUND in _contents(listed.entries)
    assert f"purges 1 {column}" in [one.detail for one in findings]
    assert FindingKind.PURGE in {one.kind for one in findings}
