"""Which model is chosen: a button, and a list to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QSizePolicy

from inklings_desktop.ui.kit.controls.buttons import MenuButton
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.panes.scope_picker import RoomPopup

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.controls.popover import Popover
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.panes.scope_picker import ScopeChoice

_WIDTH = 220


class ModelPicker(MenuButton):
    """Shows the model that is chosen; pressing it opens the list of those that there are.

    Signals:
        chosen: The model as ``provider/model``; empty for none.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._theme = theme
        self._offer: tuple[tuple[ScopeChoice, ...], str] = ((), "")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self.popup)
        theme.dress(self._on_theme_dressed)

    def show_offer(self, offer: tuple[tuple[ScopeChoice, ...], str]) -> None:
        """Offer these, and show the one that is chosen."""
        self._offer = offer
        choices, now = offer
        self.setText(next((one.text for one in choices if one.id == now), now))

    def popup(self) -> Popover:
        """Open the list below the button."""
        title, hint = tr("Models"), tr("Find a model")
        popup = RoomPopup(self._theme, *self._offer, self, title=title, hint=hint)
        popup.chosen.connect(self.chosen.emit)
        popup.closed.connect(popup.deleteLater)
        popup.popup_below(self)
        popup.field.setFocus(Qt.FocusReason.PopupFocusReason)
        return popup

    @Slot()
    def _on_theme_dressed(self) -> None:
        self.setFixedWidth(self._theme.scaled(_WIDTH))
