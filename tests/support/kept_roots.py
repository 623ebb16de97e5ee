"""Data roots that many tests begin with: made by the first of them, copied for the others."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from filelock import FileLock

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def copied_or_made(kept: Path, root: Path, make: Callable[[], object]) -> None:
    """Fill a data root as an earlier test of this run did, or by making it.

    Args:
        kept: A folder of the whole run for what is made, which other workers may make; nobody
            opens it.
        root: Where it shall be; nothing is there.
        make: Makes it, and leaves it closed.
    """
    with FileLock(kept.with_name(f"{kept.name}.lock")):
        if not kept.exists():
            make()
            shutil.copytree(root, kept)
            return
    shutil.copytree(kept, root)
