"""Search at 100,000 and at a million memories of one scope key, beside the bare operations.

A million rows take some 6 GB of memory, 3 GB of disk and several minutes to fill.

    python -m benchmarks.scale [--sizes 100000 1000000] [--questions 40] [--json]
"""

from __future__ import annotations

import tempfile
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.bare_search import BareSearch, resident_matrix
from benchmarks.made_facts import WordVectors, fill, questions
from benchmarks.measuring import Report, Row, cpu_in_turn, options, resident_bytes
from benchmarks.search_speed import database_of, search, warm
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import ScopeKey

if TYPE_CHECKING:
    from collections.abc import Sequence

WITH_GOAL = 100_000


def measure(sizes: Sequence[int], n_questions: int) -> Report:
    """Hybrid search, the first one after opening, and memory, at each size."""
    report = Report("scale", settings={"sizes": list(sizes), "questions": n_questions})
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            at_size(Path(folder), size, n_questions, report)
    return report


def at_size(root: Path, size: int, n_questions: int, report: Report) -> None:
    """One size; a goal holds at 100,000."""
    vectors = WordVectors()
    with open_inklings(root, embedder=vectors, embed_writes=False) as inklings:
        workspace = inklings.workspaces.create("Measured")
        scope = ScopeKey.workspace(workspace.id)
        fill(inklings, scope, size, vectors)
    with open_inklings(root, embedder=vectors, embed_writes=False) as inklings:
        asked = questions(n_questions, min(size, WITH_GOAL))
        known = vectors.embed(asked)
        before = resident_bytes()
        begun = time.process_time()
        search(inklings, [scope], asked[0])
        first = (time.process_time() - begun) * 1000
        warm(inklings, [scope], asked)
        grown = resident_bytes() - before
        matrix = resident_matrix(inklings, [scope], vectors.model_id)
        with closing(BareSearch(database_of(inklings, workspace.id), matrix)) as bare:
            spent = cpu_in_turn(
                {
                    "hybrid": [partial(search, inklings, [scope], t) for t in asked],
                    "bare": [partial(bare.both, t, v) for t, v in zip(asked, known, strict=True)],
                }
            )
    goal = "<= 1.5" if size == WITH_GOAL else ""
    memory_goal = "<= 3.0" if size == WITH_GOAL else ""
    report.rows += [
        Row(
            f"hybrid search at {size:,}", spent["hybrid"], spent["bare"], "ms CPU", goal, len(asked)
        ),
        Row(f"first hybrid search at {size:,}", first, None, "ms CPU", note="reads every vector"),
        Row(
            f"memory of a searching process, {size:,}",
            grown / 1e6,
            matrix.nbytes / 1e6,
            "MB",
            memory_goal,
            note="above its base; bare is the vectors",
        ),
    ]


def main() -> None:
    """Measure and print."""
    parser = options(__doc__, questions=40)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 1_000_000])
    chosen = parser.parse_args()
    measure(chosen.sizes, chosen.questions).print(as_json=chosen.json)


if __name__ == "__main__":
    main()
