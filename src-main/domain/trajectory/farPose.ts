// Poses that are too far from the origin of the scene.
import { distanceProblem } from '#contract/documents/scenarioPlaces.ts';
import type { OriginM } from '#contract/worldOrigin.ts';
import type { Trajectory } from './trajectory.ts';

/** The first pose that is too far from the origin of the scene; null: there is none. */
export function farPose({ time_ns, x_m, y_m, z_m }: Trajectory, originM: OriginM): string | null {
  for (const [row, x] of x_m.entries()) {
    const message = distanceProblem(originM, [x, y_m[row] ?? 0, z_m[row] ?? 0]);
    if (message === null) continue;
    return x_m.length === 1 ? message : `at ${Number(time_ns[row] ?? 0n) / 1e9} s: ${message}`;
  }
  return null;
}
