"""Design tokens as Qt sees them: colours, faces, sizes, durations, palette and style sheet.

Widgets and delegates ask for roles and style names, never for raw values. When scheme or text
size changes, ``changed`` is emitted and whoever caches pictures drops them.
"""

import json
import re
from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QObject,
    QPointF,
    QRect,
    QRectF,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QFontMetrics,
    QGuiApplication,
    QIcon,
    QPainter,
    QPalette,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QApplication, QStyle, QWidget

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.assets import (
    IconLibrary,
    IconWeight,
    register_faces,
    resource_path,
)
from inklings_desktop.ui.kit.look.mirror import draw_picture

MIN_TEXT_SCALE = 0.9
MAX_TEXT_SCALE = 1.4
TABULAR_FIGURES = "tnum"

# Faces for scripts that the bundled families lack, asked in this order where they exist.
OTHER_SCRIPTS = (
    "Noto Serif CJK JP",
    "Yu Mincho",
    "Hiragino Mincho ProN",
    "Noto Naskh Arabic",
    "Noto Serif Hebrew",
    "Noto Color Emoji",
    "Segoe UI Emoji",
    "Apple Color Emoji",
)

_ICON_SIZES = (14, 16, 18, 20, 24)
_MENU_PADDING = 4
_MENU_INDICATOR = 14
_MENU_ICON = 16
_GROWING_SIZES = frozenset(
    {
        "menuBar",
        "statusBar",
        "rowComfortable",
        "rowCompact",
        "control",
        "controlSmall",
        "tableRow",
        "hitTargetMin",
    }
)
_STEADY_DURATIONS = frozenset({"undoToast", "savedNote", "debounceSearch", "debounceAutosave"})
_PLACEHOLDER = re.compile(r"\{([A-Za-z][A-Za-z.]*)\}")
_FUNCTIONAL_COLOUR = re.compile(r"rgba\((\d+),(\d+),(\d+),([\d.]+)\)")

_PALETTE_ROLES = (
    (QPalette.ColorRole.Window, "window"),
    (QPalette.ColorRole.WindowText, "ink"),
    (QPalette.ColorRole.Base, "surface"),
    (QPalette.ColorRole.AlternateBase, "canvas"),
    (QPalette.ColorRole.Text, "ink"),
    (QPalette.ColorRole.PlaceholderText, "inkFaint"),
    (QPalette.ColorRole.Button, "surface"),
    (QPalette.ColorRole.ButtonText, "ink"),
    (QPalette.ColorRole.BrightText, "onMadder"),
    (QPalette.ColorRole.Highlight, "selectionText"),
    (QPalette.ColorRole.HighlightedText, "ink"),
    (QPalette.ColorRole.Accent, "accent"),
    (QPalette.ColorRole.Link, "lapis"),
    (QPalette.ColorRole.LinkVisited, "lapis"),
    (QPalette.ColorRole.ToolTipBase, "raised"),
    (QPalette.ColorRole.ToolTipText, "ink"),
    (QPalette.ColorRole.Light, "raised"),
    (QPalette.ColorRole.Midlight, "hover"),
    (QPalette.ColorRole.Mid, "line"),
    (QPalette.ColorRole.Dark, "lineStrong"),
    (QPalette.ColorRole.Shadow, "controlBorder"),
)


