"""Frames of a simulator: `frames.py ADDRESS tcp|udp|lockstep COUNT FILE` writes the last one as raw bytes."""

import sys
import zlib

from rolima_camera import Camera, Frame, Turn

address, how, count, path = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
with Camera(address, udp=how == "udp", lock_step=how == "lockstep") as camera, open(path, "w") as out:
    seen = 0
    while seen < count:
        taken = camera.next(20.0)
        if isinstance(taken, Turn):
            camera.done(taken)
            continue
        assert isinstance(taken, Frame), taken
        assert camera.info is not None and taken.rgb.shape == (camera.info.height, camera.info.width, 3)
        out.write(f"{taken.number} {taken.step} {zlib.crc32(taken.rgb)}\n")
        seen += 1
print("done")
