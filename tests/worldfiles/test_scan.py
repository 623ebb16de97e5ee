from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from inklings_desktop.domain.errors import InvalidValueError, OutsideFileError
from inklings_desktop.domain.world.pages import FolderKind, PageState
from inklings_desktop.worldfiles import folders, scan
from inklings_desktop.worldfiles.folders import Place, kind_of
from inklings_desktop.worldfiles.scan import MAX_DEPTH
from tests.support.world_folders import WorldOnDisk


def test_text_files_are_listed_by_path_and_others_counted(world: WorldOnDisk) -> None:
    for path in ["b/c.md", "b.md", "a.TXT", "d.markdown", "map.png", "b/plan.canvas", "notes"]:
        world.write(path, "text")
    assert world.paths() == ["a.TXT", "b.md", "b/c.md", "d.markdown"]
    assert world.files.n_other(world.folder) == 3


def test_stamp_is_what_the_system_says(world: WorldOnDisk) -> None:
    status = world.write("a.md", "five!").stat()
    [stamp] = world.files.scan(world.folder)
    assert (stamp.size, stamp.mtime_ns, stamp.inode) == (5, status.st_mtime_ns, status.st_ino)
    assert world.files.read(world.folder, stamp).stamp == stamp


def test_hidden_names_and_the_data_root_are_passed_over(world: WorldOnDisk) -> None:
    for path in [".obsidian/app.md", ".trash/old.md", ".hidden.md", "seen.md"]:
        world.write(path, "text")
    shutil.rmtree(world.data_root)
    inside = world.path / "root"
    inside.mkdir()
    (inside / "secret.md").write_text("memory")
    world.files = type(world.files)(inside)
    assert world.paths() == ["seen.md"]


def test_ignored_paths_are_not_listed(world: WorldOnDisk) -> None:
    for path in ["Archive/old.md", "Archive/keep/a.md", "drafts/b.md", "c.tmp.md", "d.md"]:
        world.write(path, "text")
    world.ignore("Archive/**", "drafts/", "*.tmp.md", "!", "# a remark")
    assert world.paths() == ["d.md"]
    world.ignore("*.md", "!d.md")
    assert world.paths() == ["d.md"]


def test_links_are_listed_and_never_followed(world: WorldOnDisk, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    (world.path / "linked.md").symlink_to(outside / "secret.md")
    (world.path / "folder").symlink_to(outside)
    (world.path / "loop").symlink_to(world.path)
    (world.path / "gone.md").symlink_to(outside / "none.md")
    (world.path / "picture.png").symlink_to(outside / "secret.md")
    stamps = list(world.files.scan(world.folder))
    assert [one.path for one in stamps] == ["folder", "gone.md", "linked.md", "loop"]
    assert all(one.is_link for one in stamps)
    pages = [world.files.read(world.folder, one) for one in stamps]
    assert {one.state for one in pages} == {PageState.LINK}
    assert all(not one.blocks for one in pages)


def test_link_that_was_put_in_the_way_after_the_scan_is_not_followed(
    world: WorldOnDisk, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "page.md").write_text("secret")
    world.write("folder/page.md", "mine")
    world.write("page.md", "mine")
    stamps = {one.path: one for one in world.files.scan(world.folder)}
    shutil.rmtree(world.path / "folder")
    (world.path / "folder").symlink_to(outside)
    (world.path / "page.md").unlink()
    (world.path / "page.md").symlink_to(outside / "page.md")
    for stamp in stamps.values():
        assert world.files.read(world.folder, stamp).state is PageState.UNREADABLE


def test_a_folder_that_went_away_is_an_error_and_not_an_empty_world(world: WorldOnDisk) -> None:
    world.write("a.md", "text")
    [stamp] = world.files.scan(world.folder)
    shutil.rmtree(world.path)
    with pytest.raises(OutsideFileError):
        world.files.scan(world.folder)
    with pytest.raises(OutsideFileError):
        world.files.read(world.folder, stamp)


def test_closed_folder_is_listed_and_the_rest_is_read(
    world: WorldOnDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.write("a.md", "text")
    world.write("closed/b.md", "text")
    opened = folders.open_folder

    def refuse(name: str, place: Place) -> Place:
        if name == "closed":
            raise PermissionError(name)
        return opened(name, place)

    monkeypatch.setattr(scan, "open_folder", refuse)
    assert world.paths() == ["a.md", "closed"]
    assert world.page("closed").state is PageState.UNREADABLE


def test_a_disk_that_fails_ends_the_look(
    world: WorldOnDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.write("folder/b.md", "text")

    def fail(_name: str, _place: Place) -> Place:
        raise OSError(errno.EIO, "input/output error")

    monkeypatch.setattr(scan, "open_folder", fail)
    with pytest.raises(OutsideFileError):
        world.paths()


def test_folders_without_end_are_cut(world: WorldOnDisk) -> None:
    deep = "d/" * (MAX_DEPTH + 5)
    world.write(deep + "a.md", "text")
    world.write("d/b.md", "text")
    paths = world.paths()
    assert paths[0] == "d/b.md"
    assert paths[1] == ("d/" * (MAX_DEPTH + 1)).rstrip("/")
    assert len(paths) == 2


def test_special_files_are_left_alone(world: WorldOnDisk) -> None:
    os.mkfifo(world.path / "pipe.md")
    world.write("a.md", "text")
    assert world.paths() == ["a.md"]
    assert world.files.n_other(world.folder) == 1


def test_kind_is_told_by_what_the_programs_put_there(world: WorldOnDisk) -> None:
    assert world.files.kind_of(world.path) is FolderKind.PLAIN
    (world.path / ".obsidian").mkdir()
    assert world.files.kind_of(world.path) is FolderKind.VAULT
    world.write("nwProject.nwx", "")
    assert world.files.kind_of(world.path) is FolderKind.NOVELWRITER


def test_folders_that_may_not_be_linked(
    world: WorldOnDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = world.path.parent / "homes" / "ann"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    link = world.path.parent / "link"
    link.symlink_to(world.data_root)
    inside = world.data_root / "workspaces"
    inside.mkdir()
    refused = {world.path / "none": "missing", world.write("a.md", "text"): "not_a_folder"}
    refused |= {Path("/"): "root", home: "home", home.parent: "home", world.path.parent: "home"}
    refused |= {world.data_root: "data_root", inside: "data_root", link: "data_root"}
    for path, rule in refused.items():
        with pytest.raises(InvalidValueError) as caught:
            world.files.kind_of(path)
        assert (path, caught.value.field, caught.value.rule) == (path, "path", rule)


def test_what_holds_the_data_root_is_refused(tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    (outer / "app" / "root").mkdir(parents=True)
    for data_root in (outer / "app" / "root", outer / "app" / "not_made_yet"):
        with pytest.raises(InvalidValueError) as caught:
            kind_of(outer, data_root)
        assert caught.value.rule == "data_root"
