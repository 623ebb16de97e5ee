"""Second step of a scrub: what would go and a sample of it, what stays, where copies lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from inklings_desktop.domain.memory import Curator, Lifetime
from inklings_desktop.domain.scrub.manifest import RUN_KINDS, ScrubKind
from inklings_desktop.domain.scrub.scrub_request import ScrubRequestState
from inklings_desktop.ui.kit.controls.buttons import ForwardButton, PushButton
from inklings_desktop.ui.kit.dialogs.pieces import (
    Headline,
    Note,
    NoticeLine,
    StepBody,
    StepFoot,
    card,
    cleared,
    column_of,
)
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import STRETCH, fill, hbox, vbox
from inklings_desktop.ui.kit.look.text_layout import plain_tool_tip
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.labels import (
    ElidedLabel,
    IconMark,
    plain_label,
    rule,
    wrapped_label,
)
from inklings_desktop.ui.kit.marks.meters import Bar, BarList
from inklings_desktop.ui.kit.words.memory_facts import (
    curator_label,
    exact_time,
    lifetime_label,
    relevance_figure,
)
from inklings_desktop.ui.scrub.notices import notice_of
from inklings_desktop.ui.scrub.words import (
    fate_text,
    file_name,
    made_of_sentence,
    manifest_copy,
    sample_text,
    scope_mode_sentence,
    untouched_lines,
    would_headline,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from inklings_desktop.domain.scrub.manifest import Breakdown, ScrubManifest, ScrubSample
    from inklings_desktop.domain.transfer.document import ExportNote
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.scrub.state import ScrubState

_ID_SHOWN = 8
_ROW_HEIGHT = 33
_COLUMNS = (82, 0, 88, 78)
_INSETS = ((14, 0), (10, 14), (6, 0), (6, 14))
_CURATORS = {
    Curator.AUTHOR.value: ("pen-nib", "ink"),
    Curator.AGENT.value: ("planet", "lapis"),
    Curator.IMPORT.value: ("download-simple", "tyrian"),
}


class SampleTable(QFrame):
    """A few lines: id, beginning of the text, curator, relevance."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setProperty("card", "true")
        self.setObjectName("scrubSample")
        self._caption = plain_label("", "caption", self)
        title = plain_label(tr("Sample to be removed"), "label", self)
        head = hbox(None, title, STRETCH, self._caption, margins=(14, 0, 14, 0), spacing=6)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(0)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(1, 1)
        vbox(self, head, self._grid, margins=(0, 11, 0, 6), spacing=6)

    def show_manifest(self, manifest: ScrubManifest) -> None:
        """Show the sample of a manifest."""
        self._caption.setText(sample_text(manifest))
        cleared(self._grid)
        for number, width in enumerate(_COLUMNS):
            self._grid.setColumnMinimumWidth(number, self._theme.scaled(width))
        titles = (
            tr("Entry"),
            tr("Begins"),
            tr("Written by"),
            tr("Relevance"),
        )
        for number, title in enumerate(titles):
            self._put(plain_label(title, "label", self), 0, number)
        self._put_rule(1)
        for number, sample in enumerate(manifest.sample):
            if number:
                self._put_rule(1 + 2 * number)
            self._add(sample, 2 + 2 * number)
        self._grid.setRowMinimumHeight(0, self._theme.scaled(_ROW_HEIGHT - 9))

    def _add(self, sample: ScrubSample, line: int) -> None:
        has_name = sample.kind is ScrubKind.WORKING_NOTE
        entry = ElidedLabel(sample.id if has_name else sample.id[:_ID_SHOWN], self)
        entry.setProperty("textStyle", "monoInk")
        begins = ElidedLabel(sample.begins, self)
        begins.setProperty("textStyle", "begins")
        self._grid.setRowMinimumHeight(line, self._theme.scaled(_ROW_HEIGHT))
        cells = (entry, begins, self._curator(sample), self._relevance(sample))
        for number, cell in enumerate(cells):
            self._put(cell, line, number)

    def _curator(self, sample: ScrubSample) -> QWidget:
        icon, role = _CURATORS.get(sample.curator, ("pen-nib", "ink"))
        name = curator_label(Curator(sample.curator)) if sample.curator in set(Curator) else ""
        cell = QWidget(self)
        mark = IconMark(self._theme, icon, role, 14, cell)
        word = plain_label(name, "metaInk", cell)
        word.setProperty("curator", sample.curator)
        hbox(cell, mark, (word, 1), margins=0, spacing=4)
        return cell

    def _relevance(self, sample: ScrubSample) -> QWidget:
        style = "caption"
        if sample.is_forgotten:
            said = tr("forgotten")
        elif sample.kind is ScrubKind.WORKING_NOTE:
            said = tr("note")
        elif sample.kind is ScrubKind.MESSAGE:
            said = tr("message")
        elif sample.kind in RUN_KINDS:
            said = tr("run state")
        elif sample.relevance is None:
            said = tr("named entry")
        else:
            said, style = relevance_figure(sample.relevance), "figure"
        label = plain_label(said, style, self)
        label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        label.setFont(self._theme.font("meta", tabular=True))
        return label

    def _put(self, cell: QWidget, line: int, number: int) -> None:
        left, right = _INSETS[number]
        cell.setContentsMargins(left, 0, right, 0)
        if line == 0 and number == len(_COLUMNS) - 1:
            self._grid.addWidget(cell, line, number, Qt.AlignmentFlag.AlignRight)
        else:
            self._grid.addWidget(cell, line, number)

    def _put_rule(self, line: int) -> None:
        self._grid.addWidget(rule(self), line, 0, 1, len(_COLUMNS))


