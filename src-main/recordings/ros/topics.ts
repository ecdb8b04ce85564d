// The channels of a recording, fixed when it is created: numbers, topics, schemas and quality of service. Channel
// numbers are a pure function of the sensors' names, so that equal runs give equal bytes. Every message is CDR.
// Why: rosbag2 refuses to play a file whose channels differ in their encoding.
import { type CloudKind, lateCommandTopic } from '#services/ports/recordings.ts';
import type { LaserScanChoice } from '#contract/documents/sensor.ts';
import { type QosName, qosProfiles } from './qos.ts';
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

/** The clouds of a scan: as the sensor's driver publishes it, and with ground truth. In the order of the file. */
export const cloudKinds = ['driver', 'truth'] as const satisfies CloudKind[];

/** Channels of a sensor's messages; −1: there are none. */
export interface MessageChannels {
  cloud: number;
  laserScan: number;
}

/** Which clouds a recording has. Up to format 3 that with ground truth alone, under the topic of the driver's. */
export interface RecordedClouds {
  hasDriver: boolean;
  hasTruth: boolean;
}

/** A sensor, and how its returns become messages. */
export interface SensorTopics {
  name: string;
  /** Its messages are cut at its own scans and not at ticks (scanCuts.ts). */
  isCut: boolean;
  /** Left out: it has none. */
  laserScan?: LaserScanChoice;
}

/** Channel ids by what they carry; those of clouds by sensor number. */
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
  /** One cloud a scan record, by kind; −1: the recording has none. */
  clouds: Record<CloudKind, number[]>;
  /** Messages of drivers that are cut at the sensors' own scans, by sensor. */
  messages: MessageChannels[];
  /** The clouds that readers take: with ground truth, or the driver's where there is none. They end a scan. */
  points: number[];
  command: number;
  imu: number;
  fix: number;
  /** −1 where no external planner drives. */
  lateCommand: number;
  /** −1 where nothing moves. */
  objects: number;
}

/** Topics of one channel each, in the order of their numbers; those of sensors follow. */
const fixedTopics = {
  clock: ['/clock', 'rosgraph_msgs/msg/Clock', 'reliable'],
  tf: ['/tf', 'tf2_msgs/msg/TFMessage', 'reliable'],
  tfStatic: ['/tf_static', 'tf2_msgs/msg/TFMessage', 'latched'],
  odom: ['/odom', 'nav_msgs/msg/Odometry', 'reliable'],
  truthOdom: ['/ground_truth/odom', 'nav_msgs/msg/Odometry', 'reliable'],
  map: ['/map', 'nav_msgs/msg/OccupancyGrid', 'latched'],
  plan: ['/plan', 'nav_msgs/msg/Path', 'reliable'],
  tick: ['/understory/tick', 'std_msgs/msg/String', 'reliable'],
  scan: ['/understory/scan', 'std_msgs/msg/String', 'reliable'],
} as const satisfies Record<string, [topic: string, type: RosType, qos: QosName]>;

/** Those whose numbers follow the sensors'. */
const lastTopics = {
  command: ['/cmd_vel', 'geometry_msgs/msg/TwistStamped', 'reliable'],
  imu: ['/imu/data', 'sensor_msgs/msg/Imu', 'sensorData'],
  fix: ['/gps/fix', 'sensor_msgs/msg/NavSatFix', 'sensorData'],
} as const satisfies Record<string, [topic: string, type: RosType, qos: QosName]>;

/** Topics of drives by an external planner, after all others. */
const plannerTopics = {
  lateCommand: [lateCommandTopic, 'std_msgs/msg/String', 'reliable'],
} as const satisfies Record<string, [topic: string, type: RosType, qos: QosName]>;

/** Boxes of moving objects. */
export const objectsTopic = '/ground_truth/objects';

/** Topics of scenes with motions, after all others. */
const motionTopics = {
  objects: [objectsTopic, 'vision_msgs/msg/Detection3DArray', 'reliable'],
} as const satisfies Record<string, [topic: string, type: RosType, qos: QosName]>;

const namedTopics = { ...fixedTopics, ...lastTopics, ...plannerTopics, ...motionTopics };

