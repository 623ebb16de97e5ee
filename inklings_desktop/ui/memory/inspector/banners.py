"""What stands below a memory's text: a conflict to settle, or that it is forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QWidget

from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.look.accessibility import named, stand_before
from inklings_desktop.ui.kit.look.layouts import vbox
from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label, wrapped_label
from inklings_desktop.ui.kit.panes.pieces import Notice
from inklings_desktop.ui.markdown.diff_view import DiffView
from inklings_desktop.ui.memory.subject.state import ConflictKind

if TYPE_CHECKING:
    from inklings_desktop.domain.words.text_diff import TextDiff
    from inklings_desktop.ui.kit.controls.buttons import PushButton
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.memory.subject.state import (
        ConflictFacts,
        ForgottenFacts,
        OfferFacts,
    )


class _ComparingBanner(QWidget):
    """A notice over two texts, whose difference unfolds below it.

    Signals:
        compare_requested: How the two texts differ is wanted; ``show_difference`` takes it.
    """

    compare_requested = Signal()

    def __init__(
        self, theme: Theme, name: str, icon: str, legend: str, parent: QWidget | None
    ) -> None:
        super().__init__(parent)
        self._name = name
        self.setObjectName(f"{name}Banner")
        self._notice = Notice(theme, icon=icon, role="ochre", ground="ochreSoft", parent=self)
        self._versions = TwoTexts(theme, legend, self)
        self._versions.hide()
        self.diff = self._versions.diff
        self.compare = self._button(tr("Compare"), "Compare")
        self.compare.setCheckable(True)
        self.compare.toggled.connect(self._on_compare_toggled)
        self._column = vbox(self, self._notice, self._versions, margins=0, spacing=8)

    def show_difference(self, diff: TextDiff) -> None:
        """Show how the two texts differ."""
        self.diff.show_diff(diff)

    def _button(self, text: str, name: str) -> PushButton:
        button = named(self._notice.add_button(text), f"{self._name}{name}")
        stand_before(self.diff, [button])
        return button

    def _show_versions(self, *, shown: bool) -> None:
        self._versions.setVisible(shown)

    @Slot(bool)
    def _on_compare_toggled(self, checked: bool) -> None:  # noqa: FBT001 - Qt
        self._show_versions(shown=checked)
        if checked:
            self.compare_requested.emit()


class ConflictBanner(_ComparingBanner):
    """Says that a memory changed under the editor's hands, shows how, and offers the choice.

    Attributes:
        copy: Puts the text on the clipboard.
        keep: Saves the person's version.
        take: Shows the stored version instead.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        legend = tr("\u2212 stored text   + your text")
        super().__init__(theme, "conflict", "warning", legend, parent)
        self._texts: tuple[str, str | None] = ("", None)
        self.copy = self._button(tr("Copy text"), "Copy")
        self.keep = self._button(tr("Keep mine"), "KeepMine")
        self.take = self._button(tr("Take theirs"), "TakeTheirs")
        self.diff.setObjectName("conflictDiff")
        self.diff.setAccessibleName(tr("Changes from the stored text to yours"))
        self._figures_text = ""
        self._figures = wrapped_label("", "meta", self)
        self._figures.hide()
        self._column.addWidget(self._figures)

    def show_conflict(self, conflict: ConflictFacts) -> None:
        """Show a conflict, or the same one after more typing."""
        self._notice.say(conflict.title, self._consequence(conflict.kind))
        can_compare = conflict.theirs is not None
        self.compare.setVisible(can_compare)
        self.copy.setVisible(conflict.kind is ConflictKind.GONE)
        self._figures_text = (
            tr("Stored with {figures}.").format(figures=conflict.their_figures)
            if conflict.their_figures
            else ""
        )
        keep, take = self._verbs(conflict.kind)
        self.keep.setText(keep)
        self.take.setText(take)
        is_compared = can_compare and self.compare.isChecked()
        self._show_versions(shown=is_compared)
        texts, self._texts = self._texts, (conflict.mine, conflict.theirs)
        if is_compared and texts != self._texts:
            self.compare_requested.emit()

    def _show_versions(self, *, shown: bool) -> None:
        super()._show_versions(shown=shown)
        self._figures.setText(self._figures_text)
        self._figures.setVisible(shown and bool(self._figures_text))

    def _consequence(self, kind: ConflictKind) -> str:
        return {
            ConflictKind.CHANGED: tr("Your text is still here. Choose which one stays."),
            ConflictKind.FORGOTTEN: tr("Your text is still here. Save it to restore the memory."),
            ConflictKind.GONE: tr("Your text is still here. Save it as a new memory."),
        }[kind]

    def _verbs(self, kind: ConflictKind) -> tuple[str, str]:
        return {
            ConflictKind.CHANGED: (tr("Keep mine"), tr("Take theirs")),
            ConflictKind.FORGOTTEN: (tr("Restore and keep mine"), tr("Leave forgotten")),
            ConflictKind.GONE: (tr("Write it again"), tr("Discard mine")),
        }[kind]


