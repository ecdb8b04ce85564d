// Gap fraction: sheets of which a share g is gaps, one behind the other. What lies behind n of them comes back × gⁿ,
// the shares of the beam add up to 1.
import type { SceneInput } from '#contract/documents/scenario.ts';
import { closedForm, formsPart } from '../closedForm.ts';
import { buildPlates, fire, type Plate } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';

type Material = NonNullable<SceneInput['materials']>[string];

const gap = 0.7;
const sheets = 4;
const reflectance = 0.2;
const behind = 0.9;
const gauze: Material = { reflectance, gapFraction: gap };

export const gapFraction: Piece = {
  name: 'gap-fraction',
  async run(bench) {
    const plates = Array.from({ length: sheets }, (_, n): Plate => ({
      material: 'gauze',
      faceM: [4 + n, 0, 0],
      sizeM: [6, 6],
      isSheet: true,
    }));
    await buildPlates(bench, { gauze, white: { reflectance: behind } }, [
      ...plates,
      { material: 'white', faceM: [12, 0, 0] },
    ]);
    const { intensity, beam_share: shares } = await fire(
      bench,
      singleLaser({
        beam: singleRay,
        returns: { mode: 'all', maxReturns: 16, rangeResolutionM: 0.1, signalCutoffM: 0.05 },
      }),
      ['intensity', 'beam_share'],
    );
    const sum = shares.reduce((before, each) => before + each, 0);
    const source = 'product of independent gaps; telescoping sum of (1 − g)·gᵏ and gⁿ';
    return formsPart(
      `Gap fraction: ${sheets} sheets with gaps of ${gap}, 1 m apart, before a white wall; one ray, every return.`,
      [
        closedForm(`gap fraction: returns of ${sheets} sheets and the wall`, {
          measured: intensity.length,
          expected: sheets + 1,
          source: 'one for each surface',
        }),
        closedForm('gap fraction: share of the beam that passes all sheets', {
          measured: shares[sheets] ?? NaN,
          expected: Math.exp(sheets * Math.log(gap)),
          tolerance: 1e-6,
          source,
        }),
        closedForm('gap fraction: intensity of the wall behind all sheets', {
          measured: intensity[sheets] ?? NaN,
          expected: behind * Math.exp(sheets * Math.log(gap)),
          tolerance: 1e-6,
          source,
        }),
        closedForm('gap fraction: sum of the shares of the beam', {
          measured: sum,
          expected: 1,
          tolerance: 1e-6,
          source,
        }),
      ],
    );
  },
};
