// Where the vehicle and its sensors are, as ROS 2 messages: transforms, odometry, attitude and position fixes. Frames are
// those of REP-105 (frames.ts). The vehicle finds its pose from fixes and compass alone, so that `odom` is `map`.
import type { CompiledScenario, Pose } from '#contract/host/run.ts';
import type {
  RecordedFix,
  RecordedImu,
  RecordedMotion,
  RecordedObjects,
  RecordedStart,
} from '#services/ports/recordings.ts';
import { squared } from '#domain/shared/numbers.ts';
import type { Epoch, RosTime } from './epoch.ts';
import { frames, sensorFrames } from './frames.ts';
import type { Geodetic } from './geodetic.ts';
import { decodeRos, encodeRos } from './schemas.ts';

/** /tf: the vehicle as it believes to be, and where it is. */
export function tfMessage(tick: RecordedStart, { stamp }: Epoch): Uint8Array {
  const at = stamp(tick.timeNs);
  return encodeRos('tf2_msgs/msg/TFMessage', {
    transforms: [
      transform(at, frames.odom, frames.vehicle, tick.estimate),
      transform(at, frames.map, frames.vehicleTruth, tick.truth),
    ],
  });
}

/** /tf_static: the scene in the world, `odom` in `map`, each sensor on the vehicle. */
export function tfStaticMessage(
  { scenario, sensors }: Pick<CompiledScenario, 'scenario' | 'sensors'>,
  { stamp }: Epoch,
): Uint8Array {
  const at = stamp(0);
  const { origin } = scenario.scene;
  const names = sensorFrames(sensors.map(({ name }) => name));
  return encodeRos('tf2_msgs/msg/TFMessage', {
    transforms: [
      ...(origin === undefined
        ? []
        : [transform(at, frames.world, frames.map, { ...identity, positionM: origin })]),
      transform(at, frames.map, frames.odom, identity),
      ...sensors.map(({ mount }, sensor) =>
        transform(at, frames.vehicle, names[sensor] ?? '', mount),
      ),
    ],
  });
}

/** /ground_truth/odom: true pose and speeds, without covariances. */
export function truthOdometryMessage(
  { timeNs, truth, speedMPerS }: RecordedStart,
  motion: RecordedMotion | undefined,
  { stamp }: Epoch,
): Uint8Array {
  return encodeRos('nav_msgs/msg/Odometry', {
    header: { stamp: stamp(timeNs), frame_id: frames.map },
    child_frame_id: frames.vehicleTruth,
    pose: { pose: poseMessage(truth) },
    twist: {
      twist: { linear: xyz([speedMPerS, 0, 0]), angular: xyz(motion?.trueAngularRadPerS) },
    },
  });
}

/** /odom: pose and speeds as the vehicle believes them to be, with the covariances of its filters. */
export function odometryMessage(
  { timeNs, estimate }: RecordedStart,
  motion: RecordedMotion | undefined,
  { stamp }: Epoch,
): Uint8Array {
  const { linearMPerS, angularRadPerS, poseCovariance, twistCovariance } = motion?.estimate ?? {};
  return encodeRos('nav_msgs/msg/Odometry', {
    header: { stamp: stamp(timeNs), frame_id: frames.odom },
    child_frame_id: frames.vehicle,
    pose: {
      pose: poseMessage(estimate),
      ...(poseCovariance && { covariance: Float64Array.from(poseCovariance) }),
    },
    twist: {
      twist: { linear: xyz(linearMPerS), angular: xyz(angularRadPerS) },
      ...(twistCovariance && { covariance: Float64Array.from(twistCovariance) }),
    },
  });
}

/** /ground_truth/objects: what moves, as boxes; ids are the names of motions. */
export function objectsMessage(
  timeNs: number,
  objects: Readonly<RecordedObjects['objects']>,
  { stamp }: Epoch,
): Uint8Array {
  const header = { stamp: stamp(timeNs), frame_id: frames.map };
  return encodeRos('vision_msgs/msg/Detection3DArray', {
    header,
    detections: objects.map(({ name, class: classId, pose, sizeM }) => ({
      header,
      results: [{ hypothesis: { class_id: classId, score: 1 }, pose: { pose: poseMessage(pose) } }],
      bbox: { center: poseMessage(pose), size: xyz(sizeM) },
      id: name,
    })),
  });
}

