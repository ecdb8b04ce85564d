// Files of other programs on a thread: the same clouds and poses as without one, failures by their codes, and an end
// on cancel.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bagMessages } from '#catalogue/bagMessages.ts';
import { compose } from '#domain/shared/pose.ts';
import { createThreadedSources } from '#hosts/node/sourceThread.ts';
import { createLogSources } from '#recordings/foreign/logSources.ts';
import type { LogSources, OpenOptions } from '#services/ports/logSources.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { ousterCloud, tf, writeMcap } from '#test/services/logs/foreignFiles.ts';
import { identity } from '#test/services/logs/importTo.ts';
import { lazSampleFile, samplePoints } from '#test/services/logs/lasFiles.ts';
import { beamsOfRoom, mount, sweepNs, vehicleAt } from '#test/services/logs/room.ts';

const sweeps = 4;

async function writeRoom(file: string): Promise<void> {
  const truth = beamsOfRoom(sweeps);
  // More poses than travel in one message.
  const poses = Array.from({ length: 5000 }, (_, step) => {
    const timeNs = step * 100_000;
    return tf('odom', 'os_lidar', timeNs, compose(vehicleAt(timeNs), mount));
  });
  const clouds = Array.from({ length: sweeps }, (_, sweep) =>
    ousterCloud(
      truth.filter((beam) => beam.sweep === sweep),
      sweep * sweepNs,
    ),
  );
  await writeMcap(file, [...poses, ...clouds]);
}

async function everything(
  sources: LogSources,
  file: string,
  trajectory: OpenOptions['trajectory'] = null,
) {
  const { signal } = new AbortController();
  const reports: number[] = [];
  const progress = (done: number): void => void reports.push(done);
  const reader = await sources.open(file, { trajectory, times: {}, signal, progress });
  const clouds = [];
  for await (const cloud of reader.clouds(reader.streams[0]?.name ?? '', progress)) {
    clouds.push(cloud);
  }
  const { poses, streams, baseNs, traits } = reader;
  await reader.close();
  return { poses, streams, baseNs, traits, clouds, isReported: reports.length > 0 };
}

it('reads what is read without a thread', async () => {
  const file = join(temporaryFolder(), 'room.mcap');
  await writeRoom(file);
  const threaded = await everything(createThreadedSources(), file);
  expect(threaded.clouds).toHaveLength(sweeps);
  expect(threaded.poses[0]?.timesNs).toHaveLength(5000);
  expect(threaded).toEqual(
    await everything(createLogSources(bagMessages, temporaryFolder()), file),
  );
}, 120_000);

it('reads LAZ, whose decompressor is not written in JavaScript', async () => {
  const trajectory = { isAtRest: false, baseNs: 0n, timesNs: [0], poses: [identity] };
  const file = lazSampleFile({ name: 'format-7' });
  const threaded = await everything(createThreadedSources(), file, trajectory);
  expect(threaded.clouds.map(({ points }) => points)).toEqual([samplePoints.length]);
  expect(threaded).toEqual(
    await everything(createLogSources(bagMessages, temporaryFolder()), file, trajectory),
  );
}, 120_000);

it('fails with the code of the reader, and ends on cancel', async () => {
  const folder = temporaryFolder();
  const sources = createThreadedSources();
  const given = new AbortController();
  const options = { trajectory: null, times: {}, signal: given.signal, progress: () => undefined };
  const damaged = join(folder, 'damaged.mcap');
  await writeFile(damaged, 'no MCAP');
  await expect(sources.open(damaged, options)).rejects.toMatchObject({ code: 'corrupt' });
  await expect(sources.openBeams(join(folder, 'none.las'))).rejects.toMatchObject({
    code: 'not-found',
  });
  const file = join(folder, 'room.mcap');
  await writeRoom(file);
  const reader = await sources.open(file, options);
  const clouds = reader.clouds(reader.streams[0]?.name ?? '', () => undefined);
  expect((await clouds.next()).done).toBe(false);
  given.abort();
  await expect(clouds.next()).rejects.toMatchObject({ code: 'cancelled' });
  await reader.close();
  await expect(sources.open(file, options)).rejects.toMatchObject({ code: 'cancelled' });
}, 120_000);
