// runs.image: the scene of a run as it was simulated, from a camera at a time of the run.
import type { Handlers } from '#services/handlers.ts';
import { renderImage } from '#services/scans/renderImage.ts';
import { runOf } from './runCollection.ts';
import { sceneOfRun, type RunScenePorts } from './runScene.ts';
import { compiledOf } from './storedDocument.ts';

/** @throws as sceneOfRun and renderImage */
export function runImageHandler(ports: RunScenePorts): Pick<Handlers<'runs'>, 'runs.image'> {
  return {
    'runs.image': async ({ runId, ...request }, context) => {
      const run = runOf(ports.catalogue, runId);
      const compiled = await compiledOf(ports, run.id);
      const scene = await sceneOfRun(ports, run, compiled);
      return renderImage(ports, compiled, scene, request, context);
    },
  };
}
