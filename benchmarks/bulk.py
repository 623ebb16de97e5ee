"""How fast many memories are stored at once, and how much disk they take.

Beside it the same schema filled bare: prepared rows into the same tables in one transaction, the
full-text index made by one rebuild at the end. Disk is measured without the words that a search
compares one by one, and with them: as many as the built-in model's vocabulary cuts a text into.

    python -m benchmarks.bulk [--memories 10000] [--rounds 3] [--json]
"""

from __future__ import annotations

import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.made_facts import WordVectors, entries, facts
from benchmarks.measuring import Report, Row, options
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.search.late_interaction import DIMENSION, kept_words
from inklings_desktop.embeddings.models import find_built_in_model
from inklings_desktop.embeddings.onnx_embedder import OnnxEmbedder, telling
from inklings_desktop.storage.engine.driver import sqlite_module

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.usecases.bundle import Inklings

TABLES = ("memories", "memory_vectors", "memory_search")
STEP = 2_000
BACKFILLED = 50


def measure(n_memories: int, n_rounds: int) -> Report:
    """Rows per processor second, and bytes per byte stored."""
    report = Report("bulk", settings={"memories": n_memories, "rounds": n_rounds})
    ours, bare, sizes, with_words = [], [], [], []
    for _ in range(n_rounds):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            ours.append(filled(root, n_memories))
            sizes.append(size_of(root))
            bare.append(filled_bare(root, n_memories))
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            filled(root, n_memories)
            add_words(root)
            with_words.append(size_of(root))
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
        *(
            Row(
                f"disk for {n_memories:,}{which}",
                statistics.median(taken) / 1e6,
                (texts + vectors) / 1e6,
                "MB",
                goal,
                n_rounds,
                "bare is texts and vectors; side files counted",
            )
            for which, taken, goal in (
                ("", sizes, "<= 2.1"),
                (", with words", with_words, "<= 2.3"),
            )
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


def size_of(root: Path) -> int:
    """Bytes of every file."""
    return sum(path.stat().st_size for path in root.rglob("*") if path.is_file())


def add_words(root: Path) -> None:
    """Give every memory and tag words, fifty memories to a commit as the backfill does."""
    space, words = OnnxEmbedder(find_built_in_model()).token_space, made_words()
    with open_inklings(root, embedder=WordVectors(), embed_writes=False) as inklings:
        (workspace,) = inklings.places.workspaces()
        store = inklings.parts.store
        while True:
            with store.read(workspace.id) as view:
                missing = view.tokens.without(space, BACKFILLED)
                tags = view.tokens.tags_without(space, BACKFILLED)
            if not missing and not tags:
                return
            with store.write(workspace.id, initiator="benchmark") as unit:
                unit.tokens.put(space, [(id_, text, words(text)) for id_, text in missing])
                unit.tokens.put_tags(space, {tag: words(tag) for tag in tags})
                unit.commit()


def made_words() -> Callable[[str], bytes]:
    """Gives as many words of a text as its model would keep, of any direction."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(find_built_in_model().tokenizer.path))
    tokenizer.no_padding()
    tells = telling(tokenizer.get_vocab())
    dice = np.random.default_rng(7)

    def words(text: str) -> bytes:
        n_words = int(tells[tokenizer.encode(text).ids].sum())
        rows = dice.standard_normal((n_words, DIMENSION), np.float32)
        return kept_words(rows / np.linalg.norm(rows, axis=1, keepdims=True))

    return words


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
