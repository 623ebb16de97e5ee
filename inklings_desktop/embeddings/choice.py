"""Which model the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.embeddings.models import BUILT_IN_MODEL_ID
from inklings_desktop.settings_file import LiveSettings

if TYPE_CHECKING:
    from pathlib import Path


class SettingsChoice:
    """The selected model, whatever the settings say by now."""

    def __init__(self, data_dir: Path) -> None:
        self._settings = LiveSettings(data_dir)

    def __call__(self) -> str:
        return self._settings().model_id or BUILT_IN_MODEL_ID
