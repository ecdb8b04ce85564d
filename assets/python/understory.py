"""Understory from Python: LIDAR in dense vegetation as NumPy arrays.

The module needs Python 3.9 and NumPy; `pip install assets/python` from the
clone installs it. It starts the command `understory` and talks to it over its
standard input and output::

    import understory

    with understory.open("clearing") as scene:
        cloud = scene.scan("vlp-16", (0, 0, 1.5))
        print(cloud["range_m"].mean(), cloud.points.shape)

Units are metres, seconds and radians; angles of poses that a person
writes are degrees and have that in their name. Frames are those of
REP-103: x east, y north, z up; x ahead, y left, z up on a vehicle or
sensor. Quaternions are x, y, z, w.

The command is that of the clone or package which holds this file, or from
which it was installed, else `understory` on the PATH; UNDERSTORY_COMMAND overrides both. Data lie where
UNDERSTORY_DATA says. One host serves all calls of a program; it ends with
the program, or with `close()`.
"""

from __future__ import annotations

import atexit
import collections
import json
import os
import queue
import shlex
import shutil
import socket
import struct
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import (Any, BinaryIO, Callable, Dict, Iterator, List,
                    NamedTuple, Optional, Sequence, Tuple, Union)

import numpy as np

__all__ = [
    "BadInput", "Cancelled", "Cloud", "Drive", "DriveEnded", "Host",
    "HostLost", "Mission", "NotFound", "Observation", "PlannerServer",
    "Pose", "Problem", "Run", "Scene", "SensorCloud", "Step",
    "UnderstoryError", "close", "drive", "open", "run", "runs",
]

Columns = Dict[str, np.ndarray]
PoseLike = Union[Sequence[float], np.ndarray]


# Errors

class Problem(NamedTuple):
    """One problem of a request or a document."""

    #: Where: `scene.models.oak.file`, or a field of the request.
    path: str
    #: What was expected there, and what was found.
    message: str


class UnderstoryError(Exception):
    """A call that failed. The text names every problem with its path."""

    def __init__(self, code: str, message: str,
                 problems: Sequence[Problem] = ()) -> None:
        lines = ["  %s: %s" % problem for problem in problems]
        # A message may list its problems already.
        first = message.split("\n")[0].rstrip(":") if lines else message
        super().__init__("\n".join([first + (":" if lines else "")] + lines))
        #: One of the codes of PROTOCOL.md, such as `bad-input`.
        self.code = code
        self.problems: List[Problem] = list(problems)


class BadInput(UnderstoryError, ValueError):
    """A request, scenario or sensor was refused; see `problems`."""


class NotFound(UnderstoryError, LookupError):
    """There is no such scenario, sensor, run or file."""


class Cancelled(UnderstoryError):
    """The call was stopped on request."""


class HostLost(UnderstoryError, ConnectionError):
    """The host ended, or could not be started."""


class DriveEnded(UnderstoryError):
    """A step of a drive that has ended; see `Drive.ending`."""


_errors = {"bad-input": BadInput, "not-found": NotFound,
           "cancelled": Cancelled}


def _error_of(wire: Dict[str, Any]) -> UnderstoryError:
    details = wire.get("details") or {}
    problems = [Problem(str(one.get("path")), str(one.get("message")))
                for one in details.get("problems") or []]
    code = str(wire.get("code", "internal"))
    kind = _errors.get(code, UnderstoryError)
    return kind(code, str(wire.get("message", "")), problems)


# Frames (src-main/contract/wire/PROTOCOL.md)

_MAGIC = b"USF1"
_PREAMBLE = struct.Struct("<4sIQ")
_MAX_HEADER = 64 * 2**20
_MAX_PAYLOAD = 2**30
_dtypes = {"u8": "<u1", "u16": "<u2", "u32": "<u4", "i32": "<i4",
           "u64": "<u8", "i64": "<i8", "f32": "<f4", "f64": "<f8"}
_types = {np.dtype(dtype): name for name, dtype in _dtypes.items()}


class _Frame(NamedTuple):
    header: Dict[str, Any]
    columns: Columns


def _encode(header: Dict[str, Any],
            columns: Optional[Columns] = None) -> bytes:
    arrays = {name: np.ascontiguousarray(array)
              for name, array in (columns or {}).items()}
    if arrays:
        header = dict(header, columns=[
            {"name": name, "type": _types[array.dtype], "count": array.size}
            for name, array in arrays.items()])
    text = json.dumps(header, allow_nan=False).encode()
    text += b" " * (-len(text) % 8)
    parts = [array.tobytes() for array in arrays.values()]
    payload = b"".join(part + b"\0" * (-len(part) % 8) for part in parts)
    return _PREAMBLE.pack(_MAGIC, len(text), len(payload)) + text + payload


def _read_exactly(stream: BinaryIO, count: int) -> Optional[bytearray]:
    """`count` bytes; None where the stream ends before."""
    data = bytearray(count)
    view = memoryview(data)
    done = 0
    while done < count:
        got = stream.readinto(view[done:])  # type: ignore[attr-defined]
        if not got:
            return None
        done += got
    return data


