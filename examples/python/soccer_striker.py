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
    direction, room = goal - ball, 0.02
    if abs(ball[1]) > 0.55:
        # There is no room behind a ball at the wall: along the wall, from wherever it can be hit.
        direction, room = numpy.array((numpy.sign(goal[0]), -0.2 * numpy.sign(ball[1]))), 0.08
    direction = direction / numpy.hypot(*direction)
    across = numpy.array((-direction[1], direction[0]))
    to_ball = ball - own
    along, beside = to_ball @ direction, to_ball @ across
    if along > 0.0 and abs(beside) < room + 0.15 * along:
        # Behind it: through the ball.
        return ball + 0.1 * direction, SPEED
    place = ball - 0.12 * direction
    if along < 0.06 and abs(beside) < 0.12:
        # On the wrong side: around it, not through it.
        place = place + (0.14 if beside < 0 else -0.14) * across
    return place, 0.0


class Team:
    """One attacks, one keeps the goal, the others stay between."""

    #: After so many states without moving a robot is stuck, and backs off for as many.
    PATIENCE = 15

    def __init__(self, match):
        self.goal, self.own_goal = match.goal.centre, match.own_goal.centre
        self.still = numpy.zeros(len(match.robots), int)
        self.back = numpy.ones(len(match.robots))

    def play(self, state):
        """Voltages (left, right) for all robots."""
        ball = state.ball.position + 0.1 * state.ball.velocity
        # A ball that would be beyond a wall by then is at the wall.
        ball = numpy.clip(ball, (-0.72, -0.62), (0.72, 0.62))
        striker = int(numpy.argmin(numpy.hypot(*(state.own.position - ball).T)))
        targets = numpy.empty((len(state.own), 2))
        speeds = numpy.zeros(len(state.own))
        others = [robot for robot in range(len(state.own)) if robot != striker]
        others.sort(key=lambda robot: abs(state.own.position[robot, 0] - self.own_goal[0]))
        for place, robot in enumerate(others):
            # The keeper by the goal, the next one half the way to the ball.
            share = 0.15 if place == 0 else 0.5
            targets[robot] = self.own_goal + share * (ball - self.own_goal)
            targets[robot, 1] += 0.0 if place == 0 else 0.2
        own = state.own.position[striker]
        targets[striker], speeds[striker] = behind(ball, self.goal, own)
        targets = numpy.clip(targets, (-0.69, -0.59), (0.69, 0.59)) if speeds.max() == 0 else targets
        return self.unstuck(state.own, targets, volts_to(targets, state.own, speeds))

    def unstuck(self, robots, targets, volts):
        """The same voltages, but those of robots that are stuck: they back off."""
        moves = numpy.hypot(*robots.velocity.T) > 0.02
        is_there = numpy.hypot(*(targets - robots.position).T) < 0.05
        backs_off = self.still < 0
        stands = ~moves & ~is_there & ~backs_off
        self.still = numpy.where(backs_off | stands, self.still + 1, 0)
        stuck = self.still > self.PATIENCE
        self.still[stuck] = -self.PATIENCE
        # Backwards, and the next time forwards.
        self.back[stuck] *= -1
        away = self.back[:, None] * (7.0, 4.0)
        return numpy.where((self.still < 0)[:, None], away, volts)


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
        team, state = Team(match), match.state
        try:
            while state.score.own < options.goals and state.time < options.seconds:
                state = match.drive(team.play(state))
                for event in state.events:
                    if event.kind == "goal":
                        print(f"{event.time:.3f} s: {event.text}", flush=True)
        except MatchEnded:
            pass
        print(f"{state.score.own} : {state.score.others} after {state.time:.2f} s")


if __name__ == "__main__":
    main()