_MOST_VALUES = 5
_MOST_BACKUPS = 6
_SIDE_WIDTH, _MOST_SIDE = 268, 320
_MOST_NAME = 18
_GAP = 10
_INK = 0.72
_LONGEST = 0.75
_STRETCHES = (10, 9, 9)


class ManifestBody(StepBody):
    """The manifest of a dry run, for a person."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", parent)
        self.setAccessibleName(tr("What would be removed"))
        self._manifest: ScrubManifest | None = None
        self.notice = NoticeLine(theme, self.column)
        self._gap = QWidget(self.column)
        self._gap.setFixedHeight(_GAP)
        self.headline = Headline(theme, parent=self.column)
        self._where = plain_label("", "body", self.column)
        self._made_of = plain_label("", "meta", self.column, wraps=True)
        self._id = plain_label("", "mono", self.column)
        self._counted = plain_label("", "meta", self.column)
        self._bars = [BarList(theme, self.column) for _ in _STRETCHES]
        self.sample = SampleTable(theme, self.column)
        self._breakdown = QWidget(self.column)
        self._nothing = Note(theme, self.column)
        self._nothing.say(
            "lapis",
            "info",
            tr("Nothing here."),
            tr("Choose another tier, or close."),
        )
        self._kept = card(self.column)
        self._untouched = card(self.column)
        self._backups = card(self.column)
        self._exports = card(self.column)
        self._shown_exports: tuple[ExportNote, ...] | None = None
        self._theme = theme
        self._lay_out()

    def show_state(self, state: ScrubState) -> None:
        """Show the count."""
        notice = notice_of(state)
        self.notice.show_notice(notice)
        self._gap.setVisible(notice is not None)
        self._show_exports(state.exports)
        manifest = state.manifest
        if manifest is None or manifest is self._manifest:
            return
        self._manifest = manifest
        self.headline.setText(would_headline(manifest))
        nothing_yet = tr("Nothing has been removed yet.")
        self._where.setText(f"{scope_mode_sentence(state, manifest)} {nothing_yet}")
        made_of = made_of_sentence(manifest)
        self._made_of.setText(made_of)
        self._made_of.setVisible(bool(made_of))
        self._id.setText(manifest.short_id)
        self._counted.setText(tr("counted {time}").format(time=exact_time(manifest.counted_at)))
        has_any = manifest.n_removed > 0
        self._breakdown.setVisible(has_any)
        self.sample.setVisible(has_any)
        self._nothing.setVisible(not has_any)
        self._show_bars(manifest)
        self.sample.show_manifest(manifest)
        self._show_kept(manifest)
        self._show_untouched(manifest)
        self._show_backups(manifest)
        self.verticalScrollBar().setValue(0)
        announce(self, self.headline.text())

    def _lay_out(self) -> None:
        words = vbox(None, self.headline, self._where, self._made_of, spacing=2)
        manifest = plain_label(tr("Manifest"), "meta", self.column)
        name = hbox(None, STRETCH, manifest, self._id, spacing=5)
        stamp = vbox(
            None, STRETCH, name, (self._counted, 0, Qt.AlignmentFlag.AlignRight), spacing=0
        )
        head = hbox(None, (words, 1), 16, stamp, spacing=0)
        breakdown = hbox(self._breakdown, margins=(0, 0, 0, 12), spacing=12)
        titles = (tr("By source"), tr("By who wrote them"), tr("By lifetime"))
        for title, bars, stretch in zip(titles, self._bars, _STRETCHES, strict=True):
            frame = card(self.column)
            fill(column_of(frame), plain_label(title, "label", frame), bars, STRETCH)
            breakdown.addWidget(frame, stretch)
        cards = (self._kept, self._untouched, self._backups, self._exports)
        for frame in cards:
            frame.setFixedWidth(min(self._theme.scaled(_SIDE_WIDTH), _MOST_SIDE))
        top, side = Qt.AlignmentFlag.AlignTop, vbox(None, *cards, STRETCH, spacing=12)
        below = hbox(None, (self.sample, 1, top), (self._nothing, 1, top), side, spacing=12)
        fill(self.stack, self.notice, self._gap, 2, head, 14, self._breakdown, below, STRETCH)

    def _show_bars(self, manifest: ScrubManifest) -> None:
        shown: tuple[tuple[Breakdown, str, Callable[[str], str]], ...] = (
            (manifest.by_source, tr("By source"), str),
            (manifest.by_curator, tr("By who wrote them"), _curator),
            (manifest.by_lifetime, tr("By lifetime"), _lifetime),
        )
        for bars, (values, spoken, word_of) in zip(self._bars, shown, strict=True):
            bars.setAccessibleName(spoken)
            bars.set_bars(self._lines(values, word_of))

    def _lines(self, values: Breakdown, named: Callable[[str], str]) -> list[Bar]:
        """The most frequent values, the others as one line."""
        rows = [(_cut(named(value)), count) for value, count in values]
        if len(rows) > _MOST_VALUES:
            rest = rows[_MOST_VALUES - 1 :]
            more = counted(len(rest), "1 more", "{n} more")
            rows = [*rows[: _MOST_VALUES - 1], (more, sum(count for _, count in rest))]
        most = max((count for _, count in rows), default=1)
        figure = QLocale().toString
        return [
            Bar(name, figure(count), _LONGEST * count / most, "madder", _INK)
            for name, count in rows
        ]

    def _show_kept(self, manifest: ScrubManifest) -> None:
        lines = self._titled(self._kept, tr("Kept"))
        if not manifest.kept:
            lines.addWidget(plain_label(tr("Nothing in this tier"), "meta", self._kept))
        for name in manifest.kept:
            self._add_line(self._kept, "bookmarks", "accent", name, "nameInk")

    def _show_untouched(self, manifest: ScrubManifest) -> None:
        self._titled(self._untouched, tr("Untouched"))
        for icon, text in untouched_lines(manifest):
            # What is promised to stay is read whole, however many workspaces there are.
            self._add_line(self._untouched, icon, "inkSoft", text, "metaInk", wraps=True)

    def _show_backups(self, manifest: ScrubManifest) -> None:
        self._backups.setVisible(bool(manifest.backups))
        lines = self._titled(self._backups, tr("Backups that contain it"))
        for one in manifest.backups[:_MOST_BACKUPS]:
            line = QWidget(self._backups)
            when = plain_label(exact_time(one.created_at), "metaInk", line)
            vbox(
                line, when, plain_label(fate_text(one.fate), "caption", line), margins=0, spacing=0
            )
            line.setToolTip(plain_tool_tip(one.name))
            lines.addWidget(line)
        self._add_more(self._backups, len(manifest.backups))

    def _show_exports(self, exports: tuple[ExportNote, ...]) -> None:
        """Files of the person's own: a scrub cannot reach them, so they are named."""
        if exports == self._shown_exports:
            return
        self._shown_exports = exports
        self._exports.setVisible(bool(exports))
        lines = self._titled(self._exports, tr("Exports that may contain it, not cleared"))
        for one in exports[:_MOST_BACKUPS]:
            line = QWidget(self._exports)
            name = ElidedLabel(file_name(one.path), line)
            name.setProperty("textStyle", "metaInk")
            vbox(line, name, plain_label(exact_time(one.at), "caption", line), margins=0, spacing=0)
            line.setToolTip(plain_tool_tip(one.path))
            line.setAccessibleName(one.path)
            lines.addWidget(line)
        self._add_more(self._exports, len(exports))

    def _titled(self, frame: QFrame, title: str) -> QVBoxLayout:
        lines = column_of(frame)
        cleared(lines)
        lines.addWidget(plain_label(title, "label", frame))
        return lines

    def _add_more(self, frame: QFrame, total: int) -> None:
        if total > _MOST_BACKUPS:
            said = counted(total - _MOST_BACKUPS, "and 1 more", "and {n} more")
            column_of(frame).addWidget(plain_label(said, "meta", frame))

    def _add_line(
        self,
        frame: QFrame,
        icon: str,
        role: str,
        text: str,
        style: str,
        *,
        wraps: bool = False,
    ) -> None:
        line = QWidget(frame)
        mark = IconMark(self._theme, icon, role, 14, line)
        if wraps:
            said = wrapped_label(text, style, line)
            said.ensurePolished()
            # The sign stands beside the first line, not at its upper edge.
            mark.setFixedHeight(max(mark.sizeHint().height(), said.fontMetrics().height()))
            top = (mark, 0, Qt.AlignmentFlag.AlignTop)
            hbox(line, top, (said, 1), margins=0, spacing=8)
        else:
            words = ElidedLabel(text, line)
            words.setProperty("textStyle", style)
            hbox(line, mark, (words, 1), margins=0, spacing=8)
        column_of(frame).addWidget(line)


