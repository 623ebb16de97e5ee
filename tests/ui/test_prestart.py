"""The agent's process in a window that nobody talks in yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from inklings_desktop.domain.access.clients import ClientKind, preset_rights
from inklings_desktop.settings_file import save_values
from inklings_desktop.ui.conversation.page import ConversationPage
from inklings_desktop.ui.kit.ops.page_spec import CONVERSATION_PAGE, MEMORY_PAGE
from inklings_desktop.ui.window import opened_pages
from tests.support.scenes import scene
from tests.ui.presenter_bench import Bench
from tests.ui.talk_bench import a_talk, without_agent
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")

SOON_MS = 50


@pytest.fixture(autouse=True)
def idle_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opened_pages, "IDLE_MS", SOON_MS)


def made_page(bench: WindowBench) -> ConversationPage | None:
    assert bench.window.opened is not None
    return bench.window.opened.conversation


@scene(drive, a_talk)
async def test_agent_begins_in_an_idle_window_and_nothing_is_shown(bench: WindowBench, /) -> None:
    with without_agent():
        await bench.until(lambda: (page := made_page(bench)) is not None and has_agent(page))
        page = made_page(bench)
        assert page is not None
        assert bench.window.pages.current_id == MEMORY_PAGE
        assert page.content is None, "what nobody looks at is not read, nor marked as read"
        before = page.host.now
        bench.window.show_page(CONVERSATION_PAGE)
        await bench.until(lambda: page.content is not None)
        assert page.host.now is before, "the one that began is the one that is talked with"


def test_agent_that_was_never_let_in_is_not_begun(tmp_path: Path) -> None:
    drive(tmp_path, lambda _bench: None, nothing_begins)


def test_agent_that_was_not_let_in_itself_does_not_knock_where_another_of_its_kind_was(
    tmp_path: Path,
) -> None:
    def another(bench: Bench) -> None:
        kind = ClientKind.WORLD_AGENT
        bench.inklings.clients.grant("scribe", preset_rights(kind, bench.workspace.id), kind=kind)

    drive(tmp_path, another, nothing_begins)


def test_agent_is_not_begun_where_the_author_switched_that_off(tmp_path: Path) -> None:
    def switched_off(bench: Bench) -> None:
        a_talk(bench)
        save_values(tmp_path, {"agent.prestart": False})

    drive(tmp_path, switched_off, nothing_begins)


async def nothing_begins(bench: WindowBench) -> None:
    opened = bench.window.opened
    assert opened is not None
    await bench.until(lambda: not opened._prestart._timer.isActive())
    assert bench.memory is not None
    await opened.context.background.read(lambda: None)  # readers answer in turn
    await opened.context.background.read(lambda: None)
    assert made_page(bench) is None


def has_agent(page: ConversationPage) -> bool:
    return page.host.now is not None and page.host.now.pid > 0
