"""What the tests of the whole program share."""

from tests.support.checked_schemas import a_schema_is_checked_once

__all__ = ["a_schema_is_checked_once"]
