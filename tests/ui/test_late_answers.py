"""Answers that come after something else was asked for, and what is pressed before they come."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit

from inklings_desktop.domain.errors import DatabaseBusyError
from inklings_desktop.domain.memories.memory_typing import NEW_MEMORY, MemoryTyping
from inklings_desktop.domain.memory import Lifetime, MemoryDraft, ScopeKey
from inklings_desktop.ui.kit.dialogs.ask_dialog import (
    ConfirmDialog,
    MessageDialog,
    UnsavedAnswer,
    UnsavedDialog,
)
from inklings_desktop.ui.kit.ops.background import Background, Latest
from inklings_desktop.ui.kit.ops.type_ahead import held_keys
from inklings_desktop.ui.kit.words.messages import Message
from inklings_desktop.ui.memory.acts.replace_dialog import ReplaceDialog
from inklings_desktop.ui.memory.acts.table import MemoryAct
from inklings_desktop.ui.memory.list.content import ListRequest
from inklings_desktop.ui.memory.list.presenter import ListPresenter
from inklings_desktop.ui.memory.subject.presenter import InspectorPresenter
from inklings_desktop.ui.memory.subject.state import InspectorMode
from inklings_desktop.ui.transfer import transfer as transfer_module
from inklings_desktop.ui.transfer.import_dialog import ReadingDialog
from inklings_desktop.ui.transfer.transfer import Transfer
from inklings_desktop.usecases.bundle import Inklings
from inklings_desktop.usecases.transfer.exporting import ExportRequest
from tests.support.builders import NOON, a_memory
from tests.support.scenes import scene
from tests.support.stand_ins import stood_in
from tests.support.stopwatch import HANG_SECONDS, until
from tests.ui.hands import at_the_list, contents, dialog_of, press, stored, three, types
from tests.ui.page_bench import a_still_context
from tests.ui.page_views import events_of
from tests.ui.presenter_bench import Bench, Heard, a_bench, a_context_of
from tests.ui.test_held_keys import at_the_control_plane
from tests.ui.window_bench import WindowBench, drive

pytestmark = pytest.mark.usefixtures("qapp")


class Gate:
    """Stands before a use case; while it is shut, nobody gets an answer."""

    def __init__(self) -> None:
        self._is_open = threading.Event()
        self._is_open.set()
        self.n_asked = 0

    def shut(self) -> None:
        """Keep whoever asks from now on waiting."""
        self.n_asked = 0
        self._is_open.clear()

    def open(self) -> None:
        """Let everybody through."""
        self._is_open.set()

    def before(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """The use case, behind this gate."""

        def asked(*wishes: Any, **named: Any) -> Any:
            self.n_asked += 1
            assert self._is_open.wait(HANG_SECONDS)
            return call(*wishes, **named)

        return asked


def gated(gate: Gate, name: str) -> Callable[[Path], AbstractContextManager[Bench]]:
    """A store with a gate before one of its use cases."""

    @contextmanager
    def made(root: Path) -> Iterator[Bench]:
        with a_bench(root) as bench:
            behind = gate.before(attrgetter(name)(bench.inklings))
            yield replace(bench, inklings=stood_in(bench.inklings, {name: behind}))

    return made


def with_slow_further_pages(inklings: Inklings, gate: Gate) -> Inklings:
    """Only the first page of a list comes at once."""
    further = gate.before(inklings.listing.browse)

    def browsed(scopes: Any, **wishes: Any) -> Any:
        read = further if wishes.get("after") is not None else inklings.listing.browse
        return read(scopes, **wishes)

    return stood_in(inklings, {"listing.browse": browsed})


def test_a_further_page_is_not_put_below_another_list(tmp_path: Path) -> None:
    gate, content, placed = Gate(), Heard(), Heard()

    async def scroll(background: Background) -> None:
        presenter = ListPresenter(
            a_context_of(background, with_slow_further_pages(bench.inklings, gate))
        )
        content.to(presenter.content_changed)
        placed.to(presenter.rows_read)
        presenter.ask(ListRequest((bench.scope,)))
        await presenter.settled()
        gate.shut()
        presenter.ask(ListRequest((ScopeKey.account(),)))
        await asyncio.sleep(0)  # the question is on its way; the list before is still on show
        presenter.load_rows(210, 220)
        await presenter.settled()
        gate.open()
        await presenter._far.settled()
        assert [one.content for one in presenter.loaded_entries()] == ["Of the account."]

    with a_bench(tmp_path) as bench:
        for number in range(230):
            bench.put(f"Entry number {number}.")
        bench.put("Of the account.", scope=ScopeKey.account())
        assert bench.run(scroll) == []
    assert gate.n_asked == 1
    assert not content.last.n_rows
    assert placed.payloads == []


def test_a_save_agreed_to_is_not_broken_off_by_going_on(tmp_path: Path) -> None:
    gate = Gate()

    async def leave(bench: WindowBench) -> None:
        await at_the_list(bench)
        press(bench, "E")
        types(bench, " Mine.")
        bench.window.page.focus_list()
        gate.shut()
        press(bench, "Down")
        asked = await dialog_of(bench, UnsavedDialog)
        asked.done(UnsavedAnswer.SAVE.value)
        await bench.until(lambda: gate.n_asked == 1)
        bench.window.page.focus_list()
        press(bench, "Down")
        gate.open()

        def is_there() -> bool:
            assert not isinstance(QApplication.activeModalWidget(), UnsavedDialog)
            entry = bench.memory.subject.current_entry
            return entry is not None and entry.content == "Memory 0."

        await bench.until(is_there)
        assert contents(bench)[0] == "Memory 2. Mine."
        assert gate.n_asked == 1

    drive(tmp_path, three, leave, gated(gate, "memories.update"))


def tell_otherwise(path: Path) -> None:
    """Let the one memory of a file be another one, new everywhere."""
    document = json.loads(path.read_text(encoding="utf-8"))
    (row,) = document["workspaces"][0]["memories"]
    row |= {"id": "0" * 8 + "-0000-4000-8000-" + "0" * 12, "content": "Of elsewhere."}
    path.write_text(json.dumps(document), encoding="utf-8")


async def a_preview(bench: WindowBench, path: Path) -> Transfer:
    assert bench.window.opened is not None
    desk, inklings = bench.window.opened.transfer, bench.bench.inklings
    other = inklings.workspaces.create("Otherworld")
    inklings.memories.put(MemoryDraft(ScopeKey.workspace(other.id), "Theirs."))
    await desk.exports.write(ExportRequest(workspaces=(other.id,)), path)
    tell_otherwise(path)
    desk.open_files(path)
    await bench.until(lambda: desk.dialog is not None)
    return desk


def test_nothing_is_imported_while_the_preview_answers_another_question(tmp_path: Path) -> None:
    gate = Gate()

    async def bring(bench: WindowBench) -> None:
        await at_the_list(bench)
        desk = await a_preview(bench, tmp_path / "x.json")
        dialog = desk.dialog
        assert dialog is not None
        assert dialog.confirm.text() == "Import 1"
        assert dialog.confirm.isEnabled()
        gate.shut()
        dialog.menu.actions()[1].trigger()
        dialog.confirm.click()
        await bench.until(lambda: gate.n_asked == 1)
        await bench.memory.background.write(len, ())  # an import would have been written by now
        assert desk.dialog is dialog
        assert not dialog.confirm.isEnabled()
        gate.open()
        await bench.until(dialog.confirm.isEnabled)
        assert desk.dialog is dialog
        assert desk.state is not None
        assert desk.state.preview.into == bench.bench.workspace.id
        inklings, workspace = bench.bench.inklings, desk.state.preview.document.sections[0]
        assert workspace.workspace is not None
        named = ScopeKey.workspace(workspace.workspace.id)
        there = inklings.listing.browse([named]).entries
        assert [one.content for one in there] == ["Theirs."]
        dialog.confirm.click()
        await bench.until(lambda: "Of elsewhere." in contents(bench))

    drive(tmp_path / "root", three, bring, gated(gate, "transfer.preview_import"))


def test_the_target_chosen_last_is_the_one_that_is_previewed(tmp_path: Path) -> None:
    gate = Gate()

    async def choose(bench: WindowBench) -> None:
        await at_the_list(bench)
        desk = await a_preview(bench, tmp_path / "x.json")
        shown = Heard().to(desk.state_changed)
        assert desk.state is not None
        as_named, into_open = desk.state.targets
        gate.shut()
        asked = [asyncio.ensure_future(desk.choose_target(one)) for one in (into_open, as_named)]
        await bench.until(lambda: gate.n_asked == 2)
        gate.open()
        await asyncio.gather(*asked)
        assert [one.preview.into for one in shown.payloads if not one.is_looking] == [None]
        gate.shut()
        left = asyncio.ensure_future(desk.choose_target(into_open))
        await bench.until(lambda: gate.n_asked == 1)
        desk.leave()
        gate.open()
        await left
        assert desk.state is None

    drive(tmp_path / "root", three, choose, gated(gate, "transfer.preview_import"))


def test_what_came_too_late_to_stop_reading_stops_no_import(tmp_path: Path) -> None:
    async def bring(bench: WindowBench) -> None:
        await at_the_list(bench)
        desk = await a_preview(bench, tmp_path / "x.json")
        assert desk.state is not None
        await desk.choose_target(desk.state.targets[1])
        desk.stop()
        assert await desk.apply()

    drive(tmp_path / "root", three, bring)


def test_a_file_that_was_let_go_of_is_not_shown_once_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate()

    async def leave(bench: WindowBench) -> None:
        await at_the_list(bench)
        desk = await a_preview(bench, tmp_path / "x.json")
        desk.leave()
        monkeypatch.setattr(transfer_module, "PATIENCE_SECONDS", 0.0)
        gate.shut()
        desk.open_files(tmp_path / "x.json")
        reading = await dialog_of(bench, ReadingDialog)
        monkeypatch.setattr(desk, "stop", lambda: None)  # the last row is read already
        reading.reject()
        gate.open()
        await bench.until(lambda: not desk.exports.is_busy)
        assert (desk.dialog, desk.state) == (None, None)

    drive(tmp_path / "root", three, leave, gated(gate, "transfer.preview_import"))


def test_a_line_ticked_while_the_changes_are_looked_for_replaces_nothing(tmp_path: Path) -> None:
    gate = Gate()

    async def change(bench: WindowBench) -> None:
        await at_the_list(bench)
        press(bench, "Ctrl+A")
        await bench.memory.acts.selection.taken()
        bench.memory.acts.act(MemoryAct.REPLACE)
        dialog = await dialog_of(bench, ReplaceDialog)
        assert isinstance(dialog, ReplaceDialog)
        sought = dialog.findChild(QLineEdit, "replaceSought")
        assert sought is not None
        sought.setText("Memory")
        await bench.until(dialog.apply.isEnabled)
        gate.shut()
        sought.setText("Memory 1")
        await bench.until(lambda: gate.n_asked == 1)
        dialog.list.item(0).setCheckState(Qt.CheckState.Unchecked)
        assert not dialog.apply.isEnabled()
        gate.open()
        await bench.until(dialog.apply.isEnabled)
        assert dialog.apply.text() == "Replace in 1"
        dialog.apply.click()
        await bench.until(lambda: contents(bench) == ["Memory 2.", ".", "Memory 0."])

    drive(tmp_path, three, change, gated(gate, "memories.preview_replacement"))


def many(bench: Bench) -> None:
    for number in range(30):
        bench.put(f"Memory {number}.")


def test_a_question_that_comes_after_the_window_was_closed_keeps_nothing_open(
    tmp_path: Path,
) -> None:
    gate = Gate()

    async def leave(bench: WindowBench) -> None:
        await at_the_list(bench, 30)
        gate.shut()
        bench.memory.acts.selection.check_all()
        press(bench, "Delete", "Ctrl+Q")
        assert not bench.window.isVisible()
        closed = asyncio.ensure_future(bench.window.closed())
        await asyncio.sleep(0)
        gate.open()
        await bench.until(closed.done)
        asked = QApplication.activeModalWidget()
        assert isinstance(asked, ConfirmDialog)  # goes with the window
        assert len(stored(bench)) == 30

    drive(tmp_path, many, leave, gated(gate, "listing.browse"))


@scene(drive, three)
async def test_the_log_is_of_the_workspace_that_was_opened_last(bench: WindowBench, /) -> None:
    control = await at_the_control_plane(bench)
    inklings = bench.bench.inklings
    other = inklings.workspaces.create("Otherworld")
    opened = [
        asyncio.ensure_future(control.open(one)) for one in (other.id, bench.bench.workspace.id)
    ]
    await asyncio.gather(*opened)
    assert events_of(control).workspace_id == bench.bench.workspace.id


@pytest.mark.parametrize("is_stretch", [True, False], ids=["a stretch", "rows looked at"])
def test_rows_far_down_are_read_although_the_values_to_filter_by_came_meanwhile(
    tmp_path: Path, *, is_stretch: bool
) -> None:
    gate = Gate()

    async def look(background: Background) -> None:
        presenter = ListPresenter(
            a_context_of(background, with_slow_further_pages(bench.inklings, gate))
        )
        presenter.ask(ListRequest((bench.scope,)))
        await presenter.settled()
        content = presenter.content
        assert content is not None
        assert content.lacks_facets
        rows = Heard().to(presenter.rows_read)
        gate.shut()
        first, last = content.n_rows - 5, content.n_rows - 1

        async def read() -> int:
            if is_stretch:
                return len(await presenter.entries_between(first, last))
            presenter.load_rows(first, last)
            await presenter._far.settled()
            return sum(first <= place <= last for read in rows.payloads for place in read)

        reading = asyncio.ensure_future(read())
        await until(lambda: gate.n_asked == 1)
        await presenter.read_facets()
        gate.open()
        assert await reading == 5

    with a_bench(tmp_path) as bench:
        with bench.inklings.parts.store.write(bench.workspace.id, initiator="test") as unit:
            unit.memories.add(
                [a_memory(f"Entry number {number}.", scope=bench.scope) for number in range(1_000)]
            )
            unit.commit()
        assert bench.run(look) == []


def test_no_draft_of_a_workspace_that_was_left_is_offered_in_another(tmp_path: Path) -> None:
    gate = Gate()

    async def switch(bench: WindowBench) -> None:
        await at_the_list(bench)
        inklings, opened_root = bench.bench.inklings, bench.window.opened
        assert opened_root is not None
        other = inklings.workspaces.create("Otherworld")
        typing = MemoryTyping(
            ScopeKey.workspace(other.id), NEW_MEMORY, 0, "Half", 0.5, Lifetime.SHORT_TERM, (), NOON
        )
        inklings.drafts.keep_typing(typing)
        gate.shut()
        shell = bench.memory.shell
        await shell.open_workspace(other.id)
        await bench.until(lambda: gate.n_asked == 1)
        await shell.open_workspace(bench.bench.workspace.id)
        await bench.until(lambda: gate.n_asked == 2)
        gate.open()
        await bench.memory._offering.settled()
        await bench.until(lambda: len(bench.texts()) == 3)
        assert bench.memory.subject.state.offer is None
        await shell.open_workspace(other.id)
        await bench.until(lambda: bench.memory.subject.state.offer is not None)

    drive(tmp_path, three, switch, gated(gate, "drafts.find_typings"))


def test_what_was_typed_for_a_workspace_that_cannot_be_opened_goes_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def failing(root: Path) -> Iterator[Bench]:
        with a_bench(root) as bench:
            count = bench.inklings.listing.count

            def counted(workspace_id: str) -> Any:
                if workspace_id != bench.workspace.id:
                    raise DatabaseBusyError(root / "workspace.db", "test")
                return count(workspace_id)

            inklings = stood_in(bench.inklings, {"listing.count": counted})
            yield replace(bench, inklings=inklings)

    async def switch(bench: WindowBench) -> None:
        await at_the_list(bench)
        said: list[object] = []
        monkeypatch.setattr(bench.window.notices, "show_message", said.append)
        inklings, opened_root = bench.bench.inklings, bench.window.opened
        assert opened_root is not None
        other = inklings.workspaces.create("Otherworld")
        opened_root.open_workspace(other.id)
        press(bench, "Ctrl+N")
        types(bench, "let it be")
        press(bench, "Ctrl+S")
        await bench.until(lambda: bool(said))
        await bench.until(lambda: not held_keys(bench.window).is_holding)
        assert bench.memory.subject.state.mode is InspectorMode.MEMORY
        assert {one.lifetime for one in stored(bench)} == {Lifetime.SHORT_TERM}
        assert len(stored(bench)) == 3

    drive(tmp_path, three, switch, failing)


def test_a_message_that_comes_meanwhile_gets_nothing_of_what_is_typed(tmp_path: Path) -> None:
    gate = Gate()

    async def write(bench: WindowBench) -> None:
        await at_the_list(bench)
        gate.shut()
        press(bench, "Ctrl+N")
        types(bench, "let it be")
        await bench.until(lambda: gate.n_asked == 1)
        bench.window.show_message(Message("Something else failed.", "Nothing was changed."))
        said = await dialog_of(bench, MessageDialog)
        gate.open()
        editor = bench.window.inspector.editor
        await bench.until(lambda: editor.toPlainText() == "let it be")
        assert said.isVisible()
        said.accept()
        bench.memory.subject.revert()

    drive(tmp_path, three, write, gated(gate, "drafts.find_typings"))


def test_what_is_not_awaited_any_more_keeps_nothing_in_the_inspector(tmp_path: Path) -> None:
    gate = Gate()

    async def leave(background: Background) -> None:
        subject = InspectorPresenter(a_still_context(background, bench.inklings)[0])
        await subject.open_memory(mine.ref)
        gate.shut()
        opening = Latest(background)
        opening.run(subject.open_memory(here.ref))
        await until(lambda: gate.n_asked == 1)
        opening.cancel()
        gate.open()
        await asyncio.sleep(0)
        assert subject.current_entry == mine
        assert subject.leave_for([bench.scope])
        assert subject.state.mode is InspectorMode.NOTHING

    with gated(gate, "listing.show")(tmp_path) as bench:
        mine, here = bench.put("Of the account.", scope=ScopeKey.account()), bench.put("Of here.")
        assert bench.run(leave) == []
