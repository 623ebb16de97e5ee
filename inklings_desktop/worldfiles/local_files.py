"""The port ``WorldFiles`` over the folders of this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from inklings_desktop.domain.world.pages import FolderKind, PageState, ReadPage
from inklings_desktop.domain.world.path_rules import PAGE_SUFFIXES, title_of_name
from inklings_desktop.worldfiles.disks import is_elsewhere
from inklings_desktop.worldfiles.folders import kind_of, opened_root

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from inklings_desktop.domain.world.pages import FileStamp, WorldFolder
    from inklings_desktop.worldfiles.watching import Watching


class LocalWorldFiles:
    """Reads world folders; what it needs to understand a page is imported with the first one."""

    def __init__(self, data_root: Path) -> None:
        self._data_root = data_root
        self._n_other: dict[str, int] = {}
        self._watching: Watching | None = None

    def kind_of(self, path: Path) -> FolderKind:
        return kind_of(path, self._data_root)

    def scan(self, folder: WorldFolder) -> Iterator[FileStamp]:
        from inklings_desktop.worldfiles.scan import Scan

        found = Scan(folder.path, self._data_root, folder.rules.ignore, PAGE_SUFFIXES)
        self._n_other[folder.id] = found.n_other
        return iter(found.stamps)

    def n_other(self, folder: WorldFolder) -> int:
        return self._n_other.get(folder.id, 0)

    def read(self, folder: WorldFolder, stamp: FileStamp) -> ReadPage:
        from inklings_desktop.worldfiles.page_text import page_of
        from inklings_desktop.worldfiles.reading import read_file

        with opened_root(folder.path) as root:
            found = read_file(root, stamp)
        if found.state is not PageState.READ:
            title = title_of_name(stamp.path)
            return ReadPage(found.stamp, found.state, found.digest, title=title)
        return page_of(found)

    def is_told(self, folder: WorldFolder) -> bool:
        unwatched = self._watching.unwatched if self._watching is not None else ()
        return folder.id not in unwatched and not is_elsewhere(Path(folder.path))

    def watch(
        self, folders: Sequence[WorldFolder], hint: Callable[[str], None]
    ) -> Callable[[], None]:
        from inklings_desktop.worldfiles.watching import Watching

        here = [one for one in folders if not is_elsewhere(Path(one.path))]
        self._watching = Watching(here, hint)
        return self._watching.end
