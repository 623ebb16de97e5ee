"""The tags in use, worded when somebody types one."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView

from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.look.translation import tr


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
        """A row a tag; nothing lies below one."""
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
