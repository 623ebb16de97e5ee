"""``inklings hook``: what programs with hooks call when a session begins and ends.

Each reads the program's JSON on standard input and prints one JSON object, nothing else. Whatever
goes wrong, the exit status is 0 and standard output empty: a session never ends for our sake.
"""

from __future__ import annotations

import hashlib
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inklings_desktop.cli.agents.agent_options import (
    HookOptions,
    SessionEndOptions,
    SessionStartOptions,
)
from inklings_desktop.cli.command import group, program_command
from inklings_desktop.cli.messages import failure_of, refused
from inklings_desktop.cli.output import counted, json_line, local_time, one_line
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.scopes import required_workspace
from inklings_desktop.cli.typed_text import STDIN, file_text
from inklings_desktop.domain.access.access import Action, authorize_some
from inklings_desktop.domain.access.clients import ClientCall
from inklings_desktop.domain.access.connections import (
    hook_call,
    started_answer,
    summary_in,
    told,
)
from inklings_desktop.domain.errors import InklingsError, ScopeDeniedError
from inklings_desktop.domain.memory import ScopeKey, Tier
from inklings_desktop.domain.rooms.conversation import ConversationState
from inklings_desktop.domain.words.summary import summary_points
from inklings_desktop.usecases.rooms.orient import OrientationRequest
from inklings_desktop.usecases.steps.reading_on import read_on

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import typer

    from inklings_desktop.cli.program import Program
    from inklings_desktop.domain.access.connections import HookCall
    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.rooms.close_conversations import ConversationEnd

SESSION_NOTE = "session"
"""Key of the note that says which summary of which session a conversation stands for."""


def hook_group() -> typer.Typer:
    """Every hook."""
    hooks = group("hook", "Hooks: what a client's program calls when a session begins and ends.")
    program_command(hooks, "session-start", SessionStartOptions, session_start)
    program_command(hooks, "session-end", SessionEndOptions, session_end)
    return hooks


def session_start(program: Program, options: SessionStartOptions) -> Answer:
    """Print the orientation that a session begins with, as the client, for its program.

    With the channel of the conversation that the client left last, where summaries are kept.
    Reads the program's JSON on standard input. Exit status: always 0.
    """
    call = hook_call(file_text(STDIN))
    with program.open_inklings(options.data_dir, workspace=options.workspace) as inklings:
        workspace_id = required_workspace(inklings).id

        def orient(mine: Inklings) -> tuple[dict[str, Any], int]:
            room = _left_last(mine, workspace_id)
            request = OrientationRequest(workspace_id, room, budget_tokens=options.budget)
            document = mine.orientation.orient(request)
            return started_answer(call.event, document.markdown), len(document.sent)

        return _printed(_as_client(inklings, options, "session_start", orient))


def session_end(program: Program, options: SessionEndOptions) -> Answer:
    """Keep the summary that the client's program wrote of a session; without one, do nothing.

    Reads the program's JSON on standard input. Every line of the summary that says something
    becomes a memory of the channel, once; headings and code do not. Exit status: always 0.
    """
    call = hook_call(file_text(STDIN))
    summary = told(call.summary or _transcribed(call))
    points = summary_points(summary)
    if not points:
        return _printed({})
    with program.open_inklings(options.data_dir, workspace=options.workspace) as inklings:

        def keep(mine: Inklings) -> tuple[dict[str, Any], int]:
            end = _keep(mine, options, call.session, summary, points)
            if end is None or not (end.n_kept or end.n_held):
                return {}, 0
            n_lines = counted(end.n_kept, "line")
            said = f"Inklings keeps {n_lines} of this session's summary."
            if end.n_held:
                said += f" {counted(end.n_held, 'line')} of it must be decided by the author."
            return {"systemMessage": said}, 1

        return _printed(_as_client(inklings, options, "session_end", keep, is_write=True))


