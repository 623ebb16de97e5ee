"""Which model search by meaning works with: looked at, brought in, chosen, removed."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFileDialog, QFrame, QWidget

from inklings_desktop.domain.errors import InklingsError, OutsideFileError, StoppedError
from inklings_desktop.ui.kit.controls.buttons import LinkButton, PushButton
from inklings_desktop.ui.kit.dialogs.ask import answered, ask, begin_asking
from inklings_desktop.ui.kit.look.accessibility import named
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import IconLabel, plain_label, rule, wrapped_label
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.storing import storing
from inklings_desktop.ui.kit.page.destinations import ToTask
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.kit.page.process import reports_to
from inklings_desktop.ui.settings.frame import GroupFrame, SwitchRow
from inklings_desktop.ui.settings.search_model_words import fetching_words, models_shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.settings.search_model_words import ModelLine, ModelsShown

BACKFILL_ROW = "backfill"


class SearchModelGroup(Page["ModelsShown"]):
    """A model comes out of a folder, an archive or a package that is here.

    One of a list is fetched, once the person has agreed to its size, licence and where it lies.
    """

    watches = About.SETTINGS | About.MEMORIES
    view: SearchModelView

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, SearchModelView(context.theme, parent))
        self.view.folder.clicked.connect(
            lambda: begin_asking(self.background, self._ask(is_folder=True), self.context.window)
        )
        self.view.archive.clicked.connect(
            lambda: begin_asking(self.background, self._ask(is_folder=False), self.context.window)
        )
        self.view.prepare.clicked.connect(lambda: context.go(ToTask(BACKFILL_ROW)))
        self.view.word_by_word.switch.wanted.connect(self._on_word_by_word_wanted)
        self.view.stop.clicked.connect(self._on_stop_clicked)
        self._stop = threading.Event()

    def read_content(self) -> ModelsShown:
        """Ask which models there are; runs on a reader.

        Raises:
            InklingsError: It cannot be read.
        """
        return models_shown(self.inklings.models.show())

    def show_content(self, content: ModelsShown) -> None:
        self.view.show_status(content, use=self.use, remove=self.remove, install=self.take)
        self.view.word_by_word.switch.show_on(on=self.inklings.settings.word_by_word)

    def use(self, model_id: str) -> None:
        """Search with this model from now on."""
        self.spawn(self.change(self.inklings.models.select, model_id))

    def install(self, source: str | Path) -> None:
        """Bring a model in."""
        self.spawn(self._install(source))

    def take(self, line: ModelLine) -> None:
        """Bring an offered model in, once what is fetched is agreed to."""
        self.spawn(self._take(line))

    def remove(self, model_id: str) -> None:
        """Delete a model's files, once that is confirmed."""
        self.spawn(self._remove(model_id))

    async def _take(self, line: ModelLine) -> None:
        if line.question and not await ask(
            self.context.window,
            tr("Fetch {name}?").format(name=line.id),
            line.question,
            yes=tr("Fetch it"),
            no=tr("Leave it"),
        ):
            return
        await self._install(line.id, line)

    async def _install(self, source: str | Path, line: ModelLine | None = None) -> None:
        self.view.show_working(tr("Trying the model\u2026"))
        self._stop = stop = threading.Event()
        self.view.stop.setVisible(line is not None and bool(line.question))
        progress = reports_to(self._on_fetched, stop.is_set)

        def brought_in() -> str:
            agreed = None if line is None else line.offer
            try:
                found = self.inklings.models.install(source, agreed=agreed, progress=progress)
            except OSError as error:
                raise OutsideFileError(Path(source), str(error), is_reading=True) from error
            return str(found.id)

        try:
            name = await self.background.read(brought_in)
        except StoppedError:
            self.context.tell(tr("Stopped. Nothing was brought in."))
        except asyncio.CancelledError:
            stop.set()  # the window closes
            raise
        except InklingsError as error:
            self.context.refuse(error)
        else:
            said = tr("{name} is here. Choose it to search with it.")
            self.context.tell(said.format(name=name))
        finally:
            self.view.show_working("")
            self.read_again()

    def _on_fetched(self, _step: str, done: int, total: int) -> None:
        if done < total and not self._stop.is_set():
            self.view.show_working(fetching_words(done, total))
        else:
            self.view.show_working(tr("Trying the model\u2026"))

    async def _remove(self, model_id: str) -> None:
        is_sure = await ask(
            self.context.window,
            tr("Remove {name}?").format(name=model_id),
            tr("Its files are deleted. You can add it again later."),
            yes=tr("Remove"),
            no=tr("Keep it"),
            is_destructive=True,
        )
        if is_sure:
            await self.change(self.inklings.models.remove, model_id)

    async def _ask(self, *, is_folder: bool) -> None:
        dialog = QFileDialog(
            self.context.window,
            tr("Folder of a model") if is_folder else tr("Archive of a model"),
            str(Path.home()),
        )
        if is_folder:
            dialog.setFileMode(QFileDialog.FileMode.Directory)
            dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        else:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
            dialog.setNameFilter(tr("Archives (*.zip)"))
        if await answered(dialog):
            await self._install(Path(dialog.selectedFiles()[0]))

    def _on_word_by_word_wanted(self, on: bool) -> None:  # noqa: FBT001 - a signal's payload
        save = self.inklings.preferences.save
        self.spawn(self.change(save, {"embedding.word_by_word": on}))

    @Slot()
    def _on_stop_clicked(self) -> None:
        self._stop.set()


