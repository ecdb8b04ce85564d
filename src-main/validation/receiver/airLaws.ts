// Laws of extinction, from the signals of a wall at two distances: α in dB/km, one way, is
// 10·log10(I₁R₁²/(I₂R₂²)) / (2·ΔR).
import type { SceneInput } from '#contract/documents/scenario.ts';
import type { ValidationBench } from '../bench.ts';
import { closedForm, formsPart, type ClosedForm } from '../closedForm.ts';
import { fireFrom, platesScene } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';

type Air = NonNullable<SceneInput['atmosphere']>;

const nearM = 20;
/** The signal between the two walls falls by about this. */
const fallDecibel = 20;
/** 32-bit intensities: 1e-7 of each of two, over a fall of at least 2 dB. */
const rounding = 5e-7;
const decibelsPerNeper = 10 / Math.LN10;

interface Law {
  name: string;
  air: Air;
  wavelengthNm: number;
  /** One way, dB/km. */
  expected: number;
  /** Tolerance of the printed value. */
  tolerance: number;
  source: string;
}

const koschmieder = 'Koschmieder 1924: 2 % of the contrast is left at V, at 550 nm';
const kimTable =
  'Kim 2001, table of attenuation in fog and haze, dB/km to its last digit (recalled)';
const laws: Law[] = [
  ...[60, 23, 3].map((visibilityKm): Law => {
    const expected = -(decibelsPerNeper * Math.log(0.02)) / visibilityKm;
    return {
      name: `Kruse at ${visibilityKm} km, 550 nm`,
      air: { visibilityKm },
      wavelengthNm: 550,
      // 3.912 is −ln 0.02 to four digits.
      expected,
      tolerance: 1e-5 * expected,
      source: koschmieder,
    };
  }),
  kruse(60, 1064, -1.6),
  kruse(10, 1550, -1.3),
  // 0.585·V^⅓ at 8/27 km is 0.39.
  kruse(8 / 27, 1064, -0.39),
  kim(0.2, 785, 85, 0.5),
  kim(0.2, 1550, 85, 0.5),
  kim(0.5, 1550, 34, 0.5),
  kim(1, 785, 14, 0.5),
  kim(1, 1550, 10, 0.5),
  kim(2, 785, 7, 0.5),
  kim(2, 1550, 4, 0.5),
  ...[
    [10, 5.03],
    [50, 14.8],
  ].map(([rate = NaN, expected = NaN]): Law => ({
    name: `rain of ${rate} mm/h`,
    air: { rainMmPerH: rate },
    wavelengthNm: 905,
    expected,
    tolerance: 0.005,
    source: 'ITU-R P.1814, 1.076·R^0.67 dB/km, tabulated to 0.01',
  })),
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

export const airLaws: Piece = {
  name: 'air-laws',
  async run(bench) {
    const forms: ClosedForm[] = [];
    for (const { name, air, wavelengthNm, expected, tolerance, source } of laws) {
      const measured = await decibelsPerKm(bench, air, wavelengthNm, expected);
      forms.push(
        closedForm(`extinction, ${name}`, {
          measured,
          expected,
          tolerance: tolerance + rounding * expected,
          unit: 'dB/km',
          source,
        }),
      );
    }
    forms.push(await sumForm(bench));
    return formsPart(
      `Air: a wall at ${nearM} m and farther away, radar-equation; extinction from the fall of its signal beyond R⁻².`,
      forms,
    );
  },
};

/** The exponent of the wavelength, by the ratio to 550 nm. */
function kruse(visibilityKm: number, wavelengthNm: number, exponent: number): Law {
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

function kim(visibilityKm: number, wavelengthNm: number, expected: number, tolerance: number): Law {
  return {
    name: `Kim at ${visibilityKm} km, ${wavelengthNm} nm`,
    air: { visibilityKm, visibilityLaw: 'kim' },
    wavelengthNm,
    expected,
    tolerance,
    source: kimTable,
  };
}

/** Parts of the air add up. */
async function sumForm(bench: ValidationBench): Promise<ClosedForm> {
  const parts: Air[] = [{ visibilityKm: 2 }, { rainMmPerH: 20 }, { extinctionPerM: 0.001 }];
  const alone: number[] = [];
  for (const air of parts) alone.push(await decibelsPerKm(bench, air, 905, 5));
  const expected = alone.reduce((sum, each) => sum + each, 0);
  return closedForm('extinction, haze and rain and a given part together', {
    measured: await decibelsPerKm(bench, Object.assign({}, ...parts) as Air, 905, expected),
    expected,
    tolerance: 4 * rounding * expected,
    unit: 'dB/km',
    source: 'Bouguer 1729: exponents of independent parts add up',
  });
}

async function decibelsPerKm(
  bench: ValidationBench,
  atmosphere: Air,
  wavelengthNm: number,
  aboutDecibelPerKm: number,
): Promise<number> {
  const document = platesScene({ white: { reflectance: 0.9 } }, [
    { material: 'white', faceM: [0, 0, 0] },
  ]);
  await bench.build(await bench.scene({ ...document, atmosphere }, 1));
  const farM = nearM + Math.min(900, (1000 * fallDecibel) / (2 * aboutDecibelPerKm));
  const sensor = singleLaser({ beam: singleRay, radiometry: 'radar-equation', wavelengthNm });
  const { intensity } = await fireFrom(
    bench,
    sensor,
    ['intensity'],
    [nearM, farM].map((distanceM) => ({
      positionM: [-distanceM, 0, 0],
      rotation: [0, 0, 0, 1],
    })),
  );
  const [near = NaN, far = NaN] = intensity;
  const fall = decibelsPerNeper * Math.log((near * nearM ** 2) / (far * farM ** 2));
  return (1000 * fall) / (2 * (farM - nearM));
}
