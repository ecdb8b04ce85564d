// The sample `box` from end to end: every pulse of a revolution of a VLP-16, nine rays each, against box, wall, sphere of
// facets and ground as planes; rays and modes are computed here, independently of the worker (PHYSICS.md, 1.1 to 1.3).
import type { Vector3 } from '#domain/shared/pose.ts';
import { mean } from '#domain/shared/statistics.ts';
import { closedForm, type Measurement } from '../closedForm.ts';
import { formsPiece } from '../parts.ts';
import { stationary } from '../trajectories.ts';
import { boxBody, entryOf, facettedSphereBody, type HalfSpace } from './convexBody.ts';

const fromM: Vector3 = [0, 0, 1];
const [lasers, slots, cutoffM] = [16, 1800, 1];
/** Half axes of the 3 × 3 stencil on the plane 1 m ahead. */
const leftM = Math.tan(0.003 / 2) / Math.SQRT2;
const upM = Math.tan(0.0015 / 2) / Math.SQRT2;

interface Hit {
  rangeM: number;
  intensity: number;
}

const sphereM: Vector3 = [-8, 0, 1];
interface Body {
  halfSpaces: HalfSpace[];
  reflectance: number;
  /** Its centre, of a sphere of 1 m. */
  aboutM?: Vector3;
}

/** Why a function: the sphere has 131,072 facets. */
const bodies = (): Body[] => [
  { halfSpaces: boxBody([5.5, 0, 1], [1, 1, 1]), reflectance: 0.5 },
  { halfSpaces: boxBody([0, 10.1, 1.5], [20, 0.2, 3]), reflectance: 0.8 },
  { halfSpaces: boxBody([0, 0, -0.5], [100, 100, 1]), reflectance: 0.2 },
  { halfSpaces: facettedSphereBody(sphereM, 1, 256), reflectance: 0.3, aboutM: sphereM },
];

/** The nine rays of a pulse as unit vectors. */
function raysOf(pulse: number): Vector3[] {
  const azimuth = (2 * Math.PI * Math.floor(pulse / lasers)) / slots;
  const elevation = ((-15 + 2 * (pulse % lasers)) * Math.PI) / 180;
  const [ca, sa] = [Math.cos(azimuth), Math.sin(azimuth)];
  const [ce, se] = [Math.cos(elevation), Math.sin(elevation)];
  const steps = [0, -1, 1];
  return steps.flatMap((i) =>
    steps.map((j): Vector3 => {
      const [left, up] = [i * leftM, j * upM];
      const length = Math.hypot(1, left, up);
      const forward = ce - up * se;
      return [
        (ca * forward - sa * left) / length,
        (sa * forward + ca * left) / length,
        (se + up * ce) / length,
      ];
    }),
  );
}

/** Whether a ray can meet the sphere, which has too many facets to try each with every ray. */
function passesNear(ray: Vector3, aboutM: Vector3 | undefined): boolean {
  if (aboutM === undefined) return true;
  const to = aboutM.map((value, axis) => value - (fromM[axis] ?? NaN));
  const along = to.reduce((sum, part, axis) => sum + part * (ray[axis] ?? NaN), 0);
  return along > 0 && Math.hypot(...to) ** 2 - along ** 2 < 1;
}

function nearestOf(ray: Vector3, list: readonly Body[]): Hit[] {
  const hits = list.flatMap(({ halfSpaces, reflectance, aboutM }) => {
    const entry = passesNear(ray, aboutM) ? entryOf(halfSpaces, fromM, ray) : null;
    return entry === null
      ? []
      : [{ rangeM: entry.rangeM, intensity: reflectance * entry.cosIncidence }];
  });
  const nearest = hits.sort((a, b) => a.rangeM - b.rangeM).slice(0, 1);
  return nearest.filter(({ rangeM }) => rangeM >= 1 && rangeM <= 100);
}

/** By mode, of hits in order of range. */
const modes = {
  strongest: (hits: readonly Hit[]) => hits.reduce((a, b) => (b.intensity > a.intensity ? b : a)),
  first: ([nearest, ...others]: readonly [Hit, ...Hit[]]) => {
    const averaged = [
      nearest,
      ...others.filter(({ rangeM }) => rangeM <= nearest.rangeM + cutoffM),
    ];
    return {
      rangeM: mean(averaged.map(({ rangeM }) => rangeM)),
      intensity: mean(averaged.map(({ intensity }) => intensity)),
    };
  },
  last: (hits: readonly [Hit, ...Hit[]]) => hits.at(-1) ?? hits[0],
  closest: ([nearest]: readonly [Hit, ...Hit[]]) => nearest,
};
type Mode = keyof typeof modes;

/**
 * Rays that pass an edge within rounding may fall on either side: as many pulses of 28,800 at most. A stencil 10 % too
 * wide changes 24 or more, 10 % too high 3,000; `strongest` taken for `closest` 12, every other exchange of modes 15,000.
 */
const maxDiffering: Record<Mode, number> = { strongest: 5, first: 15, last: 15, closest: 5 };

/** The hits of each pulse, in order of range: the same for all modes. */
function hitsOfPulses(stride: number): [pulse: number, hits: Hit[]][] {
  const list = bodies();
  return Array.from({ length: Math.ceil((lasers * slots) / stride) }, (_, n) => {
    const hits = raysOf(n * stride).flatMap((ray) => nearestOf(ray, list));
    return [n * stride, hits.sort((a, b) => a.rangeM - b.rangeM)];
  });
}

/** Every pulse in every mode. Why a stride in the quick form: 28,800 pulses of nine rays take seconds. */
const measure: Measurement = async ({ bench, fire, isQuick }) => {
  const expected = hitsOfPulses(isQuick ? 7 : 1);
  const { returns, ...sensor } = await bench.sensor('vlp-16-goodin2018');
  const found = [];
  for (const mode of Object.keys(modes) as Mode[]) {
    const fired = await fire({
      scene: 'box',
      sensor: { ...sensor, returns: { ...returns, mode } },
      columns: ['pulse', 'range_m', 'intensity'],
      path: { trajectory: stationary({ positionM: fromM, rotation: [0, 0, 0, 1] }), toNs: 1e8 },
    });
    const rowOf = new Map(fired.pulse.map((pulse, row) => [pulse, row]));
    const differing = expected.filter(([pulse, [nearest, ...others]]) => {
      const row = rowOf.get(pulse);
      if (nearest === undefined || row === undefined) return nearest !== row;
      const { rangeM, intensity } = modes[mode]([nearest, ...others]);
      return !(
        Math.abs((fired.range_m[row] ?? NaN) - rangeM) < 2e-6 * rangeM + 1e-5 &&
        Math.abs((fired.intensity[row] ?? NaN) - intensity) < 1e-5
      );
    });
    const source = 'rays and planes; Goodin 2018, section 3.2.3';
    found.push(
      closedForm(
        {
          name: `sample box, ${mode}: pulses against their closed form`,
          comparison: 'at-most',
          expected: maxDiffering[mode],
          source,
        },
        differing.length,
      ),
    );
  }
  return found;
};

export const boxSample = formsPiece({
  name: 'box-sample',
  ours: 'Sample box: the pulses of a revolution of a VLP-16 (asset vlp-16-goodin2018), nine rays each, in every mode of one return.',
  rows: [measure],
});
