"""What the use cases need of the author's pages: files, the index of them, and what memory knows.

``WorldFiles`` is filled by ``worldfiles``, ``WorldIndex`` and ``PageWriter`` by ``storage.world``,
what a workspace keeps of them stands in ``world_rows``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from inklings_desktop.domain.likeness.calibration import Calibration
    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.world.finding import WorldAnswer, WorldQuery
    from inklings_desktop.domain.world.pages import (
        Block,
        FileStamp,
        FolderKind,
        FolderLook,
        Page,
        PageChange,
        ReadPage,
        WholePage,
        WorldFolder,
    )


class WorldFiles(Protocol):
    """Reads the files of a world folder; never writes one."""

    def kind_of(self, path: Path) -> FolderKind:
        """What kind of folder this is.

        Raises:
            InvalidValueError: It is no folder that may be linked: not there, not to be opened,
                a file system's root, the home folder, or holding or inside the data root.
        """
        ...

    def scan(self, folder: WorldFolder) -> Iterator[FileStamp]:
        """The text files of a folder, links among them, in the order of their paths.

        Raises:
            OutsideFileError: The folder is not there, or cannot be opened.
        """
        ...

    def read(self, folder: WorldFolder, stamp: FileStamp) -> ReadPage:
        """A file as it is now; what cannot be read says why in its state.

        Raises:
            OutsideFileError: The folder is not there any more.
        """
        ...

    def n_other(self, folder: WorldFolder) -> int:
        """How many files of the last scan are no text and were left alone."""
        ...

    def is_told(self, folder: WorldFolder) -> bool:
        """Whether the system tells of changes in it: not of a network or cloud folder."""
        ...

    def watch(
        self, folders: Sequence[WorldFolder], hint: Callable[[str], None]
    ) -> Callable[[], None]:
        """Call ``hint`` with a folder's id soon after something in it changed.

        It is called on a thread of its own; what is returned ends it and waits for its threads.
        """
        ...


class PageMeaning(NamedTuple):
    """What a question to the pages means.

    Attributes:
        model_id: Model that says so; vectors of others are not compared.
        calibration: What its cosines say.
        vector: Waits for the vector; None where no model could make it.
    """

    model_id: str
    calibration: Calibration
    vector: Callable[[], FloatVector | None]


class LookNote(NamedTuple):
    """How one look at a folder went.

    Attributes:
        state: As in ``FolderLook``.
        n_other: Files that are no text and were left alone.
        looked_at: When it ended; None while it goes on.
        is_watched: Whether the system tells of changes.
        every_seconds: How often it is looked at without being told.
    """

    state: str
    n_other: int
    looked_at: datetime | None
    is_watched: bool
    every_seconds: float


class WorldIndex(Protocol):
    """The index of one workspace's pages; it may be lost at any time and is made anew."""

    def settle(
        self,
        folder: WorldFolder,
        stamps: Sequence[FileStamp],
        read: Callable[[FileStamp], ReadPage],
        *,
        at: datetime,
        report: Callable[[int, int], None],
        goes_on: Callable[[], bool],
    ) -> tuple[PageChange, ...]:
        """Bring the index to what a scan saw: read what changed, 50 pages a transaction.

        Args:
            folder: The folder.
            stamps: Everything that the scan saw.
            read: Reads one file.
            at: Now.
            report: Hears how many of how many changed files are done.
            goes_on: Asked between files; False ends it with what is done.
        """
        ...

    def note_look(self, folder_id: str, note: LookNote) -> None:
        """Keep how a look began or ended; while it goes on, the instant of the one before stays."""
        ...

    def search(
        self, query: WorldQuery, folders: Sequence[WorldFolder], meaning: PageMeaning
    ) -> WorldAnswer:
        """Find passages in these folders."""
        ...

    def pages(
        self, *, folder_id: str = "", under: str = "", limit: int = 500, after: str = ""
    ) -> tuple[Page, ...]:
        """Pages by path, those that are gone left out; ``after`` is a path to go on from."""
        ...

    def named(self, key: str) -> tuple[Page, ...]:
        """Pages whose id, path, title, alias or file name this is, as names are compared.

        One whose id or whole path it is comes alone; those that are gone are left out.
        """
        ...

    def page(self, page_id: str) -> WholePage:
        """A page with its text.

        Raises:
            NotFoundError: There is none.
        """
        ...

    def block_page(self, block_id: str) -> WholePage:
        """The page that holds a block; raises like ``page``."""
        ...

    def changes(self, since: int, limit: int) -> tuple[PageChange, ...]:
        """What was noticed after a number, oldest first; the last 5,000 are kept."""
        ...

    def blocks(self, ids: Collection[str]) -> Mapping[str, tuple[Page, Block]]:
        """Blocks by id, each with the page that has it now; what is gone is left out."""
        ...

    def passages_sharing(self, words: Sequence[str], limit: int) -> tuple[tuple[str, str], ...]:
        """Block ids and texts of the passages that share the most of these words."""
        ...

    def knows_name(self, name: str) -> bool:
        """Whether a word or name stands in any page."""
        ...

    def looks(self, folders: Sequence[WorldFolder]) -> tuple[FolderLook, ...]:
        """How each folder was last looked at."""
        ...

    def without_vector(self, model_id: str, limit: int) -> tuple[tuple[str, str], ...]:
        """Id and text of passages without a vector of this model, the latest changed first."""
        ...

    def put_vectors(self, model_id: str, made: Sequence[tuple[str, FloatVector]]) -> None:
        """Store vectors of passages by id; those of passages that are gone are left out."""
        ...

    def vector_counts(self, model_id: str) -> tuple[int, int]:
        """How many passages have a vector of this model, and how many passages there are."""
        ...

    def look_notes(self) -> Mapping[str, LookNote]:
        """How each folder was last looked at, by its id; without figures, which take longer."""
        ...

    def note_reading(self, page_id: str) -> None:
        """Keep which page the author reads; empty for none."""
        ...

    def page_read(self) -> Page | None:
        """The page that the author reads; None while there is none."""
        ...

    def keep_folders(self, folder_ids: Collection[str]) -> None:
        """Forget everything of all other folders."""
        ...

    def drop(self) -> None:
        """Remove the file; the next look makes it anew."""
        ...


