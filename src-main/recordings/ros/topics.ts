// The channels of a recording, fixed when it is created: numbers, topics and schemas. Channel numbers
// are a pure function of the sensors' names, so that equal runs give equal bytes.
import { scanSchema, tickSchema } from './jsonMessages.ts';
import { type RosType, schemaText } from './schemas.ts';

export interface SchemaRecord {
  id: number;
  name: string;
  encoding: string;
  data: Uint8Array;
}

export interface ChannelRecord {
  id: number;
  schemaId: number;
  topic: string;
  messageEncoding: string;
  metadata: Map<string, string>;
}

/** Channel ids by what they carry; `points` and `scan` by sensor number. */
export interface Topics {
  schemas: SchemaRecord[];
  channels: ChannelRecord[];
  clock: number;
  tf: number;
  tfStatic: number;
  odom: number;
  truthOdom: number;
  map: number;
  plan: number;
  tick: number;
  scan: number;
  points: number[];
  /** The last one, since it came last: older recordings lack it. */
  command: number;
}

/** The world's frame, the vehicle's true frame, and where the vehicle believes it is. */
export const mapFrame = 'map';
export const vehicleFrame = 'base_link';
export const estimateFrame = 'base_link_estimate';

/** Lays out the channels for sensors of these names. */
export function topicsFor(sensorNames: readonly string[]): Topics {
  const schemas: SchemaRecord[] = [];
  const channels: ChannelRecord[] = [];
  const schema = (name: string, encoding: string, text: string): number => {
    const known = schemas.find((existing) => existing.name === name);
    if (known !== undefined) return known.id;
    const id = schemas.length + 1; // MCAP: schema 0 means none
    schemas.push({ id, name, encoding, data: new TextEncoder().encode(text) });
    return id;
  };
  const channel = (topic: string, messageEncoding: string, schemaId: number): number => {
    const id = channels.length;
    channels.push({ id, schemaId, topic, messageEncoding, metadata: new Map() });
    return id;
  };
  const ros = (topic: string, type: RosType): number =>
    channel(topic, 'cdr', schema(type, 'ros2msg', schemaText(type)));
  const json = (topic: string, name: string, document: object): number =>
    channel(topic, 'json', schema(name, 'jsonschema', JSON.stringify(document)));
  return {
    clock: ros('/clock', 'rosgraph_msgs/msg/Clock'),
    tf: ros('/tf', 'tf2_msgs/msg/TFMessage'),
    tfStatic: ros('/tf_static', 'tf2_msgs/msg/TFMessage'),
    odom: ros('/odom', 'nav_msgs/msg/Odometry'),
    truthOdom: ros('/ground_truth/odom', 'nav_msgs/msg/Odometry'),
    map: ros('/map', 'nav_msgs/msg/OccupancyGrid'),
    plan: ros('/plan', 'nav_msgs/msg/Path'),
    tick: json('/understory/tick', 'understory.Tick', tickSchema),
    scan: json('/understory/scan', 'understory.Scan', scanSchema),
    points: topicNames(sensorNames).map((name) =>
      ros(`/${name}/points`, 'sensor_msgs/msg/PointCloud2'),
    ),
    command: ros('/cmd_vel', 'geometry_msgs/msg/TwistStamped'),
    schemas,
    channels,
  };
}

/** ROS 2 names hold letters, digits and underscores and start with no digit: `vlp-16` is `vlp_16`. */
function topicNames(sensorNames: readonly string[]): string[] {
  const taken = new Set<string>();
  return sensorNames.map((sensorName) => {
    const base = sensorName.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=[0-9])/, '_');
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
    taken.add(name);
    return name;
  });
}
