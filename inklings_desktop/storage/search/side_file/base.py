"""The words and vectors of a file in one state, from its rows to arrays and back."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from inklings_desktop.storage.rows.memories import tags_of, unit_rows
from inklings_desktop.storage.rows.snapshot import WALL
from inklings_desktop.storage.search.postings import Numbers, Row, Segment
from inklings_desktop.storage.search.vector_base import (
    FEWEST_FOR_SHORT,
    NEEDED_RECALL,
    FileVectors,
    Ids,
    Texts,
    about_text,
    recall_of,
    rotation_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import numpy.typing as npt

    from inklings_desktop.storage.rows.snapshot import Snapshot
    from inklings_desktop.storage.search.tokens import Tokenizer

    Array = npt.NDArray[Any]

ROWS_AT_ONCE = 500
LONGEST_ID = 64
"""Bytes of the longest id that side files are made for; those of this program have 36."""

ROWS = (
    "SELECT s.id, s.body, s.subject, s.context, m.id, m.tier, m.scope_key,"  # noqa: S608
    f" {WALL}"
    " FROM memory_search s JOIN memories m ON m.sequence = s.id ORDER BY s.id"
)
_NEWEST_MODEL = "SELECT model_id FROM memory_vectors ORDER BY sequence DESC LIMIT 1"
_VECTORS = f"""
SELECT m.tier, m.scope_key, m.sequence, m.id,
    {WALL}, m.tags, m.source_conversation, m.said,
    v.dimension, v.vector
