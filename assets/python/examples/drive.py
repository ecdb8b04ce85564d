"""A drive by hand, tick by tick: a program decides from the clouds.

The vehicle drives ahead and turns away from the nearest thing before it.

    python3 drive.py [SCENARIO [SECONDS]]
"""

import sys
from pathlib import Path
from typing import Tuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import understory  # noqa: E402


def decide(cloud: understory.Cloud,
           pose: understory.Pose) -> Tuple[float, float]:
    """Speed and yaw rate by what is within 4 m ahead of the vehicle."""
    from_world = np.linalg.inv(pose.matrix())
    points = cloud.points @ from_world[:3, :3].T + from_world[:3, 3]
    is_high = (points[:, 2] > 0.3) & (points[:, 2] < 2)
    ahead = points[is_high & (points[:, 0] > 0) & (points[:, 0] < 4)
                   & (np.abs(points[:, 1]) < 1)]
    if len(ahead) == 0:
        return 1.0, 0.0
    nearest = ahead[ahead[:, 0].argmin()]
    return 0.4, -0.6 if nearest[1] > 0 else 0.6


def main(scenario: str = "clearing", seconds: str = "2") -> None:
    with understory.drive(scenario, seconds=float(seconds),
                          by_hand=True) as drive:
        clouds, pose, truth = drive.first
        name = drive.sensors[0]
        while drive.ending is None:
            step = drive.step(decide(clouds[name], pose))
            clouds, pose, truth = step
        print("the drive has ended: %s, %.1f m from its goal, %d collisions"
              % (step.ended, step.distance, step.collisions))
        error = np.linalg.norm((pose.position - truth.position)[:2])
        print("after %.1f s at x %.2f, y %.2f m; the estimate is off by "
              "%.2f m" % (drive.time, *truth.position[:2], error))
    recorded = understory.run(drive.run_id)
    points = sum(cloud.rows for cloud in recorded.clouds(name))
    print("run %s has %d points of %s" % (recorded.id, points, name))


if __name__ == "__main__":
    main(*sys.argv[1:])
