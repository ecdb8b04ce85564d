// scan.start: one sensor at one place in a scenario's scene, along a trajectory, or along the legs of its survey, for an
// interval of simulated time. The rows go to the caller in chunks, or to a file on the host.
import type { ScanReply } from '#contract/worker/worker.ts';
import { unusedAir } from '#domain/sensor/airEffects.ts';
import { systemNotices } from '#domain/scene/systemNotices.ts';
import { learnedLimits } from '#domain/sensor/learnedLimits.ts';
import {
  beamColumns,
  defaultScanColumns,
  type ReturnColumnName,
  type ReturnTable,
} from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { Documents, LoadedScenario } from '#services/documents/documents.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import type { Exporters, ExportTarget } from '#services/ports/exporters.ts';
import type { Logs } from '#services/ports/logs.ts';
import type { Recordings } from '#services/ports/recordings.ts';
import type { Product } from '#services/ports/system.ts';
import { originOf } from '#contract/worldOrigin.ts';
import { openScanFile, scanFileFormatOf } from './scanFile.ts';
import { type ScanFile, tickNs } from './scanTarget.ts';
import { checkSideFiles, writeSideFiles, type SideScan } from './scanSideFiles.ts';
import { trajectoryWithin, type Trajectory } from '#domain/trajectory/trajectory.ts';
import { eachSceneObject } from './sceneObjects.ts';
import { withScene, type OpenScene, type ScenePorts } from './sceneWork.ts';
import { posesSeparator, writePoses } from './posesFile.ts';
import { joinHandler } from './joinParts.ts';
import {
  isPart,
  legsInScene,
  legsOfSurvey,
  piecesOf,
  progressOfPath,
  requestedLegs,
  scanPathOf,
  type ScanLeg,
  type ScanPath,
  type ScanPiece,
} from './scanPath.ts';
import { identityOf, writePart } from './scanParts.ts';
import type { Files } from '#services/ports/files.ts';

export interface ScanPorts extends ScenePorts {
  documents: Documents;
  files: Files;
  exporters: Exporters;
  recordings: Recordings;
  logs: Logs;
  product: Product;
}

/** The handlers of `scan.*` (contract/host/methods.ts). */
export function scanHandlers(ports: ScanPorts): Handlers<'scan'> {
  return {
    'scan.start': async (request, context) => ({ reply: await startScan(ports, request, context) }),
    'scan.join': joinHandler(ports),
  };
}

type Request = RequestOf<'scan.start'>;

async function startScan(
  ports: ScanPorts,
  given: Request,
  context: HandlerContext,
): Promise<Replies['scan.start']> {
  const { isa, threads, ranks, out } = given;
  // Why first: a format that cannot be written is known before minutes of building.
  const isFile = out !== undefined && given.format === undefined;
  const format = isFile ? scanFileFormatOf(out) : null;
  // A log has every pulse.
  const request = format === 'log' ? { ...given, misses: true } : given;
  checkSideFiles(request, null);
  if (request.posesOut !== undefined) posesSeparator(request.posesOut);
  const ownLegs = await requestedLegs(ports.files, request, context.signal);
  const loaded = await ports.documents.compile(
    request.scenario,
    { signal: context.signal, seed: request.seed, settings: request.settings },
    { sensor: request.sensor, rateHz: request.rateHz, mode: request.mode },
  );
  const { compiled, heights } = loaded;
  checkSideFiles(request, compiled.sensors[0]?.recipe ?? null);
  const originM = originOf(compiled.scenario.scene);
  const [sensor] = compiled.sensors;
  const legs =
    ownLegs === null
      ? surveyLegsOf(loaded)
      : legsInScene(ownLegs, originM, request, sensor?.recipe ?? null);
  const gridNs = format === 'mcap' ? tickNs(compiled) : null;
  const path = scanPathOf(legs, request, ownLegs === null, gridNs);
  const scene = { recipe: compiled.recipe, heights };
  return withScene(ports, scene, { isa, threads, ranks }, context, async (open) => {
    const scanned = await scanReturns(ports, open, loaded, path, request, context);
    const side = await writeSideFiles(
      ports,
      open.worker,
      { ...request, target: targetOf(request) },
      [...piecesOf(path, null)].map((piece) => {
        return {
          ...jobOf(compiled, path, request, piece),
          trajectory: trajectoryOfPiece(path, piece),
        };
      }),
      compiled,
      context,
    );
    const files = [...scanned.files, ...side.files];
    return { ...scanned, ...side, files };
  });
}

