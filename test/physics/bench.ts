// A laboratory for physics tests: scenes and sensors written down as recipes, traced by the real worker.
import type { ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import type { ModelRecipe, SceneRecipe } from '#contract/worker/recipe.ts';
import type { NoiseRecipe, SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { workerBinary } from '#hosts/packageFolders.ts';
import type { ScanReply } from '#contract/worker/worker.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import { straight } from '#validation/trajectories.ts';
import { createWorkerLauncher } from '#workers/workerLauncher.ts';

const silentLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A worker of the release build; the caller disposes of it. */
export function openWorker(): Promise<ScanWorker> {
  return createWorkerLauncher({ log: silentLog, binary: workerBinary }).open({
    isa: null,
    threads: null,
  });
}

export interface Placed {
  source: ModelRecipe['source'];
  /** Positions of copies; rotation as a unit quaternion x, y, z, w. */
  at: { positionM: [number, number, number]; rotation?: [number, number, number, number] }[];
}

/** A scene of models placed as given, all of class `thing`; ids count from 1 in order. */
export function sceneOf(placed: Placed[], reflectances: number[] = [0.5]): SceneRecipe {
  let id = 0;
  return {
    seed: 1,
    materials: reflectances.map((reflectance, index) => ({
      name: `material-${index}`,
      reflectance,
      colourRgb: [0.5, 0.5, 0.5],
    })),
    classes: ['thing'],
    models: placed.map(({ source }, index) => ({ name: `model-${index}`, solid: 'all', source })),
    instances: placed.flatMap(({ at }, model) =>
      at.map(({ positionM, rotation = [0, 0, 0, 1] }) => {
        id += 1;
        return {
          id,
          name: `thing-${id}`,
          class: 0,
          model,
          positionM,
          onGround: false,
          rotation,
          scale: 1,
        };
      }),
    ),
    scatters: [],
    ground: -1,
  };
}

/** A box of 0.2 m whose front lies across x at `rangeM`, to the left, to the right or on both sides of x. */
export function slab(rangeM: number, side: 'left' | 'right' | 'both'): Placed {
  const yM = { both: 0, left: 1, right: -1 }[side];
  return {
    source: { kind: 'box', sizeM: [0.2, side === 'both' ? 4 : 2, 4], material: 0 },
    at: [{ positionM: [rangeM + 0.1, yM, 0] }],
  };
}

/** One horizontal laser that looks along x and fires `rateHz` times a second. */
export function singleBeam(
  rateHz: number,
  divergenceRad: number,
  returns: SensorRecipe['returns'],
): SensorRecipe {
  return {
    id: 'single-beam',
    scan: { kind: 'sweep', rateHz, minAzimuthRad: 0, maxAzimuthRad: 0, slotsPerScan: 1 },
    slotsPerSecond: rateHz,
    banks: [{ elevationsRad: [0], rings: [0] }],
    slotPattern: [0],
    minRangeM: 0,
    maxRangeM: 200,
    beam: {
      shape: 'circular',
      divergenceHorizontalRad: divergenceRad,
      divergenceVerticalRad: divergenceRad,
      stencil: 'moment',
    },
    returns,
  };
}

/** Noise with these parts; what is left out, it does not have. */
export function noiseOf(parts: Partial<NoiseRecipe>): NoiseRecipe {
  return {
    laserBiasSigmaM: 0,
    rangeSigmaM: 0,
    incidenceSigmaM: 0,
    rangeSigmaPerM: 0,
    signalSigmaM: 0,
    pointingSigmaRad: 0,
    dropOutShare: 0,
    ...parts,
  };
}

export function standingAt(positionM: [number, number, number]): Trajectory {
  return straight(positionM, positionM, 1e9);
}

/** Builds the scene and scans it once; the columns of all chunks in one piece, as plain numbers. */
export async function scanScene(
  worker: ScanWorker,
  recipe: SceneRecipe,
  sensor: SensorRecipe,
  trajectory: Trajectory,
  seconds: number,
  columns: ReturnColumnName[],
  misses = false,
  seed = 1,
): Promise<{ table: Record<string, number[]>; result: ScanReply }> {
  const built = { recipe, memoryLimitBytes: 4e9 };
  await worker.call('scene.build', built, { heights: new Float32Array() });
  const table: Record<string, number[]> = Object.fromEntries(columns.map((name) => [name, []]));
  const { body: result } = await worker.call(
    'scan',
    { sensor, fromNs: 0, toNs: Math.round(seconds * 1e9), seed, columns, misses },
    trajectory,
    { onChunk: (chunk) => collect(table, chunk.columns) },
  );
  return { table, result };
}

function collect(table: Record<string, number[]>, chunk: ReturnTable): void {
  for (const [name, values] of Object.entries(chunk)) {
    for (const value of values) table[name]?.push(Number(value));
  }
}
