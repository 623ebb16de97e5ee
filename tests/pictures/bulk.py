"""States of the tour in which several memories are checked; nothing is done to any of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLineEdit

from inklings_desktop.domain.memories.listing import MemoryFilter
from inklings_desktop.domain.memory import Lifetime
from inklings_desktop.ui.kit.controls.chips import FilterChip
from inklings_desktop.ui.memory.acts.replace_dialog import ReplaceDialog
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.ui.memory.list.content import selectable_ids
from inklings_desktop.ui.memory.list.filter_bar import FilterWish
from inklings_desktop.ui.tour.tour import Once, select, until
from tests.pictures.looks import at_rest
from tests.pictures.memory import SEARCHED, TAG, check_many

if TYPE_CHECKING:
    from inklings_desktop.ui.memory.page import MemoryPage
    from inklings_desktop.ui.window.main_window import MainWindow

BESIDE = 3
FROM = 0.5
CHECKED = 4
PUT, SOUGHT = "harbor", "harbour"


async def show_retag(memory: MemoryPage, window: MainWindow) -> None:
    """Filtered hits, three of them checked, a tag to be added, one to be taken, and an undo."""
    await at_rest(memory, window)
    page, many = window.page, window.inspector.many
    where = MemoryFilter(lifetimes=frozenset({Lifetime.LONG_TERM}), importance_min=FROM)
    answer = Once(memory.list.content_changed)
    page.filters.filter_changed.emit(FilterWish(where=where))
    await answer
    answer = Once(memory.list.content_changed)
    page.header.search.set_text(SEARCHED)
    await answer
    await select(memory, window, BESIDE)
    await check_many(memory, window)
    shared = [chip for chip in many.findChildren(FilterChip, "sharedTag") if not chip.isHidden()]
    if shared:
        shared[0].toggled_by_user.emit(True)
    page.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
    page.toast.show_message(
        page.tr("Forgot 2 memories"),
        icon="eraser",
        undo_label=page.tr("Undo"),
        key_hint=page.tr("Ctrl Z"),
    )


async def show_checked(memory: MemoryPage, window: MainWindow) -> None:
    """Checked memories that share little."""
    await at_rest(memory, window)
    memory.acts.selection.check(selectable_ids(window.page.rows)[:CHECKED])
    window.inspector.many.field.added.emit(TAG)


async def show_lifetimes(memory: MemoryPage, window: MainWindow) -> None:
    """The lifetimes that checked memories can be given."""
    await show_checked(memory, window)
    window.page.bulk.lifetime.click()


async def show_forgetting_many(memory: MemoryPage, window: MainWindow) -> None:
    """What is asked before so many are forgotten."""
    await at_rest(memory, window)
    memory.acts.selection.check(selectable_ids(window.page.rows))
    memory.acts.act(MemoryAct.FORGET)
    await until(lambda: any(one.isVisible() for one in window.findChildren(QDialog)))


async def show_replacing(memory: MemoryPage, window: MainWindow) -> None:
    """Every change that search and replace would make."""
    await at_rest(memory, window)
    memory.acts.selection.check(selectable_ids(window.page.rows))
    memory.acts.act(MemoryAct.REPLACE)
    await until(lambda: _dialog(window) is not None)
    dialog = _dialog(window)
    if dialog is not None:
        for name, text in (("replaceSought", SOUGHT), ("replacePut", PUT)):
            field = dialog.findChild(QLineEdit, name)
            if field is not None:
                field.setText(text)
        await until(lambda: dialog.list.count() > 0 and dialog.apply.isEnabled())


def _dialog(window: MainWindow) -> ReplaceDialog | None:
    shown = (one for one in window.findChildren(ReplaceDialog) if one.isVisible())
    return next(shown, None)
