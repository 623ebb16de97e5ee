"""The second look at the best candidates: each word of the question beside their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.search.late_interaction import nearness

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.search.hits import Traits
    from inklings_desktop.usecases.ports.tokens import TokenIndex
    from inklings_desktop.usecases.steps.query_vectors import Asked


def word_by_word(
    tokens: TokenIndex, asked: Asked, traits: Traits, ids: Sequence[str]
) -> Mapping[str, float]:
    """How near each of these candidates comes; empty where too few have words.

    Args:
        tokens: The words that are kept.
        asked: The question.
        traits: Of the candidates.
        ids: Of those that are looked at, the best first.
    """
    words = tokens.of_memories(ids, asked.space)
    if not words:
        return {}
    tags_of = dict(zip(traits.ids, traits.tags, strict=True))
    abouts = dict.fromkeys(tags_of[one] for one in ids)
    known = tokens.of_tags(list({tag for tags in abouts for tag in tags}), asked.space)
    joined = {tags: b"".join([known[tag] for tag in tags if tag in known]) for tags in abouts}
    return nearness(asked.words, words, {one: joined[tags_of[one]] for one in ids})
