"""The text of an entry: Markdown source at the left, what the agent will read at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QToolButton, QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.entries.opened import EntryMode, OpenEntry
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import fill, hbox, on_ground, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import elided_label, plain_label, rule
from inklings_desktop.ui.markdown.editor import MarkdownEditor
from inklings_desktop.ui.markdown.find_bar import FindBar
from inklings_desktop.ui.markdown.formatting import MarkdownFormat
from inklings_desktop.ui.markdown.preview import MarkdownPreview

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from inklings_desktop.domain.entries.named_entry import EntryRef, NamedEntry
    from inklings_desktop.ui.kit.look.theme import Theme


_BAR_HEIGHT = 38
_GUTTER = 28
_SIDE = 20
_HALF = 10_000  # only the ratio matters

_PREVIEW_MS = 200
_LONGEST_PREVIEW_WAIT_MS = 900
_LONG_TEXT = 8_000
_LONG_PREVIEW_MS = 900

_FORMAT_ICONS = {
    MarkdownFormat.HEADING: "text-h",
    MarkdownFormat.STRONG: "text-b",
    MarkdownFormat.EMPHASIS: "text-italic",
    MarkdownFormat.QUOTE: "quotes",
    MarkdownFormat.BULLETS: "list-bullets",
    MarkdownFormat.NUMBERS: "list-numbers",
    MarkdownFormat.LINK: "link-simple",
    MarkdownFormat.CODE: "code",
}


class EntryEditorPane(QWidget):
    """Editor and preview of one entry.

    A text that stands in the editor is not touched unless the entry says that it was replaced.

    Signals:
        edited: Something was typed.
    """

    edited = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._loaded: tuple[EntryRef | None, int] = (None, -1)
        self._mode = EntryMode.SPLIT
        self._is_focused = False
        self._only_looks = False
        self._is_loading = False
        self._previewed: str | None = None
        self.editor = named(MarkdownEditor(theme, self), "entryEditor", tr("Text of the entry"))
        self.find_bar = FindBar(theme, self.editor, self)
        self.preview = named(MarkdownPreview(theme, self), "entryPreview")
        self.preview.setAccessibleName(tr("As the agent will read it"))
        self._formats = self._made_formats()
        self._splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self._splitter.setHandleWidth(1)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self._made_source())
        self._splitter.addWidget(self._made_reading())
        self._splitter.setStretchFactor(0, 1)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setSizes([_HALF, _HALF])
        self._wait = QTimer(self)
        self._longest_wait = QTimer(self)
        for timer in (self._wait, self._longest_wait):
            timer.setSingleShot(True)
            timer.timeout.connect(self.refresh_preview)
        vbox(self, self._splitter, margins=0)
        self.editor.edited.connect(self._on_editor_edited)
        self.editor.scrolled.connect(self._on_editor_scrolled)
        for bar in (self._formats, self._reading_head):
            theme.hold_height(bar, _BAR_HEIGHT)

    # -- shown ------------------------------------------------------------------------------

    def show_entry(self, shown: OpenEntry) -> None:
        """Show an entry's text, unless it stands in the editor already."""
        if (shown.ref, shown.serial) != self._loaded:
            is_other = shown.ref != self._loaded[0]
            self._loaded = (shown.ref, shown.serial)
            self.editor.setPlaceholderText(self._placeholder(shown.entry))
            self._load(shown, is_other=is_other)
        self.editor.setReadOnly(not shown.is_editable)
        for action in self.editor.format_actions().values():
            action.setEnabled(shown.is_editable)

    def show_mode(self, mode: EntryMode) -> None:
        """Show the text alone, or beside what the agent will read."""
        self._mode = mode
        is_wanted = mode is EntryMode.SPLIT and not self._is_focused
        if is_wanted != self._reading.isVisibleTo(self):
            self._reading.setVisible(is_wanted)
            self.refresh_preview()

    def only_look(self) -> None:
        """Offer nothing that would change the text."""
        self._only_looks = True
        self._show_formats()

    def set_focus_mode(self, *, on: bool) -> None:
        """Show nothing but the text, its lines narrowed to a reading measure."""
        self._is_focused = on
        self._show_formats()
        self.editor.set_focus_mode(on=on)
        self.show_mode(self._mode)

    def text(self) -> str:
        """What stands in the editor, character for character."""
        return self.editor.text()

    @Slot()
    def focus_editor(self) -> None:
        """Put the keyboard into the text."""
        self.editor.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot()
    def refresh_preview(self) -> None:
        """Show what the agent will read, as the text stands now."""
        self._wait.stop()
        self._longest_wait.stop()
        if not self._reading.isVisibleTo(self):
            self._previewed = None
            return
        text = self.editor.text()
        if text != self._previewed:
            self._previewed = text
            self.preview.show_markdown(text)
        self.preview.show_block(self.editor.first_visible_block())

    def tab_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [*self._formats.findChildren(QToolButton), self.editor, self.preview]

    # -- inside -----------------------------------------------------------------------------

    def _show_formats(self) -> None:
        for part in (self._formats, self._formats_rule):
            part.setVisible(not (self._is_focused or self._only_looks))

    def _placeholder(self, entry: NamedEntry) -> str:
        if not entry.is_built_in:
            return tr("Write what the agent should always know.")
        if entry.tier is Tier.ACCOUNT:
            return tr("Write here who the agent is with you.")
        return tr("Write how this world should sound. The agent reads it at every turn.")

    def _load(self, shown: OpenEntry, *, is_other: bool) -> None:
        self._is_loading = True
        try:
            if shown.is_undoable and not is_other:
                self.editor.replace_text(shown.text)
                if self.editor.text() == shown.text:
                    return
            place = 0 if is_other else self.editor.first_visible_block()
            caret = 0 if is_other else self.editor.textCursor().position()
            self.editor.set_plain_text(shown.text)
            if not is_other:
                cursor = self.editor.textCursor()
                cursor.setPosition(min(caret, self.editor.document().characterCount() - 1))
                self.editor.setTextCursor(cursor)
                self.editor.scroll_to_block(place)
        finally:
            self._is_loading = False
            self.refresh_preview()

    def _made_formats(self) -> QWidget:
        bar = QWidget(self)
        row = hbox(bar, margins=(_GUTTER - 7, 0, _SIDE, 0), spacing=4)
        for kind, action in self.editor.format_actions().items():
            row.addWidget(_FormatButton(self._theme, action, _FORMAT_ICONS[kind], bar))
        row.addStretch(1)
        on_ground(bar, "surface")
        return bar

    def _made_source(self) -> QWidget:
        source = QWidget(self)
        self._formats_rule = rule(source)
        column = vbox(source, margins=0, spacing=0)
        fill(column, self._formats, self._formats_rule, self.find_bar, (self.editor, 1))
        source.setMinimumWidth(240)
        return source

    def _made_reading(self) -> QWidget:
        self._reading = QWidget(self)
        on_ground(self._reading, "canvas")
        self._reading_head = QWidget(self._reading)
        row = QHBoxLayout(self._reading_head)
        row.setContentsMargins(_GUTTER, 0, _GUTTER, 0)
        row.addWidget(plain_label(tr("Preview"), "label", self._reading_head))
        row.addStretch(1)
        row.addWidget(elided_label(tr("as the agent will read it"), "meta", self._reading))
        column = vbox(self._reading, margins=0, spacing=0)
        fill(column, self._reading_head, rule(self._reading), (self.preview, 1))
        self._reading.setMinimumWidth(220)
        return self._reading

    @Slot()
    def _on_editor_edited(self) -> None:
        if self._is_loading:
            return
        if self._reading.isVisibleTo(self):
            # Rendering a long text takes longer than a key should: it waits for a pause.
            is_long = self.editor.document().characterCount() > _LONG_TEXT
            self._wait.start(_LONG_PREVIEW_MS if is_long else _PREVIEW_MS)
            if not is_long and not self._longest_wait.isActive():
                self._longest_wait.start(_LONGEST_PREVIEW_WAIT_MS)
        self.edited.emit()

    @Slot(int)
    def _on_editor_scrolled(self, block: int) -> None:
        if self._reading.isVisibleTo(self):
            self.preview.show_block(block)


class _FormatButton(QToolButton):
    """One formatting action as an icon; its key stands in the tool tip."""

    def __init__(self, theme: Theme, action: QAction, icon: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon_name = icon
        self._action = action
        self.setProperty("flat", "true")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(action.text())
        keys = action.shortcut().toString()
        self.setToolTip(f"{action.text()} ({keys})" if keys else action.text())
        self.clicked.connect(action.trigger)
        action.changed.connect(self._on_action_changed)
        theme.dress(self._on_theme_changed)

    @Slot()
    def _on_action_changed(self) -> None:
        self.setEnabled(self._action.isEnabled())

    @Slot()
    def _on_theme_changed(self) -> None:
        theme = self._theme
        edge = theme.icon_px(16)
        self.setIcon(theme.icon(self._icon_name, "inkSoft", 16))
        self.setIconSize(QSize(edge, edge))
        side = max(theme.px("controlSmall"), theme.px("hitTargetMin"))
        self.setFixedSize(side, side)
