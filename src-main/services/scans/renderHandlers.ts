// render.*: a scenario's scene from a camera, as an image or as depths, by the worker that scans it.
import { radians } from '#domain/shared/numbers.ts';
import type { Documents } from '#services/documents/documents.ts';
import { depthMap } from './depthMap.ts';
import { cameraInScene } from './cameraInScene.ts';
import type { Handlers } from '#services/handlers.ts';
import { withScene, type ScenePorts } from './sceneWork.ts';

/** The handlers of `render.*` (contract/host/methods.ts). */
export function renderHandlers(ports: ScenePorts & { documents: Documents }): Handlers<'render'> {
  return {
    'render.start': async (request, context) => {
      const { widthPx, heightPx, samplesPerPixel, orthographicHeightM, camera } = request;
      const { compiled, heights } = await ports.documents.compile(request.scenario, {
        seed: request.seed,
        settings: request.settings,
        signal: context.signal,
      });
      const scene = { recipe: compiled.recipe, heights };
      const { columns } = await withScene(ports, scene, {}, context, ({ worker }) =>
        worker.call(
          'render',
          {
            positionM: cameraInScene(compiled, camera).positionM,
            yawRad: radians(camera.yawDeg),
            pitchRad: radians(camera.pitchDeg),
            verticalFovRad: radians(request.verticalFovDeg),
            widthPx,
            heightPx,
            samplesPerPixel,
            ...(orthographicHeightM === undefined ? {} : { orthographicHeightM }),
          },
          {},
          { signal: context.signal, onProgress: context.progress },
        ),
      );
      return { reply: { widthPx, heightPx }, columns };
    },

    'render.depth': (request, context) => depthMap(ports, request, context),
  };
}
