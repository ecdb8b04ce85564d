// Calls that plan or build a scene, among those of all methods.
import { setImmediate } from 'node:timers/promises';
import type { Columns } from '#contract/columns.ts';
import { JsonText, writeJson } from '#contract/wire/jsonText.ts';
import type { SceneRequest } from '#contract/worker/worker.ts';
import type { WorkerMethodName } from '#contract/worker/workerMethods.ts';

interface WorkerCall {
  method: WorkerMethodName;
  body: unknown;
  columns: Columns;
}

export interface SceneCall {
  method: 'scene.plan' | 'scene.build';
  body: SceneRequest;
  columns: { heights: Float32Array };
}

export function isSceneCall(call: WorkerCall): call is SceneCall {
  return call.method === 'scene.plan' || call.method === 'scene.build';
}

/** Recipes of scenes may hold 200,000 placed objects: they are written with pauses. */
export async function sentBody(call: WorkerCall): Promise<unknown> {
  return isSceneCall(call)
    ? new JsonText(await writeJson(call.body, () => setImmediate()))
    : call.body;
}
