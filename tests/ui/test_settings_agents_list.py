"""The section Agents of the settings: tested, agreed to, changed, added, removed."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from inklings_desktop.agent_client import presets
from inklings_desktop.agent_client.presets import Agent
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import TextDialog
from inklings_desktop.ui.kit.look.layouts import vbox
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page.declared import Declared
from inklings_desktop.ui.settings.agents_list import AgentsList, agents_of
from tests.support.plain_agent import installed
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.settings_bench import settings_page

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.page.declared import Part
    from tests.ui.settings_bench import Settled

pytestmark = pytest.mark.usefixtures("qapp")


class OnlyAgents(Declared[tuple[Agent, ...]]):
    """A page that says nothing but the section."""

    watches = About.SETTINGS

    def __init__(self, settled: Settled) -> None:
        context = settled.page.context
        view = QWidget(settled.window)
        self.list = AgentsList(context, self.read_again)
        super().__init__(context, view, vbox(view))
        view.show()
        self.window = settled.window
        self.workspace_id = settled.bench.workspace.id
        self.say_again()

    def read_content(self) -> tuple[Agent, ...]:
        return agents_of(self.inklings)

    def said(self, content: tuple[Agent, ...] | None) -> tuple[Part, ...]:
        return (self.list.card(content or agents_of(self.inklings), has_ours=True),)

    def read(self) -> list[str]:
        return [one.text() for one in self.view.findChildren(QLabel) if not one.isHidden()]

    def press(self, name: str) -> None:
        """Press the link that a screen reader calls so."""
        [link] = [
            one
            for one in self.view.findChildren(LinkButton)
            if name in {one.accessibleName(), one.text()}
        ]
        link.click()

    async def type_command(self, text: str, *, again: bool = False) -> TextDialog:
        """Fill in the dialog that asks for a command, and say yes."""
        await until(lambda: self.dialog(TextDialog) is not None)
        dialog = self.dialog(TextDialog)
        assert isinstance(dialog, TextDialog)
        dialog.field.setText(text)  # type: ignore[union-attr]  # a line
        dialog.confirm.click()
        if again:
            await until(lambda: self.dialog(TextDialog) not in {None, dialog})
        return self.dialog(TextDialog)  # type: ignore[return-value]  # it was just looked for

    def dialog(self, kind: type[QWidget]) -> QWidget | None:
        return next((one for one in self.window.findChildren(kind) if one.isVisible()), None)


@scene(settings_page)
async def test_one_that_is_found_is_agreed_to_and_tested(
    settled: Settled, /, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = installed(tmp_path_factory.mktemp("bin"), "forgetful", "codex-acp")
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    page = OnlyAgents(settled)
    assert page.read().count("found") == 1, page.read()
    assert str(program) in page.read()
    page.press("Use it: Codex")
    await until(lambda: page.dialog(TextDialog) is not None)
    dialog = page.dialog(TextDialog)
    assert isinstance(dialog, TextDialog)
    assert dialog.typed == str(program)
    dialog.confirm.click()
    await until(lambda: any(one.startswith("answered in ") for one in page.read()))
    [kept] = settled.bench.inklings.settings.agent.presets
    assert (kept.id, kept.command) == ("codex", (str(program),))


@scene(settings_page)
async def test_one_is_added_changed_and_removed(
    settled: Settled, /, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    inklings = settled.bench.inklings
    program = installed(tmp_path_factory.mktemp("bin"), "signed-out")
    page = OnlyAgents(settled)
    page.press("Add an agent\u2026")
    refused = await page.type_command("./plain", again=True)
    assert any("relative path" in one.text() for one in refused.findChildren(QLabel))
    await page.type_command(f"{program} --quiet")
    await until(lambda: "sign in there first" in page.read())
    [added] = inklings.settings.agent.presets
    assert (added.id, added.client, added.command) == ("plain", "plain", (str(program), "--quiet"))
    page.press("Edit command: plain")
    await page.type_command(shlex.join([str(program), "two words"]))
    await until(lambda: inklings.settings.agent.presets[0].command[1] == "two words")
    page.press("Remove: plain")
    await until(lambda: page.dialog(ConfirmDialog) is not None)
    dialog = page.dialog(ConfirmDialog)
    assert isinstance(dialog, ConfirmDialog)
    dialog.confirm.click()
    await until(lambda: not inklings.settings.agent.presets)
    assert {one.id for one in presets.agents((), inklings.data_dir)} == {
        one.id for one in presets.BUILT_IN
    }


@scene(settings_page)
async def test_nobody_takes_the_name_of_another(
    settled: Settled, /, tmp_path_factory: pytest.TempPathFactory
) -> None:
    page = OnlyAgents(settled)
    program = installed(tmp_path_factory.mktemp("bin"), "forgetful", "world-agent")
    page.press("Add an agent\u2026")
    refused = await page.type_command(str(program), again=True)
    assert any("Another agent has this name." in one.text() for one in refused.findChildren(QLabel))
    refused.reject()
    assert settled.bench.inklings.settings.agent.presets == ()
