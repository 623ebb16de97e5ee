"""Markdown as it reads, rendered from untrusted text: nothing is loaded, no link opens."""

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF, Qt, QUrl, Slot
from PySide6.QtGui import (
    QFont,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextLine,
    QTextList,
    QTextListFormat,
)
from PySide6.QtWidgets import QTextBrowser, QWidget

from inklings_desktop.ui.kit.look.hidden_marks import TextPositions
from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.kit.look.text_layout import block_at, wrap_mode
from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.markdown.preview_source import block_of_line, block_starts, preview_source

_FEATURES = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)
_SIDE, _TOP = 18, 16
_DOCUMENT_MARGIN = 10
_INDENT = 20
_QUOTE_INDENT, _QUOTE_BAR, _DEEPEST_QUOTE = 17, 3, 8
_BAR_AIR = 2
_CODE_PX = 14
_OBJECT = "\ufffc"
_QUOTE_LEVEL = QTextFormat.Property.BlockQuoteLevel.value
_TASK = QTextFormat.Property.BlockMarker.value
_DOTTED = frozenset(
    {
        QTextListFormat.Style.ListDisc,
        QTextListFormat.Style.ListCircle,
        QTextListFormat.Style.ListSquare,
    }
)
_DOT, _DOT_LEFT = 2.7, 16.5
_FENCE = QTextFormat.Property.BlockCodeFence.value
_PIXEL_SIZE = QTextFormat.Property.FontPixelSize.value
_SIZE_STEP = QTextFormat.Property.FontSizeAdjustment.value

# Type style, its size, room above and below, in pixels at text scale 1.
_HEADINGS = {1: ("title", 22, 4, 8), 2: ("tab", 17, 16, 6)}
_LOWER_HEADING = ("tab", 16, 12, 4)
_PARAGRAPH_GAP, _ITEM_GAP = 12, 2


class _SealedDocument(QTextDocument):
    """A document that has no way to what its text names."""

    def loadResource(self, _kind: int, _name: QUrl | str) -> None:
        """Gives nothing, for everything, without looking."""
        return


