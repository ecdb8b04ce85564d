// The fuzz targets: what reads bytes of others, in C++ (frames, recipes, meshes, learned models, logs, voxels) and in TypeScript
// (targets.ts).
import { sanitizers } from '../native/sanitizers.ts';
import { nodeTool, type Stage } from '../stages.ts';

const nativeTargets = ['frames', 'learned', 'logs', 'meshes', 'recipes', 'voxels'];

/**
 * All native targets, and all others beside them, for so many seconds together each. `build`: folder of the native
 * ones; `seed`: the first of the inputs.
 */
export function fuzzStages(seconds: number, build: string, seed = 1): Stage[] {
  return [
    nativeStage(nativeTargets.join(', '), build, [String((3 * seconds) / 4), String(seed)]),
    filesStage('files', [String(seconds), String(seed)]),
  ];
}

/** One target for so many seconds. */
export function targetStage(name: string, seconds: number, build: string, seed: number): Stage {
  const args = [String(seconds), String(seed), name];
  return nativeTargets.includes(name) ? nativeStage(name, build, args) : filesStage(name, args);
}

function nativeStage(name: string, build: string, args: string[]): Stage {
  return {
    name: `fuzz (${name})`,
    command: `build/${build}/fuzz`,
    args: ['test/fuzz/corpus', ...args],
    env: sanitizers,
    isSingleThreaded: true,
  };
}

function filesStage(name: string, args: string[]): Stage {
  return { ...nodeTool(`fuzz (${name})`, 'test/fuzz/files.ts', args), isSingleThreaded: true };
}
