"""The Skills page over a real store: what it lists, what it changes, and how that is undone."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFileDialog,
    QLabel,
    QMainWindow,
    QWidget,
)
from qasync import QEventLoop

from inklings_desktop.acp_wire import words
from inklings_desktop.agent_client.script_run import Report, problem
from inklings_desktop.domain.errors import NotFoundError
from inklings_desktop.domain.skills.skill import Origin
from inklings_desktop.ui.kit.look.theme import SchemeChoice, Theme
from inklings_desktop.ui.kit.ops.background import Background
from inklings_desktop.ui.kit.ops.page_spec import SKILLS_PAGE
from inklings_desktop.ui.skills import acting, dry_run
from inklings_desktop.ui.skills.page import SkillsPage
from inklings_desktop.ui.skills.state import SkillHeading, SkillRow, skill_rows
from inklings_desktop.ui.skills.view import ArtifactList, SkillList
from inklings_desktop.usecases.skills.runs import RunReport
from tests.support.stopwatch import until
from tests.ui.page_bench import SaidToWindow, a_context
from tests.ui.presenter_bench import Bench, a_bench

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

SCENE_SECONDS = 60.0
SHIPPED = "program continuity-check"


def files(
    name: str = "left-and-right", body: str = "1. List every left and right."
) -> dict[str, str]:
    head = (
        f"---\nname: {name}\ndescription: Lists every left and right in a draft.\n"
        "metadata:\n  inklings:\n    title: Left and right audit\n"
        "    artifacts: {assets/ask.md: prompt_template}\n"
        "    assertions:\n      - {check: max_length, value: 12}\n---\n"
    )
    return {
        "SKILL.md": head + body,
        "assets/ask.md": "Which side is {{hand}}?",
        "scripts/find.py": 'def main(inputs):\n    return {"found": 11}\n',
    }


class SkillsBench:
    """The page, while a test drives it."""

    def __init__(self, page: SkillsPage, said: SaidToWindow, bench: Bench) -> None:
        self.page, self.said, self.bench = page, said, bench
        self.skills, self.here = bench.inklings.skills, bench.workspace.id
        self.steps: list[Any] = []
        page.answered.connect(self.steps.append)

    def named(self, name: str) -> Any:
        """A part of the page, or of a dialog over it."""
        return self.page.view.window().findChild(QWidget, name)

    def words(self) -> str:
        """Everything that is on show."""
        labels = self.page.view.findChildren(QLabel)
        return "\n".join(one.text() for one in labels if one.isVisible())

    def keys(self) -> list[str]:
        """Which skills are read."""
        content = self.page.content
        return [] if content is None else list(self.page.keys_of(content))

    def listed(self, kind: type[Any]) -> tuple[Any, ...]:
        """The rows of one of the two lists."""
        found = self.page.view.findChild(kind)
        assert found is not None
        rows: tuple[Any, ...] = found.rows
        return rows

    async def press(self, name: str) -> None:
        """Press a button once it can be."""
        await until(lambda: self.named(name) is not None and self.named(name).isEnabled())
        found = self.named(name)
        assert isinstance(found, QAbstractButton)
        found.click()

    async def shows(self, key: str) -> None:
        """Choose a skill, and wait until it is on show."""
        await until(lambda: key in self.keys())
        self.page.choose(key)
        await until(lambda: self.page.current == key)

    async def stored(self, holds: Callable[[], object]) -> None:
        """Wait until something is stored, and the page has heard of it."""

        def is_so() -> bool:
            try:
                return bool(holds()) and not self.page.is_deciding
            except NotFoundError:
                return False

        await until(is_so)

    async def undo(self) -> None:
        """Take the latest step back."""
        await until(lambda: bool(self.steps))
        await self.page.background.write(self.steps.pop().take_back, self.bench.inklings)


def play(
    root: Path,
    prepare: Callable[[Bench], object],
    scene: Callable[[SkillsBench], Awaitable[None]],
    *,
    width: int = 1220,
    look: SchemeChoice = SchemeChoice.LIGHT,
) -> None:
    """The page over a store until the scene ends, in a window of this width without the rail."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    bugs: list[BaseException] = []

    async def played() -> None:
        background = Background(bugs.append)
        theme = Theme(look, reduced_motion=True)
        theme.apply(app)
        window = QMainWindow()
        context, said, leave = a_context(background, bench.inklings, theme, window)
        page = SkillsPage(context, window)
        window.setCentralWidget(page.view)
        window.resize(width, 840)
        window.show()
        try:
            await page.open(bench.workspace.id)
            await until(lambda: page.content is not None)
            await asyncio.wait_for(scene(SkillsBench(page, said, bench)), SCENE_SECONDS)
        finally:
            leave()
            await background.close()
            window.hide()
            window.deleteLater()

    with a_bench(root / "data") as bench, asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as r:
        prepare(bench)
        r.run(played())
    assert bugs == []


