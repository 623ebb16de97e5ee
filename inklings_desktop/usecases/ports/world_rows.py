"""What the use cases keep of the author's pages in a workspace's own file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from inklings_desktop.domain.world.derivations import (
        KeptVersion,
        PageDerivation,
        Retcon,
        RetconState,
    )
    from inklings_desktop.domain.world.pages import WorldFolder


class WorldRepository(Protocol):
    """What a workspace's file knows of pages and cannot be rebuilt from them."""

    def folders(self) -> tuple[WorldFolder, ...]:
        """Linked folders by name."""
        ...

    def save_folder(self, folder: WorldFolder) -> None:
        """Add or change one.

        Raises:
            ConflictError: Another one has its name.
        """
        ...

    def remove_folder(self, folder_id: str) -> None:
        """Unlink one; its derivations become ``unknown``, its open retcons go."""
        ...

    def put_derivations(
        self, memory_id: str, derived: Sequence[PageDerivation], bases: Mapping[bytes, str]
    ) -> None:
        """What a memory comes from, in place of what was there; with the texts that it names.

        Raises:
            NotFoundError: There is no such memory.
        """
        ...

    def derivations_of(self, memory_ids: Collection[str]) -> tuple[PageDerivation, ...]:
        """Those of some memories, in one statement."""
        ...

    def derivations_on(self, folder_id: str, path: str) -> tuple[PageDerivation, ...]:
        """Those that point at a page, of forgotten memories too."""
        ...

    def derivations_to_pages(self) -> tuple[PageDerivation, ...]:
        """All that point at a page or block of a linked folder, of forgotten memories too."""
        ...

    def derivations_changed(self) -> tuple[PageDerivation, ...]:
        """Those of active memories whose page says something else now, or is gone."""
        ...

    def unresolved(self) -> tuple[str, ...]:
        """Active memories with a reference of which no page is known, in the order of writing."""
        ...

    def counts_by_page(self, folder_id: str) -> Mapping[str, tuple[int, int]]:
        """For each path how many active memories come from it, and from a text that changed."""
        ...

    def base(self, digest: bytes) -> str:
        """The text of a digest; empty where it has left."""
        ...

    def retcons(self, states: Collection[RetconState]) -> tuple[Retcon, ...]:
        """Retcons in these states, the latest found first."""
        ...

    def retcon(self, retcon_id: str) -> Retcon:
        """One of them.

        Raises:
            NotFoundError: There is none.
        """
        ...

    def save_retcon(self, retcon: Retcon) -> None:
        """Add or change one."""
        ...

    def keep_version(self, version: KeptVersion, data: bytes) -> None:
        """Keep what a page said; the oldest leave beyond 20 a page and 64 MiB a workspace."""
        ...

    def versions(self, folder_id: str = "", path: str = "") -> tuple[KeptVersion, ...]:
        """Kept versions, of one page or of all, the latest first."""
        ...

    def version_bytes(self, version_id: str) -> bytes:
        """What the page said.

        Raises:
            NotFoundError: It is not kept.
        """
        ...
