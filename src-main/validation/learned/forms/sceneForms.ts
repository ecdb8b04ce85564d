// Elements in a scene against closed forms: how many pulses pass, and the law of the ranges.
import type { SensorInput } from '#contract/documents/sensor.ts';
import { normalCdf } from '#domain/campaign/normal.ts';
import { ksCritical, ksDistance } from '#domain/metrics/distribution.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import { closedForm, shareForm, type ClosedForm } from '#validation/closedForm.ts';
import { below } from '#validation/criteria.ts';
import { openLaboratory, type Laboratory } from '#validation/laboratory.ts';
import { formsPart, type Piece } from '#validation/parts.ts';
import { grey, plates } from '#validation/scenes.ts';
import { singleLaser, singleRay } from '#validation/simpleSensors.ts';
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

// 12.5 mrad: 10 cm at 8 m.
const nineRays = singleLaser({ divergenceMrad: 12.5 });
const oneRay = singleLaser({ beam: singleRay });
const layered = [
  ['one ray, elements of 0.4 m', oneRay, wide],
  ['nine rays, elements of 0.4 m', nineRays, wide],
  ['nine rays over 10 cm, elements of 5 cm', nineRays, narrow],
] as const;

export const sceneForms: Piece = {
  name: 'scenes',
  run: (bench, options) =>
    withFiles(bench, async (fileOf) => {
      const file = fileOf('elements.ply');
      const laboratory = openLaboratory(bench, options);
      const forms: ClosedForm[] = [];
      for (const [name, sensor, elements] of layered) {
        const { passed } = await endsOf(laboratory, file, sensor, elements);
        const law = {
          name: `share that passes four layers: ${name}`,
          source: 'Browning 2012, eq. 22 to 24: Πρ',
        };
        forms.push(closedForm(law, shareForm(passed, pulses, permeability ** layersM.length)));
      }
      const { onElements } = await endsOf(laboratory, file, oneRay, mixed);
      const [first, second] = mixed;
      const [w1, w2] = [1 - first.permeability, first.permeability * (1 - second.permeability)];
      const cdf = (rangeM: number): number =>
        (w1 * normalCdf((rangeM - 5) / 0.15) + w2 * normalCdf((rangeM - 5.3) / 0.15)) / (w1 + w2);
      const law = {
        name: 'share that ends on two elements: the weights and P∞ add to 1',
        source: 'Browning 2012, eq. 24',
      };
      forms.push(closedForm(law, shareForm(onElements.length, pulses, w1 + w2)));
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

/** The ranges of pulses that end on elements, and how many pass them to the wall. */
async function endsOf(
  { bench, fire }: Laboratory,
  file: string,
  sensor: SensorInput,
  elements: readonly RoundElement[],
): Promise<{ onElements: number[]; passed: number }> {
  await bench.files.writeBytes(file, elementFile(elements));
  const wall = plates([{ material: grey, faceM: [wallM, 0, 0], sizeM: [10, 10] }]);
  const place = { name: 'elements', model: 'elements', positionM: [0, 0, 0] as Vector3 };
  const { range_m: rangesM } = await fire({
    scene: {
      materials: { ...wall.materials, leaf: grey },
      models: { ...wall.models, elements: { kind: 'learned', file, material: 'leaf' } },
      instances: [{ ...place, onGround: false }, ...(wall.instances ?? [])],
    },
    sensor,
    columns: ['range_m'],
    pulses,
  });
  const onElements = rangesM.filter((rangeM) => rangeM < wallM - 0.5);
  return { onElements, passed: rangesM.length - onElements.length };
}
