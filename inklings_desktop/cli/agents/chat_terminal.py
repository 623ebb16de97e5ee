"""The person's side of ``inklings chat``: what is printed as it comes, asked, said of faults."""

from __future__ import annotations

import re
import shlex
import signal
import string
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import typer

from inklings_desktop.acp_wire import words
from inklings_desktop.acp_wire.sentences import KEPT, SENTENCES
from inklings_desktop.acp_wire.shapes import list_of
from inklings_desktop.agent_client import permissions, session
from inklings_desktop.agent_client.growing import TOO_MUCH
from inklings_desktop.agent_client.launching import INSTALLING
from inklings_desktop.agent_client.rows import (
    READ,
    AskBlock,
    NoticeBlock,
    PlanBlock,
    ProblemBlock,
    StepBlock,
)
from inklings_desktop.agent_client.session import Problem
from inklings_desktop.agent_client.thread_state import UNKNOWN_STOP
from inklings_desktop.cli.messages import ENVIRONMENT, REFUSED, Failure
from inklings_desktop.cli.output import one_line, table, visible
from inklings_desktop.cli.progress import stop_asked

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator, Mapping, Sequence

    from inklings_desktop.agent_client.rows import Block, Turn
    from inklings_desktop.agent_client.terminal_chat import Picked

_OURS = {
    words.AGENT_NOT_INSTALLED: f"The World Agent is not installed. Install it with: {INSTALLING}",
    session.SIGN_IN_NEEDED: "The agent wants you to sign in there first.",
    session.AGENT_CANNOT: "The agent cannot do this.",
    session.NO_ANSWER: "The agent did not answer.",
}
_OLDER = {
    "agent": "The agent is older than Inklings, and they do not understand each other. Update it.",
    "window": "The agent is newer than Inklings, and they do not understand each other. Update"
    " Inklings.",
}
_OF_THE_MACHINE = frozenset(
    {
        words.AGENT_NOT_INSTALLED,
        words.AGENT_FAILED_TO_START,
        words.AGENT_GONE,
        words.MEMORY_UNREACHABLE,
    }
)
_EFFECTS = {
    "read": "read something",
    "search": "search for something",
    "edit": "change something",
    "delete": "remove something",
    "move": "move something",
    "execute": "run something",
    "fetch": "fetch something from elsewhere",
}
_OUTCOMES = {
    permissions.ALLOWED_ONCE: "Allowed once",
    permissions.ALLOWED_ALWAYS: "Allowed in this conversation",
    permissions.ALLOWED_LONGER: "Allowed for as long as the agent decides",
    permissions.DENIED: "Denied",
    permissions.LATER: "Left for later",
    permissions.WITHDRAWN: "Withdrawn",
}


def problem_sentence(problem: Problem) -> str:
    """What went wrong, and what to do."""
    if problem.word == words.AGENT_SPEAKS_OTHERWISE:
        return _OLDER.get(problem.detail, _OLDER["agent"])
    values = problem.values or {}
    if title := one_line(str(values.get("agent", "")), 60):
        return _of_another(problem, title, values)
    known = SENTENCES.get(problem.word) or _OURS.get(problem.word)
    if known is None:
        return f"The agent could not do this ({one_line(problem.word, 60)}). {KEPT}"
    is_told = problem.word in {words.AGENT_FAILED, words.AGENT_FAILED_TO_START} and problem.detail
    return f"{known} It says: {one_line(problem.detail, 200)}" if is_told else known


def _of_another(problem: Problem, title: str, values: Mapping[str, Any]) -> str:
    """What went wrong with another's agent, in our words, and what it says itself."""
    detail = one_line(problem.detail, 200)
    after = f" after {values['seconds']} s" if "seconds" in values else ""
    code = f" Code {detail}{after}." if detail.removeprefix("-").isdecimal() else ""
    if problem.word == words.AGENT_GONE:
        return f"{title} ended unexpectedly.{code} What it wrote stays."
    if problem.word == words.AGENT_FAILED_TO_START:
        return f"{title} did not start.{code}"
    says = f" It says: {detail}" if detail and not code else ""
    if problem.word == session.SIGN_IN_NEEDED:
        ways = [f"\n  {one_line(str(one))}" for one in list_of(values.get("ways"))]
        return f"{title} wants you to sign in there first.{says}{''.join(ways)}"
    known = SENTENCES.get(problem.word) or _OURS.get(problem.word)
    return f"{known or f'{title} could not answer.'}{says}"


def problem_failure(problem: Problem, last_lines: Sequence[str] = ()) -> Failure:
    """The failure that a problem with an agent means at this door; with its last words."""
    sentence = problem_sentence(problem)
    if last_lines and problem.word in {words.AGENT_FAILED_TO_START, words.AGENT_GONE}:
        sentence = "\n".join([sentence, *(f"  {one_line(line, 200)}" for line in last_lines)])
    status = ENVIRONMENT if problem.word in _OF_THE_MACHINE else REFUSED
    details = {"detail": problem.detail, "retry": problem.retry}
    return Failure(problem.word, sentence, status, details)


