"""The road follower of the thesis (section 4.2): keeps a grey road in the middle of the picture.

    rolima run road &         (or realistic: a road over hills)
    python road_follower.py [SECONDS]

Runs for SECONDS of simulated time, or until the robot is back where it started.
"""

import math
import sys

import numpy
from robotone import *

SPEED = 2.0
# Least and most hue, saturation and value of what is grey.
LEAST = numpy.array([0, 0, 0]) / 255
MOST = numpy.array([255, 90, 180]) / 255


def rgb_to_hsv(rgb):
    """Hue, saturation and value from 0 to 1, as rgb2hsv of MATLAB gives them."""
    rgb = rgb / 255.0
    most, least = rgb.max(axis=-1), rgb.min(axis=-1)
    spread = most - least
    safe = numpy.where(spread > 0, spread, 1)
    red, green, blue = numpy.moveaxis(rgb, -1, 0)
    hue = numpy.select(
        [most == red, most == green],
        [(green - blue) / safe % 6, (blue - red) / safe + 2],
        (red - green) / safe + 4,
    )
    saturation = spread / numpy.where(most > 0, most, 1)
    return numpy.stack([numpy.where(spread > 0, hue / 6, 0), saturation, most], axis=-1)


def grey_column(picture):
    """The middle of what is grey in rows 150 to 160, counted from 1; none if nothing is."""
    hsv = rgb_to_hsv(picture[149:160])
    mask = ((hsv >= LEAST) & (hsv <= MOST)).all(axis=-1)
    columns = numpy.nonzero(mask)[1] + 1
    return columns.mean() if len(columns) else None


def main():
    longest = float(sys.argv[1]) if len(sys.argv) > 1 else math.inf
    handler = connectRobotOne("127.0.0.1")
    start = pose(handler)
    time = 0
    farthest = 0
    worst = 0
    while time < longest:
        x = grey_column(captureCamera(handler))
        w = 0 if x is None else 0.6 * math.atan2(160 - x, 80)
        if x is not None:
            worst = max(worst, abs(160 - x))
        velocity(handler, (SPEED, w))
        time += waitRobotOne(handler)
        now = pose(handler)
        away = math.hypot(now[0] - start[0], now[1] - start[1])
        farthest = max(farthest, away)
        if farthest > 20 and away < 3:
            break
    disconnectRobotOne(handler)
    lap = "a lap" if farthest > 20 and away < 3 else "no whole lap"
    print(f"{lap} in {time:.1f} s; the road was at most {worst:.0f} columns off the middle")


if __name__ == "__main__":
    main()