def _left_last(mine: Inklings, workspace_id: str) -> str | None:
    """The conversation of this client that came to rest last: its channel holds what was kept.

    One that goes on is another session's, and its memories are no business of this one.
    """
    try:
        rooms = mine.places.conversations(workspace_id)
    except ScopeDeniedError:
        return None
    return next((one.id for one in rooms if one.state is ConversationState.IDLE), None)


def _transcribed(call: HookCall) -> str:
    """The summary in the program's own file of the session; empty for none."""
    path = Path(call.transcript).expanduser()
    if not call.transcript or not path.is_file():
        return ""
    with path.open(encoding="utf-8", errors="replace") as lines:
        return summary_in(lines)


def _keep(
    mine: Inklings,
    options: SessionEndOptions,
    session: str,
    summary: str,
    points: Sequence[str],
) -> ConversationEnd | None:
    """Keep a summary in a conversation of its own, and what became of it; None if it was before.

    The conversation is marked before the summary is kept, so that a hook that was killed half-way
    goes on with it the next time.
    """
    workspace_id = required_workspace(mine).id
    authorize_some(mine.caller, Action.WRITE, Tier.CHANNEL, workspace_id)
    digest = hashlib.sha256("\n".join(points).encode()).hexdigest()
    mark = {"session": session, "summary": digest}
    rooms = {one.id: one for one in mine.places.conversations(workspace_id, include_archived=True)}
    scopes = [ScopeKey.conversation(workspace_id, id_) for id_ in rooms]
    marked = [
        rooms[one.conversation_id]
        for one in mine.notes.list(scopes)
        if one.key == SESSION_NOTE and json.loads(one.value_json) == mark
    ]
    if any(one.state is not ConversationState.ACTIVE for one in marked):
        return None
    room = marked[0] if marked else None
    if room is None:
        title = f"Session of {local_time(mine.clock())}"
        room = mine.conversations.start(workspace_id, channel=options.channel, title=title)
        # It takes part now.
        mine = mine.as_caller(mine.clients.admit(options.client, workspace_id))
        mine.notes.write(workspace_id, room.id, SESSION_NOTE, mark)
    return mine.conversations.end(workspace_id, room.id, summary=summary)


def _as_client(
    inklings: Inklings,
    options: HookOptions,
    tool: str,
    body: Callable[[Inklings], tuple[dict[str, Any], int]],
    *,
    is_write: bool = False,
) -> dict[str, Any]:
    """Do something as the client that was named, and note for the author that it asked for it."""
    began, workspace_id = time.monotonic(), required_workspace(inklings).id
    answer, n_entries, error = "stored" if is_write else "entries", 0, ""
    caller = read_on(lambda: inklings.clients.admit(options.client, workspace_id))
    mine = inklings.as_caller(caller)
    try:
        if is_write:
            inklings.clients.require_allowance(options.client)
        document, n_entries = read_on(lambda: body(mine))
    except ScopeDeniedError as denied:
        answer, error = "refused", failure_of(denied).kind
        mine.clients.note_refusal(tool.replace("_", "."), workspace_id, denied)
        raise _not_let_in(options, denied) from denied
    except InklingsError as failure:
        answer, error = "failed", failure_of(failure).kind
        raise
    finally:
        with suppress(InklingsError):  # what was done stays done
            inklings.clients.note_call(
                ClientCall(
                    options.client,
                    inklings.clock(),
                    tool,
                    None,
                    workspace_id,
                    answer,
                    n_entries,
                    error,
                    round((time.monotonic() - began) * 1_000),
                    is_write=answer == "stored",
                )
            )
    return document


def _not_let_in(options: HookOptions, denied: ScopeDeniedError) -> Exception:
    name = one_line(options.client)
    return refused(
        "scope_denied",
        f"{name} may not {denied.action} in the {denied.tier} tier, so this was not done. See what "
        "it may do with: inklings mcp clients",
    )


def _printed(document: dict[str, Any]) -> Answer:
    """The one JSON object that the program reads, whichever form was asked for."""
    return Answer(document, [json_line(document)])
