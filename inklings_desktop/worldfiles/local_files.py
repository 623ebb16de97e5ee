"""The port ``WorldFiles`` over the folders of this machine."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.world.pages import FolderKind, PageState, ReadPage
from inklings_desktop.domain.world.path_rules import PAGE_SUFFIXES, title_of_name
from inklings_desktop.worldfiles.folders import kind_of, opened_root

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from inklings_desktop.domain.world.pages import FileStamp, WorldFolder
    from inklings_desktop.worldfiles.folders import Place
    from inklings_desktop.worldfiles.novelwriter import Project
    from inklings_desktop.worldfiles.reading import FileText

MOUNTS = Path("/proc/self/mountinfo")

_NETWORK = re.compile(
    r"nfs4?|cifs|smb\d|smbfs|ncpfs|afs|ceph|glusterfs|lustre|9p|virtiofs|vboxsf|vmhgfs|prl_fs|davfs"
    r"|fuse\..*"  # of which most come over a network
)
_CLOUD = re.compile(
    r"(?:dropbox|onedrive|google ?drive|icloud ?drive|mobile documents|cloudstorage|nextcloud"
    r"|owncloud|pcloud ?drive|proton ?drive|megasync|box sync|syncthing|seafile)(?:[ -].*)?",
    re.IGNORECASE,
)
_ESCAPED = re.compile(r"\\([0-7]{3})")
_REMOTE_DRIVE = 4


def is_elsewhere(path: Path) -> bool:
    """Whether changes may be made in a folder that this system is not told of."""
    real = path.resolve()
    if any(_CLOUD.fullmatch(part) for part in real.parts):
        return True
    if sys.platform == "win32":
        import ctypes

        return ctypes.windll.kernel32.GetDriveTypeW(real.anchor) == _REMOTE_DRIVE
    return _NETWORK.fullmatch(_file_system(real)) is not None


def _file_system(path: Path) -> str:
    """Name of the file system that holds a path; empty where the system does not say."""
    try:
        mounts = MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""
    found, depth = "", -1
    for line in mounts.splitlines():
        fields, _, rest = line.partition(" - ")
        place = Path(_ESCAPED.sub(lambda code: chr(int(code[1], 8)), fields.split(" ")[4]))
        if len(place.parts) >= depth and path.is_relative_to(place):  # the latest is on top
            found, depth = rest.split(" ")[0], len(place.parts)
    return found


class LocalWorldFiles:
    """Reads world folders; what it needs to understand a page is imported with the first one."""

    def __init__(self, data_root: Path) -> None:
        self._data_root = data_root
        self._n_other: dict[str, int] = {}
        self._projects: dict[str, Project] = {}
        self._unwatched: Callable[[], Collection[str]] = tuple

    def kind_of(self, path: Path) -> FolderKind:
        return kind_of(path, self._data_root)

    def scan(self, folder: WorldFolder) -> Iterator[FileStamp]:
        from inklings_desktop.worldfiles.scan import Scan

        if folder.kind is not FolderKind.NOVELWRITER:
            found = Scan(folder.path, self._data_root, folder.rules.ignore, PAGE_SUFFIXES)
            self._n_other[folder.id] = found.n_other
            return iter(found.stamps)
        from inklings_desktop.worldfiles.novelwriter import PAGE_SUFFIX, project_in

        found = Scan(folder.path, self._data_root, folder.rules.ignore, (PAGE_SUFFIX,))
        with opened_root(folder.path) as root:
            project = self._projects[folder.id] = project_in(root)
        pages = project.pages(found.stamps)
        self._n_other[folder.id] = found.n_other + len(found.stamps) - len(pages)
        return iter(pages)

    def n_other(self, folder: WorldFolder) -> int:
        return self._n_other.get(folder.id, 0)

    def read(self, folder: WorldFolder, stamp: FileStamp) -> ReadPage:
        from inklings_desktop.worldfiles.page_text import page_of
        from inklings_desktop.worldfiles.reading import read_file

        with opened_root(folder.path) as root:
            found = read_file(root, stamp)
            if folder.kind is FolderKind.NOVELWRITER:
                return self._page_of_novel(folder, root, found)
        return page_of(found) if found.state is PageState.READ else _unread(found)

    def is_told(self, folder: WorldFolder) -> bool:
        return folder.id not in self._unwatched() and _is_told_of(folder)

    def watch(
        self, folders: Sequence[WorldFolder], hint: Callable[[str], None]
    ) -> Callable[[], None]:
        from inklings_desktop.worldfiles.watching import Watching

        here = [one for one in folders if _is_told_of(one)]
        try:
            watching = Watching(here, hint)
        except OSError:  # so many programs watch that the system lets nobody else
            self._unwatched = lambda: {one.id for one in here}
            return lambda: None
        self._unwatched = lambda: watching.unwatched
        return watching.end

    def _page_of_novel(self, folder: WorldFolder, root: Place, found: FileText) -> ReadPage:
        from inklings_desktop.worldfiles.novelwriter import novel_page, project_in

        project = self._projects.get(folder.id)
        if project is None:
            project = self._projects[folder.id] = project_in(root)
        found = replace(found, stamp=project.marked(found.stamp))
        item = project.item(found.stamp.path)
        return (
            novel_page(found, item) if found.state is PageState.READ else _unread(found, item.title)
        )


def _is_told_of(folder: WorldFolder) -> bool:
    """Whether the system can tell of changes in it; one that was not chosen here has no place."""
    return bool(folder.path) and not is_elsewhere(Path(folder.path))


def _unread(found: FileText, title: str = "") -> ReadPage:
    """What is known of a file without its text."""
    title = title or title_of_name(found.stamp.path)
    return ReadPage(found.stamp, found.state, found.digest, title=title)
