"""How the window looks, as chosen in the View menu, and kept in the settings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.settings import save_appearance
from inklings_desktop.ui.kit.look.theme import SchemeChoice
from inklings_desktop.ui.kit.ops.storing import why_withheld

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.settings import Appearance
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.background import Background
    from inklings_desktop.ui.window.menus import WindowMenus


class WindowAppearance(QObject):
    """Follows the menu, tells the theme, and writes what was chosen off the UI thread.

    Signals:
        density_changed: Whether the list is compact.
        message_raised: A ``Message`` when a choice could not be kept.
    """

    density_changed = Signal(bool)
    message_raised = Signal(object)

    def __init__(
        self, theme: Theme, menus: WindowMenus, data_dir: Path, appearance: Appearance
    ) -> None:
        super().__init__(menus)
        self._theme = theme
        self._menus = menus
        self._data_dir = data_dir
        self._appearance = appearance
        self._background: Background | None = None
        menus.theme_chosen.connect(self._on_theme_chosen)
        menus.density_chosen.connect(self._on_density_chosen)
        menus.text_scale_chosen.connect(self._on_text_scale_chosen)

    @property
    def is_compact(self) -> bool:
        """Whether each memory gets one line of text."""
        return self._appearance.density == "compact"

    def keep_with(self, background: Background) -> None:
        """Write choices from now on."""
        self._background = background

    @Slot()
    def toggle_density(self) -> None:
        """Change between one line of text per memory and two."""
        density = "comfortable" if self.is_compact else "compact"
        self._menus.set_density(density)
        self._on_density_chosen(density)

    @Slot(str)
    def _on_theme_chosen(self, choice: str) -> None:
        self._theme.set_choice(SchemeChoice(choice))
        self._remember(replace(self._appearance, theme=choice))

    @Slot(str)
    def _on_density_chosen(self, density: str) -> None:
        self._remember(replace(self._appearance, density=density))
        self.density_changed.emit(self.is_compact)

    @Slot(float)
    def _on_text_scale_chosen(self, scale: float) -> None:
        self._theme.set_text_scale(scale)
        self._remember(replace(self._appearance, text_scale=scale))

    def _remember(self, appearance: Appearance) -> None:
        self._appearance = appearance
        if self._background is not None and not why_withheld():  # else it holds till the end
            self._background.spawn(self._save(self._background, appearance))

    async def _save(self, background: Background, appearance: Appearance) -> None:
        from inklings_desktop.ui.kit.words.messages import Message

        try:
            await background.write(save_appearance, self._data_dir, appearance)
        except (OSError, InvalidValueError):
            self.message_raised.emit(
                Message(
                    self.tr("The settings could not be saved"),
                    self.tr(
                        "The window looks as you chose until it closes. Check that "
                        "settings.toml can be written to and is valid."
                    ),
                )
            )
