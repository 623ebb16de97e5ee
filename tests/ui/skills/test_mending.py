"""Skills that are mended and written in a conversation, and what stands in the way of that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from inklings_desktop.agent_client.script_run import Report
from inklings_desktop.ui.kit.page.destinations import ToConversation
from inklings_desktop.ui.skills import dry_run
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.skills.mended import GIVEN, NAME, after, before, with_mended
from tests.ui.skills.test_review import opened, sentences
from tests.ui.skills.test_skills_page import SkillsBench, play
from tests.ui.talk_bench import a_talk, silent_agent, without_agent
from tests.ui.window_bench import drive

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ui.presenter_bench import Bench
    from tests.ui.window_bench import WindowBench


@pytest.fixture(autouse=True)
def agent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A World Agent is installed; whatever it runs is out of fuel."""
    spent = Report(False, "", (), 0, "", {"outcome": "out_of_fuel"})
    monkeypatch.setattr("inklings_desktop.agent_client.launching.is_installed", lambda: True)
    monkeypatch.setattr(dry_run, "world_agent_command", lambda *_: ["agent"])
    monkeypatch.setattr(dry_run, "carried_out", lambda *_, **__: spent)


def with_model(bench: Bench) -> None:
    """A skill that an agent mended, and a model that could mend it again."""
    bench.inklings.preferences.save({"agent.classes.frontier": "here/large"})
    with_mended(bench)


def led_to(bench: SkillsBench) -> list[ToConversation]:
    """Conversations that the page led to."""
    return [one for one in bench.said.ways if isinstance(one, ToConversation)]


@scene(play, with_model)
async def test_a_conversation_begins_with_the_skill_attached(
    bench: SkillsBench, /, qapp: object
) -> None:
    await bench.shows(f"workspace {NAME}")
    assert bench.named("mendSkill").toolTip() == ""
    await bench.press("mendSkill")
    await until(lambda: bool(led_to(bench)))
    (way,) = led_to(bench)
    talk = bench.bench.inklings.conversations.get(bench.here, way.conversation_id)
    assert talk.title == "Improving Left and right audit"
    assert way.text.startswith(f"Improve the skill {NAME}.")
    assert way.attached is not None
    name, title, text = way.attached
    assert (name, title) == (f"skill/{NAME}", "Left and right audit")
    assert before()["scripts/find.py"] in text


@scene(play, with_model)
async def test_going_on_leaves_it_undecided_and_takes_the_mended_text_along(
    bench: SkillsBench, /, qapp: object
) -> None:
    await opened(bench)
    await bench.press("reviewMend")
    await until(lambda: bool(led_to(bench)))
    attached = led_to(bench)[0].attached
    assert attached is not None
    assert after()["scripts/find.py"] in attached[2]
    assert bench.page.review.dialog is None
    proposals = bench.bench.inklings.proposals.list(bench.here)
    assert [one.is_undecided for one in proposals] == [True]


def test_the_window_shows_the_new_conversation_with_what_is_to_be_said(
    qapp: object, tmp_path: Path
) -> None:
    async def act(bench: WindowBench) -> None:
        inklings, window = bench.bench.inklings, bench.window
        here = bench.bench.workspace.id
        made = inklings.conversations.start(here, title="Mending")
        attached = ("skill/tides", "Tides", "# Tides")
        window.go(ToConversation(made.id, attached, "Mend the skill tides."))

        def composer() -> Any:
            page = window.opened.conversation if window.opened is not None else None
            return None if page is None else page.view.composer

        await until(lambda: composer() is not None and bool(composer().text()))
        assert composer().text() == "Mend the skill tides."
        assert [one.title for one in composer().attachments()] == ["Tides"]
        assert window.opened is not None
        assert window.opened.conversation is not None
        assert window.opened.conversation.conversation_id == made.id

    with without_agent(silent_agent):
        drive(tmp_path, a_talk, act)


@scene(play, with_model)
async def test_a_new_one_is_written_in_a_conversation(bench: SkillsBench, /, qapp: object) -> None:
    await until(lambda: bench.page.content is not None)
    dict(bench.page.additions())["Write one with the composer\u2026"]()
    await until(lambda: bool(led_to(bench)))
    (way,) = led_to(bench)
    assert way.attached is None
    assert way.text.startswith("Write a skill")


@scene(play, with_mended)
async def test_without_a_model_the_button_says_why(bench: SkillsBench, /, qapp: object) -> None:
    await bench.shows(f"workspace {NAME}")
    assert not bench.named("mendSkill").isEnabled()
    assert "No model is connected." in bench.named("mendSkill").toolTip()
    assert not any("composer" in name for name, _ in bench.page.additions())
    await opened(bench)
    assert not bench.named("reviewMend").isEnabled()
    assert "No model is connected." in bench.named("reviewMend").toolTip()


@scene(play, with_mended)
async def test_what_ran_out_of_fuel_says_that_nothing_was_written(
    bench: SkillsBench, /, qapp: object
) -> None:
    await bench.shows(f"workspace {NAME}")
    bench.named("dryInput").setText(GIVEN)
    await bench.press("runDry")
    await until(lambda: "Nothing was written." in bench.words())
    assert "Stopped after " in bench.words()
    assert "The prompt part needs a model; it is shown filled in." in bench.words()


@scene(play, with_mended, width=820)
async def test_f5_leads_to_the_dry_run_where_that_is_a_tab(
    bench: SkillsBench, /, qapp: object
) -> None:
    await bench.shows(f"workspace {NAME}")
    bench.page.focus_list()
    assert bench.named("runDry") is None
    assert "F5" not in bench.page.anywhere  # the window hears it, and has the page refreshed
    bench.page.refresh()
    await until(lambda: "Stopped after" in bench.words())
    assert bench.page.is_trying


@scene(play, with_mended)
async def test_the_keyboard_goes_to_the_list_once_it_is_read(
    bench: SkillsBench, /, qapp: object
) -> None:
    page, content = bench.page, bench.page.content
    assert content is not None
    page.content = None
    page.say_again()
    await until(lambda: bench.named("skillsList") is None)
    page.view.setFocus()
    page.focus_list()
    page.show_content(content)
    await until(lambda: bench.named("skillsList").hasFocus())


@scene(play, with_mended)
async def test_the_dialog_closes_without_a_word(bench: SkillsBench, /, qapp: object) -> None:
    dialog = await opened(bench)
    assert "Nothing is in use yet." in sentences(dialog)
    dialog.reject()
    await until(lambda: bench.page.review.dialog is None)
    assert bench.steps == []
