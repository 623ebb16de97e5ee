"""Columns of figures, one figure for each candidate of a search.

They are arrays of numpy's wherever some figures come as one. The first answer by words of a process
does without numpy, since its import takes longer than all the rest of that answer: there a column
is a list that is reckoned with in the same way, to the same last digit.
"""

from __future__ import annotations

import operator
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Column: TypeAlias = Any
"""Figures of candidates: an array of one dimension, or a list; a ``PlainColumn`` to reckon with."""


class PlainColumn(list[Any]):
    """A list of figures with as much of an array's arithmetic as ranking needs."""

    __slots__ = ()

    def __add__(self, other: Any) -> PlainColumn:
        """Row by row, as all that follows; the other is a column or one figure for every row."""
        return self._with(operator.add, other)

    def __mul__(self, other: Any) -> PlainColumn:
        return self._with(operator.mul, other)

    def __truediv__(self, other: Any) -> PlainColumn:
        return self._with(operator.truediv, other)

    def __floordiv__(self, other: Any) -> PlainColumn:
        return self._with(operator.floordiv, other)

    def __neg__(self) -> PlainColumn:
        return PlainColumn(map(operator.neg, self))

    def clip(self, least: float, most: float) -> PlainColumn:
        """Nothing below the least, nothing above the most."""
        return PlainColumn([min(max(one, least), most) for one in self])

    def tolist(self) -> list[Any]:
        """As a list, which it is."""
        return self

    def _with(self, reckon: Callable[[Any, Any], Any], other: Any) -> PlainColumn:
        return PlainColumn(map(reckon, self, other if isinstance(other, list) else repeat(other)))


def column_like(figures: Sequence[float]) -> Callable[[Sequence[float]], Column]:
    """What makes columns of the kind that goes with these figures."""
    if isinstance(figures, list | tuple):
        return PlainColumn
    import numpy as np

    return np.asarray


def together(columns: Sequence[Column]) -> Column:
    """Some columns, lists or arrays, one after the other."""
    if any(isinstance(one, list | tuple) for one in columns):
        return list(chain.from_iterable(columns))
    import numpy as np

    return np.concatenate(columns)
