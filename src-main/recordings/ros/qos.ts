// Quality of service that a recording offers for a topic, as rosbag2 stores it in the metadata of a channel (MCAP's
// profile `ros2`, key `offered_qos_profiles`): a YAML list with one profile. Without it rosbag2 plays every topic
// volatile, and listeners that ask for the last message of /tf_static or /map never get it.
//
// Policies are the numbers of rmw's enumerations (rmw/types.h), which every release of rosbag2 reads; names came with
// version 9 of its metadata.

/** latched: kept for those who subscribe later. sensorData: rclcpp's SensorDataQoS. */
export type QosName = 'latched' | 'reliable' | 'sensorData';

const keepLast = 1;
const reliability = { reliable: 1, bestEffort: 2 };
const durability = { transientLocal: 1, volatile: 2 };
const automaticLiveliness = 1;

/** The value of `offered_qos_profiles`. */
export const qosProfiles: Record<QosName, string> = {
  latched: profile(1, reliability.reliable, durability.transientLocal),
  reliable: profile(10, reliability.reliable, durability.volatile),
  sensorData: profile(5, reliability.bestEffort, durability.volatile),
};

function profile(depth: number, reliable: number, durable: number): string {
  // RMW_DURATION_INFINITE, 2^63 − 1 ns.
  const infinite = '\n    sec: 9223372036\n    nsec: 854775807';
  return [
    `- history: ${keepLast}`,
    `depth: ${depth}`,
    `reliability: ${reliable}`,
    `durability: ${durable}`,
    `deadline:${infinite}`,
    `lifespan:${infinite}`,
    `liveliness: ${automaticLiveliness}`,
    `liveliness_lease_duration:${infinite}`,
    'avoid_ros_namespace_conventions: false',
  ].join('\n  ');
}
