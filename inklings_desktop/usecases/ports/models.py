"""What the use cases need of installed embedding models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from inklings_desktop.domain.plain_data import dataclass

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """An embedding model on this machine.

    Attributes:
        id: Name stored beside every vector.
        dimension: Numbers per vector; 0 if its folder cannot be read.
        is_built_in: Whether it came with the program.
        is_selected: Whether it is the one in use.
        problem: Why it cannot be used, a stable word; empty otherwise.
    """

    id: str
    dimension: int
    is_built_in: bool
    is_selected: bool
    problem: str = ""


class ModelCatalogue(Protocol):
    """The models on this machine, and the choice among them."""

    def models(self) -> tuple[InstalledModel, ...]:
        """The built-in one first, then by name."""
        ...

    def offered(self) -> tuple[str, ...]:
        """Ids of models that packages on this machine bring and that are not installed yet."""
        ...

    def install(self, source: str | Path) -> InstalledModel:
        """Bring a model in, after trying it once; nothing is left of one that fails.

        Args:
            source: A model folder, a zip file of one, or the id of a model that a package brings.

        Raises:
            InvalidValueError: It is no model, or its id cannot be used.
            NotFoundError: It is an id, and nobody brings such a model.
            ConflictError: A model with its id is installed, the built-in one included.
            EmbeddingUnavailableError: The model does not run, or not as its manifest says.
            OSError: It cannot be copied.
        """
        ...

    def select(self, model_id: str) -> InstalledModel:
        """Use this model from now on, in every program that works on this data root.

        Raises:
            NotFoundError: It is not installed.
            EmbeddingUnavailableError: Its files are not what they should be.
            OSError: The choice cannot be stored.
        """
        ...

    def remove(self, model_id: str) -> None:
        """Delete an installed model's files.

        Raises:
            NotFoundError: It is not installed.
            InvalidValueError: It is the built-in one, or the one in use.
            OSError: It cannot be deleted.
        """
        ...
