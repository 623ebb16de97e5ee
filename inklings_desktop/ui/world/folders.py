"""What is done with folders of pages: linked, looked at, chosen again, ruled, unlinked."""

from __future__ import annotations

import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.ui.kit.dialogs.ask import answered, ask, begin_asking
from inklings_desktop.ui.kit.dialogs.field_dialogs import Field, TextDialog
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.file_manager import show_folder
from inklings_desktop.ui.kit.ops.storing import storing, why_withheld
from inklings_desktop.ui.world.words import left_alone_line, refusal_of, rules_of, rules_text

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from typing import Any

    from inklings_desktop.domain.world.pages import FolderLook, FolderRules, WorldFolder
    from inklings_desktop.ui.kit.page.context import Context

REPORT_SECONDS = 0.1
"""A reading says so often how far it is: each word of it takes the window some of its time."""


class FolderActs(QObject):
    """Does what the person asks of folders; one reading at a time.

    Attributes:
        progress: How many of how many changed files are read; None while none is.

    Signals:
        moved: The progress is another one.
        done: Folders or pages are others now.
    """

    moved = Signal()
    done = Signal()
    _reported = Signal(int, int)

    def __init__(self, context: Context, workspace: Callable[[], str], view: QWidget) -> None:
        """Do nothing yet.

        Args:
            context: Of the page.
            workspace: Id of the open workspace.
            view: What dialogs are asked over.
        """
        super().__init__(view)
        self._context, self._workspace, self._view = context, workspace, view
        self._stop: threading.Event | None = None
        self._told_at = 0.0
        self.progress: tuple[int, int] | None = None
        self._reported.connect(self._on_reported)

    # -- linking ----------------------------------------------------------------------------

    def ask_folder(self) -> None:
        """Ask for a folder and link it."""
        if not why_withheld():
            self._ask(self._link_asked())

    def link(self, path: Path) -> None:
        """Link a folder, as one that was dropped, and read it."""
        self._spawn(self._link(path))

    def relocate(self, folder: WorldFolder) -> None:
        """Ask where a folder lies now."""
        self._ask(self._relocate(folder))

    async def _link_asked(self) -> None:
        path = await self._asked_path(tr("Link a folder"), Path.home())
        if path is not None:
            await self._link(path)

    async def _link(self, path: Path) -> None:
        world = self._context.inklings.world
        folder = await self._taken(world.link, path)
        if folder is None:
            return
        await self._look(folder.id)
        looks = await self._context.background.read(world.folders, self._workspace())
        left = left_alone_line([one for one in looks if one.folder.id == folder.id])
        self._context.tell(left or tr("{folder} is linked").format(folder=folder.name))

    async def _relocate(self, folder: WorldFolder) -> None:
        path = await self._asked_path(tr("Where is it now?"), Path(folder.path).parent)
        if path is None:
            return
        relocate = self._context.inklings.world.relocate
        if await self._taken(relocate, folder.id, path) is not None:
            await self._look(folder.id)

    async def _taken(
        self, take: Callable[..., WorldFolder], *what: str | Path
    ) -> WorldFolder | None:
        """The folder as it is linked now; None where it may not be, which is said."""
        try:
            folder = await self._context.background.write(take, self._workspace(), *what)
        except InvalidValueError as error:
            self._context.say(refusal_of(error))
            return None
        self.done.emit()
        return folder

    async def _asked_path(self, title: str, begin: Path) -> Path | None:
        dialog = QFileDialog(self._view.window(), title, str(begin))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        return Path(dialog.selectedFiles()[0]) if await answered(dialog) else None

    # -- reading ----------------------------------------------------------------------------

    def look(self, folder: str = "") -> None:
        """Look at a folder again, or at all of them."""
        if self._stop is None:
            self._spawn(self._look(folder))

    def look_by_the_way(self) -> None:
        """Look at all folders, because somebody looks at their pages; nothing is said of it."""
        if self._stop is None:
            self._context.background.spawn(self._look(""), on_refused=lambda _error: None)

    def cancel(self) -> None:
        """End the reading under way; what was read until then stays."""
        if self._stop is not None:
            self._stop.set()

    async def _look(self, folder: str) -> None:
        self.cancel()
        stop = self._stop = threading.Event()
        try:
            await self._context.background.read(
                self._context.inklings.world.look,
                self._workspace(),
                folder,
                report=self._report,
                goes_on=lambda: not stop.is_set(),
            )
        finally:
            stop.set()  # where nobody waits any more, as at closing, nothing is read either
            if self._stop is stop:
                self._stop = self.progress = None
                self.moved.emit()
            self.done.emit()

    def _report(self, n_done: int, n_all: int) -> None:
        """Hear of the progress on the thread that reads."""
        now = time.monotonic()
        if n_done == n_all or now - self._told_at >= REPORT_SECONDS:
            self._told_at = now
            self._reported.emit(n_done, n_all)

    @Slot(int, int)
    def _on_reported(self, n_done: int, n_all: int) -> None:
        if self._stop is not None:
            self.progress = (n_done, n_all)
            self.moved.emit()

    # -- the menu of folders ----------------------------------------------------------------

    def menu(self, looks: Sequence[FolderLook]) -> QMenu:
        """What can be done with each folder, made anew."""
        made = QMenu(self._view)
        for look in looks:
            below = made.addMenu(look.folder.name) if len(looks) > 1 else made
            self._fill(below, look.folder)
        made.addSeparator()
        storing(made.addAction(tr("Link another folder\u2026"), self.ask_folder))
        return made

    def _fill(self, menu: QMenu, folder: WorldFolder) -> None:
        menu.addAction(tr("Look again"), partial(self.look, folder.id))
        show = partial(show_folder, Path(folder.path), self._context.say)
        menu.addAction(tr("Show folder"), show)
        menu.addSeparator()
        rules = menu.addAction(tr("Rules\u2026"), lambda: self._ask(self._ask_rules(folder)))
        takes = menu.addAction(tr("Agents may propose changes"))
        takes.setCheckable(True)
        takes.setChecked(folder.takes_proposals)
        takes.toggled.connect(lambda is_on: self._spawn(self._take(folder, is_on=is_on)))
        moved = menu.addAction(tr("Choose it again\u2026"), partial(self.relocate, folder))
        menu.addSeparator()
        unlink = menu.addAction(tr("Unlink\u2026"), partial(self.unlink, folder))
        for action in (rules, takes, moved, unlink):
            storing(action)

    def unlink(self, folder: WorldFolder) -> None:
        """Ask whether a folder is left alone from now on."""
        self._ask(self._unlink(folder))

    async def _unlink(self, folder: WorldFolder) -> None:
        if not await ask(
            self._view.window(),
            tr("Unlink {folder}?").format(folder=folder.name),
            tr(
                "Its pages stay as they are, and so do memories that come from them. From then on "
                "nothing is marked when a page changes."
            ),
            yes=tr("Unlink"),
            no=tr("Keep it linked"),
        ):
            return
        unlink = self._context.inklings.world.unlink
        await self._context.background.write(unlink, self._workspace(), folder.id)
        self.done.emit()

    async def _take(self, folder: WorldFolder, *, is_on: bool) -> None:
        take = self._context.inklings.world.take_proposals
        await self._context.background.write(take, self._workspace(), folder.id, allowed=is_on)
        self.done.emit()

    async def _ask_rules(self, folder: WorldFolder) -> None:
        dialog = RulesDialog(self._view.window(), folder)
        if not await answered(dialog) or dialog.rules in (None, folder.rules):
            return
        rules = dialog.rules
        set_rules = self._context.inklings.world.set_rules
        await self._context.background.write(set_rules, self._workspace(), folder.id, rules)
        self.done.emit()
        await self._look(folder.id)

    # -- inside -----------------------------------------------------------------------------

    def _ask(self, action: Coroutine[Any, Any, object]) -> None:
        begin_asking(self._context.background, action, self._view)

    def _spawn(self, action: Coroutine[Any, Any, object]) -> None:
        self._context.background.spawn(action)


