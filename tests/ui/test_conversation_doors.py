"""The ways to a model or another agent in an empty conversation: what was found, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inklings_desktop.acp_wire import words
from inklings_desktop.agent_client import presets
from inklings_desktop.agent_client.presets import Agent
from inklings_desktop.ui.conversation.doors import AGENT, MODEL, SETTINGS, doors
from inklings_desktop.ui.kit.page.destinations import ToAgent, ToSettings
from tests.support.scenes import scene
from tests.ui.talk_bench import TalkBench, silent_agent, talk

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.page.destinations import AgentQuestion

pytestmark = pytest.mark.usefixtures("qapp")

CLAUDE, CODEX = (
    Agent(one, f"/usr/bin/{one.command[0]}", presets.FOUND) for one in presets.BUILT_IN[:2]
)
READY_CODEX = CODEX.confirmed()
MISSING = Agent(presets.BUILT_IN[2], "", presets.NOT_FOUND)


def questions(bench: TalkBench) -> list[AgentQuestion]:
    """What the page asked the agent about models."""
    every = [one.question for one in bench.said.ways if isinstance(one, ToAgent)]
    return [one for one in every if one and one.method == words.PROVIDER_MODELS]


def test_nothing_found_is_no_door() -> None:
    assert doors(None, [MISSING]) == ()


def test_what_is_free_and_stays_here_is_alone_the_primary() -> None:
    local, key, agent = doors(("small", "large"), [CLAUDE, MISSING])
    assert (local.verb, local.act, local.value) == ("Use small", MODEL, "ollama/small")
    assert [one.is_free for one in (local, key, agent)] == [True, False, False]
    assert "2 models" in local.text
    assert MISSING.title not in agent.text


def test_a_model_that_answers_elsewhere_is_not_called_free() -> None:
    (local, _) = doors(("large:cloud",), [])
    assert (local.act, local.is_free) == (SETTINGS, False)
    assert not any(one.is_free for one in doors(None, [CLAUDE]))


def test_an_agent_answers_at_once_only_where_its_program_was_agreed_to() -> None:
    assert doors(None, [CLAUDE])[-1].act == SETTINGS
    agreed = doors(None, [CLAUDE, READY_CODEX])[-1]
    assert (agreed.act, agreed.value, agreed.verb) == (AGENT, "codex", "Connect Codex")


@scene(talk, launch=silent_agent)
async def test_nobody_is_asked_before_the_agent_is_there(bench: TalkBench, /) -> None:
    start = bench.view.start
    assert start.doors.isVisible()
    bench.page.draw()
    assert questions(bench) == []
    start.doors.settings.click()
    assert bench.said.ways[-1] == ToSettings("agents")


@scene(talk)
async def test_it_is_asked_once_each_time_it_is_shown(bench: TalkBench, /) -> None:
    await bench.until(lambda: len(questions(bench)) == 1)
    (asked,) = questions(bench)
    assert asked.params == {"id": "ollama"}
    asked.on_answer({"models": [{"id": "small"}], "ms": 3})
    shown = bench.view.start.doors
    await bench.until(lambda: [one.text() for one in shown.buttons][:1] == ["Use small"])
    assert shown.buttons[0].property("kind") == "primary"
    bench.page.draw()
    assert len(questions(bench)) == 1
    bench.view.hide()
    bench.page.draw()
    assert len(questions(bench)) == 1
    bench.view.show()
    bench.page.draw()
    await bench.until(lambda: len(questions(bench)) == 2)
    questions(bench)[1].on_error(words.PROVIDER_UNREACHABLE, "ollama")
    await bench.until(lambda: "Use small" not in [one.text() for one in shown.buttons])


@scene(talk)
async def test_using_a_model_sets_it_and_the_doors_go_with_the_agent_s_word(
    bench: TalkBench, /
) -> None:
    await bench.until(lambda: bool(questions(bench)))
    questions(bench)[0].on_answer({"models": [{"id": "small"}], "ms": 3})
    shown = bench.view.start.doors
    await bench.until(lambda: bool(shown.buttons))
    shown.buttons[0].click()
    inklings = bench.bench.inklings
    await bench.until(lambda: inklings.settings.agent.classes.frontier == "ollama/small")
    bench.page.said.offer([{"id": words.MODEL, "currentValue": "ollama/small"}])
    bench.page.draw()
    assert shown.isHidden()
