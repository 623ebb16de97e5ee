"""The tab of activities: what the agent is asked at its time, and how the last runs went."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QWidget

from inklings_desktop.domain.background.activities import Outcome, activity_of
from inklings_desktop.ui.control import schedule_state as state
from inklings_desktop.ui.control.schedule_lines import SIDE, Line, run_line, run_titles
from inklings_desktop.ui.kit.dialogs.ask import ask_until
from inklings_desktop.ui.kit.look.layouts import STRETCH, vbox
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.done import Done
from inklings_desktop.ui.kit.page.deciding import DecidingTab, Nothing
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.destinations import ToConversation
from inklings_desktop.ui.kit.page.parts import (
    across,
    below,
    button,
    hairline,
    link,
    pages,
    plate,
    scrolling,
    switch,
    wide,
    words,
)
from inklings_desktop.ui.kit.words.schedule_words import when_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inklings_desktop.domain.background.activities import ActivityView
    from inklings_desktop.ui.control.schedule_state import ScheduleContent
    from inklings_desktop.ui.control.tasks_presenter import ClockInWindow
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.declared import Part

_MARGIN = 24
_ON, _WHEN, _LAST, _NEXT, _COST, _ACT = 46, 136, 122, 122, 136, 108
_NO_LAST_BELOW = 760
"""Width of the tab at text scale 1 below which the last run has no column of its own."""


class ScheduleTab(DecidingTab["ScheduleContent"]):
    """Activities in a table, the runs of the current one below; every act can be undone."""

    key: ClassVar = "schedule"
    buttons: ClassVar = {}
    detail: ClassVar = "scheduleRuns"
    watches = About.ROOMS | About.EVENTS | About.CLOCK | About.SETTINGS

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, parent)
        acts: dict[str, Callable[[], object]] = {
            "R": lambda: self._run(self._view),
            "Space": partial(self._unless_button, lambda: self._switch(self._view)),
            "Return": partial(self._unless_button, lambda: self._edit(self._view)),
            "Delete": lambda: self._delete(self._view),
            "Up": partial(self._step, -1),
            "Down": partial(self._step, 1),
        }
        for keys, act in acts.items():
            self._hear(keys, act)
        # In the window the clock is a QObject, and its signals come from its own thread.
        clock = cast("ClockInWindow | None", self.inklings.background)
        if clock is not None:
            clock.state_changed.connect(self.read_soon)

    def read_content(self) -> ScheduleContent:
        return state.read_schedule(self.inklings, self.workspace_id, self.current)

    def keys_of(self, content: ScheduleContent) -> Sequence[str]:
        return [one.activity.id for one in content.activities]

    @property
    def n_activities(self) -> int:
        """How many there are."""
        return 0 if self.content is None else len(self.content.activities)

    @property
    def _view(self) -> ActivityView | None:
        every = () if self.content is None else self.content.activities
        return next((one for one in every if one.activity.id == self.current), None)

    # -- what is on show ----------------------------------------------------------------------

    def said(self, content: ScheduleContent | None) -> tuple[Part, ...]:
        if content is None:
            return (plate(place=(1,)),)
        none = (
            tr("Nothing is scheduled."),
            tr("An activity is a message the agent gets at its time, in its own channel."),
        )
        some = scrolling(
            below(
                self._said_table(content),
                *self._said_runs(content),
                words(tr("Tidying up and embedding have their own times, under Memory tiers.")),
                STRETCH,
                spacing=16,
            ),
            margins=(_MARGIN, 16, _MARGIN, 24),
        )
        nothing = part(Nothing, LOOK, name="nothingSchedule", said=none)
        return (pages(nothing, some, now=int(bool(content.activities)), place=(1,)),)

    def _said_table(self, content: ScheduleContent) -> Part:
        is_any_on = any(one.activity.enabled for one in content.activities)
        head = across(
            words(tr("Scheduled activities"), "tab", way="plain"),
            words(state.rule_words(content), way="elided", place=(1,)),
            button(
                tr("Pause all"),
                self._pause_all,
                kind="quiet",
                icon="pause",
                small=True,
                name="pauseActivities",
                stores=True,
                visible=is_any_on,
            ),
            spacing=12,
            margins=(SIDE, 12, SIDE, 4),
        )
        titles = self._across(
            words(tr("On"), "label", way="plain", dress=wide(_ON)),
            words(tr("Activity"), "label", way="plain", place=(1,)),
            words(tr("When"), "label", way="plain", dress=wide(_WHEN)),
            words(tr("Last run"), "label", way="plain", dress=wide(_LAST)),
            words(tr("Next"), "label", way="plain", dress=wide(_NEXT)),
            words(tr("Cost of a run"), "label", way="plain", dress=wide(_COST)),
            words("", "label", way="plain", dress=wide(_ACT)),
        )
        lines = [part for one in content.activities for part in self._said_row(one, content)]
        return plate(
            head,
            plate(titles, margins=(SIDE, 4, SIDE, 6)),
            *lines,
            box=vbox,
            kind="card",
            margins=1,
            spacing=0,
            name="scheduleList",
            spoken=tr("Scheduled activities"),
            focusPolicy=Qt.FocusPolicy.StrongFocus,
        )

    def _said_row(self, view: ActivityView, content: ScheduleContent) -> tuple[Part, ...]:
        activity, now = view.activity, content.now
        when, due = when_words(activity.schedule), content.due_words(view)
        is_running = activity.last_outcome is Outcome.RUNNING
        name, where = activity.name, f"#{view.channel}, {content.agent_words(activity.agent)}"
        act = tr("Stop") if is_running else tr("Run now")
        row = self._across(
            plate(
                switch(
                    name,
                    on=activity.enabled,
                    wanted=lambda _on: self._switch(view),
                    name=f"on:{activity.id}",
                    stores=True,
                ),
                STRETCH,
                dress=wide(_ON),
            ),
            below(
                STRETCH,
                words(name, "bodyStrong", way="elided"),
                words(where, way="elided"),
                STRETCH,
                spacing=1,
                place=(1,),
            ),
            words(when, way="elided", toolTip=when, dress=wide(_WHEN)),
            words(state.last_words(view, now), way="elided", dress=wide(_LAST)),
            words(due, "metaInk", way="elided", toolTip=due, dress=wide(_NEXT)),
            words(state.cost_words(view), way="elided", dress=wide(_COST)),
            plate(
                STRETCH,
                button(
                    act,
                    partial(self._run, view),
                    icon="stop" if is_running else "play",
                    small=True,
                    name=f"run:{activity.id}",
                    spoken=tr("{what}: {task}").format(what=act, task=name),
                    enabled=content.can_run(view),
                    key="stop" if is_running else "run",
                ),
                dress=wide(_ACT),
            ),
        )
        line = part(
            *(Line, LOOK),
            inside=(row,),
            key=activity.id,
            spoken=state.row_spoken(view, when, due, now),
            current=activity.id == self.current,
            pressed=partial(self._choose, activity.id),
            opened=partial(self._edit, view),
        )
        return (hairline(key=f"line {activity.id}"), line)

    def _across(self, on: Part, name: Part, when: Part, *rest: Part) -> Part:
        """A row of the table without what it has no room for."""
        last, due, cost, act = rest
        is_tiny = self.view.width() < _NO_LAST_BELOW * self.context.theme.text_scale
        middle = [when, *([] if is_tiny else [last]), due, *([] if self.is_narrow else [cost])]
        return across(on, name, *middle, act, spacing=10)

    def _said_runs(self, content: ScheduleContent) -> tuple[Part, ...]:
        view = self._view
        if view is None or view.activity.id != content.shown:
            return ()
        head = across(
            words(view.activity.name, "tab", way="plain"),
            words(state.runs_words(view), way="plain"),
            STRETCH,
            link(
                tr("Open the last conversation"),
                self._open_last,
                name="openLast",
                visible=bool(content.runs),
            ),
            spacing=12,
            margins=(SIDE, 12, SIDE, 6),
        )
        go = self.context.go
        lines = [line for one in content.runs for line in run_line(one, content.now, go)]
        if lines:
            lines.insert(0, run_titles())
        none = across(words(tr("It has not run yet.")), margins=(SIDE, 4, SIDE, 14))
        return (
            plate(
                head,
                *(lines or [none]),
                box=vbox,
                kind="card",
                margins=1,
                spacing=0,
                name=self.detail,
                spoken=tr("Last runs of {name}").format(name=view.activity.name),
            ),
        )

    # -- what a person does -------------------------------------------------------------------

    def _choose(self, id_: str) -> None:
        if id_ != self.current:
            self.choose(id_)
            self.read_again()

    def _step(self, by: int) -> None:
        if self.current in self._waiting:
            place = self._waiting.index(self.current) + by
            self._choose(self._waiting[max(0, min(place, len(self._waiting) - 1))])

    def _unless_button(self, act: Callable[[], object]) -> None:
        """Press the button that has the keyboard, as everywhere; else do this."""
        focus = self.view.window().focusWidget()
        if isinstance(focus, QAbstractButton):
            focus.click()
        else:
            act()

    def _open_last(self) -> None:
        if self.content is not None and self.content.runs:
            self.context.go(ToConversation(self.content.runs[0].conversation_id))

    def _run(self, view: ActivityView | None) -> None:
        background = self.inklings.background
        if view is None or background is None:
            return
        target = activity_of(self.workspace_id, view.activity.id)
        if view.activity.last_outcome is Outcome.RUNNING:
            background.cancel(target)
        else:
            background.request(target)

    def _switch(self, view: ActivityView | None) -> None:
        if view is not None:
            activity, on = view.activity, not view.activity.enabled
            told = tr("Switched on {name}") if on else tr("Switched off {name}")
            call = partial(state.switch, self.inklings, self.workspace_id, activity.id, on=on)
            self.spawn(self._do(told.format(name=activity.name), call))

    def _pause_all(self) -> None:
        n = sum(one.activity.enabled for one in self.content.activities) if self.content else 0
        told = counted(n, "Paused 1 activity", "Paused {n} activities")
        self.spawn(self._do(told, partial(state.pause_all, self.inklings, self.workspace_id)))

    def _delete(self, view: ActivityView | None) -> None:
        if view is not None:
            told = tr("Deleted {name}").format(name=view.activity.name)
            here = self.workspace_id
            call = partial(state.delete, self.inklings, here, view.activity.id)
            self.spawn(self._do(told, call))

    def make_new(self) -> None:
        """Ask for a new activity."""
        self.spawn(self._asked(None))

    def _edit(self, view: ActivityView | None) -> None:
        if view is not None:
            self.spawn(self._asked(view))

    async def _asked(self, view: ActivityView | None) -> None:
        """The dialog of an activity, as often as what is typed is refused."""
        from inklings_desktop.ui.control.schedule_dialog import ActivityDialog

        here, inklings = self.workspace_id, self.inklings
        which = "" if view is None else view.activity.id
        content = await self.background.read(state.read_schedule, inklings, here, which)
        if not content.channels:
            return
        begin = state.as_new(content.channels[0].id) if view is None else view.activity.draft

        def form(now: Any) -> ActivityDialog:
            return ActivityDialog(self.view.window(), self.context.theme, content, view, now)

        async def use(typed: Any) -> Any:
            if typed is None:
                return self._delete(view)
            if view is None:
                id_, undoes = await self.background.write(state.make, inklings, here, typed)
                self.current = id_
                told = tr("Made {name}")
            else:
                before = view.activity
                undoes = await self.background.write(state.edit, inklings, here, before, typed)
                told = tr("Changed {name}")
            self.tell_undoable(Done(told.format(name=typed.name), undoes))
            return self.read_again()

        await ask_until(form, begin, use)

    async def _do(self, told: str, call: Callable[[], state.Undoing]) -> None:
        undoes = await self.outcome(call)
        if undoes is not None:
            self.tell_undoable(Done(told, undoes))

    def key_hints(self) -> tuple[KeyHint, ...]:
        """The keys that act on the current activity."""
        return (
            KeyHint(("Ctrl Tab",), tr("next tab")),
            KeyHint(("R",), tr("run selected")),
            KeyHint(("Space",), tr("on or off")),
            KeyHint(("Enter",), tr("edit")),
            KeyHint(("F5",), tr("refresh")),
        )
