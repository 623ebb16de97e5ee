"""The first start: doors, how the world sounds, who thinks with its author."""

from __future__ import annotations

import asyncio
import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton, QWidget
from qasync import QEventLoop

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Caller, Door
from inklings_desktop.domain.access.clients import ClientKind
from inklings_desktop.domain.access.connections import ClientProgram
from inklings_desktop.domain.entries.named_entry import EntryRef
from inklings_desktop.domain.memory import Tier
from inklings_desktop.settings import Appearance
from inklings_desktop.ui.access.connection import ConnectionDialog
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog, MessageDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import NameDialog
from inklings_desktop.ui.kit.lists.memory_row_layout import MemoryRow
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.marks.key_hints import KeyHints
from inklings_desktop.ui.kit.marks.labels import IconLabel
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.ops.page_spec import CONVERSATION_PAGE, SETTINGS_PAGE
from inklings_desktop.ui.kit.panes.banner import BannerCause
from inklings_desktop.ui.transfer.import_dialog import ImportDialog
from inklings_desktop.ui.welcome.state import VoiceAnswers, agent_rows, voice_text
from inklings_desktop.ui.welcome.view import WelcomeView
from inklings_desktop.ui.window.last_time import expect_import, expects_import
from inklings_desktop.ui.window.main_window import MainWindow
from inklings_desktop.ui.window.register import page_specs
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.access_bench import button, text_of
from tests.ui.presenter_bench import a_bench
from tests.ui.window_bench import WindowBench, drive

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence
    from pathlib import Path
    from typing import TypeVar

    from PySide6.QtWidgets import QDialog

    from inklings_desktop.usecases.bundle import Inklings

    D = TypeVar("D", bound=QDialog)

pytestmark = pytest.mark.usefixtures("qapp")


class FirstStart:
    """A window on an empty data root, while a test drives it.

    Attributes:
        window: The window.
        inklings: Its use cases.
        background: Runs what takes long.
        welcomed: Ends once the welcome is left; whether there is a world to show.
    """

    def __init__(
        self,
        window: MainWindow,
        inklings: Inklings,
        background: Background,
        welcomed: asyncio.Future[bool],
    ) -> None:
        self.window, self.inklings, self.background = window, inklings, background
        self.welcomed = welcomed

    @property
    def view(self) -> WelcomeView:
        """What the welcome shows."""
        (found,) = self.window.findChildren(WelcomeView)
        return found

    def named(self, name: str) -> Any:
        """A control of it."""
        return self.view.findChild(QWidget, name)

    def button(self, word: str) -> QAbstractButton:
        """The button of it that says so."""
        buttons = self.view.findChildren(QAbstractButton)
        return next(one for one in buttons if one.text().startswith(word))

    def chips(self, question: str) -> Sequence[QAbstractButton]:
        """The answers to choose from."""
        chips: Sequence[QAbstractButton] = self.named(f"voice{question.capitalize()}").chips
        return chips

    def agents(self) -> list[QAbstractButton]:
        """The buttons that connect one, top to bottom."""
        agents: QWidget = self.named("welcomeAgent")
        return agents.findChildren(QAbstractButton)

    async def dialog(self, kind: type[D]) -> D:
        """The dialog of a kind, once it is open."""
        open_ones: list[D] = []

        def is_open() -> bool:
            open_ones[:] = [one for one in self.window.findChildren(kind) if one.isVisible()]
            return bool(open_ones)

        await until(is_open)
        return open_ones[0]

    async def name_own(self, name: str) -> None:
        """Go through the second door, under this name."""
        QTest.keyClick(self.view, Qt.Key.Key_2)
        dialog = await self.dialog(NameDialog)
        dialog.field.setText(name)
        dialog.confirm.click()
        await until(self.named("welcomeVoice").isVisible)

    def voice(self) -> str:
        """The stored VOICE of the only world; empty while it is the template."""
        (world,) = self.inklings.places.workspaces()
        found = self.inklings.entries.find(world.id, "VOICE", tier=Tier.WORKSPACE)
        return "" if found.is_template else found.body


def is_marked(start: FirstStart, words: str) -> bool:
    """Whether these words of the VOICE are shown as new."""
    found = start.named("voicePreview").document().find(words)
    assert not found.isNull()
    return bool(found.charFormat().fontUnderline())


