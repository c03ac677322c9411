"""Robot One: program the robots of a simulator, or real ones, over TCP.

The functions are spelt as in the thesis that Robot One comes from. Each takes the handler that
``connectRobotOne`` gives; those that get something set it if they are told what::

    from robotone import *

    handler = connectRobotOne("127.0.0.1")
    pose(handler, (0, 0, 0))          # put the robot there
    velocity(handler, (0.5, 0.1))     # m/s, rad/s
    for cycle in range(600):
        waitRobotOne(handler)         # the next cycle, 1/60 s
    print(pose(handler))              # x, y (m) and heading (rad)
    disconnectRobotOne(handler)

Positions are in metres, angles in radians; x is forward, y to the left, headings go
counter-clockwise.
"""

import math
import warnings
from typing import NamedTuple, Optional, Sequence, Tuple

import numpy

from .connection import RobotOne, RobotOneError

__all__ = [
    "Lidar",
    "RobotOne",
    "RobotOneError",
    "captureCamera",
    "connectRobotOne",
    "disconnectRobotOne",
    "false",
    "fixAngle",
    "getDataRobotOne",
    "getRobotOne",
    "gps",
    "gpsStd",
    "lidarStd",
    "loadMaze",
    "lowLevelControl",
    "manual",
    "odometry",
    "odometryStd",
    "pose",
    "readLidar",
    "resetRobotOne",
    "selectRobot",
    "setRobotOne",
    "timeRobotOne",
    "traceRobotOne",
    "true",
    "velocity",
    "waitRobotOne",
    "wheels",
]

WIDTH, HEIGHT = 320, 240

#: As the programs of the thesis spell them.
true, false = True, False


class _Released(NamedTuple):
    """A scan as the thesis and the released library have it: ``angles, readings, x, y``."""

    #: Angles, rad: 0 straight ahead, negative to the left.
    angles: numpy.ndarray
    #: Distances, m; what is out of reach reads 8.
    readings: numpy.ndarray
    #: Where the beams ended, to the right of the lidar, m.
    x: numpy.ndarray
    #: Where the beams ended, ahead of the lidar, m.
    y: numpy.ndarray


class Lidar(_Released):
    """A scan, from the left to the right.

    ``distances``, ``bearings`` and ``points`` are in the robot's frame: x forward, y to the left,
    angles counter-clockwise. The others are as in the thesis and the released library.
    """

    #: x and y of the lidar in the robot's frame, m.
    position: Tuple[float, float] = (0.0, 0.0)

    @property
    def distances(self) -> numpy.ndarray:
        """Distances, m; what is out of reach reads 8."""
        return self.readings

    @property
    def bearings(self) -> numpy.ndarray:
        """Bearings, rad: 0 straight ahead, counter-clockwise, so positive to the left."""
        return -self.angles

    @property
    def points(self) -> numpy.ndarray:
        """Where the beams ended, m: a row of x (forward) and y (to the left) a beam."""
        return numpy.column_stack((self.position[0] + self.y, self.position[1] - self.x))


def connectRobotOne(
    address: Optional[str] = None,
    port: Optional[int] = None,
    dialect: str = "thesis",
    timeout: Optional[float] = None,
) -> RobotOne:
    """Connect to a simulator; this machine's, if no address is given.

    ``address`` is a name, an address, or either with ``:PORT``. Unless a port is given, it is the
    dialect's own (5047, "release" 5046), or the one in the environment's ``ROBOTONE_PORT``
    (``ROBOTONE_RELEASE_PORT``). ``timeout`` is how long an answer may take, in seconds.
    """
    return RobotOne(address, port, dialect, timeout)


def disconnectRobotOne(handler: RobotOne) -> None:
    """End the connection: the robot stops, and people can drive it."""
    handler.close()


def waitRobotOne(handler: RobotOne) -> float:
    """Wait for the next cycle of the simulation (1/60 s).

    Gives how much simulated time has passed since the wait before, s.
    """
    return handler.get("Time.Wait")


