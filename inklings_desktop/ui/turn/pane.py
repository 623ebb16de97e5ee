"""What tells of the document beside its rows: how full the budget is, and why a memory is in it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QPointF, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QFontMetricsF, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, on_ground, restyle, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS
from inklings_desktop.ui.kit.look.mirror import smooth_painter_on
from inklings_desktop.ui.kit.look.text_layout import write
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import (
    ReadingLabel,
    elided_label,
    plain_label,
    rule,
    wrapped_label,
)
from inklings_desktop.ui.kit.marks.meters import ContextMeter, MeterShare
from inklings_desktop.ui.kit.panes.pieces import GUTTER, SECTION_GAP, Notice, PaneScroll
from inklings_desktop.ui.kit.why.pieces import WhyPart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.turn.rows import PlaceFacts, StandingFacts


_LINE = 20
_SWATCH = 10
_SWATCH_GAP = 6
_GAP = 18
_BAR_HEIGHT = 10


class _BudgetMeter(ContextMeter):
    """The bar alone; every part keeps its colour whatever it adds up to."""

    def sizeHint(self) -> QSize:
        """A little higher than the meter of the standing slice."""
        return QSize(super().sizeHint().width(), self._theme.scaled(_BAR_HEIGHT))

    def is_over(self) -> bool:
        """Never marked as a fault: what is too much is left out and said in words."""
        return False


class Legend(QWidget):
    """A swatch, a name and a figure for every part, on as many lines as they need."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shares: tuple[MeterShare, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_shares(self, shares: Sequence[MeterShare]) -> None:
        """Name other parts."""
        self._shares = tuple(shares)
        self.setAccessibleName(", ".join(map(_words, self._shares)))
        self._take_lines()
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(0, self._theme.scaled(_LINE))

    def heightForWidth(self, width: int) -> int:
        places = self._places(width)
        n_lines = 1 + int(places[-1].y()) if places else 1
        return n_lines * self._theme.scaled(_LINE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Takes the lines it needs at this width; not every layout above asks for them."""
        super().resizeEvent(event)
        self._take_lines()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._theme
        painter = smooth_painter_on(self)
        font = theme.font("meta", tabular=True)
        line = theme.scaled(_LINE)
        for share, place in zip(self._shares, self._places(self.width()), strict=True):
            middle = (place.y() + 0.5) * line
            swatch = QRectF(place.x(), round(middle - _SWATCH / 2), _SWATCH, _SWATCH)
            theme.draw_box(painter, swatch, share.role, 2)
            x = swatch.right() + _SWATCH_GAP
            write(painter, x, middle, _words(share), font, theme.color("inkSoft"))
        painter.end()

    def _take_lines(self) -> None:
        height = self.heightForWidth(self.width())
        if self._shares and height != self.minimumHeight():
            self.setFixedHeight(height)

    def _places(self, width: int) -> list[QPointF]:
        """Left edge of each part in pixels, and the number of its line."""
        metrics = QFontMetricsF(self._theme.font("meta", tabular=True))
        places: list[QPointF] = []
        x, line = 0.0, 0
        for share in self._shares:
            taken = _SWATCH + _SWATCH_GAP + metrics.horizontalAdvance(_words(share))
            if x and x + taken > width:
                x, line = 0.0, line + 1
            places.append(QPointF(x, line))
            x += taken + _GAP
        return places


class BudgetBar(QWidget):
    """The bar over its legend."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.meter = named(_BudgetMeter(theme, 1, self), "budgetMeter", tr("Budget of the turn"))
        self.legend = Legend(theme, self)
        self._column = vbox(self, self.meter, self.legend, margins=0, spacing=8)
        theme.hold_height(self.meter, _BAR_HEIGHT)

    def show_budget(self, shares: Sequence[MeterShare], limit: int, told: str) -> None:
        """Show what takes how much.

        Args:
            shares: Parts in the order of the document.
            limit: Characters of the budget.
            told: The sum in words, for a screen reader.
        """
        self.meter.set_limit(max(limit, 1))
        self.meter.show_shares([one for one in shares if one.n_characters])
        self.meter.setAccessibleDescription(f"{told}; {', '.join(map(_words, shares))}")
        self.legend.show_shares(shares)


def _words(share: MeterShare) -> str:
    locale = QLocale()
    # The plain C locale would leave the thousands together.
    locale.setNumberOptions(QLocale.NumberOption.DefaultNumberOptions)
    return f"{share.name} {locale.toString(share.n_characters)}"


_HEAD_HEIGHT = 52
_QUOTE_BAR = 3
_QUOTE_GAP = 12
_SHOWN_CHARACTERS = 1_200


class PreviewPane(QWidget):
    """Shows why; nothing in it can be changed."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._place: PlaceFacts | None = None
        self.setObjectName("whyPane")
        self.setAccessibleName(tr("Why this memory"))
        on_ground(self, "canvas")
        self._head = QWidget(self)
        self.title = elided_label("", "bodyStrong", self._head)
        self.badge = plain_label("", "label", self._head)
        self.badge.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.badge.setProperty("tint", "lapis")
        self.details = named(PaneScroll(self), "whyDetails", tr("Why this memory"))
        self.details.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.nothing = wrapped_label("", "caption")
        self.quote = _Quote(theme)
        self.not_sent = Notice(theme, icon="info", role="lapis", ground="lapisSoft")
        self.part = WhyPart(theme, tr("Place in the list"), has_strength=True)
        self.phrasing = wrapped_label("", "meta")
        self.phrasing.setTextFormat(Qt.TextFormat.RichText)
        self.edit = PushButton(theme, tr("Edit memory"), icon="pencil-simple", small=True)
        self.edit.setObjectName("editMemory")
        self._lay_out()
        self.show_nothing()
        theme.dress(self._on_theme_changed)

    @property
    def place(self) -> PlaceFacts | None:
        """The memory on show; None for a named entry or nothing."""
        return self._place

    def show_nothing(self) -> None:
        """Say what would stand here."""
        self._place = None
        self._head_with(tr("Why this memory"), "bodyStrong")
        self.badge.hide()
        self._show_body(is_shown=False)
        self.nothing.setText(tr("Choose a memory to see why it is sent."))
        self.nothing.show()

    def _head_with(self, title: str, style: str) -> None:
        self.title.setText(title)
        restyle(self.title, "textStyle", style)

    def show_entry(self, facts: StandingFacts) -> None:
        """Say why a named entry is sent."""
        self._place = None
        self._head_with(facts.name, "nameInk")  # as named entries are written everywhere
        self._show_badge(facts.badge)
        self._show_body(is_shown=False)
        self.nothing.setText(facts.text)
        self.nothing.show()

    def show_place(self, facts: PlaceFacts) -> None:
        """Say why a memory stands where it stands."""
        is_other = self._place is None or self._place.entry.id != facts.entry.id
        self._place = facts
        self._head_with(tr("Why this memory"), "bodyStrong")
        self._show_badge(facts.badge)
        self.nothing.hide()
        self.quote.show_quote(facts.content, TIER_MARKS[facts.entry.scope.tier][1])
        self.not_sent.say("", facts.sent)
        self._not_sent_box.setVisible(not facts.is_sent)
        self.part.show_why(facts.why)
        self._say_phrasing(facts)
        self._show_body(is_shown=True)
        if is_other:
            self.details.verticalScrollBar().setValue(0)

    def tab_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [self.details, self.part.more, self.edit]

    def _show_body(self, *, is_shown: bool) -> None:
        for part in (self._body, self._foot, self._foot_rule):
            part.setVisible(is_shown)

    def _show_badge(self, text: str) -> None:
        self.badge.setText(text)
        self.badge.show()

    def _say_phrasing(self, facts: PlaceFacts) -> None:
        before, after = facts.phrasing.split("{phrase}")
        line = self._theme.line("meta")
        self.phrasing.setText(
            f'<p style="line-height: {line}px; margin: 0">{escape(before)}'
            f"<i>{escape(facts.phrase)}</i>{escape(after)}</p>"
        )
        self.phrasing.setAccessibleName(f"{before}{facts.phrase}{after}")

    def _lay_out(self) -> None:
        hbox(self._head, (self.title, 1), self.badge, margins=(GUTTER, 0, GUTTER, 0), spacing=10)
        self._body = QWidget()
        body = vbox(self._body, self.quote, SECTION_GAP, margins=0, spacing=0)
        self._not_sent_box = QWidget()
        vbox(self._not_sent_box, self.not_sent, margins=(0, 0, 0, SECTION_GAP))
        body.addWidget(self._not_sent_box)
        fill(
            body,
            self.part,
            SECTION_GAP,
            plain_label(tr("How it is phrased"), "label"),
            6,
            self.phrasing,
        )
        fill(self.details.stack, self.nothing, self._body, STRETCH)
        column = vbox(self, self._head, rule(self), (self.details, 1), margins=0, spacing=0)
        self._foot_rule = rule(self)
        self._foot = QWidget(self)
        hbox(self._foot, self.edit, STRETCH, margins=(GUTTER, 0, GUTTER, 0))
        fill(column, self._foot_rule, self._foot)

    @Slot()
    def _on_theme_changed(self) -> None:
        for bar in (self._head, self._foot):
            bar.setFixedHeight(self._theme.scaled(_HEAD_HEIGHT))
        if self._place is not None:
            self._say_phrasing(self._place)


class _Quote(Grounded, QWidget):
    """A remembered text behind a bar in the colour of its tier."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.text = ReadingLabel(theme, "", self)
        hbox(self, self.text, margins=(_QUOTE_BAR + _QUOTE_GAP, 0, 0, 0))

    def show_quote(self, text: str, role: str) -> None:
        """Show another text; a very long one to its first thousand characters."""
        self.stand_on(Ground(bar=role, bar_px=_QUOTE_BAR))
        is_long = len(text) > _SHOWN_CHARACTERS
        self.text.setText(f"{text[:_SHOWN_CHARACTERS].rstrip()}\u2026" if is_long else text)
