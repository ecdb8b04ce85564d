// A plate that covers part of the beam and not its axis: the pulse returns, with the share and the range of the
// rays that met the plate. Nine rays, and a beam of a thousand.
import type { SensorInput } from '#contract/documents/sensor.ts';
import type { Criterion } from '#contract/host/validation.ts';
import type { ValidationBench } from '../bench.ts';
import { equal, within } from '../criteria.ts';
import type { Piece } from '../parts.ts';
import { laserSlotNs, singleLaser } from '../simpleSensors.ts';
import { stationary } from '../trajectories.ts';

const divergenceMrad = 12.9;
const plateM = 10;
/** Left of the axis; the nine rays pass at 0, ±34.2 and ±48.4 mm, the outermost of a thousand at 64 mm. */
const edgeM = 0.02;
/** So thin that no ray passes the edge and meets the plate's side. */
const thickM = 1e-5;

const beams: { name: string; beam: Partial<SensorInput['beam']> }[] = [
  { name: 'nine rays', beam: {} },
  { name: '1000 rays', beam: { stencil: 'rays', rays: { count: 1000 } } },
];

export const edges: Piece = {
  name: 'edges',
  async run(bench) {
    const scene = {
      materials: { grey: { reflectance: 0.5 } },
      models: { plate: { kind: 'box' as const, sizeM: tuple(thickM, 4, 4), material: 'grey' } },
      instances: [
        {
          name: 'plate',
          model: 'plate',
          positionM: tuple(plateM + thickM / 2, edgeM + 2, 0),
          onGround: false,
        },
      ],
    };
    await bench.build(await bench.scene(scene, 1));
    const criteria: Criterion[] = [];
    for (const { name, beam } of beams) criteria.push(...(await lookAtEdge(bench, name, beam)));
    return {
      ours: [
        `Edge: a plate 10 m away covers the beam (γ = ${divergenceMrad} mrad) from ${edgeM * 1000} mm left of its axis on; the axis meets nothing.`,
      ],
      criteria,
    };
  },
};

async function lookAtEdge(
  bench: ValidationBench,
  name: string,
  beam: Partial<SensorInput['beam']>,
): Promise<Criterion[]> {
  const sensor = await bench.sensor(
    singleLaser({ divergenceMrad, beam, returns: { mode: 'first', signalCutoffM: 1 } }),
  );
  const rays = (await bench.describe({ sensor })).columns;
  const met = Array.from(rays.ray_left.keys()).filter(
    (ray) => plateM * (rays.ray_left[ray] ?? 0) > edgeM,
  );
  const share = met.reduce((sum, ray) => sum + (rays.ray_weight[ray] ?? NaN), 0);
  const rangeM =
    met.reduce((sum, ray) => {
      const length = Math.hypot(1, rays.ray_left[ray] ?? NaN, rays.ray_up[ray] ?? NaN);
      return sum + (rays.ray_weight[ray] ?? NaN) * plateM * length;
    }, 0) / share;
  const { columns, rows } = await bench.scan({
    sensor,
    trajectory: stationary({ positionM: [0, 0, 0], rotation: [0, 0, 0, 1] }),
    toNs: laserSlotNs,
    seed: 1,
    columns: ['range_m', 'beam_share'],
  });
  return [
    equal(`edge beside the axis: returns of one pulse, ${name}`, rows, 1),
    // Shares are sums of 32-bit weights, ranges 32-bit.
    within(
      `edge beside the axis: share of the beam, ${name}`,
      columns.beam_share[0] ?? NaN,
      share,
      1e-5,
    ),
    within(`edge beside the axis: range, ${name}`, columns.range_m[0] ?? NaN, rangeM, 1e-5, 'm'),
  ];
}

function tuple(x: number, y: number, z: number): [number, number, number] {
  return [x, y, z];
}
