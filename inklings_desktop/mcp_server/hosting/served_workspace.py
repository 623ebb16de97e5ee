"""Which workspace a client is bound to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import NotFoundError

if TYPE_CHECKING:
    from inklings_desktop.domain.rooms.workspace import Workspace
    from inklings_desktop.usecases.bundle import Inklings


def served_workspace(inklings: Inklings, client: str, wanted: str | None) -> Workspace:
    """The workspace that is named; else the only one, or the only one that the client may enter.

    Its file is opened, so that what is wrong with it is said before anything is served.

    Raises:
        NotFoundError: There is none of this name, or it has to be named.
        StorageError: It cannot be opened.
    """
    found = _found(inklings, client, wanted)
    inklings.places.channels(found.id)
    return found


def _found(inklings: Inklings, client: str, wanted: str | None) -> Workspace:
    every = inklings.places.workspaces()
    known = tuple(one.name for one in every)
    if wanted is not None:
        try:
            return inklings.workspaces.find(wanted)
        except NotFoundError:
            raise NotFoundError("workspace", wanted, known) from None
    if len(every) > 1:
        rights = {one.client.name: one.client.rights for one in inklings.clients.list()}
        entered = {right.workspace_id for right in rights.get(client, ())}
        every = tuple(one for one in every if one.id in entered)
    if len(every) != 1:
        raise NotFoundError("workspace", "", known)
    return every[0]