class WorldIndexes(Protocol):
    """The indexes of all workspaces."""

    def of(self, workspace_id: str) -> WorldIndex:
        """The index of one, made if it is not there; a wrong or damaged one is set aside first."""
        ...


class PageWriter(Protocol):
    """The only one that writes into a world folder, and only by an accepted proposal."""

    def digest(self, data: bytes) -> bytes:
        """BLAKE2b of 16 bytes: what a page is compared by."""
        ...

    def text_of(self, folder: WorldFolder, path: str) -> tuple[str, bytes]:
        r"""What a page says now, with ``\n`` between lines, and the digest of its bytes.

        Raises:
            NotFoundError: It is not there.
            InvalidValueError: A link stands on the way, or its encoding is only guessed.
            OutsideFileError: It cannot be read.
        """
        ...

    def change(
        self,
        folder: WorldFolder,
        path: str,
        base: bytes,
        text: str,
        keep: Callable[[bytes], None],
    ) -> bytes:
        r"""Replace a page if it is byte for byte what the digest says; the digest it has then.

        Args:
            folder: Its folder.
            path: Below the folder.
            base: Digest of the bytes that the difference was made against.
            text: The new text, with ``\n`` between lines; newlines, byte order mark, encoding and
                mode of the file stay.
            keep: Called with the old bytes before anything is exchanged.

        Raises:
            ConflictError: The page says something else by now; nothing was changed.
            InvalidValueError: It cannot be written: a link on the way, encoding guessed, a name
                that no file may have.
            OutsideFileError: The disk refuses.
        """
        ...

    def create(self, folder: WorldFolder, path: str, text: str) -> bytes:
        """Make a new page, never over another; raises like ``change``."""
        ...

    def move(self, folder: WorldFolder, path: str, to: str, base: bytes) -> None:
        """Give a page another path in its folder, never over another; raises like ``change``."""
        ...

    def set_back(
        self,
        folder: WorldFolder,
        path: str,
        now: bytes,
        data: bytes,
        keep: Callable[[bytes], None] | None = None,
    ) -> None:
        """Put kept bytes back while the page is what it was made; raises like ``change``."""
        ...

    def remove_made(self, folder: WorldFolder, path: str, now: bytes) -> None:
        """Take away a page that a proposal made, while it is as it was made."""
        ...

    def tidy(self, folder: WorldFolder, path: str, known: Collection[bytes]) -> None:
        """Remove what a killed program left beside a page an hour ago or earlier.

        Only what stands elsewhere goes; the rest may be what the author wrote.

        Args:
            folder: Its folder.
            path: Of the page.
            known: Digests of bytes that are kept.

        Raises:
            OutsideFileError: The disk refuses.
        """
        ...