def with_one(bench: Bench) -> None:
    """A skill of the workspace, one of the account that it hides, and one brought in."""
    bench.inklings.skills.save(bench.workspace.id, files())
    bench.inklings.skills.save(None, files())
    report = RunReport(given="x", output="x" * 13, ms=150)
    bench.inklings.skill_runs.note(bench.workspace.id, "left-and-right", report)


OWN = "workspace left-and-right"


def test_skills_stand_where_they_are_kept_and_say_what_hides_what(
    qapp: QApplication, tmp_path: Path
) -> None:
    async def scene(bench: SkillsBench) -> None:
        content = bench.page.content
        assert content is not None
        rows = skill_rows(content)
        assert [one.text for one in rows if isinstance(one, SkillHeading)] == [
            "This workspace", "Yours, every workspace", "Shipped with Inklings",
        ]  # fmt: skip
        first = next(one for one in rows if isinstance(one, SkillRow))
        assert first.told == "3 artifacts   used once"
        assert [one.is_locked for one in rows if isinstance(one, SkillRow)] == [False] * 2 + [
            True
        ] * 3
        assert bench.listed(SkillList) == rows
        await bench.shows(OWN)
        await until(lambda: "Takes the place of the skill of the same name" in bench.words())
        await bench.shows("account left-and-right")
        await until(lambda: "Another skill of the same name" in bench.words())
        assert (SKILLS_PAGE, 5) in [(page, mark.count) for page, mark in bench.said.marks]

    play(tmp_path, with_one, scene)


def test_a_file_is_changed_saved_and_the_change_is_undone(
    qapp: QApplication, tmp_path: Path
) -> None:
    async def scene(bench: SkillsBench) -> None:
        await bench.shows(OWN)
        assert [one.text for one in bench.listed(ArtifactList)] == [
            "approach", "prompt template", "code template",
        ]  # fmt: skip
        bench.page.choose_file("assets/ask.md")
        await until(lambda: bench.named("skillText").text() == "Which side is {{hand}}?")
        bench.named("skillText").selectAll()
        bench.named("skillText").insertPlainText("Which hand?")
        await until(lambda: bench.page.has_unsaved)
        await bench.press("saveSkill")
        await bench.stored(lambda: bench.skills.show(bench.here, "left-and-right").version == 2)
        of = bench.skills.show(bench.here, "left-and-right").contents
        assert of.files == {**files(), "assets/ask.md": "Which hand?"}
        await bench.undo()
        of = bench.skills.show(bench.here, "left-and-right").contents
        assert of.files == files()

    play(tmp_path, with_one, scene)


