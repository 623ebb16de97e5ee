"""Options of golden questions; annotations are evaluated here."""

from inklings_desktop.cli.options import ChannelKey, CommonOptions, argument, option
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveGoldenOptions(CommonOptions):
    """A question, and what its answer must hold."""

    question: str = argument("QUESTION", "As an agent would ask it.")
    must: list[str] | None = option("--must", "This memory must be found.", metavar="ID")
    must_not: list[str] | None = option("--must-not", "This memory must not be.", metavar="ID")
    tier: Tier | None = option("--tier", "Only if its memories are in this tier.")
    channel: ChannelKey = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenOptions(CommonOptions):
    """A golden question."""

    id: str = argument("ID", "As golden list names it.")
