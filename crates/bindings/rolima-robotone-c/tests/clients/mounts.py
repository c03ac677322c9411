# Where the beams of two robots' lidars ended in the world: robot, x and y.
from math import cos, sin

from robotone import *

handler = connectRobotOne()
waitRobotOne(handler)
for robot in range(2):
    selectRobot(handler, robot)
    x, y, theta = pose(handler)
    for px, py in readLidar(handler).points:
        print(robot, x + cos(theta) * px - sin(theta) * py, y + sin(theta) * px + cos(theta) * py)
disconnectRobotOne(handler)
