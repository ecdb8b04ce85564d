// Sensors of the laboratory: one level laser that looks along x, and a small image of single rays.
import type { SensorInput } from '#contract/documents/sensor.ts';

/** Pulses of `singleLaser` in a second. */
const laserRateHz = 1000;
/** Between two of them. */
export const laserSlotNs = 1e9 / laserRateHz;

type Changes = Partial<Omit<SensorInput, 'beam' | 'returns'>> & {
  beam?: Partial<SensorInput['beam']>;
  divergenceMrad?: number;
  returns?: Partial<SensorInput['returns']>;
};

/** Circular spot, mode `strongest`, cutoff 1 m, range 0 to 1000 m, but for the changes. */
export function singleLaser({
  beam,
  divergenceMrad = 0,
  returns,
  ...changes
}: Changes): SensorInput {
  return {
    understorySensor: 3,
    id: 'single-laser',
    name: 'Single laser',
    source: 'a sensor of the validation',
    scan: {
      kind: 'sweep',
      rateHz: laserRateHz,
      minAzimuthDeg: 0,
      maxAzimuthDeg: 0,
      slotsPerScan: 1,
    },
    banks: [{ name: 'laser', elevationsDeg: [0] }],
    range: { minM: 0, maxM: 1000 },
    beam: {
      shape: 'circular',
      divergenceHorizontalMrad: divergenceMrad,
      divergenceVerticalMrad: divergenceMrad,
      ...beam,
    },
    returns: { mode: 'strongest', signalCutoffM: 1, ...returns },
    ...changes,
  };
}

/** One ray along the axis. */
export const singleRay: SensorInput['beam'] = {
  shape: 'circular',
  divergenceHorizontalMrad: 0,
  divergenceVerticalMrad: 0,
  stencil: 'rays',
  rays: { count: 1 },
};

/** Images of single rays, ten a second. */
export function rayImage(columns: number, rows: number, horizontalFovDeg: number): SensorInput {
  return {
    understorySensor: 3,
    id: 'ray-image',
    name: 'Image of single rays',
    source: 'a sensor of the validation',
    scan: { kind: 'image', rateHz: 10, columns, rows, horizontalFovDeg },
    range: { minM: 0, maxM: 1000 },
    beam: singleRay,
    returns: { mode: 'closest', signalCutoffM: 0 },
  };
}
