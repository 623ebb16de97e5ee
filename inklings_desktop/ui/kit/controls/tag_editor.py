"""Tags as chips that can be taken away, a field that adds one, and the tags in use."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
)
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView, QSizePolicy, QWidget

from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.look.accessibility import stand_before
from inklings_desktop.ui.kit.look.cells import Celled, Icon, Line, Said, Text
from inklings_desktop.ui.kit.look.grounds import Ground
from inklings_desktop.ui.kit.look.layouts import FlowLayout
from inklings_desktop.ui.kit.look.mirror import as_painted
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.translation import tr

_GAP, _SIGN_GAP = 4, 2
_HEIGHT = 22
_FIELD_WIDTH = 56
_FIELD_AIR = 16
_AIR = 12


class KnownTagsModel(QAbstractListModel):
    """Tags that every field of a pane completes, each with how many memories carry it."""

    _known: Sequence[tuple[str, int]] = ()

    def show_tags(self, known: Sequence[tuple[str, int]]) -> None:
        """Offer these from now on."""
        if known != self._known:
            self.beginResetModel()
            self._known = known
            self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._known)

    def data(
        self,
        index: QModelIndex | QPersistentModelIndex,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        """The tag in the user role; with its count where it is shown."""
        tag, count = self._known[index.row()]
        if role == Qt.ItemDataRole.UserRole:
            return tag
        if role == Qt.ItemDataRole.DisplayRole:
            return tr("{0}  {1}").format(spelled_out(tag), count)
        return None

    def complete(self, edit: QLineEdit) -> tuple[QCompleter, QListView]:
        """Let a field be completed by any part of a tag; what completes it, and its popup."""
        completer = QCompleter(self, edit.parentWidget())
        completer.setCompletionRole(Qt.ItemDataRole.UserRole)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        popup = QListView(edit.parentWidget())
        popup.setProperty("popup", "true")
        completer.setPopup(popup)
        edit.setCompleter(completer)
        return completer, popup


class TagChip(Celled, QWidget):
    """One tag; a click on its cross, or Delete, asks to take it away.

    Attributes:
        shown: The tag as it is painted, characters that do not show spelled out.
        ink: Role of its words.
        sign: Name of an icon before them; empty for none.
        is_struck: Whether a line goes through them.
    """

    remove_requested = Signal(str)
    padding, height_px, text_px = 6, 22, 12
    ink, sign, is_struck = "inkSoft", "", False
    stands_on = Ground("graphiteSoft", 4)

    def __init__(
        self, theme: Theme, tag: str, remove_name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._removable = True
        self.show_tag(tag, remove_name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("ringRadius", 5)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def tag(self) -> str:
        """The tag without a hash."""
        return self._tag

    def show_tag(self, tag: str, remove_name: str) -> None:
        """Stand for another tag; the name is that of taking it away."""
        self._tag, self.shown = tag, spelled_out(tag)
        self.setAccessibleName(self.shown)
        self.setAccessibleDescription(spelled_out(remove_name))
        self.setToolTip(plain_tool_tip(remove_name))
        self.updateGeometry()
        self.update()

    def set_removable(self, *, removable: bool) -> None:
        """Show the cross, or only the tag."""
        self._removable = removable
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if removable else Qt.FocusPolicy.NoFocus)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width = self._line().width(self._theme) + 2 * self.padding
        return QSize(round(width) + 1, self._theme.scaled(self.height_px))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._removable and event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self.remove_requested.emit(self._tag)
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Takes the tag away on a click on the cross."""
        cross = QRectF(self.width() - 22, 0, 22, self.height())
        if self._removable and cross.contains(as_painted(event.position(), self)):
            self.remove_requested.emit(self._tag)

    def said(self) -> Said:
        return Said((self._line(),), self.padding, self.padding)

    def _line(self) -> Line:
        sign = (Icon(self.sign, self.ink),) if self.sign else ()
        gap = _SIGN_GAP if self.sign else 0
        # A tag wider than its place is cut; the cross at its end never is.
        words = Text(self.shown, self.ink, px=self.text_px, is_struck=self.is_struck, gap=gap)
        cross = (Icon("x", self.ink, gap=_GAP),) if self._removable else ()
        return Line((*sign, words, *cross))


