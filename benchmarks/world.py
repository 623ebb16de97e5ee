"""Pages of a world: reading, looking again, finding, and what memory asks of them.

The text is invented, with words as often as in a language. Beside every path stands what it cannot
do without; where a row has a bound alone, the bound stands in its place.

    python -m benchmarks.world [--pages 5000] [--questions 100] [--json]
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.made_facts import WordVectors
from benchmarks.measuring import Report, Row, cpu_in_turn, options, resident_bytes
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.likeness.rewording import names_in
from inklings_desktop.domain.memory import Derivation, MemoryDraft, ScopeKey
from inklings_desktop.domain.words.query_text import keyword_query
from inklings_desktop.domain.world.contradiction import contradicts
from inklings_desktop.domain.world.derivable import words_to_find
from inklings_desktop.domain.world.finding import WorldQuery
from inklings_desktop.storage.engine.driver import sqlite_module
from inklings_desktop.storage.schema.marks import TOKENIZE
from inklings_desktop.storage.search.search_text import match_expression
from inklings_desktop.usecases.ports.world import PageMeaning
from inklings_desktop.usecases.steps.repeats import repeat_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.world.pages import FileStamp
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.world import WorldIndex

N_WORDS, N_COMMON, N_BEFORE_CANCEL, N_AGAIN = 20_000, 300, 400, 15
MIB = 1024 * 1024
SYLLABLES = "ka ro mi sel tun vey dor a nis lu har pem os tri wen gal".split()  # noqa: SIM905
FTS = f"CREATE VIRTUAL TABLE f USING fts5(body, content='', {TOKENIZE})"
BLOCKS = "CREATE TABLE b (id INTEGER PRIMARY KEY, page, place, heading, text)"
PUT, PUT_BLOCK = "INSERT INTO f (body) VALUES (?)", "INSERT INTO b VALUES (NULL, 1, ?, ?, ?)"
BEST = "SELECT rowid FROM passage_fts WHERE passage_fts MATCH ? ORDER BY rank LIMIT 100"


class Author:
    """Writes pages of some 3 KB, the same ones every time."""

    def __init__(self) -> None:
        self._dice = random.Random(7)
        made = {"".join(self._dice.choices(SYLLABLES, k=1 + n % 4)): 0 for n in range(60_000)}
        self._words = list(made)[:N_WORDS]
        self._weights = [1 / n for n in range(1, len(self._words) + 1)]

    def words(self, n: int, least: int = 0) -> str:
        """So many words; ``least`` leaves out the commonest ones."""
        return " ".join(self._dice.choices(self._words[least:], self._weights[least:], k=n))

    def page(self, number: int) -> str:
        """A page with front matter, headings and links."""
        lines = [f"---\nstatus: canon\ntags: [t{number % 9}]\n---\n# Page {number}"]
        for place in range(8):
            lines += [f"## {self.words(2).title()}"] if place % 3 == 2 else []
            lines.append(f"{self.words(43).capitalize()}, see [[Page {number // 2}]].")
        return "\n\n".join(lines) + "\n"


class Bench:
    """A linked folder in an open data root."""

    def __init__(self, inklings: Inklings, root: Path, vectors: WordVectors) -> None:
        self.inklings, self.root, self.vectors = inklings, root, vectors
        self.place = inklings.workspaces.create("Measured").id
        self.index: WorldIndex = inklings.parts.adapters().world_indexes.of(self.place)
        self.database = inklings.data_dir / "workspaces" / self.place / "world.db"
        self.report, self.author = Report("world"), Author()
        inklings.world.link(self.place, root)

    def note(self, path: str, ours: float, bare: float, unit: str, goal: str, note: str) -> None:
        """Keep a figure."""
        self.report.rows.append(Row(path, ours, bare, unit, goal, note=note))

    def read(self) -> None:
        """Every page, from nothing: cancelled first, then to the end, then with FTS5 alone."""
        base, peak, begun = resident_bytes(), 0, 0.0

        def heard(done: int, _total: int) -> None:
            nonlocal begun, peak
            peak = max(peak, resident_bytes())
            begun = begun or (time.perf_counter() if done >= N_BEFORE_CANCEL else 0.0)

        world = self.inklings.world
        world.look(self.place, report=heard, goes_on=lambda: not begun)
        cancelled = (time.perf_counter() - begun) * 1000
        cpu = time.process_time()
        world.rebuild(self.place, report=heard)
        cpu = time.process_time() - cpu
        grown, size = (peak - base) / MIB, self.database.stat().st_size / MIB
        n_bytes = sum(one.stat().st_size for one in self.root.rglob("*.md")) / MIB
        texts = [(text,) for _, text in self.index.without_vector("none", 10_000_000)]
        bare = time.process_time()
        with closing(sqlite_module().connect(self.root.with_name("bare.db"))) as connection:
            connection.execute(FTS)
            connection.executemany(PUT, texts)
            connection.commit()
        bare = time.process_time() - bare
        of = f"words of {n_bytes:.1f} MiB, {len(texts):,} passages, searchable"
        self.note(of, cpu, bare, "s cpu", "<= 10", "bare is FTS5 with the same texts")
        self.note("disk without vectors", size, n_bytes, "MiB", "<= 3.5", "bare is the Markdown")
        self.note("memory above base while reading", grown, 60, "MiB", "<= 1", "bound")
        self.note("from cancelling to the end", cancelled, 500, "ms wall", "<= 1", "bound")

    def look_again(self) -> None:
        """A look that finds nothing new, and ``os.scandir`` with a status of every file."""

        def walked(folder: str) -> None:
            for one in os.scandir(folder):
                is_folder = one.is_dir(follow_symlinks=False)
                walked(one.path) if is_folder else one.stat(follow_symlinks=False)

        look = partial(self.inklings.world.look, self.place)
        look()
        bare = partial(walked, str(self.root))
        spent = cpu_in_turn({"ours": [look] * N_AGAIN, "bare": [bare] * N_AGAIN})
        self.note("nothing changed", spent["ours"], spent["bare"], "ms cpu", "<= 2", "scandir")

    def edit(self) -> None:
        """One page of which a block says something else; bare is reading, parsing, bare rows."""
        root, world = self.root.with_name("one"), self.inklings.world
        root.mkdir()
        said, folder = self.author.page(1), world.link(self.place, root)
        read = partial(self.inklings.parts.adapters().world_files.read, folder)
        with closing(sqlite_module().connect(root.with_name("b.db"), isolation_level=None)) as rows:
            for one in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", BLOCKS, FTS):
                rows.execute(one)

            def ours(number: int) -> None:
                stamps, at = [written(number)], self.inklings.clock()
                settle = partial(self.index.settle, folder, stamps, read, at=at)
                settle(report=lambda *_: None, goes_on=lambda: True)

            def bare(number: int) -> None:
                blocks = read(written(number)).blocks
                rows.execute("BEGIN IMMEDIATE")
                rows.execute("DELETE FROM b")
                rows.executemany(PUT_BLOCK, [(n, b.heading, b.text) for n, b in enumerate(blocks)])
                rows.executemany(PUT, [(one.text,) for one in blocks])
                rows.execute("COMMIT")

            def written(number: int) -> FileStamp:
                Path(root, "One.md").write_text(f"{said} {number}", encoding="utf-8")
                (stamp,) = self.inklings.parts.adapters().world_files.scan(folder)
                return stamp

            ours(-1)
            ways = {"ours": ours, "bare": bare, "written": written}
            spent = cpu_in_turn({k: [partial(f, n) for n in range(60)] for k, f in ways.items()})
        world.unlink(self.place, "one")
        took, least = (spent[one] - spent["written"] for one in ("ours", "bare"))
        self.note("one page, one block", took, least, "ms cpu", "<= 2", "reading, parsing, rows")

    def find(self, n_questions: int) -> None:
        """Search by words and meaning, the vector of the question known."""
        index, model, made = self.index, self.vectors, np.random.default_rng(7)
        parts = []
        while missing := index.without_vector(model.model_id, 2_000):
            some = made.standard_normal((len(missing), model.dimension)).astype(np.float32)
            parts.append(some / np.linalg.norm(some, axis=1, keepdims=True))
            ids = [one for one, _ in missing]
            index.put_vectors(model.model_id, list(zip(ids, parts[-1], strict=True)))
        matrix = np.concatenate(parts)
        folders = [one.folder for one in self.inklings.world.folders(self.place)]
        asked = [self.author.words(4, N_COMMON) for _ in range(n_questions)]
        known = {one: model.embed_question(one) for one in asked}

        def ours(text: str) -> None:
            meaning = PageMeaning(model.model_id, model.calibration, lambda: known[text])
            assert index.search(WorldQuery(text), folders, meaning).hits

        uri = f"{self.database.as_uri()}?mode=ro"
        with closing(sqlite_module().connect(uri, uri=True)) as connection:

            def bare(text: str) -> None:
                connection.execute(BEST, (match_expression(keyword_query(text)),)).fetchall()
                np.argpartition(matrix @ known[text], len(matrix) - 100)

            ours(asked[0])
            ways = {"ours": ours, "bare": bare}
            spent = cpu_in_turn(
                {k: [partial(way, one) for one in asked] for k, way in ways.items()}
            )
        of = f"search of {len(matrix):,} passages"
        self.note(of, spent["ours"], spent["bare"], "ms cpu", "<= 1.5", "scan and FTS query")

    def ask(self, n_questions: int) -> None:
        """What a hit and a new memory cost beside a world."""
        scope, say = ScopeKey.workspace(self.place), partial(self.author.words, least=N_COMMON)
        sources = [(Derivation(f"Page {number}"),) for number in range(10)]
        drafts = [MemoryDraft(scope, say(12), derived_from=one) for one in sources]
        ids = [self.inklings.memories.put(one).id for one in drafts]
        texts = [f"Nerys of {say(14)}." for _ in range(n_questions)]

        def contradicted(text: str) -> None:
            for _, said in self.index.passages_sharing(words_to_find(text), 4):
                contradicts(text, said, names_in(text) | names_in(said))

        standing = partial(self.inklings.derivations.standing, self.place, ids)
        ways: dict[str, Sequence[Callable[[], object]]] = {
            "axes of 10 memories": [standing] * n_questions,
            "derivable check": [partial(repeat_of, self.index, one) for one in texts],
            "contradiction check": [partial(contradicted, one) for one in texts],
        }
        for name, calls in ways.items():
            calls[0]()
            spent = cpu_in_turn({name: calls})[name]
            self.note(name, spent, 1.5, "ms cpu", "<= 1", "bound")


def measure(n_pages: int, n_questions: int) -> Report:
    """All of it, in one data root."""
    with tempfile.TemporaryDirectory() as below:
        root, author, vectors = Path(below, "pages"), Author(), WordVectors()
        for number in range(n_pages):
            file = root / f"folder {number % 50}" / f"Page {number}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(author.page(number), encoding="utf-8")
        with open_inklings(Path(below, "root"), embedder=vectors, embed_writes=False) as inklings:
            bench = Bench(inklings, root, vectors)
            bench.report.settings |= {"pages": n_pages, "questions": n_questions}
            bench.read()
            bench.look_again()
            bench.edit()
            bench.find(n_questions)
            bench.ask(n_questions)
    return bench.report


if __name__ == "__main__":
    chosen = options(__doc__, pages=5_000, questions=100).parse_args()
    measure(chosen.pages, chosen.questions).print(as_json=chosen.json)
