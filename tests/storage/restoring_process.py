"""A program that restores a backup over and over; tests kill it.

Arguments: data root, name of the backup.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.storage.keeping import DRAFT, keeping, keeping_as_it_is
from tests.support.builders import NOON


def restore(root: str, name: str) -> None:
    """Bring a backup back, once."""
    with keeping_as_it_is(Path(root)) as kept:
        kept.keeper.restore(name, DRAFT, NOON)


def main(root: str, name: str) -> None:
    """Change the file, then bring the backup back; say when each restore begins and ends."""
    with keeping(Path(root)) as kept:
        sys.stdout.write("ready\n")
        while True:
            kept.write("written after the backup")
            sys.stdout.write("begin\n")
            sys.stdout.flush()
            kept.keeper.restore(name, DRAFT, NOON)
            sys.stdout.write("done\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
