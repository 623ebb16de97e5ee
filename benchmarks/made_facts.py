"""Invented facts about invented places, questions about them, and vectors that fit both.

The same texts every time. A fifth of them say nearly the same as an earlier one, as memories do.
The vectors are sums of one random direction per word: texts that share words are near each other,
which costs a search what real meaning costs and needs no model.
"""

from __future__ import annotations

import random
import re
import uuid
import zlib
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from inklings_desktop.domain.likeness.calibration import Calibration
from inklings_desktop.domain.memory import Curator, Lifetime, MemoryEntry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inklings_desktop.domain.memories.vectors import FloatMatrix, FloatVector
    from inklings_desktop.domain.memory import ScopeKey
    from inklings_desktop.usecases.bundle import Inklings

DIMENSION = 384
REPEATED = 0.2
STEP = 2_000

_FIRST = (
    "Al", "Bex", "Cor", "Dun", "Esk", "Fal", "Gry", "Hes", "Ild", "Jar", "Kem", "Lor", "Mev",
    "Nor", "Ost", "Pel", "Quil", "Ras", "Sev", "Tam", "Ulm", "Vey", "Wex", "Yar",
)  # fmt: skip
_LAST = (
    "a", "an", "eth", "ia", "ic", "ild", "in", "is", "mar", "ne", "on", "or", "ra", "rick", "sa",
    "th", "ulf", "va", "wen", "yn", "dre", "bolt", "gast", "mund",
)  # fmt: skip
_PLACES = (
    "Quay", "Gate", "Hollow", "Mill", "Ridge", "Ford", "Tower", "Fen", "Bridge", "Market", "Wharf",
    "Orchard", "Cloister", "Foundry", "Terrace", "Causeway", "Cove", "Thicket", "Barracks", "Well",
    "Lighthouse", "Granary", "Garden", "Stair", "Arcade", "Moor", "Locks", "Vineyard", "Shambles",
    "Bastion",
)  # fmt: skip
_TRADES = (
    "rope maker", "toll keeper", "bell founder", "glass grinder", "map seller", "salt carrier",
    "ferry master", "lamp trimmer", "sail mender", "grain judge", "ink brewer", "bone setter",
    "clock winder", "net weaver", "tax scribe", "organ tuner", "falcon trainer", "candle dipper",
)  # fmt: skip
_GOODS = (
    "tar", "copper wire", "dried plums", "oak planks", "blue wool", "sea salt", "candles",
    "pewter spoons", "horse hair", "lemon peel", "chalk", "whale oil", "goose down", "saffron",
)  # fmt: skip
_VERBS = (
    "bought", "sold", "hid", "stole", "carried", "counted", "burned", "buried", "traded", "lost",
    "found", "repaired", "measured", "promised", "refused", "delivered", "forged", "blessed",
    "inspected", "weighed", "borrowed", "returned", "painted", "copied", "smuggled", "guarded",
    "auctioned", "divided", "sealed", "tested", "gathered", "ordered", "wrapped", "stored",
)  # fmt: skip
_TIMES = ("before", "after", "during", "since", "until", "on the eve of", "in the week of")
_EVENTS = (
    "the long frost", "the chapel fire", "the second census", "the year without herring",
    "the quarrel of the guilds", "the night of two tides", "the blockade", "the red comet",
    "the great eclipse", "the siege of ladders", "the drowned harvest", "the amnesty",
)  # fmt: skip
_HABITS = (
    "counts steps aloud on stairs", "never signs a letter", "keeps every receipt in a tin",
    "is deaf in the left ear", "whistles before bad news", "trusts no mirror",
    "eats alone on feast days", "collects broken compasses", "limps in wet weather",
    "speaks to pigeons", "wears two watches", "draws maps from memory",
)  # fmt: skip
_SMALL_CHANGES = ((", ", " - "), ("and ", "and also "), ("has ", "still has "), ("the ", "that "))


class Fact(NamedTuple):
    """A text and a question that it answers."""

    text: str
    question: str


