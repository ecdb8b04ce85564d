// How much memory a scene may occupy.

/** Share of the free memory: the rest is for rays, columns and everyone else. */
const memoryShare = 0.8;

/** Most bytes for a scene where so many are free. */
export function memoryLimitBytes(availableBytes: number): number {
  return Math.floor(memoryShare * availableBytes);
}
