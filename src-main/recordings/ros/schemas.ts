// ROS 2 message definitions: the schema texts in a recording, and CDR writers and readers for
// them. The definitions are the Foxglove packages' (ROS 2 Jazzy); the text is written here because
// rosbag2 wants `builtin_interfaces/Time` where the packages say `time`.
import { UnderstoryError } from '#contract/errors.ts';
import { ros2jazzy } from '@foxglove/rosmsg-msgs-common';
import { visionMessages } from './visionMessages.ts';
import { MessageReader, MessageWriter } from '@foxglove/rosmsg2-serialization';

type MessageDefinition = ConstructorParameters<typeof MessageWriter>[0][number];

/** The message types in a recording, named as ROS 2 does in a schema. */
export type RosType =
  | 'sensor_msgs/msg/PointCloud2'
  | 'sensor_msgs/msg/LaserScan'
  | 'tf2_msgs/msg/TFMessage'
  | 'nav_msgs/msg/Odometry'
  | 'nav_msgs/msg/OccupancyGrid'
  | 'nav_msgs/msg/Path'
  | 'rosgraph_msgs/msg/Clock'
  | 'geometry_msgs/msg/TwistStamped'
  | 'geometry_msgs/msg/PoseStamped'
  | 'geometry_msgs/msg/PoseWithCovarianceStamped'
  | 'std_msgs/msg/String'
  | 'sensor_msgs/msg/Imu'
  | 'sensor_msgs/msg/NavSatFix'
  | 'vision_msgs/msg/Detection3DArray';

/** The `ros2msg` schema text of a type: its own definition, then every definition it needs. */
export function schemaText(type: RosType): string {
  const [root, ...needed] = definitionsOf(type);
  if (root === undefined) throw new TypeError(`${type} has no definition`);
  const sections = needed.map((definition) => `MSG: ${definition.name}\n${body(definition)}`);
  return [body(root), ...sections, ...timeSections(root, needed)].join(`${'='.repeat(80)}\n`);
}

const writers = new Map<RosType, MessageWriter>();
const readers = new Map<RosType, MessageReader>();

/** CDR bytes of a message; fields left out are zero. */
export function encodeRos(type: RosType, message: unknown): Uint8Array {
  const writer = remember(writers, type, () => new MessageWriter(definitionsOf(type)));
  return writer.writeMessage(message);
}

/** The reverse of encodeRos; byte arrays in the result are views of `bytes`. */
export function decodeRos<T>(type: RosType, bytes: Uint8Array): T {
  const reader = remember(readers, type, () => new MessageReader(definitionsOf(type)));
  try {
    return reader.readMessage<T>(bytes);
  } catch {
    throw new UnderstoryError('corrupt', `a message of type ${type} is damaged`);
  }
}

function remember<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/** The type's definition first, then those it refers to, each once, in the order of first use. */
function definitionsOf(type: RosType): MessageDefinition[] {
  const all: Record<string, MessageDefinition> = { ...ros2jazzy, ...visionMessages };
  const found: MessageDefinition[] = [];
  const visit = (name: string): void => {
    if (found.some((known) => known.name === name)) return;
    const definition = all[name];
    if (definition === undefined) throw new TypeError(`${name} has no definition`);
    found.push(definition);
    for (const field of definition.definitions) if (field.isComplex === true) visit(field.type);
  };
  visit(type.replace('/msg/', '/'));
  return found;
}

function body({ definitions }: MessageDefinition): string {
  return definitions
    .map(({ name, type, isArray, arrayLength, isConstant, valueText }) => {
      if (isConstant === true) return `${type} ${name}=${valueText}\n`;
      const array = isArray === true ? `[${arrayLength ?? ''}]` : '';
      return `${timeNames[type] ?? type}${array} ${name}\n`;
    })
    .join('');
}

const timeNames: Record<string, string> = {
  time: 'builtin_interfaces/Time',
  duration: 'builtin_interfaces/Duration',
};

function timeSections(root: MessageDefinition, needed: MessageDefinition[]): string[] {
  const used = new Set([root, ...needed].flatMap((d) => d.definitions.map((field) => field.type)));
  return Object.entries(timeNames)
    .filter(([short]) => used.has(short))
    .map(([, name]) => `MSG: ${name}\nint32 sec\nuint32 nanosec\n`);
}
