"""Joins the switcher to the workspaces: how much each holds, names, folders, end; asks before."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFileDialog, QPlainTextEdit

from inklings_desktop.domain.errors import DatabaseCorruptError
from inklings_desktop.ui.kit.controls.text_fields import PhraseField
from inklings_desktop.ui.kit.dialogs.ask import answered, ask_name, begin_asking
from inklings_desktop.ui.kit.dialogs.ask_dialog import MARGINS, SmallDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import Field, TextDialog
from inklings_desktop.ui.kit.dialogs.pieces import Note
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.translation import counted, quoted, tr
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.ops.background import Latest
from inklings_desktop.ui.kit.ops.file_manager import show_folder
from inklings_desktop.ui.kit.panes.pieces import FactTable
from inklings_desktop.ui.kit.words.messages import message_of
from inklings_desktop.ui.rail.wishes import WorkspaceRow, WorkspaceWish

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from PySide6.QtGui import QKeyEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.log.backup import WorkspaceDeletion
    from inklings_desktop.domain.rooms.workspace import Workspace, WorkspaceSummary
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.ops.places import ShellPresenter
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.rail.pane import RailPane


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


class Workspaces(QObject):
    """Carries out every wish of the switcher but those for a new or a sample workspace."""

    def __init__(
        self,
        context: Context,
        *,
        rail: RailPane,
        shell: ShellPresenter,
        open_workspace: Callable[[str], None],
        may_leave: Callable[[], Awaitable[bool]],
        parent: QObject,
    ) -> None:
        """Hear what the switcher of this rail asks for.

        Args:
            context: What every page is given.
            rail: Holds the card with the switcher.
            shell: Knows which workspace is open.
            open_workspace: Opens another one, if the pages may let go of this one.
            may_leave: Whether the open workspace may be let go of; asks about unsaved text.
            parent: Owner.
        """
        super().__init__(parent)
        self._context = context
        self._background, self._inklings = context.background, context.inklings
        self._rail, self._shell = rail, shell
        self._open_workspace, self._may_leave = open_workspace, may_leave
        self._surveying = Latest(context.background)
        rail.card.survey_wanted.connect(lambda: self._surveying.run(self._survey()))
        rail.card.wanted.connect(self._on_wanted)

    @Slot()
    def ask_folder(self) -> None:
        """Ask for a workspace's folder that lies elsewhere, and open a copy of it."""
        begin_asking(self._background, self._ask_folder(), self._rail)

    async def adopt(self, folder: Path) -> None:
        """Open a copy of a workspace's folder that lies elsewhere.

        Raises:
            InklingsError: It cannot be taken in.
        """
        if not await self._may_leave():
            return
        made: Workspace = await self._background.write(self._inklings.workspaces.adopt, folder)
        await self._shell.open_workspace(made.id)
        self._context.tell(
            tr("{name} was copied here; the folder you chose is unchanged").format(name=made.name)
        )

    @Slot(object, str)
    def _on_wanted(self, wish: WorkspaceWish, workspace_id: str) -> None:
        match wish:
            case WorkspaceWish.OPEN:
                self._open_workspace(workspace_id)
            case WorkspaceWish.RENAME:
                begin_asking(self._background, self._rename(workspace_id), self._rail)
            case WorkspaceWish.FOLDER:
                self._background.spawn(self._show_folder(workspace_id))
            case WorkspaceWish.DELETE:
                begin_asking(self._background, self._delete(workspace_id), self._rail)
            case WorkspaceWish.ADOPT:
                self.ask_folder()

    async def _ask_folder(self) -> None:
        title = tr("Open a workspace\u2019s folder")
        dialog = QFileDialog(self._rail.window(), title, str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        if await answered(dialog):
            await self.adopt(Path(dialog.selectedFiles()[0]))

    async def _surveyed(self) -> tuple[WorkspaceSummary, ...]:
        found: tuple[WorkspaceSummary, ...] = await self._background.read(
            self._inklings.workspaces.survey
        )
        return found

    async def _survey(self) -> None:
        found = await self._surveyed()
        self._rail.card.show_details([_row(one) for one in found])
        for one in found:
            if isinstance(one.problem, DatabaseCorruptError):
                self._background.note_damage(one.problem)

    async def _rename(self, workspace_id: str) -> None:
        before = self._known(workspace_id)
        if before is None:
            return

        async def use(name: str) -> Workspace:
            found: Workspace = await self._background.write(
                self._inklings.workspaces.rename, workspace_id, name
            )
            return found

        after = await ask_name(
            self._rail.window(),
            tr("Rename {name}").format(name=before.name),
            tr("Its folder and everything in it stay."),
            yes=tr("Rename"),
            use=use,
            name=before.name,
        )
        if after is not None:
            self._shell.refresh()
            self._context.tell(
                tr("{before} is now {after}").format(before=before.name, after=after.name)
            )

    async def _show_folder(self, workspace_id: str) -> None:
        found = await self._surveyed()
        folder = next((one.folder for one in found if one.workspace.id == workspace_id), None)
        if folder is not None:
            show_folder(folder, self._context.say)

    async def _delete(self, workspace_id: str) -> None:
        """Delete a workspace once its phrase was typed; another one opens if it was open."""
        here = self._shell.surroundings
        is_open = here is not None and here.workspace.id == workspace_id
        if is_open and not await self._may_leave():
            return
        with self._shell.expecting_to_leave(workspace_id):
            found: WorkspaceDeletion = await self._background.read(
                self._inklings.workspaces.preview_deletion, workspace_id
            )
            dialog = DeleteWorkspaceDialog(self._rail.theme, found, self._rail.window())
            if not await answered(dialog):
                return
            await self._background.write(self._delete_for_good, workspace_id, dialog.phrase)
            if is_open:
                await self._shell.open_workspace(None)
        if not is_open:
            self._shell.refresh()

    def _delete_for_good(self, workspace_id: str, typed: str) -> None:
        """Leave an empty workspace in the place of the last one: the window always shows one."""
        inklings = self._inklings
        inklings.workspaces.delete(workspace_id, confirm=typed)
        if not inklings.places.workspaces():
            inklings.workspaces.create(tr("My world"))

    def _known(self, workspace_id: str) -> Workspace | None:
        here = self._shell.surroundings
        known = here.workspaces if here is not None else ()
        return next((one for one in known if one.id == workspace_id), None)


def _row(summary: WorkspaceSummary) -> WorkspaceRow:
    one = summary.workspace
    if summary.problem is not None:
        return WorkspaceRow(one.id, one.name, message_of(summary.problem).title, is_readable=False)
    n_memories = summary.n_memories or 0
    detail = counted(
        n_memories,
        "1 memory",
        "{n} memories",
    )
    return WorkspaceRow(one.id, one.name, detail)
