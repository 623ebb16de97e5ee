"""Search models in a person's words, figures apart; pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from inklings_desktop.ui.kit.look.translation import tr

if TYPE_CHECKING:
    from inklings_desktop.usecases.background.models import ModelStatus
    from inklings_desktop.usecases.ports.models import InstalledModel


def line_of(model: InstalledModel) -> str:
    """What a model is, in a few words."""
    if model.problem:
        return tr("cannot be used: its files are not what they should be")
    if model.is_built_in:
        return tr("came with the program; small and quick, at its best in English")
    return tr("brought in by you")


def state_words(status: ModelStatus) -> tuple[str, str, str]:
    """How search stands: an icon, the role of its colour, and words."""
    if not status.is_available:
        return ("warning", "ochre", tr("off: search goes by words alone"))
    if status.n_missing == 1:
        return ("arrows-clockwise", "accent", tr("ready, 1 memory waits to be prepared"))
    if status.n_missing:
        n = QLocale().toString(status.n_missing)
        words = tr("ready, {n} memories wait to be prepared").format(n=n)
        return ("arrows-clockwise", "accent", words)
    return ("check-circle", "accent", tr("ready, every memory is prepared"))


def how_words(status: ModelStatus) -> str:
    """The figures behind the words."""
    sizes = [
        tr("{name}: {n} numbers for each memory").format(name=one.id, n=one.dimension)
        for one in status.models
        if one.dimension
    ]
    told = tr(
        "A model turns each memory into a row of numbers, its vector; memories whose vectors point"
        " the same way mean about the same. Vectors of two models are never compared."
    )
    return "\n".join([told, *sizes])
