"""Imports a file as a program of its own, to be killed at any moment."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.support.transfers import transfer_bench


def main() -> None:
    """Say ``ready``, import, say ``done``."""
    root, file = map(Path, sys.argv[1:3])
    with transfer_bench(root, seed=int(sys.argv[3])) as bench:
        preview = bench.preview(file)
        print("ready", flush=True)  # noqa: T201  how the test hears of it
        bench.apply(preview)
        print("done", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
