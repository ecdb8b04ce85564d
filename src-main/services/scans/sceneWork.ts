// Shared part of single scans, renders and plans: a worker of one's own with a scene in it, gone
// when the work is done.
import type { Isa, SceneSummary } from '#contract/worker/worker.ts';
import type { UnderstoryError } from '#contract/errors.ts';
import { formatPath, type Problem } from '#contract/documents/problems.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { memoryLimitBytes } from '#domain/scene/memoryLimit.ts';
import { meshNotices, type Notice } from '#domain/scene/meshNotices.ts';
import { systemNotices } from '#domain/scene/systemNotices.ts';
import { readable } from '#services/documents/documentFiles.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Machine } from '#services/ports/system.ts';
import type { ScanWorker, WorkerCallOptions, WorkerLauncher } from '#services/ports/workers.ts';
import type { Turns } from '#services/turns.ts';

/** Ports that decide whether a scene fits. */
export interface BuildPorts {
  machine: Pick<Machine, 'availableMemoryBytes'>;
  /** Turns of all builds of this host, including those of its runs. */
  builds: Turns;
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

/**
 * Plans the scene, builds it if it fits, does the work and lets the worker go.
 * @throws 'scene-too-large' with the sizes, before anything is built
 */
export async function withScene<T>(
  ports: ScenePorts,
  scene: Scene,
  options: { isa?: Isa | undefined; threads?: number | undefined; ranks?: number | undefined },
  context: HandlerContext,
  work: (open: OpenScene) => Promise<T>,
): Promise<T> {
  const { isa = null, threads = null, ranks = null } = options;
  const worker = await ports.launcher.open({ isa, threads, ranks });
  try {
    const { signal, progress: onProgress } = context;
    const summary = await buildScene(ports, worker, scene, { signal, onProgress });
    return await work({ worker, summary });
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
  { recipe, heights }: Scene,
  options: WorkerCallOptions,
): Promise<SceneSummary> {
  const waiting = { phase: 'waiting for another scene to be built', done: 0, total: 0 };
  const endTurn = await builds.take(options.signal, () => options.onProgress?.(waiting));
  try {
    const limit = memoryLimitBytes(machine.availableMemoryBytes());
    const request = { recipe, memoryLimitBytes: limit };
    return (await worker.call('scene.build', request, { heights }, options)).body;
  } finally {
    endTurn();
  }
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
  const models = recipe.models.filter(({ source }) => source.kind === 'mesh');
  const problems: Problem[] = [];
  const notices: Notice[] = [];
  if (models.length === 0) return { problems, notices };
  const worker = await launcher.open({ isa: null, threads: null });
  try {
    for (const model of models) {
      const index = recipe.models.indexOf(model);
      const instances = recipe.instances
        .filter((placed) => placed.model === index)
        .map((placed) => ({ ...placed, model: 0 }));
      const alone = { ...recipe, models: [model], instances, scatters: [], ground: -1 };
      const request = {
        recipe: alone,
        memoryLimitBytes: memoryLimitBytes(machine.availableMemoryBytes()),
      };
      const path = formatPath(['scene', 'models', model.name, 'file']);
      const read = await readable(path, () =>
        worker.call('scene.plan', request, { heights: new Float32Array() }, { signal }),
      );
      for (const found of read.problems) problems.push(found);
      if (read.value !== null)
        for (const notice of meshNotices(read.value.body.models)) notices.push(notice);
    }
  } finally {
    await worker.dispose();
  }
  return { problems, notices };
}

/** Counts, extents and memory of a scene that is not built. */
export async function planScene(
  { launcher, machine }: ScenePorts,
  scene: Scene,
  context: HandlerContext,
): Promise<SceneSummary> {
  const worker = await launcher.open({ isa: null, threads: null });
  try {
    const request = {
      recipe: scene.recipe,
      memoryLimitBytes: memoryLimitBytes(machine.availableMemoryBytes()),
    };
    const { signal, progress: onProgress } = context;
    const { heights } = scene;
    return (await worker.call('scene.plan', request, { heights }, { signal, onProgress })).body;
  } finally {
    await worker.dispose();
  }
}
