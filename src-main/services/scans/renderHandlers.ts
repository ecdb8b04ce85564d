// render.*: a scenario's scene from a camera, as an image or as depths, by the worker that scans it.
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import {
  depthCameraRecipe,
  depthColumns,
  depthImageNs,
  placeDepths,
} from '#domain/sensor/depthCamera.ts';
import { radians } from '#domain/shared/numbers.ts';
import { poseFromDegrees } from '#domain/shared/pose.ts';
import { stationaryAt } from '#domain/trajectory/trajectory.ts';
import type { Documents } from '#services/documents/documents.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import { cameraInScene, renderImage } from './renderImage.ts';
import { sceneAtTime } from './sceneAtTime.ts';
import { withScene, type ScenePorts } from './sceneWork.ts';

type Depths = { reply: Replies['render.depth']; columns: Columns };

/** The handlers of `render.*` (contract/host/methods.ts). */
export function renderHandlers(ports: ScenePorts & { documents: Documents }): Handlers<'render'> {
  const compiledFor = (
    { scenario, seed, settings }: Pick<RequestOf<'render.start'>, 'scenario' | 'seed' | 'settings'>,
    { signal }: HandlerContext,
  ) => ports.documents.compile(scenario, { seed, settings, signal });

  /** Depths of the first surfaces, by one ray a pixel; NaN where nothing was met. */
  async function depths(
    request: RequestOf<'render.depth'>,
    context: HandlerContext,
  ): Promise<Depths> {
    const { widthPx, heightPx, kind, maxRangeM } = request;
    const { compiled, heights } = await compiledFor(request, context);
    const horizontalFovRad = radians(request.horizontalFovDeg);
    const camera = { widthPx, heightPx, horizontalFovRad, maxRangeM };
    const pose = cameraInScene(compiled.scenario, request.camera);
    const map = new Float32Array(widthPx * heightPx).fill(NaN);
    const moving = { recipe: opaque(compiled.recipe), heights };
    const scene = await sceneAtTime(ports, moving, request.atS, context);
    const scan = {
      sensor: depthCameraRecipe(camera),
      fromNs: 0,
      toNs: depthImageNs,
      seed: compiled.scenario.seed,
      columns: [...depthColumns],
      misses: false,
    };
    await withScene(ports, scene, request, context, ({ worker }) =>
      worker.call('scan', scan, stationaryAt(poseFromDegrees(pose)), {
        signal: context.signal,
        onProgress: context.progress,
        onChunk: ({ columns: { pulse, azimuth_rad, elevation_rad, true_range_m } }) => {
          if (!pulse || !azimuth_rad || !elevation_rad || !true_range_m) {
            throw new UnderstoryError('protocol', 'the worker left out columns of the depth map');
          }
          placeDepths(map, camera, kind, { pulse, azimuth_rad, elevation_rad, true_range_m });
        },
      }),
    );
    return { reply: { widthPx, heightPx, ...extremes(map) }, columns: { depth_m: map } };
  }

  return {
    'render.start': async (request, context) => {
      const { compiled, heights } = await compiledFor(request, context);
      return renderImage(ports, compiled, { recipe: compiled.recipe, heights }, request, context);
    },
    'render.depth': depths,
  };
}

/** Every surface white and diffuse: no ray continues through panes, water, gaps or over mirrors, and none is lost. */
function opaque(recipe: SceneRecipe): SceneRecipe {
  const materials = recipe.materials.map(
    ({ surface: _surface, gapFraction: _gaps, transmittance: _diffuse, ...rest }) => ({
      ...rest,
      reflectance: 1,
    }),
  );
  return { ...recipe, materials };
}

function extremes(
  map: Float32Array,
): Pick<Replies['render.depth'], 'pixelsMet' | 'nearestM' | 'farthestM'> {
  let pixelsMet = 0;
  let nearestM = Infinity;
  let farthestM = -Infinity;
  for (const depthM of map) {
    if (Number.isNaN(depthM)) continue;
    pixelsMet += 1;
    nearestM = Math.min(nearestM, depthM);
    farthestM = Math.max(farthestM, depthM);
  }
  return pixelsMet === 0
    ? { pixelsMet, nearestM: null, farthestM: null }
    : { pixelsMet, nearestM, farthestM };
}
