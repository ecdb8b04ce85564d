// The sample `optics` from end to end, against what its heading says of every surface, in both radiometries (PHYSICS.md,
// 1.2 and 2.3): level rays from 1 m above its origin, and one down into its pool.
import { instanceNames } from '#contract/worker/instanceNames.ts';
import { degrees, radians } from '#domain/shared/numbers.ts';
import { rotationFromDegrees } from '#domain/shared/pose.ts';
import { closedForm, worst, type ClosedForm, type Measurement } from '../closedForm.ts';
import type { Laboratory } from '../laboratory.ts';
import { formsPiece } from '../parts.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';

interface Echo {
  name: string;
  rangeM: number;
  intensity: number;
  /** Default: 1. */
  share?: number;
}

interface Look {
  what: string;
  azimuthDeg: number;
  pitchDeg?: number;
  fromM?: [number, number, number];
  wavelengthNm?: number;
  echoes: Echo[];
  mirrors?: number;
  /** Default: single precision, 1e-6 of ranges, intensities and shares. */
  tolerance?: number;
}

/** Oren and Nayar 1994 in the direction of the light: A and B. */
function roughOf(roughnessDeg: number): { a: number; b: number } {
  const variance = radians(roughnessDeg) ** 2;
  return { a: 1 - (0.5 * variance) / (variance + 0.33), b: (0.45 * variance) / (variance + 0.09) };
}

/** A panel in the plane x = 10, by the law of its surface. */
function panel(
  name: string,
  azimuthDeg: number,
  law: (cos: number, angleDeg: number) => number,
): Look {
  const cos = Math.cos(radians(azimuthDeg));
  const echo = { name, rangeM: 10 / cos, intensity: law(cos, azimuthDeg) };
  return { what: name, azimuthDeg, echoes: [echo] };
}

const leafDeg = 16;
const leafCos = Math.cos(radians(leafDeg));

/** A leaf with gaps in a quarter of its area, before a white panel that is bright at any wavelength. */
function leaf(wavelengthNm: number, reflectance: number): Look {
  return {
    what: `leaf, ${wavelengthNm} nm`,
    azimuthDeg: leafDeg,
    wavelengthNm,
    echoes: [
      { name: 'leaf', rangeM: 5 / leafCos, intensity: 0.75 * reflectance * leafCos, share: 0.75 },
      {
        name: 'behind-the-leaf',
        rangeM: 10 / leafCos,
        intensity: 0.25 * 0.8 * leafCos,
        share: 0.25,
      },
    ],
  };
}

/** Light that crosses a pane of lossless faces at 45°, (1 − F)/(1 + F); F by sines and tangents. */
function paneShare(): number {
  const [incident, behind] = [Math.PI / 4, Math.asin(Math.SQRT1_2 / 1.5)];
  const [difference, sum] = [incident - behind, incident + behind];
  const faces = [
    (Math.sin(difference) / Math.sin(sum)) ** 2,
    (Math.tan(difference) / Math.tan(sum)) ** 2,
  ];
  return faces.reduce((share, face) => share + (1 - face) / (1 + face) / 2, 0);
}

const sign = (_: number, angleDeg: number): number => 200 * 2 ** -((angleDeg / 20) ** 2);
const { a, b } = roughOf(40);
/** Straight down through 0.2 m of water, which absorbs 7 /m. */
const poolShare = (1 - (0.33 / 2.33) ** 2) * Math.exp(-7 * 0.2);
const mirrorDeg = degrees(Math.atan2(16, 10));

const looks: Look[] = [
  panel('white-panel', -31, (cos) => 0.8 * cos),
  panel('rough-panel', -17, (cos) => 0.8 * (a * cos + b * (1 - cos * cos))),
  // Ångström 1925: 0.3 / (1.33² · 0.7 + 0.3).
  panel('wet-panel', -54.5, (cos) => (0.3 / (1.33 ** 2 * 0.7 + 0.3)) * cos),
  panel('sign', 2.5, sign),
  leaf(905, 0.48),
  leaf(680, 0.05),
  leaf(715, (0.05 + 0.42) / 2),
  leaf(2000, 0.28),
  {
    what: 'panel behind glass',
    azimuthDeg: -45,
    echoes: [
      {
        name: 'behind-the-glass',
        rangeM: 10 * Math.SQRT2,
        intensity: 0.8 * paneShare() ** 2 * Math.SQRT1_2,
        share: paneShare(),
      },
    ],
  },
  {
    what: 'bottom of the pool',
    azimuthDeg: 0,
    pitchDeg: 90,
    fromM: [-3, 3, 1.2],
    echoes: [
      {
        name: 'ground',
        rangeM: 1 + 1.33 * 0.2,
        intensity: 0.27 * roughOf(25).a * poolShare ** 2,
        share: poolShare,
      },
    ],
    // The path is lifted off the face by 2⁻²⁰ of its coordinates, 3 m; water absorbs 7 /m out and back.
    tolerance: 2 * 7 * 3 * 2 ** -20 + 5e-6,
  },
  {
    what: 'sign in the mirror',
    azimuthDeg: mirrorDeg,
    echoes: [{ name: 'sign', rangeM: Math.hypot(10, 16), intensity: sign(1, mirrorDeg) }],
    mirrors: 1,
  },
];

