"""The scrub dialog under hands: what keys, pastes and losing focus can and cannot do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDropEvent,
    QFocusEvent,
    QGuiApplication,
    QInputMethodEvent,
    QKeyEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton, QWidget

from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.scrub.dialog import HEIGHT, RESULT_HEIGHT, WIDTH, ScrubDialog
from inklings_desktop.ui.scrub.notices import changed_notice
from inklings_desktop.ui.scrub.state import Room, ScrubCopy, ScrubState, ScrubStep, TierChoice
from inklings_desktop.ui.scrub.words import choice_texts
from tests.support.builders import WORKSPACE_ID
from tests.support.played_scrub import WORLD, a_manifest, a_receipt, an_outcome, two_backups
from tests.support.wide import mostly_wide
from tests.ui.presenter_bench import Heard

PHRASE = "scrub workspace 43"
ENTERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Hand:
    """A dialog over a window, and a tiny presenter: what is typed and ticked is shown again."""

    def __init__(self, theme: Theme, size: tuple[int, int] = (1440, 900)) -> None:
        self.window = QWidget()
        self.window.resize(*size)
        self.window.show()
        self.dialog = ScrubDialog(theme, self.window)
        self.state = _state()
        self.dialog.confirm.field.textChanged.connect(self._on_typed)
        self.dialog.confirm.box.toggled.connect(self._on_read)
        self.dialog.confirm.field.paste_refused.connect(self._on_paste)
        self.left = Heard()
        self.dialog.leave_requested.connect(lambda: self.left.payloads.append("left"))
        self.executed = Heard()
        execute = self.dialog.confirm_foot.execute
        execute.clicked.connect(lambda: self.executed.payloads.append("executed"))
        self.dialog.show_state(self.state)
        self.dialog.show()
        self.dialog.activateWindow()
        QTest.qWaitForWindowActive(self.dialog)

    def show(self, **values: object) -> None:
        """Show another state."""
        self.state = replace(self.state, **values)  # type: ignore[arg-type]
        self.dialog.show_state(self.state)

    def at(self, step: ScrubStep) -> None:
        """Show a step with everything that it needs."""
        self.show(step=step, manifest=a_manifest(), outcome=an_outcome())

    def type(self, text: str) -> None:
        """Type into the phrase."""
        QTest.keyClicks(self.dialog.confirm.field, text)

    @property
    def can_execute(self) -> bool:
        """Whether the final button is enabled."""
        return self.dialog.confirm_foot.execute.isEnabled()

    def close(self) -> None:
        """Take everything away."""
        self.dialog.hide()
        self.window.hide()
        self.dialog.deleteLater()
        self.window.deleteLater()

    def _on_typed(self, text: str) -> None:
        self.show(typed=text, is_paste_refused=False)

    def _on_read(self, on: bool) -> None:  # noqa: FBT001 - a signal's payload
        self.show(has_read=on)

    def _on_paste(self) -> None:
        self.show(is_paste_refused=True)


@pytest.fixture
def hand(theme: Theme, qapp: QApplication) -> Iterator[Hand]:
    theme.apply(qapp)
    one = Hand(theme)
    yield one
    one.close()


def _state() -> ScrubState:
    return ScrubState(
        workspace_id=WORKSPACE_ID,
        workspace_name=WORLD,
        operator="Ottoline Marsh",
        choices=(
            TierChoice(Tier.CONVERSATION, 24, 0, (Room("k1", "The toll", "#map-room"),)),
            TierChoice(Tier.CHANNEL, 34, 2, (Room("c1", "map-room"),)),
            TierChoice(Tier.WORKSPACE, 43, 0, names=("VOICE", "WORLDBUILDING_PRINCIPLES")),
            TierChoice(Tier.ACCOUNT, 18, 0, names=("SOUL",)),
        ),
    )


@pytest.mark.parametrize("step", list(ScrubStep))
@pytest.mark.parametrize("key", ENTERS)
def test_enter_does_nothing_anywhere(hand: Hand, step: ScrubStep, key: Qt.Key) -> None:
    hand.at(step)
    if step is ScrubStep.CONFIRM:
        hand.type(PHRASE)
        hand.dialog.confirm.box.setChecked(True)
        assert hand.can_execute
    clicked = Heard()
    for button in hand.dialog.findChildren(QAbstractButton):
        button.clicked.connect(lambda: clicked.payloads.append("clicked"))
        button.toggled.connect(lambda: clicked.payloads.append("toggled"))
    focusable = [
        one
        for one in hand.dialog.findChildren(QWidget)
        if one.isVisible() and one.focusPolicy() != Qt.FocusPolicy.NoFocus
    ]
    for widget in [hand.dialog, *focusable]:
        widget.setFocus()
        QTest.keyClick(widget, key)
    assert (clicked.payloads, hand.left.payloads, hand.executed.payloads) == ([], [], [])
    assert hand.dialog.isVisible()


def test_no_button_is_ever_the_default(hand: Hand) -> None:
    for button in hand.dialog.findChildren(QPushButton):
        assert not button.isDefault()
        assert not button.autoDefault(), button.text()


@pytest.mark.parametrize("step", list(ScrubStep))
def test_escape_and_closing_only_ask_to_leave(hand: Hand, step: ScrubStep) -> None:
    hand.at(step)
    QTest.keyClick(hand.dialog, Qt.Key.Key_Escape)
    hand.dialog.close()
    assert hand.left.payloads == ["left", "left"]
    assert hand.dialog.isVisible()
    assert hand.executed.payloads == []


def test_the_final_button_needs_phrase_and_box(hand: Hand) -> None:
    hand.at(ScrubStep.CONFIRM)
    button = hand.dialog.confirm_foot.execute
    assert (button.objectName(), button.accessibleName()) == ("scrubExecute", "Scrub 43 entries")
    assert button.accessibleDescription() == "Unavailable until the phrase matches"
    enabled = [hand.can_execute]
    hand.type("scrub workspace 4")
    assert hand.dialog.confirm.match.text().startswith("17 of 18 characters match.")
    hand.dialog.confirm.box.setChecked(True)
    enabled.append(hand.can_execute)
    hand.type("3")
    enabled.append(hand.can_execute)
    hand.dialog.confirm.box.setChecked(False)
    enabled.append(hand.can_execute)
    assert enabled == [False, False, True, False]
    hand.dialog.confirm.box.setChecked(True)
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert hand.executed.payloads == ["executed"]


def test_losing_focus_changes_nothing(hand: Hand) -> None:
    hand.at(ScrubStep.CONFIRM)
    hand.type(PHRASE)
    hand.dialog.confirm.box.setChecked(True)
    before = hand.state
    out = QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.ActiveWindowFocusReason)
    QApplication.sendEvent(hand.dialog.confirm.field, out)
    QApplication.sendEvent(hand.dialog, QEvent(QEvent.Type.WindowDeactivate))
    QApplication.sendEvent(hand.dialog, QEvent(QEvent.Type.WindowActivate))
    assert hand.state == before
    assert hand.dialog.confirm.field.text() == PHRASE
    assert hand.can_execute
    assert (hand.left.payloads, hand.dialog.isVisible()) == ([], True)


@pytest.mark.parametrize("way", ["keys", "insert", "middle", "drop", "keyboard of many", "method"])
def test_pasting_is_refused_in_every_way(hand: Hand, way: str) -> None:
    hand.at(ScrubStep.CONFIRM)
    field = hand.dialog.confirm.field
    QGuiApplication.clipboard().setText(PHRASE)
    match way:
        case "keys":
            QTest.keyClick(field, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        case "insert":
            QTest.keyClick(field, Qt.Key.Key_Insert, Qt.KeyboardModifier.ShiftModifier)
        case "middle":
            QTest.mouseClick(field, Qt.MouseButton.MiddleButton)
        case "drop":
            words = QMimeData()
            words.setText(PHRASE)
            none = Qt.KeyboardModifier.NoModifier
            buttons = Qt.MouseButton.LeftButton
            copy = Qt.DropAction.CopyAction
            entered = QDragEnterEvent(QPoint(5, 5), copy, words, buttons, none)
            QApplication.sendEvent(field, entered)
            assert entered.isAccepted()
            drop = QDropEvent(QPointF(5, 5), copy, words, buttons, none)
            QApplication.sendEvent(field, drop)
        case "keyboard of many":
            none = Qt.KeyboardModifier.NoModifier
            key = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_unknown, none, PHRASE)
            QApplication.sendEvent(field, key)
        case "method":
            event = QInputMethodEvent()
            event.setCommitString(PHRASE)
            QApplication.sendEvent(field, event)
    assert field.text() == ""
    assert hand.dialog.confirm.match.text() == "Please type it."
    assert not hand.can_execute
    hand.type("s")
    assert hand.dialog.confirm.match.text().startswith("1 of 18")


def test_an_input_method_may_bring_a_word_at_a_time(hand: Hand) -> None:
    hand.at(ScrubStep.CONFIRM)
    for word in ("scrub ", "workspace ", "43"):
        event = QInputMethodEvent()
        event.setCommitString(word)
        QApplication.sendEvent(hand.dialog.confirm.field, event)
    assert hand.state.is_phrase_right


def test_there_is_no_menu_that_could_paste(hand: Hand) -> None:
    hand.at(ScrubStep.CONFIRM)
    field = hand.dialog.confirm.field
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, QPoint(5, 5), field.mapToGlobal(QPoint(5, 5))
    )
    QApplication.sendEvent(field, event)
    assert QApplication.activePopupWidget() is None


def test_all_steps_can_be_walked_by_keyboard(hand: Hand) -> None:
    dialog = hand.dialog
    chosen = Heard().to(dialog.scope.tier_chosen)
    modes = Heard().to(dialog.scope.mode_chosen)
    counted = Heard()
    dialog.scope_foot.count.clicked.connect(lambda: counted.payloads.append("count"))
    assert dialog.focusWidget() is dialog.scope.tiers[Tier.WORKSPACE]
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Down)
    assert chosen.last is Tier.ACCOUNT
    hand.show(tier=Tier.ACCOUNT)
    _tab_to(dialog, dialog.scope.modes[ScrubMode.KEEP_NAMED])
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Right)
    assert modes.last is ScrubMode.FULL
    _tab_to(dialog, dialog.scope_foot.count)
    QTest.keyClick(dialog.scope_foot.count, Qt.Key.Key_Space)
    assert counted.payloads == ["count"]
    hand.at(ScrubStep.DRY_RUN)
    _tab_to(dialog, dialog.manifest_foot.go_on)
    hand.at(ScrubStep.CONFIRM)
    assert dialog.focusWidget() is dialog.confirm.field
    _tab_to(dialog, dialog.confirm.box)
    QTest.keyClick(dialog.confirm.box, Qt.Key.Key_Space)
    assert hand.state.has_read
    dialog.confirm.field.setFocus()
    hand.type(PHRASE)
    _tab_to(dialog, dialog.confirm_foot.execute)
    hand.at(ScrubStep.RESULT)
    assert dialog.focusWidget() is dialog.outcome_foot.done


def test_a_room_is_found_by_typing_in_its_list(hand: Hand) -> None:
    chosen: list[tuple[Tier, str]] = []
    hand.dialog.scope.room_chosen.connect(lambda tier, room: chosen.append((tier, room)))
    row = hand.dialog.scope.tiers[Tier.CONVERSATION]
    assert row.picker.text() == "Choose a conversation"
    popup = row.picker.popup()
    QTest.keyClicks(popup.focusWidget(), "toll")
    QTest.keyClick(popup.focusWidget(), Qt.Key.Key_Return)
    assert chosen == [(Tier.CONVERSATION, "k1")]
    hand.show(tier=Tier.CONVERSATION)
    assert not hand.dialog.scope_foot.count.isEnabled()
    assert hand.dialog.scope_foot.hint.text() == "Choose the conversation to clear."


def test_run_state_alone_can_be_purged_of_a_single_conversation(hand: Hand) -> None:
    box, chosen = hand.dialog.scope.runs, Heard().to(hand.dialog.scope.mode_chosen)
    assert not box.isEnabled()
    assert "single conversation" in box.accessibleDescription()
    hand.show(tier=Tier.CONVERSATION)
    assert box.isEnabled()
    assert "stays" in box.accessibleDescription()
    QTest.mouseClick(box, Qt.MouseButton.LeftButton)
    assert chosen.payloads == [ScrubMode.RUN_STATE]
    hand.show(mode=ScrubMode.RUN_STATE)
    assert chosen.payloads == [ScrubMode.RUN_STATE], "showing a state chooses nothing"
    manifest = replace(
        a_manifest(),
        scope=ScopeKey.conversation(WORKSPACE_ID, "k1"),
        mode=ScrubMode.RUN_STATE,
        by_kind=(("checkpoint", 8), ("trace", 3), ("message", 2)),
        kept=(),
    )
    hand.show(step=ScrubStep.DRY_RUN, manifest=manifest)
    said = " ".join(label.text() for label in hand.dialog.findChildren(QLabel))
    assert "2 messages; 8 checkpoints; 3 traces." in said
    assert "run state alone" in said
    hand.show(step=ScrubStep.CONFIRM)
    said = " ".join(label.text() for label in hand.dialog.findChildren(QLabel))
    assert "purge run state 13" in said
    assert "What was said stays." in said


def test_the_account_is_said_to_reach_every_workspace(hand: Hand) -> None:
    said = [one.accessibleName() for one in _shown(hand.dialog)]
    assert "This reaches every workspace you own." not in said
    hand.show(tier=Tier.ACCOUNT)
    said = [one.accessibleName() for one in _shown(hand.dialog)]
    assert "This reaches every workspace you own." in said
    assert "SOUL stays exactly as written." in (
        hand.dialog.scope.modes[ScrubMode.KEEP_NAMED].accessibleDescription()
    )


def test_where_nothing_is_going_on_is_not_offered(hand: Hand) -> None:
    hand.show(step=ScrubStep.DRY_RUN, manifest=a_manifest(n_memories=0))
    assert hand.dialog.manifest.headline.text() == "Nothing here to remove"
    assert not hand.dialog.manifest_foot.go_on.isEnabled()
    assert not hand.dialog.manifest.sample.isVisible()


def test_the_manifest_is_copied_without_any_text_of_a_memory(hand: Hand) -> None:
    hand.show(step=ScrubStep.DRY_RUN, manifest=a_manifest(backups=two_backups()))
    hand.dialog.manifest_foot.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert "Scrub manifest 7f3a-c21e" in copied
    assert "43 entries would be removed, 2 kept" in copied
    assert "02787ded-1" in copied
    assert "Nerys" not in copied
    assert a_manifest().token not in copied


def test_a_notice_is_shown_above_the_new_count(hand: Hand) -> None:
    hand.show(step=ScrubStep.DRY_RUN, manifest=a_manifest(), notice=changed_notice())
    notice = hand.dialog.manifest.notice
    assert notice.isVisible()
    assert notice.accessibleName() == "Memory changed since the count. Here is the new one."
    hand.show(notice=None)
    assert not notice.isVisible()


def test_copies_that_still_hold_the_text_are_named_and_nothing_is_called_finished(
    hand: Hand,
) -> None:
    left = ("old/agents.db: not a store that this program uses",)
    receipt = replace(a_receipt(), hits=3, remaining=left)
    outcome = replace(an_outcome(), pending="copies", receipt=receipt, verified_number=None)
    hand.show(step=ScrubStep.RESULT, manifest=a_manifest(), outcome=outcome)
    proof = hand.dialog.outcome.proof
    assert proof.accessibleName().startswith("Not verified. Other files in the folder of Inklings")
    assert left[0] in proof.accessibleName()
    assert _title(hand.dialog) == "Removed, not verified"


def test_a_pending_purge_claims_nothing_and_turns_into_the_proof(hand: Hand) -> None:
    hand.show(step=ScrubStep.RESULT, manifest=a_manifest(), outcome=an_outcome(pending="snapshot"))
    proof = hand.dialog.outcome.proof
    assert proof.accessibleName().startswith("Purge pending. Another program is reading")
    assert hand.dialog.outcome.headline.text() == "43 entries removed, 2 kept"
    assert _title(hand.dialog) == "Removed, purge pending"
    hand.show(outcome=an_outcome())
    assert proof.accessibleName().startswith("Searched 14 files, 3.2 MB: 0 traces.")
    assert _title(hand.dialog) == "Scrub finished"
    hand.dialog.outcome_foot.copy.click()
    reference = QGuiApplication.clipboard().text()
    assert "manifest 7f3a-c21e" in reference
    assert "verified by event" in reference


@pytest.mark.parametrize("pending", [None, "snapshot"])
def test_a_result_that_names_a_copy_needs_no_scrolling(hand: Hand, pending: str | None) -> None:
    copy = ScrubCopy("Saltglass.inklings.json", "/Saltglass.inklings.json", 43)
    hand.at(ScrubStep.RUNNING)
    hand.show(step=ScrubStep.RESULT, outcome=an_outcome(pending=pending), copy=copy)
    QTest.qWait(0)
    body = hand.dialog.outcome
    assert body.column.height() == body.viewport().height()
    assert body.verticalScrollBar().maximum() == 0


def test_what_is_promised_to_stay_is_read_whole(hand: Hand) -> None:
    names = tuple(f"The Donaudampfschifffahrt of year {number}" for number in range(6))
    manifest = a_manifest()
    hand.at(ScrubStep.DRY_RUN)
    hand.show(manifest=replace(manifest, untouched=replace(manifest.untouched, workspaces=names)))
    for _ in range(2):  # the dialog first learns how much there is, then how high that makes it
        QApplication.processEvents()
    said = [one for one in hand.dialog.findChildren(QLabel) if names[0] in one.text()]
    assert len(said) == 1
    assert said[0].height() >= said[0].heightForWidth(said[0].width())
    line = said[0].parentWidget()
    assert line is not None
    (sign,) = (one for one in line.findChildren(QLabel) if one is not said[0])
    first = said[0].y() + said[0].fontMetrics().height() / 2
    assert abs(sign.geometry().center().y() - first) <= 1, "beside the first line"
    assert said[0].fontMetrics().height() * 2 < said[0].height(), "on several lines"


def test_closing_while_it_runs_is_answered(hand: Hand) -> None:
    hand.at(ScrubStep.RUNNING)
    assert hand.dialog.running_foot.hint.text() == "The result follows."
    hand.show(is_close_refused=True)
    assert "stays open until it is finished" in hand.dialog.running_foot.hint.text()


@pytest.mark.parametrize(
    ("step", "scheme"),
    mostly_wide(
        product(ScrubStep, (SchemeChoice.LIGHT, SchemeChoice.DARK)),
        every_day=lambda case: case[1] is SchemeChoice.LIGHT,
    ),
)
def test_it_has_its_size_and_fits_a_smaller_window(
    theme: Theme, qapp: QApplication, scheme: SchemeChoice, step: ScrubStep
) -> None:
    theme.set_choice(scheme)
    theme.apply(qapp)
    wide, low = Hand(theme), Hand(theme, (960, 600))
    try:
        for hand in (wide, low):
            hand.at(step)
            QApplication.processEvents()
        wanted = RESULT_HEIGHT if step is ScrubStep.RESULT else HEIGHT
        assert wide.dialog.width() == WIDTH
        assert wanted <= wide.dialog.height() <= wanted + 30
        assert low.dialog.height() <= 600
        foot = low.dialog.findChild(QWidget, _FOOT_BUTTON[step])
        assert isinstance(foot, QWidget)
        bottom = foot.mapTo(low.dialog, foot.rect().bottomLeft()).y()
        assert bottom < low.dialog.height()
        assert not wide.dialog.grab().isNull()
    finally:
        wide.close()
        low.close()


_FOOT_BUTTON = {
    ScrubStep.SCOPE: "scrubCount",
    ScrubStep.DRY_RUN: "scrubContinue",
    ScrubStep.CONFIRM: "scrubExecute",
    ScrubStep.RUNNING: "scrubRunningHint",
    ScrubStep.RESULT: "scrubDone",
}


def _tab_to(dialog: ScrubDialog, wanted: QWidget) -> None:
    """Press Tab until the keyboard stands there; all stops are in reach."""
    for _ in range(20):
        now = dialog.focusWidget()
        if now is wanted:
            return
        QTest.keyClick(now, Qt.Key.Key_Tab)
    pytest.fail(f"{wanted.objectName()} cannot be reached by Tab")


def _shown(dialog: ScrubDialog) -> list[QWidget]:
    return [one for one in dialog.findChildren(QWidget) if one.isVisible()]


def _title(dialog: ScrubDialog) -> str:
    return dialog._title.text()


def test_the_first_step_counts_memories_as_the_rest_of_the_window_does() -> None:
    choice = TierChoice(Tier.CONVERSATION, n_entries=36, n_forgotten=2, n_notes=10)
    assert choice_texts(choice) == ("24 memories", "10 working notes, 2 forgotten")
    assert choice_texts(TierChoice(Tier.ACCOUNT, n_entries=1)) == ("1 memory", "")
