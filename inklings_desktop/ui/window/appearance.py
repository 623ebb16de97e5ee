"""How the window looks, as chosen in the View menu, and kept in the settings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

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


TEXT_SCALES = (0.9, 1.0, 1.1, 1.25, 1.4)


class WindowAppearance(QObject):
    """Tells the theme what was chosen, in a menu or on a page, and writes it off the UI thread.

    Attributes:
        appearance: What was chosen.

    Signals:
        changed: Something looks otherwise now.
        density_changed: Whether the list is compact.
        message_raised: A ``Message`` when a choice could not be kept.
    """

    changed = Signal()
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
        self.wear(theme=choice)

    def choose_density(self, density: str) -> None:
        """Show lists ``comfortable`` or ``compact``."""
        self.wear(density=density)

    def choose_text_scale(self, scale: float) -> None:
        """Multiply the sizes of type by this factor."""
        self.wear(text_scale=scale)

    def step_text_scale(self, step: int) -> None:
        """One of the sizes up or down, as far as they go; 0 is the usual one."""
        now = self.appearance.text_scale
        if step > 0:
            self.choose_text_scale(min((one for one in TEXT_SCALES if one > now), default=now))
        elif step < 0:
            self.choose_text_scale(max((one for one in TEXT_SCALES if one < now), default=now))
        else:
            self.choose_text_scale(1.0)

    def wear(self, **values: Any) -> None:
        """Look otherwise at once, and from the next start on; the fields are ``Appearance``'s."""
        appearance = replace(self.appearance, **values)
        if appearance == self.appearance:
            return
        self._put_on(appearance)
        if self._background is not None and not why_withheld():  # else it holds till the end
            self._background.spawn(self._save(self._background, appearance))

    def _put_on(self, appearance: Appearance) -> None:
        before, was_compact = self.appearance, self.is_compact
        self.appearance = appearance
        if appearance.reduce_motion != before.reduce_motion:
            self._theme.set_reduced_motion(reduced=True if appearance.reduce_motion else None)
        self._theme.set_choice(SchemeChoice(appearance.theme))
        self._theme.set_text_scale(appearance.text_scale)
        if self.is_compact != was_compact:
            self.density_changed.emit(self.is_compact)
        self.changed.emit()

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
