"""A scrub that an agent asks for, as tests need it."""

from __future__ import annotations

from typing import Any

from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.scrub.manifest import ScrubMode
from inklings_desktop.domain.scrub.scrub_request import REQUEST_LIFE, ScrubRequest
from tests.support.builders import NOON, WORKSPACE_ID

REQUEST_ID = "0b6f7c52-0000-4000-8000-000000000001"


def a_request(**changes: Any) -> ScrubRequest:
    """A request of ``loom`` about the workspace tier."""
    values: dict[str, Any] = {
        "id": REQUEST_ID,
        "client": "loom",
        "scope": ScopeKey.workspace(WORKSPACE_ID),
        "mode": ScrubMode.KEEP_NAMED,
        "digest": "7f3ac21e" * 8,
        "n_removed": 43,
        "asked_at": NOON,
        "expires_at": NOON + REQUEST_LIFE,
    }
    return ScrubRequest(**values | changes)
