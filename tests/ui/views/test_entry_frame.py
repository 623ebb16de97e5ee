"""Header, footer, notices and panes of an open entry."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.entries.editor_pane import EntryEditorPane
from inklings_desktop.ui.entries.frame import EntryActions, EntryFooter, EntryHeader
from inklings_desktop.ui.entries.opened import (
    EntryFigures,
    EntryMode,
    EntryNotice,
    NoticeKind,
    OpenEntry,
)
from inklings_desktop.ui.entries.view import EntryNoticeBand
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.markdown.comparison_pane import ComparisonPane
from inklings_desktop.ui.markdown.diff_view import Comparison
from tests.support.builders import NOON, a_companion

VOICE = replace(
    a_companion("VOICE", "As stored.\n", entry_id="e1", edited_at=NOON), is_built_in=True
)


def opened(text: str | None = None, *, typed: str | None = None) -> OpenEntry:
    """VOICE in the editor: as it is stored, replaced by something else, or typed in."""
    shown = OpenEntry(VOICE, (), count(), NOON)
    if text is not None:
        shown.replace_text(text, is_undoable=True)
    if typed is not None:
        shown.text = typed
    return shown


def test_the_header_names_the_entry_and_offers_what_it_allows(qtbot: QtBot, theme: Theme) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    header = EntryHeader(theme, EntryActions(page), page)
    header.show_entry(opened())
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
    footer.show_entry(opened())
    footer.show_figures(EntryFigures(2_001, 340, 501))
    assert footer.characters.text() == "2,001 characters"
    assert footer.tokens.text() == "about 501 tokens"
    assert footer.bar.is_over()
    assert not footer.save.isEnabled()
    footer.show_entry(opened(typed="Typed."))
    assert footer.save.isEnabled()
    assert footer.revert.isEnabled()
    footer.show_mode(EntryMode.HISTORY)
    assert footer.save.isVisible(), "unsaved text can be saved beside the history too"
    footer.show_entry(opened())
    reader = footer.findChild(QLabel, "entryReader")
    assert isinstance(reader, QLabel)
    assert reader.isVisible()
    assert reader.text() == "The agent reads VOICE. It cannot change it."
    assert not footer.save.isVisible()


def test_a_narrow_footer_leaves_out_figures_but_never_the_buttons(
    qtbot: QtBot, theme: Theme
) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    footer = EntryFooter(theme, page)
    footer.show_entry(opened(typed="Typed."))
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
        (NoticeKind.DELETED, ["Copy text", "Discard mine", "Restore it"]),
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
    pane.show_entry(opened())
    assert pane.text() == "As stored.\n"
    pane.editor.insertPlainText("Typed. ")
    pane.show_entry(opened())
    assert pane.text() == "Typed. As stored.\n"
    pane.show_entry(opened("Reverted.\n"))
    assert pane.text() == "Reverted.\n"
    pane.editor.undo()
    assert pane.text() == "Typed. As stored.\n", "a revert can itself be taken back"


def test_a_replaced_text_keeps_its_line_ends(qtbot: QtBot, theme: Theme) -> None:
    pane = EntryEditorPane(theme)
    qtbot.addWidget(pane)
    pane.show_entry(opened())
    mixed = "one\r\ntwo\rthree\n"
    pane.show_entry(opened(mixed))
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
