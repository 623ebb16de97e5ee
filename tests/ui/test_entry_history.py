"""The revisions of one entry and what changed between two of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from inklings_desktop.ui.entries.editing import EntryEditing
from inklings_desktop.ui.entries.opened import EntryHistory
from inklings_desktop.ui.kit.ops.background import Background
from tests.support.scenes import scene
from tests.support.stopwatch import SLOWNESS, Stopwatch
from tests.ui.entries_bench import written
from tests.ui.page_bench import a_still_context
from tests.ui.presenter_bench import a_bench

pytestmark = pytest.mark.usefixtures("qapp")


def ignore(*_: object) -> None:
    """Nobody looks."""


def play(
    root: Path,
    bodies: list[str],
    act: Callable[[EntryHistory, EntryEditing], Awaitable[None]],
) -> None:
    """Look at the history of a VOICE that was saved with these bodies, one after the other."""
    with a_bench(root) as bench:
        for body in bodies:
            entry = written(bench, "VOICE", body)

        async def acted(background: Background) -> None:
            context, _ = a_still_context(background, bench.inklings)
            editor = EntryEditing(context, show=ignore, drafts_changed=ignore)
            await editor.open_entry(entry.ref)
            history = EntryHistory(context, ignore)
            history.show_entry(editor.shown)
            await history.settled()
            await act(history, editor)

        assert bench.run(acted) == []


def changed(history: EntryHistory) -> list[str]:
    """The lines that differ, with the sign at their margin."""
    comparison = history.state.comparison
    assert comparison is not None
    signs = {"same": " ", "removed": "-", "added": "+"}
    return [
        f"{signs[row.kind.value]}{row.text}"
        for row in comparison.diff.rows
        if row.kind.value != "same"
    ]


@scene(play, ["one\n", "more\n"])
async def test_the_revision_before_the_current_one_is_compared_first(
    history: EntryHistory, editor: EntryEditing, /
) -> None:
    state = history.state
    assert [row.number for row in state.rows] == [3, 2, 1]
    assert [row.is_older for row in state.rows] == [False, True, False]
    assert [row.title for row in state.rows] == [
        "Saved, 1 character longer",
        "Saved, 474 characters shorter",
        "Shipped with Inklings",
    ]
    assert [row.curator for row in state.rows] == ["author", "author", "import"]
    assert changed(history) == ["-one", "+more"]
    assert state.can_restore
    assert state.older_text == "one\n"


@scene(play, ["a", "b", "c"])
async def test_another_revision_can_be_chosen_for_either_side(
    history: EntryHistory, editor: EntryEditing, /
) -> None:
    history.choose_older(2)
    await history.settled()
    assert changed(history) == ["-a", "+c"]
    history.choose_newer(3)
    await history.settled()
    assert changed(history) == ["-a", "+b"]
    assert [row.is_newer for row in history.state.rows] == [False, True, False, False]
    history.choose_newer(3)
    await history.settled()
    assert changed(history) == ["-a", "+c"]


@scene(play, ["a", "b", "c"])
async def test_a_newer_side_that_is_older_changes_places(
    history: EntryHistory, editor: EntryEditing, /
) -> None:
    history.choose_older(4)
    history.choose_newer(2)
    await history.settled()
    assert changed(history) == ["-a", "+c"]


@scene(play, ["one", "two"])
async def test_text_that_is_not_saved_is_the_newer_side(
    history: EntryHistory, editor: EntryEditing, /
) -> None:
    editor.edit("two, unsaved")
    history.show_entry(editor.shown)
    await history.settled()
    comparison = history.state.comparison
    assert comparison is not None
    assert comparison.newer == "now, not saved"
    assert changed(history) == ["-one", "+two, unsaved"]


@scene(play, ["one", "two"])
async def test_the_current_text_cannot_be_restored_over_itself(
    history: EntryHistory, editor: EntryEditing, /
) -> None:
    history.choose_older(3)
    await history.settled()
    assert not history.state.can_restore


@pytest.mark.slow
@scene(play, [f"Line {number}\n" for number in range(200)])
async def test_two_hundred_revisions_are_listed_without_delay(
    history: EntryHistory, editor: EntryEditing, /
) -> None:
    watch = Stopwatch()
    history.show_entry(None)
    history.show_entry(editor.shown)
    listed = watch.seconds
    await history.settled()
    assert len(history.state.rows) == 201
    assert listed < 0.1 * SLOWNESS
    assert changed(history)
