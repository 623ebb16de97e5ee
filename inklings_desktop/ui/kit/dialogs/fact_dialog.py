"""The dialog in which a fact is written: its text, where it is kept, how sure it is, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QPlainTextEdit

from inklings_desktop.domain.knowledge.facts import (
    ALWAYS,
    AUTHORS_CONFIDENCE,
    MAX_FACT_CHARACTERS,
    MAX_TOPIC_CHARACTERS,
)
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.ui.kit.controls.chapters_field import (
    ALWAYS_TYPED,
    Chapters,
    ChaptersField,
    story_of,
)
from inklings_desktop.ui.kit.controls.sliders import ImportanceField
from inklings_desktop.ui.kit.dialogs.ask import ask_until
from inklings_desktop.ui.kit.dialogs.ask_dialog import SmallDialog
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.knowledge.facts import StoryInterval
    from inklings_desktop.ui.kit.look.theme import Theme

T = TypeVar("T")
LEAST_REASON = 3
"""So many characters say why."""
_WIDTH, _TEXT, _NAMES = 560, 96, 92


@dataclass(frozen=True, slots=True)
class TypedFact:
    """What stands in the dialog.

    Attributes:
        sources: References, as they were typed: one or more with commas between.
        reason: Why it takes another's place.
        chapters: In which it holds.
    """

    domain: str = ""
    topic: str = ""
    content: str = ""
    confidence: float = AUTHORS_CONFIDENCE
    sources: str = ""
    reason: str = ""
    chapters: Chapters = ALWAYS_TYPED

    @property
    def story(self) -> StoryInterval:
        """In which chapters it holds; everywhere where what was typed holds none."""
        return story_of(self.chapters) or ALWAYS

    @property
    def references(self) -> tuple[str, ...]:
        """What it was concluded from."""
        return tuple(filter(None, (one.strip() for one in self.sources.split(","))))


@dataclass(frozen=True, slots=True)
class FactQuestion:
    """What is asked.

    Attributes:
        title: In a few words.
        text: What an answer does.
        yes: Word of the button that keeps it.
        domains: Names to choose from; another one may be typed. None: it stays in its own.
        has_reason: Whether it is asked why.
        has_sources: Whether it is asked what it was concluded from.
        has_chapters: Whether it is asked in which chapters it holds.
    """

    title: str
    text: str
    yes: str
    domains: tuple[str, ...] | None = None
    has_reason: bool = False
    has_sources: bool = False
    has_chapters: bool = False


class FactDialog(SmallDialog):
    """Fields of a fact; it can be agreed to once every one that is needed is filled in.

    Attributes:
        confirm: The button that keeps it.
    """

    def __init__(
        self, parent: QWidget, theme: Theme, question: FactQuestion, begin: TypedFact
    ) -> None:
        """Build the dialog.

        Args:
            question: What is asked, and which fields there are.
            begin: What stands in them first.
        """
        title, text, domains = question.title, question.text, question.domains
        super().__init__(parent, title, text, name="factDialog", width=_WIDTH, grows=True)
        self._begin, self._needs_reason = begin, question.has_reason
        self.content = named(QPlainTextEdit(begin.content, self), "factText", tr("Text"))
        self.content.setTabChangesFocus(True)
        self.content.setFont(theme.font("reading"))
        self.content.setFixedHeight(round(_TEXT * self.growth))
        self.domain = named(QComboBox(self), "factDomain", tr("Domain"))
        self.domain.setEditable(True)
        self.domain.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.domain.addItems(domains or ())
        self.domain.setCurrentText(begin.domain)
        self.topic = named(QLineEdit(begin.topic, self), "factTopic", tr("Topic"))
        self.topic.setMaxLength(MAX_TOPIC_CHARACTERS)
        self.topic.setPlaceholderText(tr("Nerys/hand"))
        self.confidence = ImportanceField(
            theme,
            self,
            name="factConfidence",
            spoken=tr("Confidence"),
            fault=tr("Confidence runs from 0 to 1."),
        )
        self.confidence.set_value(begin.confidence)
        self.chapters = named(ChaptersField(theme, self), "factChapters", tr("Chapters"))
        self.chapters.show_said(begin.chapters)
        self.sources = named(QLineEdit(begin.sources, self), "factSources", tr("Concluded from"))
        self.sources.setPlaceholderText(tr("If you like: a page, or page#heading"))
        self.reason = named(QLineEdit(begin.reason, self), "factReason", tr("Why"))
        self.reason.setPlaceholderText(tr("Chapter 9 says otherwise"))
        self._error = plain_label("", "error", self)
        self._error.hide()
        grid = QGridLayout()
        grid.setColumnMinimumWidth(0, round(_NAMES * self.growth))
        grid.setColumnStretch(1, 1)
        grid.setVerticalSpacing(10)
        fields: tuple[tuple[QWidget, bool], ...] = (
            (self.domain, domains is not None),
            (self.topic, True),
            (self.confidence, True),
            (self.chapters, question.has_chapters),
            (self.sources, question.has_sources),
            (self.reason, question.has_reason),
        )
        for number, (field, is_asked) in enumerate(fields):
            field.setVisible(is_asked)
            if is_asked:
                spoken = field.accessibleName() or tr("Confidence")
                grid.addWidget(plain_label(spoken, "meta", self), number, 0)
                grid.addWidget(field, number, 1)
        cancel = self.button(tr("Cancel"))
        cancel.clicked.connect(self.reject)
        self.confirm = self.button(question.yes, "factConfirm", kind="primary", on_enter=True)
        self.confirm.clicked.connect(self.accept)
        self.lay_out(self.content, grid, left=((self._error, 1),), right=(cancel, self.confirm))
        for signal in (
            self.content.textChanged,
            self.domain.currentTextChanged,
            self.topic.textChanged,
            self.reason.textChanged,
            self.confidence.validity_changed,
            self.chapters.typed,
        ):
            signal.connect(self._check)
        self._check()

    @property
    def typed(self) -> TypedFact:
        """What stands in it."""
        return TypedFact(
            self.domain.currentText().strip() or self._begin.domain,
            self.topic.text().strip(),
            self.content.toPlainText().strip(),
            self.confidence.value(),
            self.sources.text(),
            self.reason.text().strip(),
            self.chapters.chapters,
        )

    def refuse(self, sentence: str) -> None:
        """Say why what was typed could not be kept; it may be tried once more."""
        self._error.setText(sentence)
        self._error.show()
        announce(self.content, sentence, urgent=True)

    def _check(self) -> None:
        typed = self.typed
        over = len(typed.content) - MAX_FACT_CHARACTERS
        self._error.setVisible(over > 0)
        self._error.setText(
            counted(max(over, 0), "1 character too long", "{n} characters too long")
        )
        is_sound = self.confidence.is_valid() and story_of(typed.chapters) is not None
        is_whole = all((typed.domain, typed.topic, typed.content)) and is_sound
        has_why = not self._needs_reason or len(typed.reason) >= LEAST_REASON
        self.confirm.setEnabled(is_whole and has_why and over <= 0)


async def ask_fact(
    window: QWidget,
    theme: Theme,
    question: FactQuestion,
    begin: TypedFact,
    use: Callable[[TypedFact], Awaitable[T]],
) -> T | None:
    """What was made of a fact; None when the person changed their mind.

    Args:
        window: What it is asked over.
        theme: The look.
        question: What is asked.
        begin: What stands in the dialog first.
        use: Does something with what was typed; where that is refused, it is asked for again.
    """
    return await ask_until(lambda typed: FactDialog(window, theme, question, typed), begin, use)
