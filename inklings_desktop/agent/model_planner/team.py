"""Models as a team: how the Orchestrator's may send somebody, and how those work and report.

Who is sent sees its brief alone: no history, no standing wishes that are not its own to follow, and
nothing of the others. What it says at the end is read as a report and kept as a working note.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from inklings_desktop.acp_wire.words import MODEL_UNKNOWN, PROVIDER_FAILED
from inklings_desktop.agent.context.compaction import ANSWER_SHARE
from inklings_desktop.agent.context.framing import framed
from inklings_desktop.agent.memory_door.filters import (
    COMPOSER,
    RESEARCHER,
    RUN_SCRIPT,
    SET_PLAN,
    SPAWN,
    TEAM,
    WORKER,
)
from inklings_desktop.agent.model_planner.given import given_in
from inklings_desktop.agent.model_planner.messages import ROLE, STANDING, told_done
from inklings_desktop.agent.model_planner.prompts import prompt
from inklings_desktop.agent.model_planner.sending import sent_of
from inklings_desktop.agent.model_planner.skill_drafts import composer_tools, with_draft
from inklings_desktop.agent.model_planner.titles import title_of
from inklings_desktop.agent.model_planner.tool_specs import completed, specs
from inklings_desktop.agent.planning import BY_MODEL, UNKNOWN_TOOL, UNREADABLE, Answer, Call, Tool
from inklings_desktop.agent.providers.port import (
    ANSWER_TOKENS,
    Message,
    Request,
    Stop,
    TextDelta,
    ToolCall,
    Usage,
)
from inklings_desktop.domain.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from inklings_desktop.agent.context.assembling import Assembled
    from inklings_desktop.agent.memory_door.briefs import Brief
    from inklings_desktop.agent.planning import Result, Say, Situation, Step
    from inklings_desktop.agent.providers.port import ChatModel, Models

REPORT = "report"
"""The note under which a report is kept, below the task's own name; why of the call that does."""
SUMMARY = {RESEARCHER: 600, WORKER: 400}
_MOST = 600
_LEVELS = ("low", "medium", "high")
_MOST_QUESTIONS, _MOST_FINDINGS = 5, 20

_TEXT = {"type": "string"}
_RIGHT = {
    "type": "object",
    "properties": {
        "tool": _TEXT,
        "tier": {"type": "string", "enum": ["conversation", "channel", "workspace"]},
    },
    "required": ["tool"],
}
LOCAL_TOOLS = (
    Tool(
        SPAWN,
        "Send somebody for work that takes reading or doing: a researcher reads and reports, a"
        " worker acts within its brief, a composer words a skill and proposes it, or corrects one:"
        " its inputs say skill, wrong, report of a run. You get a short report; what it read stays"
        " with it, what it found in full is the working note that the report names. Ask for"
        " several at once where they do not depend on each other, three at a time, six in a turn.",
        {
            "type": "object",
            "properties": {
                "role": {"type": "string", "enum": list(TEAM)},
                "goal": _TEXT | {"description": "What is wanted, in a sentence or two."},
                "inputs": {"type": "object", "description": "Ids, names, figures it needs."},
                "allowed": {
                    "type": "array",
                    "items": _RIGHT,
                    "description": "A worker's writes: nothing else is written.",
                },
                "interactive": {
                    "type": "boolean",
                    "description": "Whether its questions reach the author; else it leaves undone"
                    " what it would have to ask about.",
                },
                "overlay": _TEXT | {"description": "A role to take, in words; empty for none."},
            },
            "required": ["role", "goal"],
        },
    ),
    Tool(
        SET_PLAN,
        "Show the author what you are going to do, where it takes two or more steps. Say it again"
        " with the same texts as steps begin and end.",
        {
            "type": "object",
            "properties": {
                "steps": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "text": _TEXT,
                            "state": {"type": "string", "enum": ["open", "now", "done"]},
                        },
                        "required": ["text"],
                    },
                }
            },
            "required": ["steps"],
        },
    ),
)