class OfferBanner(_ComparingBanner):
    """Says that an earlier run had not saved what was typed, and offers it.

    Attributes:
        proceed: Goes on with it.
        discard: Lets go of it.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(
            theme, "draft", "clock-counter-clockwise", tr("\u2212 stored text   + draft"), parent
        )
        self.discard = self._button(tr("Discard it"), "Discard")
        self.proceed = self._button(tr("Continue with it"), "Continue")
        self._offer: OfferFacts | None = None

    def show_offer(self, offer: OfferFacts) -> None:
        """Show another offer, its comparison folded away; the same one stays as it stands."""
        if offer != self._offer:
            self._offer = offer
            self._notice.say(offer.title, tr("It is kept until you decide."))
            self.compare.setChecked(False)


class DiskFullBanner(Notice):
    """Says that a save found no room, and keeps the text within reach.

    Attributes:
        retry: Saves once more.
        copy: Puts the text on the clipboard.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(
            theme, icon="warning-circle", role="madder", ground="madderSoft", parent=parent
        )
        self.setObjectName("diskFullBanner")
        self.say(tr("Not saved: the disk is full."), tr("Your text is still in the editor."))
        self.retry = named(self.add_button(tr("Try again")), "diskFullRetry")
        self.copy = named(self.add_button(tr("Copy text")), "diskFullCopy")


class TwoTexts(QFrame):
    """How two texts differ, under a line that says which is which."""

    def __init__(self, theme: Theme, legend: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.diff = DiffView(theme, self, compact=True)
        vbox(self, plain_label(legend, "label", self), self.diff, margins=(8, 7, 8, 8), spacing=5)


class ForgottenBanner(Notice):
    """Says since when and why a memory is forgotten, and offers it back.

    Attributes:
        restore: Makes the memory active again.
        successor: Leads to the memory that took its place.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(
            theme, icon="eraser", role="graphite", ground="graphiteSoft", parent=parent
        )
        self.setObjectName("forgottenBanner")
        self.restore = named(self.add_button(tr("Restore")), "bannerRestore")
        self.successor = named(LinkButton("", self), "bannerSuccessor")
        self.buttons.addWidget(self.successor)
        self.show_successor("")

    def show_successor(self, text: str, *, is_replaced: bool = False) -> None:
        """Lead to the memory that took its place.

        Args:
            text: What that one says; empty if there is none.
            is_replaced: Whether that one was written to replace it.
        """
        self.successor.setVisible(bool(text))
        words = tr("Merged into another one"), tr("Merged into: {text}")
        if is_replaced:
            words = tr("Replaced by another one"), tr("Replaced by: {text}")
        self.successor.setText(words[0])
        self.successor.setAccessibleName(words[1].format(text=text))
        self.successor.setToolTip(plain_tool_tip(text))

    def show_forgotten(self, forgotten: ForgottenFacts) -> None:
        """Show since when and why."""
        reason = forgotten.reason
        self.say(
            forgotten.title,
            tr("Reason: {reason}. The agent does not find it.").format(reason=reason)
            if reason
            else tr("The agent does not find it."),
        )
        self.setToolTip(plain_tool_tip(forgotten.exact))
