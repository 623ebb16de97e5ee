"""A folder of several skills beside what is here: compared, chosen, brought in, and undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.ui.kit.marks.meters import ShareBar
from inklings_desktop.ui.kit.page.deciding import SPACE
from tests.support.scenes import scene
from tests.support.stopwatch import until
from tests.ui.skills.test_skills_page import SkillsBench, files, play

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pytest

    from inklings_desktop.ui.kit.lists.badge_list import BadgeRow
    from tests.ui.presenter_bench import Bench


def lay(place: Path, skills: Mapping[str, Mapping[str, str]]) -> Path:
    """A checkout with some skills in it, and one that is none."""
    for name, texts in skills.items():
        for path, text in texts.items():
            (place / name / path).parent.mkdir(parents=True, exist_ok=True)
            (place / name / path).write_bytes(text.encode())
    (place / "broken").mkdir()
    (place / "broken" / "SKILL.md").write_bytes(b"no head")
    return place


def a_checkout(root: Path) -> Path:
    """Two that are new, one that was brought in before and is another now, one of the author's."""
    names = ("weaver", "tides", "old-one", "left-and-right")
    return lay(root / "checkout", {name: files(name, "1. Look again.") for name in names})


def prepared(bench: Bench) -> None:
    """One of the author's own, and one brought in from an earlier state of the checkout."""
    here, root = bench.workspace.id, bench.inklings.data_dir.parent
    bench.inklings.skills.save(here, files())
    earlier = lay(root / "earlier", {"old-one": files("old-one")})
    bench.inklings.skill_transfer.bring_in(here, earlier / "old-one")
    bench.inklings.skills.look_at(here, "old-one")
    bench.inklings.skills.enable(here, "old-one")


async def compared(bench: SkillsBench, place: Path) -> dict[str, BadgeRow]:
    """The dialog's rows by the names of their folders."""
    bench.page.catalogue.open(bench.here, place)
    await until(lambda: bool(rows(bench)))
    return rows(bench)


def rows(bench: SkillsBench) -> dict[str, BadgeRow]:
    """The rows on show."""
    found = bench.named("catalogueList")
    return {one.id.replace("\\", "/").rpartition("/")[2]: one for one in found.rows}


def is_there(bench: SkillsBench, name: str) -> bool:
    """Whether the workspace has a skill."""
    try:
        bench.skills.show(bench.here, name)
    except NotFoundError:
        return False
    return True


@scene(play, prepared)
async def test_it_says_of_each_what_it_is_beside_what_is_here(
    bench: SkillsBench, /, qapp: object, tmp_path: Path
) -> None:
    found = await compared(bench, a_checkout(tmp_path))
    assert {name: (one.badge, one.is_checked) for name, one in found.items()} == {
        "weaver": ("new", True),
        "tides": ("new", True),
        "old-one": ("changed", True),
        "left-and-right": ("yours", None),
        "broken": ("refused", None),
    }
    assert "Changed: SKILL.md." in found["old-one"].meta
    assert "The head of SKILL.md cannot be read" in found["broken"].meta
    assert bench.named("catalogueHeadline").text() == (
        "2 new, 1 changed, 1 yours, 1 that cannot come in"
    )
    bench.named("catalogueAll").click()
    assert not bench.named("catalogueBring").isEnabled()
    bench.page.catalogue.leave()
    assert bench.page.catalogue.dialog is None
    assert not is_there(bench, "weaver")


@scene(play, prepared)
async def test_those_that_are_checked_come_in_and_one_step_takes_them_back(
    bench: SkillsBench, /, qapp: object, tmp_path: Path
) -> None:
    found = await compared(bench, a_checkout(tmp_path))
    listed = bench.named("catalogueList")
    listed.row_chosen.emit(found["tides"].id)
    listed.letter_pressed.emit(SPACE)
    assert rows(bench)["tides"].is_checked is False
    listed.row_chosen.emit(found["broken"].id)
    listed.letter_pressed.emit(SPACE)
    assert rows(bench)["broken"].is_checked is None
    assert bench.named("catalogueBring").text() == "Bring in 2 skills"
    bench.named("catalogueBring").click()
    await until(lambda: bench.page.catalogue.dialog is None)
    assert bench.skills.show(bench.here, "weaver").is_waiting
    assert bench.skills.show(bench.here, "old-one").version == 2
    assert not is_there(bench, "tides")
    assert not bench.skills.show(bench.here, "old-one").enabled
    await bench.undo()
    assert not is_there(bench, "weaver")
    again = bench.skills.show(bench.here, "old-one")
    assert again.contents.files == files("old-one")
    assert (again.enabled, again.is_waiting) == (True, False)


@scene(play, prepared)
async def test_one_that_takes_long_says_how_far_it_is_and_can_be_stopped(
    bench: SkillsBench, /, qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalogue = bench.page.catalogue
    monkeypatch.setattr(type(catalogue), "patience", 0.0)
    seen: list[tuple[int, bool]] = []

    def look(state: object) -> None:
        if getattr(state, "n_done", None) is not None:
            assert catalogue.state is not None
            assert catalogue.dialog is not None
            bar = catalogue.dialog.findChild(ShareBar)
            assert bar is not None
            seen.append((catalogue.state.n_done or 0, bar.isVisible()))
            if catalogue.state.n_done == 1:
                catalogue.leave()

    catalogue.state_changed.connect(look)
    await compared(bench, a_checkout(tmp_path))
    bench.named("catalogueBring").click()
    await until(lambda: catalogue.dialog is None)
    assert seen == [(0, True), (1, True)]
    assert [is_there(bench, one) for one in ("tides", "weaver")] == [False, False]
    assert bench.skills.show(bench.here, "old-one").version == 2
    await bench.undo()
    assert bench.skills.show(bench.here, "old-one").contents.files == files("old-one")


@scene(play, prepared)
async def test_a_folder_without_skills_says_so(
    bench: SkillsBench, /, qapp: object, tmp_path: Path
) -> None:
    (tmp_path / "nothing").mkdir()
    bench.page.catalogue.open(bench.here, tmp_path / "nothing")
    await until(lambda: "There is no skill" in bench.named("catalogueHeadline").text())
    assert not bench.named("catalogueBring").isVisible()
    bench.page.catalogue.leave()
    assert bench.page.catalogue.dialog is None
