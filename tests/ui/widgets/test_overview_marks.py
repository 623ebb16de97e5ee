"""The small drawings of a tier card: growth line, bars of bands, coverage."""

from __future__ import annotations

from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from inklings_desktop.ui.kit.look.theme import Theme
from inklings_desktop.ui.kit.marks.meters import Bar, BarList, GrowthLine, ShareBar


def near(one: QColor, other: QColor) -> bool:
    return all(
        abs(a - b) < 12
        for a, b in zip(one.getRgb()[:3], other.getRgb()[:3], strict=True)  # type: ignore[index]
    )


def reach(picture: QImage, y: int, colour: QColor) -> int:
    """How many pixels of a row have about this colour."""
    return sum(near(picture.pixelColor(x, y), colour) for x in range(picture.width()))


def test_the_line_runs_from_the_foot_to_the_most(theme: Theme, qtbot: QtBot) -> None:
    line = GrowthLine(theme, "tierWorkspace")
    qtbot.addWidget(line)
    line.resize(line.sizeHint())
    line.set_points((0, 5, 10))
    points = line.line()
    assert [point.y() for point in points] == sorted((p.y() for p in points), reverse=True)
    assert points[0].y() > line.height() - 2
    assert points[-1].y() < 3
    line.set_points((7, 7, 7))
    assert len({point.y() for point in line.line()}) == 1
    line.set_points((0, 0, 0))
    assert line.line()[0].y() > line.height() - 2


def test_no_counts_are_no_line(theme: Theme, qtbot: QtBot) -> None:
    line = GrowthLine(theme, "tierWorkspace")
    qtbot.addWidget(line)
    assert line.line() == []
    line.grab()
    line.set_points((3,))
    line.grab()
    assert len(line.line()) == 1


def test_bars_are_as_long_as_their_share_and_never_invisible(theme: Theme, qtbot: QtBot) -> None:
    bars = BarList(theme)
    qtbot.addWidget(bars)
    bars.set_bars(
        [
            Bar("Vivid", "90", 0.9, "accent"),
            Bar("Steady", "30", 0.3, "accent"),
            Bar("Fading", "1", 0.000_1, "accent"),
            Bar("Nearly gone", "0", 0.0, "accent"),
        ]
    )
    bars.resize(300, bars.sizeHint().height())
    picture = bars.grab().toImage()
    step = bars.height() // 4
    lengths = [reach(picture, step * n + step // 2, theme.color("accent")) for n in range(4)]
    assert lengths[0] > 2.5 * lengths[1] > 0
    assert lengths[2] > 0
    assert lengths[3] == 0
    assert bars.accessibleDescription() == "Vivid 90, Steady 30, Fading 1, Nearly gone 0"


def test_coverage_is_filled_by_its_share(theme: Theme, qtbot: QtBot) -> None:
    bar = ShareBar(theme)
    qtbot.addWidget(bar)
    bar.resize(200, 6)
    bar.set_share(0.5)
    half = reach(bar.grab().toImage(), 3, theme.color("accent"))
    bar.set_share(7.0)
    assert bar.share == 1.0
    assert 90 < half < 110 < reach(bar.grab().toImage(), 3, theme.color("accent"))
    bar.set_share(0.0)
    assert reach(bar.grab().toImage(), 3, theme.color("accent")) == 0


def test_a_track_shows_how_far_a_bar_could_reach(theme: Theme, qtbot: QtBot) -> None:
    for has_tracks in (True, False):
        bars = BarList(theme, has_tracks=has_tracks)
        qtbot.addWidget(bars)
        bars.set_bars([Bar("Importance", "0.35", 0.35, "accent"), Bar("Decay", "0", 0.0, "accent")])
        bars.resize(300, bars.sizeHint().height())
        picture = QImage(bars.size(), QImage.Format.Format_RGB32)
        picture.fill(theme.color("accent"))  # nobody else's ground may look like a track
        bars.render(picture, renderFlags=QWidget.RenderFlag.DrawChildren)
        step = bars.height() // 2
        tracks = [reach(picture, step * n + step // 2, theme.color("line")) for n in range(2)]
        assert (tracks[0] > 40, tracks[1] > tracks[0]) == (has_tracks, has_tracks)
        assert reach(picture, step // 2, theme.color("accent")) > 20
