"""Which file a question is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.errors import InvalidValueError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inklings_desktop.domain.memory import ScopeKey


def one_file_of(scopes: Sequence[ScopeKey]) -> str | None:
    """The workspace (None: the account) whose file holds all of these scope keys.

    Raises:
        InvalidValueError: They are of several tiers or files; tiers never mix in one list.
    """
    if len({(scope.tier, scope.workspace_id) for scope in scopes}) != 1:
        raise InvalidValueError("scope", "several_tiers")
    return scopes[0].workspace_id