def facts(n: int, seed: int = 7) -> Iterator[Fact]:
    """This many facts; the first ones are the same whatever the number."""
    dice = random.Random(seed)
    people = [dice.choice(_FIRST) + dice.choice(_LAST) for _ in range(300)]
    places = [
        f"{dice.choice(_FIRST)}{dice.choice(_LAST)} {dice.choice(_PLACES)}" for _ in range(150)
    ]
    told: list[Fact] = []
    for number in range(n):
        if told and dice.random() < REPEATED:
            before = dice.choice(told)
            old, new = dice.choice(_SMALL_CHANGES)
            yield Fact(f"{before.text.replace(old, new, 1)} (again)", before.question)
            continue
        fact = _fact(dice, dice.sample(people, 2), dice.sample(places, 2), number)
        if len(told) < 50_000:
            told.append(fact)
        yield fact


def _fact(dice: random.Random, people: Sequence[str], places: Sequence[str], number: int) -> Fact:
    one, other = people
    here, there = places
    verb, trade, goods = dice.choice(_VERBS), dice.choice(_TRADES), dice.choice(_GOODS)
    text = (
        f"{one}, the {trade} of {here}, {verb} {goods} for {other} at {there} "
        f"{dice.choice(_TIMES)} {dice.choice(_EVENTS)}, and {dice.choice(_HABITS)}."
    )
    match number % 3:
        case 0:
            return Fact(text, f"what was {verb} by {one} for {other}")
        case 1:
            return Fact(text, f"who {verb} {goods} at {there}")
        case _:
            return Fact(text, f"the {trade} of {here} and {other}")


def entries(scope: ScopeKey, n: int, seed: int = 7) -> Iterator[MemoryEntry]:
    """Facts as memories of one scope key, of different ages, importance and reads."""
    dice = random.Random(seed + 1)
    now = datetime.now(UTC)
    for fact in facts(n, seed):
        yield MemoryEntry(
            id=str(uuid.UUID(int=dice.getrandbits(128), version=4)),
            sequence=0,
            version=1,
            scope=scope,
            content=fact.text,
            lifetime=dice.choice((Lifetime.SHORT_TERM, Lifetime.LONG_TERM)),
            source=dice.choice(("user", "orchestrator", "researcher")),
            curator=Curator.AGENT,
            importance=round(dice.random(), 2),
            tags=(dice.choice(_PLACES).lower(), dice.choice(_TRADES)),
            created_at=now - timedelta(minutes=dice.randrange(200_000)),
            access_count=dice.randrange(8),
        )


def questions(n: int, among: int, seed: int = 7) -> list[str]:
    """Different questions about the first ``among`` facts."""
    asked = list(dict.fromkeys(fact.question for fact in facts(among, seed)))
    return random.Random(seed + 2).sample(asked, n)


class WordVectors:
    """An embedder without a model: equal words point the same way."""

    def __init__(self, model_id: str = "words", dimension: int = DIMENSION) -> None:
        self.model_id = model_id
        self.dimension = dimension
        self.is_available = True
        self.calibration = Calibration(shown=0.25, folded=0.9, merged=0.95)
        self._directions: dict[str, FloatVector] = {}

    def pinned(self) -> WordVectors:
        """Itself."""
        return self

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """One vector of length 1 per text."""
        matrix = np.zeros((len(texts), self.dimension), np.float32)
        for place, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()):
                matrix[place] += self._direction(word)
        matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-6)
        return matrix

    def embed_question(self, text: str) -> FloatVector:
        """The same as of a memory."""
        vector: FloatVector = self.embed([text])[0]
        return vector

    def _direction(self, word: str) -> FloatVector:
        known = self._directions.get(word)
        if known is None:
            source = np.random.default_rng(zlib.crc32(word.encode()))
            known = source.standard_normal(self.dimension).astype(np.float32)
            self._directions[word] = known
        return known


def fill(inklings: Inklings, scope: ScopeKey, n: int, vectors: WordVectors, seed: int = 7) -> None:
    """Store this many memories with their vectors."""
    part: list[MemoryEntry] = []
    for number, entry in enumerate(entries(scope, n, seed), start=1):
        part.append(entry)
        if len(part) < STEP and number < n:
            continue
        with inklings.parts.store.write(scope.workspace_id, initiator="benchmark") as unit:
            unit.memories.add(part)
            unit.memories.put_vectors(
                vectors.model_id,
                [
                    (one.id, one.content, vector)
                    for one, vector in zip(
                        part, vectors.embed([one.content for one in part]), strict=True
                    )
                ],
            )
            unit.commit()
        part = []
