// runs.scene: the scene of a run as it was simulated, for views of the run.
import type { TextJobs } from '#domain/scenario/textJobs.ts';
import type { Handlers } from '#services/handlers.ts';
import type { Catalogue, RunRow } from '#services/ports/catalogue.ts';
import type { RunFolders } from '#services/ports/files.ts';
import { withScene, type Scene, type ScenePorts } from '#services/scans/sceneWork.ts';
import { sendContents } from '#services/scenes/sceneContents.ts';
import { createSceneSession } from '#services/scenes/sceneSession.ts';
import { openRunRecording, type RunRecordingPorts } from './openRun.ts';
import { runOf } from './runCollection.ts';
import { compiledOf, withStoredMeshes } from './storedDocument.ts';

export interface RunScenePorts extends RunRecordingPorts, ScenePorts {
  catalogue: Catalogue;
  folders: RunFolders;
  texts: TextJobs;
}

/** @throws as sceneOfRun and withScene */
export function runSceneHandler(ports: RunScenePorts): Pick<Handlers<'runs'>, 'runs.scene'> {
  return {
    'runs.scene': async ({ runId, levels }, context) => {
      const run = runOf(ports.catalogue, runId);
      const compiled = await compiledOf(ports, run.id);
      const scene = await sceneOfRun(ports, run, compiled);
      // Why one thread: the run itself may be under way, and the view can wait.
      await withScene(ports, scene, { threads: 1 }, context, async (open) => {
        const session = createSceneSession(run.id, open, { ...compiled, recipe: scene.recipe });
        try {
          await sendContents(
            session,
            open.summary,
            { compiled: session.compiled, sensorFiles: [] },
            levels,
            context,
          );
        } finally {
          await session.end();
        }
      });
      return { reply: {} };
    },
  };
}

/** @throws as withStoredMeshes and, where a height field is among its models, openRunRecording */
export async function sceneOfRun(
  ports: RunScenePorts,
  run: RunRow,
  compiled: Awaited<ReturnType<typeof compiledOf>>,
): Promise<Scene> {
  const { recipe } = withStoredMeshes(ports.folders, run, compiled);
  return { recipe, heights: await heightsOf(ports, run, recipe) };
}

/** Those of the recording; none are needed where no model is a height field. */
async function heightsOf(
  ports: RunScenePorts,
  run: RunRow,
  { models }: Scene['recipe'],
): Promise<Float32Array> {
  if (!models.some(({ source }) => source.kind === 'height-field')) return new Float32Array();
  const reader = await openRunRecording(ports, run);
  const { heights } = reader.header;
  await reader.close();
  return heights;
}
