from __future__ import annotations

from PySide6.QtWidgets import QApplication

from inklings_desktop.ui.kit.look.text_layout import plain_copy


def test_a_copied_text_is_nothing_but_that_text(qapp: QApplication) -> None:
    copied = plain_copy("glass\u00a0harbour\n<b>x</b>")
    assert copied.formats() == ["text/plain"]
    assert copied.text() == "glass\u00a0harbour\n<b>x</b>"
