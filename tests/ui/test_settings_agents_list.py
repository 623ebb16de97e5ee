"""The section Agents of the settings: tested, agreed to, changed, added, removed."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from inklings_desktop.acp_wire.words import WORLD_AGENT
from inklings_desktop.agent_client import presets
from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import TextDialog
from inklings_desktop.ui.kit.page.destinations import ToTab
from inklings_desktop.ui.settings.groups import AGENTS
from tests.support.plain_agent import installed
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.settings_bench import chosen, found, read, settings_page

if TYPE_CHECKING:
    from typing import Any

    from tests.ui.settings_bench import Settled

pytestmark = pytest.mark.usefixtures("qapp")


async def listed(settled: Settled) -> Any:
    """The group, once it has looked for agents."""
    group = await settled.group(AGENTS)
    await until(lambda: "OpenCode" in read(group))
    return group


def dialog(settled: Settled, kind: type[QWidget]) -> Any:
    found = settled.window.findChildren(kind)
    return next((one for one in found if one.isVisible()), None)


async def type_command(settled: Settled, text: str, *, again: bool = False) -> Any:
    """Fill in the dialog that asks for a command, and say yes; the one that asks again."""
    await until(lambda: dialog(settled, TextDialog) is not None)
    first = dialog(settled, TextDialog)
    first.field.setText(text)
    first.confirm.click()
    if again:
        await until(lambda: dialog(settled, TextDialog) not in {None, first})
    return dialog(settled, TextDialog)


@scene(settings_page)
async def test_one_that_is_found_is_agreed_to_and_tested(
    settled: Settled, /, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = installed(tmp_path_factory.mktemp("bin"), "forgetful", "codex-acp")
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    group = await listed(settled)
    assert read(group).count("found") == 1, read(group)
    assert "codex-acp" in read(group)
    links = group.view.findChildren(LinkButton)
    next(one for one in links if one.accessibleName() == "Use it: Codex").click()
    await until(lambda: dialog(settled, TextDialog) is not None)
    assert dialog(settled, TextDialog).typed == str(program)
    dialog(settled, TextDialog).confirm.click()
    await until(lambda: any(one.startswith("answered in ") for one in read(group)))
    [kept] = settled.bench.inklings.settings.agent.presets
    assert (kept.id, kept.command) == ("codex", (str(program),))


@scene(settings_page)
async def test_one_is_added_changed_and_removed(
    settled: Settled, /, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    inklings = settled.bench.inklings
    program = installed(tmp_path_factory.mktemp("bin"), "signed-out")
    group = await listed(settled)
    found(group, "addAgent").click()
    refused = await type_command(settled, "./plain", again=True)
    assert any("relative path" in one.text() for one in refused.findChildren(QLabel))
    await type_command(settled, f"{program} --quiet")
    await until(lambda: "sign in there first" in read(group))
    [added] = inklings.settings.agent.presets
    assert (added.id, added.client, added.command) == ("plain", "plain", (str(program), "--quiet"))
    assert "plain --quiet" in read(group)
    chosen(group, "more:plain", "Edit command\u2026")
    await type_command(settled, shlex.join([str(program), "two words"]))
    await until(lambda: inklings.settings.agent.presets[0].command[1] == "two words")
    offers = chosen(group, "more:plain", "Remove\u2026")
    assert offers[-2:] == ["Edit command\u2026", "Remove\u2026"]
    await until(lambda: dialog(settled, ConfirmDialog) is not None)
    dialog(settled, ConfirmDialog).confirm.click()
    await until(lambda: not inklings.settings.agent.presets)
    assert {one.id for one in presets.agents((), inklings.data_dir)} == {
        one.id for one in presets.BUILT_IN
    }


@scene(settings_page)
async def test_nobody_takes_the_name_of_another(
    settled: Settled, /, tmp_path_factory: pytest.TempPathFactory
) -> None:
    group = await listed(settled)
    program = installed(tmp_path_factory.mktemp("bin"), "forgetful", "world-agent")
    found(group, "addAgent").click()
    refused = await type_command(settled, str(program), again=True)
    assert any("Another agent has this name." in one.text() for one in refused.findChildren(QLabel))
    refused.reject()
    assert settled.bench.inklings.settings.agent.presets == ()


@scene(settings_page)
async def test_rights_lead_to_those_of_the_client_that_came(
    settled: Settled, /, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    inklings, here = settled.bench.inklings, settled.bench.workspace.id
    group = await listed(settled)
    assert chosen(group, "more:Codex") == ["Edit command\u2026"]
    inklings.clients.grant("codex", preset_rights(ClientKind.EXTERNAL, here))
    inklings.clients.grant(WORLD_AGENT, preset_rights(ClientKind.WORLD_AGENT, here))
    await until(lambda: group.view.findChild(QWidget, "more:World Agent") is not None)
    assert chosen(group, "more:World Agent", "Rights\u2026") == ["Rights\u2026"]
    assert settled.said.ways[-1] == ToTab("access", WORLD_AGENT)
    chosen(group, "more:Codex", "Rights\u2026")
    assert settled.said.ways[-1] == ToTab("access", "codex")


@scene(settings_page)
async def test_what_works_without_a_model_stands_behind_those_that_are_here(
    settled: Settled, /, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = installed(tmp_path_factory.mktemp("bin"), "forgetful", "goose")
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    group = await listed(settled)
    names = ("World Agent", "Goose", "Without a model", "Claude Code", "Codex")
    assert [one for one in read(group) if one in names] == list(names)
