"""Makes a test of a scene, which is what happens in a window or a presenter that stands already."""

from __future__ import annotations

from functools import partial, wraps
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    Scene = Callable[..., Awaitable[None]]


def scene(
    stage: Callable[..., object], *given: object, **options: Any
) -> Callable[[Scene], Callable[..., None]]:
    """Lets a coroutine be a test: ``stage(tmp_path, *given, coroutine, **options)`` plays it.

    What stands on the stage are the coroutine's positional-only parameters; the others are fixtures
    and parameters of the test.
    """

    def a_test(play: Scene) -> Callable[..., None]:
        asked = [
            one
            for one in signature(play).parameters.values()
            if one.kind is not Parameter.POSITIONAL_ONLY
        ]
        names = {one.name for one in asked}

        @wraps(play)
        def test(tmp_path: Path, **fixtures: object) -> None:
            if "tmp_path" in names:
                fixtures["tmp_path"] = tmp_path
            stage(tmp_path, *given, partial(play, **fixtures), **options)

        path = Parameter("tmp_path", Parameter.POSITIONAL_OR_KEYWORD)
        others = [one for one in asked if one.name != "tmp_path"]
        test.__signature__ = Signature([path, *others])  # type: ignore[attr-defined]
        return test

    return a_test
