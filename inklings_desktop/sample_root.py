"""The data root of the sample world: made whole or not at all, and anew while nobody wrote in it.

Opening a data root is the composition root's; it hands in how.
"""

from __future__ import annotations

import json
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.resource_files import resource, template_of
from inklings_desktop.wiring import new_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.store import Clock
    from inklings_desktop.usecases.transfer.sample_world import SampleWorldLoaded

    OpenInklings = Callable[..., AbstractContextManager[Inklings]]

SAMPLE_WORLD = "sample_world.json"
AS_MADE = "sample.json"
"""In the data root: when the sample world was made, and what its rows told of it then."""
STANDS_STILL_FROM = timedelta(hours=1)
"""A sample world that is younger passes for fresh."""
NOT_OF_THE_WORLD = ("settings.toml", "window.ini", "models")


def make(data_dir: Path, clock: Clock, open_inklings: OpenInklings) -> SampleWorldLoaded:
    """Write the sample world into a data root that holds no workspace yet.

    A new data root is made beside its place and moved there when it is whole, so that a kill
    leaves no half of it.

    Args:
        data_dir: The data root.
        clock: Tells the time that the ages of the sample are counted from.
        open_inklings: Opens a data root.

    Raises:
        ConflictError: The data root already holds workspaces.
        StorageError: It cannot be written to.
    """
    if data_dir.exists() and any(data_dir.iterdir()):
        return _load(data_dir, clock, open_inklings)
    with _place_beside(data_dir) as making:
        loaded = _load(making, clock, open_inklings)
        making.replace(data_dir)
    return loaded


def renew(data_dir: Path, clock: Clock, open_inklings: OpenInklings) -> bool:
    """Make the sample world anew if nobody wrote in it: its time stands still until somebody does.

    Settings and models stay. What cannot be read, or is in use, is left as it is.

    Args:
        data_dir: The data root of a sample world.
        clock: Tells the time.
        open_inklings: Opens a data root.

    Returns:
        Whether it is a new one now.
    """
    if not _stands_still(data_dir, clock()):
        return False
    with _place_beside(data_dir) as making, _place_beside(data_dir) as past:
        _load(making, clock, open_inklings)
        for name in NOT_OF_THE_WORLD:
            if (data_dir / name).exists():
                (data_dir / name).replace(making / name)
        data_dir.replace(past)
        making.replace(data_dir)
    return True


def _stands_still(data_dir: Path, now: datetime) -> bool:
    """Whether it is old enough to be seen, and holds what it held when it was made."""
    from inklings_desktop.storage.keeping.traces import is_held, traces_in

    try:
        as_made = json.loads((data_dir / AS_MADE).read_text(encoding="utf-8"))
        return (
            now - datetime.fromisoformat(as_made["made_at"]) > STANDS_STILL_FROM
            and not is_held(data_dir, now)
            and traces_in(data_dir) == (as_made["n_rows"], as_made["newest"])
        )
    except (OSError, ValueError, KeyError, TypeError, StorageError):
        return False


def _load(data_dir: Path, clock: Clock, open_inklings: OpenInklings) -> SampleWorldLoaded:
    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.storage.keeping.traces import traces_in
    from inklings_desktop.usecases.transfer.sample_entries import account_age

    document = json.loads(resource(SAMPLE_WORLD).read_text(encoding="utf-8"))
    # The account's file, and SOUL in it, is as old as the sample says.
    begun = clock() - account_age(document)
    with closing(Databases(data_dir, lambda: begun, template_of=template_of)) as databases:
        databases.file(None)
    with open_inklings(data_dir, clock=clock, embed_writes=False) as inklings:
        inklings.preferences.save({"person.display_name": document["account"]["name"]})
        loaded = inklings.transfer.load_sample_world(document)
    as_made = traces_in(data_dir)._asdict() | {"made_at": clock().isoformat()}
    (data_dir / AS_MADE).write_text(json.dumps(as_made), encoding="utf-8")
    return loaded


@contextmanager
def _place_beside(data_dir: Path) -> Iterator[Path]:
    """A name beside the data root; what is left under it goes."""
    import shutil

    place = data_dir.with_name(f".{data_dir.name}-{new_id()}")
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
