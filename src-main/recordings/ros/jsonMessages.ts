// The messages of a recording that ROS has no type for: records of scans and ticks, as JSON in std_msgs/String. Why
// not as JSON alone: rosbag2 plays no file that mixes encodings. Up to version 2 of the format they were JSON alone.
import { parseWith, type Schema } from '#contract/documents/problems.ts';
import { UnderstoryError } from '#contract/errors.ts';
import {
  scanMessageSchema,
  tickMessageSchema,
  type ScanMessage,
} from '#contract/host/recordedMessages.ts';
import { firstProblem } from '#contract/host/storedScenario.ts';
import type { RecordedTick } from '#services/ports/recordings.ts';
import { decodeRos, encodeRos } from './schemas.ts';

/** A record as a message. */
export function jsonMessage(value: object): Uint8Array {
  return encodeRos('std_msgs/msg/String', { data: JSON.stringify(value) });
}

/** The record of a scan, from a message of any version. @throws UnderstoryError 'corrupt' */
export function readScanMessage(bytes: Uint8Array): ScanMessage {
  return readJsonMessage(bytes, scanMessageSchema, 'scan');
}

/** The record of a tick, from a message of any version. @throws UnderstoryError 'corrupt' */
export function readTickMessage(bytes: Uint8Array): RecordedTick {
  return readJsonMessage(bytes, tickMessageSchema, 'tick');
}

function readJsonMessage<T>(bytes: Uint8Array, schema: Schema<T>, name: string): T {
  const { value, problems } = parseWith(schema, dataOf(bytes));
  if (value !== null) return value;
  throw new UnderstoryError(
    'corrupt',
    `a record of a ${name} is damaged: ${firstProblem(problems)}`,
  );
}

/** Null where it is no JSON. */
function dataOf(bytes: Uint8Array): unknown {
  const isBare = bytes[0] === openingBrace; // CDR begins with 0, the first byte of its encapsulation
  try {
    const text = isBare
      ? new TextDecoder().decode(bytes)
      : decodeRos<{ data: string }>('std_msgs/msg/String', bytes).data;
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const openingBrace = 0x7b;
