// A depth camera: an image sensor whose pixels are single rays through their middles, and where in the map
// each of its pulses belongs. No divergence, no noise, the nearest surface on each ray.
import { imageScan } from '#contract/documents/scan/scanRecipe.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';

export interface DepthCamera {
  widthPx: number;
  heightPx: number;
  /** Full angle between the outer edges of the left and the right column; pixels are square. */
  horizontalFovRad: number;
  /** Farther surfaces are not seen. */
  maxRangeM: number;
}

/** The value of a pixel: the length of its ray, or how far ahead of the camera's plane it ends. */
export type DepthKind = 'ray' | 'planar';

/** The camera as a sensor: one image from t = 0 on, in `depthImageNs`. */
export function depthCameraRecipe(camera: DepthCamera): SensorRecipe {
  const { widthPx, heightPx, horizontalFovRad, maxRangeM } = camera;
  const pixel = (2 * Math.tan(horizontalFovRad / 2)) / widthPx;
  return {
    id: 'depth-camera',
    scan: imageScan({ columns: widthPx, rows: heightPx, horizontalFovRad }, imagesPerSecond),
    slotsPerSecond: widthPx * imagesPerSecond,
    banks: [
      {
        // Those of the middle column; the lowest row first.
        elevationsRad: Array.from({ length: heightPx }, (_, row) =>
          Math.atan((row - (heightPx - 1) / 2) * pixel),
        ),
        rings: Array.from({ length: heightPx }, (_, row) => row),
      },
    ],
    slotPattern: [0],
    minRangeM: 0,
    maxRangeM,
    beam: {
      shape: 'circular',
      divergenceHorizontalRad: 0,
      divergenceVerticalRad: 0,
      stencil: 'rays',
      rays: { count: 1, profile: 'uniform', sampling: 'stratified', dither: false },
    },
    returns: { mode: 'closest', signalCutoffM: 0, window: false },
  };
}

const imagesPerSecond = 1;

/** Length of the interval that holds one image. */
export const depthImageNs = 1e9 / imagesPerSecond;

/** Columns that `placeDepths` needs. */
export const depthColumns = ['pulse', 'azimuth_rad', 'elevation_rad', 'true_range_m'] as const;

/** Rows of a scan by such a camera; arrays of equal length. */
export interface DepthRows {
  pulse: BigUint64Array;
  azimuth_rad: Float32Array;
  elevation_rad: Float32Array;
  true_range_m: Float32Array;
}

/**
 * Puts rows into a map of heightPx × widthPx depths in metres, row by row from the top left. Pulses go
 * column by column from the left, each from the bottom up. Planar: r·cos e·cos a, e and a the ray's
 * elevation and azimuth in the camera's frame.
 */
export function placeDepths(
  map: Float32Array,
  { widthPx, heightPx }: Pick<DepthCamera, 'widthPx' | 'heightPx'>,
  kind: DepthKind,
  rows: DepthRows,
): void {
  const { pulse, azimuth_rad: azimuths, elevation_rad: elevations, true_range_m: ranges } = rows;
  for (let i = 0; i < pulse.length; i++) {
    const number = Number(pulse[i]);
    const row = heightPx - 1 - (number % heightPx);
    const column = Math.floor(number / heightPx);
    const rangeM = ranges[i] as number;
    map[row * widthPx + column] =
      kind === 'ray'
        ? rangeM
        : rangeM * Math.cos(elevations[i] as number) * Math.cos(azimuths[i] as number);
  }
}
