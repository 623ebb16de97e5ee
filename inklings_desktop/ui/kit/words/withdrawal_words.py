"""What taking an import back did, and what it left as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.ui.kit.look.translation import counted

if TYPE_CHECKING:
    from inklings_desktop.usecases.transfer.withdraw_import import Withdrawn


def withdrawal_sentence(done: Withdrawn) -> str:
    """What became of the import, for a note."""
    gone = counted(
        done.n_removed,
        "Took the import back: 1 memory is gone again",
        "Took the import back: {n} memories are gone again",
    )
    left = left_by_withdrawal(done)
    return f"{gone}. {left}" if left else gone


def left_by_withdrawal(done: Withdrawn) -> str:
    """What stayed, because somebody changed it since or because it is built in."""
    if not done.n_left:
        return ""
    return counted(
        done.n_left,
        "1 stays: it was changed since, or is built in.",
        "{n} stay: they were changed since, or are built in.",
    )