FROM memory_vectors v JOIN memories m ON m.sequence = v.sequence
WHERE v.model_id = ? AND m.forgotten_at IS NULL AND m.paused = 0
"""  # noqa: S608
_OF_SEGMENT = (
    "scopes", "agents", "sequences", "digests", "begins", "lengths", "places", "bounds", "docs",
    "codes", "doc_bounds", "weights",
)  # fmt: skip
_OF_VECTORS = ("sequences", "agents", "about", "said", "long", "short", "rotation")


class UnfitFileError(Exception):
    """A file of which no arrays are made."""


class Base(NamedTuple):
    """What side files hold of one state of a file.

    Attributes:
        change_seq: Change number of the state.
        reload_seq: Reload number of the state.
        numbers: Of scope keys and agents.
        vectors: Those of one model; None where there were none.
    """

    change_seq: int
    reload_seq: int
    words: Segment
    numbers: Numbers
    vectors: FileVectors | None


def rows_of(found: Sequence[tuple[Any, ...]]) -> list[Row]:
    """Rows of the index, as ``ROWS`` reads them."""
    return [Row(row[0], row[1:4], *row[4:]) for row in found]


def read_base(
    view: Snapshot,
    tokenizer: Tokenizer,
    model_id: str | None,
    require_wanted: Callable[[], None],
) -> tuple[dict[str, Any], dict[str, Array]]:
    """Head and arrays of the state that a view sees.

    Args:
        view: Open as long as it takes.
        tokenizer: Cuts texts into words.
        model_id: Whose vectors are wanted; None: those of the model that was used last.
        require_wanted: Raises once nobody wants them any more.

    Raises:
        UnfitFileError: Its ids are none of this program's.
    """
    change_seq, reload_seq = view.counters()
    numbers = Numbers()
    parts = _parts(view, ROWS, (), require_wanted)
    words = Segment.of(map(rows_of, parts), tokenizer, numbers)
    require_wanted()
    line, bounds = Texts.arrays(words.words)
    arrays: dict[str, Array] = {f"words.{one}": getattr(words, one) for one in _OF_SEGMENT}
    arrays |= {"words.ids": _ids(words.ids), "words.line": line, "words.line_bounds": bounds}
    vectors = _read_vectors(view, model_id, numbers, require_wanted)
    head: dict[str, Any] = {
        "change_seq": change_seq,
        "reload_seq": reload_seq,
        "scopes": numbers.scopes,
        "agents": numbers.agents,
    }
    if vectors is not None:
        line, bounds = Texts.arrays(vectors.abouts)
        arrays |= {f"vectors.{one}": getattr(vectors, one) for one in _OF_VECTORS}
        arrays |= {"vectors.ids": vectors.ids, "vectors.line": line, "vectors.line_bounds": bounds}
        head["vectors"] = {
            "model_id": vectors.model_id,
            "scopes": vectors.scopes,
            "bounds": vectors.bounds,
        }
    return head, arrays


def base_of(head: Mapping[str, Any], arrays: Mapping[str, Array]) -> Base:
    """What ``read_base`` gave, without reading any of it."""
    numbers = Numbers([(tier, key) for tier, key in head["scopes"]], head["agents"])
    words = Segment(
        ids=Ids(arrays["words.ids"]),
        words=Texts(arrays["words.line"], arrays["words.line_bounds"]),
        **{one: arrays[f"words.{one}"] for one in _OF_SEGMENT},
    )
    vectors = None
    if "vectors" in head:
        of_vectors = head["vectors"]
        vectors = FileVectors(
            model_id=of_vectors["model_id"],
            ids=arrays["vectors.ids"],
            scopes=[(tier, key) for tier, key in of_vectors["scopes"]],
            bounds=of_vectors["bounds"],
            agent_names=tuple(head["agents"]),
            abouts=Texts(arrays["vectors.line"], arrays["vectors.line_bounds"]),
            **{one: arrays[f"vectors.{one}"] for one in _OF_VECTORS},
        )
    return Base(head["change_seq"], head["reload_seq"], words, numbers, vectors)


def _parts(
    view: Snapshot, text: str, values: Sequence[Any], require_wanted: Callable[[], None]
) -> Iterator[list[tuple[Any, ...]]]:
    for part in view.parts(text, values, ROWS_AT_ONCE):
        require_wanted()
        yield part


def _read_vectors(
    view: Snapshot, model_id: str | None, numbers: Numbers, require_wanted: Callable[[], None]
) -> FileVectors | None:
    if model_id is None:
        newest = view.rows(_NEWEST_MODEL)
        if not newest:
            return None
        model_id = newest[0][0]
    heads: list[tuple[Any, ...]] = []
    matrices: list[npt.NDArray[np.float32]] = []
    dimension = 0
    for part in _parts(view, _VECTORS, (model_id,), require_wanted):
        dimension = dimension or Counter(row[8] for row in part).most_common(1)[0][0]
        fitting = [row for row in part if row[8] == dimension and len(row[9]) == 4 * dimension]
        matrix, sound = unit_rows([row[9] for row in fitting], dimension)
        heads += [row[:8] for row, is_sound in zip(fitting, sound, strict=True) if is_sound]
        matrices.append(matrix[sound])
    if not heads:
        return None
    tiers, keys, sequences, ids, agents, tags, conversations, said = zip(*heads, strict=True)
    whose = list(zip(tiers, keys, strict=True))
    scopes = sorted(set(whose))
    places = {scope: place for place, scope in enumerate(scopes)}
    scope_codes = np.array([places[one] for one in whose], np.int32)
    order = np.lexsort((np.array(sequences, np.int64), scope_codes))
    long = np.concatenate(matrices)[order]
    abouts: dict[tuple[str, str | None], int] = {}
    about = [abouts.setdefault(one, len(abouts)) for one in zip(tags, conversations, strict=True)]
    require_wanted()
    short, rotation = _shortened(long)
    return FileVectors(
        model_id,
        _ids(ids)[order],
        scopes,
        np.concatenate([[0], np.cumsum(np.bincount(scope_codes))]).tolist(),
        np.array(sequences, np.int64)[order],
        np.array([numbers.of_agent(one) for one in agents], np.int32)[order],
        numbers.agents,
        [about_text(tags_of(text), conversation) for text, conversation in abouts],
        np.array(about, np.int32)[order],
        _keys(said)[order],
        long,
        short,
        rotation,
    )


def _shortened(
    long: npt.NDArray[np.float32],
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Short rows and their rotation; no rows where they are not worth it or find too little."""
    rotation = np.empty((long.shape[1], 0), np.float32)
    nothing = np.empty((0, 0), np.float32)
    if len(long) < FEWEST_FOR_SHORT:
        return nothing, rotation
    rotation = rotation_of(long)
    short = long @ rotation
    return (short if recall_of(long, short) >= NEEDED_RECALL else nothing), rotation


def _ids(ids: Sequence[str]) -> npt.NDArray[np.bytes_]:
    coded = [one.encode(errors="surrogatepass") for one in ids]
    if any(len(one) > LONGEST_ID or b"\0" in one for one in coded):
        raise UnfitFileError("ids")
    return np.array(coded, np.bytes_) if coded else np.empty(0, "S1")


def _keys(said: Sequence[bytes]) -> npt.NDArray[np.uint8]:
    width = len(said[0])
    if any(len(one) != width for one in said):
        raise UnfitFileError("keys")
    return np.frombuffer(b"".join(said), np.uint8).reshape(-1, width)