def timeRobotOne(handler: RobotOne) -> float:
    """Simulated time, s."""
    return handler.get("Time")


def getRobotOne(handler: RobotOne, name: str) -> float:
    """A number by its name, such as ``"Pose.X"``."""
    return handler.get(name)


def setRobotOne(handler: RobotOne, name: str, value: float) -> float:
    """Set a number by its name."""
    return handler.set(name, value)


def getDataRobotOne(handler: RobotOne, name: str) -> bytes:
    """Data by their name."""
    return handler.get_data(name)


def selectRobot(handler: RobotOne, robot: int) -> None:
    """Command this robot from now on, from 0."""
    handler.set("World.Robot", robot)


def pose(handler: RobotOne, value: Optional[Sequence[float]] = None) -> Tuple[float, ...]:
    """True x, y (m) and heading (rad); puts the robot elsewhere if it is told where."""
    return _numbers(handler, "Pose", ("Pose.X", "Pose.Y", "Pose.Theta"), value)


def odometry(handler: RobotOne, value: Optional[Sequence[float]] = None) -> Tuple[float, ...]:
    """Where the robot believes to be by its wheels: x, y (m) and heading (rad)."""
    return _numbers(handler, "Odometry", ("Odometry.X", "Odometry.Y", "Odometry.Theta"), value)


def odometryStd(handler: RobotOne, value: Optional[Sequence[float]] = None) -> Tuple[float, ...]:
    """Error of the executed motion: standard deviations, m and rad a cycle."""
    names = ("Odometry.Std.Linear", "Odometry.Std.Angular")
    return _numbers(handler, "Odometry.Std", names, value)


def gps(handler: RobotOne) -> Tuple[float, ...]:
    """Measured x, y (m) and heading (rad)."""
    return handler.get_floats("GPS")


def gpsStd(handler: RobotOne, value: Optional[Sequence[float]] = None) -> Tuple[float, ...]:
    """Errors of GPS and compass: standard deviations, m, m, rad."""
    return _numbers(handler, "GPS.Std", ("GPS.Std.X", "GPS.Std.Y", "GPS.Std.Theta"), value)


def lidarStd(handler: RobotOne, value: Optional[float] = None) -> float:
    """Error of a distance: standard deviation, m."""
    return handler.get("Lidar.Std") if value is None else handler.set("Lidar.Std", value)


def velocity(handler: RobotOne, value: Optional[Sequence[float]] = None) -> Tuple[float, ...]:
    """Commanded speed, m/s and rad/s; drives with it if it is told one.

    A speed above the robot's limit is warned of: the robot drives slower, around the same curve.
    """
    told = _numbers(handler, "Velocity", ("Velocity.Linear", "Velocity.Angular"), value)
    if value is not None:
        _warn_of_limits(handler, told)
    return told


def wheels(handler: RobotOne, value: Optional[Sequence[float]] = None) -> Tuple[float, ...]:
    """Speeds of the left and the right wheel, rad/s; obeyed under low-level control."""
    names = ("Velocity.Angular.Left", "Velocity.Angular.Right")
    return _numbers(handler, "Velocity.Wheels", names, value)


def lowLevelControl(handler: RobotOne, on: Optional[bool] = None) -> bool:
    """Whether wheels are commanded, rather than the robot's velocity."""
    return _switch(handler, "Controller.LowLevel", on)


def manual(handler: RobotOne, on: Optional[bool] = None) -> bool:
    """Whether people may drive while this program is connected."""
    return _switch(handler, "Controller.Manual", on)


def traceRobotOne(handler: RobotOne, on: Optional[bool] = None) -> bool:
    """Whether true path and believed path are drawn."""
    return _switch(handler, "Trace", on)


def captureCamera(handler: RobotOne) -> numpy.ndarray:
    """The newest picture, or the next if this program has that one.

    An array of 240 rows (top first), 320 columns, and red, green and blue from 0 to 255.
    """
    data = handler.get_data("Camera.Capture")
    if len(data) != WIDTH * HEIGHT * 3:
        raise RobotOneError(
            f"Camera.Capture: expected {WIDTH} x {HEIGHT} pixels, got {len(data)} bytes"
        )
    # A copy, as an array over bytes cannot be written to.
    return numpy.frombuffer(data, numpy.uint8).reshape(HEIGHT, WIDTH, 3).copy()


