"""Finds the coloured patches of robots, and the ball, in frames of an overhead camera: a first vision for soccer.

    python camera_blobs.py [ADDRESS] [FRAMES]

Needs OpenCV (pip install opencv-python-headless), which has no part in getting the frames.
"""

import sys

import cv2
import numpy as np
from rolima_camera import Camera

# Hue (of 180), saturation and value, from and to.
COLOURS = {
    "blue": ((100, 90, 60), (130, 255, 255)),
    "yellow": ((22, 90, 90), (36, 255, 255)),
    "orange": ((5, 120, 120), (20, 255, 255)),
}
LEAST_PIXELS = 12


def blobs(rgb: np.ndarray) -> list:
    """Colour, column and row of every patch."""
    hsv = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV)
    found = []
    for name, (low, high) in COLOURS.items():
        mask = cv2.inRange(hsv, np.array(low), np.array(high))
        count, _, stats, middles = cv2.connectedComponentsWithStats(mask)
        for i in range(1, count):
            if stats[i, cv2.CC_STAT_AREA] >= LEAST_PIXELS:
                found.append((name, *middles[i]))
    return found


def main() -> None:
    address = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:8650"
    most = int(sys.argv[2]) if len(sys.argv) > 2 else None
    with Camera(address) as camera:
        for seen, frame in enumerate(camera.frames(), 1):
            found = ", ".join(f"{name} at {x:.1f} {y:.1f}" for name, x, y in blobs(frame.rgb))
            print(f"{frame.time_s:.3f} s: {found}")
            if seen == most:
                break


if __name__ == "__main__":
    main()
