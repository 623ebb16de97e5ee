"""Typing outlives the program, whatever ends it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtTest import QTest

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.access.access import Door
from inklings_desktop.domain.memory import Tier
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from inklings_desktop.ui.entries.opened import NoticeKind
from inklings_desktop.ui.entries.rows import EntryRow
from inklings_desktop.ui.entries.view import CONTINUE_DRAFT, DISCARD_DRAFT
from inklings_desktop.ui.kit.page.destinations import ToEntry
from tests.support.builders import a_person
from tests.support.processes import line_of, started
from tests.support.scenes import scene
from tests.support.stand_ins import stood_in
from tests.support.wide import mostly_wide
from tests.ui.entries_bench import EntriesBench, drive, drive_opened, proposed, written
from tests.ui.presenter_bench import Bench, a_bench, news_of

pytestmark = pytest.mark.usefixtures("qapp")
MOST_LOST_SECONDS = 2.0
"""Of the typist's own time, until the last word before the kill."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "n_words", mostly_wide((70, 110, 163), every_day=lambda n_words: n_words == 70)
)
def test_a_kill_while_typing_loses_two_seconds_of_keys_at_most(
    tmp_path: Path, n_words: int
) -> None:
    typed: list[tuple[str, float]] = []
    with started("tests.ui.entry_typist_process", str(tmp_path)) as typist:
        assert line_of(typist) == "ready"
        while len(typed) < n_words:
            word, at = line_of(typist).split()
            typed.append((word, float(at)))
        typist.kill()
        assert typist.stdout is not None
        for line in typist.stdout.read().splitlines():
            word, at = line.split()
            typed.append((word, float(at)))
    seen: list[str] = []

    async def look(bench: EntriesBench) -> None:
        notice = bench.shown.notice
        assert notice is not None
        assert notice.kind is NoticeKind.DRAFT
        assert notice.title.startswith("A draft from ")
        go_on = bench.view.notice.buttons()[-1]
        assert go_on.text() == "Continue with it"
        go_on.click()
        await bench.until(lambda: bench.page.entry.has_unsaved)
        seen.append(bench.view.editor.text())
        await bench.page.entry.revert()

    person = a_person(door=Door.WINDOW)
    embedder = NullEmbedder("none", "missing")
    with open_inklings(tmp_path, caller=person, embedder=embedder) as inklings:
        (workspace,) = inklings.as_caller(person).places.workspaces()
        drive_opened(Bench(inklings, workspace), look)

    words = seen[0].split()
    expected = [word for word, _ in typed]
    assert words == expected[: len(words)], "the draft is what was typed, from the beginning"
    lost = [typed[-1][1] - at for _, at in typed[len(words) :]]
    assert max(lost, default=0.0) <= MOST_LOST_SECONDS
    print(f"typed {len(typed)} words, lost {max(lost, default=0.0):.2f} s of them")  # noqa: T201


def a_voice(bench: Bench) -> None:
    written(bench, "VOICE", "As it was saved.\n")


@scene(drive, a_voice)
async def test_what_rests_is_kept_and_a_save_lets_go_of_it(bench: EntriesBench, /) -> None:
    inklings = bench.bench.inklings
    workspace_id = bench.bench.workspace.id
    QTest.keyClicks(bench.view.editor.editor, "More. ")
    bench.view.editor.editor.report_rest()
    await bench.until(lambda: bool(inklings.drafts.find(workspace_id)))
    (draft,) = inklings.drafts.find(workspace_id)
    assert draft.body == "More. As it was saved.\n"
    QTest.keyClicks(bench.view.editor.editor, "Even more. ")
    bench.page.save()
    await bench.until(lambda: not bench.page.entry.has_unsaved)
    await bench.until(lambda: not inklings.drafts.find(workspace_id))
    assert bench.entry("VOICE").name == "VOICE"


@pytest.mark.parametrize("by_accepting", [False, True])
def test_a_kill_right_after_a_save_offers_nothing_twice(
    tmp_path: Path, *, by_accepting: bool
) -> None:
    async def save(bench: EntriesBench) -> None:
        inklings = bench.bench.inklings
        workspace_id = bench.bench.workspace.id
        if by_accepting:
            (asked,) = bench.page.content.proposals
            await bench.page.entry.edit_proposal(asked)
        QTest.keyClicks(bench.view.editor.editor, "Half. ")
        bench.view.editor.editor.report_rest()
        await bench.until(lambda: bool(inklings.drafts.find(workspace_id)))
        QTest.keyClicks(bench.view.editor.editor, "Whole. ")
        assert await bench.page.entry.save()
        assert inklings.drafts.find(workspace_id) == ()

    def never(*_: object) -> bool:
        return False

    with a_bench(tmp_path) as made:
        a_voice(made)
        if by_accepting:
            proposed(made, "VOICE", "As an agent would have it.\n")
        # The program is killed before it comes to let go of a draft.
        inklings = stood_in(made.inklings, {"drafts.drop": never})
        drive_opened(replace(made, inklings=inklings), save)


