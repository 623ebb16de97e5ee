"""Which hits of one search say the same as a better one; two that differ never do."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypedDict

from inklings_desktop.domain.likeness.sameness import key_of, says_the_same

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_NAMED = 10
"""Repeats that are named with their id behind one hit; the others are counted."""


def repeats_of_better(
    ids: Sequence[str], texts: Mapping[str, str], keys: Mapping[str, bytes] | None = None
) -> dict[str, str]:
    """Each memory that says the same as a better one, with the one that it stands behind.

    Args:
        ids: Memories of one scope key, the best hit first.
        texts: What those of them say that may say the same as another.
        keys: ``key_of`` each text, where that is known.

    Returns:
        Nothing stands behind what itself stands behind another; each stands behind the best that
        says the same.
    """
    behind: dict[str, str] = {}
    firsts: defaultdict[bytes, list[str]] = defaultdict(list)
    for one in ids:
        if one not in texts:
            continue
        standing = firsts[key_of(texts[one]) if keys is None else keys[one]]
        for better in standing:
            if says_the_same(texts[better], texts[one]):
                behind[one] = better
                break
        else:
            standing.append(one)
    return behind


class Repeats(TypedDict):
    """What stands behind one hit: the first ids, and how many there are."""

    ids: list[str]
    count: int


def named(repeats: Sequence[str]) -> Repeats:
    """What stands behind one hit as every door names it: the first ids, and how many there are."""
    return {"ids": list(repeats[:MAX_NAMED]), "count": len(repeats)}
