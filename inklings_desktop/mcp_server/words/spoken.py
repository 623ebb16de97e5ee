"""An answer as text, for models that read no structured content: its words, without its figures.

A text of somebody stands between quotes as a JSON string, so that no line of it passes for ours.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_HEAD = ("note", "notice")
_FIGURES = ("importance", "relevance")


def spoken(answer: Mapping[str, Any]) -> str:
    """The text of an answer.

    Documents are given as they are; of memories each has a line: id, version, place (of a fact its
    domain and topic too), who wrote it, importance, relevance, how long ago, what it says. What
    has neither, or every field, is JSON on one line.
    """
    for document in ("markdown", "body"):
        if document in answer:
            told = str(answer[document]) or str(answer.get("notice", ""))
            return f"{told}\n\u2026 {answer['more']}" if "more" in answer else told
    for memories in ("hits", "memories"):
        if memories in answer and all("by" in one for one in answer[memories]):
            return _lines(answer, answer[memories])
    return _compact(answer)


def _lines(answer: Mapping[str, Any], memories: list[Mapping[str, Any]]) -> str:
    head = [answer[name] for name in _HEAD if name in answer] if memories else ["Nothing found."]
    if "hidden" in answer:
        head.append(f"Characters that do not show: {', '.join(answer['hidden'])}.")
    lines = [_line(one) for one in memories]
    more = [f"next: {answer['next']}"] if answer.get("next") else []
    return "\n".join((*head, *lines, *more))


def _line(memory: Mapping[str, Any]) -> str:
    marks = [name for name in ("locked", "private") if memory.get(name)]
    if "also" in memory:
        marks.append(f"said {memory['also']['count'] + 1} times")
    place = [memory[name] for name in ("tier", "place", "kind") if name in memory]
    place += [_compact(memory[name]) for name in ("domain", "topic") if name in memory]
    curator, by = memory["curator"], memory["by"]
    figures = [f"{name} {memory[name]:g}" for name in _FIGURES if name in memory]
    filler = "~ " if memory.get("matched") is False else ""
    facts = (
        f"{filler}{memory['id']}",
        f"v{memory['version']}",
        *place,
        by if by == curator else f"{curator} {by}",
        *figures,
        memory["age"],
        *(("derived",) if "derivation" in memory else ()),
        *marks,
    )
    more = f" \u2026 {memory['more']}" if "more" in memory else ""
    return f"{', '.join(facts)}: {_compact(memory['content'])}{more}"


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
