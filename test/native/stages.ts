// Native tests as stages.
import type { Stage } from '../stages.ts';

/** A program of doctest below build/. */
export function nativeStage(
  name: string,
  program: string,
  env: Record<string, string> = {},
): Stage {
  return { name, command: `build/${program}`, args: [], env, counts: 'doctest' };
}
