"""What an export can hold and what is said of it, before a file is named; pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.transfer.document import FILE_SUFFIX
from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.words.memory_facts import tier_title
from inklings_desktop.usecases.transfer.exporting import ExportRequest

if TYPE_CHECKING:
    from inklings_desktop.domain.memory import MemoryRef, ScopeKey, Tier
    from inklings_desktop.domain.rooms.workspace import Workspace

WHOLE, EVERYTHING, MARKDOWN = "whole", "everything", "markdown"
MARKDOWN_SUFFIX = ".md"


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """One kind of file.

    Attributes:
        key: Tells it apart.
        label: What it is called.
        words: What it holds.
        request: What goes into it.
        file_name: What the file is called unless the person says otherwise, without its ending.
        not_in_it: What it leaves out; empty where that goes without saying.
    """

    key: str
    label: str
    words: str
    request: ExportRequest
    file_name: str
    not_in_it: str = ""

    @property
    def is_markdown(self) -> bool:
        """Whether it is a page to read, which cannot be imported."""
        return self.key == MARKDOWN

    @property
    def suffix(self) -> str:
        """How the name of the file ends."""
        return MARKDOWN_SUFFIX if self.is_markdown else FILE_SUFFIX


@dataclass(frozen=True, slots=True)
class ExportQuestion:
    """What is to be exported, and as what it can be.

    Attributes:
        title: What is asked about.
        choices: The kinds of file; the first is meant unless the person says otherwise.
    """

    title: str
    choices: tuple[ExportChoice, ...]

    def choice(self, key: str) -> ExportChoice:
        """The choice with this key."""
        return next(one for one in self.choices if one.key == key)


def about_workspace(workspace: Workspace) -> ExportQuestion:
    """A whole workspace, and what goes beyond it."""
    request = ExportRequest(workspaces=(workspace.id,))
    whole = tr(
        "Everything in {workspace}: memories in any state with their history, named entries, "
        "channels, conversations with what was said and working notes, golden questions, saved "
        "filters and proposals."
    ).format(workspace=workspace.name)
    everything = tr("The account and every workspace, to be restored elsewhere.")
    page = tr(
        "Named entries and active memories of {workspace} to read. It cannot be imported."
    ).format(workspace=workspace.name)
    return ExportQuestion(
        tr("Export"),
        (
            ExportChoice(
                WHOLE, tr("This workspace"), whole, request, workspace.name, _never_in_it()
            ),
            ExportChoice(
                EVERYTHING,
                tr("Everything"),
                everything,
                ExportRequest(),
                tr("Inklings"),
                _never_in_it(),
            ),
            ExportChoice(MARKDOWN, tr("Markdown to read"), page, request, workspace.name),
        ),
    )


def about_tier(workspace: Workspace, tier: Tier, scopes: tuple[ScopeKey, ...]) -> ExportQuestion:
    """One tier of a workspace, or the account.

    Args:
        workspace: The open one.
        tier: Which.
        scopes: Every scope key of the tier.
    """
    request, title = ExportRequest(scopes=scopes), tier_title(tier)
    whole = tr(
        "Everything in this tier: memories in any state with their history, and the named "
        "entries, rooms and working notes that belong to it."
    )
    page = tr("Named entries and active memories of this tier to read. It cannot be imported.")
    not_in_it = tr(
        "Not in it: the event log, agents and their rights, proposals, golden questions, saved "
        "filters and unsaved text. A backup has these too."
    )
    return ExportQuestion(
        tr("Export the {tier} tier").format(tier=title),
        _file_or_page(request, f"{workspace.name} {tier.value}", whole, page, not_in_it),
    )


def about_selection(workspace: Workspace, refs: tuple[MemoryRef, ...]) -> ExportQuestion:
    """Single memories, wherever they are."""
    n = len(refs)
    whole = counted(
        n,
        "1 memory with its history and its room. It can be imported again.",
        "{n} memories with their history and their rooms. They can be imported again.",
    )
    page = counted(
        n,
        "The text of 1 memory to read, with where it comes from. It cannot be imported.",
        "The texts of {n} memories to read, with where each comes from. They cannot be imported.",
    )
    left_out = tr("Not in it: named entries, working notes and everything that is not selected.")
    return ExportQuestion(
        counted(n, "Export 1 memory", "Export {n} memories"),
        _file_or_page(
            ExportRequest(refs=refs),
            tr("{workspace} selection").format(workspace=workspace.name),
            whole,
            page,
            left_out,
        ),
    )


def _file_or_page(
    request: ExportRequest, file_name: str, whole: str, page: str, not_in_it: str
) -> tuple[ExportChoice, ...]:
    return (
        ExportChoice(WHOLE, tr("Inklings file"), whole, request, file_name, not_in_it),
        ExportChoice(MARKDOWN, tr("Markdown to read"), page, request, file_name),
    )


def _never_in_it() -> str:
    return tr(
        "Not in it: the event log, agents and their rights, and unsaved text. A backup has these "
        "too."
    )
