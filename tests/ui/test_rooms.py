"""Channels and conversations in the rail: made, named, put away, found again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from inklings_desktop.domain.memory import Lifetime, ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import (
    SUMMARY_NOTE,
    ConversationState,
    WorkingNote,
    note_json,
)
from inklings_desktop.ui.kit.controls.buttons import IconButton
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import NameDialog
from inklings_desktop.ui.kit.panes.scope_picker import RoomPopup
from inklings_desktop.ui.kit.words.places import Place
from inklings_desktop.ui.rail.model import RailChannel
from inklings_desktop.ui.rail.wishes import RoomAction
from inklings_desktop.ui.rail.workspaces import EndConversationDialog
from tests.support.builders import NOON
from tests.support.scenes import scene
from tests.ui.rail_bench import RailBench, drive
from tests.ui.window_bench import drive as drive_window

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TypeVar

    from PySide6.QtWidgets import QDialog

    from inklings_desktop.domain.rooms.conversation import Channel, Conversation
    from tests.ui.presenter_bench import Bench
    from tests.ui.window_bench import WindowBench

    D = TypeVar("D", bound="QDialog")

pytestmark = pytest.mark.usefixtures("qapp")


def some_rooms(bench: Bench) -> None:
    inklings, workspace_id = bench.inklings, bench.workspace.id
    channel = inklings.channels.create(workspace_id, "map-room")
    talk = inklings.conversations.start(
        workspace_id, channel=channel.id, title="The toll at Wend Gate"
    )
    bench.put("Maps hang here.", scope=ScopeKey.channel(workspace_id, channel.id))
    bench.put(
        "The toll doubles at night.",
        scope=ScopeKey.conversation(workspace_id, talk.id),
        lifetime=Lifetime.CONVERSATION,
    )


def many_rooms(bench: Bench) -> None:
    inklings = bench.inklings
    for number in range(120):
        inklings.channels.create(bench.workspace.id, f"room-{number:03}")


def channel_called(bench: RailBench, name: str) -> Channel:
    here = bench.here
    known = (*here.channels, *here.archived_channels)
    return next(one for one in known if one.name == name)


def the_talk(bench: RailBench) -> Conversation:
    (talk,) = bench.here.conversations
    return talk


def rail_names(bench: RailBench) -> list[str]:
    """Every row of the rail, top to bottom."""
    tree = bench.rail.tree
    names, index = [], tree.model().index(0, 0)
    while index.isValid():
        names.append(index.data())
        index = tree.indexBelow(index)
    return names


async def dialog_of(bench: RailBench, kind: type[D]) -> D:
    def shown() -> list[D]:
        return [one for one in bench.window.findChildren(kind) if one.isVisible()]

    await bench.until(lambda: bool(shown()))
    return shown()[0]


async def refused(bench: RailBench) -> NameDialog:
    """The question that is asked again after a name that cannot be used."""

    def shown() -> list[NameDialog]:
        found = bench.window.findChildren(NameDialog)
        return [one for one in found if one.isVisible() and one.refusal.isVisible()]

    await bench.until(lambda: bool(shown()))
    return shown()[0]


def choose(bench: RailBench, room_id: str, wish: RoomAction) -> None:
    """Choose a line of the menu of one room."""
    menu = bench.rooms.menu(room_id)
    assert menu is not None
    next(one for one in menu.actions() if one.data() is wish).trigger()
    menu.deleteLater()


def offered(bench: RailBench, room_id: str) -> list[RoomAction]:
    menu = bench.rooms.menu(room_id)
    assert menu is not None
    menu.deleteLater()
    return [one.data() for one in menu.actions() if not one.isSeparator()]


@scene(drive, some_rooms)
async def test_the_plus_sign_opens_a_channel_and_shows_it(bench: RailBench, /) -> None:
    plus = bench.rail.findChild(IconButton, "railNewChannel")
    assert isinstance(plus, IconButton)
    assert plus.accessibleName() == "New channel"
    plus.click()
    dialog = await dialog_of(bench, NameDialog)
    QTest.keyClicks(dialog.field, "drafting desk")
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    await bench.until(lambda: "drafting desk" in rail_names(bench))
    made = channel_called(bench, "drafting desk")
    await bench.until(lambda: bench.shell.place == Place(Tier.CHANNEL, made.id))


@scene(drive, some_rooms)
async def test_f2_names_a_channel_and_a_conversation_anew(bench: RailBench, /) -> None:
    tree = bench.rail.tree
    bench.rail.row_chosen.emit(channel_called(bench, "map-room").id)
    QTest.keyClick(tree, Qt.Key.Key_F2)
    dialog = await dialog_of(bench, NameDialog)
    assert dialog.name == "map-room"
    dialog.field.setText("chart-room")
    dialog.confirm.click()
    await bench.until(lambda: "chart-room" in rail_names(bench))
    bench.rail.row_chosen.emit(the_talk(bench).id)
    QTest.keyClick(tree, Qt.Key.Key_F2)
    dialog = await dialog_of(bench, NameDialog)
    dialog.field.setText("The toll")
    dialog.confirm.click()
    await bench.until(lambda: "The toll" in rail_names(bench))


@scene(drive, some_rooms)
async def test_an_empty_conversation_is_talked_in_before_another_one_begins(
    bench: RailBench, /
) -> None:
    room, before = channel_called(bench, "map-room"), len(bench.here.conversations)
    bench.rail.row_chosen.emit(room.id)
    for _ in range(3):  # as quick as hands are
        bench.rail.asked.emit(RoomAction.TALK, "", bench.rail.tree)
    await bench.until(lambda: bench.shell.place.tier is Tier.CONVERSATION)
    empty = bench.shell.place.room
    assert len(bench.here.conversations) == before + 1
    assert "New conversation" in rail_names(bench)
    assert empty is not None
    inklings, world = bench.bench.inklings, bench.here.workspace.id
    inklings.conversations.rename(world, empty, "Tolls")
    await bench.until(lambda: "Tolls" in rail_names(bench))
    bench.rail.asked.emit(RoomAction.TALK, "", bench.rail.tree)
    await bench.until(lambda: bench.shell.place.room != empty)
    assert len(bench.here.conversations) == before + 2


@scene(drive, some_rooms)
async def test_an_archived_channel_leaves_the_rail_and_is_found_again(bench: RailBench, /) -> None:
    rail = bench.rail
    room = channel_called(bench, "map-room")
    choose(bench, room.id, RoomAction.ARCHIVE)
    await bench.until(lambda: "map-room" not in rail_names(bench))

    def shelf() -> IconButton:
        button = rail.findChild(IconButton, "railArchived")
        assert isinstance(button, IconButton)
        return button

    await bench.until(lambda: not shelf().isHidden())  # those before it go with the next event
    shelf().click()
    popup = rail.findChild(RoomPopup)
    assert isinstance(popup, RoomPopup)
    QTest.keyClicks(popup.field, "map")
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    await bench.until(lambda: bench.shell.place == Place(Tier.CHANNEL, room.id))
    assert "map-room" in rail_names(bench)  # while one looks at it
    row = rail.tree.currentIndex().data(Qt.ItemDataRole.UserRole + 1)
    assert isinstance(row, RailChannel)
    assert row.is_archived
    assert offered(bench, room.id)[:2] == [RoomAction.RENAME, RoomAction.UNARCHIVE]
    choose(bench, room.id, RoomAction.UNARCHIVE)
    await bench.until(lambda: not bench.here.archived_channels)
    assert channel_called(bench, "map-room").archived_at is None


def test_the_name_of_an_archived_channel_is_refused_with_the_way_out(tmp_path: Path) -> None:
    def with_an_archived_one(bench: Bench) -> None:
        some_rooms(bench)
        inklings = bench.inklings
        inklings.channels.archive(bench.workspace.id, "map-room")

    async def action(bench: RailBench) -> None:
        assert offered(bench, "page:memory") == [RoomAction.NEW_CHANNEL, RoomAction.ARCHIVED]
        choose(bench, "page:memory", RoomAction.NEW_CHANNEL)
        dialog = await dialog_of(bench, NameDialog)
        dialog.field.setText("MAP-room")
        dialog.confirm.click()
        again = await refused(bench)
        assert again.refusal.text().startswith("An archived channel is called map-room. Restore")
        assert again.name == "MAP-room"  # what was typed stays
        assert not again.confirm.isEnabled()
        QTest.keyClicks(again.field, "Chart room")
        assert again.refusal.isHidden()
        again.confirm.click()
        await bench.until(lambda: "Chart room" in rail_names(bench))

    drive(tmp_path, with_an_archived_one, action)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("GENERAL", "There is already one with this name. Choose another name."),
        ("ma\u202ep", "A name is one line without hidden characters."),
        ("\u200b", "A name needs at least one character."),
    ],
)
@scene(drive, some_rooms)
async def test_a_name_that_cannot_be_used_is_asked_for_again(
    bench: RailBench, /, name: str, sentence: str
) -> None:
    choose(bench, "page:memory", RoomAction.NEW_CHANNEL)
    dialog = await dialog_of(bench, NameDialog)
    dialog.field.setText(name)
    dialog.confirm.click()
    again = await refused(bench)
    assert again.refusal.text().startswith(sentence)
    assert again.field.accessibleDescription() == again.refusal.text()
    assert again.field.text() == name
    again.reject()
    await bench.until(lambda: not bench.window.findChildren(NameDialog))
    assert rail_names(bench).count("general") == 1


@scene(drive, some_rooms)
async def test_the_default_channel_offers_neither_name_nor_archive(bench: RailBench, /) -> None:
    general = channel_called(bench, "general")
    assert offered(bench, general.id) == [RoomAction.START, RoomAction.NEW_CHANNEL]
    QTest.keyClick(bench.rail.tree, Qt.Key.Key_F2)
    assert bench.window.findChild(NameDialog) is None


@scene(drive, some_rooms)
async def test_a_summary_outlives_an_end_that_another_program_made_first(
    bench: RailBench, /
) -> None:
    talk = the_talk(bench)
    choose(bench, talk.id, RoomAction.END)
    dialog = await dialog_of(bench, EndConversationDialog)
    QTest.keyClicks(dialog.field, "The toll doubles at night.")
    bench.bench.inklings.conversations.idle(bench.bench.workspace.id, talk.id)
    dialog.confirm.click()
    await bench.until(lambda: not dialog.isVisible())
    again = await dialog_of(bench, EndConversationDialog)
    assert again.typed == "The toll doubles at night."
    again.reject()


@scene(drive, some_rooms)
async def test_a_conversation_is_started_ended_with_a_summary_and_archived(
    bench: RailBench, /
) -> None:
    room, talk = channel_called(bench, "map-room"), the_talk(bench)
    inklings, world = bench.bench.inklings, bench.here.workspace.id
    noted = note_json("The ferry stops at dusk.")
    with inklings.parts.store.write(world, initiator="test") as unit:
        unit.notes.write(WorkingNote(talk.id, SUMMARY_NOTE, noted, NOON, NOON))
        unit.commit()
    choose(bench, talk.id, RoomAction.END)
    dialog = await dialog_of(bench, EndConversationDialog)
    assert dialog.typed == "The ferry stops at dusk.", "what would be kept is shown"
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    QTest.keyClicks(dialog.field, "The toll doubles at night.")
    dialog.confirm.click()
    await bench.until(lambda: the_talk(bench).state is ConversationState.IDLE)
    await bench.until(lambda: "2 memories kept in #map-room" in bench.said.sentences[-1])
    here = bench.here
    assert here.count(Place(Tier.CONVERSATION, talk.id)) == 0
    assert here.count(Place(Tier.CHANNEL, room.id)) == 3
    assert RoomAction.END not in offered(bench, talk.id)
    choose(bench, talk.id, RoomAction.ARCHIVE)
    await bench.until(lambda: the_talk(bench).state is ConversationState.ARCHIVED)
    assert offered(bench, talk.id)[:1] == [RoomAction.RENAME]
    assert talk.title not in rail_names(bench)
    choose(bench, room.id, RoomAction.START)
    ask = await dialog_of(bench, NameDialog)
    ask.field.setText("A second talk")
    ask.confirm.click()
    await bench.until(lambda: "A second talk" in rail_names(bench))
    assert bench.shell.place.tier is Tier.CONVERSATION


@scene(drive, some_rooms)
async def test_the_code_of_a_conversation_is_copied_from_its_menu(bench: RailBench, /) -> None:
    talk = bench.here.conversations[0]
    menu = bench.rooms.menu(talk.id)
    assert menu is not None
    next(one for one in menu.actions() if one.text() == "Copy code for the agent").trigger()
    assert QGuiApplication.clipboard().text() == talk.ref_code
    assert talk.ref_code in bench.said.sentences[-1]


def test_the_code_is_at_the_head_of_a_conversation_and_on_its_empty_page(tmp_path: Path) -> None:
    def an_empty_one(bench: Bench) -> None:
        bench.inklings.conversations.start(bench.workspace.id, title="Quiet")

    async def copy(bench: WindowBench) -> None:
        page, shell = bench.window.page, bench.memory.shell
        assert not page.header.code.isVisible()
        here = shell.surroundings
        assert here is not None
        talk = here.conversations[0]
        shell.go(Place(Tier.CONVERSATION, talk.id))
        await bench.until(lambda: any(one.action.key == "code" for one in page.empty.cards()))
        for button in (page.header.code, page.empty.cards()[0]):
            QGuiApplication.clipboard().clear()
            button.click()
            assert QGuiApplication.clipboard().text() == talk.ref_code
        shell.go(Place(Tier.WORKSPACE))
        assert not page.header.code.isVisible()

    drive_window(tmp_path, an_empty_one, copy)


@pytest.mark.parametrize("does_it", [False, True])
def test_archiving_an_active_conversation_asks_first(tmp_path: Path, *, does_it: bool) -> None:
    async def action(bench: RailBench) -> None:
        talk = the_talk(bench)
        choose(bench, talk.id, RoomAction.ARCHIVE)
        dialog = await dialog_of(bench, ConfirmDialog)
        if not does_it:
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
            await bench.until(lambda: not dialog.isVisible())
            await bench.shell.refreshed()
            assert the_talk(bench).state is ConversationState.ACTIVE
            return
        dialog.confirm.click()
        await bench.until(lambda: the_talk(bench).state is ConversationState.ARCHIVED)

    drive(tmp_path, some_rooms, action)


@scene(drive, many_rooms)
async def test_a_long_rail_scrolls_and_keeps_its_place(bench: RailBench, /) -> None:
    tree = bench.rail.tree
    bar = tree.verticalScrollBar()
    await bench.until(lambda: bar.maximum() > 0)
    last = channel_called(bench, "room-119")
    tree.setFocus()
    QTest.keyClicks(tree, "room-11")  # type-ahead, as in any tree
    await bench.until(lambda: bar.value() > 0)
    bench.rail.row_chosen.emit(last.id)
    await bench.until(lambda: tree.currentIndex().data() == "room-119")
    offset = bar.value()
    row, viewport = tree.visualRect(tree.currentIndex()), tree.viewport().rect()
    assert row.right() <= viewport.right()
    assert viewport.contains(row.center())
    await bench.shell.refreshed()
    inklings = bench.bench.inklings
    inklings.conversations.start(bench.here.workspace.id, channel=last.id)
    await bench.until(lambda: bool(bench.here.conversations))
    assert bar.value() == offset


@scene(drive_window, some_rooms)
async def test_the_narrow_rail_opens_every_room_from_one_button(bench: WindowBench, /) -> None:
    bench.window.resize(1024, 700)
    button = bench.window.rail.findChild(IconButton, "railRooms")
    assert isinstance(button, IconButton)
    button.click()
    popup = bench.window.rail.findChild(RoomPopup)
    assert isinstance(popup, RoomPopup)
    QTest.keyClicks(popup.field, "toll")
    QTest.keyClick(popup.field, Qt.Key.Key_Return)
    await bench.until(lambda: bench.texts() == ["The toll doubles at night."])


def test_a_count_alone_goes_to_rail_and_tabs_and_to_nobody_else(tmp_path: Path) -> None:
    async def forget_one(bench: WindowBench) -> None:
        heard: list[str] = []
        shell, tabs = bench.memory.shell, bench.window.page.header.tabs
        shell.surroundings_changed.connect(lambda _here: heard.append("surroundings"))
        shell.counted.connect(lambda _here: heard.append("count"))
        before = [tabs.accessibleTabName(n) for n in range(tabs.count())]
        QTest.keyClick(bench.window.page.table, Qt.Key.Key_Delete)
        await bench.until(lambda: "count" in heard)
        assert "surroundings" not in heard
        after = [tabs.accessibleTabName(n) for n in range(tabs.count())]
        changed = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
        assert changed == [("Workspace, 2 memories", "Workspace, 1 memory")]

    def two_memories(bench: Bench) -> None:
        for text in ("The lighthouse is dark.", "The keeper left."):
            bench.put(text)

    drive_window(tmp_path, two_memories, forget_one)
