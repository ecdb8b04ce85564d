// The document in the head of a recording: what makes a run repeatable. RECORDING.md has the versions of its format.
import { z } from 'zod';
import { checkWith, formatPath, type Parsed, type Problem } from '../documents/problems.ts';
import { title } from '../documents/quantities.ts';
import { field } from '../documents/unknownData.ts';
import { isas } from '../worker/worker.ts';
import { storedScenario } from './storedScenario.ts';
import type { CompiledScenario } from './run.ts';

/**
 * 2: banks instead of blocks, and the engine. 3: every message is CDR. 4: clouds of drivers, truth apart. 5: clouds of
 * drivers by revolution. 6: truth without what follows from pulses, coordinates of drivers in steps.
 */
export const recordingFormat = 6;

const headSchema = z.strictObject({
  format: z.int().min(1).max(recordingFormat),
  understoryVersion: title.max(100),
  isa: z.enum(isas),
  engine: title.max(100).nullable().default(null),
  classes: z.array(title).max(65535),
  compiled: z.unknown(),
});

/** The attachment `understory.json`. */
export type RecordingHead = Omit<z.output<typeof headSchema>, 'compiled'> & {
  compiled: CompiledScenario;
};

/** Code of the one problem of a head that a newer Understory wrote. */
export const newerHead = 'newer-version';

/** The head, its scenario in the present form, or what is wrong with it. @param data the parsed JSON */
export function recordingHead(data: unknown): Parsed<RecordingHead> {
  const format = field(data, 'format');
  if (typeof format === 'number' && format > recordingFormat) {
    const message = `expected at most ${recordingFormat}, found ${format}`;
    return refused([{ path: 'format', code: newerHead, message }]);
  }
  const { value, problems } = checkWith(headSchema, data);
  if (value === null) {
    return refused(problems.map(({ path, ...rest }) => ({ ...rest, path: formatPath(path) })));
  }
  const compiled = storedScenario(value.compiled, 'recording');
  return compiled.value === null
    ? refused(compiled.problems)
    : { value: { ...value, compiled: compiled.value }, problems: [] };
}

function refused(problems: Problem[]): Parsed<RecordingHead> {
  return { value: null, problems };
}
