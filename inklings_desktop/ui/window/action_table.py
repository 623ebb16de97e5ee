"""Everything that the window's menus, keys and palette offer, in the order of the menus."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

from inklings_desktop.domain.memory import Tier
from inklings_desktop.ui.kit.look.translation import tr, tr_as
from inklings_desktop.ui.kit.ops.commands import ActionSpec, MenuSpec, Needs, Where
from inklings_desktop.ui.kit.ops.page_spec import CONTROL_PAGE
from inklings_desktop.ui.kit.page.destinations import (
    ToAnalysis,
    ToConnection,
    ToGolden,
    ToPlan,
    ToRuns,
    ToScrub,
    ToWorld,
)
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.ui.memory.list.search_words import Since, since_label
from inklings_desktop.ui.rail.wishes import RoomAction, WorkspaceWish
from inklings_desktop.ui.window.appearance import TEXT_SCALES
from inklings_desktop.ui.window.menus import (
    CONVERSATION_MENU,
    EDIT_MENU,
    ENTRY_MENU,
    MEMORY_MENU,
    WORLD_MENU,
)
from inklings_desktop.ui.window.register import page_specs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inklings_desktop.ui.window.actions import WindowActions
    from inklings_desktop.ui.window.appearance import WindowAppearance

T = TypeVar("T")

_DATA, _MEMORY, _AUTHOR = Needs.DATA, Needs.MEMORY, Needs.AUTHOR
_WRITES = Needs.DATA | Needs.DISK | Needs.AUTHOR


def menu_table(do: WindowActions, look: WindowAppearance) -> tuple[MenuSpec, ...]:
    """The menu bar over what the window can do and how it can look."""
    return (
        _file(do),
        _edit(do),
        _view(do, look),
        _memory(do),
        MenuSpec(tr("E&ntry"), (), id=ENTRY_MENU),
        _world(do),
        _conversation(do),
        _help(do),
    )


def _help(do: WindowActions) -> MenuSpec:
    texts = (("guide", tr("Guide")), ("changelog", tr("What is new")))
    files = (("log", tr("Log folder")), ("settings_file", tr("Settings file")))

    def rows(names: tuple[tuple[str, str], ...], needs: Needs) -> tuple[ActionSpec, ...]:
        return tuple(
            ActionSpec(name, text, run=partial(do.help, name), needs=needs) for name, text in names
        )

    return MenuSpec(
        tr("&Help"),
        (
            *rows(texts, Needs.NOTHING),
            ActionSpec("keyboard", tr("Keyboard"), ("F1", "?")),
            None,
            *rows(files, _AUTHOR),
            None,
            *rows((("about", tr("About Inklings")),), Needs.NOTHING),
        ),
    )


def unlisted_actions(do: WindowActions) -> tuple[ActionSpec, ...]:
    """What stands in no menu of the window and has no key: the palette has it."""
    plans = {
        Tier.CHANNEL: tr("Plan for the channels\u2026"),
        Tier.WORKSPACE: tr("Plan for the workspace\u2026"),
        Tier.ACCOUNT: tr("Plan for the account\u2026"),
    }
    reads = _DATA | _AUTHOR
    return (
        ActionSpec(
            "new_channel",
            tr("New channel\u2026"),
            (),
            do.with_root(lambda one: one.rooms.act(RoomAction.NEW_CHANNEL, "")),
            _WRITES,
        ),
        *(
            ActionSpec(f"workspace:{wish.name.lower()}", text, (), partial(do.wish, wish), needs)
            for wish, text, needs in (
                (WorkspaceWish.RENAME, tr("Rename the workspace\u2026"), _WRITES),
                (WorkspaceWish.FOLDER, tr("Show the workspace\u2019s folder"), reads),
                (WorkspaceWish.DELETE, tr("Delete the workspace\u2026"), _WRITES),
            )
        ),
        *(
            ActionSpec(
                f"plan:{tier.value}",
                text,
                run=do.leading_to(ToPlan(tier)),
                needs=reads,
                group=tr("Consolidate"),
            )
            for tier, text in plans.items()
        ),
        ActionSpec("runs", tr("Runs of consolidation\u2026"), (), do.leading_to(ToRuns()), reads),
        ActionSpec("golden", tr("Golden questions\u2026"), (), do.leading_to(ToGolden()), reads),
        ActionSpec(
            "scrub",
            tr("Scrub memory\u2026"),
            run=do.leading_to(ToScrub()),
            needs=Needs.DISK | _AUTHOR,
            when=lambda: do.page_id == CONTROL_PAGE,
            where=Where.CONTROL,
            icon="eraser",
        ),
    )


def _file(do: WindowActions) -> MenuSpec:
    return MenuSpec(
        tr("&File"),
        (
            ActionSpec("new_memory", tr("New memory"), ("Ctrl+N",), do.new_memory, _WRITES),
            ActionSpec("new_workspace", tr("New workspace\u2026"), (), do.new_workspace, _WRITES),
            ActionSpec(
                "open_folder",
                tr("Open a workspace\u2019s folder\u2026"),
                (),
                do.with_root(lambda one: one.workspaces.ask_folder()),
                _WRITES,
            ),
            ActionSpec(
                "connect_agent",
                tr("Connect an agent\u2026"),
                (),
                do.leading_to(ToConnection()),
                _WRITES,
                words=tr("client, program, MCP"),
            ),
            None,
            ActionSpec(
                "import_file",
                tr("Import\u2026"),
                ("Ctrl+Shift+I",),
                do.with_root(lambda one: one.transfer.ask_import()),
                _WRITES,
            ),
            ActionSpec(
                "import_folder",
                tr("Import a folder of notes\u2026"),
                (),
                do.with_root(lambda one: one.transfer.ask_folder()),
                _WRITES,
            ),
            ActionSpec(
                "export",
                tr("Export\u2026"),
                ("Ctrl+Shift+E",),
                do.with_root(lambda one: one.transfer.exports.ask()),
                _DATA | _AUTHOR,
            ),
            ActionSpec(
                "show_export",
                tr("Show the last export in its folder"),
                (),
                do.with_root(lambda one: one.transfer.exports.show_last()),
                _DATA | _AUTHOR,
            ),
            ActionSpec(
                "imports",
                tr("Undo an import\u2026"),
                (),
                do.with_root(lambda one: one.transfer.ask_withdrawal()),
                _WRITES,
            ),
            None,
            ActionSpec(
                "open_sample",
                tr("Open the sample world"),
                (),
                do.open_sample,
                _WRITES,
            ),
            ActionSpec("leave_sample", tr("Back to my own worlds"), (), do.leave_sample, _AUTHOR),
            None,
            ActionSpec(
                "keep_running",
                tr("Keep running in the background"),
                needs=Needs.DISK | _AUTHOR,
                is_checked=True,
            ),
            ActionSpec("quit", tr("Quit"), ("Ctrl+Q",)),
        ),
    )


def _edit(do: WindowActions) -> MenuSpec:
    here = Where.MEMORY
    return MenuSpec(
        tr("&Edit"),
        (
            ActionSpec("undo", tr("Undo"), ("Ctrl+Z",), needs=Needs.DISK | _AUTHOR),
            ActionSpec("redo", tr("Redo"), ("Ctrl+Shift+Z",), needs=Needs.DISK | _AUTHOR),
            ActionSpec(
                "withdraw_import",
                tr("Undo the last import"),
                (),
                do.with_root(lambda one: one.transfer.withdraw()),
                Needs.DISK | _AUTHOR,
            ),
            None,
            ActionSpec("copy_link", tr("Copy link to what is open"), (), do.copy_link, _DATA),
            None,
            ActionSpec(
                "search",
                tr_as("a verb", "Search"),
                ("Ctrl+F",),
                do.search,
                _DATA | _MEMORY,
                where=here,
            ),
            ActionSpec(
                "search_mode",
                tr("Switch search mode"),
                ("Ctrl+Shift+F",),
                do.switch_search_mode,
                _DATA | _MEMORY,
                where=here,
            ),
            ActionSpec(
                "save_filter",
                tr("Save this filter\u2026"),
                (),
                do.with_root(lambda one: one.memory.filters.ask_save()),
                _WRITES | _MEMORY,
                where=here,
            ),
            ActionSpec(
                "saved_filters",
                tr("Saved filters\u2026"),
                (),
                do.with_root(lambda one: one.memory.filters.ask_all()),
                _DATA | _AUTHOR,
            ),
            None,
            ActionSpec("palette", tr("Go to or run\u2026"), ("Ctrl+K",), needs=_DATA),
        ),
        id=EDIT_MENU,
    )


def _view(do: WindowActions, look: WindowAppearance) -> MenuSpec:
    pages = tuple(
        ActionSpec(
            page.id,
            page.title,
            page.keys,
            partial(do.show_page, page.id),
            _AUTHOR if page.is_authors else Needs.NOTHING,
        )
        for page in sorted(page_specs(), key=lambda page: int(page.keys[0][-1]) or 10)
    )
    tiers = {
        Tier.CONVERSATION: tr("Conversation"),
        Tier.CHANNEL: tr("Channel"),
        Tier.WORKSPACE: tr("Workspace"),
        Tier.ACCOUNT: tr("Account"),
    }
    return MenuSpec(
        tr("&View"),
        (
            *pages,
            None,
            MenuSpec(
                tr("Tier"),
                tuple(
                    ActionSpec(
                        f"tier:{tier.value}",
                        name,
                        (f"Ctrl+{number}",),
                        lambda tier=tier: do.pages.memory.header.tier_chosen.emit(tier),
                        _MEMORY,
                        where=Where.MEMORY,
                        group=tr("Tier"),
                    )
                    for number, (tier, name) in enumerate(tiers.items(), start=1)
                ),
            ),
            ActionSpec("rail", tr("Rail"), ("F8",), do.show_rail, is_checked=True),
            ActionSpec("inspector", tr("Inspector"), ("F9",), do.dock_inspector, is_checked=True),
            ActionSpec("next_pane", tr("Next pane"), ("F6",), partial(do.step_pane, 1)),
            ActionSpec(
                "previous_pane", tr("Previous pane"), ("Shift+F6",), partial(do.step_pane, -1)
            ),
            None,
            *_looks(look),
            *_text_sizes(look),
            None,
            ActionSpec("refresh", tr("Refresh"), ("F5",), do.refresh, _DATA),
        ),
    )


def _looks(look: WindowAppearance) -> tuple[MenuSpec, ...]:
    """Theme, density and size of the text."""
    now = look.appearance
    themes = {"system": tr("Like the system"), "light": tr("Light"), "dark": tr("Dark")}
    densities = {"comfortable": tr("Comfortable"), "compact": tr("Compact")}
    scales = {scale: f"{scale * 100:.0f} %" for scale in TEXT_SCALES}
    return (
        _choice(tr("Theme"), "theme", themes, now.theme, look),
        _choice(tr("Density"), "density", densities, now.density, look),
        _choice(tr("Text size"), "text_scale", scales, now.text_scale, look),
    )


def _text_sizes(look: WindowAppearance) -> tuple[ActionSpec, ...]:
    """One size up and down; a plus is a shifted equals sign on many keyboards."""
    return (
        ActionSpec(
            "text_larger",
            tr("Larger text"),
            ("Ctrl++", "Ctrl+="),
            partial(look.step_text_scale, 1),
            _AUTHOR,
        ),
        ActionSpec(
            "text_smaller",
            tr("Smaller text"),
            ("Ctrl+-",),
            partial(look.step_text_scale, -1),
            _AUTHOR,
        ),
        ActionSpec(
            "text_usual",
            tr("Reset text size"),
            ("Ctrl+0",),
            partial(look.step_text_scale, 0),
            _AUTHOR,
        ),
    )


def _choice(
    title: str, field: str, names: Mapping[T, str], now: T, look: WindowAppearance
) -> MenuSpec:
    """What a field of ``Appearance`` can be."""
    rows = tuple(
        ActionSpec(
            f"{field}:{key}",
            name,
            run=partial(look.wear, **{field: key}),
            needs=_AUTHOR,
            group=title,
            is_checked=key == now,
        )
        for key, name in names.items()
    )
    return MenuSpec(title, rows, is_choice=True)


def _world(do: WindowActions) -> MenuSpec:
    tabs = {"pages": tr("Pages"), "changed": tr("Source changed"), "proposed": tr("Proposed")}
    return MenuSpec(
        tr("&World"),
        (
            ActionSpec(
                "link_folder",
                tr("Link a folder\u2026"),
                ("Ctrl+O",),
                do.leading_to(ToWorld(links=True)),
                _WRITES,
                words=tr("pages, vault, Markdown, Obsidian"),
            ),
            None,
            *(
                ActionSpec(
                    f"world:{key}",
                    text,
                    run=do.leading_to(ToWorld(tab=key)),
                    needs=_DATA | _AUTHOR,
                    group=tr("World"),
                )
                for key, text in tabs.items()
            ),
            None,
            ActionSpec(
                "run_analysis",
                tr("Run analysis\u2026"),
                run=do.leading_to(ToAnalysis()),
                needs=_DATA | _AUTHOR,
                words=tr("script, references, contradictions, consistency, evolution"),
            ),
        ),
        id=WORLD_MENU,
    )


def _conversation(do: WindowActions) -> MenuSpec:
    here = Where.CONVERSATION

    def of_page(
        name: str,
        text: str,
        *keys: str,
        needs: Needs = _WRITES,
        may: Callable[[], bool] = do.can_talk,
    ) -> ActionSpec:
        run = partial(do.talk, name)
        return ActionSpec(f"talk:{name}", text, keys, run, needs, may, here)

    return MenuSpec(
        tr("&Conversation"),
        (
            ActionSpec(
                "new_conversation",
                tr("New conversation"),
                ("Ctrl+T",),
                do.new_conversation,
                _WRITES,
            ),
            None,
            of_page("stop", tr("Stop"), "Ctrl+."),
            of_page("attach", tr("Attach memories\u2026"), "Ctrl+Shift+A"),
            of_page("role", tr("Answer in a role\u2026"), may=do.can_take_role),
            None,
            of_page("code", tr("Copy code for another agent"), needs=_DATA | _AUTHOR),
            of_page("rename", tr("Rename\u2026")),
            of_page("end", tr("End conversation\u2026")),
            of_page("archive", tr("Archive")),
        ),
        id=CONVERSATION_MENU,
    )


def _memory(do: WindowActions) -> MenuSpec:
    here, inside = Where.MEMORY, Where.INSPECTOR
    agents = tr("Written by agents")
    since = tuple(
        ActionSpec(
            f"since:{one.value}",
            since_label(one),
            run=lambda one=one: do.pages.memory.filters.agents_since_chosen.emit(one),
            needs=_MEMORY,
            where=here,
            group=agents,
        )
        for one in Since
    )
    return MenuSpec(
        tr("&Memory"),
        (
            ActionSpec(
                "save", tr("Save"), ("Ctrl+S",), do.save, _WRITES | _MEMORY, do.can_save, inside
            ),
            ActionSpec(
                "previous",
                tr("Previous memory"),
                ("Alt+Up",),
                do.previous,
                _DATA,
                do.has_previous,
                inside,
            ),
            ActionSpec(
                "next",
                tr("Next memory"),
                ("Alt+Down",),
                do.next,
                _DATA,
                do.has_next,
                inside,
            ),
            None,
            ActionSpec(
                "forget",
                tr("Forget"),
                (),
                do.with_root(lambda one: one.memory.acts.act(MemoryAct.FORGET)),
                _WRITES | _MEMORY,
                do.can_forget,
                here,
            ),
            ActionSpec(
                "restore",
                tr("Restore"),
                (),
                do.with_root(lambda one: one.memory.acts.act(MemoryAct.RESTORE)),
                _WRITES | _MEMORY,
                do.can_restore,
                here,
            ),
            None,
            MenuSpec(agents, since),
        ),
        id=MEMORY_MENU,
    )
