"""An external planner: it drives to the goal, and around what stands ahead.

    python3 planner.py [ADDRESS [DRIVES]]
    understory drive clearing --planner ADDRESS
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import understory  # noqa: E402


def decide(seen: understory.Observation) -> understory.Command:
    """Turns to the goal, and away from the nearest thing within 4 m ahead."""
    points = np.concatenate([cloud.vehicle_points
                             for cloud in seen.clouds.values()])
    is_high = (points[:, 2] > 0.3) & (points[:, 2] < 2)
    ahead = points[is_high & (points[:, 0] > 0) & (points[:, 0] < 4)
                   & (np.abs(points[:, 1]) < 1)]
    if len(ahead) > 0:
        nearest = ahead[ahead[:, 0].argmin()]
        return 0.4, -0.6 if nearest[1] > 0 else 0.6
    x, y = seen.mission.goal - seen.pose.position[:2]
    turn = np.arctan2(y, x) - seen.pose.yaw
    turn = (turn + np.pi) % (2 * np.pi) - np.pi
    speed = seen.mission.max_speed * max(0.2, np.cos(turn))
    return speed, 1.5 * turn


def begin(mission: understory.Mission) -> None:
    print("from %.1f, %.1f to %.1f, %.1f with %s" % (
        *mission.start, *mission.goal, ", ".join(mission.sensors)))


def main(address: str = "tcp://127.0.0.1:7000", drives: str = "") -> None:
    with understory.PlannerServer(decide, address, begin) as server:
        print("understory drive clearing --planner %s" % server.address,
              flush=True)
        try:
            server.serve(int(drives) if drives else None)
        except KeyboardInterrupt:
            pass
        for ending in server.endings:
            print("the drive has ended: %s" % (ending["end"]
                                               or ending["error"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
