"""How fast missing vectors are made, beside the bare loop over the same model.

Bare: texts sorted by length, eight to a call, one thread, no database. And two workers beside one,
elapsed, which says something on an idle machine only.

    python -m benchmarks.embed [--texts 400] [--json]
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.made_facts import entries
from benchmarks.measuring import Report, Row, options
from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.embeddings.following_embedder import select_embedder
from inklings_desktop.embeddings.models import find_model

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.embeddings.models import ModelFolder
    from inklings_desktop.usecases.ports.store import Embedder

BATCH = 8


def measure(n_texts: int) -> Report:
    """Texts per processor second and, with two workers, per second."""
    report = Report("embed", settings={"texts": n_texts})
    model = select_embedder()
    if not model.is_available:
        return report
    model.embed(["warm"])
    scope = ScopeKey.workspace("measured")
    texts = [one.content for one in entries(scope, n_texts)]
    bare = bare_loop(find_model(model.model_id))
    bare(texts[:BATCH])
    begun = time.process_time()
    bare(texts)
    bare_seconds = time.process_time() - begun
    cpu, one_worker = backfilled(model, n_texts, n_workers=1)
    _, two_workers = backfilled(model, n_texts, n_workers=2)
    report.rows += [
        Row(
            "backfill",
            n_texts / cpu,
            n_texts / bare_seconds,
            "texts/CPU s",
            ">= 0.95",
            n_texts,
            "bare is the loop over the model",
        ),
        Row(
            "backfill, two workers",
            n_texts / two_workers,
            n_texts / one_worker,
            "texts/s",
            ">= 1.8",
            n_texts,
            "bare is one worker; on an idle machine",
        ),
    ]
    return report


def backfilled(model: Embedder, n_texts: int, *, n_workers: int) -> tuple[float, float]:
    """Processor and elapsed seconds of filling in every vector, commits included."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_inklings(Path(folder), embedder=model, embed_writes=False) as inklings,
    ):
        scope = ScopeKey.workspace(inklings.workspaces.create("Measured").id)
        with inklings.parts.store.write(scope.workspace_id, initiator="benchmark") as unit:
            unit.memories.add(list(entries(scope, n_texts)))
            unit.commit()
        begun, started = time.process_time(), time.perf_counter()
        run = inklings.tasks.backfill(scope.workspace_id, n_workers=n_workers)
        spent = time.process_time() - begun, time.perf_counter() - started
    assert run.counts["embedded"] == n_texts, run
    return spent


def bare_loop(model: ModelFolder) -> Callable[[Sequence[str]], None]:
    """The model and nothing else: tokenise, run, average, bring to length 1."""
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        str(model.onnx.path), options, providers=["CPUExecutionProvider"]
    )
    tokenizer = Tokenizer.from_file(str(model.tokenizer.path))
    tokenizer.enable_padding()
    tokenizer.enable_truncation(max_length=model.max_tokens)
    names = {node.name for node in session.get_inputs()}

    def embed(texts: Sequence[str]) -> None:
        ordered = sorted(texts, key=len)
        for start in range(0, len(ordered), BATCH):
            encoded = tokenizer.encode_batch(ordered[start : start + BATCH])
            ids = np.array([one.ids for one in encoded], np.int64)
            mask = np.array([one.attention_mask for one in encoded], np.int64)
            feed = {"input_ids": ids, "attention_mask": mask}
            if "token_type_ids" in names:
                feed["token_type_ids"] = np.zeros_like(ids)
            hidden = session.run(None, feed)[0]
            weights = mask[:, :, None].astype(np.float32)
            vectors = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)

    return embed


def main() -> None:
    """Measure and print."""
    chosen = options(__doc__, texts=400).parse_args()
    measure(chosen.texts).print(as_json=chosen.json)


if __name__ == "__main__":
    main()
