// Results of long experiments, stored step by step, so that an attempt that was interrupted continues where it was. A
// result is used again only where the step has the same inputs and the same engine.
import type { Files } from '#services/ports/files.ts';

export interface Steps {
  /** Absolute; null: nothing stays. */
  readonly folder: string | null;
  /** Does the work, or gives what an earlier attempt found with these inputs. `name`: a file name, once an experiment. */
  step<T>(name: string, inputs: unknown, work: () => Promise<T>): Promise<T>;
  /** As `step`, of work that writes `file` as a whole: where the file is gone the work is done again. */
  fileStep<T>(name: string, inputs: unknown, file: string, work: () => Promise<T>): Promise<T>;
}

/** @param engine what computes (WorkerHello.learner): results of another one are not used */
export function openSteps(
  files: Pick<Files, 'exists' | 'readText' | 'writeText'>,
  folder: string | null,
  engine: string,
): Steps {
  const done = async <T>(
    name: string,
    inputs: unknown,
    work: () => Promise<T>,
    isThere: () => Promise<boolean>,
  ): Promise<T> => {
    if (folder === null) return work();
    const file = `${folder}/${name}.json`;
    const key = JSON.stringify({ engine, inputs });
    const stored = (await files.exists(file)) ? storedStep(await files.readText(file)) : null;
    // Why the cast: the key names what the value was made of.
    if (stored?.key === key && (await isThere())) return stored.value as T;
    const value = await work();
    await files.writeText(file, `${JSON.stringify({ key, value })}\n`);
    return value;
  };
  return {
    folder,
    step: (name, inputs, work) => done(name, inputs, work, () => Promise.resolve(true)),
    fileStep: (name, inputs, file, work) => done(name, inputs, work, () => files.exists(file)),
  };
}

/** Null for a file that is damaged: the step is done again. */
function storedStep(text: string): { key: string; value: unknown } | null {
  try {
    return JSON.parse(text) as { key: string; value: unknown };
  } catch {
    return null;
  }
}
