// A process that is killed by SIGKILL while it records: the recording reads to its last whole chunk.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createRecordings } from '#recordings/recordings.ts';
import { sampleScan, seededRandom } from './samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const script = fileURLToPath(new URL('./recordUntilKilled.ts', import.meta.url));

test('a recording survives the death of its writer at any moment', async () => {
  const recordings = createRecordings();
  const random = seededRandom(11);
  for (let round = 0; round < 4; round++) {
    const file = join(temporaryFolder(), 'run.mcap');
    const child = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, random() * 200));
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    const { scans } = await recordings.recover(file);
    expect(scans).toBeGreaterThan(0);
    const reader = await recordings.open(file);
    expect(reader.isComplete).toBe(true);
    const ticks: number[] = [];
    for await (const { tick, table } of reader.scans()) {
      if (tick < 3) expect(table).toMatchObject({ x_m: sampleScan(tick, 0, 30_000).table.x_m });
      ticks.push(tick);
    }
    await reader.close();
    expect(ticks).toEqual(Array.from({ length: scans }, (_, tick) => tick));
  }
});
