"""What somebody of the team is sent for: its goal, what it may do, and how much it may use.

A brief never holds more than whoever gives it has: that is checked here, by inclusion of sets, and
nothing that a model says has a part in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from inklings_desktop.agent.memory_door.filters import (
    BY_BRIEF,
    COMPOSER,
    FINDINGS,
    NOTES,
    ORCHESTRATOR,
    TEAM,
    WORKER,
    is_left,
    may_call,
)
from inklings_desktop.domain.errors import InvalidValueError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from inklings_desktop.agent.memory_door.filters import Process

NEVER: Final = "account"
"""The tier that no brief reaches: what holds everywhere, the author's own agent proposes."""
MAX_GOAL, MAX_INPUTS, MAX_OVERLAY = 600, 4_000, 600
"""Characters."""
_TIERS: Final = frozenset({"conversation", "channel", "workspace"})
_PUT: Final = frozenset({"memory_put", "memory_update", "memory_forget"})


@dataclass(frozen=True, slots=True, order=True)
class Right:
    """One thing that may be done.

    Attributes:
        tier: Of memory; empty for a tool that concerns none.
        scope: Id of the conversation or the channel; empty for the workspace.
    """

    tool: str
    tier: str = ""
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a task may use until it stops and says so.

    Attributes:
        steps: How often its planner is asked.
        tool_calls: How many tools it calls.
        seconds: How long it may take.
    """

    steps: int = 12
    tool_calls: int = 30
    seconds: int = 120

    def within(self, other: Budget) -> Budget:
        """The smaller of both, in each figure."""
        return Budget(
            min(self.steps, other.steps),
            min(self.tool_calls, other.tool_calls),
            min(self.seconds, other.seconds),
        )


COMPOSING = Budget(24, 48, 300)
"""For who words a skill: it writes whole files, several times over."""


@dataclass(frozen=True, slots=True)
class Brief:
    """What somebody is sent for.

    Attributes:
        task: Its id in the conversation: the turn's number, and behind a point the id of the call
            that sent for it.
        inputs: What it is handed beside the goal: values of JSON.
        allowed: What it may write; it reads what its process may.
        is_interactive: Whether its questions reach the person; else what it would ask about stays
            undone, and it says so when it is done.
        overlay: A role that is laid over its rules, in words; empty for none.
    """

    task: str
    process: Process
    conversation: str
    goal: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    allowed: frozenset[Right] = frozenset()
    budget: Budget = field(default_factory=Budget)
    is_interactive: bool = False
    overlay: str = ""

    @property
    def call(self) -> str:
        """Id of the call that sent for it."""
        return self.task.rpartition(".")[2]

    @property
    def notes(self) -> str:
        """How the keys of the notes begin that tell what it found."""
        return f"{FINDINGS}{self.task}/"

    def covers(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        """Whether a call is among what it may write."""
        tier = str(arguments.get("tier") or "")
        scope = str(arguments.get("scope") or "") if tier in {"conversation", "channel"} else ""
        needed = {Right(tool, tier, scope)}
        if arguments.get("replaces"):  # what takes another's place forgets that one
            needed.add(Right("memory_forget", tier, scope))
        return tier != NEVER and needed <= self.allowed

    def narrowed(self, wanted: Iterable[Right], budget: Budget | None = None) -> Brief:
        """The same with less.

        Raises:
            InvalidValueError: Something of it is more than this brief holds.
        """
        rights = frozenset(wanted)
        if not rights <= self.allowed:
            raise InvalidValueError("allowed", "too_many", len(self.allowed))
        return replace(self, allowed=rights, budget=(budget or self.budget).within(self.budget))


def is_listed(process: str, tool: str, brief: Brief | None = None) -> bool:
    """Whether a process is offered a tool: by the table, and of a brief by what it names."""
    if brief is None:
        return may_call(process, tool)
    named = frozenset(one.tool for one in brief.allowed)
    return brief.process == process and may_call(process, tool, named)


def permits(
    process: str,
    tool: str,
    arguments: Mapping[str, Any],
    brief: Brief | None = None,
    only: Collection[str] | None = None,
) -> bool:
    """Whether a process may make this very call: of a brief, only within it.

    Whoever works by a skill has less, never more; what it found it notes all the same. A
    Researcher's notes stand below its task's own name; a Worker writes where its brief says, and
    nobody of the team reaches another conversation's notes.

    Args:
        only: What the skills leave that are worked by; None where they do not say.
    """
    if not is_listed(process, tool, brief):
        return False
    if process in {ORCHESTRATOR, *TEAM} and not is_left(tool, only):
        key = str(arguments.get("key") or "")
        if brief is None or tool != "note_write" or not key.startswith(brief.notes):
            return False
    if brief is None:
        return process not in TEAM or tool not in NOTES
    if tool in NOTES and arguments.get("conversation") != brief.conversation:
        return False
    if tool in {"note_write", "note_clear"} and process != WORKER:
        return str(arguments.get("key") or "").startswith(brief.notes)
    return tool not in BY_BRIEF or brief.covers(tool, arguments)


def rights_of_author(conversation: str, channels: Iterable[str]) -> frozenset[Right]:
    """All that a turn may do without asking for it elsewhere, as the rights of a brief.

    Args:
        conversation: The one that the turn is in.
        channels: Ids or names of the channels that it may write to.
    """
    memory = {Right(tool, "conversation", conversation) for tool in _PUT}
    memory |= {Right(tool, "channel", one) for tool in _PUT for one in channels if one}
    memory |= {Right(tool, "workspace") for tool in _PUT}
    return frozenset(memory | {Right(tool) for tool in BY_BRIEF - _PUT})


def wanted_brief(task: str, arguments: Mapping[str, Any], conversation: str, channel: str) -> Brief:
    """The brief that somebody wants to give, within what the turn itself may do.

    Args:
        task: Its id in the conversation.
        arguments: As a planner gave them: ``role``, ``goal``, ``inputs``, ``allowed``, ``budget``,
            ``interactive``, ``overlay``.
        conversation: The one that the turn is in.
        channel: Where it is.

    Raises:
        InvalidValueError: It is none, or it would hold more than the turn has.
    """
    process = next((one for one in TEAM if one == arguments.get("role")), None)
    if process is None:
        raise InvalidValueError("role", "unknown", ", ".join(TEAM))
    goal = " ".join(str(arguments.get("goal") or "").split())
    if not goal or len(goal) > MAX_GOAL:
        raise InvalidValueError("goal", "too_long" if goal else "empty", MAX_GOAL)
    inputs = arguments.get("inputs")
    inputs = inputs if isinstance(inputs, dict) else {} if inputs is None else {"text": inputs}
    if len(str(inputs)) > MAX_INPUTS:
        raise InvalidValueError("inputs", "too_long", MAX_INPUTS)
    listed = arguments.get("allowed")
    wanted = [
        _right(one, conversation, channel) for one in (listed if isinstance(listed, list) else ())
    ]
    if wanted and process != WORKER:
        raise InvalidValueError("allowed", "unknown", "none")
    held = rights_of_author(conversation, [channel])
    most = COMPOSING if process == COMPOSER else Budget()
    whole = Brief(
        task,
        process,
        conversation,
        goal,
        inputs,
        held,
        most,
        bool(arguments.get("interactive")),
        " ".join(str(arguments.get("overlay") or "").split())[:MAX_OVERLAY],
    )
    return whole.narrowed(wanted, _budget(arguments.get("budget"), most))


def _right(told: object, conversation: str, channel: str) -> Right:
    told = told if isinstance(told, dict) else {"tool": told}
    tool, tier = str(told.get("tool") or ""), str(told.get("tier") or "")
    if tool in _PUT and tier not in _TIERS:
        raise InvalidValueError("tier", "unknown", ", ".join(sorted(_TIERS)))
    here = {"conversation": conversation, "channel": channel}
    scope = str(told.get("scope") or here.get(tier, "")) if tier in here else ""
    return Right(tool, tier if tool in _PUT else "", scope if tool in _PUT else "")


def _budget(told: object, most: Budget) -> Budget:
    told = told if isinstance(told, dict) else {}
    figures = {
        name: figure
        for name in ("steps", "tool_calls", "seconds")
        if type(figure := told.get(name)) is int and figure > 0
    }
    return replace(most, **figures)
