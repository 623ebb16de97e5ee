"""What is noted about a subject, compared: sent for in two sweeps, and told with both sides quoted.

The Orchestrator without a model reads nothing of it itself: it sends a Researcher through memories
and one through pages, reads what they noted down, and answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.mechanical.sweeping import MEMORIES, PAGES, counted
from inklings_desktop.agent.mechanical.turn import not_done, said
from inklings_desktop.agent.memory_door.filters import RESEARCHER, SPAWN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.agent.mechanical.turn import Turn, Writing
    from inklings_desktop.agent.planning import Answer, Call, Result, Step

_MOST_TOLD = 10


def compare(turn: Turn) -> Step:
    """Send two sweeps for it, read what they noted, answer."""
    about = turn.intent.text
    if not about:
        return said(turn, "compare_what")
    if not turn.results:
        places = (MEMORIES, PAGES) if turn.situation.has_pages else (MEMORIES,)
        return tuple(_sent(turn, about, where, n) for n, where in enumerate(places))
    sent = turn.written(SPAWN)
    if all(one.is_error for one in sent):
        return not_done(turn, sent[0], "compare_stopped")
    keys = [str(one.outcome["note_key"]) for one in sent if one.outcome.get("note_key")]
    if keys and not turn.written("note_read"):
        own = {"conversation": turn.situation.conversation}
        return tuple(
            turn.call("note_read", own | {"key": key}, after=n) for n, key in enumerate(keys)
        )
    return _answer(turn, sent)


def _sent(turn: Turn, about: str, where: str, after: int) -> Call:
    title = f"spawn_{where}"
    goal = turn.writing().speech.table["titles"][title].format(text=about)
    arguments = {"role": RESEARCHER, "goal": goal, "inputs": {"about": about, "where": where}}
    return turn.call(SPAWN, arguments, title=title, after=after, text=about)


def _answer(turn: Turn, sent: Sequence[Result]) -> Answer:
    writing, about = turn.writing(), turn.intent.text
    values: list[Mapping[str, Any]] = [
        one.outcome["note"]["value"]
        for one in turn.written("note_read")
        if not one.is_error and isinstance(one.outcome.get("note", {}).get("value"), dict)
    ]
    compared = {
        f"n_{one}": max((int(each.get(f"n_{one}") or 0) for each in values), default=0)
        for one in ("memories", "passages")
    }
    counts = counted(writing, compared)
    quoted = writing.quoted(about)
    if not counts:
        writing.say("compare_nothing", what=quoted)
    else:
        pairs = [pair for one in values for pair in one.get("pairs") or ()]
        writing.say("compared", what=quoted, counts=counts)
        _add_pairs(writing, pairs, sum(int(one.get("n_pairs") or 0) for one in values))
    if any(one.outcome.get("incomplete") for one in sent):
        writing.say("compare_stopped")
    return writing.answer()


def _add_pairs(writing: Writing, pairs: Sequence[Mapping[str, Any]], n_pairs: int) -> None:
    if not pairs:
        writing.say("compare_none")
        return
    forms = writing.speech.table["say"]["compare_found"]
    writing.add(writing.counted(n_pairs, forms))
    lines = []
    for one in pairs[:_MOST_TOLD]:
        kind = writing.word(f"difference_{one['kind']}")
        first, second = (_told(writing, one[side]) for side in ("first", "second"))
        lines.append(f"{first} \u2014 **{kind}**: {second}")
    writing.listed(lines, is_numbered=len(lines) > 1)
    if n_pairs > _MOST_TOLD:
        writing.say("compare_more")


def _told(writing: Writing, one: Mapping[str, Any]) -> str:
    return writing.paged(one) if "excerpt" in one else writing.framed(one)
