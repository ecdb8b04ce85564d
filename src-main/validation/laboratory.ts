// The laboratory of closed forms: builds a scene, fires a sensor at it, and gives whole columns of plain numbers.
import type { ReturnColumnName } from '#contract/columns.ts';
import type { SceneInput } from '#contract/documents/scene.ts';
import type { SensorInput } from '#contract/documents/sensor.ts';
import type { Pose } from '#contract/host/run.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import type { ValidationBench } from './bench.ts';
import { laserSlotNs } from './simpleSensors.ts';
import { atOrigin, poseByPose, stationary } from './trajectories.ts';

/** A sensor that is fired at a scene. */
export interface Shot<N extends ReturnColumnName> {
  /** A document, or the id of a sample. */
  scene: SceneInput | string;
  sensor: SensorInput | SensorRecipe;
  columns: readonly N[];
  /** Pulses of a single laser at the origin, looking along x; `many`: `manyPulses` of each seed. Default: 1. */
  pulses?: number | 'many';
  /** In place of `pulses`: one pulse of a single laser from each, with rows for pulses without a return. */
  poses?: readonly Pose[];
  /** In place of `pulses`: the sensor along a path. */
  path?: Path;
  misses?: boolean;
  /** Default: 1. */
  seed?: number;
}

export interface Path {
  trajectory: Trajectory;
  fromNs?: number;
  toNs: number;
}

/** Rows of a shot. Pulses of further seeds are numbered on from those of the seed before. */
export type Fired<N extends ReturnColumnName> = Record<N, number[]> & {
  rows: number;
  /** Emitted, whether they returned or not. */
  pulses: number;
};

export interface LaboratoryOptions {
  isQuick: boolean;
  seeds: readonly number[];
}

/** Pulses of each seed in a statistic: fewer in the quick form. */
export function manyPulses({ isQuick }: LaboratoryOptions): number {
  return isQuick ? 10_000 : 40_000;
}

export interface Laboratory extends LaboratoryOptions {
  readonly bench: ValidationBench;
  /** Builds the scene unless it was that of the shot before. */
  readonly fire: <N extends ReturnColumnName>(shot: Shot<N>) => Promise<Fired<N>>;
}

export function openLaboratory(bench: ValidationBench, options: LaboratoryOptions): Laboratory {
  let built: Shot<never>['scene'] | null = null;
  const build = async (scene: SceneInput | string): Promise<void> => {
    if (scene === built) return;
    if (typeof scene === 'string') {
      const { compiled, heights } = await bench.scenario(scene);
      await bench.build({ recipe: compiled.recipe, heights });
    } else {
      await bench.build(await bench.scene(scene, 1));
    }
    built = scene;
  };
  return {
    ...options,
    bench,
    fire: async (shot) => {
      const { scene, sensor, columns, poses, seed = 1 } = shot;
      await build(scene);
      const recipe = 'understorySensor' in sensor ? await bench.sensor(sensor) : sensor;
      const fired = emptyOf(columns);
      for (const each of shot.pulses === 'many' ? options.seeds : [seed]) {
        const { columns: found, result } = await bench.scan({
          sensor: recipe,
          ...pathOf(shot, recipe, options),
          seed: each,
          columns,
          misses: shot.misses ?? poses !== undefined,
        });
        for (const name of columns) {
          const before = name === 'pulse' ? fired.pulses : 0;
          const values: number[] = fired[name];
          for (const value of found[name] ?? []) values.push(before + Number(value));
        }
        fired.rows += result.rows;
        fired.pulses += result.pulses;
      }
      return fired;
    },
  };
}

function emptyOf<N extends ReturnColumnName>(columns: readonly N[]): Fired<N> {
  const empty = Object.fromEntries(columns.map((name): [N, number[]] => [name, []]));
  return { ...(empty as Record<N, number[]>), rows: 0, pulses: 0 };
}

function pathOf(
  { pulses = 1, poses, path }: Pick<Shot<never>, 'pulses' | 'poses' | 'path'>,
  { slotsPerSecond }: SensorRecipe,
  options: LaboratoryOptions,
): Path {
  if (path !== undefined) return path;
  if (poses !== undefined) {
    return { trajectory: poseByPose(poses, laserSlotNs), toNs: poses.length * laserSlotNs };
  }
  const count = pulses === 'many' ? manyPulses(options) : pulses;
  return { trajectory: stationary(atOrigin), toNs: Math.round((count * 1e9) / slotsPerSecond) };
}