class ManifestFoot(StepFoot):
    """Go on, leave, go back, turn a request down, or keep the figures or a copy."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state: ScrubState | None = None
        words = tr("Save a copy first\u2026")
        save_copy = PushButton(theme, words, kind="quiet", icon="export", parent=self)
        self.save_copy = named(save_copy, "scrubSaveCopy")
        words = self._copy_words = tr("Copy manifest")
        copy = PushButton(theme, words, kind="quiet", icon="copy", parent=self)
        self.copy = named(copy, "scrubCopyManifest", words)
        self.copy.setToolTip(tr("Figures and ids, without the text of the memories"))
        self.copy.clicked.connect(self._on_copy_clicked)
        self.back = named(PushButton(theme, tr("Back"), parent=self), "scrubBack")
        close_it = PushButton(theme, tr("Close, keep everything"), parent=self)
        self.close_it = named(close_it, "scrubClose")
        self.decline = named(PushButton(theme, tr("Decline"), parent=self), "scrubDecline")
        words = tr("Continue to confirm")
        go_on = ForwardButton(theme, words, kind="dangerOutline", parent=self)
        self.go_on = named(go_on, "scrubContinue")
        fill(self.row, self.save_copy, self.copy, STRETCH)
        fill(self.row, self.back, self.close_it, self.decline, self.go_on)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leaves out words beside an icon where the verbs would be pressed together."""
        super().resizeEvent(event)
        self._fit()

    def _name_copy(self, words: str) -> None:
        self._copy_words = words
        self.copy.setAccessibleName(words)
        self._fit()

    def _fit(self) -> None:
        self.copy.set_word(self._copy_words)
        parts = (self.save_copy, self.copy, self.back, self.close_it, self.decline, self.go_on)
        shown = [part for part in parts if not part.isHidden()]
        margins = self.row.contentsMargins()
        wanted = margins.left() + margins.right() + len(shown) * self.row.spacing()
        if wanted + sum(part.sizeHint().width() for part in shown) > self.width():
            self.copy.set_word("")

    def show_state(self, state: ScrubState) -> None:
        """Offer to go on where there is something to remove."""
        if self._state is None or state.manifest is not self._state.manifest:
            self._name_copy(tr("Copy manifest"))
        self._state = state
        request = state.request
        waits = request is not None and request.state is ScrubRequestState.WAITING
        self.back.setVisible(not state.is_given)
        self.decline.setVisible(waits)
        self.go_on.setVisible(request is None or waits)
        self.close_it.setText(tr("Decide later") if waits else tr("Close, keep everything"))
        self.go_on.setEnabled(state.can_continue)
        self.save_copy.setEnabled(state.can_continue)
        self.save_copy.setText(
            tr("Save a copy first\u2026") if state.copy is None else tr("Copy saved")
        )
        self._fit()

    @Slot()
    def _on_copy_clicked(self) -> None:
        state = self._state
        if state is not None and state.manifest is not None:
            QGuiApplication.clipboard().setText(manifest_copy(state, state.manifest))
            self._name_copy(tr("Manifest copied"))
            announce(self.copy, tr("Manifest copied"))


def _cut(name: str) -> str:
    return name if len(name) <= _MOST_NAME else f"{name[: _MOST_NAME - 1].rstrip()}\u2026"


def _curator(value: str) -> str:
    return curator_label(Curator(value)) if value in set(Curator) else value


def _lifetime(value: str) -> str:
    return lifetime_label(Lifetime(value)) if value in set(Lifetime) else value