class SchemeChoice(Enum):
    """What a person asked for: one scheme, or whatever the system shows."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


_QT_SCHEMES = {
    SchemeChoice.LIGHT: Qt.ColorScheme.Light,
    SchemeChoice.DARK: Qt.ColorScheme.Dark,
}


@dataclass(frozen=True, slots=True)
class TypeStyle:
    """One step of the type scale; sizes in pixels at text scale 1."""

    family: str
    px: int
    line: int
    weight: int


class Theme(QObject):
    """One look of the window: a scheme, a text size, and everything derived from them.

    Needs a running application object. Lives on the UI thread.
    """

    changed = Signal()

    def __init__(
        self,
        choice: SchemeChoice = SchemeChoice.SYSTEM,
        *,
        text_scale: float = 1.0,
        reduced_motion: bool | None = None,
        parent: QObject | None = None,
    ) -> None:
        """Load the tokens and the faces.

        Args:
            choice: Which scheme to show.
            text_scale: Factor for type and row heights, clamped to 0.9 up to 1.4.
            reduced_motion: Whether movement is off; asks the platform when not given.
        """
        super().__init__(parent)
        tokens = json.loads(resource_path("tokens.json").read_text("utf-8"))
        self._roles: dict[str, dict[str, str]] = tokens["colour"]["roles"]
        self._sizes: dict[str, int] = tokens["size"]
        self._radii: dict[str, int] = tokens["radii"]
        self._durations: dict[str, Any] = tokens["duration"]
        self._styles = {
            name: TypeStyle(style["family"], style["px"], style["line"], style["weight"])
            for name, style in tokens["typography"]["scale"].items()
        }
        register_faces()
        self._families = _families(tokens["typography"]["families"])
        self._icons = IconLibrary()
        self._colours: dict[str, QColor] = {}
        self._fonts: dict[tuple[str, int | None, int | None, bool], QFont] = {}
        self._choice = choice
        self._text_scale = _clamped(text_scale)
        self._reduced_motion = reduced_motion
        self._dark = self._wanted_dark()
        self._generation = 0
        self._app: QApplication | None = None
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_system_scheme_changed)

    # -- what is shown ------------------------------------------------------------------

    @property
    def choice(self) -> SchemeChoice:
        """The scheme that was asked for."""
        return self._choice

    @property
    def is_dark(self) -> bool:
        """Whether the dark scheme is showing."""
        return self._dark

    @property
    def text_scale(self) -> float:
        """Factor for type and row heights, 0.9 up to 1.4."""
        return self._text_scale

    @property
    def generation(self) -> int:
        """Grows with every change, so that cached pictures can be keyed by it."""
        return self._generation

    @property
    def reduced_motion(self) -> bool:
        """Whether movement is off, by choice or because the platform says so."""
        if self._reduced_motion is not None:
            return self._reduced_motion
        style = QApplication.style()
        return style.styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) <= 0

    def set_choice(self, choice: SchemeChoice) -> None:
        """Show another scheme, or follow the system."""
        self._choice = choice
        self._refresh()

    def set_text_scale(self, factor: float) -> None:
        """Show type and rows larger or smaller; the factor is clamped to 0.9 up to 1.4."""
        if (clamped := _clamped(factor)) != self._text_scale:
            self._text_scale = clamped
            self._refresh(resized=True)

    def set_reduced_motion(self, *, reduced: bool | None) -> None:
        """Switch movement off or on; ``None`` leaves it to the platform."""
        self._reduced_motion = reduced

    def apply(self, app: QApplication) -> None:
        """Dress the whole application, now and after every later change."""
        self._app = app
        app.setStyle("Fusion")
        self._dress()

    def dress(self, put_on: Callable[[], None]) -> None:
        """Have something take the look on, now and after every later change.

        Sizes and pixels that a widget gives itself need no such thing: the style sheet changes
        with the look, and Qt asks for them again.
        """
        self.changed.connect(put_on)
        put_on()

    def hold_height(self, widget: QWidget, length: float) -> None:
        """Keep a widget at a height that belongs to text."""
        self.dress(_HeldHeight(self, widget, length).hold)

    # -- values ---------------------------------------------------------------------------

    def color(self, role: str) -> QColor:
        """The colour that a role has in the scheme on show."""
        colour = self._colours.get(role)
        if colour is None:
            colour = self._colours[role] = _colour(
                self._roles[role]["dark" if self._dark else "light"]
            )
        return colour

    def wash(self, role: str, opacity: float) -> QColor:
        """A role's colour, let through; opacity runs from 0 to 1."""
        colour = QColor(self.color(role))
        colour.setAlphaF(opacity)
        return colour

    def font(
        self, style: str, *, px: int | None = None, weight: int | None = None, tabular: bool = False
    ) -> QFont:
        """The face of one step of the type scale.

        Args:
            style: Name in the type scale, such as ``reading`` or ``meta``.
            px: Another size at text scale 1, for the few places that differ from the scale.
            weight: Another weight, 400 or 600.
            tabular: Figures of one width, for columns; ``numeral`` always has them.
        """
        key = (style, px, weight, tabular)
        font = self._fonts.get(key)
        if font is None:
            font = self._fonts[key] = self._made_font(style, px, weight, tabular=tabular)
        return font

    def line(self, style: str) -> int:
        """Distance between two baselines of a style, in logical pixels."""
        return round(self._styles[style].line * self._text_scale)

    def px(self, name: str) -> int:
        """A named size in logical pixels; rows and controls grow with the text."""
        size = self._sizes[name]
        return self.scaled(size) if name in _GROWING_SIZES else size

    def scaled(self, length: float) -> int:
        """A length that belongs to text, at the text size on show."""
        return round(length * self._text_scale)

    def icon_px(self, size: int) -> int:
        """The icon size nearest to ``size`` at the text size on show."""
        return _nearest_icon(size * self._text_scale)

    def radius(self, name: str) -> int:
        """A named corner radius in logical pixels."""
        return self._radii[name]

    def duration(self, name: str) -> int:
        """A named duration in milliseconds; movement takes none when motion is reduced."""
        if self.reduced_motion and name not in _STEADY_DURATIONS:
            return 0
        return int(self._durations[name])

    def pixmap(
        self,
        name: str,
        role: str,
        size: int,
        *,
        weight: IconWeight = "regular",
        ratio: float | None = None,
    ) -> QPixmap:
        """An icon in a role's colour, at the icon step nearest to ``size``."""
        return self._icons.pixmap(
            name, self.color(role), self.icon_px(size), weight=weight, ratio=ratio
        )

    def draw_icon(
        self,
        painter: QPainter,
        at: tuple[float, float],
        name: str,
        role: str,
        size: int,
        *,
        weight: IconWeight = "regular",
    ) -> int:
        """Paint an icon from a left edge on, about the middle of a line; how wide it is."""
        ratio = painter.device().devicePixelRatioF()
        picture = self.pixmap(name, role, size, weight=weight, ratio=ratio)
        edge = self.icon_px(size)
        draw_picture(painter, QPointF(at[0], round(at[1] - edge / 2)), picture)
        return edge

    def draw_box(
        self,
        painter: QPainter,
        rect: QRect | QRectF,
        ground: str | QColor,
        radius: str | float,
        *,
        line: str = "",
        line_px: int = 1,
        dashes: tuple[float, ...] = (),
    ) -> None:
        """Paint a ground with round corners; antialiasing is on.

        Args:
            rect: As far as it reaches, its line included.
            ground: Its role, or a colour.
            radius: Name of the corners' radius, or pixels.
            line: Role of a line at its edge; empty for none.
            line_px: Width of that line.
            dashes: Lengths and gaps of it, in widths of it; none for a whole one.
        """
        box = QRectF(rect)
        if line:
            pen = QPen(self.color(line), line_px)
            if dashes:
                pen.setCapStyle(Qt.PenCapStyle.FlatCap)
                pen.setDashPattern(dashes)
            painter.setPen(pen)
            inset = line_px / 2
            box.adjust(inset, inset, -inset, -inset)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.color(ground) if isinstance(ground, str) else ground)
        corner = self.radius(radius) if isinstance(radius, str) else radius
        painter.drawRoundedRect(box, corner, corner)

    def icon(self, name: str, role: str, size: int, *, weight: IconWeight = "regular") -> QIcon:
        """An icon for a button or action in a role's colour, faint while disabled."""
        return self._icons.icon(
            name,
            self.color(role),
            self.icon_px(size),
            weight=weight,
            disabled=self.color("inkFaint"),
        )

    def palette(self) -> QPalette:
        """The palette of the scheme on show."""
        palette = QPalette()
        for target, role in _PALETTE_ROLES:
            palette.setColor(target, self.color(role))
        disabled = QPalette.ColorGroup.Disabled
        for target in (
            QPalette.ColorRole.WindowText,
            QPalette.ColorRole.Text,
            QPalette.ColorRole.ButtonText,
        ):
            palette.setColor(disabled, target, self.color("inkFaint"))
        palette.setColor(disabled, QPalette.ColorRole.Base, self.color("sunken"))
        return palette

    def style_sheet(self) -> str:
        """All style sheets, in the order of their file names, with roles and sizes filled in.

        Raises:
            KeyError: A style sheet names a role, style or size that does not exist.
        """
        values = self._style_values()
        sheets = sorted(resource_path("styles").glob("*.qss"))
        text = "\n".join(sheet.read_text("utf-8") for sheet in sheets)
        return _PLACEHOLDER.sub(lambda match: values[match.group(1)], text)

    # -- inside ---------------------------------------------------------------------------

    def _style_values(self) -> dict[str, str]:
        scheme = "dark" if self._dark else "light"
        values = {role: colours[scheme] for role, colours in self._roles.items()}
        for name, style in self._styles.items():
            values[f"font.{name}"] = f"{self.scaled(style.px)}px"
        for name, families in self._families.items():
            values[f"family.{name}"] = ", ".join(f'"{family}"' for family in families)
        for name in self._sizes:
            values[f"size.{name}"] = f"{self.px(name)}px"
            # What is left for the content of a control that has a one-pixel border.
            values[f"inner.{name}"] = f"{self.px(name) - 2}px"
        for name, radius in self._radii.items():
            values[f"radius.{name}"] = f"{radius}px"
        # Qt sets the words of the menu bar at its top: air above brings them to its middle.
        item = QFontMetrics(self.font("body")).height() + 2 * _MENU_PADDING
        values["menu.padding"] = f"{_MENU_PADDING}px"
        values["menu.air"] = f"{max(0, (self.px('menuBar') - 1 - item) // 2)}px"
        values["menu.indicator"] = f"{self.scaled(_MENU_INDICATOR)}px"
        values["menu.icon"] = f"{self.icon_px(_MENU_ICON)}px"
        # The style's own marks have one size; these grow with the words beside them.
        for mark in ("check", "arrow"):
            path = resource_path("styles", "marks", f"{mark}-{scheme}.svg")
            values[f"mark.{mark}"] = path.as_posix()
        return values

    def _made_font(self, style: str, px: int | None, weight: int | None, *, tabular: bool) -> QFont:
        step = self._styles[style]
        font = QFont()
        font.setFamilies(self._families[step.family])
        font.setPixelSize(self.scaled(px or step.px))
        font.setWeight(QFont.Weight(weight or step.weight))
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        if step.family == "mono":
            font.setStyleHint(QFont.StyleHint.Monospace)
        if tabular or style == "numeral":
            font.setFeature(QFont.Tag(TABULAR_FIGURES), 1)
        return font

    def _wanted_dark(self) -> bool:
        if self._choice is SchemeChoice.SYSTEM:
            return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return self._choice is SchemeChoice.DARK

    def _refresh(self, *, resized: bool = False) -> None:
        dark = self._wanted_dark()
        if dark == self._dark and not resized:
            return
        self._dark = dark
        self._colours.clear()
        self._fonts.clear()
        self._icons.forget()
        self._generation += 1
        self._dress()
        self.changed.emit()

    def _dress(self) -> None:
        if self._app is not None:
            # Title bars and native dialogs follow this hint.
            hints = QGuiApplication.styleHints()
            if self._choice is SchemeChoice.SYSTEM:
                hints.unsetColorScheme()
            else:
                hints.setColorScheme(_QT_SCHEMES[self._choice])
            self._app.setFont(self.font("body"))
            self._app.setPalette(self.palette())
            _wear(self._app, self.style_sheet())

    @Slot()
    def _on_system_scheme_changed(self) -> None:
        self._refresh()


