"""View as in the real window: what shows, what does not, and the ways in and out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QMenu, QWidget

from inklings_desktop.domain.access.access import Action
from inklings_desktop.domain.access.clients import Right
from inklings_desktop.domain.knowledge.domains import Permission
from inklings_desktop.domain.memory import MemoryDraft, ScopeKey, Tier
from inklings_desktop.ui.kit.ops.page_spec import (
    CONTROL_PAGE,
    ENTRIES_PAGE,
    KNOWLEDGE_PAGE,
    MEMORY_PAGE,
    PREVIEW_PAGE,
)
from inklings_desktop.ui.kit.page.destinations import ToKnowledge
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.ui.window.viewing import ViewAs, ViewingWindow
from inklings_desktop.usecases.knowledge.values import FactDraft
from tests.cli.test_bad_input import snapshot
from tests.support.four_clients import RELAY, STUDIO
from tests.support.scenes import scene
from tests.ui.access_bench import LOOM, AccessTab, access_tab, four_clients, table_of
from tests.ui.page_views import entries_view
from tests.ui.presenter_bench import Bench
from tests.ui.window_bench import WindowBench, drive, messages_of

pytestmark = pytest.mark.usefixtures("qapp")

SECRETS = ("left-handed", "underhall", "Hidden Realm", "weekly-continuity", "kept by Loom")


def a_world_with_secrets(bench: Bench) -> None:
    """Four clients, one memory for everybody, and something hidden in every other place."""
    four_clients(bench)
    inklings, world = bench.inklings, bench.workspace
    here = ScopeKey.workspace(world.id)
    inklings.memories.put(MemoryDraft(here, "The tide bell rings at dusk."))
    inklings.memories.put(MemoryDraft(ScopeKey.account(), "I am left-handed."))
    (general, weekly) = inklings.places.channels(world.id)
    inklings.memories.put(
        MemoryDraft(ScopeKey.channel(world.id, weekly.id), "A door in the underhall.")
    )
    inklings.memories.put(
        MemoryDraft(ScopeKey.channel(world.id, general.id), "The underhall is locked.")
    )
    room = inklings.conversations.start(world.id, title="About the underhall")
    inklings.memories.put(
        MemoryDraft(ScopeKey.conversation(world.id, room.id), "The underhall again.")
    )
    loom = inklings.clients.admit(LOOM, world.id)
    inklings.as_caller(loom).memories.put(
        MemoryDraft(here, "A bell kept by Loom.", private_to=LOOM)
    )
    inklings.workspaces.create("Hidden Realm")
    voice = next(one for one in inklings.entries.list(world.id) if one.name == "VOICE")
    inklings.entries.save(voice.ref, "Plain and dry.", expected_version=voice.version)


class Viewing:
    """The desk beside the author's window, while a test drives both."""

    def __init__(self, bench: WindowBench, tab: AccessTab) -> None:
        self.bench = bench
        self.tab = tab
        opened_root = bench.window.opened
        assert opened_root is not None
        self.desk = ViewAs(
            opened_root._background,
            bench.bench.inklings,
            theme=tab.view._theme,
            author=bench.window,
        )

    @property
    def window(self) -> ViewingWindow:
        """What is on show."""
        assert self.desk.window is not None
        return self.desk.window

    async def look_as(self, name: str) -> ViewingWindow:
        """Choose a client in the matrix and press V."""
        table = table_of(self.tab.view)
        table.show_current(name)
        self.bench.window.activateWindow()
        await self.bench.until(self.bench.window.isActiveWindow)
        table.setFocus()
        QTest.keyClick(table, Qt.Key.Key_V)
        await self.bench.until(lambda: self.desk.window is not None)
        await self.desk.settled()
        desk = self.window.memory
        assert desk is not None
        await desk.list.settled()
        return self.window

    async def search(self, text: str) -> None:
        """Look for a text in the place on show, or for nothing again."""
        desk = self.window.memory
        assert desk is not None
        self.window.page.header.search.set_text(text)
        await self.bench.until(lambda: desk.list.request.text == text)
        await desk.list.settled()

    @property
    def is_over(self) -> bool:
        """Whether the author's window is back."""
        return self.desk.window is None and self.bench.window.isVisible()

    def told(self) -> str:
        """Every word on show in the view: rail, list, labels, buttons, title, tool tips."""
        window = self.window
        words = [window.windowTitle()]
        for widget in window.findChildren(QWidget):
            words += [widget.toolTip(), widget.accessibleName(), widget.accessibleDescription()]
            if isinstance(widget, QLabel | QAbstractButton):
                words.append(widget.text())
        model = window.rail.tree.model()
        for row in range(model.rowCount()):
            index = model.index(row, 0)
            words.append(str(index.data()))
            words += [str(model.index(n, 0, index).data()) for n in range(model.rowCount(index))]
        words += [getattr(row, "excerpt", "") for row in window.page.rows]
        words.append(window.inspector.editor.toPlainText())
        return "\n".join(words)


