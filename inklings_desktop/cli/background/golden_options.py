"""Options of golden questions; annotations are evaluated here."""

from typing import Annotated

import typer

from inklings_desktop.cli.options import ChannelKey, CommonOptions
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveGoldenOptions(CommonOptions):
    """A question, and what its answer must hold."""

    question: Annotated[str, typer.Argument(metavar="QUESTION", help="As an agent would ask it.")]
    must: Annotated[
        list[str] | None,
        typer.Option("--must", metavar="ID", help="This memory must be found.", show_default=False),
    ] = None
    must_not: Annotated[
        list[str] | None,
        typer.Option(
            "--must-not", metavar="ID", help="This memory must not be.", show_default=False
        ),
    ] = None
    tier: Annotated[
        Tier | None,
        typer.Option("--tier", help="Only if its memories are in this tier.", show_default=False),
    ] = None
    channel: ChannelKey = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenOptions(CommonOptions):
    """A golden question."""

    id: Annotated[str, typer.Argument(metavar="ID", help="As golden list names it.")]
