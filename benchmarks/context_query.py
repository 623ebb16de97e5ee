"""Whether a turn's search finds more when it is asked with what was said before.

Turns public questions with known answers into short dialogues: before each question stand another
one about the same person and its answer. Each is asked in full, and with "they" for the names, as
people go on talking; with the message alone, with the two before it, and as the agent asks.

    python -m benchmarks.context_query --eval FOLDER [--vectors FOLDER]
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.retrieval_quality import (
    KeptVectors,
    Tally,
    World,
    answer,
    fill,
    instant_of,
    worlds_of,
)
from inklings_desktop.agent.context.assembling import asked_with
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.embeddings.following_embedder import select_embedder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inklings_desktop.usecases.ports.store import Embedder


def dialogues(world: World) -> Iterator[tuple[dict[str, Any], dict[str, str]]]:
    """Each question that has one before it, with what it is asked as in each way."""
    texts = {one["id"]: one["text"] for one in world.memories}
    speakers = {str(one["speaker"]) for one in world.memories if one.get("speaker")}
    last: dict[str, dict[str, Any]] = {}
    for query in world.queries:
        names = sorted(one for one in speakers if one in query["text"])
        before = last.get(names[0]) if names else None
        for name in names:
            last[name] = query
        if before is None:
            continue
        said = (before["text"], texts[before["relevant"][0]])
        short = re.sub("|".join(map(re.escape, names)), "they", query["text"])
        ways = {}
        for form, message in (("in full", query["text"]), ("with they", short)):
            ways[f"{form}, message alone"] = message
            ways[f"{form}, with two before"] = " ".join((*said, message))
            ways[f"{form}, as the agent asks"] = asked_with(message, said)
        yield query, ways


def measure(folder: Path, embedder: Embedder) -> dict[str, Any]:
    """Recall@10 and nDCG@10 of each way, over every dialogue of one set."""
    tallies: dict[str, Tally] = {}
    for world in worlds_of(folder):
        now = max(map(instant_of, world.memories)) + timedelta(hours=1)
        with (
            tempfile.TemporaryDirectory() as root,
            open_inklings(
                Path(root), clock=lambda now=now: now, embedder=embedder, embed_writes=False
            ) as inklings,
        ):
            scope = ScopeKey.workspace(inklings.workspaces.create(world.name).id)
            names = fill(inklings, scope, world)
            for query, ways in dialogues(world):
                for way, text in ways.items():
                    ids, seconds = answer(inklings, scope, text, SearchMode.HYBRID)
                    found = [names[one] for one in ids]
                    tallies.setdefault(way, Tally()).add(found, query["relevant"], seconds)
    return {way: tally.figures() for way, tally in tallies.items()}


def main() -> None:
    """Print the figures of every set that names its speakers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--eval", type=Path, required=True)
    parser.add_argument("--vectors", type=Path)
    options = parser.parse_args()
    embedder = KeptVectors(select_embedder(), options.vectors)
    for one in sorted(path.parent for path in options.eval.glob("*/queries.jsonl")):
        print(json.dumps({one.name: measure(one, embedder)}, indent=1), flush=True)
        embedder.keep()


if __name__ == "__main__":
    main()
