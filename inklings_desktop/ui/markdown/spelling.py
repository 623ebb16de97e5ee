"""Underlines in a field what no dictionary knows, and offers words in its menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLocale, QObject, QPoint, Slot
from PySide6.QtGui import QAction, QContextMenuEvent, QTextCharFormat, QTextCursor
from shiboken6 import isValid

from inklings_desktop.ui.kit.look.hidden_marks import TextPositions
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.timers import timer
from inklings_desktop.ui.markdown.writing_text_edit import Layer

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.markdown.writing_text_edit import WritingTextEdit

_REST_MS = 600


class SpellingMarks(QObject):
    """Checks the text of one field whenever typing rests, off the window's thread.

    Only where somebody writes: a text that is merely read stays as it is. Where there is no
    dictionary for what is written nothing is underlined. The word at the caret is left alone while
    it is being typed.
    """

    def __init__(self, context: Context, edit: WritingTextEdit, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._edit = context, edit
        self._checking = Latest(context.background)
        self._language = ""
        self._rest = timer(self, self.check, _REST_MS)
        edit.document().contentsChange.connect(self._on_changed)
        context.theme.changed.connect(self._on_theme_changed)
        for heard in (edit, edit.viewport()):
            heard.installEventFilter(self)

    @Slot()
    def check(self) -> None:
        """Look all words up."""
        self._checking.run(self._check())

    def rest(self) -> None:
        """Let every mark be, until something is typed."""
        self._rest.stop()
        self._checking.cancel()
        self._edit.marks.show(Layer.MISSPELT, ())

    async def settled(self) -> None:
        """Return once what was asked for is marked."""
        await self._checking.settled()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Begins with the keyboard, and opens the menu for a misspelt word.

        Every other menu is the field's own.
        """
        if event.type() == QEvent.Type.FocusIn and watched is self._edit:
            self._rest.start()
        if not isinstance(event, QContextMenuEvent) or self._edit.isReadOnly():
            return False
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        at = self._edit.textCursor()
        if not by_key:
            at = self._edit.cursorForPosition(
                self._edit.viewport().mapFromGlobal(event.globalPos())
            )
        word = self._misspelt_at(at.position())
        if word is None:
            return False
        place = self._edit.viewport().mapToGlobal(self._edit.cursorRect(word).bottomLeft())
        self._context.background.spawn(self._offer(word, place if by_key else event.globalPos()))
        return True

    async def _check(self) -> None:
        is_wanted = self._context.inklings.settings.appearance.check_spelling
        if not is_wanted or self._edit.isReadOnly() or self._edit.document().isEmpty():
            self._edit.marks.show(Layer.MISSPELT, ())
            return
        text = self._edit.plain_lines()
        background, spelling = self._context.background, self._context.inklings.spelling
        checked = await background.read(spelling.check, text, tuple(QLocale().uiLanguages()))
        if not isValid(self._edit) or self._edit.plain_lines() != text:
            return  # typed on meanwhile: the next rest comes
        self._language = checked.language
        positions = TextPositions(text)
        caret = self._edit.textCursor().position() if self._edit.hasFocus() else -1
        spans = [
            (positions.to_qt(one.start), positions.to_qt(one.start + len(one.text)))
            for one in checked.misspelt
        ]
        look = QTextCharFormat()
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        look.setUnderlineColor(self._context.theme.color("madder"))
        others = [one for one in spans if one[1] != caret]
        self._edit.marks.show(Layer.MISSPELT, others, look)

    def _misspelt_at(self, position: int) -> QTextCursor | None:
        marks = self._edit.marks.cursors(Layer.MISSPELT)
        return next(
            (one for one in marks if one.selectionStart() <= position <= one.selectionEnd()), None
        )

    async def _offer(self, word: QTextCursor, place: QPoint) -> None:
        spelling = self._context.inklings.spelling
        found = await self._context.background.read(
            spelling.suggest, word.selectedText(), self._language
        )
        if not isValid(self._edit) or not word.hasSelection():
            return
        menu = self._edit.createStandardContextMenu()
        first = menu.actions()[0]
        for text in found:
            self._add(menu, first, text).triggered.connect(
                lambda _=False, to=text: self._put(word, to)
            )
        if not found:
            self._add(menu, first, tr("Nothing similar is known")).setEnabled(False)
        menu.insertSeparator(first)
        learn = self._add(menu, first, tr("Add to my words"))
        learn.triggered.connect(lambda _=False: self._learn(word.selectedText()))
        menu.insertSeparator(first)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    def _add(self, menu: QMenu, before: QAction, text: str) -> QAction:
        action = QAction(text.replace("&", "&&"), menu)
        menu.insertAction(before, action)
        return action

    def _put(self, word: QTextCursor, text: str) -> None:
        """Put another word in its place, as one step of the way back."""
        word.insertText(text)
        self._edit.setTextCursor(word)

    def _learn(self, word: str) -> None:
        async def learn() -> None:
            await self._context.background.write(self._context.inklings.spelling.learn, word)
            self.check()

        self._context.background.spawn(learn())

    @Slot(int, int, int)
    def _on_changed(self, _position: int, removed: int, added: int) -> None:
        if not (removed or added):
            return
        if self._edit.hasFocus():
            self._rest.start()
        else:  # another text is shown
            self.rest()

    @Slot()
    def _on_theme_changed(self) -> None:
        if self._edit.marks.cursors(Layer.MISSPELT):
            self._rest.start()
