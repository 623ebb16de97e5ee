"""How well a search finds memories and questions in other languages than English.

Forty invented facts and a question to each, in six languages of our own wording, stand in
``languages.json``. The facts of one language lie among 300 English ones of the made world; the
questions are asked in the same language, and in every other one of the English facts.

    python -m benchmarks.languages [--model FOLDER] [--json]

``--model`` measures another model than the built-in one, out of its folder.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.made_facts import facts
from benchmarks.retrieval_quality import WAYS, KeptVectors, Tally, World, ask
from inklings_desktop.embeddings.following_embedder import select_embedder
from inklings_desktop.embeddings.models import read_model_folder
from inklings_desktop.embeddings.onnx_embedder import OnnxEmbedder

if TYPE_CHECKING:
    from collections.abc import Mapping

LANGUAGES = ("en", "de", "fr", "es", "ru", "ja")
PAIRS = (*((one, one) for one in LANGUAGES), *(("en", one) for one in LANGUAGES[1:]))
"""Of the memories, and of the questions."""
N_DISTRACTORS = 300
SHOWN = ("keyword", "hybrid")

_FACTS = Path(__file__).with_suffix(".json")


def measure(
    model: Path | None = None, *, n_facts: int = 40, n_distractors: int = N_DISTRACTORS
) -> dict[str, Any]:
    """The figures of every pair of languages.

    Args:
        model: Folder of the model; the built-in one if None.
        n_facts: How many of the facts are taken.
        n_distractors: How many English memories lie among them.
    """
    known = select_embedder() if model is None else OnnxEmbedder(read_model_folder(model))
    embedder = KeptVectors(known, None)
    said: list[dict[str, dict[str, str]]] = json.loads(_FACTS.read_text(encoding="utf-8"))
    others = [fact.text for fact in facts(n_distractors)]
    pairs = []
    for of_memories, of_questions in PAIRS:
        tallies = {way: Tally() for way in WAYS}
        told = [one[of_memories]["fact"] for one in said[:n_facts]]
        asked = [one[of_questions]["question"] for one in said[:n_facts]]
        ask(_world([*told, *others], asked), embedder, tallies)
        figures = {way: tallies[way].figures() for way in SHOWN}
        pairs.append({"memories": of_memories, "questions": of_questions} | figures)
    return {"model": embedder.model_id, "languages": pairs}


def _world(memories: list[str], questions: list[str]) -> World:
    """The n-th question is about the n-th memory; every memory is of a session of its own."""
    return World(
        "languages",
        [
            {"id": f"m{n}", "workspace": "languages", "session": f"s{n}", "order": n, "text": text}
            for n, text in enumerate(memories)
        ],
        [{"text": text, "relevant": [f"m{n}"]} for n, text in enumerate(questions)],
    )


def table(document: Mapping[str, Any]) -> list[str]:
    """The figures as a Markdown table: hit@10 / nDCG@10."""
    lines = [f"| memories, questions | {' | '.join(SHOWN)} |", "|---|---|---|"]
    for one in document["languages"]:
        cells = (f"{one[way]['recall_at_10']:.2f} / {one[way]['ndcg_at_10']:.2f}" for way in SHOWN)
        lines.append(f"| {one['memories']}, {one['questions']} | {' | '.join(cells)} |")
    return lines


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--model", type=Path)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    document = measure(chosen.model)
    if chosen.json:
        json.dump(document, sys.stdout, indent=2)
        return
    print(f"hit@10 / nDCG@10, {document['model']}")
    print("\n".join(table(document)))


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()