def granting(workspace: str) -> str:
    """The sentence that says how the World Agent is let in."""
    command = f"inklings --workspace {shlex.quote(workspace)} mcp grant {words.WORLD_AGENT}"
    return f"You have not let the World Agent in yet. Let it in with: {command} --as world-agent"


def effect_sentence(ask: AskBlock) -> str:
    """What will happen if the person allows it, in our own words."""
    if ask.effect:
        return ask.effect
    return f"The agent wants to {_EFFECTS.get(ask.kind, 'do something')}."


def outcome_words(ask: AskBlock) -> str:
    """How a question ended."""
    return _OUTCOMES.get(ask.outcome, _OUTCOMES[permissions.WITHDRAWN])


_KEYS = {
    words.ALLOW_ONCE: ("y", "allow once"),
    words.ALLOW_ALWAYS: ("a", "always in this conversation"),
    words.REJECT_ONCE: ("n", "deny"),
    words.REJECT_ALWAYS: ("r", "always deny"),
}
_ALLOW, _LATER = "y", ("l", "later")
_NOTICES = {
    words.UNDONE: "Undone.",
    words.SCRUBBED: "What was said here was scrubbed.",
    "branched": "Continued from another conversation.",
    "bookmark": "Bookmark.",
    words.FROM_HERE: "Another agent or model answers from here.",
    TOO_MUCH: "The agent did more than is shown.",
    UNKNOWN_STOP: "The agent ended its turn in a way that this version does not know.",
}
# A link to a memory, or the beginning of one of which the rest has not come yet.
_WORDS = r"((?:\\.|[^\[\]\\\n]){0,900})"
_LINK = re.compile(rf"\[{_WORDS}\]\(memory:[a-z]{{1,20}}/([0-9a-f-]{{36}})\)")
_BEGUN = re.compile(rf"\[{_WORDS}\\?(\](\([^)\s]{{0,70}})?)?\Z")
_MARKS = {"completed": "done", "failed": "failed", "refused": "refused"}

MOST_HELD: Final = 900
"""So much of a line waits for the star or the backquote that ends it."""
# Both are bounded: what an agent sends may be long, and full of stars that nothing closes.
_CODE = r"(?P<ticks>`+)(?!`)[^\n]{0,900}?(?<!`)(?P=ticks)(?!`)"
_EMPHASIS = (
    r"(?P<stars>\*{1,3})(?=[^\s*])(?P<words>(?:[^\n\\*]++|\\.|\*++){1,60}?)"
    r"(?<=[^\s*])(?P=stars)(?!\*)"
)
_WHOLE = re.compile(rf"\\.|{_CODE}|{_EMPHASIS}")
_PIECES = re.compile(rf"{_WHOLE.pattern}|(?P<open>`+|\*+(?=[^\s*]|\Z)|\\\Z)")


