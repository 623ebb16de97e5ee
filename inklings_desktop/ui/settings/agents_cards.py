"""Cards of the group about agents and models: who provides models, and which work goes to which."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from inklings_desktop.agent_settings import PROCESSES, route_of
from inklings_desktop.ui.kit.controls.segmented import Segment
from inklings_desktop.ui.kit.look.layouts import STRETCH
from inklings_desktop.ui.kit.look.translation import tr
from inklings_desktop.ui.kit.page.declared import LOOK, part
from inklings_desktop.ui.kit.page.parts import across, below, button, grid, hairline, mark, words
from inklings_desktop.ui.kit.panes.scope_picker import ModelPicker
from inklings_desktop.ui.settings.agents_words import (
    SIGNING_IN,
    class_words,
    model_choices,
    model_words,
    spent_on,
    state_of,
    way_in,
    work_words,
)
from inklings_desktop.ui.settings.frame import card

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from PySide6.QtWidgets import QGridLayout

    from inklings_desktop.agent_settings import AgentSettings
    from inklings_desktop.ui.kit.look.theme import Theme
    from inklings_desktop.ui.kit.page.declared import Inside, Part
    from inklings_desktop.ui.settings.agents_words import ProviderFacts, Tried

TEST, KEY, SIGN_IN, CANCEL, REMOVE = "test", "key", "signIn", "cancel", "remove"
_ROW = 44
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def providers_card(
    providers: Sequence[ProviderFacts],
    tried: Mapping[str, Tried],
    doing: Mapping[str, str],
    act: Callable[[str, str], object],
    where: Part,
    *last: Inside,
) -> Part:
    """Who provides models: by which way, with what result, and what can be done.

    Args:
        providers: From top to bottom.
        tried: What came of asking them, by their ids.
        doing: What is being done with one, by its id.
        act: Told what is to be done, ``TEST`` or another, and with whom.
        where: Says where keys are kept.
        last: What stands below them.
    """
    cells = [*_head(tr("Name and way in"), tr("Last test"))] if providers else []
    for number, one in enumerate(providers, start=1):
        row, busy = 2 * number, doing.get(one.id, "")
        icon, role, said = state_of(one, tried.get(one.id), busy)
        state = mark(icon, role, said) if icon else words(said, way="plain")
        cells += [
            hairline(place=(row - 1, 0, 1, 3)),
            _named(one.title, way_in(one), row),
            across(state, STRETCH, place=(row, 1)),
            across(STRETCH, *_acts_on(one, busy, act), spacing=8, place=(row, 2)),
        ]
    table = grid(*cells, stretch=1, gap=24, dress=_measure)
    return card(tr("Providers"), table, *last, beside=(where,))


def _acts_on(one: ProviderFacts, busy: str, act: Callable[[str, str], object]) -> Iterator[Part]:
    def a_button(what: str, text: str, **said: Any) -> Part:
        spoken = "{}: {}".format(text.rstrip("\u2026"), one.title)
        wanted = partial(act, what, one.id)
        name = f"{what}:{one.id}"
        return button(text, wanted, small=True, name=name, spoken=spoken, **said)

    if busy == SIGNING_IN:
        yield a_button(CANCEL, tr("Cancel"))
        return
    if one.is_own:
        yield a_button(REMOVE, tr("Remove"), stores=True, enabled=not busy)
    if one.needs_key or one.is_own:
        text = tr("Change key\u2026") if one.key else tr("Add key\u2026")
        yield a_button(KEY, text, enabled=not busy)
    if one.signs_in and not one.key:
        yield a_button(SIGN_IN, tr("Sign in\u2026"), enabled=not busy)
    if one.can_be_asked:
        yield a_button(TEST, tr("Test"), enabled=not busy)


def classes_card(
    settings: AgentSettings,
    providers: Sequence[ProviderFacts],
    tried: Mapping[str, Tried],
    chosen: Callable[[str, str], object],
    *beside: Inside,
) -> Part:
    """Which model is taken for each class.

    Args:
        settings: What holds.
        providers: Whose models can be chosen.
        tried: Which models each has.
        chosen: Told of the class and the model, ``provider/model``.
        beside: What stands at the right of the title.
    """
    cells: list[Part] = []
    for number, (id_, (name, told)) in enumerate(class_words().items(), start=1):
        now = settings.classes.named(id_)
        picker = part(
            ModelPicker,
            LOOK,
            name=f"class:{id_}",
            spoken=tr("{class_name} model").format(class_name=name),
            offer=(model_choices(providers, tried, now), now),
            chosen=partial(chosen, id_),
            place=(2 * number, 1, _LEFT),
        )
        named = words(name, "bodyStrong", way="plain", place=(2 * number, 0))
        cells += [named, picker, words(told, way="plain", place=(2 * number, 2))]
    table = grid(*cells, stretch=2, gap=18, dress=_measure)
    return card(tr("Which models you use"), table, beside=beside)


def routing_card(
    switches: Sequence[Part], settings: AgentSettings, usage: Sequence[Mapping[str, Any]]
) -> Part:
    """Which work goes to which model.

    Args:
        switches: What each kind of work wants, in the order of ``PROCESSES``.
        settings: What holds.
        usage: What was spent in the last days, as the agent tells it.
    """
    cells = [*_head(tr("Work"), tr("Wants"), tr("Model"), tr("Last 7 days"))]
    for number, (process, wants) in enumerate(zip(PROCESSES, switches, strict=True), start=1):
        row, model = 2 * number, model_words(route_of(settings, process))
        cells += [
            hairline(place=(row - 1, 0, 1, 4)),
            _named(*work_words()[process], row),
            across(wants, STRETCH, place=(row, 1)),
            words(model, way="elided", toolTip=model, place=(row, 2)),
            words(spent_on(usage, process), way="plain", place=(row, 3, _LEFT)),
        ]
    table = grid(*cells, stretch=2, gap=18, dress=_measure)
    return card(tr("Which work goes to which model"), table)


def segments() -> tuple[Segment, ...]:
    """What a kind of work may want."""
    classes = (Segment(id_, name) for id_, (name, _) in class_words().items())
    return (*classes, Segment("off", tr("Off"), tooltip=tr("Do it without a model")))


def _head(*titles: str) -> Iterator[Part]:
    for column, title in enumerate(titles):
        yield words(title, "label", way="plain", place=(0, column))


def _named(name: str, told: str, row: int) -> Part:
    said = words(name, "bodyStrong", way="plain"), words(told, way="plain")
    return below(STRETCH, *said, STRETCH, spacing=0, place=(row, 0))


def _measure(made: QGridLayout, theme: Theme) -> None:
    for number in range(2, made.rowCount(), 2):
        made.setRowMinimumHeight(number, theme.scaled(_ROW))
