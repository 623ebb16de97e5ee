from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.cli.console import Console


def test_the_sample_world_is_made_in_a_root_of_its_own(console: Console) -> None:
    made = console.document("demo")
    assert made["data_dir"] == str(console.data_dir)
    (main, *_) = console.document("workspace", "list")["workspaces"]
    assert main["name"] == made["workspace"]["name"]
    listed = console.document(
        "memory", "list", "--tier", "workspace", "--workspace", main["id"], "--limit", "5"
    )
    assert listed["total"] > 5
    saved_at = [
        one["saved_at"] for one in console.document("entry", "history", "SOUL")["revisions"]
    ]
    assert len(saved_at) == 2
    assert saved_at == sorted(saved_at, reverse=True)


def test_the_sample_world_is_never_poured_into_a_used_root(world: Console) -> None:
    before = world.document("workspace", "list")
    said = world("demo")
    assert said.status == 1
    assert said.err.startswith(f"{world.data_dir} already has workspaces")
    assert world.document("workspace", "list") == before


def test_the_window_is_opened_as_asked_and_its_status_passed_on(console: Console) -> None:
    asked: list[tuple[Path | None, bool, Path | None, bool, str]] = []

    def run_window(
        data_dir: Path | None, *, demo: bool, tour: Path | None, smoke_test: bool, link: str
    ) -> int:
        asked.append((data_dir, demo, tour, smoke_test, link))
        return 3

    with_window = replace(console, program=replace(console.program, run_window=run_window))
    said = with_window("open", "--demo", "--tour", "pages", "--smoke-test")
    assert (said.status, said.out, said.err) == (3, "", "")
    assert with_window("open", "--json").document == {"status": 3}
    assert with_window("open", "inklings://memory/1a").status == 3
    assert asked == [
        (console.data_dir, True, Path("pages"), True, ""),
        (console.data_dir, False, None, False, ""),
        (console.data_dir, False, None, False, "inklings://memory/1a"),
    ]
    said = with_window("open", "https://example.org")
    assert said.status == 2
    assert "https://example.org is no link into Inklings" in said.err
    assert len(asked) == 3
