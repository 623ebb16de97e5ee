"""The options of ``inklings scrub``.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from typing import Annotated

import typer

from inklings_desktop.cli.memory_options import AboutOptions
from inklings_desktop.cli.options import LongOptions, ShowProgress
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.domain.scrub.manifest import ScrubMode


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrubOptions(AboutOptions):
    """What to clear, what to spare, and what confirms it."""

    mode: Annotated[
        ScrubMode | None,
        typer.Option(
            "--mode", help="What is spared; always named without --about.", show_default=False
        ),
    ] = None
    execute: Annotated[
        bool, typer.Option("--execute", help="Remove what a dry run showed; not a dry run.")
    ] = False
    token: Annotated[
        str | None,
        typer.Option(
            "--token", metavar="TOKEN", help="As the dry run printed it.", show_default=False
        ),
    ] = None
    confirm: Annotated[
        str | None,
        typer.Option(
            "--confirm",
            metavar="PHRASE",
            help="As the dry run printed it, for example: scrub workspace 43",
            show_default=False,
        ),
    ] = None
    progress: ShowProgress = False

    @property
    def long(self) -> LongOptions:
        """As the work that takes a while wants them."""
        return LongOptions(as_json=self.as_json, progress=self.progress)
