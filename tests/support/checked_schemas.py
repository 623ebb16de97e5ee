"""Schemas of the agent's door, checked once a run: a client checks them anew in every session."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session", autouse=True)
def a_schema_is_checked_once() -> Iterator[None]:
    """Whether a schema is one takes 60 ms to tell, and is the same at every look."""
    check = Draft202012Validator.check_schema
    sound: set[str] = set()

    def checked(schema: Any, **how: Any) -> None:
        text = json.dumps(schema, sort_keys=True)
        if text not in sound:
            check(schema, **how)
            sound.add(text)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Draft202012Validator, "check_schema", checked)
        yield
