"""Two states of the Conversation page: a world compared with itself, without a model and with one.

What was said is a recording of the real agent; ``tests/agent/test_harbour_talk.py`` holds it
against what the agent writes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from inklings_desktop.acp_wire import words
from inklings_desktop.agent.acp_door.updates import Choice, ModelChoice, config_options
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey
from inklings_desktop.domain.rooms.messages import MessageDraft, MessageRole, ProducedBy
from inklings_desktop.ui.conversation.facts import let_agent_in
from inklings_desktop.ui.tour.tour import Stop, settle
from tests.pictures.conversation import shown
from tests.pictures.runs import press
from tests.support.processes import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow
    from inklings_desktop.usecases.bundle import Inklings
    from tests.support.builders import FixedClock

RECORDED = REPOSITORY / "tests" / "data" / "talks" / "harbour.json"
"""By ``mechanical`` and ``model``: ``parts`` of the answer, ``ms`` it took, ``notes`` kept."""
COMPARE = "Compare all memories about the harbour for contradictions"
HARBOUR = (
    "The harbour gate closes at dusk.",
    "The harbour gate closes at noon, says the pilot\u2019s letter.",
    "The harbour master keeps 9 iron keys.",
    "The harbour master keeps 12 keys, one for each berth along the mole.",
    "Two cranes stand in the harbour; one has not moved since the flood, and nobody asks why.",
)
PAGE = "# The harbour\n\nThe harbour gate closes at midnight.\n\nIts bell weighs nine tons.\n"
TITLES = {"mechanical": "The harbour, by rules", "model": "The harbour, by a model"}
MODEL = "scripted/by-heart"
HOUR_MS = 3_600_000
TURN = "t1-0e0e0e0e"


@dataclass(frozen=True, slots=True)
class Named:
    """What is called otherwise in every world: its names in a recording, and there.

    Attributes:
        real: By the name in the recording, the id in the world.
    """

    real: Mapping[str, str]

    def told(self, of_world: object) -> Any:
        """What a world says, as a recording says it."""
        text = json.dumps(of_world)
        for name, id_ in self.real.items():
            text = text.replace(id_, name)
        return json.loads(text)

    def meant(self, recorded: object) -> Any:
        """What a recording says, as the world says it."""
        return Named({id_: name for name, id_ in self.real.items()}).told(recorded)


def add_harbour(inklings: Inklings, workspace: str, folder: Path) -> dict[str, str]:
    """Remember what is known of the harbour, and link a page that says otherwise.

    Returns:
        The ids of the memories and of the workspace, by their names in a recording.
    """
    scope = ScopeKey.workspace(workspace)
    kept = [inklings.memories.put(MemoryDraft(scope, one)) for one in HARBOUR]
    folder.mkdir()
    (folder / "The harbour.md").write_text(PAGE, encoding="utf-8")
    inklings.world.link(workspace, folder)
    inklings.world.look(workspace)
    return {f"MEMORY-{n}": one.id for n, one in enumerate(kept)} | {"WORKSPACE": workspace}


def add_comparisons(inklings: Inklings, clock: FixedClock, workspace: str, folder: Path) -> None:
    """Let both agents have been asked, and have answered as recorded, by the clock of the world."""
    let_agent_in(inklings, workspace)
    ids = add_harbour(inklings, workspace, folder)
    for made_by, told in json.loads(RECORDED.read_text(encoding="utf-8")).items():
        talk = inklings.conversations.start(workspace, title=TITLES[made_by])
        inklings.conversations.invite(workspace, talk.id, words.WORLD_AGENT)
        agent = inklings.as_caller(inklings.clients.admit(words.WORLD_AGENT, workspace))
        said = Named(ids | {"CONVERSATION": talk.id, "TURN": TURN}).meant(told)
        asked = json.dumps([{"kind": "text", "text": COMPARE}])
        inklings.messages.append(workspace, talk.id, MessageDraft(MessageRole.USER, asked, TURN))
        answer = MessageDraft(
            MessageRole.ASSISTANT,
            json.dumps(said["parts"]),
            TURN,
            produced_by=ProducedBy(made_by),
        )
        clock.advance(hours=told["ms"] / HOUR_MS)
        agent.messages.append(workspace, talk.id, answer)
        for key, value in said["notes"].items():
            agent.notes.write(workspace, talk.id, key, value)


async def show_comparison(
    _memory: MemoryPage, window: MainWindow, made_by: str, parts: tuple[str, ...]
) -> None:
    """An answer and those who were sent for it, some parts of their rows pressed."""
    page = await shown(window, TITLES[made_by])
    if made_by == ProducedBy.MODEL:
        chosen = Choice(MODEL, (ModelChoice(MODEL, is_local=True),))
        page.said.offer(config_options("decide", chosen))
        page.draw()
    for one in parts:
        press(page, one)
        await settle()
    page.view.thread_view.go_to_foot()
    await settle()


HARBOUR_STOPS = tuple(
    Stop(f"12b-runs-{made_by}", partial(show_comparison, made_by=made_by, parts=parts))
    for made_by, parts in (
        ("mechanical", ("Researcher",)),
        ("model", ("Findings, folded", "Researcher")),
    )
)
