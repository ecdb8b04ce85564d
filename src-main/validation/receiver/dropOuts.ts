// Drop-outs: each return is lost with the same probability, independently of the others of its pulse.
import { closedForm, formsPart, shareForm } from '../closedForm.ts';
import { buildPlates, fire } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { singleLaser } from '../simpleSensors.ts';

const [fullPulses, quickPulses] = [40_000, 10_000];
const share = 0.2;
/** The plate that three of nine rays meet is the strongest, the wall behind it the last. */
const [bright, dark] = [0.9, 0.3];

export const dropOuts: Piece = {
  name: 'drop-outs',
  async run(bench, { isQuick, seeds }) {
    // Two surfaces in each beam, 3 m apart.
    await buildPlates(bench, { bright: { reflectance: bright }, dark: { reflectance: dark } }, [
      { material: 'bright', faceM: [10, 2.02, 0], sizeM: [4, 4] },
      { material: 'dark', faceM: [13, 0, 0] },
    ]);
    const pulses = isQuick ? quickPulses : fullPulses;
    let [lost, bothLost] = [0, 0];
    for (const seed of seeds) {
      const columns = await fire(
        bench,
        singleLaser({
          divergenceMrad: 12.9,
          returns: { mode: 'strongest-and-last', rangeResolutionM: 0.5 },
          noise: { dropOutShare: share },
        }),
        ['pulse'],
        { pulses, seed },
      );
      lost += 2 * pulses - columns.pulse.length;
      bothLost += pulses - new Set(columns.pulse).size;
    }
    const trials = pulses * seeds.length;
    return formsPart(
      `Drop-outs: ${share * 100} % of the returns of pulses that have two, ${trials} pulses.`,
      [
        closedForm('drop-outs: share of the returns', {
          ...shareForm(lost, 2 * trials, share),
          source: 'binomial law',
        }),
        closedForm('drop-outs: share of the pulses without any return', {
          ...shareForm(bothLost, trials, share ** 2),
          source: 'independent losses: the square of the share',
        }),
      ],
    );
  },
};
