"""Since when a golden question fares as it does, and after what; pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.ui.kit.words.memory_facts import exact_time

if TYPE_CHECKING:
    from inklings_desktop.domain.background.golden import GoldenRecord


def since_words(record: GoldenRecord, place: str = "") -> str:
    """After what a question broke, in a few words: ``broke after consolidation of #map-room``."""
    from inklings_desktop.domain.background.golden import GoldenCause

    if record.since_cause is GoldenCause.CONSOLIDATION and place:
        return _tr("broke after consolidation of {place}").format(place=place)
    return {
        GoldenCause.REQUEST: _tr("was not answered when you asked"),
        GoldenCause.CONSOLIDATION: _tr("broke after a consolidation"),
        GoldenCause.UNDO: _tr("broke after a run was taken back"),
        GoldenCause.IMPORT: _tr("broke after an import"),
        GoldenCause.WITHDRAWAL: _tr("broke after an import was taken back"),
        GoldenCause.DECAY: _tr("broke after other rates of decay"),
        GoldenCause.MODEL: _tr("broke after the change of the model"),
        GoldenCause.MEANWHILE: _tr("broke between two checks"),
    }[record.since_cause]


def record_lines(record: GoldenRecord, place: str) -> tuple[str, str]:
    """A sentence on how a question fares since when, and one on when it was asked last."""
    from inklings_desktop.domain.background.golden import GoldenCause

    since = exact_time(record.since)
    state = (
        _tr("Answered as it must be since {time}.").format(time=since)
        if record.is_right
        else _tr("Not answered since {time}: it {why}.").format(
            time=since, why=since_words(record, place)
        )
    )
    asked = {
        GoldenCause.REQUEST: _tr("Last asked {time}, on request."),
        GoldenCause.CONSOLIDATION: _tr("Last asked {time}, after a consolidation."),
        GoldenCause.UNDO: _tr("Last asked {time}, after a run was taken back."),
        GoldenCause.IMPORT: _tr("Last asked {time}, after an import."),
        GoldenCause.WITHDRAWAL: _tr("Last asked {time}, after an import was taken back."),
        GoldenCause.DECAY: _tr("Last asked {time}, with other rates of decay."),
        GoldenCause.MODEL: _tr("Last asked {time}, after the change of the model."),
        GoldenCause.MEANWHILE: _tr("Last asked {time}, before something else."),
    }[record.cause]
    return state, asked.format(time=exact_time(record.asked_at))


def _tr(text: str) -> str:
    return QCoreApplication.translate("golden", text)
