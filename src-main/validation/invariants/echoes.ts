// Two half plates one behind the other under a sensor that looks down: within the range resolution they merge
// into one echo between them, a ghost point; beyond it they are two. And modes: the strongest is not the closest.
import type { SceneInput } from '#contract/documents/scenario.ts';
import type { Criterion } from '#contract/host/validation.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import { rotationFromDegrees } from '#domain/shared/pose.ts';
import type { ValidationBench } from '../bench.ts';
import { equal, within } from '../criteria.ts';
import type { Piece } from '../parts.ts';
import { laserSlotNs, singleLaser } from '../simpleSensors.ts';
import { stationary } from '../trajectories.ts';

const divergenceMrad = 60;
const sensorM = 5;
const nearM = 2;
const resolutionM = 0.5;
/** Edge of the near plate, beside the axis and between rays: they pass it at 0, ±48 and ±67 mm. */
const edgeM = 0.02;
/** Ranges are 32-bit: 2.4e-7 at 5 m; directions as well. */
const tolerance = 1e-5;

export const echoes: Piece = {
  name: 'echoes',
  async run(bench) {
    return {
      ours: [
        `Echoes: a sensor ${sensorM} m above, γ = ${divergenceMrad} mrad, looks down on a half plate at z = ${nearM.toFixed(1)} whose edge lies between rays, and on a plate below it; range resolution ${resolutionM} m.`,
      ],
      criteria: [
        ...(await withFarPlate(bench, 1.7)),
        ...(await withFarPlate(bench, 0.5)),
        ...(await modeCriteria(bench)),
      ],
    };
  },
};

async function withFarPlate(bench: ValidationBench, farM: number): Promise<Criterion[]> {
  await bench.build(await bench.scene(platesAt(farM), 1));
  const sensor = await bench.sensor(
    singleLaser({
      divergenceMrad,
      returns: { mode: 'all', maxReturns: 8, rangeResolutionM: resolutionM },
    }),
  );
  const { ray_left: lefts, ray_up: ups } = (await bench.describe({ sensor })).columns;
  // Looking down (pitch 90°) left stays left: y.
  const ranges = Array.from(lefts, (left, ray) => {
    const length = Math.hypot(1, left, ups[ray] ?? NaN);
    const isNear = (sensorM - nearM) * left > edgeM;
    const rangeM = (sensorM - (isNear ? nearM : farM)) * length;
    // Equal rays on equal plates: the cosine of incidence is 1 / length.
    return { isNear, rangeM, received: 1 / (length * rangeM ** 2) };
  });
  const heightOf = (wanted: (isNear: boolean) => boolean): number => {
    const chosen = ranges.filter(({ isNear }) => wanted(isNear));
    const received = chosen.reduce((sum, ray) => sum + ray.received, 0);
    return sensorM - chosen.reduce((sum, ray) => sum + ray.received * ray.rangeM, 0) / received;
  };
  const { columns, rows } = await bench.scan({
    sensor,
    trajectory: stationary({ positionM: [0, 0, sensorM], rotation: rotationFromDegrees(0, 90, 0) }),
    toNs: laserSlotNs,
    seed: 1,
    columns: ['z_m'],
  });
  const isGhost = nearM - farM < resolutionM;
  const name = `plates at z = ${nearM.toFixed(1)} and ${farM.toFixed(1)}`;
  const heights = isGhost
    ? [heightOf(() => true)]
    : [heightOf((isNear) => isNear), heightOf((isNear) => !isNear)];
  return [
    equal(`${name}: returns`, rows, heights.length),
    ...heights.map((expected, row) =>
      within(
        `${name}: height of return ${row + 1}`,
        columns.z_m[row] ?? NaN,
        expected,
        tolerance,
        'm',
      ),
    ),
  ];
}

/** A dark plate before a bright one, each in part of the beam, 4 m apart. */
async function modeCriteria(bench: ValidationBench): Promise<Criterion[]> {
  await bench.build(await bench.scene(platesAt(-2, { near: 0.2, far: 0.9 }), 1));
  const rangesOf = async (
    mode: 'strongest' | 'closest' | 'last' | 'first',
    signalCutoffM: number,
  ): Promise<number> => {
    const sensor = await bench.sensor(
      singleLaser({ divergenceMrad, returns: { mode, signalCutoffM } }),
    );
    const { columns } = await bench.scan({
      sensor,
      trajectory: stationary({
        positionM: [0, 0, sensorM],
        rotation: rotationFromDegrees(0, 90, 0),
      }),
      toNs: laserSlotNs,
      seed: 1,
      columns: ['range_m'],
    });
    return columns.range_m[0] ?? NaN;
  };
  const [left, across] = [0.75 * Math.tan(divergenceMrad / 2000), 2 ** -0.5];
  // Three rays of the ring meet the near plate, all at the same distance from the axis.
  const nearRangeM = (sensorM - nearM) * Math.hypot(1, left);
  const farRangeM = sensorM + 2;
  expectInside(left * across * (sensorM - nearM));
  return [
    // The ray on the axis meets the bright plate head-on.
    within(
      'dark before bright: range of strongest',
      await rangesOf('strongest', 1),
      farRangeM,
      tolerance,
      'm',
    ),
    within(
      'dark before bright: range of closest',
      await rangesOf('closest', 1),
      nearRangeM,
      tolerance,
      'm',
    ),
    within(
      'dark before bright: range of last',
      await rangesOf('last', 1),
      farRangeM * Math.hypot(1, left),
      tolerance,
      'm',
    ),
    within(
      'dark before bright, 4 m apart: range of first, cutoff 1 m',
      await rangesOf('first', 1),
      nearRangeM,
      tolerance,
      'm',
    ),
    within(
      'dark before bright, 4 m apart: range of first, cutoff 5 m',
      await rangesOf('first', 5),
      (3 * nearRangeM + 5 * farRangeM * Math.hypot(1, left) + farRangeM) / 9,
      tolerance,
      'm',
    ),
  ];
}

/** Why: the expectations above count three rays on the near plate. */
function expectInside(leftmostM: number): void {
  if (leftmostM <= edgeM) throw new RangeError(`the edge at ${edgeM} m is not between the rays`);
}

function platesAt(farM: number, { near = 0.5, far = 0.5 } = {}): SceneInput {
  const thickM = 0.01;
  const size = (widthM: number): Vector3 => [4, widthM, thickM];
  return {
    materials: { near: { reflectance: near }, far: { reflectance: far } },
    models: {
      near: { kind: 'box', sizeM: size(2), material: 'near' },
      far: { kind: 'box', sizeM: size(4), material: 'far' },
    },
    instances: [
      {
        name: 'near',
        model: 'near',
        positionM: [0, edgeM + 1, nearM - thickM / 2],
        onGround: false,
      },
      { name: 'far', model: 'far', positionM: [0, 0, farM - thickM / 2], onGround: false },
    ],
  };
}
