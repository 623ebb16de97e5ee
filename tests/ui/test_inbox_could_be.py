"""Notes that three conversations repeat are asked about in the Inbox, answered and undone."""

from __future__ import annotations

import pytest

from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.ui.kit.dialogs.fact_dialog import FactDialog
from inklings_desktop.ui.kit.ops.done import Done
from inklings_desktop.usecases.knowledge.values import FactQuery
from tests.support.builders import a_memory
from tests.support.scenes import scene
from tests.ui.inbox_bench import InboxBench, drive
from tests.ui.presenter_bench import Bench

pytestmark = pytest.mark.usefixtures("qapp")

LEFT = "Nerys is left-handed."


def said_in_three(bench: Bench) -> None:
    """A domain, and a note that three conversations repeat."""
    here = bench.workspace.id
    bench.inklings.domains.create(here, "Canon")
    with bench.inklings.parts.store.write(here, initiator="Ada") as unit:
        scope = ScopeKey.workspace(here)
        notes = [a_memory(LEFT, scope=scope, source_conversation=f"c{n}") for n in range(3)]
        unit.memories.add(notes)
        unit.commit()


def steps_of(bench: InboxBench) -> list[Done]:
    """What the page hands to the window's undo from now on."""
    steps: list[Done] = []
    bench.page.accepted.connect(steps.append)
    return steps


@scene(drive, said_in_three)
async def test_it_is_made_a_fact_with_its_memories_as_sources(bench: InboxBench, /) -> None:
    inklings, here = bench.bench.inklings, bench.bench.workspace.id
    steps = steps_of(bench)
    row = await bench.open(LEFT)
    assert row.meta == "repeated in 3 conversations"
    assert bench.named("questionQuotes").text().count(LEFT) == 3
    bench.named("questionYes").click()
    dialog = await bench.dialog(FactDialog)
    assert (dialog.typed.content, dialog.typed.domain) == (LEFT, "Canon")
    dialog.topic.setText("Nerys/hand")
    dialog.confirm.click()
    await bench.until(lambda: bool(steps) and not bench.rows)
    [view] = inklings.facts.list(here, FactQuery()).facts
    assert len(view.observations) == 3
    steps[0].take_back(inklings)
    assert inklings.facts.list(here, FactQuery()).total == 0
    assert len(inklings.could_be_facts.list(here)) == 1


@scene(drive, said_in_three)
async def test_it_is_dismissed_and_that_is_undone(bench: InboxBench, /) -> None:
    inklings, here = bench.bench.inklings, bench.bench.workspace.id
    steps = steps_of(bench)
    await bench.open("Nerys")
    bench.named("questionNo").click()
    await bench.until(lambda: bool(steps) and not bench.rows)
    assert inklings.could_be_facts.list(here) == ()
    steps[0].take_back(inklings)
    assert len(inklings.could_be_facts.list(here)) == 1
