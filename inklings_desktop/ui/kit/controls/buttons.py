"""Buttons: with an icon, as a link, leading on, opening something, with their key beside them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QFont,
    QFontMetricsF,
    QIcon,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
)
from PySide6.QtWidgets import (
    QMenu,
    QPushButton,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QToolButton,
    QWidget,
)

from inklings_desktop.ui.kit.look.cells import Badge, Icon, Line, Said, Text
from inklings_desktop.ui.kit.look.layouts import restyle
from inklings_desktop.ui.kit.look.mirror import smooth_painter_on

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.ui.kit.look.theme import Theme

    Styled = QPushButton
else:
    Styled = object

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
        theme.dress(self._on_theme_changed)

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
        theme.dress(self._on_theme_changed)

    def set_face(self, text: str, icon: str) -> None:
        """Show another word with another icon; no icon for an empty name."""
        if (text, icon) == (self.text(), self._icon_name):
            return
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
        restyle(self, "square", "false" if text else "true")
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


class LinkButton(QPushButton):
    """Lapis, underlined under the mouse; Enter presses it in windows of any kind."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setProperty("kind", "link")
        self.setProperty("ringRadius", 4)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAutoDefault(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)


class CelledButton(Styled):
    """Goes before the class of a button, which says cells on the face that the style gives it."""

    _theme: Theme

    def shown_text(self) -> str:
        """What the style writes on it."""
        return ""

    def said(self) -> Said:
        """What stands on it besides."""
        raise NotImplementedError

    def paintEvent(self, _event: QPaintEvent) -> None:
        styled = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = self.shown_text()
        styled.drawControl(QStyle.ControlElement.CE_PushButton, option)
        styled.end()
        painter = smooth_painter_on(self)
        self.said().draw(painter, self._theme, QRectF(self.rect()))
        painter.end()


_ARROW = 16
_FORWARD_BUTTON_GAP = 7
_FORWARD_BUTTON_MARGIN = 13

_ROLES = {"primary": "onAccent", "dangerOutline": "madder"}
_HINTED = {"primary": ("onAccent", "onAccent"), "quietDanger": ("madder", "inkFaint")}
"""Of a button with its key: the roles of its word and of the key."""


