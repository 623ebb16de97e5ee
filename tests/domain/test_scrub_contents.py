from __future__ import annotations

from dataclasses import replace

import pytest

from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.scrub.manifest import SAMPLE_SIZE, ScrubKind, ScrubMode
from inklings_desktop.domain.scrub.scrub_contents import (
    BEGINS_CHARACTERS,
    Doomed,
    ScrubContents,
    Spared,
)
from tests.support.builders import WORKSPACE_ID

MEMORY = Doomed(
    ScrubKind.MEMORY, "m1", 3, "The sea does not want anything.", "agent", "user", "long_term", 0.5
)
NOTE = Doomed(ScrubKind.WORKING_NOTE, "plan", 9, '{"value":1}', "agent")
NAMED = Doomed(ScrubKind.NAMED_ENTRY, "e1", 2, "RULES: # Rules", "author")
CONTENTS = ScrubContents(
    ScopeKey.workspace(WORKSPACE_ID),
    ScrubMode.FULL,
    (MEMORY, NOTE, NAMED),
    (("proposal", "p1", 4), ("draft", "e1", 7), ("golden_question", "g1", 1)),
    (Spared("v1", 1, "VOICE"), Spared("d1", 2, "GONE", is_deleted=True)),
)


@pytest.mark.parametrize(
    "changed",
    [
        replace(CONTENTS, mode=ScrubMode.KEEP_NAMED),
        replace(CONTENTS, scope=ScopeKey.account()),
        replace(CONTENTS, going=(replace(MEMORY, version=4), NOTE, NAMED)),
        replace(CONTENTS, going=(replace(MEMORY, id="m2"), NOTE, NAMED)),
        replace(CONTENTS, going=(MEMORY, replace(NOTE, version=10), NAMED)),
        replace(CONTENTS, going=(MEMORY, NOTE)),
        replace(CONTENTS, alongside=()),
        replace(CONTENTS, alongside=(("proposal", "p1", 5), ("draft", "e1", 7))),
        replace(CONTENTS, spared=(Spared("v1", 2, "VOICE"), CONTENTS.spared[1])),
        replace(CONTENTS, spared=CONTENTS.spared[:1]),
    ],
)
def test_whatever_is_written_changes_the_digest(changed: ScrubContents) -> None:
    assert changed.digest != CONTENTS.digest


@pytest.mark.parametrize(
    "changed",
    [
        replace(CONTENTS, going=(NAMED, replace(MEMORY, relevance=0.1), NOTE)),
        replace(CONTENTS, alongside=CONTENTS.alongside[::-1], spared=CONTENTS.spared[::-1]),
    ],
)
def test_reading_fading_and_order_do_not(changed: ScrubContents) -> None:
    assert changed.digest == CONTENTS.digest


def test_the_sample_is_capped_and_begins_with_what_matters_most() -> None:
    many = tuple(
        replace(MEMORY, id=f"m{n}", relevance=n / 100, is_forgotten=n % 2 == 0) for n in range(60)
    )
    sample = replace(CONTENTS, going=(NOTE, *many, NAMED)).sample()

    assert len(sample) == SAMPLE_SIZE
    assert sample[0].id == "e1"
    assert [one.id for one in sample[1:3]] == ["m59", "m57"]
    assert not any(one.is_forgotten for one in sample)


def test_a_sample_is_one_line_of_bounded_length() -> None:
    long = replace(MEMORY, begins="first\nsecond\t" + "x" * 500)

    begins = long.sample.begins

    assert begins.startswith("first second xxx")
    assert len(begins) == BEGINS_CHARACTERS


def test_the_event_names_well_known_sources_and_no_other() -> None:
    private = replace(MEMORY, id="m2", source="the diary of Nerys", is_forgotten=True)

    counts = replace(CONTENTS, going=(MEMORY, private, NOTE, NAMED)).event_counts()

    assert counts == {
        "removed": 4,
        "forgotten_before": 1,
        "proposals": 1,
        "golden_questions": 1,
        "saved_filters": 0,
        "page_versions": 0,
        "kept": 1,
        "kind:memory": 2,
        "kind:named_entry": 1,
        "kind:working_note": 1,
        "tier:workspace": 3,
        "curator:agent": 2,
        "lifetime:long_term": 2,
        "source:other": 1,
        "source:user": 1,
    }


def test_only_names_that_are_there_are_said_to_be_kept() -> None:
    assert CONTENTS.kept == ("VOICE",)