def test_a_shipped_one_is_looked_at_switched_off_and_copied(
    qapp: QApplication, tmp_path: Path
) -> None:
    async def scene(bench: SkillsBench) -> None:
        await bench.shows(SHIPPED)
        await until(lambda: bench.named("skillText").isReadOnly())
        assert not bench.named("deleteSkill").isVisible()
        assert not bench.named("saveSkill").isVisible()
        await bench.press("mayBeChosen")
        await bench.stored(lambda: not bench.skills.show(bench.here, "continuity-check").enabled)
        await bench.undo()
        assert bench.skills.show(bench.here, "continuity-check").enabled
        await bench.press("forkSkill")
        await bench.stored(
            lambda: bench.skills.show(bench.here, "continuity-check").origin is Origin.USER
        )
        await until(lambda: bench.page.current == "workspace continuity-check")
        await bench.undo()
        assert bench.skills.show(bench.here, "continuity-check").origin is Origin.SYSTEM

    play(tmp_path, lambda _: None, scene)


def test_one_is_deleted_and_comes_back_with_its_versions(
    qapp: QApplication, tmp_path: Path
) -> None:
    async def scene(bench: SkillsBench) -> None:
        bench.skills.save(bench.here, files(body="2. Mark them."), name="left-and-right")
        await bench.shows(OWN)
        await bench.press("deleteSkill")
        await bench.stored(
            lambda: bench.skills.show(bench.here, "left-and-right").level == "account"
        )
        await bench.undo()
        assert len(bench.skills.versions(bench.here, "left-and-right")) == 1

    play(tmp_path, with_one, scene)


def test_a_folder_is_shown_before_it_comes_in_and_waits_for_its_switch(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "weaver"
    for path, text in files("weaver").items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())
    shown: list[str] = []

    async def chosen(_dialog: QFileDialog) -> bool:
        return True

    async def asked(_parent: QWidget, title: str, text: str, **_words: object) -> bool:
        shown.append(f"{title}\n{text}")
        return True

    monkeypatch.setattr(acting, "answered", chosen)
    monkeypatch.setattr(acting, "ask", asked)
    monkeypatch.setattr(QFileDialog, "selectedFiles", lambda _dialog: [str(folder)])

    async def scene(bench: SkillsBench) -> None:
        dict(bench.page.additions())["Bring in a folder\u2026"]()
        await bench.stored(lambda: bench.skills.show(bench.here, "weaver").is_waiting)
        assert "3 files, 1 KiB." in shown[0]
        await until(lambda: "then switch it on" in bench.words())
        await bench.press("mayBeChosen")
        await bench.stored(lambda: bench.skills.show(bench.here, "weaver").enabled)

    play(tmp_path, lambda _: None, scene)


def test_it_runs_dry_and_says_what_holds(qapp: QApplication, tmp_path: Path) -> None:
    async def scene(bench: SkillsBench) -> None:
        await bench.shows(OWN)
        bench.named("dryInput").setText('{"hand": "hers"}')
        bench.named("dryAnswer").insertPlainText("x" * 13)
        await bench.press("runDry")
        await until(lambda: "Which side is hers?" in bench.words())
        await until(lambda: "structure; got 13" in bench.words())
        assert bench.bench.inklings.skill_runs.uses(bench.here) == {"left-and-right": 1}
        bench.page.show_pane("traces")
        await until(lambda: "1 trace" in bench.words())
        (row,) = bench.named("tracesList").rows
        assert (row.took, row.outcome, row.artifact) == ("0.15 s", "failed", "approach")
        bench.page.show_pane("assertions")
        await until(lambda: "structure, SKILL.md" in bench.words())
        bench.page.choose_file("assets/ask.md")
        bench.named("editAssertions").click()
        assert bench.page.path == "SKILL.md"

    play(tmp_path, with_one, scene)


def with_runs(bench: Bench) -> None:
    """Runs of two files of a skill."""
    with_one(bench)
    code = RunReport(
        artifact="scripts/find.py", given='{"page": 12}', output={"found": 11}, cost_micro=40_000
    )
    bench.inklings.skill_runs.note(bench.workspace.id, "left-and-right", code)


