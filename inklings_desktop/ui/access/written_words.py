"""What is said before everything that one client wrote is forgotten; pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.ui.kit.words.entry_facts import counted, grouped

if TYPE_CHECKING:
    from inklings_desktop.usecases.memories.find_written import Written


def question(name: str, count: int) -> str:
    """What is asked."""
    if count == 1:
        return _tr("Forget 1 memory that {name} wrote?").format(name=name)
    return _tr("Forget {count} memories that {name} wrote?").format(count=grouped(count), name=name)


def what_follows(name: str, written: Written) -> str:
    """What goes, what stays and how it comes back, a paragraph each; at least one memory goes."""
    goes = _tr(
        "This is what is still in {name}\u2019s words, in this workspace and in your account."
    ).format(name=name)
    if written.n_pinned:
        pinned = counted(
            written.n_pinned, _tr("1 of them is pinned."), _tr("{n} of them are pinned.")
        )
        goes = f"{goes} {pinned}"
    back = _tr("You can undo this until you close the window, and the event log keeps the list.")
    return "\n\n".join([goes, *_kept(written), back])


def why_nothing(name: str, written: Written) -> str:
    """That there is nothing to forget, and what of it stays."""
    nothing = _tr("{name} wrote nothing that could be forgotten here.").format(name=name)
    return " ".join([nothing, *_kept(written)])


def _kept(written: Written) -> list[str]:
    """What stays, in one sentence; none where that is nothing."""
    parts = [
        words.format(count=grouped(count))
        for count, words in (
            (written.n_rewritten, _tr("{count} that you rewrote")),
            (written.n_locked, _tr("{count} that you locked")),
        )
        if count
    ]
    return [_tr("Kept: {what}.").format(what=", ".join(parts))] if parts else []


def _tr(text: str) -> str:
    return QCoreApplication.translate("written", text)
