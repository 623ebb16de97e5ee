"""What the World page says of folders and pages, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.world.axes import KNOWN
from inklings_desktop.domain.world.pages import FolderRules, PageState
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.words.memory_facts import relative_age
from inklings_desktop.ui.kit.words.messages import Message, message_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from inklings_desktop.domain.world.pages import FolderLook


def pages_line(looks: Sequence[FolderLook], now: datetime) -> str:
    """How many pages there are, where, and when they were read: beside the title."""
    if not looks:
        return tr("no folder linked")
    n_pages = sum(one.n_pages for one in looks)
    where = looks[0].folder.name
    if len(looks) > 1:
        where = counted(len(looks), "1 folder", "{n} folders")
    line = counted(n_pages, "1 page in {folder}", "{n} pages in {folder}").format(folder=where)
    if any(one.looked_at is None for one in looks):
        return line
    age = relative_age(now - min(one.looked_at for one in looks if one.looked_at))
    return tr("{pages}, read again {age} ago").format(pages=line, age=age)


def left_alone_line(looks: Sequence[FolderLook]) -> str:
    """How many files of the folders are not shown, and why; empty for none."""
    said = []
    if n_other := sum(one.n_other for one in looks):
        said.append(
            counted(
                n_other,
                "1 file is not Markdown and is left alone.",
                "{n} files are not Markdown and are left alone.",
            )
        )
    reasons = {
        PageState.TOO_LARGE: tr("too large"),
        PageState.NOT_TEXT: tr("not text"),
        PageState.UNREADABLE: tr("not to be read"),
        PageState.LINK: tr("links to elsewhere"),
    }
    for state, reason in reasons.items():
        if n_files := sum(one.unread.get(state, 0) for one in looks):
            said.append(
                counted(
                    n_files, "1 file is known by name alone:", "{n} files are known by name alone:"
                )
                + f" {reason}."
            )
    if n_out := sum(one.n_left_out for one in looks):
        said.append(counted(n_out, "1 file is left out.", "{n} files are left out."))
    return " ".join(said)


def refusal_of(error: InvalidValueError) -> Message:
    """Why a folder cannot be linked."""
    reasons = {
        "not_a_folder": tr("This is not a folder."),
        "missing": tr("This folder cannot be found."),
        "denied": tr("This folder cannot be opened."),
        "root": tr("A whole disk is too much. Choose the folder of your pages."),
        "home": tr("Your home folder is too much. Choose the folder of your pages."),
        "data_root": tr("This is where Inklings keeps its own data."),
        "linked": tr("These pages are linked already, in {name}."),
    }
    said = reasons.get(error.rule)
    if said is None:
        return message_of(error)
    return Message(said.format(name=error.limit), tr("Nothing was changed."))


# -- rules of a folder, as a person writes them -----------------------------------------------


def rules_text(rules: FolderRules) -> str:
    """Rules as lines: what is not read, what a word means, what lies where."""
    lines = list(rules.ignore)
    lines += [f"{word} = {means}" for words in rules.axes.values() for word, means in words.items()]
    lines += [
        f"{pattern} = {value}" for pattern, axes in rules.folders.items() for value in axes.values()
    ]
    return "\n".join(lines)


def rules_of(text: str) -> FolderRules:
    """The same lines as rules.

    Raises:
        InvalidValueError: A line names a value that no axis has.
    """
    ignore: list[str] = []
    axes: dict[str, dict[str, str]] = {}
    folders: dict[str, dict[str, str]] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        left, sign, right = (one.strip() for one in line.rpartition("="))
        if not sign:
            ignore.append(line)
            continue
        axis = next((one for one, values in KNOWN.items() if right.casefold() in values), None)
        if axis is None or not left:
            raise InvalidValueError("rules", line)
        is_path = any(one in left for one in "/*")
        if is_path:
            folders.setdefault(left, {})[axis] = right.casefold()
        else:
            axes.setdefault(axis, {})[left] = right.casefold()
    return FolderRules(tuple(ignore), axes, folders)