SCRIPT_TOOL = Tool(
    RUN_SCRIPT,
    "Run a Python script over all memories and pages, where single calls would be many: it defines"
    " main(inputs), imports inklings (memory_read, every_memory, fact_search, page, every_page,"
    " page_search, note_write, progress) and the pure parts of the standard library, and returns"
    " plain data. It writes no memory: it returns what it found, and you write. In place of a"
    " script name a skill and its file: its text is read for you.",
    {
        "type": "object",
        "properties": {
            "script": _TEXT,
            "skill": _TEXT,
            "file": _TEXT,
            "inputs": {"type": "object", "description": "What main is handed."},
        },
    },
)


@dataclass(slots=True)
class TeamPlanner:
    """Plans the steps of one who was sent, with the model for its process.

    Attributes:
        offers: Lists the tools that it may call.
        mark: The tag of its quotations.
        brief: What it was sent for.
        own: Tools of our own process besides.
    """

    models: Models
    offers: Callable[[], Awaitable[Sequence[Tool]]]
    mark: str
    brief: Brief
    own: tuple[Tool, ...] = ()
    produced_by: Literal["mechanical", "model"] = "model"
    _tools: tuple[Tool, ...] | None = None

    async def __call__(
        self, situation: Situation, results: Sequence[Result], context: Assembled, say: Say
    ) -> Step:
        """The next calls, the note that keeps its report, or the report itself.

        Raises:
            AgentError: The model cannot answer, or memory cannot be reached.
        """
        if results and results[-1].call.why == REPORT:
            kept = results[-1].call.arguments
            return Answer("", report={**kept["value"], "note_key": kept["key"]})
        model = self.models.model_for(self.brief.process)
        if model is None:
            raise AgentError(MODEL_UNKNOWN)
        if self._tools is None:
            offered = specs(await self.offers())
            is_composer = self.brief.process == COMPOSER
            self._tools = (*(composer_tools(offered) if is_composer else offered), *self.own)
        said, wanted = await self._heard(model, situation, results, context, say)
        given = given_in(situation, results, context)
        if not wanted:
            report = report_of(said, self.brief, {id_: one.tier for id_, one in given.items()})
            return (self._kept(report, situation, len(results) + 1),)
        known = {one.name for one in self._tools}
        calls = []
        for number, one in enumerate(wanted, start=len(results) + 1):
            arguments = one.arguments or {}
            why = BY_MODEL if one.name in known else UNKNOWN_TOOL
            why = UNREADABLE if one.arguments is None else why
            if why == BY_MODEL and self.brief.process == COMPOSER:
                arguments = with_draft(one.name, arguments, results)
            whole = self._whole(one.name, arguments, situation) if why == BY_MODEL else arguments
            title = title_of(one.name, whole, given, situation.language)
            calls.append(Call(f"{self.brief.call}.{number}", one.name, whole, why, title))
        return tuple(calls)

    async def _heard(
        self,
        model: ChatModel,
        situation: Situation,
        results: Sequence[Result],
        context: Assembled,
        say: Say,
    ) -> tuple[str, list[ToolCall]]:
        rules, brief = prompt(self.brief.process), self._brief(situation)
        done = tuple(told_done(results, self.mark))
        standing = STANDING + context.standing.strip()
        overlay = f"{ROLE}{self.brief.overlay}" if self.brief.overlay else ""
        request = Request(
            model.model,
            (Message("user", brief), *done),
            tuple(filter(None, (rules.text, standing, overlay))),
            n_stable=2,
            tools=self._tools or (),
            max_tokens=min(ANSWER_TOKENS, round(model.window * ANSWER_SHARE)),
        )
        said, wanted = "", list[ToolCall]()
        began, used, ended = time.monotonic(), Usage(0, 0), ""
        async for event in model.stream(request):
            match event:
                case TextDelta():
                    said += event.text
                case ToolCall():
                    wanted.append(event)
                case Usage():
                    used = event
                case Stop():
                    ended = event.reason
        await say(said)
        ms = round((time.monotonic() - began) * 1000)
        results_told = "\n\n".join(one.text for one in done)
        slices = {
            "rules": rules.text, "standing": standing, "role": overlay, "message": brief,
            "results": results_told,
        }  # fmt: skip
        shown = {name: text for name, text in slices.items() if text}
        await say.note(sent_of(rules.id, model, shown, used, ms))
        if not ended:
            raise AgentError(PROVIDER_FAILED, retry=True, detail=model.provider)
        return said, wanted if ended != "length" else []

    def _brief(self, situation: Situation) -> str:
        """Goal and limits in plain words; what it is handed is quoted, as all that was read."""
        brief = self.brief
        writes = ", ".join(
            " in ".join(filter(None, (one.tool, one.tier))) for one in sorted(brief.allowed)
        )
        inputs = json.dumps(dict(brief.inputs), ensure_ascii=False)
        return "\n\n".join(
            [
                f"Your brief: {brief.goal}",
                f"You may write: {writes or 'nothing'}. Keep findings under {brief.notes}.",
                f"The language is {situation.language}. Asked for by the author, and inputs:",
                framed(self.mark, "author", situation.prompt),
                framed(self.mark, "inputs", inputs),
            ]
        )

    def _whole(
        self, tool: str, arguments: Mapping[str, Any], situation: Situation
    ) -> dict[str, Any]:
        """The arguments with what the program sets: a memory names who wrote it."""
        whole = completed(tool, arguments, situation)
        return whole | {"source": self.brief.process} if "source" in whole else whole

    def _kept(self, report: dict[str, Any], situation: Situation, number: int) -> Call:
        key = f"{self.brief.notes}{REPORT}"
        arguments = {"conversation": situation.conversation, "key": key}
        whole = arguments | {"value": report}
        title = title_of("note_write", arguments, {}, situation.language)
        return Call(f"{self.brief.call}.{number}", "note_write", whole, REPORT, title)