def _read_frame(stream: BinaryIO) -> Optional[_Frame]:
    """The next frame; None at the end. Raises ValueError on other bytes."""
    preamble = _read_exactly(stream, _PREAMBLE.size)
    if preamble is None:
        return None
    magic, header_bytes, payload_bytes = _PREAMBLE.unpack(preamble)
    if (magic != _MAGIC or header_bytes > _MAX_HEADER
            or payload_bytes > _MAX_PAYLOAD):
        raise ValueError("the stream holds no frame where one was expected")
    text = _read_exactly(stream, header_bytes)
    payload = _read_exactly(stream, payload_bytes)
    if text is None or payload is None:
        return None
    header = json.loads(text.decode())
    columns: Columns = {}
    offset = 0
    for column in header.pop("columns", []):
        dtype = np.dtype(_dtypes[column["type"]])
        count = int(column["count"])
        columns[column["name"]] = np.frombuffer(
            payload, dtype, count, offset)
        offset += count * dtype.itemsize
        offset += -offset % 8
    return _Frame(header, columns)


# The host

def _root() -> Path:
    """The clone or package: that of this file, or from which it was
    installed."""
    try:
        from understory_clone import ROOT  # type: ignore[import-not-found]
    except ImportError:
        return Path(__file__).resolve().parents[2]
    return Path(ROOT)


def _command() -> List[str]:
    """The command that starts understory. Raises HostLost without one."""
    given = os.environ.get("UNDERSTORY_COMMAND")
    if given:
        return shlex.split(given)
    root = _root()
    setup = root / "src-main" / "hosts" / "cli" / "setup.mjs"
    if setup.exists():
        node = shutil.which("node") or str(root / "node_modules/.bin/node")
        return [node, str(setup)]
    packaged = root / "understory"
    if packaged.exists():
        return [str(packaged)]
    found = shutil.which("understory")
    if found is None:
        raise HostLost("not-found", "there is no command `understory`: "
                       "UNDERSTORY_COMMAND names another")
    return [found]


class _Call:
    """A call under way: its chunks, then its reply."""

    def __init__(self, host: Host, number: int) -> None:
        self._host = host
        self._number = number
        self._frames: "queue.SimpleQueue[Optional[_Frame]]" = (
            queue.SimpleQueue())
        #: Body and columns of the reply; None until the call has ended.
        self.reply: Optional[_Frame] = None

    def chunks(self) -> Iterator[_Frame]:
        """Chunks in their order, until the call ends well.

        Raises UnderstoryError where it fails. Interrupted by Ctrl+C it is
        cancelled; a caller that takes no more may leave at any time.
        """
        while self.reply is None:
            frame = self.next_frame()
            if frame is not None:
                yield frame

    def next_frame(self) -> Optional[_Frame]:
        """The next chunk; None once there is the reply."""
        while self.reply is None:
            frame = self._frames.get()
            if frame is None:
                # For the next caller.
                self._frames.put(None)
                raise self._host.lost()
            kind = frame.header["kind"]
            if kind == "chunk":
                self._host.send({"kind": "ack", "id": self._number,
                                 "seq": frame.header.get("seq", 0)})
                return frame
            if kind == "reply":
                self.reply = frame
                self._host.forget(self._number)
            elif kind == "error":
                self.reply = frame
                self._host.forget(self._number)
                raise _error_of(frame.header["error"])
        return None

    def result(self) -> _Frame:
        """Waits for the reply; chunks are dropped."""
        for _ in self.chunks():
            pass
        assert self.reply is not None
        return self.reply

    def cancel(self) -> None:
        """Stops the call and waits for its end."""
        if self.reply is not None:
            return
        self._host.send({"kind": "cancel", "id": self._number})
        try:
            self.result()
        except UnderstoryError:
            pass

    def take(self, frame: Optional[_Frame]) -> None:
        """A frame of this call; None: the host has ended."""
        self._frames.put(frame)


