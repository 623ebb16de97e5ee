from __future__ import annotations

import ctypes
import errno
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from inklings_desktop.worldfiles import local_files, watching
from tests.support.world_folders import WorldOnDisk

PATIENCE = 60.0


class Hints:
    """What was hinted, and a way to wait for the next hint."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self._told = threading.Semaphore(0)

    def __call__(self, folder_id: str) -> None:
        self.ids.append(folder_id)
        self._told.release()

    def wait(self) -> None:
        assert self._told.acquire(timeout=PATIENCE), "no hint came"


@contextmanager
def watched(world: WorldOnDisk) -> Iterator[Hints]:
    hints = Hints()
    end = world.files.watch([world.folder], hints)
    try:
        yield hints
    finally:
        end()


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "QUIET_SECONDS", 0.01)
    monkeypatch.setattr(watching, "LOST_SECONDS", 0.05)


def replace_whole(file: Path) -> None:
    beside = file.with_name("new.tmp")
    beside.write_text("whole")
    beside.replace(file)


CHANGES: dict[str, Callable[[Path], object]] = {
    "written in place": lambda path: (path / "part/a.md").write_text("other"),
    "replaced": lambda path: replace_whole(path / "part/a.md"),
    "deleted": lambda path: (path / "part/a.md").unlink(),
    "renamed": lambda path: (path / "part/a.md").rename(path / "b.md"),
    "new folder": lambda path: (path / "new/deep").mkdir(parents=True),
    "folder moved": lambda path: (path / "part").rename(path / "moved"),
    "folder moved in": lambda path: (path.parent / "beside").rename(path / "beside"),
    "folder moved out": lambda path: (path / "part").rename(path.parent / "out"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_gives_a_hint(world: WorldOnDisk, change: str) -> None:
    world.write("part/a.md", "text")
    (world.path.parent / "beside").mkdir()
    with watched(world) as hints:
        CHANGES[change](world.path)
        hints.wait()
        assert set(hints.ids) == {world.folder.id}


def test_files_in_new_and_moved_folders_are_heard(world: WorldOnDisk) -> None:
    world.write("part/a.md", "text")
    with watched(world) as hints:
        (world.path / "new/deep").mkdir(parents=True)
        hints.wait()
        world.write("new/deep/b.md", "text")
        hints.wait()
        (world.path / "part").rename(world.path / "moved")
        hints.wait()
        world.write("moved/b.md", "text")
        hints.wait()
    assert world.paths() == ["moved/a.md", "moved/b.md", "new/deep/b.md"]


def test_what_the_program_reads_is_not_told(
    world: WorldOnDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.write("a.md", "text")
    told: list[str] = []
    is_last = threading.Event()

    def note(_watching: watching.Watching, _folder_id: str, path: str) -> None:
        told.append(Path(path).name)
        if path.endswith("last.md"):
            is_last.set()

    monkeypatch.setattr(watching.Watching, "noticed", note)
    with watched(world):
        assert world.page("a.md").title == "a"
        world.write("last.md", "text")
        assert is_last.wait(PATIENCE)
    assert set(told) == {"last.md"}


def test_hidden_files_and_folders_give_no_hint(
    world: WorldOnDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "QUIET_SECONDS", PATIENCE)
    one = watching.Watching([world.folder], lambda _folder_id: None)
    for path in (".obsidian/workspace.json", "part/.inklings-1.tmp", ".git"):
        one.noticed(world.folder.id, str(world.path / path))
    assert not one._changes
    one.noticed(world.folder.id, str(world.path / "part"))
    assert one._changes
    one.end()


def test_quiet_is_waited_for_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "QUIET_SECONDS", 2.0)
    monkeypatch.setattr(watching, "MOST_SECONDS", 5.0)
    assert watching._due_at((10.0, 11.0)) == 13.0
    assert watching._due_at((10.0, 14.5)) == 15.0


def test_a_folder_that_comes_back_is_watched_again(world: WorldOnDisk) -> None:
    world.write("a.md", "text")
    away = world.path.with_name("away")
    with watched(world) as hints:
        world.path.rename(away)
        hints.wait()
        away.rename(world.path)
        hints.wait()
        n = len(hints.ids)
        world.write("b.md", "text")
        hints.wait()
        assert len(hints.ids) > n


def test_no_watches_left_is_said(world: WorldOnDisk, monkeypatch: pytest.MonkeyPatch) -> None:
    from watchdog.observers import inotify_c

    world.write("a/b/last/a.md", "text")
    add = inotify_c.inotify_add_watch

    def full(file: int, path: bytes, mask: int) -> int:
        if path.endswith(b"last"):
            ctypes.set_errno(errno.ENOSPC)
            return -1
        return int(add(file, path, mask))

    assert world.files.is_told(world.folder)
    with monkeypatch.context() as patched:
        patched.setattr(inotify_c, "inotify_add_watch", full)
        with watched(world):
            assert not world.files.is_told(world.folder)
    with watched(world):
        assert world.files.is_told(world.folder)


def test_no_watcher_left_is_said(world: WorldOnDisk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise OSError(errno.EMFILE, "too many watchers")

    monkeypatch.setattr(watching, "Observer", full)
    with watched(world):
        assert not world.files.is_told(world.folder)


def test_the_end_waits_for_all_threads(world: WorldOnDisk) -> None:
    before = set(threading.enumerate())
    with watched(world) as hints:
        world.write("a.md", "text")
        hints.wait()
    assert {one for one in threading.enumerate() if one.is_alive()} <= before


MOUNTS = r"""22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / /mnt/My\040Share rw - cifs //server/share rw
31 22 0:41 / /mnt/ssh rw - fuse.sshfs ann@host: rw
32 22 0:42 / /mnt/pool rw - fuseblk /dev/sdc1 rw
33 30 8:2 / /mnt/My\040Share/disk rw - ext4 /dev/sdb1 rw
34 22 0:43 / /mnt/pool/nfs rw - nfs4 server:/ rw
"""


HERE = [
    "/srv/world",
    "/mnt/My Share/disk/world",
    "/mnt/pool",
    "/mnt/pool/nfs2",
    "/a/Dropboxes",
]
ELSEWHERE = ["/mnt/My Share/world", "/mnt/ssh", "/mnt/pool/nfs/world", "/srv/Dropbox/world"]
ELSEWHERE += ["/srv/OneDrive - Guild/world"]


def test_network_and_cloud_folders_are_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(MOUNTS)
    monkeypatch.setattr(local_files, "MOUNTS", mounts)
    assert [one for one in HERE + ELSEWHERE if local_files.is_elsewhere(Path(one))] == ELSEWHERE


def test_a_folder_of_a_cloud_is_not_watched(world: WorldOnDisk) -> None:
    cloud = world.path / "Dropbox"
    cloud.mkdir()
    folder = replace(world.folder, id="cloud", path=str(cloud))
    assert not world.files.is_told(folder)
    hints = Hints()
    end = world.files.watch([folder, world.folder], hints)
    (cloud / "a.md").write_text("text")
    hints.wait()
    end()
    assert set(hints.ids) == {world.folder.id}
