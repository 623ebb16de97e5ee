"""Notices that the embedding model fails while the window is open; knows no widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

if TYPE_CHECKING:
    from inklings_desktop.usecases.bundle import Inklings

MISSING = "missing"


class ModelPresenter(QObject):
    """A model is loaded when a text first needs it, so only then is it known to fail.

    Signals:
        failed: The model that was in use until now cannot be used.
    """

    failed = Signal()

    def __init__(self, inklings: Inklings, parent: QObject) -> None:
        super().__init__(parent)
        self._embedder = inklings.embedder
        self._is_usable = self._embedder.is_available

    @property
    def is_usable(self) -> bool:
        """Whether texts can be embedded, as far as is known."""
        return self._is_usable

    @property
    def has_failed(self) -> bool:
        """Whether a model is there that cannot be used."""
        # Only where no model answers does an embedder name its reason.
        return not self._is_usable and getattr(self._embedder.pinned(), "reason", "") != MISSING

    @Slot()
    def look(self) -> None:
        """Look whether it still can be used; cheap, nothing is loaded for it."""
        if self._is_usable and not self._embedder.is_available:
            self._is_usable = False
            self.failed.emit()
