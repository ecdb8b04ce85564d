// Clock, commands, cost maps and paths as ROS 2 messages, and back.
import { unknownCost, type MapGeometry } from '#contract/host/run.ts';
import type { RecordedCommand, RecordedMap, RecordedPath } from '#services/ports/recordings.ts';
import type { Epoch, RosTime } from './epoch.ts';
import { decodeRos, encodeRos } from './schemas.ts';
import { frames } from './frames.ts';

/** /clock: the simulated time. */
export function clockMessage(timeNs: number, { stamp }: Epoch): Uint8Array {
  return encodeRos('rosgraph_msgs/msg/Clock', { clock: stamp(timeNs) });
}

/** /cmd_vel: the vehicle's command; the stamp is when it begins to act. */
export function commandMessage(command: RecordedCommand, { stamp }: Epoch): Uint8Array {
  const { actsNs, speedMPerS, yawRateRadPerS } = command;
  return encodeRos('geometry_msgs/msg/TwistStamped', {
    header: { stamp: stamp(actsNs), frame_id: frames.vehicle },
    twist: {
      linear: { x: speedMPerS, y: 0, z: 0 },
      angular: { x: 0, y: 0, z: yawRateRadPerS },
    },
  });
}

/** The reverse of commandMessage. */
export function readCommand(bytes: Uint8Array, logTime: bigint, epoch: Epoch): RecordedCommand {
  const { header, twist } = decodeRos<{
    header: { stamp: RosTime };
    twist: { linear: { x: number }; angular: { z: number } };
  }>('geometry_msgs/msg/TwistStamped', bytes);
  return {
    timeNs: epoch.simulatedLog(logTime),
    actsNs: epoch.simulated(header.stamp),
    speedMPerS: twist.linear.x,
    yawRateRadPerS: twist.angular.z,
  };
}

/** /map: cost 0–100, −1 unknown. */
export function mapMessage({ geometry, timeNs, cost }: RecordedMap, { stamp }: Epoch): Uint8Array {
  // The byte of unknownCost is that of −1.
  const data = new Int8Array(cost.buffer, cost.byteOffset, cost.length);
  const [x, y] = geometry.originM;
  return encodeRos('nav_msgs/msg/OccupancyGrid', {
    header: { stamp: stamp(timeNs), frame_id: frames.map },
    info: {
      map_load_time: stamp(timeNs),
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
export function readMap(bytes: Uint8Array, cellM: number, epoch: Epoch): RecordedMap {
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
  return { geometry, timeNs: epoch.simulated(message.header.stamp), cost };
}

/** /plan: the planned path; every pose looks along the path. */
export function pathMessage({ timeNs, xM, yM }: RecordedPath, { stamp }: Epoch): Uint8Array {
  const header = { stamp: stamp(timeNs), frame_id: frames.map };
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
export function readPath(bytes: Uint8Array, epoch: Epoch): RecordedPath {
  const message = decodeRos<{
    header: { stamp: RosTime };
    poses: { pose: { position: { x: number; y: number } } }[];
  }>('nav_msgs/msg/Path', bytes);
  return {
    timeNs: epoch.simulated(message.header.stamp),
    xM: Float32Array.from(message.poses, ({ pose }) => pose.position.x),
    yM: Float32Array.from(message.poses, ({ pose }) => pose.position.y),
  };
}
