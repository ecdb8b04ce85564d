// scenario.bake: the physics of a scenario, simulated once and written beside it. Guarantees: the same scenario gives the
// same bytes; a file that is no bake is not replaced.
import { badInput, UnderstoryError } from '#contract/errors.ts';
import { bodyNames } from '#contract/documents/motion.ts';
import type { Problem } from '#contract/documents/problems.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import { originOf, toWorld } from '#contract/worldOrigin.ts';
import { bakeHashInput } from '#domain/physics/bakeHash.ts';
import { bakeMark, bakeStepS, bakeText, createBakedRows } from '#domain/physics/bakeText.ts';
import { createSimulation, loadEngine, type Simulation } from '#domain/physics/simulation.ts';
import type { WithPhysics } from '#services/documents/bakeFile.ts';
import { findDocument } from '#services/documents/documentFiles.ts';
import type { Documents, LoadedScenario } from '#services/documents/documents.ts';
import { maxPoses } from '#services/documents/motionFiles.ts';
import { heightsHash } from '#services/documents/sceneFiles.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Files } from '#services/ports/files.ts';
import type { Clock, Timer } from '#services/ports/system.ts';
import { withScene, type ScenePorts } from '#services/scans/sceneWork.ts';
import { sha256 } from '#services/sha256.ts';
import { createYield } from '#services/yielding.ts';
import { physicsSceneOf } from './physicsScene.ts';

export type BakePorts = ScenePorts & {
  documents: Documents;
  files: Files;
  clock: Clock;
  timer: Timer;
};

/** @throws UnderstoryError 'bad-input' with every problem; 'scene-too-large'; 'io', 'disk-full' as Files; 'cancelled' */
export async function bakeScenario(
  ports: BakePorts,
  { scenario, seed, settings, out }: RequestOf<'scenario.bake'>,
  context: HandlerContext,
): Promise<Replies['scenario.bake']> {
  const { documents, files } = ports;
  const { signal } = context;
  const loaded = await documents.compile(scenario, { isBaking: true, seed, settings, signal });
  const { compiled, heights, meshes } = loaded;
  const { physics } = compiled.scenario.scene;
  const bodies = bodyNames(compiled.scenario.scene).length;
  if (physics === undefined || bodies === 0) {
    const message = 'expected it, and instances with motions of kind baked, found none';
    throw badInput('scene.physics', message, { title: `scenario '${scenario}' has no physics` });
  }
  const scene = { ...compiled.scenario.scene, physics };
  const steps = Math.ceil(physics.durationS / bakeStepS - 1e-9);
  if (bodies * (steps + 1) > maxPoses) {
    const maxS = Math.floor((maxPoses / bodies - 1) * bakeStepS);
    const message = `expected at most ${maxS} s with ${bodies} bodies (${maxPoses} poses), found ${physics.durationS}`;
    throw badInput('scene.physics.durationS', message, { title: 'the bake would be too large' });
  }
  const file = await targetOf(files, scenario, out ?? physics.file, out !== undefined);
  const contents = { meshes, heights: await heightsHash(heights) };
  const sceneHash = await sha256(bakeHashInput(scene, compiled.recipe, contents));
  const rows = await simulate(ports, loaded, scene, steps, context);
  await files.writeText(
    file,
    bakeText(
      sceneHash,
      rows.map(({ text }) => text),
    ),
  );
  const poses = rows.reduce((sum, one) => sum + one.rows, 0);
  return { file, bodies, poses, seconds: steps * bakeStepS, sceneHash };
}

/** The absolute file to write: that of the scenario, or of the request. */
async function targetOf(
  files: Files,
  scenario: string,
  name: string,
  isGiven: boolean,
): Promise<string> {
  const from = (await findDocument(files, 'scenarios', scenario)) ?? scenario;
  const file = isGiven ? name : files.resolveFrom(from, name);
  const samples = await files.listAssets('scenarios');
  if (!isGiven && samples.some((sample) => !files.pathFrom(sample, file).includes('/'))) {
    const message = `'${file}' comes with Understory: expected another file for a bake`;
    throw badInput('out', message, { title: 'the bake of a sample is not replaced' });
  }
  if (await files.exists(file)) {
    let start = '';
    await files.textPieces(file, (text) => {
      start += text;
      return start.length < bakeMark.length;
    });
    if (!start.startsWith(bakeMark)) {
      const message = `expected a bake, or no file yet, found another file: '${file}'`;
      throw badInput('scene.physics.file', message, { title: 'another file is in the way' });
    }
  }
  return file;
}

/** Steps between two reports of progress. Why: a report of each kept the page from its Cancel button. */
const stepsPerReport = 100;

/** The rows of each body. */
async function simulate(
  ports: BakePorts,
  { compiled: { recipe }, heights }: LoadedScenario,
  scene: WithPhysics,
  steps: number,
  context: HandlerContext,
): Promise<{ text: string; rows: number }[]> {
  const shapes = await withScene(ports, { recipe, heights }, {}, context, (open) =>
    physicsSceneOf(open, scene, recipe, heights),
  );
  const originM = originOf(scene);
  const rest = createYield(ports, context.signal);
  const simulation = createSimulation(await loadEngine(), shapes);
  try {
    refuseOverlaps(simulation, scene);
    const bodies = shapes.bodies.map(({ name }) => createBakedRows(name));
    for (let step = 0; ; step += 1) {
      for (const [index, { positionM, rotation }] of simulation.poses().entries()) {
        bodies[index]?.add({ positionM: toWorld(originM, positionM), rotation });
      }
      if (step % stepsPerReport === 0 || step === steps) {
        context.progress({ phase: 'simulating', done: step, total: steps });
      }
      if (step === steps) break;
      simulation.step();
      await rest();
    }
    return bodies.map((body) => body.end());
  } finally {
    simulation.dispose();
  }
}

function refuseOverlaps(simulation: Simulation, { instances }: WithPhysics): void {
  const problems = simulation.overlaps().map(({ part, other, depthM }): Problem => {
    const path = `scene.instances[${instances.findIndex(({ name }) => name === part)}].positionM`;
    const message = `expected a place free of other things at time 0, found it ${depthM.toFixed(2)} m inside '${other}'`;
    return { path, code: 'overlap', message };
  });
  if (problems.length === 0) return;
  throw new UnderstoryError('bad-input', 'bodies begin inside other things', { problems });
}
