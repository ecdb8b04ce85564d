// The azimuth steps of a Velodyne HDL-64E as Goodin 2018 prints them (eq. 6 and 7). What is traced is the
// firing clock they follow from (assets/sensors/hdl-64e.yaml): a slot every 1/31,250 s, three of four for
// the upper block, so that columns per turn need not be whole. The equations' -1 is a sweep with both
// ends included; between slots the step is 360·rate/31,250.

/** Azimuth step of the lower block in degrees at `rateHz` turns per second (Goodin 2018, eq. 6). */
export function lowerBlockStepDeg(rateHz: number): number {
  return 360 / (250000 / (32 * rateHz) - 1);
}

/** Azimuth step of the upper block in degrees at `rateHz` turns per second (Goodin 2018, eq. 7). */
export function upperBlockStepDeg(rateHz: number): number {
  return 360 / (250000 / (8 * rateHz) - 1);
}
