"""How long the open entry is, and its share of what is always in context, while it is typed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot

from inklings_desktop.ui.entries.entry.subject import figures_of

if TYPE_CHECKING:
    from inklings_desktop.domain.entries.named_entry import EntryRef
    from inklings_desktop.ui.entries.entry.presenter import EntryPresenter
    from inklings_desktop.ui.entries.entry.state import EntryState
    from inklings_desktop.ui.entries.presenter import EntriesPresenter
    from inklings_desktop.ui.entries.view import EntriesView

_FIGURES_MS = 120


class EntryFigures(QObject):
    """Counts a text when it is shown, and a moment after it was typed in."""

    def __init__(
        self,
        entries: EntriesPresenter,
        entry: EntryPresenter,
        page: EntriesView,
        parent: QObject,
    ) -> None:
        """Join them.

        Args:
            entries: Knows how long every entry is.
            entry: Knows what stands in the editor.
            page: Shows the figures.
            parent: Owner.
        """
        super().__init__(parent)
        self._entries = entries
        self._entry = entry
        self._page = page
        self._measured: tuple[EntryRef | None, int] = (None, 0)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_FIGURES_MS)
        self._wait.timeout.connect(self._show)

    def follow(self, state: EntryState) -> None:
        """Count at once what was put in place of the text, and soon what was typed."""
        text = (state.ref, state.text_serial)
        if text != self._measured:
            self._measured = text
            self._show()
        elif not self._wait.isActive():
            self._wait.start()

    def show_shares(self) -> None:
        """Show what is always in context, as it would be with the text in the editor."""
        state = self._entry.state
        shares = self._entries.content.shares
        if state.ref is not None and (state.is_unsaved or state.accepts):
            entry_id, length = state.ref.id, len(state.text)
            shares = tuple(
                replace(one, n_characters=length) if one.entry_id == entry_id else one
                for one in shares
            )
        self._page.list.show_shares(shares)

    @Slot()
    def _show(self) -> None:
        self._wait.stop()
        state = self._entry.state
        if state.ref is not None:
            self._page.show_figures(figures_of(state.text))
        self.show_shares()
