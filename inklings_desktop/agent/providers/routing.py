"""Which model does which work: what is set, made into models that can be asked.

Settings are looked at for every piece of work, so a choice holds from the next call on. What was
made of a provider is kept until its address or its key changes: a connection is worth keeping.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inklings_desktop.agent_settings import PROCESSES, route_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from inklings_desktop.agent.providers.port import ChatModel, Event, Models, Request
    from inklings_desktop.agent_settings import AgentSettings, Provider

MECHANICAL = "mechanical"
"""What a conversation chooses in place of a model to have none."""


class RoutedModels:
    """The ``Models`` of the settings."""

    def __init__(
        self, settings: Callable[[], AgentSettings], make: Callable[[str, str], ChatModel]
    ) -> None:
        """Look at these settings for every piece of work.

        Args:
            settings: What holds now.
            make: Makes a model of a provider's id and a name; nothing is asked of it yet.
        """
        self._settings = settings
        self._make = make
        self._made: dict[str, ChatModel] = {}
        self._of: tuple[Provider, ...] = ()

    @property
    def is_any_set(self) -> bool:
        """Whether any work is done by a model."""
        settings = self._settings()
        return any(route_of(settings, one).model for one in PROCESSES)

    def model_for(self, process: str) -> ChatModel | None:
        model = route_of(self._settings(), process).model
        return self.named(model) if model else None

    def named(self, model: str) -> ChatModel:
        """One by ``provider/model``.

        Raises:
            AgentError: It cannot be used.
        """
        providers = self._settings().providers
        if providers != self._of:
            self.forget()
            self._of = providers
        if model not in self._made:
            provider, _, name = model.partition("/")
            self._made[model] = self._make(provider, name)
        return self._made[model]

    def forget(self) -> None:
        """Make every model anew: a key changed."""
        self._made.clear()


@dataclass(frozen=True, slots=True)
class ChosenModels:
    """The ``Models`` of one conversation, which may have chosen what answers in it.

    Attributes:
        models: Those of the settings.
        named: Finds one by ``provider/model``.
        chosen: What answers here; ``mechanical`` for no model at all, empty for what is set.
        effort: How much it should think, in the provider's word; empty for its default.
    """

    models: Models
    named: Callable[[str], ChatModel]
    chosen: str = ""
    effort: str = ""

    def model_for(self, process: str) -> ChatModel | None:
        if self.chosen == MECHANICAL:
            return None
        if process != PROCESSES[0]:
            return self.models.model_for(process)
        model = self.named(self.chosen) if self.chosen else self.models.model_for(process)
        return model if model is None or not self.effort else _Thinking(model, self.effort)


class _Thinking:
    """A model that thinks as much as somebody wishes."""

    def __init__(self, model: ChatModel, effort: str) -> None:
        self.provider, self.model = model.provider, model.model
        self.is_local, self.window = model.is_local, model.window
        self._model, self._effort = model, effort

    def stream(self, request: Request) -> AsyncIterator[Event]:
        return self._model.stream(replace(request, effort=request.effort or self._effort))
