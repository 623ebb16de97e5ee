"""What a turn did, step by step, for the person to look at later: ids and figures, and details."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from inklings_desktop.domain.runs.run_rows import run_id_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.agent.ports import RunState


def trace_orientation(
    runs: RunState, conversation: str, turn: str, items: Sequence[Mapping[str, Any]]
) -> None:
    """Note which memories a turn began with."""
    summary = {"touched": list(items)}
    runs.add_trace(run_id_of(conversation, turn), "orient", "tool", summary)


def trace_call(
    runs: RunState,
    conversation: str,
    turn: str,
    result: Mapping[str, Any],
    decided: Mapping[str, Any],
) -> None:
    """Note one call: what it was, what became of it, and the text that it replaced."""
    part = result["part"]
    arguments = json.dumps(result["call"]["arguments"], sort_keys=True, ensure_ascii=False)
    summary = {
        "id": part["id"],
        "tool": part["tool"],
        "status": part["status"],
        "outcome": part["outcome"],
        "ms": part["ms"],
        "decision": decided.get("decision", ""),
        "arguments": hashlib.sha256(arguments.encode()).hexdigest(),
        "touched": [
            {key: one[key] for key in ("id", "tier", "version", "how")} for one in part["touched"]
        ],
    }
    detail = {
        "call": result["call"],
        "outcome": result["outcome"],
        "before": decided.get("before"),
    }
    runs.add_trace(run_id_of(conversation, turn), "act", "tool", summary, detail)