def test_traces_are_those_of_a_file_and_one_is_shown_whole(
    qapp: QApplication, tmp_path: Path
) -> None:
    async def scene(bench: SkillsBench) -> None:
        await bench.shows(OWN)
        bench.page.show_pane("traces")
        await until(lambda: bench.named("tracesList") is not None)
        await until(lambda: len(bench.named("tracesList").rows) == 2)
        assert bench.named("traceWhole") is None
        bench.page.show_traces_of("scripts/find.py")
        (row,) = bench.named("tracesList").rows
        assert (row.artifact, row.cost) == ("code template", "about $0.04")
        bench.named("tracesList").setCurrentIndex(bench.named("tracesList").model().index(0, 0))
        await until(lambda: '{"found": 11}' in bench.words())
        assert '{"page": 12}' in bench.words()
        bench.page.show_traces_of("")
        assert len(bench.named("tracesList").rows) == 2

    play(tmp_path, with_runs, scene)


@pytest.mark.parametrize("width", [720, 1000])
def test_where_there_is_little_room_the_pane_stands_in_the_detail(
    qapp: QApplication, tmp_path: Path, width: int
) -> None:
    async def scene(bench: SkillsBench) -> None:
        await bench.shows(OWN)
        bench.page.focus_detail()
        assert bench.named("skillPane") is None
        bench.named("skillPart").choose("try")
        await until(lambda: bench.named("skillPane") is not None)
        await until(lambda: bench.named("skillText") is None)
        assert bench.page.detail_name() == "dryInput"
        assert bench.named("skillsDetail").isAncestorOf(bench.named("skillPane"))
        assert bench.named("skillsDetail").isVisible()

    play(tmp_path, with_one, scene, width=width)


def test_a_hostile_folder_is_refused_in_a_sentence(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "weaver").mkdir()
    (tmp_path / "weaver" / "SKILL.md").write_bytes(b"\xff")

    async def chosen(_dialog: QFileDialog) -> bool:
        return True

    monkeypatch.setattr(acting, "answered", chosen)
    monkeypatch.setattr(QFileDialog, "selectedFiles", lambda _: [str(tmp_path / "weaver")])

    async def scene(bench: SkillsBench) -> None:
        dict(bench.page.additions())["Bring in a folder\u2026"]()
        await until(lambda: bool(bench.said.messages))
        (message,) = bench.said.messages
        assert "SKILL.md is not text in UTF-8." in f"{message}"
        assert len(bench.keys()) == 3

    play(tmp_path, lambda _: None, scene)


@pytest.mark.parametrize(
    ("report", "told"),
    [
        (problem(words.SCRIPTS_NOT_INSTALLED), "The sandbox is not installed"),
        (Report(True, '{"found": 11}', (), 0, "", {"result": {"found": 11}}), '{"found": 11}'),
        (Report(False, "It took too long.", (), 0, "", {}), "It took too long."),
    ],
)
def test_code_runs_in_the_sandbox_and_its_answer_is_checked(
    qapp: QApplication,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    report: Report,
    told: str,
) -> None:
    asked: list[bytes] = []

    def carried_out(_command: object, _variables: object, what: bytes, **_how: object) -> Report:
        asked.append(what)
        return report

    monkeypatch.setattr(dry_run, "world_agent_command", lambda *_: ["agent"])
    monkeypatch.setattr(dry_run, "carried_out", carried_out)

    async def scene(bench: SkillsBench) -> None:
        await bench.shows(OWN)
        bench.page.choose_file("scripts/find.py")
        bench.named("dryInput").setText('{"page": 12}')
        await bench.press("runDry")
        await until(lambda: told in bench.words())
        assert b'"page": 12' in asked[0]
        assert bench.page.running is None
        assert bench.named("setUpSandbox").isVisible() == bool(report.word)
        if report.word:
            bench.named("setUpSandbox").click()
            assert "pip install" in bench.said.messages[0].text

    play(tmp_path, with_one, scene)
