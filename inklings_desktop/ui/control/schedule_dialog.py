"""The dialog of one activity: what to do, where, when, and what a run may use."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QDateTime, QLocale, Qt, QTime
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QDateTimeEdit,
    QDoubleSpinBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QTimeEdit,
    QWidget,
)

from inklings_desktop.domain.background.activities import (
    MICRO,
    MOST_SECONDS,
    WORLD_AGENT,
    Budget,
    May,
)
from inklings_desktop.domain.background.schedules import (
    LEAST_MINUTES,
    MOST_MINUTES,
    MOST_NEW,
    Form,
    Schedule,
)
from inklings_desktop.ui.control import schedule_state as state
from inklings_desktop.ui.kit.controls.buttons import ChoiceButton, KeyHintButton, PushButton
from inklings_desktop.ui.kit.controls.chips import CountChip
from inklings_desktop.ui.kit.controls.segmented import Segment, SegmentedSwitch
from inklings_desktop.ui.kit.controls.toggles import CheckBox
from inklings_desktop.ui.kit.dialogs.ask_dialog import SmallDialog
from inklings_desktop.ui.kit.look.accessibility import announce, named
from inklings_desktop.ui.kit.look.layouts import STRETCH, hbox, vbox
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.marks.labels import plain_label
from inklings_desktop.ui.kit.words.schedule_words import WEEK, day_name

if TYPE_CHECKING:
    from inklings_desktop.domain.background.activities import ActivityDraft, ActivityView
    from inklings_desktop.ui.control.schedule_state import ScheduleContent
    from inklings_desktop.ui.kit.look.theme import Theme

_WIDTH, _LABEL, _PROMPT = 640, 104, 96
_MINUTE = 60
_AIR = 8
_TIME = "HH:mm"
SAVE = "Ctrl S"


class ActivityDialog(SmallDialog):
    """Fields of an activity; Ctrl+S keeps it.

    Attributes:
        typed: What stands in it; None where the activity is to be deleted.
        confirm: The button that keeps it.
    """

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        content: ScheduleContent,
        view: ActivityView | None,
        begin: ActivityDraft,
    ) -> None:
        """Build the dialog.

        Args:
            content: Tells channels, and what the last runs took.
            view: The activity; None for a new one.
            begin: What stands in the fields first.
        """
        title = tr("New activity") if view is None else view.activity.name
        under = tr("A message at its time.") if view is None else state.due_line(view, content.now)
        super().__init__(parent, title, under, name="activityDialog", width=_WIDTH, grows=True)
        self._theme, self._begin, self._is_deleted = theme, begin, False
        self._agents = {one.client: one for one in content.agents}
        self._runs = () if view is None else content.runs
        self.name = named(QLineEdit(begin.name, self), "activityName", tr("Name"))
        self.prompt = named(QPlainTextEdit(begin.prompt, self), "activityPrompt", tr("What to do"))
        self.prompt.setTabChangesFocus(True)
        self.prompt.setFont(theme.font("reading"))
        self.prompt.setFixedHeight(round(_PROMPT * self.growth))
        self._error = plain_label("", "error", self)
        self._missing = plain_label("", "ochre", self)
        self._thin = plain_label("", "ochre", self)
        for told in (self._error, self._missing, self._thin):
            told.hide()
        grid = QGridLayout()
        grid.setColumnMinimumWidth(0, round(_LABEL * self.growth))
        grid.setColumnStretch(1, 1)
        grid.setVerticalSpacing(12)
        rows: tuple[tuple[str, object], ...] = (
            (tr("Name"), self.name),
            (tr("What to do"), self.prompt),
            (tr("Who and where"), self._where(content)),
            (tr("When"), self._forms()),
            ("", self._times()),
            (tr("At most"), self._budget()),
            (tr("It may"), self._allowed()),
            (tr("If missed"), self._missed()),
        )
        for number, (label, field) in enumerate(rows):
            heads = plain_label(label, "meta", self)
            heads.setMinimumHeight(theme.px("control"))
            grid.addWidget(heads, number, 0, Qt.AlignmentFlag.AlignTop)
            if isinstance(field, QWidget):
                grid.addWidget(field, number, 1)
            else:
                grid.addLayout(field, number, 1)  # type: ignore[call-overload]
        cancel = self.button(tr("Cancel"))
        cancel.clicked.connect(self.reject)
        save = KeyHintButton(theme, tr("Save activity"), SAVE, self)
        self.confirm = named(save, "saveActivity")
        self.confirm.setAutoDefault(False)
        self.confirm.clicked.connect(self.accept)
        QShortcut(QKeySequence(SAVE.replace(" ", "+")), self, self.confirm.click)
        left: list[tuple[QWidget, int]] = []
        if view is not None:
            remove = PushButton(theme, tr("Delete"), kind="quietDanger", icon="eraser", parent=self)
            remove.setObjectName("deleteActivity")
            remove.clicked.connect(self._delete)
            left.append((remove, 0))
        self.lay_out(grid, left=(*left, (self._error, 1)), right=(cancel, self.confirm))
        for signal in (self.name.textChanged, self.prompt.textChanged):
            signal.connect(self._check)
        self.at.timeChanged.connect(self._check)
        self.agent.chosen.connect(self._check)
        self._on_form(self.form.choice())
        (self.name if view is None else self.prompt).setFocus()

    @property
    def typed(self) -> ActivityDraft | None:
        """What stands in it; None where the activity is to be deleted."""
        if self._is_deleted:
            return None
        cost = round(self.cost.value() * MICRO)
        seconds = min(self.minutes.value() * _MINUTE, MOST_SECONDS)
        may = frozenset(one for one, box in self.may.items() if box.isChecked())
        return replace(
            self._begin,
            name=self.name.text().strip(),
            prompt=self.prompt.toPlainText().strip(),
            channel=self.channel.value,
            agent=self.agent.value,
            schedule=self._schedule(),
            budget=Budget(self._begin.budget.tool_calls, seconds, cost or None, may),
        )

    def refuse(self, sentence: str) -> None:
        """Say why what was typed could not be kept; it may be tried once more."""
        self._error.setText(sentence)
        self._error.show()
        announce(self.prompt, sentence, urgent=True)

    # -- its fields ---------------------------------------------------------------------------

    def _where(self, content: ScheduleContent) -> object:
        begin = self._begin
        who = {one: content.agent_words(one) for one in (WORLD_AGENT, *self._agents, begin.agent)}
        rooms = {one.id: f"#{one.name}" for one in content.channels}
        self.agent = ChoiceButton(self._theme, tr("Who"), who, begin.agent, self)
        self.channel = ChoiceButton(self._theme, tr("Where"), rooms, begin.channel, self)
        for field, name in ((self.agent, "activityAgent"), (self.channel, "activityChannel")):
            field.setObjectName(name)
        fields = hbox(None, self.agent, self.channel, STRETCH, margins=0, spacing=8)
        return vbox(None, fields, self._missing, margins=0, spacing=6)

    def _allowed(self) -> object:
        """What waits for nobody; another maker's agent may what it was let in for."""
        always = CheckBox(self._theme, tr("look things up"), self)
        always.setChecked(True)
        always.setEnabled(False)
        told = {May.KEEP: tr("keep memories"), May.PROPOSE: tr("propose changes")}
        self.may = {
            one: named(CheckBox(self._theme, words, self), f"may:{one}", words)
            for one, words in told.items()
        }
        for one, box in self.may.items():
            box.setChecked(one in self._begin.budget.may)
        return hbox(None, always, *self.may.values(), STRETCH, margins=0, spacing=16)

    def _forms(self) -> object:
        segments = (
            Segment(Form.ONCE.value, tr("Once")),
            Segment(Form.DAILY.value, tr("Daily")),
            Segment(Form.WEEKLY.value, tr("Weekly")),
            Segment(Form.MONTHLY.value, tr("Monthly")),
            Segment(Form.AFTER_NEW.value, tr("After a change")),
            Segment(Form.EVERY.value, tr("Often")),
        )
        self.form = SegmentedSwitch(self._theme, segments, tr("When"), parent=self)
        self.form.setObjectName("activityForm")
        self.form.show_choice(self._begin.schedule.form.value)
        self.form.choice_changed.connect(self._on_form)
        return hbox(None, self.form, STRETCH, margins=0)

    def _times(self) -> object:
        schedule = self._begin.schedule
        self.days = []
        for day in range(1, WEEK + 1):
            chip = named(
                CountChip(self._theme, day_name(day), parent=self), f"day{day}", day_name(day)
            )
            chip.setChecked(schedule.form is Form.WEEKLY and day in schedule.days)
            chip.toggled.connect(self._check)
            self.days.append(chip)
        self.day = self._number("activityDay", tr("Day of the month"), 1, 31)
        if schedule.form is Form.MONTHLY:
            self.day.setValue(schedule.days[0])
        self.n = self._number("activityNew", tr("New memories"), 1, MOST_NEW)
        self.n.setValue(schedule.n if schedule.form is Form.AFTER_NEW else 5)
        self.n.setSuffix(tr(" new memories"))
        self.every = self._number("activityEvery", tr("Minutes"), LEAST_MINUTES, MOST_MINUTES)
        self.every.setValue(schedule.n if schedule.form is Form.EVERY else _MINUTE)
        self.every.setSuffix(tr(" min"))
        self.at = self._clock("activityAt", tr("Time"), schedule.at)
        self.once = named(QDateTimeEdit(self), "activityOnce", tr("Day and time"))
        self.once.setDisplayFormat(f"d MMM yyyy {_TIME}")
        self.once.setCalendarPopup(True)
        when = schedule.once or datetime.now().astimezone().replace(tzinfo=None)
        self.once.setDateTime(
            QDateTime(QDate(when.year, when.month, when.day), QTime(when.hour, when.minute))
        )
        self._at = plain_label(tr("at"), "meta", self)
        fields = (*self.days, self.day, self.n, self.every, self.once, self._at, self.at)
        times = hbox(None, *fields, STRETCH, margins=0, spacing=6)
        return vbox(None, times, self._thin, margins=0, spacing=6)

    def _budget(self) -> object:
        budget = self._begin.budget
        self.cost = named(QDoubleSpinBox(self), "activityCost", tr("Money a run"))
        _without_arrows(self.cost)
        self.cost.setRange(0.0, 1_000.0)
        self.cost.setSingleStep(0.1)
        self.cost.setPrefix("$")
        self.cost.setSpecialValueText(tr("as any turn"))
        self.cost.setValue((budget.cost_micro or 0) / MICRO)
        self.minutes = self._number(
            "activityMinutes", tr("Minutes a run"), 1, MOST_SECONDS // _MINUTE
        )
        self.minutes.setValue(max(1, budget.seconds // _MINUTE))
        self.minutes.setSuffix(tr(" min"))
        told = plain_label(state.budget_words(self._runs), "meta", self)
        between = plain_label(tr("and"), "meta", self)
        return hbox(None, self.cost, between, self.minutes, told, STRETCH, margins=0, spacing=8)

    def _missed(self) -> object:
        begin, end = self._begin.schedule.hours
        self.missed = (
            self._clock("missedFrom", tr("Missed runs from"), begin),
            self._clock("missedTo", tr("Missed runs until"), end),
        )
        told = plain_label(tr("Run once at the next start, between"), "body", self)
        between = plain_label(tr("and"), "body", self)
        first, last = self.missed
        return hbox(None, told, first, between, last, STRETCH, margins=0, spacing=8)

    def _number(self, name: str, spoken: str, least: int, most: int) -> QSpinBox:
        field = named(QSpinBox(self), name, spoken)
        field.setRange(least, most)
        _without_arrows(field)
        return field

    def _clock(self, name: str, spoken: str, at: time) -> QTimeEdit:
        field = named(QTimeEdit(QTime(at.hour, at.minute), self), name, spoken)
        field.setDisplayFormat(_TIME)
        _without_arrows(field)
        field.setLocale(QLocale.c())
        return field

    # -- what stands in them ------------------------------------------------------------------

    def _schedule(self) -> Schedule:
        form = Form(self.form.choice())
        at, n, once = _time_of(self.at), 0, None
        days: tuple[int, ...] = ()
        match form:
            case Form.WEEKLY:
                days = tuple(number for number, one in enumerate(self.days, 1) if one.isChecked())
            case Form.MONTHLY:
                days = (self.day.value(),)
            case Form.AFTER_NEW:
                n = self.n.value()
            case Form.EVERY:
                n = self.every.value()
            case Form.ONCE:
                moment = self.once.dateTime()
                day, hour = moment.date(), moment.time()
                once = datetime(  # noqa: DTZ001 - what a wall shows
                    day.year(), day.month(), day.day(), hour.hour(), hour.minute()
                )
        begin, end = self.missed
        hours = _time_of(begin), _time_of(end)
        return Schedule(form, at, days, n, once, self._begin.schedule.zone, hours)

    def _on_form(self, key: str) -> None:
        form = Form(key)
        for one in self.days:
            one.setVisible(form is Form.WEEKLY)
        self.day.setVisible(form is Form.MONTHLY)
        self.n.setVisible(form is Form.AFTER_NEW)
        self.every.setVisible(form is Form.EVERY)
        self.once.setVisible(form is Form.ONCE)
        has_time = form in {Form.DAILY, Form.WEEKLY, Form.MONTHLY}
        self.at.setVisible(has_time)
        self._at.setVisible(has_time)
        self._check()

    def _check(self) -> None:
        is_weekly = self.form.choice() == Form.WEEKLY.value
        has_day = not is_weekly or any(one.isChecked() for one in self.days)
        self._error.setVisible(not has_day)
        if not has_day:
            self._error.setText(tr("Choose at least one day."))
        is_whole = bool(self.name.text().strip() and self.prompt.toPlainText().strip())
        self.confirm.setEnabled(is_whole and has_day)
        has_time = self.at.isVisibleTo(self)
        zone, at = self._begin.schedule.zone, _time_of(self.at)
        self._tell(self._thin, state.thin_words(at, self._runs, zone) if has_time else "")
        other = self._agents.get(self.agent.value)
        self._tell(self._missing, "" if other is None else state.missing_words(other))
        for box in self.may.values():
            box.setEnabled(other is None)

    def _tell(self, label: QLabel, told: str) -> None:
        label.setText(told)
        label.setVisible(bool(told))

    def _delete(self) -> None:
        self._is_deleted = True
        self.accept()


def _time_of(field: QTimeEdit) -> time:
    return time(field.time().hour(), field.time().minute())


def _without_arrows(field: QAbstractSpinBox) -> None:
    """Have it look as a field of words does; the arrow keys and the wheel change it."""
    field.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
    field.lineEdit().setTextMargins(_AIR, 0, 0, 0)
