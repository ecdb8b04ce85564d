"""Checks assets/python/understory.py with a real host; exits with 0 when all
is well. Ranges are those of assets/scenarios/box.understory.yaml, by hand."""

import os
import signal
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import numpy as np

root = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(root / "assets" / "python"))
import understory  # noqa: E402

SENSOR = "vlp-16-goodin2018"
DEGREE = np.pi / 180


class Scans(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.scene = understory.open("box")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.scene.close()

    def test_one_pose(self) -> None:
        cloud = self.scene.scan(SENSOR, (0, 0, 1), seconds=0.1, misses=True)
        # 0.1 s of 18,000 slots with 16 lasers, one row each.
        self.assertEqual(cloud.rows, 28_800)
        self.assertTrue(all(len(array) == 28_800 for array in cloud.values()))
        self.assertEqual(cloud["time_ns"].dtype, np.int64)
        # Ring 8 looks 1 degree up and meets the box's face at x = 5; a ray
        # of the stencil is at most 0.53 mrad off the axis: 0.05 mm.
        hit = (cloud["ring"] == 8) & (np.abs(cloud["azimuth_rad"]) < 1e-4)
        self.assertAlmostEqual(cloud["range_m"][hit][0],
                               5 / np.cos(DEGREE), 3)
        self.assertEqual(cloud.classes[cloud["class_id"][hit][0]], "box")
        np.testing.assert_allclose(
            cloud.points[hit][0], [5, 0, 1 + 5 * np.tan(DEGREE)], atol=3e-3)

    def test_poses(self) -> None:
        times = np.linspace(0, 1, 101)
        poses = np.zeros((101, 8))
        poses[:, 0], poses[:, 1] = times, 2 * times
        poses[:, 3], poses[:, 7] = 1, 1
        cloud = self.scene.scan(
            SENSOR, poses, ["time_ns", "ring", "azimuth_rad", "range_m"])
        self.assertEqual(list(cloud), ["time_ns", "ring", "azimuth_rad",
                                       "range_m"])
        hit = (cloud["ring"] == 8) & (np.abs(cloud["azimuth_rad"]) < 1e-4)
        x = 2 * cloud["time_ns"][hit] / 1e9
        self.assertEqual(len(x), 10)
        # Nearer by 2 m/s; the rays of the stencil differ as above.
        np.testing.assert_allclose(cloud["range_m"][hit],
                                   (5 - x) / np.cos(DEGREE), atol=1e-3)

    def test_same_bytes(self) -> None:
        first, again = (self.scene.scan("vlp-16", (0, 0, 1, 30, -2))
                        for _ in range(2))
        self.assertEqual(first.record["hash"], again.record["hash"])
        for name, array in first.items():
            np.testing.assert_array_equal(array, again[name])

    def test_heights(self) -> None:
        self.assertAlmostEqual(self.scene.height_at(5.5, 0), 1.5, 5)
        self.assertIsNone(self.scene.height_at(500, 0))

    def problems_of(self, *args: object, **options: object) -> list:
        with self.assertRaises(understory.BadInput) as caught:
            self.scene.scan(*args, **options)
        return [problem.path for problem in caught.exception.problems]

    def test_problems(self) -> None:
        still = [0, 0, 1, 0, 0, 0, 1]
        self.assertEqual(self.problems_of(SENSOR, (0, 0)), ["pose"])
        self.assertEqual(self.problems_of(
            SENSOR, [[0, *still], [0, *still]]), ["poses[1]"])
        self.assertEqual(self.problems_of(
            SENSOR, [[0, *still], [9, *still]]), ["poses[1]"])
        self.assertEqual(self.problems_of(
            SENSOR, [[0, 0, 0, 0, 0, 0, 0, 2]]), ["poses[0]"])
        self.assertEqual(self.problems_of(
            SENSOR, [[0, *still], [1, *still]], start=2), ["fromS"])
        self.assertEqual(self.problems_of(
            SENSOR, (0, 0, 1), ["range"]), ["columns[0]"])
        self.assertEqual(self.problems_of("none", (0, 0, 1)), ["sensor"])

    def test_interrupt(self) -> None:
        def interrupt() -> None:
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(1.0, interrupt)
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            # Hours of work.
            self.scene.scan("hdl-64e", (0, 0, 1), seconds=100_000,
                            columns=["range_m"])
        # Scene and host are as they were.
        self.assertGreater(self.scene.scan(SENSOR, (0, 0, 1)).rows, 1000)


class Failures(unittest.TestCase):
    def test_scenario_with_a_problem(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "bad.understory.yaml"
            file.write_text("understory: 2\nname: Bad\nscene:\n"
                            "  ground: { kind: plane, size: 3 }\n")
            with self.assertRaises(understory.BadInput) as caught:
                understory.open(str(file))
        self.assertIn("scene.ground.size", str(caught.exception))
        self.assertIn("scene.ground.size",
                      [one.path for one in caught.exception.problems])

    def test_run_that_is_not_there(self) -> None:
        with self.assertRaises(understory.NotFound):
            understory.run("nothing")

    def test_host_that_ends(self) -> None:
        host = understory.Host()
        scene = understory.open("box", host=host)
        host._process.kill()
        with self.assertRaises(understory.HostLost):
            scene.scan(SENSOR, (0, 0, 1))
        host.close()

    def test_command_that_is_not_there(self) -> None:
        with self.assertRaises(understory.HostLost):
            understory.Host(command=["/nowhere/understory"])


class Drives(unittest.TestCase):
    def test_by_itself(self) -> None:
        with understory.drive("clearing", "lms-291", seconds=0.5) as drive:
            steps = list(drive)
            self.assertEqual(drive.ending["end"], "seconds")
        # Ticks of 0.1 s.
        self.assertEqual(len(steps), 5)
        self.assertAlmostEqual(drive.time, 0.5)
        recorded = list(understory.run(drive.run_id).clouds())
        self.assertEqual(len(recorded), 5)
        for at, (step, cloud) in enumerate(zip(steps, recorded)):
            (stepped,) = step.clouds.values()
            self.assertEqual(stepped.record["tick"], at)
            self.assertEqual(list(stepped), list(cloud))
            for name, array in stepped.items():
                np.testing.assert_array_equal(array, cloud[name])
            self.assertGreaterEqual(stepped["time_ns"].min(), at * 10**8)
            self.assertLess(stepped["time_ns"].max(), (at + 1) * 10**8)

    def test_by_hand(self) -> None:
        with understory.drive("clearing", "lms-291", by_hand=True) as drive:
            for _ in range(20):
                step = drive.step((1.0, 0.0))
            moved = step.truth.position - drive.first.truth.position
        # It speeds up for a moment first: less than 2 m in 2 s, and more
        # than half of it.
        self.assertLess(np.linalg.norm(moved), 2)
        self.assertGreater(np.linalg.norm(moved), 1)
        np.testing.assert_allclose(
            drive.first.truth.matrix()[:2, 0],
            moved[:2] / np.linalg.norm(moved[:2]), atol=1e-3)
        run = understory.run(drive.run_id)
        self.assertEqual(run.record["state"], "cancelled")
        # The tick that was under way when the drive was stopped counts.
        self.assertLessEqual(len(run.ticks()["time_s"]),
                             drive.tick["tick"] + 2)
        self.assertEqual(run.poses()["vehicle"].shape[1], 8)
        self.assertIn(run.id, [one.id for one in understory.runs()])

    def test_flags(self) -> None:
        with understory.drive("clearing", "lms-291", seconds=0.4,
                              by_hand=True, record=False) as drive:
            with self.assertWarns(UserWarning):
                step = drive.step((99, 0))
            self.assertTrue(step.limited)
            self.assertEqual(step.command[1], 0)
            self.assertLess(step.command[0], 99)
            self.assertEqual((step.tick, step.ended, step.arrived,
                              step.collision, step.collisions),
                             (1, None, False, False, 0))
            self.assertGreater(step.distance, 1)
            for command, path in [((np.nan, 0), "command.speed"),
                                  ((0, np.inf), "command.yaw_rate"),
                                  ((1,), "command")]:
                with self.assertRaises(understory.BadInput) as caught:
                    drive.step(command)
                self.assertEqual([one.path for one in
                                  caught.exception.problems], [path])
            while step.ended is None:
                step = drive.step((1, 0))
            self.assertEqual(step.ended, "seconds")
            self.assertEqual(drive.ending["end"], "seconds")
            with self.assertRaises(understory.DriveEnded):
                drive.step()
            first = drive.run_id
            again = drive.reset(seed=7)
            self.assertNotEqual(drive.run_id, first)
            self.assertEqual((again.tick, again.ended), (0, None))
            self.assertTrue(again.clouds)
            kept = [one.id for one in understory.runs()]
            self.assertNotIn(first, kept)
        self.assertNotIn(drive.run_id,
                         [one.id for one in understory.runs()])


if __name__ == "__main__":
    unittest.main(verbosity=2)
