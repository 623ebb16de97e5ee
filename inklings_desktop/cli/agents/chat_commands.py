"""``inklings chat``: talk with the World Agent on the terminal."""

from __future__ import annotations

import sys
from contextlib import ExitStack, closing, suppress
from typing import TYPE_CHECKING, Any

import typer

from inklings_desktop.acp_wire import words
from inklings_desktop.agent_client import rows
from inklings_desktop.agent_client.launching import leave_folder
from inklings_desktop.agent_client.plain_process import PlainProcess
from inklings_desktop.agent_client.recording import answer_of, answering, handed_over
from inklings_desktop.agent_client.rows import ProblemBlock
from inklings_desktop.agent_client.session import Problem, problem_of_keeping
from inklings_desktop.agent_client.talk import is_command, new_turn
from inklings_desktop.agent_client.terminal_chat import AgentProblemError, TerminalChat
from inklings_desktop.cli.agents.agent_commands import letting_in
from inklings_desktop.cli.agents.agent_options import ChatOptions
from inklings_desktop.cli.agents.chat_terminal import ChatTerminal, granting, problem_failure
from inklings_desktop.cli.agents.chosen_agent import UNUSED, MemoryWatch, chosen_agent, launch
from inklings_desktop.cli.command import program_command, require_root
from inklings_desktop.cli.documents import turn_document
from inklings_desktop.cli.messages import (
    INTERRUPTED,
    REFUSED,
    CommandFailedError,
    refused,
    wrong_usage,
)
from inklings_desktop.cli.output import json_line, one_line
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.scopes import find_channel, required_workspace
from inklings_desktop.cli.typed_text import given_text
from inklings_desktop.data_root import default_data_dir
from inklings_desktop.domain.errors import InklingsError
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import DEFAULT_CHANNEL, ConversationState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from inklings_desktop.agent_client.presets import Agent
    from inklings_desktop.agent_client.rows import Turn
    from inklings_desktop.cli.program import Program
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings


_GOING_ON = frozenset({f"/{words.CONTINUE}", f"/{words.RETRY}"})


@dataclass(frozen=True, slots=True)
class _Where:
    """Where one talks."""

    workspace: str
    conversation: str
    ref_code: str


def add_chat_command(app: typer.Typer) -> None:
    """Add the command that stands alone."""
    program_command(app, "chat", ChatOptions, chat)


def chat(program: Program, options: ChatOptions) -> Answer:
    """Talk with an agent: line by line, or one message and its answer."""
    message = None if options.message is None else given_text(options.message)
    if message is not None and not message.strip():
        raise wrong_usage("A message needs at least one word.")
    require_root(options)
    with program.open_inklings(options.data_dir, workspace=options.workspace) as inklings:
        agent = chosen_agent(inklings, options.agent)
        where = _where(inklings, options, message, agent)
        data_dir = (options.data_dir or default_data_dir()).absolute()
        launched = launch(program, inklings, agent, data_dir, where.workspace)
        watch = MemoryWatch("" if agent is None else agent.client, inklings.clock)
    terminal = ChatTerminal(as_json=options.as_json)

    def start() -> PlainProcess:
        return PlainProcess(launched.command, launched.variables, launched.folder)

    def keep(
        session: str,
        turn: str,
        said: Sequence[Mapping[str, Any]],
        then: Callable[[Problem | None], None],
    ) -> None:
        try:
            with program.open_inklings(options.data_dir, workspace=where.workspace) as inklings:
                inklings.messages.keep_said(where.workspace, session, turn, said)
        except InklingsError as error:
            then(problem_of_keeping(error))
        else:
            then(None)

    def record(answer: Turn) -> None:
        if agent is not None:
            with program.open_inklings(options.data_dir, workspace=where.workspace) as inklings:
                inklings.messages.keep_answer(
                    where.workspace, where.conversation, agent.client, answer_of(answer)
                )
                if watch.is_unused(inklings):
                    typer.echo(UNUSED, err=True)

    chat = TerminalChat(start, terminal, keep=keep, guest=launched.guest, record=record)
    with ExitStack() as leaving:
        leaving.callback(leave_folder, launched.folder)
        talk = leaving.enter_context(closing(chat))
        try:
            if message is not None and not is_command(message):
                talk.keep_first(where.conversation, message)
            talk.open(where.conversation)
            talk.thread.ref_code = where.ref_code
            if message is not None:
                return _answered(talk, terminal, message)
            status = _line_by_line(talk, terminal, as_json=options.as_json)
        except AgentProblemError as error:
            failure = problem_failure(error.problem, error.last_lines)
            raise CommandFailedError(failure) from error
    # Every turn has been printed.
    raise typer.Exit(status)


