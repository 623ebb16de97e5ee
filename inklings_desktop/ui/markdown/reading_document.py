"""A document of Markdown in the reading face, from untrusted text, with no way to what it names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt, QUrl
from PySide6.QtGui import (
    QFont,
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

from inklings_desktop.ui.kit.look.hidden_marks import TextPositions
from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from PySide6.QtGui import QPainter

    from inklings_desktop.ui.kit.look.theme import Theme

_FEATURES = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)
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
PARAGRAPH_GAP = 12
_ITEM_GAP = 2


class ReadingDocument(QTextDocument):
    """Markdown as it reads: images as their description, HTML as the source that it is.

    What it shows was made safe by ``preview_source``.
    """

    def __init__(
        self,
        theme: Theme,
        markdown: str,
        *,
        margin: float = 0,
        gap: int = PARAGRAPH_GAP,
        quotes_stand_back: bool = True,
    ) -> None:
        """Lay out nothing yet.

        Args:
            theme: The look.
            markdown: What ``preview_source`` made of the text.
            margin: Around the text, in pixels.
            gap: Between two paragraphs, in pixels at text scale 1.
            quotes_stand_back: Whether quotations are slanted and softer than the rest.
        """
        super().__init__()
        self._theme = theme
        self._gap = gap
        self._quotes_stand_back = quotes_stand_back
        self.setUndoRedoEnabled(False)
        self.setDocumentMargin(margin)
        self.setIndentWidth(_INDENT)
        self.setDefaultFont(theme.font("editor"))
        self.setMarkdown(markdown, _FEATURES)
        self._style()

    def loadResource(self, _kind: int, _name: QUrl | str) -> None:
        return

    def paint_marks(
        self,
        painter: QPainter,
        blocks: Iterable[QTextBlock],
        scrolled: float = 0,
        role_of: Callable[[QTextBlock], str] | None = None,
    ) -> None:
        """Draw bars beside quotations and dots before items.

        Args:
            painter: Draws with antialiasing already on.
            blocks: Those on show.
            scrolled: How far the document stands above the painter's origin, in pixels.
            role_of: Colour role of the bar beside a block; the usual one where there is none.
        """
        layout = self.documentLayout()
        for block in blocks:
            rect = layout.blockBoundingRect(block).translated(0, -scrolled)
            role = "lineStrong" if role_of is None else role_of(block)
            self._paint_quote_bars(painter, rect, quote_level(block), role)
            if _is_dotted(block):
                self._paint_dot(painter, rect.topLeft(), block.layout().lineAt(0))

    def dress_links(self, face_of: Callable[[str], QTextCharFormat]) -> None:
        """Give every link another face, by where it points."""
        cursor = QTextCursor(self)
        cursor.beginEditBlock()
        faces = [
            (one.position(), one.position() + one.length(), face_of(one.charFormat().anchorHref()))
            for block in blocks_of(self)
            for one in fragments_of(block)
            if one.charFormat().isAnchor()
        ]
        for start, stop, face in faces:
            cursor.setPosition(start)
            cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(face)
        cursor.endEditBlock()

    def rows(self, style: str, above: int, below: int) -> QTextBlockFormat:
        """Lines of a style, with room above and below in pixels at text scale 1."""
        rows = QTextBlockFormat()
        height = float(self._theme.line(style))
        rows.setLineHeight(height, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        rows.setTopMargin(self._theme.scaled(above))
        rows.setBottomMargin(self._theme.scaled(below))
        return rows

    # -- inside ---------------------------------------------------------------------------

    def _paint_quote_bars(self, painter: QPainter, rect: QRectF, level: int, role: str) -> None:
        for step in range(min(level, _DEEPEST_QUOTE)):
            left = self.documentMargin() + step * _QUOTE_INDENT
            bar = QRectF(left, rect.top() + _BAR_AIR, _QUOTE_BAR, rect.height() + _BAR_AIR)
            painter.fillRect(bar, self._theme.color(role))

    def _paint_dot(self, painter: QPainter, corner: QPointF, first: QTextLine) -> None:
        middle = corner + QPointF(first.x() - _DOT_LEFT, first.y() + first.height() / 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("ink"))
        painter.drawEllipse(middle, _DOT, _DOT)

    def _style(self) -> None:
        """Sets faces and distances; the renderer takes no style sheet for Markdown."""
        cursor = QTextCursor(self)
        cursor.beginEditBlock()
        self._replace_images(cursor)
        self._set_rows(cursor)
        for block in blocks_of(self):
            self._style_block(cursor, block)
        cursor.endEditBlock()

    def _replace_images(self, cursor: QTextCursor) -> None:
        """Puts what an image is said to show into its place."""
        raw = self.toRawText()
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
        rows = self.rows("editor", 0, self._gap)
        rows.setNonBreakableLines(False)
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(rows)

    def _style_block(self, cursor: QTextCursor, block: QTextBlock) -> None:
        kind = block.blockFormat()
        cursor.setPosition(block.position())
        if (items := _list_of(block)) is not None:
            if _list_of(block.next()) is not None:
                cursor.mergeBlockFormat(self.rows("editor", 0, _ITEM_GAP))
            if items.format().style() in _DOTTED and not kind.hasProperty(_TASK):
                dotted = items.format()
                dotted.setStyle(QTextListFormat.Style.ListStyleUndefined)
                items.setFormat(dotted)
        if kind.hasProperty(_FENCE):
            cursor.mergeBlockFormat(self._code_rows(block))
        elif level := kind.headingLevel():
            style, _, above, below = _HEADINGS.get(level, _LOWER_HEADING)
            cursor.mergeBlockFormat(self.rows(style, above if block.position() else 0, below))
        elif quoted := quote_level(block):
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
        level, quoted = kind.headingLevel(), quote_level(block)
        styled = bool(level or quoted or kind.hasProperty(_FENCE))
        faces = []
        for fragment in fragments_of(block):
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
            if quoted and self._quotes_stand_back:
                face.setFontItalic(True)
                face.setForeground(self._theme.color("inkSoft"))
            if face.fontFixedPitch() or kind.hasProperty(_FENCE):
                font = self._theme.font("mono", px=_CODE_PX)
                face.setFontFamilies(font.families())
                face.setProperty(_PIXEL_SIZE, font.pixelSize())
                face.setBackground(self._theme.color("sunken"))
            faces.append((fragment.position(), fragment.position() + fragment.length(), face))
        return faces

    def _code_rows(self, block: QTextBlock) -> QTextBlockFormat:
        goes_on = block.next().blockFormat().hasProperty(_FENCE)
        rows = self.rows("editor", 0, 0 if goes_on else self._gap)
        # A ground is as high as a line is by itself: at a fixed height it would leave stripes.
        rows.setLineHeight(0, QTextBlockFormat.LineHeightTypes.SingleHeight.value)
        rows.setBackground(self._theme.color("sunken"))
        rows.setNonBreakableLines(False)
        return rows


def blocks_of(document: QTextDocument) -> Iterator[QTextBlock]:
    """The blocks of a document, in order."""
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def fragments_of(block: QTextBlock) -> Iterator[QTextFragment]:
    """The stretches of one face in a block, in order."""
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


def quote_level(block: QTextBlock) -> int:
    """How many quotations a block stands in."""
    return block.blockFormat().intProperty(_QUOTE_LEVEL)
