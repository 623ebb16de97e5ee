"""What went wrong with an agent, and what it asks, as sentences for the terminal."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from inklings_desktop.acp_wire import words
from inklings_desktop.agent_client import permissions, problems
from inklings_desktop.agent_client.launching import INSTALLING
from inklings_desktop.cli.messages import ENVIRONMENT, REFUSED, Failure
from inklings_desktop.cli.output import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.agent_client.problems import Problem
    from inklings_desktop.agent_client.rows import AskBlock

KEPT = "Your message is kept."
_GO_ON = "Say /continue to go on."
_SENTENCES = {
    words.AGENT_NOT_INSTALLED: (f"The World Agent is not installed. Install it with: {INSTALLING}"),
    words.AGENT_FAILED_TO_START: "The agent could not be started.",
    words.AGENT_GONE: f"The agent ended unexpectedly. {KEPT} {_GO_ON}",
    words.AGENT_TOO_LOUD: "The agent sent more than anybody can read, so it was stopped.",
    words.AGENT_FAILED: f"The agent could not do this. {KEPT}",
    words.MEMORY_UNREACHABLE: "Your memory could not be opened for the agent.",
    words.NOT_GRANTED: "The agent may not read here.",
    words.UNKNOWN_SESSION: "The agent takes part in no such conversation.",
    words.BUSY: "The agent is answering in this conversation already.",
    words.BUSY_ELSEWHERE: "The agent is answering in this conversation in another program.",
    words.LIMIT_REACHED: f"The agent stopped at the limit of one turn. {_GO_ON}",
    words.ANSWER_CUT: f"The answer was cut off. {_GO_ON}",
    words.REFUSED_BY_MODEL: "The model refused to answer this.",
    words.CONTEXT_TOO_SMALL: "The message is too long for this model.",
    words.TOOL_REFUSED: "The agent may not do this.",
    words.RUN_UNKNOWN_VERSION: (
        "The turn that was not finished belongs to another version and cannot go on. All messages"
        " are there."
    ),
    words.RUN_DAMAGED: "The turn that was not finished cannot go on. All messages are there.",
    words.CHANGED_SINCE: "It was changed since, so it was not taken back.",
    words.CONVERSATION_ARCHIVED: "This conversation is archived. Start a new one.",
    words.NOTHING_TO_CONTINUE: "There is nothing to go on with.",
    words.NOTHING_TO_UNDO: "There is nothing to take back.",
    problems.SIGN_IN_NEEDED: "The agent wants you to sign in, which is not possible here yet.",
    problems.AGENT_CANNOT: "The agent cannot do this.",
    problems.NO_ANSWER: "The agent did not answer.",
}
_OLDER = {
    "agent": "The agent is older than Inklings, and they do not understand each other. Update it.",
    "window": "The agent is newer than Inklings, and they do not understand each other. Update"
    " Inklings.",
}
_OF_THE_MACHINE = frozenset(
    {
        words.AGENT_NOT_INSTALLED,
        words.AGENT_FAILED_TO_START,
        words.AGENT_GONE,
        words.MEMORY_UNREACHABLE,
    }
)
_EFFECTS = {
    "read": "read something",
    "search": "search for something",
    "edit": "change something",
    "delete": "remove something",
    "move": "move something",
    "execute": "run something",
    "fetch": "fetch something from elsewhere",
}
_OUTCOMES = {
    permissions.ALLOWED_ONCE: "Allowed once",
    permissions.ALLOWED_ALWAYS: "Allowed in this conversation",
    permissions.DENIED: "Denied",
    permissions.LATER: "Left for later",
    permissions.WITHDRAWN: "Withdrawn",
}


def problem_sentence(problem: Problem) -> str:
    """What went wrong, and what to do."""
    if problem.word == words.AGENT_SPEAKS_OTHERWISE:
        return _OLDER.get(problem.detail, _OLDER["agent"])
    known = _SENTENCES.get(problem.word)
    if known is None:
        return f"The agent could not do this ({one_line(problem.word, 60)}). {KEPT}"
    is_told = problem.word in {words.AGENT_FAILED, words.AGENT_FAILED_TO_START} and problem.detail
    return f"{known} It says: {one_line(problem.detail, 200)}" if is_told else known


def problem_failure(problem: Problem, last_lines: Sequence[str] = ()) -> Failure:
    """The failure that a problem with an agent means at this door; with its last words."""
    sentence = problem_sentence(problem)
    if last_lines and problem.word in {words.AGENT_FAILED_TO_START, words.AGENT_GONE}:
        sentence = "\n".join([sentence, *(f"  {one_line(line, 200)}" for line in last_lines)])
    status = ENVIRONMENT if problem.word in _OF_THE_MACHINE else REFUSED
    details = {"detail": problem.detail, "retry": problem.retry}
    return Failure(problem.word, sentence, status, details)


def granting(workspace: str) -> str:
    """The sentence that says how the World Agent is let in."""
    command = f"inklings --workspace {shlex.quote(workspace)} mcp grant {words.WORLD_AGENT}"
    return f"You have not let the World Agent in yet. Let it in with: {command} --as world-agent"


def effect_sentence(ask: AskBlock) -> str:
    """What will happen if the person allows it, in our own words."""
    if ask.effect:
        return ask.effect
    return f"The agent wants to {_EFFECTS.get(ask.kind, 'do something')}."


def outcome_words(ask: AskBlock) -> str:
    """How a question ended."""
    return _OUTCOMES.get(ask.outcome, _OUTCOMES[permissions.WITHDRAWN])
