"""The Skills page: what agents may work by, each with its files, tried dry, and its traces."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from inklings_desktop.domain.skills.skill import MAIN_FILE, ArtifactKind, Origin
from inklings_desktop.ui.kit.controls.buttons import IconButton
from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.dialogs.ask import answered, ask, ask_name
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.page_spec import SKILLS_PAGE, RailMark
from inklings_desktop.ui.kit.page.context import said
from inklings_desktop.ui.kit.page.deciding import DecidingTab
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.parts import (
    across,
    button,
    choice,
    hairline,
    line,
    link,
    more,
    opening,
    plate,
    scrolling,
    sized,
    switch,
    words,
)
from inklings_desktop.ui.kit.panes.pieces import VerticalRule
from inklings_desktop.ui.markdown.long_text_edit import Wording
from inklings_desktop.ui.skills.code_run import run_code
from inklings_desktop.ui.skills.said import assertion_parts, facts_of, outcome_parts, trace_part
from inklings_desktop.ui.skills.state import (
    DryRun,
    SkillsContent,
    SkillStep,
    Tried,
    artifact_rows,
    enabled,
    given_of,
    in_order,
    key_of,
    kind_word,
    preview_words,
    read_skills,
    reverted,
    run_dry,
    skill_rows,
    unmade,
)
from inklings_desktop.ui.skills.view import ArtifactList, SkillList

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.skills.skill import Artifact, Skill
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Inside, Part
    from inklings_desktop.ui.kit.page.parts import Offer
    from inklings_desktop.ui.skills.code_run import CodeRun

RUN, SAVE = "F5", "Ctrl S"
DRY, TRACES, ASSERTIONS = "dry", "traces", "assertions"
_LIST, _TRY, _HEAD, _FOOT, _NO_LIMIT = 304, 400, 52, 60, 4000
_ROW, _MOST_ROWS, _ANSWER = 37, 6, 96
_TRY_FROM = 1180
"""Width of the page, at text scale 1, from which the try pane stands beside the detail."""
_DRAFT = "---\nname: {name}\ndescription: {said}\n---\n\n# {title}\n\n1. \n"


class SkillsPage(DecidingTab[SkillsContent]):
    """Skills by where they are kept; each change of one is a step that the window undoes.

    Attributes:
        path: Place of the file that is on show.
        pane: What is on show beside it: a dry run, traces or assertions.
        given: What the dry run is given.
        answer: The answer that it checks.
        came_out: What it came to; None before the first.
        running: Stops the code that runs; None while none does.
    """

    key: ClassVar = "skills"
    buttons: ClassVar = {RUN: "runDry", SAVE: "saveSkill"}
    detail: ClassVar = "skillText"
    anywhere: ClassVar = (RUN, SAVE)
    watches = About.ROOMS | About.EVENTS | About.SETTINGS

    def __init__(self, context: Context, parent: QWidget) -> None:
        self.path, self.pane, self.given, self.answer = MAIN_FILE, DRY, "", ""
        self.came_out: DryRun | None = None
        self.running: threading.Event | None = None
        super().__init__(context, parent)

    # -- reading ------------------------------------------------------------------------------

    def read_content(self) -> SkillsContent:
        return read_skills(self.inklings, self.workspace_id, self.current)

    def keys_of(self, content: SkillsContent) -> Sequence[str]:
        return [key_of(one) for one in in_order(content.skills)]

    def show_content(self, content: SkillsContent) -> None:
        super().show_content(content)
        self.context.mark(SKILLS_PAGE, RailMark(count=len(content.skills)))

    def choose(self, key: str) -> None:
        """Show a skill; its traces are read."""
        if key != self.current:
            self.path, self.came_out = MAIN_FILE, None
            self.wordings = {}
        super().choose(key)
        self.read_again()

    def choose_file(self, path: str) -> None:
        """Show a file of it."""
        self.path = path
        self.say_again()

    @property
    def has_unsaved(self) -> bool:
        """Whether the author typed something that is not saved."""
        skill = self._skill()
        files = skill.contents.files if skill is not None else {}
        return any(files.get(path) != text for path, text in self.wordings.items())

    def _stand_among(self, keys: Sequence[str]) -> None:
        typed = self.wordings
        super()._stand_among(keys)
        self.wordings = typed  # they are of the files of one skill

    def _skill(self) -> Skill | None:
        return self.content.skill(self.current) if self.content is not None else None

    # -- what is on show ----------------------------------------------------------------------

    def said(self, content: SkillsContent | None) -> tuple[Part, ...]:
        if content is None:
            return (plate(place=(1,)),)
        skill = content.skill(self.current)
        is_wide = self.view.width() >= _TRY_FROM * self.context.theme.text_scale
        is_detail = self.is_narrow and self.is_open
        size = {"maximumWidth": _NO_LIMIT} if self.is_narrow else {"fixedWidth": _LIST}
        detail = self._said_detail(content, skill, with_pane=not is_wide) if skill else ()
        tried = self._said_pane(content, skill) if skill and is_wide else ()
        return (
            plate(
                *self._said_list(content),
                box=vbox,
                spacing=0,
                visible=not is_detail,
                dress=sized(**size),
                place=(int(self.is_narrow),),
            ),
            part(VerticalRule, LOOK, visible=not self.is_narrow),
            plate(
                *detail,
                box=vbox,
                ground="surface",
                spacing=0,
                visible=is_detail or not self.is_narrow,
                name="skillsDetail",
                place=(1,),
            ),
            part(VerticalRule, LOOK, visible=is_wide),
            plate(
                *tried,
                box=vbox,
                spacing=0,
                visible=is_wide,
                dress=sized(fixedWidth=_TRY),
            ),
        )

    def _said_list(self, content: SkillsContent) -> tuple[Inside, ...]:
        is_none = all(one.origin is Origin.SYSTEM for one in content.skills)
        return (
            plate(
                words(tr("Skills"), "title", way="plain"),
                STRETCH,
                opening(
                    *(IconButton, LOOK, "plus", tr("Add a skill")),
                    offers=self._additions,
                    name="addSkill",
                ),
                margins=(20, 0, 12, 0),
                dress=sized(fixedHeight=_HEAD),
            ),
            hairline(),
            plate(
                words(tr("No skills of your own yet."), "metaStrong"),
                words(tr("Three come with Inklings. Copy one, write one, or bring one in.")),
                box=vbox,
                spacing=2,
                margins=(20, 12, 20, 12),
                visible=is_none,
            ),
            part(
                *(SkillList, LOOK, tr("Skills")),
                name="skillsList",
                said=(skill_rows(content), self.current),
                row_chosen=self.choose,
                activated_by_key=lambda _: self.focus_detail(),
                doubleClicked=lambda _: self.focus_detail(),
                place=(1,),
            ),
        )

    def _said_detail(
        self, content: SkillsContent, skill: Skill, *, with_pane: bool
    ) -> tuple[Inside, ...]:
        of = skill.contents
        artifact = of.artifact(self.path) or of.artifacts[0]
        above = content.stands_above(skill)
        remarks = [
            tr("Takes the place of the skill of the same name elsewhere.") if above else "",
            tr("Another skill of the same name takes its place.")
            if content.is_hidden(skill)
            else "",
            tr("Brought in. Look through its files, then switch it on.")
            if skill.is_waiting
            else "",
        ]
        n_rows = min(len(of.artifacts), _MOST_ROWS)
        return (
            plate(
                link(tr("All skills"), self.focus_list, visible=self.is_narrow),
                words(of.title, "title", way="elided", place=(1,)),
                switch(
                    tr("may be chosen"),
                    on=skill.enabled,
                    wanted=self._enable,
                    name="mayBeChosen",
                    enabled=not self.is_deciding,
                ),
                words(tr("may be chosen"), "metaInk", way="plain"),
                more(tr("More"), self._offers, name="skillMore"),
                margins=(20, 0, 12, 0),
                spacing=8,
                dress=sized(fixedHeight=_HEAD),
            ),
            hairline(),
            plate(
                words(of.description, "metaInk"),
                words(" ".join(filter(None, remarks)), visible=any(remarks)),
                words(facts_of(skill)),
                box=vbox,
                spacing=4,
                margins=(20, 10, 20, 10),
            ),
            hairline(),
            part(
                *(ArtifactList, LOOK, tr("Artifacts")),
                name="artifactsList",
                said=(artifact_rows(skill), artifact.path),
                row_chosen=self.choose_file,
                dress=sized(fixedHeight=_ROW * n_rows + 2),
            ),
            hairline(),
            *self._said_file(skill, artifact),
            *(self._said_pane(content, skill) if with_pane else ()),
            hairline(),
            self._said_foot(skill),
        )

    def _said_file(self, skill: Skill, artifact: Artifact) -> tuple[Inside, ...]:
        is_code = artifact.kind is ArtifactKind.CODE_TEMPLATE
        tools = skill.contents.allowed_tools
        asks = ", ".join(sorted(tools)) if tools else tr("what whoever works by it may use")
        return (
            plate(
                words(f"{kind_word(artifact.kind)}   {artifact.path}", "label", way="elided"),
                STRETCH,
                words(
                    tr("runs in the sandbox: no files, no network, 64 MB"),
                    way="plain",
                    visible=is_code,
                ),
                margins=(20, 10, 20, 4),
            ),
            plate(
                part(
                    *(Wording, LOOK),
                    name=self.detail,
                    spoken=tr("Text"),
                    said=self.wordings.get(artifact.path, artifact.body),
                    typed=partial(self._typed, artifact.path),
                    readOnly=skill.is_read_only or self.is_deciding,
                    tabChangesFocus=not is_code,
                    dress=partial(_as_text, is_code),
                    place=(1,),
                ),
                margins=(20, 0, 20, 10),
                place=(2,),
            ),
            plate(
                words(tr("It may ask for"), "label", way="plain"),
                words(asks, "metaInk"),
                box=vbox,
                spacing=2,
                margins=(20, 0, 20, 10),
            ),
        )

    def _said_foot(self, skill: Skill) -> Part:
        is_kept = skill.origin is not Origin.SYSTEM
        return plate(
            button(
                tr("Delete"),
                self.starts(self._delete),
                kind="quietDanger",
                icon="eraser",
                name="deleteSkill",
                visible=is_kept,
                enabled=not self.is_deciding,
            ),
            STRETCH,
            button(
                tr("Copy and edit"),
                self.starts(self._fork),
                kind="primary",
                icon="copy",
                name="forkSkill",
                visible=skill.is_read_only,
                enabled=not self.is_deciding,
            ),
            self.hinted(
                *(tr("Save"), SAVE, self.starts(self._save)),
                stores=True,
                visible=not skill.is_read_only,
                enabled=self.has_unsaved and not self.is_deciding,
            ),
            margins=(20, 0, 20, 0),
            spacing=8,
            dress=sized(fixedHeight=_FOOT),
        )

    # -- the try pane -------------------------------------------------------------------------

    def _said_pane(self, content: SkillsContent, skill: Skill) -> tuple[Inside, ...]:
        inside = {
            DRY: lambda: self._said_dry(skill),
            TRACES: lambda: self._said_traces(content, skill),
            ASSERTIONS: lambda: assertion_parts(skill),
        }[self.pane]()
        return (
            plate(
                choice(
                    tr("Beside the skill"),
                    Segment(DRY, tr("Dry run")),
                    Segment(TRACES, tr("Traces")),
                    Segment(ASSERTIONS, tr("Assertions")),
                    now=self.pane,
                    wanted=self._show_pane,
                    name="skillPane",
                ),
                STRETCH,
                self.hinted(
                    *(tr("Run it dry") if self.running is None else tr("Stop"), RUN),
                    self.starts(self._run),
                    kind="primary",
                    glyph="play",
                ),
                margins=(16, 0, 12, 0),
                dress=sized(fixedHeight=_HEAD),
            ),
            hairline(),
            scrolling(
                *inside,
                STRETCH,
                margins=(16, 12, 16, 12),
                spacing=8,
                horizontalScrollBarPolicy=Qt.ScrollBarPolicy.ScrollBarAlwaysOff,
                place=(1,),
            ),
        )

    def _said_dry(self, skill: Skill) -> tuple[Inside, ...]:
        came = self.came_out
        codes = skill.contents.of_kind(ArtifactKind.CODE_TEMPLATE)
        has_code, is_code = bool(codes), self.path in {one.path for one in codes}
        return (
            words(tr("Try it on"), "label", way="plain"),
            line(now=self.given, name="dryInput", spoken=tr("Try it on"), textChanged=self._give),
            words(tr("An answer to check, if there is one"), "label", way="plain"),
            part(
                *(Wording, LOOK),
                name="dryAnswer",
                spoken=tr("Answer"),
                said=self.answer,
                typed=self._answered,
                tabChangesFocus=True,
                dress=sized(fixedHeight=_ANSWER),
            ),
            words(
                tr("Choose the code template to run it in the sandbox."),
                visible=has_code and not is_code,
            ),
            words(tr("Running\u2026"), "metaStrong", visible=self.running is not None),
            *(outcome_parts(came) if came is not None else ()),
        )

    def _said_traces(self, content: SkillsContent, skill: Skill) -> tuple[Inside, ...]:
        if not content.traces:
            return (words(tr("Nobody has worked by it yet.")),)
        rows = [trace_part(one, skill, self.inklings.clock()) for one in content.traces]
        return (
            across(
                words(counted(len(rows), "1 trace", "{n} traces"), "label", way="plain"),
                STRETCH,
                link(tr("Save as lines\u2026"), self.starts(self._save_traces)),
            ),
            *rows,
        )

    def _show_pane(self, pane: str) -> None:
        self.pane = pane
        self.say_again()

    def _give(self, text: str) -> None:
        self.given = text

    def _answered(self, text: str) -> None:
        self.answer = text

    def _typed(self, path: str, text: str) -> None:
        self.wordings[path] = text
        self.say_again()
        self.told.emit()

    async def _run(self) -> None:
        """Show what the skill tells for the input, and what holds of the answer."""
        if self.running is not None:  # a second press stops it
            self.running.set()
            return
        if (skill := self._skill()) is None:
            return
        self.pane, code = DRY, None
        artifact = skill.contents.artifact(self.path)
        if artifact is not None and artifact.kind is ArtifactKind.CODE_TEMPLATE:
            code = await self._run_code(artifact.body)
        tried = Tried(self.given, self.answer, code)
        reading = self.background.read(
            run_dry, self.inklings, self.workspace_id, skill, self.path, tried
        )
        if (found := await said(self.context, reading)) is not None:
            self.came_out = found
        self.say_again()

    async def _run_code(self, text: str) -> CodeRun | None:
        self.running = threading.Event()
        self.say_again()
        try:
            return await run_code(
                self.inklings.data_dir,
                self.workspace_id,
                text,
                given_of(self.given),
                self.running,
            )
        finally:
            self.running = None

    # -- acts ---------------------------------------------------------------------------------

    def _additions(self) -> Iterable[Offer]:
        yield tr("Write one\u2026"), self.starts(self._write)
        yield tr("Bring in a folder\u2026"), self.starts(partial(self._bring_in, packed=False))
        yield tr("Bring in a zip file\u2026"), self.starts(partial(self._bring_in, packed=True))

    def _offers(self) -> Iterable[Offer]:
        skill = self._skill()
        if skill is None:
            return
        yield tr("Save as a folder\u2026"), self.starts(partial(self._export, packed=False))
        yield tr("Save as a zip file\u2026"), self.starts(partial(self._export, packed=True))
        yield tr("Copy and edit\u2026"), self.starts(self._fork)
        if not skill.is_read_only and self.content is not None and self.content.n_versions:
            yield tr("Back to the version before"), self.starts(self._step_back)

    def _enable(self, on: bool) -> None:  # noqa: FBT001 - a value that is said
        self.spawn(self._switch(on=on))

    async def _switch(self, *, on: bool) -> None:
        if (skill := self._skill()) is None or skill.enabled == on:
            return
        here, name, level = self.workspace_id, skill.name, skill.level
        enable = partial(enabled, here=here, name=name, level=level)
        if await self.change(partial(enable, self.inklings, on=on)):
            title = skill.contents.title
            text = tr("{name} may be chosen") if on else tr("{name} may not be chosen")
            step = SkillStep(text.format(name=title), lambda later: enable(later, on=not on))
            self.tell_undoable(step)

    async def _save(self) -> None:
        skill = self._skill()
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
        self.tell_undoable(SkillStep(tr("Saved {name}").format(name=saved.contents.title), back))
        self.read_again()

    async def _step_back(self) -> None:
        """Make the version before the newest one."""
        if (skill := self._skill()) is None:
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
            self.tell_undoable(SkillStep(text, back))

    async def _fork(self) -> None:
        """Copy the skill on show into this workspace, under its name where that is free."""
        if (skill := self._skill()) is None or self.content is None:
            return
        here, name, level = self.workspace_id, skill.name, skill.level
        taken = {one.name for one in self.content.skills if one.workspace_id == here}
        new = name
        if name in taken:
            asked = await ask_name(
                self.context.window,
                tr("Copy this skill"),
                tr("There is one of this name in the workspace. Small letters, digits, hyphens."),
                yes=tr("Copy"),
                use=_kept,
                name=f"{name}-2",
                longest=64,
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
            longest=64,
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
        if is_wanted:
            await self._made(partial(transfer.bring_in, here, place), tr("Brought in {name}"))

    async def _made(self, make: object, text: str) -> None:
        made = await self.outcome(make)  # type: ignore[arg-type]  # a call, as it is made above
        if made is not None:
            self._tell_made(made, text)

    def _tell_made(self, skill: Skill, text: str) -> None:
        self.current, self.path, self.wordings = key_of(skill), MAIN_FILE, {}
        self.read_again()
        file, name, version = skill.workspace_id, skill.name, skill.version
        undo = partial(unmade, file=file, name=name, version=version)
        self.tell_undoable(SkillStep(text.format(name=skill.contents.title), undo))

    async def _delete(self) -> None:
        if (skill := self._skill()) is None:
            return
        delete = partial(self.inklings.skills.delete, skill.workspace_id, skill.name)
        kept = await self.outcome(delete)
        if kept is not None:
            self.wordings = {}
            text = tr("Deleted {name}").format(name=skill.contents.title)
            self.tell_undoable(SkillStep(text, lambda later: later.skills.restore(kept)))

    async def _export(self, *, packed: bool) -> None:
        skill = self._skill()
        into = await self._asked_place(tr("Save the skill in a folder"), packed=False)
        if skill is None or into is None:
            return
        export = partial(
            self.inklings.skill_transfer.export,
            *(self.workspace_id, skill.name, into, skill.level),
            packed=packed,
        )
        if (place := await self.outcome(export)) is not None:
            self.context.tell(tr("Saved as {path}").format(path=place))

    async def _save_traces(self) -> None:
        """Write the traces as lines that a program can learn from."""
        skill = self._skill()
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
        if await answered(dialog):
            return Path(dialog.selectedFiles()[0])
        return None

    def key_hints(self) -> tuple[KeyHint, ...]:
        """The keys that act on this page."""
        return (
            KeyHint(("J", "K"), tr("move")),
            KeyHint((RUN,), tr("dry run")),
            KeyHint(("F6",), tr("next pane")),
            KeyHint(("Ctrl", "S"), tr("save")),
        )


def _as_text(is_code: bool, field: QWidget, theme: Theme) -> None:  # noqa: FBT001 - it is dressed so
    field.setFont(theme.font("mono" if is_code else "reading"))


async def _kept(name: str) -> str:
    return name
