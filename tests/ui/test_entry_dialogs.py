"""The questions of the Named entries page: names, confirmations, notes."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from inklings_desktop.domain.entries.proposals import MAX_NOTE_CHARACTERS
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.entries.dialogs import (
    DeletedEntriesDialog,
    NewEntryDialog,
    name_problem,
    name_rules,
    tidy_name,
)
from inklings_desktop.ui.inbox.view import RejectDialog
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import Choice
from inklings_desktop.ui.kit.look.theme import Theme

TAKEN = ["VOICE", "CAST"]


@pytest.fixture
def window(qapp: object) -> QWidget:
    return QWidget()


@pytest.mark.parametrize(
    ("name", "rules", "problem"),
    [
        ("MAGIC_SYSTEM", (True, True, True), ""),
        ("RULES_2", (True, True, True), ""),
        ("A", (True, False, True), ""),
        ("A" * 41, (True, False, True), ""),
        ("CAST", (True, True, False), "There is already a CAST here."),
        ("SOUL", (True, True, False), "SOUL is built in."),
        ("V0ICE", (True, True, False), "This looks like VOICE and could be taken for it."),
        (
            "V\u041eICE",
            (False, True, False),
            "This looks like VOICE and could be taken for it.",
        ),
        (
            "CA\u200bST",
            (False, True, False),
            "This looks like CAST and could be taken for it.",
        ),
        (
            "M\u00c4GIC",
            (False, True, True),
            "\u201c\u00c4\u201d is not one of the letters A to Z.",
        ),
        ("WHAT?", (False, True, True), ""),
    ],
)
def test_every_rule_of_a_name_is_told_by_itself(
    name: str, rules: tuple[bool, bool, bool], problem: str
) -> None:
    assert name_rules(name, TAKEN) == rules
    assert name_problem(name, TAKEN) == problem


def test_small_letters_and_blanks_are_put_right_and_foreign_letters_left_to_be_seen() -> None:
    assert tidy_name("magic system-2") == "MAGIC_SYSTEM_2"
    assert tidy_name("v\u043eice") == "V\u043eICE"


def test_a_name_can_be_used_once_it_keeps_every_rule(theme: Theme, window: QWidget) -> None:
    dialog = NewEntryDialog(theme, {Tier.WORKSPACE: TAKEN, Tier.ACCOUNT: []}, window)
    assert not dialog.confirm.isEnabled()
    QTest.keyClicks(dialog.field, "cast")
    assert dialog.error == "There is already a CAST here."
    assert not dialog.confirm.isEnabled()
    dialog.tiers.choose(Tier.ACCOUNT.value)
    assert (dialog.error, dialog.confirm.isEnabled()) == ("", True)
    assert (dialog.tier, dialog.name) == (Tier.ACCOUNT, "CAST")


def test_dismissing_a_question_is_the_safe_answer(theme: Theme, window: QWidget) -> None:
    dialog = ConfirmDialog(
        window, "Delete CAST?", "It goes.", yes="Delete", no="Keep it", is_destructive=True
    )
    assert dialog.keep.isDefault()
    assert not dialog.confirm.isDefault()
    dialog.keep.click()
    assert dialog.result() == ConfirmDialog.DialogCode.Rejected.value


def test_a_note_is_one_line_of_no_more_than_it_may_have(theme: Theme, window: QWidget) -> None:
    dialog = RejectDialog("Claude", window)
    assert isinstance(dialog.field, QLineEdit)
    assert (dialog.note, dialog.confirm.isEnabled()) == ("", True)
    dialog.field.setText("x" * (MAX_NOTE_CHARACTERS + 2))
    assert (len(dialog.note), dialog.confirm.isEnabled()) == (MAX_NOTE_CHARACTERS, True)
    dialog.field.setText("  Not yet.  ")
    assert (dialog.note, dialog.confirm.isEnabled()) == ("Not yet.", True)


def test_the_latest_deleted_is_chosen_first_and_none_gives_none(
    theme: Theme, window: QWidget
) -> None:
    rows = [Choice("e2", "CAST, this workspace"), Choice("e1", "RULES, this workspace")]
    assert DeletedEntriesDialog(rows, window).chosen_id == "e2"
    empty = DeletedEntriesDialog([], window)
    assert empty.chosen_id == ""
    assert not empty.confirm.isVisibleTo(empty)
