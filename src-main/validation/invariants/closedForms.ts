// Box, straight and tilted wall, sphere of facets: range, intensity and share of every ray of an image against
// the closed form of the body that it meets; and a list of expected values that others have got wrong.
import type { SceneInput } from '#contract/documents/scenario.ts';
import { boxBody, entryOf, facettedSphereBody, meetingOf, type HalfSpace } from './convexBody.ts';
import { radians } from '#domain/shared/numbers.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import type { ValidationBench } from '../bench.ts';
import { atMost, equal, within } from '../criteria.ts';
import type { Table } from '../section.ts';
import type { Piece } from '../parts.ts';
import { rayImage } from '../simpleSensors.ts';
import { stationary } from '../trajectories.ts';

type Model = NonNullable<SceneInput['models']>[string];
type Instance = NonNullable<SceneInput['instances']>[number];

interface Body {
  name: string;
  model: Model;
  place: Partial<Instance>;
  atM: Vector3;
  halfSpaces: HalfSpace[];
}

const reflectance = 0.5;
const rings = 12;
const tiltRad = radians(60);
const wallSizeM: Vector3 = [0.1, 40, 40];

const bodies: Body[] = [
  {
    name: 'box',
    model: { kind: 'box', sizeM: [2, 2, 2], material: 'grey' },
    place: {},
    atM: [8, 0.3, 0.2],
    halfSpaces: boxBody([8, 0.3, 0.2], [2, 2, 2]),
  },
  {
    name: 'straight wall',
    model: { kind: 'box', sizeM: wallSizeM, material: 'grey' },
    place: {},
    atM: [10, 0, 0],
    halfSpaces: boxBody([10, 0, 0], wallSizeM),
  },
  {
    name: 'wall tilted by 60°',
    model: { kind: 'box', sizeM: wallSizeM, material: 'grey' },
    place: { yawDeg: 60 },
    atM: [10, 0, 0],
    halfSpaces: turned(boxBody([0, 0, 0], wallSizeM), tiltRad, [10, 0, 0]),
  },
  {
    name: 'sphere of facets',
    model: { kind: 'sphere', radiusM: 1.5, rings, material: 'grey' },
    place: {},
    atM: [8, -0.2, 0.1],
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

export const closedForms: Piece = {
  name: 'closed-forms',
  async run(bench, { isQuick }) {
    const sensor = await bench.sensor(isQuick ? rayImage(64, 48, 40) : rayImage(256, 192, 40));
    const { columns } = await bench.describe({ sensor });
    const directions = Array.from(columns.pulse_azimuth_rad, (azimuthRad, pulse) =>
      directionOf(azimuthRad, columns.pulse_elevation_rad[pulse] ?? NaN),
    );
    const found: Compared[] = [];
    for (const body of bodies) found.push(await compare(bench, body, sensor, directions));
    return {
      ours: [
        `Closed forms: each ray of an image of ${directions.length} single rays against the body that it meets, described by its planes; directions from sensor.describe. Rays within ${edgeM * 1e6} µm of the silhouette are left out, on either side of it.`,
      ],
      tables: [tableOf(found)],
      criteria: found.flatMap(({ name, differing, leftOut, rangeM, intensity, share }) => [
        equal(`${name}: rays that hit for miss, or miss for hit`, differing, 0),
        atMost(`${name}: rays left out at the silhouette`, leftOut, maxLeftOut),
        within(`${name}: greatest error of range`, rangeM, 0, tolerance, 'm'),
        within(`${name}: greatest error of intensity`, intensity, 0, tolerance),
        within(`${name}: greatest error of share of the beam`, share, 0, tolerance),
      ]),
    };
  },
};

interface Compared {
  name: string;
  hits: number;
  misses: number;
  leftOut: number;
  differing: number;
  rangeM: number;
  intensity: number;
  share: number;
}

async function compare(
  bench: ValidationBench,
  { name, model, place, atM, halfSpaces }: Body,
  sensor: Awaited<ReturnType<ValidationBench['sensor']>>,
  directions: readonly Vector3[],
): Promise<Compared> {
  const instance = { name: 'body', model: 'body', positionM: atM, onGround: false, ...place };
  const scene = {
    materials: { grey: { reflectance } },
    models: { body: model },
    instances: [instance],
  };
  await bench.build(await bench.scene(scene, 1));
  const { columns } = await bench.scan({
    sensor,
    trajectory: stationary({ positionM: [0, 0, 0], rotation: [0, 0, 0, 1] }),
    toNs: 1e8,
    seed: 1,
    columns: ['return_no', 'range_m', 'intensity', 'beam_share'],
    misses: true,
  });
  const errors = { name, hits: 0, misses: 0, leftOut: 0, differing: 0 };
  let [rangeM, intensity, share] = [0, 0, 0];
  for (const [row, direction] of directions.entries()) {
    const entry = entryOf(halfSpaces, [0, 0, 0], direction);
    const isHit = (columns.return_no[row] ?? 0) > 0;
    const meeting = meetingOf(halfSpaces, [0, 0, 0], direction, edgeM);
    if (meeting === 'at the silhouette') errors.leftOut += 1;
    else if ((meeting === 'hits') !== isHit) errors.differing += 1;
    else if (entry === null) errors.misses += 1;
    else {
      errors.hits += 1;
      rangeM = Math.max(rangeM, Math.abs((columns.range_m[row] ?? NaN) - entry.rangeM));
      const expected = reflectance * entry.cosIncidence;
      intensity = Math.max(intensity, Math.abs((columns.intensity[row] ?? NaN) - expected));
      share = Math.max(share, Math.abs((columns.beam_share[row] ?? NaN) - 1));
    }
  }
  return { ...errors, rangeM, intensity, share };
}

function tableOf(found: readonly Compared[]): Table {
  return {
    title: 'Rays against closed forms',
    columns: [
      'body',
      'hits',
      'misses',
      'left out, at the silhouette',
      'range (m)',
      'intensity',
      'share',
    ],
    rows: found.map(({ name, hits, misses, leftOut, rangeM, intensity, share }) => [
      name,
      String(hits),
      String(misses),
      String(leftOut),
      rangeM.toExponential(1),
      intensity.toExponential(1),
      share.toExponential(1),
    ]),
    caption: 'The last three columns are the greatest errors.',
  };
}

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
