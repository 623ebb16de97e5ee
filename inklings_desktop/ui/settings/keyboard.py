"""Every key that does something, in the order of where it acts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.kit.panes.key_columns import KeyColumns
from inklings_desktop.ui.settings.frame import GroupFrame

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.page.context import Context


class KeyboardGroup(Page[int]):
    """Made anew when somebody looks: a page that was opened since has brought its keys."""

    view: GroupFrame

    def __init__(self, context: Context, parent: QWidget) -> None:
        frame = GroupFrame(
            context.theme,
            tr("Keyboard"),
            tr("Single letters act while the list has the keyboard. F1 shows this sheet anywhere."),
            parent,
        )
        self._card = frame.add_card()
        self._columns: KeyColumns | None = None
        super().__init__(context, frame)

    def read_content(self) -> int:
        return len(self.context.commands.all())

    def show_content(self, content: int) -> None:
        if self._columns is not None:
            if content == self._n_shown:
                return
            self._columns.hide()
            self._columns.deleteLater()
        self._n_shown = content
        self._columns = KeyColumns(self.context.theme, self.context.commands, self._card)
        self._card.add(self._columns)

    _n_shown = 0
