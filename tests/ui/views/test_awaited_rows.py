from __future__ import annotations

from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.lists.row_list_model import RowRole
from inklings_desktop.ui.kit.look.theme import Theme
from tests.ui.models.rows import a_memory
from tests.ui.views.test_memory_delegate import Listing

BARS_TOP, BARS_BOTTOM = 0.34, 0.62


def test_a_row_that_is_still_to_be_read_is_drawn_with_bars_for_its_text(
    theme: Theme, qtbot: QtBot
) -> None:
    listing = Listing(theme, qtbot, [])
    listing.model.show_list([a_memory(1)], n_rows=3, headings={}, far={})
    awaited = listing.model.index(1, 0)
    assert awaited.data(RowRole.ROW) is None
    image = listing.picture()  # what fails while it is drawn fails this test
    row = listing.table.visualRect(awaited)
    bar = theme.color("sunken").name()
    for share in (BARS_TOP, BARS_BOTTOM):
        y = int(row.top() + row.height() * share)
        drawn = {image.pixelColor(x, y).name() for x in range(image.width() // 2)}
        assert bar in drawn
    bare = {image.pixelColor(x, row.bottom() - 6).name() for x in range(image.width() // 2)}
    assert bare == {theme.color("surface").name()}
