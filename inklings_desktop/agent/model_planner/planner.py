"""Plans a turn with a model: asks it for the next step, and tells what it says as it comes.

What it said and wanted comes back in the results, so a turn that was cut off asks it no second
time for calls that were made.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from inklings_desktop.acp_wire.words import (
    CONTEXT_TOO_SMALL,
    END_TURN,
    MAX_TOKENS,
    MODEL_UNKNOWN,
    PROVIDER_FAILED,
    REFUSAL,
    WRONG_ANSWER,
)
from inklings_desktop.agent.context.compaction import ANSWER_SHARE
from inklings_desktop.agent.context.framing import masked
from inklings_desktop.agent.context.skill_work import (
    chosen_in,
    is_failed,
    left_by,
    noted_last,
    outcome_arguments,
    told_broken,
)
from inklings_desktop.agent.mechanical.speech import LANGUAGES, speech
from inklings_desktop.agent.mechanical.turn import escaped
from inklings_desktop.agent.memory_door.filters import NOTE_OUTCOME, SPAWN, is_left
from inklings_desktop.agent.model_planner.given import given_in
from inklings_desktop.agent.model_planner.links import Links
from inklings_desktop.agent.model_planner.messages import RULES, put_together
from inklings_desktop.agent.model_planner.prompts import prompt
from inklings_desktop.agent.model_planner.sending import sent_of
from inklings_desktop.agent.model_planner.team import LOCAL_TOOLS
from inklings_desktop.agent.model_planner.titles import title_of
from inklings_desktop.agent.model_planner.tool_specs import completed, specs
from inklings_desktop.agent.planning import (
    BY_MODEL,
    REFUSED,
    UNKNOWN_TOOL,
    UNREADABLE,
    Answer,
    Call,
)
from inklings_desktop.agent.providers.port import Stop, TextDelta, ThoughtDelta, ToolCall, Usage
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from inklings_desktop.agent.context.assembling import Assembled
    from inklings_desktop.agent.context.skill_work import Chosen
    from inklings_desktop.agent.model_planner.given import Given
    from inklings_desktop.agent.model_planner.messages import Put
    from inklings_desktop.agent.planning import Result, Say, Situation, Step, Tool
    from inklings_desktop.agent.providers.port import ChatModel, Models

OUTCOME = "outcome"
"""Why of the call by which the program notes what came of a skill."""
MOST_FLAWED = 3
"""So many calls in a row that could not be made end the turn."""
_FLAWS = frozenset({"failed", "invalid_value"})
_STOPS = {"length": MAX_TOKENS, "refused": REFUSAL}


class ModelPlanner:
    """Plans one turn with the model for conversations."""

    produced_by: Literal["mechanical", "model"] = "model"

    def __init__(
        self, models: Models, offers: Callable[[], Awaitable[Sequence[Tool]]], mark: str
    ) -> None:
        """Plan with these models.

        Args:
            offers: Lists the tools that the turn may call.
            mark: The tag of the turn's quotations.
        """
        self._models = models
        self._offers = offers
        self._every: tuple[Tool, ...] | None = None
        self._tools: tuple[Tool, ...] = ()
        self._mark = mark

    async def __call__(
        self, situation: Situation, results: Sequence[Result], context: Assembled, say: Say
    ) -> Step:
        """The next calls, or the answer.

        Raises:
            AgentError: The model cannot answer, or memory cannot be reached.
        """
        if n_flawed(results) >= MOST_FLAWED:
            language = situation.language if situation.language in LANGUAGES else LANGUAGES[0]
            text = str(speech(language).table["model"]["flawed_calls"])
            await say(text)
            return Answer(text)
        if (noted := noted_last(results)) and (
            told := _told(noted, results, situation)
        ) is not None:
            if told:
                await say(told)
            return Answer(told)
        model = self._models.model_for(RULES)
        if model is None:
            raise AgentError(MODEL_UNKNOWN)
        if self._every is None:
            self._every = (*specs(await self._offers()), *LOCAL_TOOLS)
        left = left_by(results)
        self._tools = tuple(one for one in self._every if is_left(one.name, left))
        put = put_together(model, self._tools, situation, results, context, self._mark)
        room = model.window * (1 - ANSWER_SHARE)
        if put.tokens > room and context.skills:  # nothing of the author's goes for them
            bare = replace(context, skills=())
            put = put_together(model, self._tools, situation, results, bare, self._mark)
        if (tokens := put.tokens) > room:
            raise AgentError(CONTEXT_TOO_SMALL, detail=f"{model.provider} {tokens} {model.window}")
        given = given_in(situation, results, context)
        links = Links({id_: one.tier for id_, one in given.items()})
        said, wanted, ended = await self._heard(model, put, links, say)
        # Who is sent comes last: the others' results are there sooner, and keep their order.
        wanted.sort(key=lambda one: one.name == SPAWN)
        if wanted and ended != "length":  # the last of them may be half of one
            return tuple(
                self._call(one, len(results) + number, situation, given)
                for number, one in enumerate(wanted, start=1)
            )
        if not said and ended == "end":
            raise AgentError(WRONG_ANSWER, retry=True, detail=model.provider)
        if ended == "end" and (chosen := chosen_in(results)):
            return tuple(
                self._noted(one, said, len(results) + number, situation)
                for number, one in enumerate(chosen, start=1)
            )
        return Answer(said, links.quotes, _STOPS.get(ended, END_TURN))

    async def _heard(
        self, model: ChatModel, put: Put, links: Links, say: Say
    ) -> tuple[str, list[ToolCall], str]:
        """What the model said, told as it came; what it wants called; and why it ended."""
        said: list[str] = []
        wanted: list[ToolCall] = []
        began, used, ended = time.monotonic(), Usage(0, 0), ""

        async def tell(text: str) -> None:
            if text:
                said.append(text)
                await say(text)

        async for event in model.stream(put.request):
            match event:
                case TextDelta():
                    await tell(links.take(event.text))
                case ThoughtDelta():
                    await say.think(event.text)
                case ToolCall():
                    wanted.append(event)
                case Usage():
                    used = event
                case Stop():
                    ended = event.reason
        await tell(links.rest())
        ms = round((time.monotonic() - began) * 1000)
        await say.note(sent_of(prompt(RULES).id, model, put.slices, used, ms))
        if not ended:
            raise AgentError(PROVIDER_FAILED, retry=True, detail=model.provider)
        return "".join(said), wanted, ended

    def _call(
        self, wanted: ToolCall, number: int, situation: Situation, given: Mapping[str, Given]
    ) -> Call:
        id_, tool = str(number), wanted.name
        if wanted.arguments is None:
            return Call(id_, tool, {}, UNREADABLE, tool)
        if tool not in {one.name for one in self._tools}:
            return Call(id_, tool, wanted.arguments, UNKNOWN_TOOL, tool)
        arguments = completed(tool, wanted.arguments, situation)
        title = title_of(tool, arguments, given, situation.language)
        return Call(id_, tool, arguments, BY_MODEL, title)

    def _noted(self, chosen: Chosen, said: str, number: int, situation: Situation) -> Call:
        """The program's own look at an answer that was worked out by a skill."""
        title = title_of(NOTE_OUTCOME, {"name": chosen.title}, {}, situation.language)
        return Call(str(number), NOTE_OUTCOME, outcome_arguments(chosen, said), OUTCOME, title)


def _told(noted: Sequence[Result], results: Sequence[Result], situation: Situation) -> str | None:
    """What is said behind an answer that was checked; None where it is given once again."""
    failed = [one for one in noted if is_failed(one, results)]
    if not failed:
        return None if any(one.outcome.get("broken") for one in noted) else ""
    language = situation.language if situation.language in LANGUAGES else LANGUAGES[0]
    sentence = str(speech(language).table["model"]["skill_failed"])
    return "\n".join(
        sentence.format(
            name=escaped(one.call.arguments["title"]),
            broken=escaped(masked(told_broken(one.outcome["broken"]))),
        )
        for one in failed
    )


def n_flawed(results: Sequence[Result]) -> int:
    """How many calls could not be made at the end of the turn so far, in a row."""
    n = 0
    for one in reversed(results):
        why = one.outcome.get("why")
        if not (one.word in _FLAWS or (one.word == REFUSED and why in {UNKNOWN_TOOL, UNREADABLE})):
            break
        n += 1
    return n
