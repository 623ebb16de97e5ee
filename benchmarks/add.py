"""What one durable add costs, beside a bare write to the disk and a bare INSERT.

The person's put through the use case, into a tier that holds memories already. Elapsed time is
compared with writing 4 KiB and ``fdatasync``; processor time with one INSERT and its full-text row
in a transaction of its own, in a table of as many rows. The tier is not full: an add at the cap
has to forget another memory and to write that down.

    python -m benchmarks.add [--memories 9000] [--adds 200] [--json]
"""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.made_facts import WordVectors, facts, fill
from benchmarks.measuring import Report, Row, in_turn, medians, options
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.storage.engine.driver import sqlite_module

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

BLOCK = bytes(4096)
BARE_SCHEMA = """
CREATE TABLE memories(sequence INTEGER PRIMARY KEY, id TEXT UNIQUE, content TEXT, tags TEXT);
CREATE VIRTUAL TABLE found USING fts5(
    body, subject, context,
    tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co So'"
);
"""


def measure(n_memories: int, n_adds: int) -> Report:
    """Elapsed and processor time of one add."""
    report = Report("add", settings={"memories": n_memories, "adds": n_adds})
    every = [fact.text for fact in facts(n_memories + n_adds)]
    before, texts = every[:n_memories], every[n_memories:]
    vectors = WordVectors()
    with (
        tempfile.TemporaryDirectory() as folder,
        open_inklings(Path(folder, "root"), embedder=vectors, embed_writes=False) as inklings,
        closing(
            sqlite_module().connect(str(Path(folder, "bare.db")), isolation_level=None)
        ) as bare,
    ):
        scope = ScopeKey.workspace(inklings.workspaces.create("Measured").id)
        fill(inklings, scope, n_memories, vectors)
        bare.executescript(BARE_SCHEMA)
        bare.execute("PRAGMA journal_mode = WAL")
        bare.execute("PRAGMA synchronous = FULL")
        bare.execute("BEGIN")
        for number, text in enumerate(before, start=1):
            add_row(bare, number, text)
        bare.execute("COMMIT")
        stream = os.open(Path(folder, "block"), os.O_CREAT | os.O_WRONLY | os.O_APPEND)

        def put(text: str) -> Callable[[], object]:
            return lambda: inklings.memories.put(MemoryDraft(scope, text))

        def inserted(number: int, text: str) -> Callable[[], object]:
            return lambda: insert(bare, number, text)

        ways: dict[str, list[Callable[[], object]]] = {
            "put": [put(text) for text in texts],
            "write": [lambda: write(stream)] * n_adds,
            "insert": [
                inserted(number, text) for number, text in enumerate(texts, start=n_memories + 1)
            ],
        }
        half = {name: calls[: n_adds // 2] for name, calls in ways.items()}
        rest = {name: calls[n_adds // 2 :] for name, calls in ways.items()}
        wall = medians(in_turn(half, clock=time.perf_counter))
        cpu = medians(in_turn(rest, clock=time.process_time))
        os.close(stream)
    n = n_adds // 2
    report.rows += [
        Row(
            f"one durable add at {n_memories:,}",
            wall["put"],
            wall["write"],
            "ms wall",
            "<= 1.3",
            n,
            "bare is write and fdatasync",
        ),
        Row(
            f"one durable add at {n_memories:,}",
            cpu["put"],
            cpu["insert"],
            "ms CPU",
            "<= 6.0",
            n,
            "bare is one INSERT with full text",
        ),
    ]
    return report


def write(stream: int) -> None:
    """The least that durable means."""
    os.write(stream, BLOCK)
    if hasattr(os, "fdatasync"):
        os.fdatasync(stream)
    else:
        os.fsync(stream)


def insert(connection: sqlite3.Connection, number: int, text: str) -> None:
    """One row and its full-text row, committed."""
    connection.execute("BEGIN IMMEDIATE")
    add_row(connection, number, text)
    connection.execute("COMMIT")


def add_row(connection: sqlite3.Connection, number: int, text: str) -> None:
    """The same inside a transaction."""
    connection.execute("INSERT INTO memories VALUES (?, ?, ?, '[]')", (number, f"id{number}", text))
    connection.execute("INSERT INTO found(rowid, body) VALUES (?, ?)", (number, text))


def main() -> None:
    """Measure and print."""
    chosen = options(__doc__, memories=9_000, adds=200).parse_args()
    measure(chosen.memories, chosen.adds).print(as_json=chosen.json)


if __name__ == "__main__":
    main()
