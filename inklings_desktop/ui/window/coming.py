"""What stands in the place of a page while the page is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.kit.look.layouts import vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label, rule
from inklings_desktop.ui.kit.marks.waiting import Skeleton

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme

_GUTTER, _HEAD_TOP, _HEAD_BOTTOM = 24, 14, 8


class ComingPage(QWidget):
    """The title of a page, and bars where its content will stand once it is late."""

    def __init__(self, theme: Theme, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("comingPage")
        self.setProperty("ground", "canvas")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # the keys wait for the page, and lose none
        self.setAccessibleName(tr("{page} is coming").format(page=title))
        head = QWidget(self)
        theme.hold_height(head, theme.px("control") / theme.text_scale)
        vbox(head, plain_label(title, "title", head), margins=(_GUTTER, 0, _GUTTER, 0))
        bars = Skeleton(theme, self)
        bars.setAccessibleName("")
        bars.expect()
        vbox(self, _HEAD_TOP, head, _HEAD_BOTTOM, rule(self), (bars, 1), margins=0, spacing=0)
