"""What the list holds and what a search came to, in words: shown, read out and described."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.words.query_text import SearchMode
from inklings_desktop.ui.kit.look.accessibility import announce
from inklings_desktop.ui.kit.words.entry_facts import counted

if TYPE_CHECKING:
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
            search.set_result("", _tr("Hybrid mode") if is_hybrid else _tr("Keyword mode"))
            return
        is_fallback = content.answered_by not in {None, content.request.mode}
        text = {
            (False, False): _tr("{count} found"),
            (False, True): _tr("{count} found by keyword"),
            (True, False): _tr("Best {count}"),
            (True, True): _tr("Best {count} by keyword"),
        }[content.is_cut, is_fallback]
        found = text.format(count=self._count(content))
        mode = _tr("Hybrid mode") if content.answered_by is SearchMode.HYBRID else ""
        search.set_result(found, f"{mode or _tr('Keyword mode')}, {found}")

    def tell(self, content: ListContent) -> None:
        """Describe the list, and say aloud what a search came to."""
        self._table.setAccessibleName(
            {
                Tier.CONVERSATION: _tr("Conversation memories"),
                Tier.CHANNEL: _tr("Channel memories"),
                Tier.WORKSPACE: _tr("Workspace memories"),
                Tier.ACCOUNT: _tr("Account memories"),
            }[content.request.tier]
        )
        several = _tr("{count} memories").format(count=self._count(content))
        held = counted(content.n_memories, _tr("1 memory"), several)
        self._table.setAccessibleDescription(f"{held}, {self._header.order_words}")
        self._tell_found(content)

    def _tell_found(self, content: ListContent) -> None:
        """Once, where the count of a search or its words are others now."""
        request = content.request
        found = self._header.search.result() if content.n_memories else self._empty.title()
        told = (request.sought, found) if request.is_search else None
        if told is not None and told != self._told:
            announce(self._header.search.edit, found)
        self._told = told

    def _count(self, content: ListContent) -> str:
        return QLocale().toString(content.n_memories)


def _tr(text: str) -> str:
    return QCoreApplication.translate("list_voice", text)
