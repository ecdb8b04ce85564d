// Made-up runs for tests of recordings, exporters and catalogue: a small compiled scenario and tables of
// returns drawn from a seeded generator, so that every value differs and repeats.
import { defaultScanColumns, returnColumns, type ReturnTable } from '#contract/columns.ts';
import { parseWith } from '#contract/documents/problems.ts';
import type { CompiledScenario, Pose, TickRecord } from '#contract/host/run.ts';
import { scenarioSchema } from '#contract/documents/scenario.ts';
import { withPulseColumns } from '#recordings/ros/pulseColumns.ts';
import { firstPulseFrom } from '#recordings/ros/pulseNumbers.ts';
import type {
  RecordedScan,
  RecordedTick,
  RecordingHeader,
  RecordingWriter,
} from '#services/ports/recordings.ts';

/** A generator of numbers in [0, 1) (mulberry32): the same seed gives the same row. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const sampleClasses = ['ground', 'grass', 'tree'];

/** Both sensors of the scenario, but for the id. */
type SensorRecipe = CompiledScenario['sensors'][number]['recipe'];

const sampleSensor: SensorRecipe = {
  id: 'vlp-16',
  scan: { kind: 'spinning', rateHz: 10 },
  slotsPerSecond: 18000,
  banks: [{ elevationsRad: [0], rings: [0] }],
  slotPattern: [0],
  minRangeM: 1,
  maxRangeM: 100,
  beam: {
    shape: 'rectangular',
    divergenceHorizontalRad: 0.003,
    divergenceVerticalRad: 0.0015,
    stencil: 'moment',
  },
  returns: { mode: 'strongest', signalCutoffM: 1, window: false },
};

/** A scenario with two sensors; its recipe has a mesh whose file is absolute on this machine. */
export function sampleCompiled(name = 'sample'): CompiledScenario {
  const { value, problems } = parseWith(scenarioSchema, {
    understory: 2,
    name,
    scene: {
      materials: { bark: { reflectance: 0.4 } },
      models: { log: { kind: 'mesh', file: 'log.obj', unit: 'm', upAxis: 'z', material: 'bark' } },
    },
    sensors: [
      { name: 'vlp-16', sensor: 'vlp-16' },
      { name: 'front.scanner', sensor: '/home/user/sensors/mine.yaml' },
    ],
    mission: { startM: [0, 0], goalM: [1, 1] },
    navigation: { costMap: { cells: 20, cellM: 0.1 } },
  });
  if (value === null) throw new Error(JSON.stringify(problems));
  const mount: Pose = { positionM: [0.1, 0, 2], rotation: [0, 0, 0, 1] };
  const recipe = sampleSensor;
  return {
    scenario: value,
    scenarioHash: 'a'.repeat(64),
    sensors: [
      { name: 'vlp-16', recipe, mount },
      { name: 'front.scanner', recipe: { ...recipe, id: 'lms-291' }, mount },
    ],
    recipe: {
      seed: 1,
      materials: [{ name: 'bark', reflectance: 0.4, colourRgb: [0.5, 0.4, 0.3] }],
      classes: sampleClasses,
      models: [
        {
          name: 'log',
          solid: 'all',
          source: {
            kind: 'mesh',
            file: '/home/user/scenes/log.obj',
            format: 'obj',
            unitM: 1,
            upAxis: 'z',
            material: 0,
            materials: {},
          },
        },
        {
          name: 'ground:surface',
          solid: 'none',
          source: {
            kind: 'height-field',
            columns: 2,
            rows: 2,
            originM: [0, 0],
            stepM: [1, 1],
            material: 0,
          },
        },
      ],
      instances: [],
      scatters: [],
      ground: -1,
    },
  };
}

export function sampleHeader(): RecordingHeader {
  return {
    compiled: sampleCompiled(),
    heights: Float32Array.of(0, 0.25, -1.5, 2),
    classes: sampleClasses,
    isa: 'avx2',
    engine: 'e',
    understoryVersion: '0.1.0',
  };
}

