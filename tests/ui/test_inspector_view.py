from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.domain.memory import (
    Derivation,
    Lifetime,
    MemoryAction,
    MemoryEntry,
    MemoryVersion,
    ScopeKey,
)
from inklings_desktop.domain.rooms.conversation import WorkingNote
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.settings import Settings
from inklings_desktop.ui.kit.controls.buttons import IconButton
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.marks.badges import ShortId
from inklings_desktop.ui.markdown.diff_view import DiffView
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.ui.memory.inspector.view import InspectorView
from inklings_desktop.ui.memory.subject.facts import history_lines, values_of
from inklings_desktop.ui.memory.subject.state import (
    DraftValues,
    FieldErrors,
    InspectorState,
    MemoryEdit,
    VersionDifference,
    VersionLook,
)
from inklings_desktop.ui.memory.subject.subject import (
    NewMemory,
    OpenMemory,
    OpenNote,
    Subject,
    state_of,
)
from inklings_desktop.usecases.bundle import Inklings
from tests.support.builders import NOON, WORKSPACE_ID, a_conversation, a_memory, a_person


def state_from(subject: Subject) -> InspectorState:
    inklings = SimpleNamespace(
        caller=a_person(),
        is_read_only=False,
        clock=lambda: NOON,
        settings=Settings(),
        embedder=NullEmbedder("a-model"),
    )
    return state_of(subject, cast("Inklings", inklings))


def an_open(
    entry: MemoryEntry, *history: MemoryVersion, draft: DraftValues | None = None, **more: Any
) -> InspectorState:
    lines = history_lines(entry, history, NOON)
    return state_from(OpenMemory(entry, lines, "", draft or values_of(entry), **more))


def a_new(content: str = "") -> InspectorState:
    draft = DraftValues(content, 0.5, Lifetime.SHORT_TERM, ())
    return state_from(NewMemory(ScopeKey.workspace(WORKSPACE_ID), draft, "The Saltglass"))


@pytest.fixture
def view(qtbot: QtBot, theme: Theme) -> InspectorView:
    made = InspectorView(theme)
    qtbot.addWidget(made)
    made.resize(392, 812)
    made.show()
    return made


def part(view: InspectorView, name: str) -> QWidget:
    found = view.findChild(QWidget, name)
    assert isinstance(found, QWidget)
    return found


def button(view: InspectorView, name: str) -> QAbstractButton:
    found = view.findChild(QAbstractButton, name)
    assert isinstance(found, QAbstractButton)
    return found


def edits_of(view: InspectorView) -> list[MemoryEdit]:
    heard: list[MemoryEdit] = []
    view.body.edited.connect(heard.append)
    return heard


def words(view: InspectorView) -> list[str]:
    return [label.text() for label in view.findChildren(QLabel) if label.isVisible()]


# -- what is shown ------------------------------------------------------------------------------


def test_nothing_selected_shows_what_the_tiers_are_for(view: InspectorView) -> None:
    shown = words(view)

    assert {"Four rings", "Conversation", "Channel", "Workspace", "Account"} <= set(shown)
    assert not view.footer.isVisible()


def test_a_memory_is_shown_with_everything_about_it(view: InspectorView) -> None:
    memory = replace(
        a_memory(
            "The story is set nine years after the flood.",
            source="orchestrator",
            importance=0.55,
            tags=("timeline",),
            agent_id="Reader",
            access_count=2,
            accessed_at=NOON - timedelta(hours=264),
            created_at=NOON - timedelta(days=25),
        ),
        derived_from=(Derivation("Timeline", "Row 9"),),
    )

    view.show_state(an_open(memory))

    assert view.editor.toPlainText() == memory.content
    shown = set(words(view))
    assert {
        "Workspace memory",
        "0.31 now",
        "Agent",
        "orchestrator",
        "Agent Reader",
        "3 Mar 2026, 12:00, 2 reads",
        "By words only, until it is prepared",
        "Timeline",
        "Row 9",
        "1 event",
        "25 d ago",
    } <= shown
    assert view.body.details.tags.tags() == ("timeline",)
    assert view.body.details.importance.value() == 0.55
    assert not part(view, "unsavedDot").isVisible()


