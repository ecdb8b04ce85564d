// Sources that were cut off, or hold something else: each is refused in one sentence, and no log is left.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Pose } from '#contract/host/run.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { aFromB } from '#domain/shared/pose.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { seededRandom } from '#test/recordings/samples.ts';
import { sensorAt } from './firingSensors.ts';
import { identity, importTo } from './importTo.ts';
import { refusal } from './imported.ts';
import { tumText, writeKitti, writePcd } from './pointFiles.ts';
import { beamsOfRoom, inSensor } from './room.ts';
import { beams, pointColumns, type Source, sourcesByKind } from './sampleSources.ts';

/** The message of an import that fails; null: it does not. */
async function failureOf({ source, options }: Source): Promise<string | null> {
  const out = join(temporaryFolder(), 'x.log');
  try {
    await importTo(out, source, options);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(UnderstoryError);
    const { code, message } = error as UnderstoryError;
    expect(code, message).toMatch(/^(corrupt|bad-input|unsupported)$/);
    expect(message).not.toContain('\n');
    expect(existsSync(out)).toBe(false);
    return message;
  }
}

/** Outcomes of importing a source of that kind, damaged in each of these ways. */
async function damagedBy(
  kind: string,
  ...damages: ((whole: Buffer) => Uint8Array)[]
): Promise<(string | null)[]> {
  const folder = join(temporaryFolder(), '00');
  mkdirSync(folder);
  const made = await sourcesByKind[kind]?.(folder);
  if (made === undefined) throw new Error(`there is no ${kind}`);
  const whole = readFileSync(made.file);
  const messages: (string | null)[] = [];
  for (const damage of damages) {
    writeFileSync(made.file, damage(Buffer.from(whole)));
    messages.push(await failureOf(made));
  }
  return messages;
}

describe.each(Object.keys(sourcesByKind))('a source of %s', (kind) => {
  it('imports as it is, and is refused where it ends early or is junk', async () => {
    const cut =
      (share: number) =>
      (whole: Buffer): Buffer => {
        const bytes = share >= 1 || share === 0 ? share : Math.floor(share * whole.length);
        // Cells that are cut short, and points that are missing whole, cannot be told in text and in KITTI's rows.
        if (kind === 'csv' && bytes > 100) return whole.subarray(0, whole.indexOf(',', bytes));
        return whole.subarray(0, kind === 'kitti' && bytes > 0 ? bytes - (bytes % 16) + 3 : bytes);
      };
    const random = seededRandom(4);
    const junk = (): Buffer => Buffer.from(Array.from({ length: 999 }, () => 256 * random()));
    const [whole, ...damaged] = await damagedBy(
      kind,
      (bytes) => bytes,
      ...[0, 5, 0.1, 0.5, 0.9].map(cut),
      junk,
    );
    expect(whole).toBeNull();
    expect(damaged).toHaveLength(6);
    expect(damaged).not.toContain(null);
  });

  it('gives a log or one sentence, whichever bytes are changed', async () => {
    const random = seededRandom(9);
    const flip =
      (isInHead: boolean) =>
      (bytes: Buffer): Buffer => {
        const at = Math.floor(random() * Math.min(isInHead ? 600 : Infinity, bytes.length));
        bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(8 * random()));
        return bytes;
      };
    await damagedBy(kind, ...Array.from({ length: 12 }, (_, time) => flip(time % 2 === 0)));
  });
});

describe('a trajectory', () => {
  it.each([
    ['no numbers', 'a b c d e f g h\n'],
    ['a NaN', '0 0 0 0 0 0 0 1\n1 NaN 0 0 0 0 0 1\n'],
    ['no rotation', '0 0 0 0 0 0 0 0\n1 0 0 0 0 0 0 0\n'],
    ['nothing', ''],
  ])('with %s is refused by its file and line', async (_, text) => {
    const folder = temporaryFolder();
    const file = join(folder, '0.pcd');
    writePcd(file, pointColumns());
    const trajectory = join(folder, 'poses.tum');
    writeFileSync(trajectory, text);
    expect(await refusal(file, { trajectory })).toMatchObject({
      code: 'bad-input',
      problems: [{ message: expect.stringContaining('poses.tum') as string }],
    });
  });

  it('is asked for where clouds have no poses, and must cover them', async () => {
    const folder = temporaryFolder();
    const file = join(folder, '0.pcd');
    writePcd(file, pointColumns());
    expect(await refusal(file)).toMatchObject({ title: 'the source has no poses' });
    const trajectory = join(folder, 'poses.tum');
    writeFileSync(trajectory, tumText([5e9, 6e9], sensorAt));
    expect(await refusal(file, { trajectory })).toMatchObject({
      code: 'bad-input',
      title: 'the poses do not cover the log',
    });
  });
});

describe('a sequence of KITTI', () => {
  const points = beams.map((beam) => [...inSensor(beam), 0] as [number, number, number, number]);
  const still: Pose = identity;

  it.each([
    ['no poses', 'poses.txt', null, 'the source has no poses'],
    [
      'fewer poses than frames',
      'poses.txt',
      '1 0 0 0 0 1 0 0 0 0 1 0\n',
      'the poses do not cover the log',
    ],
    ['NaN in a pose', 'poses.txt', `${'NaN '.repeat(12)}\n`, null],
    ['fewer times than frames', 'times.txt', '0\n', null],
    ['no calibration in its file', 'calib.txt', 'P0: 1 2 3\n', null],
  ])('with %s is refused', async (_, name, text, title) => {
    const folder = join(temporaryFolder(), '00');
    writeKitti(folder, [still, still], [points, points], [0, 0.1]);
    const file = join(folder, name);
    if (text === null) rmSync(file);
    else writeFileSync(file, text);
    const refused = await refusal(folder);
    expect(refused).toMatchObject({ code: 'bad-input', ...(title !== null && { title }) });
  });

  it('with the poses of the world in the sensor is refused by the cells that its clouds fill', async () => {
    const timesS = Array.from({ length: 12 }, (_, frame) => frame / 10);
    const poses = timesS.map((timeS) => sensorAt(timeS * 1e9));
    const frames = timesS.map((timeS) =>
      beamsOfRoom(1, () => sensorAt(timeS * 1e9))
        .filter(({ rangeM }) => Number.isFinite(rangeM))
        .map((beam) => [...inSensor(beam), 0] as [number, number, number, number]),
    );
    const folder = join(temporaryFolder(), '00');
    writeKitti(
      folder,
      poses.map((pose) => aFromB(pose, identity)),
      frames,
      timesS,
    );
    expect(await refusal(folder)).toMatchObject({ title: 'the frames of the poses are swapped' });
    writeKitti(folder, poses, frames, timesS);
    expect(await refusal(folder)).toBeNull();
  });
});
