"""The preview stays true while somebody looks; late answers are dropped; looking is no reading."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inklings_desktop.domain.errors import DatabaseBusyError
from inklings_desktop.domain.memories.changes import MemoryChanges
from inklings_desktop.domain.memory import MemoryRef, ScopeKey
from inklings_desktop.ui.kit.ops import keep_up
from inklings_desktop.ui.turn import presenter as preview_presenter
from inklings_desktop.ui.turn.presenter import PreviewPresenter
from tests.support.stopwatch import SCENE_SECONDS, until
from tests.ui.presenter_bench import Heard, a_bench

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from inklings_desktop.ui.turn.state import PreviewContent
    from tests.ui.presenter_bench import Bench

pytestmark = pytest.mark.usefixtures("qapp")


def play(root: Path, scene: Callable[[Bench, PreviewPresenter, Heard], Awaitable[None]]) -> None:
    """A presenter that is looked at, over a store with one memory, until the scene ends."""
    from PySide6.QtWidgets import QApplication
    from qasync import QEventLoop

    from inklings_desktop.ui.kit.ops.background import Background

    bugs: list[BaseException] = []

    async def played(bench: Bench) -> None:
        background = Background(bugs.append)
        presenter = PreviewPresenter(background, bench.inklings)
        heard = Heard().to(presenter.content_changed)
        presenter.set_watched(watched=True)
        try:
            await asyncio.wait_for(scene(bench, presenter, heard), SCENE_SECONDS)
        finally:
            presenter.set_watched(watched=False)
            await background.close()
            presenter.deleteLater()

    app = QApplication.instance()
    assert isinstance(app, QApplication)
    with a_bench(root) as bench:
        bench.put("Gulls keep accounts.")
        with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
            runner.run(played(bench))
    assert bugs == []


def excerpts(content: PreviewContent) -> list[str]:
    return [row.excerpt for section in content.sections for row in section.candidates]


def test_building_counts_as_no_read(tmp_path: Path) -> None:
    async def look(bench: Bench, presenter: PreviewPresenter, heard: Heard) -> None:
        entry = bench.put("The bell is saved for chapter 14.")
        presenter.open(bench.workspace.id, None)
        presenter.ask("bell")
        await presenter.settled()
        assert excerpts(heard.last)[0] == "The bell is saved for chapter 14."
        place = presenter.place_of(entry.id)
        assert place is not None
        assert place.why.found[0].detail == "\u201cbell\u201d"
        ref = MemoryRef(entry.scope, entry.id)
        stored = bench.inklings.show_memory(bench.inklings.caller, ref).entry
        assert (stored.access_count, stored.accessed_at) == (0, None)

    play(tmp_path, look)


def test_only_the_answer_to_the_latest_message_is_shown(tmp_path: Path) -> None:
    async def look(bench: Bench, presenter: PreviewPresenter, heard: Heard) -> None:
        presenter.open(bench.workspace.id, None)
        for text in ("g", "gu", "gul", "gulls"):
            presenter.ask(text)
        await presenter.settled()
        assert [content.request.message for content in heard.payloads] == ["gulls"]

    play(tmp_path, look)


def test_a_commit_is_seen_soon_and_one_elsewhere_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keep_up, "COALESCE_MS", 5)

    async def look(bench: Bench, presenter: PreviewPresenter, heard: Heard) -> None:
        presenter.open(bench.workspace.id, None)
        await presenter.settled()
        bench.put("Written meanwhile.")
        elsewhere = ScopeKey.workspace("elsewhere")
        presenter.on_changes(MemoryChanges("elsewhere", frozenset({elsewhere})))
        await asyncio.sleep(0.03)
        assert len(heard.payloads) == 1
        presenter.on_changes(MemoryChanges(bench.workspace.id, frozenset({bench.scope})))
        await until(lambda: "Written meanwhile." in excerpts(heard.last))

    play(tmp_path, look)


def test_nothing_is_built_while_nobody_looks(tmp_path: Path) -> None:
    async def look(bench: Bench, presenter: PreviewPresenter, heard: Heard) -> None:
        presenter.set_watched(watched=False)
        presenter.open(bench.workspace.id, None)
        presenter.on_changes(MemoryChanges(bench.workspace.id, frozenset({bench.scope})))
        await asyncio.sleep(0.03)
        assert heard.payloads == []
        presenter.set_watched(watched=True)
        await presenter.settled()
        assert excerpts(heard.last) == ["Gulls keep accounts."]

    play(tmp_path, look)


def test_a_failure_is_said_and_what_stood_there_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def look(bench: Bench, presenter: PreviewPresenter, heard: Heard) -> None:
        presenter.open(bench.workspace.id, None)
        await presenter.settled()
        messages = Heard().to(presenter.message_raised)

        def busy(*_: object) -> None:
            raise DatabaseBusyError

        monkeypatch.setattr(preview_presenter, "built_preview", busy)
        presenter.refresh()
        await presenter.settled()
        assert len(messages.payloads) == 1
        assert presenter.content is heard.last

    play(tmp_path, look)


def test_what_a_person_asked_for_is_reported_once(tmp_path: Path) -> None:
    async def look(bench: Bench, presenter: PreviewPresenter, _heard: Heard) -> None:
        rebuilt: list[bool] = []
        presenter.rebuilt.connect(lambda: rebuilt.append(True))
        presenter.open(bench.workspace.id, None)
        await presenter.settled()
        assert rebuilt == []
        presenter.refresh()
        await presenter.settled()
        assert rebuilt == [True]

    play(tmp_path, look)
