"""What is asked before a named entry is deleted or grows too long, and of those deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from inklings_desktop.domain.entries.named_entry import TOTAL_SOFT_LIMIT
from inklings_desktop.ui.kit.dialogs.ask_dialog import ConfirmDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import Choice
from inklings_desktop.ui.kit.words.entry_facts import grouped, tier_group
from inklings_desktop.ui.kit.words.memory_facts import exact_time

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.entries.named_entry import NamedEntry


def delete_question(name: str, parent: QWidget) -> ConfirmDialog:
    """Whether a companion should go."""
    return ConfirmDialog(
        parent,
        _tr("Delete {name}?").format(name=name),
        _tr(
            "The agent stops reading it from the next turn. You can restore it with all its "
            "revisions until it is scrubbed."
        ),
        yes=_tr("Delete entry"),
        no=_tr("Keep it"),
        is_destructive=True,
    )


def long_total_question(name: str, total: int, parent: QWidget) -> ConfirmDialog:
    """Whether to save although all entries together are longer than is good."""
    return ConfirmDialog(
        parent,
        _tr("Save {name} at this length?").format(name=name),
        _tr(
            "All entries together would hold {total} characters, more than the {limit} that "
            "leave room for memories. Nothing is cut: the agent reads all of it at every turn."
        ).format(total=grouped(total), limit=grouped(TOTAL_SOFT_LIMIT)),
        yes=_tr("Save anyway"),
        no=_tr("Go on editing"),
    )


def leave_wording_question(parent: QWidget) -> ConfirmDialog:
    """Whether to leave a proposal whose wording was changed and not accepted."""
    return ConfirmDialog(
        parent,
        _tr("Leave your wording?"),
        _tr("The proposal stays open, but what you typed is not kept."),
        yes=_tr("Leave it"),
        no=_tr("Stay"),
    )


def deleted_rows(deleted: Iterable[NamedEntry]) -> list[Choice]:
    """Deleted companions as the dialog lists them."""
    return [
        Choice(
            one.id,
            _tr("{name}, {tier}, deleted {time}").format(
                name=one.name,
                tier=_lowered(tier_group(one.tier)),
                time=exact_time(one.deleted_at or one.created_at),
            ),
        )
        for one in deleted
    ]


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def _tr(text: str) -> str:
    return QCoreApplication.translate("entry_questions", text)
