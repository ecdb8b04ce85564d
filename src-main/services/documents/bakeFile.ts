// The file of baked physics that a scene names: read, and checked to be that of the scene.
import { bodyNames } from '#contract/documents/motion.ts';
import type { Physics } from '#contract/documents/physics.ts';
import type { Parsed, Problem } from '#contract/documents/problems.ts';
import type { SceneDocument } from '#contract/documents/scene.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { originOf } from '#contract/worldOrigin.ts';
import { bakeHashInput, type ContentHashes } from '#domain/physics/bakeHash.ts';
import { createBakeReader } from '#domain/physics/bakeText.ts';
import { trajectoryFromWorld } from '#domain/scene/georeference.ts';
import { farPose } from '#domain/trajectory/farPose.ts';
import { posesOf } from '#domain/trajectory/trajectory.ts';
import { sha256 } from '#services/sha256.ts';
import type { Files } from '#services/ports/files.ts';
import { failed, problem, readPieces } from './documentFiles.ts';
import { maxPoses } from './motionFiles.ts';

/** The field of a scenario at which the problems of its bake are reported. */
export const bakePath = 'scene.physics.file';

/** A scene that has physics. */
export type WithPhysics = SceneDocument & { physics: Physics };

/** The recipe of a scene with bodies as their bake says. Problems at the file's field. */
export async function withBake(
  files: Files,
  scene: WithPhysics,
  recipe: SceneRecipe,
  contents: ContentHashes,
  from: string,
  signal?: AbortSignal,
): Promise<Parsed<SceneRecipe>> {
  const file = files.resolveFrom(from, scene.physics.file);
  if (!(await files.exists(file))) return failed([noBake(bakePath, file, from)]);
  const read = await readPieces(files, { file, at: bakePath, signal }, createBakeReader(maxPoses));
  if (read.value === null) return read;
  const { sceneHash, bodies } = read.value;
  const again = `\`understory scenario bake ${from}\` simulates it again, with the same --seed and --set`;
  const expectedHash = await sha256(bakeHashInput(scene, recipe, contents));
  if (sceneHash !== expectedHash) {
    const found = `found that of another scene or of an earlier state (${short(sceneHash)})`;
    const message = `expected the bake of this scene (${short(expectedHash)}), ${found}: ${again}`;
    return failed([problem(bakePath, `${file}: ${message}`)]);
  }
  const names = bodyNames(scene);
  if (names.join() !== [...bodies.keys()].join()) {
    const found = [...bodies.keys()].join(', ') || 'none';
    const message = `expected the bodies ${names.join(', ')}, found ${found}: ${again}`;
    return failed([problem(bakePath, `${file}: ${message}`)]);
  }
  const originM = originOf(scene);
  const far: Problem[] = [];
  const moved = (recipe.motions ?? []).map((motion) => {
    const body = bodies.get(motion.name);
    if (body === undefined) return motion;
    const message = farPose(body, originM);
    if (message !== null) far.push(problem(bakePath, `${file}: body ${motion.name} ${message}`));
    const keyframes = posesOf(trajectoryFromWorld(body, originM));
    const law = { kind: 'keyframes' as const, isSmooth: false, repeats: false, keyframes };
    return { ...motion, law };
  });
  return far.length > 0 ? failed(far) : { value: { ...recipe, motions: moved }, problems: [] };
}

/** The problem of a bake that was not made yet. */
export function noBake(path: string, file: string, scenario: string): Problem {
  const message = `there is no file '${file}': \`understory scenario bake ${scenario}\` writes it`;
  return { path, code: 'not-found', message };
}

function short(hash: string): string {
  return hash.slice(0, 12);
}
