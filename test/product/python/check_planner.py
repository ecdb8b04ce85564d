"""Checks PlannerServer of assets/python/understory.py with real drives: what
it sees is what the run records, and its commands are followed."""

import sys
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

root = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(root / "assets" / "python"))
import understory  # noqa: E402


YARD = """
understory: 2
name: Yard
scene:
  materials: { earth: { reflectance: 0.3 } }
  ground: { kind: plane, sizeM: [80, 80], material: earth }
  walls:
    - { name: wall, fromM: [9, -9], toM: [9, 9], heightM: 3, material: earth,
        thicknessM: 0.2 }
mission: { startM: [-9, 0], goalM: [0, 20] }
"""


def drive(address: str) -> Tuple[understory.Run, Dict[str, Any]]:
    """A drive by the planner at an address, to its end."""
    host = understory._host(None)
    with tempfile.TemporaryDirectory() as folder:
        scenario = Path(folder) / "yard.understory.yaml"
        scenario.write_text(YARD)
        started = host.call("drive.start", {
            "scenario": str(scenario), "sensor": "lms-291", "seconds": 1,
            "planner": {"address": address, "timeoutS": 60}})
    named = {"runId": started.header["body"]["runId"]}
    ending = host.call("drive.watch", named).header["body"]
    return understory.run(named["runId"]), ending


class Serving(threading.Thread):
    """Serves one drive; `error`: what `serve` raised."""

    def __init__(self, server: understory.PlannerServer) -> None:
        super().__init__()
        self.server = server
        self.error: Optional[BaseException] = None
        self.start()

    def run(self) -> None:
        try:
            self.server.serve(1)
        except Exception as error:
            self.error = error


class Planners(unittest.TestCase):
    def test_what_a_planner_sees_and_does(self) -> None:
        seen: List[understory.Observation] = []
        missions: List[understory.Mission] = []

        def decide(now: understory.Observation) -> understory.Command:
            seen.append(now)
            return 100, -0.1

        with understory.PlannerServer(decide, begin=missions.append) as server:
            serving = Serving(server)
            run, ending = drive(server.address)
            serving.join(10)
        self.assertIsNone(serving.error)
        self.assertEqual(server.endings, [{"end": "seconds", "error": None}])
        self.assertEqual(ending["metrics"]["lateCommands"], 0)
        (mission,) = missions
        (name,) = mission.sensors
        np.testing.assert_array_equal(mission.goal, [0, 20])
        self.assertEqual(mission.tick, 0.1)
        # Ticks of 0.1 s; commands act two ticks later.
        self.assertEqual([now.tick for now in seen], list(range(10)))
        estimates = run.poses()["estimate"]
        for now, cloud, pose in zip(seen, run.clouds(), estimates):
            sent = now.clouds[name]
            for column in ("time_ns", "range_m", "ring", "intensity"):
                np.testing.assert_array_equal(sent[column], cloud[column])
            self.assertNotIn("class_id", sent)
            self.assertAlmostEqual(now.time, pose[0])
            np.testing.assert_array_equal(now.pose.position, pose[1:4])
            # Points at the estimated pose are off by its error alone: fixes
            # have 5 cm, and the vehicle moves 0.2 m in a tick at most.
            body = now.pose.matrix()
            points = sent.vehicle_points @ body[:3, :3].T + body[:3, 3]
            off = np.linalg.norm((points - cloud.points)[:, :2], axis=1)
            self.assertLess(np.median(off), 0.6)
        speeds = run.ticks()["speed_m_per_s"]
        self.assertEqual(list(speeds[:2]), [0, 0])
        self.assertGreater(speeds[-1], 0.5)
        # Held to the vehicle's limit by this module.
        self.assertLessEqual(speeds.max(), mission.max_speed)

    def test_a_planner_that_raises(self) -> None:
        def decide(now: understory.Observation) -> understory.Command:
            if now.tick < 3:
                return 1, 0
            raise RuntimeError("no path")

        with tempfile.TemporaryDirectory() as folder:
            address = "unix:" + str(Path(folder) / "planner.sock")
            with understory.PlannerServer(decide, address) as server:
                serving = Serving(server)
                run, ending = drive(server.address)
                serving.join(10)
            self.assertEqual(list(Path(folder).iterdir()), [])
        self.assertIsInstance(serving.error, RuntimeError)
        self.assertEqual(ending["state"], "failed")
        self.assertIn("failed: RuntimeError: no path", ending["error"])
        self.assertEqual(len(list(run.clouds())), 3)

    def test_numbers_that_are_none(self) -> None:
        with understory.PlannerServer(lambda now: (np.nan, 0.0)) as server:
            serving = Serving(server)
            _, ending = drive(server.address)
            serving.join(10)
        self.assertIsInstance(serving.error, understory.BadInput)
        self.assertIn("command.speed: expected a finite number, found nan", ending["error"])

    def test_addresses(self) -> None:
        for address in ("udp://127.0.0.1:7", "7000"):
            with self.assertRaises(ValueError):
                understory.PlannerServer(lambda now: (0, 0), address)
        for address in ("tcp://example.org:7", "unix:planner.sock",
                        "tcp://127.0.0.1:99999"):
            with self.assertRaises(understory.BadInput) as refused:
                drive(address)
            self.assertEqual(refused.exception.problems[0].path,
                             "planner.address")


if __name__ == "__main__":
    unittest.main(verbosity=2)
