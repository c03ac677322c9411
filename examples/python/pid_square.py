"""The PID controller of the thesis (section 4.1): to the corners of a square of 10 m.

    rolima run maze &
    python pid_square.py [FILE.svg]

Draws the path that the robot took into FILE.svg.
"""

import math
import sys

from robotone import *

handler = connectRobotOne("127.0.0.1")
traceRobotOne(handler, True)

Vmax = 1.0
error = 0.05
Krho = 1
Kp = 1
Ki = 0.01
Kd = 0.01
sum_alpha = 0
alpha_1 = 0

P = [0, 0, 0]
GS = [[0, 0], [10, 0], [10, 10], [0, 10]]
pose(handler, P)
path = [P]
time = 0

for i in range(len(GS)):
    G = GS[i]
    P = pose(handler)
    dx = G[0] - P[0]
    dy = G[1] - P[1]
    rho = math.sqrt(dx * dx + dy * dy)

    while rho > error:
        gama = math.atan2(dy, dx)
        alpha = fixAngle(gama - P[2])

        # At full speed to all corners but the last, where the robot must not overshoot.
        if i < len(GS) - 1:
            v = Vmax
        else:
            v = min(Krho * rho, Vmax)
        w = Kp * alpha + Ki * sum_alpha + Kd * (alpha - alpha_1)
        alpha_1 = alpha
        sum_alpha = sum_alpha + alpha
        velocity(handler, (v, w))
        time += waitRobotOne(handler)

        P = pose(handler)
        path.append(P)
        dx = G[0] - P[0]
        dy = G[1] - P[1]
        rho = math.sqrt(dx * dx + dy * dy)
    print(f"corner {i} after {time:.1f} s")

# The trace stays on the page, to be looked at.
disconnectRobotOne(handler)

if len(sys.argv) > 1:
    from path_plot import save_path

    save_path(sys.argv[1], path, GS)
