"""What the Conversation page says: speakers, times, problems, outcomes; it knows no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLocale

from inklings_desktop.acp_wire import words as wire
from inklings_desktop.acp_wire.shapes import line_of, number_of
from inklings_desktop.agent_client import rows
from inklings_desktop.agent_settings import TITLES
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.rooms.conversation import MAX_NAME_CHARACTERS
from inklings_desktop.domain.wall_clock import on_the_wall
from inklings_desktop.ui.kit.look.translation import counted, decimal, grouped, quoted, tr
from inklings_desktop.ui.kit.words.money import money

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from inklings_desktop.agent_client.rows import AskBlock, NoticeBlock, ProblemBlock, Turn

INSTALL_LINE = 'pip install "inklings-desktop[agent]"'
MECHANICAL = "mechanical"
_SECOND, _MINUTE = 1_000, 60_000
_TO_A_TENTH_BELOW = 10 * _SECOND


def agent_name() -> str:
    """The built-in agent."""
    return tr("World Agent")


def without_model() -> str:
    """The built-in agent where no model is behind it."""
    return tr("Inklings, without a model")


def model_title(model: str) -> str:
    """A model with its provider, of ``provider/model``."""
    provider, _, name = model.partition("/")
    return tr("{model}, {provider}").format(model=name, provider=TITLES.get(provider, provider))


@dataclass(frozen=True, slots=True)
class Speaker:
    """Whose words a turn is: icon and name, and the role of their colour."""

    icon: str
    role: str
    name: str


def speaker_of(
    turn: Turn, author: str, titles: Mapping[str, str], *, has_model: bool = True
) -> Speaker:
    """Who said a turn.

    Args:
        turn: It.
        author: The person's name.
        titles: What agents of other makers are called, by their client.
        has_model: Whether a turn that does not tell what made it came from a model.
    """
    if turn.role == rows.USER:
        return Speaker("pen-nib", "ink", author)
    if turn.speaker not in {"", wire.WORLD_AGENT}:
        return Speaker("terminal-window", "lapis", titles.get(turn.speaker, turn.speaker))
    if (turn.produced_by or ("" if has_model else MECHANICAL)) == MECHANICAL:
        return Speaker("gear-fine", "inkSoft", without_model())
    return Speaker("planet", "lapis", agent_name())


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
    """How long something took: ``0.4 s``, ``38 s``, ``2 min``, ``2 min 5 s``."""
    if ms < _TO_A_TENTH_BELOW:
        return tr("{seconds} s").format(seconds=decimal(ms / _SECOND, 1))
    if ms < _MINUTE:
        return tr("{seconds} s").format(seconds=ms // _SECOND)
    minutes, seconds = divmod(ms // _SECOND, 60)
    if not seconds:
        return tr("{minutes} min").format(minutes=minutes)
    return tr("{minutes} min {seconds} s").format(minutes=minutes, seconds=seconds)


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
        "allowed_longer": (
            "check-circle",
            "accent",
            tr("Allowed"),
            tr("The agent decides for how long."),
        ),
        "denied": ("prohibit", "inkSoft", tr("Denied"), tr("The agent was told no.")),
        "later": (
            "clock",
            "inkSoft",
            tr("Left for later"),
            tr("You\u2019ll find it in the Inbox."),
        ),
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
    several = {
        "memory_put": tr("Keep these?"),
        "memory_update": tr("Change these memories?"),
        "memory_forget": tr("Forget these memories?"),
        "memory_restore": tr("Restore these memories?"),
    }
    if ask.choices and tool in several:
        return several[tool]
    ours = {
        "memory_put": tr("Replace this memory?") if ask.before else tr("Keep this?"),
        "memory_update": tr("Change this memory?"),
        "memory_forget": tr("Forget this memory?"),
        "memory_restore": tr("Restore this memory?"),
        "named_entry_propose": tr("Propose a change to a named entry?"),
        "conversation_end": tr("End this conversation?"),
        wire.SPEND_TOOL: tr("Spend about {amount} more?").format(amount=_paid(ask, "next")),
    }
    of_kind = {
        "read": tr("Let the agent read something?"),
        "search": tr("Let the agent search for something?"),
        "edit": tr("Let the agent change something?"),
        "delete": tr("Let the agent delete something?"),
    }
    return ours.get(tool) or of_kind.get(ask.kind) or tr("Let the agent use a tool?")


def allowance_words(tool: str) -> str:
    """What a conversation allows without asking."""
    known = {
        "memory_put": tr("Keep memories"),
        "memory_update": tr("Change memories"),
        "memory_forget": tr("Forget memories"),
        "memory_restore": tr("Restore memories"),
        "named_entry_propose": tr("Propose changes to named entries"),
        "conversation_end": tr("End the conversation"),
    }
    return known.get(tool) or tool.replace("&", "&&")


def ask_effect(ask: AskBlock, tool: str) -> str:
    """What exactly would happen, and how far *Always* reaches."""
    usual = {
        "memory_put": tr("It becomes a memory. You can forget it later."),
        "memory_update": tr("The old text stays in its history."),
        "memory_forget": tr("It is forgotten, and you can restore it."),
    }
    said = tr("The agent calls it: {title}").format(title=quoted(ask.title))
    effect = ask.effect or usual.get(tool) or said
    if tool == wire.SPEND_TOOL:
        spent = tr("{spent} of {ceiling} today.")
        if ask.input.get("of") == "turn":
            spent = tr("{spent} of {ceiling} in this turn.")
        effect = spent.format(spent=_paid(ask, "spent"), ceiling=_paid(ask, "ceiling"))
    if ask.choices and tool == "memory_forget":
        effect = tr("Only the checked ones are forgotten, and you can restore them.")
    elif ask.choices:
        effect = tr("Only the checked ones; the others stay as they are.")
    if not any(one.kind == wire.ALLOW_ALWAYS for one in ask.options):
        return effect
    if not ask.effect:
        return f"{effect} " + tr("How long \u201cAlways\u201d lasts, the agent decides.")
    return f"{effect} " + tr("\u201cAlways\u201d lasts until this conversation ends.")


def _paid(ask: AskBlock, figure: str) -> str:
    """An amount that a question about money names."""
    micro = ask.input.get(figure)
    return money(micro if isinstance(micro, int) else 0, str(ask.input.get("currency") or ""))


@dataclass(frozen=True, slots=True)
class ProblemWords:
    """What a problem card says.

    Attributes:
        kind: ``madder``, ``ochre`` or ``lapis``.
        icon: Of the card.
        title: What happened.
        text: What still holds.
        acts: What can be done, the first one first: ids of ``act_label``.
        amount: Of money, which the label of an act names; empty for none.
    """

    kind: str
    icon: str
    title: str
    text: str
    acts: tuple[str, ...] = ()
    amount: str = ""


ENDED = "ended"
"""Word of the card of a conversation that was ended."""
INTERRUPTED = "interrupted"
"""Word of the problem that a turn was cut off and can go on; no agent sends it."""
RETRY, CONTINUE, LEAVE = "retry", "continue", "leave"
START_AGAIN = "start_again"
RESTART, COPY, COPY_LINE, GRANT, WAIT = "restart", "copy", "copy_line", "grant", "wait"
BEGIN_FROM, TALK_AGAIN = "begin_from", "talk_again"
CHANGE_KEY, OTHER_MODEL, WITHOUT, RAISE = "change_key", "other_model", "without", "raise"


def act_label(act: str) -> tuple[str, str]:
    """The word of a button, and the letter that presses it while its card has the keyboard.

    ``{amount}`` in it stands for that of the ``ProblemWords``.
    """
    return {
        RETRY: (tr("Try again"), "R"),
        CONTINUE: (tr("Continue"), "C"),
        LEAVE: (tr("Leave it"), ""),
        RESTART: (tr("Restart"), "R"),
        START_AGAIN: (tr("Start it again"), "R"),
        COPY: (tr("Copy details"), ""),
        COPY_LINE: (tr("Copy the line"), ""),
        GRANT: (tr("Let it in"), ""),
        WAIT: (tr("Check again"), "R"),
        BEGIN_FROM: (tr("Start a new one from it"), ""),
        TALK_AGAIN: (tr("Talk again"), "T"),
        CHANGE_KEY: (tr("Change key\u2026"), ""),
        OTHER_MODEL: (tr("Use another model"), ""),
        WITHOUT: (tr("Continue without a model"), ""),
        RAISE: (tr("Raise to {amount}"), ""),
    }[act]


def problem_words(problem: ProblemBlock) -> ProblemWords:
    """What happened, what still holds, what to do."""
    kept = tr("Your message is kept.")
    madder, circle = "madder", "warning-circle"
    known: dict[str, tuple[Any, ...]] = {
        wire.AGENT_NOT_INSTALLED: (
            "lapis",
            "info",
            tr("The agent is not installed."),
            tr("Install it with {line}, then restart Inklings. Everything else works.").format(
                line=INSTALL_LINE
            ),
            (COPY_LINE,),
        ),
        wire.AGENT_FAILED_TO_START: (
            madder,
            circle,
            tr("The agent did not start."),
            kept,
            (RESTART, COPY),
        ),
        wire.AGENT_GONE: (
            madder,
            circle,
            tr("The World Agent stopped unexpectedly."),
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
            tr("The agent and this window have different versions."),
            {
                "agent": tr("The agent is older: update it. Nothing was changed."),
                "window": tr("Inklings is older: update it. Nothing was changed."),
            }.get(problem.detail, tr("Update the older one. Nothing was changed.")),
            (COPY,),
        ),
        wire.MEMORY_UNREACHABLE: (
            madder,
            circle,
            tr("The agent could not open your memory."),
            tr("Your message is kept. Nothing was written to memory."),
            (RETRY, COPY),
        ),
        wire.NOT_GRANTED: (
            "ochre",
            "warning",
            tr("The World Agent has no access here."),
            tr("Your message is kept. Let it in to get an answer."),
            (GRANT,),
        ),
        **_model_problems(problem, kept),
        wire.BUSY: (
            "ochre",
            "warning",
            tr("It is already answering."),
            kept,
            (WAIT,),
        ),
        wire.BUSY_ELSEWHERE: (
            "ochre",
            "warning",
            tr("Another program is answering in this conversation."),
            tr("Your message is kept, and the answer will appear here too."),
            (WAIT,),
        ),
        wire.LIMIT_REACHED: (
            "ochre",
            "warning",
            tr("The turn reached its limit and stopped."),
            tr("What was written stays. You can continue from here."),
            (CONTINUE, LEAVE),
        ),
        wire.RUN_UNKNOWN_VERSION: _cannot_go_on(),
        wire.RUN_DAMAGED: _cannot_go_on(),
        wire.CONVERSATION_ARCHIVED: (
            "lapis",
            "info",
            tr("This conversation is archived."),
            tr("Everything in it stays. A new one can continue from it."),
            (BEGIN_FROM,),
        ),
        wire.MESSAGE_TOO_LONG: (
            "ochre",
            "warning",
            tr("A message can have at most 256 KiB."),
            tr("This one was not sent. Shorten it, or send it in parts."),
            (),
        ),
        wire.CHANGED_SINCE: (
            "ochre",
            "warning",
            tr("It was changed since then, so it was left alone."),
            "",
            (),
        ),
        ENDED: (
            "lapis",
            "moon",
            tr("This conversation has ended."),
            tr("What was kept is in its channel. You can still read everything here."),
            (TALK_AGAIN,),
        ),
        INTERRUPTED: (
            "lapis",
            "arrows-clockwise",
            tr("It stopped in the middle."),
            tr("Finished steps are not repeated."),
            (CONTINUE, LEAVE),
        ),
    }
    found = known.get(problem.word)
    if found is None:
        return ProblemWords(
            madder,
            circle,
            tr("The agent could not answer."),
            tr("Your message is kept, and finished steps are not repeated."),
            (RETRY, COPY),
        )
    return ProblemWords(*found)


def _model_problems(problem: ProblemBlock, kept: str) -> dict[str, tuple[Any, ...]]:
    """What went wrong between the agent and its model; its detail begins with the provider."""
    id_, *figures = problem.detail.split() or [""]
    provider, works = TITLES.get(id_, id_), f"{kept} " + tr("Lookups and notes still work.")
    again, key, other = (RETRY, WITHOUT, COPY), (CHANGE_KEY, WITHOUT), (OTHER_MODEL, WITHOUT)
    busy = tr("It has too much to do just now.")
    failed = tr("It answered with error {code}.").format(code=figures[0]) if figures else ""
    long = tr("Nothing was cut.")
    if len(figures) > 1 and all(map(str.isdecimal, figures)):
        takes, fit = (grouped(int(one)) for one in figures[:2])
        told = tr("It takes about {n} tokens; {most} fit.").format(n=takes, most=fit)
        long = f"{told} {long}"
    said = {
        wire.NO_KEY: (tr("The key for {provider} is missing."), kept, key),
        wire.KEY_REFUSED: (tr("The key for {provider} was refused."), kept, key),
        wire.NO_CREDIT: (tr("The credit at {provider} is used up."), works, (WITHOUT, COPY)),
        wire.PROVIDER_UNREACHABLE: (tr("{provider} could not be reached."), works, again),
        wire.PROVIDER_BUSY: (tr("{provider} did not answer."), f"{busy} {kept}", again),
        wire.PROVIDER_FAILED: (tr("{provider} did not answer."), f"{failed} {kept}", again),
        wire.MODEL_UNKNOWN: (tr("{provider} does not have this model."), kept, other),
        wire.MODEL_CANNOT: (tr("This model cannot use tools."), kept, other),
        wire.CONTEXT_TOO_SMALL: (tr("The message is too long for this model."), long, other),
        wire.WRONG_ANSWER: (tr("The model\u2019s answer could not be used."), kept, again),
    }
    mark = "madder", "warning-circle"
    found: dict[str, tuple[Any, ...]] = {
        word: (*mark, title.replace("{provider}", provider), text.strip(), acts)
        for word, (title, text, acts) in said.items()
    }
    return found | {wire.BUDGET_SPENT: _budget_spent(problem)}


def _budget_spent(problem: ProblemBlock) -> tuple[Any, ...]:
    """That a turn was ended at a ceiling, which can be doubled where it is told."""
    values = problem.values
    spent, ceiling = (number_of(values.get(one)) or 0 for one in ("spent", "ceiling"))
    ended = tr("The turn was ended in order.")
    if not ceiling:
        return "ochre", "coins", tr("This would cost more than you allow."), ended, ()
    title = tr("The next step would pass this turn\u2019s budget.")
    if values.get("of") == "day":
        title = tr("The next step would pass today\u2019s budget.")
    currency = line_of(values.get("currency"), 20)
    paid, most, twice = (money(one, currency) for one in (spent, ceiling, 2 * ceiling))
    told = tr("About {cost} of {most}.").format(cost=paid, most=most)
    return "ochre", "coins", title, f"{told} {ended}", (RAISE,), twice


def _with_code(code: str, text: str) -> str:
    is_code = code.removeprefix("-").isdecimal()
    return tr("Code {code}. {text}").format(code=code, text=text) if is_code else text


def _cannot_go_on() -> tuple[str, str, str, str, tuple[str, ...]]:
    return (
        "ochre",
        "warning",
        tr("The unfinished turn cannot be continued."),
        tr("Every message is kept. Ask again to continue."),
        (),
    )


def notice_words(notice: NoticeBlock) -> str:
    """What the program says between the turns."""
    values = notice.values
    return {
        "scrubbed": tr("This was deleted for good."),
        "ended": tr("This conversation ended. What was kept is in its channel."),
        "resumed": tr("Open again. What was forgotten at its end stays forgotten."),
        "getting_ready": tr("The agent is getting ready."),
        "undone": counted(
            len(values.get("memories", ())),
            "1 change undone",
            "{n} changes undone",
        ),
        "branched": tr("Continued from {title}"),
        "bookmark": tr("Bookmark: {name}") if values.get("name") else tr("Bookmark"),
        wire.FROM_HERE: tr("From here: {agent}."),
        "compacted": tr(
            "The agent now reads a summary of the older part. You still see all of it."
        ),
    }.get(notice.word, tr("This version cannot show: {word}")).format(
        word=notice.word,
        title=values.get("title") or tr("an earlier conversation"),
        name=values.get("name", ""),
        agent=_agent_in(values),
    )


def _agent_in(values: Mapping[str, Any]) -> str:
    """The agent that a notice names, or its model."""
    if values.get("model") == MECHANICAL:
        return without_model()
    is_ours = values.get("client") == wire.WORLD_AGENT and "model" not in values
    return agent_name() if is_ours else line_of(values.get("agent"), 60)


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
