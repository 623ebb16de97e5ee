"""What the use cases need of vectors of words: a model that makes them, a store that keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inklings_desktop.domain.memories.vectors import FloatMatrix


class Read(NamedTuple):
    """What a model makes of some texts in one go.

    Attributes:
        vectors: float32, shape (n_texts, dimension); every row of length 1.
        words: Of each text, its telling words as ``late_interaction.packed`` gives them.
    """

    vectors: FloatMatrix
    words: Sequence[bytes]


class WordEmbedder(Protocol):
    """An ``Embedder`` that can give the vectors of words as well, which costs it nothing more."""

    @property
    def token_space(self) -> str:
        """Name of the space of its words, never compared with those of another; empty for none."""
        ...

    def read(self, texts: Sequence[str]) -> Read:
        """Vector and words of each text.

        Raises:
            EmbeddingUnavailableError: No model, or it failed.
        """
        ...

    def read_question(self, text: str) -> Read:
        """Vector and words of what is looked for, one of each. Raises like ``read``."""
        ...


def word_embedder(embedder: object) -> WordEmbedder | None:
    """An ``Embedder`` as one that gives words; None when it gives none, or none are wanted."""
    # Not ``isinstance``, which compares every member at every search.
    return cast("WordEmbedder", embedder) if getattr(embedder, "token_space", "") else None


class TokenIndex(Protocol):
    """The words of the memories and tags of one file."""

    def of_memories(self, ids: Sequence[str], space: str) -> Mapping[str, bytes]:
        """The words of those of these memories that have some in this space."""
        ...

    def of_tags(self, tags: Sequence[str], space: str) -> Mapping[str, bytes]:
        """The words of those of these tags that have some in this space."""
        ...

    def without(self, space: str, limit: int) -> tuple[tuple[str, str], ...]:
        """Id and content of retrievable memories that lack words, the newest first."""
        ...

    def n_without(self, space: str) -> int:
        """Retrievable memories of this file that lack words."""
        ...

    def tags_without(
        self, space: str, limit: int, ids: Sequence[str] | None = None
    ) -> tuple[str, ...]:
        """Tags of retrievable memories that lack words; of these memories alone if named."""
        ...

    def put(self, space: str, words: Sequence[tuple[str, str, bytes]]) -> int:
        """Store words, by id and the content that was read; how many still fit."""
        ...

    def put_tags(self, space: str, words: Mapping[str, bytes]) -> None:
        """Store the words of tags."""
        ...

    def drop_unused_tags(self) -> None:
        """Forget the words of tags that no memory carries any more."""
        ...

    def is_empty(self) -> bool:
        """Whether there is nothing of it."""
        ...

    def clear(self) -> None:
        """Drop all of it."""
        ...
