"""Which memories are checked: loaded ones, unread ones, and what becomes of them."""

from __future__ import annotations

from inklings_desktop.domain.memories.listing import EVERYTHING, MemoryFilter, MemoryState
from inklings_desktop.domain.memory import MemoryEntry, MemoryPatch
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.memory.acts.chosen import chosen_of
from inklings_desktop.ui.memory.list.content import ListRequest
from inklings_desktop.ui.memory.list.presenter import ListPresenter
from inklings_desktop.ui.memory.list.selection import SelectionPresenter
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench, Heard, a_context_of, on_bench


async def a_list(
    bench: Bench, background: Background, where: MemoryFilter = EVERYTHING
) -> ListPresenter:
    memories = ListPresenter(a_context_of(background, bench.inklings))
    memories.ask(ListRequest((bench.scope,), where=where))
    await memories.settled()
    return memories


@scene(on_bench)
async def test_all_that_match_are_checked_read_or_not(
    bench: Bench, background: Background, /
) -> None:
    for number in range(230):
        bench.put(f"Memory {number}.", tags=("sea",) if number % 2 else ())
    memories = await a_list(bench, background)
    assert memories.content is not None
    assert memories.content.n_rows
    selection = SelectionPresenter(a_context_of(background, bench.inklings), memories)
    selection.check_all()
    await selection.settled()
    assert len(selection) == 230
    memories = await a_list(bench, background, MemoryFilter(tags=frozenset({"sea"})))
    narrow = SelectionPresenter(a_context_of(background, bench.inklings), memories)
    narrow.check_all()
    await narrow.settled()
    assert len(narrow) == 115
    assert {one.tags for one in narrow.chosen} == {("sea",)}


@scene(on_bench)
async def test_a_stretch_reaches_into_rows_that_nobody_read(
    bench: Bench, background: Background, /
) -> None:
    for number in range(230):
        bench.put(f"Memory {number}.")
    memories = await a_list(bench, background)
    selection = SelectionPresenter(a_context_of(background, bench.inklings), memories)
    selection.reach_span(190, 219, True)  # place 0 is the heading of the month
    await selection.settled()
    inklings = bench.inklings
    names = {
        entry.content for entry in inklings.listing.show_all([one.ref for one in selection.chosen])
    }
    assert names == {f"Memory {230 - place}." for place in range(190, 220)}


@scene(on_bench)
async def test_a_stretch_that_is_drawn_in_again_reads_nothing_twice(
    bench: Bench, background: Background, /
) -> None:
    for number in range(230):
        bench.put(f"Memory {number}.")
    memories = await a_list(bench, background)
    selection = SelectionPresenter(a_context_of(background, bench.inklings), memories)
    read: list[tuple[int, int]] = []
    between = memories.entries_between

    async def counted(first: int, last: int) -> dict[int, MemoryEntry]:
        read.append((first, last))
        return await between(first, last)

    memories.entries_between = counted  # type: ignore[method-assign]
    alone = next(memories.loaded_entries()).id
    selection.toggle(alone)

    async def drawn(first: int, last: int, *, is_new: bool = False) -> int:
        selection.reach_span(first, last, is_new)
        await selection.settled()
        return len(selection)

    assert await drawn(150, 219, is_new=True) == 71
    assert await drawn(150, 209) == 61
    assert await drawn(150, 150) == 2
    assert await drawn(100, 150) == 52
    assert read == [(150, 219), (100, 149)]
    assert await drawn(120, 160) == 42
    assert read == [(150, 219), (100, 149)]
    assert alone in selection, "it was checked before"
    selection.check_all()
    await selection.settled()
    assert await drawn(120, 121) == 230, "what was checked since stays checked"
    assert {one.is_forgotten for one in selection.chosen} == {False}
    assert selection.shared is not None
    assert selection.shared.count == 230


@scene(on_bench)
async def test_a_checked_memory_is_kept_in_its_newest_state(
    bench: Bench, background: Background, /
) -> None:
    one, two = bench.put("One."), bench.put("Two.")
    inklings = bench.inklings
    memories = await a_list(bench, background)
    selection = SelectionPresenter(a_context_of(background, inklings), memories)
    changed = Heard()
    selection.changed.connect(lambda: changed.payloads.append(selection.ids))
    selection.check([one.id, two.id, "no such thing"])
    assert selection.ids == {one.id, two.id}
    edited = inklings.memories.update(
        one.ref, MemoryPatch(importance=0.9), expected_version=one.version
    )
    selection.adopt(chosen_of(inklings, [edited]))
    assert [chosen.version for chosen in selection.chosen] == [2, 1]
    selection.toggle(one.id)
    assert selection.ids == {two.id}
    selection.clear()
    assert len(selection) == 0
    assert len(changed.payloads) == 4


@scene(on_bench)
async def test_active_and_forgotten_ones_are_never_checked_together(
    bench: Bench, background: Background, /
) -> None:
    bench.put("One.")
    gone = bench.put("Two.")
    bench.inklings.memories.forget([gone.ref])
    memories = await a_list(bench, background)
    selection = SelectionPresenter(a_context_of(background, bench.inklings), memories)
    selection.check_all()
    await selection.settled()
    assert len(selection) == 1
    heard = Heard().to(memories.content_changed)
    memories.ask(ListRequest((bench.scope,), where=MemoryFilter(state=MemoryState.FORGOTTEN)))
    await memories.settled()
    assert len(heard.payloads) == 1
    assert len(selection) == 0
    selection.check([gone.id])
    memories.ask(ListRequest((bench.scope,), where=MemoryFilter(tags=frozenset({"sea"}))))
    await memories.settled()
    assert len(selection) == 0


@scene(on_bench)
async def test_what_is_filtered_away_stays_checked(bench: Bench, background: Background, /) -> None:
    one = bench.put("One.")
    memories = await a_list(bench, background)
    selection = SelectionPresenter(a_context_of(background, bench.inklings), memories)
    selection.check([one.id])
    memories.ask(ListRequest((bench.scope,), where=MemoryFilter(tags=frozenset({"sea"}))))
    await memories.settled()
    assert selection.ids == {one.id}


@scene(on_bench)
async def test_what_stands_below_the_hits_is_checked_apart_from_them(
    bench: Bench, background: Background, /
) -> None:
    found, gone = bench.put("The harbour."), bench.put("The old harbour.")
    bench.inklings.memories.forget([gone.ref])
    memories = ListPresenter(a_context_of(background, bench.inklings))
    asked = ListRequest((bench.scope,), text="harbour", with_set_aside=True)
    memories.ask(asked)
    await memories.settled()
    selection = SelectionPresenter(a_context_of(background, bench.inklings), memories)
    said: list[bool] = []
    selection.kind_refused.connect(lambda: said.append(True))
    selection.check([found.id, gone.id])
    assert selection.ids == {found.id}
    selection.toggle(gone.id)
    assert selection.ids == {found.id}
    assert len(said) == 1
    selection.clear()
    selection.toggle(gone.id)
    assert selection.ids == {gone.id}
    memories.refresh()
    await memories.settled()
    assert selection.ids == {gone.id}
    selection.check_all()
    await selection.settled()
    assert selection.ids == {found.id}
    memories.ask(ListRequest((bench.scope,)))
    await memories.settled()
    assert selection.ids == {found.id}
