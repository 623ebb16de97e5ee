"""The dialog that makes a domain: its name, who may write in it at first, who may read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit, QWidget

from inklings_desktop.domain.knowledge.domains import MAX_DOMAIN_NAME
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.toggles import CheckBox
from inklings_desktop.ui.kit.dialogs.ask_dialog import SmallDialog
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import FlowLayout
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.ui.kit.look.theme import Theme

_WIDTH = 460


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
