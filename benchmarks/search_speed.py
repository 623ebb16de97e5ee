"""How long a search takes at 10,000 memories and at four times as many.

Beside each: numpy's scan for the nearest 50 and the bare full-text query over the same columns
with the same text and weights, best 400. A new text is compared with embedding it and nothing
else, by the installed model.

    python -m benchmarks.search_speed [--memories 10000] [--questions 150] [--json]
"""

from __future__ import annotations

import tempfile
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.bare_search import BareSearch, resident_matrix
from benchmarks.made_facts import WordVectors, fill, questions
from benchmarks.measuring import Report, Row, cpu_in_turn, options, resident_bytes, wall_in_turn
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryFilter
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.embeddings.following_embedder import select_embedder
from inklings_desktop.storage.finding import SqliteFindView
from inklings_desktop.usecases.search.search_memories import SearchRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.usecases.bundle import Inklings

N_ROOMS = 4
WARM_UP = 20
N_WRITES = 30
HALF = MemoryFilter(importance_min=0.5)


def measure(n_memories: int, n_questions: int) -> Report:
    """One scope key, four of them, and a new text."""
    report = Report("search_speed", settings={"memories": n_memories, "questions": n_questions})
    with tempfile.TemporaryDirectory() as folder:
        alone = one_key(Path(folder, "one"), n_memories, n_questions, report)
        several_keys(Path(folder, "four"), n_memories, n_questions, alone, report)
        new_text(Path(folder, "one"), n_questions, n_memories, report)
    return report


def one_key(root: Path, n_memories: int, n_questions: int, report: Report) -> float:
    """The query's vector known; milliseconds of a hybrid search."""
    vectors = WordVectors()
    with open_inklings(root, embedder=vectors, embed_writes=False) as inklings:
        workspace = inklings.workspaces.create("Measured")
        fill(inklings, ScopeKey.workspace(workspace.id), n_memories, vectors)
    with open_inklings(root, embedder=vectors, embed_writes=False) as inklings:
        scope = ScopeKey.workspace(workspace.id)
        before = resident_bytes()
        asked = questions(n_questions, n_memories)
        warm(inklings, [scope], asked)
        grown = resident_bytes() - before
        matrix = resident_matrix(inklings, [scope], vectors.model_id)
        with closing(BareSearch(database_of(inklings, workspace.id), matrix)) as bare:
            known = vectors.embed(asked)
            spent = cpu_in_turn(
                {
                    "hybrid": [partial(search, inklings, [scope], t) for t in asked],
                    "bare": [partial(bare.both, t, v) for t, v in zip(asked, known, strict=True)],
                }
            )
            spent |= cpu_in_turn(
                {
                    "keyword": [
                        partial(search, inklings, [scope], t, SearchMode.KEYWORD) for t in asked
                    ],
                    "bare words": [partial(bare.by_words, t) for t in asked],
                }
            )
            spent |= cpu_in_turn(
                {
                    "half": [partial(search, inklings, [scope], t, where=HALF) for t in asked],
                    "all": [partial(search, inklings, [scope], t) for t in asked],
                }
            )
            n_bytes = bare.matrix.nbytes
    label = f"hybrid search at {n_memories:,}, vector known"
    report.rows += [
        Row(label, spent["hybrid"], spent["bare"], "ms CPU", "<= 1.5", n_questions),
        Row(
            f"keyword search at {n_memories:,}",
            spent["keyword"],
            spent["bare words"],
            "ms CPU",
            n=n_questions,
        ),
        Row(
            f"hybrid search at {n_memories:,}, among half of them",
            spent["half"],
            spent["all"],
            "ms CPU",
            n=n_questions,
            note="bare is among all",
        ),
        Row(
            f"memory of a searching process, {n_memories:,}",
            grown / 1e6,
            n_bytes / 1e6,
            "MB",
            "<= 3.0",
            note="above its base; bare is the vectors",
        ),
    ]
    return spent["hybrid"]


