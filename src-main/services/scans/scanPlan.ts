// A scan as it is going to be traced: everything that follows from a request, and every refusal of it.
import { defaultScanColumns } from '#contract/columns.ts';
import type { Problem } from '#contract/documents/problems.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import { formatOfName } from '#contract/host/exportFormats.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { carriedBy } from '#domain/scene/vehicleBody.ts';
import { dustAlong } from '#domain/shared/motion/dustTrail.ts';
import { posesOf } from '#domain/trajectory/trajectory.ts';
import type { Documents } from '#services/documents/documents.ts';
import type { Files } from '#services/ports/files.ts';
import { legsOf, scanPathOf, type ScanPath } from './scanPath.ts';
import { idTableFilesOf } from './sinks/idTables.ts';
import { returnsSink } from './sinks/returnsSink.ts';
import { partFileOf } from './sinks/scanParts.ts';
import type { PlannedScan, ScanPlan } from './sinks/scanSink.ts';
import { returnsKindOf, sideFiles } from './sinks/sinks.ts';

type Request = RequestOf<'scan.start'>;

/** The plan of a request. @throws 'bad-input' with every problem that is known before the scene is built */
export async function planScan(
  { documents, files }: { documents: Documents; files: Files },
  request: Request,
  signal: AbortSignal,
): Promise<ScanPlan> {
  const { out = '', frame = 'world', seed, settings, sensor: sensorFile, rateHz, mode } = request;
  const kind = returnsKindOf(request);
  const loaded = await documents.compile(
    request.scenario,
    { signal, seed, settings },
    { sensor: sensorFile, rateHz, mode },
  );
  const { compiled, heights, survey } = loaded;
  const legs = await legsOf(files, request, loaded, signal);
  const [sensor] = compiled.sensors;
  if (sensor === undefined) throw new UnderstoryError('internal', 'the sensor was not compiled');
  checkSideFiles(request, sensor.recipe);
  const pieceNs = kind.pieceNs?.(compiled) ?? null;
  const gridNs = kind.hasWholePieces === true ? pieceNs : null;
  const named = [sensorFile, request.trajectory?.file].filter((name) => name !== undefined);
  const path = scanPathOf(legs, request, gridNs);
  const isOnVehicle = path.isSurvey && survey?.isOnVehicle === true;
  return {
    compiled,
    heights,
    sensor,
    path,
    raisedDust: isOnVehicle ? dustOfVehicle(compiled, path) : undefined,
    carriedBy: isOnVehicle ? carriedBy(compiled, 0) : undefined,
    pieceNs,
    columns: request.columns ?? kind.defaultColumns?.(frame) ?? defaultScanColumns,
    frame,
    misses: request.misses || kind.hasMisses === true,
    // Why all three: scenario, sensor and trajectory may be files, whose name could be that of a target too.
    target: { isReplacing: request.isReplacing, inputs: [request.scenario, ...named] },
    sinks: [
      async (scan) => returnsSink(scan, await kind.open(scan, out)),
      ...sideFiles.flatMap(({ field, open }) => {
        const file = request[field];
        return file === undefined ? [] : [(scan: PlannedScan) => open(scan, file)];
      }),
    ],
  };
}

/** Dust along the poses of a file; other surveys stand or fly. */
function dustOfVehicle({ scenario, recipe }: CompiledScenario, { legs }: ScanPath): number[] {
  const plume = recipe.weather?.plume;
  if (plume?.raised.byVehicle !== true || scenario.survey?.kind !== 'trajectory') return [];
  const way = legs
    .flatMap(({ trajectory }) => posesOf(trajectory))
    .map(({ timeS, positionM }) => ({ timeNs: Math.round(timeS * 1e9), positionM }));
  return dustAlong(plume, way);
}

/**
 * @throws 'bad-input' for names that cannot be written, names given twice (the later file would take the place of the
 * earlier one), and files that the sensor has no contents for
 */
function checkSideFiles(request: Request, sensor: SensorRecipe): void {
  const problems: Problem[] = [];
  /** Contents of the files. */
  const written = new Map<string, string>();
  const { out } = request;
  if (out !== undefined) {
    const [objects, materials] = idTableFilesOf(out);
    written.set(out, 'the returns').set(objects, 'their objects').set(materials, 'their materials');
    written.set(partFileOf(out), 'the part');
  }
  for (const { field, contents, endings, problemOf } of sideFiles) {
    const file = request[field];
    if (file === undefined) continue;
    const found: (string | null)[] = [];
    if (formatOfName(file, endings) === null) {
      const names = endings.map((ending) => `.${ending}`).join(' or ');
      found.push(`expected a file that ends in ${names}, found '${file}'`);
    }
    const other = written.get(file);
    if (other !== undefined) {
      found.push(`expected another file than that of ${other}, found '${file}'`);
    }
    written.set(file, contents);
    found.push(problemOf?.(sensor) ?? null);
    for (const message of found) {
      if (message !== null) problems.push({ path: field, code: 'format', message });
    }
  }
  if (problems.length === 0) return;
  const message = 'what was asked for beside the returns cannot be written';
  throw new UnderstoryError('bad-input', message, { problems });
}
