// The messages of a recording that ROS has no type for: records of scans and ticks, as JSON with a schema.
// A field that a schema lacks does not compile.
import type { ScanRecord } from '#contract/host/run.ts';
import type { RecordedTick } from '#services/ports/recordings.ts';

/** The record of a scan, before its points. */
export interface ScanMessage extends ScanRecord {
  rows: number;
  firstPulse: string;
}

export const scanSchema = {
  title: 'Record of the scan whose points follow',
  type: 'object',
  properties: {
    tick: { type: 'integer' },
    sensor: { type: 'integer', description: 'index of the sensor in the scenario' },
    fromNs: { type: 'integer', description: 'pulses with fromNs <= time < toNs' },
    toNs: { type: 'integer' },
    pulses: { type: 'integer' },
    returns: { type: 'integer' },
    hash: { type: 'string', description: "xxh3 over the worker's columns, hex" },
    rows: { type: 'integer' },
    firstPulse: {
      type: 'string',
      description: "absolute number to which the points' field 'pulse' is added",
    },
  } satisfies Record<keyof ScanMessage, object>,
};

export const tickSchema = {
  title: 'Record of one tick, at its end: true and estimated pose, state of the drive',
  type: 'object',
  properties: {
    tick: { type: 'integer' },
    timeNs: { type: 'integer' },
    truth: { type: 'object', description: 'worldFromVehicle: positionM, rotation (x y z w)' },
    estimate: { type: 'object' },
    speedMPerS: { type: 'number' },
    distanceToGoalM: { type: 'number' },
    collisions: { type: 'integer' },
    activity: { type: 'string' },
    gpsM: { type: ['array', 'null'], description: 'last position fix of the tick; null: none' },
    sensorPoses: { type: 'array', description: 'worldFromSensor by sensor' },
  } satisfies Record<keyof RecordedTick, object>,
};
