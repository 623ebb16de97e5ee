"""A list below a field of what may stand at its caret; the field keeps the keyboard."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Slot,
)
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.lists.row_list_model import RowListModel, RowRole
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.hidden_marks import TextPositions
from inklings_desktop.ui.kit.look.layouts import vbox
from inklings_desktop.ui.kit.look.mirror import begin_cell, draw_text_in
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.ui.kit.lists.row_list_model import AnyIndex
    from inklings_desktop.ui.kit.look.theme import Theme

_ROW, _SIDE, _LEAST_WIDTH, _GAP, _AIR = 30, 12, 300, 4, 4


@dataclass(frozen=True, slots=True)
class Completion:
    """Something that may take the place of what is being typed.

    Attributes:
        text: What is put in.
        name: What stands in the list.
        hint: What it is, or how often it occurs.
        start: From where on the text gives way.
        stop: Up to where.
    """

    text: str
    name: str
    hint: str
    start: int
    stop: int


class _OfferedDelegate(QStyledItemDelegate):
    """Draws the name at the left and the hint at the right."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, _option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        return QSize(0, self._theme.scaled(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Draws a row."""
        one, theme = index.data(RowRole.ROW), self._theme
        box = QRectF(option.rect)
        begin_cell(painter, option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            theme.draw_box(painter, box.adjusted(_AIR, 0, -_AIR, 0), "selected", "control")
        inner = box.adjusted(_SIDE, 0, -_SIDE, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        meta, body = theme.font("meta"), theme.font("body")
        hint = QFontMetricsF(meta).elidedText(
            one.hint, Qt.TextElideMode.ElideRight, inner.width() * 0.6
        )
        painter.setFont(meta)
        painter.setPen(theme.color("inkSoft"))
        draw_text_in(painter, inner, middle | Qt.AlignmentFlag.AlignRight, hint)
        room = inner.width() - QFontMetricsF(meta).horizontalAdvance(hint) - _SIDE
        name = QFontMetricsF(body).elidedText(one.name, Qt.TextElideMode.ElideMiddle, room)
        painter.setFont(body)
        painter.setPen(theme.color("ink"))
        draw_text_in(painter, inner, middle, name)
        painter.restore()


class Completions(QFrame):
    """Offers completions while somebody types into a field.

    Tab takes the first or the chosen one, the arrows choose, Enter takes what was chosen, Escape
    closes; all other keys are the field's.
    """

    def __init__(
        self, theme: Theme, edit: QLineEdit, offered: Callable[[str, int], Sequence[Completion]]
    ) -> None:
        """Follow a field.

        Args:
            edit: The field.
            offered: What may stand in a text at a caret.
        """
        super().__init__(edit.window())
        self._theme, self._edit, self._offered = theme, edit, offered
        self.setObjectName("completions")
        self.setProperty("floating", "true")
        self.model: RowListModel[Completion] = RowListModel(
            attrgetter("name"), self, text=attrgetter("name"), description=attrgetter("hint")
        )
        self.list = QListView(self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(_OfferedDelegate(theme, self))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setStyleSheet("QListView { background: transparent; }")
        self.list.setAccessibleName(tr("What may follow"))
        self.list.clicked.connect(lambda index: self._take(self.model.rows[index.row()]))
        vbox(self, self.list, margins=(1, _AIR, 1, _AIR), spacing=0)
        self.hide()
        edit.installEventFilter(self)

    @property
    def chosen(self) -> Completion | None:
        """The row that was gone to."""
        return self.model.row_at(self.list.currentIndex())

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Takes the keys that are meant for the list, while there is one."""
        if self.isHidden():
            return False
        if event.type() in {QEvent.Type.FocusOut, QEvent.Type.Hide}:
            self.hide()
        elif event.type() == QEvent.Type.Resize:
            self._place()
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() in {Qt.Key.Key_Escape, Qt.Key.Key_Tab}:
                event.accept()
            return False
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        match event.key():
            case Qt.Key.Key_Down | Qt.Key.Key_Up:
                self._move(1 if event.key() == Qt.Key.Key_Down else -1)
            case Qt.Key.Key_Tab:
                self._take(self.chosen or self.model.rows[0])
            case Qt.Key.Key_Escape:
                self.hide()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self.chosen is not None:
                self._take(self.chosen)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.hide()
                return False
            case _:
                return False
        return True

    @Slot()
    def offer(self) -> None:
        """Show what may stand at the caret now; its owner says when somebody typed."""
        text = self._edit.text()
        caret = TextPositions(text).from_qt(self._edit.cursorPosition())
        rows = tuple(self._offered(text, caret))
        if rows == self.model.rows and not self.isHidden():
            return
        self.model.replace_rows(rows)
        self.list.reset()  # none of these has been gone to
        self.setVisible(bool(rows))
        if rows:
            self._place()
            told = tr("{n} to choose from, Tab takes {name}")
            announce(self._edit, told.format(n=len(rows), name=rows[0].name))

    def _place(self) -> None:
        field = self._edit.parentWidget() or self._edit
        below = field.mapTo(self.window(), QPoint(0, field.height() + _GAP))
        scaled = self._theme.scaled
        height = len(self.model.rows) * scaled(_ROW) + 2 * _AIR + 2
        self.setGeometry(
            below.x(), below.y(), max(scaled(_LEAST_WIDTH), self._edit.width()), height
        )
        self.raise_()

    def _move(self, step: int) -> None:
        place = (self.list.currentIndex().row() + step) % len(self.model.rows)
        if step < 0 and not self.list.currentIndex().isValid():
            place = len(self.model.rows) - 1
        self.list.setCurrentIndex(self.model.index(place, 0))
        one = self.model.rows[place]
        announce(self._edit, f"{one.name}, {one.hint}")

    def _take(self, one: Completion) -> None:
        """Put it in as if it had been typed: the way back leads out of it in one step."""
        self.hide()
        positions = TextPositions(self._edit.text())
        start, stop = positions.to_qt(one.start), positions.to_qt(one.stop)
        self._edit.setSelection(start, stop - start)
        self._edit.insert(one.text)
        self.offer()  # behind a name its values follow
