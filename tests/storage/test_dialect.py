from __future__ import annotations

from sqlalchemy import select

from inklings_desktop.storage.engine.engine import COMPILED, STATEMENTS_KEPT, SharedDialect
from inklings_desktop.storage.engine.ways_in import open_engines
from inklings_desktop.storage.schema.tables import meta
from tests.support.builders import OTHER_WORKSPACE_ID, WORKSPACE_ID
from tests.support.sqlite_store import SqliteWorld


def test_a_statement_is_compiled_once_for_all_engines_of_all_files(world: SqliteWorld) -> None:
    statement = select(meta.c.change_seq.label("asked_by_nobody_else"))
    before = set(COMPILED)
    answers = []
    for workspace_id in (WORKSPACE_ID, OTHER_WORKSPACE_ID):
        engines = open_engines(world.path(workspace_id))
        for engine in (engines.read, engines.relaxed, engines.durable):
            with engine.connect() as connection:
                answers.append(connection.scalar(statement))
        engines.dispose()
    assert answers == [answers[0]] * 6
    assert len(set(COMPILED) - before) == 1  # what was kept for long may have made room


def test_what_is_kept_of_them_has_a_bound(world: SqliteWorld) -> None:
    engines = open_engines(world.path())
    with engines.read.connect() as connection:
        for number in range(2 * STATEMENTS_KEPT):
            connection.execute(select(meta.c.change_seq.label(f"name_{number}")))
    engines.dispose()
    assert STATEMENTS_KEPT <= len(COMPILED) <= STATEMENTS_KEPT * 3 // 2


def test_a_dialect_is_like_its_own_kind_only() -> None:
    assert SharedDialect() == SharedDialect()
    assert SharedDialect() != object()