class Host:
    """A running `understory`. `open`, `drive` and `runs` have one of their
    own; another is for another data folder or command.

    Ends with its context manager, with `close()` or with this process.
    """

    def __init__(self, data: Optional[str] = None,
                 command: Optional[Sequence[str]] = None) -> None:
        """Starts it.

        data: data folder; default: UNDERSTORY_DATA, or that of the command.
        command: program and arguments before the method; default: see above.
        """
        words = list(command or _command())
        if data is not None:
            words += ["--data", os.path.abspath(data)]
        words += ["--quiet", "serve", "--stdio"]
        try:
            # Why a session of its own: Ctrl+C cancels a call of this
            # program, and does not end the host.
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, start_new_session=True)
        except OSError as error:
            raise HostLost("io", "%s: %s" % (words[0], error)) from error
        self._calls: Dict[int, _Call] = {}
        self._lock = threading.Lock()
        self._next = 1
        self._failure: Optional[UnderstoryError] = None
        self._is_closed = False
        self._lines: "collections.deque[str]" = collections.deque(maxlen=20)
        self._outgoing: "queue.SimpleQueue[Optional[bytes]]" = (
            queue.SimpleQueue())
        # Why threads: Ctrl+C reaches the main thread alone, so that no
        # frame is ever cut.
        self._threads = [
            threading.Thread(target=work, daemon=True)
            for work in (self._read, self._write, self._pass_messages)]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Host:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, method: str, body: Optional[Dict[str, Any]] = None,
             columns: Optional[Columns] = None) -> _Frame:
        """Calls a method of the contract and waits for its reply.

        body: the request; fields that are None are left out.
        Returns header (`header["body"]`) and columns. Ctrl+C cancels it.
        """
        call = self.start(method, body, columns)
        try:
            return call.result()
        except KeyboardInterrupt:
            call.cancel()
            raise

    def start(self, method: str, body: Optional[Dict[str, Any]] = None,
              columns: Optional[Columns] = None) -> _Call:
        """Begins a call."""
        given = {key: value for key, value in (body or {}).items()
                 if value is not None}
        with self._lock:
            if self._failure is not None or self._is_closed:
                raise self.lost()
            number = self._next
            self._next += 1
            call = _Call(self, number)
            self._calls[number] = call
        header = {"kind": "call", "id": number, "method": method,
                  "body": given}
        self.send(header, columns)
        return call

    def send(self, header: Dict[str, Any],
             columns: Optional[Columns] = None) -> None:
        """Sends a frame; what is sent to a host that has ended is lost."""
        self._outgoing.put(_encode(header, columns))

    def forget(self, number: int) -> None:
        """A call has ended."""
        with self._lock:
            self._calls.pop(number, None)

    def lost(self) -> UnderstoryError:
        """Why there is no host any more."""
        if self._failure is not None:
            return self._failure
        return HostLost("io", "the host was closed")

    def close(self, patience_s: float = 90.0) -> None:
        """Ends the host: drives under way are stopped, their recordings
        closed. One that does not end in time is killed."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
        self._outgoing.put(None)
        try:
            self._process.wait(patience_s)
        except BaseException as error:
            self._process.kill()
            self._process.wait()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
        for thread in self._threads:
            thread.join(1)

    def _read(self) -> None:
        assert self._process.stdout is not None
        reason = None
        try:
            while True:
                frame = _read_frame(self._process.stdout)
                if frame is None:
                    break
                number = frame.header.get("id", 0)
                if frame.header["kind"] == "error" and number == 0:
                    reason = frame.header["error"].get("message")
                with self._lock:
                    call = self._calls.get(number)
                if call is not None:
                    call.take(frame)
        except (ValueError, KeyError, OSError) as error:
            reason = str(error)
        self._fail(reason)

    def _fail(self, reason: Optional[str]) -> None:
        if reason is None:
            # Its last words say more.
            self._threads[2].join(1)
            reason = "the host ended" + "".join(
                "\n  " + line for line in self._lines)
        with self._lock:
            if not self._is_closed:
                self._failure = HostLost("io", reason)
            for call in self._calls.values():
                call.take(None)

    def _write(self) -> None:
        assert self._process.stdin is not None
        try:
            while True:
                data = self._outgoing.get()
                if data is None:
                    break
                self._process.stdin.write(data)
                self._process.stdin.flush()
            self._process.stdin.close()
        except OSError:
            pass  # It has ended, which the reader reports.

    def _pass_messages(self) -> None:
        assert self._process.stderr is not None
        for raw in self._process.stderr:
            line = raw.decode(errors="replace").rstrip()
            self._lines.append(line)
            print(line, file=sys.stderr, flush=True)


_default: Optional[Host] = None


def _host(host: Optional[Host]) -> Host:
    global _default
    if host is not None:
        return host
    if _default is None:
        _default = Host()
        atexit.register(close)
    return _default


def close() -> None:
    """Ends the host that this module started; the next call starts one."""
    global _default
    if _default is not None:
        ended, _default = _default, None
        ended.close()


# Data

class Cloud(Dict[str, np.ndarray]):
    """Points of a scan: arrays of the same length by column.

    `understory scan --help` lists the columns with their units: x_m, y_m,
    z_m (f32, axes of the world, relative to `origin`), range_m, intensity,
    ring (u16), time_ns (i64), class_id (u16, index in `classes`),
    object_id (u32) and others. Rows are in the order of firing.
    """

    #: Names of `class_id`.
    classes: List[str]
    #: Facts about the scan: pulses, returns, fromNs, toNs, tick, sensor ...
    record: Dict[str, Any]
    #: World position of the scene's origin, f64, shape (3,).
    origin: np.ndarray

    def __init__(self, columns: Columns, classes: Sequence[str],
                 record: Dict[str, Any], origin: Sequence[float]) -> None:
        super().__init__(columns)
        self.classes = list(classes)
        self.record = record
        self.origin = np.array(origin, dtype=np.float64)

    @property
    def rows(self) -> int:
        """How many points, or misses, there are."""
        return int(self.record["rows"])

    @property
    def points(self) -> np.ndarray:
        """Points in the world, origin included: (rows, 3), f64, metres."""
        local = np.stack([self["x_m"], self["y_m"], self["z_m"]], axis=1)
        return local + self.origin


class Pose(NamedTuple):
    """worldFromBody: where a body is and how it is turned."""

    #: x, y, z in metres, shape (3,).
    position: np.ndarray
    #: Quaternion x, y, z, w, shape (4,).
    rotation: np.ndarray

    def matrix(self) -> np.ndarray:
        """As a 4 x 4 matrix: world point = matrix @ (x, y, z, 1)."""
        x, y, z, w = self.rotation
        matrix = np.eye(4)
        matrix[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w),
             2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z),
             2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w),
             1 - 2 * (x * x + y * y)]]
        matrix[:3, 3] = self.position
        return matrix

    @property
    def yaw(self) -> float:
        """Heading of the body's x axis, counter-clockwise from x, rad."""
        along = self.matrix()[:2, 0]
        return float(np.arctan2(along[1], along[0]))


def _pose_of(body: Dict[str, Any], origin: np.ndarray) -> Pose:
    return Pose(np.array(body["positionM"]) + origin,
                np.array(body["rotation"]))


