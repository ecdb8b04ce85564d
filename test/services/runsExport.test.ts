// Taking the points of a recorded run out: of all its sensors, and of one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { createRunLocks } from '#catalogue/runLocks.ts';
import type { ReturnColumnName } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { createNodeClock } from '#hosts/nodeClock.ts';
import { createNodeRunFolders } from '#hosts/nodeRunFolders.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { createEvents } from '#services/events.ts';
import { runsHandlers } from '#services/runsHandlers.ts';
import { recordSample, sampleCompiled, sampleHeader } from '#test/recordings/samples.ts';
import { temporaryFolder } from '#test/recordings/temporary.ts';
import { scriptedProcesses } from './scriptedRun.ts';

const rows = 30;

/** A run of three ticks with 30 rows of 'vlp-16' and 10 of 'front.scanner' each; exports it as CSV. */
async function recordedRun(): Promise<
  (sensor?: string, columns?: ReturnColumnName[]) => Promise<string[][]>
> {
  const dataFolder = temporaryFolder();
  const catalogue = openCatalogue(join(dataFolder, 'catalogue.sqlite'));
  onTestFinished(() => catalogue.dispose());
  const folders = createNodeRunFolders({ dataFolder });
  const recordings = createRecordings();
  const { recordingFile } = folders.create('run');
  const writer = await recordings.create(recordingFile, sampleHeader());
  await recordSample(writer, 3, { rows });
  await writer.close();
  catalogue.insertRun({
    id: 'run',
    name: 'run',
    createdMs: 0,
    compiled: sampleCompiled(),
    version: '0.0.0',
    hostName: 'here',
    recordingFile,
    order: { seconds: null, threads: null, isa: null },
  });
  const handlers = runsHandlers({
    catalogue,
    recordings,
    folders,
    exporters: createExporters(),
    processes: scriptedProcesses(() => Promise.reject(new Error('nothing is simulated here'))),
    locks: createRunLocks(),
    clock: createNodeClock(),
    events: createEvents(() => undefined),
    version: '0.0.0',
  });
  return async (sensor, columns) => {
    const out = join(dataFolder, 'cloud.csv');
    const request = {
      runId: 'run',
      format: 'csv',
      out,
      ...(sensor && { sensor }),
      ...(columns && { columns }),
    } as const;
    const context = {
      signal: new AbortController().signal,
      progress: () => undefined,
      chunk: () => Promise.resolve(),
    };
    const { reply } = await handlers['runs.export'](request, context);
    const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
    expect(reply.points).toBe(lines.length - 1);
    return lines.map((line) => line.split(','));
  };
}

it('says of each row which sensor it is from, and takes out one alone', async () => {
  const exportRun = await recordedRun();
  const [head = [], ...all] = await exportRun();
  expect(head.at(-1)).toBe('sensor');
  const from = (name: string): string[][] => all.filter((row) => row.at(-1) === name);
  expect(from('vlp-16')).toHaveLength(3 * rows);
  expect(from('front.scanner')).toHaveLength(3 * 10);
  expect(all).toHaveLength(3 * (rows + 10));
  const [headOfOne = [], ...one] = await exportRun('front.scanner');
  expect(headOfOne).toEqual(head.slice(0, -1));
  expect(one).toEqual(from('front.scanner').map((row) => row.slice(0, -1)));
});

it('refuses a sensor that the run does not have', async () => {
  const exportRun = await recordedRun();
  const failure = await exportRun('lms-291').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UnderstoryError);
  expect((failure as UnderstoryError).code).toBe('bad-input');
  expect((failure as Error).message).toBe(
    "expected a sensor of the run (vlp-16, front.scanner), found 'lms-291'",
  );
});

it('takes out the columns that are asked for, and refuses those that were not recorded', async () => {
  const exportRun = await recordedRun();
  const [head, ...all] = await exportRun(undefined, ['z_m', 'pulse']);
  expect(head).toEqual(['z_m', 'pulse', 'sensor']);
  expect(all).toHaveLength(3 * (rows + 10));
  const failure = await exportRun(undefined, ['z_m', 'normal_x']).catch((error: unknown) => error);
  expect((failure as UnderstoryError).code).toBe('bad-input');
  expect((failure as Error).message).toBe('the run has no normal_x');
});
