"""Records anew what the window looks like, says and asks.

    python -m tests.oracle

Look at what changes: ``git diff`` names states; ``python -m tests.oracle.drawing FOLDER`` draws
them, here and in a checkout of an earlier commit.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

N_PLAYS = 4


def main() -> None:
    """Draw, listen and count, and write it down."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import qVersion
    from PySide6.QtWidgets import QApplication

    from inklings_desktop.bootstrap import make_sample_world
    from tests.oracle import records
    from tests.oracle.acts import most_of, statements_of_acts

    if qVersion() != records.RECORDED_WITH:
        sys.exit(
            f"Qt {qVersion()} is installed; pictures are recorded with {records.RECORDED_WITH}."
        )
    with tempfile.TemporaryDirectory(prefix="inklings-oracle-") as name:
        folder = Path(name)
        records.draw(folder / "states")
        records.PICTURES.write_text(records.pictures_told(folder / "states"), encoding="utf-8")
        records.TREES.write_text(records.trees_told(folder / "states"), encoding="utf-8")
        records.LANGUAGES.write_text(records.languages_told(folder), encoding="utf-8")
        app = QApplication(sys.argv[:1])
        make_sample_world(folder / "world")
        roots = [shutil.copytree(folder / "world", folder / str(one)) for one in range(N_PLAYS)]
        plays = [statements_of_acts(root) for root in roots]
        records.STATEMENTS.write_text(most_of(plays), encoding="utf-8")
        app.quit()


if __name__ == "__main__":
    main()
