// Box, straight and tilted wall, sphere of facets: range, intensity and share of every ray of an image against
// the closed form of the body that it meets.
import { radians } from '#domain/shared/numbers.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import { mean } from '#domain/shared/statistics.ts';
import { about, closedForm, type ClosedForm, type Measurement } from '../closedForm.ts';
import { formsPiece } from '../parts.ts';
import { grey, solids, type Solid } from '../scenes.ts';
import { rayImage, singleLaser } from '../simpleSensors.ts';
import { atRest } from '../trajectories.ts';
import { boxBody, entryOf, facettedSphereBody, meetingOf, type HalfSpace } from './convexBody.ts';

const reflectance = 0.5;
const rings = 12;
const wallSizeM: Vector3 = [0.1, 40, 40];

interface Body extends Omit<Solid, 'material' | 'name'> {
  name: string;
  halfSpaces: HalfSpace[];
}

const bodyList: Body[] = [
  {
    name: 'box',
    shape: { kind: 'box', sizeM: [2, 2, 2] },
    positionM: [8, 0.3, 0.2],
    halfSpaces: boxBody([8, 0.3, 0.2], [2, 2, 2]),
  },
  {
    name: 'straight wall',
    shape: { kind: 'box', sizeM: wallSizeM },
    positionM: [10, 0, 0],
    halfSpaces: boxBody([10, 0, 0], wallSizeM),
  },
  {
    name: 'wall tilted by 60°',
    shape: { kind: 'box', sizeM: wallSizeM },
    yawDeg: 60,
    positionM: [10, 0, 0],
    halfSpaces: turned(boxBody([0, 0, 0], wallSizeM), radians(60), [10, 0, 0]),
  },
  {
    name: 'sphere of facets',
    shape: { kind: 'sphere', radiusM: 1.5, rings },
    positionM: [8, -0.2, 0.1],
    halfSpaces: facettedSphereBody([8, -0.2, 0.1], 1.5, rings),
  },
];

/**
 * Rays that pass the silhouette nearer than this may fall on either side of it: corners are rounded to 32 bits (5e-7 at
 * 10 m), so are directions (6e-8 · 10 m).
 */
const edgeM = 2e-5;
const tolerance = 1e-4;
/**
 * Most rays beside the silhouette. A band of 2·edgeM along a silhouette of 10 m has 2·10·2e-5 m², a pixel of the full
 * image (2·tan 20°/256 at 7 m) 4e-4 m²: 1 ray; 12 leaves room for an edge along a row or column of pixels.
 */
const maxLeftOut = 12;
const source = 'a ray and the planes of a convex body';

function measureBody({ name, halfSpaces, ...solid }: Body): Measurement {
  return async ({ bench, fire, isQuick }) => {
    const sensor = await bench.sensor(isQuick ? rayImage(64, 48, 40) : rayImage(256, 192, 40));
    const { pulse_azimuth_rad: azimuths, pulse_elevation_rad: elevations } = (
      await bench.describe({ sensor })
    ).columns;
    const fired = await fire({
      scene: solids([{ ...solid, material: grey }]),
      sensor,
      columns: ['return_no', 'range_m', 'intensity', 'beam_share'],
      path: atRest(0.1),
      misses: true,
    });
    let [leftOut, differing, rangeM, intensity, share] = [0, 0, 0, 0, 0];
    for (const [row, azimuthRad] of azimuths.entries()) {
      const direction = directionOf(azimuthRad, elevations[row] ?? NaN);
      const entry = entryOf(halfSpaces, [0, 0, 0], direction);
      const isHit = (fired.return_no[row] ?? 0) > 0;
      const meeting = meetingOf(halfSpaces, [0, 0, 0], direction, edgeM);
      if (meeting === 'at the silhouette') leftOut += 1;
      else if ((meeting === 'hits') !== isHit) differing += 1;
      else if (entry !== null) {
        const expected = reflectance * entry.cosIncidence;
        rangeM = Math.max(rangeM, Math.abs((fired.range_m[row] ?? NaN) - entry.rangeM));
        intensity = Math.max(intensity, Math.abs((fired.intensity[row] ?? NaN) - expected));
        share = Math.max(share, Math.abs((fired.beam_share[row] ?? NaN) - 1));
      }
    }
    const error = (of: string, measured: number, unit = '1') =>
      closedForm(
        { name: `${name}: greatest error of ${of}`, expected: 0, tolerance, unit, source },
        measured,
      );
    return [
      closedForm(
        {
          name: `${name}: rays that hit for miss, or miss for hit`,
          comparison: 'equal',
          expected: 0,
          source,
        },
        differing,
      ),
      closedForm(
        {
          name: `${name}: rays left out at the silhouette`,
          comparison: 'at-most',
          expected: maxLeftOut,
          source: 'area of a band along the silhouette over that of a pixel',
        },
        leftOut,
      ),
      error('range', rangeM, 'm'),
      error('intensity', intensity),
      error('share of the beam', share),
    ];
  };
}

