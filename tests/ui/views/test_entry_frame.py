"""Header, footer, notices and panes of an open entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from inklings_desktop.domain.entries.named_entry import EntryRef
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.entries.editor_pane import EntryEditorPane
from inklings_desktop.ui.entries.frame import EntryActions, EntryFooter, EntryHeader
from inklings_desktop.ui.entries.notice import ComparisonPane, EntryNoticeBand
from inklings_desktop.ui.entries.opened import (
    Comparison,
    EntryFigures,
    EntryMode,
    EntryNotice,
    EntryState,
    NoticeKind,
)

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inklings_desktop.ui.kit.look.theme import Theme

REF = EntryRef(Tier.WORKSPACE, "w1", "e1")
STATE = EntryState(
    ref=REF,
    name="VOICE",
    tier=Tier.WORKSPACE,
    edited="edited 20 hours ago by you",
    text="As stored.\n",
    is_editable=True,
    is_built_in=True,
)
UNSAVED = EntryState(
    ref=REF, name="VOICE", tier=Tier.WORKSPACE, is_unsaved=True, can_save=True, can_revert=True
)


def test_the_header_names_the_entry_and_offers_what_it_allows(qtbot: QtBot, theme: Theme) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    header = EntryHeader(theme, EntryActions(page), page)
    header.show_state(STATE)
    name = header.findChild(QLabel, "entryName")
    assert isinstance(name, QLabel)
    assert name.text() == "VOICE"
    assert not header.delete.isVisible()
    with qtbot.waitSignal(header.modes.choice_changed, timeout=1000) as chosen:
        header.modes.choose("history")
    assert chosen.args == ["history"]
    with qtbot.assertNotEmitted(header.modes.choice_changed):
        header.show_mode(EntryMode.WRITE)
    assert header.modes.choice() == "write"


def test_the_footer_counts_and_offers_saving_only_where_there_is_something_to_save(
    qtbot: QtBot, theme: Theme
) -> None:
    footer = EntryFooter(theme)
    qtbot.addWidget(footer)
    footer.resize(900, 44)
    footer.show()
    footer.show_state(STATE)
    footer.show_figures(EntryFigures(2_001, 340, 501))
    assert footer.characters.text() == "2,001 characters"
    assert footer.tokens.text() == "about 501 tokens"
    assert footer.bar.is_over()
    assert not footer.save.isEnabled()
    footer.show_state(UNSAVED)
    assert footer.save.isEnabled()
    assert footer.revert.isEnabled()
    footer.show_mode(EntryMode.HISTORY)
    assert footer.save.isVisible(), "unsaved text can be saved beside the history too"
    footer.show_state(STATE)
    reader = footer.findChild(QLabel, "entryReader")
    assert isinstance(reader, QLabel)
    assert reader.isVisible()
    assert reader.text() == "The agent reads VOICE. It cannot write it."
    assert not footer.save.isVisible()


def test_a_narrow_footer_leaves_out_figures_but_never_the_buttons(
    qtbot: QtBot, theme: Theme
) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    footer = EntryFooter(theme, page)
    footer.show_state(UNSAVED)
    footer.show_figures(EntryFigures(590, 94, 148))
    footer.resize(360, 44)
    page.show()
    assert footer.save.isVisible()
    assert footer.revert.isVisible()
    assert footer.characters.isVisible()
    assert not footer.words.isVisible()
    footer.resize(1_000, 44)
    assert footer.words.isVisible()
    assert footer.bar.isVisible()


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        (NoticeKind.DRAFT, ["Compare", "Discard it", "Continue with it"]),
        (NoticeKind.CHANGED, ["Compare", "Take theirs", "Keep mine"]),
        (NoticeKind.DELETED, ["Copy text", "Discard mine", "Bring it back"]),
        (NoticeKind.PROPOSAL, ["Compare"]),
        (NoticeKind.TEMPLATE, []),
    ],
)
def test_every_notice_offers_its_own_ways_out(
    qtbot: QtBot, theme: Theme, kind: NoticeKind, texts: list[str]
) -> None:
    band = EntryNoticeBand(theme)
    qtbot.addWidget(band)
    band.show_notice(EntryNotice(kind, "What happened.", "What follows."), is_compared=False)
    assert [button.text() for button in band.buttons()] == texts
    for button in band.buttons():
        with qtbot.waitSignal(band.action_requested, timeout=1000) as asked:
            button.click()
        assert asked.args == [button.property("action")]
    band.show_notice(None, is_compared=False)
    assert not band.isVisible()


def test_a_comparison_on_show_offers_the_way_back(qtbot: QtBot, theme: Theme) -> None:
    band = EntryNoticeBand(theme)
    qtbot.addWidget(band)
    notice = EntryNotice(NoticeKind.CHANGED, "Changed.")
    assert band.show_notice(notice, is_compared=False)
    assert not band.show_notice(notice, is_compared=False)
    assert band.show_notice(notice, is_compared=True)
    assert band.buttons()[0].text() == "Back to the text"


def test_text_in_the_editor_is_touched_only_when_it_was_replaced(
    qtbot: QtBot, theme: Theme
) -> None:
    pane = EntryEditorPane(theme)
    qtbot.addWidget(pane)
    pane.show()
    pane.show_state(STATE)
    assert pane.text() == "As stored.\n"
    pane.editor.insertPlainText("Typed. ")
    pane.show_state(STATE)
    assert pane.text() == "Typed. As stored.\n"
    replaced = EntryState(ref=REF, text="Reverted.\n", text_serial=1, is_undoable=True)
    pane.show_state(replaced)
    assert pane.text() == "Reverted.\n"
    pane.editor.undo()
    assert pane.text() == "Typed. As stored.\n", "a revert can itself be taken back"


def test_a_replaced_text_keeps_its_line_ends(qtbot: QtBot, theme: Theme) -> None:
    pane = EntryEditorPane(theme)
    qtbot.addWidget(pane)
    pane.show_state(STATE)
    mixed = "one\r\ntwo\rthree\n"
    pane.show_state(EntryState(ref=REF, text=mixed, text_serial=1, is_undoable=True))
    assert pane.text() == mixed


def test_a_comparison_counts_lines_and_says_when_nothing_differs(
    qtbot: QtBot, theme: Theme
) -> None:
    pane = ComparisonPane(theme)
    qtbot.addWidget(pane)
    pane.resize(900, 300)
    pane.show_comparison(Comparison("11 Feb 2026", "now", diff_lines("a\nb\n", "a\nc\nd\n")))
    assert pane.next.isEnabled()
    assert pane.diff.accessibleName() == "Changes from 11 Feb 2026 to now"
    pane.show_comparison(Comparison("11 Feb 2026", "now", diff_lines("a\n", "a\n")))
    assert not pane.next.isEnabled()
    labels = [label.text() for label in pane.findChildren(QLabel)]
    assert "now: the same text" in labels
