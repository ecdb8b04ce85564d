// The wall time at which a run's simulated time starts, in messages and log times. Inside, all times are simulated
// nanoseconds since the start: numbers, exact below 2^53. Stamps of wall time are not, so that they are split.
import { epochOf, type EpochTime } from '#contract/documents/epoch.ts';
import type { Scenario } from '#contract/documents/scenario.ts';

/** A ROS time. */
export interface RosTime {
  sec: number;
  nanosec: number;
}

/** Simulated nanoseconds as stamps and log times of a recording, and back; exact. */
export interface Epoch {
  /** A ROS time. */
  readonly stamp: (timeNs: number) => RosTime;
  /** The reverse of stamp. */
  readonly simulated: (time: RosTime) => number;
  /** MCAP's log time. */
  readonly logTime: (timeNs: number) => bigint;
  /** The reverse of logTime. */
  readonly simulatedLog: (logTime: bigint) => number;
}

/** The epoch of a scenario's recordings; none: simulated time is the time. */
export function recordedEpoch(scenario: Pick<Scenario, 'recording'>): Epoch {
  const { epoch } = scenario.recording ?? {};
  return createEpoch(epoch === undefined ? { sec: 0, nanosec: 0 } : epochOf(epoch));
}

function createEpoch({ sec, nanosec }: EpochTime): Epoch {
  const baseNs = BigInt(sec) * 1_000_000_000n + BigInt(nanosec);
  return {
    stamp(timeNs) {
      const whole = Math.floor(timeNs / 1e9);
      const ns = timeNs - whole * 1e9 + nanosec;
      const carry = ns >= 1e9 ? 1 : 0;
      return { sec: sec + whole + carry, nanosec: ns - carry * 1e9 };
    },
    simulated: (time) => (time.sec - sec) * 1e9 + (time.nanosec - nanosec),
    logTime: (timeNs) => baseNs + BigInt(timeNs),
    simulatedLog: (logTime) => Number(logTime - baseNs),
  };
}

/** Without an epoch. */
export const simulatedTime = createEpoch({ sec: 0, nanosec: 0 });
