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


class WindowAppearance(QObject):
    """Follows the menu, tells the theme, and writes what was chosen off the UI thread.

    Attributes:
        appearance: What was chosen.

    Signals:
        density_changed: Whether the list is compact.
        message_raised: A ``Message`` when a choice could not be kept.
    """

    density_changed = Signal(bool)
    message_raised = Signal(object)

    def __init__(
        self, theme: Theme, data_dir: Path, appearance: Appearance, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._data_dir = data_dir
        self.appearance = appearance
        self._background: Background | None = None

    @property
    def is_compact(self) -> bool:
        """Whether each memory gets one line of text."""
        return self.appearance.density == "compact"

    def keep_with(self, background: Background) -> None:
        """Write choices from now on."""
        self._background = background

    @Slot()
    def toggle_density(self) -> None:
        """Change between one line of text per memory and two."""
        self.choose_density("comfortable" if self.is_compact else "compact")

    def choose_theme(self, choice: str) -> None:
        """Look ``light``, ``dark``, or like the ``system``."""
        self._theme.set_choice(SchemeChoice(choice))
        self._remember(replace(self.appearance, theme=choice))

    def choose_density(self, density: str) -> None:
        """Show lists ``comfortable`` or ``compact``."""
        self._remember(replace(self.appearance, density=density))
        self.density_changed.emit(self.is_compact)

    def choose_text_scale(self, scale: float) -> None:
        """Multiply the sizes of type by this factor."""
        self._theme.set_text_scale(scale)
        self._remember(replace(self.appearance, text_scale=scale))

    def _remember(self, appearance: Appearance) -> None:
        self.appearance = appearance
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