def test_text_is_shown_as_it_is_and_never_as_markup(view: InspectorView) -> None:
    hostile = '<img src="file:///etc/passwd"><b>bold</b>'
    memory = replace(a_memory(hostile, source="<i>x</i>"), derived_from=(Derivation(hostile),))

    view.show_state(an_open(memory))

    assert view.editor.toPlainText() == hostile
    assert {hostile, "<i>x</i>"} <= set(words(view))
    theirs = [label for label in view.findChildren(QLabel) if "<" in label.text()]
    assert {label.textFormat() for label in theirs} == {Qt.TextFormat.PlainText}


def test_a_conversation_memory_has_no_choice_of_lifetime(view: InspectorView) -> None:
    view.show_state(an_open(a_memory(scope=ScopeKey.conversation(WORKSPACE_ID, "room"))))
    assert not part(view, "lifetimeSwitch").isVisible()

    view.show_state(an_open(a_memory()))
    assert part(view, "lifetimeSwitch").isVisible()


def test_a_new_memory_names_its_place_and_cannot_be_saved_without_text(
    view: InspectorView,
) -> None:
    view.show_state(a_new())
    assert {"New workspace memory", "The Saltglass"} <= set(words(view))
    assert not view.footer.save.isEnabled()
    assert not part(view, "relevanceChart").isVisible()

    view.show_state(a_new("one word"))
    assert view.footer.save.isEnabled()
    assert view.footer.revert.text() == "Discard"


def test_a_forgotten_memory_is_for_reading_and_offers_itself_back(
    view: InspectorView, qtbot: QtBot
) -> None:
    memory = a_memory(forgotten_at=NOON - timedelta(days=3), forgotten_reason="said twice")

    view.show_state(an_open(memory))

    assert view.editor.isReadOnly()
    assert {
        "Forgotten 3 d ago",
        "Reason: said twice. The agent does not find it.",
    } <= set(words(view))
    assert not button(view, "memoryForget").isVisible()
    assert not button(view, "memorySave").isVisible()
    for name in ("bannerRestore", "memoryRestore"):
        with qtbot.waitSignal(view.act_requested) as asked:
            button(view, name).click()
        assert asked.args == [MemoryAct.RESTORE]


def test_a_memory_that_cannot_be_read_as_a_whole_says_so_in_one_line(view: InspectorView) -> None:
    line = "Part of this memory cannot be read. Write it again, then resume it."
    view.show_state(an_open(a_memory(is_unreadable=True, paused=True)))
    assert line in words(view)
    view.show_state(an_open(a_memory()))
    assert line not in words(view)


def test_a_working_note_is_shown_read_only_and_can_become_a_memory(
    view: InspectorView, qtbot: QtBot
) -> None:
    room = a_conversation("channel")
    note = WorkingNote(room.id, "left_right_words", '{"found": 11}', NOON, NOON)

    view.show_state(state_from(OpenNote(note, room)))

    assert view.note.json.text.isReadOnly()
    assert view.note.json.text.toPlainText() == '{\n  "found": 11\n}'
    assert {"Working Note", "left_right_words", room.title, room.ref_code} <= set(words(view))
    with qtbot.waitSignal(view.note.write_from_note_requested) as wish:
        button(view, "writeFromNote").click()
    assert wish.args == ['left_right_words: {"found": 11}']
    button(view, "noteCopy").click()
    assert QGuiApplication.clipboard().text() == '{\n  "found": 11\n}'


# -- editing ------------------------------------------------------------------------------------


def test_showing_a_state_is_no_edit(view: InspectorView) -> None:
    heard = edits_of(view)

    view.show_state(an_open(a_memory("one", importance=0.2, lifetime=Lifetime.LONG_TERM)))
    view.show_state(an_open(a_memory("two", importance=0.123456, tags=("a",))))

    assert heard == []


