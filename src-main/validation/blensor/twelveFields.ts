// Gschwandtner 2011, section 4: the twelve fields of BlenSor's ground truth, from one scan with noise: all there,
// and each point what time, angles and distance say.
import { columnSets } from '#contract/columns.ts';
import type { Criterion } from '#contract/host/validation.ts';
import { above, atMost, equal, within } from '../criteria.ts';
import { openLaboratory } from '../laboratory.ts';
import { greatest, type Piece } from '../parts.ts';
import { stationary } from '../trajectories.ts';

/** The ground is the first object of a scene; in this one it is level at z = 0. */
const groundId = 1;
const sensorAtM = [0, 0, 1] as const;
/** Ranges up to 71 m times 32-bit angles up to 2π, each off by 2.4e-7, and 32-bit ranges and points, 4e-6. */
const tolerance = 5e-5;

export const twelveFields: Piece = {
  name: 'twelve-fields',
  async run(bench, options) {
    const sensor = await bench.sensor('hdl-64e-s2');
    const names = columnSets.blensor.columns;
    const fired = await openLaboratory(bench, options).fire({
      scene: 'box',
      sensor,
      path: {
        trajectory: stationary({ positionM: [...sensorAtM], rotation: [0, 0, 0, 1] }),
        toNs: 1e8,
      },
      seed: options.seeds[0] ?? 1,
      columns: names,
    });
    const { rows } = fired;
    const whole = names.filter(
      (name) => fired[name].length === rows && fired[name].every(Number.isFinite),
    );
    const errors = { clean: [] as number[], noisy: [] as number[], noise: [] as number[] };
    let farNoiseM = 0;
    for (let row = 0; row < rows; row += 1) {
      const at = (name: (typeof names)[number]): number => fired[name][row] ?? NaN;
      const level = Math.cos(at('elevation_rad'));
      const direction = [
        level * Math.cos(at('azimuth_rad')),
        level * Math.sin(at('azimuth_rad')),
        Math.sin(at('elevation_rad')),
      ];
      const clean = [at('x_clean_m'), at('y_clean_m'), at('z_clean_m')];
      const noisy = [at('x_m'), at('y_m'), at('z_m')];
      const noiseM = at('range_m') - at('range_clean_m');
      farNoiseM = Math.max(farNoiseM, Math.abs(noiseM));
      for (const [axis, along] of direction.entries()) {
        const from = sensorAtM[axis] ?? NaN;
        const [p, q] = [clean[axis] ?? NaN, noisy[axis] ?? NaN];
        errors.clean.push(p - from - along * at('range_clean_m'));
        errors.noisy.push(q - from - along * at('range_m'));
        errors.noise.push(q - along * noiseM - p);
      }
    }
    const halfSpot = Math.tan(sensor.beam.divergenceVerticalRad / 2);
    const heightInSpots = (zM: number, row: number): number =>
      fired.object_id[row] === groundId ? zM / (halfSpot * (fired.range_clean_m[row] ?? NaN)) : 0;
    const error = (name: string, values: number[]): Criterion =>
      within(name, greatest(values), 0, tolerance, 'm');
    return {
      ours: [
        'Twelve fields: one scan of the asset hdl-64e-s2 in the sample scenario box, column set blensor.',
      ],
      tables: [
        {
          title: 'The twelve fields, first returns',
          columns: [...names],
          rows: [0, 1, 2, 3].map((n) => {
            const row = Math.floor((n * rows) / 4);
            return names.map((name) => fieldText(fired[name][row] ?? NaN));
          }),
        },
      ],
      criteria: [
        equal('fields present, with a finite value for every return', whole.length, 12),
        above('least object id', Math.min(...fired.object_id), 0),
        above('greatest noise of a range', farNoiseM, 0.01, 'm'),
        error(
          'clean point: greatest distance from sensor + direction · clean distance',
          errors.clean,
        ),
        error(
          'noisy point: greatest distance from sensor + direction · noisy distance',
          errors.noisy,
        ),
        error('clean point: greatest distance from noisy − noise', errors.noise),
        // The ray that decides lies within the spot, half a divergence above or below the axis at most.
        atMost(
          'clean points on the ground: greatest height, in half spots',
          greatest(fired.z_clean_m.map(heightInSpots)),
          1,
        ),
      ],
    };
  },
};

function fieldText(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(4);
}