def _where(
    inklings: Inklings, options: ChatOptions, message: str | None, agent: Agent | None
) -> _Where:
    """The conversation, begun where none is named, in which the agent takes part."""
    workspace = required_workspace(inklings)
    client = words.WORLD_AGENT if agent is None else agent.client
    _require_grant(inklings, workspace, agent)
    key = options.conversation
    if key is None and options.channel is None and message in _GOING_ON:
        key = _latest(inklings, workspace)
    if key is None:
        channel = options.channel
        found = None if channel is None else find_channel(inklings, workspace, channel).id
        conversation = inklings.conversations.start(workspace.id, channel=found or DEFAULT_CHANNEL)
    elif options.channel is not None:
        raise wrong_usage("--channel belongs to a new conversation; leave out one of the two.")
    else:
        conversation = inklings.conversations.get(workspace.id, key)
    if conversation.state is ConversationState.ARCHIVED:
        raise CommandFailedError(problem_failure(Problem(words.CONVERSATION_ARCHIVED)))
    inklings.conversations.invite(workspace.id, conversation.id, client)
    said, _ = inklings.messages.list(workspace.id, conversation.id, limit=1)
    if (answering(said) or words.WORLD_AGENT) != client:
        title = client if agent is None else agent.title
        over = handed_over(new_turn(0), client, title)
        inklings.messages.keep_answer(workspace.id, conversation.id, client, over)
    return _Where(workspace.id, conversation.id, conversation.ref_code)


def _latest(inklings: Inklings, workspace: Workspace) -> str | None:
    """The conversation in which something was said last: the one that goes on without a name."""
    heads = inklings.messages.heads(workspace.id).values()
    open_ones = [one for one in heads if one.state is not ConversationState.ARCHIVED]
    latest = max(open_ones, key=lambda one: one.last_at, default=None)
    return None if latest is None else latest.conversation_id


def _require_grant(inklings: Inklings, workspace: Workspace, agent: Agent | None) -> None:
    client = words.WORLD_AGENT if agent is None else agent.client
    for one in inklings.clients.list():
        if one.client.name == client and one.client.rights_in(workspace.id):
            return
    if agent is None:
        raise refused(words.NOT_GRANTED, granting(workspace.name))
    raise refused(
        words.NOT_GRANTED,
        f"You have not let {one_line(agent.title)} in yet. It would read this world and the "
        f"conversations it takes part in. Let it in with: {letting_in(client, workspace.name)}",
    )


def _answered(talk: TerminalChat, terminal: ChatTerminal, message: str) -> Answer:
    """One message and what came of it; all of it is printed by now, but for the document."""
    turn = _say(talk, terminal, message)
    problem = _problem(turn)
    notes = []
    if turn.state == rows.STOPPED:
        notes.append("Stopped. What was written stays.")
    elif problem is not None and terminal.is_silent:
        notes.append(problem_failure(problem).message)
    return Answer(_document(talk, turn), [], notes, _status(turn, problem))


def _line_by_line(talk: TerminalChat, terminal: ChatTerminal, *, as_json: bool) -> int:
    """Every line is a message; the exit status."""
    is_typed = sys.stdin.isatty()
    if is_typed:
        hint = "Ctrl+C stops an answer, Ctrl+D leaves; /end ends the conversation."
        typer.echo(
            f"Conversation {one_line(talk.thread.ref_code or talk.session)}. {hint}", err=True
        )
    status = 0
    for line in _typed_lines(is_typed=is_typed):
        turn = _say(talk, terminal, line)
        status = _status(turn, _problem(turn))
        if as_json:
            typer.echo(json_line(_document(talk, turn)))
    return status


def _say(talk: TerminalChat, terminal: ChatTerminal, text: str) -> Turn:
    with terminal.turn():
        turn = talk.say(text)
    terminal.touched(turn)
    return turn


def _typed_lines(*, is_typed: bool) -> Iterator[str]:
    if is_typed:
        with suppress(ImportError):
            import readline  # noqa: F401 - lets a person edit the line that is typed
    while True:
        try:
            line = input("> ") if is_typed and sys.stdout.isatty() else sys.stdin.readline()
        except EOFError:
            return
        except UnicodeDecodeError:
            raise refused("encoding", "A line is not UTF-8 text. It was not said.") from None
        if not line and not (is_typed and sys.stdout.isatty()):
            return
        if not is_typed and line.rstrip().endswith(":"):
            line += _paragraph()
        if line.strip():
            yield line.strip()


def _paragraph() -> str:
    """What comes next, to the end or an empty line: what a list was announced for, in a pipe."""
    found = ""
    while line := sys.stdin.readline():
        if not line.strip() and found.strip():
            break
        found += line
    return found


def _problem(turn: Turn) -> Problem | None:
    found = [block for block in turn.blocks if isinstance(block, ProblemBlock)]
    return Problem(found[-1].word, found[-1].detail, values=found[-1].values) if found else None


def _status(turn: Turn, problem: Problem | None) -> int:
    if turn.state == rows.STOPPED:
        return INTERRUPTED
    if turn.state == rows.COMPLETE:
        return 0
    return REFUSED if problem is None else problem_failure(problem).status


def _document(talk: TerminalChat, turn: Turn) -> dict[str, Any]:
    return {
        "conversation": {"id": talk.session, "ref_code": talk.thread.ref_code or None},
        "turn": turn_document(turn),
    }
