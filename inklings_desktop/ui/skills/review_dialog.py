"""A skill that an agent made or mended: its files at the left, one in full at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal

from inklings_desktop.domain.skills.skill import MAIN_FILE, ArtifactKind
from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.dialogs.pieces import MARGIN, Headline, StepFoot
from inklings_desktop.ui.kit.dialogs.process_dialog import ProcessDialog
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import IconMark
from inklings_desktop.ui.kit.page.declared import LOOK, Place, part
from inklings_desktop.ui.kit.page.parts import (
    across,
    button,
    choice,
    hairline,
    line,
    mark,
    plate,
    scrolling,
    sized,
    words,
)
from inklings_desktop.ui.markdown.comparison_pane import LineCount
from inklings_desktop.ui.markdown.diff_view import DiffView
from inklings_desktop.ui.markdown.long_text_edit import LongTextEdit
from inklings_desktop.ui.skills.review_state import GONE, SAME, ReviewState, difference, review_rows
from inklings_desktop.ui.skills.review_words import (
    came_words,
    check_words,
    head_words,
    headline,
    tried_words,
    use_words,
    warnings,
)
from inklings_desktop.ui.skills.said import finding_part
from inklings_desktop.ui.skills.view import ROW_PX, ArtifactList
from inklings_desktop.ui.skills.words import assertion_words, kind_word

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.declared import Inside, Part

SIZE = QSize(1060, 760)
TAKE, LEAVE, CHANGES, NEW_TEXT = "take", "leave", "changes", "new"
_LIST_WIDTH, _MOST_ROWS, _OUTCOME, _SIDE = 300, 8, 84, 24


class ReviewDialog(ProcessDialog["ReviewState"]):
    """Shows a ``ReviewState``.

    Signals:
        file_chosen: Place of the file to look at.
        text_wanted: Whether its new text is to be seen instead of the difference.
        taken: Whether what becomes of it is taken.
        given_changed: What both versions are to be given.
        run_wanted: Try both.
        use_wanted: Put what is taken to use.
        discard_wanted: Decline it.
        mend_wanted: Go on with it in a conversation.
    """

    file_chosen = Signal(str)
    text_wanted = Signal(bool)
    taken = Signal(bool)
    given_changed = Signal(str)
    run_wanted = Signal()
    use_wanted = Signal()
    discard_wanted = Signal()
    mend_wanted = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(theme, window, title=tr("Review the new version"), size=SIZE)
        self.setObjectName("reviewDialog")
        middle, foot = vbox(None, spacing=0), StepFoot(self)
        self.fill(middle, foot)
        self._middle, self._foot = Place(theme, self, middle), Place(theme, self, foot.row)
        self.fit()

    def show_state(self, state: ReviewState) -> None:
        """Show what is reviewed, as far as it was tried."""
        title, under = head_words(state)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.show_head(title, under)
        self._middle.show(*self._said(state))
        self._foot.show(*self._feet(state))

    def _said(self, state: ReviewState) -> tuple[Inside, ...]:
        reason = state.review.proposal.reason
        return (
            plate(
                part(Headline, LOOK, name="reviewHeadline", text=headline(state)),
                words(tried_words(state), name="reviewTried"),
                words(f"\u201c{reason}\u201d", "metaInk", visible=bool(reason)),
                *(
                    mark("warning", "ochre", text, inked=False, wraps=True, key=f"warning {n}")
                    for n, text in enumerate(warnings(state))
                ),
                box=vbox,
                margins=(MARGIN, 14, MARGIN, 14),
                spacing=4,
            ),
            hairline(),
            plate(
                plate(
                    *self._files(state),
                    box=vbox,
                    spacing=0,
                    dress=lambda made, _theme: made.setFixedWidth(self.side_width(_LIST_WIDTH)),
                ),
                plate(kind="upright"),
                plate(
                    *self._file(state),
                    box=vbox,
                    ground="canvas",
                    margins=(_SIDE, 14, _SIDE, 14),
                    spacing=10,
                    place=(1,),
                ),
                spacing=0,
                place=(1,),
            ),
        )

    def _files(self, state: ReviewState) -> tuple[Inside, ...]:
        rows = review_rows(state)
        height = ROW_PX * min(len(rows), _MOST_ROWS)
        return (
            part(
                *(ArtifactList, LOOK, tr("Artifacts")),
                name="reviewList",
                said=(rows, state.current),
                row_chosen=self.file_chosen.emit,
                dress=sized(fixedHeight=height),
            ),
            scrolling(
                words(tr("Assertions"), "label", way="plain", visible=bool(state.checks)),
                *(
                    finding_part(
                        number,
                        assertion_words(one),
                        check_words(state, one, found, held=held),
                        None if found is None else found.holds,
                    )
                    for number, (one, found, held) in enumerate(state.checks)
                ),
                STRETCH,
                margins=(20, 12, 16, 12),
                spacing=6,
                horizontalScrollBarPolicy=Qt.ScrollBarPolicy.ScrollBarAlwaysOff,
                place=(1,),
            ),
        )

    def _file(self, state: ReviewState) -> tuple[Inside, ...]:
        """The one that is looked at, and whether what becomes of it is taken."""
        review, path = state.review, state.current
        artifact, what = review.artifact(path), review.states[path]
        diff, is_code = difference(state), artifact.kind is ArtifactKind.CODE_TEMPLATE
        shows_new = state.shows_new and what != GONE
        counts = (
            part(LineCount, LOOK, role, count=n, visible=bool(n) and not shows_new)
            for role, n in (("diffAdd", diff.n_added), ("diffDel", diff.n_removed))
        )
        text = part(
            *(LongTextEdit, LOOK),
            spoken=tr("New text"),
            readOnly=True,
            plain_text=review.after.files.get(path, ""),
            dress=_in_mono,
            place=(1,),
        )
        compared = part(
            *(DiffView, LOOK), how={"face": "mono"}, name="reviewDiff", diff=diff, place=(1,)
        )
        return (
            across(
                words(f"{kind_word(artifact.kind)}   {path}", "tab", way="elided", place=(1,)),
                *counts,
                choice(
                    tr("What is shown of it"),
                    Segment(CHANGES, tr("Changes")),
                    Segment(NEW_TEXT, tr("New text")),
                    now=NEW_TEXT if shows_new else CHANGES,
                    wanted=lambda key: self.text_wanted.emit(key == NEW_TEXT),
                    name="reviewText",
                    visible=what != GONE,
                ),
                spacing=10,
            ),
            plate(text if shows_new else compared, box=vbox, kind="card", margins=1, place=(1,)),
            plate(*self._tried(state), box=vbox, spacing=8, visible=is_code),
            self._choice(state, what, artifact.path),
        )

    def _tried(self, state: ReviewState) -> tuple[Inside, ...]:
        came = (
            plate(
                words(title, "label", way="plain"),
                part(
                    *(LongTextEdit, LOOK),
                    name=name,
                    spoken=title,
                    readOnly=True,
                    plain_text=came_words(state, after=after),
                    dress=_as_outcome,
                ),
                box=vbox,
                spacing=4,
                place=(1,),
            )
            for title, name, after in (
                (tr("Before"), "cameBefore", False),
                (tr("After"), "cameAfter", True),
            )
        )
        return (
            words(tr("Same input, before and after"), "label", way="plain"),
            across(
                line(
                    now=state.given,
                    name="reviewInput",
                    spoken=tr("Input"),
                    textEdited=self.given_changed.emit,
                    returnPressed=self.run_wanted.emit,
                    how={"placeholderText": tr("Input of both versions")},
                    place=(1,),
                ),
                button(
                    tr("Run both"),
                    self.run_wanted.emit,
                    icon="play",
                    small=True,
                    name="reviewRun",
                    enabled=bool(state.given.strip()) and not state.is_running,
                ),
                spacing=8,
            ),
            plate(*came, spacing=12),
        )

    def _choice(self, state: ReviewState, what: str, path: str) -> Part:
        is_needed = path == MAIN_FILE and state.review.before is None
        told = tr("for this artifact. Leaving it out runs the assertions again.")
        if what == SAME:
            told = tr("This artifact stays as it is.")
        elif is_needed:
            told = tr("No skill is without this artifact.")
        return across(
            choice(
                tr("What becomes of it"),
                Segment(TAKE, tr("Take")),
                Segment(LEAVE, tr("Leave")),
                now=LEAVE if path in state.left else TAKE,
                wanted=lambda key: self.taken.emit(key == TAKE),
                name="reviewChoice",
                visible=what != SAME and not is_needed,
                enabled=not state.is_deciding,
            ),
            words(told, place=(1,)),
            spacing=12,
        )

    def _feet(self, state: ReviewState) -> tuple[Inside, ...]:
        promise = tr("The version before is kept. Undo restores it.")
        if state.review.before is None:
            promise = tr("Undo removes it again.")
        can_act = not state.is_deciding
        return (
            part(IconMark, LOOK, "clock-counter-clockwise", "inkSoft", 16),
            words(promise, place=(1,)),
            button(
                tr("Discard"),
                self.discard_wanted.emit,
                kind="quietDanger",
                name="reviewDiscard",
                stores=True,
                enabled=can_act,
            ),
            button(
                tr("Improve further\u2026"),
                self.mend_wanted.emit,
                name="reviewMend",
                enabled=can_act and not state.no_composer,
                toolTip=state.no_composer,
            ),
            button(
                use_words(state),
                self.use_wanted.emit,
                kind="primary",
                name="reviewUse",
                stores=True,
                enabled=state.can_use,
            ),
        )


def _in_mono(field: QWidget, theme: Theme) -> None:
    field.setFont(theme.font("mono"))


def _as_outcome(field: QWidget, theme: Theme) -> None:
    _in_mono(field, theme)
    field.setFixedHeight(theme.scaled(_OUTCOME))
