// Returns of noise alone: their number for each pulse is Poisson's, their ranges are uniform between the limits.
import { closedForm, formsPart, meanForm, shareForm, sigmaForm } from '../closedForm.ts';
import { buildPlates, fire } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { singleLaser } from '../simpleSensors.ts';

const [fullPulses, quickPulses] = [40_000, 10_000];
const perPulse = 0.3;
const [minM, maxM] = [10, 90];

export const falseAlarms: Piece = {
  name: 'false-alarms',
  async run(bench, { isQuick, seeds }) {
    // A plate to the side that no pulse meets.
    await buildPlates(bench, { grey: { reflectance: 0.5 } }, [
      { material: 'grey', faceM: [20, 400, 0] },
    ]);
    const pulses = isQuick ? quickPulses : fullPulses;
    const sensor = singleLaser({
      range: { minM, maxM },
      returns: {
        rangeResolutionM: 1,
        detection: { reflectance: 0.1, rangeM: 50, falseAlarmsPerPulse: perPulse },
      },
    });
    const rangesM: number[] = [];
    const ofPulse: number[] = [];
    let [surfaces, silent] = [0, 0];
    for (const seed of seeds) {
      const columns = await fire(bench, sensor, ['pulse', 'range_m', 'object_id'], {
        pulses,
        seed,
      });
      const counts = new Array<number>(pulses).fill(0);
      for (const pulse of columns.pulse) counts[Number(pulse)] = (counts[Number(pulse)] ?? 0) + 1;
      ofPulse.push(...counts);
      silent += counts.filter((count) => count === 0).length;
      rangesM.push(...columns.range_m);
      surfaces += columns.object_id.filter((id) => id !== 0).length;
    }
    const trials = pulses * seeds.length;
    const variance = sigmaForm(ofPulse).measured ** 2;
    return formsPart(
      `False alarms: ${perPulse} a pulse between ${minM} and ${maxM} m, ${trials} pulses that meet nothing.`,
      [
        closedForm('false alarms: mean number of a pulse', {
          ...meanForm(ofPulse),
          expected: perPulse,
          source: 'the stated number',
        }),
        closedForm('false alarms: variance of the number of a pulse', {
          measured: variance,
          expected: perPulse,
          // Variance of a sample's variance, (μ4 − σ⁴)/n, with Poisson's μ4 = λ + 3λ².
          standardError: Math.sqrt((perPulse + 2 * perPulse ** 2) / trials),
          source: "Poisson's law: the variance is the mean",
        }),
        closedForm('false alarms: share of pulses without one', {
          ...shareForm(silent, trials, Math.exp(-perPulse)),
          source: "Poisson's law: e^−λ",
        }),
        closedForm('false alarms: mean range', {
          ...meanForm(rangesM),
          expected: (minM + maxM) / 2,
          unit: 'm',
          source: 'uniform law',
        }),
        closedForm('false alarms: standard deviation of ranges', {
          ...sigmaForm(rangesM),
          expected: (maxM - minM) / Math.sqrt(12),
          unit: 'm',
          source: 'uniform law: length/√12',
        }),
        closedForm('false alarms: least and greatest range within the limits', {
          measured: Math.max(
            0,
            minM - Math.min(...extremes(rangesM)),
            Math.max(...extremes(rangesM)) - maxM,
          ),
          expected: 0,
          unit: 'm',
          source: 'no row lies outside of the limits',
        }),
        closedForm('false alarms: rows that name an object', {
          measured: surfaces,
          expected: 0,
          source: 'noise meets no surface',
        }),
      ],
    );
  },
};

/** Least and greatest. */
function extremes(values: readonly number[]): [number, number] {
  return values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
}