def test_every_field_tells_what_was_changed_in_it(view: InspectorView) -> None:
    view.show_state(an_open(a_memory("one")))
    heard = edits_of(view)

    view.focus_editor()
    QTest.keyClicks(view.editor, "!")
    view.body.details.importance.slider.setValue(70)
    view.body.details.lifetime.choose(Lifetime.LONG_TERM.value)
    QTest.keyClicks(view.body.details.tags.edit, "#new")
    QTest.keyClick(view.body.details.tags.edit, Qt.Key.Key_Return)

    assert heard == [
        MemoryEdit(content="one!"),
        MemoryEdit(importance=0.7),
        MemoryEdit(lifetime=Lifetime.LONG_TERM),
        MemoryEdit(tags=("new",)),
    ]


def test_no_break_spaces_survive_an_edit(view: InspectorView) -> None:
    view.show_state(an_open(a_memory("12\u00a0knots")))
    heard = edits_of(view)

    view.focus_editor()
    QTest.keyClicks(view.editor, "!")

    assert heard == [MemoryEdit(content="12\u00a0knots!")]


def test_the_state_that_answers_an_edit_leaves_cursor_and_undo_alone(view: InspectorView) -> None:
    memory = a_memory("one two")
    view.show_state(an_open(memory))
    cursor = view.editor.textCursor()
    cursor.setPosition(3)
    view.editor.setTextCursor(cursor)
    QTest.keyClicks(view.editor, "s")

    view.show_state(an_open(memory, draft=replace(values_of(memory), content="ones two")))

    assert view.editor.textCursor().position() == 4
    assert view.editor.document().isUndoAvailable()
    assert part(view, "unsavedDot").isVisible()


def test_the_first_save_of_a_new_memory_leaves_the_cursor_where_it_is(view: InspectorView) -> None:
    view.show_state(a_new("one"))
    view.focus_editor()

    view.show_state(an_open(a_memory("one")))

    assert view.editor.textCursor().position() == 3


def test_another_memory_starts_at_the_top_without_the_undo_of_the_last(view: InspectorView) -> None:
    view.show_state(an_open(a_memory("one")))
    view.focus_editor()
    QTest.keyClicks(view.editor, "!")

    view.show_state(an_open(a_memory("two")))

    assert view.editor.toPlainText() == "two"
    assert not view.editor.document().isUndoAvailable()


def test_a_half_typed_tag_survives_news_and_is_taken_by_a_save(view: InspectorView) -> None:
    memory = a_memory("one", tags=("old",))
    view.show_state(an_open(memory))
    heard = edits_of(view)
    QTest.keyClicks(view.body.details.tags.edit, "ha")

    view.show_state(an_open(replace(memory, tags=("old", "other"), version=2)))
    view.request_save()

    assert heard == [MemoryEdit(tags=("old", "other", "ha"))]


def test_an_importance_that_is_none_cannot_be_saved_and_can_be_taken_back(
    view: InspectorView, qtbot: QtBot
) -> None:
    memory = a_memory("one", importance=0.5)
    view.show_state(an_open(memory, draft=replace(values_of(memory), content="two")))
    field = view.body.details.importance
    field.edit.selectAll()
    QTest.keyClicks(field.edit, "1.2")

    assert not view.footer.save.isEnabled()
    assert "Importance runs from 0 to 1." in words(view)
    with qtbot.waitSignal(view.revert_requested):
        button(view, "memoryRevert").click()
    assert field.edit.text() == "0.50"
    assert view.footer.save.isEnabled()


def test_what_is_wrong_with_the_text_stands_below_it(view: InspectorView) -> None:
    memory = a_memory("one")
    errors = FieldErrors(content="A memory needs at least one word.")

    view.show_state(an_open(memory, draft=replace(values_of(memory), content=""), errors=errors))

    assert "A memory needs at least one word." in words(view)
    assert view.editor.property("invalid") == "true"