@scene(drive, a_voice)
async def test_a_reverted_text_is_kept_no_longer(bench: EntriesBench, /) -> None:
    inklings = bench.bench.inklings
    workspace_id = bench.bench.workspace.id
    QTest.keyClicks(bench.view.editor.editor, "More. ")
    bench.view.editor.editor.report_rest()
    await bench.until(lambda: bool(inklings.drafts.find(workspace_id)))
    bench.view.footer.revert.click()
    await bench.until(lambda: bench.view.editor.text() == "As it was saved.\n")
    await bench.until(lambda: not inklings.drafts.find(workspace_id))


def a_draft(bench: Bench) -> None:
    entry = written(bench, "SOUL", "As it was saved.\n")
    inklings = bench.inklings
    inklings.drafts.keep(entry.ref, "As it was typed.\n", entry.version)


@scene(drive, a_draft)
async def test_a_draft_is_offered_before_anything_else(bench: EntriesBench, /) -> None:
    state = bench.shown
    assert state.entry.name == "SOUL", "the entry with a draft is opened, not the first one"
    assert state.notice is not None
    assert state.notice.kind is NoticeKind.DRAFT
    assert bench.view.editor.text() == "As it was saved.\n"
    assert bench.view.editor.editor.isReadOnly(), "typing would replace the draft"
    QTest.keyClicks(bench.view.editor.editor, "x")
    assert bench.view.editor.text() == "As it was saved.\n"


@scene(drive, a_draft)
async def test_a_draft_can_be_continued_and_saved(bench: EntriesBench, /) -> None:
    bench.view.notice.action_requested.emit(CONTINUE_DRAFT)
    assert bench.view.editor.text() == "As it was typed.\n"
    assert not bench.view.editor.editor.isReadOnly()
    bench.page.save()
    await bench.until(lambda: not bench.page.entry.has_unsaved)
    await bench.until(lambda: bench.entry("SOUL").body == "As it was typed.\n")
    inklings = bench.bench.inklings
    assert inklings.drafts.find(bench.bench.workspace.id) == ()


@scene(drive, a_draft)
async def test_a_draft_can_be_let_go_of(bench: EntriesBench, /) -> None:
    inklings = bench.bench.inklings
    bench.view.notice.action_requested.emit(DISCARD_DRAFT)
    workspace_id = bench.bench.workspace.id
    await bench.until(lambda: not inklings.drafts.find(workspace_id))
    assert bench.view.editor.text() == "As it was saved.\n"
    assert not bench.view.editor.editor.isReadOnly()


def test_a_draft_of_an_older_version_is_a_conflict_once_it_is_continued(tmp_path: Path) -> None:
    def older(bench: Bench) -> None:
        a_draft(bench)
        written(bench, "SOUL", "Saved after the draft was kept.\n")

    async def go_on(bench: EntriesBench) -> None:
        bench.view.notice.action_requested.emit(CONTINUE_DRAFT)
        state = bench.shown
        assert state.notice is not None
        assert state.notice.kind is NoticeKind.CHANGED
        assert bench.view.editor.text() == "As it was typed.\n"
        assert not state.can_save
        assert await bench.page.entry.keep_mine()
        assert bench.shown.notice is None
        await bench.until(lambda: bench.entry("SOUL").body == "As it was typed.\n")

    drive(tmp_path, older, go_on)


def test_a_draft_is_decided_on_before_a_proposal_is_edited(tmp_path: Path) -> None:
    def both(bench: Bench) -> None:
        a_draft(bench)
        proposed(bench, "SOUL", "As an agent would have it.\n")

    async def edit(bench: EntriesBench) -> None:
        (asked,) = bench.page.content.proposals
        bench.page.arrive(ToEntry(asked.target_id, asked))
        await bench.until(bench.view.editor.isVisible)
        notice = bench.shown.notice
        assert notice is not None
        assert notice.kind is NoticeKind.DRAFT
        assert bench.view.editor.text() == "As it was saved.\n"

    drive(tmp_path, both, edit)


