"""Imports a file as a program of its own, to be killed at any moment."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.support.transfers import transfer_bench


def bring_in(root: str, file: str, seed: str) -> None:
    """Say ``ready``, import, say ``done``."""
    with transfer_bench(Path(root), seed=int(seed), workspace_ids=()) as bench:
        preview = bench.preview(Path(file))
        print("ready", flush=True)  # noqa: T201  how the test hears of it
        bench.apply(preview)
        print("done", flush=True)  # noqa: T201


if __name__ == "__main__":
    bring_in(*sys.argv[1:])
