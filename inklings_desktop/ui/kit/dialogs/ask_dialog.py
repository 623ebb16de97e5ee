"""The small dialogs without a field: what is asked or said, what follows, and the answers."""

from __future__ import annotations

from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
)

from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.layouts import Part

MARGINS = (28, 24, 28, 24)
_USUAL_BODY = 14
_AFTER_WORDS = 2
_DETAILS_HEIGHT, _DETAILS_EDGES = 160, 30


class SmallDialog(QDialog):
    """Heading and words; a subclass makes its buttons and then calls ``lay_out``.

    Attributes:
        growth: How much larger text is than usual, 1 at the usual size or where it is not asked.
        heading: What is asked or said.
        words: What follows from an answer.
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        text: str,
        *,
        name: str,
        width: int = 440,
        grows: bool = False,
    ) -> None:
        """Build heading and words.

        Args:
            title: What is asked or said, in a short sentence.
            text: What follows from it.
            name: Object name.
            width: Least width at text scale 1, in pixels.
            grows: Whether it is wider for larger text.
        """
        super().__init__(parent)
        self.growth = max(1.0, self.font().pixelSize() / _USUAL_BODY) if grows else 1.0
        self.setObjectName(name)
        self.setWindowTitle(title)
        self.setMinimumWidth(round(width * self.growth))
        self.heading = plain_label(title, "title", self, wraps=True)
        self.words = plain_label(text, "body", self, wraps=True)
        for label in (self.heading, self.words):  # measured at the width it will have
            label.setMinimumWidth(self.minimumWidth() - 2 * MARGINS[0])

    def button(
        self, text: str, name: str = "", *, kind: str = "", on_enter: bool = False
    ) -> QPushButton:
        """One more button; whether Enter presses it is up to nobody else.

        Args:
            text: What it says.
            name: Object name.
            kind: Its look, such as ``primary``; empty for a plain one.
            on_enter: Whether Enter presses it.
        """
        button = named(QPushButton(text, self), name)
        button.setAutoDefault(on_enter)
        button.setDefault(on_enter)
        if kind:
            button.setProperty("kind", kind)
        return button

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter presses the default button, where Enter makes a line as well."""
        is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            for button in self.findChildren(QPushButton):
                if button.isDefault() and button.isEnabled():
                    button.click()
                    return
        super().keyPressEvent(event)

    def lay_out(
        self,
        *between: Part,
        left: Sequence[tuple[QWidget, int]] = (),
        right: Sequence[QWidget],
        gap: int = 10,
        above: int = 8,
    ) -> None:
        """Put everything in its place.

        Args:
            between: What stands between the words and the buttons.
            left: What stands at the left of the buttons, each with its stretch.
            right: The buttons.
            gap: Between two buttons, in pixels.
            above: How much further the buttons stand from the rest than that from each other.
        """
        buttons = hbox(None, *left, STRETCH, *right, spacing=gap)
        box = vbox(self, self.heading, self.words, *between, margins=MARGINS, spacing=12)
        fill(box, above, buttons)

    def show_between(self, widget: QWidget) -> None:
        """Show something below the words: to judge by, or to choose."""
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(_AFTER_WORDS, widget)


class ConfirmDialog(SmallDialog):
    """Whether something should really be done; Escape leaves all as it is.

    Enter does it, unless that takes something away.

    Attributes:
        confirm: The button that does it.
        keep: The button that leaves everything as it is.
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        text: str,
        *,
        yes: str,
        no: str,
        is_destructive: bool = False,
    ) -> None:
        """Build the dialog; the arguments are those of ``ask``."""
        super().__init__(parent, title, text, name="confirmDialog")
        self.keep = self.button(no, "confirmKeep", on_enter=is_destructive)
        self.keep.clicked.connect(self.reject)
        kind = "danger" if is_destructive else "primary"
        self.confirm = self.button(yes, "confirmAction", kind=kind, on_enter=not is_destructive)
        self.confirm.clicked.connect(self.accept)
        (self.keep if is_destructive else self.confirm).setFocus()
        self.lay_out(right=(self.keep, self.confirm))


class UnsavedAnswer(IntEnum):
    """Result codes of the dialog; dismissing it is *Stay*."""

    STAY = QDialog.DialogCode.Rejected.value
    SAVE = 10
    DISCARD = 11


class UnsavedDialog(SmallDialog):
    """What becomes of changes that were not saved: Save, Discard, Stay."""

    def __init__(self, parent: QWidget, question: str = "") -> None:
        """Build the dialog.

        Args:
            question: What is asked; about the memory in the inspector if empty.
        """
        super().__init__(
            parent,
            question or tr("Save your changes to this memory?"),
            tr("Discarded text is lost."),
            name="unsavedDialog",
            width=420,
        )
        self.setWindowTitle(tr("Unsaved changes"))
        save = self.button(tr("Save"), "unsavedSave", kind="primary", on_enter=True)
        discard = self.button(tr("Discard"), "unsavedDiscard", kind="quietDanger")
        stay = self.button(tr("Stay"), "unsavedStay")
        for button, answer in (
            (save, UnsavedAnswer.SAVE),
            (discard, UnsavedAnswer.DISCARD),
            (stay, UnsavedAnswer.STAY),
        ):
            button.clicked.connect(partial(self.done, answer.value))
        save.setFocus()  # discarding stands first, and must not be what is pressed by chance
        self.lay_out(left=((discard, 0),), right=(stay, save), gap=12)


class MessageDialog(SmallDialog):
    """Says what went wrong, with details to copy; there is nothing to decide."""

    def __init__(self, title: str, text: str, details: str, parent: QWidget) -> None:
        super().__init__(parent, title, text, name="messageDialog", width=480)
        self._details = details
        facts: list[QWidget] = []
        left: list[tuple[QWidget, int]] = []
        if details:
            facts.append(self._facts(details.rstrip()))
            copy = self.button(tr("Copy details"))
            copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._details))
            left.append((copy, 0))
        close = self.button(tr("Close"), on_enter=True)
        close.clicked.connect(self.accept)
        self.lay_out(*facts, left=left, right=(close,), gap=12)

    def says_as(self, other: MessageDialog) -> bool:
        """Whether it says what another one does; the details do not count."""
        return (self.heading.text(), self.words.text()) == (
            other.heading.text(),
            other.words.text(),
        )

    def _facts(self, details: str) -> QPlainTextEdit:
        facts = QPlainTextEdit(details, self)
        facts.setProperty("mono", "true")
        facts.ensurePolished()
        facts.setReadOnly(True)
        facts.setAccessibleName(tr("Details"))
        rows = details.count("\n") + 1
        edges = facts.height() - facts.viewport().height()
        wanted = rows * facts.fontMetrics().lineSpacing() + max(edges, _DETAILS_EDGES)
        facts.setFixedHeight(min(wanted, _DETAILS_HEIGHT))
        return facts
