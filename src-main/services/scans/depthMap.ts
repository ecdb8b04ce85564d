// render.depth: what a camera sees, as distances: one ray a pixel by the worker that scans.
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { poseFromDegrees } from '#domain/shared/pose.ts';
import { radians } from '#domain/shared/numbers.ts';
import {
  depthCameraRecipe,
  depthColumns,
  depthImageNs,
  placeDepths,
} from '#domain/sensor/depthCamera.ts';
import type { Documents } from '#services/documents/documents.ts';
import type { HandlerContext } from '#services/handlers.ts';
import { cameraInScene } from './cameraInScene.ts';
import { withScene, type ScenePorts } from './sceneWork.ts';
import { stationaryAt } from '#domain/trajectory/trajectory.ts';

/** Reply and column depth_m: heightPx × widthPx f32, of the first surface; NaN where nothing was met. */
export async function depthMap(
  ports: ScenePorts & { documents: Documents },
  request: RequestOf<'render.depth'>,
  context: HandlerContext,
): Promise<{ reply: Replies['render.depth']; columns: { depth_m: Float32Array } }> {
  const { camera: pose, widthPx, heightPx, kind, maxRangeM, isa, threads } = request;
  const { compiled, heights } = await ports.documents.compile(request.scenario, {
    seed: request.seed,
    settings: request.settings,
    signal: context.signal,
  });
  const horizontalFovRad = radians(request.horizontalFovDeg);
  const camera = { widthPx, heightPx, horizontalFovRad, maxRangeM };
  const inScene = cameraInScene(compiled, pose);
  const map = new Float32Array(widthPx * heightPx).fill(NaN);
  const scene = { recipe: opaque(compiled.recipe), heights };
  await withScene(ports, scene, { isa, threads }, context, ({ worker }) =>
    worker.call(
      'scan',
      {
        sensor: depthCameraRecipe(camera),
        fromNs: 0,
        toNs: depthImageNs,
        seed: compiled.scenario.seed,
        columns: [...depthColumns],
        misses: false,
      },
      stationaryAt(poseFromDegrees(inScene)),
      {
        signal: context.signal,
        onProgress: context.progress,
        onChunk: ({ columns: { pulse, azimuth_rad, elevation_rad, true_range_m } }) => {
          if (!pulse || !azimuth_rad || !elevation_rad || !true_range_m) {
            throw new UnderstoryError('protocol', 'the worker left out columns of the depth map');
          }
          placeDepths(map, camera, kind, { pulse, azimuth_rad, elevation_rad, true_range_m });
        },
      },
    ),
  );
  return { reply: { widthPx, heightPx, ...extremes(map) }, columns: { depth_m: map } };
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
  let [pixelsMet, nearestM, farthestM] = [0, Infinity, -Infinity];
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
