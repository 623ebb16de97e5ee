"""The databases of a sample world, and the world opened over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.embeddings.following_embedder import NullEmbedder

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from inklings_desktop.usecases.bundle import Inklings


def opened(root: Path) -> AbstractContextManager[Inklings]:
    """The data root without a model, so that no vector is made on the way."""
    return open_inklings(root, embedder=NullEmbedder("none"), embed_writes=False)


def world_of(root: Path) -> Path:
    """The largest of the sample's workspaces."""
    return max((root / "workspaces").glob("*/agents.db"), key=lambda one: one.stat().st_size)
