"""Asks before a workspace is deleted and before a conversation rests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from inklings_desktop.ui.kit.controls.text_fields import PhraseField
from inklings_desktop.ui.kit.dialogs.ask_dialog import MARGINS, SmallDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import Field, TextDialog
from inklings_desktop.ui.kit.dialogs.pieces import Note
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.translation import counted, quoted, tr
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.panes.pieces import FactTable

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QShowEvent
    from PySide6.QtWidgets import (
        QWidget,
    )

    from inklings_desktop.domain.log.backup import WorkspaceDeletion
    from inklings_desktop.ui.kit.look.theme import Theme


class DeleteWorkspaceDialog(SmallDialog):
    """Escape and closing keep everything; Enter does nothing; the phrase is typed by hand."""

    def __init__(self, theme: Theme, deletion: WorkspaceDeletion, parent: QWidget) -> None:
        question = tr("Delete {name} for good?").format(name=deletion.name)
        ask = tr("Type \u201c{phrase}\u201d to confirm").format(phrase=deletion.phrase)
        super().__init__(parent, question, ask, name="deleteWorkspaceDialog", width=560)
        self.words.setProperty("textStyle", "label")
        self._phrase = deletion.phrase
        facts = self._facts(theme, deletion)
        warning = Note(theme, self)
        warning.say(
            "madder",
            "warning",
            tr("This cannot be undone."),
            tr(
                "Its file, history and backups are deleted. The account\u2019s log keeps that this"
                " was done, and what was scrubbed here before."
            ),
        )
        self.field = named(PhraseField(self), "deletePhrase", tr("Confirmation phrase"))
        self.field.setAccessibleDescription(ask)
        self.field.textChanged.connect(self._on_text_changed)
        self.field.paste_refused.connect(self._on_paste_refused)
        self.hint = plain_label("", "caption", self)
        self.keep = self.button(tr("Keep everything"), "deleteKeep")
        self.keep.clicked.connect(self.reject)
        self.delete = self.button(tr("Delete workspace"), "deleteWorkspace", kind="danger")
        self.delete.setEnabled(False)
        self.delete.clicked.connect(self.accept)
        buttons = hbox(None, STRETCH, self.keep, self.delete, spacing=10)
        layout = vbox(self, margins=MARGINS, spacing=12)
        fill(layout, self.heading, facts, warning, self.words, self.field, self.hint, 8, buttons)
        self.field.setFocus()

    def _facts(self, theme: Theme, deletion: WorkspaceDeletion) -> FactTable:
        facts = FactTable(theme, self, bare=True)
        if deletion.is_damaged:
            label = facts.add_text(tr("Contents"))
            label.setText(tr("cannot be counted: its file is damaged"))
        else:
            for name, count in (
                (tr("Memories"), deletion.n_memories),
                (tr("Named entries"), deletion.n_named_entries),
                (tr("Conversations"), deletion.n_conversations),
                (tr("Log"), deletion.n_events),
            ):
                facts.add_text(name).setText(self._figure(name, count))
        backups = facts.add_text(tr("Backups"))
        backups.setText(
            tr("none")
            if not deletion.n_backups
            else counted(deletion.n_backups, "1, deleted as well", "{n}, deleted as well")
        )
        return facts

    @property
    def phrase(self) -> str:
        """What was typed."""
        return self.field.text()

    def showEvent(self, event: QShowEvent) -> None:
        """Takes the height that a question of two lines needs: rows were pressed together."""
        super().showEvent(event)
        layout = self.layout()
        assert layout is not None
        self.setMinimumHeight(layout.totalHeightForWidth(self.width()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.text() in {"\r", "\n"}:
            event.accept()
            return
        super().keyPressEvent(event)

    def _figure(self, name: str, count: int) -> str:
        figure = QLocale().toString(count)
        if name != tr("Log"):
            return figure
        return counted(count, "1 event", "{n} events")

    @Slot(str)
    def _on_text_changed(self, text: str) -> None:
        self.hint.setText("")
        self.delete.setEnabled(text.strip() == self._phrase)

    @Slot()
    def _on_paste_refused(self) -> None:
        self.hint.setText(tr("Please type it"))


class EndConversationDialog(TextDialog):
    """Shows what would be kept, to be edited; dismissing it leaves the conversation active."""

    def __init__(
        self, title: str, channel: str, *, n_memories: int, parent: QWidget, summary: str = ""
    ) -> None:
        """Ask.

        Args:
            title: What the conversation is called.
            channel: The channel that its summary goes to.
            n_memories: Memories of its own tier, which are forgotten.
            parent: The window it belongs to.
            summary: What would be kept, one line for each memory; to be edited.
        """
        kept = tr(
            "Write one line for each thing to keep; it becomes a memory in #{channel}. Leave it"
            " empty to keep nothing."
        ).format(channel=channel)
        gone = counted(
            n_memories,
            "Its one working memory will be forgotten; you can restore it.",
            "Its {n} working memories will be forgotten; you can restore them.",
        )
        super().__init__(
            parent,
            tr("End {title}?").format(title=quoted(title)),
            f"{kept} {gone}" if n_memories else kept,
            Field(
                ("endConversationDialog", "conversationSummary", "endConfirm"),
                tr("What to keep"),
                tr("What should be kept?"),
                summary,
                height=150,
                width=520,
            ),
            yes=tr("End conversation"),
            no=tr("Keep talking"),
        )
        if isinstance(self.field, QPlainTextEdit):
            self.field.moveCursor(QTextCursor.MoveOperation.End)  # a letter replaces nothing
