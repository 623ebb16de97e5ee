"""Pictures as one line of text each: hashes of their tiles, in coarse colours.

Coarse, so that the last bit of a blended edge is no difference on another processor; by tile, so
that a difference names its place.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage, QPainter, QPen

if TYPE_CHECKING:
    from collections.abc import Iterator

TILE_WIDTH, TILE_HEIGHT = 120, 75
"""In pixels; the last of a row or column may reach over the edge."""
_LEVELS = bytes((value + 8) // 16 for value in range(256))
_DIGEST_BYTES = 3
_LETTERS = 4
"""Of one tile's hash, in base64."""


def fingerprint(picture: QImage) -> str:
    """Size in pixels and the hashes of all tiles, row by row: ``1440x900 Qx3f...``."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB32)
    hashes = (_hash(plain.copy(tile)) for tile in _tiles(plain))
    return f"{plain.width()}x{plain.height()} {''.join(hashes)}"


def _hash(tile: QImage) -> str:
    coarse = bytes(tile.constBits()).translate(_LEVELS)
    return base64.b64encode(hashlib.blake2b(coarse, digest_size=_DIGEST_BYTES).digest()).decode()


def _tiles(picture: QImage) -> Iterator[QRect]:
    for top in range(0, picture.height(), TILE_HEIGHT):
        for left in range(0, picture.width(), TILE_WIDTH):
            yield QRect(left, top, TILE_WIDTH, TILE_HEIGHT)


def differing(picture: QImage, recorded: str) -> list[QRect]:
    """Where a picture is not as it was recorded, in pixels; all of it where its size differs."""
    size, _, hashes = recorded.partition(" ")
    now, _, now_hashes = fingerprint(picture).partition(" ")
    if now != size:
        return [picture.rect()]
    places = range(0, len(now_hashes), _LETTERS)
    return [
        tile
        for at, tile in zip(places, _tiles(picture), strict=True)
        if now_hashes[at : at + _LETTERS] != hashes[at : at + _LETTERS]
    ]


def marked(picture: QImage, places: list[QRect]) -> QImage:
    """A copy of the picture with a red frame around each place."""
    copy = picture.convertToFormat(QImage.Format.Format_RGB32)
    painter = QPainter(copy)
    painter.setPen(QPen(Qt.GlobalColor.red, 2))
    for place in places:
        painter.drawRect(place.adjusted(1, 1, -2, -2))
    painter.end()
    return copy
