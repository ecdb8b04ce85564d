// All fuzz targets in TypeScript, in the order in which they run.
import { documentTargets } from './targets/documents.ts';
import { importTargets } from './targets/imports.ts';
import { logTargets } from './targets/logs.ts';
import { octreeTargets } from './targets/octrees.ts';
import { runTargets } from './targets/runs.ts';
import type { Target } from './target.ts';

export const targets: readonly Target[] = [
  ...documentTargets,
  ...importTargets,
  ...logTargets,
  ...octreeTargets,
  ...runTargets,
];
