"""A survey: a sensor moves through a scene while it scans.

    python3 survey.py [SCENARIO [SENSOR [OUT.npz]]]
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import understory  # noqa: E402

SECONDS = 2.0
SPEED_M_PER_S = 1.5


def path() -> np.ndarray:
    """Poses 50 times a second, straight along x, one turn of the head to
    the left in all: time, x, y, z, qx, qy, qz, qw."""
    times = np.linspace(0, SECONDS, int(SECONDS * 50) + 1)
    poses = np.zeros((times.size, 8))
    poses[:, 0] = times
    poses[:, 1] = SPEED_M_PER_S * times - 2
    poses[:, 3] = 1.5
    yaw = np.pi / 2 * times / SECONDS
    poses[:, 6], poses[:, 7] = np.sin(yaw / 2), np.cos(yaw / 2)
    return poses


def main(scenario: str = "box", sensor: str = "vlp-16",
         out: str = "survey.npz") -> None:
    columns = ["time_ns", "x_m", "y_m", "z_m", "intensity", "class_id"]
    with understory.open(scenario) as scene:
        cloud = scene.scan(sensor, path(), columns)
    np.savez(out, classes=np.array(cloud.classes), **cloud)
    print("%d points of %.1f s in %s" % (
        cloud.rows, cloud["time_ns"].max() / 1e9, out))


if __name__ == "__main__":
    main(*sys.argv[1:])
