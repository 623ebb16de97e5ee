"""The card below a cell of the grid: what the role may do there, and what follows from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from inklings_desktop.domain.knowledge.domains import Permission
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.controls.popover import Popover
from inklings_desktop.ui.kit.controls.toggles import PlateFrame, RadioPlate
from inklings_desktop.ui.kit.look.cells import Celled, KeyCap, Line, Said
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label, rule
from inklings_desktop.ui.knowledge.grants_state import GIVEN, effect_of, permission_words

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.knowledge.grants_state import GridCell, GridColumn

_WIDTH, _PLATE = 220, 32
_LETTERS = {"N": Permission.NONE, "R": Permission.READ, "W": Permission.WRITE}
_ENTER = {Qt.Key.Key_Return.value, Qt.Key.Key_Enter.value}


class _Cap(Celled, QWidget):
    def __init__(self, theme: Theme, key: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._key = theme, KeyCap(key)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def sizeHint(self) -> QSize:
        return QSize(round(self._key.width(self._theme)) + 1, self._theme.scaled(22))

    def said(self) -> Said:
        return Said((Line((self._key,)),))


class _Plate(RadioPlate):
    """One permission; arrows only look at it, a click or Enter gives it.

    Signals:
        meant: It was clicked.
    """

    meant = Signal()

    def __init__(self, theme: Theme, permission: Permission, key: str, parent: QWidget) -> None:
        word = _titles()[permission]
        super().__init__(theme, word, frame=PlateFrame.ROW, mark_at=QPoint(16, -1), parent=parent)
        self.permission = permission
        label = plain_label(word, "body", self)
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        cap = _Cap(theme, key, self)
        hbox(self, label, STRETCH, cap, margins=(34, 0, 8, 0))
        self.setMinimumHeight(theme.scaled(_PLATE))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self.rect().contains(event.position().toPoint()):
            self.meant.emit()


class GrantPopover(Popover):
    """Three plates and one sentence; what was meant is said once, and the card goes.

    Signals:
        meant: A permission, or ``GIVEN`` for the domain's default.
    """

    meant = Signal(str)

    def __init__(
        self, theme: Theme, role: str, column: GridColumn, cell: GridCell, parent: QWidget
    ) -> None:
        title = tr("{role} in {domain}").format(role=role, domain=column.name)
        super().__init__(theme, title, parent)
        self.setObjectName("grantPopover")
        self._cell = cell
        self.plates = [_Plate(theme, what, key, self) for key, what in _LETTERS.items()]
        self.effect = plain_label("", "meta", self, wraps=True)
        self.effect.setObjectName("grantEffect")
        for plate in self.plates:
            plate.setChecked(plate.permission is cell.permission)
            plate.toggled.connect(self._tell)
            plate.meant.connect(self._mean_checked)
        given = Permission.NONE if column.is_closed else Permission.READ
        words = tr("Use the default: {permission}").format(permission=permission_words()[given])
        default = LinkButton(words, self)
        default.setObjectName("grantDefault")
        default.setVisible(cell.is_own)
        default.clicked.connect(lambda: self._mean(GIVEN))
        refused = plain_label(cell.refused, "ochre", self, wraps=True)
        refused.setVisible(bool(cell.refused))
        fill(self.body, *self.plates, rule(self), self.effect, refused, default)
        self.setMinimumWidth(theme.scaled(_WIDTH) + 40)
        self._tell()

    def popup_below(self, anchor: QWidget) -> None:
        super().popup_below(anchor)
        for plate in self.plates:
            if plate.isChecked():
                plate.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A letter gives at once; Enter gives what is checked."""
        letter = event.text().upper()
        if letter in _LETTERS and not event.modifiers():
            self._mean(_LETTERS[letter].value)
        elif event.key() in _ENTER:
            self._mean_checked()
        else:
            super().keyPressEvent(event)

    def _checked(self) -> Permission:
        return next(one.permission for one in self.plates if one.isChecked())

    def _tell(self) -> None:
        checked = self._checked()
        is_so = checked is self._cell.permission
        self.effect.setText((is_so and self._cell.effect) or effect_of(checked))

    def _mean_checked(self) -> None:
        self._mean(self._checked().value)

    def _mean(self, value: str) -> None:
        self.meant.emit(value)
        self.close()


def _titles() -> dict[Permission, str]:
    return {
        Permission.NONE: tr("None"),
        Permission.READ: tr("Read"),
        Permission.WRITE: tr("Read and write"),
    }
