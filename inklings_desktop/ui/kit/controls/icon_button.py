"""Buttons that carry an icon of the theme, alone or before a word."""

from typing import Literal

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from inklings_desktop.ui.kit.look.theme import Theme

_AIR = 3


class IconButton(QToolButton):
    """An icon without a word; its name stands in the tool tip and is read aloud."""

    def __init__(
        self,
        theme: Theme,
        icon: str,
        name: str,
        *,
        role: str = "inkSoft",
        size: int = 16,
        bold: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon_name = icon
        self._role = role
        self._size = size
        self._bold = bold
        self.setProperty("flat", "true")
        self.setToolTip(name)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def set_icon_name(self, icon: str, name: str) -> None:
        """Show another icon with another name."""
        self._icon_name = icon
        self.setToolTip(name)
        self.setAccessibleName(name)
        self._on_theme_changed()

    @Slot()
    def _on_theme_changed(self) -> None:
        theme = self._theme
        edge = theme.icon_px(self._size)
        weight: Literal["bold", "regular"] = "bold" if self._bold else "regular"
        self.setIcon(theme.icon(self._icon_name, self._role, self._size, weight=weight))
        self.setIconSize(QSize(edge, edge))
        side = max(theme.px("controlSmall"), theme.px("hitTargetMin"))
        self.setFixedSize(side, side)


class PushButton(QPushButton):
    """A button with a word, perhaps an icon before it and a key hint in its tool tip.

    ``kind`` is one of ``plain``, ``primary``, ``danger``, ``dangerOutline``, ``quiet``,
    ``quietDanger``, ``menu``.
    """

    def __init__(
        self,
        theme: Theme,
        text: str,
        *,
        kind: str = "plain",
        icon: str = "",
        small: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._theme = theme
        self._kind = kind
        self._icon_name = icon
        self.setProperty("kind", kind)
        if small:
            self.setProperty("small", "true")
        self.setAutoDefault(False)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def set_face(self, text: str, icon: str) -> None:
        """Show another word with another icon; no icon for an empty name."""
        self.setText(text)
        self._icon_name = icon
        if not icon:
            self.setIcon(QIcon())
        self._on_theme_changed()

    def set_word(self, text: str) -> None:
        """Show another word, or for an empty one the icon alone in a square."""
        if text == self.text():
            return
        self.setText(text)
        self.setProperty("square", "false" if text else "true")
        self.style().unpolish(self)
        self.style().polish(self)
        self._on_theme_changed()

    @Slot()
    def _on_theme_changed(self) -> None:
        if not self._icon_name:
            return
        role = _ICON_ROLES.get(self._kind, "ink")
        bold = self._kind in {"primary", "danger"}
        edge = self._theme.icon_px(16)
        air = self._theme.scaled(_AIR) if self.text() else 0
        icon = QIcon()
        for mode, colour in ((QIcon.Mode.Normal, role), (QIcon.Mode.Disabled, "inkFaint")):
            picture = self._theme.pixmap(
                self._icon_name, colour, 16, weight="bold" if bold else "regular"
            )
            icon.addPixmap(_with_air(picture, air), mode)
        self.setIcon(icon)
        self.setIconSize(QSize(edge + air, edge))


def _with_air(picture: QPixmap, air: int) -> QPixmap:
    """An icon with room after it; style sheets know no distance between icon and word."""
    ratio = picture.devicePixelRatio()
    wide = QPixmap(picture.width() + round(air * ratio), picture.height())
    wide.setDevicePixelRatio(ratio)
    wide.fill(Qt.GlobalColor.transparent)
    painter = QPainter(wide)
    painter.drawPixmap(0, 0, picture)
    painter.end()
    return wide


_ICON_ROLES = {
    "primary": "onAccent",
    "danger": "onMadder",
    "dangerOutline": "madder",
    "quiet": "inkSoft",
    "quietDanger": "madder",
}
