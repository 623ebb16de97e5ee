"""What is said before everything that one client wrote is forgotten; pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.ui.presenters.entry_facts import counted, grouped

if TYPE_CHECKING:
    from inklings_desktop.usecases.find_written import Written


def question(name: str, count: int) -> str:
    """What is asked."""
    if count == 1:
        return _tr("Forget 1 memory that {name} wrote?").format(name=name)
    return _tr("Forget {count} memories that {name} wrote?").format(count=grouped(count), name=name)


def what_follows(name: str, written: Written) -> str:
    """What goes, what stays, and how it comes back; at least one memory goes."""
    parts = [
        _tr(
            "This is all in this workspace and your account whose words are still {name}\u2019s."
        ).format(name=name),
    ]
    if written.n_pinned:
        parts.append(
            counted(
                written.n_pinned,
                _tr("1 of them is pinned."),
                _tr("{n} of them are pinned."),
            )
        )
    parts += _left(written)
    parts.append(
        _tr("You can undo this until you close the window, and the event log keeps the list.")
    )
    return " ".join(parts)


def why_nothing(name: str, written: Written) -> str:
    """That there is nothing to forget, and what of it is left."""
    nothing = _tr("{name} wrote nothing that could be forgotten here.").format(name=name)
    return " ".join([nothing, *_left(written)])


def _left(written: Written) -> list[str]:
    parts = []
    if written.n_rewritten:
        parts.append(
            counted(
                written.n_rewritten,
                _tr("1 that you rewrote stays."),
                _tr("{n} that you rewrote stay."),
            )
        )
    if written.n_locked:
        parts.append(
            counted(
                written.n_locked,
                _tr("1 that you locked stays."),
                _tr("{n} that you locked stay."),
            )
        )
    return parts


def _tr(text: str) -> str:
    return QCoreApplication.translate("written", text)
