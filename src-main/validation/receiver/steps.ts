// Steps of reported ranges: rounded to the nearest, errors are uniform over a step.
import { closedForm, formsPart, meanForm, sigmaForm } from '../closedForm.ts';
import { buildPlates, fireAlong } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { laserSlotNs, singleLaser } from '../simpleSensors.ts';
import { straight } from '../trajectories.ts';

const stepM = 0.05;
const pulses = 10_000;
/** So that ranges pass through many steps, evenly. */
const wayM = 1.7;

export const steps: Piece = {
  name: 'steps',
  async run(bench) {
    await buildPlates(bench, { grey: { reflectance: 0.5 } }, [
      { material: 'grey', faceM: [20, 0, 0] },
    ]);
    const toNs = pulses * laserSlotNs;
    const columns = await fireAlong(
      bench,
      singleLaser({ quantisation: { rangeM: stepM } }),
      ['range_m', 'range_clean_m'],
      { trajectory: straight([0, 0, 0], [wayM, 0, 0], toNs), toNs, seed: 1 },
    );
    const errors = Array.from(
      columns.range_m,
      (rangeM, row) => (rangeM - (columns.range_clean_m[row] ?? NaN)) / stepM,
    );
    const offGrid = Array.from(columns.range_m, (rangeM) => {
      const count = rangeM / stepM;
      return Math.abs(count - Math.round(count));
    });
    const source = 'uniform law: mean 0, standard deviation 1/√12';
    return formsPart(`Steps: ranges of a moving laser in steps of ${stepM} m, ${pulses} pulses.`, [
      closedForm('range step: mean error, in steps', {
        ...meanForm(errors),
        expected: 0,
        source,
      }),
      closedForm('range step: standard deviation of errors, in steps', {
        ...sigmaForm(errors),
        expected: 1 / Math.sqrt(12),
        source,
      }),
      closedForm('range step: greatest distance from a whole step, in steps', {
        // 32-bit ranges of 20 m: 1e-6 m.
        measured: Math.max(...offGrid),
        expected: 0,
        tolerance: 1e-6 / stepM,
        source: 'reported ranges are whole steps',
      }),
    ]);
  },
};
