"""Why a search found a memory, or did not, as lines for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.cli.memories.memory_lines import INDENT, short_id
from inklings_desktop.cli.output import counted
from inklings_desktop.usecases.search.explain_missing import Stage
from inklings_desktop.usecases.search.search_memories import list_length

if TYPE_CHECKING:
    from inklings_desktop.domain.search.explanation import Explanation
    from inklings_desktop.usecases.search.explain_missing import Missing
    from inklings_desktop.usecases.search.search_memories import SearchRequest


def explanation_lines(explanation: Explanation) -> list[str]:
    """How a score came about."""
    blend, fading = explanation.blend, explanation.fading
    lines = [
        (
            f"found by: {_words(explanation)}; {_meaning(explanation)}; combined "
            f"{explanation.fused:.4f}"
        ),
        (
            f"blend {blend.total:.3f} = words {blend.words:.3f} + meaning {blend.meaning:.3f} "
            f"+ subject {blend.subject:.3f} + word by word {blend.word_by_word:.3f} "
            f"+ session {blend.session:.3f}"
        ),
        (
            f"relevance {fading.relevance:.3f} = importance {fading.importance:.2f}, "
            f"{fading.rate:.3f} an hour over {fading.hours:,.1f} h, "
            f"{counted(fading.reads, 'read')}; factor {fading.factor:.3f}"
        ),
        f"score {explanation.score:.3f} = blend \u00d7 factor",
    ]
    if explanation.folded:
        nearly = "the same, folded into it"
        lines.append(f"{nearly}: {', '.join(map(short_id, explanation.folded))}")
    return [INDENT + line for line in lines]


def missing_lines(missing: Missing, memory_id: str, request: SearchRequest) -> list[str]:
    """What became of a memory in a search: one sentence, then the figures if there are any."""
    name = short_id(memory_id)
    lines = [f"{name}: {_sentence(missing, request)}"]
    if missing.explanation is not None:
        lines += explanation_lines(missing.explanation)
    return lines


def _sentence(missing: Missing, request: SearchRequest) -> str:
    match missing.stage:
        case Stage.NOT_HERE:
            return "not in the place that was searched."
        case Stage.FORGOTTEN:
            return "forgotten, so no search finds it. Restore it to find it again."
        case Stage.PAUSED:
            return "paused, so no search finds it until it is resumed."
        case Stage.FILTERED:
            return "not among what the filters let through."
        case Stage.NO_WORDS:
            return "the query has no word to look for."
        case Stage.NO_MATCH:
            return f"not found: {_no_match(missing)}."
        case Stage.BELOW_LISTS:
            return (
                f"too far down to be ranked: {_places(missing)}; the first "
                f"{list_length(request.limit)} of each list are."
            )
        case Stage.FOLDED:
            better = short_id(missing.folded_into or "")
            return f"is a duplicate of the better hit {better}, and grouped under it."
        case Stage.BELOW_LIMIT:
            return (
                f"ranked {missing.position}, beyond the {request.limit} that were asked for. "
                f"Ask for more with --limit."
            )
        case Stage.FOUND:
            return f"found, at place {missing.position}."


def _no_match(missing: Missing) -> str:
    if missing.cosine is not None:
        if missing.shown_from is None:
            return (
                f"no word matches, and the model does not say which likeness of meaning is enough "
                f"(cosine {missing.cosine:.2f})"
            )
        return (
            f"no word matches, and the meaning is too far off "
            f"(cosine {missing.cosine:.2f}, shown from {missing.shown_from:.2f})"
        )
    if not missing.has_vector:
        return "no word matches, and it has no embedding to compare meaning by"
    return "no word matches, and meaning was not compared"


def _places(missing: Missing) -> str:
    parts = []
    if missing.keyword_rank is not None:
        parts.append(f"place {missing.keyword_rank:,} by words")
    if missing.semantic_rank is not None:
        parts.append(f"place {missing.semantic_rank:,} by meaning (cosine {missing.cosine:.2f})")
    return ", ".join(parts)


def _words(explanation: Explanation) -> str:
    if explanation.keyword_rank is None:
        return "no word matched"
    return f"words, rank {explanation.keyword_rank}, score {explanation.bm25:.2f}"


def _meaning(explanation: Explanation) -> str:
    if explanation.cosine is None:
        return "meaning not compared"
    place = (
        f"rank {explanation.semantic_rank}"
        if explanation.semantic_rank is not None
        else "not among the nearest"
    )
    return f"meaning, {place}, cosine {explanation.cosine:.2f}"
