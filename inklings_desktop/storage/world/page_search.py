"""Search of pages: the blend of words and meaning by which memories are ranked, on other tables."""

from __future__ import annotations

import json
import posixpath
from typing import TYPE_CHECKING, NamedTuple

from inklings_desktop.domain.memories.decay import DecayConfig
from inklings_desktop.domain.memory import ScopeKey
from inklings_desktop.domain.rooms.conversation import name_key
from inklings_desktop.domain.search.hits import WORDS_LENGTH, Hits, Trait, Traits, candidates
from inklings_desktop.domain.search.ranking import Meaning, ranked
from inklings_desktop.domain.words.query_text import (
    bare,
    folded,
    keyword_query,
    match_spans,
    openings_of,
)
from inklings_desktop.domain.world.axes import axes_of, marks_of
from inklings_desktop.domain.world.finding import WorldHit
from inklings_desktop.domain.world.pages import Block, BlockKind
from inklings_desktop.storage.rows.memories import EPOCH
from inklings_desktop.storage.search.search_text import match_expression
from inklings_desktop.storage.world.page_rows import PAGE_COLUMNS, page_of
from inklings_desktop.storage.world.passage_rows import FoundPassage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inklings_desktop.domain.memories.vectors import FloatVector
    from inklings_desktop.domain.search.ranking import Ranking
    from inklings_desktop.domain.words.query_text import KeywordQuery
    from inklings_desktop.domain.world.axes import Axes
    from inklings_desktop.domain.world.finding import WorldQuery
    from inklings_desktop.domain.world.pages import Page, WorldFolder
    from inklings_desktop.storage.rows.snapshot import View
    from inklings_desktop.storage.search.vector_snapshot import VectorSnapshot
    from inklings_desktop.usecases.ports.world import PageMeaning

MOST_LOOKED_AT = 6_400
EXCERPT_CHARACTERS = 300
_BEFORE = 60
"""How much of an excerpt stands before what was found."""
RETIRED = "retired"
_IMPORTANCE = {"minor": 0.3, "core": 0.8}
_USUAL = 0.5

_BEST = (
    "SELECT rowid, rank FROM passage_fts WHERE passage_fts MATCH ?"
    " ORDER BY rank, rowid DESC LIMIT ?"
)
_PASSAGES = """
SELECT sequence, page, first, last, begin, end, heading, said FROM passages
WHERE sequence IN (SELECT value FROM json_each(?))
"""
_PAGES = f"""
SELECT {PAGE_COLUMNS} FROM pages p WHERE p.sequence IN (SELECT value FROM json_each(?))
    AND p.folder_id IN (SELECT value FROM json_each(?)) AND p.gone_at IS NULL
"""  # noqa: S608 - our own


class _Candidate(NamedTuple):
    passage: FoundPassage
    said: bytes
    page: Page
    axes: Axes


