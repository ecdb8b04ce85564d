// Individuals of stands: their leaf area, height and crown as the worker measures its triangles, the diameter of their
// stems as a laser at breast height finds it.
import type { SceneInput } from '#contract/documents/scene.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import { squared } from '#domain/shared/numbers.ts';
import { about, closedForm, type Law, type Measurement } from './closedForm.ts';
import { formsPiece } from './parts.ts';
import { singleLaser, singleRay } from './simpleSensors.ts';
import { poseByPose } from './trajectories.ts';

const species = ['norway-spruce', 'european-beech', 'silver-birch'] as const;
const diameterM = 0.4;
const distanceM = 10;
/** Rays side by side, more than enough to find both sides of a stem. */
const stepM = 0.001;
const reachM = 0.3;

/** One tree on level ground at breast height, so that a level laser meets its stem where it is measured. */
function oneTree(name: string): SceneInput {
  return {
    materials: { soil: { reflectance: 0.3 } },
    ground: { kind: 'plane', sizeM: [60, 60], zM: -1.3, material: 'soil' },
    stands: [
      {
        kind: 'trees',
        name: 'tree',
        trees: [{ species: name, positionM: [distanceM, 0], diameterM }],
      },
    ],
  };
}

/** 2 % of a value, as PHYSICS.md 2.12 promises. */
function within(expected: number, unit: string): ReturnType<typeof about> {
  return about(expected, 0.02 * expected, unit);
}

/** Laws of the species (PHYSICS.md, 2.12), written out once more. */
const laws: Record<(typeof species)[number], { heightM: number; crownM: number; ratio: number }> = {
  'norway-spruce': { heightM: naslundM(1.811, 0.308, 3), crownM: 1.2 + 0.1 * 40, ratio: 7 },
  'european-beech': { heightM: naslundM(1.2, 0.17, 2), crownM: 0.9 + 0.18 * 40, ratio: 6 },
  'silver-birch': { heightM: naslundM(1.014, 0.238, 2), crownM: 0.8 + 0.13 * 40, ratio: 3.5 },
};

function naslundM(a: number, b: number, times: number): number {
  const part = (100 * diameterM) / (a + b * 100 * diameterM);
  return Array.from({ length: times }, () => part).reduce((product, one) => product * one, 1) + 1.3;
}

function sizes(name: (typeof species)[number], summary: SceneSummary) {
  const model = summary.models.find(({ foliage }) => foliage !== null);
  const { heightM, crownM, ratio } = laws[name];
  const crownM2 = model?.foliage?.crownAreaM2 ?? NaN;
  const law = (of: string, expected: Law['expected'], source: string): Law => {
    return {
      name: `${name} of ${diameterM} m: ${of}`,
      ...(expected !== undefined && { expected }),
      source,
    };
  };
  return [
    closedForm(
      law(
        'one-sided leaf area',
        within((ratio * Math.PI * squared(crownM)) / 4, 'm²'),
        'leaf area over the area of the crown from above, by species',
      ),
      model?.foliage?.leafAreaM2 ?? NaN,
    ),
    closedForm(law('height', within(heightM, 'm'), 'Näslund 1936'), model?.maxM[2] ?? NaN),
    closedForm(
      law('crown width', within(crownM, 'm'), 'linear in the diameter, by species'),
      2 * Math.sqrt(crownM2 / Math.PI),
    ),
  ];
}

/** Rays side by side at breast height: those that end at the stem's distance span its diameter. */
function treeOf(name: (typeof species)[number]): Measurement {
  return async ({ bench }) => {
    const summary = await bench.build(await bench.scene(oneTree(name), 1));
    const count = Math.round((2 * reachM) / stepM);
    const poses = Array.from({ length: count }, (_, n) => ({
      positionM: [0, (n - (count - 1) / 2) * stepM, 0] as [number, number, number],
      rotation: [0, 0, 0, 1] as [number, number, number, number],
    }));
    const { columns } = await bench.scan({
      sensor: await bench.sensor(singleLaser({ beam: singleRay })),
      trajectory: poseByPose(poses, 1e6),
      toNs: count * 1e6,
      seed: 1,
      columns: ['true_range_m'],
    });
    const onStem = columns.true_range_m.filter((m) => Math.abs(m - distanceM) < diameterM);
    return [
      ...sizes(name, summary),
      closedForm(
        {
          name: `${name} of ${diameterM} m: width of its stem at 1.3 m, by rays ${1000 * stepM} mm apart`,
          // A prism of 12 sides of the circle's area is from 0.989 to 1.024 times as wide.
          expected: about(diameterM, 0.024 * diameterM + stepM, 'm'),
          source: 'diameter at breast height as asked for',
        },
        onStem.length * stepM,
      ),
    ];
  };
}

export const individuals = formsPiece({
  name: 'individuals',
  catches: ['leaf-area-two-sided'],
  ours: `Individuals of ${species.length} species with a stem of ${diameterM} m, grown for a stand: their sizes and leaf area follow the laws of the species, and the stem is as wide as a laser at breast height finds it.`,
  rows: species.map(treeOf),
});
