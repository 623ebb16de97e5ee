"""How the window looks, as chosen in a menu or on a page, and kept in the settings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal, Slot

from inklings_desktop.settings import FILE_NAME
from inklings_desktop.settings_file import appearance_values
from inklings_desktop.ui.kit.look.theme import SchemeChoice
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.storing import why_withheld
from inklings_desktop.ui.kit.ops.timers import timer

if TYPE_CHECKING:
    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.settings import Appearance
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context


_SETTLED_MS = 150
"""Some editors write a file in several steps."""


TEXT_SCALES = (0.9, 1.0, 1.1, 1.25, 1.4)


class WindowAppearance(QObject):
    """Tells the theme what was chosen, keeps it, and follows what is set elsewhere.

    Attributes:
        appearance: What was chosen.

    Signals:
        changed: Something looks otherwise now.
        density_changed: Whether the list is compact.
    """

    changed = Signal()
    density_changed = Signal(bool)

    def __init__(self, theme: Theme, appearance: Appearance, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self.appearance = appearance
        self._context: Context | None = None
        self._n_saving = 0

    @property
    def is_compact(self) -> bool:
        """Whether each memory gets one line of text."""
        return self.appearance.density == "compact"

    def keep_with(self, context: Context) -> None:
        """Write choices from now on, and follow those made elsewhere."""
        self._context = context
        if not context.inklings.caller.is_agent:
            context.hear(self._on_changes, About.SETTINGS)
            SettingsWatch(context, self)

    @Slot()
    def toggle_density(self) -> None:
        """Change between one line of text per memory and two."""
        self.wear(density="comfortable" if self.is_compact else "compact")

    def step_text_scale(self, step: int) -> None:
        """One of the sizes up or down, as far as they go; 0 is the usual one."""
        now = wanted = self.appearance.text_scale
        if step > 0:
            wanted = min((one for one in TEXT_SCALES if one > now), default=now)
        elif step < 0:
            wanted = max((one for one in TEXT_SCALES if one < now), default=now)
        self.wear(text_scale=wanted if step else 1.0)

    def wear(self, **values: Any) -> None:
        """Look otherwise at once, and from the next start on; the fields are ``Appearance``'s."""
        appearance = replace(self.appearance, **values)
        if appearance == self.appearance:
            return
        self._put_on(appearance)
        if self._context is not None and not why_withheld():  # else it holds till the end
            self._n_saving += 1
            self._context.background.spawn(self._save(self._context, appearance))

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

    async def _save(self, context: Context, appearance: Appearance) -> None:
        save = context.inklings.preferences.save
        try:
            await context.background.write(save, appearance_values(appearance))
        finally:
            self._n_saving -= 1

    @Slot(object)
    def _on_changes(self, changes: MemoryChanges) -> None:
        # What is being saved is worn already, and newer than what the file says.
        if changes.settings and self._context is not None and not self._n_saving:
            appearance = self._context.inklings.settings.appearance
            if appearance != self.appearance:
                self._put_on(appearance)


class SettingsWatch(QObject):
    """Notices when the settings file is edited by hand or by another process."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._seen = context.inklings.settings
        self._path = str(context.inklings.data_dir / FILE_NAME)
        self._files = QFileSystemWatcher([self._path, str(context.inklings.data_dir)], self)
        self._soon = timer(self, self._on_settled, _SETTLED_MS)
        self._files.fileChanged.connect(self._soon.start)
        self._files.directoryChanged.connect(self._soon.start)

    @Slot()
    def _on_settled(self) -> None:
        if self._path not in self._files.files():  # a new file took its place
            self._files.addPath(self._path)
        self._context.background.spawn(self._look())

    async def _look(self) -> None:
        notice = self._context.inklings.preferences.notice
        self._seen = await self._context.background.read(notice, self._seen)
