// Dual return as manuals state it: the strongest and the last echo; where they are the same, the second strongest. Plates
// at several distances share the nine rays of a pulse; a plate's signal is its rays' weight times reflectance over R².
import { closedForm, formsPart, type ClosedForm } from '../closedForm.ts';
import { buildPlates, fire } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { singleLaser } from '../simpleSensors.ts';

const divergenceMrad = 12.9;
/** Where a plate's edge leaves three of nine rays to it, and one, at 10 m. */
const [threeRaysM, oneRayM] = [0.02, 0.04];

interface Case {
  name: string;
  /** Reflectances by distance, and the edge of the nearer plates, left of the axis. */
  plates: { faceM: number; reflectance: number; edgeM?: number }[];
  /** Distances, in order of return_no. */
  expectedM: number[];
}

const cases: Case[] = [
  {
    name: 'the strongest is the nearer one',
    plates: [
      { faceM: 10, reflectance: 0.9, edgeM: threeRaysM },
      { faceM: 20, reflectance: 0.1 },
    ],
    expectedM: [10, 20],
  },
  {
    name: 'the strongest is the last: the leaf before it is returned, too',
    plates: [
      { faceM: 10, reflectance: 0.05, edgeM: threeRaysM },
      { faceM: 20, reflectance: 0.9 },
    ],
    expectedM: [20, 10],
  },
  {
    name: 'the strongest of three is the last: the second strongest, not the nearest',
    plates: [
      { faceM: 10, reflectance: 0.02, edgeM: oneRayM },
      { faceM: 14, reflectance: 0.2, edgeM: threeRaysM },
      { faceM: 20, reflectance: 0.9 },
    ],
    expectedM: [20, 14],
  },
  { name: 'one surface', plates: [{ faceM: 20, reflectance: 0.9 }], expectedM: [20] },
];

export const dualReturns: Piece = {
  name: 'dual-returns',
  async run(bench) {
    const forms: ClosedForm[] = [];
    for (const { name, plates, expectedM } of cases) {
      const materials = plates.map(({ reflectance }, n) => [`m${n}`, { reflectance }] as const);
      await buildPlates(
        bench,
        Object.fromEntries(materials),
        plates.map(({ faceM, edgeM }, n) => ({
          material: `m${n}`,
          faceM: [faceM, edgeM === undefined ? 0 : edgeM + 2, 0],
          ...(edgeM !== undefined && { sizeM: [4, 4] as const }),
        })),
      );
      const { range_m: rangesM } = await fire(
        bench,
        singleLaser({
          divergenceMrad,
          returns: { mode: 'strongest-and-last', rangeResolutionM: 1 },
          radiometry: 'radar-equation',
        }),
        ['range_m'],
      );
      const source = 'manuals of VLP-16 and VLP-32C, section 9.3';
      forms.push(
        closedForm(`${name}: rows`, {
          measured: rangesM.length,
          expected: expectedM.length,
          source,
        }),
        ...expectedM.map((expected, n) =>
          closedForm(`${name}: return ${n + 1}`, {
            measured: rangesM[n] ?? NaN,
            expected,
            // Rays off the axis are longer by half the square of half the divergence.
            tolerance: (expected * (divergenceMrad / 2000) ** 2) / 2,
            unit: 'm',
            source,
          }),
        ),
      );
    }
    return formsPart('Dual returns: plates that share the rays of a pulse.', forms);
  },
};
