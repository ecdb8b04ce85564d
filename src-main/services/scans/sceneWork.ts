// Shared part of single scans, renders and plans: a worker of one's own with a scene in it, gone
// when the work is done.
import type { SceneSummary } from '#contract/worker/worker.ts';
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { formatPath, type Problem } from '#contract/documents/problems.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { memoryLimitBytes } from '#domain/scene/memoryLimit.ts';
import { meshNotices } from '#domain/scene/meshNotices.ts';
import type { Notice } from '#domain/shared/notice.ts';
import { startProblems } from '#domain/truth/startOverlaps.ts';
import { systemNotices } from '#domain/scene/systemNotices.ts';
import { readable } from '#services/documents/documentFiles.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Machine } from '#services/ports/system.ts';
import type { ScanWorker, WorkerCallOptions, WorkerLauncher } from '#services/ports/workers.ts';
import type { Mutex } from '#services/mutex.ts';

/** Ports that decide whether a scene fits. */
export interface BuildPorts {
  machine: Pick<Machine, 'availableMemoryBytes'>;
  /** Held by one build of this host at a time, those of its runs included. */
  builds: Mutex;
}

export interface ScenePorts extends BuildPorts {
  launcher: WorkerLauncher;
}

export interface Scene {
  recipe: CompiledScenario['recipe'];
  heights: Float32Array;
}

export interface OpenScene {
  worker: ScanWorker;
  summary: SceneSummary;
}

/** As WorkerLauncher.open takes them. */
type WorkerOptions = { [N in 'isa' | 'threads' | 'ranks']?: OpenOptions[N] | undefined };
type OpenOptions = Parameters<WorkerLauncher['open']>[0];

/**
 * Plans the scene, builds it if it fits, does the work and lets the worker go.
 * @throws 'scene-too-large' with the sizes, before anything is built
 */
export function withScene<T>(
  ports: ScenePorts,
  scene: Scene,
  options: WorkerOptions,
  { signal, progress: onProgress }: HandlerContext,
  work: (open: OpenScene) => Promise<T>,
): Promise<T> {
  return withWorker(ports.launcher, options, async (worker) => {
    const summary = await buildScene(ports, worker, scene, { signal, onProgress });
    return work({ worker, summary });
  });
}

async function withWorker<T>(
  launcher: WorkerLauncher,
  { isa = null, threads = null, ranks = null }: WorkerOptions,
  work: (worker: ScanWorker) => Promise<T>,
): Promise<T> {
  const worker = await launcher.open({ isa, threads, ranks });
  try {
    return await work(worker);
  } finally {
    await worker.dispose();
  }
}

/**
 * Builds the scene in a worker, after those that are being built, within the memory that is then free.
 * Why in turn: what a build is going to take cannot be seen in the free memory, and builds that fit alone need not fit
 * together.
 * @throws 'scene-too-large' with the sizes, before anything is built; 'cancelled', also while it waits
 */
export async function buildScene(
  { machine, builds }: BuildPorts,
  worker: ScanWorker,
  scene: Scene,
  options: WorkerCallOptions,
): Promise<SceneSummary> {
  const waiting = { phase: 'waiting for another scene to be built', done: 0, total: 0 };
  const unlock = await builds.lock(options.signal, () => options.onProgress?.(waiting));
  try {
    return await summaryOf(worker, 'scene.build', scene, { machine, ...options });
  } finally {
    unlock();
  }
}

async function summaryOf(
  worker: ScanWorker,
  method: 'scene.plan' | 'scene.build',
  { recipe, heights }: Scene,
  { machine, ...options }: WorkerCallOptions & Pick<BuildPorts, 'machine'>,
): Promise<SceneSummary> {
  const request = { recipe, memoryLimitBytes: memoryLimitBytes(machine.availableMemoryBytes()) };
  return (await worker.call(method, request, { heights }, options)).body;
}

/**
 * Problems and notices of a scene: those of its files; where these have none and learned models are among them, what
 * the worker refuses of the scene as a whole, such as plants in the place of learned ones, as before a scan.
 * @throws what is no fault of the scene
 */
export async function checkScene(
  ports: ScenePorts,
  { crs, ...scene }: Scene & { crs: string | undefined },
  context: HandlerContext,
): Promise<{ problems: Problem[]; notices: Notice[] }> {
  const meshes = await checkMeshes(ports, scene.recipe, context);
  // Why only then: without learned models all that could be refused is in the recipe, and a plan grows every plant.
  const hasLearned = scene.recipe.models.some(
    ({ source }) => source.kind === 'mesh' && source.format === 'learned',
  );
  if (meshes.problems.length > 0 || !hasLearned) return meshes;
  const plan = await readable('scene', () => planScene(ports, scene, context), modelPath);
  const systems = systemNotices(plan.value?.models ?? [], crs);
  return { problems: plan.problems, notices: [...meshes.notices, ...systems] };
}

/** `instances`: of the built scene. @throws 'bad-input' where one that moves starts inside an obstacle */
export function expectFreeStarts(
  summary: SceneSummary,
  instances: Columns,
  compiled: CompiledScenario,
): void {
  const problems = startProblems(summary, instances, compiled);
  if (problems.length === 0) return;
  const lines = problems.map(({ path, message }) => `  ${path}: ${message}`);
  const message = `the motions of the scene cannot be used:\n${lines.join('\n')}`;
  throw new UnderstoryError('bad-input', message, { problems });
}

/** The path of the model that a failure of the worker names; null: it names none. */
function modelPath({ details }: UnderstoryError): string | null {
  const { model } = details;
  return typeof model === 'string' ? formatPath(['scene', 'models', model]) : null;
}

/**
 * Reads the mesh files of a scene, each alone: a refused one is a problem at its path, odd facets are notices.
 * @throws what is no fault of a mesh
 */
export async function checkMeshes(
  { launcher, machine }: ScenePorts,
  recipe: SceneRecipe,
  { signal }: HandlerContext,
): Promise<{ problems: Problem[]; notices: Notice[] }> {
  // Those of the document: names that compiling makes have a colon.
  const models = recipe.models.filter(
    ({ name, source }) => source.kind === 'mesh' && !name.includes(':'),
  );
  const problems: Problem[] = [];
  const notices: Notice[] = [];
  if (models.length === 0) return { problems, notices };
  await withWorker(launcher, {}, async (worker) => {
    for (const model of models) {
      const index = recipe.models.indexOf(model);
      const instances = recipe.instances
        .filter((placed) => placed.model === index)
        .map((placed) => ({ ...placed, model: 0 }));
      const others = { scatters: [], landscapes: [], ground: -1 };
      const alone = { ...recipe, models: [model], instances, ...others };
      const scene = { recipe: alone, heights: new Float32Array() };
      const path = formatPath(['scene', 'models', model.name, 'file']);
      const read = await readable(path, () =>
        summaryOf(worker, 'scene.plan', scene, { machine, signal }),
      );
      for (const found of read.problems) problems.push(found);
      for (const notice of meshNotices(read.value?.models ?? [])) notices.push(notice);
    }
  });
  return { problems, notices };
}

/** Counts, extents and memory of a scene that is not built. */
export function planScene(
  { launcher, machine }: ScenePorts,
  scene: Scene,
  { signal, progress: onProgress }: HandlerContext,
): Promise<SceneSummary> {
  return withWorker(launcher, {}, (worker) =>
    summaryOf(worker, 'scene.plan', scene, { machine, signal, onProgress }),
  );
}
