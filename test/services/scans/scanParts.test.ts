// Parts of surveys and their joining, with the real worker.
import { existsSync } from 'node:fs';
import { readFile, rm, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultScanColumns } from '#contract/columns.ts';
import { folder, scenario, services, strips, written } from './surveyScenario.ts';

describe('parts', () => {
  const noise = { position: { sigmaM: 0.05, correlationS: 0.1 } };

  it.each(['csv', 'npz', 'las', 'pcd', 'ply', 'mcap'])(
    'of .%s join to the bytes of the whole',
    async (format) => {
      const file = await written('parts.yaml', scenario({ ...strips, noise }));
      const whole = path.join(folder, `whole.${format}`);
      const columns = [...new Set([...defaultScanColumns, 'object_id' as const])];
      const request = { scenario: file, misses: format !== 'las', columns };
      await services.ask('scan.start', { ...request, out: whole });
      const parts: string[] = [];
      const of = format === 'mcap' ? 2 : 3;
      for (let index = of; index >= 1; index -= 1) {
        const out = path.join(folder, `part-${index}.${format}`);
        const { reply } = await services.ask('scan.start', {
          ...request,
          out,
          part: { index, of },
        });
        expect(reply.files).toEqual(expect.arrayContaining([out, `${out}.part.json`]));
        parts.push(out);
      }
      const joined = path.join(folder, `joined.${format}`);
      const { reply } = await services.ask('scan.join', { parts, out: joined });
      expect(reply).toMatchObject({ parts: of, fromS: 0, toS: 0.2 });
      // With what the ids mean.
      const tables = format === 'mcap' ? [] : ['.objects.csv'];
      expect(reply.files).toEqual([joined, ...tables.map((table) => `${joined}${table}`)]);
      for (const ending of ['', ...tables]) {
        const [one, other] = [await readFile(joined + ending), await readFile(whole + ending)];
        expect(one.equals(other), ending).toBe(true);
      }
    },
  );

  it.each(['csv', 'las', 'mcap'])('of .%s that are damaged are refused', async (format) => {
    const file = await written('parts.yaml', scenario(strips));
    const out = path.join(folder, `damaged.${format}`);
    await services.ask('scan.start', { scenario: file, out, part: { index: 1, of: 1 } });
    const joined = path.join(folder, `repaired.${format}`);
    await truncate(out, (await stat(out)).size - 100);
    await expect(services.ask('scan.join', { parts: [out], out: joined })).rejects.toThrow(
      /damaged\.\w+' is damaged, or not the file that/,
    );
    expect(existsSync(joined)).toBe(false);
  });

  it('have no layout of a folder', async () => {
    const file = await written('parts.yaml', scenario(strips));
    const out = path.join(folder, 'kitti');
    const part = { index: 1, of: 2 };
    await expect(
      services.ask('scan.start', { scenario: file, out, format: 'semantickitti', part }),
    ).rejects.toMatchObject({ details: { problems: [{ path: 'part' }] } });
  });

  it('along many poses join to the bytes of the whole, cut within a batch of slots', async () => {
    // A pose each 0.1 ms on a turning path: a part is sent those of its own interval.
    const poses = Array.from({ length: 2001 }, (_, pose) => {
      const angle = 0.002 * pose;
      const rotation = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
      return [pose * 1e-4, 3 * Math.cos(angle), 3 * Math.sin(angle), 1.5, ...rotation].join(' ');
    });
    await written('dense.tum', poses.join('\n'));
    const survey = { kind: 'trajectory', sensor: 'lidar', file: 'dense.tum', noise };
    const file = await written('dense.yaml', scenario(survey));
    const request = { scenario: file, columns: defaultScanColumns };
    const whole = path.join(folder, 'dense.csv');
    await services.ask('scan.start', { ...request, out: whole });
    const parts: string[] = [];
    for (let index = 1; index <= 7; index += 1) {
      const out = path.join(folder, `dense-${index}.csv`);
      await services.ask('scan.start', { ...request, out, part: { index, of: 7 } });
      parts.push(out);
    }
    const joined = path.join(folder, 'dense-joined.csv');
    await services.ask('scan.join', { parts, out: joined });
    expect((await readFile(joined)).equals(await readFile(whole))).toBe(true);
  });

  it('are refused with gaps, overlaps, of another seed, and without their description', async () => {
    const file = await written('parts.yaml', scenario(strips));
    const part = async (name: string, fromS: number, toS: number, seed = 5): Promise<string> => {
      const out = path.join(folder, name);
      await services.ask('scan.start', { scenario: file, out, fromS, toS, seed });
      return out;
    };
    const [a, b, c] = [
      await part('a.csv', 0, 0.05),
      await part('b.csv', 0.05, 0.1),
      await part('c.csv', 0.1, 0.2),
    ];
    const early = await part('early.csv', 0.04, 0.1);
    const other = await part('other.csv', 0.05, 0.1, 6);
    const out = path.join(folder, 'all.csv');
    const join = (parts: string[]): Promise<unknown> => services.ask('scan.join', { parts, out });
    await expect(join([a, c])).rejects.toThrow(/a gap of \[0\.05 s, 0\.1 s\) between '.*a\.csv'/);
    await expect(join([b, c])).rejects.toThrow(/a gap of \[0 s, 0\.05 s\) between the start/);
    await expect(join([a, b])).rejects.toThrow(
      /a gap of \[0\.1 s, 0\.2 s\) .* the end of the scan/,
    );
    await expect(join([a, early, c])).rejects.toThrow(/an? overlap of \[0\.04 s, 0\.05 s\)/);
    await expect(join([a, other, c])).rejects.toThrow(
      /another seed .*\(seed differs\)|another scene/,
    );
    await rm(`${b}.part.json`);
    await expect(join([a, b, c])).rejects.toThrow(/there is no '.*b\.csv\.part\.json'/);
  });

  it('of a recording end between ticks', async () => {
    const file = await written('parts.yaml', scenario(strips));
    const out = path.join(folder, 'cut.mcap');
    await expect(
      services.ask('scan.start', { scenario: file, out, fromS: 0.03 }),
    ).rejects.toMatchObject({ details: { problems: [{ path: 'fromS' }] } });
  });
});
