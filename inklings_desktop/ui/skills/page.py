"""The Skills page: what agents may work by, each with its files, tried dry, and its traces."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from inklings_desktop.domain.skills.skill import MAIN_FILE, ArtifactKind, Origin
from inklings_desktop.ui.kit.controls.buttons import IconButton
from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.page_spec import SKILLS_PAGE, RailMark
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.destinations import ToSkillReview
from inklings_desktop.ui.kit.page.parts import (
    across,
    button,
    choice,
    hairline,
    link,
    more,
    opening,
    plate,
    sized,
    switch,
    words,
)
from inklings_desktop.ui.kit.panes.pieces import VerticalRule
from inklings_desktop.ui.markdown.long_text_edit import Wording
from inklings_desktop.ui.skills.said import asked_part
from inklings_desktop.ui.skills.state import (
    SkillsContent,
    artifact_rows,
    in_order,
    key_of,
    read_skills,
    skill_rows,
)
from inklings_desktop.ui.skills.trying import HEAD, RUN, SAVE, TryingSkills
from inklings_desktop.ui.skills.view import ROW_PX, ArtifactList, SkillList
from inklings_desktop.ui.skills.words import facts_of, kind_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.entries.proposals import Proposal, ProposalRef
    from inklings_desktop.domain.skills.skill import Artifact, Skill
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.declared import Inside, Part
    from inklings_desktop.ui.kit.page.destinations import Destination

FILES, TRY = "files", "try"
_LIST, _TRY, _FOOT, _NO_LIMIT, _MOST_ROWS = 304, 420, 60, 4000, 6
_TRY_FROM = 1180
"""Width of the page, at text scale 1, from which the try pane stands beside the detail."""


class SkillsPage(TryingSkills):
    """Skills by where they are kept; each change of one is a step that the window undoes."""

    key: ClassVar = "skills"
    buttons: ClassVar = {RUN: "runDry", SAVE: "saveSkill"}
    detail: ClassVar = "skillText"
    anywhere: ClassVar = (SAVE,)
    watches = About.ROOMS | About.EVENTS | About.SETTINGS

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
            self.wordings, self.traced, self.trace = {}, "", ""
        super().choose(key)
        self.read_again()

    def arrive(self, where: Destination) -> None:
        """Show what an agent made or mended."""
        if isinstance(where, ToSkillReview):
            self._review(where.proposal)

    def _stand_among(self, keys: Sequence[str]) -> None:
        typed = self.wordings
        super()._stand_among(keys)
        self.wordings = typed  # they are of the files of one skill

    @property
    def is_wide(self) -> bool:
        """Whether there is room to try a skill beside its files."""
        return self.view.width() >= _TRY_FROM * self.context.theme.text_scale

    def detail_name(self) -> str:
        return "dryInput" if self.is_trying and not self.is_wide else self.detail

    # -- what is on show ----------------------------------------------------------------------

    def said(self, content: SkillsContent | None) -> tuple[Part, ...]:
        if content is None:
            return (plate(place=(1,)),)
        skill = content.skill(self.current)
        is_wide = self.is_wide
        is_detail = self.is_narrow and self.is_open
        size = {"maximumWidth": _NO_LIMIT} if self.is_narrow else {"fixedWidth": _LIST}
        detail = self._said_detail(content, skill, is_wide=is_wide) if skill else ()
        tried = self.said_pane(content, skill) if skill and is_wide else ()
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
                    offers=self.additions,
                    name="addSkill",
                ),
                margins=(20, 0, 12, 0),
                dress=sized(fixedHeight=HEAD),
            ),
            hairline(),
            plate(
                words(tr("No skills of your own yet."), "metaStrong"),
                words(tr("Three come with Inklings. Copy one, write one, or bring one in.")),
                *(
                    across(link(text, act), STRETCH, key=f"first {number}")
                    for number, (text, act) in enumerate(self.additions() if is_none else ())
                ),
                box=vbox,
                spacing=4,
                margins=(20, 12, 20, 12),
                visible=is_none,
            ),
            *(
                asked_part(one, tr("An agent asks for the skill {name}."), self._review)
                for one in content.asked_new
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
        self, content: SkillsContent, skill: Skill, *, is_wide: bool
    ) -> tuple[Inside, ...]:
        of, is_tried = skill.contents, self.is_trying and not is_wide
        artifact, asked = of.artifact(self.path) or of.artifacts[0], content.mended(skill)
        return (
            plate(
                link(tr("All skills"), self.focus_list, visible=self.is_narrow),
                words(of.title, "title", way="elided", place=(1,)),
                switch(
                    tr("may be chosen"),
                    on=skill.enabled,
                    wanted=self.enable,
                    name="mayBeChosen",
                    enabled=not self.is_deciding,
                ),
                words(tr("may be chosen"), "metaInk", way="plain"),
                more(tr("More"), self.offers, name="skillMore"),
                margins=(20, 0, 12, 0),
                spacing=8,
                dress=sized(fixedHeight=HEAD),
            ),
            hairline(),
            plate(
                choice(
                    tr("What is shown of the skill"),
                    Segment(FILES, tr("Artifacts")),
                    Segment(TRY, tr("Try it")),
                    now=TRY if is_tried else FILES,
                    wanted=self._show_part,
                    name="skillPart",
                ),
                STRETCH,
                margins=(20, 8, 20, 8),
                visible=not is_wide,
            ),
            *(
                self.said_pane(content, skill)
                if is_tried
                else self._said_files(content, skill, artifact, asked)
            ),
            hairline(),
            self._said_foot(content, skill),
        )

    def _said_files(
        self, content: SkillsContent, skill: Skill, artifact: Artifact, asked: Proposal | None
    ) -> tuple[Inside, ...]:
        of = skill.contents
        remarks = [
            tr("Takes the place of the skill of the same name elsewhere.")
            if content.stands_above(skill)
            else "",
            tr("Another skill of the same name takes its place.")
            if content.is_hidden(skill)
            else "",
            tr("Brought in. Look through its files, then switch it on.")
            if skill.is_waiting
            else "",
        ]
        n_rows = min(len(of.artifacts), _MOST_ROWS)
        mended = tr("An agent suggests a new version of this skill.")
        return (
            *(() if asked is None else (asked_part(asked, mended, self._review),)),
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
                dress=sized(fixedHeight=ROW_PX * n_rows),
            ),
            *self._said_file(skill, artifact),
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

    def _said_foot(self, content: SkillsContent, skill: Skill) -> Part:
        is_kept = skill.origin is not Origin.SYSTEM
        return plate(
            button(
                tr("Delete"),
                self.starts(self.delete),
                kind="quietDanger",
                icon="eraser",
                name="deleteSkill",
                visible=is_kept,
                enabled=not self.is_deciding,
            ),
            STRETCH,
            button(
                tr("Improve with the composer\u2026"),
                self.starts(self.mend),
                icon="chat-circle",
                name="mendSkill",
                visible=not skill.is_read_only,
                enabled=not content.no_composer and not self.is_deciding,
                toolTip=content.no_composer,
            ),
            button(
                tr("Copy and edit"),
                self.starts(self.fork),
                icon="copy",
                name="forkSkill",
                visible=skill.is_read_only,
                enabled=not self.is_deciding,
            ),
            self.hinted(
                *(tr("Save"), SAVE, self.starts(self.save)),
                stores=True,
                visible=not skill.is_read_only,
                enabled=self.has_unsaved and not self.is_deciding,
            ),
            margins=(20, 0, 20, 0),
            spacing=8,
            dress=sized(fixedHeight=_FOOT),
        )

    def _review(self, ref: ProposalRef) -> None:
        self.spawn(self.review.open(ref))

    def _typed(self, path: str, text: str) -> None:
        self.wordings[path] = text
        self.say_again()
        self.told.emit()

    def _show_part(self, key: str) -> None:
        self.is_trying = key == TRY
        self.say_again()

    def _press(self, key: str) -> None:
        """Press the button of a key; that of a dry run is brought on show first."""
        if key == RUN:
            self.is_open = bool(self.current)
            self._show_part(TRY)
        super()._press(key)

    def refresh(self) -> None:
        # The window has this key already: a second one for it would be ambiguous, and do nothing.
        super().refresh()
        if self.view.isVisible():
            self._press(RUN)

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
