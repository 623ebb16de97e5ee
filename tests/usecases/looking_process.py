"""A program that looks at the folders of a workspace when it is told, and says what it noticed."""

from __future__ import annotations

import sys
from pathlib import Path

from inklings_desktop.bootstrap import open_inklings
from inklings_desktop.domain.errors import AlreadyRunningError
from inklings_desktop.embeddings.following_embedder import NullEmbedder
from tests.storage.writer_process import say


def main(root: str, place: str) -> None:
    """One look for every line on standard input."""
    none = NullEmbedder("none")
    with open_inklings(Path(root), embedder=none, embed_writes=False) as inklings:
        say("ready")
        for _line in sys.stdin:
            try:
                say(str(len(inklings.world.look(place))))
            except AlreadyRunningError:
                say("busy")


if __name__ == "__main__":
    main(*sys.argv[1:])
