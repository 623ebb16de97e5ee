"""How many of the right memories a search finds, on public questions with known answers.

Reads a folder with one folder per set, each holding ``memories.jsonl`` and ``queries.jsonl``; every
workspace of a set is a store of its own. Speaker and title become tags, session or title the
conversation. Asks through the product's own search, by words alone and by words and meaning.

    python -m benchmarks.retrieval_quality --eval FOLDER [--vectors FOLDER] [--late] [--json]

``INKLINGS_EVAL`` names the folder where the option is left out. ``--vectors`` keeps embeddings
between runs: the model takes minutes for what the search takes seconds. ``--late`` asks once more
without the second stage, word by word, and says what that adds in quality and in time.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import math
import os
import statistics
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import Curator, Lifetime, MemoryEntry, ScopeKey
from inklings_desktop.domain.words.query_text import SearchMode, keyword_query
from inklings_desktop.embeddings.following_embedder import select_embedder
from inklings_desktop.usecases.ports.tokens import Read, word_embedder
from inklings_desktop.usecases.search.search_memories import SearchRequest, retrieved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from inklings_desktop.domain.likeness.calibration import Calibration
    from inklings_desktop.domain.memories.vectors import FloatMatrix, FloatVector
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.store import Embedder

EVAL_VARIABLE = "INKLINGS_EVAL"
N_HITS = 10
FIRST_STAGE = "hybrid, first stage"
WAYS = ("keyword index alone", "keyword", "hybrid", "hybrid, unfolded, undecayed")
GOALS = {"keyword": (0.81, 0.65), "hybrid": (0.84, 0.68)}


@dataclass(frozen=True, slots=True)
class World:
    """One workspace of a set."""

    name: str
    memories: list[dict[str, Any]]
    queries: list[dict[str, Any]]


@dataclass(slots=True)
class Tally:
    """Scores of one way of asking, per query."""

    recall: list[float] = field(default_factory=list)
    ndcg: list[float] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)

    def add(self, found: Sequence[str], relevant: Sequence[str], seconds: float) -> None:
        """Score one answer: recall@10 and nDCG@10 with binary gains."""
        gains = [one in relevant for one in found[:N_HITS]]
        ideal = sum(1 / math.log2(n + 2) for n in range(min(len(relevant), N_HITS)))
        reached = sum(gain / math.log2(n + 2) for n, gain in enumerate(gains))
        self.recall.append(sum(gains) / len(relevant))
        self.ndcg.append(reached / ideal)
        self.milliseconds.append(seconds * 1000)

    def figures(self) -> dict[str, float]:
        """Means over the queries, and the 95th percentile of the time."""
        return {
            "recall_at_10": round(statistics.fmean(self.recall), 4),
            "ndcg_at_10": round(statistics.fmean(self.ndcg), 4),
            "p50_ms": round(statistics.median(self.milliseconds), 2),
            "p95_ms": round(statistics.quantiles(self.milliseconds, n=20)[-1], 2),
            "queries": len(self.recall),
        }


class KeptVectors:
    """An embedder that looks a text up in a folder before it asks the model.

    Attributes:
        is_late: Whether it gives the words of texts as well.
    """

    def __init__(self, embedder: Embedder, folder: Path | None) -> None:
        self._embedder, self._reader = embedder, word_embedder(embedder)
        self._space = "" if self._reader is None else self._reader.token_space
        self.is_late = self._reader is not None
        name = (self._space or embedder.model_id).replace("/", "-")
        self._path = None if folder is None else folder / f"{name}.npz"
        self._known: dict[str, tuple[FloatVector, bytes]] = {}
        if self._path is not None and self._path.is_file():
            with np.load(self._path) as kept:
                ends = np.cumsum(kept["lengths"]).tolist()
                words, starts = kept["words"].tobytes(), [0, *ends[:-1]]
                parts = [words[start:end] for start, end in zip(starts, ends, strict=True)]
                every = zip(kept["matrix"], parts, strict=True)
                self._known = dict(zip(kept["names"].tolist(), every, strict=True))
        self._n_kept = len(self._known)

    @property
    def model_id(self) -> str:
        """Name of the model."""
        return self._embedder.model_id

    @property
    def dimension(self) -> int:
        """Length of its vectors."""
        return self._embedder.dimension

    @property
    def is_available(self) -> bool:
        """Whether there is a model."""
        return self._embedder.is_available

    @property
    def token_space(self) -> str:
        """Name of the space of its words."""
        return self._space if self.is_late else ""

    def pinned(self) -> KeptVectors:
        """Itself: a benchmark switches no model."""
        return self

    @property
    def calibration(self) -> Calibration:
        """What its cosines say."""
        return self._embedder.calibration

    def embed_question(self, text: str) -> FloatVector:
        """The vector of what is looked for."""
        vector: FloatVector = self.read_question(text).vectors[0]
        return vector

    def read_question(self, text: str) -> Read:
        """Vector and words of what is looked for."""
        return self._kept([text], "question ", lambda missing: self._of_question(missing[0]))

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """One vector per text."""
        return self.read(texts).vectors

    def read(self, texts: Sequence[str]) -> Read:
        """Vector and words of each text."""
        return self._kept(texts, "", self._of_memories)

    def _of_question(self, text: str) -> Read:
        if self._reader is None:
            return Read(self._embedder.embed_question(text)[None], [b""])
        return self._reader.read_question(text)

    def _of_memories(self, texts: Sequence[str]) -> Read:
        if self._reader is None:
            return Read(self._embedder.embed(texts), [b""] * len(texts))
        return self._reader.read(texts)

    def _kept(self, texts: Sequence[str], kind: str, made: Callable[[Sequence[str]], Read]) -> Read:
        names = [hashlib.sha256(f"{kind}{text}".encode()).hexdigest() for text in texts]
        missing = {
            name: text for name, text in zip(names, texts, strict=True) if name not in self._known
        }
        if missing:
            new = made(list(missing.values()))
            every = zip(new.vectors, new.words, strict=True)
            self._known.update(zip(missing, every, strict=True))
        known = [self._known[name] for name in names]
        vectors = np.array([vector for vector, _ in known], np.float32)
        return Read(vectors, [words for _, words in known])

    def keep(self) -> None:
        """Write what the model was asked for."""
        if self._path is None or len(self._known) == self._n_kept:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        words = [words for _, words in self._known.values()]
        np.savez(
            self._path,
            names=list(self._known),
            matrix=np.array([vector for vector, _ in self._known.values()]),
            words=np.frombuffer(b"".join(words), np.int8),
            lengths=[len(one) for one in words],
        )


def measure(folder: Path, vectors: Path | None = None, *, late: bool = False) -> dict[str, Any]:
    """The figures of every set in a folder, and their mean.

    Args:
        folder: Holds one folder per set.
        vectors: Where embeddings are kept between runs.
        late: Whether every question is asked without the second stage as well.
    """
    embedder = KeptVectors(select_embedder(), vectors)
    ways = (*WAYS, FIRST_STAGE) if late else WAYS
    sets = {}
    for one in sorted(path.parent for path in folder.glob("*/queries.jsonl")):
        tallies = {way: Tally() for way in ways}
        for world in worlds_of(one):
            ask(world, embedder, tallies)
        sets[one.name] = {way: tally.figures() for way, tally in tallies.items()}
        embedder.keep()
    if not sets:
        raise SystemExit(f"no set with queries.jsonl in {folder}")
    mean = {
        way: {
            figure: round(statistics.fmean(one[way][figure] for one in sets.values()), 4)
            for figure in ("recall_at_10", "ndcg_at_10")
        }
        for way in ways
    }
    return {"sets": sets, "mean": mean, "goals": GOALS}


def worlds_of(folder: Path) -> Iterator[World]:
    """The workspaces of one set."""
    memories, queries = (lines_of(folder / f"{name}.jsonl") for name in ("memories", "queries"))
    for name in dict.fromkeys(one["workspace"] for one in memories):
        yield World(
            name,
            [one for one in memories if one["workspace"] == name],
            [one for one in queries if one["workspace"] == name],
        )


def lines_of(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def ask(world: World, embedder: KeptVectors, tallies: dict[str, Tally]) -> None:
    """Fill a store with one workspace and score every question in every way."""
    written = [instant_of(one) for one in world.memories]
    now = max(written) + timedelta(hours=1)
    with (
        tempfile.TemporaryDirectory() as root,
        open_inklings(
            Path(root), clock=lambda: now, embedder=embedder, embed_writes=False
        ) as inklings,
    ):
        workspace = inklings.workspaces.create(world.name)
        scope = ScopeKey.workspace(workspace.id)
        names = fill(inklings, scope, world)
        for query in world.queries:
            for way, ids, seconds in answers(inklings, scope, query["text"]):
                tallies[way].add([names[one] for one in ids], query["relevant"], seconds)
            if FIRST_STAGE in tallies:
                embedder.is_late = False
                ids, seconds = answer(inklings, scope, query["text"], SearchMode.HYBRID)
                embedder.is_late = True
                found = [names[one] for one in ids]
                tallies[FIRST_STAGE].add(found, query["relevant"], seconds)


def fill(inklings: Inklings, scope: ScopeKey, world: World) -> dict[str, str]:
    """Store and embed the memories of a workspace; the set's names by our ids."""
    ordered = sorted(world.memories, key=lambda one: (room_of(one), one.get("order") or 0))
    entries = [entry_of(scope, one) for one in ordered]
    with inklings.parts.store.write(scope.workspace_id, initiator="benchmark") as unit:
        unit.memories.add(entries)
        unit.commit()
    while inklings.tasks.embed(scope.workspace_id):
        pass
    return {entry.id: one["id"] for entry, one in zip(entries, ordered, strict=True)}


