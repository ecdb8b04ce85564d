// The validation's laboratory: scenes and sensors from documents, as users write them, traced by scanWorker
// through the protocol of every scan. It holds one scene at a time; columns come back whole.
import type { Mutation } from '#contract/worker/mutations.ts';
import { instancesOf } from '#services/scans/instancesOf.ts';
import { buildScene, type BuildPorts, type Scene } from '#services/scans/sceneWork.ts';
import type { Columns, ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import type { LearnPreset } from '#contract/host/learnMethods.ts';
import { learnPresets } from '#domain/shared/learnPresets.ts';
import { joinReturns } from '#domain/shared/joinColumns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Plant } from '#contract/documents/plant.ts';
import { parseWith, type Parsed } from '#contract/documents/problems.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { scenarioSchema } from '#contract/documents/scenario.ts';
import type { SceneInput } from '#contract/documents/scene.ts';
import { sensorSchema, type SensorInput } from '#contract/documents/sensor.ts';
import type { DescribeRequest } from '#contract/worker/sensorDescription.ts';
import type { WorkerChunk, WorkerReply, WorkerRequest } from '#contract/worker/workerMethods.ts';
import type { CompareReply, EvaluateReply } from '#contract/worker/evaluate.ts';
import type { LearnParameters, LearnReply, LearnRequest } from '#contract/worker/learn.ts';
import type {
  RenderRequest,
  ScanReply,
  SceneSummary,
  WorkerHello,
} from '#contract/worker/worker.ts';
import { memoryLimitBytes } from '#domain/scene/memoryLimit.ts';
import { compileSensor, type SensorSettings } from '#domain/sensor/compileSensor.ts';
import type { Documents, LoadedScenario } from '#services/documents/documents.ts';
import { documentName, readReferred } from '#services/documents/documentFiles.ts';
import type { Files, ScratchFiles } from '#services/ports/files.ts';
import type { Logs } from '#services/ports/logs.ts';
import type { RunPorts } from '#services/runProcess/executeRun.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import type { ScanWorker, WorkerLauncher } from '#services/ports/workers.ts';
import { loadScene } from '#services/documents/sceneFiles.ts';
import { driveOnce, type Drive } from './benchDrive.ts';
import type { Picture } from './section.ts';

export interface ScanOrder<N extends ReturnColumnName> {
  sensor: SensorRecipe;
  trajectory: Trajectory;
  /** Default: 0. */
  fromNs?: number;
  toNs: number;
  /** Seed of the sensor's random errors. */
  seed: number;
  columns: readonly N[];
  /** Also one row for each pulse without an echo. */
  misses?: boolean;
  /** Most pulses in one chunk. */
  chunkPulses?: number;
}

/** Methods about the truth of plants, and about beams through voxels. */
type AskedMethod = 'truth.plants' | 'truth.voxels' | 'truth.gaps' | 'log.voxels';

/** The rows of a scan, column by column. */
export interface Scanned<N extends ReturnColumnName> {
  rows: number;
  columns: Required<Pick<ReturnTable, N>>;
  result: ScanReply;
}

export interface ValidationBench {
  readonly hello: WorkerHello;
  readonly signal: AbortSignal;
  /** From a document, or a sample by id. @throws 'bad-input' with every problem */
  sensor(document: SensorInput | string, settings?: SensorSettings): Promise<SensorRecipe>;
  /**
   * From a document. Plants and meshes are found as from a scenario in the working folder.
   * @throws 'bad-input' with every problem
   */
  scene(document: SceneInput, seed: number): Promise<Scene>;
  /** A sample scenario, with this sensor instead of its own. @throws 'bad-input' */
  scenario(id: string, sensor?: string): Promise<LoadedScenario>;
  /** A scenario of the validation (assets/validation), with the sensors and plants beside it. @throws 'bad-input' */
  validationScenario(name: string): Promise<LoadedScenario>;
  /** A sample plant. @throws 'bad-input' */
  plant(id: string): Promise<Plant>;
  /** Replaces the scene that was built before. */
  build(scene: Scene): Promise<SceneSummary>;
  /** The columns of worker.ts instanceColumnNames, of the scene that is built. */
  instances(): Promise<Columns>;
  scan<N extends ReturnColumnName>(order: ScanOrder<N>): Promise<Scanned<N>>;
  /** As `scan`, table by table: for scans that are too long to keep. */
  scanEach<N extends ReturnColumnName>(
    order: ScanOrder<N>,
    onTable: (columns: Required<Pick<ReturnTable, N>>, rows: number) => void,
  ): Promise<ScanReply>;
  render(request: RenderRequest, title: string): Promise<Picture>;
  /** The truth of the plants of the scene that is built, or the beams of logs in voxels, with all chunks. */
  ask<M extends AskedMethod>(
    method: M,
    request: WorkerRequest<M>['body'],
  ): Promise<{ reply: WorkerReply<M>; chunks: WorkerChunk<M>[] }>;
  /** The sensor as the worker simulates it: directions, footprint, biases. */
  describe(request: DescribeRequest): Promise<WorkerReply<'sensor.describe'>>;
  /**
   * The vehicle drives itself through a scenario, as runs do, with a worker of its own; nothing is recorded.
   * @throws as executeRun
   */
  drive(scenario: LoadedScenario, seconds: number): Promise<Drive>;
  /** Files of logs. */
  readonly logs: Logs;
  readonly scratch: ScratchFiles;
  readonly files: Files;
  /** @throws as the worker's learn */
  learn(
    order: Pick<LearnRequest, 'logs' | 'out' | 'model' | 'seed'> & LearnChanges,
  ): Promise<LearnReply>;
  /** A model against a log. @throws likewise */
  evaluate(model: string, log: string, seed: number): Promise<EvaluateReply>;
  /** Two logs, or one with itself. @throws likewise */
  compare(logs: string[]): Promise<CompareReply>;
  /** The same bench with a worker of so many threads; a scene has to be built again. */
  withThreads<T>(threads: number, work: (bench: ValidationBench) => Promise<T>): Promise<T>;
  /** The same bench with a worker that has a mutation (contract/worker/mutations.ts); null: none was built. */
  withMutation:
    (<T>(name: Mutation, work: (bench: ValidationBench) => Promise<T>) => Promise<T>) | null;
}

/** Parameters by preset, and those in its place. */
export interface LearnChanges {
  preset?: LearnPreset;
  volume?: Partial<LearnParameters['volume']>;
  surface?: Partial<LearnParameters['surface']>;
  classifier?: Partial<LearnParameters['classifier']>;
}

export interface BenchPorts extends RunPorts, BuildPorts {
  machine: RunPorts['machine'];
  documents: Documents;
  files: Files;
  logs: Logs;
  scratch: ScratchFiles;
  /** Workers with the mutation of that name; null: the binary with mutations was not built. */
  mutantLauncher: ((mutation: Mutation) => WorkerLauncher) | null;
}

/** Opens a worker for the bench, works, and lets the worker go. */
export async function withBench<T>(
  ports: BenchPorts,
  signal: AbortSignal,
  work: (bench: ValidationBench) => Promise<T>,
  threads: number | null = null,
): Promise<T> {
  const worker = await ports.launcher.open({ isa: null, threads });
  try {
    return await work(benchOf(ports, worker, signal));
  } finally {
    await worker.dispose();
  }
}

function benchOf(ports: BenchPorts, worker: ScanWorker, signal: AbortSignal): ValidationBench {
  const { documents, files, logs, scratch, machine, mutantLauncher } = ports;
  const limitBytes = (): number => memoryLimitBytes(machine.availableMemoryBytes());

  async function scanEach<N extends ReturnColumnName>(
    { sensor, trajectory, fromNs = 0, toNs, seed, columns, misses = false, ...rest }: ScanOrder<N>,
    onTable: (columns: Required<Pick<ReturnTable, N>>, rows: number) => void,
  ): Promise<ScanReply> {
    const { chunkPulses } = rest;
    const request = { sensor, fromNs, toNs, seed, columns: [...columns], misses };
    const order = { ...request, ...(chunkPulses !== undefined && { chunkPulses }) };
    const { body } = await worker.call('scan', order, trajectory, {
      signal,
      onChunk: (chunk) => onTable(joinReturns([chunk.columns], columns), chunk.body.rows),
    });
    return body;
  }

  return {
    hello: worker.hello,
    signal,
    scanEach,
    sensor: async (document, settings) => {
      if (typeof document === 'string') {
        return orThrow(document, await documents.loadSensor(document, settings)).recipe;
      }
      const sensor = orThrow('a sensor', parseWith(sensorSchema, document));
      return orThrow(sensor.id, compileSensor(sensor, settings));
    },
    scene: async (scene, seed) => {
      const document = { understory: 2, name: 'validation', seed, scene };
      const scenario = orThrow('a scene', parseWith(scenarioSchema, document));
      return orThrow('a scene', await loadScene(files, scenario, '.'));
    },
    scenario: (id, sensor) => documents.compile(id, {}, sensor === undefined ? null : { sensor }),
    validationScenario: async (name) => {
      const known = await files.listAssets('validation');
      const file = known.find((each) => documentName(each) === name);
      return documents.compile(file ?? name, {}, null);
    },
    logs,
    scratch,
    files,
    learn: async ({ preset = 'browning-2012', volume, surface, classifier, ...order }) => {
      const basis = learnPresets[preset];
      const parameters = {
        volume: { ...basis.volume, ...volume },
        surface: { ...basis.surface, ...surface },
        classifier: { ...basis.classifier, ...classifier },
      };
      const request = { ...order, parameters, memoryLimitBytes: limitBytes() };
      return (await worker.call('learn.model', request, {}, { signal })).body;
    },
    evaluate: async (model, log, seed) => {
      const request = { model, log, seed, maxPoints: 0, memoryLimitBytes: limitBytes() };
      return (await worker.call('learn.evaluate', request, {}, { signal })).body;
    },
    compare: async (compared) => {
      const request = { logs: compared, memoryLimitBytes: limitBytes() };
      return (await worker.call('log.compare', request, {}, { signal })).body;
    },
    plant: async (id) =>
      orThrow(id, await readReferred(files, { kind: 'plant', name: id, at: 'plant' })),
    build: (scene) => buildScene(ports, worker, scene, { signal }),
    instances: () => instancesOf(worker),
    scan: async (order) => {
      const tables: ReturnTable[] = [];
      const result = await scanEach(order, (table) => tables.push(table));
      const { columns } = order;
      return { rows: result.rows, columns: joinReturns(tables, columns), result };
    },
    render: async (request, title) => {
      const { widthPx, heightPx } = request;
      const { columns } = await worker.call('render', request, {}, { signal });
      return { title, widthPx, heightPx, ...columns };
    },
    ask: async (method, request) => {
      // Why the cast: these methods take no columns, which the compiler does not follow through their names.
      const none = {} as WorkerRequest<typeof method>['columns'];
      const chunks: WorkerChunk<typeof method>[] = [];
      const onChunk = (chunk: WorkerChunk<typeof method>): void => void chunks.push(chunk);
      const reply = await worker.call(method, request, none, { signal, onChunk });
      return { reply, chunks };
    },
    describe: (request) => worker.call('sensor.describe', request, {}, { signal }),
    drive: (scenario, seconds) => driveOnce(ports, scenario, seconds, signal),
    withThreads: (threads, work) => withBench(ports, signal, work, threads),
    withMutation:
      mutantLauncher === null
        ? null
        : (name, work) => withBench({ ...ports, launcher: mutantLauncher(name) }, signal, work),
  };
}

/** A value, or all that was wrong with its document. */
function orThrow<T>(name: string, { value, problems }: Parsed<T>): T {
  if (value !== null) return value;
  const lines = problems.map(({ path, message }) => `  ${path}: ${message}`);
  throw new UnderstoryError('bad-input', `${name} cannot be used:\n${lines.join('\n')}`, {
    problems,
  });
}
