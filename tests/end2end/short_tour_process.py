"""The window's program with the tour of the smoke test: one state of each page, not every state.

python -m tests.end2end.short_tour_process --demo --tour DIR
"""

from __future__ import annotations

import sys

from inklings_desktop.__main__ import main
from inklings_desktop.ui.tour import stops as tour_stops

if __name__ == "__main__":
    tour_stops.STOPS = tour_stops.SHORT  # type: ignore[assignment]  # fewer of the same
    sys.exit(main())
