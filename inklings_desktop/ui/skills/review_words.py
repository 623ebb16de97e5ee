"""What the review of a skill says; knows no widgets."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from inklings_desktop.ui.kit.look.translation import counted, tr
from inklings_desktop.ui.kit.words.memory_facts import name_of_writer, secret_names, spoken_age
from inklings_desktop.ui.skills.review_state import CHANGED, GONE, NEW
from inklings_desktop.ui.skills.words import got_words, how_checked, run_words

if TYPE_CHECKING:
    from inklings_desktop.domain.skills.assertions import Assertion, Finding
    from inklings_desktop.ui.skills.review_state import ReviewState


def head_words(state: ReviewState) -> tuple[str, str]:
    """What is reviewed, and who made it."""
    review = state.review
    title = tr("Review the new skill")
    if review.before is not None:
        title = tr("Review the new version")
    told = tr("{name}, this workspace. Asked for by {client}, {age} ago.")
    age = spoken_age(timedelta(seconds=review.seconds_ago))
    client = name_of_writer(review.proposal.client)
    return title, told.format(name=review.after.title, client=client, age=age)


def headline(state: ReviewState) -> str:
    """How much of what is taken is another, and how many assertions hold."""
    found = [what for path, what in state.review.states.items() if path not in state.left]
    n_changed, n_new, n_gone = (found.count(one) for one in (CHANGED, NEW, GONE))
    said = []
    if n_changed:
        said.append(counted(n_changed, "1 artifact changes", "{n} artifacts change"))
        if n_new:
            said.append(counted(n_new, "1 is new", "{n} are new"))
    elif n_new:
        said.append(counted(n_new, "1 artifact is new", "{n} artifacts are new"))
    if n_gone:
        said.append(counted(n_gone, "1 goes", "{n} go"))
    if tried := state.tried:
        told = counted(len(tried), "{held} of 1 assertion passes", "{held} of {n} assertions pass")
        said.append(told.format(held=sum(tried)))
    return ", ".join(said) or tr("Nothing of it is taken")


def tried_words(state: ReviewState) -> str:
    """On what it was tried, or why it was not."""
    trial, told = state.trial, tr("Nothing was tried.")
    if state.chosen is not None and not state.code_path:
        told = tr("It has no code, so nothing was tried.")
    elif state.is_running:
        told = tr("Both versions are running\u2026")
    elif trial is not None and trial.after is not None:
        told = tr("Both versions were tried on the input below.")
        if not trial.after.has_sandbox:
            told = tr("The sandbox is not installed, so code is shown and not run.")
    elif not state.given.strip():
        told = tr("Nobody has worked by it yet. Type an input below to try both versions.")
    return f"{told} {tr('Nothing is in use yet.')}"


def warnings(state: ReviewState) -> tuple[str, ...]:
    """What to be careful about, most pressing first."""
    said, review = [], state.review
    if state.problem:
        said.append(state.problem)
    if secrets := review.proposal.secrets:
        told = tr("This looks like {kinds}. If you accept it, agents with access here can read it.")
        said.append(told.format(kinds=secret_names(secrets)))
    if review.is_overtaken:
        told = tr(
            "{name} was changed after this was proposed. You see the difference to "
            "today\u2019s text."
        )
        said.append(told.format(name=review.after.title))
    return tuple(said)


def check_words(
    state: ReviewState, one: Assertion, found: Finding | None, *, held: bool | None
) -> str:
    """How an assertion came out, in a few words."""
    if found is None:
        return (
            tr("being tried")
            if state.is_running
            else tr("not tried: {how}").format(how=how_checked(one))
        )
    if found.holds and held is False:
        return tr("failed before")
    if found.holds is False and held:
        return tr("{got}; passed before").format(got=got_words(found))
    return got_words(found)


def came_words(state: ReviewState, *, after: bool) -> str:
    """What came of one of the two versions."""
    trial = state.trial
    if state.is_running:
        return tr("Running\u2026")
    if trial is None:
        return ""
    run = trial.after if after else trial.before
    if run is None:
        return (
            tr("The new version has no such code.")
            if after
            else tr("The version before has no such code.")
        )
    return run_words(run)


def use_words(state: ReviewState) -> str:
    """What the button says that puts it to use."""
    if not all(state.tried):
        return tr("Use it anyway")
    return tr("Use the new skill") if state.review.before is None else tr("Use the new version")