def entry_of(scope: ScopeKey, memory: dict[str, Any]) -> MemoryEntry:
    about = (memory.get("speaker"), memory.get("title"))
    return MemoryEntry(
        id=str(uuid.uuid5(uuid.NAMESPACE_URL, memory["id"])),
        sequence=0,
        version=1,
        scope=scope,
        content=memory["text"],
        lifetime=Lifetime.SHORT_TERM,
        source="user",
        curator=Curator.AGENT,
        importance=0.5,
        tags=tuple(one for one in about if one),
        created_at=instant_of(memory),
        source_conversation=room_of(memory),
    )


def room_of(memory: dict[str, Any]) -> str:
    return str(memory.get("session") or memory.get("title"))


def instant_of(memory: dict[str, Any]) -> datetime:
    said = memory.get("created_at")
    return (
        datetime(2024, 1, 1, tzinfo=UTC)
        if said is None
        else datetime.fromisoformat(said).replace(tzinfo=UTC)
    )


def answers(
    inklings: Inklings, scope: ScopeKey, text: str
) -> Iterator[tuple[str, list[str], float]]:
    """Ids that each way of asking finds, best first, and how long it took in seconds."""
    begun = time.perf_counter()
    with inklings.parts.store.read(scope.workspace_id) as view:
        matches = view.full_text.search(
            [scope],
            keyword_query(text),
            where=SearchRequest(text).where,
            visible_to=None,
            limit=N_HITS,
        )
    words = [hit.id for hit in matches.get(scope, ())]
    yield "keyword index alone", words, time.perf_counter() - begun
    for mode in (SearchMode.KEYWORD, SearchMode.HYBRID):
        yield mode.value, *answer(inklings, scope, text, mode)
    begun = time.perf_counter()
    found = retrieved(inklings.search, [scope], SearchRequest(text, limit=N_HITS))
    plain = sorted(found.placings, key=lambda one: (-one.explanation.blend.total, one.id))
    yield "hybrid, unfolded, undecayed", [one.id for one in plain], time.perf_counter() - begun


