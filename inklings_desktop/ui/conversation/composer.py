"""Where the next message is written: a field that grows, what is attached, what becomes of it."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QIcon, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.conversation.drawing.pieces import Ink, tier_rings
from inklings_desktop.ui.conversation.words import attachment_words
from inklings_desktop.ui.kit.controls.buttons import (
    IconButton,
    KeyHintButton,
    MenuButton,
    PushButton,
)
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.cells import Celled, Icon, Line, Said, Text
from inklings_desktop.ui.kit.look.control_marks import key_name
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.layouts import STRETCH, FlowLayout, fill, hbox, vbox
from inklings_desktop.ui.kit.look.mirror import as_painted, painter_on
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.marks.meters import ShareBar
from inklings_desktop.ui.markdown.writing_text_edit import WritingTextEdit, pasted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent

    from inklings_desktop.ui.conversation.facts import Attachment
    from inklings_desktop.ui.conversation.spending import Spending
    from inklings_desktop.ui.kit.look.cells import Cell
    from inklings_desktop.ui.kit.look.theme import Theme

MOST_LINES = 8
LONG_PASTE = 4_000
"""So many characters in one paste become an attachment."""
_CHIP, _CROSS, _BAR = 24, 22, 56
_MOST_CHIP = 240
_MOST_BYTES = 200_000


class Doing(Enum):
    """What the agent does, as far as the button cares."""

    NOTHING = "send"
    ANSWERING = "stop or queue"
    CLOSED = "nothing can be said here"


class MessageEdit(WritingTextEdit):
    """One line to eight, then it scrolls. Enter sends, with Shift it makes a line.

    Attributes:
        is_enter_a_line: Whether Enter alone makes a line too, and only Ctrl+Enter sends.
        completions: How messages begin that Right at the end of the text completes.

    Signals:
        submitted: Enter was pressed.
        left: Escape was pressed.
        emptied_up: Up was pressed in the empty field.
        at_typed: An @ was typed where a name may begin.
        pasted_long: A text that is to be attached.
    """

    submitted = Signal()
    left = Signal()
    emptied_up = Signal()
    at_typed = Signal()
    pasted_long = Signal(str)
    most_bytes = _MOST_BYTES
    is_enter_a_line = False
    completions: tuple[str, ...] = ()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.setObjectName("composer")
        self.setProperty("frameless", "true")
        self.setProperty("ring", "none")
        self.setFrameShape(self.Shape.NoFrame)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self._hint = ""
        theme.dress(self._on_theme_changed)

    def show_hint(self, text: str) -> None:
        """Say in the empty field what is written there."""
        self._hint = text
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        bare, line = Qt.KeyboardModifier.NoModifier, {Qt.KeyboardModifier.ShiftModifier}
        if self.is_enter_a_line:
            line.add(bare)
        if is_enter and held in {bare, Qt.KeyboardModifier.ControlModifier} - line:
            self.submitted.emit()
            return
        if is_enter and held in line:
            self.textCursor().insertBlock()  # Qt would break the line within its paragraph
            self.ensureCursorVisible()
            return
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        if event.key() == Qt.Key.Key_Up and not self.document().characterCount() > 1:
            self.emptied_up.emit()
            return
        if event.key() == Qt.Key.Key_Right and not event.modifiers() and self._complete():
            return
        before = self.textCursor().position()
        super().keyPressEvent(event)
        if event.text() == "@" and self._begins_name(before):
            self.at_typed.emit()

    def _complete(self) -> bool:
        """Write the rest of the command that the text begins; whether it is the end of one."""
        text = self.toPlainText()
        if not text or not self.textCursor().atEnd():
            return False
        begun = (one for one in self.completions if one.casefold().startswith(text.casefold()))
        rest = next(begun, "")[len(text) :]
        self.textCursor().insertText(rest)
        return bool(rest)

    def take_back_at(self) -> None:
        """Take out the @ before the caret, which was asked for something else."""
        cursor = self.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor)
        if cursor.selectedText() == "@":
            cursor.removeSelectedText()

    def insertFromMimeData(self, source: QMimeData) -> None:
        text = source.text() or pasted(source, self.textCursor()).text
        if len(text) > LONG_PASTE:
            self.pasted_long.emit(text)
            return
        super().insertFromMimeData(source)

    @property
    def shows_hint(self) -> bool:
        """Whether nothing is written, nor being composed: a composition is not in the document."""
        composed = self.textCursor().block().layout().preeditAreaText()
        return self.document().isEmpty() and not composed and bool(self._hint)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.shows_hint:
            painter = painter_on(self.viewport())
            role = "inkFaint"
            font = self._theme.font("editor")
            room = float(self.viewport().width())
            shown = QFontMetricsF(font).elidedText(self._hint, Qt.TextElideMode.ElideRight, room)
            line, letters = self._theme.line("editor"), QFontMetricsF(font).height()
            middle = line / 2 + (line - letters) / 2  # where Qt sets what is typed
            Ink(self._theme).text(painter, 0, middle, shown, font, role)
            painter.end()
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _begins_name(self, at: int) -> bool:
        before = self.document().characterAt(at - 1) if at else " "
        return before.isspace() or before == "\u2029"

    @Slot()
    def _fit(self) -> None:
        line = self._theme.line("editor")
        wanted = round(self.document().size().height())
        height = min(max(wanted, line), MOST_LINES * line)
        is_over = wanted > height
        policies = Qt.ScrollBarPolicy
        policy = policies.ScrollBarAsNeeded if is_over else policies.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        if self.minimumHeight() != height or self.maximumHeight() != height:
            self.setFixedHeight(height)

    @Slot()
    def _on_theme_changed(self) -> None:
        self._dress_lines()
        self._fit()


class AttachmentChip(Celled, QAbstractButton):
    """Something attached: a click opens it, the cross or Del lets go of it.

    Signals:
        removed: It is not to be attached any more.
    """

    removed = Signal()
    stands_on = Ground("graphiteSoft", "chip")

    def __init__(self, theme: Theme, attachment: Attachment, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.attachment = attachment
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("ringRadius", 4)
        self.setAccessibleName(tr("Attached: {text}").format(text=attachment.title))
        self.setAccessibleDescription(tr("Del removes it"))
        self.setToolTip(plain_tool_tip(attachment.title))

    def sizeHint(self) -> QSize:
        width = Text(self.attachment.title).width(self._theme)
        taken = 8 + self._theme.icon_px(16) + 6 + width + 6 + _CROSS
        return QSize(round(min(taken, self._theme.scaled(_MOST_CHIP))), self._theme.scaled(_CHIP))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self.removed.emit()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the cross lets go of it."""
        if as_painted(event.position(), self).x() >= self.width() - _CROSS:
            self.setDown(False)
            self.removed.emit()
            return
        super().mouseReleaseEvent(event)

    def said(self) -> Said:
        mark: Cell = Icon("file-text", size=16)
        if self.attachment.tier:
            mark = tier_rings(self.attachment.tier)
        title = Text(spelled_out(" ".join(self.attachment.title.split())), gap=6)
        return Said((Line((mark, title), (Icon("x", gap=4),)),), 8, _CROSS - 18)


