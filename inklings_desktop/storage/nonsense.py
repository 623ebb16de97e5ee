"""Names damage that no check of SQLite's sees: a row that can be read and means nothing."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from inklings_desktop.domain.errors import DatabaseCorruptError

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")

_NONSENSE = (KeyError, ValueError, TypeError, ArithmeticError)


def of_sensible_rows(read: Callable[P, T]) -> Callable[P, T]:
    """Let whoever makes something of a row call values that no file of ours holds damage.

    Which file it was is not known here; the store that hands the rows out adds that.
    """

    @wraps(read)
    def checked(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return read(*args, **kwargs)
        except _NONSENSE as error:
            # Only what kind: the value may be somebody's text.
            raise DatabaseCorruptError(detail=type(error).__name__) from error

    return checked
