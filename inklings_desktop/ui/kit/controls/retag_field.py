"""Tags to add to several things and tags to take from them, in one field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QLineEdit, QSizePolicy, QWidget

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.memory_values import checked_tags
from inklings_desktop.ui.kit.controls.tag_editor import TagChip
from inklings_desktop.ui.kit.look.accessibility import named, stand_before
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.layouts import FlowLayout
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent, QMouseEvent

    from inklings_desktop.ui.kit.controls.tag_editor import KnownTagsModel
    from inklings_desktop.ui.kit.look.theme import Theme

_FIELD_WIDTH = 96
_HEIGHT = 24


class _ChangeChip(TagChip):
    """A tag that is to come, with a plus, or to go, struck out."""

    padding, height_px, text_px = 7, 24, 13

    def __init__(
        self, theme: Theme, tag: str, *, is_added: bool, leave_name: str, parent: QWidget
    ) -> None:
        super().__init__(theme, tag, leave_name, parent)
        self.is_struck = not is_added
        if is_added:
            self.ink, self.sign = "ink", "plus"
            self.stands_on = Ground("accentSoft", 4)


class RetagField(Grounded, QFrame):
    """Shows what is to come and to go, and takes one more tag to add.

    Signals:
        added: A tag that was typed, tidied.
        refused: An ``InvalidValueError``: what cannot be a tag stays in the field.
        left: A tag whose change is not wanted after all.
        apply_requested: Enter was pressed in the empty field.
    """

    added = Signal(str)
    refused = Signal(object)
    left = Signal(str)
    apply_requested = Signal()

    def __init__(self, theme: Theme, known: KnownTagsModel, parent: QWidget | None = None) -> None:
        """Begin without changes.

        Args:
            known: Tags to complete.
        """
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self._chips: list[_ChangeChip] = []
        self.setObjectName("retagField")
        self.setProperty("field", "true")
        self.edit = named(QLineEdit(self), "retagEdit")
        self.edit.setProperty("frameless", "true")
        self.edit.setPlaceholderText(tr("Type a tag"))
        self.edit.setAccessibleName(tr("Tag to add"))
        self.edit.setMinimumWidth(_FIELD_WIDTH)
        completer, _ = known.complete(self.edit)
        completer.activated.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self.edit.returnPressed.connect(self._on_return_pressed)
        self._flow = FlowLayout(self, gap=6, line_gap=6, squeezes=True)
        self._flow.setContentsMargins(8, 6, 8, 6)
        self._flow.addWidget(self.edit)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme.dress(self._on_theme_changed)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Hands the keyboard on; as a focus proxy it would be a second stop of the Tab key."""
        super().focusInEvent(event)
        self.edit.setFocus(event.reason())

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        """A click anywhere in it is meant for the field."""
        self.edit.setFocus(Qt.FocusReason.MouseFocusReason)

    def show_changes(self, adds: Sequence[str], removes: Sequence[str]) -> None:
        """Show other changes; what is being typed stays."""
        wanted = (tuple(adds), tuple(removes))
        if wanted == self._shown:
            return
        self._shown = wanted
        if any(chip.hasFocus() for chip in self._chips):
            self.edit.setFocus(Qt.FocusReason.OtherFocusReason)  # not to wherever Tab would lead
        for chip in self._chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = []
        for tags, is_added in zip(wanted, (True, False), strict=True):
            for tag in tags:
                self._append(tag, is_added=is_added)
        self.updateGeometry()

    def chips(self) -> list[QWidget]:
        """The changes on show, in order."""
        return list(self._chips)

    @property
    def has_text(self) -> bool:
        """Whether something stands in the field that is no tag yet."""
        return bool(self.edit.text().strip())

    def take_typed(self) -> None:
        """Make a tag of what still stands in the field."""
        self._take(self.edit.text())

    def ground(self) -> Ground:
        return Ground("surface", "control", "focus" if self.edit.hasFocus() else "controlBorder")

    def _append(self, tag: str, *, is_added: bool) -> None:
        name = (tr("Do not add {0} (Delete)") if is_added else tr("Keep {0} (Delete)")).format(tag)
        chip = _ChangeChip(self._theme, tag, is_added=is_added, leave_name=name, parent=self)
        chip.setToolTip(plain_tool_tip(name))
        chip.remove_requested.connect(self.left)
        self._flow.insert_widget(len(self._chips), chip)
        self._chips.append(chip)
        stand_before(self.edit, [chip])
        chip.show()

    @Slot(str)
    def _take(self, text: str) -> None:
        left: list[str] = []
        fault: InvalidValueError | None = None
        for part in filter(str.strip, text.split(",")):
            try:
                for tag in checked_tags([part]):
                    self.added.emit(tag)
            except InvalidValueError as error:
                left.append(part.strip())
                fault = error
        self.edit.setText(", ".join(left))
        if fault is not None:
            self.refused.emit(fault)

    @Slot()
    def _on_return_pressed(self) -> None:
        if self.edit.text().strip():
            self._take(self.edit.text())
        else:
            self.apply_requested.emit()

    @Slot()
    def _on_theme_changed(self) -> None:
        self.edit.setFont(self._theme.font("body"))
        self.edit.setFixedHeight(self._theme.scaled(_HEIGHT))
        self.update()
