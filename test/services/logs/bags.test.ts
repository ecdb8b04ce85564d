// Recordings of ROS as recorders leave them: rosbag2 by its metadata, compressed by file and by message, bags of ROS 1 of
// every compression. Each gives the beams that it was made from, or one sentence.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createThreadedSources } from '#hosts/node/sourceThread.ts';
import { pythonCommand } from '#test/product/pythonCommand.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { sensorAt } from './firingSensors.ts';
import { type Message, odometry, tf, velodyneCloud, writeBag, writeMcap } from './foreignFiles.ts';
import { differences, imported, refusal } from './imported.ts';
import { type BagCompression, lz4Frame, writeRos1Bag } from './ros1Files.ts';
import { beamsOfRoom } from './room.ts';

const beams = beamsOfRoom(1).filter(({ rangeM }) => Number.isFinite(rangeM));
const poses = Array.from({ length: 12 }, (_, step) => step * 10_000_000).map((timeNs) =>
  odometry(timeNs, sensorAt(timeNs)),
);
const messages = [...poses, velodyneCloud(beams, 0)];
const options = { infersMisses: false };

async function expectAllBeams(source: string): Promise<string[]> {
  const { reply, beams: found } = await imported(source, options);
  expect(found).toHaveLength(beams.length);
  const worst = differences(found, beams);
  expect(worst).toMatchObject({ missing: 0, wrongState: 0 });
  // Points and times are in single precision, at 20 m and 0.1 s.
  expect(worst.rangeM).toBeLessThan(5e-6);
  expect(worst.timeNs).toBeLessThan(10);
  return reply.notes;
}

/** A folder of rosbag2 whose metadata states these files and counts. */
function describeBag(folder: string, files: string[], more = ''): void {
  const text = `rosbag2_bagfile_information:
  version: 5
  storage_identifier: sqlite3
  relative_file_paths: [${files.join(', ')}]
${more}`;
  writeFileSync(join(folder, 'metadata.yaml'), text);
}

function countsText(counts: Record<string, number>): string {
  const topics = Object.entries(counts).map(
    ([name, count]) => `    - topic_metadata: {name: ${name}}\n      message_count: ${count}\n`,
  );
  return `  topics_with_message_count:\n${topics.join('')}`;
}

function pack(file: string, ending = '.zstd'): string {
  writeFileSync(`${file}${ending}`, zstdCompressSync(readFileSync(file)));
  rmSync(file);
  return `${file}${ending}`;
}

describe('a folder of rosbag2', () => {
  const folderOf = (): string => join(temporaryFolder(), 'bag');

  it('is read by the files and counts of its metadata', async () => {
    const folder = folderOf();
    writeBag(folder, messages);
    writeFileSync(join(folder, 'other_1.mcap'), 'no recording');
    describeBag(folder, ['bag_0.db3'], countsText({ '/velodyne_points': 1, '/odometry': 12 }));
    const notes = await expectAllBeams(folder);
    expect(notes).toContain("'other_1.mcap' was not read: metadata.yaml does not list it");
    expect(notes.join()).not.toContain('metadata.yaml states');
  });

  it('with fewer messages than its metadata states has a note', async () => {
    const folder = folderOf();
    writeBag(folder, messages);
    describeBag(folder, ['bag/bag_0.db3'], countsText({ '/velodyne_points': 4, '/odometry': 12 }));
    const notes = await expectAllBeams(folder);
    expect(notes).toContain("'/velodyne_points' has 1 messages where metadata.yaml states 4");
  });

  it('without a part that its metadata lists is refused by its name', async () => {
    const folder = folderOf();
    writeBag(folder, messages);
    describeBag(folder, ['bag_0.db3', 'bag_1.db3']);
    expect(await refusal(folder)).toMatchObject({
      code: 'not-found',
      title: expect.stringMatching(/expected 'bag_1.db3', which .*metadata.yaml lists/) as string,
    });
  });

  it('whose metadata is no YAML is refused', async () => {
    const folder = folderOf();
    writeBag(folder, messages);
    writeFileSync(join(folder, 'metadata.yaml'), 'a: [1\nb: }');
    expect(await refusal(folder)).toMatchObject({
      code: 'corrupt',
      title: expect.stringContaining('metadata.yaml is damaged: expected YAML') as string,
    });
  });

  it.each(['bag_0.db3.zstd', 'bag_0.db3'])('compressed by file, listed as %s', async (listed) => {
    const folder = folderOf();
    pack(writeBag(folder, messages));
    describeBag(folder, [listed], '  compression_format: zstd\n  compression_mode: FILE\n');
    await expectAllBeams(folder);
  });

  it('compressed by message', async () => {
    const folder = folderOf();
    const file = writeBag(folder, messages);
    const database = new DatabaseSync(file);
    const rows = database.prepare('SELECT id, data FROM messages').all();
    const update = database.prepare('UPDATE messages SET data = ? WHERE id = ?');
    for (const { id, data } of rows) update.run(zstdCompressSync(data as Uint8Array), Number(id));
    database.close();
    describeBag(folder, ['bag_0.db3'], '  compression_format: zstd\n  compression_mode: MESSAGE\n');
    await expectAllBeams(folder);
  });

  it('with a message that is no whole frame of zstd is refused by its topic', async () => {
    const folder = folderOf();
    const file = writeBag(folder, messages);
    const database = new DatabaseSync(file);
    const data = zstdCompressSync(Buffer.alloc(5000, 7)).subarray(0, 12);
    database.prepare('UPDATE messages SET data = ? WHERE id = 3').run(data);
    database.close();
    expect(await refusal(folder)).toMatchObject({
      code: 'corrupt',
      title: expect.stringMatching(/a message of '.*' is no whole frame of zstd/) as string,
    });
  });
});