def _pose_request(pose: PoseLike, origin: np.ndarray
                  ) -> Tuple[Optional[Dict[str, Any]], Columns]:
    """A pose for the body of a request, or columns of poses."""
    array = np.array(pose, dtype=np.float64)
    if array.ndim == 1 and 3 <= array.size <= 5:
        array[:3] -= origin
        yaw, pitch = (list(array[3:]) + [0.0, 0.0])[:2]
        return {"positionM": [float(value) for value in array[:3]],
                "yawDeg": float(yaw), "pitchDeg": float(pitch)}, {}
    if array.ndim == 2 and array.shape[1] == 8:
        array[:, 1:4] -= origin
        names = ["x_m", "y_m", "z_m", "qx", "qy", "qz", "qw"]
        columns = {name: array[:, at + 1].copy()
                   for at, name in enumerate(names)}
        columns["time_ns"] = np.rint(array[:, 0] * 1e9).astype(np.int64)
        return None, columns
    message = ("expected x, y, z[, yaw_deg[, pitch_deg]], or an array (N, 8) "
               "of time, x, y, z, qx, qy, qz, qw; found shape %s"
               % (array.shape,))
    raise BadInput("bad-input", "the request was refused",
                   [Problem("pose", message)])


def _joined(parts: Sequence[Columns]) -> Columns:
    if len(parts) == 1:
        return parts[0]
    names = list(parts[0]) if parts else []
    return {name: np.concatenate([part[name] for part in parts])
            for name in names}


def _document(name: str) -> str:
    """A file as an absolute name; others are ids of samples."""
    return os.path.abspath(name) if os.path.exists(name) else str(name)


# Scenes

class Scene:
    """An open scene: built once, scanned as often as wanted."""

    def __init__(self, host: Host, scenario: str,
                 seed: Optional[int] = None) -> None:
        self._host = host
        self._call = host.start("scene.open", {
            "scenario": _document(scenario), "seed": seed, "isShown": False})
        try:
            ready = self._call.next_frame()
        except KeyboardInterrupt:
            self._call.cancel()
            raise
        assert ready is not None
        body = ready.header["body"]
        self._id = body["scene"]
        #: Names of `class_id`.
        self.classes: List[str] = body["classes"]
        #: Counts, extents (`minM`, `maxM`) and hash of the scene.
        self.summary: Dict[str, Any] = body["summary"]
        #: World position of the scene's origin, f64, shape (3,).
        self.origin = np.array(body["originM"], dtype=np.float64)
        #: Seed of the scene, and of scans that state no other.
        self.seed: int = body["seed"]
        #: Sensors of the scenario: `name`, `sensor`, `mount`.
        self.sensors: List[Dict[str, Any]] = body["sensors"]

    def __enter__(self) -> Scene:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def scan(self, sensor: str, pose: PoseLike,
             columns: Optional[Sequence[str]] = None, *,
             seconds: Optional[float] = None,
             start: Optional[float] = None,
             misses: bool = False, seed: Optional[int] = None,
             rate_hz: Optional[float] = None,
             mode: Optional[str] = None,
             max_gap: Optional[float] = None) -> Cloud:
        """Scans the scene and returns the returns in the order of firing.

        sensor: id of a sample (`vlp-16`) or a sensor file.
        pose: the sensor's own pose: x, y, z[, yaw_deg[, pitch_deg]], yaw
            counter-clockwise from x, pitch positive down; or poses over
            time, an array (N, 8) of time in seconds, x, y, z, qx, qy, qz,
            qw (worldFromSensor, as a TUM file): each pulse has the pose of
            its own time. Positions are those of the world.
        columns: names; default: those of a CSV file.
        seconds: simulated time; default: one scan of the sensor, or up to
            the last of the poses.
        start: of the interval; default: 0, or the first of the poses.
        misses: also a row for every pulse without a return (return_no 0).
        seed, rate_hz, mode: default: those of the scene and the sensor.
        max_gap: longest time between two poses; default: 2 s.

        The same arguments give the same bytes. Raises BadInput with the
        path of every problem, NotFound for an unknown sensor.
        """
        body, given = _pose_request(pose, self.origin)
        call = self._host.start("scene.scan", {
            "scene": self._id, "sensor": _document(sensor), "pose": body,
            "columns": None if columns is None else list(columns),
            "seconds": seconds, "fromS": start, "misses": misses,
            "seed": seed, "rateHz": rate_hz, "mode": mode,
            "maxGapS": max_gap}, given)
        try:
            parts = [chunk.columns for chunk in call.chunks()]
        except KeyboardInterrupt:
            call.cancel()
            raise
        assert call.reply is not None
        return Cloud(_joined(parts), self.classes,
                     call.reply.header["body"], self.origin)

    def height_at(self, x: float, y: float) -> Optional[float]:
        """Height of the highest surface at x, y in the world; None: there
        is nothing."""
        frame = self._host.call("scene.heightAt", {
            "scene": self._id, "xM": float(x - self.origin[0]),
            "yM": float(y - self.origin[1])})
        height = frame.header["body"]["heightM"]
        return None if height is None else height + float(self.origin[2])

    def close(self) -> None:
        """Frees the scene and its worker."""
        if not self._host._is_closed:
            self._call.cancel()


def open(scene: str, *, seed: Optional[int] = None,
         host: Optional[Host] = None) -> Scene:
    """Builds the scene of a scenario and opens it.

    scene: id of a sample (`courtyard`) or a scenario file.
    seed: default: the scenario's.
    Raises BadInput with the path of every problem of the scenario.
    """
    return Scene(_host(host), scene, seed)


