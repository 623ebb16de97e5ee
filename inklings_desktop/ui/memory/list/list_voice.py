"""What the list holds and what a search came to, in words: above it, below it, read out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    Signal,
    Slot,
)
from PySide6.QtWidgets import QWidget

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.labels import elided_label, rule
from inklings_desktop.ui.kit.words.memory_facts import tier_title

if TYPE_CHECKING:
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.marks.empty_state import EmptyState
    from inklings_desktop.ui.memory.list.content import ListContent
    from inklings_desktop.ui.memory.list.table.header import MemoryHeader
    from inklings_desktop.ui.memory.list.table.table import MemoryTable


class ListVoice:
    """Speaks of one list, beside its search field and to those who do not see it."""

    def __init__(self, header: MemoryHeader, table: MemoryTable, empty: EmptyState) -> None:
        """Know the parts that bear the words.

        Args:
            header: Holds the search field, which shows what was found.
            table: The list.
            empty: Stands where nothing is listed.
        """
        self._header = header
        self._table = table
        self._empty = empty
        self._told: tuple[str, str] | None = None

    def show_result(self, content: ListContent) -> None:
        """Show in the search field what was found, and in which mode."""
        search = self._header.search
        if not content.request.is_search:
            is_hybrid = search.mode() == SearchMode.HYBRID.value
            search.set_result("", tr("By meaning") if is_hybrid else tr("By words"))
            return
        is_fallback = content.answered_by not in {None, content.request.mode}
        n = content.n_memories
        found = {
            (False, False): counted(n, "1 found", "{n} found"),
            (False, True): counted(n, "1 found by words", "{n} found by words"),
            (True, False): counted(n, "Best 1", "Best {n}"),
            (True, True): counted(n, "Best 1 by words", "Best {n} by words"),
        }[content.is_cut, is_fallback]
        mode = tr("By meaning") if content.answered_by is SearchMode.HYBRID else ""
        search.set_result(found, f"{mode or tr('By words')}, {found}")

    def tell(self, content: ListContent) -> None:
        """Describe the list, and say aloud what a search came to."""
        self._table.setAccessibleName(
            {
                Tier.CONVERSATION: tr("Conversation memories"),
                Tier.CHANNEL: tr("Channel memories"),
                Tier.WORKSPACE: tr("Workspace memories"),
                Tier.ACCOUNT: tr("Account memories"),
            }[content.request.tier]
        )
        held = counted(content.n_memories, "1 memory", "{n} memories")
        self._table.setAccessibleDescription(f"{held}, {self._header.order_words}")
        if not content.request.is_search:
            self._told = None
            return
        # Once, where the count of a search or its words are others now.
        found = self._header.search.result() if content.n_memories else self._empty.title()
        told = (content.request.sought, found)
        if told != self._told:
            announce(self._header.search.edit, found)
        self._told = told


_GUTTER = 20
_HEIGHT = 34


class SearchFoot(QWidget):
    """One line, shown while something is searched for.

    Signals:
        everywhere_toggled: Whether every tier is to be searched, not this one alone.
        set_aside_toggled: Whether what is paused or forgotten is to stand below the hits.
    """

    everywhere_toggled = Signal(bool)
    set_aside_toggled = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = elided_label("", "caption", self)
        self.missing = named(LinkButton(tr("Why is one not here?"), self), "whyMissing")
        self.everywhere = named(LinkButton(tr("Search all tiers"), self), "searchEverywhere")
        self.everywhere.clicked.connect(self.toggle_everywhere)
        self._is_with_set_aside = False
        self.set_aside = named(LinkButton(tr("Show them"), self), "searchSetAside")
        self.set_aside.clicked.connect(
            lambda: self.set_aside_toggled.emit(not self._is_with_set_aside)
        )
        self._aside_line = ""
        self._content: ListContent | None = None
        self._is_everywhere = False
        self._line = QWidget(self)
        row = hbox(self._line, margins=(_GUTTER, 0, _GUTTER, 0), spacing=12)
        fill(row, self._words, self.set_aside, STRETCH, self.everywhere, self.missing)
        vbox(self, rule(self), self._line, margins=0, spacing=0)
        self.hide()
        theme.hold_height(self._line, _HEIGHT)

    def show_for(self, content: ListContent) -> None:
        """Stand below a search, and below nothing else."""
        before, self._content = self._content, content
        if before is None or before.request.sought != content.request.sought:
            self._aside_line = ""  # of another search
        self.setVisible(content.request.is_search)
        self._is_everywhere = bool(content.request.elsewhere)
        self._is_with_set_aside = content.request.with_set_aside
        words = tr("Best match first; duplicates are grouped")
        if self._is_everywhere:
            words = tr("Results by tier, best match first")
        self._words.setText(self._aside_line or (words if content.n_memories else ""))
        self.set_aside.setVisible(bool(self._aside_line))
        shown = self._is_with_set_aside
        self.set_aside.setText(tr("Hide them") if shown else tr("Show them"))
        self.set_aside.setAccessibleDescription(self._aside_line)
        only = tr("Only {tier}").format(tier=tier_title(content.request.tier))
        self.everywhere.setText(only if self._is_everywhere else tr("Search all tiers"))
        self.missing.setVisible(not self._is_everywhere)
        # Where nothing was found a card in the middle of the page offers it.
        self.everywhere.setVisible(self._is_everywhere or content.n_memories > 0)

    def words(self) -> str:
        """What the line says."""
        return self._words.text()

    def show_set_aside(self, line: str) -> None:
        """Say what matches and is never retrieved; nothing if empty."""
        if line != self._aside_line and self._content is not None:
            self._aside_line = line
            if line:
                announce(self, line)
            self.show_for(self._content)

    @Slot()
    def toggle_everywhere(self) -> None:
        """Ask for all tiers, or for this one alone again."""
        self.everywhere_toggled.emit(not self._is_everywhere)
