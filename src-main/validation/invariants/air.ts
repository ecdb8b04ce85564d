// Extinction by clear air, from the signals of one wall at two ranges: α = ln(I₁R₁²/(I₂R₂²)) / (2(R₂ − R₁)).
import type { Criterion } from '#contract/host/validation.ts';
import type { ValidationBench } from '../bench.ts';
import { within } from '../criteria.ts';
import type { Piece } from '../parts.ts';
import { laserSlotNs, singleLaser, singleRay } from '../simpleSensors.ts';
import { stationary } from '../trajectories.ts';

const visibilityKm = 23;
const [nearM, farM] = [50, 850];
/** Kruse's law at 23 km, as printed in tables, to their last digit. */
const tabulated = [
  { wavelengthNm: 1064, extinctionPerM: 7.21e-5 },
  { wavelengthNm: 905, extinctionPerM: 8.9e-5 },
];

export const air: Piece = {
  name: 'air',
  async run(bench) {
    const scene = {
      materials: { white: { reflectance: 0.9 } },
      models: {
        wall: {
          kind: 'box' as const,
          sizeM: [0.1, 10, 10] as [number, number, number],
          material: 'white',
        },
      },
      instances: [
        {
          name: 'wall',
          model: 'wall',
          positionM: [0.05, 0, 0] as [number, number, number],
          onGround: false,
        },
      ],
      atmosphere: { visibilityKm },
    };
    await bench.build(await bench.scene(scene, 1));
    const criteria: Criterion[] = [];
    for (const { wavelengthNm, extinctionPerM } of tabulated) {
      const near = await signalAt(bench, nearM, wavelengthNm);
      const far = await signalAt(bench, farM, wavelengthNm);
      const measured = Math.log((near * nearM ** 2) / (far * farM ** 2)) / (2 * (farM - nearM));
      // Half of the table's last digit; roundings of 32-bit intensities are 1e-10 /m of this.
      criteria.push(
        within(
          `extinction at ${visibilityKm} km, ${wavelengthNm} nm`,
          measured,
          extinctionPerM,
          0.005e-5,
          '1/m',
        ),
      );
    }
    return {
      ours: [`Air: a wall at ${nearM} and at ${farM} m, visibility ${visibilityKm} km (Kruse).`],
      criteria,
    };
  },
};

async function signalAt(
  bench: ValidationBench,
  distanceM: number,
  wavelengthNm: number,
): Promise<number> {
  const sensor = await bench.sensor(
    singleLaser({ beam: singleRay, radiometry: 'radar-equation', wavelengthNm }),
  );
  const { columns } = await bench.scan({
    sensor,
    trajectory: stationary({ positionM: [-distanceM, 0, 0], rotation: [0, 0, 0, 1] }),
    toNs: laserSlotNs,
    seed: 1,
    columns: ['intensity'],
  });
  return columns.intensity[0] ?? NaN;
}