describe('a file that zstd compressed as a whole', () => {
  it.each(['.zstd', '.zst'])('.mcap%s is read, and nothing of it stays', async (ending) => {
    const file = join(temporaryFolder(), 'x.mcap');
    await writeMcap(file, messages);
    await expectAllBeams(pack(file, ending));
  });

  it('is unpacked on the thread of its source, and removed with it', async () => {
    const folder = temporaryFolder();
    const file = join(temporaryFolder(), 'x.mcap');
    await writeMcap(file, messages);
    pack(file);
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder;
    try {
      const { signal } = new AbortController();
      const source = await createThreadedSources().open(`${file}.zstd`, {
        trajectory: null,
        times: {},
        signal,
        progress: () => undefined,
      });
      const made = readdirSync(folder).map((name) => readdirSync(join(folder, name)));
      expect(made).toEqual([['0-x.mcap']]);
      await source.close();
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  }, 120_000);

  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
    ['other bytes', () => Buffer.alloc(500, 3)],
  ])('%s is refused', async (_, damage) => {
    const file = join(temporaryFolder(), 'x.mcap');
    await writeMcap(file, messages);
    const packed = pack(file);
    writeFileSync(packed, damage(readFileSync(packed)));
    expect(await refusal(packed)).toMatchObject({
      code: 'corrupt',
      title: expect.stringContaining('is damaged: expected a whole file of zstd') as string,
    });
  });

  it('that inflates without bounds is refused', async () => {
    const file = join(temporaryFolder(), 'x.mcap.zstd');
    const content = Buffer.alloc(2 ** 26 + 2 ** 22);
    writeFileSync(file, zstdCompressSync(content));
    expect(await refusal(file)).toMatchObject({
      code: 'corrupt',
      title: expect.stringContaining('expected at most') as string,
    });
  });
});

const bzip2: BagCompression = {
  name: 'bz2',
  compress: (content) =>
    execFileSync(
      pythonCommand(),
      ['-c', 'import bz2,sys;sys.stdout.buffer.write(bz2.compress(sys.stdin.buffer.read()))'],
      { input: content, maxBuffer: 2 ** 28 },
    ),
};
const lz4: BagCompression = { name: 'lz4', compress: lz4Frame };

describe('a bag of ROS 1', () => {
  const written = (of: readonly Message[], bagOptions = {}): string => {
    const file = join(temporaryFolder(), 'x.bag');
    writeRos1Bag(file, of, bagOptions);
    return file;
  };

  it.each([
    ['none', undefined],
    ['bz2', bzip2],
    ['lz4', lz4],
  ])('with chunks of %s', async (_, compression) => {
    await expectAllBeams(written(messages, compression && { compression }));
  });

  it('with TF of the first releases, and messages that are not in the order of their times', async () => {
    const transforms = poses.map(({ timeNs }) => tf('odom', 'velodyne', timeNs, sensorAt(timeNs)));
    const of = [velodyneCloud(beams, 0), ...transforms.toReversed()];
    const typeNames = { 'tf2_msgs/msg/TFMessage': 'tf/tfMessage' };
    await expectAllBeams(written(of, { typeNames, messagesPerChunk: 3 }));
  });

  it('in a folder, in the order of the numbers', async () => {
    const folder = temporaryFolder();
    writeRos1Bag(join(folder, 'a_10.bag'), messages.slice(6));
    writeRos1Bag(join(folder, 'a_9.bag'), messages.slice(0, 6));
    await expectAllBeams(folder);
  });

  it('without an index is refused with the way to add one', async () => {
    expect(await refusal(written(messages, { hasIndex: false }))).toMatchObject({
      code: 'corrupt',
      title: expect.stringContaining("'rosbag reindex'") as string,
    });
  });

  it('with chunks of another compression is refused', async () => {
    const compression = { name: 'zip', compress: (content: Buffer) => content };
    expect(await refusal(written(messages, { compression }))).toMatchObject({
      code: 'corrupt',
      title: expect.stringContaining('expected whole records of a bag of ROS 1') as string,
    });
  });

  it('with a chunk that states far more than it takes is refused', async () => {
    const compression = { name: 'bz2', compress: () => Buffer.alloc(40, 1) };
    expect(await refusal(written(messages, { compression }))).toMatchObject({ code: 'corrupt' });
  });
});
