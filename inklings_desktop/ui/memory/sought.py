"""Marks in the open memory what the search on show was for, and leads from one to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut, QTextCharFormat

from inklings_desktop.domain.words.query_text import match_spans
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.look.hidden_marks import TextPositions
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.markdown.text_marks import Layer

if TYPE_CHECKING:
    from inklings_desktop.domain.words.query_text import KeywordQuery
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.markdown.writing_text_edit import GrowingTextEdit
    from inklings_desktop.ui.memory.list.presenter import ListPresenter
    from inklings_desktop.ui.memory.subject.presenter import InspectorPresenter

NEXT_MATCH, PREVIOUS_MATCH = "F3", "Shift+F3"


class SoughtMarks(QObject):
    """Keeps the marks true to the memory that is open and to what is searched for."""

    def __init__(
        self,
        context: Context,
        *,
        found: ListPresenter,
        subject: InspectorPresenter,
        edit: GrowingTextEdit,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._background, self._theme = context.background, context.theme
        self._found, self._subject, self._edit = found, subject, edit
        self._looking = Latest(context.background)
        self._marked: tuple[str, KeywordQuery] | None = None
        for told in (subject.state_changed, found.content_changed):
            told.connect(self._on_shown)
        context.theme.changed.connect(self._show_again)
        for keys, way in ((NEXT_MATCH, 1), (PREVIOUS_MATCH, -1)):
            key = QShortcut(QKeySequence(keys), edit)
            key.setContext(Qt.ShortcutContext.WidgetShortcut)
            key.activated.connect(self._next if way > 0 else self._previous)

    @Slot()
    def _on_shown(self) -> None:
        """Look anew once another memory is open, or something else is searched for."""
        entry, query = self._subject.current_entry, self._found.query
        wanted = (entry.id, query) if entry is not None and query is not None else None
        if wanted == self._marked:
            return
        self._marked = wanted
        self._show_again()

    @Slot()
    def _show_again(self) -> None:
        self._looking.cancel()
        if self._marked is None:
            self._edit.marks.show(Layer.SOUGHT, ())
        else:
            self._looking.run(self._mark(self._marked[1]))

    async def _mark(self, query: KeywordQuery) -> None:
        text = self._edit.plain_lines()
        found = await self._background.read(match_spans, text, query)
        if self._edit.plain_lines() != text:
            return  # typed on meanwhile: what is written is no answer of a search
        positions = TextPositions(text)
        spans = [(positions.to_qt(at), positions.to_qt(at + length)) for at, length in found]
        look = QTextCharFormat()
        look.setBackground(self._theme.color("ochreSoft"))
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        look.setUnderlineColor(self._theme.color("ochre"))
        self._edit.marks.show(Layer.SOUGHT, spans, look)
        if not self._edit.hasFocus() and (cursors := self._edit.marks.cursors(Layer.SOUGHT)):
            self._edit.bring_into_view(cursors[0])

    @Slot()
    def _next(self) -> None:
        self._step(1)

    @Slot()
    def _previous(self) -> None:
        self._step(-1)

    def _step(self, way: int) -> None:
        if not self._edit.marks.step(Layer.SOUGHT, way):
            announce(self._edit, tr("Nothing in this memory is marked by a search"))
