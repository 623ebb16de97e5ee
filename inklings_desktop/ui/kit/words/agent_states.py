"""How an agent of another maker is, in a word or three: picker and settings say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.agent_client import presets
from inklings_desktop.agent_client.session import NO_ANSWER, SIGN_IN_NEEDED
from inklings_desktop.ui.kit.look.translation import decimal, tr

if TYPE_CHECKING:
    from inklings_desktop.agent_client.greeting import Greeting
    from inklings_desktop.agent_client.session import Problem


def state_words(state: str) -> str:
    """How it is on this machine."""
    return {
        presets.READY: tr("ready"),
        presets.FOUND: tr("found"),
        presets.NOT_FOUND: tr("not found"),
        presets.RELATIVE: tr("relative path"),
        presets.IN_DATA: tr("in the data folder"),
        presets.SHARED: tr("others may change it"),
    }[state]


def problem_state(problem: Problem) -> str:
    """How it is after something went wrong with it."""
    if problem.word == SIGN_IN_NEEDED:
        return tr("sign in there first")
    if problem.word == NO_ANSWER:
        return tr("did not answer")
    if problem.detail.removeprefix("-").isdecimal():
        return tr("ended with code {code}").format(code=problem.detail)
    return tr("did not start")


def greeting_state(greeting: Greeting) -> str:
    """How it is after it was greeted."""
    if greeting.problem is not None:
        return problem_state(greeting.problem)
    return tr("answered in {seconds} s").format(seconds=decimal(greeting.seconds, 1))
