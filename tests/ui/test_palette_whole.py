"""The palette finds everything there is: each action, page, tab and dialog by its own words."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from inklings_desktop.ui.consolidation.golden_dialog import GoldenDialog
from inklings_desktop.ui.consolidation.review_dialog import ReviewDialog
from inklings_desktop.ui.consolidation.runs_dialog import RunsDialog
from inklings_desktop.ui.kit.dialogs.field_dialogs import NameDialog
from inklings_desktop.ui.kit.dialogs.process_dialog import PaperDialog
from inklings_desktop.ui.kit.ops.commands import ActionSpec, Commands, MenuSpec
from inklings_desktop.ui.kit.ops.page_spec import MEMORY_PAGE, SETTINGS_PAGE
from inklings_desktop.ui.memory.list.saved_filters_dialog import SavedFiltersDialog
from inklings_desktop.ui.rail.workspaces import DeleteWorkspaceDialog
from inklings_desktop.ui.settings.groups import group_specs
from inklings_desktop.ui.window.action_table import menu_table, unlisted_actions
from inklings_desktop.ui.window.main_window import MainWindow
from inklings_desktop.ui.window.palette.rows import PaletteItem, palette_rows
from inklings_desktop.ui.window.register import page_specs
from tests.support.scenes import scene
from tests.support.wide import mostly_wide
from tests.ui.keyboard_hands import Hands
from tests.ui.test_palette_desk import Palette, played

pytestmark = pytest.mark.usefixtures("qapp")

FOUND_AS_WELL = tuple(
    PaletteItem(f"memory:{number}", "It says all of it.", is_memory=True) for number in range(3)
)


def every_action(window: MainWindow) -> Iterator[ActionSpec]:
    """Each row of the tables that the window is made of."""
    do, look = window._actions, window._look

    def rows(menu: MenuSpec) -> Iterator[ActionSpec]:
        for one in menu.rows:
            if one is not None:
                yield from rows(one) if isinstance(one, MenuSpec) else (one,)

    for menu in menu_table(do, look):
        yield from rows(menu)
    yield from unlisted_actions(do)


def all_enabled(commands: Commands, ran: list[str]) -> Commands:
    """The same commands, each of which can be run and only notes that it was."""
    free = Commands(commands)
    for one in commands.all():
        action = QAction(one.action.text(), free)
        action.setShortcuts(one.action.shortcuts())
        action.setData(one.action.data())
        action.triggered.connect(lambda _on=False, name=one.name: ran.append(name))
        free.add(action, one.where, group=one.group, icon=one.icon, is_offered=one.is_offered)
    return free


def keys_for(typed: str, palette: Palette) -> list[str]:
    """What stands in the palette for a text, while memories say it too."""
    rows = palette_rows(
        typed, palette.desk.presenter.known, FOUND_AS_WELL, "2 paused memories match too"
    )
    return [one.key for one in rows if isinstance(one, PaletteItem)]


def said(name: str) -> Iterator[str]:
    """What somebody types who knows what it is called: all of it, or the words in any order."""
    yield name
    yield " ".join(reversed(name.rstrip("\u2026").replace(":", "").split()))


@scene(played)
async def test_every_action_is_found_by_its_words_and_run(palette: Palette, /) -> None:
    window = palette.bench.window
    ran: list[str] = []
    palette.desk._commands = all_enabled(window.menus.commands, ran)
    palette.desk.note_page("page:none")  # so that the page on show is one to go to as well
    await palette.opened()
    names = {one.name: one for one in palette.desk._commands.all() if one.can_run}
    assert {window.menus[spec.id] for spec in every_action(window)} <= {
        one.action for one in window.menus.commands.all()
    }
    for name, one in names.items():
        data = one.action.data()
        is_page = isinstance(data, str) and data.startswith("page:")
        key = data if is_page else f"command:{name}"
        for typed in said(name):
            assert key in keys_for(typed, palette), typed
        if not is_page:
            palette.dialog.chosen.emit(key, False)
            assert ran.pop() == name
    assert len(names) > 60
    palette.dialog.reject()


@scene(played)
async def test_every_page_and_tab_is_found_by_its_words_and_shown(palette: Palette, /) -> None:
    window = palette.bench.window
    opened_root = window.opened
    assert opened_root is not None
    on_show: list[str] = []

    def is_there() -> bool:
        control = opened_root.control
        tab = control.view.current_tab() if control is not None and len(on_show) > 1 else ""
        return [window.pages.current_id, *filter(None, [tab])] == on_show

    for page in page_specs():
        palette.desk.note_page("page:none")
        await palette.opened()
        assert page.id in keys_for(page.title, palette)
        palette.dialog.reject()
        palette.dialog.chosen.emit(page.id, False)
        on_show[:] = [page.id]
        await palette.bench.until(is_there)
        for tab in page.tabs:
            window.show_page(MEMORY_PAGE)
            await palette.opened(tab.title)
            row = next(one for one in palette.items() if one.key == f"tab:{tab.key}")
            assert row.hint == page.title
            await palette.took(row.key)
            on_show[:] = [page.id, tab.key]
            await palette.bench.until(is_there)


@scene(played)
async def test_every_setting_is_found_by_its_words_and_gone_to(palette: Palette, /) -> None:
    window, hands = palette.bench.window, Hands(palette.bench)
    await palette.opened()
    palette.dialog.reject()
    for group in group_specs():
        assert f"settings:{group.id}" in keys_for(group.title, palette)
        for one in filter(attrgetter("is_found"), group.settings):
            key = f"setting:{group.id}/{one.id}"
            for typed in (one.name, f"{group.title} {one.name}", f"{one.name} {one.words}"):
                assert key in keys_for(typed, palette), typed
            for typed in filter(None, one.words.split(", ")):  # several may share a word
                found = keys_for(typed, palette)
                assert any(other.startswith("setting:") for other in found), typed
            palette.dialog.chosen.emit(key, False)
            await palette.bench.until(lambda: window.pages.current_id == SETTINGS_PAGE)

            def is_there(wanted: str = one.id) -> bool:
                at = hands.focus
                while at is not None and at.objectName() != wanted:
                    at = at.parentWidget()
                return at is not None

            await palette.bench.until(is_there)


@pytest.mark.parametrize(
    ("typed", "key", "kind"),
    mostly_wide(
        [
            ("new channel", "command:New channel\u2026", NameDialog),
            ("rename workspace", "command:Rename the workspace\u2026", NameDialog),
            ("delete workspace", "command:Delete the workspace\u2026", DeleteWorkspaceDialog),
            ("runs", "command:Runs of consolidation\u2026", RunsDialog),
            ("golden", "command:Golden questions\u2026", GoldenDialog),
            ("consolidate plan workspace", "command:Consolidate: Plan for the w", ReviewDialog),
            ("saved filters", "command:Saved filters\u2026", SavedFiltersDialog),
            ("keyboard", "command:Keyboard", PaperDialog),
        ],
        every_day=lambda case: case[2] in {NameDialog, GoldenDialog, PaperDialog},
    ),
)
@scene(played)
async def test_a_dialog_is_opened_by_its_name(
    palette: Palette, /, typed: str, key: str, kind: type[QWidget]
) -> None:
    await palette.opened(typed)
    await palette.took(key)
    (await Hands(palette.bench).shown(kind)).close()


@scene(played)
async def test_an_action_is_found_by_words_that_are_not_its_name(palette: Palette, /) -> None:
    await palette.opened("connect client")
    assert "Connect an agent\u2026" in palette.texts()
    palette.dialog.reject()


@scene(played)
async def test_through_a_clients_eyes_no_tab_of_the_author_is_offered(palette: Palette, /) -> None:
    palette.bench.window.menus.only_look()
    await palette.opened("event log")
    assert not [one for one in palette.items() if one.key.startswith("tab:")]
    palette.dialog.reject()


@pytest.mark.parametrize(
    ("typed", "meant"), [("german", "Language"), ("canary", "Access"), ("end", "Conversation")]
)
@scene(played)
async def test_everyday_words_lead_where_they_mean(
    palette: Palette, /, typed: str, meant: str
) -> None:
    await palette.opened(typed)
    assert meant in palette.texts()
    palette.dialog.reject()
