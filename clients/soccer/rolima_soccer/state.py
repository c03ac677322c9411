"""A match at one instant, as arrays. Lengths in m, angles in rad, times in s.

x points to the right goal, y up, headings go counter-clockwise from x. Rows are robots, in the
scene's order.
"""

from dataclasses import dataclass
from typing import List, NamedTuple, Sequence, Tuple

import numpy

from .messages import Body, Frame, Scene

_SLIPS, _QUARANTINED = 1, 2


@dataclass(frozen=True)
class Robots:
    """The robots of a team."""

    #: Where they are, m: a row of x and y for each.
    position: numpy.ndarray
    #: Where they look, rad.
    heading: numpy.ndarray
    #: How fast they move, m/s: a row of x and y for each.
    velocity: numpy.ndarray
    #: How fast they turn, rad/s.
    omega: numpy.ndarray
    #: Voltages of their motors, V: a row of left and right for each.
    volts: numpy.ndarray
    #: Whether their tyres slip.
    slips: numpy.ndarray
    #: Whether they were taken out of the match because their motion went wild.
    out: numpy.ndarray

    def __len__(self) -> int:
        return len(self.heading)


@dataclass(frozen=True)
class Ball:
    """The ball."""

    #: Where its centre is, m: x and y.
    position: numpy.ndarray
    #: How fast it moves, m/s: x and y.
    velocity: numpy.ndarray


class Score(NamedTuple):
    """Goals of this team and of the others."""

    own: int
    others: int


class Event(NamedTuple):
    """Something that happened."""

    #: "goal", "impact", "slip", "refused", "quarantine" or "energy_cap".
    kind: str
    #: One line for people: "Goal for blue".
    text: str
    #: When, s of simulated time.
    time: float
    #: Numbers of the bodies concerned: see ``RobotInfo.number``.
    bodies: Tuple[int, ...]
    #: Approach speed of an impact, m/s.
    value: float


@dataclass(frozen=True)
class State:
    """A match at one instant."""

    #: Simulated time, s, and steps since the beginning.
    time: float
    step: int
    own: Robots
    opponents: Robots
    ball: Ball
    score: Score
    #: What happened since the state before.
    events: Tuple[Event, ...]
    #: How many events more there were, if there were too many to tell (256).
    events_left_out: int


class RobotInfo(NamedTuple):
    """What does not change about a robot."""

    name: str
    team: str
    #: Its number among all bodies, as in ``Event.bodies``.
    number: int
    #: Motor supply, V: the largest voltage.
    supply: float
    #: Distance of the wheels and their radius, m.
    wheel_distance: float
    wheel_radius: float
    mass: float
    #: Fastest speed, m/s, and turning, rad/s, of its speed controller; 0 where it has none.
    max_speed: float
    max_turning: float


class Goal(NamedTuple):
    """A goal."""

    name: str
    #: Its middle, m: x and y.
    centre: numpy.ndarray
    #: Its corners, m: a row of x and y for each.
    corners: numpy.ndarray


class Sides:
    """Who and what is whose in a scene, for one of its teams."""

    def __init__(self, scene: Scene, team: str):
        infos = [_info(number, body) for number, body in enumerate(scene.bodies)]
        robots = [i for i, body in zip(infos, scene.bodies) if body.kind == Body.ROBOT]
        balls = [i for i, body in enumerate(scene.bodies) if body.kind == Body.BALL]
        teams = sorted({robot.team for robot in robots if robot.team})
        if team not in teams:
            there = " and ".join(repr(name) for name in teams) or "none"
            raise ValueError(f"expected a team of the scene {scene.name!r} ({there}), got {team!r}")
        if len(balls) != 1:
            raise ValueError(f"expected a scene with one ball, got {scene.name!r} with {len(balls)}")
        self.own: Tuple[RobotInfo, ...] = tuple(r for r in robots if r.team == team)
        self.opponents = tuple(r for r in robots if r.team and r.team != team)
        self.ball: int = balls[0]
        #: Zones in which this team scores, and in which others do.
        self.scored = [i for i, zone in enumerate(scene.zones) if zone.scores_for == team]
        self.conceded = [
            i for i, zone in enumerate(scene.zones) if zone.scores_for not in ("", team)
        ]
        goals = [_goal(zone) for zone in scene.zones]
        self.goals: List[Goal] = [goals[i] for i in self.scored]
        self.own_goals: List[Goal] = [goals[i] for i in self.conceded]


def _info(number, body):
    return RobotInfo(
        body.name,
        body.team,
        number,
        body.supply,
        body.wheel_distance,
        body.wheel_radius,
        body.mass,
        body.max_speed,
        body.max_turning,
    )


def _goal(zone):
    corners = numpy.array(zone.points, float).reshape(-1, 2)
    return Goal(zone.name, corners.mean(axis=0), corners)


class Table:
    """All bodies of a scene, brought up to date by frames."""

    #: Columns of a frame that are of all bodies, and those of robots only.
    _COLUMNS = ("x", "y", "heading", "vx", "vy", "omega", "flags")
    _MOTORS = ("volts_left", "volts_right")

    def __init__(self, scene: Scene):
        self._kinds = [body.kind for body in scene.bodies]
        self._values = {name: numpy.zeros(len(self._kinds)) for name in self._COLUMNS}
        self._values.update({name: numpy.zeros(len(self._kinds)) for name in self._MOTORS})

    def take(self, frame: Frame) -> None:
        """Bring the bodies of a frame up to date; those that it leaves out have not changed."""
        bodies = list(range(len(self._kinds))) if frame.key else frame.body
        robots = [body for body in bodies if self._kinds[body] == Body.ROBOT]
        for names, rows in ((self._COLUMNS, bodies), (self._MOTORS, robots)):
            for name in names:
                column = getattr(frame, name)
                if len(column) != len(rows):
                    raise ValueError(f"frame.{name}: expected {len(rows)} numbers, got {len(column)}")
                self._values[name][rows] = column

    def robots(self, infos: Sequence[RobotInfo]) -> Robots:
        """Some robots as they are now."""
        rows = [info.number for info in infos]
        column = {name: values[rows] for name, values in self._values.items()}
        flags = column["flags"].astype(int)
        return Robots(
            position=numpy.column_stack((column["x"], column["y"])),
            heading=column["heading"],
            velocity=numpy.column_stack((column["vx"], column["vy"])),
            omega=column["omega"],
            volts=numpy.column_stack((column["volts_left"], column["volts_right"])),
            slips=(flags & _SLIPS) != 0,
            out=(flags & _QUARANTINED) != 0,
        )

    def ball(self, number: int) -> Ball:
        """The ball as it is now."""
        pair = lambda x, y: numpy.array((self._values[x][number], self._values[y][number]))
        return Ball(position=pair("x", "y"), velocity=pair("vx", "vy"))
