"""Finds out where the robot is, in a known map, from odometry, lidar and compass: Monte Carlo
localisation.

    rolima run maze &
    python particle_filter.py MAP.txt [SECONDS] [FILE.svg]

The robot starts anywhere; at first it may be everywhere. It follows a wall, and what it sees leaves
fewer and fewer places. Without the compass, a yard that looks the same from the other side would
have it in two places at once.
"""

import math
import sys

import numpy
from robotone import *
from wall_following import nearest, steer

PARTICLES = 2500
BEAMS = slice(2, 36, 3)
REACH = 8.0
#: Errors of the sensors: of the motion (m, rad a cycle), of a distance (m), of the compass (rad).
MOTION = (0.001, 0.0005)
DISTANCE = 0.05
COMPASS = math.radians(5)
#: The filter trusts a distance less than it could, as a map is never exact (m).
TRUST = 0.4


def read_walls(file):
    """Walls of a text map: rows of x1, y1, x2, y2."""
    walls = []
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            words = line.split("#")[0].replace(",", " ").split()
            if words and words[0] == "W" and len(words) == 5:
                walls.append([float(word) for word in words[1:]])
    return numpy.array(walls)


def cast(poses, angles, walls):
    """Distances from poses (n, 3) at angles to the right (m): (n, m)."""
    heading = poses[:, 2, None] - angles[None, :]
    cos, sin = numpy.cos(heading)[..., None], numpy.sin(heading)[..., None]
    ax, ay, bx, by = walls.T
    ox, oy = ax - poses[:, 0, None, None], ay - poses[:, 1, None, None]
    dx, dy = bx - ax, by - ay
    across = cos * dy - sin * dx
    with numpy.errstate(divide="ignore", invalid="ignore"):
        far = (ox * dy - oy * dx) / across
        along = (ox * sin - oy * cos) / across
    hits = (far >= 0) & (along >= 0) & (along <= 1)
    return numpy.where(hits, far, REACH).min(axis=-1).clip(max=REACH)


class Filter:
    """A cloud of poses, each as likely as what it would see is like what is seen."""

    def __init__(self, walls, seed=1):
        self.walls = walls
        self.random = numpy.random.default_rng(seed)
        self.low = walls.reshape(-1, 2).min(axis=0)
        self.high = walls.reshape(-1, 2).max(axis=0)
        self.poses = self.anywhere(PARTICLES)

    def anywhere(self, count):
        places = self.random.uniform(self.low, self.high, (count, 2))
        return numpy.column_stack([places, self.random.uniform(-math.pi, math.pi, count)])

    def move(self, before, after):
        """Moves all as the odometry says, each with an error of its own."""
        dx, dy = after[0] - before[0], after[1] - before[1]
        forward = dx * math.cos(before[2]) + dy * math.sin(before[2])
        left = -dx * math.sin(before[2]) + dy * math.cos(before[2])
        turn = fixAngle(after[2] - before[2])
        count = len(self.poses)
        way = abs(forward) + abs(left) + abs(turn)
        noise = self.random.normal(0, 0.02 + 0.1 * way, (count, 3)) * [1, 1, 0.4]
        cos, sin = numpy.cos(self.poses[:, 2]), numpy.sin(self.poses[:, 2])
        self.poses[:, 0] += forward * cos - left * sin
        self.poses[:, 1] += forward * sin + left * cos
        self.poses[:, 2] += turn
        self.poses += noise

    def see(self, scan, heading):
        """Keeps poses as often as they are likely; a few new ones if all are unlikely."""
        expected = cast(self.poses, scan.angles[BEAMS], self.walls)
        error = numpy.abs(expected - scan.readings[BEAMS]).clip(max=3 * TRUST)
        score = -(error**2).sum(axis=1) / (2 * TRUST**2)
        turned = numpy.angle(numpy.exp(1j * (self.poses[:, 2] - heading)))
        score -= turned**2 / (2 * COMPASS**2)
        weights = numpy.exp(score - score.max())
        weights /= weights.sum()
        count = len(self.poses)
        # Evenly spaced places in the sum of the weights.
        places = (numpy.arange(count) + self.random.uniform()) / count
        chosen = numpy.searchsorted(numpy.cumsum(weights), places).clip(max=count - 1)
        self.poses = self.poses[chosen]
        best = math.exp(score.max() / len(expected[0]))
        if best < 0.9:
            new = count // 20
            self.poses[:new] = self.anywhere(new)

    def estimate(self):
        """The middle of the densest cloud, and the share of poses within 1 m of it."""
        nearby = self.poses[:: max(1, PARTICLES // 200)]
        away = numpy.hypot(*(nearby[:, None, :2] - self.poses[None, :, :2]).transpose(2, 0, 1))
        around = away < 1.0
        densest = around.sum(axis=1).argmax()
        cloud = self.poses[around[densest]]
        x, y = cloud[:, :2].mean(axis=0)
        theta = math.atan2(numpy.sin(cloud[:, 2]).mean(), numpy.cos(cloud[:, 2]).mean())
        return (x, y, theta), around[densest].mean()


def main():
    walls = read_walls(sys.argv[1])
    longest = float(sys.argv[2]) if len(sys.argv) > 2 else 120.0
    handler = connectRobotOne("127.0.0.1")
    odometryStd(handler, MOTION)
    lidarStd(handler, DISTANCE)
    gpsStd(handler, (0, 0, COMPASS))
    belief = Filter(walls)
    before = odometry(handler)
    time = cycle = 0
    found = False
    true_path, path = [], []
    while time < longest:
        scan = readLidar(handler)
        found = found or nearest(scan, -90, 90) < 1.5
        velocity(handler, steer(scan) if found else (0.6, 0))
        time += waitRobotOne(handler)
        cycle += 1
        if cycle % 30 == 0:
            after = odometry(handler)
            belief.move(before, after)
            before = after
            belief.see(readLidar(handler), gps(handler)[2])
            where, share = belief.estimate()
            true_path.append(pose(handler))
            path.append(where)
    true = pose(handler)
    disconnectRobotOne(handler)
    off = math.hypot(where[0] - true[0], where[1] - true[1])
    turned = abs(math.degrees(fixAngle(where[2] - true[2])))
    print(f"{off:.2f} m and {turned:.1f} degrees off after {time:.0f} s; {share:.0%} agree")
    if len(sys.argv) > 3:
        from path_plot import save_path

        save_path(sys.argv[3], true_path, (), walls, path)


if __name__ == "__main__":
    main()
