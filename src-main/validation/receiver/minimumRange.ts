// The minimum range: what is nearer blocks its rays and returns nothing; the rest of the beam continues.
import type { ValidationBench } from '../bench.ts';
import { closedForm, formsPart } from '../closedForm.ts';
import { buildPlates, fire, type Plate } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { singleLaser } from '../simpleSensors.ts';

const divergenceMrad = 12.9;
const [minM, plateM, wallM] = [5, 4, 10];
/** At 4 m the rays of the ring pass at 0, ±13.7 and ±19.4 mm. */
const edgeM = 0.008;
const reflectance = 0.5;

export const minimumRange: Piece = {
  name: 'minimum-range',
  async run(bench) {
    const half = await sharesOf(bench, { material: 'grey', faceM: [plateM, edgeM + 1, 0] }, 2);
    const whole = await sharesOf(bench, { material: 'grey', faceM: [plateM, 0, 0] }, 4);
    const source = 'geometry of the stencil: six of nine rays pass beside the plate';
    return formsPart(
      `Minimum range: a plate at ${plateM} m, nearer than ${minM} m, before a wall at ${wallM} m.`,
      [
        closedForm('minimum range: share of a wall behind a near plate', {
          measured: half[0] ?? NaN,
          expected: 6 / 9,
          tolerance: 1e-6,
          source,
        }),
        closedForm('minimum range: returns behind a near plate that covers the beam', {
          measured: whole.length,
          expected: 0,
          source: 'every ray ends at the plate',
        }),
      ],
    );
  },
};

async function sharesOf(
  bench: ValidationBench,
  plate: Plate,
  widthM: number,
): Promise<Float32Array> {
  await buildPlates(bench, { grey: { reflectance } }, [
    { ...plate, sizeM: [widthM, 4] },
    { material: 'grey', faceM: [wallM, 0, 0] },
  ]);
  const { beam_share: shares } = await fire(
    bench,
    singleLaser({
      divergenceMrad,
      range: { minM, maxM: 100 },
      returns: { mode: 'strongest', signalCutoffM: 1 },
    }),
    ['beam_share'],
  );
  return shares;
}
