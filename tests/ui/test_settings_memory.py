"""The Memory group of the settings: rates tried, rehearsed and saved; tidying up."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from inklings_desktop.domain.background.cadence import PruneMode
from inklings_desktop.domain.memories.decay import DecayConfig, DecayPreset
from inklings_desktop.domain.memory import Tier
from inklings_desktop.settings import SETTINGS
from inklings_desktop.ui.kit.page.destinations import ToGolden
from inklings_desktop.ui.settings.groups import MEMORY
from inklings_desktop.ui.settings.memory.group import MemoryGroup
from inklings_desktop.ui.settings.memory.state import (
    Rates,
    half_life_words,
    preset_of,
    rate_of,
    rate_words,
    share_words,
    step_of,
    values_of,
)
from tests.support.builders import a_memory
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.presenter_bench import Bench
from tests.ui.settings_bench import Settled, found, read, settings_page

pytestmark = pytest.mark.usefixtures("qapp")

LONG = "The harbour ledger names every ship that owed the glass before the flood. " * 12
REFERENCE = DecayConfig()


def old_and_new(bench: Bench) -> None:
    now = bench.inklings.clock()
    made = [
        a_memory(
            f"{name} {number}. {LONG}",
            scope=bench.scope,
            importance=importance,
            created_at=now - timedelta(days=days),
        )
        for name, importance, days in (("Old", 0.9, 30), ("New", 0.4, 1))
        for number in range(6)
    ]
    with bench.inklings.parts.store.write(bench.workspace.id, initiator="test") as unit:
        unit.memories.add(made)
        unit.commit()


async def memory_group(settled: Settled) -> MemoryGroup:
    group: MemoryGroup = await settled.group(MEMORY)
    await until(lambda: group.rates is not None)
    return group


def rehearsed(group: MemoryGroup) -> list[str]:
    """The rows of the rehearsal, top to bottom."""
    rows = found(group, "rehearsal").findChildren(
        QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly
    )
    names = [one.accessibleName() for one in rows if one.isVisible()]
    return [name for name in names if ": " in name]


def test_presets_are_known_by_their_rates() -> None:
    assert preset_of(REFERENCE) == "reference"
    assert preset_of(DecayPreset.SLOW.value) == "slow"
    assert preset_of(replace(REFERENCE, channel=0.5)) == "custom"


def test_a_preset_is_kept_by_name_and_other_rates_by_figure() -> None:
    assert values_of(DecayPreset.SLOW.value) == {
        "decay.preset": "slow",
        "decay.conversation": None,
        "decay.channel": None,
        "decay.workspace": None,
        "decay.account": None,
    }
    assert values_of(replace(REFERENCE, workspace=0.997))["decay.workspace"] == 0.997


def test_steps_rates_and_what_is_typed_agree() -> None:
    assert [rate_of(step_of(rate)) for rate in (0.98, 0.9905, 1.0)] == [0.98, 0.9905, 1.0]
    assert step_of(0.5) == 0
    kind = SETTINGS["decay.channel"]
    taken = [kind.taken(rate) for rate in (0.995, 1.0)]
    assert taken == [0.995, 1.0]
    for rate in (0.0, 1.01, math.nan):
        with pytest.raises(ValueError, match=str(rate)):
            kind.taken(rate)


def test_figures_are_read_as_the_design_prints_them() -> None:
    assert [rate_words(rate) for rate in (0.99, 0.9975, 1.0)] == ["0.990", "0.9975", "1.000"]
    assert [half_life_words(rate) for rate in (0.997, 1.0, 0.5)] == [
        "9.6 days",
        "never",
        "1.0 hours",
    ]
    assert [share_words(share) for share in (1.0, 0.604, 0.0012)] == ["100 %", "60 %", "0.1 %"]


def test_what_is_tried_stays_when_something_else_is_saved() -> None:
    tried = Rates(REFERENCE, REFERENCE).moved(Tier.WORKSPACE, 0.997)
    after = tried.now_saved(replace(REFERENCE, channel=0.5))
    assert after.wanted == replace(REFERENCE, channel=0.5, workspace=0.997)
    assert [tier for tier in Tier if after.changes(tier)] == [Tier.WORKSPACE]


@scene(settings_page, prepare=old_and_new)
async def test_a_moved_rate_is_rehearsed_on_what_is_there_and_nothing_is_saved(
    settled: Settled, /, tmp_path: Path
) -> None:
    group = await memory_group(settled)
    assert found(group, "preset").choice() == "reference"
    assert not found(group, "ratesSave").isEnabled()
    assert "0 of 12" in read(group)
    slider = found(group, "rateWorkspace")
    slider.setValue(slider.maximum())
    assert found(group, "preset").choice() == "custom"
    assert ", was 5.8 days" in read(group)
    await until(lambda: bool(rehearsed(group)))
    texts = rehearsed(group)
    assert texts[0].startswith("enters: Old")
    assert "Workspace, place" in texts[0]
    assert "relevance" in texts[0]
    assert found(group, "more").isVisible()
    found(group, "more").click()
    await until(lambda: any(one.startswith("leaves: New") for one in rehearsed(group)))
    assert any("change band" in one for one in read(group))
    await until(found(group, "light").isVisible)
    assert settled.bench.inklings.settings.decay == REFERENCE
    assert not (tmp_path / "settings.toml").exists()
    found(group, "ratesReset").click()
    assert rehearsed(group) == []
    assert not found(group, "ratesSave").isEnabled()


def test_saved_rates_hold_at_once_and_comments_stay(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("# mine\n[decay] # how fast\n", encoding="utf-8")

    async def save(settled: Settled) -> None:
        group = await memory_group(settled)
        found(group, "preset").choose("slow")
        QTest.keyClick(settled.window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
        slow = DecayPreset.SLOW.value
        await until(lambda: settled.bench.inklings.settings.decay == slow)
        await until(lambda: not found(group, "ratesSave").isEnabled())
        text = (tmp_path / "settings.toml").read_text(encoding="utf-8")
        assert text.startswith("# mine\n[decay] # how fast\n")
        assert 'preset = "slow"' in text

    settings_page(tmp_path, save)


def test_a_golden_question_that_would_fail_is_said_and_can_be_overridden(tmp_path: Path) -> None:
    kept: list[str] = []

    def with_a_question(bench: Bench) -> None:
        old_and_new(bench)
        entry = bench.put("The keeper counts the gulls at dusk")
        kept.append(entry.id)
        bench.inklings.golden.save(bench.scope, "Who counts the gulls?", must=[entry.id])

    async def look(settled: Settled) -> None:
        group = await memory_group(settled)
        group.try_rate(Tier.WORKSPACE, 0.98)
        await until(found(group, "light").isVisible)
        assert found(group, "light").text.text() == "1 of 1 golden questions passes"
        assert found(group, "ratesSave").text() == "Save rates"
        found(group, "rehearsed").choose("golden")
        right = "still right: Who counts the gulls?, answered as before, in place 1"
        await until(lambda: rehearsed(group) == [right])
        fares = settled.bench.inklings.golden.rehearse(
            settled.bench.workspace.id, settled.bench.inklings.settings.decay
        )
        broken = replace(fares, after=(replace(fares.after[0], missing=(kept[0],)),))
        group.rehearsed = replace(group.rehearsed, golden=broken)
        group.say_again()
        assert found(group, "ratesSave").text() == "Save anyway"
        assert found(group, "ratesSave").isEnabled()
        assert "would fail: Who counts the gulls?" in found(group, "light").text.text()

    settings_page(tmp_path, look, prepare=with_a_question)


@scene(settings_page)
async def test_without_golden_questions_it_leads_to_where_they_are_kept(
    settled: Settled, /
) -> None:
    group = await memory_group(settled)
    group.try_rate(Tier.WORKSPACE, 0.98)
    await until(found(group, "light").isVisible)
    found(group, "rehearsed").choose("golden")
    assert any("No golden questions yet" in one for one in read(group))
    found(group, "more").click()
    assert settled.said.ways == [ToGolden()]


@scene(settings_page)
async def test_brackets_move_the_rate_that_has_the_keyboard(settled: Settled, /) -> None:
    group = await memory_group(settled)
    await settled.group(MEMORY, "rateWorkspace")
    QTest.keyClick(settled.window.focusWidget(), Qt.Key.Key_BracketRight)
    assert group.rates is not None
    assert group.rates.wanted.workspace == 0.9955
    QTest.keyClick(settled.window.focusWidget(), Qt.Key.Key_BracketLeft)
    assert group.rates.wanted.workspace == 0.995


@scene(settings_page)
async def test_what_is_no_rate_is_marked_and_changes_nothing(settled: Settled, /) -> None:
    group = await memory_group(settled)
    field = found(group, "fieldChannel")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "1.5")
    assert field.property("invalid") == "true"
    assert group.rates is not None
    assert group.rates.wanted.channel != 1.5
    field.selectAll()
    QTest.keyClicks(field, "0.975")
    assert group.rates.wanted.channel == 0.975
    assert field.property("invalid") == "false"
    assert found(group, "rateChannel").value() == 0


@scene(settings_page)
async def test_a_hand_edit_shows_while_the_page_is_open(
    settled: Settled, /, tmp_path: Path
) -> None:
    group = await memory_group(settled)
    seen = settled.bench.inklings.settings
    (tmp_path / "settings.toml").write_text(
        '[decay]\nchannel = 0.9855\n[background]\nfaded = "keep"\n', encoding="utf-8"
    )
    settled.bench.inklings.preferences.notice(seen)  # as the window does when the file changes
    await until(lambda: found(group, "faded").choice() == PruneMode.KEEP)
    assert found(group, "fieldChannel").text() == "0.9855"
    assert found(group, "preset").choice() == "custom"


@scene(settings_page)
async def test_tidying_up_holds_at_once(settled: Settled, /) -> None:
    group = await memory_group(settled)
    found(group, "faded").choose(PruneMode.PRUNE)
    found(group, "tidying").click()
    inklings = settled.bench.inklings
    await until(lambda: inklings.settings.background.prune is PruneMode.PRUNE)
    await until(lambda: not inklings.settings.background.consolidates)
    background = inklings.settings.background
    assert background.cadence(Tier.CHANNEL).new_entries == 0
    assert background.channel.new_entries == 12, "its figures stay for later"
    await until(lambda: not found(group, "tidying").isChecked())
