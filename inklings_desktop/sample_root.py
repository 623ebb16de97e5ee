"""The data root of the sample world: made whole or not at all, and anew while nobody wrote in it.

Its pages lie in a folder beside it, as an author's would; where the disk refuses them it has none.

Opening a data root is the composition root's; it hands in how.
"""

from __future__ import annotations

import json
import os
from contextlib import closing, contextmanager, suppress
from datetime import datetime, timedelta
from hashlib import blake2b
from itertools import count
from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import StorageError
from inklings_desktop.resource_files import resource, template_of
from inklings_desktop.wiring import new_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    from inklings_desktop.usecases.bundle import Inklings
    from inklings_desktop.usecases.ports.store import Clock
    from inklings_desktop.usecases.transfer.sample_world import SampleWorldLoaded

    OpenInklings = Callable[..., AbstractContextManager[Inklings]]

SAMPLE_WORLD = "sample_world.json"
SAMPLE_PAGES = "sample_pages"
FIRST_PAGE = "Timeline.md"
AS_MADE = "sample.json"
"""In the data root: when the sample world was made, and what its rows told of it then."""
OLDER_BY = timedelta(days=3)
"""So much older than the last is each page of which the sample does not say when it changed."""
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
        return _load(data_dir, data_dir, clock, open_inklings)
    with _place_beside(data_dir) as making:
        loaded = _load(making, data_dir, clock, open_inklings)
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
        _load(making, data_dir, clock, open_inklings)
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
            and told_by(data_dir.with_name(data_dir.name + as_made["pages"])) == as_made["told"]
        )
    except (OSError, ValueError, KeyError, TypeError, StorageError):
        return False


def _load(
    making: Path, data_dir: Path, clock: Clock, open_inklings: OpenInklings
) -> SampleWorldLoaded:
    """Write it where it is made; its pages lie beside the place where it is to stand."""
    from inklings_desktop.storage.databases import Databases
    from inklings_desktop.storage.keeping.traces import traces_in
    from inklings_desktop.usecases.transfer.sample_entries import account_age

    document = json.loads(resource(SAMPLE_WORLD).read_text(encoding="utf-8"))
    # The account's file, and SOUL in it, is as old as the sample says.
    begun = clock() - account_age(document)
    with closing(Databases(making, lambda: begun, template_of=template_of)) as databases:
        databases.file(None)
    pages = _pages_of(data_dir)
    with open_inklings(making, clock=clock, embed_writes=False) as inklings:
        inklings.preferences.save({"person.display_name": document["account"]["name"]})
        loaded = inklings.transfer.load_sample_world(document)
        inklings.transfer.load_sample_knowledge(document, loaded.workspace.id)
        with suppress(OSError):
            _write_pages(pages, document["pages"]["changed_at"], document["as_of"], clock())
            here = loaded.workspace.id
            folder = inklings.world.link(here, pages, name=document["pages"]["name"])
            inklings.world.take_proposals(here, folder.id, allowed=True)
            inklings.world.look(here)
            inklings.transfer.load_sample_pages(document, here)
    as_made = traces_in(making)._asdict() | {
        "made_at": clock().isoformat(),
        "pages": pages.name.removeprefix(data_dir.name),
        "told": told_by(pages),
    }
    (making / AS_MADE).write_text(json.dumps(as_made), encoding="utf-8")
    return loaded


def _pages_of(data_dir: Path) -> Path:
    """Where its pages are to lie; a folder that is not as it was made is somebody's, and stays."""
    ours = {told_by(resource(f"{SAMPLE_PAGES}/{FIRST_PAGE}").parent)}
    with suppress(OSError, ValueError, KeyError):
        ours.add(json.loads((data_dir / AS_MADE).read_text(encoding="utf-8"))["told"])
    names = (f"{data_dir.name}-pages{number if number > 1 else ''}" for number in count(1))
    places = (data_dir.with_name(name) for name in names)
    return next(one for one in places if not one.exists() or told_by(one) in ours)


def _write_pages(place: Path, changed_at: Mapping[str, str], as_of: str, now: datetime) -> None:
    import shutil

    source = resource(f"{SAMPLE_PAGES}/{FIRST_PAGE}").parent
    shift = now - datetime.fromisoformat(as_of)
    with _place_beside(place) as new, _place_beside(place) as past:
        for number, page in enumerate(sorted(source.rglob("*.md")), start=1):
            path = page.relative_to(source)
            (new / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(page, new / path)
            told = changed_at.get(path.as_posix())
            at = datetime.fromisoformat(told) + shift if told else now - number * OLDER_BY
            os.utime(new / path, (at.timestamp(), at.timestamp()))
        if place.exists():
            place.replace(past)
        new.replace(place)


def told_by(pages: Path) -> str:
    """What a folder of pages says, as a digest; empty where it cannot be read."""
    digest = blake2b(digest_size=16)
    with suppress(OSError):
        for page in sorted(one for one in pages.rglob("*") if one.is_file()):
            digest.update(repr((page.relative_to(pages).as_posix(), page.read_bytes())).encode())
        return digest.hexdigest()
    return ""


@contextmanager
def _place_beside(data_dir: Path) -> Iterator[Path]:
    """A name beside the data root; what is left under it goes."""
    import shutil

    place = data_dir.with_name(f".{data_dir.name}-{new_id()}")
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
