// The frames of a recording (REP-105): `map` → `odom` → `base_link` → sensors, by what the vehicle believes. The truth is
// a branch of its own, so that each frame has one parent. Where the scene has an origin, `world` is the parent of `map`.

/** Frames whose names are fixed. */
export const frames = {
  /** World coordinates. */
  world: 'world',
  /** World coordinates less the scene's origin. */
  map: 'map',
  odom: 'odom',
  /** The vehicle as it believes to be. */
  vehicle: 'base_link',
  vehicleTruth: 'base_link_truth',
} as const;

/** The frame of each sensor: its name, with `_sensor` where that is a frame's. */
export function sensorFrames(sensorNames: readonly string[]): string[] {
  const taken = new Set<string>(Object.values(frames));
  return sensorNames.map((name) => {
    let frame = name;
    while (taken.has(frame)) frame += '_sensor';
    taken.add(frame);
    return frame;
  });
}
