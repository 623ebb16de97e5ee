from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.console import Console


def test_a_new_data_root_says_how_to_begin(console: Console) -> None:
    said = console("workspace", "list")
    assert said.status == 0
    assert "inklings workspace create NAME" in said.out
    assert console.document("workspace", "list") == {"workspaces": []}


def test_a_workspace_is_created_listed_and_renamed(console: Console) -> None:
    created = console.document("workspace", "create", "  Field notes ")["workspace"]
    assert created["name"] == "Field notes"
    assert (console.data_dir / "workspaces" / created["id"]).is_dir()

    renamed = console.document("workspace", "rename", "field NOTES", "Tide tables")["workspace"]
    assert renamed == created | {"name": "Tide tables"}
    assert console.document("workspace", "list")["workspaces"] == [renamed]
    assert created["id"] in console("workspace", "list").out


def test_a_name_is_taken_regardless_of_case(world: Console) -> None:
    said = world("workspace", "create", "FIELD notes")
    assert said.status == 1
    assert said.err.startswith("There is already a workspace called")
    assert len(world.document("workspace", "list")["workspaces"]) == 1


def test_one_of_several_workspaces_must_be_named(world: Console) -> None:
    world.document("workspace", "create", "Tide tables")
    listing = ("memory", "list", "--tier", "workspace")
    said = world(*listing)
    assert said.status == 2
    assert said.err == "Name the workspace with --workspace: 'Field notes', 'Tide tables'.\n"
    assert world.document(*listing, "--workspace", "tide tables")["total"] == 0


def test_the_account_needs_no_workspace(console: Console) -> None:
    said = console("memory", "list", "--tier", "workspace")
    assert (said.status, said.err) == (
        1,
        "There is no workspace yet. Make one with: inklings workspace create NAME\n",
    )
    assert console.document("memory", "list", "--tier", "account")["total"] == 0


def test_a_workspace_that_is_not_there_is_named(world: Console) -> None:
    said = world("workspace", "rename", "Nowhere", "Somewhere")
    assert said.status == 1
    assert "There is no workspace “Nowhere” here." in said.err


def test_settings_that_cannot_be_used_are_named(world: Console) -> None:
    (world.data_dir / "settings.toml").write_text("[memory]\ncap = -1\n")
    said = world("workspace", "list", "--json")
    assert said.status == 0
    assert len(said.document["workspaces"]) == 1
    assert "cap: this setting cannot be used; its default is in force." in said.err


def test_a_name_with_a_comma_is_one_name(world: Console) -> None:
    world.document("workspace", "create", "Hollow Crown, campaign III")
    said = world("memory", "list", "--tier", "workspace")
    assert said.err.endswith("--workspace: 'Field notes', 'Hollow Crown, campaign III'.\n")


def test_a_copied_folder_is_told_apart_and_said_to_be_a_copy(world: Console) -> None:
    (one,) = world.document("workspace", "list")["workspaces"]
    folder = world.data_dir / "workspaces"
    shutil.copytree(folder / one["id"], folder / "0 Copy")
    said = world("memory", "list", "--tier", "workspace")
    assert said.err == f"Name the workspace with --workspace: {one['id']}, '0 Copy'.\n"
    named = world.document("memory", "list", "--tier", "workspace", "--workspace", "Field notes")
    assert named["total"] == 0
    checked = world("check")
    assert checked.out.startswith("Field notes (0 Copy): This folder has the database of another")
    assert "move the folder out of workspaces." in checked.out


def test_the_home_folder_is_meant_by_a_tilde(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert console("--data-dir=~/Ink", "workspace", "create", "A").status == 0
    assert (tmp_path / "Ink" / "workspaces").is_dir()


def test_a_text_that_begins_like_an_option_is_told_how_to_be_typed(world: Console) -> None:
    said = world("memory", "add", "-5 degrees", "--tier", "workspace")
    assert said.status == 2
    assert "Put -- before a text that begins with -." in said.err
    assert world("memory", "add", "--tier", "workspace", "--", "-5 degrees").status == 0
