// Messages of ROS 1 as those of ROS 2: the types that logs are made from, by their definitions in ROS 1. Guarantees: what
// a recording says of its own types is not used.
import { ros1 } from '@foxglove/rosmsg-msgs-common';
import { MessageReader } from '@foxglove/rosmsg-serialization';
import { UnderstoryError } from '#contract/errors.ts';
import { encodeRos, type RosType } from '../ros/schemas.ts';

/** By name in ROS 1. */
const types: Readonly<Record<string, RosType>> = {
  'sensor_msgs/PointCloud2': 'sensor_msgs/msg/PointCloud2',
  'tf2_msgs/TFMessage': 'tf2_msgs/msg/TFMessage',
  'tf/tfMessage': 'tf2_msgs/msg/TFMessage',
  'nav_msgs/Odometry': 'nav_msgs/msg/Odometry',
  'geometry_msgs/PoseStamped': 'geometry_msgs/msg/PoseStamped',
};

type Definition = ConstructorParameters<typeof MessageReader>[0][number];
const readers = new Map<RosType, MessageReader>();

/** Null: logs are not made from this type. */
export function ros2TypeOf(ros1Type: string): RosType | null {
  return Object.hasOwn(types, ros1Type) ? (types[ros1Type] ?? null) : null;
}

/** A message of ROS 1 in CDR. @throws UnderstoryError 'corrupt' */
export function cdrOfRos1(type: RosType, topic: string, data: Uint8Array): Uint8Array {
  let reader = readers.get(type);
  if (reader === undefined) readers.set(type, (reader = new MessageReader(definitionsOf(type))));
  try {
    return encodeRos(type, reader.readMessage(data));
  } catch {
    throw new UnderstoryError('corrupt', `a message of '${topic}' is no ${type} of ROS 1`);
  }
}

/** The type's definition first, then those that it refers to, each once. */
function definitionsOf(type: RosType): Definition[] {
  const all: Readonly<Record<string, Definition>> = ros1;
  const found: Definition[] = [];
  const visit = (name: string): void => {
    const definition = all[name];
    if (definition === undefined) throw new TypeError(`${name} has no definition`);
    if (found.includes(definition)) return;
    found.push(definition);
    for (const field of definition.definitions) if (field.isComplex === true) visit(field.type);
  };
  visit(type.replace('/msg/', '/'));
  return found;
}
