"""The texts of a turn: the author's plate, and what an agent wrote, with links into the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFontMetricsF,
    QPalette,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
)

from inklings_desktop.agent_client.rows import Touched
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.conversation.drawing.pieces import (
    DROP_QUEUED,
    EDIT_QUEUED,
    GONE,
    MEMORY,
    SHOW_ALL,
    Part,
    Piece,
)
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS
from inklings_desktop.ui.kit.look.mirror import upright
from inklings_desktop.ui.kit.look.text_layout import wrap_mode
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.markdown.preview import preview_source
from inklings_desktop.ui.markdown.reading_document import (
    ReadingDocument,
    blocks_of,
    fragments_of,
    quote_level,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from PySide6.QtGui import QPainter

    from inklings_desktop.agent_client.rows import AttachmentBlock
    from inklings_desktop.ui.conversation.drawing.pieces import Act, Ink, Look

SCHEME = "memory:"
FOLD_LINES = 12
_PARAGRAPH_GAP = 7
_CARET = 2, 18
_TIERS = {tier.value: tier for tier in Tier}


def memory_of(href: str) -> tuple[str, str] | None:
    """Tier and id that a link names; None for any other link."""
    if not href.startswith(SCHEME):
        return None
    tier, _, id_ = href.removeprefix(SCHEME).partition("/")
    return (tier, id_) if tier in _TIERS and id_ else None


class DocumentPiece(Piece):
    """A text that can be chosen and copied.

    Attributes:
        document: It, laid out at the width of the piece.
        origin: Its upper left corner within the piece.
    """

    def __init__(self, ink: Ink, document: QTextDocument) -> None:
        super().__init__(ink)
        self.document = document
        # Qt sets the letters at the foot of a line of fixed height; they belong in its middle.
        font = QFontMetricsF(document.defaultFont())
        self.lift = (ink.theme.line("editor") - font.height()) / 2
        self.origin = QPointF(0, -self.lift)

    def position_at(self, at: QPointF) -> int:
        """The place in the text at a point of the piece."""
        layout = self.document.documentLayout()
        return layout.hitTest(at - self.origin, Qt.HitTestAccuracy.FuzzyHit)

    def word_at(self, position: int) -> tuple[int, int]:
        """Where the word at a place begins and ends."""
        cursor = QTextCursor(self.document)
        cursor.setPosition(position)
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        return cursor.selectionStart(), cursor.selectionEnd()

    def chosen_text(self, start: int, stop: int) -> str:
        """What stands between two places."""
        cursor = QTextCursor(self.document)
        cursor.setPosition(start)
        cursor.setPosition(stop, QTextCursor.MoveMode.KeepAnchor)
        return cursor.selection().toPlainText()

    def _draw(self, painter: QPainter, look: Look) -> None:
        """Draw the text, and the ground of what is chosen of it."""
        context = QAbstractTextDocumentLayout.PaintContext()
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Text, self.theme.color("ink"))
        context.palette = palette
        if look.selection is not None and look.selection[0] == self.number:
            chosen = QAbstractTextDocumentLayout.Selection()
            cursor = QTextCursor(self.document)
            cursor.setPosition(look.selection[1])
            cursor.setPosition(look.selection[2], QTextCursor.MoveMode.KeepAnchor)
            chosen.cursor = cursor
            ground = QTextCharFormat()
            ground.setBackground(self.theme.color("selectionText"))
            chosen.format = ground
            context.selections = [chosen]
        self.document.documentLayout().draw(painter, context)


class PlatePiece(DocumentPiece):
    """What the author said, on a sunken plate, with what is attached below it."""

    gap = 6
    _SIDE, _ABOVE, _CHIP = 14, 9, 24

    def __init__(
        self,
        ink: Ink,
        text: str,
        attachments: Sequence[AttachmentBlock],
        *,
        is_whole: bool,
        is_queued: bool,
    ) -> None:
        super().__init__(ink, _plain_document(ink, text, "inkSoft" if is_queued else "ink"))
        self._is_queued = is_queued
        self._text, self._attachments = text, attachments
        self._is_whole = is_whole
        self._is_folded = False
        self._shown = 0.0
        self._chips: list[tuple[QRectF, AttachmentBlock]] = []
        self._words: list[tuple[str, Act, QPointF]] = []

    def lay(self, width: float) -> None:
        """The text, to twelve lines while it is folded, and the chips."""
        line = self.theme.line("editor")
        self.width = width
        self.document.setTextWidth(width - 2 * self._SIDE)
        whole = self.document.size().height() if self._text else 0.0
        self._is_folded = not self._is_whole and whole > (FOLD_LINES + 1) * line
        self._shown = float(FOLD_LINES * line) if self._is_folded else whole
        self.origin = QPointF(self._SIDE, self._ABOVE - self.lift)
        y = self._ABOVE + self._shown + (self.theme.scaled(25) if self._is_folded else 0)
        self._chips = []
        x, height = float(self._SIDE), self.theme.scaled(self._CHIP)
        if self._attachments and self._text:
            y += 6
        for one in self._attachments:
            taken = min(self._chip_width(one), width - 2 * self._SIDE)
            if x > self._SIDE and x + taken > width - self._SIDE:
                x, y = float(self._SIDE), y + height + 6
            self._chips.append((QRectF(x, y, taken, height), one))
            x += taken + 6
        y += height if self._chips else 0
        self._words = []
        if self._is_folded:
            top = self._ABOVE + self._shown
            self._words.append((tr("Show all"), (SHOW_ALL,), QPointF(self._SIDE, top)))
        if self._is_queued:
            x = float(self._SIDE)
            for text, act in ((tr("Edit"), EDIT_QUEUED), (tr("Remove"), DROP_QUEUED)):
                self._words.append((text, (act,), QPointF(x, y)))
                x += self.ink.width(text, self.ink.font()) + 16
            y += self.theme.scaled(22)
        self.height = y + self._ABOVE

    def paint(self, painter: QPainter, look: Look) -> None:
        self.theme.draw_box(painter, QRectF(0, 0, self.width, self.height), "sunken", 8)
        painter.save()
        painter.setClipRect(QRectF(0, self._ABOVE, self.width, self._shown))
        with upright(painter, self.width / 2):
            painter.translate(self.origin)
            self._draw(painter, look)
            painter.translate(-self.origin)
        painter.restore()
        for part in self.parts():
            middle, font = part.rect.center().y(), self.ink.font()
            if part.act[0] != MEMORY:
                self.ink.text(painter, part.rect.left(), middle, part.name, font, "lapis")
            if look.focused == part.key:
                self.ink.ring(painter, part.rect)
        for place, one in self._chips:
            self._paint_chip(painter, place, one)

    def parts(self) -> Sequence[Part]:
        """What can be done with it, and the memories that are attached."""
        found = []
        for text, act, corner in self._words:
            size = QSizeF(self.ink.width(text, self.ink.font()), self.theme.scaled(22))
            found.append(Part(self._key(act[0]), QRectF(corner, size), text, act))
        for number, (place, one) in enumerate(self._chips):
            if (memory := attached_memory(one)) is not None:
                name = tr("Attached: {text}").format(text=one.title)
                found.append(Part(self._key(number), place, name, (MEMORY, memory)))
        return found

    def spoken(self) -> str:
        n = len(self._attachments)
        told = counted(n, "1 attachment", "{n} attachments") if n else ""
        return ", ".join(one for one in (self._text, told) if one)

    def _chip_width(self, one: AttachmentBlock) -> float:
        return self.theme.icon_px(16) + self.ink.width(one.title, self.ink.font()) + 25

    def _paint_chip(self, painter: QPainter, place: QRectF, one: AttachmentBlock) -> None:
        ink, middle = self.ink, place.center().y()
        self.theme.draw_box(painter, place, "graphiteSoft", "chip")
        memory = attached_memory(one)
        x = place.left() + 8
        if memory is not None:
            x = ink.tier(painter, x, middle, memory.tier) + 6
        else:
            x = ink.icon(painter, x, middle, "file-text", "inkSoft") + 6
        shown = ink.fitted(one.title, ink.font(), place.right() - 8 - x)
        ink.text(painter, x, middle, shown, ink.font(), "inkSoft")


class AnswerPiece(DocumentPiece):
    """What an agent wrote: Markdown, with the memories that it quotes as links.

    Attributes:
        known: What its links may lead to, by tier and id.
        cost: What rendering it took of the budget of its turn.
        n_left_out: Characters that were too much for that.
        is_live: Whether more is being written to it.
    """

    def __init__(
        self,
        ink: Ink,
        markdown: str,
        known: Mapping[tuple[str, str], Touched],
        *,
        gap: int,
        budget: int,
    ) -> None:
        source = preview_source(markdown, budget)
        document = ReadingDocument(
            ink.theme, source.markdown, gap=_PARAGRAPH_GAP, quotes_stand_back=False
        )
        super().__init__(ink, document)
        self.gap = gap
        self.known, self.cost, self.n_left_out = known, source.cost, source.n_left_out
        self.is_live = False
        document.dress_links(self._face_of)
        document.setDefaultTextOption(_option(document, source.markdown))
        self._links: list[tuple[QRectF, str, str]] = []

    def lay(self, width: float) -> None:
        """The text; the room below its last paragraph is the next piece's."""
        self.width = width
        self.document.setTextWidth(width)
        last = self.document.lastBlock()
        top = self.document.documentLayout().blockBoundingRect(last).top()
        self.height = top + last.layout().boundingRect().height()
        self._links = list(self._found_links())

    def paint(self, painter: QPainter, look: Look) -> None:
        """Draw the text, bars beside quotations, and the caret of what is being written."""
        document = self.document
        assert isinstance(document, ReadingDocument)
        with upright(painter, self.width / 2):
            for part in self.parts() if look.focused else ():
                if look.focused == part.key:
                    self.ink.ring(painter, part.rect)
            painter.translate(self.origin)
            document.paint_marks(painter, blocks_of(document), role_of=self._bar_role)
            self._draw(painter, look)
            if self.is_live:
                painter.fillRect(self._caret(), self.theme.color("accent"))

    def parts(self) -> Sequence[Part]:
        """The links into the memory; one that leads nowhere is plain text with a tip."""
        found = []
        for number, (rect, href, words) in enumerate(self._links):
            memory = memory_of(href)
            touched = None if memory is None else self.known.get(memory)
            key = self._key(number)
            if touched is not None:
                found.append(Part(key, rect, words, (MEMORY, touched), touched.excerpt))
            else:
                tip = tr("No such memory") if memory is not None else href
                found.append(Part(key, rect, "", (GONE,), tip))
        return found

    def spoken(self) -> str:
        return self.document.toPlainText()

    def _face_of(self, href: str) -> QTextCharFormat:
        face = QTextCharFormat()
        memory = memory_of(href)
        if memory is not None and memory in self.known:
            face.setForeground(self.theme.color("lapis"))
            face.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
            face.setUnderlineColor(self.theme.color("lapis"))
        else:
            face.setForeground(self.theme.color("ink"))
            face.setUnderlineStyle(QTextCharFormat.UnderlineStyle.NoUnderline)
            face.setFontUnderline(False)
        return face

    def _bar_role(self, block: QTextBlock) -> str:
        """The colour of a bar: the tier's beside a quoted memory, else the usual one."""
        first = block
        while quote_level(first.previous()):
            first = first.previous()
        while first.isValid() and quote_level(first):
            for one in fragments_of(first):
                memory = memory_of(one.charFormat().anchorHref())
                if memory is not None and memory in self.known:
                    return TIER_MARKS[_TIERS[memory[0]]][1]
            first = first.next()
        return "lineStrong"

    def _found_links(self) -> Iterable[tuple[QRectF, str, str]]:
        layout = self.document.documentLayout()
        for block in blocks_of(self.document):
            corner = layout.blockBoundingRect(block).topLeft()
            for one in fragments_of(block):
                if not (href := one.charFormat().anchorHref()):
                    continue
                start, stop = one.position() - block.position(), one.length()
                lines = block.layout()
                at, end = start, start + stop
                while at < end:
                    line = lines.lineForTextPosition(at)
                    if not line.isValid():
                        break
                    upto = min(end, line.textStart() + line.textLength())
                    left, right = line.cursorToX(at), line.cursorToX(upto)
                    x0, x1 = _x(left), _x(right)
                    rect = QRectF(min(x0, x1), line.y(), abs(x1 - x0), line.height())
                    yield rect.translated(corner + self.origin), href, one.text()
                    at = max(upto, at + 1)

    def _caret(self) -> QRectF:
        block = self.document.lastBlock()
        lines = block.layout()
        line = lines.lineAt(lines.lineCount() - 1)
        corner = self.document.documentLayout().blockBoundingRect(block).topLeft()
        width, height = _CARET[0], self.theme.scaled(_CARET[1])
        if not line.isValid():
            return QRectF(corner.x(), corner.y(), width, height)
        x = _x(line.cursorToX(block.length() - 1)) + 2
        middle = line.y() + self.theme.line("editor") / 2 + self.lift
        return QRectF(corner.x() + x, corner.y() + middle - height / 2, width, height)