def several_keys(
    root: Path, n_memories: int, n_questions: int, alone: float, report: Report
) -> None:
    """Four channels of one workspace, searched together by the person."""
    vectors = WordVectors()
    with open_inklings(root, embedder=vectors, embed_writes=False) as inklings:
        workspace = inklings.workspaces.create("Measured")
        scopes = []
        for number in range(N_ROOMS):
            channel = inklings.channels.create(workspace.id, f"room {number}")
            scopes.append(ScopeKey.channel(workspace.id, channel.id))
            fill(inklings, scopes[-1], n_memories, vectors, seed=20 + number)
        every = questions(2 * n_questions + N_WRITES, n_memories, seed=20)
        asked, others = every[:n_questions], every[n_questions:]
        warm(inklings, scopes, others[N_WRITES:])
        know(inklings, every)  # of what is measured the vectors are known, and no word of it kept
        matrix = resident_matrix(inklings, scopes, vectors.model_id)
        with closing(BareSearch(database_of(inklings, workspace.id), matrix)) as bare:
            spent = cpu_in_turn(
                {
                    "hybrid": [partial(search, inklings, scopes, t) for t in asked],
                    "bare": [
                        partial(bare.both, t, v)
                        for t, v in zip(asked, vectors.embed(asked), strict=True)
                    ],
                }
            )
            new = [
                MemoryDraft(scopes[0], f"Fact {number} more of the first room.")
                for number in range(N_WRITES)
            ]
            spent |= cpu_in_turn(
                {
                    "put": [partial(inklings.memories.put, one) for one in new],
                    "changed": [partial(search, inklings, scopes, t) for t in others[:N_WRITES]],
                    "bare of changed": [
                        partial(bare.both, t, v)
                        for t, v in zip(
                            others[:N_WRITES], vectors.embed(others[:N_WRITES]), strict=True
                        )
                    ],
                }
            )
    label = f"hybrid search over {N_ROOMS} x {n_memories:,}"
    report.rows += [
        Row(label, spent["hybrid"], alone, "ms CPU", "<= 3.0", n_questions, "bare is one key"),
        Row(label, spent["hybrid"], spent["bare"], "ms CPU", n=n_questions),
        Row(
            f"{label}, a memory written before each",
            spent["changed"],
            spent["bare of changed"],
            "ms CPU",
            n=N_WRITES,
        ),
    ]


def new_text(root: Path, n_questions: int, n_memories: int, report: Report) -> None:
    """Texts that were never embedded; nothing is measured without a model."""
    model = select_embedder()
    if not model.is_available:
        return
    n_texts = min(n_questions, 60)
    vectors = WordVectors(model.model_id, model.dimension)
    with open_inklings(root, embedder=vectors, embed_writes=False) as inklings:
        (workspace,) = inklings.places.workspaces()
        scope = ScopeKey.workspace(workspace.id)
        with inklings.parts.store.read(workspace.id) as view:
            missing = view.memories.without_vector(model.model_id, n_memories)
        embedded = [
            (memory_id, content, vector)
            for (memory_id, content), vector in zip(
                missing, vectors.embed([content for _, content in missing]), strict=True
            )
        ]
        with inklings.parts.store.write(workspace.id, initiator="benchmark") as unit:
            unit.memories.put_vectors(model.model_id, embedded)
            unit.commit()
    with open_inklings(root, embedder=model, embed_writes=False) as inklings:
        asked = questions(2 * n_texts + WARM_UP, n_memories, seed=7)
        warm(inklings, [scope], asked[:WARM_UP])
        ours, others = asked[WARM_UP : WARM_UP + n_texts], asked[WARM_UP + n_texts :]
        spent = wall_in_turn(
            {
                "search": [partial(search, inklings, [scope], t) for t in ours],
                "embedding": [partial(model.embed, [t]) for t in others],
            }
        )
    report.rows.append(
        Row(
            f"hybrid search at {n_memories:,}, new text",
            spent["search"],
            spent["embedding"],
            "ms wall",
            "<= 1.3",
            n_texts,
            "bare is embedding the text",
        )
    )


def warm(inklings: Inklings, scopes: Sequence[ScopeKey], asked: Sequence[str]) -> None:
    """Ask every question: the side file is made and query vectors are known after it.

    A search only asks for a side file, and what is made for one may be asked for by a later search
    than the second: nothing may be at it still while the next figure is taken.
    """
    for text in asked:
        search(inklings, scopes, text)
        with inklings.parts.store.find(scopes[0].workspace_id) as view:
            assert isinstance(view, SqliteFindView)
            view.wait_for_side_file()


def know(inklings: Inklings, texts: Sequence[str]) -> None:
    """Have these texts embedded and nothing looked for."""
    for text in texts:
        inklings.parts.query_vectors.begin(text).wait()


def search(
    inklings: Inklings,
    scopes: Sequence[ScopeKey],
    text: str,
    mode: SearchMode = SearchMode.HYBRID,
    where: MemoryFilter = EVERYTHING,
) -> None:
    """Ten hits, as the person gets them."""
    request = SearchRequest(text, mode, where=where)
    found = inklings.search.find(scopes, request)
    assert found.hits, f"nothing found for {text}"
    assert found.mode is mode


def database_of(inklings: Inklings, workspace_id: str) -> Path:
    """The file of a workspace."""
    return inklings.data_dir / "workspaces" / workspace_id / "agents.db"


def main() -> None:
    """Measure and print."""
    chosen = options(__doc__, memories=10_000, questions=150).parse_args()
    measure(chosen.memories, chosen.questions).print(as_json=chosen.json)


if __name__ == "__main__":
    main()
