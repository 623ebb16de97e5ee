"""What stands below a memory's text: a conflict to settle, or that it is forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.look.plain_text import plain_tool_tip
from inklings_desktop.ui.kit.marks.labels import plain_label, wrapped_label
from inklings_desktop.ui.kit.panes.pieces import Notice
from inklings_desktop.ui.markdown.diff_view import DiffView
from inklings_desktop.ui.memory.subject.state import ConflictKind

if TYPE_CHECKING:
    from inklings_desktop.domain.words.text_diff import TextDiff
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.memory.subject.state import (
        ConflictFacts,
        ForgottenFacts,
        OfferFacts,
    )


class ConflictBanner(QWidget):
    """Says that a memory changed under the editor's hands, shows how, and offers the choice.

    Signals:
        compare_requested: How the two texts differ is wanted; ``show_difference`` takes it.
        keep_mine_requested: The person's version is to be saved.
        take_theirs_requested: The stored version is to be shown instead.
        copy_requested: The text is wanted on the clipboard.
    """

    copy_requested = Signal()
    compare_requested = Signal()
    keep_mine_requested = Signal()
    take_theirs_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("conflictBanner")
        self._texts: tuple[str, str | None] = ("", None)
        self._notice = Notice(theme, icon="warning", role="ochre", ground="ochreSoft", parent=self)
        self.compare = self._notice.add_button(self.tr("Compare"))
        self.compare.setObjectName("conflictCompare")
        self.compare.setCheckable(True)
        self.compare.toggled.connect(self._on_compare_toggled)
        self.copy = self._notice.add_button(self.tr("Copy text"))
        self.copy.setObjectName("conflictCopy")
        self.copy.clicked.connect(self.copy_requested)
        self.keep = self._notice.add_button(self.tr("Keep mine"))
        self.keep.setObjectName("conflictKeepMine")
        self.keep.clicked.connect(self.keep_mine_requested)
        self.take = self._notice.add_button(self.tr("Take theirs"))
        self.take.setObjectName("conflictTakeTheirs")
        self.take.clicked.connect(self.take_theirs_requested)
        legend = self.tr("\u2212 stored text   + your text")
        self._versions = TwoTexts(theme, legend, self)
        self.diff = self._versions.diff
        self.diff.setObjectName("conflictDiff")
        self.diff.setAccessibleName(self.tr("Changes from the stored text to yours"))
        self._figures = wrapped_label("", "meta", self)
        stack = QVBoxLayout(self)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.setSpacing(8)
        for part in (self._notice, self._versions, self._figures):
            stack.addWidget(part)
        self._figures_text = ""
        self._show_versions(shown=False)

    def show_conflict(self, conflict: ConflictFacts) -> None:
        """Show a conflict, or the same one after more typing."""
        self._notice.say(conflict.title, self._consequence(conflict.kind))
        can_compare = conflict.theirs is not None
        self.compare.setVisible(can_compare)
        self.copy.setVisible(conflict.kind is ConflictKind.GONE)
        self._figures_text = (
            self.tr("Stored with {figures}.").format(figures=conflict.their_figures)
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

    def show_difference(self, diff: TextDiff) -> None:
        """Show how the two texts differ."""
        self.diff.show_diff(diff)

    def close_comparison(self) -> None:
        """The next conflict starts with its two texts folded away."""
        self.compare.setChecked(False)

    def tab_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [self.compare, self.copy, self.keep, self.take, self.diff]

    def _show_versions(self, *, shown: bool) -> None:
        self._versions.setVisible(shown)
        self._figures.setText(self._figures_text)
        self._figures.setVisible(shown and bool(self._figures_text))

    def _consequence(self, kind: ConflictKind) -> str:
        return {
            ConflictKind.CHANGED: self.tr("Your text is still here. Choose which one stays."),
            ConflictKind.FORGOTTEN: self.tr(
                "Your text is still here. Saving it restores the memory."
            ),
            ConflictKind.GONE: self.tr("Your text is still here. Saving it writes a new memory."),
        }[kind]

    def _verbs(self, kind: ConflictKind) -> tuple[str, str]:
        return {
            ConflictKind.CHANGED: (self.tr("Keep mine"), self.tr("Take theirs")),
            ConflictKind.FORGOTTEN: (self.tr("Restore and keep mine"), self.tr("Leave forgotten")),
            ConflictKind.GONE: (self.tr("Write it anew"), self.tr("Discard mine")),
        }[kind]

    @Slot(bool)
    def _on_compare_toggled(self, checked: bool) -> None:  # noqa: FBT001 - Qt
        self._show_versions(shown=checked)
        if checked:
            self.compare_requested.emit()


class OfferBanner(QWidget):
    """Says that an earlier run had not saved what was typed, and offers it.

    Signals:
        compare_requested: How it differs from what is stored; ``show_difference`` takes it.
        continue_requested: It is to be gone on with.
        discard_requested: It is to be let go of.
    """

    compare_requested = Signal()
    continue_requested = Signal()
    discard_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("draftBanner")
        self._notice = Notice(
            theme, icon="clock-counter-clockwise", role="ochre", ground="ochreSoft", parent=self
        )
        self.compare = self._notice.add_button(self.tr("Compare"))
        self.compare.setObjectName("draftCompare")
        self.compare.setCheckable(True)
        self.discard = self._notice.add_button(self.tr("Discard it"))
        self.discard.setObjectName("draftDiscard")
        self.discard.clicked.connect(self.discard_requested)
        self.proceed = self._notice.add_button(self.tr("Continue with it"))
        self.proceed.setObjectName("draftContinue")
        self.proceed.clicked.connect(self.continue_requested)
        legend = self.tr("\u2212 stored text   + draft")
        self._texts = TwoTexts(theme, legend, self)
        self._texts.hide()
        self.compare.toggled.connect(self._on_compare_toggled)
        stack = QVBoxLayout(self)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.setSpacing(8)
        stack.addWidget(self._notice)
        stack.addWidget(self._texts)
        self._offer: OfferFacts | None = None

    def show_offer(self, offer: OfferFacts) -> None:
        """Show another offer, its comparison folded away; the same one stays as it stands."""
        if offer != self._offer:
            self._offer = offer
            self._notice.say(offer.title, self.tr("It is kept until you decide."))
            self.compare.setChecked(False)

    def show_difference(self, diff: TextDiff) -> None:
        """Show how the two texts differ."""
        self._texts.diff.show_diff(diff)

    def tab_stops(self) -> list[QWidget]:
        """Where Tab stops, in order."""
        return [self.compare, self.discard, self.proceed, self._texts.diff]

    @Slot(bool)
    def _on_compare_toggled(self, checked: bool) -> None:  # noqa: FBT001 - Qt
        self._texts.setVisible(checked)
        if checked:
            self.compare_requested.emit()


class DiskFullBanner(Notice):
    """Says that a save found no room, and keeps the text within reach.

    Signals:
        retry_requested: Save once more.
        copy_requested: The text is wanted on the clipboard.
    """

    retry_requested = Signal()
    copy_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(
            theme, icon="warning-circle", role="madder", ground="madderSoft", parent=parent
        )
        self.setObjectName("diskFullBanner")
        self.say(
            self.tr("Not saved: the disk is full."), self.tr("Your text is still in the editor.")
        )
        self.retry = self.add_button(self.tr("Try again"))
        self.retry.setObjectName("diskFullRetry")
        self.retry.clicked.connect(self.retry_requested)
        self.copy = self.add_button(self.tr("Copy text"))
        self.copy.setObjectName("diskFullCopy")
        self.copy.clicked.connect(self.copy_requested)


class TwoTexts(QFrame):
    """How two texts differ, under a line that says which is which."""

    def __init__(self, theme: Theme, legend: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.diff = DiffView(theme, self, compact=True)
        stack = QVBoxLayout(self)
        stack.setContentsMargins(8, 7, 8, 8)
        stack.setSpacing(5)
        stack.addWidget(plain_label(legend, "label", self))
        stack.addWidget(self.diff)


class ForgottenBanner(Notice):
    """Says since when and why a memory is forgotten, and offers it back.

    Signals:
        restore_requested: The memory is to be active again.
        successor_requested: The memory that took its place is wanted.
    """

    restore_requested = Signal()
    successor_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(
            theme, icon="eraser", role="graphite", ground="graphiteSoft", parent=parent
        )
        self.setObjectName("forgottenBanner")
        self.restore = self.add_button(self.tr("Restore"))
        self.restore.setObjectName("bannerRestore")
        self.restore.clicked.connect(self.restore_requested)
        self.successor = LinkButton("", self)
        self.successor.setObjectName("bannerSuccessor")
        self.successor.clicked.connect(self.successor_requested)
        self.buttons.addWidget(self.successor)
        self.show_successor("")

    def show_successor(self, text: str, *, is_replaced: bool = False) -> None:
        """Lead to the memory that took its place.

        Args:
            text: What that one says; empty if there is none.
            is_replaced: Whether that one was written to replace it.
        """
        self.successor.setVisible(bool(text))
        words = self.tr("Merged into another one"), self.tr("Merged into: {text}")
        if is_replaced:
            words = self.tr("Replaced by another one"), self.tr("Replaced by: {text}")
        self.successor.setText(words[0])
        self.successor.setAccessibleName(words[1].format(text=text))
        self.successor.setToolTip(plain_tool_tip(text))

    def show_forgotten(self, forgotten: ForgottenFacts) -> None:
        """Show since when and why."""
        reason = forgotten.reason
        self.say(
            forgotten.title,
            self.tr("Reason: {reason}. The agent does not find it.").format(reason=reason)
            if reason
            else self.tr("The agent does not find it."),
        )
        self.setToolTip(plain_tool_tip(forgotten.exact))
