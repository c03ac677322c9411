"""Six robots and a ball in MuJoCo: planar bodies (two slides and a hinge each), 1 ms steps."""

import math

import soccer

try:
    import mujoco
except ImportError:
    soccer.skip_missing("mujoco")

WALL_HEIGHT_M = 0.05


def planar_body(name, x, y, geom):
    """A body that moves along x and y and turns about z, with one geom."""
    return f"""
    <body name="{name}" pos="{x} {y} 0">
      <joint type="slide" axis="1 0 0"/>
      <joint type="slide" axis="0 1 0"/>
      <joint type="hinge" axis="0 0 1"/>
      {geom}
    </body>"""


def scene():
    """The MJCF of the field with its bodies; robots come first in the state."""
    half = soccer.ROBOT_HALF_M
    box = f'<geom type="box" size="{half} {half} {half}" mass="{soccer.ROBOT_MASS_KG}"/>'
    ball = f'<geom type="sphere" size="{soccer.BALL_RADIUS_M}" mass="{soccer.BALL_MASS_KG}"/>'
    bodies = [planar_body(f"robot{i}", x, y, box) for i, (x, y) in enumerate(soccer.STARTS_M)]
    bodies.append(planar_body("ball", 0, 0, ball))
    walls = [
        f'<geom type="box" pos="{x} {y} 0" size="{hx} {hy} {WALL_HEIGHT_M}"'
        f' euler="0 0 {math.degrees(angle)}"/>'
        for x, y, hx, hy, angle in soccer.walls()
    ]
    return f"""<mujoco>
  <option timestep="{soccer.STEP_S}" gravity="0 0 0"/>
  <default><geom friction="{soccer.FRICTION} 0 0" condim="3"/></default>
  <worldbody>{"".join(walls)}{"".join(bodies)}</worldbody>
</mujoco>"""


class World:
    """The model, its state and the driver of its robots."""

    def __init__(self, seed):
        self.model = mujoco.MjModel.from_xml_string(scene())
        self.data = mujoco.MjData(self.model)
        self.driver = soccer.Driver(seed)

    def command_and_step(self):
        """Imposes the new velocities, then takes 30 steps within one call."""
        position, velocity = self.data.qpos, self.data.qvel
        for robot in range(len(soccer.STARTS_M)):
            at = 3 * robot
            c, s = math.cos(position[at + 2]), math.sin(position[at + 2])
            along = velocity[at] * c + velocity[at + 1] * s
            forward, turn = self.driver.velocities(along, velocity[at + 2])
            velocity[at : at + 3] = forward * c, forward * s, turn
        mujoco.mj_step(self.model, self.data, nstep=soccer.COMMAND_STEPS)

    def is_whole(self):
        """Whether every body is still on the field."""
        centres = self.data.xpos[1:]
        return bool((abs(centres[:, 0]) < 0.85).all() and (abs(centres[:, 1]) < 0.65).all())


if __name__ == "__main__":
    soccer.measure("mujoco", World)
