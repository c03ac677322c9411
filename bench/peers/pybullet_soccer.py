"""Six robots and a ball in PyBullet: no gravity, bodies kept in the plane, 1 ms steps."""

import math

import soccer

try:
    import pybullet
except ImportError:
    soccer.skip_missing("pybullet")

WALL_HEIGHT_M = 0.05


class World:
    """A physics server in this process, its robots and their driver."""

    def __init__(self, seed):
        pybullet.resetSimulation()
        pybullet.setGravity(0, 0, 0)
        pybullet.setPhysicsEngineParameter(fixedTimeStep=soccer.STEP_S)
        self.driver = soccer.Driver(seed)
        half = soccer.ROBOT_HALF_M
        for x, y, hx, hy, angle in soccer.walls():
            self.add(0, box(hx, hy, WALL_HEIGHT_M), x, y, angle)
        cube = box(half, half, half)
        self.robots = [self.add(soccer.ROBOT_MASS_KG, cube, x, y) for x, y in soccer.STARTS_M]
        sphere = pybullet.createCollisionShape(
            pybullet.GEOM_SPHERE, radius=soccer.BALL_RADIUS_M
        )
        self.ball = self.add(soccer.BALL_MASS_KG, sphere, 0, 0)

    @staticmethod
    def add(mass_kg, shape, x, y, angle=0.0):
        """Adds a body at the height of the field; mass 0 stands still."""
        turned = pybullet.getQuaternionFromEuler([0, 0, angle])
        body = pybullet.createMultiBody(mass_kg, shape, -1, [x, y, 0], turned)
        pybullet.changeDynamics(body, -1, lateralFriction=soccer.FRICTION, restitution=0.2)
        return body

    def command_and_step(self):
        """Imposes the new velocities, then takes 30 steps, one call each: it has no other way."""
        for body in [*self.robots, self.ball]:
            self.keep_in_plane(body)
        for _ in range(soccer.COMMAND_STEPS):
            pybullet.stepSimulation()

    def keep_in_plane(self, body):
        """Takes out what contacts did out of the plane; robots also get their new velocity."""
        (x, y, _), turned = pybullet.getBasePositionAndOrientation(body)
        (vx, vy, _), (_, _, turn) = pybullet.getBaseVelocity(body)
        angle = pybullet.getEulerFromQuaternion(turned)[2]
        if body != self.ball:
            c, s = math.cos(angle), math.sin(angle)
            forward, turn = self.driver.velocities(vx * c + vy * s, turn)
            vx, vy = forward * c, forward * s
        flat = pybullet.getQuaternionFromEuler([0, 0, angle])
        pybullet.resetBasePositionAndOrientation(body, [x, y, 0], flat)
        pybullet.resetBaseVelocity(body, [vx, vy, 0], [0, 0, turn])

    def is_whole(self):
        """Whether every body is still on the field."""
        centres = [pybullet.getBasePositionAndOrientation(b)[0] for b in [*self.robots, self.ball]]
        return all(abs(x) < 0.85 and abs(y) < 0.65 for x, y, _ in centres)


def box(half_x, half_y, half_z):
    """A box shape by its half sides."""
    half = [half_x, half_y, half_z]
    return pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=half)


if __name__ == "__main__":
    pybullet.connect(pybullet.DIRECT)
    soccer.measure("pybullet", World)