class ForwardButton(CelledButton, QPushButton):
    """``kind`` is ``primary``, or ``dangerOutline`` where what follows can destroy something."""

    def __init__(
        self, theme: Theme, text: str, *, kind: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(text, parent)
        self._theme = theme
        self._kind = kind
        self.setProperty("kind", kind)
        self.setProperty("forward", "true")
        self.setAutoDefault(False)

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(self._theme.icon_px(_ARROW) + _FORWARD_BUTTON_GAP, 0)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def shown_text(self) -> str:
        return self.text()

    def said(self) -> Said:
        role = _ROLES[self._kind] if self.isEnabled() else "inkFaint"
        arrow = Icon("arrow-right", role, _ARROW, "bold")
        return Said((Line((), (arrow,)),), 0, _FORWARD_BUTTON_MARGIN)


_CARET = 14
_CARET_GAP = 6
_MENU_BUTTON_MARGIN = 10
_BADGE_HEIGHT = 18
_BADGE_GAP = 6
_ICON_GAP = 4


class MenuButton(CelledButton, QPushButton):
    """Text at the left, caret at the right; an icon-only one has no caret.

    A text that has no room is cut with an ellipsis before the caret.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._badge = ""
        self.setProperty("kind", "menu")

    def sizeHint(self) -> QSize:
        hint = super().sizeHint() + QSize(self._caret_room() + self._badge_room(), 0)
        text = self.fontMetrics().horizontalAdvance(self.text())
        return hint.expandedTo(QSize(self._taken() + text + 1, 0))

    def shown_text(self) -> str:
        """The text as it is drawn, cut where it has no room."""
        room = max(0, self.width() - self._taken())
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)

    def said(self) -> Said:
        caret = Icon("caret-down", "inkSoft" if self.isEnabled() else "inkFaint", gap=_BADGE_GAP)
        ends = (
            *((self._figure(),) if self._badge else ()),
            *((caret,) if self.text() else ()),
        )
        return Said((Line((), ends),), 0, _MENU_BUTTON_MARGIN)

    def set_badge(self, text: str) -> None:
        """Show a figure before the caret, none for an empty one."""
        self._badge = text
        self.updateGeometry()
        self.update()

    def _taken(self) -> int:
        icon = 0 if self.icon().isNull() else self.iconSize().width() + _ICON_GAP
        return 2 * (_MENU_BUTTON_MARGIN + 1) + icon + self._caret_room() + self._badge_room()

    def _caret_room(self) -> int:
        return self._theme.icon_px(_CARET) + _CARET_GAP if self.text() else 0

    def _badge_room(self) -> int:
        return round(self._figure().width(self._theme)) + _BADGE_GAP if self._badge else 0

    def _figure(self) -> Badge:
        words = Text(self._badge, "accent", "label")
        return Badge(words, "accentSoft", height=_BADGE_HEIGHT, padding=5, is_square=True)


class ChoiceButton(MenuButton):
    """Shows which of some is chosen, and opens the others.

    Signals:
        chosen: Another one was; its value.
    """

    chosen = Signal(str)

    def __init__(
        self, theme: Theme, name: str, offered: Mapping[str, str], now: str, parent: QWidget
    ) -> None:
        """Build it.

        Args:
            name: What is chosen, for whoever listens.
            offered: Titles by their values; at least one.
            now: The value that is chosen first; the first one where that is not offered.
        """
        super().__init__(theme, parent)
        self._name, self._offered = name, offered
        self.setAutoDefault(False)
        menu, group = QMenu(self), QActionGroup(self)
        self.acts: dict[str, QAction] = {}
        for value, title in offered.items():
            act = self.acts[value] = menu.addAction(title.replace("&", "&&"))
            act.setCheckable(True)
            act.triggered.connect(partial(self.choose, value))
            group.addAction(act)
        self.clicked.connect(lambda: menu.popup(self.mapToGlobal(self.rect().bottomLeft())))
        self.choose(now if now in offered else next(iter(offered)))

    def choose(self, value: str) -> None:
        """Choose one by its value."""
        self.value = value
        self.acts[value].setChecked(True)
        self.setText(self._offered[value])
        self.setAccessibleName(f"{self._name}: {self._offered[value]}")
        self.updateGeometry()
        self.chosen.emit(value)


_KEY_HINT_BUTTON_GAP = 8
_BUTTON_PADDING = 13
_SLACK = 6
"""So much of its air a button gives before it leaves its key out, in pixels."""


class KeyHintButton(CelledButton, PushButton):
    """A button whose key stands beside its word."""

    def __init__(
        self,
        theme: Theme,
        text: str,
        hint: str,
        parent: QWidget | None = None,
        *,
        kind: str = "primary",
        glyph: str = "",
    ) -> None:
        super().__init__(theme, text, kind=kind, parent=parent)
        self._glyph = glyph
        self.setAccessibleName(text)
        self.show_key(hint)

    def show_text(self, text: str) -> None:
        """Say another word."""
        self.setText(text)
        self.setAccessibleName(text)
        self.show_key(self._hint)

    def show_key(self, hint: str) -> None:
        """Say another key beside the word."""
        self._hint = hint
        self.setToolTip(f"{self.accessibleName()} ({hint})")
        self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        """Takes other room while it can be pressed: its word is bold then."""
        if event.type() is QEvent.Type.EnabledChange:
            self.updateGeometry()
        super().changeEvent(event)

    def sizeHint(self) -> QSize:
        _, hint = self._widths()
        return self.minimumSizeHint() + QSize(round(_KEY_HINT_BUTTON_GAP + hint), 0)

    def minimumSizeHint(self) -> QSize:
        """Room for the word: the key is left out before a word is cut off."""
        word, _ = self._widths()
        width = self._glyph_room() + word + 2 * _BUTTON_PADDING
        return QSize(round(width), super().sizeHint().height())

    def said(self) -> Said:
        roles = _HINTED.get(self._kind, ("ink", "inkFaint"))
        if not self.isEnabled():
            roles = ("inkFaint", "inkFaint")
        glyph = (Icon(self._glyph, roles[0], 16),) if self._glyph else ()
        gap = _KEY_HINT_BUTTON_GAP if self._glyph else 0
        style = "bodyStrong" if self.isEnabled() else "body"
        word = Text(self.text(), roles[0], style, is_whole=True, gap=gap)
        key = Text(self._hint, roles[1], "body", is_whole=True, gap=_KEY_HINT_BUTTON_GAP)
        has_key = self.width() + _SLACK >= self.sizeHint().width()
        return Said((Line((*glyph, word, *((key,) if has_key else ())), is_centred=True),))

    def _glyph_room(self) -> int:
        return self._theme.icon_px(16) + _KEY_HINT_BUTTON_GAP if self._glyph else 0

    def _widths(self) -> tuple[float, float]:
        word = QFontMetricsF(self._word_font()).horizontalAdvance(self.text())
        return word, QFontMetricsF(self._theme.font("body")).horizontalAdvance(self._hint)

    def _word_font(self) -> QFont:
        return self._theme.font("bodyStrong" if self.isEnabled() else "body")
