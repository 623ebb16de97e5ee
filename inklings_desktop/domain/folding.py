"""Which hits of one search say nearly the same as a better one.

By the cosine of their vectors, above 0.9. While a vector is missing that cannot be told, and
memories whose texts are equal but for case, accents and spaces count as the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.query_text import folded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.likeness import Likeness


def duplicates_of_better(
    ids: Sequence[str], contents: Mapping[str, str | None], likeness: Likeness
) -> dict[str, str]:
    """Each near-duplicate with the memory that it stands behind.

    Args:
        ids: Memories of one scope key, the best hit first.
        contents: Their texts; may be None where every vector is there.
        likeness: Their vectors.

    Returns:
        Nothing stands behind what itself stands behind another; each stands behind the best it
        is like.
    """
    places = {one: place for place, one in enumerate(ids)}
    near = likeness.duplicates(ids)
    same: dict[str, str] = {}
    texts: dict[str, str] = {}
    if not all(map(likeness.has, ids)):
        texts = {one: " ".join(folded(contents[one] or one).split()) for one in ids}
    behind: dict[str, str] = {}
    for one in ids:
        if one in behind:
            continue
        if texts and (first := same.setdefault(texts[one], one)) != one:
            behind[one] = first
            continue
        for other in near.get(one, ()):
            if places[other] > places[one]:
                behind.setdefault(other, one)
    return behind
