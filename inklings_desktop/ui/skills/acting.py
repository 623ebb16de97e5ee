"""What is done with skills from their page: made, brought in, copied, mended, saved, taken away."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from inklings_desktop.domain.skills.folder import together
from inklings_desktop.domain.skills.skill import MAIN_FILE
from inklings_desktop.ui.kit.dialogs.ask import answered, ask, ask_name
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.ops.done import Done
from inklings_desktop.ui.kit.page.context import said
from inklings_desktop.ui.kit.page.deciding import DecidingTab
from inklings_desktop.ui.kit.page.destinations import ToConversation
from inklings_desktop.ui.skills.catalogue import CatalogueProcess
from inklings_desktop.ui.skills.review import ReviewProcess
from inklings_desktop.ui.skills.state import (
    SkillsContent,
    brought_in,
    enabled,
    key_of,
    reverted,
    taken_back,
    unmade,
)
from inklings_desktop.ui.skills.words import preview_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.skills.skill import Skill
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.parts import Offer
    from inklings_desktop.ui.skills.state import Undoing

_DRAFT = "---\nname: {name}\ndescription: {said}\n---\n\n# {title}\n\n1. \n"
_LONGEST = 64


class ActingOnSkills(DecidingTab[SkillsContent]):
    """Acts of the page; each change of a skill is a step that the window undoes.

    Attributes:
        path: Place of the file that is on show.
        review: Leads the dialog over a skill that an agent made or mended.
        catalogue: Leads the dialog over a folder of several skills.
    """

    path = MAIN_FILE

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, parent)
        self.review = ReviewProcess(context, self.tell_undoable, self.mend_files, self)
        self.catalogue = CatalogueProcess(context, self.tell_undoable, self)

    @property
    def skill(self) -> Skill | None:
        """The one on show."""
        return self.content.skill(self.current) if self.content is not None else None

    @property
    def has_unsaved(self) -> bool:
        """Whether the author typed something that is not saved."""
        files = self.skill.contents.files if self.skill is not None else {}
        return any(files.get(path) != text for path, text in self.wordings.items())

    # -- making -------------------------------------------------------------------------------

    def additions(self) -> Iterable[Offer]:
        """Ways in which a skill comes to be here."""
        if self.content is not None and not self.content.no_composer:
            yield tr("Write one with the composer\u2026"), self.starts(self._compose)
        yield tr("Write one by hand\u2026"), self.starts(self._write)
        yield tr("Bring in a folder\u2026"), self.starts(partial(self._bring_in, packed=False))
        yield tr("Bring in a zip file\u2026"), self.starts(partial(self._bring_in, packed=True))
        yield tr("Compare a folder of skills\u2026"), self.starts(self._compare)

    def offers(self) -> Iterable[Offer]:
        """What else can be done with the skill on show."""
        skill = self.skill
        if skill is None:
            return
        yield tr("Save as a folder\u2026"), self.starts(partial(self._export, packed=False))
        yield tr("Save as a zip file\u2026"), self.starts(partial(self._export, packed=True))
        yield tr("Copy and edit\u2026"), self.starts(self.fork)
        if not skill.is_read_only and self.content is not None and self.content.n_versions:
            yield tr("Back to the version before"), self.starts(self._step_back)

    async def fork(self) -> None:
        """Copy the skill on show into this workspace, under its name where that is free."""
        if (skill := self.skill) is None or self.content is None:
            return
        here, name, level = self.workspace_id, skill.name, skill.level
        new = name
        if name in {one.name for one in self.content.skills if one.workspace_id == here}:
            asked = await ask_name(
                self.context.window,
                tr("Copy this skill"),
                tr("There is one of this name in the workspace. Small letters, digits, hyphens."),
                yes=tr("Copy"),
                use=_kept,
                name=f"{name}-2",
                longest=_LONGEST,
            )
            if asked is None:
                return
            new = asked
        copy = partial(self.inklings.skills.fork, here, name, here, new, level)
        await self._made(copy, tr("Copied {name}"))

    async def _write(self) -> None:
        """Ask for a name, and begin a skill of the author's own."""

        async def made(name: str) -> Skill:
            text = _DRAFT.format(
                name=name,
                title=name.replace("-", " ").capitalize(),
                said=tr("What it does, and when to use it."),
            )
            save = partial(self.inklings.skills.save, self.workspace_id, {MAIN_FILE: text})
            return await self.background.write(save)

        skill = await ask_name(
            self.context.window,
            tr("A new skill"),
            tr("Its name: small letters, digits and single hyphens, such as tide-tables."),
            yes=tr("Begin"),
            use=made,
            longest=_LONGEST,
        )
        if skill is not None:
            self._tell_made(skill, tr("Began {name}"))

    async def _bring_in(self, *, packed: bool) -> None:
        """Ask for a folder or an archive, show what would come in, and bring it in."""
        place = await self._asked_place(tr("Bring in a skill"), packed=packed)
        if place is None:
            return
        here, transfer = self.workspace_id, self.inklings.skill_transfer
        found = await said(self.context, self.background.read(transfer.preview, here, place))
        if found is None or found.contents is None:
            return
        is_wanted = await ask(
            self.context.window,
            tr("Bring in {name}?").format(name=found.contents.title),
            preview_words(found),
            yes=tr("Bring it in"),
            no=tr("Cancel"),
        )
        bring = partial(brought_in, self.inklings, here, found.name, place)
        if is_wanted and (brought := await self.outcome(bring)) is not None:
            undo = partial(taken_back, brought=(brought,))
            self._tell_made(brought[1], tr("Brought in {name}"), undo)

    async def _compare(self) -> None:
        """Ask for a folder that holds several skills, and show them beside what is here."""
        place = await self._asked_place(tr("A folder or checkout of skills"), packed=False)
        if place is not None:
            self.catalogue.open(self.workspace_id, place)

    async def _made(self, make: Callable[[], Skill], text: str) -> None:
        if (made := await self.outcome(make)) is not None:
            self._tell_made(made, text)

    def _tell_made(self, skill: Skill, text: str, undo: Undoing | None = None) -> None:
        self.current, self.path, self.wordings = key_of(skill), MAIN_FILE, {}
        self.read_again()
        undo = undo or partial(unmade, skill=skill)
        self.tell_undoable(Done(text.format(name=skill.contents.title), undo))

    # -- with the composer --------------------------------------------------------------------

    async def mend(self) -> None:
        """Begin a conversation in which an agent mends the skill on show."""
        if (skill := self.skill) is not None:
            await self.mend_files(skill.name, skill.contents.title, skill.contents.files)

    async def mend_files(self, name: str, title: str, files: Mapping[str, str]) -> None:
        """The same of files that may not be in use yet."""
        asked = tr("Improve the skill {name}. What to change:").format(name=name)
        await self._talk(
            tr("Improving {name}").format(name=title), f"{asked} ", (name, title, files)
        )

    async def _compose(self) -> None:
        asked = tr("Write a skill for this workspace. What it should do:")
        await self._talk(tr("Writing a skill"), f"{asked} ")

    async def _talk(
        self, title: str, text: str, skill: tuple[str, str, Mapping[str, str]] | None = None
    ) -> None:
        start = partial(self.inklings.conversations.start, self.workspace_id, title=title)
        talk = await said(self.context, self.background.write(start))
        if talk is None:
            return
        attached = None
        if skill is not None:
            name, called, files = skill
            attached = (f"skill/{name}", called, together(files))
        self.context.go(ToConversation(talk.id, attached, text))

    # -- changing -----------------------------------------------------------------------------

    def enable(self, on: bool) -> None:  # noqa: FBT001 - a value that is said
        """Let agents choose the skill on show, or not."""
        self.spawn(self._switch(on=on))

    async def _switch(self, *, on: bool) -> None:
        if (skill := self.skill) is None or skill.enabled == on:
            return
        here, name, level = self.workspace_id, skill.name, skill.level
        enable = partial(enabled, here=here, name=name, level=level)
        if await self.change(partial(enable, self.inklings, on=on)):
            title = skill.contents.title
            text = tr("{name} may be chosen") if on else tr("{name} may not be chosen")
            step = Done(text.format(name=title), lambda later: enable(later, on=not on))
            self.tell_undoable(step)

    async def save(self) -> None:
        """Store what was typed as the next version."""
        skill = self.skill
        if skill is None or not self.has_unsaved:
            return
        file, name, version = skill.workspace_id, skill.name, skill.version
        files = {**skill.contents.files, **self.wordings}
        save = partial(self.inklings.skills.save, file, files, name=name, expected_version=version)
        saved = await self.outcome(save)
        if saved is None:
            return
        self.wordings, self.current = {}, key_of(saved)
        back = partial(reverted, file=file, name=saved.name, version=version)
        self.tell_undoable(Done(tr("Saved {name}").format(name=saved.contents.title), back))
        self.read_again()

    async def _step_back(self) -> None:
        """Make the version before the newest one."""
        if (skill := self.skill) is None:
            return
        file, name, was = skill.workspace_id, skill.name, skill.version
        versions = await said(
            self.context, self.background.read(self.inklings.skills.versions, file, name)
        )
        if not versions:
            return
        revert = partial(self.inklings.skills.revert, file, name, versions[0].version)
        if await self.outcome(revert) is not None:
            back = partial(reverted, file=file, name=name, version=was)
            text = tr("Restored version {n}").format(n=versions[0].version)
            self.tell_undoable(Done(text, back))

    async def delete(self) -> None:
        """Take the skill on show away, with its earlier states."""
        if (skill := self.skill) is None:
            return
        delete = partial(self.inklings.skills.delete, skill.workspace_id, skill.name)
        kept = await self.outcome(delete)
        if kept is not None:
            self.wordings = {}
            text = tr("Deleted {name}").format(name=skill.contents.title)
            self.tell_undoable(Done(text, lambda later: later.skills.restore(kept)))

    # -- out of here --------------------------------------------------------------------------

    async def _export(self, *, packed: bool) -> None:
        skill = self.skill
        into = await self._asked_place(tr("Save the skill in a folder"), packed=False)
        if skill is None or into is None:
            return
        of = (self.workspace_id, skill.name, into, skill.level)
        export = partial(self.inklings.skill_transfer.export, *of, packed=packed)
        if (place := await self.outcome(export)) is not None:
            self.context.tell(tr("Saved as {path}").format(path=place))

    async def save_traces(self) -> None:
        """Write the traces as lines that a program can learn from."""
        skill = self.skill
        into = await self._asked_place(tr("Save the traces in a folder"), packed=False)
        if skill is None or into is None:
            return
        here, name, runs = self.workspace_id, skill.name, self.inklings.skill_runs
        file = into / f"{name}-traces.jsonl"

        def write() -> Path:
            lines = "".join(f"{one}\n" for one in runs.training_set(here, name))
            file.write_text(lines, encoding="utf-8")
            return file

        if await self.outcome(write) is not None:
            self.context.tell(tr("Saved as {path}").format(path=file))

    async def _asked_place(self, title: str, *, packed: bool) -> Path | None:
        dialog = QFileDialog(self.context.window, title, str(Path.home()))
        if packed:
            dialog.setNameFilter("*.zip")
        else:
            dialog.setFileMode(QFileDialog.FileMode.Directory)
            dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        return Path(dialog.selectedFiles()[0]) if await answered(dialog) else None


async def _kept(name: str) -> str:
    return name
