// Errors of a receiver's intensities: normal errors, a greatest value, steps.
import type { SensorInput } from '#contract/documents/sensor.ts';
import { closedForm, formsPart, meanForm, shareForm, sigmaForm } from '../closedForm.ts';
import { buildPlates, fire } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { singleLaser } from '../simpleSensors.ts';

const [fullPulses, quickPulses] = [40_000, 10_000];
const reflectance = 0.4;
const [noiseSigma, noiseShare] = [0.03, 0.1];
const step = 1 / 64;

export const intensityErrors: Piece = {
  name: 'intensity-errors',
  async run(bench, { isQuick, seeds }) {
    await buildPlates(bench, { grey: { reflectance } }, [{ material: 'grey', faceM: [20, 0, 0] }]);
    const pulses = isQuick ? quickPulses : fullPulses;
    const intensities = async (intensity: SensorInput['intensity']): Promise<number[]> => {
      const all: number[] = [];
      for (const seed of seeds) {
        const sensor = singleLaser({ ...(intensity && { intensity }) });
        const columns = await fire(bench, sensor, ['intensity'], { pulses, seed });
        for (const value of columns.intensity) all.push(value);
      }
      return all;
    };
    const noisy = await intensities({ noiseSigma, noiseShare });
    const cut = await intensities({ noiseSigma, saturation: reflectance });
    const stepped = await intensities({ noiseSigma, step });
    const atMost = (values: readonly number[]): number =>
      values.reduce((most, value) => Math.max(most, value), 0);
    const offGrid = stepped.map((value) => Math.abs(value / step - Math.round(value / step)));
    // 32-bit intensities of up to 1: 6e-8.
    const tolerance = 1e-7;
    return formsPart(
      `Errors of intensities: a plate of reflectance ${reflectance}, ${pulses} pulses for each seed.`,
      [
        closedForm('noise of an intensity: mean', {
          ...meanForm(noisy),
          expected: reflectance,
          tolerance,
          source: 'errors are centred',
        }),
        closedForm('noise of an intensity: standard deviation', {
          ...sigmaForm(noisy),
          expected: Math.hypot(noiseSigma, noiseShare * reflectance),
          tolerance,
          source: 'variances of independent errors add up',
        }),
        closedForm('saturation at the mean: share of saturated returns', {
          ...shareForm(cut.filter((value) => value === atMost(cut)).length, cut.length, 0.5),
          source: 'half of the normal law lies above its mean',
        }),
        closedForm('saturation: greatest intensity', {
          ...{
            measured: atMost(cut),
            expected: reflectance,
            tolerance,
            source: 'the stated value',
          },
        }),
        closedForm('saturation at the mean: mean', {
          ...meanForm(cut),
          expected: reflectance - noiseSigma / Math.sqrt(2 * Math.PI),
          tolerance,
          source: 'mean of the half-normal law: σ/√(2π) is cut',
        }),
        closedForm('intensity step: greatest distance from a whole step, in steps', {
          measured: atMost(offGrid),
          expected: 0,
          source: 'the step is a power of two',
        }),
        closedForm('intensity step: standard deviation', {
          ...sigmaForm(stepped),
          expected: Math.hypot(noiseSigma, step / Math.sqrt(12)),
          // Sheppard: what the sum of the characteristic function leaves, 2·e^(−2(πσ/step)²), is below 1e-30.
          tolerance,
          source: 'Sheppard 1897: the step adds step²/12 to the variance',
        }),
      ],
    );
  },
};