const beamRays = 1000;

/** A wide beam in mode `first` with an endless window: one return, the mean over the rays that meet the body. */
function measureBeam({ name, halfSpaces, ...solid }: Body): Measurement {
  return async ({ bench, fire }) => {
    const sensor = await bench.sensor(
      singleLaser({
        divergenceMrad: 400,
        beam: { stencil: 'rays', rays: { count: beamRays } },
        returns: { mode: 'first', signalCutoffM: 100 },
      }),
    );
    const { ray_left: lefts, ray_up: ups } = (await bench.describe({ sensor })).columns;
    const entries = Array.from(lefts, (left, ray) => {
      const up = ups[ray] ?? NaN;
      const length = Math.hypot(1, left, up);
      return entryOf(halfSpaces, [0, 0, 0], [1 / length, left / length, up / length]);
    }).filter((entry) => entry !== null);
    const fired = await fire({
      scene: solids([{ ...solid, material: grey }]),
      sensor,
      columns: ['range_m', 'intensity', 'beam_share'],
    });
    const value = (of: string, measured = NaN, expected: number, unit?: string): ClosedForm =>
      closedForm(
        {
          name: `${name}, a beam of ${beamRays} rays: ${of}`,
          expected: about(expected, tolerance, unit),
          source: `mean over the rays that enter; ${source}`,
        },
        measured,
      );
    return [
      value('range', fired.range_m[0], mean(entries.map(({ rangeM }) => rangeM)), 'm'),
      value(
        'intensity',
        fired.intensity[0],
        reflectance * mean(entries.map(({ cosIncidence }) => cosIncidence)),
      ),
      value('share', fired.beam_share[0], entries.length / beamRays),
    ];
  };
}

export const bodies = formsPiece({
  name: 'closed-forms',
  ours: `Closed forms: each ray of an image of single rays against the body that it meets, described by its planes; directions from sensor.describe. Rays within ${edgeM * 1e6} µm of the silhouette are left out, on either side of it.`,
  rows: [...bodyList.map(measureBody), ...bodyList.map(measureBeam)],
});

function directionOf(azimuthRad: number, elevationRad: number): Vector3 {
  const level = Math.cos(elevationRad);
  return [level * Math.cos(azimuthRad), level * Math.sin(azimuthRad), Math.sin(elevationRad)];
}

/** About z, and then moved. */
function turned(body: readonly HalfSpace[], angleRad: number, byM: Vector3): HalfSpace[] {
  const [cos, sin] = [Math.cos(angleRad), Math.sin(angleRad)];
  return body.map(({ normal: [x, y, z], offsetM }) => {
    const normal: Vector3 = [cos * x - sin * y, sin * x + cos * y, z];
    const [nx, ny, nz] = normal;
    return { normal, offsetM: offsetM + nx * byM[0] + ny * byM[1] + nz * byM[2] };
  });
}
