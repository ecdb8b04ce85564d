// The messages of a recording that ROS has no type for: records of scans and ticks, as JSON in std_msgs/String. Why
// not as JSON alone: rosbag2 plays no file that mixes encodings. Up to version 2 of the format they were JSON alone.
import type { ScanRecord } from '#contract/host/run.ts';
import { decodeRos, encodeRos } from './schemas.ts';

/** The record of a scan, before its points. */
export interface ScanMessage extends ScanRecord {
  rows: number;
  /** Absolute number to which the points' field `pulse` is added, in decimal. */
  firstPulse: string;
}

/** A record as a message. */
export function jsonMessage(value: object): Uint8Array {
  return encodeRos('std_msgs/msg/String', { data: JSON.stringify(value) });
}

/** The reverse of jsonMessage, for messages of every version. */
export function readJsonMessage<T>(bytes: Uint8Array): T {
  const isBare = bytes[0] === openingBrace; // CDR begins with 0, the first byte of its encapsulation
  const text = isBare
    ? new TextDecoder().decode(bytes)
    : decodeRos<{ data: string }>('std_msgs/msg/String', bytes).data;
  return JSON.parse(text) as T;
}

const openingBrace = 0x7b;
