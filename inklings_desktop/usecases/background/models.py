"""Which embedding model turns texts into vectors: look, install, select, remove."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inklings_desktop.domain.access.access import (
    Action,
    authorize_management,
    authorize_person,
)
from inklings_desktop.domain.log.events import EventDraft, EventKind
from inklings_desktop.domain.memory import Tier
from inklings_desktop.domain.plain_data import dataclass
from inklings_desktop.usecases.consolidation.golden_watch import GoldenWatch, Watched
from inklings_desktop.usecases.parts import Asked
from inklings_desktop.usecases.ports.progress import UNHEARD

if TYPE_CHECKING:
    from pathlib import Path

    from inklings_desktop.usecases.ports.models import InstalledModel, OfferedModel
    from inklings_desktop.usecases.ports.progress import Progress


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


class Models(Asked):
    """Models that turn texts into vectors."""

    def show(self) -> ModelStatus:
        """Shows which models there are, and how far the one in use has come.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(self.caller)
        embedder = self.parts.embedder.pinned()
        n_missing = 0
        for file in (*(one.id for one in self.parts.directory.workspaces()), None):
            with self.store.read(file) as view:
                n_missing += view.memories.n_without_vector(embedder.model_id)
        return ModelStatus(
            self.adapters.catalogue.models(),
            n_missing,
            embedder.is_available,
            self.adapters.catalogue.offered(),
        )

    def offered(self) -> tuple[OfferedModel, ...]:
        """Lists the models that can be installed by their id; nobody is asked for them.

        Raises:
            ScopeDeniedError: The caller is an agent.
        """
        authorize_management(self.caller)
        return self.adapters.catalogue.offered()

    def install(
        self,
        source: str | Path,
        *,
        agreed: OfferedModel | None = None,
        progress: Progress = UNHEARD,
    ) -> InstalledModel:
        """Brings a model into this data root; it is used only once it is selected.

        Args:
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
        authorize_person(self.caller, Action.MANAGE, Tier.ACCOUNT)
        return self.adapters.catalogue.install(source, agreed=agreed, progress=progress)

    def select(self, model_id: str) -> InstalledModel:
        """Uses another model; vectors follow by backfill, and until then the former one answers.

        Vectors of two models are never compared.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: It is not installed.
            EmbeddingUnavailableError: Its files are not what they should be.
            OSError: The choice cannot be stored.
        """
        caller = self.caller
        authorize_person(caller, Action.MANAGE, Tier.ACCOUNT)
        before = self.parts.embedder.pinned().model_id
        if model_id != before:
            # Asked while the former model still answers; again once everything is embedded anew.
            files = (*(one.id for one in self.parts.directory.workspaces()), None)
            GoldenWatch(self.parts, caller).before([Watched(file) for file in files])
        selected = self.adapters.catalogue.select(model_id)
        if selected.id != before:
            draft = EventDraft(
                EventKind.MODEL_CHANGED,
                caller.name,
                caller.kind.value,
                caller.door.value,
                marks={"from": before, "to": selected.id},
            )
            with self.writing(None) as unit:
                unit.events.append(draft, self.clock())
                unit.commit()
        return selected

    def remove(self, model_id: str) -> None:
        """Deletes an installed model that is not in use.

        Raises:
            ScopeDeniedError: The caller is not the person.
            NotFoundError: It is not installed.
            InvalidValueError: It is the built-in one, or the one in use.
            OSError: It cannot be deleted.
        """
        authorize_person(self.caller, Action.MANAGE, Tier.ACCOUNT)
        self.adapters.catalogue.remove(model_id)
