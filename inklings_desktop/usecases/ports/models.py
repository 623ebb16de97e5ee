"""What the use cases need of installed embedding models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.ports.progress import UNHEARD

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.usecases.ports.progress import Progress


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """An embedding model on this machine.

    Attributes:
        id: Name stored beside every vector.
        dimension: Numbers per vector; 0 if its folder cannot be read.
        is_built_in: Whether it came with the program.
        is_selected: Whether it is the one in use.
        problem: Why it cannot be used, a stable word; empty otherwise.
        languages: Codes of those that it was made for, as ``en``; empty where nobody said.
    """

    id: str
    dimension: int
    is_built_in: bool
    is_selected: bool
    problem: str = ""
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OfferedModel:
    """A model that can be installed by its id.

    Attributes:
        id: Its name.
        licence: What it may be used under; empty where a package on this machine brings it.
        n_bytes: What would be fetched; 0 where nothing is.
        hosts: Whom the program would talk to; none where a package brings it.
    """

    id: str
    licence: str = ""
    n_bytes: int = 0
    hosts: tuple[str, ...] = ()

    @property
    def is_fetched(self) -> bool:
        """Whether it comes over the network."""
        return bool(self.hosts)


class ModelCatalogue(Protocol):
    """The models on this machine, and the choice among them."""

    def models(self) -> tuple[InstalledModel, ...]:
        """The built-in one first, then by name."""
        ...

    def offered(self) -> tuple[OfferedModel, ...]:
        """Models that can be installed by their id and are not yet; nobody is asked for them."""
        ...

    def install(
        self,
        source: str | Path,
        *,
        agreed: OfferedModel | None = None,
        progress: Progress = UNHEARD,
    ) -> InstalledModel:
        """Bring a model in, after trying it once; nothing is left of one that fails.

        Args:
            source: A model folder, a zip file of one, or the id of an offered model.
            agreed: The offer that the person agreed to; nothing is fetched without it.
            progress: Hears of what is fetched, and says when to stop.

        Raises:
            InvalidValueError: It is no model, its id cannot be used, it is not what a list of
                known models says, it cannot be fetched, or nobody agreed to that.
            StoppedError: The person stopped it.
            NotFoundError: It is an id, and no such model is offered.
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
