// The columns of scene.pulse as rows: rays with what each hit, and the returns.
import type { Columns } from '#contract/columns.ts';
import { columnReader } from './columnReader.ts';
import type { PulseHit } from './pulseSignal.ts';

/** A ray of the pulse and what it met, nearest first. */
export interface PulseRay {
  ray: number;
  weight: number;
  /** Offsets on the plane 1 m ahead of the sensor, towards the left and up. */
  left: number;
  up: number;
  hits: (PulseHit & { share: number; positionM: [number, number, number]; mirrors: number })[];
}

/** A return as the worker formed it. */
export interface PulseReturn {
  returnNo: number;
  /** Axis of the pulse in the sensor's frame. */
  azimuthRad: number;
  elevationRad: number;
  rangeM: number;
  rangeCleanM: number;
  intensity: number;
  beamShare: number;
  objectId: number;
  classId: number;
  positionM: [number, number, number];
}

export function pulseRays(columns: Columns): PulseRay[] {
  const rays = new Map<number, PulseRay>();
  const at = columnReader(columns, '');
  for (let row = 0; row < (columns['ray']?.length ?? 0); row += 1) {
    const number = at('ray', row);
    let ray = rays.get(number);
    if (ray === undefined) {
      ray = {
        ray: number,
        weight: at('weight', row),
        left: at('left_m', row),
        up: at('up_m', row),
        hits: [],
      };
      rays.set(number, ray);
    }
    if (at('hit_no', row) === 0) continue;
    ray.hits.push({
      row,
      ray: number,
      hitNo: at('hit_no', row),
      rangeM: at('range_m', row),
      intensity: at('intensity', row),
      rayWeight: ray.weight,
      share: at('share', row),
      weight: ray.weight * at('share', row),
      objectId: at('object_id', row),
      classId: at('class_id', row),
      materialId: at('material_id', row),
      triangleId: at('triangle_id', row),
      incidenceRad: at('incidence_rad', row),
      mirrors: at('mirrors', row),
      positionM: [at('hit_x_m', row), at('hit_y_m', row), at('hit_z_m', row)],
    });
  }
  return [...rays.values()].sort((a, b) => a.ray - b.ray);
}

export function pulseReturns(columns: Columns): PulseReturn[] {
  const at = columnReader(columns, 'return_');
  const rows = columns['return_pulse']?.length ?? 0;
  return Array.from({ length: rows }, (_, row) => ({
    returnNo: at('return_no', row),
    azimuthRad: at('azimuth_rad', row),
    elevationRad: at('elevation_rad', row),
    rangeM: at('range_m', row),
    rangeCleanM: at('range_clean_m', row),
    intensity: at('intensity', row),
    beamShare: at('beam_share', row),
    objectId: at('object_id', row),
    classId: at('class_id', row),
    positionM: [at('x_m', row), at('y_m', row), at('z_m', row)],
  }));
}
