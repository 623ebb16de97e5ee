"""How fast many memories are stored at once, and how much disk they take.

Beside it the same schema filled bare: prepared rows into the same tables in one transaction, the
full-text index made by one rebuild at the end.

    python -m benchmarks.bulk [--memories 10000] [--rounds 3] [--json]
"""

from __future__ import annotations

import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.made_facts import WordVectors, entries, facts
from benchmarks.measuring import Report, Row, options
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.storage.engine.driver import sqlite_module

if TYPE_CHECKING:
    from inklings_desktop.usecases.bundle import Inklings

TABLES = ("memories", "memory_vectors", "memory_search")
STEP = 2_000


def measure(n_memories: int, n_rounds: int) -> Report:
    """Rows per processor second, and bytes per byte stored."""
    report = Report("bulk", settings={"memories": n_memories, "rounds": n_rounds})
    ours, bare, sizes = [], [], []
    for _ in range(n_rounds):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            ours.append(filled(root, n_memories))
            sizes.append(sum(path.stat().st_size for path in root.rglob("*") if path.is_file()))
            bare.append(filled_bare(root, n_memories))
    texts = sum(len(fact.text.encode()) for fact in facts(n_memories))
    vectors = n_memories * WordVectors().dimension * 4
    report.rows += [
        Row(
            f"bulk add of {n_memories:,} with vectors",
            n_memories / statistics.median(ours),
            n_memories / statistics.median(bare),
            "rows/CPU s",
            ">= 0.5",
            n_rounds,
            "bare is the same schema, full text by rebuild",
        ),
        Row(
            f"disk for {n_memories:,}",
            statistics.median(sizes) / 1e6,
            (texts + vectors) / 1e6,
            "MB",
            "<= 2.5",
            n_rounds,
            "bare is texts and vectors; side files counted",
        ),
    ]
    return report


def filled(root: Path, n_memories: int) -> float:
    """Processor seconds of storing them through the product."""
    vectors = WordVectors()
    with open_inklings(root, embedder=vectors, embed_writes=False) as inklings:
        scope = ScopeKey.workspace(inklings.workspaces.create("Measured").id)
        made = list(entries(scope, n_memories))
        matrix = vectors.embed([one.content for one in made])
        begun = time.process_time()
        for start in range(0, n_memories, STEP):
            part = made[start : start + STEP]
            embedded = [
                (one.id, one.content, vector)
                for one, vector in zip(part, matrix[start : start + STEP], strict=True)
            ]
            with inklings.parts.store.write(scope.workspace_id, initiator="benchmark") as unit:
                unit.memories.add(part)
                unit.memories.put_vectors(vectors.model_id, embedded)
                unit.commit()
        return time.process_time() - begun


def filled_bare(root: Path, n_memories: int) -> float:
    """Processor seconds of the same rows, copied into an empty file of the same schema."""
    vectors = WordVectors()
    with open_inklings(root, embedder=vectors, embed_writes=False) as inklings:
        (full,) = inklings.places.workspaces()
        empty = inklings.workspaces.create("Bare")
        rows = {table: rows_of(inklings, full.id, table) for table in TABLES}
        path = inklings.data_dir / "workspaces" / empty.id / "agents.db"
    assert len(rows["memories"]) == n_memories
    with closing(sqlite_module().connect(str(path), isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        for (trigger,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN (?, ?, ?)",
            TABLES,
        ).fetchall():
            connection.execute(f'DROP TRIGGER "{trigger}"')
        begun = time.process_time()
        connection.execute("BEGIN IMMEDIATE")
        for table, values in rows.items():
            marks = ", ".join("?" * len(values[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", values)  # noqa: S608
        connection.execute("INSERT INTO memory_fts(memory_fts) VALUES ('rebuild')")
        connection.execute("COMMIT")
        return time.process_time() - begun


def rows_of(inklings: Inklings, workspace_id: str, table: str) -> list[tuple[Any, ...]]:
    """Every row of a table, as SQLite holds it."""
    path = inklings.data_dir / "workspaces" / workspace_id / "agents.db"
    with closing(sqlite_module().connect(str(path))) as connection:
        rows: list[tuple[Any, ...]] = connection.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608
    return rows


def main() -> None:
    """Measure and print."""
    chosen = options(__doc__, memories=10_000, rounds=3).parse_args()
    measure(chosen.memories, chosen.rounds).print(as_json=chosen.json)


if __name__ == "__main__":
    main()
