"""How often the World Agent without a model quotes what answers a question, and what does not.

Public questions with known answers, as for the quality of the search: each is asked as the agent
asks it, once where its answer is, and once in a workspace that knows nothing of it. Counted is what
it would quote from a certainty on, for the bounds in ``agent/mechanical/certainty`` and
``agent/context/refinement``.

    python -m benchmarks.agent_certainty --eval FOLDER [--vectors FOLDER] [--questions 200] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.retrieval_quality import (
    EVAL_VARIABLE,
    KeptVectors,
    World,
    fill,
    instant_of,
    worlds_of,
)
from inklings_desktop.agent.context.assembling import LOW_SCORE
from inklings_desktop.agent.mechanical.looking import READ
from inklings_desktop.agent.mechanical.speech import speech
from inklings_desktop.agent.mechanical.turn import (
    PERHAPS_FROM,
    QUOTED_FROM,
    asked_words,
    certainty,
    query_of,
)
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.embeddings.following_embedder import select_embedder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.store import Embedder

BOUNDS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)
LOW_SCORES = (0.3, 0.35, 0.4, 0.45)
FIRST = 3


@dataclass(frozen=True, slots=True)
class Room:
    """A workspace that questions are asked in.

    Attributes:
        world: What it holds.
        inklings: The way to it.
        scope: Its own tier.
        names: The set's names of its memories, by our ids.
    """

    world: World
    inklings: Inklings
    scope: ScopeKey
    names: dict[str, str]

    def hits(self, question: str) -> list[tuple[float, float, str]]:
        """Certainty, score and name of what a question finds, the surest first."""
        spoken = speech("en")
        asked = asked_words(question, spoken)
        query = query_of(question, spoken)
        found = self.inklings.search.read(self.scope, query=query, limit=READ, found_only=True)
        hits = []
        for one in found.memories:
            hit = {"content": one.entry.content, "tags": one.entry.tags, "score": one.score}
            sure = certainty(asked, hit, spoken)
            hits.append((sure, float(one.score or 0.0), self.names[one.entry.id]))
        return sorted(hits, key=lambda one: -one[0])


@dataclass(slots=True)
class Counted:
    """What came of questions.

    Attributes:
        known: For each that has an answer, what it found, and whether each of it is right.
        unknown: For each that has none, what it found.
    """

    known: list[list[tuple[float, float, bool]]] = field(default_factory=list)
    unknown: list[list[tuple[float, float]]] = field(default_factory=list)

    def row(self, bound: float) -> dict[str, float]:
        """Shares, in percent, where everything from a certainty on is quoted."""
        quoted = [[one for one in hits if one[0] >= bound] for hits in self.known]
        right = sum(any(one[2] for one in hits[:FIRST]) for hits in quoted)
        wrong = sum(any(one[0] >= bound for one in hits) for hits in self.unknown)
        return {
            "quoted": percent(sum(map(bool, quoted)), len(self.known)),
            "right_among_first": percent(right, len(self.known)),
            "quoted_without_answer": percent(wrong, len(self.unknown)),
        }

    def gate(self) -> dict[str, Any]:
        """What a low score of the gate leaves out, in percent, for each such score."""
        right = [one[1] for hits in self.known for one in hits if one[2]]
        strange = [one[1] for hits in self.unknown for one in hits]
        return {
            "right": len(right),
            "lowest_right": round(min(right, default=0.0), 3),
            "strange": len(strange),
            "below": {
                low: {"right": share_below(low, right), "strange": share_below(low, strange)}
                for low in LOW_SCORES
            },
        }


def share_below(low: float, scores: Sequence[float]) -> float:
    return percent(sum(one < low for one in scores), len(scores))


def percent(part: int, whole: int) -> float:
    return round(100 * part / max(1, whole), 1)


def measure(folder: Path, vectors: Path | None, n_questions: int) -> dict[str, Any]:
    """The figures over all sets in a folder.

    Args:
        folder: Holds one folder per set.
        vectors: Where embeddings are kept between runs.
        n_questions: Of each set, evenly from all of them.
    """
    embedder = KeptVectors(select_embedder(), vectors)
    counted = Counted()
    for one in sorted(path.parent for path in folder.glob("*/queries.jsonl")):
        with ExitStack() as opened:
            ask([room(world, embedder, opened) for world in worlds_of(one)], n_questions, counted)
        embedder.keep()
    reached = sum(any(hit[2] for hit in hits) for hits in counted.known)
    return {
        "questions": len(counted.known),
        "without_answer": len(counted.unknown),
        "found_at_all": percent(reached, len(counted.known)),
        "bounds": {bound: counted.row(bound) for bound in BOUNDS},
        "in_force": {
            "quoted_from": QUOTED_FROM,
            "perhaps_from": PERHAPS_FROM,
            "low_score": LOW_SCORE,
        },
        "gate": counted.gate(),
    }


def room(world: World, embedder: Embedder, opened: ExitStack) -> Room:
    """A workspace with the memories of one world."""
    now = max(map(instant_of, world.memories)) + timedelta(hours=1)
    root = opened.enter_context(tempfile.TemporaryDirectory())
    inklings = opened.enter_context(
        open_inklings(Path(root), clock=lambda: now, embedder=embedder, embed_writes=False)
    )
    workspace = inklings.workspaces.create(world.name)
    scope = ScopeKey.workspace(workspace.id)
    return Room(world, inklings, scope, fill(inklings, scope, world))


def ask(rooms: Sequence[Room], n_questions: int, counted: Counted) -> None:
    """Ask each question where its answer is, and in the next workspace, where it is not."""
    every = [(number, one) for number, room in enumerate(rooms) for one in room.world.queries]
    step = max(1, len(every) // n_questions)
    for number, query in every[::step][:n_questions]:
        hits = rooms[number].hits(query["text"])
        relevant = set(query["relevant"])
        counted.known.append([(sure, score, name in relevant) for sure, score, name in hits])
        if len(rooms) > 1:
            strange = rooms[(number + 1) % len(rooms)].hits(query["text"])
            counted.unknown.append([(sure, score) for sure, score, _ in strange])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--eval", type=Path, default=os.environ.get(EVAL_VARIABLE))
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    if chosen.eval is None:
        parser.error(f"name the questions with --eval or {EVAL_VARIABLE}")
    document = measure(Path(chosen.eval), chosen.vectors, chosen.questions)
    if chosen.json:
        print(json.dumps(document, indent=2))
        return
    known, unknown = document["questions"], document["without_answer"]
    print(f"{known} questions with an answer, {unknown} asked where there is none; percent")
    print("| quoted from | gets a quote | right among the first three | quoted without answer |")
    print("|---|---|---|---|")
    for bound, row in document["bounds"].items():
        print(f"| {bound} | {' | '.join(str(one) for one in row.values())} |")
    print(f"right one found by the search: {document['found_at_all']}; gate: {document['gate']}")
    print(f"in force: {document['in_force']}")


if __name__ == "__main__":
    main()
