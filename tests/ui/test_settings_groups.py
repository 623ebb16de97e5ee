"""Search model, background work, privacy and keys in the settings; faults of the settings file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.settings_file import Problem
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.page.destinations import ToSettings
from inklings_desktop.ui.kit.panes.key_columns import KeyColumns
from inklings_desktop.ui.settings.background import BackgroundGroup
from inklings_desktop.ui.settings.groups import BACKGROUND, KEYBOARD, MEMORY, PRIVACY, SEARCH_MODEL
from inklings_desktop.ui.settings.page import problem_banner, problem_words
from inklings_desktop.ui.settings.privacy import PrivacyGroup
from inklings_desktop.ui.settings.search_model import SearchModelGroup
from inklings_desktop.ui.settings.search_model_words import (
    how_words,
    line_of,
    models_shown,
    state_words,
)
from inklings_desktop.usecases.background.models import ModelStatus
from inklings_desktop.usecases.ports.models import InstalledModel, OfferedModel
from tests.support.model_server import MODEL_ID, model_server
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.settings_bench import Settled, found, read, settings_page

pytestmark = pytest.mark.usefixtures("qapp")

BUILT_IN = InstalledModel("small", 384, is_built_in=True, is_selected=True)
OTHER = InstalledModel(
    "other", 768, is_built_in=False, is_selected=False, languages=("en", "de", "ja")
)
BROKEN = InstalledModel("broken", 0, is_built_in=False, is_selected=False, problem="damaged")

LISTED = OfferedModel("listed", "Apache-2.0", 22_900_000, ("models.example.org",))


def typed(field: QWidget, text: str) -> None:
    """Replace what a field says and press Enter."""
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


# -- background work ----------------------------------------------------------------------


@scene(settings_page)
async def test_a_cadence_holds_once_it_is_typed(settled: Settled, /) -> None:
    group: BackgroundGroup = await settled.group(BACKGROUND, "channelNewEntries")
    await until(lambda: group.content is not None)
    field = found(group, "channelNewEntries")
    assert field.text() == "12"
    typed(field, "7")
    inklings = settled.bench.inklings
    await until(lambda: inklings.settings.background.cadence(Tier.CHANNEL).new_entries == 7)
    typed(found(group, "backfillMinutes"), "2,5")
    await until(lambda: inklings.settings.background.backfill_minutes == 2.5)
    forgets = found(group, "forgetAtClose")
    forgets.click()
    await until(lambda: not inklings.settings.background.forget_at_close)
    await until(lambda: not forgets.isChecked())


@scene(settings_page)
async def test_what_is_no_number_is_marked_and_given_up_when_the_field_is_left(
    settled: Settled, /, tmp_path: Path
) -> None:
    group: BackgroundGroup = await settled.group(BACKGROUND, "channelNewEntries")
    await until(lambda: group.content is not None)
    field = found(group, "channelNewEntries")
    for text in ("-1", "2.5", "many"):
        typed(field, text)
        assert field.property("invalid") == "true", text
        assert "whole number" in field.accessibleDescription()
    found(group, "silentDays").setFocus()
    assert field.text() == "12"
    assert field.property("invalid") == "false"
    assert not (tmp_path / "settings.toml").exists()


def test_it_says_when_tidying_up_is_off_and_leads_to_its_switch(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("[background]\nconsolidate = false\n", encoding="utf-8")

    async def look(settled: Settled) -> None:
        group: BackgroundGroup = await settled.group(BACKGROUND)
        await until(lambda: group.content is not None)
        assert any("Tidying up is switched off" in one for one in read(group))
        (tidying,) = group.view.findChildren(LinkButton)
        tidying.click()
        assert settled.said.ways == [ToSettings(MEMORY, "tidying")]

    settings_page(tmp_path, look)


# -- search model -------------------------------------------------------------------------


def test_models_are_told_in_words_and_figures_stand_behind_how() -> None:
    status = ModelStatus((BUILT_IN, OTHER, BROKEN), 12, is_available=True)
    words = [line_of(one) for one in status.models] + [state_words(status)[2]]
    assert not any("384" in one or "dimension" in one for one in words)
    assert "12 memories to prepare" in words[-1]
    assert "small: 384 numbers" in how_words(status)
    assert "broken" not in how_words(status)
    assert "other: made for English, Deutsch, 日本語" in how_words(status)
    assert state_words(ModelStatus((BUILT_IN,), 0, is_available=True))[2].startswith("ready, every")
    assert "words alone" in state_words(ModelStatus((BUILT_IN,), 0, is_available=False))[2]


def test_each_model_offers_what_can_be_done_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[tuple[str, str]] = []

    async def look(settled: Settled) -> None:
        group: SearchModelGroup = await settled.group(SEARCH_MODEL)
        await until(lambda: group.content is not None)
        status = ModelStatus(
            (BUILT_IN, OTHER, BROKEN), 0, is_available=True, offered=(OfferedModel("third"), LISTED)
        )
        monkeypatch.setattr(group, "use", lambda id_: done.append(("use", id_)))
        monkeypatch.setattr(group, "remove", lambda id_: done.append(("remove", id_)))
        monkeypatch.setattr(group, "take", lambda line: done.append(("install", line.id)))
        group.show_content(models_shown(status))
        buttons = [one for one in group.view.findChildren(LinkButton) if one.accessibleName()]
        names = [button.accessibleName() for button in buttons]
        assert names == [
            "Use it: other",
            "Remove: other",
            "Remove: broken",
            "Bring it in: third",
            "Fetch it: listed",
        ]
        for button in buttons:
            button.click()
        assert done == [
            ("use", "other"),
            ("remove", "other"),
            ("remove", "broken"),
            ("install", "third"),
            ("install", "listed"),
        ]
        figures = "small: 384 numbers for each memory"
        assert not any(figures in one for one in read(group))
        (how,) = (one for one in group.view.findChildren(LinkButton) if one.text() == "How")
        how.click()
        assert any(figures in one for one in read(group))

    settings_page(tmp_path, look)


def test_a_folder_that_holds_no_model_is_refused_with_a_sentence(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()

    async def bring(settled: Settled) -> None:
        group: SearchModelGroup = await settled.group(SEARCH_MODEL)
        await until(lambda: group.content is not None)
        group.install(empty)
        await until(lambda: bool(settled.said.messages))
        assert "model.onnx" in settled.said.messages[0].title
        await until(found(group, "modelFolder").isEnabled)

    settings_page(tmp_path / "root", bring)


@scene(settings_page)
async def test_word_by_word_can_be_switched_off(settled: Settled, /) -> None:
    group: SearchModelGroup = await settled.group(SEARCH_MODEL)
    await until(lambda: group.content is not None)
    assert found(group, "wordByWord").isChecked()
    found(group, "wordByWord").click()
    await until(lambda: not group.inklings.settings.word_by_word)
    await until(lambda: not found(group, "wordByWord").isChecked())


async def agreed(settled: Settled, *, to_it: bool) -> str:
    """Answer the question that is on show; what it said."""

    def asked() -> list[ConfirmDialog]:
        return [one for one in settled.window.findChildren(ConfirmDialog) if one.isVisible()]

    await until(lambda: bool(asked()))
    (question,) = asked()
    said = " ".join(label.text() for label in question.findChildren(QLabel))
    (question.confirm if to_it else question.keep).click()
    await until(lambda: not asked())
    return said


def test_a_listed_model_is_fetched_once_that_is_agreed_to(tmp_path: Path) -> None:
    async def fetch(settled: Settled) -> None:
        group: SearchModelGroup = await settled.group(SEARCH_MODEL)
        await until(lambda: group.content is not None)
        assert group.content is not None
        line = next(one for one in group.content.lines if one.offer is not None)
        group.take(line)
        assert "from 127.0.0.1, licence Apache-2.0" in await agreed(settled, to_it=False)
        assert server.asked == []
        group.take(line)
        await agreed(settled, to_it=True)
        await until(lambda: bool(settled.said.sentences))
        assert f"{MODEL_ID} is here" in settled.said.sentences[0]
        assert server.asked == ["/tokenizer.json", "/model.onnx"]

    with model_server(tmp_path / "served") as server:
        server.catalogue(tmp_path / "root")
        settings_page(tmp_path / "root", fetch)


def test_fetching_is_stopped_by_a_click_and_nothing_is_left(tmp_path: Path) -> None:
    async def stop(settled: Settled) -> None:
        group: SearchModelGroup = await settled.group(SEARCH_MODEL)
        await until(lambda: group.content is not None)
        assert group.content is not None
        server.gate.clear()
        line = next(one for one in group.content.lines if one.offer is not None)
        group.take(line)
        await agreed(settled, to_it=True)
        await until(lambda: "/model.onnx" in server.asked and found(group, "modelStop").isVisible())
        found(group, "modelStop").click()
        server.gate.set()
        await until(lambda: bool(settled.said.sentences))
        assert settled.said.sentences[0] == "Stopped. Nothing was brought in."
        await until(found(group, "modelFolder").isEnabled)
        assert not found(group, "modelStop").isVisible()
        left = [path.name for path in (tmp_path / "root" / "models").iterdir()]
        assert left == ["catalogue.json"]

    with model_server(tmp_path / "served") as server:
        server.catalogue(tmp_path / "root")
        settings_page(tmp_path / "root", stop)


# -- privacy and keyboard -----------------------------------------------------------------


@scene(settings_page)
async def test_a_name_is_kept_and_one_that_cannot_be_is_refused(settled: Settled, /) -> None:
    group: PrivacyGroup = await settled.group(PRIVACY, "displayName")
    await until(lambda: group.content is not None)
    typed(found(group, "displayName"), "Ottoline")
    inklings = settled.bench.inklings
    await until(lambda: inklings.settings.display_name == "Ottoline")
    signed = settled.bench.put("The ferry stops at dusk.").ref
    inklings.memories.forget([signed])
    assert inklings.listing.show(signed).history[0].changed_by == "Ottoline"
    typed(found(group, "displayName"), "x" * 121)
    assert [one.title for one in settled.said.messages] == ["A name has at most 120 characters."]
    assert inklings.settings.display_name == "Ottoline"
    typed(found(group, "writesPerMinute"), "60")
    await until(lambda: inklings.settings.writes_per_minute == 60)


@scene(settings_page)
async def test_keys_are_those_of_the_register(settled: Settled, /) -> None:
    group = await settled.group(KEYBOARD)
    await until(lambda: group.content is not None)
    (columns,) = group.view.findChildren(KeyColumns)
    assert columns.isVisible()


# -- what the file says -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "part"),
    [
        ("appearance.theme", "system, light or dark"),
        ("appearance.text_scale", "0.9 to 1.4"),
        ("decay.channel", "above 0, up to 1"),
        ("memory.cap", "1 to 1000000"),
        ("background.keep_running", "true or false"),
        ("agent.prestart", "true or false"),
        ("agent.classes.fast", "with a slash between"),
        ("agent.providers", "is left out"),
        ("background.channel.idle_minutes", "a number from 0"),
        ("background.backup_hours", "a number from 0"),
        ("background.channel", "is not a table"),
        ("memory", "is not a table"),
        ("settings.toml", "cannot be read"),
    ],
)
def test_each_fault_says_what_would_do(key: str, part: str) -> None:
    assert part in problem_words(Problem(key, 3))


def test_the_first_fault_is_said_by_its_line_with_a_way_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(
        '[appearance]\ntheme = "neon"\n[memory]\ncap = 0\n', encoding="utf-8"
    )

    async def look(settled: Settled) -> None:
        banner = settled.page.view.banner
        await until(banner.isVisible)
        assert banner.content is not None
        assert banner.content.title == "settings.toml line 2 and 1 more:"
        assert "system, light or dark" in banner.content.text
        assert [one.label for one in banner.content.actions] == ["Open the file"]
        seen = settled.bench.inklings.settings
        (tmp_path / "settings.toml").write_text("[memory]\ncap = 5\n", encoding="utf-8")
        settled.bench.inklings.preferences.notice(seen)
        await until(partial(banner.isHidden))
        assert problem_banner(()) is None

    settings_page(tmp_path, look)
