// The files that a scene's motions refer to: trajectories. Bodies are where they begin (bakeFile.ts has the rest).
import { formatPath, type Parsed, type Problem } from '#contract/documents/problems.ts';
import type { SceneDocument } from '#contract/documents/scene.ts';
import { originOf } from '#contract/worldOrigin.ts';
import type { PosesOfMotions } from '#domain/shared/motion/laws.ts';
import { trajectoryFromWorld } from '#domain/scene/georeference.ts';
import { farPose } from '#domain/trajectory/farPose.ts';
import { posesOf } from '#domain/trajectory/trajectory.ts';
import type { Files } from '#services/ports/files.ts';
import { failed, problem } from './documentFiles.ts';
import { readTrajectory } from './trajectoryFile.ts';

/** Poses of all files of a scene: each is some 200 bytes of its recipe, which travels in one frame of 64 MiB. */
export const maxPoses = 200_000;

const atRest: PosesOf[number] = { timeS: 0, positionM: [0, 0, 0], rotation: [0, 0, 0, 1] };

type PosesOf = ReturnType<typeof posesOf>;

/** Poses of the motions that have them from a file, relative to the origin; problems at the field that names it. */
export async function readMotions(
  files: Files,
  scene: SceneDocument,
  from: string,
  signal?: AbortSignal,
): Promise<Parsed<PosesOfMotions>> {
  const originM = originOf(scene);
  const poses = new Map<string, PosesOf>();
  const problems: Problem[] = [];
  let count = 0;
  for (const [name, motion] of Object.entries(scene.motions ?? {})) {
    if (motion.kind === 'baked') poses.set(name, [atRest]);
    if (motion.kind !== 'trajectory') continue;
    const at = formatPath(['scene', 'motions', name, 'file']);
    const { format, maxGapS } = motion;
    const file = files.resolveFrom(from, motion.file);
    const read = await readTrajectory(files, { file, format, maxGapS }, signal, at);
    problems.push(...read.problems);
    if (read.value === null) continue;
    const { trajectory } = read.value;
    const far = farPose(trajectory, originM);
    if (far !== null) problems.push({ path: at, code: 'too-far', message: `${file}: ${far}` });
    count += trajectory.time_ns.length;
    if (count > maxPoses) {
      const message = `expected at most ${maxPoses} poses in all motions of the scene, found ${count} up to here`;
      problems.push(problem(at, message));
    }
    poses.set(name, posesOf(trajectoryFromWorld(trajectory, originM)));
  }
  return problems.length > 0 ? failed(problems) : { value: poses, problems: [] };
}
