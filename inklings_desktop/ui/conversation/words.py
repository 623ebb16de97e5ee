"""What the Conversation page says: speakers, times, problems, outcomes; it knows no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.agent_client import rows
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import MAX_NAME_CHARACTERS
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.ui.kit.look.translation import counted, decimal, quoted, tr

if TYPE_CHECKING:
    from datetime import date, datetime

    from inklings_desktop.agent_client.rows import AskBlock, NoticeBlock, ProblemBlock, Turn

INSTALL_LINE = 'pip install "inklings-desktop[agent]"'
MECHANICAL = "mechanical"
_SECOND, _MINUTE = 1_000, 60_000
_TO_A_TENTH_BELOW = 10 * _SECOND


def no_model_name() -> str:
    """What answers where no model is connected."""
    return tr("Inklings, without a model")


def agent_name() -> str:
    """The built-in agent."""
    return tr("World Agent")


@dataclass(frozen=True, slots=True)
class Speaker:
    """Whose words a turn is: icon and name, and the role of their colour."""

    icon: str
    role: str
    name: str


def speaker_of(turn: Turn, author: str, *, has_model: bool = True) -> Speaker:
    """Who said a turn.

    Args:
        turn: It.
        author: The person's name.
        has_model: Whether a turn that does not tell what made it came from a model.
    """
    if turn.role == rows.USER:
        return Speaker("pen-nib", "ink", author)
    if (turn.produced_by or ("" if has_model else MECHANICAL)) == MECHANICAL:
        return Speaker("gear-fine", "inkSoft", no_model_name())
    name = turn.speaker if turn.speaker not in {"", wire.WORLD_AGENT} else agent_name()
    return Speaker("planet", "lapis", name)


def clock_time(at: datetime) -> str:
    """An instant of a day: ``10:36``."""
    return f"{on_the_wall(at):%H:%M}"


def day_words(day: date, today: date) -> str:
    """A day as the rule between two says it."""
    if day == today:
        return tr("Today")
    if (today - day).days == 1:
        return tr("Yesterday")
    month = QLocale().standaloneMonthName(day.month, QLocale.FormatType.LongFormat)
    return tr("{day} {month} {year}").format(day=day.day, month=month, year=day.year)


def took(ms: int) -> str:
    """How long something took: ``0.4 s``, ``38 s``, ``2 min 5 s``."""
    if ms < _TO_A_TENTH_BELOW:
        return tr("{seconds} s").format(seconds=decimal(ms / _SECOND, 1))
    if ms < _MINUTE:
        return tr("{seconds} s").format(seconds=ms // _SECOND)
    minutes, rest = divmod(ms, _MINUTE)
    return tr("{minutes} min {seconds} s").format(minutes=minutes, seconds=rest // _SECOND)


def stopped_words(ms: int | None) -> str:
    """What stands under an answer that the person stopped."""
    if not ms:
        return tr("Stopped by you. What was written stays.")
    return tr("Stopped by you after {time}. What was written stays.").format(time=took(ms))


def outcome_words(ask: AskBlock, tool: str) -> tuple[str, str, str, str]:
    """Icon, role, word and sentence of a question that was answered."""
    answers = {
        "allowed_once": ("check-circle", "accent", tr("Allowed once"), ""),
        "allowed_always": (
            "check-circle",
            "accent",
            tr("Allowed"),
            tr("Always, until this conversation ends."),
        ),
        "denied": ("prohibit", "inkSoft", tr("Denied"), tr("The agent was told no.")),
        "later": ("clock", "inkSoft", tr("Left for later"), tr("It waits in the Inbox.")),
    }
    withdrawn = ("circle", "inkSoft", tr("Withdrawn"), tr("Nothing was done."))
    icon, role, word, rest = answers.get(ask.outcome, withdrawn)
    what = ask_title(ask, tool).rstrip("?.\u2026 ")
    return icon, role, word, f"{what}. {rest}".strip()


def ask_title(ask: AskBlock, tool: str) -> str:
    """The question of a permission card in our words: an agent's title never replaces them.

    Args:
        ask: The question.
        tool: Name of the tool that it is about; empty for unknown.
    """
    if tool == "memory_put" and ask.input.get("tier") == "account":
        return tr("Keep something about you?")
    ours = {
        "memory_put": tr("Keep this?"),
        "memory_update": tr("Change this memory?"),
        "memory_forget": tr("Forget this memory?"),
        "memory_restore": tr("Restore this memory?"),
        "named_entry_propose": tr("Propose a change of a named entry?"),
        "conversation_end": tr("End this conversation?"),
    }
    of_kind = {
        "read": tr("Let the agent read something?"),
        "search": tr("Let the agent search for something?"),
        "edit": tr("Let the agent change something?"),
        "delete": tr("Let the agent take something away?"),
    }
    return ours.get(tool) or of_kind.get(ask.kind) or tr("Let the agent use a tool?")


def allowance_words(tool: str) -> str:
    """What a conversation allows without asking."""
    known = {
        "memory_put": tr("Keep memories"),
        "memory_update": tr("Change memories"),
        "memory_forget": tr("Forget memories"),
        "memory_restore": tr("Restore memories"),
        "named_entry_propose": tr("Propose changes of named entries"),
        "conversation_end": tr("End the conversation"),
    }
    return known.get(tool) or tool.replace("&", "&&")


def ask_effect(ask: AskBlock, tool: str) -> str:
    """What exactly would happen, and how far *Always* reaches."""
    usual = {
        "memory_put": tr("It is kept as a memory. You can forget it again."),
        "memory_update": tr("The text before is kept in its history."),
        "memory_forget": tr("It is forgotten, not destroyed: you can restore it."),
    }
    said = tr("The agent calls it: {title}").format(title=quoted(ask.title))
    effect = ask.effect or usual.get(tool) or said
    if not any(one.kind == wire.ALLOW_ALWAYS for one in ask.options):
        return effect
    return f"{effect} " + tr("\u201cAlways\u201d holds until this conversation ends.")


@dataclass(frozen=True, slots=True)
class ProblemWords:
    """What a problem card says.

    Attributes:
        kind: ``madder``, ``ochre`` or ``lapis``.
        icon: Of the card.
        title: What happened.
        text: What still holds.
        acts: What can be done, the first one first: ids of ``act_label``.
    """

    kind: str
    icon: str
    title: str
    text: str
    acts: tuple[str, ...] = ()


INTERRUPTED = "interrupted"
"""Word of the problem that a turn was cut off and can go on; no agent sends it."""
RETRY, CONTINUE, LEAVE = "retry", "continue", "leave"
RESTART, COPY, COPY_LINE, GRANT, WAIT = "restart", "copy", "copy_line", "grant", "wait"
BEGIN_FROM = "begin_from"


def act_label(act: str) -> tuple[str, str]:
    """The word of a button, and the letter that presses it while its card has the keyboard."""
    return {
        RETRY: (tr("Try again"), "R"),
        CONTINUE: (tr("Go on"), "G"),
        LEAVE: (tr("Leave it"), ""),
        RESTART: (tr("Start it again"), "R"),
        COPY: (tr("Copy details"), ""),
        COPY_LINE: (tr("Copy the line"), ""),
        GRANT: (tr("Let it in"), ""),
        WAIT: (tr("Look again"), "R"),
        BEGIN_FROM: (tr("Start a new one from it"), ""),
    }[act]


def problem_words(problem: ProblemBlock) -> ProblemWords:
    """What happened, what still holds, what to do."""
    kept = tr("Your message is kept.")
    madder, circle = "madder", "warning-circle"
    known = {
        wire.AGENT_NOT_INSTALLED: (
            "lapis",
            "info",
            tr("The agent is not installed."),
            tr("Install it with {line}, then start Inklings again. All else works without.").format(
                line=INSTALL_LINE
            ),
            (COPY_LINE,),
        ),
        wire.AGENT_FAILED_TO_START: (
            madder,
            circle,
            tr("The agent could not be started."),
            kept,
            (RESTART, COPY),
        ),
        wire.AGENT_GONE: (
            madder,
            circle,
            tr("The World Agent ended unexpectedly."),
            _with_code(problem.detail, tr("Your message is kept, and what it wrote stays.")),
            (RESTART, COPY),
        ),
        wire.AGENT_TOO_LOUD: (
            madder,
            circle,
            tr("The agent sent more than can be shown, and was stopped."),
            kept,
            (RESTART, COPY),
        ),
        wire.AGENT_SPEAKS_OTHERWISE: (
            madder,
            circle,
            tr("The agent is of another version than this window."),
            {
                "agent": tr("The agent is the older of the two: update it. Nothing was changed."),
                "window": tr("Inklings is the older of the two: update it. Nothing was changed."),
            }.get(problem.detail, tr("Update the older of the two. Nothing was changed.")),
            (COPY,),
        ),
        wire.MEMORY_UNREACHABLE: (
            madder,
            circle,
            tr("Your memory could not be opened for the agent."),
            tr("Your message is kept. Nothing was written to memory."),
            (RETRY, COPY),
        ),
        wire.NOT_GRANTED: (
            "ochre",
            "warning",
            tr("The World Agent may not read here."),
            tr("Your message is kept. It reads once you let it in."),
            (GRANT,),
        ),
        wire.BUSY: (
            "ochre",
            "warning",
            tr("It is answering already."),
            kept,
            (WAIT,),
        ),
        wire.BUSY_ELSEWHERE: (
            "ochre",
            "warning",
            tr("This conversation is being answered in another program."),
            tr("Your message is kept. Its answer will stand here as well."),
            (WAIT,),
        ),
        wire.LIMIT_REACHED: (
            "ochre",
            "warning",
            tr("The turn reached its limit and was ended in order."),
            tr("What was written stays. It can go on from here."),
            (CONTINUE, LEAVE),
        ),
        wire.RUN_UNKNOWN_VERSION: _cannot_go_on(),
        wire.RUN_DAMAGED: _cannot_go_on(),
        wire.CONVERSATION_ARCHIVED: (
            "lapis",
            "info",
            tr("This conversation is archived."),
            tr("Everything in it stays. A new one goes on with what was said here."),
            (BEGIN_FROM,),
        ),
        wire.CHANGED_SINCE: (
            "ochre",
            "warning",
            tr("It was changed since, and is left as it is."),
            "",
            (),
        ),
        INTERRUPTED: (
            "lapis",
            "arrows-clockwise",
            tr("It stopped in the middle."),
            tr("The steps already done are not repeated."),
            (CONTINUE, LEAVE),
        ),
    }
    found = known.get(problem.word)
    if found is None:
        return ProblemWords(
            madder,
            circle,
            tr("The agent could not answer."),
            tr("Your message is kept, and the steps already done are not repeated."),
            (RETRY, COPY),
        )
    return ProblemWords(*found)


def _with_code(code: str, text: str) -> str:
    is_code = code.removeprefix("-").isdecimal()
    return tr("Code {code}. {text}").format(code=code, text=text) if is_code else text


def _cannot_go_on() -> tuple[str, str, str, str, tuple[str, ...]]:
    return (
        "ochre",
        "warning",
        tr("The unfinished turn cannot be continued."),
        tr("All messages are there. Ask again to go on."),
        (),
    )


def notice_words(notice: NoticeBlock) -> str:
    """What the program says between the turns."""
    values = notice.values
    return {
        "scrubbed": tr("What stood here was scrubbed."),
        "ended": tr("This conversation was ended. What was learned lies in its channel."),
        "resumed": tr("Taken up again. What was forgotten when it ended stays forgotten."),
        "getting_ready": tr("The agent is getting ready."),
        "undone": counted(
            len(values.get("memories", ())),
            "1 change was taken back",
            "{n} changes were taken back",
        ),
        "branched": tr("What stands above was said in the conversation {code}."),
        "compacted": tr("The older part is summarised for the agent. Nothing is left out here."),
    }.get(notice.word, tr("Something that this version does not know: {word}")).format(
        word=notice.word, code=values.get("from", "")
    )


def title_again(title: str) -> str:
    """The name of a conversation that begins with what was said in another."""
    room = MAX_NAME_CHARACTERS - len(tr("{title}, again"))
    return tr("{title}, again").format(title=title[:room]) if title else ""


def attachment_words(n: int) -> str:
    """How many things are attached, as a screen reader hears it."""
    return counted(n, "1 attachment", "{n} attachments") if n else ""


def pasted_title(n_characters: int) -> str:
    """What a long paste is called that became an attachment."""
    return counted(n_characters, "Pasted, 1 character", "Pasted, {n} characters")
