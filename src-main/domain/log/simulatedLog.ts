// The head of the log of a simulated sensor, and its beams from recorded or fresh scans.
import { recordsMisses, recordsTruth } from '#contract/documents/scenario.ts';
import type { CompiledScenario, CompiledSensor } from '#contract/host/run.ts';
import {
  type LogCuts,
  logFormatVersion,
  type LogHead,
  type LogReturns,
  type LogSensor,
  type LogSource,
  type MissKind,
  requiredLogColumns,
} from '#contract/log/log.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { originOf } from '#contract/worldOrigin.ts';
import { loggedOptional } from '#domain/log/beamsOfReturns.ts';
import { isVolumeName } from '#domain/log/volumeNames.ts';

/** How the misses of a run are known. */
export function missesOfRun({ scenario }: CompiledScenario): MissKind {
  return recordsMisses(scenario) ? 'recorded' : 'unknown';
}

/** Whether its recording has what beams are made of. */
export function hasBeams({ scenario }: CompiledScenario): boolean {
  return recordsTruth(scenario);
}

/** The head of a log of a simulated sensor. */
export function simulatedHead(
  compiled: CompiledScenario,
  sensor: CompiledSensor,
  options: {
    source: LogSource;
    understoryVersion: string;
    classes: string[];
    misses: MissKind;
    returns: LogReturns;
    cuts: LogCuts;
    crs: string | undefined;
  },
): LogHead {
  const { scene } = compiled.scenario;
  const [x, y, z] = originOf(scene);
  const { crs = scene.crs ?? null, ...stated } = options;
  return {
    format: logFormatVersion,
    ...stated,
    derived: [],
    originM: [x, y, z],
    crs,
    columns: [...requiredLogColumns, ...loggedOptional(options.returns)],
    sensor: loggedSensor(sensor),
    intensityOfWhite: intensityOfWhite(sensor.recipe),
  };
}

function loggedSensor({ name, recipe }: CompiledSensor): LogSensor {
  const { banks, scan, quantisation } = recipe;
  const elevationsRad: number[] = [];
  for (const bank of banks) {
    for (const [laser, ring] of bank.rings.entries()) {
      elevationsRad[ring] = bank.elevationsRad[laser] ?? 0;
    }
  }
  return {
    name,
    lasers: elevationsRad.length,
    elevationsRad,
    minM: recipe.minRangeM,
    maxM: recipe.maxRangeM,
    rangeStepM: stepOf(quantisation?.rangeM),
    azimuthStepRad: stepOf(quantisation?.azimuthRad),
    firingsPerTurn: null,
    turnsPerS: scan.rateHz,
    // Why: recipes are plain data; the log keeps them without their type.
    recipe: { ...recipe },
  };
}

function stepOf(step: number | undefined): number | null {
  return step === undefined || step === 0 ? null : step;
}

/** By class_id: those of plants, leaf discs and voxel models, and those with a name of such. */
export function volumeClasses({ recipe }: Pick<CompiledScenario, 'recipe'>): ReadonlySet<number> {
  const tiles = (recipe.landscapes ?? []).flatMap((landscape) => landscape.tiles);
  const inTiles = tiles.flatMap(({ plants, scatters }) => [...plants, ...scatters]);
  const plants = [...recipe.instances, ...recipe.scatters, ...inTiles].filter(({ model }) => {
    const source = recipe.models[model]?.source;
    if (source?.kind === 'mesh') return source.format === 'voxels';
    return source?.kind === 'plant' || source?.kind === 'leaf-discs';
  });
  const named = recipe.classes.flatMap((name, id) => (isVolumeName(name) === true ? [id] : []));
  return new Set([...plants.map((placed) => placed.class), ...named]);
}

/** Names of the same classes. */
export function volumeClassNames(compiled: CompiledScenario): string[] {
  const volumes = volumeClasses(compiled);
  return compiled.recipe.classes.filter((_, id) => volumes.has(id));
}

/**
 * The intensity of a white diffuse wall that faces the sensor; null: by the radar equation it depends on the distance.
 */
function intensityOfWhite({ radiometry, intensity }: SensorRecipe): number | null {
  const scale = intensity?.scale;
  if (scale === undefined) return radiometry === 'radar-equation' ? null : 1;
  let [signal, number]: readonly [number, number] = [0, 0];
  for (const [nextSignal, nextNumber] of scale) {
    if (nextSignal >= 1) {
      return number + ((nextNumber - number) * (1 - signal)) / (nextSignal - signal);
    }
    [signal, number] = [nextSignal, nextNumber];
  }
  return number;
}
