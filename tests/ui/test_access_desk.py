"""The Access tab in the real window: what it shows, what it asks, and that it keeps up."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QMenu

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
from inklings_desktop.ui.access.connection import ConnectionDialog
from inklings_desktop.ui.access.connection_words import RehearsalLine
from inklings_desktop.ui.access.drill import (
    DrillDialog,
    drill_rows,
    report_text,
    verdict_words,
)
from inklings_desktop.ui.control.page import ACCESS_TAB
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.dialogs.pieces import StepBody
from inklings_desktop.ui.kit.marks.labels import IconLabel
from inklings_desktop.ui.kit.page.destinations import ToTab
from inklings_desktop.ui.markdown.diff_view import DiffView
from tests.support.builders import NOON
from tests.support.four_clients import READER, RELAY, STUDIO
from tests.support.scenes import scene
from tests.support.stopwatch import SLOWNESS, Stopwatch
from tests.ui.access_bench import LOOM, access_tab, button, four_clients, text_of
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
    rooms = ["read, write", "read, write"]
    assert tab.badges(LOOM) == [*rooms, "read, write, pages", "read, propose"]
    assert tab.badges(STUDIO) == ["if taking part", "if taking part", "read", "none"]
    assert tab.badges(READER) == ["none", "read #weekly-continuity", "read, write", "none"]
    assert tab.badges(RELAY) == ["none"] * 4
    assert tab.rows[STUDIO].seen == "5 h ago"
    assert tab.rows[RELAY].seen == "never"
    assert tab.rows[LOOM].kind == "my World Agent"


@scene(drive, four_clients)
async def test_what_a_client_asked_for_stands_beside_its_rights(bench: WindowBench, /) -> None:
    tab = await access_tab(bench)
    tab.choose(STUDIO)
    detail = tab.desk.detail()
    assert detail is not None
    said = [(one.tool, one.answer, one.is_refused) for one in detail.calls]
    assert said == [
        ("memory_read", "12 entries", False),
        ("memory_read", "3 entries", False),
        ("memory_put", "refused", True),
        ("memory_read", "refused", True),
        ("memory_read", "20 entries", False),
    ]
    assert "memory_put, Workspace, refused, 1 d ago" in [one.told for one in detail.calls]


@scene(drive, four_clients)
async def test_another_page_leads_to_the_rights_of_one_client(bench: WindowBench, /) -> None:
    bench.window.go(ToTab(ACCESS_TAB, READER))
    tab = await access_tab(bench)

    def looked_at() -> str:
        detail = tab.desk.detail()
        return "" if detail is None else detail.name

    await bench.until(lambda: looked_at() == READER)
    bench.window.go(ToTab(ACCESS_TAB))
    assert looked_at() == READER, "the tab alone leaves the client that is looked at"


@scene(drive, four_clients)
async def test_a_switch_gives_a_right_and_takes_it(bench: WindowBench, /) -> None:
    tab = await access_tab(bench)
    tab.choose(STUDIO)
    write = Right(Tier.WORKSPACE, bench.bench.workspace.id, Action.WRITE)
    assert not tab.is_on("workspace:write")
    tab.press("right-workspace:write")
    await bench.until(lambda: tab.is_on("workspace:write"))
    assert write in client(bench, STUDIO).rights
    assert tab.badges(STUDIO)[2] == "read, write"
    tab.press("right-workspace:write")
    await bench.until(lambda: not tab.is_on("workspace:write"))
    assert write not in client(bench, STUDIO).rights


@scene(drive, four_clients)
async def test_the_account_opens_only_after_a_question(bench: WindowBench, /) -> None:
    tab = await access_tab(bench)
    tab.choose(STUDIO)
    read = Right(Tier.ACCOUNT, None, Action.READ)
    tab.press("right-account:read")
    asked = await tab.dialog("confirmDialog")
    assert (
        asked.windowTitle()
        == "Let Manuscript Studio read what the agent remembers about you, in every workspace?"
    )
    asked.reject()
    await bench.until(lambda: not asked.isVisible())
    assert read not in client(bench, STUDIO).rights
    assert not tab.is_on("account:read")
    tab.press("right-account:read")
    (await tab.dialog("confirmDialog")).accept()
    await bench.until(lambda: tab.is_on("account:read"))
    assert read in client(bench, STUDIO).rights
    # Closing it again asks nothing.
    tab.press("right-account:read")
    await bench.until(lambda: read not in client(bench, STUDIO).rights)


@scene(drive, four_clients)
async def test_a_preset_gives_its_rights_and_no_others(bench: WindowBench, /) -> None:
    tab, world = await access_tab(bench), bench.bench.workspace
    tab.choose(READER)
    tab.press("My World Agent")
    (await tab.dialog("confirmDialog")).accept()
    await bench.until(lambda: client(bench, READER).kind is ClientKind.WORLD_AGENT)
    await bench.until(
        lambda: client(bench, READER).rights == preset_rights(ClientKind.WORLD_AGENT, world.id)
    )
    await bench.until(lambda: tab.badges(READER)[0] == "read, write")
    tab.press("External client")
    await bench.until(
        lambda: client(bench, READER).rights == preset_rights(ClientKind.EXTERNAL, world.id)
    )


@scene(drive, four_clients)
async def test_revoking_everything_asks_first(bench: WindowBench, /) -> None:
    tab = await access_tab(bench)
    tab.choose(LOOM)
    tab.press("revokeAll")
    asked = await tab.dialog("confirmDialog")
    words = " ".join(label.text() for label in asked.findChildren(QLabel))
    assert "in any workspace" in words
    asked.reject()
    await bench.until(lambda: not asked.isVisible())
    assert client(bench, LOOM).rights
    tab.press("revokeAll")
    (await tab.dialog("confirmDialog")).accept()
    await bench.until(lambda: not client(bench, LOOM).rights)
    await bench.until(lambda: tab.badges(LOOM) == ["none"] * 4)
    assert not button(tab.view, "revokeAll").isEnabled()


@scene(drive, four_clients)
async def test_one_channel_is_opened_and_scrub_rights_stand_apart(bench: WindowBench, /) -> None:
    tab, inklings = await access_tab(bench), bench.bench.inklings
    tab.choose(STUDIO)
    plain = tab.switches()
    assert not any("scrub" in one for one in plain)
    tab.press("scrubRights")
    assert len(tab.switches()) == len(plain) + 12
    button(tab.view, "right-conversation:write").setFocus()
    (first, _), (second, opens) = tab.desk.channels()
    assert (first, second) == ("#general", "#weekly-continuity")
    opens()
    await bench.until(lambda: tab.badges(STUDIO)[1] == "read #weekly-continuity, if taking part")
    (weekly,) = (
        one
        for one in inklings.places.channels(bench.bench.workspace.id)
        if one.name == "weekly-continuity"
    )
    assert tab.is_on(f"channel:{weekly.id}:read")
    assert not tab.is_on(f"channel:{weekly.id}:write")
    # What stood below keeps the keyboard, and Tab goes on as one reads.
    assert button(tab.view, "right-conversation:write").hasFocus()
    before = button(tab.view, "right-channel:write")
    before.setFocus()
    QTest.keyClick(before, Qt.Key.Key_Tab)
    assert button(tab.view, f"right-channel:{weekly.id}:read").hasFocus()


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
            lambda: "Newcomer" in tab.rows and tab.rows["Newcomer"].seen != "never"
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
    tab.choose(STUDIO)
    tab.press("Connection\u2026")
    dialog = await tab.dialog("connectionDialog")
    assert isinstance(dialog, ConnectionDialog)
    await bench.until(lambda: bool(text_of(dialog)))
    server = json.loads(text_of(dialog))["mcpServers"]["inklings"]
    assert server["args"][-3:] == ["serve", "--client", STUDIO]
    assert Path(server["command"]).is_absolute()
    button(dialog, "Copy").click()
    assert QGuiApplication.clipboard().text() == text_of(dialog)
    programs = button(dialog, "clientProgram")
    assert programs.text() == "Claude Desktop"
    programs.click()
    (menu,) = dialog.findChildren(QMenu)
    offered = {action.text(): action for action in menu.actions()}
    assert len(offered) == len(ClientProgram)
    offered["VS Code"].trigger()
    menu.close()
    await bench.until(lambda: '"servers"' in text_of(dialog))
    assert programs.text() == "VS Code"
    button(dialog, "testConnection").click()
    connection = tab.desk.connection
    await bench.until(lambda: bool(connection.state.lines), seconds=40.0)
    told = [one.text for one in connection.state.lines]
    assert len(told) == 4
    assert "A read of the workspace was answered." in told
    assert "refused, because it is not granted" in told[3]
    assert connection.state.verdict.startswith("The connection works.")
    # Everything has room over a window of 800 pixels, and scrolls over the smallest.
    assert dialog.height() <= 700
    assert not dialog.findChildren(StepBody)[0].verticalScrollBar().maximum()
    bench.window.resize(960, 600)
    await bench.until(lambda: dialog.height() <= 600)
    done = button(dialog, "Done")
    assert done.visibleRegion().boundingRect().height() > 0
    done.click()
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
        tab.press("connectClient")
        dialog = await tab.dialog("connectionDialog")
        assert isinstance(dialog, ConnectionDialog)
        await bench.until(lambda: tab.desk.connection.state.can_add)
        add = button(dialog, "addToProgram")
        assert not tab.desk.connection.state.hooks
        add.click()
        await bench.until(lambda: "start that program once" in tab.desk.connection.state.addition)

        tab.desk.connection.choose_program(ClientProgram.CLAUDE_CODE)
        await bench.until(lambda: bool(tab.desk.connection.state.hooks))
        hooks = button(dialog, "sessionHooks")
        hooks.click()
        assert '"SessionStart"' in text_of(dialog)
        assert not add.isVisible()
        button(dialog, "Copy").click()
        assert QGuiApplication.clipboard().text() == text_of(dialog)
        hooks.click()
        for answer, written in (("keep", False), ("confirm", True)):
            add.click()
            question = await tab.dialog("confirmDialog")
            assert isinstance(question, ConfirmDialog)
            (difference,) = question.findChildren(DiffView)
            assert difference.n_changes() == 1
            getattr(question, answer).click()
            await bench.until(add.isEnabled)
            assert (file.read_text(encoding="utf-8") != before) is written
        await bench.until(lambda: "Written to" in tab.desk.connection.state.addition)
        (backup,) = file.parent.glob(".claude.json.*")
        assert backup.read_text(encoding="utf-8") == before
        held = json.loads(file.read_text(encoding="utf-8"))
        shown = json.loads(text_of(dialog))
        assert held == {"theme": "dark", **shown}
        add.click()
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
    tab.press("connectClient")
    dialog = await tab.dialog("connectionDialog")
    assert isinstance(dialog, ConnectionDialog)
    await bench.until(lambda: "my-agent" in text_of(dialog))
    name, copy = dialog.findChild(QLineEdit, "clientName"), button(dialog, "Copy")
    assert name is not None
    name.clear()
    QTest.keyClicks(name, "  ")
    await bench.until(lambda: not copy.isEnabled())
    name.clear()
    QTest.keyClicks(name, "Loremaster")
    await bench.until(lambda: "Loremaster" in text_of(dialog))
    copy.click()
    rights = preset_rights(ClientKind.EXTERNAL, bench.bench.workspace.id)
    known = bench.bench.inklings.clients.list
    await bench.until(
        lambda: any(
            (one.client.name, one.client.rights) == ("Loremaster", rights) for one in known()
        )
    )
    # Leaving while a test is under way ends it; nothing may be left behind.
    button(dialog, "testConnection").click()
    assert button(dialog, "testConnection").text() == "Stop"
    dialog.reject()
    await bench.until(lambda: tab.desk.connection.dialog is None)
    await tab.desk.connection.settled()
    assert not tab.desk.connection.state.lines


def test_a_drill_runs_with_progress_and_its_report_can_be_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from inklings_desktop.mcp_server.trials import canary_drill

    put = canary_drill._put
    # One question of four: that all are asked, and what they find, is shown beside the door.
    monkeypatch.setattr(canary_drill, "_put", lambda asked, heard: put([*asked][::4], heard))

    async def look(bench: WindowBench) -> None:
        tab = await access_tab(bench)
        tab.choose(READER)
        shares: list[float] = []
        tab.desk.drill.state_changed.connect(lambda state: shares.append(state.share))
        tab.press("canaryDrill")
        dialog = await tab.dialog("drillDialog")
        assert isinstance(dialog, DrillDialog)
        copy = button(dialog, "drillCopy")
        assert button(dialog, "drillRun").text() == "Stop"
        assert not copy.isEnabled()
        await bench.until(lambda: bool(tab.desk.drill.state.rows), seconds=120.0)
        rows = tab.desk.drill.state.rows
        assert tab.desk.drill.state.verdict == "Nothing leaked."
        assert all(row.is_tight for row in rows)
        assert {row.door for row in rows} == {"use case", "MCP"}
        assert len({share for share in shares if 0 < share < 1}) > 10
        copy.click()
        told = QGuiApplication.clipboard().text()
        assert told.startswith(f"Canary drill of {READER} in Saltglass, ")
        assert "Nothing leaked." in told
        assert all(row.path in told for row in rows)
        button(dialog, "drillDone").click()
        await bench.until(lambda: tab.desk.drill.dialog is None)

    drive(tmp_path, four_clients, look)


@scene(drive, four_clients)
async def test_a_drill_can_be_stopped_and_left_at_any_time(bench: WindowBench, /) -> None:
    tab = await access_tab(bench)
    tab.choose(STUDIO)
    tab.press("canaryDrill")
    dialog = await tab.dialog("drillDialog")
    assert isinstance(dialog, DrillDialog)
    await bench.until(lambda: tab.desk.drill.state.share > 0, seconds=60.0)
    run = button(dialog, "drillRun")
    run.click()
    assert tab.desk.drill.state.verdict == "Stopped. Nothing was proved."
    assert not button(dialog, "drillCopy").isEnabled()
    run.click()
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
