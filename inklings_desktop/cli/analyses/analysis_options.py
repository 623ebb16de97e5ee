"""The options of the commands about analyses, one frozen class per set.

Annotations are evaluated here (no postponed ones): the command line is built from them.
"""

from pathlib import Path

from inklings_desktop.cli.options import CommonOptions, LongOptions, argument, option
from inklings_desktop.data_root import named_folder
from inklings_desktop.domain.plain_data import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisOptions(CommonOptions):
    """One analysis."""

    name: str = argument("NAME")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions(LongOptions):
    """What is run, and on what."""

    name: str = argument("NAME", "Or --file.", default="")
    file: Path | None = option(
        "--file", "A script of your own.", metavar="FILE", parser=named_folder
    )
    query: str | None = option("--query", "What it is about: the input query.", metavar="TEXT")
    inputs: list[str] | None = option(
        "--input", "Any other input that it asks for.", metavar="NAME=TEXT"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ForkOptions(CommonOptions):
    """Where a copy goes."""

    name: str = argument("NAME")
    file: Path = argument("FILE", "A new file.", parser=named_folder)
