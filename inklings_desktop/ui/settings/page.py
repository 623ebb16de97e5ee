"""The Settings page: loads each group when it is first shown, and leads to single settings.

What in the settings file cannot be used is a sentence that says what to do.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QUrl, Slot
from PySide6.QtGui import QDesktopServices

from inklings_desktop.agent_settings import Model, Rows
from inklings_desktop.settings import FILE_NAME, MIN_RATE, SETTINGS, Flag, Line, Number, OneOf
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.marks.key_hints import KeyHint
from inklings_desktop.ui.kit.ops.change_bridge import About
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.kit.page.destinations import ToPageBefore, ToSettings
from inklings_desktop.ui.kit.page.page import Page
from inklings_desktop.ui.kit.panes.banner import BannerAction, BannerContent
from inklings_desktop.ui.settings.groups import APPEARANCE, group_of, group_specs
from inklings_desktop.ui.settings.view import SettingsView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QWidget

    from inklings_desktop.domain.memories.changes import MemoryChanges
    from inklings_desktop.settings_file import Problem
    from inklings_desktop.ui.kit.page.context import Context
    from inklings_desktop.ui.kit.page.destinations import Destination
    from inklings_desktop.ui.kit.page.page import Panes
    from inklings_desktop.ui.settings.groups import GroupSpec

OPEN_FILE = "open"


def problem_banner(problems: Sequence[Problem]) -> BannerContent | None:
    """The first problem, and how many more there are; None where there is none."""
    if not problems:
        return None
    first, n_more = problems[0], len(problems) - 1
    place = FILE_NAME
    if first.line:
        place = tr("{file} line {line}").format(file=FILE_NAME, line=first.line)
    if n_more:
        place = counted(n_more, "{place} and 1 more", "{place} and {n} more").format(place=place)
    return BannerContent(
        "ochre",
        tr("{place}:").format(place=place),
        problem_words(first),
        (BannerAction(OPEN_FILE, tr("Open the file")),),
    )


def problem_words(problem: Problem) -> str:
    """What is wrong, what holds meanwhile, and what would do."""
    if problem.key == FILE_NAME:
        return tr(
            "this cannot be read as settings. The earlier settings stay, and nothing can "
            "be changed here until you correct it."
        )
    if isinstance(SETTINGS.get(problem.key), Rows):
        said = tr("part of {key} cannot be used and is left out.")
        return said.format(key=problem.key)
    if (allowed := _allowed(problem.key)) is None:
        return tr("{key} is not a table; its defaults are used.").format(key=problem.key)
    sentence = tr("{key} cannot be used; it takes {allowed}. Its default is used.")
    return sentence.format(key=problem.key, allowed=allowed)


def _allowed(key: str) -> str | None:
    """What a setting takes; None for a table."""
    match SETTINGS.get(key):
        case OneOf(words):
            *some, last = words
            return tr("{some} or {last}").format(some=", ".join(some), last=last)
        case Number(least, most) as kind if kind.whole:
            return tr("a whole number from {least} to {most}").format(least=least, most=most)
        case Number(least=0):
            return tr("a number from 0 up")
        case Number(least=least) if least == MIN_RATE:
            return tr("a number above 0, up to 1")
        case Number(least, most):
            return tr("a number from {least} to {most}").format(least=least, most=most)
        case Flag():
            return tr("true or false")
        case Line(is_name=True):
            return tr("a name of one line")
        case Line():
            return tr("the name of a model")
        case Model():
            return tr("a provider and a model with a slash between")
    return None


class SettingsPage(Page[None]):
    """Hosts the groups; each is a page of its own, made by the table in ``groups``."""

    watches = About.SETTINGS
    view: SettingsView

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(context, SettingsView(context.theme, group_specs(), parent))
        self._made: dict[str, Page[Any]] = {}
        self._shown = APPEARANCE  # the first that asks nobody for anything
        self._control = ""
        self._loading: set[str] = set()
        self.view.group_chosen.connect(self.show_group)
        self.view.left.connect(lambda: context.go(ToPageBefore()))
        self.view.banner.action_requested.connect(self._on_file_wanted)

    def group(self, group_id: str) -> Page[Any] | None:
        """What leads a group; None until it is made."""
        return self._made.get(group_id)

    async def open(self, workspace_id: str) -> None:
        """Stand to another workspace; the group that was on show last is shown."""
        self.workspace_id = workspace_id
        for group in tuple(self._made.values()):
            await group.open(workspace_id)
        self.show_group(self._shown)
        await self._show_problems()

    @Slot(object)
    def on_changes(self, changes: MemoryChanges) -> None:
        """Say what cannot be used; every group hears of commits itself."""
        if changes.settings:
            self.spawn(self._show_problems())

    async def _show_problems(self) -> None:
        problems = await self.background.read(self.inklings.preferences.problems)
        self.view.show_problems(problem_banner(problems))

    def on_shown(self, *, is_shown: bool) -> None:
        """Every group notices itself whether somebody looks."""

    def refresh(self) -> None:
        if (group := self._made.get(self._shown)) is not None:
            group.refresh()

    def arrive(self, where: Destination) -> None:
        """Show a group, and bring the keyboard to a setting in it."""
        if isinstance(where, ToSettings):
            self._control = where.control
            self.show_group(where.group or self._shown)

    @Slot(str)
    def show_group(self, group_id: str) -> None:
        """Show a group at once, or as soon as its modules are loaded."""
        spec = group_of(group_id)
        if spec is None or not self.workspace_id:
            return
        self._shown = group_id
        # At once: a list that gets the keyboard with no row current would choose its first.
        self.view.list.show_current(group_id)
        module = spec.target.partition(":")[0]
        if group_id in self._loading:
            return  # its modules are known before they are whole
        if group_id in self._made or module in sys.modules:
            self._show(spec)
        else:
            self._loading.add(group_id)
            loading = self.background.spawn(self._load(spec, module))
            held_keys(self.context.window).until(loading)

    async def _load(self, spec: GroupSpec, module: str) -> None:
        await self.background.read(import_module, module)
        self._loading.discard(spec.id)
        if spec.id == self._shown:
            self._show(spec)

    def _show(self, spec: GroupSpec) -> None:
        if spec.id not in self._made:
            self._made[spec.id] = self._new_group(spec)
        self.view.show_group(spec.id)
        control, self._control = self._control, ""
        if control:
            self.view.show_control(spec.id, control)
        self.told.emit()

    def _new_group(self, spec: GroupSpec) -> Page[Any]:
        module, _, name = spec.target.partition(":")
        made: Page[Any] = getattr(sys.modules[module], name)(self.context, self.view)
        self.view.add_group(spec.id, made.view)
        made.told.connect(self.told)
        self.background.spawn(made.open(self.workspace_id))
        return made

    async def settled(self) -> None:
        """Return once no group that is made is being read."""
        for group in tuple(self._made.values()):
            await group.settled()

    # -- what a page says of itself -----------------------------------------------------------

    def bring_focus(self, reason: Qt.FocusReason) -> None:
        """Bring the keyboard to the list of groups, unless a setting was asked for."""
        if not self._control:
            self.view.focus_list(reason)

    def panes(self) -> Panes:
        return [(self.view.list, self.view.focus_list), (self.view.stack, self.view.focus_group)]

    def key_hints(self) -> tuple[KeyHint, ...]:
        """Those of the page around those of the group on show."""
        group = self._made.get(self._shown)
        return (
            KeyHint(("\u2191", "\u2193"), tr("section")),
            KeyHint(("Tab",), tr("next field")),
            *(group.key_hints() if group is not None else ()),
            KeyHint(("Esc",), tr("back")),
        )

    @Slot()
    def _on_file_wanted(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.inklings.data_dir / FILE_NAME)))
