"""What the filters for things worth a look are called; no figures, which need far more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.memories.attention import AttentionKind

if TYPE_CHECKING:
    from collections.abc import Mapping

ATTENTION_MARKS: Mapping[AttentionKind, tuple[str, str]] = {
    AttentionKind.UNREADABLE: ("warning", "ochre"),
    AttentionKind.BELOW_THRESHOLD: ("hourglass", "inkSoft"),
    AttentionKind.WAITING_FOR_EMBEDDING: ("circle-dashed", "ochre"),
    AttentionKind.NEVER_READ: ("eye-slash", "inkSoft"),
    AttentionKind.READY_TO_PROMOTE: ("arrow-up-right", "accent"),
}
"""Icon of each, and the role of its colour."""


def attention_label(kind: AttentionKind) -> str:
    """A list of things worth a look in two words, for the filter that shows it."""
    return {
        AttentionKind.UNREADABLE: _tr("Cannot be read"),
        AttentionKind.BELOW_THRESHOLD: _tr("Below 0.01"),
        AttentionKind.WAITING_FOR_EMBEDDING: _tr("Waiting for an embedding"),
        AttentionKind.NEVER_READ: _tr("Never read"),
        AttentionKind.READY_TO_PROMOTE: _tr("Ready for long-term"),
    }[kind]


def attention_icon(kind: AttentionKind) -> str:
    """The mark of such a list."""
    return ATTENTION_MARKS[kind][0]


def _tr(text: str) -> str:
    return QCoreApplication.translate("overview", text)
