"""What was typed outlives what another program does to the place it was typed into."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.ui.entries.page import EntriesPage
from inklings_desktop.ui.kit.dialogs.ask_dialog import MessageDialog
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.ops.page_spec import ENTRIES_PAGE
from inklings_desktop.ui.kit.page.destinations import ToEntry
from inklings_desktop.ui.memory.rescue import LostText, LostTextDialog
from inklings_desktop.ui.memory.subject.state import ConflictKind, InspectorMode
from inklings_desktop.usecases.bundle import Inklings
from tests.support.scenes import scene
from tests.ui.entries_bench import name_in, shown_in
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


def one_world(bench: Bench) -> None:
    bench.put("The tide is counted in bells.")


def two_worlds(bench: Bench) -> None:
    one_world(bench)
    bench.inklings.workspaces.create("Hollow Crown")


def delete_elsewhere(bench: WindowBench, root: Path) -> None:
    """Another program deletes the open workspace."""
    with open_inklings(root, embed_writes=False) as other:
        other.workspaces.delete(bench.bench.workspace.id, confirm="delete Saltglass")


def scrub_elsewhere(root: Path, scope: ScopeKey, mode: ScrubMode = ScrubMode.FULL) -> None:
    """Another program removes all that a scope holds."""
    with open_inklings(root, embed_writes=False) as other:
        manifest = other.scrub.preview(scope, mode)
        other.scrub.execute(scope, mode, token=manifest.token, phrase=manifest.phrase)


async def edited(bench: WindowBench, more: str) -> str:
    """Type into the only memory; the whole text."""
    await bench.until(lambda: len(bench.texts()) == 1)
    page, subject = bench.window.page, bench.memory.subject
    page.list_cursor.select(page.rows[1].id)
    await bench.until(lambda: subject.current_entry is not None)
    bench.window.inspector.focus_editor()
    QTest.keyClicks(bench.window.inspector.editor, more)
    return bench.window.inspector.body.text()


async def asked(bench: WindowBench) -> LostTextDialog:
    await bench.until(lambda: bench.window.findChild(LostTextDialog) is not None)
    dialog = bench.window.findChild(LostTextDialog)
    assert isinstance(dialog, LostTextDialog)
    return dialog


def press(dialog: LostTextDialog, name: str) -> None:
    button = dialog.findChild(QPushButton, name)
    assert isinstance(button, QPushButton)
    button.click()


async def entries_of(bench: WindowBench, name: str) -> EntriesPage:
    """The page of named entries with one of them in the editor."""
    bench.window.show_page(ENTRIES_PAGE)
    await bench.until(lambda: bench.window.opened is not None)
    opened_root = bench.window.opened
    assert opened_root is not None
    await bench.until(lambda: opened_root.entries is not None)
    entries = opened_root.entries
    assert entries is not None
    await bench.until(lambda: bool(entries.content.entries))
    wanted = next(one for one in entries.content.entries if one.name == name)
    entries.arrive(ToEntry(wanted.id))
    await bench.until(lambda: name_in(entries) == name)
    return entries


@scene(drive, two_worlds)
async def test_typing_of_a_deleted_workspace_becomes_a_memory_of_another(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    text = await edited(bench, " Nobody rings them.")
    bench.memory.subject.edit(tags=("bells",), importance=0.9)
    delete_elsewhere(bench, tmp_path)
    dialog = await asked(bench)
    assert "Saltglass is gone" in dialog.windowTitle()
    assert dialog.text.toPlainText() == text
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible(), "the text would be lost"
    assert dialog.told.text() == "Copy the text or save it first, or discard it."
    press(dialog, "lostTextKeep")
    subject = bench.memory.subject
    await bench.until(lambda: subject.state.mode is InspectorMode.NEW)
    assert "Hollow Crown" in bench.window.windowTitle()
    assert bench.window.inspector.body.text() == text
    assert subject.has_unsaved, "the person looks at it before it is kept there"
    assert await subject.save()
    entry = subject.current_entry
    assert entry is not None
    assert (entry.content, entry.tags, entry.importance) == (text, ("bells",), 0.9)
    await bench.until(lambda: bench.texts() == [text])


def test_the_name_of_the_next_workspace_is_no_markup(theme: Theme) -> None:
    window = QWidget()
    dialog = LostTextDialog(theme, LostText("Gone", "Memory", "A", keep_in="<b>Next</b>"), window)
    assert dialog.told.textFormat() is Qt.TextFormat.PlainText
    assert "<b>Next</b>" in dialog.told.text()


@scene(drive, two_worlds)
async def test_typing_of_a_deleted_workspace_can_be_copied_and_saved(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    text = await edited(bench, " Nobody rings them.")
    delete_elsewhere(bench, tmp_path)
    dialog = await asked(bench)
    press(dialog, "lostTextCopy")
    assert QGuiApplication.clipboard().text() == text
    kept = tmp_path / "rescued.txt"
    for path in (tmp_path / "no such folder" / "x.txt", kept):
        press(dialog, "lostTextFile")
        await bench.until(lambda: bool(dialog.findChildren(QFileDialog)))
        (files,) = dialog.findChildren(QFileDialog)
        files.done(0)
        await bench.until(lambda: not dialog.findChildren(QFileDialog))
        bench.memory.rescue.save_text(dialog, text, path)
    assert kept.read_text(encoding="utf-8") == text
    assert dialog.told.text() == f"Saved as {kept}"
    dialog.reject()
    await bench.until(lambda: "Hollow Crown" in bench.window.windowTitle())
    assert bench.memory.subject.state.mode is InspectorMode.NOTHING


@scene(drive, two_worlds)
async def test_typing_for_the_account_outlives_a_deleted_workspace(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    subject = bench.memory.subject
    subject.start_new(ScopeKey.account(), "About me")
    delete_elsewhere(bench, tmp_path)
    await bench.until(lambda: "Hollow Crown" in bench.window.windowTitle())
    await bench.until(lambda: bench.window.findChild(MessageDialog) is not None)
    assert bench.window.findChild(LostTextDialog) is None
    assert bench.window.inspector.body.text() == "About me"
    assert await subject.save()


@scene(drive, two_worlds)
async def test_typing_in_a_named_entry_of_a_deleted_workspace_stays_within_reach(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    entries = await entries_of(bench, "VOICE")
    QTest.keyClicks(entries.view.editor.editor, "Half a thought. ")
    text = shown_in(entries).text
    delete_elsewhere(bench, tmp_path)
    dialog = await asked(bench)
    assert dialog.text.toPlainText() == text
    assert dialog.findChild(QPushButton, "lostTextKeep") is None
    press(dialog, "lostTextCopy")
    assert QGuiApplication.clipboard().text() == text
    press(dialog, "lostTextDiscard")
    await bench.until(lambda: "Hollow Crown" in bench.window.windowTitle())
    await bench.until(lambda: not entries.entry.has_unsaved)


@scene(drive, two_worlds)
async def test_typing_in_soul_outlives_a_deleted_workspace(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    entries = await entries_of(bench, "SOUL")
    QTest.keyClicks(entries.view.editor.editor, "Half a thought. ")
    text = shown_in(entries).text
    delete_elsewhere(bench, tmp_path)
    await bench.until(lambda: "Hollow Crown" in bench.window.windowTitle())
    await bench.until(lambda: bench.window.findChild(MessageDialog) is not None)
    assert (name_in(entries), shown_in(entries).text) == ("SOUL", text)
    assert await entries.entry.save()


@scene(drive, one_world)
async def test_the_last_workspace_that_another_program_deletes_is_told_of(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    text = await edited(bench, " Nobody rings them.")
    delete_elsewhere(bench, tmp_path)
    dialog = await asked(bench)
    assert dialog.findChild(QPushButton, "lostTextKeep") is None
    press(dialog, "lostTextCopy")
    dialog.reject()
    await bench.until(lambda: bench.window.findChild(MessageDialog) is not None)
    assert QGuiApplication.clipboard().text() == text
    assert bench.window.inspector.body.text() == text, "nothing else is open"
    await bench.memory.shell.create_workspace("Hollow Crown")
    await bench.until(lambda: "Hollow Crown" in bench.window.windowTitle())


def test_a_scrub_elsewhere_wins_on_the_disk_and_leaves_the_typing_on_the_screen(
    tmp_path: Path,
) -> None:
    def find_typings(inklings: Inklings, workspace_id: str) -> int:
        return len(inklings.drafts.find_typings(workspace_id))

    async def action(bench: WindowBench) -> None:
        inklings, here = bench.bench.inklings, bench.bench.workspace.id
        text = await edited(bench, " Nobody rings them.")
        await bench.until(lambda: find_typings(inklings, here) == 1)
        scrub_elsewhere(tmp_path, bench.bench.scope)
        subject = bench.memory.subject
        await bench.until(lambda: subject.state.conflict is not None)
        conflict = subject.state.conflict
        assert conflict is not None
        assert conflict.kind is ConflictKind.GONE
        QTest.keyClicks(bench.window.inspector.editor, " Not one.")
        await bench.until(lambda: not subject.is_saving)
        await asyncio.sleep(2 * bench.window.inspector.body.rest_ms / 1000)
        await bench.memory.typings.settled()
        assert find_typings(inklings, here) == 0, "what was scrubbed does not come back by itself"
        copy = bench.window.inspector.findChild(QPushButton, "conflictCopy")
        assert isinstance(copy, QPushButton)
        copy.click()
        assert QGuiApplication.clipboard().text() == f"{text} Not one."

    drive(tmp_path, one_world, action)


@pytest.mark.parametrize("name", ["VOICE", "CAST"])
def test_a_named_entry_scrubbed_elsewhere_can_be_written_anew(tmp_path: Path, name: str) -> None:
    def companions(bench: Bench) -> None:
        inklings = bench.inklings
        inklings.entries.create(Tier.WORKSPACE, bench.workspace.id, "CAST", "Nerys.")
        voice = inklings.entries.find(bench.workspace.id, "VOICE")
        inklings.entries.save(voice.ref, "Close third.", expected_version=1)

    async def action(bench: WindowBench) -> None:
        entries = await entries_of(bench, name)
        before = entries.entry.entry
        assert before is not None
        QTest.keyClicks(entries.view.editor.editor, "Half a thought. ")
        text = shown_in(entries).text
        scrub_elsewhere(tmp_path, bench.bench.scope)
        await bench.until(lambda: shown_in(entries).notice is not None)
        await bench.until(lambda: not shown_in(entries).can_save)
        copy = entries.view.notice.buttons()[0]
        assert copy.text() == "Copy text"
        copy.click()
        assert QGuiApplication.clipboard().text() == text
        assert await entries.entry.keep_mine()
        after = entries.entry.entry
        assert after is not None
        assert (after.name, after.body) == (name, text)
        assert after.id != before.id, "the scrubbed one does not come back"

    drive(tmp_path, companions, action)


@scene(drive, one_world)
async def test_typing_in_a_conversation_that_is_archived_elsewhere_stays(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    inklings, here = bench.bench.inklings, bench.bench.workspace.id
    room = inklings.conversations.start(here, title="Night watch")
    scope = ScopeKey.conversation(here, room.id)
    entry = bench.bench.put("The bells are silent.", scope=scope)
    subject = bench.memory.subject
    await subject.open_memory(entry.ref)
    subject.edit(content="The bells are silent tonight.")
    with open_inklings(tmp_path, embed_writes=False) as other:
        other.conversations.archive(here, room.id, force=True)
    await bench.until(lambda: subject.state.conflict is not None)
    conflict = subject.state.conflict
    assert conflict is not None
    assert (conflict.kind, conflict.mine) == (
        ConflictKind.FORGOTTEN,
        "The bells are silent tonight.",
    )
    assert await subject.keep_mine()


@scene(drive, one_world)
async def test_typing_in_a_channel_that_is_archived_elsewhere_stays(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    inklings, here = bench.bench.inklings, bench.bench.workspace.id
    channel = inklings.channels.create(here, "map-room")
    scope = ScopeKey.channel(here, channel.id)
    subject = bench.memory.subject
    subject.start_new(scope, "The north is drawn at the bottom.")
    with open_inklings(tmp_path, embed_writes=False) as other:
        other.channels.archive(here, channel.id)
    shell = bench.memory.shell
    await bench.until(
        lambda: shell.surroundings is not None and bool(shell.surroundings.archived_channels)
    )
    assert bench.window.inspector.body.text() == "The north is drawn at the bottom."
    assert await subject.save()