type Radiometry = 'relative' | 'radar-equation';

function lookAt({ fire }: Laboratory, look: Look, radiometry: Radiometry = 'relative') {
  const { azimuthDeg, pitchDeg = 0, fromM = [0, 0, 1], wavelengthNm = 905 } = look;
  return fire({
    scene: 'optics',
    sensor: singleLaser({
      beam: singleRay,
      radiometry,
      wavelengthNm,
      range: { minM: 0, maxM: 100 },
      returns: { mode: 'all', signalCutoffM: 0, rangeResolutionM: 0.01 },
    }),
    columns: ['range_m', 'intensity', 'beam_share', 'object_id', 'mirrors'],
    poses: [{ positionM: fromM, rotation: rotationFromDegrees(azimuthDeg, pitchDeg, 0) }],
  });
}

function measureLook(look: Look): Measurement {
  const { what, echoes, mirrors = 0, tolerance = 5e-6 } = look;
  return async (laboratory) => {
    const found = await lookAt(laboratory, look);
    const nameOf = instanceNames((await laboratory.bench.scenario('optics')).compiled.recipe);
    const named = found.object_id.filter(
      (id, n) => nameOf(id) === echoes[n]?.name && found.mirrors[n] === mirrors,
    );
    const source = 'heading of the sample optics';
    const farthest = (column: 'range_m' | 'intensity' | 'beam_share', of: (echo: Echo) => number) =>
      worst(
        echoes.map((echo, n) => ({ measured: (found[column][n] ?? NaN) / of(echo), expected: 1 })),
      );
    const ratio = (of: string, estimate: ReturnType<typeof worst>): ClosedForm =>
      closedForm(
        { name: `sample optics, ${what}: ${of} over its law`, tolerance, source },
        estimate,
      );
    return [
      closedForm(
        { name: `sample optics, ${what}: returns`, expected: echoes.length, source },
        found.rows,
      ),
      closedForm(
        {
          name: `sample optics, ${what}: returns of the objects that are there`,
          expected: echoes.length,
          source,
        },
        named.length,
      ),
      ratio(
        'range',
        farthest('range_m', ({ rangeM }) => rangeM),
      ),
      ratio(
        'intensity',
        farthest('intensity', ({ intensity }) => intensity),
      ),
      ratio(
        'share of the beam',
        farthest('beam_share', ({ share = 1 }) => share),
      ),
    ];
  };
}

/** Kim's law below 0.5 km: 3.912 / V, whatever the wavelength. */
const extinctionPerM = 3.912 / 200;

/** Power over relative intensities: there and back. */
const fog: Measurement = async (laboratory) => {
  const pairs: { measured: number; expected: number }[] = [];
  for (const look of looks) {
    const relative = await lookAt(laboratory, look);
    const power = await lookAt(laboratory, look, 'radar-equation');
    for (const [n, intensity] of power.intensity.entries()) {
      const rangeM = relative.range_m[n] ?? NaN;
      const factor = Math.exp(-2 * extinctionPerM * rangeM) / rangeM ** 2;
      const measured = intensity / (factor * (relative.intensity[n] ?? NaN));
      // In the pool light is in air for 1 m alone.
      if (look.what !== 'bottom of the pool') pairs.push({ measured, expected: 1 });
    }
  }
  const law = {
    name: 'sample optics in fog: power over intensity and its law',
    tolerance: 5e-6,
    source: 'Kim 2001: 3.912/V below 0.5 km; R⁻²',
  };
  return [closedForm(law, worst(pairs))];
};

export const opticsSample = formsPiece({
  name: 'optics-sample',
  ours: 'Sample optics: level rays at its panels, its leaf, its pane, its sign and its mirror, and one into its pool.',
  rows: [...looks.map(measureLook), fog],
});