class _HeldHeight(QObject):
    """Goes with its widget."""

    def __init__(self, theme: Theme, widget: QWidget, length: float) -> None:
        super().__init__(widget)
        self._theme, self._widget, self._length = theme, widget, length

    @Slot()
    def hold(self) -> None:
        self._widget.setFixedHeight(self._theme.scaled(self._length))


def _wear(app: QApplication, sheet: str) -> None:
    """Put a style sheet on the application and everything it has made, each widget once.

    Told of another sheet, Qt goes through everything below every widget that it knows, so a widget
    is dressed once for each that it stands in: a dozen times. With its notes cleared it knows of
    none, and they are dressed here, parents before children.
    """
    if not app.styleSheet():
        app.setStyleSheet(sheet)
        return
    app.style().unpolish(app)
    app.setStyleSheet(sheet)
    told = QEvent(QEvent.Type.StyleChange)
    for top in app.topLevelWidgets():
        if top.parentWidget() is not None:
            continue  # comes with what it belongs to
        for widget in (top, *top.findChildren(QWidget)):
            if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
                widget.style().polish(widget)
                QCoreApplication.sendEvent(widget, told)


def _clamped(factor: float) -> float:
    return min(MAX_TEXT_SCALE, max(MIN_TEXT_SCALE, factor))


def _colour(value: str) -> QColor:
    if match := _FUNCTIONAL_COLOUR.fullmatch(value):
        red, green, blue = (int(part) for part in match.groups()[:3])
        return QColor(red, green, blue, round(float(match.group(4)) * 255))
    return QColor(value)


@cache
def _nearest_icon(wanted: float) -> int:
    """The size nearest to this one, of those that icons are drawn in."""
    return min(_ICON_SIZES, key=lambda step: (abs(step - wanted), step))


@cache
def _is_here(family: str) -> bool:
    # Asking for a family that does not exist makes Qt search for aliases, which is slow.
    return QFontDatabase.hasFamily(family)


def _families(tokens: dict[str, dict[str, Any]]) -> dict[str, list[str]]:
    """Family names by kind: the preferred face first, then those that this machine has."""
    # The system may answer with an alias, which a list of families does not resolve.
    fixed = QFontInfo(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)).family()
    chains = {}
    for kind, token in tokens.items():
        first = fixed if kind == "mono" else token["preferred"]
        rest = [one for one in (*token["fallback"], *OTHER_SCRIPTS) if _is_here(one)]
        chains[kind] = [first, *rest]
    return chains