# Drives

class _Seen(NamedTuple):
    #: By name of the sensor, with all recorded columns, truth included.
    clouds: Dict[str, Cloud]
    #: Estimated pose of the vehicle at the end of the tick.
    pose: Pose
    #: Its true pose.
    truth: Pose


class Step(_Seen):
    """What a tick of a drive gave: `clouds, pose, truth = step`, and flags.

    All but `clouds` and `pose` is truth, which a vehicle does not know; of
    `clouds` all but time, ring, angles, range and intensity is.
    """

    #: Number of the tick, from 0, and simulated seconds at its end.
    tick: int
    time: float
    #: Metres to the goal, in the plane; true speed in m/s.
    distance: float
    speed: float
    #: Collisions so far, and whether one began in this tick.
    collisions: int
    collision: bool
    #: The vehicle is at its goal.
    arrived: bool
    #: How the drive ended with this tick: "goal", "seconds", "timeout",
    #: "stuck"; None: it continues.
    ended: Optional[str]
    #: The command of this step as the vehicle takes it, and whether it was
    #: reduced to the vehicle's limits; None without one.
    command: Optional[Tuple[float, float]] = None
    limited: bool = False


class Drive:
    """A run that is stepped. Iteration steps it to its end.

    The run is catalogued and recorded as any other, unless `record` is
    false; it ends with the context manager. `reset` begins another.
    """

    def __init__(self, host: Host, request: Dict[str, Any],
                 record: bool = True) -> None:
        self._host = host
        self._request = dict(request)
        self._is_recorded = record
        self._has_warned = False
        self._begin()

    def _begin(self) -> None:
        host, request = self._host, self._request
        #: How the run ended: state, end, metrics, error; None: it has not.
        self.ending: Optional[Dict[str, Any]] = None
        started = host.call("drive.start", dict(
            request, isPaused=True, viewPoints=1))
        #: Id of the run.
        self.run_id: str = started.header["body"]["runId"]
        named = {"runId": self.run_id}
        self._watch = host.start("drive.watch", dict(named, maxPoints=0))
        self._clouds = host.start("runs.clouds", dict(
            named, isFollowing=True))
        details = host.call("runs.show", named).header["body"]
        #: Names of the sensors, as in the scenario.
        self.sensors: List[str] = details["sensorNames"]
        #: Names of `class_id`.
        self.classes: List[str] = details["classes"]
        #: Record of the last tick: tick, timeNs, speedMPerS, collisions,
        #: distanceToGoalM, activity ...
        self.tick: Dict[str, Any] = {}
        self._is_removed = False
        try:
            #: What the first tick gave; it is run at once.
            self.first: Step = self._take(0)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Drive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Step]:
        step = self.first
        yield step
        while step.ended is None:
            try:
                step = self.step()
            except DriveEnded:
                return
            yield step

    def reset(self, seed: Optional[int] = None) -> Step:
        """Ends this run and begins another of the same drive.

        seed: of the new run; default: that of the last. Where the scene is
            the same, as without plants that the seed places, it is not
            built again.
        Returns the first step.
        """
        self.close()
        if seed is not None:
            self._request["seed"] = int(seed)
        self._begin()
        return self.first

    @property
    def time(self) -> float:
        """Simulated seconds at the end of the last tick."""
        return self.tick["timeNs"] / 1e9

    def step(self, command: Optional[Tuple[float, float]] = None) -> Step:
        """Simulates one tick and returns clouds, pose and truth.

        command: speed (m/s) and yaw rate (rad/s, counter-clockwise) of a
            drive by hand; without one the last holds. It acts two ticks
            later, as every command. One beyond the vehicle's limits is
            reduced to them: `limited` of the step, and one warning a drive.
        The last step of a drive has `ended`: at its goal, after its time,
        or because it is stuck. A step after it raises DriveEnded.
        Raises BadInput for a command that is no two finite numbers.
        """
        if self.ending is not None:
            raise self._ended()
        taken: Optional[Tuple[float, float]] = None
        limited = False
        if command is not None:
            asked = _finite_command(command)
            reply = self._host.call("drive.command", {
                "runId": self.run_id, "speedMPerS": asked[0],
                "yawRateRadPerS": asked[1]}).header["body"]
            held = reply.get("command")
            if held is not None:
                taken = (held["speedMPerS"], held["yawRateRadPerS"])
                limited = taken != asked
        if limited and not self._has_warned:
            self._has_warned = True
            warnings.warn("the vehicle cannot follow the command %s, it takes "
                          "%s: later ones have `limited` in their step"
                          % (asked, taken), stacklevel=2)
        self._host.call("drive.control", {"runId": self.run_id, "steps": 1})
        step = self._take(self.tick["tick"] + 1)
        step.command, step.limited = taken, limited
        return step

    def close(self) -> None:
        """Stops the drive where it has not ended. Its recording stays,
        unless `record` is false."""
        if self._host._is_closed:
            return
        self._stop()
        if self._is_recorded or self._is_removed:
            return
        self._is_removed = True
        run = {"runIds": [self.run_id]}
        self._host.call("runs.delete", run)
        self._host.call("runs.empty", run)

    def _stop(self) -> None:
        if self.ending is None:
            self._host.call("drive.stop", {"runId": self.run_id})
            try:
                self.ending = self._watch.result().header["body"]
            except UnderstoryError:
                self.ending = {"state": "failed", "end": None,
                               "metrics": None, "error": None}
        self._clouds.cancel()

    def _take(self, tick: int) -> Step:
        """The tick of this number."""
        record: Optional[Dict[str, Any]] = None
        end: Optional[str] = None
        while record is None:
            frame = self._watch.next_frame()
            if frame is None:
                assert self._watch.reply is not None
                self.ending = self._watch.reply.header["body"]
                raise self._ended()
            shown = frame.header["body"]
            if shown["tick"]["tick"] == tick:
                record, end = shown["tick"], shown["end"]
        clouds: Dict[str, Cloud] = {}
        while len(clouds) < len(self.sensors):
            frame = self._clouds.next_frame()
            if frame is None:
                raise UnderstoryError("corrupt", "the recording lacks tick %d"
                                      % tick)
            scan = frame.header["body"]
            if scan["tick"] == tick:
                clouds[scan["name"]] = Cloud(frame.columns, self.classes, scan,
                                             scan["originM"])
        before = self.tick.get("collisions", 0)
        self.tick = record
        origin = next(iter(clouds.values())).origin
        step = Step(clouds, _pose_of(record["estimate"], origin),
                    _pose_of(record["truth"], origin))
        step.tick, step.time = record["tick"], record["timeNs"] / 1e9
        step.distance = record["distanceToGoalM"]
        step.speed = record["speedMPerS"]
        step.collisions = record["collisions"]
        step.collision = record["collisions"] > before
        step.ended, step.arrived = end, end == "goal"
        if end is not None:
            self.ending = self._watch.result().header["body"]
        return step

    def _ended(self) -> UnderstoryError:
        assert self.ending is not None
        if self.ending["state"] == "failed":
            return _error_of({"code": self.ending.get("errorCode"),
                              "message": self.ending.get("error")})
        how = self.ending["end"] or self.ending["state"]
        return DriveEnded("cancelled", "the drive has ended: %s" % how)