def pages_of(window: ViewingWindow) -> list[str]:
    model = window.rail.tree.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


@scene(drive, a_world_with_secrets)
async def test_every_page_shows_what_the_client_may_read_and_nothing_else(
    bench: WindowBench, /, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewing = Viewing(bench, await access_tab(bench))
    window = await viewing.look_as(STUDIO)
    assert not bench.window.isVisible()
    assert [getattr(row, "excerpt", "") for row in window.page.rows][-1:] == [
        "The tide bell rings at dusk."
    ]
    told = viewing.told()
    refused: list[str] = []
    assert window.opened is not None
    monkeypatch.setattr(
        window.notices, "show_message", lambda message: refused.append(message.title)
    )
    assert "You see what Manuscript Studio sees." in told
    desk = window.memory
    assert desk is not None
    for tier in (Tier.ACCOUNT, Tier.CHANNEL, Tier.CONVERSATION):
        window.page.header.tier_chosen.emit(tier)
        await bench.until(window.page.empty.isVisible)
        told += viewing.told()
        assert "Nothing of this tier is shown to this client" in told
    window.page.header.tier_chosen.emit(Tier.WORKSPACE)
    for sought, n_found in (("bell", 1), ("locked", 0), ("handed", 0)):
        await viewing.search(sought)
        assert len([row for row in window.page.rows if hasattr(row, "excerpt")]) == n_found
        told += viewing.told()
    await viewing.search("")
    window.show_page(ENTRIES_PAGE)
    told += viewing.told()
    window.show_page(PREVIEW_PAGE)
    opened_root = window.opened
    assert opened_root is not None
    await bench.until(lambda: opened_root.preview is not None)
    preview = opened_root.preview
    assert preview is not None
    await bench.until(lambda: preview.content is not None)
    content = preview.content
    assert content is not None
    told += viewing.told() + content.document.markdown
    assert "tide bell" in content.document.markdown
    assert [secret for secret in SECRETS if secret in told] == []
    assert refused == []  # no page asks for what is the author's alone
    await viewing.desk.close()


@scene(drive, a_world_with_secrets)
async def test_the_author_s_own_pages_and_every_change_are_left_out(
    bench: WindowBench, /, tmp_path: Path
) -> None:
    viewing = Viewing(bench, await access_tab(bench))
    before = snapshot(tmp_path)
    window = await viewing.look_as(LOOM)
    assert not [name for name in pages_of(window) if "Control" in name]
    window.show_page(CONTROL_PAGE)
    assert window.pages.current_id == MEMORY_PAGE
    offered = {
        action.text().replace("&", "")
        for action in window.findChildren(QAction)
        if action.isVisible() and (action.isEnabled() or action.text() != "Forget")
    }
    assert not offered & {
        "New memory",
        "New workspace\u2026",
        "Import\u2026",
        "Export\u2026",
        "Save",
        "Forget",
        "Forget with a reason\u2026",
        "Delete for good\u2026",
        "Pin: never fades",
        "Edit tags",
        "Copy to another tier\u2026",
        "Scrub memory\u2026",
        "Control plane",
        "Settings",
        "Undo the last import",
    }
    assert window.page.header.new.isHidden()
    assert window.pages.banners.banner.isHidden()
    assert window.inspector.footer.forget.isHidden()
    assert window.inspector.editor.isReadOnly()
    assert not window.rail.card.isEnabled()
    # A key that would forget, and a wish that no control offers any more.
    said = messages_of(window, shown=False)
    desk = window.memory
    assert desk is not None
    window.page.table.setFocus()
    QTest.keyClick(window.page.table, Qt.Key.Key_Delete)
    assert not said
    entry = desk.subject.current_entry
    assert entry is not None
    desk.acts.act(MemoryAct.FORGET)
    await bench.until(lambda: [one.title for one in said] == ["That is not allowed here."])
    window.show_page(ENTRIES_PAGE)
    entries = entries_view(window)
    assert entries is not None
    assert entries.list.new.isHidden()
    await bench.until(entries.editor.editor.isReadOnly)
    formats = entries.editor.editor.format_actions()
    assert not [one.text() for one in formats.values() if one.isEnabled()]
    await viewing.desk.close()
    assert {k: v for k, v in snapshot(tmp_path).items() if k != "window.ini"} == {
        k: v for k, v in before.items() if k != "window.ini"
    }
    stored = bench.bench.inklings.listing.show(entry.ref)
    assert not stored.entry.is_forgotten


def test_a_client_is_seen_where_it_takes_part(tmp_path: Path) -> None:
    def taking_part(bench: Bench) -> None:
        a_world_with_secrets(bench)
        inklings, world = bench.inklings, bench.workspace
        studio = inklings.clients.admit(STUDIO, world.id)
        room = inklings.as_caller(studio).conversations.start(world.id, title="Chapter eleven")
        studio = inklings.clients.admit(STUDIO, world.id)  # it takes part now
        inklings.as_caller(studio).notes.write(world.id, room.id, "outline", {"next": "the toll"})
        here = ScopeKey.conversation(world.id, room.id)
        inklings.memories.put(MemoryDraft(here, "The toll is paid in glass."))

    async def look(bench: WindowBench) -> None:
        viewing = Viewing(bench, await access_tab(bench))
        window = await viewing.look_as(STUDIO)
        shell = window.memory.shell if window.memory is not None else None
        assert shell is not None
        here = shell.surroundings
        assert here is not None
        # It takes part in one conversation of #general: that channel is open to it, no other.
        assert [one.name for one in here.channels] == ["general"]
        assert [one.title for one in here.conversations] == ["Chapter eleven"]
        assert here.closed == {Tier.ACCOUNT}
        window.page.header.tier_chosen.emit(Tier.CONVERSATION)
        await bench.until(lambda: "The toll is paid in glass." in viewing.told())
        told = viewing.told()
        assert "outline" in str(window.page.rows)
        assert "underhall again" not in told
        window.page.header.tier_chosen.emit(Tier.CHANNEL)
        await bench.until(lambda: "The underhall is locked." in viewing.told())
        assert "A door in the underhall" not in viewing.told()
        # The note opens for reading, without the offer to make a memory of it.
        assert window.inspector.note.write.isHidden()
        await viewing.desk.close()

    drive(tmp_path, taking_part, look)


@scene(drive, a_world_with_secrets)
async def test_the_palette_finds_nothing_that_is_closed(bench: WindowBench, /) -> None:
    viewing = Viewing(bench, await access_tab(bench))
    window = await viewing.look_as(STUDIO)
    window.menus["palette"].trigger()
    palette = window.finding.palette
    assert palette is not None
    told: list[str] = []
    palette.presenter.rows_changed.connect(lambda rows: told.append(str(rows)))
    for typed in ("", ">", "#", "@", "locked", "handed", "bell", "contr", "hidd"):
        palette.presenter.ask(typed)
        await palette.presenter.settled()
    everything = " ".join(told)
    assert "tide bell" in everything
    assert [secret for secret in SECRETS if secret in everything] == []
    assert not [
        command
        for command in ("Control plane", "New memory", "Import", "Export", "Forget", "Theme")
        if f"'{command}" in everything
    ]
    assert palette.dialog is not None
    palette.dialog.reject()
    await viewing.desk.close()


@scene(drive, a_world_with_secrets)
async def test_escape_and_the_banner_give_the_author_s_window_back(bench: WindowBench, /) -> None:
    viewing = Viewing(bench, await access_tab(bench))
    window = await viewing.look_as(STUDIO)
    # Escape empties the search first.
    window.page.header.search.set_text("bell")
    QTest.keyClick(window.page.header.search.edit, Qt.Key.Key_Escape)
    assert viewing.desk.window is window
    window.page.table.setFocus()
    QTest.keyClick(window.page.table, Qt.Key.Key_Escape)
    assert viewing.is_over
    window = await viewing.look_as(STUDIO)
    (leave,) = (one for one in window.banner.findChildren(QAbstractButton) if "Leave" in one.text())
    leave.click()
    assert viewing.is_over
    window = await viewing.look_as(STUDIO)
    window.close()
    assert viewing.is_over
    await viewing.desk.close()


@scene(drive, a_world_with_secrets)
async def test_a_client_that_may_read_nothing_gives_no_view(bench: WindowBench, /) -> None:
    tab = await access_tab(bench)
    viewing = Viewing(bench, tab)
    said: list[str] = []
    bench.window.show_message = lambda message: said.append(message.title)  # type: ignore[method-assign]
    tab.choose(RELAY)
    tab.press("viewAs")
    await bench.until(lambda: bool(said))
    assert said == ["Dice Relay sees nothing of this workspace."]
    assert viewing.is_over
    await viewing.desk.close()


@scene(drive, a_world_with_secrets)
async def test_a_right_that_changes_meanwhile_is_said_and_looked_at_anew(
    bench: WindowBench, /
) -> None:
    viewing = Viewing(bench, await access_tab(bench))
    window = await viewing.look_as(STUDIO)
    inklings = bench.bench.inklings
    account = Right(Tier.ACCOUNT, None, Action.READ)
    inklings.clients.grant(STUDIO, {account})
    await bench.until(
        lambda: window.banner.content is not None and "has changed" in window.banner.content.text
    )
    (again,) = (one for one in window.banner.findChildren(QAbstractButton) if "again" in one.text())
    again.click()
    await bench.until(lambda: viewing.desk.window not in {None, window})
    await viewing.desk.settled()
    shell = viewing.window.memory
    assert shell is not None
    here = shell.shell.surroundings
    assert here is not None
    assert Tier.ACCOUNT not in here.closed
    await viewing.desk.close()


OPEN, CLOSED = "Nerys is left-handed in public.", "Nerys drowned before chapter 1."


def two_roles(bench: Bench) -> None:
    """A client that acts for players, and may act as editor, whom alone *Secrets* is open to."""
    four_clients(bench)
    inklings, world = bench.inklings, bench.workspace.id
    inklings.domains.create(world, "Canon")
    secrets = inklings.domains.create(world, "Secrets", closed=True)
    for role in ("players", "editor"):
        inklings.domains.create_role(world, role)
        inklings.domains.assign(STUDIO, world, role, default=role == "players")
    inklings.domains.grant(world, "editor", secrets.id, Permission.READ)
    inklings.facts.put(world, FactDraft("Canon", "Nerys", OPEN))
    inklings.facts.put(world, FactDraft("Secrets", "Nerys", CLOSED))


async def seen_everywhere(viewing: Viewing) -> str:
    """All that list, facts and the next turn show in the view."""
    window, until = viewing.window, viewing.bench.until
    opened = window.opened
    assert opened is not None
    await until(lambda: OPEN in viewing.told())
    told = viewing.told()
    window.go(ToKnowledge())
    await until(lambda: opened.pages.page(KNOWLEDGE_PAGE) is not None)
    page: Any = opened.pages.page(KNOWLEDGE_PAGE)
    await until(lambda: page.facts.content is not None and page.facts.known is not None)
    assert list(page.tabs) == ["facts"]
    for name in ("newFact", "supersedeFact", "saveFact", "factMore"):
        assert not page.view.findChild(QWidget, name).isVisible()
    assert page.facts.view.findChild(QWidget, "factContent").isReadOnly()
    told += viewing.told() + str(page.facts.content) + str(page.facts.known)
    window.show_page(PREVIEW_PAGE)
    await until(lambda: opened.preview is not None and opened.preview.content is not None)
    assert opened.preview is not None
    assert opened.preview.content is not None
    return told + opened.preview.content.document.markdown


@scene(drive, two_roles)
async def test_under_each_of_its_roles_a_client_sees_what_that_may_read(
    bench: WindowBench, /
) -> None:
    viewing = Viewing(bench, await access_tab(bench))
    window = await viewing.look_as(STUDIO)
    assert window.windowTitle().endswith(f"(as {STUDIO}, players)")
    told = await seen_everywhere(viewing)
    assert f"You see what {STUDIO} sees as players." in told
    assert OPEN in told
    assert "drowned" not in told
    assert "Secrets" not in told
    (other,) = (one for one in window.banner.findChildren(QAbstractButton) if "role" in one.text())
    other.click()
    (menu,) = (one for one in other.findChildren(QMenu) if one.isVisible())
    (act,) = menu.actions()
    assert act.text() == "As editor"
    menu.close()
    act.trigger()
    await bench.until(lambda: viewing.desk.window not in {None, window})
    await viewing.desk.settled()
    told = await seen_everywhere(viewing)
    assert CLOSED in told
    assert "Secrets" in told
    bench.bench.inklings.domains.unassign(STUDIO, bench.bench.workspace.id, "editor")
    banner = viewing.window.banner
    await bench.until(lambda: banner.content is not None and "has changed" in banner.content.text)
    window = viewing.window
    (again,) = (one for one in banner.findChildren(QAbstractButton) if "again" in one.text())
    again.click()
    await bench.until(lambda: viewing.desk.window not in {None, window})
    await viewing.desk.settled()
    assert "drowned" not in await seen_everywhere(viewing)
    await viewing.desk.close()