class Composer(QWidget):
    """The plate around the field, chips above it, and the row of buttons below it.

    Signals:
        sent: The message is to be sent, or queued.
        stopped: The agent is to stop.
        attach_wanted: Something is to be attached; whether an @ asked for it.
        changed: Text or attachments are others now.
        opened: An ``Attachment`` that is to be looked at.
    """

    sent = Signal()
    stopped = Signal()
    attach_wanted = Signal(bool)
    changed = Signal()
    opened = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._attachments: tuple[Attachment, ...] = ()
        self._doing = Doing.NOTHING
        self._plate = _Plate(theme, self)
        plate = self._plate
        self._chips = QWidget(plate)
        self._flow = FlowLayout(self._chips, gap=6, line_gap=6, squeezes=True)
        self._chips.hide()
        self.edit = MessageEdit(theme, plate)
        self.attach = IconButton(theme, "paperclip", tr("Attach memories"), parent=plate)
        self.attach.setObjectName("attach")
        self.who = named(MenuButton(theme, plate), "answersHere")
        self.who.setProperty("kind", "quiet")
        self._who = ("", "", "")
        self._spending: Spending | None = None
        self._is_narrow = False
        self.remark = plain_label("", "caption", plate)
        self.bar = ShareBar(theme, parent=plate)
        theme.dress(lambda: self.bar.setFixedWidth(theme.scaled(_BAR)))
        self.cost = named(PushButton(theme, "", kind="quiet", parent=plate), "cost")
        self.send = named(KeyHintButton(theme, tr("Send"), key_name("Enter"), plate), "send")
        self.queue = KeyHintButton(theme, tr("Queue"), key_name("Enter"), plate, kind="plain")
        self.queue.setObjectName("queue")
        self.stop = KeyHintButton(
            theme, tr("Stop"), key_name("Ctrl ."), plate, kind="plain", glyph="square"
        )
        self.stop.setObjectName("stop")
        self.halt = named(PushButton(theme, tr("Stop"), icon="square", parent=plate), "stopBeside")
        self.halt.set_word("")
        self.halt.setToolTip(tr("Stop (Ctrl+.)"))
        self.halt.setAccessibleName(tr("Stop"))
        row = hbox(None, spacing=8)
        fill(row, self.attach, self.who, STRETCH, self.remark, self.bar, self.cost)
        fill(row, self.send, self.queue, self.stop, self.halt)
        written = vbox(None, self._chips, self.edit, margins=(7, 0, 6, 0), spacing=8)
        column = vbox(plate, margins=(7, 10, 8, 8), spacing=7)
        fill(column, written, row)
        vbox(self, plate, margins=0)
        self._connect()
        self._show_buttons()

    # -- what is shown ------------------------------------------------------------------------

    def show_who(self, icon: str, name: str, short: str) -> None:
        """Show who answers, by a shorter name where it is narrow: pressing it offers the others."""
        self._who = (icon, name, short)
        self.who.setToolTip(plain_tool_tip(name))
        self.who.setAccessibleName(tr("{agent} answers").format(agent=name))
        self._dress_who()
        self.set_narrow(narrow=self._is_narrow)

    def show_cost(self, spending: Spending | None, remark: str) -> None:
        """Show what is spent of a ceiling, or a remark in its place."""
        share = None if spending is None else spending.share
        self._spending = spending
        self.remark.setText(remark)
        self.cost.setVisible(spending is not None)
        self.bar.setVisible(share is not None)
        if spending is not None:
            self.bar.set_share(share or 0.0, "ochre" if (share or 0.0) >= 1 else "accent")
            self.cost.setToolTip(plain_tool_tip(spending.told()))
            self.cost.setAccessibleName(tr("Budget. {told}").format(told=spending.told()))
        self.set_narrow(narrow=self._is_narrow)

    def set_narrow(self, *, narrow: bool) -> None:
        """Leave out words where the window is narrow."""
        self._is_narrow = narrow
        self.who.setText(self._who[2 if narrow else 1])
        self.remark.setVisible(not narrow and self._spending is None)
        if self._spending is not None:
            self.cost.setText(self._spending.words(narrow=narrow))

    @Slot()
    def _dress_who(self) -> None:
        if self._who[0]:
            self.who.setIcon(QIcon(self._theme.pixmap(self._who[0], "inkSoft", 16)))

    def show_hint(self, text: str, spoken: str) -> None:
        """Say in the empty field, and aloud, what is written there."""
        self.edit.show_hint(text)
        self.edit.setAccessibleName(spoken)

    def show_doing(self, doing: Doing, *, reason: str = "") -> None:
        """Show what can be done: send, stop, queue, or nothing, and then why."""
        self._doing = doing
        self.edit.setReadOnly(doing is Doing.CLOSED)
        self.edit.setFocusPolicy(
            Qt.FocusPolicy.NoFocus if doing is Doing.CLOSED else Qt.FocusPolicy.StrongFocus
        )
        if reason:
            self.edit.show_hint(reason)
        self._plate.set_open(is_open=doing is not Doing.CLOSED)
        self.attach.setEnabled(doing is not Doing.CLOSED)
        self._show_buttons()

    def show_attachments(self, attachments: Sequence[Attachment]) -> None:
        """Show other attachments."""
        if tuple(attachments) == self._attachments:
            return
        self._attachments = tuple(attachments)
        while self._flow.count():
            self._flow.takeAt(0)
        for old in self._chips.findChildren(AttachmentChip):
            old.hide()
            old.deleteLater()
        before: QWidget = self.edit
        for one in self._attachments:
            chip = AttachmentChip(self._theme, one, self._chips)
            chip.removed.connect(partial(self._detach, one))
            chip.clicked.connect(partial(self.opened.emit, one))
            self._flow.addWidget(chip)
            QWidget.setTabOrder(before, chip)
            before = chip
            chip.show()
        QWidget.setTabOrder(before, self.attach)
        self._chips.setVisible(bool(self._attachments))
        self._tell_keys()
        self._show_buttons()
        self.changed.emit()

    def show_send_key(self, *, is_with_ctrl: bool) -> None:
        """Send by Ctrl and Enter alone, so that Enter makes a line; or by Enter too."""
        if is_with_ctrl is self.edit.is_enter_a_line:
            return
        self.edit.is_enter_a_line = is_with_ctrl
        for button in (self.send, self.queue):
            button.show_key(key_name("Ctrl Enter" if is_with_ctrl else "Enter"))
        self._tell_keys()

    def _tell_keys(self) -> None:
        told = attachment_words(len(self._attachments))
        keys = tr("sends with Enter")
        if self.edit.is_enter_a_line:
            keys = tr("sends with Ctrl+Enter")
        self.edit.setAccessibleDescription(", ".join(one for one in (told, keys) if one))

    def attachments(self) -> tuple[Attachment, ...]:
        """What is attached."""
        return self._attachments

    def text(self) -> str:
        """What is written."""
        return self.edit.text()

    def show_text(self, text: str) -> None:
        """Show another text, the caret behind it."""
        self.edit.set_plain_text(text)
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self._on_text_changed()  # the field itself is silent where a text is put into it

    def begin(self, before: str, behind: str) -> None:
        """Put words before what is written, the caret between them, and take the keyboard."""
        self.show_text(f"{before}{behind}{self.text()}")
        cursor = self.edit.textCursor()
        cursor.setPosition(len(before))
        self.edit.setTextCursor(cursor)
        self.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @property
    def holds_something(self) -> bool:
        """Whether there is anything to send."""
        return bool(self.text().strip() or self._attachments)

    # -- inside -------------------------------------------------------------------------------

    def _connect(self) -> None:
        edit = self.edit
        edit.submitted.connect(self._on_submitted)
        edit.at_typed.connect(lambda: self.attach_wanted.emit(True))
        edit.textChanged.connect(self._on_text_changed)
        edit.installEventFilter(self)
        self.attach.clicked.connect(lambda: self.attach_wanted.emit(False))
        for button in (self.send, self.queue):
            button.clicked.connect(self._on_submitted)
        self.stop.clicked.connect(self.stopped)
        self.halt.clicked.connect(self.stopped)
        self._theme.dress(self._dress_who)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Shows on the plate whether the keyboard is in the field."""
        if event.type() in {QEvent.Type.FocusIn, QEvent.Type.FocusOut}:
            self._plate.update()
        return super().eventFilter(watched, event)

    def _show_buttons(self) -> None:
        has, doing = self.holds_something, self._doing
        is_at_work = doing is Doing.ANSWERING
        self.send.setVisible(not is_at_work)
        self.send.setEnabled(has and doing is Doing.NOTHING)
        self.queue.setVisible(is_at_work and has)
        self.halt.setVisible(is_at_work and has)
        self.stop.setVisible(is_at_work and not has)

    @Slot()
    def _on_submitted(self) -> None:
        if self.holds_something and self._doing is not Doing.CLOSED:
            self.sent.emit()

    @Slot()
    def _on_text_changed(self) -> None:
        self._show_buttons()
        self.changed.emit()

    def _detach(self, gone: Attachment) -> None:
        self.show_attachments([one for one in self._attachments if one != gone])
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)


class _Plate(Grounded, QWidget):
    """The ground of the composer; its frame says where the keyboard is."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_open = True

    def set_open(self, *, is_open: bool) -> None:
        """Show whether anything can be written."""
        self._is_open = is_open
        self.update()

    def ground(self) -> Ground:
        edit = self.findChild(MessageEdit)
        is_on = edit is not None and edit.hasFocus()
        line = "focus" if is_on else "controlBorder" if self._is_open else "line"
        return Ground("surface" if self._is_open else "sunken", "card", line, 2 if is_on else 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click beside the field is meant for it."""
        edit = self.findChild(MessageEdit)
        if edit is not None:
            edit.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)
