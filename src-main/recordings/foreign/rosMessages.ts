// Messages of a ROS 2 recording, whatever holds them: the clouds of its topics and the poses of its frames.
import { UnderstoryError } from '#contract/errors.ts';
import type { Pose } from '#contract/host/run.ts';
import type { SourceMessage, SourcePoses, SourceStream } from '#services/ports/logSources.ts';
import { decodeRos, type RosType } from '../ros/schemas.ts';
import { scanType, stampOfScan } from './laserScan.ts';
import { decodeRawCloud, layoutOf, sinceBase, type StampLike } from './cloudMessage.ts';

export const cloudType = 'sensor_msgs/msg/PointCloud2' satisfies RosType;

interface RosPose {
  position: { x: number; y: number; z: number };
  orientation: { x: number; y: number; z: number; w: number };
}
interface Header {
  stamp: StampLike;
  frame_id: string;
}
interface Transform {
  header: Header;
  child_frame_id: string;
  transform: { translation: RosPose['position']; rotation: RosPose['orientation'] };
}

/** Results of a first pass over a recording. */
export interface RosSurvey {
  /** Stamp of the first message with one. */
  baseNs: bigint;
  streams: SourceStream[];
  poses: SourcePoses[];
}

/** Takes the messages of a pass; clouds are decoded once a topic. */
export function createRosSurvey(): { take(message: SourceMessage): void; survey(): RosSurvey } {
  const streams = new Map<string, SourceStream>();
  const poses = new Map<string, SourcePoses>();
  let baseNs: bigint | null = null;

  function add(of: Omit<SourcePoses, 'timesNs' | 'poses'>, stamp: StampLike, pose: Pose): void {
    baseNs ??= BigInt(stamp.sec) * 1_000_000_000n;
    const key = [of.name, of.parent, of.child].join('\n');
    let known = poses.get(key);
    if (known === undefined) poses.set(key, (known = { ...of, timesNs: [], poses: [] }));
    known.timesNs.push(sinceBase(stamp, baseNs));
    known.poses.push(pose);
  }

  return {
    take({ topic, type, data }) {
      if (type === cloudType) {
        if (streams.has(topic)) return;
        const { header, fields } = decodeRawCloud(data);
        baseNs ??= BigInt(header.stamp.sec) * 1_000_000_000n;
        streams.set(topic, { name: topic, layout: layoutOf(fields) });
      } else if (type === scanType) {
        if (streams.has(topic)) return;
        baseNs ??= BigInt(stampOfScan(data).sec) * 1_000_000_000n;
        streams.set(topic, { name: topic, layout: 'scan' });
      } else if (type === 'tf2_msgs/msg/TFMessage') {
        const { transforms } = decoded<{ transforms: Transform[] }>(type, topic, data);
        for (const { header, child_frame_id: child, transform } of transforms) {
          const { translation: position, rotation: orientation } = transform;
          const isStatic = topic.endsWith('tf_static');
          const edge = {
            name: topic,
            kind: 'tf' as const,
            parent: plain(header.frame_id),
            isStatic,
          };
          add({ ...edge, child: plain(child) }, header.stamp, poseOf({ position, orientation }));
        }
      } else if (type === 'nav_msgs/msg/Odometry') {
        const message = decoded<{
          header: Header;
          child_frame_id: string;
          pose: { pose: RosPose };
        }>(type, topic, data);
        const { header, child_frame_id: child, pose } = message;
        const edge = { name: topic, kind: 'odometry' as const, parent: plain(header.frame_id) };
        add({ ...edge, child: plain(child), isStatic: false }, header.stamp, poseOf(pose.pose));
      } else if (type === 'geometry_msgs/msg/PoseStamped') {
        const { header, pose } = decoded<{ header: Header; pose: RosPose }>(type, topic, data);
        const edge = { name: topic, kind: 'pose' as const, parent: plain(header.frame_id) };
        add({ ...edge, child: '', isStatic: false }, header.stamp, poseOf(pose));
      }
    },
    survey: () => ({
      baseNs: baseNs ?? 0n,
      streams: [...streams.values()],
      poses: [...poses.values()],
    }),
  };
}

/** @throws UnderstoryError 'corrupt' */
function decoded<T>(type: RosType, topic: string, data: Uint8Array): T {
  try {
    return decodeRos<T>(type, data);
  } catch {
    throw new UnderstoryError('corrupt', `a message of '${topic}' is no ${type} in CDR`);
  }
}

/** ROS 1 began the names of frames with a slash. */
function plain(frame: string): string {
  return frame.replace(/^\//, '');
}

function poseOf({ position, orientation }: RosPose): Pose {
  const { x, y, z, w } = orientation;
  const norm = Math.hypot(x, y, z, w);
  return {
    positionM: [position.x, position.y, position.z],
    rotation: [x / norm, y / norm, z / norm, w / norm],
  };
}
