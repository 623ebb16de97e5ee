"""Windows have round corners where something lets what is below show through."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.controls.popover import Popover
from inklings_desktop.ui.kit.dialogs.process_dialog import PaperDialog
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.veil import shows_through
from inklings_desktop.ui.window.palette.dialog import PaletteDialog

TRANSLUCENT = Qt.WidgetAttribute.WA_TranslucentBackground
MADE: list[tuple[str, Callable[[Theme, QWidget], QWidget]]] = [
    (
        "kit.dialogs.process_dialog",
        lambda t, w: PaperDialog(t, w, title="Runs", size=QSize(300, 200)),
    ),
    ("window.palette.dialog", PaletteDialog),
    ("kit.controls.popover", lambda t, w: Popover(t, "Tags", w)),
]


def test_only_x11_needs_somebody_to_compose_its_windows(qapp: object) -> None:
    assert shows_through()


@pytest.mark.parametrize(("module", "made"), MADE)
def test_without_a_compositor_a_window_fills_its_corners(
    module: str,
    made: Callable[[Theme, QWidget], QWidget],
    theme: Theme,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = QWidget()
    assert made(theme, window).testAttribute(TRANSLUCENT)
    monkeypatch.setattr(f"inklings_desktop.ui.{module}.shows_through", lambda: False)

    opaque = made(theme, window)

    assert not opaque.testAttribute(TRANSLUCENT)
    opaque.resize(300, 200)
    edge = opaque.grab().toImage()
    corner, side = edge.pixelColor(0, 0), edge.pixelColor(0, 100)
    assert abs(corner.lightness() - side.lightness()) < 30  # the corner of a line is softened
    window.deleteLater()
