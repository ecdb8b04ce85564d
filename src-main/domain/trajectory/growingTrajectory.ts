// A trajectory that grows pose by pose: 64 bytes for each, so that hours of motion fit into memory.
import type { Pose } from '#contract/host/run.ts';
import type { Trajectory } from './trajectory.ts';

export interface GrowingTrajectory {
  /** Appends a pose; one that is not after the last is left out. */
  add(timeNs: number, pose: Pose): void;
  /** The poses so far. */
  trajectory(): Trajectory;
}

const partNames = ['x_m', 'y_m', 'z_m', 'qx', 'qy', 'qz', 'qw'] as const;

/** An empty trajectory. */
export function createGrowingTrajectory(): GrowingTrajectory {
  let count = 0;
  let lastNs = -Infinity;
  let timesNs = new BigInt64Array(256);
  let parts = partNames.map(() => new Float64Array(256));

  function grow(): void {
    const longer = new BigInt64Array(2 * count);
    longer.set(timesNs);
    timesNs = longer;
    parts = parts.map((part) => {
      const grown = new Float64Array(2 * count);
      grown.set(part);
      return grown;
    });
  }

  return {
    add(timeNs, { positionM, rotation }) {
      if (timeNs <= lastNs) return;
      if (count === timesNs.length) grow();
      timesNs[count] = BigInt(timeNs);
      const values = [...positionM, ...rotation];
      for (const [index, part] of parts.entries()) part[count] = values[index] ?? 0;
      lastNs = timeNs;
      count += 1;
    },
    trajectory() {
      const [x_m, y_m, z_m, qx, qy, qz, qw] = parts.map((part) => part.subarray(0, count));
      const none = new Float64Array();
      return {
        time_ns: timesNs.subarray(0, count),
        x_m: x_m ?? none,
        y_m: y_m ?? none,
        z_m: z_m ?? none,
        qx: qx ?? none,
        qy: qy ?? none,
        qz: qz ?? none,
        qw: qw ?? none,
      };
    },
  };
}