def readLidar(handler: RobotOne) -> Lidar:
    """The newest distances, from the left to the right.

    Of 36 beams, beam i looks 85 - 5 i degrees to the left. (The released client labels it
    -90 + 5 i, 5 degrees beside the truth.)
    """
    place, readings = None, None
    if handler.has_scan:
        try:
            scan = numpy.array(handler.get_floats("Lidar.Scan"))
            place, readings = scan[:4], scan[4:]
        except RobotOneError:
            # Another server, or no lidar: the released name tells.
            pass
    if place is None:
        readings = numpy.array(handler.get_floats("Lidar.Read"))
        step = math.pi / max(len(readings), 1)
        place = (0.0, 0.0, math.pi / 2 - step, -step)
        handler.has_scan = False
    angles = -(place[2] + numpy.arange(len(readings)) * place[3])
    x, y = readings * numpy.sin(angles), readings * numpy.cos(angles)
    scan = Lidar(angles, readings, x, y)
    scan.position = (float(place[0]), float(place[1]))
    return scan


def resetRobotOne(handler: RobotOne) -> None:
    """Put the robot back to its start, at rest."""
    handler.set("World.Reset", 1)


def loadMaze(handler: RobotOne, maze) -> None:
    """Load another maze: a file's name, or the bytes of a text map or picture."""
    if isinstance(maze, (bytes, bytearray)):
        data = bytes(maze)
    else:
        with open(maze, "rb") as file:
            data = file.read()
    handler.set_data("World.Maze.Load", data)


def fixAngle(angle: float) -> float:
    """The same angle within -pi to pi."""
    turned = math.fmod(angle, 2 * math.pi)
    if turned > math.pi:
        return turned - 2 * math.pi
    return turned + 2 * math.pi if turned < -math.pi else turned


#: What is set by several numbers: the function, and what it expects.
_EXPECTED = {
    "Pose": ("pose", "(x, y, theta) in m, m and rad"),
    "Odometry": ("odometry", "(x, y, theta) in m, m and rad"),
    "Odometry.Std": ("odometryStd", "(linear, angular) in m and rad a cycle"),
    "GPS.Std": ("gpsStd", "(x, y, theta) in m, m and rad"),
    "Velocity": ("velocity", "(v, w) in m/s and rad/s"),
    "Velocity.Wheels": ("wheels", "(left, right) in rad/s"),
}


def _numbers(handler, name, parts, value):
    if value is None:
        return handler.get_floats(name)
    function, expected = _EXPECTED[name]
    try:
        numbers = tuple(float(number) for number in value)
    except (TypeError, ValueError):
        raise TypeError(
            f"{function}: expected {len(parts)} numbers, {expected}, got {value!r}"
        ) from None
    if len(numbers) != len(parts):
        raise ValueError(
            f"{function}: expected {len(parts)} numbers, {expected}, got {len(numbers)}: {value!r}"
        )
    for part, number in zip(parts, numbers):
        handler.set(part, number)
    return numbers


def _warn_of_limits(handler, asked):
    if handler.limits is None:
        try:
            handler.limits = handler.get_floats("Velocity.Limits")
        except RobotOneError:
            # Another server: nothing is known.
            handler.limits = ()
    for number, most, unit in zip(asked, handler.limits, ("m/s", "rad/s")):
        if abs(number) > most:
            warnings.warn(
                f"velocity: {number:g} {unit} is above the robot's limit of {most:g} {unit}: it drives "
                "slower, around the same curve",
                RuntimeWarning,
                stacklevel=3,
            )


def _switch(handler, name, on):
    if on is None:
        return handler.get(name) != 0
    handler.set(name, 1.0 if on else 0.0)
    return bool(on)
