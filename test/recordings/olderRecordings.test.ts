// Recordings from before commands were kept: their heads lack that channel, and all else is read as ever.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRecordings } from '#recordings/recordings.ts';
import { firstRecord, openMcapFile, recordOpcode } from '#recordings/mcap/readRecords.ts';
import { recordSample, sampleHeader, sampleTick } from './samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';

/** MCAP's opcode of a channel. */
const channelOpcode = 4;

it('are read, and recovered, without commands', async () => {
  const recordings = createRecordings();
  const file = join(temporaryFolder(), 'older.mcap');
  const writer = await recordings.create(file, sampleHeader());
  await recordSample(writer, 4, { rows: 20, flush: true });
  await writer.close();

  const mcap = await openMcapFile(file);
  let channel = { offset: 0, length: 0 };
  let end = 0;
  for await (const { opcode, offset, bytes } of mcap.records(firstRecord)) {
    const isCommands = opcode === channelOpcode && Buffer.from(bytes).includes('/cmd_vel');
    if (isCommands && end === 0) channel = { offset, length: bytes.length };
    if (opcode === recordOpcode.chunk) end = offset + bytes.length;
    if (opcode === recordOpcode.dataEnd) break;
  }
  await mcap.close();
  // Cut after the last chunk: index and footer would have to name other offsets.
  const bytes = readFileSync(file);
  expect(channel.length).toBeGreaterThan(0);
  const after = bytes.subarray(channel.offset + channel.length, end);
  writeFileSync(file, Buffer.concat([bytes.subarray(0, channel.offset), after]));

  await recordings.recover(file);
  const reader = await recordings.open(file);
  expect(reader.isComplete).toBe(true);
  const ticks: number[] = [];
  for await (const { timeNs } of reader.ticks()) ticks.push(timeNs);
  expect(ticks).toEqual([0, 1, 2, 3].map((tick) => sampleTick(tick).timeNs));
  for await (const command of reader.commands()) expect(command).toBeUndefined();
  await reader.close();
  const snapshots = await recordings.openSnapshots(file);
  expect((await snapshots.at(sampleTick(2).timeNs, { maxPoints: 100 }))?.tick.tick).toBe(2);
  await snapshots.close();
});
