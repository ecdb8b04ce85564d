// runs.*: asking about runs, taking their points out, and deleting them.
import type { RunDetails } from '#contract/host/runMethods.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import type { Handlers } from '#services/handlers.ts';
import type { RunRow } from '#services/ports/catalogue.ts';
import { originOf } from '#contract/worldOrigin.ts';
import { driveFromWorld } from '#domain/scene/georeference.ts';
import type { Exporters } from '#services/ports/exporters.ts';
import type { LogFile } from '#services/ports/system.ts';
import {
  listItem,
  runCollectionHandlers,
  runOf,
  type RunCollectionPorts,
} from './runCollection.ts';
import { adoptHandler, type AdoptPorts } from './adoptRuns.ts';
import { exportRun } from './exportRun.ts';
import { cloudsHandler } from './runClouds.ts';
import { runPlaybackHandlers, type RunPlaybackPorts } from './runPlayback.ts';
import { runPlantsHandler } from './runPlants.ts';
import { runPoses } from './poses.ts';
import { runImageHandler } from './runImage.ts';
import { runSceneHandler } from './runScene.ts';
import { compiledWithoutObjects } from './storedDocument.ts';

interface RunsPorts extends RunCollectionPorts, RunPlaybackPorts, AdoptPorts {
  exporters: Exporters;
  logFile: LogFile;
}

/** Lines that are logged within this time after a run's end belong to its ending. */
const logAfterMs = 2000;

/** The handlers of `runs.*` (contract/host/methods.ts) but for those about files of runs (services/bundles). */
export function runsHandlers(
  ports: RunsPorts,
): Omit<Handlers<'runs'>, 'runs.pack' | 'runs.receive' | 'runs.unpack' | 'runs.verify'> {
  const { catalogue, folders } = ports;
  return {
    ...runCollectionHandlers(ports),
    ...runPlaybackHandlers(ports),
    ...adoptHandler(ports),
    ...cloudsHandler(ports),
    ...runPlantsHandler(ports),
    ...runSceneHandler(ports),
    ...runImageHandler(ports),

    'runs.show': async ({ runId }) => ({ reply: await details(runOf(catalogue, runId)) }),

    'runs.scans': ({ runId, instance, minReturns }) => {
      const { id } = runOf(catalogue, runId);
      if (instance === undefined) {
        return { reply: catalogue.scans(id).filter(({ returns }) => returns >= minReturns) };
      }
      return { reply: catalogue.scansOfInstance(id, instance, minReturns) };
    },

    'runs.export': async (request, context) => ({
      reply: await exportRun(ports, runOf(catalogue, request.runId), request, context),
    }),

    'runs.log': async ({ runId }) => {
      const { createdMs, endedMs } = runOf(catalogue, runId);
      const toMs = endedMs === null ? Infinity : endedMs + logAfterMs;
      const { file } = ports.logFile;
      return { reply: { file, lines: await ports.logFile.between(createdMs - 1, toMs) } };
    },

    'runs.poses': async (request, context) => ({
      reply: await runPoses(ports, runOf(catalogue, request.runId), request, context),
    }),
  };

  async function details(run: RunRow): Promise<RunDetails> {
    const {
      scenario,
      recipe,
      sensors,
      settings = [],
    } = await compiledWithoutObjects(ports, run.id);
    const { vehicle } = scenario;
    const { mission } = driveFromWorld(scenario);
    return {
      ...listItem(run),
      scenarioHash: run.scenarioHash,
      settings,
      sceneHash: run.sceneHash,
      version: run.version,
      isa: run.isa,
      hostName: run.hostName,
      origin: run.origin,
      recordingFile: folders.recordingFile(run.id),
      recordingBytes: folders.recordingBytes(run.id),
      scene: sceneMetrics(catalogue.sceneSummary(run.id), recipe),
      ...catalogue.counts(run.id),
      classes: recipe.classes,
      sensorNames: sensors.map(({ name }) => name),
      vehicleSizeM: [vehicle.lengthM, vehicle.widthM, vehicle.heightM],
      originM: [...originOf(scenario.scene)],
      crs: scenario.scene.crs ?? null,
      mission:
        mission === undefined
          ? null
          : {
              startM: mission.startM,
              goalM: mission.goalM,
              goalToleranceM: mission.goalToleranceM,
            },
    };
  }
}

function sceneMetrics(summary: SceneSummary | null, recipe: SceneRecipe): RunDetails['scene'] {
  if (summary === null) return null;
  const { instancedTriangles, uniqueTriangles, instances, models, minM, maxM } = summary;
  const isTree = models.map((_, index) => {
    const source = recipe.models[index]?.source;
    return source?.kind === 'plant' && source.plant.generator === 'tree';
  });
  return {
    instancedTriangles,
    uniqueTriangles,
    instances,
    grassBlades: models.reduce((sum, model) => sum + model.blades * model.instances, 0),
    trees: models.reduce((sum, model, index) => sum + (isTree[index] ? model.instances : 0), 0),
    minM,
    maxM,
  };
}
