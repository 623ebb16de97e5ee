"""Frees much in front of something long-lived; says its memory before and after giving it back."""

from __future__ import annotations

import sys

from benchmarks.measuring import resident_bytes
from inklings_desktop.freed_memory import give_back

N_BLOCKS = 2_000
N_BYTES = 64 << 10  # less than what the C library maps by itself


def main() -> None:
    """Make, free, give back."""
    blocks = [bytearray(N_BYTES) for _ in range(N_BLOCKS)]
    last = blocks.pop()
    blocks.clear()
    before = resident_bytes()
    give_back()
    after = resident_bytes()
    assert len(last) == N_BYTES
    sys.stdout.write(f"{before}\n{after}\n")


if __name__ == "__main__":
    main()
