"""One golden question in a review: what must be found, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inklings_desktop.ui.kit.marks.labels import IconLabel, plain_label, wrapped_label
from inklings_desktop.ui.kit.words.memory_lines import excerpt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inklings_desktop.domain.background.golden import GoldenAnswer
    from inklings_desktop.ui.kit.look.theme import Theme

_COLUMN = 96


class QuestionPane(QWidget):
    """A table of what is expected, with how it is now and how it would be."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._about = wrapped_label(
            self.tr(
                "A golden question breaks when a memory that must be among its first ten hits "
                "would no longer be. A merged memory counts for each of its sources."
            ),
            "meta",
            self,
        )
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        stack = QVBoxLayout(self)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.setSpacing(14)
        stack.addWidget(self._about)
        stack.addLayout(self._rows)

    def show_question(
        self, before: GoldenAnswer, after: GoldenAnswer, texts: Mapping[str, str]
    ) -> None:
        """Show one question.

        Args:
            before: How it fares now.
            after: How it would fare.
            texts: What the expected memories say, by id.
        """
        while (item := self._rows.takeAt(0)) is not None:
            if (row := item.widget()) is not None:
                row.hide()
                row.deleteLater()
        question = before.question
        self._rows.addWidget(self._head())
        for id_ in question.must:
            states = [
                (id_ not in answer.missing, self.tr("found"), self.tr("not found"))
                for answer in (before, after)
            ]
            self._rows.addWidget(self._row(self.tr("Must"), texts.get(id_, id_[:8]), states))
        for id_ in question.must_not:
            states = [
                (id_ not in answer.unwanted, self.tr("not found"), self.tr("found"))
                for answer in (before, after)
            ]
            self._rows.addWidget(self._row(self.tr("Must not"), texts.get(id_, id_[:8]), states))

    def _head(self) -> QWidget:
        row = QWidget(self)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 6)
        line.addWidget(plain_label(self.tr("Expected"), "label", row), 1)
        for title in (self.tr("Now"), self.tr("After")):
            label = plain_label(title, "label", row)
            label.setFixedWidth(self._theme.scaled(_COLUMN))
            line.addWidget(label)
        return row

    def _row(self, verb: str, text: str, states: list[tuple[bool, str, str]]) -> QWidget:
        row = QWidget(self)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 6, 0, 6)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(plain_label(verb, "caption", row))
        shown = wrapped_label(excerpt(text), "begins", row)
        words.addWidget(shown)
        line.addLayout(words, 1)
        spoken = []
        for is_right, good, bad in states:
            mark = IconLabel(self._theme, "metaInk", row)
            said = good if is_right else bad
            icon, role = ("check-circle", "accent") if is_right else ("warning", "ochre")
            mark.show_mark(icon, role, said, inked=not is_right)
            mark.setFixedWidth(self._theme.scaled(_COLUMN))
            line.addWidget(mark)
            spoken.append(said)
        row.setAccessibleName(f"{verb}: {text}")
        row.setAccessibleDescription(self.tr("now {0}, after {1}").format(*spoken))
        return row
