"""What the Inbox says: the list of what waits, a question, or a proposal and what it would change.

Each part is given what is shown, and what is done at its buttons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRectF, Signal
from PySide6.QtWidgets import QWidget

from inklings_desktop.domain.entries.proposals import MAX_NOTE_CHARACTERS
from inklings_desktop.domain.words.hidden_text import spelled_out
from inklings_desktop.ui.kit.controls.buttons import PushButton
from inklings_desktop.ui.kit.dialogs.ask import ask
from inklings_desktop.ui.kit.dialogs.field_dialogs import Field, TextDialog
from inklings_desktop.ui.kit.lists.badge_list import BadgeList
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.memory_marks import TIER_MARKS, TierMark
from inklings_desktop.ui.kit.look.mirror import painter_on
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import tr, tr_as
from inklings_desktop.ui.kit.marks.empty_state import EmptyState
from inklings_desktop.ui.kit.marks.labels import ReadingLabel
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.parts import (
    button,
    grid,
    hairline,
    mark,
    pages,
    plate,
    sized,
    turned,
    words,
)
from inklings_desktop.ui.kit.panes.pieces import Notice, VerticalRule
from inklings_desktop.ui.markdown.comparison_pane import ComparisonPane
from inklings_desktop.ui.markdown.long_text_edit import LongTextEdit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtGui import QPaintEvent

    from inklings_desktop.ui.inbox.deciding import ChangedValue, ProposalView
    from inklings_desktop.ui.inbox.rows import Question
    from inklings_desktop.ui.kit.lists.badge_list import AnyBadgeRow
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.declared import Part

    Act = Callable[[], object]

ACCEPT, EDIT, REJECT = "Y", "E", "N"
"""Letters that decide while the list has the keyboard."""
LIST, NARROW_LIST = 320, 248
BESIDE_FROM = 820
"""So wide is the pane, in pixels at text scale 1, where the reason stands beside the difference."""
_HEAD, _FOOT = 52, 44
_LIST_GUTTER, _GUTTER = 20, 28
_BESIDE, _ENDLESS = 300, 16_777_215
_QUOTE_BAR = 3
_MOST_WARNINGS = 2


# -- the list ---------------------------------------------------------------------------------


def waiting_list(rows: tuple[AnyBadgeRow, ...], current: str, *, px: int, **heard: Any) -> Part:
    """What waits, below its heading.

    Args:
        rows: Top to bottom.
        current: Id of the row beside which its pane stands.
        px: Width at text scale 1.
        heard: What is done at the signals of a ``BadgeList``.
    """
    title = words(tr("Inbox"), "title", way="plain", place=(1,))
    return plate(
        plate(title, margins=(_LIST_GUTTER, 0, 12, 0), dress=sized(fixedHeight=_HEAD)),
        hairline(),
        part(_Rows, LOOK, name="inboxList", said=(rows, current), place=(1,), **heard),
        box=vbox,
        spacing=0,
        dress=sized(fixedWidth=px),
    )


class _Rows(BadgeList):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        letters = f"{ACCEPT}{EDIT}{REJECT}"
        super().__init__(theme, tr("Inbox"), left=_LIST_GUTTER, letters=letters, parent=parent)
        self.setProperty("ground", "canvas")


def nothing_waits() -> Part:
    """Stands in the place of the list and its pane."""
    return part(_nothing, LOOK, name="nothingWaits")


def _nothing(theme: Theme, *, parent: QWidget) -> EmptyState:
    made = EmptyState(theme, parent)
    made.show_state(
        tr("Nothing to decide."),
        tr(
            "Here you decide what agents propose, what programs ask for, and what "
            "happens to quiet conversations."
        ),
    )
    return made


# -- a question -------------------------------------------------------------------------------


def question_pane(asked: Question, *, yes: Act, no: Act) -> Part:
    """A ``Question`` and its answers."""
    has_quotes = bool(asked.quotes)
    return plate(
        plate(
            mark(
                *(asked.icon, "ochre", asked.title, "bodyStrong"),
                inked=False,
                name="questionTitle",
                place=(1,),
            ),
            margins=(_GUTTER, 0, 20, 0),
            dress=sized(fixedHeight=_HEAD),
        ),
        hairline(),
        plate(
            words(asked.text, "metaInk"),
            words(tr("Its memories"), "label", way="plain", visible=has_quotes),
            part(
                LongTextEdit,
                LOOK,
                name="questionQuotes",
                spoken=tr("Its memories"),
                readOnly=True,
                plain_text="\n\n".join(asked.quotes),
                visible=has_quotes,
                place=(1,),
                dress=_in_face("reading"),
            ),
            plate(visible=not has_quotes, place=(1,)),
            box=vbox,
            ground="surface",
            margins=(_GUTTER, 20, _GUTTER, 20),
            spacing=12,
            place=(1,),
        ),
        hairline(),
        plate(
            STRETCH,
            _decides(asked.no, no, "questionNo", kind="quiet", visible=bool(asked.no)),
            _decides(asked.yes, yes, "questionYes", kind="primary"),
            margins=(_GUTTER, 0, 16, 0),
            spacing=10,
            dress=sized(fixedHeight=_FOOT),
        ),
        box=vbox,
        spacing=0,
        name="questionPane",
    )


def _decides(word: str, act: Act, name: str, **said: Any) -> Part:
    return button(word, act, name=name, small=True, stores=True, **said)


def _in_face(style: str) -> Callable[[QWidget, Theme], None]:
    return lambda field, theme: field.setFont(theme.font(style))


# -- a proposal -------------------------------------------------------------------------------


def proposal_pane(
    view: ProposalView,
    *,
    wording: str | None,
    width: int,
    is_wide: bool,
    accept: Act,
    edit: Act,
    reject: Act,
    typed: Callable[[str], object],
) -> Part:
    """What an agent asks the author to accept: who, why, what would change, and the decision.

    Args:
        view: The proposal.
        wording: The author's own, while they edit it; None while they compare.
        width: Of the pane, in pixels as it is drawn.
        is_wide: Whether the reason has room beside the difference.
        accept: Does what is asked for.
        edit: Leads into the author's own wording, and back.
        reject: Asks for a note, and declines.
        typed: Hears each wording of the author's own.
    """
    inked, role = (3, "tierWorkspace") if view.tier is None else TIER_MARKS[view.tier]
    shown = 2 if wording is not None else int(view.comparison is None)
    return plate(
        plate(
            part(TierMark, LOOK, how={"inked": inked, "role": role}),
            2,
            words(view.title, "title", way="elided", name="proposalTitle"),
            words(tr("proposal"), way="plain"),
            STRETCH,
            margins=(_GUTTER, 0, 20, 0),
            spacing=10,
            dress=sized(fixedHeight=_HEAD),
        ),
        hairline(),
        # The reason stands right of the difference, and above it where that is narrow.
        turned(
            _about(view, width, is_wide=is_wide),
            hairline(visible=not is_wide),
            part(VerticalRule, LOOK, visible=is_wide),
            pages(
                part(ComparisonPane, LOOK, comparison=view.comparison),
                _text(view.text),
                _own_wording(wording, typed),
                now=shown,
                place=(1,),
            ),
            beside=is_wide,
            back=True,
            spacing=0,
            place=(1,),
        ),
        hairline(),
        plate(
            turned(
                *_decisions(view, accept, edit, reject, is_editing=wording is not None),
                words(tr("Nothing changes until you accept."), way="elided", place=(1,)),
                beside=True,
                back=True,
                spacing=10,
            ),
            margins=(_GUTTER, 0, 16, 0),
            dress=sized(fixedHeight=_FOOT),
        ),
        box=vbox,
        ground="canvas",
        spacing=0,
        name="proposalPane",
    )


def _decisions(
    view: ProposalView, accept: Act, edit: Act, reject: Act, *, is_editing: bool
) -> Iterator[Part]:
    """The one that Tab comes to first stands at the right."""
    yield part(
        PushButton,
        LOOK,
        "",
        how={"kind": "primary", "icon": "check", "small": True},
        name="proposalAccept",
        stores=True,
        text=tr("Accept my wording") if is_editing else view.accept_label,
        clicked=accept,
        enabled=view.can_accept,
    )
    yield _decides(
        tr("Back to the comparison") if is_editing else view.edit_label,
        edit,
        "proposalEdit",
        visible=bool(view.proposed) or view.opens_editor,
        enabled=view.can_accept,
    )
    word = tr("Reject\u2026")
    yield _decides(word, reject, "proposalReject", kind="quiet", enabled=view.can_reject)


def _about(view: ProposalView, width: int, *, is_wide: bool) -> Part:
    def dress_box(about: Any, theme: Theme) -> None:
        about.setMinimumWidth(theme.scaled(_BESIDE) if is_wide else 0)
        about.setMaximumWidth(theme.scaled(_BESIDE) if is_wide else _ENDLESS)
        who, asked = (about.findChild(QWidget, f"proposal{one}") for one in ("Who", "Asked"))
        wanted = who.sizeHint().width() + 10 + asked.sizeHint().width()
        asked.setVisible(is_wide or wanted <= width - 2 * _GUTTER)

    client = view.client if is_wide else f"{view.client} {view.wish}"
    warnings = (part(_Warning, LOOK, told=one) for one in view.warnings[:_MOST_WARNINGS])
    return plate(
        turned(
            mark(
                *("planet", "lapis", client, "bodyStrong"),
                inked=False,
                name="proposalWho",
                place=(1,),
            ),
            words(
                view.asked,
                way="plain",
                name="proposalAsked",
                toolTip=plain_tool_tip(view.asked_exact),
            ),
            beside=not is_wide,
            spacing=10,
        ),
        words(view.wish, "metaInk", name="proposalWish", visible=is_wide),
        part(_Quotation, LOOK, name="proposalReason", text=view.reason, visible=bool(view.reason)),
        plate(
            grid(*_values(view.values), stretch=1, gap=12, verticalSpacing=4),
            name="proposalValues",
            visible=bool(view.values),
        ),
        *warnings,
        plate(visible=is_wide, place=(1,)),
        box=vbox,
        margins=(_GUTTER, 14, _GUTTER, 14),
        spacing=10,
        dress=dress_box,
    )


def _values(values: tuple[ChangedValue, ...]) -> Iterator[Part]:
    """What else would change: name, value of now, arrow, value to be."""
    for row, one in enumerate(values):
        text = f"{one.before} \u2192 {one.after}" if one.before else one.after
        spoken = tr("{name}: from {before} to {after}") if one.before else "{name}: {after}"
        said = spoken.format(name=one.name, before=one.before, after=one.after)
        yield words(text, "metaInk", way="plain", spoken=said, place=(row, 1))
        yield words(one.name, "caption", way="plain", place=(row, 0))


def _text(text: str) -> Part:
    """Of a memory that would be forgotten; a label would lay out all of it at once."""
    field = part(
        LongTextEdit,
        LOOK,
        name="proposalText",
        spoken=tr("Text of the memory"),
        readOnly=True,
        styleSheet="QTextEdit { background: transparent; border: none; }",
        plain_text=spelled_out(text),
        dress=_in_face("reading"),
    )
    return plate(field, box=vbox, ground="surface", margins=(_GUTTER, 20, _GUTTER, 20))


def _own_wording(wording: str | None, typed: Callable[[str], object]) -> Part:
    name = tr("Your wording")
    return plate(
        words(name, "label", way="plain"),
        part(
            _Wording,
            LOOK,
            name="proposalWording",
            spoken=name,
            said=wording,
            typed=typed,
            place=(1,),
            dress=_in_face("editor"),
        ),
        box=vbox,
        ground="surface",
        margins=(_GUTTER, 16, _GUTTER, 16),
        spacing=8,
    )


class _Wording(LongTextEdit):
    typed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.textChanged.connect(lambda: self.typed.emit(self.text()))

    def show_said(self, text: str | None) -> None:
        if text is not None and text != self.text():
            self.set_plain_text(text)


class _Warning(Notice):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, icon="warning", role="ochre", ground="ochreSoft", parent=parent)

    def show_told(self, told: str) -> None:
        self.say(told, "")


class _Quotation(ReadingLabel):
    """The agent's own words, with a bar at their side."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent=parent)
        self.setIndent(14)  # margins of contents do not outlive a style sheet

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = painter_on(self)
        bar = QRectF(0, 0, _QUOTE_BAR, self.height())
        painter.fillRect(bar, self._theme.color("lineStrong"))
        painter.end()
        super().paintEvent(event)


# -- what is asked over the page --------------------------------------------------------------

_WIDTH = 460


class RejectDialog(TextDialog):
    """One field for a note; it may stay empty."""

    def __init__(self, client: str, parent: QWidget) -> None:
        super().__init__(
            parent,
            tr("Reject this proposal?"),
            tr("Nothing changes. {client} can read your note.").format(client=client),
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
        self.setWindowTitle(tr("Reject the proposal"))

    @property
    def note(self) -> str:
        """What was typed, without blanks at its ends."""
        return self.typed.strip()


async def may_leave_wording(parent: QWidget, *, is_open: bool) -> bool:
    """Whether to leave a wording that was not accepted; the proposal may be decided by now."""
    return await ask(
        parent,
        tr("Leave your wording?"),
        tr("The proposal stays open, but your text is lost.")
        if is_open
        else tr("Your text is lost."),
        yes=tr_as("and lose it", "Leave it"),
        no=tr("Stay"),
        is_destructive=True,
    )