class ChatTerminal:
    """Prints an answer as it comes.

    Attributes:
        is_silent: Whether nothing is printed but what is asked: the answer is told as JSON.
    """

    def __init__(self, *, as_json: bool) -> None:
        self.is_silent = as_json
        self._stop: threading.Event | None = None
        self._is_withdrawn = False
        self._column_used = False
        self._begun = ""
        self._is_code = False

    @contextmanager
    def turn(self) -> Iterator[None]:
        """While a turn runs, the first Ctrl+C stops it, and a second one leaves."""
        self._is_withdrawn = self._is_code = False
        with stop_asked() as stop:
            self._stop = stop
            try:
                yield
            finally:
                self._stop = None
        self._end_line()

    def write(self, text: str) -> None:
        """Print text of the answer: no stars of emphasis, of a link the beginning of its id."""
        if self.is_silent:
            return
        text = self._begun + text
        begun = _BEGUN.search(text)
        end = min(n_whole(text), begun.start() if begun else len(text))
        self._begun = text[end:]
        self._print(text[:end])

    def show(self, block: Block) -> None:
        """Print something else of the answer, on lines of its own."""
        if self.is_silent:
            return
        for line in _lines(block):
            self._end_line()
            typer.echo(line)

    def touched(self, turn: Turn) -> None:
        """Print what the turn touched: how much it read, and each memory that it changed."""
        if self.is_silent or not turn.touched:
            return
        n_read = len([one for one in turn.touched if one.how == READ])
        changed = [one for one in turn.touched if one.how != READ]
        if n_read:
            typer.echo(f"  read {n_read:,}")
        for row in table([[f"  {one.how}", one.tier, one.id[:8]] for one in changed]):
            one = changed.pop(0)
            typer.echo(f"  {row}  {one_line(one.excerpt, 60)}".rstrip())
        if any(one.undo for one in turn.touched):
            typer.echo("  /undo undoes it")

    def ask(self, ask: AskBlock) -> Picked | None:
        """Ask the person; without a terminal nobody is asked."""
        self._end_line()
        if not sys.stdin.isatty():
            if ask.tool_name == words.COMMAND_END_TOOL:
                return words.OPTION_ONCE  # without a look it is kept, and the answer says which
            typer.echo(
                f"Refused, as nobody can be asked: {visible(effect_sentence(ask))}", err=True
            )
            return None
        typer.echo(visible(effect_sentence(ask)), err=True)
        typer.echo(f"It calls this: {one_line(ask.title, 200)}", err=True)
        for mark, text in (("-", ask.before), ("+", ask.after)):
            for line in (text or "").splitlines():
                typer.echo(f"  {mark} {visible(line)}", err=True)
        keys = {}
        for option in ask.options:
            is_later = option.id == words.OPTION_LATER
            key, name = _LATER if is_later else _KEYS.get(option.kind, ("", ""))
            if option.kind == words.ALLOW_ALWAYS and not ask.effect:
                name = "always; the agent decides for how long"
            if key and key not in keys:
                keys[key] = option.id
                typer.echo(f"  {key}  {name}", err=True)
        numbered = {str(n): one.id for n, one in enumerate(ask.choices, 1) if _ALLOW in keys}
        if numbered:
            typer.echo("  1 2  allow only these numbers", err=True)
        return self._picked(keys, numbered)

    def is_stopped(self) -> bool:
        return self._is_withdrawn or (self._stop is not None and self._stop.is_set())

    def _picked(self, keys: dict[str, str], numbered: dict[str, str]) -> Picked | None:
        """What the person typed: a letter, or numbers; Ctrl+C at a question stops the turn."""
        before = signal.getsignal(signal.SIGINT)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            while True:
                typer.echo(f"{'/'.join(keys)}: ", nl=False, err=True)
                line = sys.stdin.readline()
                if not line:
                    return None
                typed = line.lower().replace(",", " ").replace(" and ", " ").split()
                if typed and numbered.keys() >= set(typed):
                    return keys[_ALLOW], tuple(numbered[one] for one in typed)
                if numbered and any(map(str.isdigit, line)):
                    continue
                if (key := line.strip().lower()[:1]) in keys:
                    return keys[key]
        except KeyboardInterrupt:
            self._is_withdrawn = True
            return None
        finally:
            signal.signal(signal.SIGINT, before)

    def _print(self, text: str) -> None:
        text = _LINK.sub(lambda link: f"{link[1]} [{link[2][:8]}]", text)
        for line in text.splitlines(keepends=True):
            is_fence = not self._column_used and fences(line)
            self._is_code = self._is_code != is_fence
            typer.echo(visible(line if self._is_code else plain(line)), nl=False)
            self._column_used = not line.endswith("\n")
        sys.stdout.flush()

    def _end_line(self) -> None:
        begun, self._begun = self._begun, ""
        self._print(begun)
        if self._column_used:
            typer.echo("")
            self._column_used = False


def _lines(block: Block) -> list[str]:
    match block:
        case PlanBlock():
            return [f"  {n}. {one_line(one.content)}" for n, one in enumerate(block.entries, 1)]
        case StepBlock():
            mark = _MARKS.get(block.status, block.status)
            said = f": {one_line(block.outcome, 200)}" if block.outcome else ""
            return [f"  [{one_line(mark)}] {one_line(block.title)}{said}"]
        case AskBlock():
            return [f"  {outcome_words(block)}: {one_line(block.title)}"]
        case ProblemBlock():
            told = Problem(block.word, block.detail, values=block.values)
            return [visible(problem_sentence(told))]
        case NoticeBlock():
            return [f"  {_NOTICES.get(block.word, one_line(block.word))}"]
        case _:
            return []


def fences(line: str) -> bool:
    """Whether a line begins or ends a block of code."""
    return line.lstrip().startswith("```") and "`" not in line.lstrip(" `")


def plain(text: str) -> str:
    """The text without the stars of emphasis and what keeps a mark from being one; not in code."""

    def said(one: re.Match[str]) -> str:
        if one["words"]:
            return plain(one["words"])
        is_mark = one[0][0] == "\\" and one[0][1] in string.punctuation
        return one[0][1:] if is_mark else one[0]

    return _WHOLE.sub(said, text)


def n_whole(text: str) -> int:
    """How much of the beginning of a text is the same whatever comes next."""
    begins = text.rfind("\n") + 1
    for one in _PIECES.finditer(text, begins):
        may_grow = one.end() == len(text) and text.endswith(("*", "`"))
        if one["open"] or may_grow:
            return one.start() if len(text) - one.start() <= MOST_HELD else len(text)
    return len(text)
