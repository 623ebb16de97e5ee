"""The world over which the clock goes."""

from tests.usecases.conftest import world

__all__ = ["world"]
