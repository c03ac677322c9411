"""Finds a goal behind walls with the Bug 2 algorithm: lidar, pose and no map.

    rolima run --maze maze.png --size 20x20 &
    python bug.py X Y [FILE.svg]

The robot drives straight to the goal. Where a wall is in its way, it follows the wall on its right
until it meets the line from start to goal again, nearer to the goal than before, and goes on.
"""

import math
import sys

from robotone import *
from wall_following import nearest, steer

SPEED = 0.8
REACHED = 0.3
#: A wall nearer than this is in the way, m.
NEAR = 1.2
#: The line is met within this, m.
ON_LINE = 0.2


class Bug:
    """Where to drive, from where the robot is and what it sees."""

    def __init__(self, start, goal):
        self.start, self.goal = start, goal
        self.hit = None
        self.left_hit = False

    def to_goal(self, pose):
        dx, dy = self.goal[0] - pose[0], self.goal[1] - pose[1]
        return math.hypot(dx, dy), fixAngle(math.atan2(dy, dx) - pose[2])

    def off_line(self, pose):
        """Distance from the line between start and goal."""
        (sx, sy), (gx, gy) = self.start[:2], self.goal
        length = math.hypot(gx - sx, gy - sy)
        return abs((gx - sx) * (pose[1] - sy) - (gy - sy) * (pose[0] - sx)) / max(length, 1e-9)

    def is_free(self, scan, bearing, rho):
        """Whether the way at a bearing (to the left) is free as far as the goal or a bit."""
        degrees = -math.degrees(bearing)
        if abs(degrees) > 75:
            return False
        return nearest(scan, degrees - 15, degrees + 15) > min(NEAR + 0.3, rho)

    def drive(self, pose, scan):
        """Speed and turn."""
        rho, bearing = self.to_goal(pose)
        if self.hit is None:
            if abs(bearing) > 0.6:
                return 0.0, math.copysign(0.9, bearing)
            if nearest(scan, -25, 25) < min(NEAR, rho):
                self.hit, self.left_hit = rho, False
            else:
                return min(SPEED, rho), 1.5 * bearing
        self.left_hit = self.left_hit or self.off_line(pose) > 2 * ON_LINE
        on_line = self.left_hit and self.off_line(pose) < ON_LINE and rho < self.hit - 0.2
        if (on_line or rho < 1.0) and self.is_free(scan, bearing, rho):
            self.hit = None
        elif on_line and abs(bearing) > 1.2 and nearest(scan, -30, 30) > NEAR:
            # The goal is to the side or behind: turns to it, and looks again.
            self.hit = None
        return steer(scan)


def main():
    goal = float(sys.argv[1]), float(sys.argv[2])
    handler = connectRobotOne("127.0.0.1")
    now = pose(handler)
    bug = Bug(now, goal)
    path, time = [now], 0
    while bug.to_goal(now)[0] > REACHED:
        velocity(handler, bug.drive(now, readLidar(handler)))
        time += waitRobotOne(handler)
        now = pose(handler)
        path.append(now)
    disconnectRobotOne(handler)
    print(f"at the goal after {time:.1f} s")
    if len(sys.argv) > 3:
        from path_plot import save_path

        save_path(sys.argv[3], path, [goal])


if __name__ == "__main__":
    main()
