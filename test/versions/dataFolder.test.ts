// A data folder of version 0.1.0: its catalogue is migrated when it is opened, its recording is read, exported,
// played and simulated again. The fixture was written by version 0.1.0 with `drive scenario-v1.understory.yaml
// --seconds 0.5 --isa avx2`.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '#hosts/cli/exitCodes.ts';
import { printedJson, ran, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const fixture = join(import.meta.dirname, 'fixtures/data-0.1.0');
const runId = '01a20285-9a50-77af-b9cd-6fa9987aff7a';
const folder = temporaryFolder();
beforeAll(() => {
  const runFolder = join(folder, 'data/runs', runId);
  mkdirSync(runFolder, { recursive: true });
  copyFileSync(join(fixture, 'recording.mcap'), join(runFolder, 'recording.mcap'));
  const catalogue = gunzipSync(readFileSync(join(fixture, 'catalogue.sqlite.gz')));
  writeFileSync(join(folder, 'data/catalogue.sqlite'), catalogue);
});

describe('a data folder of version 0.1.0', () => {
  it('lists its run, with its metrics', async () => {
    const stdout = await ran(folder, 'runs', 'list', '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { id: runId, state: 'finished', scenarioName: 'Yard of version 0.1.0', points: 415 },
    ]);
  });

  it('exports its points', async () => {
    const out = join(folder, 'points.csv');
    await ran(...[folder, 'runs', 'export', runId, '--format', 'csv', '--out', out]);
    const rows = readFileSync(out, 'utf8').trim().split('\n');
    expect(rows.filter((row) => !row.startsWith('#'))).toHaveLength(1 + 415);
  });

  it('is simulated again, and says that another engine recorded it', async () => {
    const { stdout, stderr, exitCode } = await runHere(folder, 'runs', 'verify', runId, '--json');
    expect(stderr).toContain(
      'recorded by another engine or maker of processor (version 0.1.0, without a hash',
    );
    const reply = JSON.parse(stdout) as { there: object; otherEngine: { agreeing: number } };
    expect(reply).toMatchObject({
      there: { version: '0.1.0', engine: null, isa: 'avx2' },
      compared: 5,
      otherEngine: { returnsRecorded: 415 },
    });
    // Why no code alone: another engine need not give equal hashes, and the code says whether it does.
    const { agreeing } = reply.otherEngine;
    expect(exitCode).toBe(agreeing === 5 ? 0 : exitCodes.negative);
  });

  it('is taken into another catalogue from its recording alone', async () => {
    const other = temporaryFolder();
    mkdirSync(join(other, 'data/runs', runId), { recursive: true });
    const recording = join(other, 'data/runs', runId, 'recording.mcap');
    copyFileSync(join(fixture, 'recording.mcap'), recording);
    await ran(other, 'runs', 'adopt');
    expect(await printedJson(other, 'runs', 'list')).toMatchObject([{ id: runId, points: 415 }]);
  });
});
