// Retro-reflectors, spectra and gap fractions: intensities of one ray at plates of one material, and the law of images
// in a plane mirror.
import { radians } from '#domain/shared/numbers.ts';
import { about, form, forms, differences, type Measurement } from '../closedForm.ts';
import { formsPiece, greatest } from '../parts.ts';
import { grey, plates, wall, type Material, type Plate } from '../scenes.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';
import { turnedLeft } from '../trajectories.ts';

const plateM = 10;
const [gain, halfWidthDeg, diffuse] = [1000, 10, 0.5];
const sign: Material = {
  reflectance: diffuse,
  surface: { kind: 'retroreflector', gain, halfWidthDeg },
};
/** Rounding of the angle: a 32-bit cosine c is off by 6e-8, its angle by 6e-8/sin θ, and near head-on by √(2·6e-8). */
const cosineRounding = 1.2e-7;

function lobeTolerance(turnRad: number): number {
  const offRad = turnRad === 0 ? Math.sqrt(2 * cosineRounding) : cosineRounding / turnRad;
  // d ln I/dθ = −2 ln 2·θ/h²; at 0 the second order, ln 2·θ²/h².
  return (Math.LN2 * offRad * Math.max(offRad, 2 * turnRad)) / radians(halfWidthDeg) ** 2 + 1e-6;
}

function lobe(count: number, expected: number): Measurement {
  const yawDeg = count * halfWidthDeg;
  return form({
    name: `retro-reflector at ${count} half widths`,
    scene: wall(sign, plateM, yawDeg),
    sensor: singleLaser({ beam: singleRay }),
    statistic: 'intensity',
    expected: about(expected, expected * lobeTolerance(radians(yawDeg))),
    source: 'definition of the half width: the lobe falls to 1/2, 1/16, 1/512 at 1, 2, 3 of it',
  });
}

export const retroReflector = formsPiece({
  name: 'retro-reflector',
  catches: ['lobe-to-one-over-e'],
  ours: `Retro-reflector: gain ${gain}, half width ${halfWidthDeg}°, diffuse reflectance ${diffuse}; one ray at a plate turned by multiples of the half width.`,
  rows: [
    // A lobe that halves at one width falls by 2^-(n²) at n of them.
    ...[gain, gain / 2, gain / 16, gain / 512].map((expected, count) => lobe(count, expected)),
    form({
      name: 'retro-reflector beyond its lobe',
      scene: wall(sign, plateM, 60),
      sensor: singleLaser({ beam: singleRay }),
      statistic: 'intensity',
      expected: about(diffuse / 2, 1e-6),
      source: 'Lambert 1760: ρ/2 at 60°',
    }),
  ],
});

/** About a green leaf: dark to 680 nm, bright from 780 nm on. */
const leaf: Material = {
  reflectance: [
    [532, 0.1],
    [680, 0.06],
    [780, 0.46],
    [1550, 0.3],
  ],
  // Lost: nothing goes straight through.
  transmittance: [
    [680, 0.03],
    [905, 0.45],
  ],
};

/** On the red edge reflectance rises by 0.4 in 100 nm. Without a wavelength a laser has 905 nm. */
const wavelengths: { where: string; wavelengthNm?: number; expected: number }[] = [
  { where: 'before the first point', wavelengthNm: 355, expected: 0.1 },
  { where: 'a tenth up the red edge', wavelengthNm: 690, expected: 0.1 },
  { where: 'half up the red edge', wavelengthNm: 730, expected: 0.26 },
  { where: 'of a laser that states none', expected: 0.46 - (0.16 * 125) / 770 },
  { where: 'at a point', wavelengthNm: 1550, expected: 0.3 },
  { where: 'behind the last point', wavelengthNm: 2000, expected: 0.3 },
];

export const spectra = formsPiece({
  name: 'spectra',
  ours: 'Spectra: a wall head on, seen by lasers of five wavelengths.',
  rows: wavelengths.map(({ where, expected, ...wavelength }) =>
    form({
      name: `spectrum, ${where} (${wavelength.wavelengthNm ?? 905} nm): reflectance`,
      scene: wall(leaf, plateM),
      sensor: singleLaser({ beam: singleRay, ...wavelength }),
      statistic: 'intensity',
      expected: about(expected, 1e-7),
      source: 'rule of three; constant beyond the ends',
    }),
  ),
});

const [gap, sheets, sheetReflectance, behind] = [0.7, 4, 0.2, 0.9];
const gauze = Array.from({ length: sheets }, (_, n): Plate => ({
  material: { reflectance: sheetReflectance, gapFraction: gap },
  faceM: [4 + n, 0, 0],
  sizeM: [6, 6],
  isSheet: true,
}));

