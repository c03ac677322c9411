"""Every function of the package, against a robot at the origin with a wall 3 m ahead."""

import math
import os
import warnings

import numpy
import robotone
from robotone import *

assert set(robotone.__all__) <= set(globals()), "all names are there"


def raises(kind, call, *words):
    try:
        call()
    except kind as error:
        for word in words:
            assert word in str(error), f"`{word}` is not in `{error}`"
        return
    raise AssertionError(f"expected {kind}")


def check(dialect):
    handler = connectRobotOne("127.0.0.1", dialect=dialect)
    assert pose(handler, (1, 0.5, 0.25)) == (1, 0.5, 0.25)
    assert pose(handler) == (1, 0.5, 0.25) == odometry(handler)
    assert getRobotOne(handler, "Pose.Y") == 0.5
    assert len(getDataRobotOne(handler, "Pose")) == 12
    odometryStd(handler, (0.5, 0.25))
    assert odometryStd(handler) == (0.5, 0.25)
    odometryStd(handler, [0, 0])
    gpsStd(handler, numpy.array([0.5, 0.25, 0.125]))
    assert gpsStd(handler) == (0.5, 0.25, 0.125)
    gpsStd(handler, (0, 0, 0))
    assert gps(handler) == (1, 0.5, 0.25)
    lidarStd(handler, 0.5)
    assert lidarStd(handler) == 0.5
    lidarStd(handler, 0)
    assert traceRobotOne(handler, true) is True and traceRobotOne(handler, false) is False
    for switch in traceRobotOne, manual, lowLevelControl:
        assert switch(handler) is False
        assert switch(handler, True) is True and switch(handler) is True
        switch(handler, False)
        assert switch(handler) is False

    resetRobotOne(handler)
    assert pose(handler) == (0, 0, 0)
    start = timeRobotOne(handler)
    velocity(handler, (1, 0))
    assert velocity(handler) == (1, 0)
    for cycle in range(30):
        waitRobotOne(handler)
    assert abs(waitRobotOne(handler) - 1 / 60) < 1e-5
    assert abs(timeRobotOne(handler) - start - 31 / 60) < 1e-4
    assert abs(pose(handler)[0] - 31 / 60) < 1e-4
    lowLevelControl(handler, True)
    wheels(handler, (-5, 5))
    assert wheels(handler) == (-5, 5)
    lowLevelControl(handler, False)
    selectRobot(handler, 0)

    pose(handler, (0, 0, 0))
    scan = readLidar(handler)
    angles, readings, x, y = scan
    assert len(readings) == 36 and readings[0] == 8
    assert abs(readings[17] - 3) < 1e-5 and abs(angles[17]) < 1e-6
    assert x[0] < -7.9 and x[35] > 7.9 and abs(y[17] - 3) < 1e-5
    assert abs(math.degrees(angles[0]) + 85) < 1e-4
    # The same in the robot's frame: x forward, y to the left, counter-clockwise.
    assert scan.distances is scan.readings and scan.points.shape == (36, 2)
    assert abs(math.degrees(scan.bearings[0]) - 85) < 1e-4 and scan.points[0, 1] > 7.9
    assert numpy.allclose(scan.points[17], (3, 0), atol=1e-5)

    picture = captureCamera(handler)
    assert picture.shape == (240, 320, 3) and picture.dtype == numpy.uint8
    red, green, blue = picture[239, 160]
    assert green > red and green > blue, "grass"
    assert picture[0, 0, 2] > picture[0, 0, 0], "sky"
    picture[0] = 0  # it can be drawn on

    loadMaze(handler, b"W 2 -5 2 5\n")
    assert abs(readLidar(handler).readings[17] - 2) < 1e-5
    loadMaze(handler, b"W 3 -2 3 2\n")
    if dialect == "thesis":
        raises(RobotOneError, lambda: getRobotOne(handler, "Pose.Z"), "there is no `Pose.Z`")
        reason = "there is no robot 5: there are 1, from 0"
        raises(RobotOneError, lambda: selectRobot(handler, 5), "World.Robot", reason)
        raises(RobotOneError, lambda: setRobotOne(handler, "Pose", 5), "Pose cannot be set")
        raises(RobotOneError, lambda: loadMaze(handler, b"W 1"), "line 1: expected W")
        assert odometry(handler, (1, 2, 3)) == odometry(handler) == (1, 2, 3)
    else:
        assert getRobotOne(handler, "Pose.Z") == 0
    raises(RobotOneError, lambda: handler.get_data("Pose.X"), "a number")
    raises(ValueError, lambda: pose(handler, (1, 2)), "3 numbers", "(x, y, theta)")
    raises(TypeError, lambda: velocity(handler, 1.0), "velocity", "(v, w) in m/s and rad/s", "1.0")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        velocity(handler, (4, 1))
        assert not told
        velocity(handler, (10, 1))
        (warning,) = told
        assert "10 m/s is above the robot's limit of 4 m/s" in str(warning.message)
        assert warning.filename == __file__, "where the program asks for it"
        velocity(handler, (0, 0))
        assert len(told) == 1
    disconnectRobotOne(handler)
    raises(RobotOneError, lambda: pose(handler), "lost")


for dialect in "thesis", "release":
    check(dialect)

# Addresses: with a port, by name, as a block, and where nobody is.
port = os.environ["ROBOTONE_PORT"]
for address in f"127.0.0.1:{port}", f"localhost:{port}", None:
    with connectRobotOne(address, timeout=60) as handler:
        assert getRobotOne(handler, "World.Robots") == 1
with connectRobotOne("127.0.0.1", int(port)) as handler:
    waitRobotOne(handler)
raises(RobotOneError, lambda: connectRobotOne("127.0.0.1:1"), "127.0.0.1:1", "simulator running")
raises(ValueError, lambda: connectRobotOne(dialect="latin"), "latin")
raises(ValueError, lambda: connectRobotOne("host:port"), "HOST:PORT")

for angle in range(-20, 20):
    fixed = fixAngle(angle)
    assert -math.pi <= fixed <= math.pi and abs(math.sin(fixed) - math.sin(angle)) < 1e-9

print("done")
