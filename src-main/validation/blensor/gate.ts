// Gschwandtner 2011, figure 2b and equation 1: plates of every reflectance at every distance, and which of them
// the HDL-64E S2 sees.
import type { Vector3 } from '#domain/shared/pose.ts';
import { above, equal } from '../criteria.ts';
import { openLaboratory } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { solids, wall } from '../scenes.ts';
import { singleLaser } from '../simpleSensors.ts';

const spacingM = 10;
const reflectances = Array.from({ length: 18 }, (_, n) => (n + 1) * 0.05);
// Steps of 4.8 m: none at 50 m, and none on the line with a reflectance of the list.
const distancesM = Array.from({ length: 26 }, (_, n) => 10 + 4.8 * n);
/** Equation 1, and nothing beyond 120 m. */
const [fullToM, noneBeyondM, near, far] = [50, 120, 0.1, 0.8];

export const gate: Piece = {
  name: 'gate',
  catches: ['gate-inverted'],
  async run(bench, options) {
    const { fire } = openLaboratory(bench, options);
    const s2 = await bench.sensor('hdl-64e-s2');
    // Its gate, spot and mode on one laser that reaches farther than the gate.
    const laser = await bench.sensor(singleLaser({}));
    const places = reflectances.flatMap((reflectance, plate) =>
      distancesM.map((distanceM) => ({ reflectance, plate, distanceM })),
    );
    const sensor = { ...laser, beam: s2.beam, returns: s2.returns };
    const fired = await fire({
      scene: solids(
        reflectances.map((reflectance, n) => ({
          shape: { kind: 'box', sizeM: [0.1, 4, 4] },
          material: { reflectance },
          positionM: [0.05, n * spacingM, 0],
        })),
      ),
      sensor,
      columns: ['return_no'],
      poses: places.map(({ plate, distanceM }) => {
        const positionM: Vector3 = [-distanceM, plate * spacingM, 0];
        return { positionM, rotation: [0, 0, 0, 1] };
      }),
    });
    const returnsOf = async (reflectance: number, atM: number): Promise<number> =>
      (await fire({ scene: wall({ reflectance }, atM), sensor, columns: ['return_no'] })).rows;
    const isSeen = places.map((_, row) => (fired.return_no[row] ?? 0) > 0);
    const differing = places.filter(
      ({ reflectance, distanceM }, row) => isSeen[row] !== distanceM <= farthestM(reflectance),
    );
    const pointsOf = (wanted: boolean): [number, number][] =>
      places.flatMap(({ distanceM, reflectance }, row) =>
        isSeen[row] === wanted ? [[distanceM, reflectance] as [number, number]] : [],
      );
    return {
      ours: [
        `Gate: ${places.length} plates of reflectance 0.05 to 0.90 at 10 to 130 m, one pulse each, with the gate and the spot of the asset hdl-64e-s2.`,
      ],
      charts: [
        {
          title: 'Figure 2b: which plates return',
          x: { name: 'distance', unit: 'm', from: 0, to: 140 },
          y: { name: 'reflectance', unit: '', from: 0, to: 1 },
          series: [
            { name: 'seen', kind: 'points', colour: '#3a6ea5', data: pointsOf(true) },
            { name: 'lost', kind: 'points', colour: '#d9a79d', data: pointsOf(false) },
            {
              name: 'equation 1',
              kind: 'line',
              colour: '#c8452f',
              data: [
                [fullToM, 0],
                [fullToM, near],
                [noneBeyondM, far],
                [noneBeyondM, 1],
              ],
            },
          ],
        },
      ],
      criteria: [
        above('plates that the gate loses', pointsOf(false).length, 0),
        equal('plates that are seen or lost against equation 1', differing.length, 0),
        equal('returns of a plate of 1 % at 49 m', await returnsOf(0.01, 49), 1),
        equal('returns of a black plate at 10 m', await returnsOf(0, 10), 0),
      ],
    };
  },
};

/**
 * The other way round than equation 1, whose line rises by 1 % a metre from 10 % at 50 m: a plate of reflectance ρ > 0
 * is seen up to 40 m + ρ·100 m, but at least to 50 m and at most to 120 m.
 */
function farthestM(reflectance: number): number {
  return Math.min(120, Math.max(50, 40 + 100 * reflectance));
}