# -- conflicts ------------------------------------------------------------------------------------


def test_a_conflict_offers_both_texts_and_the_choice(view: InspectorView, qtbot: QtBot) -> None:
    memory = a_memory("before")
    mine = replace(values_of(memory), content="mine")
    newer = replace(memory, content="theirs", importance=0.9, version=2)

    view.show_state(an_open(memory, draft=mine, newer=newer))

    assert "This memory was changed while you were editing." in words(view)
    assert "theirs" not in words(view)
    with qtbot.waitSignal(view.body.conflict.compare_requested):
        button(view, "conflictCompare").click()
    view.body.conflict.show_difference(diff_lines("theirs", "mine"))
    assert view.body.conflict.diff.isVisible()
    assert view.body.conflict.diff.change_text(0) == "Line 1 removed: theirs. Line 1 added: mine"
    assert "Stored with importance 0.90." in words(view)
    with qtbot.waitSignal(view.body.conflict.compare_requested):  # typed on: compared anew
        more = replace(mine, content="mine, more")
        view.show_state(an_open(memory, draft=more, newer=newer))
    assert not view.footer.save.isEnabled()
    assert button(view, "conflictKeepMine").isVisible()
    assert button(view, "conflictTakeTheirs").isVisible()


def test_a_full_disk_keeps_the_text_and_offers_to_try_again(
    view: InspectorView, qtbot: QtBot
) -> None:
    memory = a_memory("before")
    draft = replace(values_of(memory), content="typed")
    view.show_state(replace(an_open(memory, draft=draft), is_disk_full=True))

    assert {"Not saved: the disk is full.", "Your text is still in the editor."} <= set(words(view))
    button(view, "diskFullCopy").click()
    assert QGuiApplication.clipboard().text() == "typed"
    with qtbot.waitSignal(view.save_requested):
        button(view, "diskFullRetry").click()
    view.show_state(an_open(memory, draft=draft))
    assert "Not saved: the disk is full." not in words(view)


def test_the_next_conflict_starts_folded(view: InspectorView) -> None:
    memory = a_memory("before")
    mine = replace(values_of(memory), content="mine")
    conflict = an_open(memory, draft=mine, newer=replace(memory, content="theirs"))
    view.show_state(conflict)
    button(view, "conflictCompare").click()

    view.show_state(an_open(memory))
    view.show_state(conflict)

    assert not view.body.conflict.diff.isVisible()


def test_a_removed_memory_has_nothing_to_compare(view: InspectorView) -> None:
    memory = a_memory("before")
    mine = replace(values_of(memory), content="mine")

    view.show_state(an_open(memory, draft=mine, is_gone=True))

    assert not button(view, "conflictCompare").isVisible()
    assert button(view, "conflictKeepMine").text() == "Write it again"
    button(view, "conflictCopy").click()
    assert QGuiApplication.clipboard().text() == "mine"


# -- history --------------------------------------------------------------------------------------


def a_version(memory: MemoryEntry, number: int, content: str | None) -> MemoryVersion:
    action = MemoryAction.EDITED if content else MemoryAction.CONFIRMED
    return MemoryVersion(
        memory.id, number, content, 0.5, Lifetime.SHORT_TERM, (), action, NOON, "Ada", "window"
    )


def test_an_edit_opens_to_the_words_it_changed(view: InspectorView) -> None:
    memory = replace(a_memory("as it is now"), version=2)
    asked: list[VersionLook] = []
    view.body.history.look_requested.connect(asked.append)
    view.show_state(an_open(memory, a_version(memory, 1, "as it was")))

    toggle, _of_creation = view.body.history.findChildren(IconButton)
    assert toggle.accessibleName() == "Show what changed"
    toggle.click()
    assert asked == [VersionLook(2, since=False)]
    assert toggle.accessibleName() == "Hide what changed"
    difference = VersionDifference(asked[0], diff_lines("as it was", "as it is now"))
    view.body.history.show_difference(difference)
    (shown,) = view.body.history.findChildren(DiffView)
    assert shown.isVisible()
    assert shown.change_text(0) == "Line 1 removed: as it was. Line 1 added: as it is now"
    assert 2 * 25 <= shown.height() < 3 * 25
    assert not button(view, "versionRestore").isVisible()  # it is the present version

    toggle.click()
    assert not shown.isVisible()