@contextmanager
def an_empty_store(root: Path) -> Iterator[Inklings]:
    with open_inklings(root, caller=Caller.person("", Door.WINDOW), embed_writes=False) as opened:
        yield opened


def begin(root: Path, act: Callable[[FirstStart], Awaitable[None]]) -> None:
    """Open the window on an empty data root, and let a test act."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    theme = Theme(SchemeChoice.LIGHT, reduced_motion=True)
    theme.apply(app)
    bugs: list[BaseException] = []

    async def acted(inklings: Inklings) -> None:
        background = Background(bugs.append)
        window = MainWindow(theme, root, Appearance())
        window.resize(1440, 900)
        window.show()
        window.furnish()
        welcomed = asyncio.ensure_future(window.welcome(background, inklings))
        try:
            await until(lambda: bool(window.findChildren(WelcomeView)))
            await act(FirstStart(window, inklings, background, welcomed))
        finally:
            window.closing.closed.set()
            await welcomed
            window.detach()
            window.hide()
            await background.close()
            window.deleteLater()
            await asyncio.sleep(0)

    with (
        an_empty_store(root) as inklings,
        asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner,
    ):
        runner.run(acted(inklings))
    assert not bugs, bugs


@scene(begin)
async def test_a_world_is_named_gets_its_voice_and_is_opened(start: FirstStart, /) -> None:
    await start.name_own("The Long Ledger")
    assert not start.inklings.places.workspaces()  # nothing is made before it is told to go on
    assert not start.button("Keep").isEnabled()
    start.chips("teller")[0].click()
    start.chips("tense")[0].click()
    QTest.keyClicks(start.named("voiceAvoid"), "magic")
    assert "Close third, past tense." in start.named("voicePreview").toPlainText()
    for scheme in (SchemeChoice.DARK, SchemeChoice.LIGHT):  # each renders it anew
        start.window._theme.set_choice(scheme)
        assert is_marked(start, "magic")
        assert not is_marked(start, "past tense")
    start.window.activateWindow()
    start.named("voiceAvoid").setFocus()
    await until(start.named("voiceAvoid").hasFocus)
    QTest.keyClick(
        start.named("voiceAvoid"), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier
    )
    await until(start.named("welcomeAgent").isVisible)
    assert start.voice() == (
        "# How this world sounds\n\nClose third, past tense.\n\n## Avoid\n- magic\n"
    )
    start.named("welcomeEnter").click()
    assert await start.welcomed
    assert [one.name for one in start.inklings.places.workspaces()] == ["The Long Ledger"]


@scene(begin)
async def test_skipping_leaves_the_template_and_back_keeps_every_answer(
    start: FirstStart, /
) -> None:
    view = start.view
    await start.name_own("Ash")
    start.chips("prose")[2].click()
    start.button("Skip").click()
    await until(start.named("welcomeAgent").isVisible)
    assert start.voice() == ""
    start.button("Back").click()
    assert start.chips("prose")[2].isChecked()
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert start.named("welcomeDoors").isVisible()
    QTest.keyClick(view, Qt.Key.Key_2)
    assert start.chips("prose")[2].isChecked()
    start.button("Keep").click()
    await until(start.named("welcomeAgent").isVisible)
    assert "Offer objections only" in start.voice()
    assert len(start.inklings.places.workspaces()) == 1


@scene(begin)
async def test_two_presses_make_one_world(start: FirstStart, /) -> None:
    await start.name_own("The Long Ledger")
    start.chips("teller")[0].click()
    start.button("Keep").click()
    start.button("Keep").click()
    await until(start.named("welcomeAgent").isVisible)
    await start.background.write(lambda: None)
    await start.background.read(lambda: None)
    assert [one.name for one in start.inklings.places.workspaces()] == ["The Long Ledger"]
    assert not start.window.findChildren(MessageDialog)


@scene(begin)
async def test_the_arrows_go_through_the_answers_and_space_chooses(start: FirstStart, /) -> None:
    await start.name_own("Ash")
    start.window.activateWindow()
    chips = start.chips("tense")
    chips[0].setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(start.window.focusWidget(), key)
    assert start.window.focusWidget() is chips[2]
    QTest.keyClick(chips[2], Qt.Key.Key_Space)
    assert [chip.isChecked() for chip in chips] == [False, False, True]
    QTest.keyClick(chips[2], Qt.Key.Key_Space)  # it can be let go of again
    assert not any(chip.isChecked() for chip in chips)


@scene(begin)
async def test_no_page_comes_in_between_and_enter_leaves_as_space_does(
    start: FirstStart, /
) -> None:
    await start.name_own("Ash")
    start.window.activateWindow()
    (hints,) = start.window.status.findChildren(KeyHints)
    focused, said = start.window.focusWidget(), hints.accessibleName()
    for spec in page_specs():  # what their keys do
        start.window.show_page(spec.id)
    assert start.window.focusWidget() is focused
    assert hints.accessibleName() == said
    assert start.named("welcomeVoice").isVisible()
    start.button("Skip").click()
    await until(start.named("welcomeAgent").isVisible)
    start.named("welcomeEnter").setFocus()
    QTest.keyClick(start.named("welcomeEnter"), Qt.Key.Key_Return)
    assert await start.welcomed


@scene(begin)
async def test_a_key_for_what_is_not_there_yet_does_not_take_the_keyboard_away(
    start: FirstStart, /
) -> None:
    await start.name_own("Ash")
    start.window.activateWindow()
    start.button("Skip").click()
    await until(start.named("welcomeAgent").isVisible)
    start.named("welcomeEnter").setFocus()
    QTest.keyClick(start.named("welcomeEnter"), Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(start.named("welcomeEnter"), Qt.Key.Key_Return)
    assert await asyncio.wait_for(asyncio.shield(start.welcomed), 5)


@scene(begin)
async def test_everything_the_keyboard_reaches_has_a_name(start: FirstStart, /) -> None:
    view, seen = start.view, list[str]()

    def look() -> None:
        stops = [
            one
            for one in view.findChildren(QWidget)
            if one.isVisible() and one.focusPolicy() & Qt.FocusPolicy.TabFocus
        ]
        named = [QAccessible.queryAccessibleInterface(one) for one in stops]
        seen.extend(one.text(QAccessible.Text.Name) for one in named)

    look()
    await start.name_own("Ash")
    look()
    start.button("Skip").click()
    await until(lambda: bool(start.agents()))
    look()
    assert len(seen) > 12
    assert all(seen), seen


@scene(begin)
async def test_closing_the_window_makes_nothing(start: FirstStart, /) -> None:
    await start.name_own("Ash")
    start.window.close()
    assert not await start.welcomed
    assert not start.inklings.places.workspaces()


def test_a_name_that_no_world_can_have_is_asked_for_again(tmp_path: Path) -> None:
    async def act(start: FirstStart) -> None:
        QTest.keyClick(start.view, Qt.Key.Key_2)
        first = await start.dialog(NameDialog)
        first.field.setText("a\u0007b")
        first.confirm.click()
        await until(lambda: any(one.refusal.isVisible() for one in dialogs(start)))
        (again,) = dialogs(start)
        assert again.field.text() == "a\u0007b"
        again.reject()

    def dialogs(start: FirstStart) -> list[NameDialog]:
        return [one for one in start.window.findChildren(NameDialog) if one.isVisible()]

    begin(tmp_path, act)


def test_how_says_what_to_install_before_any_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    async def act(start: FirstStart) -> None:
        await start.name_own("Ash")
        start.button("Skip").click()
        await until(lambda: bool(start.agents()))
        named = {one.accessibleName(): one for one in start.agents()}
        named["Codex: How\u2026"].click()
        dialog = await start.dialog(ConfirmDialog)
        said = " ".join(one.text() for one in dialog.findChildren(QLabel))
        assert "Codex was not found" in said
        assert "Install it" in said
        dialog.confirm.click()
        lines = await start.dialog(ConnectionDialog)
        button(lines, "Done").click()

    begin(tmp_path / "data", act)


@scene(begin)
async def test_connecting_a_program_lets_it_in_and_offers_the_world(start: FirstStart, /) -> None:
    await start.name_own("Ash")
    start.button("Skip").click()
    await until(lambda: bool(start.agents()))
    said = [
        one.text() for one in start.named("welcomeAgent").findChildren(QLabel) if one.isVisible()
    ]
    assert "Looking at what is installed\u2026" not in said
    assert start.named("welcomeEnter").text() == "Open Ash"
    start.agents()[-2].click()
    dialog = await start.dialog(ConnectionDialog)
    await until(lambda: bool(text_of(dialog)))
    (world,) = start.inklings.places.workspaces()
    assert world.id in text_of(dialog)
    button(dialog, "Copy").click()
    assert world.id in QGuiApplication.clipboard().text()
    button(dialog, "Done").click()
    await until(
        lambda: (
            "let in"
            in [one.text.text() for one in start.named("welcomeAgent").findChildren(IconLabel)]
        )
    )


@scene(begin)
async def test_the_agent_that_is_built_in_comes_first_and_is_talked_to_at_once(
    start: FirstStart, /
) -> None:
    await start.name_own("Ash")
    start.window.activateWindow()
    start.button("Skip").setFocus()
    await until(start.button("Skip").hasFocus)
    start.button("Skip").click()
    await until(lambda: bool(start.agents()))
    await until(start.agents()[0].hasFocus)
    assert start.agents()[0].text() == "Talk to it"
    start.named("welcomeAuthor").setText("  Ottoline Marsh ")
    start.agents()[0].click()
    assert await start.welcomed
    await start.window.attach(start.background, start.inklings)
    (world,) = start.inklings.places.workspaces()
    conversations = start.inklings.places.conversations
    await until(lambda: bool(conversations(world.id)))
    await until(lambda: start.window.pages.current_id == CONVERSATION_PAGE)
    (client,) = start.inklings.clients.list()
    assert client.client.kind is ClientKind.WORLD_AGENT
    entries = start.inklings.entries
    voice = entries.find(world.id, "VOICE", tier=Tier.WORKSPACE)
    ref = EntryRef(Tier.WORKSPACE, world.id, voice.id)
    entries.save(ref, "Plain.", expected_version=voice.version)
    signed = entries.show(ref).revisions[0].saved_by
    assert signed == "Ottoline Marsh", "the name holds without a restart"


@scene(begin)
async def test_a_key_leads_to_the_settings_of_agents_and_models(start: FirstStart, /) -> None:
    await start.name_own("Ash")
    start.button("Skip").click()
    await until(lambda: bool(start.agents()))
    assert start.agents()[-1].text() == "Add a key\u2026"
    start.agents()[-1].click()
    assert await start.welcomed
    await start.window.attach(start.background, start.inklings)
    await until(lambda: start.window.pages.current_id == SETTINGS_PAGE)
    assert not start.inklings.clients.list(), "nobody was let in"


@scene(begin)
async def test_tab_comes_to_every_question_of_the_voice_in_its_order(start: FirstStart, /) -> None:
    await start.name_own("Ash")
    start.window.activateWindow()
    await until(start.chips("teller")[0].hasFocus)
    for stop in (start.chips("tense")[0], start.chips("prose")[0], start.named("voiceAvoid")):
        at = QApplication.focusWidget()
        assert at is not None
        QTest.keyClick(at, Qt.Key.Key_Tab)
        assert stop.hasFocus()


@scene(begin)
async def test_the_sample_door_leaves_for_the_sample_and_makes_nothing_here(
    start: FirstStart, /
) -> None:
    QTest.keyClick(start.view, Qt.Key.Key_1)
    assert not await start.welcomed
    assert start.window.reopening.wants_sample
    assert not start.inklings.places.workspaces()


def test_a_file_is_chosen_first_and_names_the_world_that_it_comes_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "Grey Fen.inklings.json"
    file.write_text(json.dumps({}))
    chosen: list[tuple[Path, ...]] = [(), (file,)]

    async def asked(*_args: object, **_values: object) -> tuple[Path, ...]:
        return chosen.pop(0)

    monkeypatch.setattr("inklings_desktop.ui.transfer.import_dialog.asked_import_paths", asked)

    async def act(start: FirstStart) -> None:
        QTest.keyClick(start.view, Qt.Key.Key_3)
        await until(lambda: len(chosen) == 1)
        assert start.named("welcomeDoors").isVisible()  # nobody chose a file: nothing is made
        assert not start.inklings.places.workspaces()
        QTest.keyClick(start.view, Qt.Key.Key_3)
        assert await start.welcomed
        assert [one.name for one in start.inklings.places.workspaces()] == ["Grey Fen"]

    begin(tmp_path / "data", act)


def test_a_file_that_brings_its_own_world_leaves_no_empty_one_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "old machine.inklings.json"
    with a_bench(tmp_path / "old") as other:
        other.put("Tides are counted.")
        other.inklings.transfer.export(ExportRequest(), file)

    async def asked(*_args: object, **_values: object) -> tuple[Path, ...]:
        return (file,)

    monkeypatch.setattr("inklings_desktop.ui.transfer.import_dialog.asked_import_paths", asked)

    async def act(start: FirstStart) -> None:
        QTest.keyClick(start.view, Qt.Key.Key_3)
        assert await start.welcomed
        await start.window.attach(start.background, start.inklings)
        dialog = await start.dialog(ImportDialog)
        await until(dialog.confirm.isEnabled)
        dialog.confirm.click()
        places = start.inklings.places
        await until(lambda: [one.name for one in places.workspaces()] == ["Saltglass"])

        def open_world() -> str:
            assert start.window.memory is not None
            here = start.window.memory.shell.surroundings
            return here.workspace.name if here is not None else ""

        await until(lambda: open_world() == "Saltglass")
        await until(
            lambda: (
                [row.excerpt for row in start.window.page.rows if isinstance(row, MemoryRow)]
                == ["Tides are counted."]
            )
        )

    begin(tmp_path / "data", act)


def test_an_import_that_is_cancelled_leaves_no_world_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "Grey Fen.md"
    file.write_text("The ferry stops at dusk.")

    async def asked(*_args: object, **_values: object) -> tuple[Path, ...]:
        return (file,)

    monkeypatch.setattr("inklings_desktop.ui.transfer.import_dialog.asked_import_paths", asked)

    async def act(start: FirstStart) -> None:
        QTest.keyClick(start.view, Qt.Key.Key_3)
        assert await start.welcomed
        await start.window.attach(start.background, start.inklings)
        dialog = await start.dialog(ImportDialog)
        await until(dialog.confirm.isEnabled)
        assert expects_import(tmp_path / "data")
        dialog.cancel.click()
        await until(lambda: not start.inklings.places.workspaces())
        await until(lambda: start.window.reopening.wants_reopening)
        assert not expects_import(tmp_path / "data")

    begin(tmp_path / "data", act)


def test_a_kill_before_the_first_import_leaves_no_world_behind(tmp_path: Path) -> None:
    with an_empty_store(tmp_path) as inklings:
        inklings.workspaces.create("Grey Fen")
    expect_import(tmp_path, is_open=True)

    async def act(start: FirstStart) -> None:
        assert start.named("welcomeDoors").isVisible()
        assert not start.inklings.places.workspaces()
        assert not expects_import(tmp_path)

    begin(tmp_path, act)


def test_an_unanswered_question_writes_nothing() -> None:
    assert voice_text(VoiceAnswers()) == ""
    assert voice_text(VoiceAnswers(avoid="  a\n b ")) == (
        "# How this world sounds\n\n## Avoid\n- a b\n"
    )
    assert "The tense varies." in voice_text(VoiceAnswers(tense="varies"))


def test_what_is_on_the_machine_comes_first() -> None:
    rows = agent_rows(frozenset({ClientProgram.CURSOR, ClientProgram.CODEX}))
    assert [(one.name, one.is_found) for one in rows] == [
        ("World Agent", None),
        ("Codex", True),
        ("Cursor", True),
        ("Claude Code", False),
        ("Gemini CLI", False),
        ("Another program that speaks MCP", None),
        ("A key: Anthropic, OpenAI, xAI or OpenRouter", None),
    ]
    rows = agent_rows(frozenset({ClientProgram.CODEX}), guests=("Codex",), has_ollama=True)
    assert [one.name for one in rows][:4] == [
        "World Agent",
        "Ollama, on this machine",
        "Codex, in this window",
        "Codex",
    ]


def test_the_sample_says_what_it_is_and_leads_back_to_one_s_own(tmp_path: Path) -> None:
    async def leave(bench: WindowBench) -> None:
        window = bench.window
        assert not window.menus["open_sample"].isVisible()
        window.pages.banners.say(BannerCause.KEYWORD_ONLY, None)  # there is no model here
        banner = window.pages.banners.banner
        assert banner.content is not None
        assert banner.content.title == "This is the sample world."
        button = next(
            one for one in banner.findChildren(QPushButton) if one.text() == "Start my own"
        )
        button.click()
        assert window.reopening.folder == tmp_path / "mine"
        assert window.closing.closed.is_set()

    drive(tmp_path / "mine-sample", lambda _bench: None, leave)