class RulesDialog(TextDialog):
    """One line for each rule; a line that says nothing is named, and may be put right.

    Attributes:
        rules: What was written, once it was accepted.
    """

    rules: FolderRules | None = None

    def __init__(self, window: QWidget, folder: WorldFolder) -> None:
        super().__init__(
            window,
            tr("Rules of {folder}").format(folder=folder.name),
            tr(
                "Write one on each line: paths that are not read (Drafts/**), a word that you use "
                "and its meaning (wip = draft), or paths and what all pages there are "
                "(Archive/** = retired)."
            ),
            Field(
                ("rulesDialog", "rulesText", "rulesConfirm"),
                tr("Rules"),
                "Archive/** = retired",
                rules_text(folder.rules),
                height=160,
                width=480,
            ),
            yes=tr("Keep the rules"),
            no=tr("Cancel"),
        )

    def accept(self) -> None:
        """Keep the rules, or say which line says nothing."""
        try:
            self.rules = rules_of(self.typed)
        except InvalidValueError as error:
            told = tr("This says nothing that a page can be: {line}")
            self.refuse(told.format(line=error.rule))
            return
        super().accept()


def dropped_folder(mime: QMimeData) -> Path | None:
    """The folder that is dragged; None for anything else."""
    paths = [Path(one.toLocalFile()) for one in mime.urls() if one.isLocalFile()]
    return paths[0] if len(paths) == 1 and paths[0].is_dir() else None