/** Lays out the channels for these sensors. */
export function topicsFor(
  sensors: readonly SensorTopics[],
  {
    hasTruth,
    hasPlanner = false,
    hasMotions = false,
  }: Pick<RecordedClouds, 'hasTruth'> & { hasPlanner?: boolean; hasMotions?: boolean },
): Topics {
  const schemas: SchemaRecord[] = [];
  const channels: ChannelRecord[] = [];
  const schema = (type: RosType): number => {
    const known = schemas.find((existing) => existing.name === type);
    if (known !== undefined) return known.id;
    const id = schemas.length + 1; // MCAP: schema 0 means none
    const data = new TextEncoder().encode(schemaText(type));
    schemas.push({ id, name: type, encoding: 'ros2msg', data });
    return id;
  };
  const channel = (topic: string, type: RosType, qos: QosName): void => {
    const metadata = new Map([['offered_qos_profiles', qosProfiles[qos]]]);
    const id = channels.length;
    channels.push({ id, schemaId: schema(type), topic, messageEncoding: 'cdr', metadata });
  };
  for (const [topic, type, qos] of Object.values(fixedTopics)) channel(topic, type, qos);
  const clouds = { hasDriver: true, hasTruth };
  const names = cloudTopics(sensors, clouds);
  const driver = names.driver.filter((_, sensor) => sensors[sensor]?.laserScan !== 'instead');
  const byTick = hasTruth ? [] : names.byTick.filter((_, sensor) => sensors[sensor]?.isCut);
  for (const topic of [...driver, ...(hasTruth ? names.truth : []), ...byTick]) {
    channel(topic, 'sensor_msgs/msg/PointCloud2', 'sensorData');
  }
  for (const [sensor, topic] of names.laserScans.entries()) {
    if (sensors[sensor]?.laserScan === undefined) continue;
    channel(topic, 'sensor_msgs/msg/LaserScan', 'sensorData');
  }
  for (const [topic, type, qos] of Object.values(lastTopics)) channel(topic, type, qos);
  for (const [topic, type, qos] of hasPlanner ? Object.values(plannerTopics) : []) {
    channel(topic, type, qos);
  }
  for (const [topic, type, qos] of hasMotions ? Object.values(motionTopics) : []) {
    channel(topic, type, qos);
  }
  return topicsIn({ schemas, channels }, sensors, clouds);
}

/** The channels of a file, by their topics; number −1 for those that it lacks, as older recordings do. */
export function topicsIn(
  { schemas, channels }: Pick<Topics, 'schemas' | 'channels'>,
  sensors: readonly SensorTopics[],
  recorded: RecordedClouds,
): Topics {
  const numbers = new Map(channels.map(({ topic, id }) => [topic, id]));
  const numberOf = (topic: string): number => numbers.get(topic) ?? -1;
  const named = Object.entries(namedTopics).map(([name, [topic]]) => [name, numberOf(topic)]);
  const names = cloudTopics(sensors, recorded);
  const none = sensors.map(() => -1);
  const wholeOf = (topic: string, sensor: number): number =>
    numberOf(sensors[sensor]?.isCut === true ? (names.byTick[sensor] ?? '') : topic);
  const clouds = {
    driver: recorded.hasDriver ? names.driver.map(wholeOf) : none,
    truth: recorded.hasTruth ? names.truth.map(numberOf) : none,
  };
  const messages = sensors.map(({ isCut }, sensor) => {
    const channelOf = (topics: string[]): number => (isCut ? numberOf(topics[sensor] ?? '') : -1);
    return { cloud: channelOf(names.driver), laserScan: channelOf(names.laserScans) };
  });
  return {
    ...(Object.fromEntries(named) as Record<keyof typeof namedTopics, number>),
    clouds,
    messages,
    points: recorded.hasTruth ? clouds.truth : clouds.driver,
    schemas,
    channels,
  };
}

function cloudTopics(
  sensors: readonly SensorTopics[],
  { hasDriver }: Pick<RecordedClouds, 'hasDriver'>,
): Record<CloudKind | 'byTick' | 'laserScans', string[]> {
  const topics = topicNames(sensors.map(({ name }) => name));
  const driver = topics.map((name) => `/${name}/points`);
  return {
    driver,
    truth: hasDriver ? driver.map((topic) => `${topic}_truth`) : driver,
    byTick: driver.map((topic) => `${topic}_by_tick`),
    laserScans: topics.map((name) => `/${name}/scan`),
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
