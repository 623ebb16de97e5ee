"""A memory is made a fact from its menu, in the real window over a real store; undo forgets it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.memory import MemoryKind
from inklings_desktop.ui.kit.dialogs.fact_dialog import FactDialog
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.usecases.knowledge.values import FactQuery
from tests.support.scenes import scene
from tests.ui.window_bench import drive

if TYPE_CHECKING:
    from tests.ui.presenter_bench import Bench
    from tests.ui.window_bench import WindowBench


def one_memory(bench: Bench) -> None:
    """One memory, and no domain yet."""
    bench.put("Nerys is left-handed.")


@scene(drive, one_memory)
async def test_a_memory_becomes_a_fact_that_names_it_as_its_source(bench: WindowBench, /) -> None:
    inklings, here = bench.bench.inklings, bench.bench.workspace.id
    await bench.until(lambda: "Nerys is left-handed." in bench.texts())
    bench.window.page.focus_list()
    await bench.until(lambda: bench.memory.subject.current_entry is not None)
    bench.memory.acts.act(MemoryAct.MAKE_FACT)
    await bench.until(lambda: any(one.isVisible() for one in _dialogs(bench)))
    dialog = _dialogs(bench)[0]
    assert dialog.typed.content == "Nerys is left-handed."
    dialog.topic.setText("Nerys/hand")
    dialog.confirm.click()
    await bench.until(lambda: inklings.facts.list(here, FactQuery()).total == 1)
    [view] = inklings.facts.list(here, FactQuery()).facts
    assert view.fact.memory.kind is MemoryKind.FACT
    assert view.fact.domain == "Canon"
    [source] = view.observations
    assert source.memory is not None
    assert source.memory.content == "Nerys is left-handed."
    undo = bench.memory.undo
    await bench.until(lambda: undo.stack.undoText() == "Made 1 fact")
    await undo.undo()
    assert inklings.facts.list(here, FactQuery()).total == 0


def _dialogs(bench: WindowBench) -> list[FactDialog]:
    return bench.window.findChildren(FactDialog)