class _TagField(QLineEdit):
    """As wide as what stands in it, so that it stays beside the last tag while there is room."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.textChanged.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """Room for the text, or for the words that ask for one."""
        words = self.text() or self.placeholderText()
        width = QFontMetricsF(self.font()).horizontalAdvance(words) + _FIELD_AIR
        return QSize(max(self.minimumWidth(), round(width)), super().sizeHint().height())


class TagEditor(QWidget):
    """The tags of one thing; ``tags_changed`` tells all of them after each change."""

    tags_changed = Signal(tuple)

    def __init__(self, theme: Theme, known: KnownTagsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._chips: list[TagChip] = []
        self._read_only = False
        self.edit = _TagField(self)
        self.edit.setObjectName("tagField")
        self.edit.setProperty("frameless", "true")
        self.edit.setPlaceholderText(tr("Add tag"))
        self.edit.setAccessibleName(tr("Add tag"))
        self.edit.setMinimumWidth(_FIELD_WIDTH)
        self.edit.installEventFilter(self)
        completer, self._popup = known.complete(self.edit)
        self._popup.installEventFilter(self)  # after the completer: heard before it
        # Queued, because the field takes the completion over after telling us of it.
        completer.activated.connect(self._add, Qt.ConnectionType.QueuedConnection)
        self.edit.returnPressed.connect(lambda: self._add(self.edit.text()))
        self.edit.textEdited.connect(self._on_edit_text_edited)
        self._flow = FlowLayout(self, gap=6, line_gap=6, squeezes=True)
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
        """A click beside the tags is meant for the field."""
        self.edit.setFocus(Qt.FocusReason.MouseFocusReason)

    def tags(self) -> tuple[str, ...]:
        """The tags in the order in which they were given."""
        return tuple(chip.tag for chip in self._chips)

    def set_tags(self, tags: Sequence[str]) -> None:
        """Show other tags, without a signal."""
        if any(chip.hasFocus() for chip in self._chips):  # no key is meant for another tag
            self.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        for chip, tag in zip(self._chips, tags, strict=False):
            chip.show_tag(tag, _remove_name(tag))
        for chip in self._chips[len(tags) :]:
            self._drop(chip)
        del self._chips[len(tags) :]
        for tag in tags[len(self._chips) :]:
            self._append(tag)
        self.edit.clear()
        self.updateGeometry()

    def set_read_only(self, *, read_only: bool) -> None:
        """Let the tags be seen but not changed."""
        self._read_only = read_only
        self.edit.setVisible(not read_only)
        for chip in self._chips:
            chip.set_removable(removable=not read_only)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Backspace in the empty field takes the last tag away; Tab takes the first completion."""
        if watched is self._popup:
            if event.type() in {QEvent.Type.Show, QEvent.Type.Resize}:
                self._widen_popup()
            return self._is_completed_by(event)
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Backspace
            and not self.edit.text()
            and self._chips
        ):
            self._remove(self._chips[-1].tag)
            return True
        return super().eventFilter(watched, event)

    def _is_completed_by(self, event: QEvent) -> bool:
        """Whether Tab took what stands first in the list, where nothing in it was gone to.

        Enter does where that begins as what was typed; a comma makes a tag of just that.
        """
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return False
        first, typed = self.edit.completer().currentCompletion(), self.edit.text().strip("# ")
        is_meant = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and (
            first.casefold().startswith(typed.casefold())
        )
        if not (is_meant or event.key() == Qt.Key.Key_Tab) or self._popup.currentIndex().isValid():
            return False
        self._popup.hide()
        self._add(first)
        return True

    def _widen_popup(self) -> None:
        """Show tags whole: the field that they stand below is as narrow as what is typed."""
        popup, screen = self._popup, self.screen().availableGeometry()
        width = popup.sizeHintForColumn(0) + popup.verticalScrollBar().sizeHint().width() + _AIR
        width = min(width, screen.width())
        if popup.width() < width:
            popup.resize(width, popup.height())
        if popup.geometry().right() > screen.right():
            popup.move(screen.right() - popup.width() + 1, popup.y())

    def _append(self, tag: str) -> None:
        chip = TagChip(self._theme, tag, _remove_name(tag), self)
        chip.set_removable(removable=not self._read_only)
        chip.remove_requested.connect(self._remove)
        self._flow.insert_widget(len(self._chips), chip)
        self._chips.append(chip)
        stand_before(self.edit, [chip])
        chip.show()

    def _add(self, text: str) -> None:
        """Adds what was typed; several tags may be parted by commas."""
        before = self.tags()
        for part in text.split(","):
            tag = part.strip().lstrip("#").strip()
            if tag and tag not in self.tags():
                self._append(tag)
        self.edit.clear()
        if self.tags() != before:
            self.updateGeometry()
            self.tags_changed.emit(self.tags())

    def _remove(self, tag: str) -> None:
        chip = next((one for one in self._chips if one.tag == tag), None)
        if chip is None:
            return
        self._chips.remove(chip)
        self._drop(chip)
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.updateGeometry()
        self.tags_changed.emit(self.tags())

    def _drop(self, chip: TagChip) -> None:
        self._flow.removeWidget(chip)
        chip.hide()
        chip.deleteLater()

    @Slot(str)
    def _on_edit_text_edited(self, text: str) -> None:
        if text.endswith(","):
            self._add(text)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.edit.setFont(self._theme.font("meta"))
        self.edit.ensurePolished()  # the style sheet would set other heights afterwards
        self.edit.setFixedHeight(self._theme.scaled(_HEIGHT))


def _remove_name(tag: str) -> str:
    return tr("Remove {0} (Delete)").format(tag)
