"""``inklings model``: which embedding models there are, and which one is used."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from inklings_desktop.cli.background.clock_options import InstallModelOptions, ModelOptions
from inklings_desktop.cli.command import command, group
from inklings_desktop.cli.messages import CommandFailedError, refused
from inklings_desktop.cli.options import CommonOptions
from inklings_desktop.cli.output import counted, one_line, table
from inklings_desktop.cli.program import Answer
from inklings_desktop.cli.progress import shown_progress
from inklings_desktop.domain.errors import EmbeddingUnavailableError, NotFoundError
from inklings_desktop.domain.plain_rows import row_of

if TYPE_CHECKING:
    from typing import Any

    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.models import InstalledModel, OfferedModel


_KEY_COLUMNS = 60
_STEPS = {"fetch": "fetching, in bytes"}


def model_group() -> typer.Typer:
    """Every command about embedding models."""
    models = group("model", "Embedding models: what turns texts into vectors.")
    command(models, "status", CommonOptions, status)
    command(models, "install", InstallModelOptions, install)
    command(models, "select", ModelOptions, select)
    command(models, "remove", ModelOptions, remove)
    return models


def status(inklings: Inklings, _options: CommonOptions) -> Answer:
    """List the models, and say how many memories lack a vector of the one in use."""
    found = inklings.models.show()
    rows = [
        [
            "*" if one.is_selected else "",
            one.id,
            f"{one.dimension}" if one.dimension else "",
            "built-in" if one.is_built_in else "installed",
            ", ".join(map(one_line, one.languages)),
            one.problem,
        ]
        for one in found.models
    ]
    lines = table(rows)
    lines += [
        f"Can be installed: inklings model install {one_line(one.id)}{_in_brackets(one)}"
        for one in found.offered
    ]
    if not found.is_available:
        lines.append("The selected model can't be used. Search works by words.")
    elif found.n_missing:
        lines.append(
            f"{counted(found.n_missing, 'memory')} without a vector of this model. "
            "Make them with: inklings backfill --all"
        )
    document = {
        "models": [_document(one) for one in found.models],
        "missing": found.n_missing,
        "available": found.is_available,
        "offered": [
            {"id": one.id, "licence": one.licence or None, **row_of(one, "bytes=n_bytes hosts")}
            for one in found.offered
        ],
    }
    return Answer(document, lines)


def install(inklings: Inklings, options: InstallModelOptions) -> Answer:
    """Try a model and bring it in.

    A folder or zip file is yours, and an ID names a model that a Python package beside this program
    brings. What a list of models names is fetched, once you agreed to its size and licence; Ctrl+C
    stops it, and nothing is left.
    """
    offer = next((one for one in inklings.models.offered() if one.id == options.source), None)
    if offer is not None and offer.is_fetched and not options.yes:
        _require_agreement(offer)
    try:
        with shown_progress(options, _STEPS) as progress:
            model = inklings.models.install(options.source, agreed=offer, progress=progress)
    except NotFoundError as error:
        raise _unknown(inklings, error.key) from error
    except EmbeddingUnavailableError as error:
        raise refused(
            "embedding_unavailable",
            f"This model does not run here ({error.reason}). Nothing was installed.",
        ) from error
    said = [
        f"Installed {one_line(model.id)}, {model.dimension} numbers per vector.",
        f"Use it with: inklings model select {one_line(model.id)}",
    ]
    return Answer({"model": _document(model)}, said)


def _require_agreement(offer: OfferedModel) -> None:
    """Ask the person at the terminal; without one nobody agrees."""
    question = f"Fetch {one_line(offer.id)}{_in_brackets(offer)}?"
    if not sys.stdin.isatty():
        raise refused("not_agreed", f"{question} To agree, add --yes. Nothing was fetched.")
    if not typer.confirm(question, err=True):
        raise refused("not_agreed", "Nothing was fetched.")


def _in_brackets(offer: OfferedModel) -> str:
    """What a person agrees to; nothing of a model that is on this machine."""
    if not offer.is_fetched:
        return ""
    hosts = ", ".join(map(one_line, offer.hosts))
    return f" ({offer.n_bytes / 1e6:,.1f} MB from {hosts}, licence {one_line(offer.licence)})"


def _unknown(inklings: Inklings, key: str) -> CommandFailedError:
    found = inklings.models.show()
    here = [f"{one.id} ({'built in' if one.is_built_in else 'installed'})" for one in found.models]
    here += [f"{one.id} (can be installed)" for one in found.offered]
    return refused(
        "not_found",
        f"Nothing here offers a model \u201c{one_line(key, _KEY_COLUMNS)}\u201d. There are: "
        f"{', '.join(map(one_line, here))}. Name one of them, or a folder or zip file with "
        "model.onnx, tokenizer.json and model.json. Nothing was installed.",
    )


def select(inklings: Inklings, options: ModelOptions) -> Answer:
    """Use this model from now on; vectors of two models are never compared."""
    try:
        model = inklings.models.select(options.id)
    except EmbeddingUnavailableError as error:
        raise refused(
            "embedding_unavailable",
            f"This model cannot be used ({error.reason}); the one before stays in use.",
        ) from error
    missing = inklings.models.show().n_missing
    said = [f"{one_line(model.id)} is in use."]
    if missing:
        said.append(
            f"{counted(missing, 'memory')} to embed again; until then the model before answers. "
            "The window does it automatically; here: inklings backfill --all"
        )
    return Answer({"model": _document(model), "missing": missing}, said)


def remove(inklings: Inklings, options: ModelOptions) -> Answer:
    """Delete an installed model that is not in use."""
    inklings.models.remove(options.id)
    return Answer({"removed": options.id}, [f"Removed {one_line(options.id)}."])


def _document(model: InstalledModel) -> dict[str, Any]:
    return {
        "id": model.id,
        "dimension": model.dimension,
        "built_in": model.is_built_in,
        "selected": model.is_selected,
        "problem": model.problem or None,
        "languages": list(model.languages),
    }