def drive(scenario: str = "courtyard", sensor: Optional[str] = None, *,
          seconds: Optional[float] = None, seed: Optional[int] = None,
          start: Optional[Sequence[float]] = None,
          goal: Optional[Sequence[float]] = None,
          by_hand: bool = False, settings: Optional[Sequence[str]] = None,
          record: bool = True, host: Optional[Host] = None) -> Drive:
    """Starts a drive that waits for its steps.

    scenario: id of a sample or a scenario file.
    sensor: in place of the scenario's sensors.
    seconds: simulated time after which it ends; default: at the goal.
    start, goal: x, y in metres; default: the mission's.
    by_hand: commands come from `step`; default: the vehicle drives itself.
    settings: other values of fields, as `scene.atmosphere.rainMmPerH=5`.
    record: false removes the run and its recording when it is closed or
        reset.
    """
    return Drive(_host(host), {
        "scenario": _document(scenario),
        "sensor": None if sensor is None else _document(sensor),
        "seconds": seconds, "seed": seed,
        "startM": None if start is None else [float(at) for at in start],
        "goalM": None if goal is None else [float(at) for at in goal],
        "settings": None if settings is None else list(settings),
        "control": "hand" if by_hand else "autonomy",
        # Why: a program may think for longer than a person rests.
        "commandHoldS": 1e9 if by_hand else None,
        # For `reset`.
        "keepsScene": True}, record)


def _finite_command(command: Sequence[float]) -> Tuple[float, float]:
    """Speed and yaw rate. Raises BadInput."""
    names = ("command.speed", "command.yaw_rate")
    try:
        speed, yaw_rate = (float(value) for value in command)
    except (TypeError, ValueError):
        raise BadInput("bad-input", "the command was refused", [Problem(
            "command", "expected a speed and a yaw rate, found %r"
            % (command,))]) from None
    problems = [Problem(name, "expected a finite number, found %r" % value)
                for name, value in zip(names, (speed, yaw_rate))
                if not np.isfinite(value)]
    if problems:
        raise BadInput("bad-input", "the command was refused", problems)
    return speed, yaw_rate


# Planners (PROTOCOL.md, "An external planner")

_PLANNER_PROTOCOL = 1


class Mission(NamedTuple):
    """A drive that asks for commands. Positions are those of the world."""

    #: Where the vehicle starts: x, y.
    start: np.ndarray
    #: Its heading there, rad.
    start_yaw: float
    #: Where it is to go: x, y; and within which distance it has arrived.
    goal: np.ndarray
    goal_tolerance: float
    #: Seconds between two commands.
    tick: float
    #: Limits of commands: m/s and rad/s.
    max_speed: float
    max_yaw_rate: float
    #: Names of the sensors.
    sensors: List[str]
    #: Everything, as PROTOCOL.md has it: vehicle, timeoutS, originM ...
    record: Dict[str, Any]


class SensorCloud(Cloud):
    """The returns of a sensor in a tick, without ground truth: time_ns,
    ring, azimuth_rad, elevation_rad, return_no, n_returns, range_m,
    intensity, x_sensor_m, y_sensor_m, z_sensor_m."""

    #: vehicleFromSensor.
    mount: Pose

    @property
    def points(self) -> np.ndarray:
        """Points in the sensor's frame at their time: (rows, 3), f64."""
        return np.stack([self["x_sensor_m"], self["y_sensor_m"],
                         self["z_sensor_m"]], axis=1).astype(np.float64)

    @property
    def vehicle_points(self) -> np.ndarray:
        """The same in the vehicle's frame: x ahead, y left, z up."""
        mount = self.mount.matrix()
        return self.points @ mount[:3, :3].T + mount[:3, 3]


