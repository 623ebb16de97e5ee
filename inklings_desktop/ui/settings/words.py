"""What in the settings file cannot be used, as a sentence that says what to do; pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.settings import (
    FILE_NAME,
    MAX_CAP,
    MAX_TEXT_SCALE,
    MAX_WRITES_PER_MINUTE,
    MIN_TEXT_SCALE,
)
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.panes.banner import BannerAction, BannerContent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.settings_file import Problem

OPEN_FILE = "open"


def problem_banner(problems: Sequence[Problem]) -> BannerContent | None:
    """The first problem, and how many more there are; None where there is none."""
    if not problems:
        return None
    first, n_more = problems[0], len(problems) - 1
    place = FILE_NAME
    if first.line:
        place = tr("{file} line {line}").format(file=FILE_NAME, line=first.line)
    if n_more:
        place = counted(n_more, "{place} and 1 more", "{place} and {n} more").format(place=place)
    return BannerContent(
        "ochre",
        tr("{place}:").format(place=place),
        problem_words(first),
        (BannerAction(OPEN_FILE, tr("Open the file")),),
    )


def problem_words(problem: Problem) -> str:
    """What is wrong, what holds meanwhile, and what would do."""
    if problem.key == FILE_NAME:
        return tr(
            "this cannot be read as settings. What held before goes on, and nothing can be changed"
            " here until it is corrected."
        )
    if (allowed := _allowed(problem.key)) is None:
        return tr("{key} is no table here; its defaults hold.").format(key=problem.key)
    sentence = tr("{key} cannot be used; it takes {allowed}. Its default holds meanwhile.")
    return sentence.format(key=problem.key, allowed=allowed)


def _allowed(key: str) -> str | None:
    table, _, name = key.rpartition(".")
    number = tr("a number from {least} to {most}")
    whole = tr("a whole number from 1 to {most}")
    known = {
        "person.display_name": tr("a name of one line"),
        "appearance.theme": tr("system, light or dark"),
        "appearance.density": tr("comfortable or compact"),
        "appearance.language": tr("system, en, de or fr"),
        "appearance.send_key": tr("enter or ctrl_enter"),
        "appearance.text_scale": number.format(least=MIN_TEXT_SCALE, most=MAX_TEXT_SCALE),
        "decay.preset": tr("reference or slow"),
        "memory.cap": whole.format(most=MAX_CAP),
        "agents.writes_per_minute": whole.format(most=MAX_WRITES_PER_MINUTE),
        "embedding.model": tr("the name of a model"),
        "background.faded": tr("review, prune or keep"),
    }
    flags = {
        *("reduce_motion", "check_spelling", "forget_at_close", "keep_running", "consolidate"),
        *("prestart", "word_by_word"),
    }
    if key in known:
        return known[key]
    if name in flags:
        return tr("true or false")
    if table == "decay":
        return tr("a number above 0, up to 1")
    if table.startswith("background") and name not in {"channel", "workspace", "account"}:
        return tr("a number from 0 up")
    return None
