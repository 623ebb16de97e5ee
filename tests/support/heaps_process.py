"""Lets three threads take memory, and says how many heaps the C library has by then.

Argument: ``shared`` to let them share one.
"""

from __future__ import annotations

import ctypes
import sys
import tempfile
import threading
from pathlib import Path

from inklings_desktop.freed_memory import share_one_heap

N_THREADS = 3
N_BYTES = 64 << 10  # taken from a heap, not mapped by itself


def main(how: str) -> None:
    """Take memory in all threads at once, and count."""
    if how == "shared":
        assert share_one_heap()
    all_took = threading.Barrier(N_THREADS)

    def take() -> None:
        taken = bytearray(N_BYTES)
        all_took.wait()
        assert len(taken) == N_BYTES

    threads = [threading.Thread(target=take) for _ in range(N_THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.stdout.write(f"{_n_heaps()}\n")


def _n_heaps() -> int:
    """As ``malloc_info`` tells."""
    library = ctypes.CDLL(None)
    library.fopen.restype = ctypes.c_void_p
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "heaps.xml")
        stream = ctypes.c_void_p(library.fopen(str(told).encode(), b"w"))
        library.malloc_info(0, stream)
        library.fclose(stream)
        return told.read_text(encoding="ascii").count("<heap nr=")


if __name__ == "__main__":
    main(sys.argv[1])