class PageSearch:
    """One search, in one view."""

    def __init__(
        self,
        view: View,
        query: WorldQuery,
        folders: Sequence[WorldFolder],
        meaning: PageMeaning,
        snapshot: Callable[[], VectorSnapshot],
        known: dict[int, tuple[Page, Axes]],
    ) -> None:
        """Look in these folders, and in no others.

        Args:
            view: What the index holds.
            query: What is asked.
            folders: Where.
            meaning: What the question means.
            snapshot: Reads the vectors.
            known: Pages as earlier searches of the same state read them; is added to.
        """
        self._view, self._asked = view, query
        self._folders = {one.id: one for one in folders}
        self._words: KeywordQuery = keyword_query(query.text)
        self._openings = openings_of(self._words)
        self._known = known
        self._meaning, self._snapshot = meaning, snapshot

    def hits(self) -> tuple[WorldHit, ...]:
        """The best passages; of each page as many as there are."""
        if self._words.is_empty:
            return ()
        vectors = None if self._asked.mode == "keyword" else self._snapshot()
        vector = self._meaning.vector() if vectors is not None and vectors.dimension else None
        if vector is not None and vectors is not None and len(vector) != vectors.dimension:
            vector = None
        look = WORDS_LENGTH
        while True:
            keyword, semantic = self._looked(look, vectors, vector)
            fitting = self._fitting([*keyword.sequences, *semantic.sequences])
            is_all = max(len(keyword), len(semantic)) < look
            if is_all or len(fitting) >= self._asked.limit or look >= MOST_LOOKED_AT:
                break
            look *= 4  # most of what was found is in other folders, or put away
        found = candidates(_among(keyword, fitting), _among(semantic, fitting))
        if not found.ids:
            return ()
        cosines: Mapping[int, float] = {}
        if vectors is not None and vector is not None:
            cosines = vectors.cosines(vector, found.sequences)
        traits = self._traits(fitting, cosines)
        texts = {id_: self._text(fitting[int(id_)]) for id_ in traits.repeating()}
        ranking = ranked(
            found,
            traits,
            texts,
            self._words,
            Meaning(self._meaning.calibration),
            decay=DecayConfig(),
            now=EPOCH,
        )
        return self._told(ranking, fitting)

    def _looked(
        self, look: int, vectors: VectorSnapshot | None, vector: FloatVector | None
    ) -> tuple[Hits, Hits]:
        keyword = semantic = Hits()
        expression = match_expression(self._words)
        if self._asked.mode != "semantic" and expression:
            rows = self._view.rows(_BEST, (expression, look))
            keyword = Hits.of((str(number), -rank, number) for number, rank in rows)
        if vectors is not None and vector is not None:
            semantic = vectors.later_near(vector, look, visible_to=None, allowed=None)
        return keyword, semantic

    def _fitting(self, numbers: Sequence[int]) -> dict[int, _Candidate]:
        """Those of these passages that may be found, with what ranking weighs of them."""
        rows = self._view.rows(_PASSAGES, (json.dumps(numbers),))
        named = {row[1] for row in rows}
        unknown = json.dumps(list(named - self._known.keys()))
        in_folders = json.dumps(list(self._folders))
        for row in self._view.rows(_PAGES, (unknown, in_folders)):
            page = page_of(row)
            self._known[row[0]] = page, self._axes(page, ())
        wanted = {
            sequence: held
            for sequence in named
            if (held := self._known.get(sequence)) is not None and self._is_wanted(*held)
        }
        return {
            passage[0]: _Candidate(FoundPassage(*passage), said, *wanted[passage[1]])
            for *passage, said in rows
            if passage[1] in wanted
        }

    def _is_wanted(self, page: Page, axes: Axes) -> bool:
        if page.folder_id not in self._folders:
            return False
        lifecycle = axes.lifecycle.value
        if lifecycle != (self._asked.lifecycle or lifecycle):
            return False
        if lifecycle == RETIRED != self._asked.lifecycle:
            return False
        own = {name_key(one) for one in page.tags}
        return all(name_key(one.removeprefix("#")) in own for one in self._asked.tags)

    def _axes(self, page: Page, marks: Sequence[str]) -> Axes:
        return axes_of(
            page.front,
            page.tags,
            marks,
            self._folders[page.folder_id].rules,
            path=page.path,
            front_lines=page.front_lines,
        )

    def _traits(self, fitting: Mapping[int, _Candidate], cosines: Mapping[int, float]) -> Traits:
        # All are of one scope; a page is what a conversation is to memories: several good passages
        # of one speak for each other.
        scope = ScopeKey.account()
        return Traits.of(
            {
                str(number): Trait(
                    scope,
                    (one.page.title, *one.page.aliases, *_parts(one.passage), *one.page.tags),
                    one.page.id,
                    _IMPORTANCE.get(one.axes.weight.value, _USUAL),
                    0,
                    0,
                    True,
                    one.said,
                    cosines.get(number),
                )
                for number, one in fitting.items()
            }
        )

    def _text(self, one: _Candidate) -> str:
        return one.passage.text(one.passage.blocks(self._view))

    def _told(self, ranking: Ranking, fitting: Mapping[int, _Candidate]) -> tuple[WorldHit, ...]:
        hits: list[WorldHit] = []
        is_measured = self._meaning.calibration.shown is not None
        for id_ in ranking.ids:
            why = ranking.of(id_).explanation
            is_near = why.is_like or (not is_measured and why.semantic_rank is not None)
            if id_ in ranking.folded_into or (why.keyword_rank is None and not is_near):
                continue
            by = (
                "both"
                if why.keyword_rank and is_near
                else "words"
                if why.keyword_rank
                else "meaning"
            )
            hits.append(self._hit(fitting[int(id_)], why.score, by))
            if len(hits) == self._asked.limit:
                break
        return tuple(hits)

    def _hit(self, one: _Candidate, score: float, by: str) -> WorldHit:
        blocks = one.passage.blocks(self._view)
        if not blocks:
            name = posixpath.basename(one.page.path)
            block = Block("", BlockKind.PLAIN, "", name, b"", "", 1, 1)
            return WorldHit(one.page, block, "", name, (), score, by, one.axes)
        begin, end = one.passage.begin, one.passage.end
        block = max(
            blocks,
            key=lambda each: (self._n_said(each.text), each.kind is not BlockKind.HEADING),
        )
        text = block.text[begin:end] if end else block.text
        excerpt, marked = excerpt_of(text, match_spans(text, self._words))
        axes = self._axes(one.page, marks_of(block.text))
        return WorldHit(one.page, block, one.passage.heading, excerpt, marked, score, by, axes)

    def _n_said(self, text: str) -> int:
        """About how many words of the question a text says."""
        plain = bare(folded(text))
        return sum(one in plain for one in self._openings)


def excerpt_of(
    text: str, spans: Sequence[tuple[int, int]]
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The part of a text with the most of what was found, and where it stands in it.

    Args:
        text: Of a block.
        spans: Start and length of each word that was found, in order.

    Returns:
        Up to 300 characters, and begin and end of each word in them.
    """
    begin = 0
    if len(text) > EXCERPT_CHARACTERS and spans:
        reach = EXCERPT_CHARACTERS - _BEFORE
        starts = [start for start, _ in spans]
        first = max(
            starts, key=lambda one: (sum(one <= other < one + reach for other in starts), -one)
        )
        begin = max(0, min(first - _BEFORE, len(text) - EXCERPT_CHARACTERS))
        if begin and (blank := text.find(" ", begin, first)) >= 0:
            begin = blank + 1
    end = begin + EXCERPT_CHARACTERS
    inside = [(at - begin, at - begin + n) for at, n in spans if begin <= at and at + n <= end]
    return text[begin:end], tuple(inside)


def _among(hits: Hits, fitting: Mapping[int, _Candidate]) -> Hits:
    return hits.at([at for at, number in enumerate(hits.sequences) if number in fitting])


def _parts(passage: FoundPassage) -> list[str]:
    return [one for one in passage.heading.split("/") if one]
