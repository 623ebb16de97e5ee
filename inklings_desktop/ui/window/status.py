"""The status bar: keys of the moment at the left, state of the data at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt, Slot
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLabel, QStatusBar, QWidget

from inklings_desktop.ui.kit.look.layouts import fill, hbox, restyle
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint, KeyHints
from inklings_desktop.ui.kit.marks.labels import IconMark
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from PySide6.QtGui import QPaintEvent

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.page import Page

_GAP = 16


class WindowStatusBar(QStatusBar):
    """Says what the keys do and whether everything is saved."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setSizeGripEnabled(False)
        self._hints = KeyHints(theme, self)
        self._page = MEMORY_PAGE
        self._is_bare = False
        self._is_read_only = False
        self._hints.set_hints(self._memory_hints())
        self._remark = QLabel(self)
        self._file_icon = IconMark(theme, "", "", 14, self)
        self._file = QLabel(self)
        self._meaning = QLabel(self)
        self._saved_icon = IconMark(theme, "", "", 14, self)
        self._saved = QLabel(self)
        for label in (self._remark, self._file, self._meaning, self._saved):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self._unsaved = False
        self._only_looks = False
        state = QWidget(self)
        row = hbox(state, self._remark, margins=(0, 0, 12, 0), spacing=_GAP)
        named = hbox(None, self._file_icon, self._file, spacing=5)
        fill(row, named, self._meaning)
        self._pair = QWidget(state)  # gone as a whole: an empty label keeps its room
        hbox(self._pair, self._saved_icon, self._saved, margins=0, spacing=5)
        row.addWidget(self._pair)
        self.addWidget(_padded(self._hints), 1)
        self.addPermanentWidget(state)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Lets what is said in passing begin where the key hints do."""
        said = self.currentMessage()
        if not said:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        place = QRect(self._hints.mapTo(self, QPoint(0, 0)), self._hints.size())
        place.setTop(0)
        place.setBottom(self.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, said)
        painter.end()

    def show_data(self, file_name: str, *, has_model: bool) -> None:
        """Name the open file and how search answers."""
        restyle(self._file, "textStyle", "")
        self._file.setText(file_name)
        self._file_icon.setVisible(bool(file_name))
        self.show_model(is_there=has_model)
        self.show_unsaved(False)

    def show_model(self, *, is_there: bool) -> None:
        """Say how search answers."""
        restyle(self._meaning, "textStyle", "" if is_there else "ochre")
        self._show_meaning("" if is_there else tr("Searching by words only"))

    def show_keys_of(self, page_id: str, page: Page[Any] | None = None) -> None:
        """Explain the keys of the page on show.

        Args:
            page_id: Its id.
            page: It says its keys itself; None for the Memory page.
        """
        self._page = page_id
        if not self._is_read_only:
            self._remark.setText(page.remark if page is not None else "")
        self._hints.set_hints(self._memory_hints() if page is None else page.key_hints())
        if self._only_looks:
            self._show_looking_hints()

    def only_look(self) -> None:
        """Somebody looks through a client's eyes: nothing can be changed, and Esc leaves."""
        self._only_looks = True
        self._pair.hide()
        self._show_looking_hints()

    def _show_looking_hints(self) -> None:
        """Explain the keys of every page while nothing can be changed."""
        self._hints.set_hints(
            (
                KeyHint(("J", "K"), tr("move")),
                KeyHint(("/",), tr("search")),
                KeyHint(("F6",), tr("next pane")),
                KeyHint(("Esc",), tr("leave this view")),
            )
        )

    def _memory_hints(self) -> tuple[KeyHint, ...]:
        """The keys of the Memory page; others where nothing is remembered yet."""
        if self._is_bare:
            return (
                KeyHint(("Ctrl N",), tr("new memory")),
                KeyHint(("Ctrl Shift I",), tr("import")),
                KeyHint(("Ctrl K",), tr("go to")),
            )
        changes = (KeyHint(("Enter",), tr("edit")), KeyHint(("Del",), tr("forget")))
        return (
            KeyHint(("J", "K"), tr("move")),
            KeyHint(("Space",), tr("select")),
            *(() if self._is_read_only else changes),
            KeyHint(("/",), tr("search")),
        )

    def keys_told(self) -> str:
        """What is said of the keys, in words."""
        return self._hints.accessibleName()

    @Slot(bool)
    def show_bare(self, bare: bool) -> None:  # noqa: FBT001 - a signal's payload
        """Explain other keys on a Memory page that holds nothing."""
        self._is_bare = bare
        if self._page == MEMORY_PAGE:
            self.show_keys_of(MEMORY_PAGE)

    def show_read_only(self) -> None:
        """Say that nothing can be stored, instead of whether everything is."""
        restyle(self._remark, "textStyle", "error")
        self._remark.setText(tr("Read-only"))
        self._is_read_only = True
        self._hints.set_hints(self._memory_hints())
        self._saved.clear()
        self._pair.hide()

    def show_welcome(self, hints: Sequence[KeyHint], *, has_world: bool) -> None:
        """Explain the keys of the welcome, and say what no start may leave open."""
        self._hints.set_hints(hints)
        self._file.setText("agents.db" if has_world else tr("no world open yet"))
        self._show_meaning("")
        self._pair.show()
        self._saved.setText(tr("Nothing leaves this machine"))
        self._show_icons()

    def show_closed(self, why: str = "") -> None:
        """Nothing is open; in two or three words why."""
        self._file.setText(why or tr("Not opened"))
        self._file_icon.hide()
        restyle(self._file, "textStyle", "ochre")
        self._hints.set_hints((KeyHint(("Ctrl Q",), tr("quit")),))
        self._show_meaning("")
        self._saved.clear()
        self._pair.hide()

    @Slot(bool)
    def show_unsaved(self, unsaved: bool) -> None:  # noqa: FBT001 - a signal's payload
        """Say whether text is typed that is not stored."""
        if self._is_read_only:
            return
        self._unsaved = unsaved
        self._pair.setVisible(not self._only_looks)
        self._saved.setText(tr("Unsaved changes") if unsaved else tr("All changes saved"))
        self._show_icons()

    def _show_meaning(self, text: str) -> None:
        self._meaning.setText(text)
        self._meaning.setVisible(bool(text))

    def _show_icons(self) -> None:
        self._file_icon.show_icon("hard-drives", "inkFaint")
        name, role = ("circle", "ochre") if self._unsaved else ("check", "inkSoft")
        self._saved_icon.show_icon(name, role)


def _padded(widget: QWidget) -> QWidget:
    box = QWidget()
    hbox(box, (widget, 1, Qt.AlignmentFlag.AlignVCenter), margins=(12, 0, 0, 0))
    return box