def answer(
    inklings: Inklings, scope: ScopeKey, text: str, mode: SearchMode
) -> tuple[list[str], float]:
    """Ids that a search finds, best first, and how long it took in seconds."""
    search = inklings.search
    begun = time.perf_counter()
    result = search.find([scope], SearchRequest(text, mode, N_HITS))
    return [hit.entry.id for hit in result.hits], time.perf_counter() - begun


def table(document: Mapping[str, Any]) -> list[str]:
    """The figures as a Markdown table: recall@10 / nDCG@10."""
    names = list(document["sets"])
    lines = [f"| search | {' | '.join(names)} | mean |", f"|---|{'---|' * (len(names) + 1)}"]
    for way in document["mean"]:
        cells = [document["sets"][name][way] for name in names] + [document["mean"][way]]
        shown = " | ".join(f"{one['recall_at_10']:.3f} / {one['ndcg_at_10']:.3f}" for one in cells)
        lines.append(f"| {way} | {shown} |")
    return lines


def times(document: Mapping[str, Any]) -> list[str]:
    """What the second stage takes of the first's time; vectors of the questions are known."""
    lines = ["", "| set | first stage ms | second ms | ratio, goal 0.35 |", "|---|---|---|---|"]
    for name, ways in document["sets"].items():
        first, whole = ways[FIRST_STAGE]["p50_ms"], ways["hybrid"]["p50_ms"]
        more = whole - first
        lines.append(f"| {name} | {first:.2f} | {more:.2f} | {more / first:.2f} |")
    return lines


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--eval", type=Path, default=os.environ.get(EVAL_VARIABLE))
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--late", action="store_true")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    if chosen.eval is None:
        parser.error(f"name the folder with --eval or {EVAL_VARIABLE}")
    document = measure(Path(chosen.eval), chosen.vectors, late=chosen.late)
    if chosen.json:
        json.dump(document, sys.stdout, indent=2)
        return
    print("recall@10 / nDCG@10")
    print("\n".join(table(document)))
    if chosen.late:
        print("\n".join(times(document)))


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()
