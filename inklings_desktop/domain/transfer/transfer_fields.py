"""Takes the fields of one JSON object by name and kind; what nobody asked for is reported."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from inklings_desktop.domain.errors import InvalidValueError
from inklings_desktop.domain.transfer.document import ImportRefusedError, is_id
from inklings_desktop.domain.transfer.transfer_text import RawRow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from enum import StrEnum

    WordT = TypeVar("WordT", bound=StrEnum)

MAX_UNKNOWN = 20
MAX_LABEL = 256

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|\+00:00)")
_FIELD_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
_EPOCH_YEAR = 1970


class Fields:
    """The fields of one object; every take checks the type and ticks the field off.

    Each raises ``ImportRefusedError``: a field of the wrong type cannot come from this program,
    so the file as a whole is not to be trusted.
    """

    def __init__(self, values: Mapping[str, Any], where: str) -> None:
        self._values = values
        self._where = where
        self._taken: set[str] = set()

    def missing(self, field: str) -> ImportRefusedError:
        """The error for a field that is not there."""
        return ImportRefusedError("missing", self._at(field))

    def wrong(self, field: str, reason: str = "type") -> ImportRefusedError:
        """The error for a field that is not what it must be."""
        return ImportRefusedError(reason, self._at(field))

    def raw(self, field: str) -> Any:
        """The value as it stands; None when it is not there."""
        self._taken.add(field)
        return self._values.get(field)

    def text(self, field: str, default: str | None = None, limit: int | None = None) -> str:
        """A text; the default when it is not there."""
        value = self.raw(field)
        if value is None:
            if default is None:
                raise self.missing(field)
            return default
        if not isinstance(value, str):
            raise self.wrong(field)
        if limit is not None and len(value) > limit:
            raise self.wrong(field, "too_long")
        return value

    def text_or_none(self, field: str, limit: int | None = MAX_LABEL) -> str | None:
        """A text that may be missing or null."""
        return None if self.raw(field) is None else self.text(field, limit=limit)

    def checked(self, field: str, check: Callable[[str], str], default: str | None = None) -> str:
        """A text that a rule of its own admits."""
        try:
            return check(self.text(field, default))
        except InvalidValueError as error:
            raise self.wrong(field, error.rule) from None

    def id(self, field: str = "id") -> str:
        """An id as this program makes them."""
        value = self.text(field)
        if not is_id(value):
            raise self.wrong(field, "id")
        return value

    def id_or_none(self, field: str) -> str | None:
        """An id that may be missing or null."""
        return None if self.raw(field) is None else self.id(field)

    def count(self, field: str, default: int | None = None, *, least: int = 0) -> int:
        value = self.raw(field)
        if value is None and default is not None:
            return default
        if value is None:
            raise self.missing(field)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(field)
        if value < least or value >= 2**53:
            raise self.wrong(field, "number")
        return value

    def number(self, field: str, default: float) -> float:
        """A number."""
        value = self.raw(field)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(field)
        return float(value)

    def flag(self, field: str) -> bool:
        """True or false; false when it is not there."""
        value = self.raw(field)
        if value is None:
            return False
        if not isinstance(value, bool):
            raise self.wrong(field)
        return value

    def word(self, field: str, kind: type[WordT], default: WordT | None = None) -> WordT:
        """One of the words of a kind."""
        value = self.raw(field)
        if value is None and default is not None:
            return default
        try:
            return kind(self.text(field))
        except ValueError:
            raise self.wrong(field, "word") from None

    def time(self, field: str) -> datetime:
        """An instant, RFC 3339 in UTC; what is finer than a millisecond is cut off."""
        value = self.text(field)
        if _TIME.fullmatch(value) is None:
            raise self.wrong(field, "time")
        plain, _, rest = value.removesuffix("Z").removesuffix("+00:00").partition(".")
        try:
            instant = datetime.fromisoformat(plain).replace(tzinfo=UTC)
        except ValueError:
            raise self.wrong(field, "time") from None
        if instant.year < _EPOCH_YEAR:
            raise self.wrong(field, "time")
        millis = int(rest[:3].ljust(3, "0"))
        return instant.replace(microsecond=millis * 1000)

    def time_or_none(self, field: str) -> datetime | None:
        """An instant that may be missing or null."""
        return None if self.raw(field) is None else self.time(field)

    def texts(self, field: str) -> list[str]:
        """A list of texts; empty when it is not there."""
        found = self._list(field)
        if not all(isinstance(one, str) for one in found):
            raise self.wrong(field)
        return found

    def objects(self, field: str) -> list[Fields]:
        """A list of objects, each with its place in the list; empty when it is not there."""
        found = []
        for number, one in enumerate(self._list(field), start=1):
            where = f"{self._at(field)} {number}"
            value = one.value(where) if isinstance(one, RawRow) else one
            if not isinstance(value, dict):
                raise ImportRefusedError("type", where)
            found.append(Fields(value, where))
        return found

    def rows(self, field: str) -> list[tuple[str, RawRow]]:
        """Rows that are still to be parsed, one at a time, each with what it is called."""
        found = []
        for number, one in enumerate(self._list(field), start=1):
            where = f"{self._at(field)} {number}"
            if not isinstance(one, RawRow):
                raise ImportRefusedError("type", where)
            found.append((where, one))
        return found

    def object_or_none(self, field: str) -> Fields | None:
        """An object that may be missing or null."""
        value = self.raw(field)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.wrong(field)
        return Fields(value, self._at(field))

    def unknown(self, kind: str) -> set[str]:
        """Fields that were never asked for, named as ``kind.field``; odd names stay unsaid."""
        rest = [one for one in self._values if one not in self._taken]
        return {f"{kind}.{one}" if _FIELD_NAME.fullmatch(one) else f"{kind}.?" for one in rest}

    def _list(self, field: str) -> list[Any]:
        value = self.raw(field)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.wrong(field)
        return value

    def _at(self, field: str) -> str:
        return f"{self._where}.{field}" if self._where else field
