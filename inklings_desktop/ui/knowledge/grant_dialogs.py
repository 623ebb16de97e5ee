"""The dialogs of a house rule and of a new domain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QWidget,
)

from inklings_desktop.domain.knowledge.domains import MAX_DOMAIN_NAME
from inklings_desktop.domain.knowledge.facts import MAX_POLICY_CHARACTERS
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.toggles import CheckBox
from inklings_desktop.ui.kit.dialogs.ask_dialog import SmallDialog
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import FlowLayout
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.knowledge.grants_state import TypedRule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.knowledge.grants_state import Resting

_WIDTH, _RULE_WIDTH = 460, 600
_TEXT, _FACT, _EDGES, _NAMES = 96, 22, 6, 124
_MOST_FACTS = 7
_REFERENCE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class TypedDomain:
    """What stands in the dialog.

    Attributes:
        writers: Roles that may write in it at first.
        is_closed: Whether the other roles may not even read it.
    """

    name: str = ""
    writers: tuple[str, ...] = ()
    is_closed: bool = False


class DomainDialog(SmallDialog):
    """Asks for a name; every role may be let in to write.

    Attributes:
        confirm: The button that makes it.
    """

    def __init__(
        self, parent: QWidget, theme: Theme, roles: Sequence[str], begin: TypedDomain
    ) -> None:
        super().__init__(
            parent,
            tr("New domain"),
            tr("A domain groups facts and house rules. You can change all of this later."),
            name="domainDialog",
            width=_WIDTH,
            grows=True,
        )
        self.name = named(QLineEdit(begin.name, self), "domainName", tr("Name"))
        self.name.setMaxLength(MAX_DOMAIN_NAME)
        self.name.setPlaceholderText(tr("timeline"))
        self._writers = [CheckBox(theme, role, self) for role in roles]
        flow = FlowLayout(gap=14)
        for box, role in zip(self._writers, roles, strict=True):
            named(box, f"writes:{role}", tr("{role} may write").format(role=role))
            box.setChecked(role in begin.writers)
            flow.addWidget(box)
        self._closed = CheckBox(theme, tr("Hide it from every other role"), self)
        self._closed.setObjectName("domainClosed")
        self._closed.setChecked(begin.is_closed)
        self._error = plain_label("", "error", self, wraps=True)
        self._error.hide()
        cancel = self.button(tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.confirm = self.button(tr("Make it"), "domainConfirm", kind="primary", on_enter=True)
        self.confirm.clicked.connect(self.accept)
        self.name.textChanged.connect(self._check)
        self.lay_out(
            self.name,
            plain_label(tr("Who may write at first"), "label", self),
            flow,
            self._closed,
            self._error,
            right=(cancel, self.confirm),
        )
        self._check()

    @property
    def typed(self) -> TypedDomain:
        """What stands in it."""
        writers = (one.text() for one in self._writers if one.isChecked())
        return TypedDomain(self.name.text().strip(), tuple(writers), self._closed.isChecked())

    def refuse(self, sentence: str) -> None:
        """Say why it could not be made; it may be tried once more."""
        self._error.setText(sentence)
        self._error.show()
        announce(self.name, sentence, urgent=True)

    def _check(self) -> None:
        self.confirm.setEnabled(bool(self.typed.name))


@dataclass(frozen=True, slots=True)
class RuleQuestion:
    """What the dialog of a house rule offers.

    Attributes:
        domains: Names to choose from; another one may be typed. None: it stays in its own.
        roles: Roles of which one may be required.
        resting: What it can rest on, and what it rests on first.
    """

    domains: tuple[str, ...] | None
    roles: tuple[str, ...]
    resting: tuple[Resting, ...]


class RuleDialog(SmallDialog):
    """Fields of a house rule; it can be kept once it says something in a domain.

    Attributes:
        confirm: The button that keeps it.
    """

    def __init__(
        self, parent: QWidget, theme: Theme, question: RuleQuestion, begin: TypedRule
    ) -> None:
        is_new = question.domains is not None
        super().__init__(
            parent,
            tr("New house rule") if is_new else tr("Edit house rule"),
            tr("Agents are told it when it fits. You can switch it off at any time."),
            name="ruleDialog",
            width=_RULE_WIDTH,
            grows=True,
        )
        self._begin, self._is_dropped = begin, False
        self.text = named(QPlainTextEdit(begin.text, self), "ruleText", tr("Rule"))
        self.text.setTabChangesFocus(True)
        self.text.setFont(theme.font("reading"))
        self.text.setFixedHeight(round(_TEXT * self.growth))
        self.domain = named(QComboBox(self), "ruleDomain", tr("Domain"))
        self.domain.setEditable(is_new)
        self.domain.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.domain.addItems(question.domains or (begin.domain,))
        self.domain.setCurrentText(begin.domain)
        self.domain.setEnabled(is_new)
        self.role = named(QComboBox(self), "ruleRole", tr("Who may write there"))
        self.role.addItem(tr("Every role that you let write there"), "")
        for role in dict.fromkeys((*question.roles, begin.required_role)):
            if role:
                self.role.addItem(tr("Only {role}").format(role=role), role)
        self.role.setCurrentIndex(self.role.findData(begin.required_role))
        self.sought = named(QLineEdit(self), "ruleFind", tr("Find a fact"))
        self.sought.setPlaceholderText(tr("Find a fact"))
        self.sought.textChanged.connect(self._on_sought)
        self.facts = named(QListWidget(self), "ruleFacts", tr("Facts it rests on"))
        rows = min(_MOST_FACTS, len(question.resting))
        self.facts.setFixedHeight(round((rows * _FACT + _EDGES) * self.growth))
        for one in question.resting:
            self.facts.addItem(self._item(theme, one, is_on=one.reference in begin.sources))
        self.facts.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.facts.setVisible(bool(question.resting))
        self.sought.setVisible(bool(question.resting))
        self.always = CheckBox(theme, tr("Tell it at every turn"), self)
        self.always.setObjectName("ruleAlways")
        self.always.setChecked(begin.always)
        several = tr(
            "While the rule is on, other roles only read this domain. Where several rules name a"
            " role, each of those roles may write."
        )
        note = plain_label(several, "caption", self, wraps=True)
        note.setMinimumWidth(self.words.minimumWidth())
        self._error = plain_label("", "error", self, wraps=True)
        self._error.hide()
        cancel = self.button(tr("Cancel"))
        cancel.clicked.connect(self.reject)
        drop = self.button(tr("Forget it"), "ruleDrop", kind="quietDanger")
        drop.clicked.connect(self._drop)
        drop.setVisible(not is_new)
        yes = tr("Add") if is_new else tr("Save")
        self.confirm = self.button(yes, "ruleConfirm", kind="primary", on_enter=True)
        self.confirm.clicked.connect(self.accept)
        self.lay_out(
            self.text,
            self._grid(),
            note,
            self.always,
            self._error,
            left=((drop, 0),),
            right=(cancel, self.confirm),
        )
        self.text.textChanged.connect(self._check)
        self.domain.currentTextChanged.connect(self._check)
        self.text.setFocus()
        self._check()

    @property
    def typed(self) -> TypedRule:
        """What stands in it."""
        return TypedRule(
            self.domain.currentText().strip(),
            self.text.toPlainText().strip(),
            self._sources(),
            self.role.currentData(),
            self.always.isChecked(),
            self._is_dropped,
        )

    def refuse(self, sentence: str) -> None:
        """Say why what was typed could not be kept; it may be tried once more."""
        self._error.setText(sentence)
        self._error.show()
        announce(self.text, sentence, urgent=True)

    def _grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setColumnMinimumWidth(0, round(_NAMES * self.growth))
        grid.setColumnStretch(1, 1)
        grid.setVerticalSpacing(8)
        top = Qt.AlignmentFlag.AlignTop
        for number, field in enumerate((self.domain, self.sought, self.facts, self.role)):
            if field is not self.facts:
                spoken = tr("Rests on") if field is self.sought else field.accessibleName()
                label = plain_label(spoken, "meta", self)
                label.setVisible(not field.isHidden())
                grid.addWidget(label, number, 0, top)
            grid.addWidget(field, number, 1)
        return grid

    @staticmethod
    def _item(theme: Theme, one: Resting, *, is_on: bool) -> QListWidgetItem:
        text = f"{one.note}: {' '.join(one.text.split())}"
        item = QListWidgetItem(text)
        item.setToolTip(plain_tool_tip(text))
        item.setData(_REFERENCE, one.reference)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Checked if is_on else Qt.CheckState.Unchecked)
        if one.is_doubtful:
            item.setForeground(theme.color("ochre"))
        return item

    def _sources(self) -> tuple[str, ...]:
        """What is checked, in the order that it had, and then what is new."""
        items = (self.facts.item(place) for place in range(self.facts.count()))
        checked = [
            str(one.data(_REFERENCE)) for one in items if one.checkState() is Qt.CheckState.Checked
        ]
        return (
            *(one for one in self._begin.sources if one in checked),
            *(one for one in checked if one not in self._begin.sources),
        )

    def _on_sought(self, sought: str) -> None:
        for place in range(self.facts.count()):
            item = self.facts.item(place)
            item.setHidden(sought.strip().casefold() not in item.text().casefold())

    def _drop(self) -> None:
        self._is_dropped = True
        self.accept()

    def _check(self) -> None:
        typed = self.typed
        over = len(typed.text) - MAX_POLICY_CHARACTERS
        self._error.setVisible(over > 0)
        said = counted(max(over, 0), "1 character too long", "{n} characters too long")
        self._error.setText(said)
        self.confirm.setEnabled(bool(typed.text and typed.domain) and over <= 0)
