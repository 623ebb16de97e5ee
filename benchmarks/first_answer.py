"""What the first answer of a fresh process costs: by words, and by words and meaning.

Processor seconds of whole processes over 40,000 memories with vectors of the installed model's
size, searched before by another process. Beside the keyword search a process that imports the
driver, opens the file and asks it; beside the hybrid one a process that imports the model's
libraries, loads the model and embeds the question.

    python -m benchmarks.first_answer [--memories 40000] [--runs 5] [--json]
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.cold_start import cpu_seconds
from benchmarks.made_facts import WordVectors, fill, questions
from benchmarks.measuring import Report, Row, options
from benchmarks.search_speed import warm
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.words.query_text import keyword_query
from inklings_desktop.embeddings.following_embedder import select_embedder
from inklings_desktop.storage.search.search_text import match_expression

OURS = """
import sys
from pathlib import Path
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.usecases.search.search_memories import SearchRequest
with open_inklings(Path(sys.argv[1]), embed_writes=False) as inklings:
    request = SearchRequest(sys.argv[3], SearchMode(sys.argv[2]))
    scope = ScopeKey.workspace(inklings.workspace.id)
    assert inklings.search.find([scope], request).hits
"""
BARE_KEYWORD = """
import sys
from inklings_desktop.storage.engine.driver import sqlite_module
connection = sqlite_module().connect(sys.argv[1])
assert connection.execute(
    "SELECT rowid, rank FROM memory_fts WHERE memory_fts MATCH ? ORDER BY rank LIMIT 400",
    (sys.argv[2],),
).fetchall()
"""
BARE_MODEL = """
import sys
from inklings_desktop.embeddings.following_embedder import select_embedder
assert len(select_embedder().embed([sys.argv[1]])) == 1
"""


def measure(n_memories: int, n_runs: int) -> Report:
    """Both first answers; the hybrid one only where there is a model."""
    report = Report("first_answer", settings={"memories": n_memories, "runs": n_runs})
    model = select_embedder()
    vectors = WordVectors(model.model_id)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as bytecode:
        root = Path(folder)
        with open_inklings(root, embedder=vectors, embed_writes=False) as inklings:
            workspace = inklings.workspaces.create("Measured")
            fill(inklings, ScopeKey.workspace(workspace.id), n_memories, vectors)
            path = str(inklings.data_dir / "workspaces" / workspace.id / "agents.db")
            (question,) = questions(1, 1_000)
            # As any program leaves it that was searched before.
            warm(inklings, [ScopeKey.workspace(workspace.id)], [question] * 2)
        match = match_expression(keyword_query(question)) or ""
        programs = {
            "keyword": [OURS, folder, "keyword", question],
            "bare keyword": [BARE_KEYWORD, path, match],
        }
        if model.is_available:
            programs |= {
                "hybrid": [OURS, folder, "hybrid", question],
                "bare model": [BARE_MODEL, question],
            }
        cpu: dict[str, list[float]] = {name: [] for name in programs}
        wall: dict[str, list[float]] = {name: [] for name in programs}
        for round_ in range(n_runs + 1):
            for name, arguments in programs.items():
                begun = time.perf_counter()
                spent = cpu_seconds(arguments, Path(bytecode))
                if round_:  # the first round fills the disk's cache and compiles the modules
                    cpu[name].append(spent)
                    wall[name].append(time.perf_counter() - begun)
    at = f"at {n_memories:,}"
    for label, ours, bare in (
        ("keyword answer", "keyword", "bare keyword"),
        ("hybrid answer", "hybrid", "bare model"),
    ):
        if ours in cpu:
            for unit, spent_on in (("s CPU", cpu), ("s wall", wall)):
                row = Row(
                    f"first {label} of a process {at}",
                    statistics.median(spent_on[ours]),
                    statistics.median(spent_on[bare]),
                    unit,
                    n=n_runs,
                )
                report.rows.append(row)
    return report


def main() -> None:
    """Measure and print."""
    chosen = options(__doc__, memories=40_000, runs=5).parse_args()
    measure(chosen.memories, chosen.runs).print(as_json=chosen.json)


if __name__ == "__main__":
    main()
