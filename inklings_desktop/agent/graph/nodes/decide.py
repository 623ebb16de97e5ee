"""Let policy, and where it is not sure the person, say of each call whether it is made.

Nothing here has an effect: this node runs again from its first line once the person has answered.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.agent.graph.nodes.plan import REPEATED
from inklings_desktop.agent.graph.nodes.situations import (
    answers_to,
    call_of,
    results_of,
    situation_of,
    stored_call,
)
from inklings_desktop.agent.graph.telling import tool_kind
from inklings_desktop.agent.graph.turn import MAX_REPEATS, MOST_SENT
from inklings_desktop.agent.memory_door.briefs import permits, wanted_brief
from inklings_desktop.agent.memory_door.filters import LOCAL, SPAWN
from inklings_desktop.agent.planning import (
    DENIED,
    LATER,
    REFUSED,
    UNKNOWN_TOOL,
    UNREADABLE,
    Verdict,
)
from inklings_desktop.agent.policy import effect_of_all
from inklings_desktop.domain.errors import InvalidValueError

if TYPE_CHECKING:
    from inklings_desktop.agent.graph.state import TurnState
    from inklings_desktop.agent.graph.turn import Turn
    from inklings_desktop.agent.planning import Call, Situation

ALLOW = "allow"
_OUTCOMES = {
    words.OPTION_ONCE: ("allowed_once", ALLOW),
    words.OPTION_ALWAYS: ("allowed_always", ALLOW),
    words.OPTION_DENY: ("denied", DENIED),
    words.OPTION_LATER: ("later", LATER),
}
WITHDRAWN = ("withdrawn", DENIED)


async def decide(state: TurnState, turn: Turn) -> dict[str, Any]:
    """Each call with what is to become of it."""
    situation, results = situation_of(state, turn.conversation), results_of(state)
    made = Counter(same(one.call) for one in results)
    calls: list[dict[str, Any]] = []
    questions: list[dict[str, Any]] = []
    n_sent = (state.get("spent") or {}).get("spawned", 0)
    for stored in state.get("calls") or []:
        call = call_of(stored)
        verdict = _unfit(call, turn)
        if verdict is None and made[same(call)] >= MAX_REPEATS:
            verdict = Verdict("refuse", REPEATED)
        elif verdict is None and call.tool == SPAWN:
            verdict = _sending(call, situation, n_sent)
            n_sent += verdict.decision == ALLOW
        elif verdict is None:
            is_local = call.tool in LOCAL
            verdict = Verdict("allow") if is_local else turn.judge(call, situation, results)
        if verdict.decision != "refuse" and not turn.writes.take(call):
            verdict = Verdict("refuse", "rate")
        call = verdict.call or call
        decided = stored | stored_call(call) | _decided(verdict)
        if verdict.decision == "ask" and turn.brief and not turn.brief.is_interactive:
            decided["decision"] = LATER  # whoever was sent and is not to ask leaves it undone
        elif verdict.decision == "ask":
            rule = await asyncio.to_thread(turn.runs.rule, turn.conversation, call.tool, "")
            if rule is None or len(state.get("calls") or []) > 1:
                questions.append(_question(call, verdict) | _asking(turn))
            else:
                decided["decision"] = ALLOW if rule == "allow" else DENIED
        calls.append(decided)
    if questions:
        answers = answers_to(_united(questions), turn)
        calls = [_answered(one, answers.get(one["id"])) for one in calls]
    for one in calls:
        if one["decision"] != ALLOW:
            turn.writes.give_back(one["id"])
    return {"calls": calls}


def _unfit(call: Call, turn: Turn) -> Verdict | None:
    """Why a call is none that whoever wants it may make; None where it is judged."""
    if call.why in {UNREADABLE, UNKNOWN_TOOL}:
        return Verdict("refuse", call.why)
    if not permits(turn.process, call.tool, call.arguments, turn.brief):
        return Verdict("refuse", "tool" if turn.brief is None else "brief")
    if not permits(turn.process, call.tool, call.arguments, turn.brief, turn.memory.only):
        return Verdict("refuse", "skill")
    return None


def _sending(call: Call, situation: Situation, n_sent: int) -> Verdict:
    """Whether somebody may be sent for something: by what the brief holds, and by how many."""
    if n_sent >= MOST_SENT:
        return Verdict("refuse", "too_many")
    try:
        wanted_brief(call.id, call.arguments, situation.conversation, situation.channel)
    except InvalidValueError:
        return Verdict("refuse", "brief")
    return Verdict("allow")


def _asking(turn: Turn) -> dict[str, Any]:
    """Who asks, and the call by which that one was sent; nothing for the Orchestrator."""
    if turn.brief is None:
        return {}
    return {words.PROCESS: turn.process, words.PARENT: f"{turn.id}:{turn.brief.call}"}


def same(call: Call) -> str:
    """What two calls have in common that ask for the same."""
    return json.dumps([call.tool, call.arguments], sort_keys=True, ensure_ascii=False)


def _decided(verdict: Verdict) -> dict[str, Any]:
    refused = {"decision": REFUSED, "word": verdict.word}
    if verdict.decision == "refuse":
        return refused
    return {
        "decision": verdict.decision,
        "word": verdict.word,
        "effect": verdict.effect,
        "before": verdict.before,
    }


def _question(call: Call, verdict: Verdict) -> dict[str, Any]:
    return {
        "id": call.id,
        "tool": call.tool,
        "title": call.title or call.tool,
        "tool_kind": tool_kind(call.tool),
        "input": dict(call.arguments),
        words.WHY: verdict.word,
        words.EFFECT: verdict.effect,
        words.BEFORE: verdict.before,
        words.AFTER: verdict.after,
        words.TIER: verdict.tier,
        words.TOUCHED: [{"id": one.id, "tier": one.tier} for one in verdict.touched],
    }


def _united(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One question for several calls of the same kind: a list to choose from."""
    first = questions[0]
    if len(questions) == 1 or {one["tool"] for one in questions} != {first["tool"]}:
        return questions
    told = [f"{n}. {one[words.BEFORE] or one['title']}" for n, one in enumerate(questions, start=1)]
    choices = [
        {key: one[key] for key in ("id", "title", words.BEFORE, words.AFTER)} for one in questions
    ]
    return [
        first
        | {
            "title": f"{first['title']} (+ {len(questions) - 1})",
            words.EFFECT: effect_of_all(one[words.EFFECT] for one in questions),
            words.BEFORE: "\n".join(told),
            words.TOUCHED: [each for one in questions for each in one[words.TOUCHED]],
            words.CHOICES: choices,
        }
    ]


def _answered(call: dict[str, Any], option: str | None) -> dict[str, Any]:
    if call["decision"] != "ask":
        return call
    outcome, decision = _OUTCOMES.get(option or "", WITHDRAWN)
    return call | {"decision": decision, "asked": outcome}
