"""A skid-steered vehicle with four sprung wheels on a height field in MuJoCo, 1 ms steps."""

import json
import math
import statistics
import sys
import time

import soccer

try:
    import mujoco
    import numpy
except ImportError:
    soccer.skip_missing("mujoco")

STEP_S = 1e-3
NODES = 256
HALF_SIZE_M = 20.0
HEIGHT_M = 1.2
RUNS = 3
RUN_CPU_S = 3.0
ORDER_STEPS = 250
# Voltages would need a motor model: these are the wheel speeds that they would reach, rad/s.
SPEED_RAD_S, TURNS_RAD_S = 11.0, (2.5, -1.2, 5.0, -3.7, 0.0, -5.0, 3.7)


def wheel(name, x, y):
    """A wheel of 0.1 m on a spring and damper along the chassis' up axis."""
    return f"""
      <body name="{name}" pos="{x} {y} -0.06">
        <joint type="slide" axis="0 0 1" stiffness="12000" damping="700"/>
        <joint name="{name}" type="hinge" axis="0 1 0" armature="0.08"/>
        <geom type="cylinder" size="0.1 0.03" euler="90 0 0" mass="1"/>
      </body>"""


def scene():
    """The vehicle with the sizes of our preset `vivi`, on a field of 256 x 256 heights."""
    corners = [("fl", 0.25, 0.25), ("fr", 0.25, -0.25), ("rl", -0.25, 0.25), ("rr", -0.25, -0.25)]
    wheels = "".join(wheel(*corner) for corner in corners)
    motors = "".join(
        f'<velocity joint="{name}" kv="10" forcerange="-50 50"/>' for name, _, _ in corners
    )
    return f"""<mujoco>
  <option timestep="{STEP_S}"/>
  <asset><hfield name="hills" nrow="{NODES}" ncol="{NODES}" size="{HALF_SIZE_M} {HALF_SIZE_M} {HEIGHT_M} 1"/></asset>
  <default><geom friction="1 0.005 0.0001"/></default>
  <worldbody>
    <geom type="hfield" hfield="hills"/>
    <body name="chassis" pos="0 0 {HEIGHT_M + 0.3}">
      <freejoint/>
      <geom type="box" size="0.35 0.2 0.1" mass="56"/>{wheels}
    </body>
  </worldbody>
  <actuator>{motors}</actuator>
</mujoco>"""


def hills(seed):
    """Heights from 0 to 1 with waves down to half a metre, level in the middle."""
    random = numpy.random.default_rng(seed)
    x, y = numpy.meshgrid(*[numpy.linspace(-HALF_SIZE_M, HALF_SIZE_M, NODES)] * 2)
    z = numpy.zeros_like(x)
    for octave in range(4):
        for _ in range(4):
            angle, phase = random.uniform(0, 2 * math.pi, 2)
            wave = 2 * math.pi / (6.0 * 0.5**octave)
            z += 0.4**octave * numpy.sin(wave * (x * math.cos(angle) + y * math.sin(angle)) + phase)
    return (z - z.min()) / (z.max() - z.min())


class World:
    """The model, its state and its orders."""

    def __init__(self, seed):
        self.model = mujoco.MjModel.from_xml_string(scene())
        self.model.hfield_data[:] = hills(seed).flatten()
        self.data = mujoco.MjData(self.model)
        self.orders = 0

    def order_and_step(self):
        """A new order, as our benchmark gives it, then 250 steps within one call."""
        turn = TURNS_RAD_S[self.orders % len(TURNS_RAD_S)]
        x, y = self.data.qpos[:2]
        if max(abs(x), abs(y)) > 12.0:
            forward = self.data.xmat[1].reshape(3, 3)[:, 0]
            turn = math.copysign(5.0, forward[1] * x - forward[0] * y)
        self.orders += 1
        left, right = SPEED_RAD_S - turn, SPEED_RAD_S + turn
        self.data.ctrl[:] = left, right, left, right
        mujoco.mj_step(self.model, self.data, nstep=ORDER_STEPS)

    def is_whole(self):
        """Whether the vehicle is still on the field and the right way up."""
        height, up = self.data.qpos[2], self.data.xmat[1].reshape(3, 3)[2, 2]
        return bool(-1.0 < height < HEIGHT_M + 1.0 and up > 0.0)


def main():
    """Prints the JSON line."""
    values = []
    for seed in range(1, RUNS + 1):
        world = World(seed)
        for _ in range(4):
            world.order_and_step()
        steps, spent_s, start_s = 0, 0.0, time.process_time()
        while spent_s < RUN_CPU_S:
            world.order_and_step()
            steps += ORDER_STEPS
            spent_s = time.process_time() - start_s
        if not world.is_whole():
            sys.exit("mujoco: the vehicle left the field, the figure would mean nothing")
        values.append(steps / spent_s)
    line = {
        "name": "vehicle-1ms",
        "engine": "mujoco",
        "value": round(statistics.median(values)),
        "unit": "steps/s",
        "lowest": round(min(values)),
        "highest": round(max(values)),
        "runs": RUNS,
    }
    print(json.dumps(line))


if __name__ == "__main__":
    main()
