"""The words of memories and tags, in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.memory import MemoryEntry
    from tests.support.fake_file import FakeFile


class FakeTokenIndex:
    """The ``TokenIndex`` over one fake file; words of a text that changed are as good as gone."""

    def __init__(self, file: FakeFile) -> None:
        self._file = file

    def of_memories(self, ids: Sequence[str], space: str) -> Mapping[str, bytes]:
        """The words of those that have some."""
        kept = self._file.words
        return {
            one: kept[one][2]
            for one in ids
            if one in kept and self._is_current(self._file.memories[one], space)
        }

    def of_tags(self, tags: Sequence[str], space: str) -> Mapping[str, bytes]:
        """The words of those that have some."""
        kept = self._file.tag_words
        return {tag: kept[tag][1] for tag in tags if tag in kept and kept[tag][0] == space}

    def without(self, space: str, limit: int) -> tuple[tuple[str, str], ...]:
        """Memories that lack words, the newest first."""
        lacking = [
            one
            for one in self._file.memories.values()
            if one.is_retrievable and not self._is_current(one, space)
        ]
        lacking.sort(key=lambda one: -one.sequence)
        return tuple((one.id, one.content) for one in lacking[:limit])

    def n_without(self, space: str) -> int:
        """How many lack words."""
        return len(self.without(space, len(self._file.memories)))

    def tags_without(
        self, space: str, limit: int, ids: Sequence[str] | None = None
    ) -> tuple[str, ...]:
        """Tags that lack words."""
        carried = dict.fromkeys(
            tag
            for one in self._file.memories.values()
            if one.is_retrievable and (ids is None or one.id in ids)
            for tag in one.tags
        )
        known = self.of_tags(list(carried), space)
        return tuple([tag for tag in carried if tag not in known][:limit])

    def put(self, space: str, words: Sequence[tuple[str, str, bytes]]) -> int:
        """Store those that fit."""
        n_stored = 0
        for id_, content, data in words:
            one = self._file.memories.get(id_)
            if one is not None and one.is_retrievable and one.content == content:
                self._file.words[id_] = (space, content, data)
                n_stored += 1
        return n_stored

    def put_tags(self, space: str, words: Mapping[str, bytes]) -> None:
        """Store them."""
        for tag, data in words.items():
            self._file.tag_words[tag] = (space, data)

    def drop_unused_tags(self) -> None:
        """Keep those that a memory carries."""
        carried = {tag for one in self._file.memories.values() for tag in one.tags}
        for tag in self._file.tag_words.keys() - carried:
            del self._file.tag_words[tag]

    def is_empty(self) -> bool:
        """Whether there is nothing."""
        return not self._file.words and not self._file.tag_words

    def clear(self) -> None:
        """Drop all."""
        self._file.words.clear()
        self._file.tag_words.clear()

    def _is_current(self, one: MemoryEntry, space: str) -> bool:
        words = self._file.words.get(one.id)
        return words is not None and words[:2] == (space, one.content) and not one.is_forgotten
