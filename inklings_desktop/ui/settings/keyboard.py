"""Every key that does something, in the order of where it acts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.panes.key_columns import KeyColumns
from inklings_desktop.ui.settings.frame import Group, card

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.commands import Commands
    from inklings_desktop.ui.kit.page.declared import Part


class KeyboardGroup(Group[int]):
    """Made anew when there are more keys: a page that was opened since has brought its own."""

    def heading(self) -> tuple[str, str]:
        return (
            tr("Keyboard"),
            tr("Single letters act while the list has the keyboard. F1 shows this sheet anywhere."),
        )

    def read_content(self) -> int:
        return len(self.context.commands.all())

    def said(self, content: int | None) -> tuple[Part, ...]:
        keys = () if content is None else (part(_columns, LOOK, self.context.commands, content),)
        return (card("", *keys),)


def _columns(theme: Theme, commands: Commands, _n: int, *, parent: QWidget) -> KeyColumns:
    return KeyColumns(theme, commands, parent)
