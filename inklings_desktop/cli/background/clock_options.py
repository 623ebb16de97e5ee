"""Options of background work and models; annotations are evaluated here."""

from inklings_desktop.cli.options import (
    ChannelKey,
    ConversationKey,
    LongOptions,
    argument,
    flag,
    option,
)
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BackfillOptions(LongOptions):
    """Which files get their missing vectors."""

    every: bool = flag("--all", "Every workspace, not only this one.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidateOptions(LongOptions):
    """What is consolidated, or taken back."""

    tier: Tier | None = option("--tier", "Tier; channels, workspace and account if left out.")
    channel: ChannelKey = None
    conversation: ConversationKey = None
    preview: bool = flag("--preview", "Show the plan; change nothing.")
    allow_large: bool = flag("--allow-large", "Continue even if a large share would be forgotten.")
    keep_both: list[str] | None = option(
        "--keep-both",
        "Keep both memories of a pair that is alike; do not ask again.",
        metavar="PAIR|all",
    )
    merge: list[str] | None = option("--merge", "Merge a pair that is alike.", metavar="PAIR")
    undo: str | None = option("--undo", "Take a run back.", metavar="RUN")


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallModelOptions(LongOptions):
    """Where a model is installed from."""

    source: str = argument(
        "ID|FOLDER|ZIP",
        "A model that an installed package brings or a list names, or a folder or zip "
        "file with model.onnx, tokenizer.json and model.json.",
    )
    yes: bool = flag("--yes", "Fetch it without asking; its size and licence are agreed to.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions(LongOptions):
    """An installed model."""

    id: str = argument("ID", "As model status names it.")
