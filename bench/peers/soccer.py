"""What the Python peers share: the field, the driver, the clock and the JSON line."""

import json
import math
import random
import statistics
import sys
import time

STEP_S = 0.001
COMMAND_STEPS = 30
COMMAND_S = STEP_S * COMMAND_STEPS
RUNS = 5
RUN_CPU_S = 0.5
WARM_UP_COMMANDS = 20

ROBOT_HALF_M = 0.0375
ROBOT_MASS_KG = 0.352
BALL_RADIUS_M = 0.02135
BALL_MASS_KG = 0.046
STARTS_M = [(x, y) for x0, y in [(-0.55, 0.0), (-0.25, 0.2), (-0.25, -0.2)] for x in (x0, -x0)]
FRICTION = 0.3

# Decay (1/s) and gain (per volt) of forward speed and turning rate: the `minirobot` preset
# without its small cross terms.
SUPPLY_V = 9.0
FORWARD_DECAY, FORWARD_GAIN = 0.5436, 0.1281
TURN_DECAY, TURN_GAIN = 0.599, 5.06


def walls():
    """Boxes of the field as (x, y, half x, half y, angle): touch lines, goals, corners."""
    length, width, t, goal, depth, leg = 0.75, 0.65, 0.0125, 0.20, 0.10, 0.07
    post = (width - goal) / 2
    # A square turned by 45 degrees whose one face is the long side of the corner triangle.
    corner_half = leg / math.sqrt(2)
    for sign in (-1, 1):
        yield 0.0, sign * (width + t), length + 2 * t, t, 0.0
        yield sign * (length + depth + t), 0.0, t, goal + 2 * t, 0.0
        for side in (-1, 1):
            yield sign * (length + t), side * (goal + post), t, post, 0.0
            yield sign * (length + depth / 2), side * (goal + t), depth / 2, t, 0.0
            yield sign * length, side * width, corner_half, corner_half, math.pi / 4


class Driver:
    """Random voltages, turned into the velocities that the motors would reach in 30 ms."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def velocities(self, forward, turn):
        """New (forward, turn) after one command interval that began with these."""
        right = self.random.uniform(-SUPPLY_V, SUPPLY_V)
        left = self.random.uniform(-SUPPLY_V, SUPPLY_V)
        forward = (forward + COMMAND_S * FORWARD_GAIN * (right + left)) / (
            1 + COMMAND_S * FORWARD_DECAY
        )
        turn = (turn + COMMAND_S * TURN_GAIN * (right - left)) / (1 + COMMAND_S * TURN_DECAY)
        return forward, turn


def skip_missing(engine):
    """Says that the module is not there and ends; a missing peer is no error."""
    print(json.dumps({"engine": engine, "skipped": f"not installed: pip install {engine}"}))
    sys.exit(0)


def measure(engine, make_world):
    """Runs `make_world(seed)`'s `command_and_step()` (30 steps) and prints the JSON line."""
    values = []
    for seed in range(1, RUNS + 1):
        world = make_world(seed)
        for _ in range(WARM_UP_COMMANDS):
            world.command_and_step()
        steps, spent_s, start_s = 0, 0.0, time.process_time()
        while spent_s < RUN_CPU_S:
            world.command_and_step()
            steps += COMMAND_STEPS
            spent_s = time.process_time() - start_s
        if not world.is_whole():
            sys.exit(f"{engine}: a body left the field, the figure would mean nothing")
        values.append(steps / spent_s)
    line = {
        "name": "soccer-3v3",
        "engine": engine,
        "value": round(statistics.median(values)),
        "unit": "steps/s",
        "lowest": round(min(values)),
        "highest": round(max(values)),
        "runs": RUNS,
    }
    print(json.dumps(line))
