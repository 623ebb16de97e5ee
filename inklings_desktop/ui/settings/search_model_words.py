"""Search models in a person's words, figures apart; pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.settings.backups.words import size_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.usecases.background.models import ModelStatus
    from inklings_desktop.usecases.ports.models import InstalledModel, OfferedModel


@dataclass(frozen=True, slots=True)
class ModelLine:
    """One model that is here, or could be.

    Attributes:
        id: Its name.
        told: What it is.
        is_used: Whether search works with it.
        can_use: Whether it could be chosen.
        can_remove: Whether its files could be deleted.
        offer: What could be brought in by its name; None for what is here.
        question: What a person agrees to before it is fetched; empty where nothing is.
    """

    id: str
    told: str
    is_used: bool = False
    can_use: bool = False
    can_remove: bool = False
    offer: OfferedModel | None = None
    question: str = ""


@dataclass(frozen=True, slots=True)
class ModelsShown:
    """All that is shown of the models.

    Attributes:
        lines: From top to bottom.
        state: How search stands: an icon, the role of its colour, and words.
        how: The figures behind the words.
        is_waiting: Whether memories wait to be prepared.
    """

    lines: tuple[ModelLine, ...]
    state: tuple[str, str, str]
    how: str
    is_waiting: bool


def models_shown(status: ModelStatus) -> ModelsShown:
    """What is shown of this state of things."""
    here = (
        ModelLine(
            one.id,
            line_of(one),
            is_used=one.is_selected,
            can_use=not (one.is_selected or one.problem),
            can_remove=not (one.is_selected or one.is_built_in),
        )
        for one in status.models
    )
    offered = (
        ModelLine(one.id, offer_words(one), offer=one, question=question_words(one))
        for one in status.offered
    )
    is_waiting = bool(status.n_missing) and status.is_available
    return ModelsShown((*here, *offered), state_words(status), how_words(status), is_waiting)


def offer_words(offer: OfferedModel) -> str:
    """Where a model that could be brought in comes from."""
    if not offer.is_fetched:
        return tr("on this machine, not brought in yet")
    return tr("can be fetched: {size}, licence {licence}").format(
        size=size_words(offer.n_bytes), licence=offer.licence
    )


def question_words(offer: OfferedModel) -> str:
    """What a person agrees to before a model is fetched; nothing where it is here."""
    if not offer.is_fetched:
        return ""
    return tr(
        "{size} from {hosts}, licence {licence}. Nothing is sent. You can stop at any time."
    ).format(size=size_words(offer.n_bytes), hosts=", ".join(offer.hosts), licence=offer.licence)


def fetching_words(done: int, total: int) -> str:
    """How far fetching has come."""
    return tr("Fetching: {done} of {total}").format(done=size_words(done), total=size_words(total))


def line_of(model: InstalledModel) -> str:
    """What a model is, in a few words."""
    if model.problem:
        return tr("cannot be used: its files are damaged")
    if model.is_built_in:
        return tr("came with the program; small and quick, at its best in English")
    return tr("brought in by you")


def state_words(status: ModelStatus) -> tuple[str, str, str]:
    """How search stands: an icon, the role of its colour, and words."""
    if not status.is_available:
        return ("warning", "ochre", tr("off: search goes by words alone"))
    if status.n_missing:
        words = counted(
            status.n_missing,
            "ready, 1 memory waits to be prepared",
            "ready, {n} memories to prepare",
        )
        return ("arrows-clockwise", "accent", words)
    return ("check-circle", "accent", tr("ready, every memory is prepared"))


def how_words(status: ModelStatus) -> str:
    """The figures behind the words."""
    models = [one for one in status.models if one.dimension]
    sizes = [
        tr("{name}: {n} numbers for each memory").format(name=one.id, n=one.dimension)
        for one in models
    ]
    sizes += [
        tr("{name}: made for {languages}").format(name=one.id, languages=_named(one.languages))
        for one in models
        if one.languages
    ]
    told = tr("A search model lets Inklings find memories by meaning, in other words.")
    return "\n".join([told, *sizes])


def _named(codes: Sequence[str]) -> str:
    """Languages as those who speak them call them, of no country in particular."""
    return ", ".join(QLocale(f"{code}_001").nativeLanguageName() or code for code in codes)
