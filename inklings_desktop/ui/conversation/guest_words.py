"""What cards say of agents of other makers: let in, not started, signed out, ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.acp_wire.shapes import line_of, list_of, number_of
from inklings_desktop.agent_client import presets
from inklings_desktop.agent_client.session import MEMORY_UNUSED, SIGN_IN_NEEDED
from inklings_desktop.ui.conversation.words import (
    COPY,
    GRANT,
    RETRY,
    START_AGAIN,
    ProblemWords,
    problem_words,
    took,
)
from inklings_desktop.ui.kit.look.translation import quoted, tr

if TYPE_CHECKING:
    from inklings_desktop.agent_client.presets import Agent
    from inklings_desktop.agent_client.rows import ProblemBlock


def card_words(problem: ProblemBlock) -> ProblemWords:
    """What happened, what still holds, what to do; whichever agent it happened with."""
    agent = line_of(problem.values.get("agent"), 60)
    return _of_another(problem, agent) if agent else problem_words(problem)


def _of_another(problem: ProblemBlock, agent: str) -> ProblemWords:
    """What happened with another's agent; where it has to say something, in its own words."""
    kept, again = tr("Your message is kept."), (START_AGAIN, COPY)
    says = tr("It says: {words}").format(words=quoted(problem.detail)) if problem.detail else ""
    ways = [line_of(one) for one in list_of(problem.values.get("ways"))]
    known: dict[str, tuple[str, str, tuple[str, ...]]] = {
        wire.AGENT_GONE: (
            tr("{agent} ended unexpectedly."),
            _ended_with(problem, tr("What it wrote stays.")),
            again,
        ),
        wire.AGENT_FAILED_TO_START: (
            tr("{agent} did not start."),
            _ended_with(problem, kept),
            again,
        ),
        SIGN_IN_NEEDED: (
            tr("{agent} wants you to sign in there first."),
            "\n".join(filter(None, (says, *ways))),
            again,
        ),
        MEMORY_UNUSED: (
            tr("This agent did not connect your memory."),
            tr("It answers without it. Its own settings may forbid memory servers."),
            (),
        ),
    }
    usual = tr("{agent} could not answer."), f"{kept} {says}".strip(), (RETRY, COPY)
    title, text, acts = known.get(problem.word, usual)
    is_mild = problem.word in {SIGN_IN_NEEDED, MEMORY_UNUSED}
    mark = ("ochre", "warning") if is_mild else ("madder", "warning-circle")
    return ProblemWords(*mark, title.replace("{agent}", agent), text, acts)


def _ended_with(problem: ProblemBlock, text: str) -> str:
    """How a process ended, as far as that is known, and what still holds."""
    if not problem.detail.removeprefix("-").isdecimal():
        return text
    seconds = number_of(problem.values.get("seconds")) or 0
    after = tr("Code {code} after {time}. {text}")
    return after.format(code=problem.detail, time=took(seconds * 1_000), text=text)


def first_use_of(agent: Agent) -> ProblemWords:
    """The card before another's agent is started for the first time: what runs, what it may do."""
    told = [tr("It runs {command}.").format(command=quoted(" ".join(agent.started)))]
    if agent.preset.env:
        told.append(tr("It is given {names}.").format(names=", ".join(agent.preset.env)))
    told.append(
        tr("It reads this world and the conversations it takes part in, and nothing about you.")
    )
    told.append(tr("What you write here goes to it. You can give it more access later."))
    title = tr("Let {agent} in?").format(agent=agent.title)
    return ProblemWords("lapis", "terminal-window", title, " ".join(told), (GRANT,))


def not_started(agent: Agent) -> ProblemWords:
    """Why another's agent is not started where it lies."""
    why = {
        presets.NOT_FOUND: tr("It was not found on this machine. Install it, or choose another."),
        presets.RELATIVE: tr("Its path is relative. Give the whole path of its program."),
        presets.IN_DATA: tr("Its program is in the data folder, and nothing there is started."),
        presets.SHARED: tr("Other users may change its program, or a folder above it."),
    }
    title = tr("{agent} is not started.").format(agent=agent.title)
    return ProblemWords("ochre", "warning", title, why.get(agent.state, ""))
