// Elements in a scene against closed forms: how many pulses pass, and the law of the ranges.
import type { SensorInput } from '#contract/documents/sensor.ts';
import { normalCdf } from '#domain/campaign/normal.ts';
import { ksCritical, ksDistance } from '#domain/metrics/distribution.ts';
import type { ValidationBench } from '#validation/bench.ts';
import { closedForm, formsPart, shareForm, type ClosedForm } from '#validation/closedForm.ts';
import { below } from '#validation/criteria.ts';
import type { Piece } from '#validation/parts.ts';
import { atOrigin } from '#validation/laboratory.ts';
import { laserSlotNs, singleLaser, singleRay } from '#validation/simpleSensors.ts';
import { stationary } from '#validation/trajectories.ts';
import { elementFile, type RoundElement } from '../elementFile.ts';
import { withFiles } from '../files.ts';

const pulses = 20_000;
const wallM = 10;
const permeability = 0.8;
const layersM = [5, 6, 7, 8];

/** Elements of 0.4 m, far wider than the spot. */
const wide: RoundElement[] = layersM.map((x) => ({
  meanM: [x, 0, 0],
  sigmaM: 0.1,
  permeability,
  support: 100,
}));

/** Elements of 5 cm in a grid of 5 cm: a spot of 10 cm meets several of each layer. */
const narrow: RoundElement[] = layersM.flatMap((x) =>
  Array.from({ length: 25 }, (_, n) => ({
    meanM: [x, 0.05 * ((n % 5) - 2), 0.05 * (Math.floor(n / 5) - 2)] as const,
    sigmaM: 0.0125,
    permeability,
    support: 100,
  })),
);

/** Two elements, one in the tail of the other. */
const mixed = [
  { meanM: [5, 0, 0], sigmaM: 0.15, permeability: 0.5, support: 100 },
  { meanM: [5.3, 0, 0], sigmaM: 0.15, permeability: 0.3, support: 100 },
] as const satisfies RoundElement[];

export const sceneForms: Piece = {
  name: 'scenes',
  run: (bench) =>
    withFiles(bench, async (fileOf) => {
      const file = fileOf('elements.ply');
      // 12.5 mrad: 10 cm at 8 m.
      const nineRays = singleLaser({ divergenceMrad: 12.5 });
      const oneRay = singleLaser({ beam: singleRay });
      const forms: ClosedForm[] = [];
      for (const [name, sensor, elements] of [
        ['one ray, elements of 0.4 m', oneRay, wide],
        ['nine rays, elements of 0.4 m', nineRays, wide],
        ['nine rays over 10 cm, elements of 5 cm', nineRays, narrow],
      ] as const) {
        const { ranges } = await fireAt(bench, file, sensor, elements);
        const passed = ranges.filter((rangeM) => rangeM > wallM - 0.5).length;
        forms.push(
          closedForm(`share that passes four layers: ${name}`, {
            ...shareForm(passed, pulses, permeability ** layersM.length),
            source: 'Browning 2012, eq. 22 to 24: Πρ',
          }),
        );
      }
      const { ranges } = await fireAt(bench, file, oneRay, mixed);
      const onElements = ranges.filter((rangeM) => rangeM < wallM - 0.5);
      const [first, second] = mixed;
      const [w1, w2] = [1 - first.permeability, first.permeability * (1 - second.permeability)];
      const cdf = (rangeM: number): number =>
        (w1 * normalCdf((rangeM - 5) / 0.15) + w2 * normalCdf((rangeM - 5.3) / 0.15)) / (w1 + w2);
      forms.push(
        closedForm('share that ends on two elements: the weights and P∞ add to 1', {
          ...shareForm(onElements.length, pulses, w1 + w2),
          source: 'Browning 2012, eq. 24',
        }),
      );
      const part = formsPart('Elements of known laws in a scene before a wall.', forms);
      const ks = ksDistance(onElements, cdf);
      return {
        ...part,
        criteria: [
          ...part.criteria,
          below('ranges on two elements: KS to the mixture', ks, ksCritical(onElements.length)),
        ],
      };
    }),
};

async function fireAt(
  bench: ValidationBench,
  file: string,
  sensor: SensorInput,
  elements: readonly RoundElement[],
): Promise<{ ranges: number[] }> {
  await bench.files.writeBytes(file, elementFile(elements));
  const scene = await bench.scene(
    {
      materials: { leaf: { reflectance: 0.5 }, stone: { reflectance: 0.5 } },
      models: {
        elements: { kind: 'learned', file, material: 'leaf' },
        wall: { kind: 'box', sizeM: [0.2, 10, 10], material: 'stone' },
      },
      instances: [
        { name: 'elements', model: 'elements', positionM: [0, 0, 0], onGround: false },
        { name: 'wall', model: 'wall', positionM: [wallM + 0.1, 0, 0], onGround: false },
      ],
    },
    1,
  );
  await bench.build(scene);
  const { columns } = await bench.scan({
    sensor: await bench.sensor(sensor),
    trajectory: stationary(atOrigin),
    toNs: pulses * laserSlotNs,
    seed: 1,
    columns: ['range_m'],
  });
  return { ranges: Array.from(columns.range_m) };
}
