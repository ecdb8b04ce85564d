// Laws of extinction, from the signals of a wall at two distances: α in dB/km, one way, is
// 10·log10(I₁R₁²/(I₂R₂²)) / (2·ΔR).
import type { SceneInput } from '#contract/documents/scene.ts';
import { closedForm, type Law, type Measurement } from '../closedForm.ts';
import type { Laboratory } from '../laboratory.ts';
import { formsPiece } from '../parts.ts';
import { plates } from '../scenes.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';

type Air = NonNullable<SceneInput['atmosphere']>;

const nearM = 20;
/** The signal between the two walls falls by about this. */
const fallDecibel = 20;
/** 32-bit intensities: 1e-7 of each of two, over a fall of at least 2 dB. */
const rounding = 5e-7;
const decibelsPerNeper = 10 / Math.LN10;

/** `expected`: one way, dB/km; `tolerance`: of the printed value. */
interface AirLaw extends Law {
  air: Air;
  wavelengthNm: number;
  expected: number;
  tolerance: number;
}

const laws: AirLaw[] = [
  ...[60, 23, 3].map((visibilityKm): AirLaw => {
    const expected = -(decibelsPerNeper * Math.log(0.02)) / visibilityKm;
    return {
      name: `Kruse at ${visibilityKm} km, 550 nm`,
      air: { visibilityKm },
      wavelengthNm: 550,
      // 3.912 is −ln 0.02 to four digits.
      expected,
      tolerance: 1e-5 * expected,
      source: 'Koschmieder 1924: 2 % of the contrast is left at V, at 550 nm',
    };
  }),
  kruse(60, 1064, -1.6),
  kruse(10, 1550, -1.3),
  // 0.585·V^⅓ at 8/27 km is 0.39.
  kruse(8 / 27, 1064, -0.39),
  kim(0.2, 785, 85),
  kim(0.2, 1550, 85),
  kim(0.5, 1550, 34),
  kim(1, 785, 14),
  kim(1, 1550, 10),
  kim(2, 785, 7),
  kim(2, 1550, 4),
  rain(10, 5.03),
  rain(50, 14.8),
  {
    name: 'given extinction, 0.01 /m',
    air: { extinctionPerM: 0.01 },
    wavelengthNm: 905,
    // Bouguer: 10·log10(e) dB for each neper.
    expected: 43.429448,
    tolerance: 1e-4,
    source: 'Bouguer 1729: 4.3429 dB a neper',
  },
];

/** Parts of the air add up. */
const sum: Measurement = async (laboratory) => {
  const [haze, rainfall, given] = [
    { visibilityKm: 2 },
    { rainMmPerH: 20 },
    { extinctionPerM: 0.001 },
  ];
  let expected = 0;
  for (const air of [haze, rainfall, given]) {
    expected += await decibelsPerKm(laboratory, air, 905, 5);
  }
  const together = { ...haze, ...rainfall, ...given };
  return [
    closedForm(
      {
        name: 'extinction, haze and rain and a given part together',
        expected,
        tolerance: 4 * rounding * expected,
        unit: 'dB/km',
        source: 'Bouguer 1729: exponents of independent parts add up',
      },
      await decibelsPerKm(laboratory, together, 905, expected),
    ),
  ];
};

export const airLaws = formsPiece({
  name: 'air-laws',
  catches: ['extinction-one-way'],
  ours: `Air: a wall at ${nearM} m and farther away, radar-equation; extinction from the fall of its signal beyond R⁻².`,
  rows: [
    ...laws.map(({ air, wavelengthNm, ...law }): Measurement => async (laboratory) => {
      const { name, expected } = law;
      const tolerance = law.tolerance + rounding * expected;
      const measured = await decibelsPerKm(laboratory, air, wavelengthNm, expected);
      return [
        closedForm({ ...law, name: `extinction, ${name}`, tolerance, unit: 'dB/km' }, measured),
      ];
    }),
    sum,
  ],
});

/** The exponent of the wavelength, by the ratio to 550 nm. */
function kruse(visibilityKm: number, wavelengthNm: number, exponent: number): AirLaw {
  const expected = ((decibelsPerNeper * 3.912) / visibilityKm) * (wavelengthNm / 550) ** exponent;
  return {
    name: `Kruse at ${visibilityKm.toPrecision(3)} km, ${wavelengthNm} nm`,
    air: { visibilityKm },
    wavelengthNm,
    expected,
    tolerance: 1e-5 * expected,
    source: 'Kruse 1962 in decibels: 16.99/V·(λ/550 nm)^−q',
  };
}

function kim(visibilityKm: number, wavelengthNm: number, expected: number): AirLaw {
  return {
    name: `Kim at ${visibilityKm} km, ${wavelengthNm} nm`,
    air: { visibilityKm, visibilityLaw: 'kim' },
    wavelengthNm,
    expected,
    tolerance: 0.5,
    source: 'Kim 2001, table of attenuation in fog and haze, dB/km to its last digit (recalled)',
  };
}

function rain(rainMmPerH: number, expected: number): AirLaw {
  return {
    name: `rain of ${rainMmPerH} mm/h`,
    air: { rainMmPerH },
    wavelengthNm: 905,
    expected,
    tolerance: 0.005,
    source: 'ITU-R P.1814, 1.076·R^0.67 dB/km, tabulated to 0.01',
  };
}

async function decibelsPerKm(
  laboratory: Laboratory,
  air: Air,
  wavelengthNm: number,
  aboutDecibelPerKm: number,
): Promise<number> {
  const farM = nearM + Math.min(900, (1000 * fallDecibel) / (2 * aboutDecibelPerKm));
  return (
    1000 * decibelsPerNeper * (await extinctionPerM(laboratory, air, wavelengthNm, [nearM, farM]))
  );
}

/** From the signals of a wall at two distances. */
export async function extinctionPerM(
  { fire }: Laboratory,
  atmosphere: Air,
  wavelengthNm: number,
  [nearM, farM]: readonly [number, number],
): Promise<number> {
  const { intensity } = await fire({
    scene: plates([{ material: { reflectance: 0.9 }, faceM: [0, 0, 0] }], { atmosphere }),
    sensor: singleLaser({ beam: singleRay, radiometry: 'radar-equation', wavelengthNm }),
    columns: ['intensity'],
    poses: [nearM, farM].map((distanceM) => ({
      positionM: [-distanceM, 0, 0],
      rotation: [0, 0, 0, 1],
    })),
  });
  const [near = NaN, far = NaN] = intensity;
  return Math.log((near * nearM ** 2) / (far * farM ** 2)) / (2 * (farM - nearM));
}
