// The identity of a run: the hash of all that determines it. Runs of equal identity have equal results and recordings.
import type { CompiledScenario, DriveControl } from '#contract/host/run.ts';
import type { Isa } from '#contract/worker/worker.ts';
import { canonicalJson } from '#domain/scenario/canonicalJson.ts';
import { sha256 } from '#services/sha256.ts';

export interface IdentityParts {
  /** It covers scenario, scene, sensors, seed, heights and the contents of meshes. */
  scenarioHash: string;
  /** services/engine.ts */
  engine: string;
  isa: Isa;
  /** Limit of simulated time; null: none. */
  seconds: number | null;
}

/** SHA-256, hex. What is saved of a run is no part of it. */
export async function identityOf({
  scenarioHash,
  engine,
  isa,
  seconds,
}: IdentityParts): Promise<string> {
  return sha256(canonicalJson({ scenarioHash, engine, isa, seconds }));
}

/** The same of any run, so that campaigns can share it; null where something is not known, or a person or planner drove. */
export async function identityOfRun(run: {
  compiled: Pick<CompiledScenario, 'scenarioHash'>;
  engine: string | null;
  isa: Isa | null;
  seconds: number | null;
  control?: DriveControl | undefined;
}): Promise<string | null> {
  const { compiled, engine, isa, seconds, control = 'autonomy' } = run;
  if (engine === null || isa === null || control !== 'autonomy') return null;
  return identityOf({ scenarioHash: compiled.scenarioHash, engine, isa, seconds });
}
