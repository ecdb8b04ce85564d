// Log lines, read again by time, whatever else the file contains.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createNodeLog } from '#hosts/node/nodeLog.ts';
import { createNodeLogFile } from '#hosts/node/nodeLogFile.ts';
import { temporaryFolder } from '#test/support/folder.ts';

it('gives the lines of a stretch of time with their levels and details', async () => {
  const dataFolder = temporaryFolder();
  const logFile = createNodeLogFile({ dataFolder });
  expect(await logFile.between(0, Infinity)).toEqual([]);
  const log = createNodeLog({ dataFolder });
  const startMs = Date.now();
  log.info('a run began', { runId: 'r' });
  log.warn('the disk is nearly full');
  log.error('it is full', { path: '/data' });
  appendFileSync(
    join(dataFolder, 'understory.log'),
    '{"level":30,"time":"2001-01-01T00:00:00Z","msg":"old"}\n',
  );
  appendFileSync(join(dataFolder, 'understory.log'), 'not of ours\n{"level":');
  const lines = await logFile.between(startMs, Infinity);
  expect(lines.map(({ level, message, details }) => [level, message, details])).toEqual([
    ['info', 'a run began', '{"runId":"r"}'],
    ['warning', 'the disk is nearly full', ''],
    ['error', 'it is full', '{"path":"/data"}'],
  ]);
  expect(await logFile.between(0, startMs - 1)).toMatchObject([{ message: 'old' }]);
});