def attached_memory(one: AttachmentBlock) -> Touched | None:
    """The memory that an attachment is; None for a text."""
    _, found, path = one.uri.partition("inklings://memory/")
    tier, _, id_ = path.partition("/")
    return Touched(id_, tier, excerpt=one.title) if found and tier in _TIERS and id_ else None


def _x(told: object) -> float:
    """Qt answers with the place it settled on as well."""
    found = told[0] if isinstance(told, tuple) else told
    assert isinstance(found, float)
    return found


def _option(document: QTextDocument, text: str) -> QTextOption:
    option = document.defaultTextOption()
    option.setWrapMode(wrap_mode(text))
    return option


def _plain_document(ink: Ink, text: str, role: str) -> QTextDocument:
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.setDocumentMargin(0)
    document.setDefaultFont(ink.theme.font("editor"))
    document.setDefaultTextOption(_option(document, text))
    cursor = QTextCursor(document)
    rows = QTextBlockFormat()
    kind = QTextBlockFormat.LineHeightTypes.FixedHeight.value
    rows.setLineHeight(float(ink.theme.line("editor")), kind)
    face = QTextCharFormat()
    face.setForeground(ink.theme.color(role))
    cursor.setBlockFormat(rows)
    cursor.insertText(spelled_out(text), face)
    return document
