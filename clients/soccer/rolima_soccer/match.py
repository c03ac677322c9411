"""A match, as one of its teams plays it."""

import math
import ssl
import urllib.parse
from typing import List, Optional, Sequence, Tuple, Union

import numpy

from . import messages as pb
from .errors import ConnectionLost, MatchEnded, MatchError, Refused, SceneChanged
from .protobuf import DecodeError
from .state import Event, Goal, RobotInfo, Score, Sides, State, Table
from .websocket import WebSocket

DEFAULT_PORT = 8642
#: Time between two states unless another is asked for, s: a picture of a camera.
PERIOD_S = 0.030

#: What is said of an answer to a turn that a reset made void; the next turn comes by itself.
_VOID = ("Refused: expected an answer for step", "Refused: expected no answer now")
#: What is said of an answer that comes after the end.
_ENDED = "the simulation has ended"

Numbers = Union[numpy.ndarray, Sequence[Sequence[float]]]


class Match:
    """A match, as one of its teams plays it. Ends with ``close`` or a ``with`` block.

    ``Match.connect`` joins as a team; then ``drive`` commands all robots of the team and gives the
    state one period later::

        with Match.connect("127.0.0.1:8642", team="blue", lockstep=True) as match:
            state = match.state
            while state.time < 60:
                state = match.drive(play(state))

    In lock step the world waits for every answer, so that the same program gets the same match, to
    the bit, however slow it is. In real time the world goes on: a state is the newest there is, and
    robots without a command for half a second are stopped.
    """

    @classmethod
    def connect(
        cls,
        address: str = "127.0.0.1",
        *,
        team: str,
        token: Optional[str] = None,
        lockstep: bool = False,
        period: float = PERIOD_S,
        name: Optional[str] = None,
        timeout: float = 10.0,
        ca: Optional[str] = None,
    ) -> "Match":
        """Join a simulator's match as ``team``, such as ``"blue"``.

        ``address`` is ``HOST``, ``HOST:PORT`` (port 8642 if none is told), or what the simulator
        printed, token included: ``http://HOST:PORT/?token=...``, or ``https`` if it encrypts; ``ca``
        is then a file with the certificate to trust (PEM), if it is not one that the system knows.
        ``lockstep`` needs a simulator that
        was started with ``--lock-step``. ``period`` is the time between two states in s, rounded to
        steps of the simulation. ``name`` is shown to people who watch. ``timeout`` is how long the
        simulator may take to answer, s; in lock step turns are waited for without limit, as other
        teams may think for as long as they like.

        Raises ``ConnectionLost`` if there is no simulator, ``Refused`` if it says no (a wrong token, a
        robot that somebody else drives, no lock step), ``ValueError`` if the scene has no such team.
        """
        if not (math.isfinite(period) and period > 0):
            raise ValueError(f"period: expected a time above 0 s, got {period}")
        host, port, told, is_encrypted = _place(address)
        trust = ssl.create_default_context(cafile=ca) if is_encrypted else None
        token = told if token is None else token
        path = "/ws" if token is None else "/ws?" + urllib.parse.urlencode({"token": token})
        match = cls(WebSocket(host, port, path, timeout, trust), team, lockstep, timeout)
        try:
            match._begin(period, name or f"team {team}")
        except BaseException:
            match.close()
            raise
        return match

    def __init__(self, socket: WebSocket, team: str, lockstep: bool, timeout: float):
        self._socket = socket
        self._timeout = timeout
        self._table: Optional[Table] = None
        self._scene = pb.Scene()
        self._events: List[Event] = []
        self._left_out = 0
        #: Whether the world waits for this team's answer.
        self._is_asked = False
        #: The team that is played.
        self.team = team
        #: Whether the world waits for this team.
        self.lockstep = lockstep

    def __enter__(self) -> "Match":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the match: the robots go back to their built-in drivers, or stand."""
        self._socket.close()

    @property
    def robots(self) -> Tuple[RobotInfo, ...]:
        """The robots of this team, in the order of all arrays."""
        return self._sides.own

    @property
    def opponents(self) -> Tuple[RobotInfo, ...]:
        """The robots of the other teams, in the order of ``State.opponents``."""
        return self._sides.opponents

    @property
    def goal(self) -> Goal:
        """The goal in which this team scores."""
        return self._only(self._sides.goals)

    @property
    def own_goal(self) -> Goal:
        """The goal in which the others score."""
        return self._only(self._sides.own_goals)

    @property
    def step(self) -> float:
        """Length of a simulation step, s."""
        return self._scene.step_s

    @property
    def period(self) -> float:
        """Time between two states, s: in lock step exactly, in real time at least."""
        return self._period_steps * self._scene.step_s

    @property
    def state(self) -> State:
        """The newest state that was asked for."""
        return self._state

    def drive(self, volts: Numbers) -> State:
        """Command all robots of the team and give the state one period later.

        ``volts`` has a row for each robot: left and right motor, V. A command holds until the next.
        """
        volts = self._rows("volts", volts)
        bodies = [robot.number for robot in self.robots]
        rows = zip(bodies, volts.tolist())
        return self._advance([pb.Drive(body=b, left=left, right=right) for b, (left, right) in rows])

    def drive_speeds(self, speeds: Numbers) -> State:
        """Command robots that have a speed controller and give the state one period later.

        ``speeds`` has a row for each robot: speed, m/s, and turning, rad/s.
        """
        speeds = self._rows("speeds", speeds)
        for robot in self.robots:
            if robot.max_speed <= 0:
                raise ValueError(f"{robot.name} has no speed controller: drive it by volts")
        by = pb.Drive.VELOCITY
        rows = zip([robot.number for robot in self.robots], speeds.tolist())
        return self._advance(
            [pb.Drive(body=b, by=by, speed=speed, turning=turn) for b, (speed, turn) in rows]
        )

    def wait(self) -> State:
        """Give the state one period later; the robots obey their last command."""
        return self._advance([])

    def reset(self, seed: Optional[int] = None) -> State:
        """Start the match over, with another seed if one is given, and give its first state."""
        control = pb.Control(reset=True) if seed is None else pb.Control(seed=seed)
        self._say(control=control)
        self._events, self._left_out = [], 0
        self._is_asked = False
        if self.lockstep:
            self._await_turn(lambda turn: turn.step == 0)
        else:
            before = self._state.step
            self._await_frame(lambda frame: frame.step < before or before == 0)
        return self._show()

    def _advance(self, drives):
        if not self.lockstep:
            if drives:
                self._say(drive_team=pb.DriveTeam(drives=drives))
            # A step earlier at any other time is a world that was started over.
            due, last = self._state.step + self._period_steps, self._state.step
            self._await_frame(lambda frame: frame.step >= due or frame.step < last)
            return self._show()
        if not self._is_asked:
            # The last answer was refused in part, which was raised before its turn came.
            self._await_turn()
        self._is_asked = False
        self._say(answer=pb.Answer(step=self._turn_step, drives=drives))
        self._await_turn()
        return self._show()

    def _rows(self, what, values):
        rows = numpy.asarray(values, float)
        expected = (len(self.robots), 2)
        if rows.shape != expected:
            raise ValueError(
                f"{what}: expected {expected[0]} rows of 2 numbers, got an array of shape {rows.shape}"
            )
        for robot, row in zip(self.robots, rows):
            if not numpy.isfinite(row).all():
                raise ValueError(f"{what} of {robot.name}: expected finite numbers, got {row.tolist()}")
        return rows

    def _only(self, goals):
        if len(goals) != 1:
            raise MatchError(f"expected one such goal in {self._scene.name!r}, got {len(goals)}")
        return goals[0]

    # ------------------------------------------------------------- joining

    def _begin(self, period, name):
        welcome = self._first("welcome")
        if welcome.protocol != pb.PROTOCOL:
            raise Refused(
                f"expected protocol {pb.PROTOCOL}, got {welcome.protocol} of simulator {welcome.version}"
            )
        if not welcome.may_control:
            raise Refused("this address is only for watching: connect to the one to drive or to control")
        self._take_scene(self._first("scene"))
        self._sides = Sides(self._scene, self.team)
        self._period_steps = max(round(period / self._scene.step_s), 1)
        frame = self._first("frame")
        status = frame.status
        if status is not None and status.ended:
            raise MatchEnded("the run is over")
        in_lockstep = status is not None and status.lock_step
        if in_lockstep and not self.lockstep:
            raise Refused("the simulator is in lock step: connect with lockstep=True")
        if self.lockstep and not in_lockstep:
            raise Refused("the simulator is not in lock step: start it with --lock-step 1")
        self._say(new_name=pb.NewName(name=name))
        self._claim(welcome.client)
        self._take_frame(frame)
        if self.lockstep:
            self._say(join=pb.Join(period=self._period_steps))
            self._await_turn()
        # What happened before the team came is nobody's business.
        self._events, self._left_out = [], 0
        self._show()

    def _claim(self, client):
        """Claim all robots of the team; the simulator says why not, where it does not agree."""
        wanted = {robot.number for robot in self.robots}
        for body in wanted:
            self._say(claim=pb.Claim(body=body))
        own = set()
        while own != wanted:
            message = self._next(self._timeout)
            if message.kind() == "drivers":
                drivers = message.drivers.drivers
                own = {d.body for d in drivers if d.client == client} & wanted
            elif message.kind() == "frame":
                self._take_frame(message.frame)

    def _first(self, kind):
        """The first message of a kind; what comes before it is of no interest yet."""
        while True:
            message = self._next(self._timeout, is_playing=False)
            if message.kind() == kind:
                return getattr(message, kind)

    # ------------------------------------------------------------- messages

    def _say(self, **kind):
        self._socket.send(pb.ClientMessage(**kind).encode())

    def _next(self, timeout, is_playing=True):
        """The next message; notices and other scenes are raised."""
        data = self._socket.receive(timeout)
        if data is None:
            raise ConnectionLost(f"the simulator has said nothing for {timeout:g} s")
        try:
            message = pb.ServerMessage.decode(data)
        except DecodeError as error:
            raise ConnectionLost(f"expected a message of the simulator: {error}") from None
        if message.kind() == "notice" and message.notice.level != pb.Notice.INFO:
            if message.notice.text == _ENDED:
                raise MatchEnded("the simulator has ended the run")
            if not message.notice.text.startswith(_VOID):
                raise Refused(message.notice.text)
        if message.kind() == "scene" and is_playing:
            raise SceneChanged(f"the simulator has loaded {message.scene.name!r}")
        return message

    def _await_turn(self, is_right=lambda turn: True):
        while True:
            message = self._next(None)
            if message.kind() == "turn":
                self._take_frame(message.turn.frame)
                self._turn_step = message.turn.step
                if is_right(message.turn):
                    self._is_asked = True
                    return

    def _await_frame(self, is_right):
        """Read on until a frame is right, then whatever has come besides: the newest one counts."""
        is_done = False
        while not is_done or self._socket.has_more():
            message = self._next(self._timeout)
            if message.kind() == "frame":
                self._take_frame(message.frame)
                is_done = is_done or is_right(message.frame)
                status = message.frame.status
                if status is not None and status.ended:
                    raise MatchEnded("the run is over")

    def _take_scene(self, scene):
        self._scene = scene
        self._table = Table(scene)

    def _take_frame(self, frame):
        if frame.generation != self._scene.generation:
            return
        try:
            self._table.take(frame)
        except (ValueError, IndexError) as error:
            raise ConnectionLost(f"expected a frame of this scene: {error}") from None
        self._frame = frame
        self._left_out += frame.events_dropped
        for event in frame.events:
            bodies = tuple(event.bodies)
            self._events.append(Event(event.kind, event.text, event.time_s, bodies, event.value))

    def _show(self):
        frame, sides = self._frame, self._sides
        goals = lambda zones: sum(frame.scores[zone] for zone in zones)
        self._state = State(
            time=frame.time_s,
            step=frame.step,
            own=self._table.robots(sides.own),
            opponents=self._table.robots(sides.opponents),
            ball=self._table.ball(sides.ball),
            score=Score(goals(sides.scored), goals(sides.conceded)),
            events=tuple(self._events),
            events_left_out=self._left_out,
        )
        self._events, self._left_out = [], 0
        return self._state


def _place(address):
    """Host, port and token of an address, and whether it is one that encrypts."""
    text = address if "://" in address else "http://" + address
    try:
        parts = urllib.parse.urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or parts.scheme not in ("http", "ws", "https", "wss"):
        raise ValueError(
            f"expected HOST, HOST:PORT or http://HOST:PORT/?token=..., got {address!r}"
        )
    token = urllib.parse.parse_qs(parts.query).get("token", [None])[0]
    return host, port or DEFAULT_PORT, token, parts.scheme in ("https", "wss")