def test_any_earlier_version_can_be_compared_with_now_and_brought_back(
    view: InspectorView,
) -> None:
    memory = replace(a_memory("third"), version=3)
    asked: list[VersionLook] = []
    wished: list[int] = []
    view.body.history.look_requested.connect(asked.append)
    view.body.history.restore_requested.connect(wished.append)
    history = (a_version(memory, 2, "second"), a_version(memory, 1, "first"))
    view.show_state(an_open(memory, *history))

    _present, second, created = view.body.history.findChildren(IconButton)
    second.click()
    (panel,) = view.body.history.findChildren(QWidget, "versionPanel")
    since = next(one for one in panel.findChildren(QAbstractButton) if one.text() == "Since then")
    since.click()
    created.click()
    assert asked == [
        VersionLook(2, since=False),
        VersionLook(2, since=True),
        VersionLook(1, since=True),
    ]

    for restore in view.body.history.findChildren(QAbstractButton, "versionRestore"):
        restore.click()
    assert wished == [2, 1]


def test_a_version_with_the_same_text_says_so(view: InspectorView) -> None:
    memory = replace(a_memory("now", importance=0.9), version=2)
    view.show_state(an_open(memory, a_version(memory, 1, None)))
    (toggle,) = view.body.history.findChildren(IconButton)

    toggle.click()

    assert "Only importance, lifetime or tags changed." in words(view)
    assert button(view, "versionRestore").isVisible()


def test_a_long_history_shows_its_beginning_first(view: InspectorView, qtbot: QtBot) -> None:
    memory = a_memory("now")
    view.show_state(an_open(memory, *(a_version(memory, n, None) for n in range(30))))
    qtbot.waitUntil(lambda: words(view).count("Re-confirmed") == 20)
    assert "31 events" in words(view)

    button(view, "historyMore").click()

    qtbot.waitUntil(lambda: words(view).count("Re-confirmed") == 30)
    assert not button(view, "historyMore").isVisible()


# -- keys, menu, names -----------------------------------------------------------------------------


def test_escape_gives_the_keyboard_back_wherever_the_focus_is(
    view: InspectorView, qtbot: QtBot
) -> None:
    view.show_state(an_open(a_memory("one")))

    for inside in (view.editor, view.body.details.tags.edit, view.footer.forget):
        with qtbot.waitSignal(view.leave_requested):
            QTest.keyClick(inside, Qt.Key.Key_Escape)


def test_a_save_is_asked_for_only_when_there_is_something_to_save(
    view: InspectorView, qtbot: QtBot
) -> None:
    memory = a_memory("one")
    view.show_state(an_open(memory))
    with qtbot.assertNotEmitted(view.save_requested):
        view.request_save()

    view.show_state(an_open(memory, draft=replace(values_of(memory), content="two")))
    with qtbot.waitSignal(view.save_requested):
        button(view, "memorySave").click()


