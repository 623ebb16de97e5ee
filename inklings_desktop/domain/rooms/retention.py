"""How long what agents leave behind is kept without anybody asking: messages stay, this goes.

Source: design of the World Agent, "Data model".
"""

from __future__ import annotations

from datetime import timedelta

RUNS_KEPT_FOR = timedelta(days=180)
TRACE_DETAILS_KEPT_FOR = timedelta(days=14)
MAX_TRACE_DETAIL_BYTES = 50 * 1024 * 1024
"""Of one workspace; of more the oldest go first."""
REQUESTS_KEPT_FOR = timedelta(days=7)
