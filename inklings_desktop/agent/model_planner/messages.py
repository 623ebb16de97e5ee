"""One call of a model, put together of what the turn knows: a pure function of it.

The order is fixed, so that a provider can keep the beginning: rules, standing wishes, tools, what
was said before, and last what changes with every message.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from inklings_desktop.agent.context.assembling import CHARACTERS_PER_TOKEN
from inklings_desktop.agent.context.compaction import (
    ANSWER_SHARE,
    HISTORY_SHARE,
    KEPT_MESSAGES,
    told_compact,
)
from inklings_desktop.agent.context.framing import (
    RESULT_TOKENS,
    framed,
    head_and_tail,
    masked,
    told_result,
)
from inklings_desktop.agent.context.skill_work import told_broken
from inklings_desktop.agent.memory_door.filters import NOTE_OUTCOME
from inklings_desktop.agent.model_planner.guidance import GUIDANCE_TOKENS, OFFERED, told_guidance
from inklings_desktop.agent.model_planner.prompts import prompt
from inklings_desktop.agent.model_planner.tool_specs import wanted
from inklings_desktop.agent.planning import (
    DENIED,
    LATER,
    REFUSED,
    UNKNOWN_TOOL,
    UNREADABLE,
    is_skill,
)
from inklings_desktop.agent.providers.port import ANSWER_TOKENS, Message, Request, ToolCall

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inklings_desktop.agent.context.assembling import Assembled
    from inklings_desktop.agent.planning import Call, Result, Situation, Tool, Utterance
    from inklings_desktop.agent.providers.port import ChatModel

RULES = "orchestrator"
STANDING = "# The author's standing wishes\n\n"
ROLE = "# A role for this task; the author's standing wishes come first\n\n"
SHORT = "Older turns were summarised at message {n}; ask for details rather than assume."
ATTACHMENT_TOKENS = 8_000
ONCE_AGAIN = (
    "A program checked what you said against the skill that you work by. This is not as it asks"
    " for. Answer once again, whole, so that it is:"
)
_NOT_DONE = {
    UNKNOWN_TOOL: "There is no such tool. Nothing was done.",
    UNREADABLE: "The arguments are no JSON object. Nothing was done.",
    "repeated": "You asked for exactly this before, several times. Use what it answered.",
    "derivable": "That can be read again when it is needed. It is not stored.",
    "rate": "Enough memories were written in this turn. Nothing more is written.",
    "brief": "Your brief does not allow this, or asks for more than you may give.",
    "too_many": "Enough of the team were sent in this turn. Use what they reported.",
    "skill": "The skill that you work by leaves you other tools. Nothing was done.",
    "policy": "The author wants no memory written in this conversation.",
    DENIED: "The author said no. Do not try it another way.",
    LATER: "It waits for the author, who decides later.",
    REFUSED: "This was refused. Nothing was done.",
}
"""What a model is told of a call that was not made, by why it was not."""


@dataclass(frozen=True, slots=True)
class Put:
    """A request, and the parts that it was put together of, by their names."""

    request: Request
    slices: dict[str, str]

    @property
    def tokens(self) -> int:
        """About how many it takes."""
        return sum(map(len, self.slices.values())) // CHARACTERS_PER_TOKEN


def put_together(
    model: ChatModel,
    tools: Sequence[Tool],
    situation: Situation,
    results: Sequence[Result],
    context: Assembled,
    mark: str,
) -> Put:
    """What the next call of the turn's model says.

    Args:
        mark: The tag of the turn's quotations.
    """
    rules = prompt(RULES).text
    standing = STANDING + context.standing.strip()
    role = f"{ROLE}{situation.role}" if situation.role else ""
    room = round(model.window * HISTORY_SHARE) * CHARACTERS_PER_TOKEN
    older = _short(situation, mark)
    earlier = tuple(_said_before(situation.earlier, room))
    beside = _beside(situation, context, mark)
    now = "\n\n".join([*beside.values(), f"The author says:\n{situation.prompt}"])
    done = tuple(told_done(results, mark))
    slices = {
        "rules": rules,
        "standing": standing,
        "role": role,
        "tools": "\n".join(f"{one.name}: {one.description} {_json(one.schema)}" for one in tools),
        "summary": older[0].text if older else "",
        "history": "\n\n".join(f"{one.role}: {one.text}" for one in earlier),
        **beside,
        "message": situation.prompt,
        "results": "\n\n".join(_told(one) for one in done),
    }
    request = Request(
        model.model,
        (*older, *earlier, Message("user", now), *done),
        tuple(filter(None, (rules, standing, role))),
        n_stable=2,
        tools=tuple(tools),
        max_tokens=min(ANSWER_TOKENS, round(model.window * ANSWER_SHARE)),
    )
    return Put(request, {name: text for name, text in slices.items() if text})


def call_id(call: Call) -> str:
    """The name of a call to a provider: nine letters and figures, which each of them takes.

    Of somebody who was sent, the number behind the point is that one's own.
    """
    return f"call{int(call.id.rpartition('.')[2]):05d}"


def _short(situation: Situation, mark: str) -> tuple[Message, ...]:
    """What was said longer ago, made short; the model is told where that ends."""
    if not situation.compact:
        return ()
    head = SHORT.format(n=situation.compact.get("up_to_message", 0))
    quoted = framed(mark, "summary", told_compact(situation.compact))
    return (Message("user", f"{head}\n{quoted}"),)


def _said_before(earlier: Sequence[Utterance], room: int) -> Iterator[Message]:
    kept: list[Utterance] = []
    for one in reversed(earlier):
        room -= len(one.text)
        if room < 0 and len(kept) >= KEPT_MESSAGES:
            break
        kept.append(one)
    for one in reversed(kept):
        if one.text.strip():
            # An answer by rules may have quoted what no model is shown; the person's words stay.
            yield Message(one.role, one.text if one.role == "user" else masked(one.text))


def _beside(situation: Situation, context: Assembled, mark: str) -> dict[str, str]:
    """What stands beside the message, each part framed."""
    parts: dict[str, str] = {}
    if context.candidates:
        shown = tuple(replace(one, text=masked(one.text)) for one in context.candidates)
        parts["memories"] = framed(mark, "memories", replace(context, candidates=shown).memories)
    attached = [
        framed(
            mark,
            "attachment",
            f"{one.title} {one.uri}\n"
            + head_and_tail(one.text, ATTACHMENT_TOKENS * CHARACTERS_PER_TOKEN),
        )
        for one in situation.attachments
    ]
    if attached:
        parts["attachments"] = "\n".join(attached)
    here = dict(context.workspace)
    place = {
        "workspace": (here.get("workspace") or {}).get("name", ""),
        "channel": situation.channel,
        "counts": here.get("counts") or {},
        **({"pages": here["pages"]} if here.get("pages") else {}),
        "time": situation.started_at,
        "language": situation.language,
    }
    if context.skills:
        offered = masked("\n".join(one.told for one in context.skills))
        parts["skills"] = f"{OFFERED}\n{framed(mark, 'skills', offered)}"
    parts["place"] = framed(mark, "place", _json(place))
    return parts


def told_done(results: Sequence[Result], mark: str) -> Iterator[Message]:
    """What the model wanted in this turn so far, step by step, and what came of it."""
    steps: list[list[Result]] = []
    for one in results:
        if one.said is not None or not steps:
            steps.append([])
        steps[-1].append(one)
    for step in steps:
        if step[0].call.tool == NOTE_OUTCOME:  # no call of the model's
            yield Message("assistant", step[0].said or "")
            yield Message("user", _once_again(step, mark))
            continue
        calls = tuple(
            ToolCall(call_id(one.call), one.call.tool, wanted(one.call.arguments)) for one in step
        )
        yield Message("assistant", step[0].said or "", calls)
        for one in step:
            yield Message("tool", _outcome(one, mark), (), call_id(one.call), one.is_error)


def _once_again(step: Sequence[Result], mark: str) -> str:
    found = (
        f"{one.call.arguments.get('skill')}: {told_broken(one.outcome['broken'])}"
        for one in step
        if one.outcome.get("broken")
    )
    return f"{ONCE_AGAIN}\n{framed(mark, 'broken', masked(chr(10).join(found)))}"


def _outcome(result: Result, mark: str) -> str:
    if result.is_error:
        why = str(result.outcome.get("why") or result.word)
        said = _NOT_DONE.get(why) or _NOT_DONE.get(result.word)
        if said is not None:
            return said
    elif is_skill(result.call.tool):
        return told_guidance(result.outcome, mark)
    tokens = GUIDANCE_TOKENS if result.call.tool == "skill_read" else RESULT_TOKENS
    return framed(mark, "answer", told_result(result.outcome, tokens))


def _told(message: Message) -> str:
    wanted = [f"{one.name} {_json(dict(one.arguments or {}))}" for one in message.calls]
    return "\n".join([f"{message.role}: {message.text}", *wanted])


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=dict)
