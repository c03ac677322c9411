"""Follows the wall on the right with the lidar.

    rolima run maze &
    python wall_following.py [SECONDS]

Keeps 1 m from the wall, turns left where one is ahead and right where it ends.
"""

import math
import sys

import numpy
from robotone import *

DISTANCE = 1.0
SPEED = 0.6


def nearest(scan, from_deg, to_deg):
    """The shortest distance between two bearings, degrees, negative to the left."""
    bearings = numpy.degrees(scan.angles)
    within = (bearings >= from_deg - 0.1) & (bearings <= to_deg + 0.1)
    return scan.readings[within].min()


def steer(scan):
    """Speed and turn that keep the wall on the right."""
    ahead = nearest(scan, -25, 25)
    side = nearest(scan, 45, 90)
    if ahead < 1.2:
        return 0.0, 0.8
    if side > 2.5:
        # The wall has ended: around its corner, or ahead until there is one.
        return SPEED, -0.6 if side < 8 else -0.3
    # Heading along the wall comes from the two sides of the nearest point.
    front, back = nearest(scan, 40, 60), nearest(scan, 75, 90)
    heading = math.atan2(front * math.cos(math.radians(40)) - back, front * 0.64)
    turn = 1.0 * (DISTANCE - side) - 0.5 * heading
    return SPEED * min(1.0, ahead / 2.0), max(-0.8, min(0.8, turn))


def main():
    longest = float(sys.argv[1]) if len(sys.argv) > 1 else math.inf
    handler = connectRobotOne("127.0.0.1")
    time = way = 0
    last = pose(handler)
    found = False
    sides = []
    while time < longest:
        scan = readLidar(handler)
        if not found and nearest(scan, -90, 90) > DISTANCE + 0.5:
            # Straight ahead to the first wall.
            velocity(handler, (SPEED, 0))
        else:
            found = True
            velocity(handler, steer(scan))
            sides.append(nearest(scan, 30, 90))
        time += waitRobotOne(handler)
        now = pose(handler)
        way += math.hypot(now[0] - last[0], now[1] - last[1])
        last = now
    disconnectRobotOne(handler)
    middle = float(numpy.median(sides)) if sides else math.nan
    print(f"{way:.1f} m in {time:.1f} s; {middle:.2f} m from the wall in the middle")


if __name__ == "__main__":
    main()