def test_the_menu_offers_only_what_works(view: InspectorView, qtbot: QtBot) -> None:
    memory = a_memory("one")
    view.show_state(an_open(memory))

    menu = QMenu(view)
    view.header.fill_menu(menu)
    actions = [action for action in menu.actions() if action.isVisible()]
    named = {action.text(): action for action in actions if action.text()}
    assert list(named) == [
        "Copy text",
        "Copy id",
        "Pin: never fades",
        "Pause: never retrieved",
        "Lock: agents only propose",
        "Still true",
        "Search and replace\u2026",
        "Copy to another tier\u2026",
        "Make a fact\u2026",
        "Forget",
        "Forget with a reason\u2026",
        "Delete for good\u2026",
    ]
    named["Copy text"].trigger()
    assert QGuiApplication.clipboard().text() == "one"
    named["Copy id"].trigger()
    assert QGuiApplication.clipboard().text() == memory.id
    with qtbot.waitSignal(view.act_requested) as asked:
        named["Forget"].trigger()
    assert asked.args == [MemoryAct.FORGET]


def test_steps_that_lead_nowhere_are_disabled(view: InspectorView) -> None:
    view.show_state(an_open(a_memory("one")))

    view.header.enable_steps(has_previous=False, has_next=True)

    assert not button(view, "inspectorPrevious").isEnabled()
    assert button(view, "inspectorNext").isEnabled()


def test_every_button_without_a_word_has_a_name(view: InspectorView) -> None:
    memory = a_memory("one", tags=("a",))
    view.show_state(an_open(memory, a_version(memory, 1, "as it was")))

    for one in view.findChildren(QAbstractButton):
        assert one.accessibleName() or one.text(), one
    assert view.editor.accessibleName() == "Memory text"
    assert part(view, "relevanceChart").accessibleName() == "Relevance over time"
    assert part(view, "relevanceChart").accessibleDescription().startswith("Now 0.50;")
    assert part(view, "importanceSlider").accessibleName() == "Importance"


def test_tab_goes_through_the_parts_in_reading_order(view: InspectorView, qtbot: QtBot) -> None:
    memory = a_memory("one", tags=("a",))
    state = an_open(
        memory, a_version(memory, 1, "as it was"), draft=replace(values_of(memory), content="two")
    )
    view.show_state(an_open(a_memory("other")))
    view.show_state(state)
    qtbot.waitUntil(button(view, "historyToggle").isVisible)
    view.editor.setFocus()
    order = []
    for _ in range(16):
        focused = QGuiApplication.focusObject()
        assert isinstance(focused, QWidget)
        order.append(focused.objectName() or focused.accessibleName())
        QTest.keyClick(focused, Qt.Key.Key_Tab)

    assert order == [
        "memoryContent",
        "relevanceChart",
        "importanceSlider",
        "importanceField",
        "Short-term",
        "a",
        "tagField",
        "mark_pinned",
        "mark_paused",
        "mark_locked",
        "stillTrue",
        "historyToggle",
        "historyToggle",
        "memoryForget",
        "memoryRevert",
        "memorySave",
    ]


def test_the_whole_line_of_a_step_opens_and_closes_it(view: InspectorView, qtbot: QtBot) -> None:
    memory = a_memory("one")
    view.show_state(an_open(memory, a_version(memory, 1, "as it was")))
    qtbot.waitUntil(button(view, "historyToggle").isVisible)
    line = button(view, "historyToggle").parentWidget()
    assert line is not None
    at = QPoint(60, 8)  # on its words
    QTest.mouseClick(line, Qt.MouseButton.LeftButton, pos=at)
    qtbot.waitUntil(part(view, "versionPanel").isVisible)
    below = part(view, "versionPanel").geometry().center()
    QTest.mouseClick(line, Qt.MouseButton.LeftButton, pos=below)
    assert part(view, "versionPanel").isVisible()
    QTest.mouseClick(line, Qt.MouseButton.LeftButton, pos=at)
    assert not part(view, "versionPanel").isVisible()


def test_a_narrow_pane_gives_up_the_short_id_before_the_title(view: InspectorView) -> None:
    memory = a_memory("one")
    view.show_state(an_open(memory, draft=replace(values_of(memory), content="two")))
    short_id = view.findChild(ShortId)
    assert short_id is not None
    assert short_id.isVisible()

    view.resize(340, 700)

    assert not short_id.isVisible()
    assert part(view, "inspectorTitle").isVisible()
