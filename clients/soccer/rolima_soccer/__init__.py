"""Play robot soccer in the simulator: join as a team, get the state as arrays, drive all robots.

    import numpy
    from rolima_soccer import Match

    with Match.connect("127.0.0.1:8642", team="blue", lockstep=True) as match:
        state = match.state
        while state.score.own == 0:
            to_ball = state.ball.position - state.own.position        # m, a row for each robot
            volts = numpy.full((len(match.robots), 2), 3.0)           # left and right, V
            state = match.drive(volts)                                # 30 ms later

Positions are in metres, angles in radians, times in seconds of simulated time; x points to the right
goal, headings go counter-clockwise.
"""

from .errors import ConnectionLost, MatchEnded, MatchError, Refused, SceneChanged
from .match import Match
from .state import Ball, Event, Goal, RobotInfo, Robots, Score, State

__all__ = [
    "Ball",
    "ConnectionLost",
    "Event",
    "Goal",
    "Match",
    "MatchEnded",
    "MatchError",
    "Refused",
    "RobotInfo",
    "Robots",
    "Score",
    "SceneChanged",
    "State",
]
