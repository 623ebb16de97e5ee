"""Finding what there is to go to and to do: the field in the menu bar, palette, keyboard sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, Slot
from PySide6.QtWidgets import QAbstractButton, QMainWindow, QSizePolicy, QWidget

from inklings_desktop.ui.kit.look.cells import Celled, Icon, KeyCap, Line, Said, Text
from inklings_desktop.ui.kit.look.grounds import Ground
from inklings_desktop.ui.kit.look.layouts import hbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.window.last_time import save_recent, stored_recent

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.panes.key_columns import KeyboardDialog
    from inklings_desktop.ui.window.joins.opened import OpenedRoot
    from inklings_desktop.ui.window.menus import WindowMenus
    from inklings_desktop.ui.window.palette.opening import CommandPalette


_WIDTH = 248
_HEIGHT = 24
_LEFT = 9
_GAP = 8


class GotoField(Celled, QAbstractButton):
    """Looks like a field, is a button: the palette it opens has the real one."""

    def __init__(self, theme: Theme, text: str, keys: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._keys = keys
        self.setText(text)
        self.setObjectName("gotoField")
        self.setAccessibleName(text.rstrip("\u2026"))
        self.setAccessibleDescription(keys)
        self.setToolTip(f"{text.rstrip(chr(0x2026))} ({keys})")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def sizeHint(self) -> QSize:
        """One line, a little lower than the menu bar."""
        return QSize(self._theme.scaled(_WIDTH), self._theme.scaled(_HEIGHT))

    def ground(self) -> Ground:
        line = "lineStrong" if self.underMouse() else "line"
        return Ground("surface" if self.isEnabled() else "sunken", "control", line)

    def said(self) -> Said:
        words = Text(self.text(), "inkSoft", gap=_GAP)
        return Said((Line((Icon("magnifying-glass"), words), (KeyCap(self._keys),)),), _LEFT, 5)


class WindowFinding(QObject):
    """Opens palette and sheet over the register of commands.

    Attributes:
        palette: The palette over the open data root; None until one is attached.
        sheet: The keyboard sheet that was opened last.
    """

    def __init__(
        self, theme: Theme, window: QMainWindow, menus: WindowMenus, data_dir: Path
    ) -> None:
        super().__init__(window)
        self._theme = theme
        self._window = window
        self._menus = menus
        self._data_dir = data_dir
        self.palette: CommandPalette | None = None
        self.sheet: KeyboardDialog | None = None
        bar = window.menuBar()
        self.field = GotoField(theme, menus["palette"].text(), tr("Ctrl K"), bar)
        self.field.clicked.connect(menus["palette"].trigger)
        self._corner = QWidget(bar)
        hbox(self._corner, (self.field, 0, Qt.AlignmentFlag.AlignVCenter), margins=0)
        bar.setCornerWidget(self._corner)
        menus["palette"].triggered.connect(self._on_palette)
        menus["palette"].enabledChanged.connect(self.field.setEnabled)
        menus["keyboard"].triggered.connect(self._on_keyboard)
        theme.dress(self._on_theme_changed)

    def attach(self, opened_root: OpenedRoot) -> None:
        """Find things in an opened data root."""
        from inklings_desktop.ui.window.palette.opening import CommandPalette

        self.palette = CommandPalette(opened_root, self._menus.commands)
        self.palette.remember(stored_recent(self._data_dir))

    def note_page(self, page_id: str) -> None:
        """Take note of the page on show."""
        if self.palette is not None:
            self.palette.note_page(page_id)

    def detach(self) -> None:
        """Keep what was used last."""
        if self.palette is not None:
            save_recent(self._data_dir, self.palette.recent)
            self.palette = None

    @Slot()
    def _on_palette(self) -> None:
        if self.palette is not None:
            self.palette.open()

    @Slot()
    def _on_keyboard(self) -> None:
        from inklings_desktop.ui.kit.panes.key_columns import KeyboardDialog

        if self.sheet is not None and self.sheet.isVisible():
            return
        self.close_sheet()  # one that went with the window when that was hidden
        self.sheet = KeyboardDialog(self._theme, self._window, self._menus.commands)
        self.sheet.leave_requested.connect(self.close_sheet)
        self.sheet.fit()
        self.sheet.show_over_window()
        self.sheet.area.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def close_sheet(self) -> None:
        """Let go of the keyboard sheet: hidden, it would keep a picture of some MiB."""
        sheet, self.sheet = self.sheet, None
        if sheet is not None:
            sheet.let_go()

    @Slot()
    def _on_theme_changed(self) -> None:
        self._corner.setFixedHeight(self._theme.px("menuBar"))
