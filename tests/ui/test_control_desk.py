"""The control plane in the real window: what it opens, and how it keeps up."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from inklings_desktop.domain.memories.decay import AttentionKind
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.ui.consolidation.review_state import Choice, ItemKind
from inklings_desktop.ui.control.overview_facts import LookKind
from inklings_desktop.ui.control.page import (
    ACCESS_TAB,
    EVENTS_TAB,
    TIERS_TAB,
    ControlPage,
    ControlView,
)
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE, MEMORY_PAGE
from inklings_desktop.ui.kit.words.places import Place
from tests.support.builders import a_memory
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.review_bench import a_tidy_bench, tidy_world
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def faded_and_fresh(bench: Bench) -> None:
    """Three memories of the workspace, one of them faded, and a faded one of a channel."""
    inklings, world = bench.inklings, bench.workspace
    (room, *_) = inklings.places.channels(world.id)
    long_ago = inklings.clock() - timedelta(days=60)
    with inklings.parts.store.write(world.id, initiator="test") as unit:
        unit.memories.add(
            [
                a_memory("Faded here.", scope=bench.scope, created_at=long_ago),
                a_memory(
                    "Faded in the channel.",
                    scope=ScopeKey.channel(world.id, room.id),
                    created_at=long_ago,
                ),
            ]
        )
        unit.commit()
    bench.put("Fresh tide.")
    bench.put("Fresh bell.")


async def opened(bench: WindowBench) -> tuple[ControlView, ControlPage]:
    bench.window.show_page(CONTROL_PAGE)
    opened_root = bench.window.opened
    assert opened_root is not None
    await bench.until(lambda: opened_root.control is not None)
    control = opened_root.control
    assert control is not None
    await bench.until(lambda: bool(control.tiers.view.look.rows))
    return control.view, control


def figure(control: ControlPage, tier: Tier) -> str:
    return control.tiers.view.cards[tier].accessibleDescription().split(";")[0]


@scene(drive, faded_and_fresh)
async def test_the_cards_count_and_a_list_opens_as_a_filter_that_can_be_lifted(
    bench: WindowBench, /
) -> None:
    _, control = await opened(bench)
    assert figure(control, Tier.WORKSPACE) == "3 memories"
    row = control.tiers.view.look.rows[0]
    assert row.facts.kind is AttentionKind.BELOW_THRESHOLD
    assert [one[:2] for one in row.facts.tiers] == [
        (Tier.CHANNEL, "All channels"),
        (Tier.WORKSPACE, "Workspace"),
    ]
    row.menu().actions()[1].trigger()
    await bench.until(lambda: bench.texts() == ["Faded here."])
    window = bench.window
    assert window.pages.current_id == MEMORY_PAGE
    chip = window.page.filters.attention[AttentionKind.BELOW_THRESHOLD]
    assert chip.isVisible()
    assert chip.accessibleName() == "Faded almost to nothing"
    chip.setFocus()
    QTest.keyClick(chip, Qt.Key.Key_Delete)
    await bench.until(lambda: len(bench.texts()) == 3)
    assert not chip.isVisible()


@scene(drive, faded_and_fresh)
async def test_a_list_lifts_what_was_searched_and_filtered_before(bench: WindowBench, /) -> None:
    await bench.until(lambda: len(bench.texts()) == 3)
    bench.window.page.header.search.set_text("bell")
    await bench.until(lambda: bench.texts() == ["Fresh bell."])
    _, control = await opened(bench)
    control.tiers.view.look.look_requested.emit(AttentionKind.BELOW_THRESHOLD, Tier.CHANNEL)
    await bench.until(lambda: bench.texts() == ["Faded in the channel."])
    assert bench.memory.shell.place == Place(Tier.CHANNEL)
    assert bench.window.page.header.search.text() == ""


@scene(drive, faded_and_fresh)
async def test_a_tier_opens_without_any_filter(bench: WindowBench, /) -> None:
    _, control = await opened(bench)
    control.tiers.view.cards[Tier.CHANNEL].menu.actions()[0].trigger()
    await bench.until(lambda: bench.texts() == ["Faded in the channel."])
    assert bench.window.page.filters.n_active == 0


@scene(drive, faded_and_fresh)
async def test_figures_follow_a_commit_while_the_page_is_on_show(bench: WindowBench, /) -> None:
    _, control = await opened(bench)
    bench.bench.put("One more.")
    await bench.until(lambda: figure(control, Tier.WORKSPACE) == "4 memories")


@scene(drive, faded_and_fresh)
async def test_figures_are_brought_up_to_date_when_the_page_comes_back(
    bench: WindowBench, /
) -> None:
    _, control = await opened(bench)
    bench.window.show_page(MEMORY_PAGE)
    bench.bench.put("Written meanwhile.")
    await bench.until(lambda: "Written meanwhile." in bench.texts())
    assert figure(control, Tier.WORKSPACE) == "3 memories"
    bench.window.show_page(CONTROL_PAGE)
    await bench.until(lambda: figure(control, Tier.WORKSPACE) == "4 memories")


@scene(drive, faded_and_fresh)
async def test_f5_counts_again_what_no_commit_announced(bench: WindowBench, /) -> None:
    _, control = await opened(bench)
    done: list[bool] = []
    control.tiers.refreshed.connect(lambda: done.append(True))
    bench.window.menus["refresh"].trigger()
    await bench.until(lambda: bool(done))
    assert figure(control, Tier.WORKSPACE) == "3 memories"


def test_another_workspace_shows_its_own_figures(tmp_path: Path) -> None:
    def two_worlds(bench: Bench) -> None:
        faded_and_fresh(bench)
        bench.inklings.workspaces.create("Other")

    async def switch(bench: WindowBench) -> None:
        _, control = await opened(bench)
        here = bench.memory.shell.surroundings
        assert here is not None
        assert bench.window.opened is not None
        other = next(one for one in here.workspaces if one.name == "Other")
        bench.window.opened.open_workspace(other.id)
        await bench.until(lambda: figure(control, Tier.WORKSPACE) == "0 memories")
        assert control.tiers.view.look.rows == ()
        assert bench.window.windowTitle() == "Control plane, Other - Inklings"

    drive(tmp_path, two_worlds, switch)


def test_the_link_of_the_latest_events_leads_to_the_log(tmp_path: Path) -> None:
    def with_a_talk(bench: Bench) -> None:
        faded_and_fresh(bench)
        inklings = bench.inklings
        inklings.conversations.start(bench.workspace.id, title="Tides")

    async def follow(bench: WindowBench) -> None:
        page, control = await opened(bench)
        (line, *_) = control.tiers.view.latest.lines
        assert line.accessibleName() == "Tides"
        QTest.mouseClick(control.tiers.view.latest.log, Qt.MouseButton.LeftButton)
        assert page.current_tab() == EVENTS_TAB
        page.show_tab(TIERS_TAB)
        assert control.tiers.view.isVisible()

    drive(tmp_path, with_a_talk, follow)


def test_likely_duplicates_open_the_review_of_their_tier(tmp_path: Path) -> None:
    def prepare(bench: Bench) -> None:
        tidy_world(bench)
        # The comparison of a run is what finds them.
        bench.inklings.consolidation.run(bench.scope)

    async def look(bench: WindowBench) -> None:
        _, control = await opened(bench)
        row = next(
            one
            for one in control.tiers.view.look.rows
            if one.facts.kind is LookKind.LIKELY_DUPLICATES
        )
        assert row.accessibleName() == "2 pairs read alike"
        assert row.facts.note.endswith(": 0.99 alike")
        assert [one[:2] for one in row.facts.tiers] == [(Tier.WORKSPACE, "Workspace")]
        row.click()
        assert bench.window.opened is not None
        review = bench.window.opened.consolidation.review
        await bench.until(lambda: review.state.plan is not None)
        state = review.state
        assert state.scope == bench.bench.scope
        assert [one.kind for one in state.items] == [ItemKind.WAITING, ItemKind.WAITING]
        for one in state.items:
            review.decide(one.key, Choice.SKIP)
        await review.apply()
        await bench.until(
            lambda: (
                LookKind.LIKELY_DUPLICATES
                not in {one.facts.kind for one in control.tiers.view.look.rows}
            )
        )

    drive(tmp_path, prepare, look, a_tidy_bench)


@scene(drive, faded_and_fresh)
async def test_the_status_bar_names_only_keys_that_this_tab_has(bench: WindowBench, /) -> None:
    page, _ = await opened(bench)
    status = bench.window.status
    assert "run selected task" in status.keys_told()
    page.show_tab(EVENTS_TAB)
    assert "run selected task" not in status.keys_told()
    assert "search" in status.keys_told()
    page.show_tab(ACCESS_TAB)
    assert "search" not in status.keys_told()
    bench.window.show_page(MEMORY_PAGE)
    bench.window.show_page(CONTROL_PAGE)
    assert "run selected task" not in status.keys_told(), "the tab stayed"
    page.show_tab(TIERS_TAB)
    assert "run selected task" in status.keys_told()
