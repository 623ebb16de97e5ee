from __future__ import annotations

import pytest
from PySide6.QtGui import QTextCharFormat

from inklings_desktop.domain.words.text_diff import diff_lines
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.markdown.diff_view import DiffLayout

WIDTH, LINE = 300, 25


@pytest.fixture
def layout(theme: Theme) -> DiffLayout:
    rows = diff_lines("short\n" + "long words " * 20 + "\n\nlast\n", "").rows
    layout = DiffLayout(rows, [row.text for row in rows], theme.font("editor"))
    layout.fit(WIDTH, LINE)
    return layout


def test_rows_are_as_high_as_their_wrapped_lines(layout: DiffLayout) -> None:
    n_lines = layout.laid_out(1, QTextCharFormat()).lineCount()
    assert n_lines > 3
    assert [layout.top(number) for number in range(5)] == [
        0,
        LINE,
        (n_lines + 1) * LINE,
        (n_lines + 2) * LINE,
        layout.height,
    ]


def test_the_row_at_a_height_is_found(layout: DiffLayout) -> None:
    assert [layout.row_at(y) for y in (-5, 0, 24, 25, layout.height - 1, 9_999)] == [
        0,
        0,
        0,
        1,
        3,
        3,
    ]


def test_marks_lie_on_the_changed_words(theme: Theme) -> None:
    rows = diff_lines("\U0001f600 glass sea here\n", "\U0001f600 glass lake here\n").rows
    layout = DiffLayout(rows, [row.text for row in rows], theme.font("editor"))
    layout.fit(WIDTH, LINE)
    marked = QTextCharFormat()
    marked.setFontUnderline(True)
    ranges = layout.laid_out(1, marked).formats()
    # Qt counts the emoji as two.
    assert [(one.start, one.length) for one in ranges] == [(9, 4)]


def test_no_rows_have_no_height(theme: Theme) -> None:
    layout = DiffLayout((), (), theme.font("editor"))
    layout.fit(WIDTH, LINE)
    assert layout.height == 0
