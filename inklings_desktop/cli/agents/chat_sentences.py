"""What went wrong with an agent, and what it asks, as sentences for the terminal."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.sentences import KEPT, SENTENCES
from inklings_desktop.agent_client import permissions, session
from inklings_desktop.agent_client.launching import INSTALLING
from inklings_desktop.cli.messages import ENVIRONMENT, REFUSED, Failure
from inklings_desktop.cli.output import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.agent_client.rows import AskBlock
    from inklings_desktop.agent_client.session import Problem

_OURS = {
    words.AGENT_NOT_INSTALLED: f"The World Agent is not installed. Install it with: {INSTALLING}",
    session.SIGN_IN_NEEDED: "The agent wants you to sign in, which is not possible here yet.",
    session.AGENT_CANNOT: "The agent cannot do this.",
    session.NO_ANSWER: "The agent did not answer.",
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
    known = SENTENCES.get(problem.word) or _OURS.get(problem.word)
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
