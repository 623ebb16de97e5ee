"""An agent that deepagents makes, in our window: it comes by our memory as the author lets it."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.conversation.thread.cards import AskCard
from tests.mcp_server.foreign_clients import ForeignClient
from tests.support.processes import REPOSITORY
from tests.support.scenes import scene
from tests.support.stopwatch import HANG_SECONDS, until
from tests.ui.talk_bench import TalkBench, a_conversation, silent_agent, talk

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ui.presenter_bench import Bench

DEEP = ForeignClient(
    "deepagents", "deepagents==0.7.32 deepagents-acp==0.0.13 langchain-mcp-adapters==0.3.2"
)
PROGRAM = REPOSITORY / "tests" / "support" / "deep_agent.py"
BELL = "The bell of Wend is never rung at noon."

pytestmark = [
    pytest.mark.usefixtures("qapp"),
    pytest.mark.endurance,
    pytest.mark.end2end,
    pytest.mark.timeout(1_200),
]


@pytest.fixture(autouse=True)
def deep(request: pytest.FixtureRequest) -> None:
    """Install it into an environment of its own, only where the long tests are asked for."""
    if request.config.getoption("markexpr") != "endurance":
        pytest.skip("only -m endurance installs foreign agents")
    if not DEEP.is_there():
        reason = f"pip cannot install {DEEP.requirement} here"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)


def program_in(folder: Path) -> Path:
    """A program of the person's own that starts it."""
    folder.mkdir(mode=0o700)
    program = folder / "deep"
    program.write_text(f"#!/bin/sh\nexec {shlex.join([str(DEEP.python), str(PROGRAM)])}\n")
    program.chmod(0o700)
    return program


def with_deep(bench: Bench) -> None:
    """A conversation with it; it may read and write the workspace."""
    inklings, world = bench.inklings, bench.workspace.id
    program = str(program_in(inklings.data_dir.parent / "bin"))
    row: dict[str, Any] = {"id": "deep", "title": "Deep", "command": [program], "client": "deep"}
    inklings.preferences.put_row("agent.presets", row)
    inklings.preferences.save({"agent.preset": "deep"})
    actions = (Action.READ, Action.WRITE)
    inklings.clients.grant("deep", [Right(Tier.WORKSPACE, world, one) for one in actions])
    a_conversation(bench)


async def asked(bench: TalkBench) -> AskCard:
    """Its question, as our card."""
    live = bench.view.thread_view.live
    await until(lambda: bool(live.cards()), seconds=HANG_SECONDS)
    (card,) = live.cards()
    assert isinstance(card, AskCard)
    return card


@scene(talk, prepare=with_deep, launch=silent_agent)
async def test_it_remembers_what_it_was_allowed_to_and_finds_it(bench: TalkBench, /) -> None:
    await bench.say(f"remember {BELL}")
    card = await asked(bench)
    assert card.accessibleName() == "Let the agent use a tool?"
    card.buttons["reject"].click()
    await bench.answered()
    assert bench.bench.inklings.listing.browse([bench.bench.scope]).entries == ()

    await bench.say(f"remember {BELL}")
    (await asked(bench)).buttons["approve"].click()
    await until(lambda: '"stored"' in bench.last_words(), seconds=HANG_SECONDS)
    (bell,) = bench.bench.inklings.listing.browse([bench.bench.scope]).entries
    assert (bell.content, bell.by) == (BELL, "deep")

    await bench.say("look bell")
    await until(lambda: BELL in bench.last_words(), seconds=HANG_SECONDS)
    kept, _ = bench.bench.inklings.messages.list(
        bench.bench.workspace.id, bench.page.conversation_id
    )
    assert {one.client for one in kept if one.role.value == "assistant"} == {"deep"}
