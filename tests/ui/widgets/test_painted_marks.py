from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.cells import Dot
from inklings_desktop.ui.kit.look.memory_marks import TierMark, paint_tier_mark
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.marks.badges import Badge, Crest, ShortId, crest_kind, wave_phases
from inklings_desktop.ui.kit.marks.empty_state import EmptyAction, EmptyState
from inklings_desktop.ui.kit.marks.key_hints import KeyHint, KeyHints

INK = QColor("#2f55a0")


def strong_pixels(inked: int) -> int:
    image = QImage(100, 100, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    paint_tier_mark(painter, QRectF(0, 0, 100, 100), inked, INK)
    painter.end()
    return sum(image.pixelColor(x, y) == INK for x in range(100) for y in range(100))


def test_each_tier_inks_one_ring_more(qapp: QApplication) -> None:
    amounts = [strong_pixels(inked) for inked in (1, 2, 3, 4)]
    assert amounts == sorted(set(amounts))


def test_a_tier_mark_can_change_its_tier(theme: Theme, qtbot: QtBot) -> None:
    mark = TierMark(theme, inked=1, role="tierConversation")
    qtbot.addWidget(mark)
    before = mark.grab().toImage()
    mark.set_tier(inked=4, role="tierAccount")
    assert mark.grab().toImage() != before


def test_every_workspace_has_its_own_waves(theme: Theme, qtbot: QtBot) -> None:
    assert wave_phases("saltglass") == wave_phases("saltglass")
    assert wave_phases("saltglass") != wave_phases("hollow")
    crest = Crest(theme, "saltglass")
    qtbot.addWidget(crest)
    before = crest.grab().toImage()
    crest.set_seed("hollow")
    assert crest.grab().toImage() != before
    kinds = {crest_kind(f"world {number}") for number in range(600)}
    assert len(kinds) == 15  # five colours, three forms


def test_a_badge_is_as_wide_as_its_words(theme: Theme, qtbot: QtBot) -> None:
    short = Badge(theme, "Read-only", "lock-simple")
    long = Badge(theme, "Working Note", "notepad")
    for badge in (short, long):
        qtbot.addWidget(badge)
    assert short.sizeHint().width() < long.sizeHint().width()
    assert long.accessibleName() == "Working Note"
    theme.set_text_scale(1.4)
    assert long.sizeHint().height() == 28


def test_a_short_id_copies_the_whole_one(theme: Theme, qtbot: QtBot) -> None:
    label = ShortId(theme, "Copy id")
    qtbot.addWidget(label)
    label.set_id("0203373e-aaaa-bbbb")
    QTest.keyClick(label, Qt.Key.Key_Return)
    assert QGuiApplication.clipboard().text() == "0203373e-aaaa-bbbb"


def test_key_hints_are_read_aloud_and_leave_out_what_does_not_fit(
    theme: Theme, qtbot: QtBot
) -> None:
    hints = KeyHints(theme)
    qtbot.addWidget(hints)
    hints.set_hints([KeyHint(("J", "K"), "move"), KeyHint(("Del",), "forget")])
    assert hints.accessibleName() == "J K: move, Del: forget"
    assert hints.minimumSizeHint().width() == 0
    hints.resize(hints.sizeHint())
    whole = hints.grab().toImage()
    hints.resize(70, hints.height())
    assert hints.grab().toImage() != whole.copy(0, 0, 70, hints.height())


def test_cards_of_an_empty_page_say_what_was_chosen(theme: Theme, qtbot: QtBot) -> None:
    page = EmptyState(theme)
    qtbot.addWidget(page)
    page.show_state(
        "Nothing is remembered here yet",
        "Field notes is <new>.",
        [
            EmptyAction("write", "Write a memory", "A preference.", "pen-nib", "Ctrl N"),
            EmptyAction("import", "Import", "A JSON export.", "download-simple"),
        ],
        inked=[3],
    )
    page.resize(800, 600)
    page.show()
    with qtbot.waitSignal(page.action_requested, timeout=1000) as chosen:
        page.cards()[1].click()
    assert chosen.args == ["import"]
    assert not page.grab().isNull()
    page.show_state("Nothing matches", "", drawn=False)
    assert page.cards() == ()
    assert not page.drawing.isVisible()


def test_a_lozenge_is_a_dot_that_stands_on_its_corner(theme: Theme) -> None:
    inked = {}
    for is_lozenge in (False, True):
        image = QImage(20, 20, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        end = Dot("ochre", 8, is_lozenge=is_lozenge).draw(painter, theme, QRectF(4, 10, 0, 0))
        painter.end()
        assert end == 12
        ochre = theme.color("ochre")
        inked[is_lozenge] = {
            y for x in range(20) for y in range(20) if image.pixelColor(x, y) == ochre
        }
    assert min(inked[True]) < min(inked[False])
    assert max(inked[True]) > max(inked[False])
