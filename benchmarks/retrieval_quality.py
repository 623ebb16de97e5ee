"""How many of the right memories a search finds, on public questions with known answers.

Reads a folder with one folder per set, each holding ``memories.jsonl`` and ``queries.jsonl``; every
workspace of a set is a store of its own. Speaker and title become tags, session or title the
conversation. Asks through the product's own search, by words alone and by words and meaning.

    python -m benchmarks.retrieval_quality --eval FOLDER [--vectors FOLDER] [--json]

``INKLINGS_EVAL`` names the folder where the option is left out. ``--vectors`` keeps embeddings
between runs: the model takes minutes for what the search takes seconds.
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
from inklings_desktop.embeddings.selection import select_embedder
from inklings_desktop.usecases.groups.search import search_of
from inklings_desktop.usecases.search.search_memories import SearchRequest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from inklings_desktop.domain.likeness.calibration import Calibration
    from inklings_desktop.domain.memories.vectors import FloatMatrix, FloatVector
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.store import Embedder

EVAL_VARIABLE = "INKLINGS_EVAL"
N_HITS = 10
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
            "p95_ms": round(statistics.quantiles(self.milliseconds, n=20)[-1], 2),
            "queries": len(self.recall),
        }


class KeptVectors:
    """An embedder that looks a text up in a folder before it asks the model."""

    def __init__(self, embedder: Embedder, folder: Path | None) -> None:
        self._embedder = embedder
        self._path = None if folder is None else folder / f"{embedder.model_id}.npz"
        self._known: dict[str, Any] = {}
        if self._path is not None and self._path.is_file():
            with np.load(self._path) as kept:
                self._known = dict(zip(kept["names"].tolist(), kept["matrix"], strict=True))
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

    def pinned(self) -> KeptVectors:
        """Itself: a benchmark switches no model."""
        return self

    @property
    def calibration(self) -> Calibration:
        """What its cosines say."""
        return self._embedder.calibration

    def embed_question(self, text: str) -> FloatVector:
        """The vector of what is looked for."""
        name = hashlib.sha256(f"question {text}".encode()).hexdigest()
        if name not in self._known:
            self._known[name] = self._embedder.embed_question(text)
        vector: FloatVector = np.asarray(self._known[name], np.float32)
        return vector

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """One vector per text."""
        names = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        missing = {
            name: text for name, text in zip(names, texts, strict=True) if name not in self._known
        }
        if missing:
            self._known.update(
                zip(missing, self._embedder.embed(list(missing.values())), strict=True)
            )
        return np.array([self._known[name] for name in names], np.float32)

    def keep(self) -> None:
        """Write what the model was asked for."""
        if self._path is None or len(self._known) == self._n_kept:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(self._path, names=list(self._known), matrix=np.array(list(self._known.values())))


def measure(folder: Path, vectors: Path | None = None) -> dict[str, Any]:
    """The figures of every set in a folder, and their mean.

    Args:
        folder: Holds one folder per set.
        vectors: Where embeddings are kept between runs.
    """
    embedder = KeptVectors(select_embedder(), vectors)
    sets = {}
    for one in sorted(path.parent for path in folder.glob("*/queries.jsonl")):
        tallies = {way: Tally() for way in WAYS}
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
        for way in WAYS
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


def ask(world: World, embedder: Embedder, tallies: dict[str, Tally]) -> None:
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
                found = [names[one] for one in ids]
                tallies[way].add(found, query["relevant"], seconds)


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
    search = search_of(inklings.parts)
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
        begun = time.perf_counter()
        result = search(inklings.caller, [scope], SearchRequest(text, mode, N_HITS))
        seconds = time.perf_counter() - begun
        yield mode.value, [hit.entry.id for hit in result.hits], seconds
    begun = time.perf_counter()
    found = search.retrieval(inklings.caller, [scope], SearchRequest(text, limit=N_HITS))
    plain = sorted(found.placings, key=lambda one: (-one.explanation.blend.total, one.id))
    yield "hybrid, unfolded, undecayed", [one.id for one in plain], time.perf_counter() - begun


def table(document: Mapping[str, Any]) -> list[str]:
    """The figures as a Markdown table: recall@10 / nDCG@10."""
    names = list(document["sets"])
    lines = [f"| search | {' | '.join(names)} | mean |", f"|---|{'---|' * (len(names) + 1)}"]
    for way in WAYS:
        cells = [document["sets"][name][way] for name in names] + [document["mean"][way]]
        shown = " | ".join(f"{one['recall_at_10']:.3f} / {one['ndcg_at_10']:.3f}" for one in cells)
        lines.append(f"| {way} | {shown} |")
    return lines


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--eval", type=Path, default=os.environ.get(EVAL_VARIABLE))
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    if chosen.eval is None:
        parser.error(f"name the folder with --eval or {EVAL_VARIABLE}")
    document = measure(Path(chosen.eval), chosen.vectors)
    if chosen.json:
        json.dump(document, sys.stdout, indent=2)
        return
    print("recall@10 / nDCG@10")
    print("\n".join(table(document)))


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()
