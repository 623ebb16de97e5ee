"""Which embedding model turns texts into vectors: look, install, select, remove."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    Caller,
    authorize_management,
    authorize_person,
)
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.consolidation.golden_watch import UNWATCHED, Watched
from inklings_desktop.usecases.ports.progress import UNHEARD

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.usecases.consolidation.golden_watch import GoldenWatch
    from inklings_desktop.usecases.ports.models import InstalledModel, ModelCatalogue, OfferedModel
    from inklings_desktop.usecases.ports.progress import Progress
    from inklings_desktop.usecases.ports.store import Clock, Embedder, Store, WorkspaceDirectory


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """The models, and what still lacks a vector of the one in use.

    Attributes:
        models: The built-in one first.
        n_missing: Memories of all workspaces and the account without a vector of that model.
        is_available: Whether it can embed.
        offered: Models that can be installed by their id.
    """

    models: tuple[InstalledModel, ...]
    n_missing: int
    is_available: bool
    offered: tuple[OfferedModel, ...] = ()


@dataclass(frozen=True, slots=True)
class ShowModels:
    """Which models there are, and how far the one in use has come."""

    store: Store
    directory: WorkspaceDirectory
    embedder: Embedder
    catalogue: ModelCatalogue

    def __call__(self, caller: Caller) -> ModelStatus:
        """The models.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(caller)
        embedder = self.embedder.pinned()
        n_missing = 0
        for file in (*(one.id for one in self.directory.workspaces()), None):
            with self.store.read(file) as view:
                n_missing += view.memories.n_without_vector(embedder.model_id)
        return ModelStatus(
            self.catalogue.models(), n_missing, embedder.is_available, self.catalogue.offered()
        )


@dataclass(frozen=True, slots=True)
class ListOfferedModels:
    """Which models can be installed by their id; nobody is asked for them."""

    catalogue: ModelCatalogue

    def __call__(self, caller: Caller) -> tuple[OfferedModel, ...]:
        """The models.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(caller)
        return self.catalogue.offered()


@dataclass(frozen=True, slots=True)
class InstallModel:
    """Bring a model into this data root; it is used only once it is selected."""

    catalogue: ModelCatalogue

    def __call__(
        self,
        caller: Caller,
        source: str | Path,
        *,
        agreed: OfferedModel | None = None,
        progress: Progress = UNHEARD,
    ) -> InstalledModel:
        """The installed model.

        Args:
            caller: The person.
            source: A model folder, a zip file of one, or the id of an offered model.
            agreed: The offer that the person agreed to; nothing is fetched without it.
            progress: Hears of what is fetched, and says when to stop.

        Raises:
            ScopeDeniedError: The caller is not the person.
            InvalidValueError: It is no model, not the one that is known by its name, or it cannot
                be fetched.
            StoppedError: The person stopped it.
            NotFoundError: It is an id, and no such model is offered.
            ConflictError: A model with its id is installed.
            EmbeddingUnavailableError: It does not run.
            OSError: It cannot be copied.
        """
        authorize_person(caller, Action.MANAGE, Tier.ACCOUNT)
        return self.catalogue.install(source, agreed=agreed, progress=progress)


@dataclass(frozen=True, slots=True)
class SelectModel:
    """Use another model; vectors follow by backfill, and until then the former one answers."""

    store: Store
    directory: WorkspaceDirectory
    clock: Clock
    embedder: Embedder
    catalogue: ModelCatalogue
    golden: GoldenWatch = UNWATCHED

    def __call__(self, caller: Caller, model_id: str) -> InstalledModel:
        """The model in use from now on; vectors of two models are never compared.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: It is not installed.
            EmbeddingUnavailableError: Its files are not what they should be.
            OSError: The choice cannot be stored.
        """
        authorize_person(caller, Action.MANAGE, Tier.ACCOUNT)
        before = self.embedder.pinned().model_id
        if model_id != before:
            # Asked while the former model still answers; again once everything is embedded anew.
            files = (*(one.id for one in self.directory.workspaces()), None)
            self.golden.before(caller, [Watched(file) for file in files])
        selected = self.catalogue.select(model_id)
        if selected.id != before:
            draft = EventDraft(
                EventKind.MODEL_CHANGED,
                caller.name,
                caller.kind.value,
                caller.door.value,
                marks={"from": before, "to": selected.id},
            )
            with self.store.write(None, initiator=caller.name) as unit:
                unit.events.append(draft, self.clock())
                unit.commit()
        return selected


@dataclass(frozen=True, slots=True)
class RemoveModel:
    """Delete an installed model that is not in use."""

    catalogue: ModelCatalogue

    def __call__(self, caller: Caller, model_id: str) -> None:
        """Delete it.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: It is not installed.
            InvalidValueError: It is the built-in one, or the one in use.
            OSError: It cannot be deleted.
        """
        authorize_person(caller, Action.MANAGE, Tier.ACCOUNT)
        self.catalogue.remove(model_id)
