// Ticks, cost maps and paths as ROS 2 messages (REP-105 frames: everything is in `map`), and back.
// /tf carries the truth, so that clouds and vehicle agree in a viewer; the estimate is a frame of its own.
import {
  unknownCost,
  type CompiledSensor,
  type MapGeometry,
  type Pose,
} from '#contract/host/run.ts';
import type {
  RecordedCommand,
  RecordedMap,
  RecordedPath,
  RecordedTick,
} from '#services/ports/recordings.ts';
import { decodeRos, encodeRos, nanoseconds, rosTime, type RosTime } from './schemas.ts';
import { estimateFrame, mapFrame, vehicleFrame } from './topics.ts';

/** /clock: the simulated time. */
export function clockMessage(timeNs: number): Uint8Array {
  return encodeRos('rosgraph_msgs/msg/Clock', { clock: rosTime(timeNs) });
}

/** /tf: the vehicle's true and estimated pose in the world. */
export function tfMessage(tick: RecordedTick): Uint8Array {
  return encodeRos('tf2_msgs/msg/TFMessage', {
    transforms: [
      transform(tick.timeNs, mapFrame, vehicleFrame, tick.truth),
      transform(tick.timeNs, mapFrame, estimateFrame, tick.estimate),
    ],
  });
}

/** /cmd_vel: the vehicle's command; the stamp is when it begins to act. */
export function commandMessage(command: RecordedCommand): Uint8Array {
  const { actsNs, speedMPerS, yawRateRadPerS } = command;
  return encodeRos('geometry_msgs/msg/TwistStamped', {
    header: { stamp: rosTime(actsNs), frame_id: vehicleFrame },
    twist: {
      linear: { x: speedMPerS, y: 0, z: 0 },
      angular: { x: 0, y: 0, z: yawRateRadPerS },
    },
  });
}

/** The reverse of commandMessage; `timeNs` is when it was logged. */
export function readCommand(bytes: Uint8Array, timeNs: number): RecordedCommand {
  const { header, twist } = decodeRos<{
    header: { stamp: RosTime };
    twist: { linear: { x: number }; angular: { z: number } };
  }>('geometry_msgs/msg/TwistStamped', bytes);
  return {
    timeNs,
    actsNs: nanoseconds(header.stamp),
    speedMPerS: twist.linear.x,
    yawRateRadPerS: twist.angular.z,
  };
}

/** /tf_static: where each sensor sits on the vehicle. */
export function tfStaticMessage(sensors: readonly CompiledSensor[]): Uint8Array {
  return encodeRos('tf2_msgs/msg/TFMessage', {
    transforms: sensors.map(({ name, mount }) => transform(0, vehicleFrame, name, mount)),
  });
}

/** /ground_truth/odom: true pose and forward speed. */
export function truthOdometryMessage(tick: RecordedTick): Uint8Array {
  return odometry(tick.timeNs, vehicleFrame, tick.truth, tick.speedMPerS);
}

/** /odom: the pose as the vehicle believes it to be; it has no estimate of its speed. */
export function odometryMessage(tick: RecordedTick): Uint8Array {
  return odometry(tick.timeNs, estimateFrame, tick.estimate, 0);
}

/** /map: cost 0–100, −1 unknown. */
export function mapMessage({ geometry, timeNs, cost }: RecordedMap): Uint8Array {
  const data = new Int8Array(cost.length);
  for (let i = 0; i < cost.length; i++) {
    const value = cost[i] ?? unknownCost;
    data[i] = value === unknownCost ? -1 : value;
  }
  const [x, y] = geometry.originM;
  return encodeRos('nav_msgs/msg/OccupancyGrid', {
    header: { stamp: rosTime(timeNs), frame_id: mapFrame },
    info: {
      map_load_time: rosTime(timeNs),
      resolution: geometry.cellM,
      width: geometry.cells,
      height: geometry.cells,
      origin: { position: { x, y, z: 0 }, orientation: { x: 0, y: 0, z: 0, w: 1 } },
    },
    data,
  });
}

/**
 * The reverse of mapMessage.
 * @param cellM the exact cell size, since the message holds it in single precision
 */
export function readMap(bytes: Uint8Array, cellM: number): RecordedMap {
  const message = decodeRos<{
    header: { stamp: RosTime };
    info: { resolution: number; width: number; origin: { position: { x: number; y: number } } };
    data: Int8Array;
  }>('nav_msgs/msg/OccupancyGrid', bytes);
  const { info, data } = message;
  const cost = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) {
    const value = data[i] ?? -1;
    cost[i] = value < 0 ? unknownCost : value;
  }
  const geometry: MapGeometry = {
    cells: info.width,
    cellM: Math.fround(cellM) === info.resolution ? cellM : info.resolution,
    originM: [info.origin.position.x, info.origin.position.y],
  };
  return { geometry, timeNs: nanoseconds(message.header.stamp), cost };
}

/** /plan: the planned path; every pose looks along the path. */
export function pathMessage({ timeNs, xM, yM }: RecordedPath): Uint8Array {
  const header = { stamp: rosTime(timeNs), frame_id: mapFrame };
  const at = (array: Float32Array, i: number): number => array[i] ?? 0;
  const poses = Array.from(xM, (x, i) => {
    const from = Math.min(i, Math.max(xM.length - 2, 0));
    const to = Math.min(from + 1, xM.length - 1);
    const yaw = Math.atan2(at(yM, to) - at(yM, from), at(xM, to) - at(xM, from));
    const orientation = { x: 0, y: 0, z: Math.sin(yaw / 2), w: Math.cos(yaw / 2) };
    return { header, pose: { position: { x, y: at(yM, i), z: 0 }, orientation } };
  });
  return encodeRos('nav_msgs/msg/Path', { header, poses });
}

/** The reverse of pathMessage. */
export function readPath(bytes: Uint8Array): RecordedPath {
  const message = decodeRos<{
    header: { stamp: RosTime };
    poses: { pose: { position: { x: number; y: number } } }[];
  }>('nav_msgs/msg/Path', bytes);
  return {
    timeNs: nanoseconds(message.header.stamp),
    xM: Float32Array.from(message.poses, ({ pose }) => pose.position.x),
    yM: Float32Array.from(message.poses, ({ pose }) => pose.position.y),
  };
}

function odometry(timeNs: number, child: string, pose: Pose, speedMPerS: number): Uint8Array {
  return encodeRos('nav_msgs/msg/Odometry', {
    header: { stamp: rosTime(timeNs), frame_id: mapFrame },
    child_frame_id: child,
    pose: { pose: { position: vector(pose), orientation: quaternion(pose) } },
    twist: { twist: { linear: { x: speedMPerS, y: 0, z: 0 } } },
  });
}

function transform(timeNs: number, parent: string, child: string, pose: Pose): object {
  return {
    header: { stamp: rosTime(timeNs), frame_id: parent },
    child_frame_id: child,
    transform: { translation: vector(pose), rotation: quaternion(pose) },
  };
}

function vector({ positionM: [x, y, z] }: Pose): object {
  return { x, y, z };
}

function quaternion({ rotation: [x, y, z, w] }: Pose): object {
  return { x, y, z, w };
}
