"""The Access tab in the real window: what it shows, what it asks, and that it keeps up."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QLabel, QMenu

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.canary import (
    Canary,
    CanaryKind,
    DrillDoor,
    DrillReport,
    PathResult,
)
from inklings_desktop.domain.access.clients import (
    Client,
    ClientCall,
    ClientKind,
    Right,
    preset_rights,
)
from inklings_desktop.domain.access.connections import ClientProgram
from inklings_desktop.domain.memory import Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.ui.access.client_cards import CallLine
from inklings_desktop.ui.access.connection_dialog import ConnectionDialog
from inklings_desktop.ui.access.connection_words import RehearsalLine
from inklings_desktop.ui.access.drill_dialog import (
    DrillDialog,
    drill_rows,
    report_text,
    verdict_words,
)
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.dialogs.pieces import StepBody
from inklings_desktop.ui.kit.marks.labels import IconLabel
from inklings_desktop.ui.markdown.diff_view import DiffView
from tests.support.builders import NOON
from tests.support.four_clients import READER, RELAY, STUDIO
from tests.support.scenes import scene
from tests.support.stopwatch import SLOWNESS, Stopwatch
from tests.ui.access_bench import LOOM, access_tab, four_clients
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

LIVE_SECONDS = 1.0 * SLOWNESS


def client(bench: WindowBench, name: str) -> Client:
    inklings = bench.bench.inklings
    return inklings.clients.show(name).client


@scene(drive, four_clients)
async def test_the_matrix_says_who_may_do_what(bench: WindowBench, /) -> None:
    tab = await access_tab(bench)
    assert tab.badges(LOOM) == ["read, write", "read, write", "read, write", "read, propose"]
    assert tab.badges(STUDIO) == ["if taking part", "if taking part", "read", "none"]
    assert tab.badges(READER) == ["none", "read #weekly-continuity", "read, write", "none"]
    assert tab.badges(RELAY) == ["none"] * 4
    rows = {row.name: row for row in tab.view.matrix.table.rows}
    assert rows[STUDIO].seen == "5 h ago"
    assert rows[RELAY].seen == "never"
    assert rows[LOOM].kind == "my World Agent"


@scene(drive, four_clients)
async def test_what_a_client_asked_for_stands_beside_its_rights(bench: WindowBench, /) -> None:
    tab = await access_tab(bench)
    tab.view.matrix.table.choose(STUDIO)
    said = [(one.tool, one.answer, one.is_refused) for one in tab.view.calls.calls]
    assert said == [
        ("memory_read", "12 entries", False),
        ("memory_read", "3 entries", False),
        ("memory_put", "refused", True),
        ("memory_read", "refused", True),
        ("memory_read", "20 entries", False),
    ]
    lines = [one.accessibleName() for one in tab.view.calls.findChildren(CallLine)]
    assert "memory_put, Workspace, refused, 1 d ago" in lines


@scene(drive, four_clients)
async def test_a_switch_gives_a_right_and_takes_it(bench: WindowBench, /) -> None:
    tab = await access_tab(bench)
    tab.view.matrix.table.choose(STUDIO)
    write = Right(Tier.WORKSPACE, bench.bench.workspace.id, Action.WRITE)
    assert not tab.is_on("workspace:write")
    tab.press("workspace:write")
    await bench.until(lambda: tab.is_on("workspace:write"))
    assert write in client(bench, STUDIO).rights
    assert tab.badges(STUDIO)[2] == "read, write"
    tab.press("workspace:write")
    await bench.until(lambda: not tab.is_on("workspace:write"))
    assert write not in client(bench, STUDIO).rights


@scene(drive, four_clients)
async def test_the_account_opens_only_after_a_question(bench: WindowBench, /) -> None:
    tab = await access_tab(bench)
    tab.view.matrix.table.choose(STUDIO)
    read = Right(Tier.ACCOUNT, None, Action.READ)
    tab.press("account:read")
    asked = await tab.dialog("confirmDialog")
    assert (
        asked.windowTitle()
        == "Let Manuscript Studio read what the agent remembers about you, in every workspace?"
    )
    asked.reject()
    await bench.until(lambda: not asked.isVisible())
    assert read not in client(bench, STUDIO).rights
    assert not tab.is_on("account:read")
    tab.press("account:read")
    (await tab.dialog("confirmDialog")).accept()
    await bench.until(lambda: tab.is_on("account:read"))
    assert read in client(bench, STUDIO).rights
    # Closing it again asks nothing.
    tab.press("account:read")
    await bench.until(lambda: read not in client(bench, STUDIO).rights)


@scene(drive, four_clients)
async def test_a_preset_gives_its_rights_and_no_others(bench: WindowBench, /) -> None:
    tab, world = await access_tab(bench), bench.bench.workspace
    tab.view.matrix.table.choose(READER)
    tab.view.rights.kinds.choose(ClientKind.WORLD_AGENT.value)
    (await tab.dialog("confirmDialog")).accept()
    await bench.until(lambda: client(bench, READER).kind is ClientKind.WORLD_AGENT)
    await bench.until(
        lambda: client(bench, READER).rights == preset_rights(ClientKind.WORLD_AGENT, world.id)
    )
    await bench.until(lambda: tab.badges(READER)[0] == "read, write")
    tab.view.rights.kinds.choose(ClientKind.EXTERNAL.value)
    await bench.until(
        lambda: client(bench, READER).rights == preset_rights(ClientKind.EXTERNAL, world.id)
    )


@scene(drive, four_clients)
async def test_revoking_everything_asks_first(bench: WindowBench, /) -> None:
    tab = await access_tab(bench)
    tab.view.matrix.table.choose(LOOM)
    tab.view.rights.revoke.click()
    asked = await tab.dialog("confirmDialog")
    words = " ".join(label.text() for label in asked.findChildren(QLabel))
    assert "in any workspace" in words
    asked.reject()
    await bench.until(lambda: not asked.isVisible())
    assert client(bench, LOOM).rights
    tab.view.rights.revoke.click()
    (await tab.dialog("confirmDialog")).accept()
    await bench.until(lambda: not client(bench, LOOM).rights)
    await bench.until(lambda: tab.badges(LOOM) == ["none"] * 4)
    assert not tab.view.rights.revoke.isEnabled()


@scene(drive, four_clients)
async def test_one_channel_is_opened_and_scrub_rights_stand_apart(bench: WindowBench, /) -> None:
    tab, inklings = await access_tab(bench), bench.bench.inklings
    tab.view.matrix.table.choose(STUDIO)
    assert not any(row.facts.is_scrub for row in tab.view.rights.rows)
    tab.view.rights.scrubs.click()
    assert sum(row.facts.is_scrub for row in tab.view.rights.rows) == 12
    names = [one.text() for one in tab.view.rights.channel_menu().actions()]
    assert names == ["#general", "#weekly-continuity"]
    tab.view.rights.channel_menu().actions()[1].trigger()
    await bench.until(lambda: tab.badges(STUDIO)[1] == "read #weekly-continuity, if taking part")
    (weekly,) = (
        one
        for one in inklings.places.channels(bench.bench.workspace.id)
        if one.name == "weekly-continuity"
    )
    assert tab.is_on(f"channel:{weekly.id}:read")
    assert not tab.is_on(f"channel:{weekly.id}:write")


@scene(drive, four_clients)
async def test_what_another_process_does_is_on_show_within_a_second(bench: WindowBench, /) -> None:
    tab, here = await access_tab(bench), bench.bench
    with open_inklings(
        here.inklings.data_dir, embedder=NullEmbedder("none"), embed_writes=False
    ) as elsewhere:
        watch = Stopwatch()
        elsewhere.clients.let_in("Newcomer", here.workspace.id)
        elsewhere.clients.note_call(
            ClientCall(
                "Newcomer",
                elsewhere.clock(),
                "memory_read",
                Tier.WORKSPACE,
                here.workspace.id,
                "entries",
                2,
            )
        )
        told = watch.seconds
        told += await bench.until(
            lambda: any(
                row.name == "Newcomer" and row.seen != "never" for row in tab.view.matrix.table.rows
            )
        )
        assert told < LIVE_SECONDS


def test_without_a_client_the_tab_says_how_one_connects(tmp_path: Path) -> None:
    def nothing(_bench: Bench) -> None:
        return

    async def look(bench: WindowBench) -> None:
        tab = await access_tab(bench)
        await bench.until(tab.view.empty.isVisible)
        words = " ".join(label.text() for label in tab.view.empty.findChildren(QLabel))
        assert "No client has come yet" in words
        assert not bench.window.findChildren(QDialog)

    drive(tmp_path, nothing, look)


@scene(drive, four_clients)
async def test_the_connection_text_can_be_copied_and_the_test_tells_in_sentences(
    bench: WindowBench, /
) -> None:
    tab = await access_tab(bench)
    tab.view.matrix.table.choose(STUDIO)
    tab.view.rights.connect_button.click()
    dialog = await tab.dialog("connectionDialog")
    assert isinstance(dialog, ConnectionDialog)
    await bench.until(lambda: bool(dialog.text.toPlainText()))
    server = json.loads(dialog.text.toPlainText())["mcpServers"]["inklings"]
    assert server["args"][-3:] == ["serve", "--client", STUDIO]
    assert Path(server["command"]).is_absolute()
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == dialog.text.toPlainText()
    assert dialog.programs.text() == "Claude Desktop"
    dialog.programs.click()
    (menu,) = dialog.findChildren(QMenu)
    offered = {action.text(): action for action in menu.actions()}
    assert len(offered) == len(ClientProgram)
    offered["VS Code"].trigger()
    menu.close()
    await bench.until(lambda: '"servers"' in dialog.text.toPlainText())
    assert dialog.programs.text() == "VS Code"
    dialog.test.click()
    await bench.until(lambda: bool(dialog.result_lines), seconds=40.0)
    assert len(dialog.result_lines) == 4
    assert "A read of the workspace was answered." in dialog.result_lines
    assert "refused, because it is not granted" in dialog.result_lines[3]
    assert dialog.verdict.text().startswith("The connection works.")
    # Everything has room over a window of 800 pixels, and scrolls over the smallest.
    assert dialog.height() <= 700
    assert not dialog.findChildren(StepBody)[0].verticalScrollBar().maximum()
    bench.window.resize(960, 600)
    await bench.until(lambda: dialog.height() <= 600)
    assert dialog.done_button.visibleRegion().boundingRect().height() > 0
    dialog.done_button.click()
    await bench.until(lambda: tab.desk.connection.dialog is None)


def test_a_client_is_added_to_its_own_file_after_the_difference_was_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for variable in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(variable, raising=False)
    file = tmp_path / "home" / ".claude.json"
    file.parent.mkdir()
    before = '{\n  "theme": "dark",\n  "mcpServers": {}\n}\n'
    file.write_text(before, encoding="utf-8")

    async def look(bench: WindowBench) -> None:
        tab = await access_tab(bench)
        tab.view.connect_new.click()
        dialog = await tab.dialog("connectionDialog")
        assert isinstance(dialog, ConnectionDialog)
        await bench.until(dialog.add.isVisible)
        assert not dialog.hooks.isVisible()
        dialog.add.click()
        await bench.until(lambda: "start that program once" in tab.desk.connection.state.addition)

        tab.desk.connection.choose_program(ClientProgram.CLAUDE_CODE)
        await bench.until(dialog.hooks.isVisible)
        dialog.hooks.click()
        assert '"SessionStart"' in dialog.text.toPlainText()
        assert not dialog.add.isVisible()
        dialog.copy.click()
        assert QGuiApplication.clipboard().text() == dialog.text.toPlainText()
        dialog.hooks.click()
        for answer, written in (("keep", False), ("confirm", True)):
            dialog.add.click()
            question = await tab.dialog("confirmDialog")
            assert isinstance(question, ConfirmDialog)
            (difference,) = question.findChildren(DiffView)
            assert difference.n_changes() == 1
            getattr(question, answer).click()
            await bench.until(dialog.add.isEnabled)
            assert (file.read_text(encoding="utf-8") != before) is written
        await bench.until(lambda: "Written to" in tab.desk.connection.state.addition)
        (backup,) = file.parent.glob(".claude.json.*")
        assert backup.read_text(encoding="utf-8") == before
        held = json.loads(file.read_text(encoding="utf-8"))
        shown = json.loads(dialog.text.toPlainText())
        assert held == {"theme": "dark", **shown}
        dialog.add.click()
        await bench.until(lambda: "already has this" in tab.desk.connection.state.addition)
        known = bench.bench.inklings.clients.list
        await bench.until(
            lambda: any(one.client.name == "my-agent" and one.client.rights for one in known())
        )
        # Why a server does not start is told to the end, over as many lines as that takes.
        told = RehearsalLine("warning-circle", "madder", "The server said why. " * 20)
        dialog.show_state(replace(tab.desk.connection.state, lines=(told,)))
        (line,) = dialog.findChildren(IconLabel)
        await bench.until(lambda: line.height() > 3 * line.text.fontMetrics().lineSpacing())
        dialog.reject()
        await bench.until(lambda: tab.desk.connection.dialog is None)

    drive(tmp_path, four_clients, look)


@scene(drive, four_clients)
async def test_a_client_that_is_yet_to_come_is_named_first(bench: WindowBench, /) -> None:
    tab = await access_tab(bench)
    tab.view.connect_new.click()
    dialog = await tab.dialog("connectionDialog")
    assert isinstance(dialog, ConnectionDialog)
    await bench.until(lambda: "my-agent" in dialog.text.toPlainText())
    dialog.name.setText("  ")
    dialog.name.textEdited.emit("  ")
    await bench.until(lambda: not dialog.copy.isEnabled())
    dialog.name.setText("Loremaster")
    dialog.name.textEdited.emit("Loremaster")
    await bench.until(lambda: "Loremaster" in dialog.text.toPlainText())
    dialog.copy.click()
    rights = preset_rights(ClientKind.EXTERNAL, bench.bench.workspace.id)
    known = bench.bench.inklings.clients.list
    await bench.until(
        lambda: any(
            (one.client.name, one.client.rights) == ("Loremaster", rights) for one in known()
        )
    )
    # Leaving while a test is under way ends it; nothing may be left behind.
    dialog.test.click()
    assert dialog.test.text() == "Stop"
    dialog.reject()
    await bench.until(lambda: tab.desk.connection.dialog is None)
    await tab.desk.connection.settled()
    assert not tab.desk.connection.state.lines


def test_a_drill_runs_with_progress_and_its_report_can_be_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from inklings_desktop.mcp_server.trials import canary_drill

    put = canary_drill._put
    # One question of eight: that all are asked, and what they find, is shown beside the door.
    monkeypatch.setattr(canary_drill, "_put", lambda asked, heard: put([*asked][::8], heard))

    async def look(bench: WindowBench) -> None:
        tab = await access_tab(bench)
        tab.view.matrix.table.choose(READER)
        shares: list[float] = []
        tab.desk.drill.state_changed.connect(lambda state: shares.append(state.share))
        tab.view.rights.drill_button.click()
        dialog = await tab.dialog("drillDialog")
        assert isinstance(dialog, DrillDialog)
        assert dialog.run.text() == "Stop"
        assert not dialog.copy.isEnabled()
        await bench.until(lambda: bool(dialog.rows), seconds=120.0)
        assert tab.desk.drill.state.verdict == "Nothing leaked."
        assert all(row.is_tight for row in dialog.rows)
        assert {row.door for row in dialog.rows} == {"use case", "MCP"}
        assert len({share for share in shares if 0 < share < 1}) > 10
        dialog.copy.click()
        told = QGuiApplication.clipboard().text()
        assert told.startswith(f"Canary drill of {READER} in Saltglass, ")
        assert "Nothing leaked." in told
        assert all(row.path in told for row in dialog.rows)
        dialog.finish.click()
        await bench.until(lambda: tab.desk.drill.dialog is None)

    drive(tmp_path, four_clients, look)


@scene(drive, four_clients)
async def test_a_drill_can_be_stopped_and_left_at_any_time(bench: WindowBench, /) -> None:
    tab = await access_tab(bench)
    tab.view.matrix.table.choose(STUDIO)
    tab.view.rights.drill_button.click()
    dialog = await tab.dialog("drillDialog")
    assert isinstance(dialog, DrillDialog)
    await bench.until(lambda: tab.desk.drill.state.share > 0, seconds=60.0)
    dialog.run.click()
    assert tab.desk.drill.state.verdict == "Stopped. Nothing was proved."
    assert not dialog.copy.isEnabled()
    dialog.run.click()
    assert tab.desk.drill.state.is_running
    dialog.reject()
    await bench.until(lambda: tab.desk.drill.dialog is None)
    await tab.desk.drill.settled()


def test_a_drill_that_something_crossed_says_where() -> None:
    leak = Canary(("zq",), CanaryKind.MEMORY, Tier.ACCOUNT)
    report = DrillReport(
        STUDIO,
        (leak,),
        0,
        (
            PathResult(DrillDoor.USE_CASES, "list_facets", 3, 1),
            PathResult(DrillDoor.PROTOCOL, "memory_read", 12, 2, crossed=(leak,)),
        ),
        (),
        has_meaning=False,
    )
    assert verdict_words(report) == "1 marker crossed to it."
    first, second = drill_rows(report)
    assert (first.path, first.is_tight) == ("memory_read", False)
    assert first.result == "1 crossed: memory (account tier)"
    assert (second.path, second.is_tight) == ("list_facets", True)
    text = report_text(report, "Saltglass", NOON)
    assert "memory_read  MCP: 12 asked, 2 refused: 1 crossed: memory (account tier)" in text
    assert "meaning was not" in text