/** @throws 'bad-input' where the scenario has no survey, or the sensor cannot run it */
function surveyLegsOf({ survey, compiled }: LoadedScenario): ScanLeg[] {
  if (survey !== null) {
    const { sensorProblems: problems } = survey;
    if (problems.length === 0) return legsOfSurvey(survey, compiled.scenario.seed);
    const lines = problems.map(({ path, message }) => `  ${path}: ${message}`);
    const message = `the sensor cannot run the survey:\n${lines.join('\n')}`;
    throw new UnderstoryError('bad-input', message, { problems });
  }
  const message = 'expected a pose or a trajectory, since the scenario has no survey';
  throw new UnderstoryError('bad-input', message, {
    problems: [{ path: 'pose', code: 'missing', message }],
  });
}

type Scanned = Omit<Replies['scan.start'], 'rayRows' | 'waveforms'>;

async function scanReturns(
  ports: ScanPorts,
  open: OpenScene,
  { compiled, heights }: Pick<LoadedScenario, 'compiled' | 'heights'>,
  path: ScanPath,
  request: Request,
  context: HandlerContext,
): Promise<Scanned> {
  const { out } = request;
  const target = targetOf(request);
  const written: string[] = [];
  if (request.posesOut !== undefined) {
    written.push(
      await writePoses(ports, open.worker, request.posesOut, {
        path,
        target,
        context,
        originM: originOf(compiled.scenario.scene),
        jobOf: (piece) => jobOf(compiled, path, request, piece),
      }),
    );
  }
  if (out === undefined) {
    const scanned = await scanToCaller(open, compiled, path, request, context);
    return { ...scanned, files: written };
  }
  const file = await openScanFile(ports, out, {
    columns: columnsOf(request),
    compiled,
    heights,
    hello: open.worker.hello,
    path,
    request,
    eachObject: (isWanted, take) => eachSceneObject(open.worker, compiled.recipe, isWanted, take),
    target,
  });
  let scanned: Scanned;
  try {
    scanned = await scanToFile(open, compiled, path, request, context, file);
  } catch (error) {
    await file.abort();
    throw error;
  }
  // Why none for logs: `learn` takes several as they are.
  const format = request.format === undefined ? scanFileFormatOf(out) : null;
  if (format !== null && format !== 'log' && isPart(path, request)) {
    const whole = await identityOf({
      compiled,
      path,
      misses: request.misses,
      columns: columnsOf(request),
      format,
      hello: open.worker.hello,
      simulatingSources: ports.product.simulatingSources,
    });
    const { fromNs, toNs } = path;
    const { rows } = scanned;
    written.unshift(await writePart(ports, out, target, { fromNs, toNs, rows, whole }));
  }
  return { ...scanned, files: [...scanned.files, ...written] };
}

/** Why all three: scenario, sensor and trajectory may be files, whose name could be that of a target too. */
function targetOf(request: Request): ExportTarget {
  const { isReplacing, scenario, sensor, trajectory } = request;
  const named = [sensor, trajectory?.file].filter((name) => name !== undefined);
  return { isReplacing, inputs: [scenario, ...named] };
}

async function scanToCaller(
  open: OpenScene,
  compiled: CompiledScenario,
  path: ScanPath,
  request: Request,
  context: HandlerContext,
): Promise<Scanned> {
  const columns = columnsOf(request);
  const scanned = await scanPieces(path, null, async (piece) => {
    return scanPiece({ open, compiled, request, path, context }, piece, columns, (table, rows) =>
      context.chunk(path.isSurvey ? { rows, leg: piece.leg + 1 } : { rows }, table),
    );
  });
  return replyOf(open, compiled, scanned, { files: [], leftOut: [] });
}

async function scanToFile(
  open: OpenScene,
  compiled: CompiledScenario,
  path: ScanPath,
  request: Request,
  context: HandlerContext,
  file: ScanFile,
): Promise<Scanned> {
  const scanned = await scanPieces(path, file.intervalNs, async (piece) => {
    const { leg, tick, fromNs, toNs } = piece;
    const order = { open, compiled, request, path, context };
    const result = await scanPiece(order, piece, file.columns, (table, rows) =>
      file.rows(table, rows, leg),
    );
    const { pulses, returns, hash } = result;
    await file.endInterval({ tick, sensor: 0, fromNs, toNs, pulses, returns, hash }, leg);
    return result;
  });
  return replyOf(open, compiled, scanned, await file.close());
}

