"""Soccer: a team of three whose nearest robot pushes the ball into the goal.

    rolima run soccer --lock-step 1 --headless &
    python soccer_striker.py [ADDRESS] [--team blue] [--real-time] [--goals 1] [--for SECONDS]

ADDRESS is what the simulator printed. Ends after so many goals of the team, or after SECONDS.
"""

import argparse

import numpy

from rolima_soccer import Match, MatchEnded

#: How fast robots drive, m/s, and turn, rad/s, at most.
SPEED, TURNING = 1.2, 12.0
#: Volts for a lack of 1 m/s, for a lack of 1 rad/s, and for each m/s that a robot has.
PUSH, TURN, DRAG = 8.0, 0.25, 0.8


def wrap(angle):
    """The same angle within -pi to pi."""
    return (angle + numpy.pi) % (2 * numpy.pi) - numpy.pi


def volts_to(targets, robots, arrival_speeds):
    """Voltages (left, right) that bring each robot to its target, forwards or backwards."""
    way = targets - robots.position
    distance = numpy.hypot(way[:, 0], way[:, 1])
    off = wrap(numpy.arctan2(way[:, 1], way[:, 0]) - robots.heading)
    # The robots have no front: one that looks away drives backwards.
    sign = numpy.where(numpy.abs(off) > numpy.pi / 2, -1.0, 1.0)
    off = wrap(off + numpy.where(sign < 0, numpy.pi, 0.0))
    near = distance < 0.02
    speed = numpy.clip(arrival_speeds + 3.0 * distance, 0.0, SPEED)
    speed = numpy.where(near & (arrival_speeds == 0), 0.0, speed * numpy.cos(off) ** 3) * sign
    turning = numpy.where(near, 0.0, numpy.clip(8.0 * off, -TURNING, TURNING))
    ahead = numpy.column_stack((numpy.cos(robots.heading), numpy.sin(robots.heading)))
    now = (robots.velocity * ahead).sum(axis=1)
    forward = PUSH * (speed - now) + DRAG * now
    turn = TURN * (turning - robots.omega)
    return numpy.clip(numpy.column_stack((forward - turn, forward + turn)), -9.0, 9.0)


def behind(ball, goal, own):
    """Where to go to push the ball at the goal, and how fast to be there."""
    direction = goal - ball
    direction = direction / numpy.hypot(*direction)
    across = numpy.array((-direction[1], direction[0]))
    to_ball = ball - own
    along, beside = to_ball @ direction, to_ball @ across
    if along > 0.0 and abs(beside) < 0.02 + 0.15 * along:
        # Behind it: through the ball.
        return ball + 0.1 * direction, SPEED
    place = ball - 0.12 * direction
    if along < 0.06 and abs(beside) < 0.12:
        # On the wrong side: around it, not through it.
        place = place + (0.14 if beside < 0 else -0.14) * across
    return place, 0.0


def play(match, state):
    """Voltages for the whole team: one attacks, one keeps the goal, the others stay between."""
    ball = state.ball.position + 0.1 * state.ball.velocity
    # On the way to the goal a ball beyond the wall is one at the wall.
    ball = numpy.clip(ball, (-0.72, -0.62), (0.72, 0.62))
    distance = numpy.hypot(*(state.own.position - ball).T)
    striker = int(numpy.argmin(distance))
    goal, own_goal = match.goal.centre, match.own_goal.centre
    targets = numpy.empty((len(state.own), 2))
    speeds = numpy.zeros(len(state.own))
    others = [robot for robot in range(len(state.own)) if robot != striker]
    others.sort(key=lambda robot: abs(state.own.position[robot, 0] - own_goal[0]))
    for place, robot in enumerate(others):
        # The keeper by the goal, the next one half the way to the ball.
        share = 0.15 if place == 0 else 0.5
        targets[robot] = own_goal + share * (ball - own_goal)
        targets[robot, 1] += 0.0 if place == 0 else 0.2
    targets[striker], speeds[striker] = behind(ball, goal, state.own.position[striker])
    return volts_to(targets, state.own, speeds)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("address", nargs="?", default="127.0.0.1")
    parser.add_argument("--team", default="blue")
    parser.add_argument("--real-time", action="store_true")
    parser.add_argument("--goals", type=int, default=1)
    parser.add_argument("--for", dest="seconds", type=float, default=float("inf"))
    options = parser.parse_args()
    lockstep = not options.real_time
    with Match.connect(options.address, team=options.team, lockstep=lockstep) as match:
        state = match.state
        try:
            while state.score.own < options.goals and state.time < options.seconds:
                state = match.drive(play(match, state))
                for event in state.events:
                    if event.kind == "goal":
                        print(f"{event.time:.3f} s: {event.text}", flush=True)
        except MatchEnded:
            pass
        print(f"{state.score.own} : {state.score.others} after {state.time:.2f} s")


if __name__ == "__main__":
    main()
