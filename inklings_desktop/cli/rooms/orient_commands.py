"""``inklings orient``: what an agent would be told at the start of a turn."""

from typing import TYPE_CHECKING, Any

import typer

from inklings_desktop.cli.command import command
from inklings_desktop.cli.documents import explanation_document
from inklings_desktop.cli.options import REQUIRED, CommonOptions, option
from inklings_desktop.cli.output import counted, visible
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.scopes import required_workspace
from inklings_desktop.domain.likeness.folding import named
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.plain_rows import row_of
from inklings_desktop.domain.rooms.orientation import DEFAULT_BUDGET_TOKENS
from inklings_desktop.usecases.rooms.orient import OrientationRequest

if TYPE_CHECKING:
    from inklings_desktop.domain.rooms.orientation import (
        Orientation,
        OrientationItem,
        OrientationSection,
    )
    from inklings_desktop.usecases.bundle import Inklings


@dataclass(frozen=True, slots=True, kw_only=True)
class OrientOptions(CommonOptions):
    """What the document is about."""

    conversation: str = option(
        "--conversation", "Conversation of the turn.", REQUIRED, metavar="ID|REF"
    )
    query: str = option("--query", "What the turn asks.", "", metavar="TEXT")
    budget: int = option(
        "--budget", "Tokens of four characters.", DEFAULT_BUDGET_TOKENS, metavar="TOKENS"
    )
    client: str = option("--as", "As this client would be told it.", "", metavar="CLIENT")
    role: str = option("--role", "Under this one of its roles.", "", metavar="ROLE")
    at_story: int | None = option(
        "--at-story", "Only facts that are true in this chapter.", metavar="N"
    )


def add_orient_command(app: typer.Typer) -> None:
    """Add ``orient``."""
    command(app, "orient", OrientOptions, orient)


def orient(inklings: "Inklings", options: OrientOptions) -> Answer:
    """Show what an agent would be told at the start of a turn; looking counts as no read."""
    workspace = required_workspace(inklings)
    request = OrientationRequest(
        workspace.id,
        options.conversation,
        options.query,
        options.budget,
        role=options.role,
        at_story=options.at_story,
    )
    seen = inklings
    if options.client:
        seen = inklings.view_as(options.client, workspace.id, options.role)
    document = seen.orientation.preview(request)
    notes = [_note(section) for section in document.sections if section.total]
    return Answer(_document(document), [visible(document.markdown)], notes=notes)


def _note(section: "OrientationSection") -> str:
    sent, total = len(section.sent), section.total
    return f"{visible(section.title)}: {sent:,} of {counted(total, 'memory')} sent."


def _document(document: "Orientation") -> dict[str, Any]:
    return {
        **row_of(
            document,
            "markdown characters=n_characters budget_characters=budget"
            " standing_characters=n_standing over_budget=is_over_budget",
        ),
        "house_rules": [row_of(one.memory, "id content") for one in document.settled.rules],
        "facts": [row_of(one.fact.memory, "id content") for one in document.settled.facts],
        "standing_slice": [row_of(one, "name tier id") for one in document.entries],
        "sections": [_section(section) for section in document.sections],
    }


def _section(section: "OrientationSection") -> dict[str, Any]:
    return {
        **row_of(section, "tier title total characters=n_characters share_characters=share"),
        "items": [_item(item) for item in section.items],
    }


def _item(item: "OrientationItem") -> dict[str, Any]:
    ranked = item.ranked
    return {
        "id": ranked.entry.id,
        **row_of(item, "rank framing"),
        **row_of(ranked, "order score relevance"),
        "also": named(ranked.repeats),
        **row_of(item, "sent=is_sent left_out"),
        "explanation": ranked.explanation and explanation_document(ranked.explanation),
    }
