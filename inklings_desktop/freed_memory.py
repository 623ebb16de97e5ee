"""Gives the system back what this process has freed.

The C library of Linux keeps freed memory for the next use. Where something long-lived lies behind
it, it stays with the process for good: some 25 MiB of 290 after an hour of hasty work (measured).
It also keeps a heap for every few threads, and what was freed in one is of no use to another.
"""

from __future__ import annotations

import ctypes
import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


_M_ARENA_MAX = -8  # of malloc.h


def share_one_heap() -> bool:
    """Let all threads that begin from now on share one heap; whether the C library does so.

    Those of this program wait for each other anyhow, and what is large is mapped by itself.
    """
    choose = _of_c_library("mallopt", ctypes.c_int, ctypes.c_int)
    return choose is not None and choose(_M_ARENA_MAX, 1) == 1


def give_back() -> bool:
    """Hand whole free pages to the system, in 1 to 10 ms; whether there were any.

    Other C libraries do so by themselves, or not at all: nothing happens there.
    """
    trim = _of_c_library("malloc_trim", ctypes.c_size_t)
    return trim is not None and trim(0) == 1


@functools.cache
def _of_c_library(
    name: str, *arguments: type[ctypes._SimpleCData[int]]
) -> Callable[..., int] | None:
    """A function of glibc that answers with an int; None where there is none of that name."""
    try:
        found = getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):  # not glibc; no such thing as None on Windows
        return None
    found.argtypes = arguments
    found.restype = ctypes.c_int
    called: Callable[..., int] = found
    return called
