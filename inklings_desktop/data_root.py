"""Where the data of this user lies. May import nothing of ours: the quickest doors ask it."""

from __future__ import annotations

import os
from pathlib import Path

DATA_DIR_VARIABLE = "INKLINGS_DATA_DIR"
_SAMPLE = "-sample"


def default_data_dir() -> Path:
    """The data root of this user: the environment's choice, else the platform's."""
    chosen = os.environ.get(DATA_DIR_VARIABLE)
    if chosen:
        return named_folder(chosen)
    import platformdirs

    return Path(platformdirs.user_data_dir("Inklings", appauthor=False))


def cache_dir() -> Path:
    """Where this user's programs keep what can be made again."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("Inklings", appauthor=False))


def named_folder(text: str) -> Path:
    """The folder or file of this name; no shell puts the home folder for ``~`` into an option."""
    try:
        return Path(text).expanduser()
    except RuntimeError:  # nobody knows that home
        return Path(text)


def sample_data_dir(data_dir: Path) -> Path:
    """The data root of the sample world beside the person's own."""
    named = data_dir if data_dir.name not in {"", ".."} else data_dir.resolve()
    return named.parent / f"{named.name}{_SAMPLE}"


def own_data_dir(data_dir: Path) -> Path | None:
    """The person's own data root beside that of the sample world; None for any other."""
    name = data_dir.name.removesuffix(_SAMPLE)
    return data_dir.with_name(name) if name not in {"", data_dir.name} else None