type Counts = Pick<ScanReply, 'pulses' | 'rays' | 'hits' | 'returns' | 'rows' | 'hash'>;
type Legs = Replies['scan.start']['legs'];

/** The sums over all pieces, and those of each leg of a survey. */
async function scanPieces(
  path: ScanPath,
  intervalNs: number | null,
  scan: (piece: ScanPiece) => Promise<ScanReply>,
): Promise<Counts & { legs: Legs }> {
  const total: Counts = { pulses: 0, rays: 0, hits: 0, returns: 0, rows: 0, hash: '' };
  const legs = new Map<number, Legs[number]>();
  let pieces = 0;
  for (const piece of piecesOf(path, intervalNs)) {
    const result = await scan(piece);
    for (const key of ['pulses', 'rays', 'hits', 'returns', 'rows'] as const) {
      total[key] += result[key];
    }
    pieces += 1;
    // Why: a hash is over one interval; with several, a recording keeps one for each.
    total.hash = intervalNs === null && pieces === 1 ? result.hash : '';
    const name = path.legs[piece.leg]?.name ?? '';
    const leg = legs.get(piece.leg) ?? { leg: piece.leg + 1, name, pulses: 0, returns: 0 };
    leg.pulses += result.pulses;
    leg.returns += result.returns;
    legs.set(piece.leg, leg);
  }
  return { ...total, legs: path.isSurvey ? [...legs.values()] : [] };
}

async function scanPiece(
  {
    open,
    compiled,
    request,
    path,
    context,
  }: {
    open: OpenScene;
    compiled: CompiledScenario;
    request: Request;
    path: ScanPath;
    context: HandlerContext;
  },
  piece: ScanPiece,
  columns: ReturnColumnName[],
  onRows: (table: ReturnTable, rows: number) => Promise<void> | void,
): Promise<ScanReply> {
  const job = { ...jobOf(compiled, path, request, piece), columns };
  const { body } = await open.worker.call('scan', job, trajectoryOfPiece(path, piece), {
    signal: context.signal,
    onProgress: (progress) => context.progress(progressOfPath(path, piece, progress)),
    onChunk: (chunk) => onRows(chunk.columns, chunk.body.rows),
  });
  return body;
}

/** Why not the whole leg: recordings ask tick by tick, and poses may be a million. */
function trajectoryOfPiece({ legs }: ScanPath, { leg, fromNs, toNs }: ScanPiece): Trajectory {
  const whole = legs[leg]?.trajectory;
  if (whole === undefined) throw new UnderstoryError('internal', `there is no leg ${leg}`);
  return trajectoryWithin(whole, fromNs, toNs);
}

function jobOf(
  { sensors: [shared], scenario }: CompiledScenario,
  { legs }: ScanPath,
  { misses }: Request,
  { leg, fromNs, toNs }: ScanPiece,
): SideScan {
  const sensor = legs[leg]?.sensor ?? shared?.recipe;
  if (sensor === undefined) throw new UnderstoryError('internal', 'the sensor was not compiled');
  return { sensor, fromNs, toNs, seed: scenario.seed, misses };
}

function replyOf(
  { summary }: OpenScene,
  compiled: CompiledScenario,
  counts: Counts & { legs: Legs },
  written: { files: string[]; leftOut: string[] },
): Scanned {
  const { classes } = compiled.recipe;
  const [sensor] = compiled.sensors;
  const air = unusedAir(compiled.recipe.atmosphere, sensor === undefined ? [] : [sensor.recipe]);
  const systems = systemNotices(summary.models, compiled.scenario.scene.crs);
  const notes = [
    ...(air === null ? [] : [`${air.path} has no effect: ${air.message}`]),
    ...(sensor === undefined ? [] : learnedLimits(summary, sensor)),
    ...systems.map(({ path, message }) => `${path}: ${message}`),
  ];
  return { ...counts, ...written, notes, classes, summary };
}

function columnsOf(request: Request): ReturnColumnName[] {
  if (request.columns !== undefined) return request.columns;
  const { out, format, frame } = request;
  const isFile = out !== undefined && format === undefined;
  const isLas = isFile && scanFileFormatOf(out) === 'las' && frame !== 'sensor';
  return isLas ? [...defaultScanColumns, ...beamColumns] : defaultScanColumns;
}