/** A wall behind n sheets of which a share g is gaps comes back × gⁿ; the shares of the beam add up to 1. */
export const gapFraction = formsPiece({
  name: 'gap-fraction',
  catches: ['gap-twice'],
  ours: `Gap fraction: ${sheets} sheets with gaps of ${gap}, 1 m apart, before a white wall; one ray, every return.`,
  rows: [
    forms({
      scene: plates([...gauze, { material: { reflectance: behind }, faceM: [12, 0, 0] }]),
      sensor: singleLaser({
        beam: singleRay,
        returns: { mode: 'all', maxReturns: 16, rangeResolutionM: 0.1, signalCutoffM: 0.05 },
      }),
      columns: ['intensity', 'beam_share'],
      source: 'product of independent gaps; telescoping sum of (1 − g)·gᵏ and gⁿ',
      laws: [
        {
          name: `gap fraction: returns of ${sheets} sheets and the wall`,
          statistic: 'rows',
          expected: sheets + 1,
          source: 'one for each surface',
        },
        {
          name: 'gap fraction: share of the beam that passes all sheets',
          statistic: ({ beam_share: shares }) => shares[sheets] ?? NaN,
          expected: about(Math.exp(sheets * Math.log(gap)), 1e-6),
        },
        {
          name: 'gap fraction: intensity of the wall behind all sheets',
          statistic: ({ intensity }) => intensity[sheets] ?? NaN,
          expected: about(behind * Math.exp(sheets * Math.log(gap)), 1e-6),
        },
        {
          name: 'gap fraction: share of the beam that ends at the second sheet',
          statistic: ({ beam_share: shares }) => shares[1] ?? NaN,
          expected: about(gap * (1 - gap), 1e-6),
        },
        {
          name: 'gap fraction: intensity of the second sheet',
          statistic: ({ intensity }) => intensity[1] ?? NaN,
          expected: about(gap * (1 - gap) * sheetReflectance, 1e-6),
        },
        {
          name: 'gap fraction: sum of the shares of the beam',
          statistic: ({ beam_share: shares }) => shares.reduce((sum, share) => sum + share, 0),
          expected: about(1, 1e-6),
        },
      ],
    }),
  ],
});

type Point = readonly [xM: number, yM: number];

/** The mirror passes through (5, 0) and is turned by this: a ray along x leaves at twice the angle. */
const mirrorDeg = -40;
const mirrorAtM: Point = [5, 0];
/** The wall that is seen in it passes through this point, across the line from the mirror. */
const wallAtM: Point = [4, 6];
const wallYawDeg = 70;
const fanDeg = [-4, -2, 0, 2, 4];

/** Normal of a plate turned by `yawDeg`, away from the sensor. */
function normalAt(yawDeg: number): Point {
  return [Math.cos(radians(yawDeg)), Math.sin(radians(yawDeg))];
}

function mirrored(point: Point, at: Point, normal: Point): Point {
  const height = dot([point[0] - at[0], point[1] - at[1]], normal);
  return [point[0] - 2 * height * normal[0], point[1] - 2 * height * normal[1]];
}

function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1];
}

// The image of the wall's plane: its point and its normal, mirrored.
const imagePoint = mirrored(wallAtM, mirrorAtM, normalAt(mirrorDeg));
const imageNormal = mirrored(normalAt(wallYawDeg), [0, 0], normalAt(mirrorDeg));
const cosines = fanDeg.map((yawDeg) => dot(normalAt(yawDeg), imageNormal));
const imageM = cosines.map((cosine) => dot(imagePoint, imageNormal) / cosine);
const imageIntensity = cosines.map((cosine) => 0.5 * Math.abs(cosine));
const farthest = (errors: readonly number[]): number =>
  errors.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a));

function mirrorScene(mirrorDepth?: number): ReturnType<typeof plates> {
  const mirror: Material = { reflectance: 1, surface: { kind: 'mirror' } };
  return plates(
    [
      { material: mirror, faceM: [...mirrorAtM, 0], sizeM: [4, 4], yawDeg: mirrorDeg },
      { material: grey, faceM: [...wallAtM, 0], sizeM: [20, 4], yawDeg: wallYawDeg },
    ],
    mirrorDepth === undefined ? {} : { mirrorDepth },
  );
}

const closest = singleLaser({ beam: singleRay, returns: { mode: 'closest' } });

/** A wall in a plane mirror lies where the mirrored wall would be, at that range and that angle to the ray. */
export const mirrorImage = formsPiece({
  name: 'mirror-image',
  ours: `Mirror: a plane mirror turned by ${-mirrorDeg}° and a wall seen in it, five rays.`,
  rows: [
    forms({
      scene: mirrorScene(),
      sensor: closest,
      columns: ['range_m', 'intensity', 'x_m', 'y_m', 'hit_x_m', 'hit_y_m', 'mirrors'],
      poses: fanDeg.map(turnedLeft),
      // Lifted off the mirror by 2⁻²⁰ of 12 m, and 32-bit lengths of two legs.
      expected: about(0, 3e-5, 'm'),
      source: 'law of images: the mirrored plane, met by the straight ray',
      laws: [
        {
          name: 'mirror: range to a wall seen in it, difference',
          statistic: ({ range_m: rangesM }) => farthest(differences(rangesM, imageM)),
        },
        {
          name: 'mirror: intensity of a wall seen in it, difference',
          statistic: ({ intensity }) => farthest(differences(intensity, imageIntensity)),
          tolerance: 1e-6,
          unit: '1',
        },
        {
          name: 'mirror: greatest distance of points from the first direction, at their range',
          statistic: ({ x_m: xM, y_m: yM }) =>
            greatest(
              fanDeg.map((yawDeg, n) => {
                const [along, left] = normalAt(yawDeg);
                const rangeM = imageM[n] ?? NaN;
                return Math.hypot((xM[n] ?? NaN) - along * rangeM, (yM[n] ?? NaN) - left * rangeM);
              }),
            ),
        },
        {
          name: 'mirror: greatest distance of hits from the wall itself',
          statistic: ({ hit_x_m: xM, hit_y_m: yM }) =>
            greatest(
              xM.map((x, n) =>
                dot([x - wallAtM[0], (yM[n] ?? NaN) - wallAtM[1]], normalAt(wallYawDeg)),
              ),
            ),
        },
        {
          name: 'mirror: paths with another number of mirrors than one',
          statistic: ({ mirrors }) => mirrors.filter((count) => count !== 1).length,
          tolerance: 0,
          unit: '1',
        },
      ],
    }),
    form({
      name: 'mirror: returns with a mirror depth of 0',
      scene: mirrorScene(0),
      sensor: closest,
      statistic: 'rows',
      expected: 0,
      source: 'a path ends at the mirror, which returns nothing',
    }),
  ],
});
