// The fuzz targets: what reads bytes of others. Native ones (frames, recipes, meshes, learned models, logs), and documents in
// TypeScript.
import { sanitizers } from '../native/sanitizers.ts';
import { nodeTool, type Stage } from '../stages.ts';

/** All targets, for so many seconds together. `build`: folder of the native ones; `seed`: the first of the inputs. */
export function fuzzStages(seconds: number, build: string, seed = 1): Stage[] {
  const documents = nodeTool('fuzz (documents)', 'test/fuzz/documents.ts', [
    String(seconds / 4),
    String(seed),
  ]);
  return [
    {
      name: 'fuzz (frames, recipes, meshes, learned models, logs)',
      command: `build/${build}/fuzz`,
      args: ['test/fuzz/corpus', String((3 * seconds) / 4), String(seed)],
      env: sanitizers,
    },
    documents,
  ].map((stage) => ({ ...stage, isSingleThreaded: true }));
}