@scene(drive, a_voice)
async def test_another_windows_save_does_not_take_this_ones_draft_along(
    bench: EntriesBench, /, tmp_path: Path
) -> None:
    inklings, workspace_id = bench.bench.inklings, bench.bench.workspace.id
    QTest.keyClicks(bench.view.editor.editor, "Mine. ")
    bench.view.editor.editor.report_rest()
    await bench.until(lambda: bool(inklings.drafts.find(workspace_id)))
    with a_bench(tmp_path) as other:  # its window saves, then lets go of its own draft
        written(other, "VOICE", "As the other window has it.\n")
        ref = bench.entry("VOICE").ref
        assert other.inklings.drafts.drop(ref)
    await bench.until(lambda: bench.shown.notice is not None)
    await bench.until(lambda: bool(inklings.drafts.find(workspace_id)))
    (draft,) = inklings.drafts.find(workspace_id)
    assert draft.body == "Mine. As it was saved.\n"
    await bench.page.entry.take_theirs()


def test_what_another_window_discards_stays_kept_where_it_is_still_typed(tmp_path: Path) -> None:
    """There is one draft for every window: another offers it as one of an earlier run."""

    async def both_look(bench: EntriesBench) -> None:
        inklings, workspace_id = bench.bench.inklings, bench.bench.workspace.id
        QTest.keyClicks(bench.view.editor.editor, "Mine. ")
        bench.view.editor.editor.report_rest()
        await bench.until(lambda: bool(inklings.drafts.find(workspace_id)))
        with a_bench(tmp_path) as other:
            await news_of(bench.bench, other)
            assert other.inklings.drafts.drop(bench.entry("VOICE").ref)
            assert inklings.drafts.find(workspace_id) == ()
        await bench.until(lambda: bool(inklings.drafts.find(workspace_id)))
        (draft,) = inklings.drafts.find(workspace_id)
        assert draft.body == "Mine. As it was saved.\n"
        await bench.page.entry.revert()

    drive(tmp_path, a_voice, both_look)


@pytest.mark.parametrize("is_saved", [False, True])
def test_a_draft_that_another_window_settled_is_offered_no_more(
    tmp_path: Path, *, is_saved: bool
) -> None:
    """It was never of an earlier run: somebody typed it there a moment ago."""
    with a_bench(tmp_path) as bench:
        a_voice(bench)
        ref = bench.inklings.entries.find(bench.workspace.id, "VOICE").ref
        version = bench.inklings.entries.show(ref).entry.version
        bench.inklings.drafts.keep(ref, "Typed there.\n", version)

        async def look(page: EntriesBench) -> None:
            await page.until(lambda: page.shown.offered is not None)
            with a_bench(tmp_path) as other:
                await news_of(bench, other)
                if is_saved:
                    save = other.inklings.entries.save
                    save(ref, "Typed there.\n", expected_version=version, settles_draft=True)
                else:
                    other.inklings.drafts.drop(ref)
            await page.until(lambda: page.shown.notice is None)
            await page.until(lambda: not any("draft" in one for one in states(page)))
            stored = "Typed there.\n" if is_saved else "As it was saved.\n"
            assert page.view.editor.text() == stored

        drive_opened(bench, look)


def states(bench: EntriesBench) -> list[str]:
    """What the list says of its entries first."""
    return [row.state_label for row in bench.page.content.rows if isinstance(row, EntryRow)]


@scene(drive, a_voice)
async def test_what_cannot_be_kept_is_said_before_it_is_saved(bench: EntriesBench, /) -> None:
    editor = bench.view.editor.editor
    editor.setPlainText(("x" * 63 + "\n") * (4 * 1024) + "x")  # one above 256 KiB
    editor.report_rest()
    await bench.until(lambda: bool(bench.shown.error))
    assert bench.shown.error == (
        "A named entry can have at most 256 KiB of text. Shorten it. Until then it is not "
        "saved as a draft."
    )
    await bench.page.entry.revert()


@scene(drive, a_voice)
async def test_typing_in_a_companion_that_is_deleted_meanwhile_is_kept_for_its_return(
    bench: EntriesBench, /, tmp_path: Path
) -> None:
    inklings, workspace_id = bench.bench.inklings, bench.bench.workspace.id
    rules = inklings.entries.create(Tier.WORKSPACE, workspace_id, "RULES", "One.\n")
    await bench.page.entry.open_entry(rules.ref)
    await bench.until(lambda: bench.shown.text == "One.\n")
    QTest.keyClicks(bench.view.editor.editor, "Two. ")
    inklings.entries.delete(rules.ref, expected_version=1)
    await bench.until(lambda: bench.shown.notice is not None)
    QTest.keyClicks(bench.view.editor.editor, "Three. ")
    bench.view.editor.editor.report_rest()
    await bench.page.entry.keep_draft()
    with a_bench(tmp_path) as later:  # the program was killed; somebody brings RULES back
        later.inklings.entries.undelete(rules.ref)
        (draft,) = later.inklings.drafts.find(workspace_id)
        assert draft.body == "Two. Three. One.\n"
    await bench.page.entry.revert()
