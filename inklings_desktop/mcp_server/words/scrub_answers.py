"""Scrub as the agent's door tells of it: figures and outcomes, none of what was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.scrub.manifest import ScrubKind
from inklings_desktop.domain.scrub.scrub_request import ScrubRequestState
from inklings_desktop.mcp_server.words.answers import time_text

if TYPE_CHECKING:
    from inklings_desktop.domain.scrub.scrub_request import ScrubFigures, ScrubRequest
    from inklings_desktop.mcp_server.words.shapes import Asked, Counted, Purge

_COUNTED = (
    "Nothing was removed. scrub_execute asks the author to confirm it, with this token and the"
    " phrase as confirm."
)
_RUNS_COUNTED = (
    "Nothing was removed. Called again with this token, and the phrase as confirm, it asks the"
    " author to confirm it."
)
_NO_WINDOW = (
    "No window of Inklings is open now, and only there the author can confirm: ask the author to"
    " open it first."
)
_MESSAGES = {
    ScrubRequestState.WAITING: (
        "Nothing was removed yet: the author confirms or declines it in the window of Inklings."
        " Call scrub_execute again with this request to hear what became of it."
    ),
    ScrubRequestState.CONFIRMED: (
        "The author has confirmed it, and it is being carried out. Call again in a few seconds."
    ),
    ScrubRequestState.EXECUTED: "It was carried out. What was removed can't be restored.",
    ScrubRequestState.DECLINED: "The author declined. Nothing was removed; do not ask again.",
    ScrubRequestState.EXPIRED: (
        "Nobody answered in ten minutes. Nothing was removed. Ask the author first, then call"
        " scrub_preview again."
    ),
    ScrubRequestState.CHANGED: (
        "Memory changed since the preview, so the request is no longer valid. Nothing was removed."
        " Call scrub_preview again."
    ),
    ScrubRequestState.WITHDRAWN: (
        "The author withdrew the right to ask for this. Nothing was removed."
    ),
}


def figures_answer(figures: ScrubFigures) -> Counted:
    """The dry run, with the token and the phrase that asking takes."""
    return {
        "tier": figures.scope.tier.value,
        "scope": figures.scope.key,
        "mode": figures.mode.value,
        "counted_at": time_text(figures.counted_at),
        "digest": figures.digest,
        "removed": figures.n_removed,
        "by_kind": dict(figures.by_kind),
        "by_curator": dict(figures.by_curator),
        "by_lifetime": dict(figures.by_lifetime),
        "forgotten": figures.n_forgotten,
        "proposals": figures.n_proposals,
        "golden_questions": figures.n_questions,
        "kept": figures.n_kept,
        "phrase": figures.phrase,
        "token": figures.token,
        "expires_at": time_text(figures.expires_at),
        "message": _COUNTED if figures.has_window else f"{_COUNTED} {_NO_WINDOW}",
    }


def runs_answer(figures: ScrubFigures) -> Purge:
    """What a purge of run state would remove, with what asking for it takes."""
    counts = dict(figures.by_kind)
    return {
        "status": "counted",
        "conversation": figures.scope.key,
        "checkpoints": counts.get(ScrubKind.CHECKPOINT, 0),
        "writes": counts.get(ScrubKind.CHECKPOINT_WRITE, 0),
        "traces": counts.get(ScrubKind.TRACE, 0),
        "compactions": counts.get(ScrubKind.COMPACTION, 0),
        "messages": counts.get(ScrubKind.MESSAGE, 0),
        "token": figures.token,
        "phrase": figures.phrase,
        "expires_at": time_text(figures.expires_at),
        "message": _RUNS_COUNTED if figures.has_window else f"{_RUNS_COUNTED} {_NO_WINDOW}",
    }


def purge_answer(request: ScrubRequest) -> Purge:
    """How a request for a purge stands, and what to do next."""
    said = _MESSAGES[request.state]
    return {
        "status": request.state.value,
        "conversation": request.scope.key,
        "request": request.id,
        "expires_at": time_text(request.expires_at),
        "ended_at": time_text(request.ended_at),
        "event": request.event_number,
        "message": said.replace("scrub_execute", "this tool").replace("scrub_preview", "this tool"),
    }


def request_answer(request: ScrubRequest) -> Asked:
    """How a request stands, and what to do next."""
    return {
        "status": request.state.value,
        "request": request.id,
        "tier": request.scope.tier.value,
        "scope": request.scope.key,
        "mode": request.mode.value,
        "entries": request.n_removed,
        "expires_at": time_text(request.expires_at),
        "ended_at": time_text(request.ended_at),
        "event": request.event_number,
        "message": _MESSAGES[request.state],
    }