/** The reverse of objectsMessage. */
export function readObjects(bytes: Uint8Array, epoch: Epoch): RecordedObjects {
  const message = decodeRos<{
    header: { stamp: RosTime };
    detections: {
      results: { hypothesis: { class_id: string } }[];
      bbox: { center: PoseMessage; size: Xyz };
      id: string;
    }[];
  }>('vision_msgs/msg/Detection3DArray', bytes);
  return {
    timeNs: epoch.simulated(message.header.stamp),
    objects: message.detections.map(({ id, results, bbox: { center, size } }) => {
      const { position: at, orientation: turn } = center;
      return {
        name: id,
        class: results[0]?.hypothesis.class_id ?? '',
        pose: {
          positionM: [at.x, at.y, at.z],
          rotation: [turn.x, turn.y, turn.z, turn.w],
        },
        sizeM: [size.x, size.y, size.z],
      };
    }),
  };
}

interface Xyz {
  x: number;
  y: number;
  z: number;
}

interface PoseMessage {
  position: Xyz;
  orientation: Xyz & { w: number };
}

/** /imu/data. Rates and forces are without noise: their covariances are zero, which ROS reads as unknown. */
export function imuMessage(
  { timeNs, rotation, angularRadPerS, specificForceMPerS2 }: RecordedImu,
  { compass }: CompiledScenario['scenario']['vehicle'],
  { stamp }: Epoch,
): Uint8Array {
  return encodeRos('sensor_msgs/msg/Imu', {
    header: { stamp: stamp(timeNs), frame_id: frames.vehicle },
    orientation: quaternion(rotation),
    orientation_covariance: diagonal3(squared(compass.sigmaDeg * (Math.PI / 180))),
    angular_velocity: xyz(angularRadPerS),
    linear_acceleration: xyz(specificForceMPerS2),
  });
}

/** /gps/fix. `geodetic`: of the scene's CRS. */
export function fixMessage(
  { timeNs, positionM: [x, y, z] }: RecordedFix,
  { scene, vehicle }: CompiledScenario['scenario'],
  geodetic: Geodetic,
  { stamp }: Epoch,
): Uint8Array {
  const [originX, originY, originZ] = scene.origin ?? [0, 0, 0];
  const { latitudeDeg, longitudeDeg, altitudeM } = geodetic([
    x + originX,
    y + originY,
    z + originZ,
  ]);
  return encodeRos('sensor_msgs/msg/NavSatFix', {
    header: { stamp: stamp(timeNs), frame_id: frames.vehicle },
    status: { status: 0, service: 1 }, // STATUS_FIX, SERVICE_GPS
    latitude: latitudeDeg,
    longitude: longitudeDeg,
    altitude: altitudeM,
    position_covariance: diagonal3(squared(vehicle.gps.sigmaM)),
    position_covariance_type: 2, // COVARIANCE_TYPE_DIAGONAL_KNOWN
  });
}

const identity: Pose = { positionM: [0, 0, 0], rotation: [0, 0, 0, 1] };

function transform(stamp: RosTime, parent: string, child: string, pose: Pose): object {
  return {
    header: { stamp, frame_id: parent },
    child_frame_id: child,
    transform: { translation: xyz(pose.positionM), rotation: quaternion(pose.rotation) },
  };
}

function poseMessage({ positionM, rotation }: Pose): object {
  return { position: xyz(positionM), orientation: quaternion(rotation) };
}

function xyz([x, y, z]: readonly [number, number, number] = [0, 0, 0]): object {
  return { x, y, z };
}

function quaternion([x, y, z, w]: Pose['rotation']): object {
  return { x, y, z, w };
}

function diagonal3(variance: number): Float64Array {
  return Float64Array.of(variance, 0, 0, 0, variance, 0, 0, 0, variance);
}