class SearchModelView(GroupFrame):
    """One card with the models, one that says what they do.

    Attributes:
        state: How search stands, in words.
        folder: Brings a model in out of a folder.
        archive: ... out of a zip file.
        word_by_word: Whether a search looks at single words as well.
        prepare: Leads to the work that prepares memories.
        stop: Ends what is being fetched.
        how: Shows the figures behind the words.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(
            theme,
            tr("Search model"),
            tr(
                "Finds memories that mean the same in other words. It runs on this machine;"
                " nothing is sent."
            ),
            parent,
        )
        card = self.add_card(tr("Models"))
        self.state = IconLabel(theme, "metaInk", card)
        card.head.addWidget(self.state)
        self._lines = vbox(None, spacing=0)
        self._shown: list[QWidget] = []
        card.add(self._lines)
        self.folder = PushButton(theme, tr("Bring in a folder\u2026"), parent=card)
        self.folder.setObjectName("modelFolder")
        self.archive = PushButton(theme, tr("Bring in an archive\u2026"), parent=card)
        self.archive.setObjectName("modelArchive")
        for button in (self.folder, self.archive):
            storing(button)
        self.prepare = LinkButton(tr("See how far that has come"), card)
        self.stop = named(LinkButton(tr("Stop"), card), "modelStop")
        self.stop.hide()
        card.head.addWidget(self.stop)
        buttons = hbox(None, self.folder, self.archive, STRETCH, self.prepare, spacing=10)
        card.add(buttons)
        note = self.add_card()
        note.add(
            wrapped_label(
                tr(
                    "After you choose another model, memories are prepared for it in the "
                    "background. Until then search uses the old one."
                ),
                "meta",
                note,
            )
        )
        self.word_by_word = SwitchRow(
            theme,
            tr("Compare word by word as well"),
            tr("Better results; uses up to 20 % more disk space."),
            note,
        )
        self.word_by_word.switch.setObjectName("wordByWord")
        note.add(self.word_by_word)
        self.how = LinkButton(tr("How"), note)
        self.how.setCheckable(True)
        self._figures = wrapped_label("", "meta", note)
        self._figures.hide()
        self.how.toggled.connect(self._figures.setVisible)
        note.add(hbox(None, self.how, STRETCH), self._figures)

    def show_status(
        self,
        shown: ModelsShown,
        *,
        use: Callable[[str], None],
        remove: Callable[[str], None],
        install: Callable[[ModelLine], None],
    ) -> None:
        """Show the models there are and could be.

        Args:
            shown: What is known of them.
            use: Search with one.
            remove: Delete one.
            install: Bring one in that is offered.
        """
        for gone in self._shown:
            gone.hide()
            gone.deleteLater()
        self._shown = []
        for one in shown.lines:
            line = _Line(one.id, one.told, self)
            if one.is_used:
                line.add_mark(self.theme, tr("in use"))
            if one.can_use:
                line.add_button(tr("Use it"), partial(use, one.id))
            if one.can_remove:
                line.add_button(tr("Remove\u2026"), partial(remove, one.id))
            if one.offer is not None:
                words = tr("Fetch it\u2026") if one.question else tr("Bring it in")
                line.add_button(words, partial(install, one))
            self._shown += [line, rule(self)]
        for row in self._shown:
            self._lines.addWidget(row)
        icon, role, words = shown.state
        self.state.show_mark(icon, role, words, inked=True)
        self.prepare.setVisible(shown.is_waiting)
        self._figures.setText(shown.how)

    def show_working(self, words: str) -> None:
        """Say that a model is being tried; nothing for no longer."""
        for button in (self.folder, self.archive):
            button.setEnabled(not words)
        self.stop.setVisible(self.stop.isVisible() and bool(words))
        if words:
            self.state.show_mark("arrows-clockwise", "inkSoft", words, inked=True)


class _Line(QFrame):
    """One model: its name, what it is, and what can be done with it."""

    def __init__(self, name: str, told: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(f"{name}, {told}")
        self._name = name
        words = vbox(None, plain_label(name, "fact", self), plain_label(told, "meta", self))
        words.setSpacing(1)
        self._row = hbox(self, (words, 1), margins=(0, 8, 0, 8), spacing=14)

    def add_mark(self, theme: Theme, words: str) -> None:
        """Say that it is the one in use."""
        mark = IconLabel(theme, "metaInk", self)
        mark.show_mark("check-circle", "accent", words, inked=True)
        self._row.addWidget(mark)

    def add_button(self, words: str, run: Callable[[], None]) -> None:
        """Offer something."""
        button = LinkButton(words, self)
        button.setAccessibleName("{}: {}".format(words.rstrip("\u2026"), self._name))
        button.clicked.connect(run)
        storing(button)
        self._row.addWidget(button)
