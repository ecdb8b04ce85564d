// The camera of a render or depth map: its request states a world position.
import { UnderstoryError } from '#contract/errors.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import { distanceProblem } from '#contract/documents/scenarioPlaces.ts';
import { originOf, toScene } from '#contract/worldOrigin.ts';

type Camera = RequestOf<'render.start'>['camera'];

/** The camera relative to the origin of the scene. @throws 'bad-input' where it is too far from it */
export function cameraInScene({ scenario }: CompiledScenario, camera: Camera): Camera {
  const originM = originOf(scenario.scene);
  const message = distanceProblem(originM, camera.positionM);
  if (message === null) return { ...camera, positionM: toScene(originM, camera.positionM) };
  throw new UnderstoryError('bad-input', `the camera cannot be used: ${message}`, {
    problems: [{ path: 'camera.positionM', code: 'too-far', message }],
  });
}
