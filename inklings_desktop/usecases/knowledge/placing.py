"""Where a fact is put that a person names a domain for, whether or not it is there yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inklings_desktop.usecases.knowledge.domains import Domains


def domain_named(domains: Domains, workspace_id: str, name: str) -> str:
    """Id of the domain of this name, regardless of case; made if there is none.

    Raises:
        InvalidValueError: It can be no name, or looks like another one.
    """
    for one in domains.list(workspace_id):
        if one.domain.name.casefold() == name.casefold():
            return one.domain.id
    return domains.create(workspace_id, name).id
