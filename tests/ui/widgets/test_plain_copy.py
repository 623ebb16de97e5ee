from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.ui.kit.look.text_layout import plain_copy

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication


def test_a_copied_text_is_nothing_but_that_text(qapp: QApplication) -> None:
    copied = plain_copy("glass\u00a0harbour\n<b>x</b>")
    assert copied.formats() == ["text/plain"]
    assert copied.text() == "glass\u00a0harbour\n<b>x</b>"
