// Which run a process executes next, so that scenes are built as seldom as possible: each process stays with the scene
// that it has while there are runs of it, then takes one that no other process has. Pure.

/** Terms on which the scene of a planned run depends. */
export interface SceneTerms {
  scenario: string;
  settings: readonly string[];
  seed: number;
}

/** Fields of a scenario that are no part of its scene, and those of its sensors. */
const besideScene = /^(sensors?|mission|vehicle|navigation|recording|estimate|name|description)\b/;

/** Equal for runs of one scene, as far as the plan tells; scenes of different texts may still be equal. */
export function sceneTextOf({ scenario, settings, seed }: SceneTerms): string {
  return JSON.stringify([scenario, seed, settings.filter((text) => !besideScene.test(text))]);
}

/**
 * Place of the run to execute next in `scenes`, those of the runs that wait in plan order; -1: none waits.
 * @param own scene that the process has; null: none
 * @param others scenes that other processes have
 */
export function nextOfScenes(
  scenes: readonly string[],
  own: string | null,
  others: ReadonlySet<string>,
): number {
  const same = scenes.findIndex((scene) => scene === own);
  if (same >= 0) return same;
  const free = scenes.findIndex((scene) => !others.has(scene));
  if (free >= 0) return free;
  return scenes.length > 0 ? 0 : -1;
}

/** Runs that wait at a time: prepared ones take memory. */
export const runsAhead = 32;
