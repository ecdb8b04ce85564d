// The image of a scene from a camera, by the worker that scans it.
import { distanceProblem } from '#contract/documents/scenarioPlaces.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import { originOf, toScene } from '#contract/worldOrigin.ts';
import { radians } from '#domain/shared/numbers.ts';
import type { Answer, HandlerContext } from '#services/handlers.ts';
import { sceneAtTime } from './sceneAtTime.ts';
import { withScene, type Scene, type ScenePorts } from './sceneWork.ts';

type ImageRequest = Omit<RequestOf<'runs.image'>, 'runId'>;
type Camera = ImageRequest['camera'];

/** @throws UnderstoryError 'bad-input' where the camera is too far from the scene, and as withScene */
export async function renderImage(
  ports: ScenePorts,
  { scenario }: Pick<CompiledScenario, 'scenario'>,
  scene: Scene,
  { atS, widthPx, heightPx, samplesPerPixel, orthographicHeightM, ...request }: ImageRequest,
  context: HandlerContext,
): Promise<Answer<Replies['runs.image']>> {
  const camera = cameraInScene(scenario, request.camera);
  const image = {
    positionM: camera.positionM,
    yawRad: radians(camera.yawDeg),
    pitchRad: radians(camera.pitchDeg),
    verticalFovRad: radians(request.verticalFovDeg),
    widthPx,
    heightPx,
    samplesPerPixel,
    ...(orthographicHeightM !== undefined && { orthographicHeightM }),
  };
  const { signal, progress: onProgress } = context;
  const still = await sceneAtTime(ports, scene, atS, context);
  const { columns } = await withScene(ports, still, {}, context, ({ worker }) =>
    worker.call('render', image, {}, { signal, onProgress }),
  );
  return { reply: { widthPx, heightPx }, columns };
}

/** The camera relative to the origin of the scene; its request states a world position. @throws 'bad-input' where it is too far from it */
export function cameraInScene({ scene }: CompiledScenario['scenario'], camera: Camera): Camera {
  const originM = originOf(scene);
  const message = distanceProblem(originM, camera.positionM);
  if (message === null) return { ...camera, positionM: toScene(originM, camera.positionM) };
  throw new UnderstoryError('bad-input', `the camera cannot be used: ${message}`, {
    problems: [{ path: 'camera.positionM', code: 'too-far', message }],
  });
}
