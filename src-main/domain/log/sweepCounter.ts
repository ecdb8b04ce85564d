// The sweeps of a file that does not number them: a new one begins where the azimuth of a laser jumps back against the
// way that it turns.

/** A smaller step back is noise of the encoder. */
const jumpRad = 0.5;
/** A pause as long as this ends a sweep. */
const pauseNs = 1_000_000_000n;

/** Gives the number of the sweep of each beam in turn, from 0. */
export function createSweepCounter(): (
  laser: number,
  azimuthRad: number,
  timeNs: bigint,
) => number {
  let sweep = 0;
  let followed: number | null = null;
  let beforeRad = NaN;
  let beforeNs: bigint | null = null;
  /** 1: counter-clockwise, -1: clockwise, 0: not known yet. */
  let turn = 0;
  return (laser, azimuthRad, timeNs) => {
    const isPaused = beforeNs !== null && timeNs - beforeNs > pauseNs;
    beforeNs = timeNs;
    // Why one laser: others are offset in azimuth, so that each would jump at a time of its own.
    followed ??= laser;
    if (isPaused) sweep += 1;
    if (laser !== followed || Number.isNaN(azimuthRad)) return sweep;
    const stepRad = azimuthRad - beforeRad;
    beforeRad = azimuthRad;
    if (isPaused || Number.isNaN(stepRad) || stepRad === 0) return sweep;
    if (Math.abs(stepRad) < jumpRad) turn = Math.sign(stepRad);
    else if (turn !== 0 && Math.sign(stepRad) !== turn) sweep += 1;
    return sweep;
  };
}
