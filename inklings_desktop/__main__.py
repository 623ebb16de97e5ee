"""The window: ``inklings-desktop`` or ``python -m inklings_desktop``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from inklings_desktop import __version__


def main() -> int:
    """Show the window; the exit status of the process."""
    parser = argparse.ArgumentParser(
        prog="inklings-desktop",
        description="The window on what your world-building agent remembers.",
    )
    parser.add_argument("link", nargs="?", default="", help="where to go: inklings://memory/ID")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument("--data-dir", type=Path, help="folder of all data, instead of the usual")
    parser.add_argument("--demo", action="store_true", help="open the sample world")
    parser.add_argument("--tour", type=Path, metavar="DIR", help="draw every page into DIR")
    parser.add_argument("--smoke-test", action="store_true", help="try everything once and leave")
    chosen = parser.parse_args()

    from inklings_desktop.bootstrap import run_window

    return run_window(
        chosen.data_dir,
        demo=chosen.demo,
        tour=chosen.tour,
        smoke_test=chosen.smoke_test,
        link=chosen.link,
    )


if __name__ == "__main__":
    sys.exit(main())