class MarkdownPreview(QTextBrowser):
    """Rendered Markdown in the reading face.

    Images show as their description, HTML as the source that it is, hidden characters by their
    code. A link under mouse or keyboard says where it points; nothing follows it.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self._shown: _SealedDocument | None = None
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
        document = _SealedDocument(self)
        document.setUndoRedoEnabled(False)
        document.setDocumentMargin(_DOCUMENT_MARGIN)
        document.setIndentWidth(_INDENT)
        document.setDefaultFont(self._theme.font("editor"))
        document.setMarkdown(source.markdown, _FEATURES)
        self._style(document)
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
        layout = self.document().documentLayout()
        scrolled = self.verticalScrollBar().value()
        for block in self._visible_blocks():
            rect = layout.blockBoundingRect(block).translated(0, -scrolled)
            self._paint_quote_bars(painter, rect, _quote_level(block))
            if _is_dotted(block):
                self._paint_dot(painter, rect.topLeft(), block.layout().lineAt(0))
        painter.end()
        super().paintEvent(event)

    # -- inside ---------------------------------------------------------------------------

    def _paint_quote_bars(self, painter: QPainter, rect: QRectF, level: int) -> None:
        for step in range(min(level, _DEEPEST_QUOTE)):
            left = _DOCUMENT_MARGIN + step * _QUOTE_INDENT
            bar = QRectF(left, rect.top() + _BAR_AIR, _QUOTE_BAR, rect.height() + _BAR_AIR)
            painter.fillRect(bar, self._theme.color("lineStrong"))

    def _paint_dot(self, painter: QPainter, corner: QPointF, first: QTextLine) -> None:
        middle = corner + QPointF(first.x() - _DOT_LEFT, first.y() + first.height() / 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("ink"))
        painter.drawEllipse(middle, _DOT, _DOT)

    def _style(self, document: QTextDocument) -> None:
        """Sets faces and distances; the renderer takes no style sheet for Markdown."""
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        self._replace_images(cursor, document)
        self._set_rows(cursor)
        for block in _blocks(document):
            self._style_block(cursor, block)
        cursor.endEditBlock()

    def _replace_images(self, cursor: QTextCursor, document: QTextDocument) -> None:
        """Puts what an image is said to show into its place."""
        raw = document.toRawText()
        positions = TextPositions(raw)
        plain = QTextCharFormat()
        plain.setForeground(self._theme.color("inkFaint"))
        at = raw.rfind(_OBJECT)
        while at >= 0:
            spot = positions.to_qt(at)
            cursor.setPosition(spot)
            cursor.setPosition(spot + 1, QTextCursor.MoveMode.KeepAnchor)
            image = cursor.charFormat()
            if image.isImageFormat():
                told = str(image.property(QTextFormat.Property.ImageAltText.value) or "")
                told = told or image.toImageFormat().name()
                cursor.insertText(tr("[image: {0}]").format(told), plain)
            at = raw.rfind(_OBJECT, 0, at)

    def _set_rows(self, cursor: QTextCursor) -> None:
        rows = self._rows("editor", 0, _PARAGRAPH_GAP)
        rows.setNonBreakableLines(False)
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(rows)

    def _style_block(self, cursor: QTextCursor, block: QTextBlock) -> None:
        kind = block.blockFormat()
        cursor.setPosition(block.position())
        if (items := _list_of(block)) is not None:
            if _list_of(block.next()) is not None:
                cursor.mergeBlockFormat(self._rows("editor", 0, _ITEM_GAP))
            if items.format().style() in _DOTTED and not kind.hasProperty(_TASK):
                dotted = items.format()
                dotted.setStyle(QTextListFormat.Style.ListStyleUndefined)
                items.setFormat(dotted)
        if kind.hasProperty(_FENCE):
            cursor.mergeBlockFormat(self._code_rows(block))
        elif level := kind.headingLevel():
            style, _, above, below = _HEADINGS.get(level, _LOWER_HEADING)
            cursor.mergeBlockFormat(self._rows(style, above if block.position() else 0, below))
        elif quoted := _quote_level(block):
            rows = QTextBlockFormat()
            rows.setLeftMargin(_QUOTE_INDENT * min(quoted, _DEEPEST_QUOTE))
            rows.setRightMargin(0)
            cursor.mergeBlockFormat(rows)
        for start, stop, face in self._faces(block):
            cursor.setPosition(start)
            cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(face)

    def _faces(self, block: QTextBlock) -> list[tuple[int, int, QTextCharFormat]]:
        """Start, end and new face of every stretch that the renderer gave another one."""
        kind = block.blockFormat()
        level, quoted = kind.headingLevel(), _quote_level(block)
        styled = bool(level or quoted or kind.hasProperty(_FENCE))
        faces = []
        for fragment in _fragments(block):
            face = fragment.charFormat()
            if not (styled or face.fontFixedPitch() or face.fontWeight() > QFont.Weight.DemiBold):
                continue
            if face.fontWeight() > QFont.Weight.DemiBold:
                face.setFontWeight(QFont.Weight.DemiBold)
            if level:
                style, px, _, _ = _HEADINGS.get(level, _LOWER_HEADING)
                face.clearProperty(_SIZE_STEP)
                face.setProperty(_PIXEL_SIZE, self._theme.font(style, px=px).pixelSize())
                face.setFontWeight(QFont.Weight.DemiBold)
            if quoted:
                face.setFontItalic(True)
                face.setForeground(self._theme.color("inkSoft"))
            if face.fontFixedPitch() or kind.hasProperty(_FENCE):
                font = self._theme.font("mono", px=_CODE_PX)
                face.setFontFamilies(font.families())
                face.setProperty(_PIXEL_SIZE, font.pixelSize())
                face.setBackground(self._theme.color("sunken"))
            faces.append((fragment.position(), fragment.position() + fragment.length(), face))
        return faces

    def _rows(self, style: str, above: int, below: int) -> QTextBlockFormat:
        rows = QTextBlockFormat()
        height = float(self._theme.line(style))
        rows.setLineHeight(height, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        rows.setTopMargin(self._theme.scaled(above))
        rows.setBottomMargin(self._theme.scaled(below))
        return rows

    def _code_rows(self, block: QTextBlock) -> QTextBlockFormat:
        goes_on = block.next().blockFormat().hasProperty(_FENCE)
        rows = self._rows("editor", 0, 0 if goes_on else _PARAGRAPH_GAP)
        rows.setBackground(self._theme.color("sunken"))
        rows.setNonBreakableLines(False)
        return rows

    def _add_notice(self, document: QTextDocument, n_left_out: int) -> None:
        cursor = QTextCursor(document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        face = QTextCharFormat()
        face.setForeground(self._theme.color("inkFaint"))
        cursor.insertBlock(self._rows("editor", _PARAGRAPH_GAP, 0), face)
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


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def _fragments(block: QTextBlock) -> Iterator[QTextFragment]:
    place = block.begin()
    while not place.atEnd():
        yield place.fragment()
        place += 1


def _is_dotted(block: QTextBlock) -> bool:
    """Whether a block is an item whose dot is ours to paint; numbers and boxes are Qt's."""
    items = _list_of(block)
    if items is None or block.blockFormat().hasProperty(_TASK):
        return False
    return items.format().style() == QTextListFormat.Style.ListStyleUndefined


def _list_of(block: QTextBlock) -> QTextList | None:
    """The list that a block is an item of; the stubs forget that there may be none."""
    return block.textList()


def _quote_level(block: QTextBlock) -> int:
    return block.blockFormat().intProperty(_QUOTE_LEVEL)
