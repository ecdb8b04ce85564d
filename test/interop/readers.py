"""Reads exports with the clients of Debian and prints what they hold as JSON: for clouds.test.ts
and learned.test.ts.

readers.py numpy FILE.npz | kitti FOLDER | open3d FILE.ply | open3d-mesh FILE.ply
Columns as lists; NaN as null.
"""
import json
import os
import sys


def plain(array):
    return [None if value != value else value for value in array.reshape(-1).tolist()]


def read_numpy(file):
    import numpy

    archive = numpy.load(file)
    return {name: plain(archive[name]) for name in archive.files}


def read_kitti(folder):
    """As semantic-kitti-api does: points into the first frame's axes by inv(Tr) pose Tr."""
    import numpy

    def matrix(line):
        rows = numpy.array([float(text) for text in line.split()]).reshape(3, 4)
        return numpy.vstack([rows, [0, 0, 0, 1]])

    with open(os.path.join(folder, "calib.txt"), encoding="ascii") as lines:
        calibration = dict(line.strip().split(": ") for line in lines if ":" in line)
    tr = matrix(calibration["Tr"])
    with open(os.path.join(folder, "poses.txt"), encoding="ascii") as lines:
        poses = [numpy.linalg.inv(tr) @ matrix(line) @ tr for line in lines]
    with open(os.path.join(folder, "world_from_first.txt"), encoding="ascii") as lines:
        world_from_first = matrix(lines.read())
    times = numpy.loadtxt(os.path.join(folder, "times.txt"), ndmin=1)
    result = {"x": [], "y": [], "z": [], "intensity": [], "class": [], "instance": [], "frame": []}
    for frame, pose in enumerate(poses):
        points = numpy.fromfile(os.path.join(folder, f"velodyne/{frame:06d}.bin"), dtype=numpy.float32)
        points = points.reshape(-1, 4)
        labels = numpy.fromfile(os.path.join(folder, f"labels/{frame:06d}.label"), dtype=numpy.uint32)
        homogeneous = numpy.hstack([points[:, :3].astype(float), numpy.ones((len(points), 1))])
        world = (world_from_first @ pose @ homogeneous.T).T
        for axis, name in enumerate("xyz"):
            result[name] += plain(world[:, axis])
        result["intensity"] += plain(points[:, 3])
        result["class"] += plain(labels & 0xFFFF)
        result["instance"] += plain(labels >> 16)
        result["frame"] += [frame] * len(points)
    return {**result, "times": plain(times)}


def read_open3d(file):
    import open3d

    cloud = open3d.t.io.read_point_cloud(file)
    columns = {}
    for name in cloud.point:
        array = cloud.point[name].numpy()
        if name == "positions":
            for axis, letter in enumerate("xyz"):
                columns[letter] = plain(array[:, axis])
        else:
            columns[name] = plain(array)
    return columns


def read_open3d_mesh(file):
    import numpy
    import open3d

    mesh = open3d.io.read_triangle_mesh(file)
    places = numpy.asarray(mesh.vertices)
    columns = {letter: plain(places[:, axis]) for axis, letter in enumerate("xyz")}
    return {**columns, "triangles": numpy.asarray(mesh.triangles).tolist()}


READERS = {
    "numpy": read_numpy,
    "kitti": read_kitti,
    "open3d": read_open3d,
    "open3d-mesh": read_open3d_mesh,
}
json.dump(READERS[sys.argv[1]](sys.argv[2]), sys.stdout)
