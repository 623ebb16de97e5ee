"""What is shown of somebody who was sent: what that one may do, did, found and cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.memory_door.briefs import Brief

MOST_FINDINGS, MOST_STEPS, MOST_SOURCES = 30, 40, 50
_TEXT, _PLACE = 400, 120
"""Characters of a finding, and of where it was found."""
_LISTS = (
    "hits",
    "memories",
    "versions",
    "passages",
    "blocks",
    "pages",
    "changes",
    "events",
    "notes",
)
_ABOUT = ("query", "page", "key", "name", "file", "content", "id")
_PAGE_TOOLS = frozenset({"world_search", "world_read"})


@dataclass(slots=True)
class Found:
    """What somebody has noted down of what was found.

    Attributes:
        findings: ``{place, text, memory?, page?}`` each; ``memory`` is ``{id, tier}``, ``page`` the
            title or path of a page that was read.
        note_key: Of the last note of them; empty for none.
        sources: The memories that it read, ``{id, tier}`` each.
    """

    findings: list[dict[str, Any]] = field(default_factory=list)
    note_key: str = ""
    sources: list[dict[str, str]] = field(default_factory=list)


def findings_in(brief: Brief, results: Sequence[Mapping[str, Any]]) -> Found:
    """What one who was sent has noted down so far, also where that one was stopped."""
    found = Found()
    for result in results:
        arguments = result["call"]["arguments"]
        key = str(arguments.get("key") or "")
        is_kept = result["call"]["tool"] == "note_write" and not result.get("is_error")
        if is_kept and key.startswith(brief.notes):
            found.note_key = key
            found.findings += _findings_of(key.removeprefix(brief.notes), arguments.get("value"))
    known = {name for result in results for page in _pages(result) for name in page}
    for one in found.findings:
        if "memory" not in one and one["place"] in known:
            one["page"] = one["place"]
    touched = (one for result in results for one in result["part"].get("touched", ()))
    read = {one["id"]: {"id": one["id"], "tier": one["tier"]} for one in touched}
    found.sources = list(read.values())[:MOST_SOURCES]
    return found


def _pages(result: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Path and title of the pages that a call read."""
    if result["call"]["tool"] in _PAGE_TOOLS and not result.get("is_error"):
        outcome = result["outcome"]
        for one in (*(outcome.get("passages") or ()), outcome):
            page = one.get("page")
            if isinstance(page, dict):
                yield str(page.get("path") or ""), str(page.get("title") or "")


def _findings_of(name: str, value: object) -> Iterator[dict[str, Any]]:
    listed = value.get("findings") if isinstance(value, dict) else value
    for one in listed if isinstance(listed, list) else [listed]:
        told = one if isinstance(one, dict) else {"place": name, "text": one}
        text = " ".join(str(told.get("text") or "").split())[:_TEXT]
        if text:
            memory = told.get("memory")
            place = " ".join(str(told.get("place") or name).split())[:_PLACE]
            yield {"place": place, "text": text} | (
                {"memory": {"id": str(memory["id"]), "tier": str(memory["tier"])}}
                if isinstance(memory, dict) and {"id", "tier"} <= memory.keys()
                else {}
            )


def card_run(
    brief: Brief,
    state: TurnState,
    status: str,
    *,
    is_resumed: bool = False,
    progress: tuple[int, int] = (0, 0),
) -> dict[str, Any]:
    """The run as its card tells it, the same whenever it is told.

    Args:
        brief: What it was sent for.
        state: Of its own graph.
        status: Of its card.
        is_resumed: Whether it goes on after the program ended under it.
        progress: How much of what it does at the moment is done, and of how much; nothing of 0.
    """
    results, spent = state.get("results") or [], state.get("spent") or {}
    answer, scratch = state.get("answer") or {}, state.get("scratch") or {}
    report = answer.get("report") or {}
    found = findings_in(brief, results)
    touched = {one["id"] for each in results for one in each["part"].get("touched", ())}
    pages = {page for each in results for page in _pages(each)}
    return {
        "id": brief.call,
        "role": brief.process,
        "goal": brief.goal,
        "overlay": brief.overlay,
        "interactive": brief.is_interactive,
        "may": [
            {"tool": one.tool, "tier": one.tier, "scope": one.scope}
            for one in sorted(brief.allowed)
        ],
        "seconds": brief.budget.seconds,
        "calls": brief.budget.tool_calls,
        "state": answer.get("ended") or ("running" if status == "in_progress" else status),
        "did": [_did(one) for one in results][-MOST_STEPS:],
        "n_memories": len(touched),
        "n_pages": len(pages),
        "findings": found.findings[:MOST_FINDINGS],
        "n_findings": len(found.findings),
        "resumed": is_resumed,
        "done": progress[0],
        "of": progress[1],
        "incomplete": bool(report.get("incomplete")),
        "problem": str(answer.get("problem") or ""),
        "summary": str(report.get("summary") or ""),
        "confidence": str(report.get("confidence") or ""),
        "open_questions": list(report.get("open_questions") or ()),
        "note_key": found.note_key,
        "model": str(scratch.get("model") or ""),
        "input": spent.get("input", 0),
        "output": spent.get("output", 0),
        "cost_micro": None if spent.get("unpriced") else spent.get("cost_micro"),
        "currency": str(scratch.get("currency") or ""),
    }


def _did(result: Mapping[str, Any]) -> dict[str, Any]:
    """One thing that was done: the tool, what it was about, and how much came of it."""
    call, outcome, part = result["call"], result["outcome"], result["part"]
    about = next((str(call["arguments"][one]) for one in _ABOUT if call["arguments"].get(one)), "")
    counts = [len(outcome[one]) for one in _LISTS if isinstance(outcome.get(one), list)]
    return {
        "tool": call["tool"],
        "tier": str(call["arguments"].get("tier") or ""),
        "about": " ".join(about.split())[:_PLACE],
        "n": counts[0] if counts else int(not result.get("is_error")),
        "ms": part.get("ms") or 0,
        "status": part["status"],
    }
