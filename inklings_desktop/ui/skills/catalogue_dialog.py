"""A folder of skills beside what is here: each with its state, those checked are brought in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal

from inklings_desktop.ui.kit.dialogs.pieces import MARGIN, Headline, StepFoot
from inklings_desktop.ui.kit.dialogs.process_dialog import ProcessDialog
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.meters import ShareBar
from inklings_desktop.ui.kit.page.deciding import SPACE, CheckedRows
from inklings_desktop.ui.kit.page.declared import LOOK, Place, part
from inklings_desktop.ui.kit.page.parts import across, button, check, hairline, plate, words
from inklings_desktop.ui.skills.catalogue_state import (
    CAN_COME,
    CatalogueState,
    bring_words,
    catalogue_rows,
    found_words,
)

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.declared import Inside

_SIZE = QSize(760, 620)


class CatalogueDialog(ProcessDialog["CatalogueState"]):
    """Shows a ``CatalogueState``.

    Signals:
        row_chosen: Key of the row that became current.
        row_checked: Key of the row whose box was pressed.
        all_wanted: Whether all that can come in are to, or none.
        bring_wanted: Bring in what is checked.
    """

    row_chosen = Signal(str)
    row_checked = Signal(str)
    all_wanted = Signal(bool)
    bring_wanted = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(theme, window, title=tr("Compare a folder of skills"), size=_SIZE)
        self.setObjectName("catalogueDialog")
        middle, foot = vbox(None, spacing=0), StepFoot(self)
        self.fill(middle, foot)
        self._middle, self._foot = Place(theme, self, middle), Place(theme, self, foot.row)
        self._current = ""
        self.fit()

    def show_state(self, state: CatalogueState) -> None:
        """Show what was found, and how far it is."""
        self._current = state.current
        self.show_head(tr("Compare a folder of skills"), str(state.place))
        self._middle.show(*self._said(state))
        self._foot.show(*self._feet(state))

    def _said(self, state: CatalogueState) -> tuple[Inside, ...]:
        can_come = [one for one in state.found or () if one.state in CAN_COME]
        rows, n_wanted = catalogue_rows(state), len(state.wanted)
        is_under_way = state.n_done is not None
        return (
            plate(
                part(Headline, LOOK, name="catalogueHeadline", text=found_words(state)),
                across(
                    check(
                        tr("All that can come in"),
                        on=bool(can_come) and n_wanted == len(can_come),
                        wanted=self.all_wanted.emit,
                        name="catalogueAll",
                        visible=bool(can_come),
                        enabled=not is_under_way,
                    ),
                    STRETCH,
                ),
                box=vbox,
                margins=(MARGIN, 16, MARGIN, 14),
                spacing=8,
            ),
            hairline(),
            part(
                *(CheckedRows, LOOK, tr("Skills in this folder"), ""),
                name="catalogueList",
                said=(rows, state.current),
                row_chosen=self.row_chosen.emit,
                letter_pressed=self._on_letter_pressed,
                visible=bool(rows),
                place=(1,),
            ),
            plate(visible=not rows, place=(1,)),
            plate(
                part(
                    *(ShareBar, LOOK),
                    spoken=tr("Progress"),
                    share=(state.n_done or 0) / max(1, n_wanted),
                ),
                margins=(MARGIN, 8, MARGIN, 8),
                visible=is_under_way and state.is_slow,
            ),
        )

    def _feet(self, state: CatalogueState) -> tuple[Inside, ...]:
        is_under_way, n = state.n_done is not None, len(state.wanted)
        return (
            words(tr("Each waits, switched off, until you have looked at it."), place=(1,)),
            button(
                tr("Stop") if is_under_way else tr("Cancel"),
                self.leave_requested.emit,
                name="catalogueLeave",
            ),
            button(
                tr("Bringing in\u2026") if is_under_way else bring_words(n),
                self.bring_wanted.emit,
                kind="primary",
                name="catalogueBring",
                stores=True,
                visible=state.found is None or bool(state.found),
                enabled=bool(n) and not is_under_way,
            ),
        )

    def _on_letter_pressed(self, letter: str) -> None:
        if letter == SPACE:
            self.row_checked.emit(self._current)
