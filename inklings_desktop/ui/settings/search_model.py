"""Which model search by meaning works with: looked at, brought in, chosen, removed."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from inklings_desktop.domain.errors import InklingsError, OutsideFileError, StoppedError
from inklings_desktop.ui.kit.controls.buttons import LinkButton
from inklings_desktop.ui.kit.dialogs.ask import answered, ask, begin_asking
from inklings_desktop.ui.kit.look.layouts import STRETCH
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.page.declared import part
from inklings_desktop.ui.kit.page.destinations import ToTask
from inklings_desktop.ui.kit.page.parts import (
    across,
    below,
    button,
    hairline,
    link,
    mark,
    plate,
    words,
)
from inklings_desktop.ui.kit.page.process import reports_to
from inklings_desktop.ui.settings.frame import Group, card
from inklings_desktop.ui.settings.search_model_words import (
    ModelsShown,
    fetching_words,
    models_shown,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Part
    from inklings_desktop.ui.settings.search_model_words import ModelLine

BACKFILL_ROW = "backfill"


class SearchModelGroup(Group[ModelsShown]):
    """A model comes out of a folder, an archive or a package that is here.

    One of a list is fetched, once the person has agreed to its size, licence and where it lies.
    """

    watches = About.SETTINGS | About.MEMORIES
    _working = ""
    """What is being done with a model, in words."""
    _can_stop = _tells_how = False

    def __init__(self, context: Context, parent: QWidget) -> None:
        self._stop = threading.Event()
        super().__init__(context, parent)

    def heading(self) -> tuple[str, str]:
        return (
            tr("Search model"),
            tr(
                "Finds memories that mean the same in other words. It runs on this machine;"
                " nothing is sent."
            ),
        )

    def read_content(self) -> ModelsShown:
        """Ask which models there are; runs on a reader.

        Raises:
            InklingsError: It cannot be read.
        """
        return models_shown(self.inklings.models.show())

    def said(self, content: ModelsShown | None) -> tuple[Part, ...]:
        shown = content or ModelsShown((), ("", "", ""), "", is_waiting=False)
        state = ("arrows-clockwise", "inkSoft", self._working) if self._working else shown.state
        lines = (one for line in shown.lines for one in (self._line(line), hairline()))
        can_bring = not self._working
        return (
            card(
                tr("Models"),
                below(*lines, spacing=0),
                across(
                    button(
                        tr("Bring in a folder\u2026"),
                        lambda: self._begin_asking(is_folder=True),
                        name="modelFolder",
                        stores=True,
                        enabled=can_bring,
                    ),
                    button(
                        tr("Bring in an archive\u2026"),
                        lambda: self._begin_asking(is_folder=False),
                        name="modelArchive",
                        stores=True,
                        enabled=can_bring,
                    ),
                    STRETCH,
                    link(
                        tr("See how far that has come"),
                        lambda: self.context.go(ToTask(BACKFILL_ROW)),
                        visible=shown.is_waiting,
                    ),
                    spacing=10,
                ),
                beside=(
                    mark(*state, inked=bool(state[1])),
                    link(tr("Stop"), self._on_stop, name="modelStop", visible=self._can_stop),
                ),
            ),
            card(
                "",
                words(
                    tr(
                        "After you choose another model, memories are prepared for it in the "
                        "background. Until then search uses the old one."
                    )
                ),
                self.setting(
                    "wordByWord", says=tr("Better results; uses up to 20 % more disk space.")
                ),
                across(
                    part(
                        LinkButton,
                        tr("How"),
                        checkable=True,
                        checked=self._tells_how,
                        toggled=self._on_how_toggled,
                    ),
                    STRETCH,
                ),
                words(shown.how, visible=self._tells_how),
            ),
        )

    def _line(self, one: ModelLine) -> Part:
        """One model: its name, what it is, and what can be done with it."""

        def act(text: str, run: Callable[[], object]) -> Part:
            spoken = "{}: {}".format(text.rstrip("\u2026"), one.id)
            return link(text, run, spoken=spoken, stores=True)

        told = words(one.id, "fact", way="plain"), words(one.told, way="plain")
        acts = []
        if one.is_used:
            acts.append(mark("check-circle", "accent", tr("in use")))
        if one.can_use:
            acts.append(act(tr("Use it"), lambda: self.use(one.id)))
        if one.can_remove:
            acts.append(act(tr("Remove\u2026"), lambda: self.remove(one.id)))
        if one.offer is not None:
            text = tr("Fetch it\u2026") if one.question else tr("Bring it in")
            acts.append(act(text, lambda: self.take(one)))
        return plate(
            below(*told, spacing=1, place=(1,)),
            *acts,
            kind="line",
            margins=(0, 8, 0, 8),
            spacing=14,
            spoken=f"{one.id}, {one.told}",
        )

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
        self._stop = stop = threading.Event()
        self._show_working(
            tr("Trying the model\u2026"), can_stop=line is not None and bool(line.question)
        )
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
            self._show_working("")
            self.read_again()

    def _on_fetched(self, _step: str, done: int, total: int) -> None:
        is_fetching = done < total and not self._stop.is_set()
        said = fetching_words(done, total) if is_fetching else tr("Trying the model\u2026")
        self._show_working(said, can_stop=self._can_stop)

    def _show_working(self, said: str, *, can_stop: bool = False) -> None:
        self._working, self._can_stop = said, can_stop
        self.say_again()

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

    def _begin_asking(self, *, is_folder: bool) -> None:
        begin_asking(self.background, self._ask(is_folder=is_folder), self.context.window)

    def _on_how_toggled(self, on: bool) -> None:  # noqa: FBT001 - a signal's payload
        self._tells_how = on
        self.say_again()

    def _on_stop(self) -> None:
        self._stop.set()