def report_of(said: str, brief: Brief, given: Mapping[str, str]) -> dict[str, Any]:
    """What somebody said at the end, as a report; words that are no JSON are its summary.

    Args:
        said: Its last words.
        brief: What it was sent for.
        given: The tiers of the memories that it read, by their ids: it can name no others.
    """
    begins, ends = said.find("{"), said.rfind("}")
    try:
        told = json.loads(said[begins : ends + 1]) if 0 <= begins < ends else {}
    except ValueError:
        told = {}
    told = told if isinstance(told, dict) else {}
    found, sources = _listed(told, "findings"), _listed(told, "sources")
    named = [one for one in found if isinstance(one, dict) and one.get("text")]
    ids = [str(one.get("id") if isinstance(one, dict) else one) for one in (*named, *sources)]
    confidence = told.get("confidence")
    return {
        "summary": _line(told.get("summary") or said, SUMMARY.get(brief.process, _MOST)),
        "sources": [{"id": one, "tier": given[one]} for one in dict.fromkeys(ids) if one in given],
        "confidence": confidence if confidence in _LEVELS else _LEVELS[0],
        "open_questions": [
            _line(one, _MOST) for one in _listed(told, "open_questions")[:_MOST_QUESTIONS]
        ],
        "findings": [_finding(one, given) for one in named[:_MOST_FINDINGS]],
    }


def _finding(told: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, Any]:
    id_ = str(told.get("id") or "")
    place = _line(told.get("place") or given.get(id_, ""), 120)
    found: dict[str, Any] = {"place": place, "text": _line(told["text"], _MOST)}
    return found | ({"memory": {"id": id_, "tier": given[id_]}} if id_ in given else {})


def _listed(told: Mapping[str, Any], name: str) -> list[Any]:
    listed = told.get(name)
    return listed if isinstance(listed, list) else []


def _line(told: object, most: int) -> str:
    return " ".join(str(told).split())[:most]
