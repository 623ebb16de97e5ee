"""Markdown as it reads, rendered from untrusted text: nothing is loaded, no link opens."""

from collections.abc import Iterator

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QTextBlock, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextBrowser, QWidget

from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.kit.look.text_layout import block_at, wrap_mode
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.translation import counted
from inklings_desktop.ui.markdown.preview_source import block_of_line, block_starts, preview_source
from inklings_desktop.ui.markdown.reading_document import PARAGRAPH_GAP, ReadingDocument

_SIDE, _TOP = 18, 16
_DOCUMENT_MARGIN = 10


class MarkdownPreview(QTextBrowser):
    """Rendered Markdown in the reading face.

    Images show as their description, HTML as the source that it is, hidden characters by their
    code. A link under mouse or keyboard says where it points; nothing follows it.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self._shown: ReadingDocument | None = None
        self._starts: tuple[int, ...] = ()
        self.setProperty("preview", "true")
        self.setProperty("ring", "inside")
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setViewportMargins(_SIDE, _TOP - _DOCUMENT_MARGIN, _SIDE, 0)
        self.highlighted.connect(self._on_highlighted)
        theme.changed.connect(self._on_theme_changed)
        self.show_markdown("")

    def show_markdown(self, text: str) -> None:
        """Render a text; where one is shown already, the place in it is kept.

        Of a text beyond 40,000 characters, or with more items and cells than can be laid out at
        once, the head is shown, and how much is left out.
        """
        place = self.verticalScrollBar().value()
        source = preview_source(text)
        document = ReadingDocument(self._theme, source.markdown, margin=_DOCUMENT_MARGIN)
        document.setParent(self)
        self._text = text
        self._starts = block_starts(source.markdown)
        if source.n_left_out:
            self._add_notice(document, source.n_left_out)
        former, self._shown = self._shown, document
        self.setWordWrapMode(wrap_mode(source.markdown))
        self.setDocument(document)
        if former is not None:
            former.deleteLater()
        self.verticalScrollBar().setValue(place)

    def show_block(self, number: int) -> None:
        """Bring what a line of the source became to the upper edge; lines count from 0."""
        document = self.document()
        target = block_of_line(self._starts, number, document.blockCount())
        block = document.findBlockByNumber(target)
        top = document.documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(round(top) - _DOCUMENT_MARGIN if number else 0)

    def loadResource(self, _kind: int, _name: QUrl | str) -> None:
        """Gives nothing, for everything, without looking."""
        return

    def setSource(self, _name: QUrl | str, _kind: object = None) -> None:  # noqa: N802 - Qt calls it so
        """Stays where it is."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draws bars beside quotations and dots before items, then the text."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._shown is not None:
            scrolled = self.verticalScrollBar().value()
            self._shown.paint_marks(painter, self._visible_blocks(), scrolled)
        painter.end()
        super().paintEvent(event)

    # -- inside ---------------------------------------------------------------------------

    def _add_notice(self, document: ReadingDocument, n_left_out: int) -> None:
        cursor = QTextCursor(document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        face = QTextCharFormat()
        face.setForeground(self._theme.color("inkFaint"))
        cursor.insertBlock(document.rows("editor", PARAGRAPH_GAP, 0), face)
        notice = counted(
            n_left_out,
            "The preview ends here. 1 more character is in the text.",
            "The preview ends here. {n} more characters are in the text.",
        )
        cursor.insertText(notice, face)

    def _visible_blocks(self) -> Iterator[QTextBlock]:
        block = block_at(self.document(), self.verticalScrollBar().value())
        bottom = self.verticalScrollBar().value() + self.viewport().height()
        layout = self.document().documentLayout()
        while block.isValid() and layout.blockBoundingRect(block).top() <= bottom:
            yield block
            block = block.next()

    @Slot(QUrl)
    def _on_highlighted(self, target: QUrl) -> None:
        # Encoded, so that an address cannot show itself turned around or as another host.
        shown = bytes(target.toEncoded().data()).decode("ascii")
        self.setToolTip(plain_tool_tip(shown))
        self.setStatusTip(shown)

    @Slot()
    def _on_theme_changed(self) -> None:
        self.show_markdown(self._text)
