"""How far a file of an earlier version has come, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from inklings_desktop.usecases.ports.progress import Upgrade


def upgrade_sentence(upgrade: Upgrade) -> str:
    """What is brought to the new format, and how far that is."""
    name = _tr("the account") if upgrade.name is None else f"\u201c{upgrade.name}\u201d"
    if not upgrade.step:
        return _tr("Bringing {name} to the new format: making a safe copy first.").format(name=name)
    return _tr(
        "Bringing {name} to the new format: step {step} of {n_steps}, safe copy made."
    ).format(name=name, step=upgrade.step, n_steps=upgrade.n_steps)


def _tr(text: str) -> str:
    return QCoreApplication.translate("upgrade_words", text)