/** The columns of a scan; every fifth row is a pulse without an echo when `misses`. */
export function sampleTable(
  rows: number,
  options: { seed: number; fromNs: number; misses?: boolean; noise?: boolean },
): ReturnTable {
  const random = seededRandom(options.seed);
  const columns: Record<string, unknown> = {};
  const firstPulse = 5_000_000_000n * BigInt(options.seed);
  for (const name of defaultScanColumns) {
    const { type } = returnColumns[name];
    if (type === 'i64') {
      columns[name] = BigInt64Array.from({ length: rows }, (_, i) =>
        BigInt(options.fromNs + i * 37),
      );
    } else if (type === 'u64') {
      columns[name] = BigUint64Array.from({ length: rows }, (_, i) => firstPulse + BigInt(i));
    } else if (type === 'f32') {
      columns[name] = Float32Array.from({ length: rows }, () => (random() - 0.5) * 100);
    } else if (type === 'u32') {
      columns[name] = Uint32Array.from({ length: rows }, () => random() * 2 ** 32);
    } else if (type === 'u16') {
      const limit = name === 'class_id' ? sampleClasses.length : 64;
      columns[name] = Uint16Array.from({ length: rows }, () => random() * limit);
    } else {
      columns[name] = new Uint8Array(rows).fill(1);
    }
  }
  const table = columns as Required<Pick<ReturnTable, (typeof defaultScanColumns)[number]>>;
  if (options.noise !== true) table.range_clean_m.set(table.range_m);
  if (options.misses === true) for (let row = 0; row < rows; row += 5) makeMiss(table, row);
  return table;
}

/** The table with points in the sensor's frame: those of the world, from another place. */
export function withSensorPoints(table: ReturnTable): ReturnTable {
  const less = (values: Float32Array | undefined, m: number): Float32Array<ArrayBuffer> =>
    Float32Array.from(values ?? [], (value) => value - m);
  return {
    ...table,
    x_sensor_m: less(table.x_m, 3),
    y_sensor_m: less(table.y_m, -2),
    z_sensor_m: less(table.z_m, 1),
  };
}

function makeMiss(table: ReturnTable, row: number): void {
  for (const name of defaultScanColumns) {
    const array = table[name];
    const isOfPulse = ['ring', 'azimuth_rad', 'elevation_rad'].includes(name);
    if (array instanceof BigInt64Array || array instanceof BigUint64Array || isOfPulse) continue;
    if (array !== undefined) array[row] = array instanceof Float32Array ? NaN : 0;
  }
}

function samplePose(seed: number): Pose {
  const random = seededRandom(seed);
  const yaw = random() * 6;
  return {
    positionM: [random() * 100, random() * 100, random()],
    rotation: [0, 0, Math.sin(yaw / 2), Math.cos(yaw / 2)],
  };
}

export function sampleTickRecord(tick: number): TickRecord {
  return {
    tick,
    timeNs: (tick + 1) * 100_000_000,
    truth: samplePose(tick),
    estimate: samplePose(tick + 1000),
    speedMPerS: 1.25 + tick / 3,
    distanceToGoalM: 130 - tick / 7,
    collisions: 0,
    activity: 'driving',
  };
}

export function sampleTick(tick: number): RecordedTick {
  return { ...sampleTickRecord(tick), sensorPoses: [samplePose(tick), samplePose(tick + 7)] };
}

/** A scan of a sensor: a row for each of its pulses from the start of the tick on. */
export function sampleScan(
  tick: number,
  sensor = 0,
  rows = 3000,
  recipe: SensorRecipe = sampleSensor,
): RecordedScan {
  const fromNs = tick * 100_000_000;
  const misses = tick % 2 === 1;
  const firstPulse = firstPulseFrom(recipe, fromNs);
  const pulse = BigUint64Array.from({ length: rows }, (_, row) => firstPulse + BigInt(row));
  const drawn = sampleTable(rows, { seed: 1 + tick * 2 + sensor, fromNs, misses });
  return {
    tick,
    sensor,
    fromNs,
    toNs: fromNs + 100_000_000,
    pulses: rows,
    returns: rows,
    hash: `${tick}-${sensor}`,
    rows,
    table: { ...drawn, ...withPulseColumns({ pulse }, rows, recipe) },
  };
}

/**
 * Records ticks 0 … ticks − 1: two scans, the tick, a map and a path each; flushes after every tick. `sensors`: of a
 * header that is not the sample's.
 */
export async function recordSample(
  writer: RecordingWriter,
  ticks: number,
  options: { rows?: number; flush?: boolean; sensors?: readonly SensorRecipe[] } = {},
): Promise<void> {
  for (let tick = 0; tick < ticks; tick++) {
    await writer.scan(sampleScan(tick, 0, options.rows, options.sensors?.[0]));
    await writer.scan(sampleScan(tick, 1, 10, options.sensors?.[1]));
    await writer.tick(sampleTick(tick));
    const { timeNs } = sampleTick(tick);
    const cost = Uint8Array.from({ length: 400 }, (_, i) => (i % 7 === 0 ? 255 : (i + tick) % 101));
    await writer.map({ geometry: { cells: 20, cellM: 0.1, originM: [-1.1, 2] }, timeNs, cost });
    const xM = Float32Array.of(tick, 1.1, 2.2);
    await writer.path({ timeNs, xM, yM: Float32Array.of(0.1, -tick, 3.3) });
    if (options.flush === true) await writer.flush();
  }
}
