"""Plans a turn with a model: asks it for the next step, and tells what it says as it comes.

What it said and wanted comes back in the results, so a turn that was cut off asks it no second
time for calls that were made.
"""

from __future__ import annotations

import time
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
from inklings_desktop.agent.mechanical.speech import LANGUAGES, speech
from inklings_desktop.agent.model_planner.links import Links
from inklings_desktop.agent.model_planner.messages import RULES, put_together
from inklings_desktop.agent.model_planner.prompts import prompt
from inklings_desktop.agent.model_planner.sending import sent_of
from inklings_desktop.agent.model_planner.tool_specs import completed, specs
from inklings_desktop.agent.planning import REFUSED, UNREADABLE, Answer, Call
from inklings_desktop.agent.providers.port import Stop, TextDelta, ThoughtDelta, ToolCall, Usage
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

    from inklings_desktop.agent.context.assembling import Assembled
    from inklings_desktop.agent.model_planner.messages import Put
    from inklings_desktop.agent.planning import Offer, Result, Say, Situation, Step
    from inklings_desktop.agent.providers.port import ChatModel, Models, Tool

MOST_FLAWED = 3
"""So many calls in a row that could not be made end the turn."""
_FLAWS = frozenset({"failed", "invalid_value"})
_STOPS = {"length": MAX_TOKENS, "refused": REFUSAL}


class ModelPlanner:
    """Plans one turn with the model for conversations."""

    produced_by: Literal["mechanical", "model"] = "model"

    def __init__(
        self, models: Models, offers: Callable[[], Awaitable[Sequence[Offer]]], mark: str
    ) -> None:
        """Plan with these models.

        Args:
            offers: Lists the tools that the turn may call.
            mark: The tag of the turn's quotations.
        """
        self._models = models
        self._offers = offers
        self._tools: tuple[Tool, ...] | None = None
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
        model = self._models.model_for(RULES)
        if model is None:
            raise AgentError(MODEL_UNKNOWN)
        if self._tools is None:
            self._tools = specs(await self._offers())
        put = put_together(model, self._tools, situation, results, context, self._mark)
        if (tokens := put.tokens) > model.window * (1 - ANSWER_SHARE):
            raise AgentError(CONTEXT_TOO_SMALL, detail=f"{model.provider} {tokens} {model.window}")
        links = Links(known(situation, results, context))
        return await self._asked(model, put, links, situation, len(results), say)

    async def _asked(
        self, model: ChatModel, put: Put, links: Links, situation: Situation, n_done: int, say: Say
    ) -> Step:
        said: list[str] = []
        calls: list[Call] = []
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
                    calls.append(_call(event, n_done + len(calls) + 1, situation))
                case Usage():
                    used = event
                case Stop():
                    ended = event.reason
        await tell(links.rest())
        ms = round((time.monotonic() - began) * 1000)
        await say.note(sent_of(prompt(RULES).id, model, put.slices, used, ms))
        if not ended:
            raise AgentError(PROVIDER_FAILED, retry=True, detail=model.provider)
        if calls and ended != "length":  # the last of them may be half of one
            return tuple(calls)
        if not said and ended == "end":
            raise AgentError(WRONG_ANSWER, retry=True, detail=model.provider)
        return Answer("".join(said), links.quotes, _STOPS.get(ended, END_TURN))


def known(situation: Situation, results: Sequence[Result], context: Assembled) -> dict[str, str]:
    """The tier of every memory that this turn was given, by its id."""
    found = {one.id: one.tier for one in context.candidates}
    for one in situation.attachments:
        tier, _, id_ = one.uri.removeprefix("inklings://memory/").partition("/")
        if one.uri.startswith("inklings://memory/") and id_:
            found[id_.lower()] = tier
    for result in results:
        tier = str(result.call.arguments.get("tier") or "")
        for memory in _memories(result.outcome):
            found[str(memory["id"])] = str(memory.get("tier") or tier)
    return {id_: tier for id_, tier in found.items() if tier}


def n_flawed(results: Sequence[Result]) -> int:
    """How many calls could not be made at the end of the turn so far, in a row."""
    n = 0
    for one in reversed(results):
        why = one.outcome.get("why")
        if not (one.word in _FLAWS or (one.word == REFUSED and why in {"tool", UNREADABLE})):
            break
        n += 1
    return n


def _memories(outcome: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    every: list[object] = [outcome.get("memory")]
    for key in ("hits", "memories"):
        listed = outcome.get(key)
        every += listed if isinstance(listed, list) else []
    for one in every:
        if isinstance(one, dict) and one.get("id"):
            yield one


def _call(wanted: ToolCall, number: int, situation: Situation) -> Call:
    if wanted.arguments is None:
        return Call(str(number), wanted.name, {}, UNREADABLE)
    return Call(str(number), wanted.name, completed(wanted.name, wanted.arguments, situation))