class Observation(NamedTuple):
    """What a vehicle knows at the end of a tick; nothing is truth."""

    mission: Mission
    tick: int
    #: Simulated seconds at the end of the tick.
    time: float
    #: Estimated pose of the vehicle in the world.
    pose: Pose
    #: Estimated speeds in its frame, shape (3,), m/s and rad/s; None
    #: before the first position fix.
    velocity: Optional[np.ndarray]
    turning: Optional[np.ndarray]
    #: By name of the sensor.
    clouds: Dict[str, SensorCloud]
    #: Position fixes of the tick: (N, 4) of time in seconds, x, y, z.
    fixes: np.ndarray
    #: Ticks so far whose command came late.
    late_commands: int
    #: Everything but the clouds, as PROTOCOL.md has it: covariances, imu ...
    record: Dict[str, Any]


#: Speed (m/s) and yaw rate (rad/s, counter-clockwise).
Command = Tuple[float, float]


class PlannerServer:
    """Decides for drives of `understory drive --planner ADDRESS`::

        def decide(seen):
            return 1.0, 0.0  # speed, yaw rate

        with understory.PlannerServer(decide, "tcp://127.0.0.1:7000") as it:
            it.serve()

    Commands are held to the vehicle's limits. A `decide` that raises ends
    the drive with its message, and `serve` with its exception.
    """

    def __init__(self, decide: Callable[[Observation], Command],
                 address: str = "tcp://127.0.0.1:0",
                 begin: Optional[Callable[[Mission], None]] = None) -> None:
        """Listens.

        decide: called for every tick of a drive, in order; ticks that come
            while it still thinks about another are left out.
        address: tcp://HOST:PORT (port 0: a free one) or unix:PATH.
        begin: called before the first tick of each drive.
        """
        self._decide = decide
        self._begin = begin
        self._path: Optional[str] = None
        if address.startswith("unix:"):
            path = address[5:]
            path = path[2:] if path.startswith("//") else path
            self._path = os.path.abspath(path)
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            _remove_stale(self._path)
            self._socket.bind(self._path)
            #: As `drive --planner` takes it.
            self.address = "unix:" + self._path
        elif address.startswith("tcp://"):
            host, _, port = address[6:].rpartition(":")
            host = host.strip("[]")
            kind = socket.AF_INET6 if ":" in host else socket.AF_INET
            self._socket = socket.socket(kind, socket.SOCK_STREAM)
            self._socket.setsockopt(
                socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind((host, int(port)))
            self.address = "tcp://%s:%d" % (
                address[6:].rpartition(":")[0],
                self._socket.getsockname()[1])
        else:
            raise ValueError("expected tcp://HOST:PORT or unix:PATH, "
                             "found %r" % address)
        self._socket.listen()
        #: How each drive ended: `end` (goal, seconds ...; None: it failed or
        #: the connection was lost) and `error`.
        self.endings: List[Dict[str, Any]] = []

    def __enter__(self) -> PlannerServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def serve(self, drives: Optional[int] = None) -> None:
        """Serves drives, one after another; drives: how many; default: until
        it is interrupted."""
        done = 0
        while drives is None or done < drives:
            connection, _ = self._socket.accept()
            with connection:
                if connection.family != socket.AF_UNIX:
                    connection.setsockopt(
                        socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.endings.append(self._serve_one(connection))
            done += 1

    def close(self) -> None:
        """Listens no longer."""
        self._socket.close()
        if self._path is not None and os.path.exists(self._path):
            os.unlink(self._path)

    def _serve_one(self, connection: socket.socket) -> Dict[str, Any]:
        lost: Dict[str, Any] = {"end": None, "error": "the connection ended"}
        mission: Optional[Mission] = None
        with connection.makefile("rb") as stream:
            while True:
                try:
                    frame = _read_frame(stream)
                except OSError:
                    return lost
                if frame is None:
                    return lost
                header = frame.header
                if header.get("method") == "planner.end":
                    return dict(header["body"])
                if header["kind"] != "call":
                    continue
                try:
                    if header["method"] == "planner.begin":
                        mission = _mission_of(header["body"])
                        if self._begin is not None:
                            self._begin(mission)
                        body: Dict[str, Any] = {
                            "protocol": _PLANNER_PROTOCOL}
                    elif mission is not None:
                        seen = _observed(mission, frame)
                        body = _command_body(self._decide(seen), mission)
                    else:
                        raise ValueError("a step came before its mission")
                    reply = _encode({"kind": "reply", "id": header["id"],
                                     "body": body})
                except Exception as error:
                    connection.sendall(_encode({
                        "kind": "error", "id": header["id"], "error": {
                            "code": "worker-failed",
                            "message": "%s: %s" % (type(error).__name__,
                                                   error)}}))
                    raise
                try:
                    connection.sendall(reply)
                except OSError:
                    return lost


def _remove_stale(path: str) -> None:
    """Removes a socket that has no listener any more."""
    if not os.path.exists(path):
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(path)
        except ConnectionRefusedError:
            os.unlink(path)


def _mission_of(body: Dict[str, Any]) -> Mission:
    origin = np.array(body["originM"])[:2]
    vehicle = body["vehicle"]
    return Mission(
        np.array(body["startM"]) + origin, body["startYawRad"],
        np.array(body["goalM"]) + origin, body["goalToleranceM"],
        body["tickMs"] / 1000, vehicle["maxSpeedMPerS"],
        vehicle["maxYawRateRadPerS"],
        [sensor["name"] for sensor in body["sensors"]], body)


def _observed(mission: Mission, frame: _Frame) -> Observation:
    body = frame.header["body"]
    origin = np.array(mission.record["originM"], dtype=np.float64)
    clouds: Dict[str, SensorCloud] = {}
    for number, sensor in enumerate(mission.record["sensors"]):
        columns = {name: frame.columns["%d/%s" % (number, name)]
                   for name in mission.record["columns"]}
        rows = len(columns["time_ns"])
        cloud = SensorCloud(columns, [], {"rows": rows}, origin)
        cloud.mount = _pose_of(sensor["mount"], np.zeros(3))
        clouds[sensor["name"]] = cloud
    twist = body["twist"]
    fixes = np.array([[fix["timeNs"] / 1e9, *fix["positionM"]]
                      for fix in body["fixes"]]).reshape(-1, 4)
    fixes[:, 1:] += origin
    return Observation(
        mission, body["tick"], body["timeNs"] / 1e9,
        _pose_of(body["pose"], origin),
        None if twist is None else np.array(twist["linearMPerS"]),
        None if twist is None else np.array(twist["angularRadPerS"]),
        clouds, fixes, body["lateCommands"], body)


def _command_body(command: Command, mission: Mission) -> Dict[str, float]:
    speed, yaw_rate = _finite_command(command)
    limits = (mission.max_speed, mission.max_yaw_rate)
    speed, yaw_rate = (
        max(-limit, min(limit, value))
        for value, limit in zip((speed, yaw_rate), limits))
    return {"speedMPerS": speed, "yawRateRadPerS": yaw_rate}


# Runs

class Run:
    """A run in the catalogue."""

    def __init__(self, host: Host, record: Dict[str, Any]) -> None:
        self._host = host
        #: Id, name, scenarioName, sensors, state, end, metrics, tags ...
        self.record = record
        self.id: str = record["id"]

    def __repr__(self) -> str:
        return "Run(%s, %s, %s)" % (self.id, self.record["name"],
                                    self.record["state"])

    @property
    def metrics(self) -> Optional[Dict[str, Any]]:
        """Points, collisions, pathLengthM ...; None: it did not end well."""
        return self.record["metrics"]

    def clouds(self, sensor: Optional[str] = None,
               columns: Optional[Sequence[str]] = None, *,
               start: Optional[float] = None,
               end: Optional[float] = None) -> Iterator[Cloud]:
        """The recorded scans, one at a time, with the memory of a few.

        sensor: name of the only one; default: all, as `record["name"]` says.
        columns: names, or sets of them; default: all that were recorded.
        start, end: simulated seconds; scans that lie without are left out.
        """
        classes = self._host.call("runs.show", {
            "runId": self.id}).header["body"]["classes"]
        call = self._host.start("runs.clouds", {
            "runId": self.id, "sensor": sensor, "fromS": start, "toS": end,
            "columns": None if columns is None else list(columns)})
        try:
            for chunk in call.chunks():
                record = chunk.header["body"]
                yield Cloud(chunk.columns, classes, record, record["originM"])
        finally:
            call.cancel()

    def ticks(self) -> Columns:
        """One row a tick: time_s, speed_m_per_s, position_error_m,
        distance_to_goal_m, truth_x_m, truth_y_m, truth_z_m, gps_x_m,
        gps_y_m, gps_z_m (NaN without a fix), all f64; collisions (u32);
        class_returns (u32, shape (ticks, classes))."""
        frame = self._host.call("runs.ticks", {"runId": self.id})
        columns = dict(frame.columns)
        classes = len(frame.header["body"]["classes"])
        columns["class_returns"] = columns["class_returns"].reshape(
            -1, max(classes, 1))
        return columns

    def poses(self, step: Optional[float] = None) -> Dict[str, np.ndarray]:
        """Poses of vehicle, estimate, sensors and objects by name: arrays
        (N, 8) of time in seconds, x, y, z, qx, qy, qz, qw.

        step: seconds between them, each as a pulse of that time had it;
        default: one a tick.
        """
        call = self._host.start("runs.poses", {"runId": self.id,
                                               "stepS": step})
        parts: Dict[str, List[np.ndarray]] = {}
        names = ["x_m", "y_m", "z_m", "qx", "qy", "qz", "qw"]
        try:
            for chunk in call.chunks():
                table = [chunk.columns["time_ns"] / 1e9]
                table += [chunk.columns[name] for name in names]
                parts.setdefault(chunk.header["body"]["name"], []).append(
                    np.stack(table, axis=1))
        except KeyboardInterrupt:
            call.cancel()
            raise
        return {name: np.concatenate(some) for name, some in parts.items()}


def runs(search: Optional[str] = None, *, limit: int = 1000,
         host: Optional[Host] = None) -> List[Run]:
    """Runs of the catalogue, newest first.

    search: words in name, scenario, sensors, notes or tags; default: all.
    """
    chosen = _host(host)
    body = chosen.call("runs.list", {
        "search": search, "limit": limit}).header["body"]
    return [Run(chosen, record) for record in body["runs"]]


def run(run_id: str, *, host: Optional[Host] = None) -> Run:
    """The run with this id, or the beginning of one. Raises NotFound."""
    chosen = _host(host)
    return Run(chosen, chosen.call("runs.show", {
        "runId": run_id}).header["body"])
