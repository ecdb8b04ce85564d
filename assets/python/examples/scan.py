"""One scan of a scene as arrays: returns and mean range of every class.

    python3 scan.py [SCENARIO [SENSOR]]
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import understory  # noqa: E402


def main(scenario: str = "box", sensor: str = "vlp-16") -> None:
    with understory.open(scenario) as scene:
        # One metre above the origin, looking along x.
        cloud = scene.scan(sensor, (0, 0, 1))
    print("%d returns of %d pulses" % (cloud.rows, cloud.record["pulses"]))
    for index, name in enumerate(cloud.classes):
        ranges = cloud["range_m"][cloud["class_id"] == index]
        if ranges.size > 0:
            print("%-8s %6d returns, mean range %6.2f m"
                  % (name, ranges.size, ranges.mean()))
    low, high = cloud.points.min(axis=0), cloud.points.max(axis=0)
    print("points from", np.round(low, 2), "to", np.round(high, 2), "m")


if __name__ == "__main__":
    main(*sys.argv[1:])
