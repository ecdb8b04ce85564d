// `runs adopt` of a recording with a changed byte answered that 0 rows were changed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodes } from '#hosts/cli/exitCodes.ts';
import { runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { finishedRun } from '#test/services/finishedRun.ts';

it('a damaged recording is named with its place', async () => {
  const folder = temporaryFolder();
  const { runId, recordingFile } = await finishedRun(join(folder, 'data'), { ticks: 3 });
  const sound = await runHere(folder, 'runs', 'adopt', runId);
  expect(sound).toMatchObject({ exitCode: exitCodes.ok });
  const bytes = readFileSync(recordingFile);
  const at = bytes.length - 4000;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(recordingFile, bytes);
  const { exitCode, stdout, stderr } = await runHere(folder, 'runs', 'adopt', runId);
  expect(exitCode).toBe(exitCodes.negative);
  expect(stdout + stderr).toMatch(/the recording of run .* is damaged: expected .*, found/);
}, 60_000);
