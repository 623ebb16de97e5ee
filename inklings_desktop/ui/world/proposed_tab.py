"""The tab of what agents would change of pages: compared, edited, accepted into the page."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QSizePolicy

from inklings_desktop.domain.entries.proposals import MAX_NOTE_CHARACTERS
from inklings_desktop.domain.errors import InklingsError, OutsideFileError
from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.dialogs.ask import ask, ask_text
from inklings_desktop.ui.kit.dialogs.field_dialogs import Field
from inklings_desktop.ui.kit.look.grounds import Ground, Grounded
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.marks.labels import IconLabel, IconMark
from inklings_desktop.ui.kit.ops.done import Done
from inklings_desktop.ui.kit.page.context import refuse
from inklings_desktop.ui.kit.page.deciding import DecidingTab
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.destinations import ToMemory
from inklings_desktop.ui.kit.page.parts import (
    across,
    below,
    choice,
    grid,
    hairline,
    link,
    pages,
    plate,
    scrolling,
    sized,
    words,
)
from inklings_desktop.ui.kit.panes.banner import Banner, BannerAction, BannerContent
from inklings_desktop.ui.kit.panes.memory_card import MarkedText
from inklings_desktop.ui.kit.panes.pieces import VerticalRule
from inklings_desktop.ui.kit.words.entry_facts import proposal_reason
from inklings_desktop.ui.markdown.diff_view import DiffView
from inklings_desktop.ui.markdown.long_text_edit import Wording
from inklings_desktop.ui.world.proposed_state import (
    Asked,
    ProposedContent,
    can_edit,
    facts_of,
    n_proposed,
    proposed_rows,
    read_proposed,
)
from inklings_desktop.ui.world.view import PageSource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Inside, Part

LIST, PANE, NARROW_PANE, WIDE_FROM = 320, 340, 260, 1180
ACCEPT, EDIT, REJECT = "Y", "E", "N"
CHANGES, WHOLE = "changes", "whole"
PROMOTED = "promoted"
_HEAD, _FOOT, _SIDE, _WIDTH = 52, 60, 20, 460


class ProposedTab(DecidingTab[ProposedContent]):
    """Changes that wait, behind one list; a ``Done`` undoes one that was accepted."""

    key: ClassVar = "proposed"
    buttons: ClassVar = {ACCEPT: "acceptPage", EDIT: "editPage", REJECT: "rejectPage"}
    detail: ClassVar = "proposedDiff"
    mode = CHANGES
    _editing = _unwritten = ""

    def __init__(self, context: Context, parent: Any) -> None:
        self._compared: dict[str, bytes] = {}
        super().__init__(context, parent)

    @staticmethod
    def title() -> str:
        """What stands on the tab."""
        return tr("Proposed")

    @staticmethod
    def read_count(context: Context, workspace_id: str) -> int:
        """How many changes wait; runs on a reader."""
        return n_proposed(context.inklings, workspace_id)

    def read_content(self) -> ProposedContent:
        return read_proposed(self.inklings, self.workspace_id)

    def keys_of(self, content: ProposedContent) -> Sequence[str]:
        return [one.key for one in content.asked]

    # -- what is on show ----------------------------------------------------------------------

    def said(self, content: ProposedContent | None) -> tuple[Part, ...]:
        if content is None:
            return (plate(place=(1,)),)
        rows, asked = proposed_rows(content), content.one(self.current)
        none = (
            tr("Nothing is proposed."),
            tr("Agents cannot write your pages; what they would change waits here."),
        )
        listed = (self.rows("proposedList", tr("Proposed"), rows, LIST),)
        detail = () if asked is None else self._detail(asked)
        return self.in_two(listed, detail, none, is_any=bool(rows))

    def _detail(self, asked: Asked) -> tuple[Part, ...]:
        is_wide = self.view.width() >= WIDE_FROM * self.context.theme.text_scale
        is_editing = self._editing == asked.key
        can_answer = not (self.is_deciding or asked.page.is_gone)
        modes = (Segment(CHANGES, tr("Changes")), Segment(WHOLE, tr("Whole page")))
        middle = plate(
            plate(
                link(tr("All changes"), self.focus_list, visible=self.is_narrow),
                part(IconMark, LOOK, "file-text", "inkSoft", 18),
                words(asked.name, "tab", way="elided", name="proposedTitle"),
                STRETCH,
                *(part(_Badge, LOOK, role, word=word) for word, role in asked.badges),
                choice(tr("What is shown"), *modes, now=self.mode, wanted=self.set_mode),
                margins=(_SIDE, 0, _SIDE, 0),
                spacing=12,
                dress=sized(fixedHeight=_HEAD),
            ),
            hairline(),
            part(
                *(Banner, LOOK),
                name="proposedBanner",
                content=self._warning(asked),
                action_requested=self._answer_banner,
            ),
            pages(
                part(
                    *(DiffView, LOOK),
                    how={"face": "reading"},
                    name="proposedDiff",
                    diff=asked.diff,
                ),
                part(
                    *(PageSource, LOOK),
                    name="proposedWhole",
                    spoken=tr("Whole page"),
                    plain_text=asked.page.new_text,
                ),
                part(
                    *(Wording, LOOK),
                    name="pageWording",
                    spoken=tr("Your wording"),
                    said=self._wording(asked),
                    typed=self.on_typed,
                ),
                now=2 if is_editing else int(self.mode == WHOLE),
                place=(1,),
            ),
            hairline(),
            plate(
                self.hinted(
                    *(tr("Reject\u2026"), REJECT, self.starts(self._reject)),
                    kind="quietDanger",
                    stores=True,
                    enabled=not self.is_deciding,
                ),
                STRETCH,
                self.hinted(
                    tr("Back to the comparison") if is_editing else tr("Edit, then accept"),
                    *(EDIT, self._edit),
                    glyph="pencil-simple",
                    stores=True,
                    visible=can_edit(asked),
                    enabled=can_answer,
                ),
                self.hinted(
                    tr("Accept my wording") if is_editing else tr("Accept into the page"),
                    *(ACCEPT, self.starts(self._accept)),
                    kind="primary",
                    stores=True,
                    enabled=can_answer and self._is_seen(asked),
                ),
                margins=(_SIDE, 0, _SIDE, 0),
                spacing=8,
                dress=sized(fixedHeight=_FOOT),
            ),
            box=vbox,
            spacing=0,
            ground="surface",
            place=(1,),
        )
        rule, why = part(VerticalRule, LOOK), self._why(asked, PANE if is_wide else NARROW_PANE)
        return (middle, rule, why)

    def _why(self, asked: Asked, px: int) -> Part:
        """Why it is asked for, and what it comes from."""
        cells = []
        for row, (name, value) in enumerate(facts_of(asked)):
            top = Qt.AlignmentFlag.AlignTop
            cells.append(words(name, "caption", way="plain", place=(row, 0, top)))
            cells.append(words(value, "metaInk", place=(row, 1)))
        # What the author asked for by an act has a reason that nobody wrote.
        is_own = asked.proposal.client == self.inklings.page_proposals.caller.name
        memory, reason = asked.memory, "" if is_own else proposal_reason(asked.proposal)
        leans: tuple[Inside, ...] = ()
        if memory is not None:
            inked, role = TIER_MARKS[memory.scope.tier]
            leans = (
                8,
                words(tr("It leans on"), "label", way="plain"),
                plate(
                    part(
                        *(TierMark, LOOK),
                        how={"inked": inked, "role": role, "edge": 16},
                        place=(0, Qt.AlignmentFlag.AlignTop),
                    ),
                    part(MarkedText, LOOK, name="leansOn", text=memory.content, place=(1,)),
                    spacing=8,
                ),
                across(link(tr("Open the memory"), partial(self._go_to, memory)), STRETCH),
            )
        why = scrolling(
            words(tr("In the agent\u2019s words"), "label", way="plain", visible=bool(reason)),
            part(MarkedText, LOOK, name="proposedReason", text=reason, visible=bool(reason)),
            below(*leans, spacing=8),
            8,
            words(tr("Where it came from"), "label", way="plain"),
            plate(grid(*cells, stretch=1, gap=14, verticalSpacing=8), name="proposedFacts"),
            STRETCH,
            margins=(_SIDE, 16, _SIDE, 16),
            spacing=10,
            name="proposedWhy",
            horizontalScrollBarPolicy=Qt.ScrollBarPolicy.ScrollBarAlwaysOff,
            place=(1,),
        )
        head = plate(
            words(tr("Why this change"), "bodyStrong", way="plain"),
            margins=(_SIDE, 0, _SIDE, 0),
            dress=sized(fixedHeight=_HEAD),
        )
        width = sized(fixedWidth=px)
        return plate(head, hairline(), why, box=vbox, spacing=0, ground="canvas", dress=width)

    def _warning(self, asked: Asked) -> BannerContent | None:
        """What keeps it from being accepted as it is."""
        if asked.page.is_gone:
            return BannerContent("ochre", tr("The page is gone. You can only reject this."))
        if self._unwritten == asked.key:
            told = tr("Could not write to {path}.").format(path=asked.page.wish.path)
            copy = BannerAction("copy", tr("Copy text"))
            return BannerContent("ochre", told, tr("The change is kept here."), (copy,))
        if not self._is_seen(asked):
            again = BannerAction("compare", tr("Compare again"))
            return BannerContent(
                "ochre", tr("The page changed after this was written."), actions=(again,)
            )
        return None

    def _is_seen(self, asked: Asked) -> bool:
        """Whether the author compared it with the page as it is."""
        return not asked.page.is_overtaken or self._compared.get(asked.key) == asked.page.seen

    def _wording(self, asked: Asked) -> str:
        return self.wordings.get(asked.key, asked.page.new_text)

    # -- acting -------------------------------------------------------------------------------

    def _asked(self) -> Asked | None:
        return self.content.one(self.current) if self.content is not None else None

    def _go_to(self, memory: Any) -> None:
        self.context.go(ToMemory(memory))

    def set_mode(self, mode: str) -> None:
        """Show what would change, or the page as it would be."""
        self.mode, self._editing = mode, ""
        self.say_again()

    def _edit(self) -> None:
        self._editing = "" if self._editing == self.current else self.current
        self.show_step("pageWording" if self._editing else self.detail, is_open=True)

    def _answer_banner(self, key: str) -> None:
        asked = self._asked()
        if asked is None:
            return
        if key == "copy":
            QApplication.clipboard().setText(self._wording(asked))
            return
        self._compared[asked.key] = asked.page.seen
        self.mode = CHANGES
        self.read_again()

    async def _accept(self) -> None:
        """Write it into the page as it was compared, and go on to the next."""
        content, asked = self.content, self._asked()
        if content is None or asked is None or self.is_deciding:
            return
        page, keys = asked.page, [one.key for one in content.asked]
        text = self._wording(asked) if self._editing == asked.key else None
        accept = partial(
            self.inklings.page_proposals.accept,
            asked.proposal.ref,
            text=text,
            seen=None if page.is_new else page.seen,
        )
        self.is_deciding, self._unwritten = True, ""
        self.say_again()
        done = None
        try:
            done = await self.background.write(accept)
        except OutsideFileError:
            self._unwritten = asked.key
        except InklingsError as error:
            refuse(self.context, error)
        finally:
            self.is_deciding = False
            self.say_again()
            self.read_again()
        if done is None:
            return
        self._editing = ""
        self.go_on(keys, asked.key)
        text = tr("Changed {name}").format(name=asked.name)
        self.tell_undoable(Done(text, lambda one: one.page_proposals.undo(done)))
        memory = asked.memory
        if memory is not None and not memory.is_forgotten and await self._wants_forgotten():
            forget = self.inklings.memories.forget
            await self.change(partial(forget, [memory.ref], reason=PROMOTED))

    async def _wants_forgotten(self) -> bool:
        return await ask(
            self.view.window(),
            tr("Forget the memory it came from?"),
            tr("The page says it now. You can restore the memory."),
            yes=tr("Forget it"),
            no=tr("Keep it"),
        )

    async def _reject(self) -> None:
        content, asked = self.content, self._asked()
        if content is None or asked is None:
            return
        note = await ask_text(
            self.view.window(),
            tr("Reject this change?"),
            tr("Your page stays as it is. Whoever asked can read your note."),
            Field(
                ("rejectDialog", "rejectNote", "rejectConfirm"),
                tr("Note to the agent"),
                tr("Why not, in a sentence (optional)"),
                longest=MAX_NOTE_CHARACTERS,
                width=_WIDTH,
            ),
            yes=tr("Reject"),
            no=tr("Keep it open"),
            on_enter=True,
        )
        if note is None:
            return
        if await self.change(self.inklings.proposals.reject, asked.proposal.ref, note):
            self.go_on([one.key for one in content.asked], asked.key)
            self.toast.show_message(tr("Rejected. Nothing was changed."), icon="check")

    @property
    def has_unsaved(self) -> bool:
        """Whether a wording of the author's own is neither accepted nor given up."""
        asked = self.content.asked if self.content is not None else ()
        return any(self._wording(one) != one.page.new_text for one in asked)

    def key_hints(self) -> tuple[KeyHint, ...]:
        """The keys that decide while the list has the keyboard."""
        return (
            KeyHint(("J", "K"), tr("move")),
            KeyHint((ACCEPT,), tr("accept")),
            KeyHint((EDIT,), tr("edit, then accept")),
            KeyHint((REJECT,), tr("reject")),
            KeyHint(("F6",), tr("next pane")),
        )


class _Badge(Grounded, IconLabel):
    """A word on what would happen, on the soft ground of its role."""

    def __init__(self, theme: Theme, role: str, parent: QWidget) -> None:
        super().__init__(theme, "label", parent)
        self.stand_on(Ground(f"{role}Soft", "chip"))
        self._of = role
        self.icon.hide()
        self.setContentsMargins(8, 2, 8, 2)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_word(self, word: str) -> None:
        """Say another word."""
        self.show_mark("", self._of, word, inked=True)
