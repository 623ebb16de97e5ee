from __future__ import annotations

import pytest

from inklings_desktop.domain.log.events import EventDraft, EventFilter, EventKind
from inklings_desktop.storage.engine.engine import COMPILED
from tests.support.builders import NOON, WORKSPACE_ID
from tests.support.sqlite_store import SqliteWorld, raw

DRAFT = EventDraft(
    EventKind.MEMORY_CREATED,
    "researcher",
    "agent",
    "mcp",
    "workspace",
    WORKSPACE_ID,
    ("id-1", "id-2"),
    {"memories": 2},
)


def append(world: SqliteWorld, times: int) -> None:
    with world.store.write(WORKSPACE_ID, initiator="researcher") as unit:
        for _ in range(times):
            unit.events.append(DRAFT, NOON)
        unit.commit()


def first_broken(world: SqliteWorld, anchor: tuple[int, str] | None = None) -> int | None:
    with world.store.read(WORKSPACE_ID) as view:
        return view.events.first_broken(anchor)


def tamper(world: SqliteWorld, *statements: str) -> None:
    """What somebody could do who drops the triggers first, with another program."""
    with raw(world.path()) as connection:
        for trigger in ("not_edited", "not_deleted"):
            connection.execute(f"DROP TRIGGER events_are_{trigger}")
        for statement in statements:
            connection.execute(statement)


def test_a_search_with_words_keeps_no_compiled_statement(world: SqliteWorld) -> None:
    append(world, 2)
    with world.store.read(WORKSPACE_ID) as view:
        assert len(view.events.latest(10, None, EventFilter(text="researcher"))) == 2
        before = set(COMPILED)
        words = " ".join(f"w{number}" for number in range(60))
        assert view.events.latest(10, None, EventFilter(text=words)) == ()
    assert set(COMPILED) == before


def test_an_untouched_log_is_whole(world: SqliteWorld) -> None:
    assert first_broken(world) is None
    append(world, 3)
    append(world, 2)

    assert first_broken(world) is None


@pytest.mark.parametrize(
    ("statement", "number"),
    [
        ("UPDATE events SET actor = 'Ada' WHERE seq = 2", 2),
        ("UPDATE events SET counts = '{}' WHERE seq = 3", 3),
        ("UPDATE events SET ids = '[]' WHERE seq = 1", 1),
        ("UPDATE events SET at = at + 1 WHERE seq = 4", 4),
        ("DELETE FROM events WHERE seq = 1", 1),
        ("DELETE FROM events WHERE seq = 3", 3),
        ("UPDATE events SET chain_hash = lower(hex(zeroblob(32))) WHERE seq = 2", 2),
    ],
)
def test_tampering_shows_where_it_begins(world: SqliteWorld, statement: str, number: int) -> None:
    append(world, 4)

    tamper(world, statement)

    assert first_broken(world) == number


def test_a_cut_tail_shows_against_the_noted_head(world: SqliteWorld) -> None:
    append(world, 3)
    with world.store.read(WORKSPACE_ID) as view:
        (head,) = view.events.latest(1)
    anchor = (head.number, head.chain_hash)
    append(world, 1)
    assert first_broken(world, anchor) is None

    tamper(world, "DELETE FROM events WHERE seq >= 3")

    assert first_broken(world) is None
    assert first_broken(world, anchor) == 3
    assert first_broken(world, (2, "0" * 64)) == 2


def test_events_hold_ids_and_counts_and_nothing_else(world: SqliteWorld) -> None:
    append(world, 1)

    with raw(world.path()) as connection:
        row = connection.execute("SELECT ids, counts, tier, scope_key FROM events").fetchone()
    assert row == ('["id-1", "id-2"]', '{"memories": 2}', "workspace", WORKSPACE_ID)
