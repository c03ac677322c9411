"""Tests against a running simulator of soccer. Prints ``done``.

    python plays.py lockstep|realtime|refused ADDRESS
"""

import socket
import sys

import numpy
from checks import expect, raises

from rolima_soccer import ConnectionLost, Match, MatchEnded, Refused


def about_the_match(match):
    expect([robot.name for robot in match.robots] == ["blue-1", "blue-2", "blue-3"])
    expect({robot.team for robot in match.opponents} == {"yellow"})
    expect(match.goal.centre[0] > 0.75 and match.own_goal.centre[0] < -0.75)
    expect(abs(match.robots[0].supply - 9.0) < 1e-6 and abs(match.period - 0.03) < 1e-9)
    state = match.state
    expect(state.own.position.shape == state.own.velocity.shape == state.own.volts.shape == (3, 2))
    expect(state.own.heading.shape == state.own.omega.shape == (3,))
    expect(len(state.opponents) == 3 and state.ball.position.shape == (2,))


def wrong_arguments(match):
    raises(ValueError, lambda: match.drive([1.0, 2.0]), "expected 3 rows of 2", "(2,)")
    wrong = [[0, 0], [0, float("nan")], [0, 0]]
    raises(ValueError, lambda: match.drive(wrong), "volts of blue-2", "finite")
    raises(ValueError, lambda: match.drive_speeds(numpy.zeros((3, 2))), "no speed controller")


def a_match(match, turns):
    """Drives with fixed voltages; gives all that was seen, as numbers."""
    seen = []
    for turn in range(turns):
        volts = numpy.array([[3.0, 2.0 + turn % 3], [4.0, 4.0], [-2.0, 1.0]])
        state = match.drive(volts)
        seen.append([state.time, *state.own.position.ravel(), *state.ball.position])
        expect(numpy.allclose(state.own.volts, volts))
    return seen


def lockstep(address):
    raises(Refused, lambda: Match.connect(address, team="blue"), "lockstep=True")
    raises(ValueError, lambda: Match.connect(address, team="red", lockstep=True), "'blue'", "'red'")
    with Match.connect(address, team="blue", lockstep=True) as match:
        about_the_match(match)
        expect(match.state.step == 0 and match.state.score == (0, 0))
        wrong_arguments(match)
        others = lambda: Match.connect(address, team="blue", lockstep=True)
        raises(Refused, others, "team blue drives blue-")
        first = a_match(match, 100)
        expect(abs(first[-1][0] - 100 * 0.03) < 1e-9, first[-1][0])
        state = match.wait()
        expect(numpy.allclose(state.own.volts[1], 4.0), "a command holds")
        state = match.reset()
        expect(state.step == 0 and state.events == () and state.score == (0, 0))
        expect(a_match(match, 100) == first, "the same answers, the same match")
        match.reset(seed=7)
        a_match(match, 10)
    # Whoever has left can come again: the world has waited.
    with Match.connect(address, team="blue", lockstep=True) as match:
        expect(match.state.step == 300, match.state.step)
        expect(abs(match.wait().time - 0.33) < 1e-9, match.state.time)
        # Up to the end of the run, which the simulator was told.
        try:
            while True:
                match.wait()
        except MatchEnded:
            pass


def realtime(address):
    with Match.connect(address, team="blue") as match:
        about_the_match(match)
        wrong_arguments(match)
        before = match.state
        state = match.drive(numpy.full((3, 2), 5.0))
        expect(state.step >= before.step + 30, "a period later at least")
        for _ in range(200):
            state = match.drive(numpy.full((3, 2), 5.0))
            if (state.own.volts == 5.0).all() and state.events:
                break
        expect((state.own.volts == 5.0).all(), state.own.volts)
        # Another program plays the others.
        with Match.connect(address, team="yellow", name="Rui") as other:
            expect(len(other.robots) == 3 and other.goal.name == match.own_goal.name)
            raises(Refused, lambda: Match.connect(address, team="yellow"), "Rui drives yellow-")
        state = match.reset(seed=3)
        expect(state.time < 10.0)
        raises(Refused, lambda: Match.connect(address, team="blue", lockstep=True), "--lock-step")


def refused(address):
    nobody = socket.create_server(("127.0.0.1", 0))
    nowhere = "127.0.0.1:%d" % nobody.getsockname()[1]
    silent = lambda: Match.connect(nowhere, team="blue", timeout=0.2)
    raises(ConnectionLost, silent, nowhere, "no answer")
    nobody.close()
    raises(ConnectionLost, lambda: Match.connect(nowhere, team="blue"), nowhere, "is one running")
    token = dict(pair.split("=") for pair in address.split("?")[1].split("&"))["token"]
    bare = address.split("//")[1].split("/")[0]
    raises(Refused, lambda: Match.connect(bare, team="blue"), "access token is missing or wrong")
    wrong = token[::-1] + "0"
    raises(Refused, lambda: Match.connect(bare, team="blue", token=wrong), "access token")
    Match.connect(bare, team="blue", token=token).close()
    with Match.connect(address, team="yellow") as match:
        expect(match.team == "yellow")


def encrypted(address, ca):
    raises(ConnectionLost, lambda: Match.connect(address, team="blue"), "not trusted", "ca=FILE")
    plain = address.replace("https", "http")
    raises(Refused, lambda: Match.connect(plain, team="blue", timeout=5.0), "https://")
    with Match.connect(address, team="blue", ca=ca) as match:
        before = match.state
        for _ in range(20):
            state = match.drive(numpy.full((3, 2), 5.0))
        expect(state.step > before.step, state.step)


if __name__ == "__main__":
    plays = {
        "lockstep": lockstep,
        "realtime": realtime,
        "refused": refused,
        "encrypted": encrypted,
    }
    plays[sys.argv[1]](*sys.argv[2:])
    print("done")
