"""What is asked on the Named entries page: names, deleting, restoring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from inklings_desktop.domain.entries.named_entry import (
    BUILT_IN_NAMES,
    MAX_NAME_CHARACTERS,
    MIN_NAME_CHARACTERS,
    TOTAL_SOFT_LIMIT,
    NamedEntry,
    checked_entry_name,
    require_distinct,
)
from inklings_desktop.domain.errors import ConflictError, InvalidValueError
from inklings_desktop.domain.likeness.look_alikes import looks_like
from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.dialogs.ask_dialog import SmallDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import Choice, ChoiceDialog
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import hbox, vbox
from inklings_desktop.ui.kit.look.translation import grouped, lowered, tr
from inklings_desktop.ui.kit.marks.labels import IconMark
from inklings_desktop.ui.kit.words.entry_facts import tier_group
from inklings_desktop.ui.kit.words.memory_facts import exact_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from inklings_desktop.ui.kit.look.theme import Theme


_WIDTH = 460
_MOST_TYPED = 60
_JOINTS = str.maketrans({" ": "_", "-": "_"})


class NewEntryDialog(SmallDialog):
    """Tier, name, and the three rules that a name keeps.

    Small letters become capitals and blanks underscores while one types; letters of other
    scripts stay as they are, so that they can be seen and refused.
    """

    def __init__(self, theme: Theme, taken: Mapping[Tier, Sequence[str]], parent: QWidget) -> None:
        """Build the dialog.

        Args:
            taken: Names in use in either tier.
        """
        super().__init__(
            parent,
            tr("New named entry"),
            tr("The agent reads all of it at every turn, like VOICE and SOUL."),
            name="newEntryDialog",
            width=_WIDTH,
        )
        self._taken = taken
        self.tiers = SegmentedSwitch(
            theme,
            (
                Segment(Tier.WORKSPACE.value, tr("This workspace")),
                Segment(Tier.ACCOUNT.value, tr("Your account, every workspace")),
            ),
            tr("Where it belongs"),
            height=32,
            parent=self,
        )
        self.tiers.setObjectName("newEntryTier")
        self.tiers.choice_changed.connect(self._check)
        self.field = named(QLineEdit(self), "newEntryName", tr("Name"))
        self.field.setPlaceholderText(tr("For example CAST or MAGIC_SYSTEM"))
        self.field.setMaxLength(_MOST_TYPED)
        self.field.textEdited.connect(self._on_field_text_edited)
        self._rules = [
            _Rule(theme, tr("Capitals A to Z, digits and underscore"), self),
            _Rule(
                theme,
                tr("{fewest} to {most} characters").format(
                    fewest=MIN_NAME_CHARACTERS, most=MAX_NAME_CHARACTERS
                ),
                self,
            ),
            _Rule(theme, tr("Free here, and like no other name"), self),
        ]
        self._error = named(QLabel(self), "newEntryError")
        self._error.setProperty("textStyle", "error")
        self._error.setTextFormat(Qt.TextFormat.PlainText)
        self._error.setMinimumHeight(self._error.fontMetrics().lineSpacing())
        cancel = self.button(tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.confirm = self.button(tr("Create"), "newEntryConfirm", kind="primary", on_enter=True)
        self.confirm.clicked.connect(self.accept)
        self.lay_out(
            (self.tiers, 0, Qt.AlignmentFlag.AlignLeft),
            self.field,
            vbox(None, *self._rules, spacing=3),
            self._error,
            right=(cancel, self.confirm),
            above=4,
        )
        self.field.setFocus()
        self._check()

    @property
    def tier(self) -> Tier:
        """Where it belongs."""
        return Tier(self.tiers.choice())

    @property
    def name(self) -> str:
        """The name as it stands in the field."""
        return self.field.text()

    @property
    def error(self) -> str:
        """What is wrong with the name, beyond the rules that are not ticked; empty if nothing."""
        return self._error.text()

    @Slot(str)
    def _on_field_text_edited(self, text: str) -> None:
        tidy = tidy_name(text)
        if tidy != text:
            place = self.field.cursorPosition()
            self.field.setText(tidy)
            self.field.setCursorPosition(min(place, len(tidy)))
        self._check()

    @Slot()
    def _check(self) -> None:
        name, taken = self.name, self._taken.get(self.tier, ())
        holds = name_rules(name, taken)
        for rule, is_kept in zip(self._rules, holds, strict=True):
            rule.show_kept(kept=is_kept, typed=bool(name))
        self._error.setText(name_problem(name, taken) if name else "")
        self.confirm.setEnabled(all(holds))


class _Rule(QWidget):
    """One rule with a mark that says whether the name keeps it."""

    def __init__(self, theme: Theme, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._sentence = text
        self._icon = IconMark(theme, "", "", parent=self)
        words = QLabel(text, self)
        words.setProperty("textStyle", "meta")
        hbox(self, self._icon, (words, 1), margins=0, spacing=7)

    def show_kept(self, *, kept: bool, typed: bool) -> None:
        """Tick the rule, or not; before anything is typed nothing is broken yet."""
        name, role = ("check-circle", "accent") if kept else ("x-circle", "madder")
        if not typed:
            name, role = "minus", "inkFaint"
        self._icon.show_icon(name, role)
        said = tr("kept") if kept else tr("not kept")
        self.setAccessibleName(f"{self._sentence}: {said}" if typed else self._sentence)


def tidy_name(typed: str) -> str:
    """What was typed, with Latin small letters raised and blanks and hyphens as underscores."""
    raised = "".join(one.upper() if one.isascii() else one for one in typed)
    return raised.translate(_JOINTS)


def name_rules(name: str, taken: Sequence[str]) -> tuple[bool, bool, bool]:
    """Whether a name keeps the rules of characters, length, and being like no other."""
    return _has_good_characters(name), _has_good_length(name), _is_distinct(name, taken)


def name_problem(name: str, taken: Sequence[str]) -> str:
    """What a person would not see from the rules alone; empty if there is nothing."""
    try:
        require_distinct(name, taken)
    except ConflictError:
        if name in BUILT_IN_NAMES and name not in taken:
            return tr("{name} is built in.").format(name=name)
        return tr("There is already a {name} here.").format(name=name)
    except InvalidValueError:
        other = next(one for one in (*BUILT_IN_NAMES, *taken) if looks_like(name, one))
        return tr("This looks like {name} and could be taken for it.").format(name=other)
    foreign = next((one for one in name if not one.isascii()), "")
    if foreign:
        return tr("\u201c{letter}\u201d is not one of the letters A to Z.").format(letter=foreign)
    return ""


def _has_good_characters(name: str) -> bool:
    try:
        checked_entry_name(name)
    except InvalidValueError as error:
        return error.rule != "characters"
    return True


def _has_good_length(name: str) -> bool:
    return MIN_NAME_CHARACTERS <= len(name) <= MAX_NAME_CHARACTERS


def _is_distinct(name: str, taken: Sequence[str]) -> bool:
    try:
        require_distinct(name, taken)
    except (ConflictError, InvalidValueError):
        return False
    return bool(name)


class DeletedEntriesDialog(ChoiceDialog):
    """Deleted companions, the latest first; Enter or a double click brings one back."""

    def __init__(self, rows: Sequence[Choice], parent: QWidget) -> None:
        what_follows = tr(
            "It is restored with all its revisions. The agent reads it again from the next turn."
        )
        super().__init__(
            parent,
            tr("Restore a deleted entry"),
            what_follows if rows else tr("No companion was deleted."),
            rows,
            name="deletedEntriesDialog",
            label=tr("Deleted entries"),
            yes=tr("Restore"),
            on_enter=True,
        )


async def may_delete(name: str, parent: QWidget) -> bool:
    """Whether a companion should go."""
    return await ask(
        parent,
        tr("Delete {name}?").format(name=name),
        tr(
            "The agent stops reading it from the next turn. You can restore it with all its "
            "revisions until it is scrubbed."
        ),
        yes=tr("Delete entry"),
        no=tr("Keep it"),
        is_destructive=True,
    )


async def may_be_long(name: str, total: int, parent: QWidget) -> bool:
    """Whether to save although all entries together are longer than is good."""
    return await ask(
        parent,
        tr("Save {name} at this length?").format(name=name),
        tr(
            "All entries together would have {total} characters; more than {limit} leaves "
            "little room for memories. Nothing is cut."
        ).format(total=grouped(total), limit=grouped(TOTAL_SOFT_LIMIT)),
        yes=tr("Save anyway"),
        no=tr("Keep editing"),
    )


def deleted_rows(deleted: Iterable[NamedEntry]) -> list[Choice]:
    """Deleted companions as the dialog lists them."""
    return [
        Choice(
            one.id,
            tr("{name}, {tier}, deleted {time}").format(
                name=one.name,
                tier=lowered(tier_group(one.tier)),
                time=exact_time(one.deleted_at or one.created_at),
            ),
        )
        for one in deleted
    ]
